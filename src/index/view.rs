//! One slice of a table, with one side to move, as seen by someone whose men come in another order, or with the colours
//! swapped, or on mirrored cells.

use super::dense::Code;
use super::layout::{Layout, MAX_MEN};
use super::row::{EMPTY_ROW, OutcomeRow};
use super::side::SideTable;
use crate::geometry::{Cell, CellSet, Color, MAX_CELLS, Man};
use std::sync::Arc;

/// Where a caller's positions are found: the slice and side to move of a table, and how to get there.
pub struct Lookup {
    /// The slice of the table.
    pub slice: usize,
    /// The side to move in the table.
    pub turn: Color,
    /// For each man of the table, the caller's man that is the same.
    order: [u8; MAX_MEN],
    /// For each cell of the caller, the cell of the table.
    map: [Cell; MAX_CELLS],
    /// A bit for each symmetry that undoes `map`: rows that it applies to need not be permuted.
    straight: u32,
}

impl Lookup {
    /// How to find positions with the caller's men (pawns left out), pawns and side to move; `white_is_second` tells that White has
    /// the second side of the table's material. None if a pawn stands where none can.
    pub fn new(
        layout: &Layout,
        men: &[Man],
        pawns: [CellSet; 2],
        turn: Color,
        white_is_second: bool,
    ) -> Option<Lookup> {
        let swapped = if layout.material().is_symmetric() { turn == Color::Black } else { white_is_second };
        let color = |c: Color| if swapped { c.other() } else { c };
        let mut taken = [false; MAX_MEN];
        let mut order = [0; MAX_MEN];
        for (slot, wanted) in order.iter_mut().zip(layout.men()) {
            let same = |&i: &usize| !taken[i] && men[i].role == wanted.role && color(men[i].color) == wanted.color;
            let found = (0..men.len()).find(same).expect("a view shows the table's own men");
            taken[found] = true;
            *slot = found as u8;
        }
        let variant = layout.variant();
        let seen = match swapped {
            false => pawns,
            true => [pawns[1], pawns[0]].map(|set| variant.colour_swap().apply_set(set)),
        };
        let (slice, symmetry) = layout.locate_slice(seen)?;
        let mut map = [Cell(0); MAX_CELLS];
        for cell in variant.board().cells() {
            let swapped = if swapped { variant.colour_swap().apply(cell) } else { cell };
            map[cell.index()] = variant.symmetries()[symmetry as usize].apply(swapped);
        }
        let undoes = |g: usize| variant.board().cells().all(|c| variant.symmetries()[g].apply(map[c.index()]) == c);
        let straight = (0..variant.symmetries().len()).filter(|&g| undoes(g)).fold(0, |bits, g| bits | 1 << g);
        Some(Lookup { slice, turn: color(turn), order, map, straight })
    }

    /// The caller's cells as the table has them.
    #[inline]
    fn mapped(&self, cells: &[Cell]) -> [Cell; MAX_MEN] {
        let mut mapped = [Cell(0); MAX_MEN];
        for (to, &from) in mapped.iter_mut().zip(&self.order[..cells.len()]) {
            *to = self.map[cells[from as usize].index()];
        }
        mapped
    }
}

/// A slice with one side to move, seen through a [`Lookup`].
pub struct SliceView {
    lookup: Lookup,
    layout: Arc<Layout>,
    table: Arc<SideTable>,
}

impl SliceView {
    /// The view of `table`, the slice and side to move of a layout's table that `lookup` names.
    pub fn new(lookup: Lookup, layout: Arc<Layout>, table: Arc<SideTable>) -> SliceView {
        SliceView { lookup, layout, table }
    }

    /// The code of the position with the caller's men on `cells`; illegal if the kings touch.
    #[inline]
    pub fn code(&self, cells: &[Cell]) -> Code {
        let mapped = self.lookup.mapped(cells);
        let n = self.layout.cell_count();
        match self.layout.locate_in(self.lookup.slice, &mapped[..cells.len()]) {
            None => Code::ILLEGAL,
            Some(index) => self.table.code(index / n, index % n),
        }
    }

    /// The outcomes of the positions with the caller's men on `cells`, except that man number `varying` stands on each
    /// of `columns` in turn.
    pub fn row(&self, cells: &mut [Cell], varying: usize, columns: CellSet) -> OutcomeRow {
        let count = cells.len();
        if self.lookup.order[count - 1] as usize != varying || count < 3 {
            return self.row_of_codes(cells, varying, columns);
        }
        let mapped = self.lookup.mapped(cells);
        let n = self.layout.cell_count();
        let Some((index, symmetry)) = self.layout.locate_with_symmetry(self.lookup.slice, &mapped[..count]) else {
            return EMPTY_ROW;
        };
        let mut row = self.table.row(index / n);
        if self.lookup.straight & 1 << symmetry != 0 {
            row.restrict(columns.0);
            return row;
        }
        let turned = self.layout.variant().symmetries()[symmetry as usize].map();
        let to = |column: usize| turned[self.lookup.map[column].index()].index();
        // Only what is legal has to be carried over.
        let mut image = EMPTY_ROW;
        image.digit_count = row.digit_count;
        let legal = row.legal();
        for column in columns {
            let from = to(column.index());
            if legal >> from & 1 != 0 {
                let bit = column.index();
                for (image, from_set) in image.of_value.iter_mut().zip(&row.of_value) {
                    *image |= (from_set >> from & 1) << bit;
                }
                for (image, from_set) in image.digits.iter_mut().zip(&row.digits[..row.digit_count]) {
                    *image |= (from_set >> from & 1) << bit;
                }
            }
        }
        image
    }

    fn row_of_codes(&self, cells: &mut [Cell], varying: usize, columns: CellSet) -> OutcomeRow {
        let mut row = EMPTY_ROW;
        for column in columns {
            cells[varying] = column;
            if let Some(outcome) = self.code(cells).outcome() {
                row.add(outcome, column.set().0);
            }
        }
        row
    }
}

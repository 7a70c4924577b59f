//! One slice of a table, with one side to move, as seen by someone whose men come in another order, or with the colours
//! swapped, or on mirrored cells.

use super::dense::Code;
use super::layout::{Layout, MAX_MEN};
use super::row::{EMPTY_ROW, OutcomeRow};
use super::side::SideTable;
use crate::geometry::{BitPermutation, Cell, CellSet, Color, MAX_CELLS, Man};
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
    swapped: bool,
    /// For each symmetry that the table applies after `map`, the symmetry that does the same at once (after the colour
    /// swap, if `swapped`).
    composed: Vec<u8>,
}

impl Lookup {
    /// How to find positions with the caller's men (pawns left out), pawns and side to move; `white_is_second` tells
    /// that White has the second side of the table's material. None if a pawn stands where none can.
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
        let all = variant.symmetries();
        let swap = |cell| if swapped { variant.colour_swap().apply(cell) } else { cell };
        let same =
            |g: usize, h: usize| variant.board().cells().all(|c| all[h].apply(swap(c)) == all[g].apply(map[c.index()]));
        let composed = |g| (0..all.len()).find(|&h| same(g, h)).expect("the symmetries form a group") as u8;
        Some(Lookup { slice, turn: color(turn), order, map, swapped, composed: (0..all.len()).map(composed).collect() })
    }

    /// How to find positions with a layout's own men in their order and these pawns, the colours not swapped even
    /// where both sides have the same men. None if a pawn stands where none can.
    pub fn unswapped(layout: &Layout, pawns: [CellSet; 2]) -> Option<Lookup> {
        Lookup::new(layout, layout.men(), pawns, Color::White, false)
    }

    /// Of the positions with the caller's men on `cells`, the last of whom is the table's column man and stands on any
    /// cell, those that a plane of the slice holds.
    pub fn row_of_plane(&self, layout: &Layout, plane: &[u128], cells: &[Cell]) -> u128 {
        let Some((index, undo)) = self.located(layout, cells) else { return 0 };
        let row = plane[index / layout.cell_count()];
        undo.map_or(row, |undo| undo.apply(row))
    }

    /// The index of the men on `cells`, and what takes the cells of the table back to those of the caller unless they
    /// are the same; none if the kings touch.
    #[inline]
    fn located<'l>(&self, layout: &'l Layout, cells: &[Cell]) -> Option<(usize, Option<&'l BitPermutation>)> {
        let mapped = self.mapped(cells);
        let (index, symmetry) = layout.locate_with_symmetry(self.slice, &mapped[..cells.len()])?;
        let composed = self.composed[symmetry as usize] as usize;
        // The first symmetry is the identity.
        let changed = composed != 0 || self.swapped;
        Some((index, changed.then(|| layout.variant().undoing(composed, self.swapped))))
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
        let last = self.lookup.order[count - 1] as usize;
        if self.lookup.order[count - 2] as usize == varying {
            return self.row_across(cells, varying, columns);
        }
        if last != varying {
            return self.row_of_codes(cells, varying, columns);
        }
        let Some((index, undo)) = self.lookup.located(&self.layout, cells) else { return EMPTY_ROW };
        let mut row = self.table.row(index / self.layout.cell_count());
        undo.inspect(|undo| row.permute(undo));
        row.restrict(columns.0);
        row
    }

    /// [`SliceView::row`] where the varying man is the table's row man: one column of all rows of a block.
    fn row_across(&self, cells: &mut [Cell], varying: usize, columns: CellSet) -> OutcomeRow {
        cells[varying] = Cell(0);
        let Some((index, undo)) = self.lookup.located(&self.layout, cells) else { return EMPTY_ROW };
        let n = self.layout.cell_count();
        let block = index / (n * n);
        let mut row = self.table.column(block * n..(block + 1) * n, index % n);
        undo.inspect(|undo| row.permute(undo));
        row.restrict(columns.0);
        row
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

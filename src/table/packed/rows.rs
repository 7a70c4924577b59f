//! Where rows are in packed files, who stands where in them, and which of their positions are stored.
//!
//! Rows are those of the [`Layout`], slice after slice, White to move and then Black. Some rows that follow each other
//! in a slice make up a unit, the last of a slice often a smaller one.

use crate::geometry::{Cell, CellSet, Color};
use crate::index::{Layout, MAX_MEN, Place, RowRules};
use std::ops::Range;
use std::sync::Arc;

/// The units of a layout's rows.
pub struct Units {
    layout: Arc<Layout>,
    /// Rows of a unit.
    rows: usize,
    /// For each slice, how many units come before it, with one side to move; then how many there are.
    first: Vec<usize>,
}

impl Units {
    pub fn new(layout: Arc<Layout>, rows: usize) -> Units {
        let mut first = vec![0];
        for slice in 0..layout.slices().len() {
            first.push(first[slice] + rows_of_slice(&layout, slice).div_ceil(rows));
        }
        Units { layout, rows, first }
    }

    /// How many there are, with all stored sides to move.
    pub fn count(&self) -> usize {
        sides(&self.layout) * self.of_side()
    }

    fn of_side(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }

    /// The number of the unit that holds a row, and the rows that it has up to this one.
    #[inline]
    pub fn find(&self, slice: usize, row: usize, turn: Color) -> (usize, Range<usize>) {
        let within = row / self.rows;
        (turn.index() * self.of_side() + self.first[slice] + within, within * self.rows..row + 1)
    }

    /// The rows of a slice's units, in order.
    pub fn of_slice(&self, slice: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let (rows, all) = (self.rows, rows_of_slice(&self.layout, slice));
        (0..all).step_by(rows).map(move |first| first..(first + rows).min(all))
    }
}

/// How many sides to move a table stores: White alone where both sides have the same men.
pub fn sides(layout: &Layout) -> usize {
    if layout.material().is_symmetric() { 1 } else { 2 }
}

pub fn rows_of_slice(layout: &Layout, slice: usize) -> usize {
    layout.slice_len(slice) / layout.cell_count()
}

/// A row: where its men stand, but for the column man, and who is to move.
pub struct Row {
    /// The men of the index, then White's pawns and Black's.
    cells: [Cell; MAX_MEN],
    count: usize,
    /// The positions that are stored: legal, and with like men in ascending order.
    pub stored: CellSet,
}

impl Row {
    pub fn new(layout: &Layout, slice: usize, row: usize, turn: Color) -> Row {
        let n = layout.cell_count();
        let men = layout.outer_men() + 1;
        let (cells, count) = cells_of(layout, slice, row);
        let pawns = layout.slices()[slice].pawns;
        let rules = RowRules { variant: layout.variant(), men: layout.men(), pawns };
        let mut stored = rules.legal(&cells[..men], turn);
        if layout.has_like_men() && !stored.is_empty() {
            stored &= layout.ascending_columns(slice, row / n, row % n);
        }
        Row { cells, count, stored }
    }

    /// The cells in the order of [`Ground`](crate::coding::scene::Ground).
    pub fn cells(&self) -> &[Cell] {
        &self.cells[..self.count]
    }
}

/// Where the men of a row stand, but for the column man, in the order of [`Ground`](crate::coding::scene::Ground), and
/// how many they are.
pub fn cells_of(layout: &Layout, slice: usize, row: usize) -> ([Cell; MAX_MEN], usize) {
    let n = layout.cell_count();
    let mut count = layout.outer_men();
    let mut cells = layout.outer_cells(slice, row / n);
    let row_man = [Cell((row % n) as u8)];
    let pawns = layout.slices()[slice].pawns.iter().flat_map(|pawns| pawns.iter());
    for cell in row_man.into_iter().chain(pawns) {
        cells[count] = cell;
        count += 1;
    }
    (cells, count)
}

/// Whether a row, counted through all slices, belongs to a sample of about `wanted` of a layout's rows: drawn from all
/// over the table, and always the same ones.
pub fn is_sampled(layout: &Layout, slice: usize, row: usize, wanted: usize) -> bool {
    let number = layout.number(Place { slice, index: 0 }) / layout.cell_count() + row;
    let all = layout.len() / layout.cell_count();
    // The golden ratio's digits spread numbers evenly.
    let drawn = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    (u128::from(drawn) * all as u128) >> 32 < wanted as u128
}

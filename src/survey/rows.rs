//! The outcomes of a slice row by row, with either side to move as it stands on the board: also where both sides have
//! the same men, and tables have White to move alone.

use crate::geometry::{Cell, Color};
use crate::index::{Layout, Lookup, OutcomeRow, SliceView};
use crate::oracle::ProbeError;
use crate::solve::Subtables;
use std::sync::Arc;

/// A slice with one side to move.
pub struct SliceRows {
    layout: Arc<Layout>,
    slice: usize,
    view: SliceView,
}

impl SliceRows {
    /// # Errors
    /// When the table of the layout's material cannot be read.
    pub fn new(
        layout: &Arc<Layout>,
        tables: &dyn Subtables,
        slice: usize,
        turn: Color,
    ) -> Result<SliceRows, ProbeError> {
        let lookup = Lookup::new(layout, layout.men(), layout.slices()[slice].pawns, turn, false);
        let lookup = lookup.expect("the pawns of a slice stand where pawns can stand");
        let table = tables.side(layout.material(), lookup.slice, lookup.turn)?;
        Ok(SliceRows { layout: layout.clone(), slice, view: SliceView::new(lookup, layout.clone(), table) })
    }

    /// Calls back with the number of each row of a block, counted through the slice, and its outcomes.
    pub fn each_of_block(&self, block: usize, mut visit: impl FnMut(usize, OutcomeRow)) {
        let (n, row_man) = (self.layout.cell_count(), self.layout.outer_men());
        let board = self.layout.variant().board().all();
        let mut cells = self.layout.outer_cells(self.slice, block);
        for row in 0..n {
            cells[row_man] = Cell(row as u8);
            visit(block * n + row, self.view.row(&mut cells[..row_man + 2], row_man + 1, board));
        }
    }
}

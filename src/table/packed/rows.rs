//! Rows of an arrangement: out of a table as it was solved, and as units in packed files.

use super::super::error::TableError;
use super::Outcomes;
use crate::coding::distances::DistanceRow;
use crate::coding::values::ValueRow;
use crate::geometry::{Cell, CellSet, Color, MAX_CELLS, Man};
use crate::index::{Arrangement, Code, EMPTY_ROW, Layout, Lookup, MOST_MEN, OutcomeRow, SideTable, SliceView};
use crate::outcome::Outcome;
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The most rows of a unit: all that come before the one asked for have to be read.
pub const MOST_UNIT_ROWS: usize = 16;

/// The units of an arrangement's rows: some that follow each other make up one, White to move and then Black.
pub struct Units {
    /// Rows of a unit.
    rows: usize,
    /// All rows with one side to move.
    of_side: usize,
    sides: usize,
}

impl Units {
    pub fn new(arrangement: &Arrangement, rows: usize) -> Units {
        Units { rows, of_side: arrangement.rows(), sides: arrangement.sides() }
    }

    /// How many there are with one side to move.
    pub fn count_of_side(&self) -> usize {
        self.of_side.div_ceil(self.rows)
    }

    pub fn count(&self) -> usize {
        self.sides * self.count_of_side()
    }

    /// The number of the unit that holds a row, and the rows that it has up to this one.
    #[inline]
    pub fn find(&self, row: usize, turn: Color) -> (usize, Range<usize>) {
        let unit = row / self.rows;
        (turn.index() * self.count_of_side() + unit, unit * self.rows..row + 1)
    }

    /// The rows of a unit, counted through one side to move.
    pub fn rows(&self, unit: usize) -> Range<usize> {
        unit * self.rows..((unit + 1) * self.rows).min(self.of_side)
    }
}

/// Whether a row belongs to a sample of about `wanted` of an arrangement's rows: drawn from all over, and always the
/// same ones.
pub fn is_sampled(row: usize, of: usize, wanted: usize) -> bool {
    // The golden ratio's digits spread numbers evenly.
    let drawn = (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    (u128::from(drawn) * of as u128) >> 32 < wanted as u128
}

/// What a row holds.
pub struct Row {
    pub cells: [Cell; MOST_MEN],
    pub values: ValueRow,
    outcomes: OutcomeRow,
}

impl Row {
    /// The distances of its decisive positions.
    pub fn distances(&self) -> DistanceRow {
        let mut distances = [0; MAX_CELLS];
        self.outcomes.each_outcome(|outcome, columns| {
            if let Some(plies) = outcome.plies() {
                CellSet(columns).iter().for_each(|cell| distances[cell.index()] = plies / 2);
            }
        });
        distances
    }
}

/// A table as it was solved, looked at row by row of an arrangement.
pub struct Source<'a> {
    arrangement: &'a Arrangement,
    /// For each side to move and placement of the pawns, how to look at their slice.
    views: [HashMap<[CellSet; 2], SliceView>; 2],
    /// The places, among the arrangement's men, of those that are not pawns.
    pieces: Vec<usize>,
}

impl<'a> Source<'a> {
    /// Takes all slices of a table.
    ///
    /// # Errors
    /// Those of `outcomes`.
    pub fn new(
        arrangement: &'a Arrangement,
        layout: &Arc<Layout>,
        outcomes: &dyn Outcomes,
    ) -> Result<Source<'a>, TableError> {
        let variant = arrangement.variant();
        let pawn = variant.pawn();
        let men = arrangement.men();
        let pieces: Vec<usize> = (0..men.len()).filter(|&at| men[at].role != pawn).collect();
        let men: Vec<Man> = pieces.iter().map(|&at| men[at]).collect();
        // Where the table's rows go across these, positions are looked up one by one.
        let along = layout.men()[layout.outer_men()..].contains(&arrangement.column_man());
        let mut views = [HashMap::new(), HashMap::new()];
        for (views, turn) in views.iter_mut().zip(Color::BOTH).take(arrangement.sides()) {
            for slice in 0..layout.slices().len() {
                let mut side = outcomes.side(slice, turn)?;
                if !along {
                    side = Arc::new(codes_of(&side, layout.cell_count()));
                }
                for &g in variant.pawn_symmetries() {
                    let image = layout.slices()[slice].pawns.map(|set| variant.symmetries()[g].apply_set(set));
                    if let Some(lookup) = Lookup::new(layout, &men, image, turn, false) {
                        views.entry(image).or_insert_with(|| SliceView::new(lookup, layout.clone(), side.clone()));
                    }
                }
            }
        }
        Ok(Source { arrangement, views, pieces })
    }

    /// What a row holds; none if nothing is stored of it.
    pub fn row(&self, row: usize, turn: Color) -> Option<Row> {
        let cells = self.arrangement.cells(row);
        let stored = self.arrangement.stored(&cells, turn);
        if stored.is_empty() {
            return None;
        }
        let pawn = self.arrangement.variant().pawn();
        let last = self.arrangement.men().len() - 1;
        let mut pawns = [CellSet::EMPTY; 2];
        for (man, &cell) in self.arrangement.known().iter().zip(&cells).filter(|(man, _)| man.role == pawn) {
            pawns[man.color.index()].insert(cell);
        }
        let mut pieces = [Cell(0); MOST_MEN];
        for (cell, &at) in pieces.iter_mut().zip(&self.pieces) {
            *cell = cells[at];
        }
        let pieces = &mut pieces[..self.pieces.len()];
        let views = &self.views[turn.index()];
        let varying = self.pieces.iter().position(|&at| at == last);
        // A row that stores something has its pawns where pawns can stand, so there is a view of them.
        let outcomes = match varying {
            Some(varying) => views[&pawns].row(pieces, varying, stored),
            None => {
                // Each cell of the pawn is in another slice.
                let color = self.arrangement.column_man().color.index();
                let mut outcomes = EMPTY_ROW;
                for cell in stored {
                    let mut pawns = pawns;
                    pawns[color].insert(cell);
                    if let Some(outcome) = views[&pawns].code(pieces).outcome() {
                        outcomes.add(outcome, cell.set().0);
                    }
                }
                outcomes
            }
        };
        Some(Row { cells, values: outcomes.of_value.map(CellSet), outcomes })
    }
}

/// The same outcomes as codes, which single positions are looked up in faster.
fn codes_of(side: &SideTable, columns: usize) -> SideTable {
    let mut codes = vec![Code::ILLEGAL; side.rows() * columns];
    codes.par_chunks_mut(columns).enumerate().for_each(|(row, codes)| {
        side.row(row).each_outcome(|outcome: Outcome, columns| {
            CellSet(columns).iter().for_each(|cell| codes[cell.index()] = Code::of(outcome));
        });
    });
    SideTable::Codes { columns, codes }
}

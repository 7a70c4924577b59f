//! Captures and promotions as a whole: which positions of a slice have one into positions of a wanted kind.
//!
//! For those who need to know what is there and not when it is due. Captures en passant are not among them: no stored
//! position has one.

use super::captures::{Capture, add_captures, kinds_of_capture};
use super::moves::After;
use super::pawn_steps::{PawnStep, pawn_steps};
use super::sources::{Store, Subtables};
use super::space::Space;
use crate::geometry::{Cell, CellSet, Color, Role};
use crate::index::{EMPTY_ROW, OutcomeRow, Plane, SliceView};
use crate::oracle::ProbeError;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io;

/// All captures and promotions of one side in a slice, with the tables that they lead to.
pub struct Conversions {
    mover: Color,
    captures: Vec<Capture>,
    by_pawn: Vec<ByPawn>,
}

/// A pawn's capture or promotion, with what it becomes and the positions that follow.
struct ByPawn {
    step: PawnStep,
    results: Vec<(Option<Role>, SliceView)>,
}

impl Conversions {
    /// Every capture and promotion that `mover` can make.
    ///
    /// # Errors
    /// When a table that one leads to cannot be read.
    pub fn new(space: &Space, subtables: &dyn Subtables, mover: Color) -> Result<Conversions, ProbeError> {
        // None leads back into the slice's own table.
        let done = HashMap::new();
        let store = Store { layout: &space.layout, done: &done, subtables };
        let with_results = |step: PawnStep| {
            let results = step.results(space, &store, mover)?;
            Ok(ByPawn { step, results })
        };
        let steps = pawn_steps(space, mover).into_iter().filter(|step| !step.stays());
        let by_pawn = steps.map(with_results).collect::<Result<_, ProbeError>>()?;
        Ok(Conversions { mover, captures: kinds_of_capture(space, &store, mover.other())?, by_pawn })
    }

    /// Those of `positions`, a plane with the mover to move, from which a conversion leads to what `wanted` picks of
    /// the outcomes there, which are the other side's.
    ///
    /// # Errors
    /// Those of making planes.
    pub fn before(
        &self,
        space: &Space,
        positions: &[u128],
        wanted: impl Fn(&OutcomeRow) -> u128 + Sync,
    ) -> io::Result<Plane> {
        let mut after = space.zeroed_plane()?;
        add_captures(space, &self.captures, &mut after, &wanted);
        let mut found = space.positions_before(self.mover, positions, &after)?;
        if !self.by_pawn.is_empty() {
            found.par_iter_mut().enumerate().with_min_len(space.n).for_each(|(row, found)| {
                *found |= self.before_by_pawn(space, row, positions[row] & !*found, &wanted);
            });
        }
        Ok(found)
    }

    fn before_by_pawn(
        &self,
        space: &Space,
        row: usize,
        positions: u128,
        wanted: &impl Fn(&OutcomeRow) -> u128,
    ) -> u128 {
        let (mut cells, row_man) = (space.outer_cells(row / space.n), space.outer_men());
        cells[row_man] = Cell((row % space.n) as u8);
        let known: CellSet = cells[..=row_man].iter().copied().collect();
        let mut found = 0;
        for ByPawn { step, results } in &self.by_pawn {
            let Some(columns) = step.columns(space, &cells, known, positions & !found) else { continue };
            if columns.is_empty() {
                continue;
            }
            for (promotion, view) in results {
                let (mut after, count) = step.men_after(space, *promotion, &cells);
                if step.victim == Some(row_man + 1) {
                    // The man that would vary is gone.
                    let mut outcomes = EMPTY_ROW;
                    view.code(&after[..count]).outcome().inspect(|outcome| outcomes.add(*outcome, 1));
                    found |= if wanted(&outcomes) != 0 { columns.0 } else { 0 };
                } else {
                    let column_at = row_man + 1 - usize::from(step.victim.is_some());
                    found |= wanted(&view.row(&mut after[..count], column_at, columns));
                }
            }
        }
        found
    }
}

impl Space {
    /// Those of `positions`, a plane with `mover` to move, from which a move other than a pawn's leads into `after`, a
    /// plane of the other side to move.
    ///
    /// # Errors
    /// Those of making planes.
    pub fn positions_before(&self, mover: Color, positions: &[u128], after: &[u128]) -> io::Result<Plane> {
        let (n, group_rows) = (self.n, self.group_len() * self.n);
        let all = CellSet::first(n);
        let after = After { plane: after, rows: |_| all };
        let mut found = self.stale_plane()?;
        found.copy_from_slice(positions);
        let groups = found.par_chunks_mut(group_rows).enumerate();
        groups.for_each_init(
            || self.questions(),
            |questions, (group, found)| {
                let questions = &mut questions[..found.len() / n];
                questions.iter_mut().zip(found.chunks(n)).for_each(|(question, rows)| question.ask(rows, all));
                self.strike_out_group(mover, group * self.group_len(), &after, questions);
                for (question, rows) in questions.iter().zip(found.chunks_mut(n)) {
                    rows.iter_mut().enumerate().for_each(|(row, found)| *found &= !question.row(Cell(row as u8)));
                }
            },
        );
        Ok(found)
    }
}

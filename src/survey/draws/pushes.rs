//! Pawn moves that stay in the material: from a slice into slices classified before it.
//!
//! What they lead to is kept of each finished slice as [`Exits`]: for each class in turn the positions that matter to
//! the side that moves there. A double step that can be answered en passant leads to a node of its own, the placement
//! with the captures en passant besides. What it is follows from the placement and the worth of those captures, given
//! that the position before the step is drawn:
//!
//! *The strong side makes the step*, the weak side is to move. Some capture en passant holds (is not lost for the weak
//! side): the node is won for the weak side, or drawn and a conversion. None holds: they change nothing, and the node
//! is what the placement is; where the placement has no other move, the node is lost, which contradicts that the
//! position before is drawn. So the step is harmless if a capture holds, else what it is without them.
//!
//! *The weak side makes the step*, the strong side is to move. Some capture en passant wins: the step loses. None wins,
//! and the placement is drawn: the captures leave the material, which a strong side's moves may always do, and the node
//! is of the placement's class; if the placement is a stalemate, the captures are its only moves and it is a
//! conversion, as the stalemate. None wins, and the placement is lost for the strong side: as the weak side cannot
//! win the position before, a capture draws; the other moves lose, so that the node is a conversion. None wins, but the
//! placement does: the step loses.

use crate::geometry::{Cell, CellSet, Color};
use crate::index::{Layout, Lookup, OutcomeRow, Plane, SliceView};
use crate::oracle::ProbeError;
use crate::solve::{PawnStep, Space, Store, Subtables, pawn_steps};
use rayon::prelude::*;
use std::collections::HashMap;
use std::io;

/// What pushes into a slice come to, by the class that is being worked out.
pub struct Exits {
    /// For the weak side's pushes, positions that are a conversion, or lost for the strong side (which is what makes
    /// them one where they are answered en passant). For the strong side's, drawn positions that are no conversions.
    pub conversion: Plane,
    /// For the weak side's pushes, positions of the core of perpetual check with the strong side in check. For the
    /// strong side's, drawn positions that are neither conversions nor in the core.
    pub core: Plane,
    /// For the weak side's pushes, positions of perpetual check. For the strong side's, fortresses.
    pub perpetual: Plane,
}

/// The pushes of one side in a slice.
pub struct Pushes {
    mover: Color,
    pushes: Vec<Push>,
}

struct Push {
    step: PawnStep,
    /// Where the positions after it are found.
    lookup: Lookup,
    /// The positions after each capture en passant that answers it.
    answers: Vec<SliceView>,
}

/// The slices that pawn moves of either side lead to within the material, ascending. Unlike
/// [`Slice::pushes`](crate::index::Slice::pushes) never with the colours swapped.
pub fn targets(layout: &Layout, space: &Space) -> Vec<usize> {
    let steps = Color::BOTH.into_iter().flat_map(|color| pawn_steps(space, color)).filter(PawnStep::stays);
    let mut found: Vec<usize> =
        steps.filter_map(|step| layout.locate_slice(step.pawns)).map(|(slice, _)| slice).collect();
    found.sort();
    found.dedup();
    found
}

impl Pushes {
    /// Every push of `mover`.
    ///
    /// # Errors
    /// When a table that a capture en passant leads to cannot be read.
    pub fn new(space: &Space, subtables: &dyn Subtables, mover: Color) -> Result<Pushes, ProbeError> {
        let done = HashMap::new();
        let store = Store { layout: &space.layout, done: &done, subtables };
        let mut pushes = vec![];
        for step in pawn_steps(space, mover).into_iter().filter(PawnStep::stays) {
            let answers = step.en_passant_answers(space, &store, mover)?;
            let lookup = Lookup::unswapped(&space.layout, step.pawns);
            pushes.extend(lookup.map(|lookup| Push { step, lookup, answers }));
        }
        Ok(Pushes { mover, pushes })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pushes.is_empty()
    }

    /// Those of `positions` from which a push leads into what `exits` gives of the slice that it leads to, unless it is
    /// answered by a capture en passant that `spoils`: one of the outcomes, for the mover, that this picks.
    ///
    /// # Errors
    /// Those of making planes.
    pub fn before<'e>(
        &self,
        space: &Space,
        positions: &[u128],
        exits: impl Fn(usize, Color) -> &'e Plane + Sync,
        spoils: impl Fn(&OutcomeRow) -> u128 + Sync,
    ) -> io::Result<Plane> {
        let mut found = space.zeroed_plane()?;
        if self.is_empty() {
            return Ok(found);
        }
        let after: Vec<&Plane> = self.pushes.iter().map(|push| exits(push.lookup.slice, self.mover.other())).collect();
        let row_man = space.outer_men();
        found.par_iter_mut().enumerate().with_min_len(space.n).for_each(|(row, found)| {
            if positions[row] == 0 {
                return;
            }
            let mut cells = space.outer_cells(row / space.n);
            cells[row_man] = Cell((row % space.n) as u8);
            let known: CellSet = cells[..=row_man].iter().copied().collect();
            let men = row_man + 2;
            for (push, plane) in self.pushes.iter().zip(&after) {
                let Some(columns) = push.step.columns(space, &cells, known, positions[row] & !*found) else { continue };
                let mut led = columns.0 & push.lookup.row_of_plane(&space.layout, plane, &cells[..men]);
                for answer in &push.answers {
                    if led != 0 {
                        led &= !spoils(&answer.row(&mut cells[..men], row_man + 1, CellSet(led)));
                    }
                }
                *found |= led;
            }
        });
        Ok(found)
    }
}

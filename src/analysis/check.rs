//! The forward check: every outcome recomputed from the outcomes of the successors.
//!
//! Uses the ordinary move generator and asks the oracle only for outcomes. A right to capture en passant is
//! worked out here and not left to the oracle. Must know nothing of how outcomes were found or are stored.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::Progress;
use super::placements::{Fold, Placements, Random};
use crate::geometry::{Cell, Variant};
use crate::index::Material;
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::{Outcome, Value};
use crate::position::{Move, MoveKind, Position};
use crate::statistics::Statistics;

/// How many mismatches a report shows.
pub const SHOWN_MISMATCHES: usize = 10;

/// Positions that a sampled check draws from one seed.
const SAMPLE_BATCH: u64 = 256;

/// A position whose outcome does not follow from its successors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    pub fen: String,
    /// What follows from the successors.
    pub expected: Outcome,
    /// What the oracle says.
    pub found: Outcome,
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckReport {
    pub material: Material,
    /// Whether every position was compared; a sample is not complete.
    pub complete: bool,
    /// Positions compared; a folded walk counts all images of each.
    pub compared: u64,
    /// Positions compared besides, after a double step that can be answered en passant.
    pub en_passant_compared: u64,
    /// The mismatches among both, counted like them.
    pub mismatch_count: u64,
    /// The first [`SHOWN_MISMATCHES`] of them in the order of the walk.
    pub mismatches: Vec<Mismatch>,
    /// The oracle's outcomes of the positions in `compared`, without the longest FENs.
    pub statistics: Statistics,
}

impl CheckReport {
    fn new(material: &Material, complete: bool) -> CheckReport {
        CheckReport {
            material: material.clone(),
            complete,
            compared: 0,
            en_passant_compared: 0,
            mismatch_count: 0,
            mismatches: vec![],
            statistics: Statistics::default(),
        }
    }

    fn merged(mut self, mut later: CheckReport) -> CheckReport {
        self.compared += later.compared;
        self.en_passant_compared += later.en_passant_compared;
        self.mismatch_count += later.mismatch_count;
        self.mismatches.append(&mut later.mismatches);
        self.mismatches.truncate(SHOWN_MISMATCHES);
        self.statistics.merge(&later.statistics);
        self
    }

    fn mismatch(&mut self, fen: impl Fn() -> String, expected: Outcome, found: Outcome, weight: u64) {
        self.mismatch_count += weight;
        if self.mismatches.len() < SHOWN_MISMATCHES {
            self.mismatches.push(Mismatch { fen: fen(), expected, found });
        }
    }
}

/// Compares every position of a material with its successors, on all threads of the current rayon pool.
///
/// [`Fold::Orbits`] looks at one placement of White's king an orbit and counts it for all its images. Progress
/// counts pairs of cells of the kings.
///
/// # Errors
/// When the oracle cannot answer for the material or for one that it turns into.
pub fn check(
    variant: &Variant,
    material: &Material,
    oracle: &dyn Oracle,
    fold: Fold,
    progress: Progress,
) -> Result<CheckReport, ProbeError> {
    let start = || Comparer::new(variant, oracle, CheckReport::new(material, true));
    let merge = |a: Comparer, b: Comparer| Comparer::new(variant, oracle, a.report.merged(b.report));
    let walked = Placements::new(variant, material, fold).walk(progress, start, Comparer::compare, merge)?;
    Ok(walked.report)
}

/// Compares `count` random positions of a material, spread evenly over the placements of its pawns; the same seed
/// draws the same positions.
///
/// Progress counts positions.
///
/// # Errors
/// Like [`check`].
pub fn check_sample(
    variant: &Variant,
    material: &Material,
    oracle: &dyn Oracle,
    count: u64,
    seed: u64,
    progress: Progress,
) -> Result<CheckReport, ProbeError> {
    let placements = Placements::new(variant, material, Fold::None);
    let of_pawns = placements.of_pawns();
    // The positions of each placement of pawns, in batches: placements that come together are looked up together.
    let share = |i: usize| (i as u128 * count as u128 / of_pawns.len() as u128) as u64;
    let batches: Vec<(&[Cell], u64, u64)> = of_pawns
        .iter()
        .enumerate()
        .flat_map(|(i, pawns)| {
            let (first, end) = (share(i), share(i + 1));
            let starts = (first..end).step_by(SAMPLE_BATCH as usize);
            starts.map(move |start| (&pawns[..], start, SAMPLE_BATCH.min(end - start)))
        })
        .collect();
    let done = AtomicU64::new(0);
    let compared = batches.into_par_iter().map(|(pawns, start, size)| {
        let mut random = Random::new(seed ^ Random::new(start).bits());
        let mut comparer = Comparer::new(variant, oracle, CheckReport::new(material, false));
        for _ in 0..size {
            if let Some(position) = placements.random(pawns, &mut random) {
                comparer.compare(&position, 1)?;
            }
        }
        progress(done.fetch_add(size, Ordering::Relaxed) + size, count);
        Ok(comparer.report)
    });
    compared.try_reduce(|| CheckReport::new(material, false), |a, b| Ok(a.merged(b)))
}

/// One thread's share of a check.
struct Comparer<'a> {
    variant: &'a Variant,
    oracle: &'a dyn Oracle,
    report: CheckReport,
    /// Move lists not in use, kept for their memory.
    spare: Vec<Vec<Move>>,
}

impl<'a> Comparer<'a> {
    fn new(variant: &'a Variant, oracle: &'a dyn Oracle, report: CheckReport) -> Comparer<'a> {
        Comparer { variant, oracle, report, spare: vec![] }
    }

    fn compare(&mut self, position: &Position, weight: u64) -> Result<(), ProbeError> {
        let found = self.oracle.outcome(position)?;
        let expected = self.best_reachable(position, weight)?;
        self.report.compared += weight;
        self.report.statistics.side_mut(position.turn()).add(found, weight);
        if expected != found {
            let variant = self.variant;
            self.report.mismatch(|| position.fen(variant), expected, found, weight);
        }
        Ok(())
    }

    /// The best that the side to move can reach. The order of outcomes puts value before distance, so no one
    /// gives up points for speed, and a side that will be stalemated does not step into a mate.
    fn best_reachable(&mut self, position: &Position, weight: u64) -> Result<Outcome, ProbeError> {
        let mut moves = self.spare.pop().unwrap_or_default();
        position.legal_moves_into(self.variant, &mut moves);
        let mut best = None;
        for mv in &moves {
            let after = position.after(self.variant, mv);
            let outcome = if mv.kind == MoveKind::MultiStep {
                self.after_multi_step(after, weight)?
            } else {
                self.oracle.outcome(&after)?
            };
            best = best.max(Some(outcome.one_ply_earlier()));
        }
        self.spare.push(moves);
        Ok(best.unwrap_or_else(|| self.without_moves(position)))
    }

    fn without_moves(&self, position: &Position) -> Outcome {
        if position.in_check(self.variant, position.turn()) {
            Outcome::new(Value::Loss, 0)
        } else if self.variant.stalemate_counts() {
            Outcome::new(Value::StalemateLoss, 0)
        } else {
            Outcome::DRAW
        }
    }

    /// The outcome after a double step. Where it can be answered en passant it is worked out from the moves
    /// there, and the oracle's own answer compared with that.
    fn after_multi_step(&mut self, mut after: Position, weight: u64) -> Result<Outcome, ProbeError> {
        if !has_en_passant_capture(self.variant, &after) {
            after.set_en_passant(None);
            return self.oracle.outcome(&after);
        }
        let expected = self.best_reachable(&after, weight)?;
        let found = self.oracle.outcome(&after)?;
        self.report.en_passant_compared += weight;
        if expected != found {
            let variant = self.variant;
            self.report.mismatch(|| after.fen(variant), expected, found, weight);
        }
        Ok(expected)
    }
}

/// Whether the side to move has a legal capture en passant.
pub fn has_en_passant_capture(variant: &Variant, position: &Position) -> bool {
    let Some(right) = position.en_passant() else { return false };
    let pawns = position.men(position.turn(), variant.pawn());
    let rules = variant.pawn_rules(position.turn());
    // Nearly always no pawn stands right, and then there is no need to list the moves.
    pawns.iter().any(|p| rules.captures[p.index()].intersects(right.skipped))
        && position.legal_moves(variant).iter().any(|mv| mv.kind == MoveKind::EnPassant)
}

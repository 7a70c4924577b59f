//! The classes of a whole material, kept to be asked for single positions.

use super::{DrawClass, Question, SliceClasses, classify};
use crate::analysis::Progress;
use crate::geometry::{Color, Variant};
use crate::index::{Layout, Material, Place};
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::Value;
use crate::position::{MoveKind, Position};
use crate::probe::place_of;
use crate::solve::{Kernel, SolveError, Subtables};
use crate::survey::Scoring;
use std::sync::Arc;

/// The classes of all positions of a material.
pub struct AllClasses {
    layout: Arc<Layout>,
    question: Question,
    slices: Vec<SliceClasses>,
}

impl AllClasses {
    /// Sorts all drawn positions as [`classify`] does, and keeps them: a bit for each index, side to move and class.
    ///
    /// # Errors
    /// Those of [`classify`].
    pub fn new(
        kernel: &Arc<Kernel>,
        layout: &Arc<Layout>,
        tables: &dyn Subtables,
        question: Question,
        progress: Progress,
    ) -> Result<AllClasses, SolveError> {
        let mut slices = vec![];
        classify(kernel, layout, tables, question, progress, |_, classes| {
            slices.push(classes);
            Ok::<(), SolveError>(())
        })?;
        Ok(AllClasses { layout: layout.clone(), question, slices })
    }

    /// The class of a placement; none if it is not drawn.
    pub fn of_place(&self, turn: Color, place: Place) -> Option<DrawClass> {
        let n = self.layout.cell_count();
        let side = &self.slices[place.slice][turn.index()];
        DrawClass::ALL.into_iter().find(|&class| side.row(class, place.index / n) >> (place.index % n) & 1 != 0)
    }

    /// The class of a legal position of the material, the first side being White; none if it is not drawn. The worth of
    /// captures en passant is asked of an oracle.
    ///
    /// # Errors
    /// When the oracle has no answer.
    pub fn of(&self, position: &Position, oracle: &dyn Oracle) -> Result<Option<DrawClass>, ProbeError> {
        let variant = self.layout.variant();
        let Question { scoring, weak } = self.question;
        let moves = if position.en_passant().is_some() { position.legal_moves(variant) } else { vec![] };
        let captures: Vec<_> = moves.iter().filter(|mv| mv.kind == MoveKind::EnPassant).collect();
        let of_placement = self.of_place(position.turn(), place_of(&self.layout, position, false));
        if captures.is_empty() {
            return Ok(of_placement);
        }
        // What a step that can be answered en passant leads to: see `pushes`.
        if scoring.value(oracle.outcome(position)?) != Value::Draw {
            return Ok(None);
        }
        if position.turn() != weak {
            return Ok(Some(of_placement.unwrap_or(DrawClass::Conversion)));
        }
        for mv in captures {
            if scoring.value(oracle.outcome(&position.after(variant, mv))?) <= Value::Draw {
                return Ok(Some(DrawClass::Conversion));
            }
        }
        Ok(of_placement)
    }
}

/// Why a legal position is drawn, for each side that is usually taken as weak; nothing if it is not drawn. Classifies
/// its whole material.
///
/// # Errors
/// When a table cannot be read.
pub fn classes_of(
    variant: &Variant,
    kernel: &Arc<Kernel>,
    tables: &dyn Subtables,
    oracle: &dyn Oracle,
    position: &Position,
    scoring: Scoring,
    progress: Progress,
) -> Result<Vec<(Color, DrawClass)>, SolveError> {
    if scoring.value(oracle.outcome(position)?) != Value::Draw {
        return Ok(vec![]);
    }
    let (material, swapped) = Material::of(variant, position);
    let layout = tables.layout(&material)?;
    let seen = if swapped { position.with_colours_swapped(variant) } else { *position };
    let mut classes = vec![];
    for &weak in Question::usual_weak_sides(&material) {
        let all = AllClasses::new(kernel, &layout, tables, Question { scoring, weak }, progress)?;
        let class = all.of(&seen, oracle)?;
        classes.extend(class.map(|class| (if swapped { weak.other() } else { weak }, class)));
    }
    Ok(classes)
}

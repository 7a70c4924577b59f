//! Why a drawn position is drawn: conversion, perpetual check or fortress, for all positions of a material.
//!
//! One side is called weak and the other strong. Of the drawn positions of a material,
//!
//! 1. *conversion* is the least set C of those where the weak side is to move and has a capture or promotion into
//!    a position that is not lost for it, or a move into C; those where the strong side is to move and every move
//!    is a capture or promotion, goes to C or to a position that the weak side wins; and stalemates;
//! 2. *perpetual check*: outside C the largest set P, its core, where the weak side to move has a check that stays in
//!    P, and every move of the strong side stays in P, goes to C, loses or leaves the material; and besides the
//!    positions outside C from which the weak side can force the game into P, with quiet moves too;
//! 3. *fortress* is the rest.
//!
//! From a drawn position the mover cannot reach a win. So for the strong side all moves are harmless but those to drawn
//! positions of the material that are not in the set at hand; and apart from captures and promotions that hold, only
//! moves to drawn positions of the material are of use to the weak side. Planes of drawn positions and one of captures
//! that hold are therefore all that the fixed points need (`spread`); pawns come in from slices done before
//! (`pushes`), in the order in which the solver comes to them.

mod all;
mod count;
mod memory;
mod pushes;
mod slice;
mod spread;

pub use all::{AllClasses, classes_of};
pub use count::{DrawCounts, SideCounts, count_draws};
pub use memory::MemoryNeeded;
pub use slice::SideClasses;

use super::Scoring;
use crate::analysis::Progress;
use crate::geometry::{Color, Variant};
use crate::index::{Layout, Material};
use crate::solve::{Kernel, SolveError, Space, Subtables};
use pushes::targets;
use serde::{Deserialize, Serialize};
use slice::{Sources, classify_slice};
use std::collections::HashMap;
use std::sync::Arc;

/// The class of a drawn position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawClass {
    /// The weak side can force a capture, promotion or stalemate that saves it.
    Conversion,
    /// The weak side can give check for ever, or get there.
    Perpetual,
    /// Neither of the others.
    Fortress,
}

impl DrawClass {
    pub const ALL: [DrawClass; 3] = [DrawClass::Conversion, DrawClass::Perpetual, DrawClass::Fortress];

    /// The word for it in JSON.
    pub fn word(self) -> &'static str {
        match self {
            DrawClass::Conversion => "conversion",
            DrawClass::Perpetual => "perpetual",
            DrawClass::Fortress => "fortress",
        }
    }
}

/// What classes depend on besides the material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// What counts as a draw.
    pub scoring: Scoring,
    /// The side that saves itself: White has the material's first side.
    pub weak: Color,
}

impl Question {
    /// The sides that are taken as weak if nothing else is said: the second in the name; either in turn where both
    /// sides have the same men.
    pub fn usual_weak_sides(material: &Material) -> &'static [Color] {
        if material.is_symmetric() { &Color::BOTH } else { &[Color::Black] }
    }

    /// Whether stalemated positions are among the drawn ones.
    fn stalemate_is_drawn(self, variant: &Variant) -> bool {
        self.scoring == Scoring::MateOnly || !variant.stalemate_counts()
    }
}

/// The classes of a slice: for White and for Black to move, also where both sides have the same men.
pub type SliceClasses = [SideClasses; 2];

/// Sorts all drawn positions of a layout's material into classes, slice by slice, on all threads of the current rayon
/// pool. The result does not depend on their number.
///
/// `tables` must have the material and all that one capture or promotion leads to; values are enough. Each slice is
/// passed to `take` in the order of their numbers, and forgotten as soon as no later one needs it. Progress counts
/// indices.
///
/// # Errors
/// When a table cannot be read or a plane has no room, and whatever `take` returns.
pub fn classify<E: From<SolveError>>(
    kernel: &Arc<Kernel>,
    layout: &Arc<Layout>,
    tables: &dyn Subtables,
    question: Question,
    progress: Progress,
    mut take: impl FnMut(usize, SliceClasses) -> Result<(), E>,
) -> Result<(), E> {
    let slices = layout.slices().len();
    let spaces: Vec<Space> = (0..slices).map(|slice| Space::new(kernel.clone(), layout.clone(), slice)).collect();
    let targets: Vec<Vec<usize>> = spaces.iter().map(|space| targets(layout, space)).collect();
    // For each slice, how many of those to come need it.
    let mut uses = vec![0u32; slices];
    targets.iter().flatten().for_each(|&to| uses[to] += 1);
    let mut done = HashMap::new();
    let (mut indices, total) = (0, layout.len() as u64);
    for (slice, space) in spaces.iter().enumerate() {
        let sources = Sources::new(space, tables, question.weak).map_err(SolveError::from)?;
        let classified = classify_slice(space, question, &sources, &done, uses[slice] > 0);
        let no_room = |source| SolveError::Planes { bytes: space.row_count() * size_of::<u128>(), source };
        let (classes, exits) = classified.map_err(no_room)?;
        done.extend(exits.map(|exits| (slice, exits)));
        for &to in &targets[slice] {
            uses[to] -= 1;
            if uses[to] == 0 {
                done.remove(&to);
            }
        }
        indices += layout.slice_len(slice) as u64;
        progress(indices, total);
        take(slice, classes)?;
    }
    Ok(())
}

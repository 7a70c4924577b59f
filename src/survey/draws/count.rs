//! Counting draws by class, with an example of each.

use super::slice::SideClasses;
use super::{DrawClass, Question, SliceClasses, classify};
use crate::analysis::Progress;
use crate::geometry::{CellSet, Color};
use crate::index::{First, FirstFen, Layout, Place};
use crate::position::FenOrder;
use crate::solve::{Kernel, SolveError, Subtables};
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;

/// The draws of a material by class. The first-named side is White; `w` and `b` are the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct DrawCounts {
    pub w: SideCounts,
    pub b: SideCounts,
}

/// The draws with one side to move. Each placement on the board counts once, all symmetric images included; like men
/// are interchangeable.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SideCounts {
    pub conversion: ClassCount,
    pub perpetual: ClassCount,
    pub fortress: ClassCount,
}

/// The draws of a class.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ClassCount {
    pub count: u64,
    /// The lexicographically first FEN; none if there is no such position.
    pub example: Option<String>,
}

impl DrawCounts {
    /// The draws with `turn` to move.
    pub fn side(&self, turn: Color) -> &SideCounts {
        match turn {
            Color::White => &self.w,
            Color::Black => &self.b,
        }
    }

    /// The positions of a class with either side to move.
    pub fn of_class(&self, class: DrawClass) -> u64 {
        self.w.class(class).count + self.b.class(class).count
    }
}

impl SideCounts {
    pub fn class(&self, class: DrawClass) -> &ClassCount {
        match class {
            DrawClass::Conversion => &self.conversion,
            DrawClass::Perpetual => &self.perpetual,
            DrawClass::Fortress => &self.fortress,
        }
    }

    fn class_mut(&mut self, class: DrawClass) -> &mut ClassCount {
        match class {
            DrawClass::Conversion => &mut self.conversion,
            DrawClass::Perpetual => &mut self.perpetual,
            DrawClass::Fortress => &mut self.fortress,
        }
    }
}

/// Counts all drawn positions of a layout's material by class; see [`classify`] for what that needs.
///
/// # Errors
/// Those of [`classify`].
pub fn count_draws(
    kernel: &Arc<Kernel>,
    layout: &Arc<Layout>,
    tables: &dyn Subtables,
    question: Question,
    progress: Progress,
) -> Result<DrawCounts, SolveError> {
    let order = FenOrder::new(layout.variant());
    let mut counts = DrawCounts::default();
    classify(kernel, layout, tables, question, progress, |slice, classes: SliceClasses| {
        let finder = FirstFen::new(layout, &order, slice, false);
        for (turn, side) in Color::BOTH.into_iter().zip(&classes) {
            let total = if turn == Color::White { &mut counts.w } else { &mut counts.b };
            for (class, tally) in DrawClass::ALL.into_iter().zip(tally(layout, slice, side, &finder)) {
                let known = total.class_mut(class);
                known.count += tally.count;
                if let Some(first) = tally.first {
                    let fen = finder.write(&first, turn);
                    known.example = Some(known.example.take().map_or(fen.clone(), |other| other.min(fen)));
                }
            }
        }
        Ok::<(), SolveError>(())
    })?;
    Ok(counts)
}

/// What counting finds of the positions of a class.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: u64,
    first: Option<First>,
}

type Tallies = [Tally; DrawClass::ALL.len()];

fn tally(layout: &Layout, slice: usize, side: &SideClasses, finder: &FirstFen) -> Tallies {
    let n = layout.cell_count();
    let of_block = |mut tallies: Tallies, block: usize| {
        let weight = layout.block_weight(slice, block);
        for row in block * n..(block + 1) * n {
            let ascending = layout.ascending_columns(slice, block, row % n).0;
            for (tally, class) in tallies.iter_mut().zip(DrawClass::ALL) {
                let columns = side.row(class, row) & ascending;
                tally.count += u64::from(columns.count_ones()) * weight;
                for column in CellSet(columns) {
                    finder.offer(Place { slice, index: row * n + column.index() }, &mut tally.first);
                }
            }
        }
        tallies
    };
    let merge = |a: Tallies, b: Tallies| {
        std::array::from_fn(|class| Tally {
            count: a[class].count + b[class].count,
            first: First::of(a[class].first, b[class].first),
        })
    };
    let blocks = (0..layout.block_count(slice)).into_par_iter().with_min_len(16);
    blocks.fold(Tallies::default, of_block).reduce(Tallies::default, merge)
}

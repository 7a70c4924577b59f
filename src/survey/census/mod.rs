//! A census of endings: for each material and side to move, what its positions are worth, and why they are drawn.
//!
//! [`take`] looks at one material; [`columns`] says what is known of it, for every form in which it is written:
//! [`markdown`], [`csv`], [`json`] and [`parquet`]. Knows nothing of files and of where tables come from.

pub mod columns;
mod csv;
mod json;
mod markdown;
mod parquet;

pub use csv::csv;
pub use json::json;
pub use markdown::markdown;
pub use parquet::parquet;

use super::Scoring;
use super::draws::{DrawCounts, Question, SideCounts, count_draws};
use crate::analysis::Progress;
use crate::geometry::{Color, Variant};
use crate::index::{Layout, Material};
use crate::outcome::Value;
use crate::solve::{Kernel, SolveError, Subtables};
use crate::statistics::{SideStatistics, Statistics};
use std::sync::Arc;

/// What has been found out about materials of one variant.
pub struct Census {
    pub variant: Arc<Variant>,
    pub entries: Vec<Entry>,
}

/// A material. The first-named side is White.
pub struct Entry {
    pub material: Material,
    pub statistics: Statistics,
    /// Why positions are drawn as the variant scores, the second side being the weak one.
    pub draws: DrawCounts,
    /// The same where stalemate is a draw.
    pub mate_only_draws: DrawCounts,
}

/// A material's positions with one side to move. Counts are of placements on the board, all symmetric images included.
pub struct Row<'a> {
    pub variant: &'a Variant,
    pub material: &'a Material,
    pub turn: Color,
    pub statistics: &'a SideStatistics,
    pub draws: &'a SideCounts,
    pub mate_only_draws: &'a SideCounts,
}

impl Census {
    /// The rows, each material with White to move first.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.entries.iter().flat_map(|entry| {
            Color::BOTH.map(|turn| Row {
                variant: &self.variant,
                material: &entry.material,
                turn,
                statistics: entry.statistics.side(turn),
                draws: entry.draws.side(turn),
                mate_only_draws: entry.mate_only_draws.side(turn),
            })
        })
    }
}

impl Row<'_> {
    /// The positions that are drawn where only mate wins.
    pub fn drawn_by_mate_alone(&self) -> u64 {
        let found = self.statistics;
        found.draw + found.stalemate_win + found.stalemate_loss
    }

    /// Those of them that are no draws as the variant scores.
    pub fn decided_by_stalemate(&self) -> u64 {
        self.statistics.stalemate_win + self.statistics.stalemate_loss
    }

    /// The points that the first side scores on average with best play, from 0 to 1.
    pub fn mean_points(&self) -> f64 {
        let points = |value: Value| value.points(self.variant.stalemate_points());
        let sum: f64 = Value::ALL.iter().map(|&value| points(value) * self.of_first_side(value) as f64).sum();
        sum / self.statistics.legal.max(1) as f64
    }

    /// How many positions have a value for the material's first side.
    fn of_first_side(&self, value: Value) -> u64 {
        self.statistics.count(if self.turn == Color::White { value } else { value.opposite() })
    }

    /// The ending in a word or two, for the material's first side: what all positions are worth, or nine tenths of them
    /// (mostly), or half of them (often).
    pub fn verdict(&self) -> String {
        let legal = u128::from(self.statistics.legal);
        let reaches = |count: u64, percent: u128| 100 * u128::from(count) >= percent * legal;
        let most = Value::ALL.into_iter().max_by_key(|&value| self.of_first_side(value));
        let Some(value) = most.filter(|_| legal > 0) else { return "impossible".into() };
        let word = match value {
            Value::Win => "won",
            Value::StalemateWin => "won by stalemate",
            Value::Draw => "drawn",
            Value::StalemateLoss => "lost by stalemate",
            Value::Loss => "lost",
        };
        let count = self.of_first_side(value);
        let degree =
            [(100, ""), (90, "mostly "), (50, "often ")].into_iter().find(|(percent, _)| reaches(count, *percent));
        degree.map_or("mixed".into(), |(_, degree)| format!("{degree}{word}"))
    }
}

/// Looks at a layout's material, whose statistics are known; `tables` must have it and all that one capture or promotion
/// leads to. Works on all threads of the current rayon pool. Progress counts indices, of all that is looked at.
///
/// # Errors
/// When a table cannot be read or there is no room.
pub fn take(
    kernel: &Arc<Kernel>,
    layout: &Arc<Layout>,
    tables: &dyn Subtables,
    statistics: &Statistics,
    progress: Progress,
) -> Result<Entry, SolveError> {
    let variant = layout.variant();
    // Where stalemate is a draw anyway there is one scoring.
    let scorings = if variant.stalemate_counts() { &Scoring::ALL[..] } else { &[Scoring::Full] };
    let count = |(pass, &scoring): (usize, &Scoring)| -> Result<DrawCounts, SolveError> {
        let question = Question { scoring, weak: Color::Black };
        let watch = |done: u64, total: u64| progress(pass as u64 * total + done, scorings.len() as u64 * total);
        count_draws(kernel, layout, tables, question, &watch)
    };
    let mut counted = scorings.iter().enumerate().map(count).collect::<Result<Vec<_>, _>>()?;
    let draws = counted.pop().expect("there is a scoring");
    let mate_only_draws = counted.pop().unwrap_or_else(|| draws.clone());
    let (material, statistics) = (layout.material().clone(), statistics.clone());
    Ok(Entry { material, statistics, draws, mate_only_draws })
}

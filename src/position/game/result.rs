//! The results that a game may have.

use crate::geometry::{Color, Variant};

/// How a game ended, as it is written: `1-0`, `3/4-1/4`, `1/2-1/2`, `1/4-3/4`, `0-1`, or `*` when it is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// What White scored, in quarters of a point.
    White(u8),
    Unknown,
}

/// Scores as written, by White's quarters.
const SCORES: [&str; 5] = ["0-1", "1/4-3/4", "1/2-1/2", "3/4-1/4", "1-0"];

impl GameResult {
    /// Reads a result.
    pub fn read(text: &str) -> Option<GameResult> {
        let quarters = SCORES.iter().position(|&score| score == text);
        quarters.map(|quarters| GameResult::White(quarters as u8)).or((text == "*").then_some(GameResult::Unknown))
    }

    /// The result when `winner` mates the other side.
    pub fn of_mate(winner: Color) -> GameResult {
        GameResult::White(if winner == Color::White { 4 } else { 0 })
    }

    /// The result when `by` stalemates the other side.
    pub fn of_stalemate(variant: &Variant, by: Color) -> GameResult {
        let quarters = (4.0 * variant.stalemate_points()) as u8;
        GameResult::White(if by == Color::White { quarters } else { 4 - quarters })
    }

    /// Whether only a stalemate pays so, in games in which it is no draw.
    pub(super) fn is_of_stalemate(self) -> bool {
        matches!(self, GameResult::White(1 | 3))
    }
}

impl std::fmt::Display for GameResult {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            GameResult::White(quarters) => SCORES[usize::from(*quarters)],
            GameResult::Unknown => "*",
        })
    }
}

impl serde::Serialize for GameResult {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

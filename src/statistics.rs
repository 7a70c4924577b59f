//! Counts of a material's positions by value, and the longest distances, as they are stored and printed.
//!
//! Plain data; knows nothing of how the counts came about.

use serde::{Deserialize, Serialize};

use crate::geometry::Color;
use crate::outcome::{Outcome, Value};

/// Something for each outcome that has a distance, if there is such an outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerOutcome<T> {
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub win: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub stalemate_win: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub stalemate_loss: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub loss: Option<T>,
}

fn none<T>() -> Option<T> {
    None
}

impl<T> Default for PerOutcome<T> {
    fn default() -> PerOutcome<T> {
        PerOutcome { win: None, stalemate_win: None, stalemate_loss: None, loss: None }
    }
}

impl<T> PerOutcome<T> {
    /// What there is for a value; nothing for a draw.
    pub fn get(&self, value: Value) -> Option<&T> {
        match value {
            Value::Win => self.win.as_ref(),
            Value::StalemateWin => self.stalemate_win.as_ref(),
            Value::Draw => None,
            Value::StalemateLoss => self.stalemate_loss.as_ref(),
            Value::Loss => self.loss.as_ref(),
        }
    }

    /// Puts something in the place of a value; a draw has no place.
    pub fn set(&mut self, value: Value, what: T) {
        match value {
            Value::Win => self.win = Some(what),
            Value::StalemateWin => self.stalemate_win = Some(what),
            Value::Draw => {}
            Value::StalemateLoss => self.stalemate_loss = Some(what),
            Value::Loss => self.loss = Some(what),
        }
    }

    /// Whether there is nothing at all.
    pub fn is_empty(&self) -> bool {
        Value::ALL.iter().all(|&v| self.get(v).is_none())
    }
}

/// The positions with one side to move. Each placement on the board counts once, all symmetric images included.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideStatistics {
    pub legal: u64,
    pub win: u64,
    pub stalemate_win: u64,
    pub draw: u64,
    pub stalemate_loss: u64,
    pub loss: u64,
    /// The longest distance of each outcome that occurs, in plies.
    pub max_plies: PerOutcome<u16>,
    /// The lexicographically first FEN that has the longest distance; empty where it was not looked for.
    #[serde(default, skip_serializing_if = "PerOutcome::is_empty")]
    pub longest: PerOutcome<String>,
}

impl SideStatistics {
    /// The number of positions of a value.
    pub fn count(&self, value: Value) -> u64 {
        match value {
            Value::Win => self.win,
            Value::StalemateWin => self.stalemate_win,
            Value::Draw => self.draw,
            Value::StalemateLoss => self.stalemate_loss,
            Value::Loss => self.loss,
        }
    }

    fn count_mut(&mut self, value: Value) -> &mut u64 {
        match value {
            Value::Win => &mut self.win,
            Value::StalemateWin => &mut self.stalemate_win,
            Value::Draw => &mut self.draw,
            Value::StalemateLoss => &mut self.stalemate_loss,
            Value::Loss => &mut self.loss,
        }
    }

    /// The longest distance of any position, in plies; 0 if all are drawn.
    pub fn longest_plies(&self) -> u16 {
        Value::ALL.iter().filter_map(|&value| self.max_plies.get(value).copied()).max().unwrap_or(0)
    }

    /// Counts `weight` positions of one outcome.
    #[inline]
    pub fn add(&mut self, outcome: Outcome, weight: u64) {
        self.add_many(outcome.value(), outcome.plies().unwrap_or(0), weight);
    }

    /// Counts `weight` positions of one value, the longest distance among which is `plies` (draws have none).
    #[inline]
    pub fn add_many(&mut self, value: Value, plies: u16, weight: u64) {
        self.legal += weight;
        *self.count_mut(value) += weight;
        if value != Value::Draw && self.max_plies.get(value).is_none_or(|&most| plies > most) {
            self.max_plies.set(value, plies);
        }
    }

    /// Adds the counts of other positions; `longest` stays as it is.
    pub fn merge(&mut self, other: &SideStatistics) {
        self.legal += other.legal;
        for value in Value::ALL {
            *self.count_mut(value) += other.count(value);
            if let Some(&plies) = other.max_plies.get(value)
                && self.max_plies.get(value).is_none_or(|&most| plies > most)
            {
                self.max_plies.set(value, plies);
            }
        }
    }
}

/// The positions of a material. The first-named side is White; `w` and `b` are the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statistics {
    pub w: SideStatistics,
    pub b: SideStatistics,
}

impl Statistics {
    /// The positions with `turn` to move.
    pub fn side(&self, turn: Color) -> &SideStatistics {
        match turn {
            Color::White => &self.w,
            Color::Black => &self.b,
        }
    }

    pub fn side_mut(&mut self, turn: Color) -> &mut SideStatistics {
        match turn {
            Color::White => &mut self.w,
            Color::Black => &mut self.b,
        }
    }

    /// The longest distance of any position, in plies; 0 if all are drawn.
    pub fn longest_plies(&self) -> u16 {
        self.w.longest_plies().max(self.b.longest_plies())
    }

    /// Adds the counts of other positions.
    pub fn merge(&mut self, other: &Statistics) {
        self.w.merge(&other.w);
        self.b.merge(&other.b);
    }

    /// Where two statistics differ in a count or a longest distance; the FENs are not compared.
    pub fn differences(&self, expected: &Statistics) -> Vec<Difference> {
        let mut found = vec![];
        for turn in Color::BOTH {
            let (have, want) = (self.side(turn), expected.side(turn));
            let mut compare = |what: String, expected: Option<u64>, found_here: Option<u64>| {
                if expected != found_here {
                    found.push(Difference { turn, what, expected, found: found_here });
                }
            };
            compare("legal positions".to_string(), Some(want.legal), Some(have.legal));
            for value in Value::ALL.into_iter().rev() {
                compare(value.word().to_string(), Some(want.count(value)), Some(have.count(value)));
                let plies = |s: &SideStatistics| s.max_plies.get(value).map(|&p| u64::from(p));
                compare(format!("most plies to {}", value.word()), plies(want), plies(have));
            }
        }
        found
    }
}

/// One number that differs between two statistics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The side to move.
    pub turn: Color,
    /// What was counted, in words.
    pub what: String,
    /// None: no such outcome.
    pub expected: Option<u64>,
    pub found: Option<u64>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let shown = |n: Option<u64>| n.map_or("none".to_string(), |n| n.to_string());
        let (expected, found) = (shown(self.expected), shown(self.found));
        write!(f, "{} with {} to move: expected {expected}, found {found}", self.what, self.turn.letter())
    }
}

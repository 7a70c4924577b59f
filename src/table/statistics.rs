//! The statistics of a table, as its header and `hextb stats --json` give them.

use crate::geometry::{Color, Variant};
use crate::index::{DenseTable, Layout, Place, Tally, position_at};
use crate::outcome::{Outcome, Value};
use crate::position::Position;
use serde::{Deserialize, Serialize};

/// Statistics of a material for either side to move; its first side is White.
///
/// Each placement on the board counts once, all symmetric images included.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Statistics {
    pub w: SideStatistics,
    pub b: SideStatistics,
}

/// Statistics of the positions with one side to move.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SideStatistics {
    /// Legal positions.
    pub legal: u64,
    pub win: u64,
    pub stalemate_win: u64,
    pub draw: u64,
    pub stalemate_loss: u64,
    pub loss: u64,
    pub max_plies: MaxPlies,
    pub longest: Longest,
}

/// The longest distance of each decisive outcome that occurs, in plies.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MaxPlies {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stalemate_win: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stalemate_loss: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<u16>,
}

/// The lexicographically first FEN at the longest distance of each decisive outcome that occurs.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Longest {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stalemate_win: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stalemate_loss: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<String>,
}

impl Statistics {
    pub fn side(&self, turn: Color) -> &SideStatistics {
        if turn == Color::White { &self.w } else { &self.b }
    }

    /// Counts a table.
    pub fn of(table: &DenseTable) -> Statistics {
        let side = |turn| SideStatistics::of(&table.tally(turn), |outcome| longest_fen(table, turn, outcome));
        Statistics { w: side(Color::White), b: side(Color::Black) }
    }
}

impl SideStatistics {
    /// Statistics from counts; `fen` gives the first position of an outcome.
    pub fn of(tally: &Tally, fen: impl Fn(Outcome) -> String) -> SideStatistics {
        let plies = |value: Value| tally.longest[value as usize];
        let longest = |value: Value| plies(value).map(|plies| fen(Outcome::new(value, plies)));
        SideStatistics {
            legal: tally.legal(),
            win: tally.count(Value::Win),
            stalemate_win: tally.count(Value::StalemateWin),
            draw: tally.count(Value::Draw),
            stalemate_loss: tally.count(Value::StalemateLoss),
            loss: tally.count(Value::Loss),
            max_plies: MaxPlies {
                win: plies(Value::Win),
                stalemate_win: plies(Value::StalemateWin),
                stalemate_loss: plies(Value::StalemateLoss),
                loss: plies(Value::Loss),
            },
            longest: Longest {
                win: longest(Value::Win),
                stalemate_win: longest(Value::StalemateWin),
                stalemate_loss: longest(Value::StalemateLoss),
                loss: longest(Value::Loss),
            },
        }
    }

    pub fn count(&self, value: Value) -> u64 {
        match value {
            Value::Win => self.win,
            Value::StalemateWin => self.stalemate_win,
            Value::Draw => self.draw,
            Value::StalemateLoss => self.stalemate_loss,
            Value::Loss => self.loss,
        }
    }

    pub fn max_plies(&self, value: Value) -> Option<u16> {
        match value {
            Value::Win => self.max_plies.win,
            Value::StalemateWin => self.max_plies.stalemate_win,
            Value::Draw => None,
            Value::StalemateLoss => self.max_plies.stalemate_loss,
            Value::Loss => self.max_plies.loss,
        }
    }

    pub fn longest(&self, value: Value) -> Option<&str> {
        match value {
            Value::Win => self.longest.win.as_deref(),
            Value::StalemateWin => self.longest.stalemate_win.as_deref(),
            Value::Draw => None,
            Value::StalemateLoss => self.longest.stalemate_loss.as_deref(),
            Value::Loss => self.longest.loss.as_deref(),
        }
    }
}

/// The lexicographically first FEN with this outcome and side to move, over all symmetric images.
fn longest_fen(table: &DenseTable, turn: Color, outcome: Outcome) -> String {
    let layout = table.layout();
    let first = |a: Option<String>, b: Option<String>| match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let found = table.fold_places(
        turn,
        outcome,
        |place, least: &mut Option<String>| {
            let fen = first_image(layout, place, turn);
            *least = first(least.take(), Some(fen));
        },
        first,
    );
    found.expect("an outcome that was counted has a position")
}

/// The least FEN of all symmetric images of a stored position.
fn first_image(layout: &Layout, place: Place, turn: Color) -> String {
    let variant: &Variant = layout.variant();
    let mut position = position_at(layout, place, turn);
    if layout.material().is_symmetric() && turn == Color::Black {
        position = position_at(layout, place, Color::White).with_colours_swapped(variant);
    }
    let images: Box<dyn Iterator<Item = Position>> = match layout.material().has_pawns(variant) {
        true => Box::new(variant.pawn_symmetries().iter().map(|&g| position.mapped(&variant.symmetries()[g]))),
        false => Box::new(variant.symmetries().iter().map(|s| position.mapped(s))),
    };
    images.map(|image| image.fen(variant)).min().expect("the identity is a symmetry")
}

//! What there is to say about a position, as plain data that serialises to the public JSON.
//!
//! [`probe`](probe()) reports on a position and all its moves, [`line`](line()) plays best moves to the end of the
//! game. Both are pure functions of an [`Oracle`](crate::oracle::Oracle) and a position, for every front end alike.
//! Nothing here knows where outcomes come from, nor prints anything.
//!
//! The keys of the JSON, their order and the order of moves are promises to users: further keys may be added.

mod line;
mod probe;

pub use line::{Line, LineEnd, LineMove, Reason, Score, line};
pub use probe::{MoveReport, Probe, probe, probe_values};

use crate::outcome::Value;
use serde::{Serialize, Serializer};

/// Points for the outcome of a game: 1, 0.75, 0.5, 0.25 or 0.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Points(pub f64);

impl Points {
    /// What is left of the one point for the other side.
    pub fn of_opponent(self) -> Points {
        Points(1.0 - self.0)
    }
}

/// Whole points are written without a decimal point, as `1` and `0`.
impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 { serializer.serialize_u64(self.0 as u64) } else { serializer.serialize_f64(self.0) }
    }
}

/// As people write points: 1, 3/4, 1/2, 1/4, 0.
impl std::fmt::Display for Points {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let quarters = self.0 * 4.0;
        match [0.0, 1.0, 2.0, 3.0, 4.0].iter().position(|&q| q == quarters) {
            Some(quarters) => f.write_str(["0", "1/4", "1/2", "3/4", "1"][quarters]),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Writes a value as its word.
fn as_word<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.word())
}

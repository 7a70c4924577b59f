//! What there is to say about a position, as plain data that serialises to the public JSON.
//!
//! [`probe`](probe()) reports on a position and all its moves, [`line`](line()) plays best moves to the end of the
//! game, [`annotate`](annotate()) tells what each move of a game costs. All are pure functions of an
//! [`Oracle`](crate::oracle::Oracle) and a position or game, for every front end alike.
//! Nothing here knows where outcomes come from, nor prints anything.
//!
//! The keys of the JSON, their order and the order of moves are promises to users: further keys may be added.

mod annotate;
mod line;
mod probe;

pub use annotate::{Annotation, Judgement, Mark, MissingTable, MoveAnnotation, SideSummary, Summary, annotate};
pub use line::{Line, LineEnd, LineMove, Reason, Score, line};
pub use probe::{MoveReport, Probe, probe, probe_values};

use crate::outcome::Value;
use serde::{Serialize, Serializer};

/// Points for the outcome of a game: 1, 0.75, 0.5, 0.25 or 0; or a sum of such.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd, Debug)]
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

/// As people write points: 1, 3/4, 1/2, 1/4, 0, and of sums 2 1/4.
impl std::fmt::Display for Points {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (whole, part) = (self.0.trunc(), self.0.fract());
        match [0.25, 0.5, 0.75].iter().position(|&quarters| quarters == part) {
            Some(at) if whole == 0.0 => f.write_str(["1/4", "1/2", "3/4"][at]),
            Some(at) => write!(f, "{whole} {}", ["1/4", "1/2", "3/4"][at]),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Writes a value as its word.
fn as_word<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.word())
}

//! What there is to say about a position, as plain data that serialises to the public JSON.
//!
//! [`probe`](probe()) reports on a position and all its moves, [`line`](line()) plays best moves to the end of the
//! game, [`study`](study()) writes that down as other programs read it. They are pure functions of an [`Oracle`](crate::oracle::Oracle) and a position, for every front end alike.
//! Nothing here knows where outcomes come from, nor prints anything.
//!
//! The keys of the JSON, their order and the order of moves are promises to users: further keys may be added.

mod line;
mod probe;
mod study;

pub use line::{Line, LineEnd, LineMove, Reason, Score, line};
pub use probe::{MoveReport, Probe, probe};
pub use study::study;

pub use crate::outcome::Points;

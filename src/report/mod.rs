//! What there is to say about a position, as plain data that serialises to the public JSON.
//!
//! [`probe`](probe()) reports on a position and all its moves, [`line`](line()) plays best moves to the end of the
//! game, [`study`](study()) writes that down as other programs read it, and [`annotate`](annotate()) tells what each move
//! of a game costs. All are pure functions of an [`Oracle`](crate::oracle::Oracle) and a position or game, for every
//! front end alike.
//! Nothing here knows where outcomes come from, nor prints anything.
//!
//! The keys of the JSON, their order and the order of moves are promises to users: further keys may be added.

mod annotate;
mod line;
mod probe;
mod study;

pub use annotate::{Annotation, Judgement, Mark, MissingTable, MoveAnnotation, SideSummary, Summary, annotate};
pub use line::{Line, LineEnd, LineMove, Reason, Score, line};
pub use probe::{MoveReport, Probe, probe, probe_values};
pub use study::study;

pub use crate::outcome::Points;

//! What can be found out about a material from outcomes alone: checks, counts, classes of draws, claims.
//!
//! Everything here works on the [`Oracle`](crate::oracle::Oracle) trait and the ordinary move generator, and
//! walks the board from its geometry. It must know nothing of the solver, of table files and of their index,
//! because its purpose is to disagree with them when they are wrong. Nothing here prints.
//!
//! Start at [`check::check`] (every position against its successors), [`classes::classify`] (why a position is
//! drawn) or [`measure::measure_all`] (published claims).

pub mod check;
pub mod claims;
pub mod classes;
pub mod graph;
pub mod measure;
pub mod natural;
pub mod orbits;
pub mod percentage;
pub mod placements;

/// Called now and then, from any thread, with the units of work done and their total.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// A [`Progress`] that nobody watches.
pub fn unwatched(_done: u64, _total: u64) {}

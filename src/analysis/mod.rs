//! What can be found out about a material from outcomes alone: checks and counts.
//!
//! Everything here works on the [`Oracle`](crate::oracle::Oracle) trait and the ordinary move generator, and
//! walks the board from its geometry. It must know nothing of the solver, of table files and of their index,
//! because its purpose is to disagree with them when they are wrong. Nothing here prints.
//!
//! Start at [`check::check`]: every position against its successors.

pub mod check;
pub mod natural;
pub mod orbits;
pub mod placements;

/// Called now and then, from any thread, with the units of work done and their total.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// A [`Progress`] that nobody watches.
pub fn unwatched(_done: u64, _total: u64) {}

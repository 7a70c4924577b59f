//! Endgame tablebases for hexagonal chess: every ending of a few men solved completely, in Gliński's scoring
//! (stalemate pays 3/4 to 1/4) with distances in plies, and the means to ask, check and study them.
//!
//! Reading order, each module using only those before it:
//!
//! 1. [`geometry`]: a variant's description made into cells, directions, pawn rules and symmetries.
//! 2. [`position`]: positions, legal moves, FEN and the notation of moves.
//! 3. [`outcome`], [`oracle`], [`statistics`]: what a position is worth, who can say so, and counts of that.
//! 4. [`index`]: materials, and the numbering of their positions.
//! 5. [`probe`]: from a position to its number; rights to capture en passant.
//! 6. [`solve`]: the retrograde solver.
//! 7. [`coding`]: the values and distances of rows in few bits.
//! 8. [`table`]: files, a folder of them as one tablebase, and filling it.
//! 9. [`analysis`]: checks, draw classes and claims, from outcomes alone.
//! 10. [`survey`]: what is remarkable in tables: positions worth to be looked at.
//! 11. [`report`]: a position with its moves, and best play, as data for every front end.
//! 12. [`picture`]: drawings of the board.
//!
//! ```no_run
//! use hextb::{geometry::Variant, oracle::Oracle, position::Fen, table::Tablebase};
//! use std::{path::Path, sync::Arc};
//!
//! let variant = Arc::new(Variant::glinski());
//! let tablebase = Tablebase::new(variant.clone(), Path::new("tables"));
//! let fen = Fen::parse(&variant, "1/3/5/2r4/5K3/11/11/k10/10Q/11/11 b - 0 1")?;
//! let outcome = tablebase.outcome(&fen.position)?;
//! println!("{} in {:?} plies", outcome.value().word(), outcome.plies());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analysis;
pub mod coding;
pub mod geometry;
pub mod index;
pub mod oracle;
pub mod outcome;
pub mod picture;
pub mod position;
pub mod probe;
pub mod report;
pub mod solve;
pub mod statistics;
pub mod survey;
pub mod table;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

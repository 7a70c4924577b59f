//! Positions, legal moves and their notation.
//!
//! A [`Position`] is plain data; the rules come from the [`Variant`](crate::geometry::Variant) that every call
//! is given. Text becomes a [`Fen`], and [`Fen::parse`] only returns positions that are legal in the sense of
//! [`legality`]. [`game`] reads and writes whole games. Start at [`Position::legal_moves`].

mod fen;
mod fen_order;
pub mod game;
mod generate;
pub mod legality;
mod moves;
mod notation;
mod reading;
mod state;

pub use fen::{Fen, FenError};
pub use fen_order::FenOrder;
pub use legality::IllegalPosition;
pub use moves::{Move, MoveKind};
pub use reading::{NotationError, Refusal, split_marks};
pub use state::{EnPassant, Position};

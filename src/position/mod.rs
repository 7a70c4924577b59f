//! Positions, legal moves and their notation.
//!
//! A [`Position`] is plain data; the rules come from the [`Variant`](crate::geometry::Variant) that every call
//! is given. Text becomes a [`Fen`], and [`Fen::parse`] only returns positions that are legal in the sense of
//! [`legality`]. Start at [`Position::legal_moves`].

mod fen;
mod fen_order;
mod generate;
pub mod legality;
mod moves;
mod notation;
mod state;

pub use fen::{Fen, FenError};
pub use fen_order::FenOrder;
pub use legality::IllegalPosition;
pub use moves::{Move, MoveKind};
pub use notation::NotationError;
pub use state::{EnPassant, Position};

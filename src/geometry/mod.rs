//! Boards, directions and symmetries, derived from the description of a variant.
//!
//! Start at [`Variant`]; its parts are the [`Board`] (cells, names), the [`Movement`] of each role, the
//! [`PawnRules`] of each side and the [`Symmetry`] group. Nothing here knows of positions.

mod board;
mod cell;
mod description;
mod error;
mod men;
mod permutation;
mod symmetry;
mod variant;

pub use board::Board;
pub use cell::{Cell, CellSet, Cells, MAX_CELLS};
pub use description::{Description, Shape, Vector};
pub use error::VariantError;
pub use men::{Color, MAX_ROLES, Man, Role};
pub use permutation::BitPermutation;
pub use symmetry::Symmetry;
pub use variant::{Direction, Movement, PawnRules, Variant};

//! Materials and the numbering of their positions.
pub mod material;
pub use material::{Material, MaterialError};

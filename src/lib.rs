pub mod geometry;
pub mod index;
pub mod outcome;
pub mod position;

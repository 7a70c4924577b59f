pub mod analysis;
pub mod geometry;
pub mod index;
pub mod oracle;
pub mod outcome;
pub mod position;

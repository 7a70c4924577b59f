pub mod geometry;
pub mod index;
pub mod oracle;
pub mod outcome;
pub mod picture;
pub mod position;

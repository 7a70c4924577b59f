pub mod geometry;
pub mod index;
pub mod oracle;
pub mod outcome;
pub mod position;
pub mod probe;
pub mod solve;
pub mod table;

//! What can be found out about whole materials with the machinery of the solver: why positions are drawn, and what
//! published claims come to.
//!
//! [`draws`] sorts the drawn positions of a material into classes, a row of positions at a time. [`claims`] reads
//! claims, [`measure`] counts for them. Asks tables through [`Subtables`](crate::solve::Subtables) and knows nothing of
//! files; prints nothing.

pub mod census;
pub mod claims;
pub mod draws;
pub mod measure;
pub mod percentage;
mod rows;
mod scoring;

pub use scoring::Scoring;

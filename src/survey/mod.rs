//! What whole tables say: why positions are drawn, how far they are from the end, what published claims come to.
//!
//! [`draws`] sorts the drawn positions of a material into classes, a row of positions at a time, with the machinery of
//! the solver. [`census`] counts many materials; [`distances`] and [`kings`] are data to draw, or for other programs to
//! draw. [`mine`] finds remarkable positions. [`claims`] reads claims, [`measure`] counts for them. Every position
//! counts as often as it has distinct images on the board, as in [`Statistics`](crate::statistics::Statistics), so that
//! sums agree with those. Must know nothing of pictures and of printing.

pub mod census;
pub mod claims;
pub mod distances;
pub mod draws;
pub mod kings;
pub mod measure;
pub mod mine;
pub mod percentage;
mod rows;
mod scoring;
mod walk;

pub use scoring::Scoring;

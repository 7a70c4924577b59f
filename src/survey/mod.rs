//! What whole tables say, counted over all their positions: data to draw, or for other programs to draw.
//!
//! Every position counts as often as it has distinct images on the board, as in
//! [`Statistics`](crate::statistics::Statistics), so that sums agree with those. Knows tables and their numbering;
//! must know nothing of pictures and of printing.

pub mod distances;
pub mod kings;
mod walk;

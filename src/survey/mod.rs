//! What is remarkable in tables: surveys of all positions of a material, from outcomes and the rules alone.
//!
//! Knows tables as numbered slices of outcomes, whichever way they are kept, and prints nothing.

pub mod mine;

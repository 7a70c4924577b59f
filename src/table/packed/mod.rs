//! Packed tables: a file of values and one of distances, small and quick to ask.

mod about;
mod arranged;
mod chapters;
mod conversions;
mod distances;
mod frame;
mod kept;
mod models;
mod pack;
mod rows;
mod source;
mod table;
mod trial;
mod unpack;
mod values;

pub use about::About;
pub use distances::DistanceFile;
pub use frame::{Frame, PACKED_VERSION};
pub use pack::Packer;
pub use table::{DISTANCES_EXTENSION, PackedTable, VALUES_EXTENSION};
pub use trial::Choice;
pub use values::ValueFile;

/// How much time packing may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    Usual,
    /// Several times as long, for the last per cent.
    Best,
}

impl Level {
    /// How many of so many rows models are found from, and the most kinds they tell apart: large tables afford more.
    fn sample(self, rows: usize) -> (usize, usize) {
        let usual = ((rows / 32).clamp(5000, 16_000), (rows / 800).clamp(256, 512));
        match self {
            Level::Usual => usual,
            Level::Best => (2 * usual.0, 2 * usual.1),
        }
    }
}

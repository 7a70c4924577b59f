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
pub use frame::{Frame, Kind as FileKind, PACKED_VERSION};
pub use pack::Packer;
pub use table::{DISTANCES_EXTENSION, PackedTable, VALUES_EXTENSION};
pub use trial::Choice;
pub use unpack::Part;
pub use values::ValueFile;

/// How much time packing may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    Usual,
    /// Several times as long, for the last per cent.
    Best,
}

/// What trees are grown from and to.
#[derive(Clone, Copy)]
struct Growth {
    /// How many of the rows are looked at.
    rows: usize,
    /// The most leaves.
    leaves: usize,
}

impl Level {
    /// How trees of values grow for so many rows: large tables afford more.
    fn of_values(self, rows: usize) -> Growth {
        let usual = Growth { rows: (rows / 16).clamp(5000, 16_000), leaves: (rows / 200).clamp(256, 2048) };
        self.scaled(usual)
    }

    /// The same of distances, which are grown from every second of these rows: they have more symbols, and there are
    /// more of them to take to their leaves.
    fn of_distances(self, rows: usize) -> Growth {
        let usual = Growth { rows: (rows / 16).clamp(5000, 16_000) / 2, leaves: (rows / 2400).clamp(85, 170) };
        self.scaled(usual)
    }

    fn scaled(self, usual: Growth) -> Growth {
        match self {
            Level::Usual => usual,
            Level::Best => Growth { rows: 2 * usual.rows, leaves: 2 * usual.leaves },
        }
    }
}

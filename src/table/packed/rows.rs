//! Rows of an arrangement as units in packed files, and as samples.

use crate::geometry::Color;
use crate::index::Arrangement;
use std::ops::Range;

/// The most rows of a unit: all that come before the one asked for have to be read.
pub const MOST_UNIT_ROWS: usize = 8;

/// The sides to move that are stored, in the order in which a row has them: the one that owns the column man comes
/// second, as his moves lead to what is known of the other.
pub fn turns(arrangement: &Arrangement) -> Vec<Color> {
    match (arrangement.sides(), arrangement.column_man().color) {
        (1, _) => vec![Color::White],
        (_, Color::White) => vec![Color::Black, Color::White],
        (_, Color::Black) => Color::BOTH.to_vec(),
    }
}

/// The units of an arrangement's rows: some that follow each other make up one, each with all sides to move.
pub struct Units {
    /// Rows of a unit.
    rows: usize,
    all: usize,
}

impl Units {
    pub fn new(arrangement: &Arrangement, rows: usize) -> Units {
        Units { rows, all: arrangement.rows() }
    }

    pub fn count(&self) -> usize {
        self.all.div_ceil(self.rows)
    }

    /// The unit that holds a row.
    #[inline]
    pub fn of(&self, row: usize) -> usize {
        row / self.rows
    }

    /// The rows of a unit.
    #[inline]
    pub fn rows(&self, unit: usize) -> Range<usize> {
        unit * self.rows..((unit + 1) * self.rows).min(self.all)
    }
}

/// Whether a row belongs to a sample of about `wanted` of an arrangement's rows: drawn from all over, and always the
/// same ones.
pub fn is_sampled(row: usize, of: usize, wanted: usize) -> bool {
    // The golden ratio's digits spread numbers evenly.
    let drawn = (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    (u128::from(drawn) * of as u128) >> 32 < wanted as u128
}

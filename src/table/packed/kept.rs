//! The rows of a table in the order of an arrangement, kept in memory: found once, then read again and again.

use crate::index::OutcomeRow;
use crate::outcome::Value;
use rayon::prelude::*;

/// Rows that are kept together.
const CHUNK_ROWS: usize = 1024;
/// The place of a row that has nothing.
const NOWHERE: u16 = u16::MAX;
const VALUES: usize = Value::ALL.len();

/// All rows of an arrangement with one side to move.
pub struct KeptRows {
    chunks: Vec<Chunk>,
}

/// Some rows that follow each other.
struct Chunk {
    /// For each its place among those that have something.
    places: Vec<u16>,
    digits: usize,
    /// For each of these the columns of each value, then those of each binary digit of the distances.
    bits: Vec<u128>,
}

impl KeptRows {
    /// Keeps so many rows; `row` gives each, none where nothing is stored.
    pub fn new(rows: usize, row: impl Fn(usize) -> Option<OutcomeRow> + Sync) -> KeptRows {
        let chunk = |first: usize| {
            let mut chunk = Chunk { places: vec![], digits: 0, bits: vec![] };
            for at in first..rows.min(first + CHUNK_ROWS) {
                match row(at) {
                    Some(row) => chunk.push(&row),
                    None => chunk.places.push(NOWHERE),
                }
            }
            chunk.bits.shrink_to_fit();
            chunk
        };
        let firsts: Vec<usize> = (0..rows).step_by(CHUNK_ROWS).collect();
        KeptRows { chunks: firsts.into_par_iter().map(chunk).collect() }
    }

    /// Puts in a row; nothing if nothing is stored of it.
    #[inline]
    pub fn read(&self, at: usize, row: &mut OutcomeRow) {
        let chunk = &self.chunks[at / CHUNK_ROWS];
        let place = chunk.places[at % CHUNK_ROWS];
        if place == NOWHERE {
            return row.set(&[0; VALUES], &[]);
        }
        let stride = VALUES + chunk.digits;
        let (values, digits) = chunk.bits[place as usize * stride..][..stride].split_at(VALUES);
        row.set(values, digits);
    }
}

impl Chunk {
    /// Adds a row that has something.
    fn push(&mut self, row: &OutcomeRow) {
        let digits = row.digits[..row.digit_count].iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1);
        let stride = VALUES + self.digits;
        let count = self.bits.len() / stride;
        if digits > self.digits {
            // Rare: the longest distances of rows that follow each other are much alike.
            let rows = std::mem::take(&mut self.bits);
            for row in rows.chunks(stride) {
                self.bits.extend_from_slice(row);
                self.bits.resize(self.bits.len() + digits - self.digits, 0);
            }
            self.digits = digits;
        }
        self.places.push(count as u16);
        self.bits.extend_from_slice(&row.of_value);
        self.bits.extend_from_slice(&row.digits[..self.digits]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::EMPTY_ROW;
    use crate::outcome::Outcome;

    #[test]
    fn rows_come_back_as_they_were_kept() {
        let row = |at: usize| {
            let mut row = EMPTY_ROW;
            row.add(Outcome::new(Value::Win, 2 * (at % 700) as u16 + 1), 1 << (at % 128));
            row.add(Outcome::DRAW, 2u128.rotate_left(at as u32));
            (!at.is_multiple_of(3)).then_some(row)
        };
        let kept = KeptRows::new(3000, row);
        let mut found = EMPTY_ROW;
        for at in 0..3000 {
            kept.read(at, &mut found);
            let row = row(at).unwrap_or(EMPTY_ROW);
            assert_eq!((found.of_value, found.digits), (row.of_value, row.digits), "row {at}");
        }
    }
}

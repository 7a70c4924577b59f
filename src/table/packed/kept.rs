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
            let found = (first..rows.min(first + CHUNK_ROWS)).map(&row);
            Chunk::new(&found.collect::<Vec<Option<OutcomeRow>>>())
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
    fn new(rows: &[Option<OutcomeRow>]) -> Chunk {
        let longest = |row: &OutcomeRow| row.digits.iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1);
        let digits = rows.iter().flatten().map(longest).max().unwrap_or(0);
        let count = rows.iter().flatten().count();
        let mut chunk = Chunk {
            places: Vec::with_capacity(rows.len()),
            digits,
            bits: Vec::with_capacity(count * (VALUES + digits)),
        };
        let mut places = 0..;
        for row in rows {
            chunk.places.push(row.as_ref().and_then(|_| places.next()).unwrap_or(NOWHERE));
            if let Some(row) = row {
                chunk.bits.extend_from_slice(&row.of_value);
                chunk.bits.extend_from_slice(&row.digits[..digits]);
            }
        }
        chunk
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
            (at % 3 > 0).then_some(row)
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

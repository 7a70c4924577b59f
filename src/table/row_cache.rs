//! A bounded cache of unpacked rows that any number of threads read and write without waiting for each other.
//!
//! A slot is a few words: the first is the row's key and all other words together, so that a slot of which two threads
//! have each written a part is seen to hold nothing. Memory is taken piece by piece when it is first written to. Knows
//! nothing of what rows are.

use crate::coding::distances::DistanceRow;
use crate::coding::values::ValueRow;
use crate::geometry::{Cell, MAX_CELLS};
use crate::outcome::Value;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a slot for values: three binary digits of each column's value, 7 for none.
const VALUE_WORDS: usize = 8;
/// Words of a slot for distances: a byte for each column, in moves.
const DISTANCE_WORDS: usize = 1 + MAX_CELLS / 8;
/// Words of memory that are taken at once.
const SEGMENT_WORDS: usize = 1 << 13;

/// Rows of values and of distances, each with its key. A key is any number but 0.
pub struct RowCache {
    values: Slots<VALUE_WORDS>,
    distances: Slots<DISTANCE_WORDS>,
}

impl RowCache {
    /// A cache that takes up to so many bytes; with next to none it keeps nothing.
    pub fn new(bytes: u64) -> RowCache {
        // A third for values, as a row of distances takes about twice as much.
        RowCache { values: Slots::new(bytes / 3), distances: Slots::new(bytes - bytes / 3) }
    }

    /// Whether it keeps anything.
    pub fn keeps(&self) -> bool {
        !self.values.segments.is_empty() && !self.distances.segments.is_empty()
    }

    /// The value in a column of a row, if the row is there and has one.
    #[inline]
    pub fn value(&self, key: u64, column: Cell) -> Option<Value> {
        let words = self.values.get(key)?;
        let digit = |digit: usize| {
            let word = words[1 + 2 * digit + column.index() / 64];
            (word >> (column.index() % 64) & 1) as usize
        };
        Value::ALL.get(digit(0) | digit(1) << 1 | digit(2) << 2).copied()
    }

    /// The distance in a column of a row, in moves, if the row is there.
    #[inline]
    pub fn distance(&self, key: u64, column: Cell) -> Option<u16> {
        let words = self.distances.get(key)?;
        Some(u16::from((words[1 + column.index() / 8] >> (8 * (column.index() % 8))) as u8))
    }

    pub fn keep_values(&self, key: u64, values: &ValueRow) {
        let mut words = [0; VALUE_WORDS];
        let mut digits = [u128::MAX; 3];
        for (value, columns) in values.iter().enumerate() {
            let zeros = digits.iter_mut().enumerate().filter(|(digit, _)| value >> digit & 1 == 0);
            zeros.for_each(|(_, plane)| *plane &= !columns.0);
        }
        for (words, plane) in words[1..].chunks_mut(2).zip(digits) {
            (words[0], words[1]) = (plane as u64, (plane >> 64) as u64);
        }
        self.values.put(key, words);
    }

    /// Keeps a row of distances if they are short, as nearly all are.
    pub fn keep_distances(&self, key: u64, distances: &DistanceRow) {
        if distances.iter().any(|&moves| moves > u16::from(u8::MAX)) {
            return;
        }
        let mut words = [0; DISTANCE_WORDS];
        for (word, eight) in words[1..].iter_mut().zip(distances.chunks(8)) {
            *word = eight.iter().rev().fold(0, |word, &moves| word << 8 | u64::from(moves));
        }
        self.distances.put(key, words);
    }
}

/// Slots of so many words.
struct Slots<const WORDS: usize> {
    segments: Vec<OnceLock<Box<[AtomicU64]>>>,
}

impl<const WORDS: usize> Slots<WORDS> {
    const OF_SEGMENT: usize = SEGMENT_WORDS / WORDS;

    fn new(bytes: u64) -> Slots<WORDS> {
        let segments = bytes as usize / (8 * SEGMENT_WORDS);
        Slots { segments: (0..segments).map(|_| OnceLock::new()).collect() }
    }

    /// The segment and the first word of a key's slot.
    #[inline]
    fn find(&self, key: u64) -> (usize, usize) {
        // The golden ratio's digits spread keys evenly.
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slots = (self.segments.len() * Self::OF_SEGMENT) as u128;
        let slot = ((u128::from(spread) * slots) >> 64) as usize;
        (slot / Self::OF_SEGMENT, slot % Self::OF_SEGMENT * WORDS)
    }

    /// A key and the words after the first as one number.
    #[inline]
    fn seal(key: u64, words: &[u64; WORDS]) -> u64 {
        words[1..].iter().fold(key, |seal, &word| seal.rotate_left(7) ^ word)
    }

    #[inline]
    fn get(&self, key: u64) -> Option<[u64; WORDS]> {
        if self.segments.is_empty() {
            return None;
        }
        let (segment, first) = self.find(key);
        let slot = &self.segments[segment].get()?[first..first + WORDS];
        let words: [u64; WORDS] = std::array::from_fn(|at| slot[at].load(Ordering::Relaxed));
        (words[0] == Self::seal(key, &words) && words[0] != 0).then_some(words)
    }

    fn put(&self, key: u64, words: [u64; WORDS]) {
        if self.segments.is_empty() {
            return;
        }
        let (segment, first) = self.find(key);
        let none = || (0..SEGMENT_WORDS).map(|_| AtomicU64::new(0)).collect();
        let slot = &self.segments[segment].get_or_init(none)[first..first + WORDS];
        slot[0].store(Self::seal(key, &words), Ordering::Relaxed);
        slot.iter().zip(words).skip(1).for_each(|(slot, word)| slot.store(word, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::CellSet;
    use rayon::prelude::*;

    /// A row that its key tells.
    fn row(key: u64) -> (ValueRow, DistanceRow) {
        let value = |column: u64| (key * 31 + column * 7) % 6;
        let of = |wanted: u64| (0..91).filter(|&c| value(c) == wanted).map(|c| Cell(c as u8)).collect::<CellSet>();
        let mut distances = [0; MAX_CELLS];
        (0..91).for_each(|column| distances[column] = ((key + column as u64 * 3) % 256) as u16);
        (std::array::from_fn(|value| of(value as u64)), distances)
    }

    #[test]
    fn rows_come_back_whole_or_not_at_all_whoever_writes_them() {
        // Few slots, so that threads write to the same ones.
        let cache = RowCache::new(3 * 8 * SEGMENT_WORDS as u64);
        assert!(cache.keeps());
        let found: usize = (0..200_000u64)
            .into_par_iter()
            .map(|n| {
                let key = 1 + n.wrapping_mul(0x2545_f491_4f6c_dd1d) % 3000;
                let (values, distances) = row(key);
                let mut found = 0;
                for column in [0, 17, 63, 64, 90].map(Cell) {
                    let expected = values.iter().position(|of_value| of_value.contains(column));
                    if let Some(value) = cache.value(key, column) {
                        assert_eq!(Some(value as usize), expected);
                        found += 1;
                    }
                    if let Some(moves) = cache.distance(key, column) {
                        assert_eq!(moves, distances[column.index()]);
                        found += 1;
                    }
                }
                cache.keep_values(key, &values);
                cache.keep_distances(key, &distances);
                found
            })
            .sum();
        assert!(found > 100_000, "{found}");
    }

    #[test]
    fn long_distances_are_not_kept_and_a_small_cache_keeps_nothing() {
        let cache = RowCache::new(1 << 20);
        let mut long = [0; MAX_CELLS];
        long[90] = 256;
        cache.keep_distances(5, &long);
        assert_eq!(cache.distance(5, Cell(0)), None);
        let cache = RowCache::new(1000);
        assert!(!cache.keeps());
        let (values, distances) = row(5);
        cache.keep_values(5, &values);
        cache.keep_distances(5, &distances);
        assert_eq!((cache.value(5, Cell(0)), cache.distance(5, Cell(0))), (None, None));
    }
}

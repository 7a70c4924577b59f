//! The best so many of what is found, in little memory.

use crate::geometry::Color;
use crate::index::Place;
use crate::position::EnPassant;

/// What positions are listed by; greater ones come first.
pub type Rank = [u16; 2];

/// A position that was found, as it is stored.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    pub rank: Rank,
    pub place: Place,
    pub turn: Color,
    pub right: Option<EnPassant>,
}

/// So many records are looked through at a time.
const AT_ONCE: usize = 4096;

/// What has been found so far: counts of all, and the records of those that may be among the first `first` of them.
pub struct Selection {
    first: usize,
    /// Once so many have been found, nothing below this rank can be among the first.
    least: Rank,
    look_again: usize,
    pub records: Vec<Record>,
    /// How many there are, those that are the same by symmetry counted once.
    pub positions: u64,
    /// How many there are on the board, all symmetric images counted.
    pub images: u64,
}

impl Selection {
    pub fn new(first: usize) -> Selection {
        Selection { first, least: [0; 2], look_again: AT_ONCE, records: vec![], positions: 0, images: 0 }
    }

    /// Adds a record; it is counted elsewhere.
    pub fn add(&mut self, record: Record) {
        if record.rank >= self.least && self.first > 0 {
            self.records.push(record);
            if self.records.len() >= self.look_again {
                self.drop_the_last();
            }
        }
    }

    pub fn merge(mut self, other: Selection) -> Selection {
        self.positions += other.positions;
        self.images += other.images;
        self.least = self.least.max(other.least);
        self.records.extend(other.records);
        self.drop_the_last();
        self
    }

    /// Drops what cannot be among the first. Of equal rank all are kept: their FENs decide.
    fn drop_the_last(&mut self) {
        if self.records.len() > self.first {
            let by_rank = |a: &Record, b: &Record| b.rank.cmp(&a.rank);
            let (_, last, _) = self.records.select_nth_unstable_by(self.first.saturating_sub(1), by_rank);
            self.least = self.least.max(last.rank);
        }
        self.records.retain(|record| record.rank >= self.least);
        self.look_again = (2 * self.records.len()).max(AT_ONCE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(rank: u16) -> Record {
        Record { rank: [rank, 0], place: Place { slice: 0, index: 0 }, turn: Color::White, right: None }
    }

    #[test]
    fn the_first_by_rank_and_all_of_the_last_rank_are_kept() {
        let mut halves = [Selection::new(3), Selection::new(3)];
        (0..20_000u32).for_each(|i| halves[i as usize % 2].add(record((i * 7919 % 10_000) as u16)));
        let [a, b] = halves;
        let merged = a.merge(b);
        let mut ranks: Vec<u16> = merged.records.iter().map(|record| record.rank[0]).collect();
        ranks.sort();
        assert_eq!(ranks, [9_998, 9_998, 9_999, 9_999]);
        assert!(merged.records.capacity() < 20_000);
    }

    #[test]
    fn nothing_is_kept_if_only_counts_are_wanted() {
        let mut selection = Selection::new(0);
        selection.add(record(1));
        assert!(selection.merge(Selection::new(0)).records.is_empty());
    }
}

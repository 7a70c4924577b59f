//! Counting a table, row by row: how many positions have which value, the longest distance of each, and a checksum of
//! all outcomes; finding positions of an outcome.

use super::dense::DenseTable;
use super::layout::{Layout, Place};
use super::row::OutcomeRow;
use super::side::SideTable;
use crate::geometry::{Cell, CellSet, Color, Man};
use crate::outcome::{Outcome, Value};
use crate::position::Position;
use crate::statistics::SideStatistics;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What counting finds of some positions with one side to move.
#[derive(Clone, Default)]
pub struct Count {
    pub statistics: SideStatistics,
    /// The sum, modulo 2^64, of a checksum for each row that holds something, so that it does not depend on how a
    /// table is cut up or stored, but on the numbering alone. A row's is XXH3 (64 bits) of sets of columns, 16 bytes
    /// each, little-endian: those of a loss, a stalemate-loss, a draw, a stalemate-win, a win; then those that have the
    /// binary digits 0, 1, ... of the distance in moves, up to the last digit that one has. The seed is the number of
    /// the row in the whole table. Of like men only ascending cells count.
    pub checksum: u64,
}

impl Count {
    /// Adds the counts of other positions.
    pub fn merge(&mut self, other: &Count) {
        self.statistics.merge(&other.statistics);
        self.checksum = self.checksum.wrapping_add(other.checksum);
    }

    /// Counts a row, each of its positions `weight` times.
    fn add(&mut self, row: &OutcomeRow, number: usize, weight: u64) {
        for value in Value::ALL {
            let columns = row.of_value[value as usize];
            if columns == 0 {
                continue;
            }
            let plies = match value {
                Value::Draw => 0,
                _ => 2 * row.longest(columns) + u16::from(value > Value::Draw),
            };
            self.statistics.add_many(value, plies, columns.count_ones() as u64 * weight);
        }
        if row.legal() != 0 {
            let last = (0..row.digit_count).rev().find(|&digit| row.digits[digit] != 0);
            let digits = last.map_or(0, |digit| digit + 1);
            let mut bytes = [0; 16 * (Value::ALL.len() + super::row::MOST_DIGITS)];
            let sets = row.of_value.iter().chain(&row.digits[..digits]);
            sets.zip(bytes.chunks_exact_mut(16)).for_each(|(set, bytes)| bytes.copy_from_slice(&set.to_le_bytes()));
            let hash = xxh3_64_with_seed(&bytes[..16 * (Value::ALL.len() + digits)], number as u64);
            self.checksum = self.checksum.wrapping_add(hash);
        }
    }
}

/// Counts the positions of a slice with one side to move.
pub fn count_slice(layout: &Layout, slice: usize, side: &SideTable) -> Count {
    let first = layout.number(Place { slice, index: 0 }) / layout.cell_count();
    let step = |count: &mut Count, number: usize, weight: u64, row: &OutcomeRow| {
        count.add(row, first + number, weight);
    };
    let merge = |mut a: Count, b: Count| {
        a.merge(&b);
        a
    };
    fold_rows(layout, slice, side, step, merge)
}

/// Folds over all places of a slice that hold an outcome with one side to move, in parallel.
pub fn fold_places<T: Default + Send>(
    layout: &Layout,
    slice: usize,
    side: &SideTable,
    outcome: Outcome,
    visit: impl Fn(Place, &mut T) + Sync,
    merge: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    let n = layout.cell_count();
    let step = |total: &mut T, number: usize, _, row: &OutcomeRow| {
        for column in CellSet(row.columns_of(outcome)) {
            visit(Place { slice, index: number * n + column.index() }, total);
        }
    };
    fold_rows(layout, slice, side, step, merge)
}

/// Folds over the rows of a slice, in parallel, block by block. A row is passed on with its number in the slice and the
/// weight of each position in it; of like men only ascending cells are left.
pub fn fold_rows<T: Default + Send>(
    layout: &Layout,
    slice: usize,
    side: &SideTable,
    step: impl Fn(&mut T, usize, u64, &OutcomeRow) + Sync,
    merge: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    let n = layout.cell_count();
    let of_block = |mut total: T, block: usize| {
        let weight = layout.block_weight(slice, block);
        for number in block * n..(block + 1) * n {
            let mut row = side.row(number);
            if layout.has_like_men() {
                row.restrict(layout.ascending_columns(slice, block, number % n).0);
            }
            step(&mut total, number, weight, &row);
        }
        total
    };
    (0..layout.block_count(slice)).into_par_iter().with_min_len(16).fold(T::default, of_block).reduce(T::default, merge)
}

impl DenseTable {
    /// The counts for one side to move, the material's first side being White.
    pub fn tally(&self, turn: Color) -> SideStatistics {
        // Equal sides keep White to move only; Black to move is its mirror image.
        let kept = if self.layout().material().is_symmetric() { Color::White } else { turn };
        let mut total = Count::default();
        for slice in 0..self.layout().slices().len() {
            total.merge(&count_slice(self.layout(), slice, self.side(slice, kept)));
        }
        total.statistics
    }
}

/// The position of a place, with the material's first side White.
pub fn position_at(layout: &Layout, place: Place, turn: Color) -> Position {
    let mut position = Position::empty(turn);
    layout.men().iter().zip(layout.cells_at(place)).for_each(|(&man, cell)| position.put(man, cell));
    for color in Color::BOTH {
        let pawn = Man { color, role: layout.variant().pawn() };
        layout.slices()[place.slice].pawns[color.index()].iter().for_each(|cell: Cell| position.put(pawn, cell));
    }
    position
}

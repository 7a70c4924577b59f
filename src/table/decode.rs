//! Unpacking slices of a table into memory.

use super::error::TableError;
use super::format::Stream;
use super::reader::TableFile;
use crate::geometry::{CellSet, Color};
use crate::index::{Code, EMPTY_ROW, Layout, OutcomeRow, Place, Plane, SidePlanes, SideTable};
use crate::outcome::{Outcome, Value};
use crate::solve::{Kernel, legal_rows};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// About so many entries are unpacked by one task: many blocks of the file, so that few are unpacked twice.
const ENTRIES_AT_ONCE: usize = 1 << 18;

/// Entries of consecutive numbers with one side to move, as they are stored.
struct Entries {
    values: Vec<u8>,
    distances: Vec<u16>,
}

impl TableFile {
    /// The outcomes of a slice with one side to move, which must be stored, tested against checksums; numbers that
    /// are no legal position are marked so.
    ///
    /// # Errors
    /// [`TableError::Damaged`] for the first block that is wrong.
    pub fn side(
        &self,
        kernel: &Arc<Kernel>,
        layout: &Arc<Layout>,
        slice: usize,
        turn: Color,
    ) -> Result<SideTable, TableError> {
        let n = layout.cell_count();
        let rows = layout.slice_len(slice) / n;
        let longest = self.header().statistics.side(turn).longest_plies() / 2;
        let digits = (u16::BITS - longest.leading_zeros()) as usize;
        // Legal, open, drawn and by stalemate, then the digits.
        let plane = |_| kernel.arena().stale(rows).map_err(|e| TableError::io("unpack", self.path(), e));
        let mut planes = (0..4 + digits).map(plane).collect::<Result<Vec<Plane>, _>>()?;
        // Like men that are out of order have their entries elsewhere in the same orbit of kings: whole orbits at once.
        let orbit_rows = layout.blocks_per_orbit() * n;
        let chunk_rows = (ENTRIES_AT_ONCE / n).div_ceil(orbit_rows) * orbit_rows;
        let mut chunks: Vec<Vec<&mut [u128]>> = (0..rows.div_ceil(chunk_rows)).map(|_| vec![]).collect();
        for plane in &mut planes {
            plane.chunks_mut(chunk_rows).zip(&mut chunks).for_each(|(part, chunk)| chunk.push(part));
        }
        chunks.into_par_iter().enumerate().try_for_each(|(i, mut chunk)| {
            let first_row = i * chunk_rows;
            let count = chunk[0].len();
            let first = layout.number(Place { slice, index: first_row * n });
            let stored = self.entries(turn, first..first + count * n)?;
            let mut legal = [0; crate::geometry::MAX_CELLS];
            for at in 0..count {
                let row = first_row + at;
                if at % n == 0 {
                    legal = legal_rows(kernel, layout, slice, turn, row / n);
                }
                let outcomes = row_of(layout, slice, row, legal[row % n], first_row, &stored);
                let [loss, stalemate_loss, draw, stalemate_win, _] = outcomes.of_value;
                chunk[0][at] = legal[row % n];
                chunk[1][at] = loss | stalemate_loss | draw;
                chunk[2][at] = draw;
                chunk[3][at] = stalemate_loss | stalemate_win;
                chunk[4..].iter_mut().zip(&outcomes.digits).for_each(|(plane, digit)| plane[at] = *digit);
            }
            Ok::<(), TableError>(())
        })?;
        let distance = planes.split_off(4);
        let [legal, open, drawn, by_stalemate] =
            planes.try_into().unwrap_or_else(|_| unreachable!("four planes are left"));
        Ok(SideTable::Planes(SidePlanes { legal, open, drawn, by_stalemate: Some(by_stalemate), distance }))
    }

    /// The entries of a range of numbers with one side to move.
    fn entries(&self, turn: Color, range: Range<usize>) -> Result<Entries, TableError> {
        let header = self.header();
        let size = header.block_positions as usize;
        let mut entries =
            Entries { values: Vec::with_capacity(range.len()), distances: Vec::with_capacity(range.len()) };
        for run in range.start / size..range.end.div_ceil(size) {
            let first = run * size;
            let here = range.start.saturating_sub(first)..(range.end - first).min(size);
            let values = self.read_block(header.block_of(turn, Stream::Values, first as u64))?;
            if let Some(wrong) = values[here.clone()].iter().find(|v| **v > Value::Win as u8) {
                return Err(TableError::damaged(self.path(), "an entry", "a value from 0 to 4", wrong));
            }
            entries.values.extend_from_slice(&values[here.clone()]);
            let block = header.block_of(turn, Stream::Distances, first as u64);
            let distances = self.read_block(block)?;
            entries.distances.extend(here.map(|at| self.distance(block, &distances, at)));
        }
        let longest = header.statistics.side(turn).longest_plies() / 2;
        match entries.distances.iter().find(|moves| **moves > longest) {
            Some(wrong) => Err(TableError::damaged(self.path(), "an entry", format!("at most {longest} moves"), wrong)),
            None => Ok(entries),
        }
    }

    /// The entries of all numbers of a slice with one side to move, as they are stored. Works on the calling thread
    /// alone: others may be waiting for what it unpacks.
    pub(super) fn codes(&self, layout: &Layout, slice: usize, turn: Color) -> Result<Vec<Code>, TableError> {
        let first = layout.number(Place { slice, index: 0 });
        let mut codes = vec![Code::ILLEGAL; layout.slice_len(slice)];
        for (i, codes) in codes.chunks_mut(ENTRIES_AT_ONCE).enumerate() {
            let first = first + i * ENTRIES_AT_ONCE;
            let entries = self.entries(turn, first..first + codes.len())?;
            let outcomes = entries.values.iter().zip(&entries.distances);
            codes.iter_mut().zip(outcomes).for_each(|(code, (&value, &moves))| *code = Code::of(outcome(value, moves)));
        }
        Ok(codes)
    }
}

/// The outcome that a value, at most 4, and a distance in moves make up.
fn outcome(value: u8, moves: u16) -> Outcome {
    match Value::ALL[value as usize] {
        Value::Draw => Outcome::DRAW,
        value => Outcome::new(value, 2 * moves + u16::from(value > Value::Draw)),
    }
}

/// The outcomes of a row of a slice, like men in any order; `stored` begins with row `first_row`.
fn row_of(layout: &Layout, slice: usize, row: usize, legal: u128, first_row: usize, stored: &Entries) -> OutcomeRow {
    if legal == 0 {
        return EMPTY_ROW;
    }
    let n = layout.cell_count();
    let ascending = match layout.has_like_men() {
        true => layout.ascending_columns(slice, row / n, row % n).0,
        false => u128::MAX,
    };
    let at = (row - first_row) * n;
    let mut outcomes = OutcomeRow::of_entries(&stored.values[at..at + n], &stored.distances[at..at + n]);
    outcomes.restrict(legal & ascending);
    for column in CellSet(legal & !ascending) {
        let place = layout.ascending(Place { slice, index: row * n + column.index() });
        let at = place.index - first_row * n;
        outcomes.add(outcome(stored.values[at], stored.distances[at]), column.set().0);
    }
    outcomes
}

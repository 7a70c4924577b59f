//! Unpacking slices of a table into memory.

use super::error::TableError;
use super::format::Stream;
use super::opened::Threads;
use super::reader::TableFile;
use crate::geometry::{Cell, CellSet, Color};
use crate::index::{Code, EMPTY_ROW, Layout, Likeness, OutcomeRow, Place, Plane, RowRules, SidePlanes, SideTable};
use crate::outcome::{Outcome, Value};
use crate::solve::{Kernel, LARGE_SLICE_ROWS, legal_rows};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// About so many entries are unpacked by one task: many blocks of the file, so that few are unpacked twice.
const ENTRIES_AT_ONCE: usize = 1 << 18;

/// Entries of consecutive numbers with one side to move, as they are stored.
struct Entries {
    values: Vec<u8>,
    /// The low bytes of the distances, and the high bytes unless all are 0.
    low: Vec<u8>,
    high: Vec<u8>,
}

impl Entries {
    fn outcome(&self, at: usize) -> Outcome {
        let moves = u16::from_le_bytes([self.low[at], self.high.get(at).copied().unwrap_or(0)]);
        match Value::ALL[self.values[at] as usize] {
            Value::Draw => Outcome::DRAW,
            value => Outcome::new(value, 2 * moves + u16::from(value > Value::Draw)),
        }
    }

    fn row(&self, range: Range<usize>) -> OutcomeRow {
        let high = if self.high.is_empty() { &[] } else { &self.high[range.clone()] };
        OutcomeRow::of_entries(&self.values[range.clone()], &self.low[range], high)
    }
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
        let legal_rows = legal_rows(kernel, layout, slice, turn);
        chunks.into_par_iter().enumerate().try_for_each(|(i, mut chunk)| {
            let first_row = i * chunk_rows;
            let count = chunk[0].len();
            let first = layout.number(Place { slice, index: first_row * n });
            let stored = self.entries(turn, first..first + count * n)?;
            for first_of_block in (0..count).step_by(n) {
                let legal = legal_rows((first_row + first_of_block) / n);
                for (at, legal) in (first_of_block..).zip(legal).take(n) {
                    let outcomes = row_of(layout, slice, first_row + at, legal, first_row, &stored);
                    let [loss, stalemate_loss, draw, stalemate_win, _] = outcomes.of_value;
                    chunk[0][at] = legal;
                    chunk[1][at] = loss | stalemate_loss | draw;
                    chunk[2][at] = draw;
                    chunk[3][at] = stalemate_loss | stalemate_win;
                    chunk[4..].iter_mut().zip(&outcomes.digits).for_each(|(plane, digit)| plane[at] = *digit);
                }
                if layout.likeness() == Likeness::LastTwo {
                    // Rows and columns of like men mean the same.
                    for plane in &mut chunk[1..] {
                        kernel.add_transposed(&mut plane[first_of_block..first_of_block + n]);
                    }
                }
            }
            Ok::<(), TableError>(())
        })?;
        let distance = planes.split_off(4);
        let [legal, open, drawn, by_stalemate] =
            planes.try_into().unwrap_or_else(|_| unreachable!("four planes are left"));
        let mut side = SidePlanes { legal, open, drawn, by_stalemate: Some(by_stalemate), distance, across: None };
        if rows <= LARGE_SLICE_ROWS {
            let exchanged = side.map_planes(|plane| {
                let mut exchanged = kernel.arena().stale(rows)?;
                exchanged.chunks_mut(n).zip(plane.chunks(n)).for_each(|(to, from)| kernel.transpose(from, to));
                Ok(exchanged)
            });
            side.across = Some(Box::new(exchanged.map_err(|e| TableError::io("unpack", self.path(), e))?));
        }
        Ok(SideTable::Planes(side))
    }

    /// The entries of a range of numbers with one side to move.
    fn entries(&self, turn: Color, range: Range<usize>) -> Result<Entries, TableError> {
        let header = self.header();
        let size = header.block_positions as usize;
        let longest = header.statistics.side(turn).longest_plies() / 2;
        let with_capacity = || Vec::with_capacity(range.len());
        let mut entries = Entries { values: with_capacity(), low: with_capacity(), high: vec![] };
        for run in range.start / size..range.end.div_ceil(size) {
            let first = run * size;
            let here = range.start.saturating_sub(first)..(range.end - first).min(size);
            let values = self.read_block(header.block_of(turn, Stream::Values, first as u64))?;
            let highest = values.iter().fold(0, |most, &value| most.max(value));
            if highest > Value::Win as u8 {
                return Err(TableError::damaged(self.path(), "an entry", "a value from 0 to 4", highest));
            }
            entries.values.extend_from_slice(&values[here.clone()]);
            let distances = self.read_block(header.block_of(turn, Stream::Distances, first as u64))?;
            let most = if distances.len() == values.len() {
                entries.low.extend_from_slice(&distances[here.clone()]);
                distances.iter().fold(0, |most, &moves| most.max(moves)) as u16
            } else {
                let moves = distances.chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
                let moves = moves.skip(here.start).take(here.len());
                entries.high.resize(entries.low.len(), 0);
                entries.low.extend(moves.clone().map(|moves| moves as u8));
                entries.high.extend(moves.clone().map(|moves| (moves >> 8) as u8));
                moves.max().unwrap_or(0)
            };
            if most > longest {
                return Err(TableError::damaged(
                    self.path(),
                    "an entry",
                    format!("at most {longest} moves"),
                    most.to_string(),
                ));
            }
        }
        if !entries.high.is_empty() {
            entries.high.resize(entries.low.len(), 0);
        }
        Ok(entries)
    }

    /// The outcomes of all numbers of a slice with one side to move, like men in ascending order; numbers that are no
    /// legal position are marked so.
    pub(super) fn codes(
        &self,
        layout: &Layout,
        slice: usize,
        turn: Color,
        threads: Threads,
    ) -> Result<Vec<Code>, TableError> {
        let n = layout.cell_count();
        let rules = RowRules { variant: layout.variant(), men: layout.men(), pawns: layout.slices()[slice].pawns };
        let row_man = layout.outer_men();
        let mut codes = vec![Code::ILLEGAL; layout.slice_len(slice)];
        let at_once = ENTRIES_AT_ONCE / n * n;
        let fill = |(i, codes): (usize, &mut [Code])| {
            let first = i * at_once;
            let number = layout.number(Place { slice, index: first });
            let entries = self.entries(turn, number..number + codes.len())?;
            for at in (0..codes.len()).step_by(n) {
                let row = (first + at) / n;
                let mut known = layout.outer_cells(slice, row / n);
                known[row_man] = Cell((row % n) as u8);
                for column in rules.legal(&known[..=row_man], turn) {
                    codes[at + column.index()] = Code::of(entries.outcome(at + column.index()));
                }
            }
            Ok::<(), TableError>(())
        };
        match threads {
            Threads::One => codes.chunks_mut(at_once).enumerate().try_for_each(fill)?,
            Threads::All => codes.par_chunks_mut(at_once).enumerate().try_for_each(fill)?,
        }
        Ok(codes)
    }
}

/// The outcomes of a row of a slice, like men in any order, or where the last two alone are alike in ascending order;
/// `stored` begins with row `first_row`.
fn row_of(layout: &Layout, slice: usize, row: usize, legal: u128, first_row: usize, stored: &Entries) -> OutcomeRow {
    let n = layout.cell_count();
    let ascending = match layout.likeness() {
        Likeness::None => u128::MAX,
        Likeness::LastTwo | Likeness::Other => layout.ascending_columns(slice, row / n, row % n).0,
    };
    if legal == 0 || layout.likeness() == Likeness::LastTwo && legal & ascending == 0 {
        return EMPTY_ROW;
    }
    let at = (row - first_row) * n;
    let mut outcomes = stored.row(at..at + n);
    outcomes.restrict(legal & ascending);
    if layout.likeness() == Likeness::Other {
        for column in CellSet(legal & !ascending) {
            let place = layout.ascending(Place { slice, index: row * n + column.index() });
            outcomes.add(stored.outcome(place.index - first_row * n), column.set().0);
        }
    }
    outcomes
}

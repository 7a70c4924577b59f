//! Unpacking slices of a packed table into memory, in the numbering of the solver.

use super::super::error::TableError;
use super::table::PackedTable;
use super::values::ValueRun;
use crate::coding::scene::Scene;
use crate::geometry::{Cell, CellSet, Color};
use crate::index::{Arrangement, Code, Layout, MOST_MEN, Place};
use crate::outcome::{Outcome, Value};
use crate::position::Position;
use crate::probe::{self, Placements};
use rayon::prelude::*;

/// Rows that one task unpacks.
const ROWS_AT_ONCE: usize = 256;

/// What is unpacked of each position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Value and distance.
    All,
    /// The value, with a distance that means nothing.
    Values,
}

/// The rows of an arrangement with given pawns.
struct RowsOfSlice<'a> {
    arrangement: &'a Arrangement,
    rows: Vec<usize>,
}

impl<'a> RowsOfSlice<'a> {
    /// All rows with the pawns of a slice or of one of its images.
    fn new(arrangement: &'a Arrangement, pawns: [CellSet; 2]) -> RowsOfSlice<'a> {
        let variant = arrangement.variant();
        let image = |&g: &usize| pawns.map(|set| variant.symmetries()[g].apply_set(set));
        let mut rows: Vec<usize> = match arrangement.material().has_pawns(variant) {
            false => (0..arrangement.rows()).collect(),
            true => variant.pawn_symmetries().iter().flat_map(|g| arrangement.rows_with_pawns(image(g))).collect(),
        };
        rows.sort_unstable();
        rows.dedup();
        RowsOfSlice { arrangement, rows }
    }

    /// The place of a row among these.
    #[inline]
    fn place(&self, row: usize) -> Option<usize> {
        match self.rows.len() == self.arrangement.rows() {
            true => Some(row),
            false => self.rows.binary_search(&row).ok(),
        }
    }
}

impl PackedTable {
    /// The outcomes of a slice of a layout with one side to move, which must be stored, each page tested when it is
    /// read; numbers that are no legal position are marked so. `tables` knows the outcomes of what the table converts
    /// into. If `alone`, works on the calling thread: others may be waiting for what it unpacks. Without distances it
    /// takes less time, and their file need not be there.
    ///
    /// # Errors
    /// When a file is damaged or missing.
    pub fn codes(
        &self,
        layout: &Layout,
        slice: usize,
        turn: Color,
        tables: &(dyn Placements + Sync),
        what: Part,
        alone: bool,
    ) -> Result<Vec<Code>, TableError> {
        let n = layout.cell_count();
        let pawns = layout.slices()[slice].pawns;
        let found = RowsOfSlice::new(self.arrangement(), pawns);
        let mut unpacked = vec![Code::ILLEGAL; found.rows.len() * n];
        let unpack = |run: &mut ValueRun, (part, codes): (usize, &mut [Code])| -> Result<(), TableError> {
            let rows = &found.rows[part * ROWS_AT_ONCE..];
            let mut of_rows = rows.iter().zip(codes.chunks_mut(n));
            of_rows.try_for_each(|(&row, codes)| match what {
                Part::All => self.unpack_row(&mut run.scene, row, turn, tables, codes),
                Part::Values => self.unpack_values(run, row, turn, tables, codes),
            })
        };
        let parts = n * ROWS_AT_ONCE;
        match alone {
            true => {
                let mut run = self.values().run();
                unpacked.chunks_mut(parts).enumerate().try_for_each(|part| unpack(&mut run, part))?;
            }
            false => {
                let parts = unpacked.par_chunks_mut(parts).enumerate();
                parts.map_init(|| self.values().run(), unpack).collect::<Result<(), TableError>>()?;
            }
        }
        // For each man of the arrangement, which man of the layout it is, or which pawn.
        let mut taken = vec![];
        let men = layout.men().iter().copied();
        let pawn_men = Color::BOTH.into_iter().flat_map(|color| {
            let pawn = crate::geometry::Man { color, role: layout.variant().pawn() };
            pawns[color.index()].iter().map(move |_| pawn)
        });
        let men: Vec<_> = men.chain(pawn_men).collect();
        for man in self.arrangement().men() {
            let place = (0..men.len()).find(|at| men[*at] == *man && !taken.contains(at));
            taken.push(place.expect("layout and arrangement are of the same men"));
        }
        let pawn_cells: Vec<Cell> = pawns.iter().flat_map(|pawns| pawns.iter()).collect();
        let gather = |(block, codes): (usize, &mut [Code])| {
            for (at, code) in codes.iter_mut().enumerate() {
                let index = block * n * n + at;
                let pieces = layout.cells_at(Place { slice, index });
                let mut cells = [Cell(0); MOST_MEN];
                for (cell, &at) in cells.iter_mut().zip(&taken) {
                    *cell = if at < layout.men().len() { pieces[at] } else { pawn_cells[at - layout.men().len()] };
                }
                let (row, column) = self.arrangement().locate_cells(&cells);
                *code = found.place(row).map_or(Code::ILLEGAL, |place| unpacked[place * n + column.index()]);
            }
        };
        let mut codes = vec![Code::ILLEGAL; layout.slice_len(slice)];
        match alone {
            true => codes.chunks_mut(n * n).enumerate().for_each(gather),
            false => codes.par_chunks_mut(n * n).enumerate().for_each(gather),
        }
        Ok(codes)
    }

    /// The outcomes of a row, all of them, by column.
    fn unpack_row(
        &self,
        scene: &mut Scene,
        row: usize,
        turn: Color,
        tables: &(dyn Placements + Sync),
        codes: &mut [Code],
    ) -> Result<(), TableError> {
        let arrangement = self.arrangement();
        let cells = arrangement.cells(row);
        let stored = arrangement.stored(&cells, turn);
        if stored.is_empty() {
            return Ok(());
        }
        let (values, distances) = self.distances()?.row(self.values(), scene, row, turn)?;
        let mut position = Position::empty(turn);
        arrangement.known().iter().zip(cells).for_each(|(&man, cell)| position.put(man, cell));
        for column in stored {
            let mut outcome = self.outcome_in(&values, &distances, column)?;
            if self.needs_conversions(turn) {
                let mut position = position;
                position.put(arrangement.column_man(), column);
                let best: Option<Outcome> = probe::best_conversion(tables, &position)?;
                outcome = best.map_or(outcome, |best| best.max(outcome));
            }
            codes[column.index()] = Code::of(outcome);
        }
        Ok(())
    }

    /// The values of a row, all of them, by column.
    fn unpack_values(
        &self,
        run: &mut ValueRun,
        row: usize,
        turn: Color,
        tables: &(dyn Placements + Sync),
        codes: &mut [Code],
    ) -> Result<(), TableError> {
        let arrangement = self.arrangement();
        let cells = arrangement.cells(row);
        let stored = arrangement.stored(&cells, turn);
        if stored.is_empty() {
            return Ok(());
        }
        let values = run.rows(row)?[self.values().place(turn)];
        let mut position = Position::empty(turn);
        arrangement.known().iter().zip(cells).for_each(|(&man, cell)| position.put(man, cell));
        for column in stored {
            let mut value = self.value_in(&values, column)?;
            if value < Value::Win && self.needs_conversions(turn) {
                let mut position = position;
                position.put(arrangement.column_man(), column);
                let best: Option<Value> = probe::best_conversion(tables, &position)?;
                value = best.map_or(value, |best| best.max(value));
            }
            codes[column.index()] = Code::of(self.outcome_of(value, 0)?);
        }
        Ok(())
    }
}

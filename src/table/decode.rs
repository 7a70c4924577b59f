//! Unpacking a whole table into memory.

use super::error::TableError;
use super::format::Stream;
use super::reader::TableFile;
use crate::geometry::{CellSet, Color};
use crate::index::{Code, DenseTable, Layout, Place};
use crate::solve::{Kernel, legal_rows};
use rayon::prelude::*;
use std::sync::Arc;

impl TableFile {
    /// All outcomes of the table, tested against every checksum; numbers that are no legal position are marked so.
    ///
    /// # Errors
    /// [`TableError::Damaged`] for the first block that is wrong.
    pub fn decode(&self, kernel: &Arc<Kernel>, layout: Arc<Layout>) -> Result<DenseTable, TableError> {
        let table = DenseTable::new(layout.clone());
        let sides = if self.header().sides == 1 { &Color::BOTH[..1] } else { &Color::BOTH[..] };
        let mut streams = vec![];
        for &turn in sides {
            streams.push(self.codes(turn)?);
        }
        let mut first = 0;
        for slice in 0..layout.slices().len() {
            let length = layout.slice_len(slice);
            let mut codes = [vec![], vec![]];
            for (&turn, stream) in sides.iter().zip(&streams) {
                let stored = &stream[first..first + length];
                codes[turn.index()] = legal_codes(kernel, &layout, slice, turn, stored);
            }
            table.fill(slice, codes);
            first += length;
        }
        Ok(table)
    }

    /// The entries of all numbers with one side to move, as they are stored.
    pub(super) fn codes(&self, turn: Color) -> Result<Vec<Code>, TableError> {
        let header = self.header();
        let mut codes = vec![Code::ILLEGAL; header.positions as usize];
        codes.par_chunks_mut(header.block_positions as usize).enumerate().try_for_each(|(i, codes)| {
            let first = i as u64 * header.block_positions as u64;
            let values = self.read_block(header.block_of(turn, Stream::Values, first))?;
            let distances = self.read_block(header.block_of(turn, Stream::Distances, first))?;
            for (at, code) in codes.iter_mut().enumerate() {
                *code = Code::of(self.outcome(values[at], self.distance(&distances, at))?);
            }
            Ok(())
        })?;
        Ok(codes)
    }
}

/// The codes of a slice: stored entries where the position is legal, like men in any order.
fn legal_codes(kernel: &Arc<Kernel>, layout: &Arc<Layout>, slice: usize, turn: Color, stored: &[Code]) -> Vec<Code> {
    let n = layout.cell_count();
    let mut codes = vec![Code::ILLEGAL; stored.len()];
    codes.par_chunks_mut(n * n).enumerate().for_each(|(block, codes)| {
        let legal = legal_rows(kernel, layout, slice, turn, block);
        for (row, &legal) in legal.iter().enumerate().take(n) {
            for column in CellSet(legal) {
                let within = row * n + column.index();
                let index = block * n * n + within;
                codes[within] = stored[layout.ascending(Place { slice, index }).index];
            }
        }
    });
    codes
}

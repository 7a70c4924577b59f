//! Writing a table file: slices taken as they are solved, cut into blocks, compressed in parallel and written at once.
//! Or counting them alone, where another file is made of them.

use super::EXTENSION;
use super::error::TableError;
use super::format::{Directory, FIXED_BYTES, Header, fingerprint};
use super::statistics::Counts;
use super::unfinished::Unfinished;
use crate::geometry::Color;
use crate::index::{DenseTable, Layout, OutcomeRow, Place, SideTable, SolvedSlice};
use crate::outcome::Value;
use crate::statistics::Statistics;
use rayon::prelude::*;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The zstd level of tables unless another is asked for.
pub const DEFAULT_LEVEL: i32 = 7;
/// Entries of a block: small enough to unpack for a single answer, large enough to compress well.
const BLOCK_POSITIONS: usize = 32_768;
/// Runs of positions compressed before they are written, for each thread.
const RUNS_AT_ONCE: usize = 16;

/// A table that has been counted.
pub struct Counted {
    pub statistics: Statistics,
    /// Of each stored side to move, in hexadecimal.
    pub checksums: Vec<String>,
    /// As long as it is there, no other process makes the table.
    pub claim: Unfinished,
}

/// A table file being written.
pub struct TableWriter {
    layout: Arc<Layout>,
    /// The zstd level; none if nothing is written.
    level: Option<i32>,
    path: PathBuf,
    unfinished: Unfinished,
    blocks: Vec<(u32, u64)>,
    counts: Counts,
    /// The number of the first position that is not in a block yet.
    next: usize,
    /// For each stored side the rows, of like men only the stored positions, that are not in blocks yet.
    waiting: Vec<Vec<OutcomeRow>>,
}

impl TableWriter {
    /// Begins the file `MATERIAL.hxt` in a folder, which must exist. An older file stays until this one is finished.
    /// Without a level, slices are only counted.
    ///
    /// # Errors
    /// [`TableError::Busy`] if another process is writing it, and what the system refuses.
    pub fn begin(layout: Arc<Layout>, folder: &Path, level: Option<i32>) -> Result<TableWriter, TableError> {
        let name = layout.material().name(layout.variant());
        let path = folder.join(format!("{name}.{EXTENSION}"));
        let mut unfinished = Unfinished::begin(folder, &name)?;
        let sides = if layout.material().is_symmetric() { 1 } else { 2 };
        let seek = unfinished.file().seek(SeekFrom::Start(FIXED_BYTES as u64));
        seek.map_err(|e| TableError::io("write", &path, e))?;
        Ok(TableWriter {
            counts: Counts::default(),
            level,
            path,
            unfinished,
            blocks: vec![],
            next: 0,
            waiting: vec![vec![]; sides],
            layout,
        })
    }

    /// Adds a slice; they must come in the order of their numbers.
    ///
    /// # Errors
    /// When the disk is full or the system refuses.
    pub fn add(&mut self, slice: usize, sides: &SolvedSlice) -> Result<(), TableError> {
        let stored: Vec<&SideTable> = sides.iter().flatten().map(|side| &**side).collect();
        assert_eq!(stored.len(), self.waiting.len(), "a slice has the sides that its table stores");
        self.counts.add(&self.layout, slice, &stored);
        let n = self.layout.cell_count();
        let end = self.layout.number(Place { slice, index: 0 }) + self.layout.slice_len(slice);
        let Some(level) = self.level else {
            self.next = end;
            return Ok(());
        };
        let complete = if end == self.layout.len() { end } else { end - end % BLOCK_POSITIONS };
        let at_once = RUNS_AT_ONCE * rayon::current_num_threads();
        if complete - self.next.min(complete) >= at_once * BLOCK_POSITIONS || end == self.layout.len() {
            let runs: Vec<usize> = (self.next..complete).step_by(BLOCK_POSITIONS).collect();
            for runs in runs.chunks(at_once) {
                self.write_runs(level, runs, slice, &stored, complete)?;
            }
            let first_row = self.first_row();
            self.next = complete;
            // Rows that are in blocks now are not needed any more.
            let written = self.first_row() - first_row;
            self.waiting.iter_mut().for_each(|rows| drop(rows.drain(..written.min(rows.len()))));
        }
        let first_row = self.first_row() + self.waiting[0].len();
        for (side, waiting) in stored.iter().zip(&mut self.waiting) {
            waiting.extend((first_row..end / n).map(|row| stored_row(&self.layout, slice, side, row)));
        }
        Ok(())
    }

    /// The first row that has a position which is in no block yet.
    fn first_row(&self) -> usize {
        self.next / self.layout.cell_count()
    }

    /// Compresses and writes the blocks of the runs of positions that begin at `runs`.
    fn write_runs(
        &mut self,
        level: i32,
        runs: &[usize],
        slice: usize,
        stored: &[&SideTable],
        end: usize,
    ) -> Result<(), TableError> {
        let (layout, waiting, first_row) = (&self.layout, &self.waiting, self.first_row());
        let n = layout.cell_count();
        let parts: Vec<(usize, usize)> =
            runs.iter().flat_map(|&run| (0..stored.len()).map(move |s| (run, s))).collect();
        let compress = |compressor: &mut std::io::Result<zstd::bulk::Compressor>, (first, side): (usize, usize)| {
            let row = |row: usize| match waiting[side].get(row - first_row) {
                Some(row) => row.clone(),
                None => stored_row(layout, slice, stored[side], row),
            };
            let range = first..end.min(first + BLOCK_POSITIONS);
            let [values, distances] = entries(n, range, row);
            let compressor = compressor.as_mut().map_err(|e| std::io::Error::other(e.to_string()))?;
            Ok([compressor.compress(&values)?, compressor.compress(&distances)?])
        };
        let compressed: Vec<std::io::Result<[Vec<u8>; 2]>> =
            parts.into_par_iter().map_init(|| zstd::bulk::Compressor::new(level), compress).collect();
        for blocks in compressed {
            for bytes in blocks.map_err(|e| self.failed(e))? {
                self.blocks.push((bytes.len() as u32, xxh3_64(&bytes)));
                self.unfinished.file().write_all(&bytes).map_err(|e| self.failed(e))?;
            }
        }
        Ok(())
    }

    /// What has been counted, once all slices have been added.
    pub fn counted(self) -> Counted {
        assert_eq!(self.next, self.layout.len(), "a table is finished when all its slices have been added");
        let (statistics, checksums) = self.counts.finish(&self.layout);
        Counted { statistics, checksums, claim: self.unfinished }
    }

    /// Finishes the file, which must have a level, and puts it in its place. The bytes depend on the table and the level alone.
    ///
    /// # Errors
    /// When the disk is full or the system refuses. Then no file is left behind, and an older file stays.
    pub fn finish(mut self) -> Result<(PathBuf, Header), TableError> {
        assert_eq!(self.next, self.layout.len(), "a table is finished when all its slices have been added");
        let variant = self.layout.variant();
        let counts = std::mem::take(&mut self.counts);
        let (statistics, checksums) = counts.finish(&self.layout);
        let header = Header {
            variant: variant.name().to_string(),
            rules: fingerprint(variant),
            material: self.layout.material().name(variant),
            men: self.layout.material().men(),
            positions: self.layout.len() as u64,
            sides: self.waiting.len(),
            block_positions: BLOCK_POSITIONS as u32,
            zstd_level: self.level.expect("a file is written at a level"),
            checksums,
            statistics,
        };
        let directory = Directory { header, blocks: std::mem::take(&mut self.blocks) };
        let (first, last) = directory.to_bytes();
        let file = self.unfinished.file();
        let written =
            file.write_all(&last).and_then(|()| file.seek(SeekFrom::Start(0))).and_then(|_| file.write_all(&first));
        written.map_err(|e| self.failed(e))?;
        let TableWriter { unfinished, path, layout, .. } = self;
        unfinished.finish(&path).map_err(|e| failed(&layout, &path, e))?;
        Ok((path, directory.header))
    }

    fn failed(&self, error: std::io::Error) -> TableError {
        failed(&self.layout, &self.path, error)
    }
}

/// What a failure to write means.
fn failed(layout: &Layout, path: &Path, error: std::io::Error) -> TableError {
    TableError::writing(path, file_bytes_at_most(layout), error)
}

/// Roughly how large a table's file becomes at most, for messages.
fn file_bytes_at_most(layout: &Layout) -> u64 {
    let sides = if layout.material().is_symmetric() { 1 } else { 2 };
    layout.len() as u64 * sides / 2
}

/// Writes a whole table into a folder (which must exist) as `MATERIAL.hxt`, in place of any older one, and returns
/// its path and header.
///
/// # Errors
/// Those of [`TableWriter::begin`] and [`TableWriter::add`].
pub fn write_table(table: &DenseTable, folder: &Path, level: i32) -> Result<(PathBuf, Header), TableError> {
    let layout = table.layout();
    let mut writer = TableWriter::begin(layout.clone(), folder, Some(level))?;
    for slice in 0..layout.slices().len() {
        let white = Some(table.side(slice, Color::White).clone());
        let black = (!layout.material().is_symmetric()).then(|| table.side(slice, Color::Black).clone());
        writer.add(slice, &[white, black])?;
    }
    writer.finish()
}

/// A row, counted through the whole table, of a slice: of like men only the stored positions.
fn stored_row(layout: &Layout, slice: usize, side: &SideTable, row: usize) -> OutcomeRow {
    let n = layout.cell_count();
    let within = row - layout.number(Place { slice, index: 0 }) / n;
    let mut outcomes = side.row(within);
    if layout.has_like_men() {
        outcomes.restrict(layout.ascending_columns(slice, within / n, within % n).0);
    }
    outcomes
}

/// The entries of a run of positions, values and distances; `row` gives the rows, counted through the whole table.
fn entries(n: usize, range: std::ops::Range<usize>, row: impl Fn(usize) -> OutcomeRow) -> [Vec<u8>; 2] {
    let mut values = Vec::with_capacity(range.len());
    let mut distances: Vec<u16> = Vec::with_capacity(range.len());
    let (mut value, mut distance) = (Value::Draw as u8, 0);
    let (mut of_values, mut of_distances) = ([0; 128], [0; 128]);
    for number in range.start / n..range.end.div_ceil(n) {
        let outcomes = row(number);
        // The columns of the row that belong to the run.
        let columns = range.start.saturating_sub(number * n)..n.min(range.end - number * n);
        let before = (1u128 << columns.start) - 1;
        let mut part = outcomes;
        part.restrict(!before);
        value = part.write_values(&mut of_values[..columns.end], value);
        distance = part.write_distances(&mut of_distances[..columns.end], distance);
        values.extend_from_slice(&of_values[columns.clone()]);
        distances.extend_from_slice(&of_distances[columns]);
    }
    let distances = match distances.iter().all(|&moves| moves <= u8::MAX as u16) {
        true => distances.iter().map(|&moves| moves as u8).collect(),
        false => distances.iter().flat_map(|moves| moves.to_le_bytes()).collect(),
    };
    [values, distances]
}

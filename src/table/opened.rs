//! An open table, in whichever format it is: what programs ask of it.

use super::error::TableError;
use super::format::Stream;
use super::packed::{PackedTable, Part};
use super::reader::TableFile;
use super::tablebase::Tablebase;
use crate::geometry::Color;
use crate::index::{Code, Layout, SideTable};
use crate::solve::Kernel;
use crate::statistics::Statistics;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a slice is unpacked on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Threads {
    /// The calling thread alone: others may be waiting for what it unpacks.
    One,
    /// All of the current rayon pool.
    All,
}

/// A table of a folder.
pub enum Table {
    /// As the solver writes it: large, and quick to write and to read whole.
    Plain(Box<TableFile>),
    /// Packed, with the folder that has what it converts into.
    Packed(Box<PackedTable>, Tablebase),
}

// A table cannot be printed whole; its path and material tell it.
impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Table").field("path", &self.path()).field("material", &self.material()).finish()
    }
}

impl Table {
    /// Its file, or that of its values if there are two.
    pub fn path(&self) -> &Path {
        match self {
            Table::Plain(file) => file.path(),
            Table::Packed(packed, _) => packed.values().frame().path(),
        }
    }

    /// All its files.
    pub fn paths(&self) -> Vec<PathBuf> {
        match self {
            Table::Plain(file) => vec![file.path().to_path_buf()],
            Table::Packed(packed, _) => packed.paths(),
        }
    }

    pub fn is_packed(&self) -> bool {
        matches!(self, Table::Packed(..))
    }

    /// The name of its material.
    pub fn material(&self) -> &str {
        match self {
            Table::Plain(file) => &file.header().material,
            Table::Packed(packed, _) => &packed.about().material,
        }
    }

    /// The lengths of its files together.
    pub fn bytes(&self) -> u64 {
        match self {
            Table::Plain(file) => file.bytes(),
            Table::Packed(packed, _) => packed.bytes().iter().sum(),
        }
    }

    /// The bytes that values take, and those that distances take.
    pub fn bytes_by_stream(&self) -> [u64; 2] {
        match self {
            Table::Plain(file) => [Stream::Values, Stream::Distances].map(|stream| file.stream_bytes(stream)),
            Table::Packed(packed, _) => packed.bytes(),
        }
    }

    /// How many entries are stored: of legal positions, and of decisive ones. Positions that are the same by symmetry
    /// or by exchange of like men are counted once, but for a few on an axis; of a plain table by their share of all.
    pub fn entries(&self) -> [u64; 2] {
        match self {
            Table::Plain(file) => {
                let header = file.header();
                let sides = [&header.statistics.w, &header.statistics.b];
                let legal: u64 = sides.iter().map(|side| side.legal).sum();
                let drawn: u64 = sides.iter().map(|side| side.draw).sum();
                let all = header.positions * header.sides as u64;
                [all, (u128::from(all) * u128::from(legal - drawn) / u128::from(legal.max(1))) as u64]
            }
            Table::Packed(packed, _) => packed.entries(),
        }
    }

    /// How much is unpacked to answer one question: rows of a packed table's values, entries of a plain one.
    pub fn block(&self) -> u64 {
        match self {
            Table::Plain(file) => u64::from(file.header().block_positions),
            Table::Packed(packed, _) => packed.values().about().unit_rows as u64,
        }
    }

    /// Its statistics.
    ///
    /// # Errors
    /// [`TableError::Missing`] if the file of distances is not there.
    pub fn statistics(&self) -> Result<&Statistics, TableError> {
        match self {
            Table::Plain(file) => Ok(&file.header().statistics),
            Table::Packed(packed, _) => packed.distances()?.statistics(),
        }
    }

    /// The checksums of the outcomes of each stored side to move; none if the file of distances is not there.
    pub fn checksums(&self) -> &[String] {
        match self {
            Table::Plain(file) => &file.header().checksums,
            Table::Packed(packed, _) => &packed.about().checksums,
        }
    }

    /// Tests every byte.
    ///
    /// # Errors
    /// [`TableError::Damaged`] for the first block or page that is wrong.
    pub fn verify_checksums(&self) -> Result<(), TableError> {
        match self {
            Table::Plain(file) => file.verify_checksums(),
            Table::Packed(packed, _) => packed.test_all(),
        }
    }

    /// The outcomes of a slice with one side to move, which must be stored; numbers that are no legal position are
    /// marked so. Where values alone are asked for, distances may mean nothing.
    ///
    /// # Errors
    /// [`TableError::Damaged`] for the first block or page that is wrong.
    pub fn side(
        &self,
        kernel: &Arc<Kernel>,
        layout: &Arc<Layout>,
        slice: usize,
        turn: Color,
        part: Part,
    ) -> Result<SideTable, TableError> {
        match self {
            Table::Plain(file) => file.side(kernel, layout, slice, turn),
            Table::Packed(packed, tables) => {
                let codes = packed.codes(layout, slice, turn, tables, part, false)?;
                Ok(SideTable::Codes { columns: layout.cell_count(), codes })
            }
        }
    }

    /// The outcomes of a slice as they are stored, like men in ascending order; numbers that are no legal position are
    /// marked so.
    ///
    /// # Errors
    /// As of [`Table::side`].
    pub(super) fn codes(
        &self,
        layout: &Layout,
        slice: usize,
        turn: Color,
        threads: Threads,
    ) -> Result<Vec<Code>, TableError> {
        match self {
            Table::Plain(file) => file.codes(layout, slice, turn, threads),
            Table::Packed(packed, tables) => {
                packed.codes(layout, slice, turn, tables, Part::All, threads == Threads::One)
            }
        }
    }
}

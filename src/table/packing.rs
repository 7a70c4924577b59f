//! Packing the tables of a folder: those that are there plain, and those that have just been solved.

use super::effort::Stopwatch;
use super::error::TableError;
use super::estimate::MemoryNeeded;
use super::generate::{Efforts, Finished, Form, Generated, Generator, GeneratorWatch, in_units};
use super::leftovers;
use super::opened::Table;
use super::packed::{About, DISTANCES_EXTENSION, Level, Packer};
use super::store::Store;
use crate::geometry::Color;
use crate::index::{Layout, Material, SideTable, SolvedSlice};
use crate::oracle::ProbeError;
use crate::solve::Subtables;
use crate::statistics::Statistics;
use std::sync::Arc;

impl Generator {
    /// Clears away what killed runs have left unfinished in the folder, or puts it to use where it is whole.
    ///
    /// # Errors
    /// When the folder exists but cannot be read, or a file not be moved or removed.
    pub fn clear_leftovers(&self) -> Result<(), TableError> {
        leftovers::clear(&self.tablebase)
    }

    /// Removes the plain file that a killed run has left beside a packed table, once every byte of that is tested.
    ///
    /// # Errors
    /// When the packed table is damaged, or the plain file cannot be removed.
    pub fn remove_plain(&self, material: &Material, packed: &Table) -> Result<(), TableError> {
        leftovers::remove_plain(&self.tablebase, material, packed)
    }

    /// Keeps a sound table, or packs it if that is asked for and has not been done.
    pub(super) fn keep_or_pack(
        &self,
        material: &Material,
        table: &Table,
        form: Form,
        watch: &dyn GeneratorWatch,
    ) -> Result<Generated, TableError> {
        let level = match form {
            Form::Packed(level) if !table.is_packed() => level,
            _ => {
                leftovers::remove_plain(&self.tablebase, material, table)?;
                return Ok(Generated::Kept(Finished::of(table)?));
            }
        };
        let layout = Layout::new(self.tablebase.variant().clone(), material);
        watch.table_begins(&material.name(self.tablebase.variant()), layout.len(), MemoryNeeded::of(&layout).packing);
        watch.phase("packing");
        let whole = Stopwatch::start();
        match self.pack(material, table, level) {
            Ok(packed) => {
                let efforts = Efforts { writing: whole.spent(), ..Efforts::default() };
                Ok(Generated::Made { table: Finished::of(&packed)?, efforts })
            }
            Err(error @ TableError::Memory { .. }) => {
                Ok(Generated::Kept(Finished { left_plain: Some(error), ..Finished::of(table)? }))
            }
            Err(error) => Err(error),
        }
    }

    /// Packs a table, whichever form it has, and removes the plain file if there is one.
    ///
    /// # Errors
    /// [`TableError::Memory`] if that would take more than may be used; those of reading the table and what it converts
    /// into, and of writing.
    pub fn pack(&self, material: &Material, table: &Table, level: Level) -> Result<Table, TableError> {
        let variant = self.tablebase.variant();
        let layout = Layout::new(variant.clone(), material);
        let needed = MemoryNeeded::of(&layout);
        if needed.packing > self.memory {
            let (material, scratch_helps) = (material.name(variant), false);
            let [needed, available] = [needed.packing, self.memory].map(in_units);
            return Err(TableError::Memory { material, needed, available, scratch_helps });
        }
        self.pack_from(material, needed, &self.store, (table.checksums(), table.statistics()?), level)
    }

    /// Packs a table that is among `tables`, given its checksums and statistics.
    pub(super) fn pack_from(
        &self,
        material: &Material,
        needed: MemoryNeeded,
        tables: &dyn Subtables,
        about: (&[String], &Statistics),
        level: Level,
    ) -> Result<Table, TableError> {
        let variant = self.tablebase.variant();
        leftovers::check_places(&self.tablebase, material)?;
        let spare = self.memory - needed.packing;
        self.store.keep_at_most(spare);
        self.kernel.arena().keep_at_most(spare.min(needed.planes));
        let packer = Packer::new(variant, material, tables, level);
        let (checksums, statistics) = (about.0.to_vec(), Some(about.1.clone()));
        let about = About { checksums, statistics, ..About::of(variant, material) };
        let values = self.tablebase.packed_path_of(material);
        packer.pack(&packer.best_choice()?, &about, &values, &values.with_extension(DISTANCES_EXTENSION))?;
        leftovers::remove_plain_file(&self.tablebase, material)?;
        self.tablebase.open_table(material)
    }
}

/// A table that has just been solved, and all others.
pub(super) struct Solved<'a> {
    pub layout: &'a Arc<Layout>,
    pub slices: &'a [SolvedSlice],
    pub others: &'a Store,
}

impl Subtables for Solved<'_> {
    fn layout(&self, material: &Material) -> Result<Arc<Layout>, ProbeError> {
        if material == self.layout.material() { Ok(self.layout.clone()) } else { self.others.layout(material) }
    }

    fn side(&self, material: &Material, slice: usize, turn: Color) -> Result<Arc<SideTable>, ProbeError> {
        if material == self.layout.material()
            && let Some(side) = &self.slices[slice][turn.index()]
        {
            return Ok(side.clone());
        }
        self.others.side(material, slice, turn)
    }
}

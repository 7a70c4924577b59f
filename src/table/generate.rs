//! Filling a folder with tables: what is missing is solved after all that it needs, what is there is tested.

use super::error::TableError;
use super::format::Header;
use super::statistics::statistics_of;
use super::tablebase::Tablebase;
use super::writer::{TEMPORARY_PREFIX, write_table};
use crate::geometry::Variant;
use crate::index::{DenseTable, Layout, Material};
use crate::solve::{Kernel, Watch, solve};
use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Someone who wants to know how the generation of tables is getting on.
pub trait GeneratorWatch: Watch {
    /// A table is about to be made.
    fn table_begins(&self, _name: &str, _indices: usize, _memory: u64) {}
    /// The table being made has come to another phase.
    fn phase(&self, _phase: &'static str) {}
    /// A table is in place.
    fn table_done(&self, _name: &str, _generated: &Generated) {}
}

impl GeneratorWatch for () {}

/// What became of a material.
#[derive(Debug)]
pub enum Generated {
    /// A sound file was there.
    Kept(Header),
    /// The file was made, taking this long to solve and to write.
    Made { header: Header, path: PathBuf, solving: std::time::Duration, writing: std::time::Duration },
}

/// Makes tables in one folder. From the first table that it makes on, no other process can make tables there.
pub struct Generator {
    tablebase: Tablebase,
    kernel: Arc<Kernel>,
    level: i32,
    /// Bytes of memory that may be used.
    memory: u64,
    loaded: HashMap<Material, Arc<DenseTable>>,
    lock: Option<File>,
}

impl Generator {
    /// Prepares to make tables of a variant below the folder `tables`. Touches nothing yet.
    pub fn new(variant: Arc<Variant>, tables: &Path, level: i32, memory: u64) -> Generator {
        let kernel = Arc::new(Kernel::new(&variant));
        let tablebase = Tablebase::new(variant, tables);
        Generator { tablebase, kernel, level, memory, loaded: HashMap::new(), lock: None }
    }

    /// Makes sure that the folder is there and that no other process makes tables in it, and removes what killed
    /// runs have left unfinished.
    fn lock(&mut self) -> Result<(), TableError> {
        if self.lock.is_some() {
            return Ok(());
        }
        let folder = self.tablebase.folder();
        std::fs::create_dir_all(folder).map_err(|e| TableError::io("make the folder", folder, e))?;
        let lock_path = folder.join(".lock");
        let lock = File::create(&lock_path).map_err(|e| TableError::io("create", &lock_path, e))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(TableError::Busy(folder.to_path_buf())),
            Err(TryLockError::Error(e)) => return Err(TableError::io("lock", &lock_path, e)),
        }
        remove_unfinished(folder)?;
        self.lock = Some(lock);
        Ok(())
    }

    pub fn tablebase(&self) -> &Tablebase {
        &self.tablebase
    }

    /// Makes the tables of some materials and of all that they convert into, except those that are there and sound.
    /// A damaged table is replaced; a file that is none, or is of another version or game, is not.
    ///
    /// # Errors
    /// [`TableError::Busy`] if another process is at it, [`TableError::Unsupported`] for a file in the way, those of
    /// solving (too little memory) and of writing. Tables made before stay.
    pub fn generate(&mut self, materials: &[Material], watch: &dyn GeneratorWatch) -> Result<(), TableError> {
        let variant = self.tablebase.variant().clone();
        let order = generation_order(&variant, materials);
        for (at, material) in order.iter().enumerate() {
            let name = material.name(&variant);
            let mut sound = self.sound_file(material)?;
            if sound.is_none() && self.lock.is_none() {
                self.lock()?;
                // Another process may have made it until just now.
                sound = self.sound_file(material)?;
            }
            let done = match sound {
                Some(header) => Generated::Kept(header),
                None => self.make(material, watch)?,
            };
            watch.table_done(&name, &done);
            // What no later table needs goes.
            let later = &order[at + 1..];
            self.loaded.retain(|loaded, _| later.iter().any(|m| m.conversions(&variant).contains(loaded)));
        }
        Ok(())
    }

    /// The header of a material's file if all of the file is sound, none if it is missing or damaged.
    fn sound_file(&self, material: &Material) -> Result<Option<Header>, TableError> {
        let tested = self.tablebase.open_file(material).and_then(|(file, _)| {
            file.verify_checksums()?;
            Ok(file.header().clone())
        });
        match tested {
            Ok(header) => Ok(Some(header)),
            Err(TableError::Missing { .. } | TableError::Damaged { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn make(&mut self, material: &Material, watch: &dyn GeneratorWatch) -> Result<Generated, TableError> {
        let variant = self.tablebase.variant().clone();
        let name = material.name(&variant);
        let layout = Arc::new(Layout::new(variant.clone(), material));
        let needed = memory_needed(&layout);
        if needed > self.memory {
            let [needed, available] = [needed, self.memory].map(in_units);
            return Err(TableError::Memory { material: name, needed, available });
        }
        watch.table_begins(&name, layout.len(), needed);
        watch.phase("loading");
        let conversions = material.conversions(&variant);
        self.make_room(needed, &conversions);
        let mut subtables = vec![];
        for conversion in conversions {
            subtables.push(self.load(&conversion)?);
        }
        let begin = std::time::Instant::now();
        watch.phase("solving");
        let table = solve(&self.kernel, layout, subtables, watch)
            .map_err(|e| TableError::io("make working space for", self.tablebase.folder(), e))?;
        let solved = std::time::Instant::now();
        watch.phase("counting");
        let statistics = statistics_of(&table);
        watch.phase("writing");
        let (path, header) = write_table(&table, statistics, self.tablebase.folder(), self.level)?;
        self.loaded.insert(material.clone(), table);
        Ok(Generated::Made { header, path, solving: solved - begin, writing: solved.elapsed() })
    }

    /// Drops tables that are only kept for later until what is needed now fits.
    fn make_room(&mut self, needed: u64, conversions: &[Material]) {
        let mut spare: Vec<(u64, Material)> = self
            .loaded
            .iter()
            .filter(|(material, _)| !conversions.contains(material))
            .map(|(material, table)| (table_bytes(table.layout()), material.clone()))
            .collect();
        spare.sort();
        let mut total = needed + spare.iter().map(|(bytes, _)| bytes).sum::<u64>();
        while total > self.memory
            && let Some((bytes, material)) = spare.pop()
        {
            self.loaded.remove(&material);
            total -= bytes;
        }
    }

    fn load(&mut self, material: &Material) -> Result<Arc<DenseTable>, TableError> {
        if let Some(table) = self.loaded.get(material) {
            return Ok(table.clone());
        }
        let table = self.tablebase.decode(material, &self.kernel)?;
        self.loaded.insert(material.clone(), table.clone());
        Ok(table)
    }
}

/// Some materials and all that they convert into, without repetition, in the order in which [`Generator::generate`]
/// goes through them.
pub fn generation_order(variant: &Variant, materials: &[Material]) -> Vec<Material> {
    let mut order: Vec<Material> = vec![];
    for material in materials {
        for needed in material.with_dependencies(variant) {
            if !order.contains(&needed) {
                order.push(needed);
            }
        }
    }
    order
}

/// The bytes that a solved table takes.
fn table_bytes(layout: &Layout) -> u64 {
    let sides = if layout.material().is_symmetric() { 1 } else { 2 };
    // Two bytes a code; planes come to no more.
    2 * sides * layout.len() as u64
}

/// Roughly how many bytes of memory it takes to make a table, subtables included.
pub fn memory_needed(layout: &Layout) -> u64 {
    const PLANES: u64 = 18;
    const EVENT_BYTES: u64 = 32;
    let variant = layout.variant();
    let rows = |slice: usize| (layout.slice_len(slice) / layout.cell_count()) as u64;
    // Slices under way: at most one a thread, each with its planes for either side, and what captures and pawn moves
    // file away: a few events a row, or with pawns as many as there are distances.
    let largest = (0..layout.slices().len()).map(rows).max().unwrap_or(0);
    let at_once = layout.slices().len().min(rayon::current_num_threads()) as u64;
    let events = if layout.material().has_pawns(variant) { 24 } else { 4 };
    let under_way = at_once * largest * 2 * (PLANES * 16 + events * EVENT_BYTES);
    // A table is read in streams before it becomes codes.
    let subtables = layout.material().conversions(variant);
    let of_subtables: Vec<u64> = subtables.iter().map(|m| table_bytes(&Layout::new(variant.clone(), m))).collect();
    let reading = of_subtables.iter().max().copied().unwrap_or(0);
    table_bytes(layout) + under_way.max(reading) + of_subtables.iter().sum::<u64>() + (48 << 20)
}

/// A number of bytes for people.
fn in_units(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

/// Removes what killed runs have left behind. Only called under the folder's lock.
fn remove_unfinished(folder: &Path) -> Result<(), TableError> {
    let entries = std::fs::read_dir(folder).map_err(|e| TableError::io("read the folder", folder, e))?;
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX) {
            std::fs::remove_file(entry.path()).map_err(|e| TableError::io("remove", &entry.path(), e))?;
        }
    }
    Ok(())
}

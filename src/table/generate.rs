//! Filling a folder with tables: what is missing is solved after all that it needs, what is there is tested.
//!
//! Several processes may fill one folder: each table is made by the one that begins it first.

use super::effort::{Effort, Stopwatch};
use super::error::TableError;
use super::estimate::MemoryNeeded;
use super::leftovers;
use super::opened::Table;
use super::packed::Level;
use super::packing::Solved;
use super::store::Store;
use super::tablebase::Tablebase;
use super::writer::{DEFAULT_LEVEL, TableWriter};
use crate::geometry::Variant;
use crate::index::{Arena, Layout, Material, SolvedSlice};
use crate::solve::{Kernel, Watch, solve};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Someone who wants to know how the generation of tables is getting on.
pub trait GeneratorWatch: Watch {
    /// A table is about to be made.
    fn table_begins(&self, _name: &str, _indices: usize, _memory: u64) {}
    /// The table being made has come to another phase.
    fn phase(&self, _phase: &'static str) {}
    /// Nothing can be done until another process has made this table.
    fn waiting(&self, _name: &str) {}
    /// A table is in place.
    fn table_done(&self, _name: &str, _generated: &Generated) {}
}

impl GeneratorWatch for () {}

/// What became of a material.
#[derive(Debug)]
pub enum Generated {
    /// A sound table was there.
    Kept(Finished),
    /// It was made, or what was there packed.
    Made { table: Finished, efforts: Efforts },
}

/// A table that is in place.
#[derive(Debug)]
pub struct Finished {
    /// Legal positions with either side to move, symmetric ones included.
    pub positions: u64,
    /// Its file, or that of its values.
    pub path: PathBuf,
    pub bytes: u64,
    /// Why it could not be packed, if it was to be.
    pub left_plain: Option<TableError>,
}

impl Finished {
    pub(super) fn of(table: &Table) -> Result<Finished, TableError> {
        let statistics = table.statistics()?;
        let positions = statistics.w.legal + statistics.b.legal;
        Ok(Finished { positions, path: table.path().to_path_buf(), bytes: table.bytes(), left_plain: None })
    }
}

/// How tables are to be left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As they are solved, compressed by zstd at this level.
    Plain(i32),
    /// The same but for those of which a packed file is there, be it damaged or without its other half: packed.
    AsFound(i32),
    Packed(Level),
}

/// The level for tables that are packed at once.
const PASSING_LEVEL: i32 = 1;

/// What making a table has cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Efforts {
    /// To read the tables that it needs, where they were not in memory.
    pub loading: Effort,
    pub solving: Effort,
    /// To count, compress and write.
    pub writing: Effort,
}

/// How long to wait before looking again whether another process has made a table.
const WAIT: Duration = Duration::from_millis(250);

/// Makes tables in one folder.
pub struct Generator {
    pub(super) tablebase: Arc<Tablebase>,
    pub(super) kernel: Arc<Kernel>,
    form: Form,
    /// Bytes of memory that may be used.
    pub(super) memory: u64,
    pub(super) store: Store,
    /// Where planes go if not into memory.
    scratch: Option<PathBuf>,
}

/// How much of a file that is there is tested before it is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    Header,
    EveryByte,
}

impl Generator {
    /// Prepares to make tables of a variant below the folder `tables`. Touches nothing yet.
    pub fn new(variant: Arc<Variant>, tables: &Path, form: Form, memory: u64) -> Generator {
        let kernel = Arc::new(Kernel::new(&variant));
        let tablebase = Arc::new(Tablebase::new(variant, tables));
        let store = Store::new(tablebase.clone(), kernel.clone(), memory);
        Generator { tablebase, kernel, form, memory, store, scratch: None }
    }

    /// The same with planes in files of a folder, which vanish with the process, instead of in memory.
    pub fn with_scratch(self, folder: &Path) -> Generator {
        let variant = self.tablebase.variant();
        let kernel = Arc::new(Kernel::new(variant).with_arena(Arena::in_files(folder.to_path_buf(), 0)));
        let store = Store::new(self.tablebase.clone(), kernel.clone(), self.memory);
        Generator { kernel, store, scratch: Some(folder.to_path_buf()), ..self }
    }

    pub fn tablebase(&self) -> &Tablebase {
        &self.tablebase
    }

    /// Makes the tables of some materials and of all that they convert into, except those that are there and sound.
    /// A damaged table is replaced; a file that is none, or is of another version or game, is not. What another process
    /// is making is waited for. Of what is there, every byte is tested if it was asked for or a table to be made reads
    /// it, else the header.
    ///
    /// # Errors
    /// [`TableError::Unsupported`] for a file in the way, those of solving (too little memory) and of writing. Tables
    /// made before stay.
    pub fn generate(&mut self, materials: &[Material], watch: &dyn GeneratorWatch) -> Result<(), TableError> {
        let variant = self.tablebase.variant().clone();
        leftovers::clear(&self.tablebase)?;
        let mut open = generation_order(&variant, materials);
        let mut thorough: HashSet<Material> = materials.iter().cloned().collect();
        for material in &open {
            if self.sound_table(material, Test::Header)?.is_none() {
                thorough.extend(material.conversions(&variant));
            }
        }
        while !open.is_empty() {
            let mut left: Vec<Material> = vec![];
            for at in 0..open.len() {
                let material = &open[at];
                // What a process makes elsewhere holds up those that need it, but no others.
                if material.conversions(&variant).iter().any(|needed| left.contains(needed)) {
                    left.push(material.clone());
                    continue;
                }
                let test = if thorough.contains(material) { Test::EveryByte } else { Test::Header };
                match self.keep_or_make(material, test, &open[at + 1..], watch) {
                    Ok(done) => watch.table_done(&material.name(&variant), &done),
                    Err(TableError::Busy { .. }) => left.push(material.clone()),
                    Err(error) => return Err(error),
                }
            }
            if left.len() == open.len() {
                watch.waiting(&left[0].name(&variant));
                std::thread::sleep(WAIT);
            }
            open = left;
        }
        Ok(())
    }

    /// A material's table if what is tested of it is sound, none if it is missing or damaged, or its distances are.
    fn sound_table(&self, material: &Material, test: Test) -> Result<Option<Table>, TableError> {
        let tested = self.tablebase.open_table(material).and_then(|table| {
            table.statistics()?;
            if test == Test::EveryByte {
                table.verify_checksums()?;
            }
            Ok(table)
        });
        match tested {
            Ok(table) => Ok(Some(table)),
            Err(TableError::Missing { .. } | TableError::Damaged { .. } | TableError::Parted { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// A material's table, packed or plain, once every byte of it has been tested. What is packed of it and damaged is
    /// removed if a plain one is there and sound.
    ///
    /// # Errors
    /// Those of opening the table, and of what is wrong with it.
    pub fn tested_table(&self, material: &Material) -> Result<Table, TableError> {
        let table = self.tablebase.open_table(material)?;
        let tested = table.statistics().and_then(|_| table.verify_checksums());
        match tested {
            Ok(()) => Ok(table),
            Err(error @ (TableError::Damaged { .. } | TableError::Parted { .. })) => {
                self.sound_plain(material)?.ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    /// A material's plain table if every byte of it is sound. What is packed of it must be damaged, and is removed then.
    fn sound_plain(&self, material: &Material) -> Result<Option<Table>, TableError> {
        match self.tablebase.open_plain(material) {
            Ok(Some(plain)) if plain.verify_checksums().is_ok() => {
                leftovers::remove_packed(&self.tablebase, material)?;
                Ok(Some(plain))
            }
            _ => Ok(None),
        }
    }

    /// How a material's table is to be left, by what is there of it.
    fn form_of(&self, material: &Material) -> Form {
        match self.form {
            Form::AsFound(_) if leftovers::has_packed(&self.tablebase, material) => Form::Packed(Level::Usual),
            Form::AsFound(level) => Form::Plain(level),
            other => other,
        }
    }

    /// Refuses a table for which there is not enough memory or room for scratch files.
    ///
    /// # Errors
    /// [`TableError::Memory`] and [`TableError::Scratch`], and what the system refuses to do in the scratch folder.
    pub fn check_room(&self, material: &str, needed: MemoryNeeded) -> Result<(), TableError> {
        let in_scratch = self.scratch.is_some();
        let scratch_helps = !in_scratch && needed.besides <= self.memory;
        let in_memory = if in_scratch { needed.besides } else { needed.total() };
        if in_memory > self.memory {
            let [needed, available] = [in_memory, self.memory].map(in_units);
            return Err(TableError::Memory { material: material.to_string(), needed, available, scratch_helps });
        }
        if let Some(folder) = &self.scratch {
            let unusable = |e| TableError::io("use the scratch folder", folder, e);
            let available = free_bytes(folder).map_err(unusable)?;
            if needed.in_planes() > available {
                let [needed, available] = [needed.in_planes(), available].map(in_units);
                let (material, folder) = (material.to_string(), folder.clone());
                return Err(TableError::Scratch { material, folder, needed, available });
            }
            tempfile::tempfile_in(folder).map_err(unusable)?;
        }
        Ok(())
    }

    /// Sees to it that a material's table is there; `later` are those that will be seen to after it.
    fn keep_or_make(
        &mut self,
        material: &Material,
        test: Test,
        later: &[Material],
        watch: &dyn GeneratorWatch,
    ) -> Result<Generated, TableError> {
        let form = self.form_of(material);
        let mut found = self.sound_table(material, test)?;
        if found.is_none() {
            found = self.sound_plain(material)?;
        }
        if let Some(table) = found {
            return self.keep_or_pack(material, &table, form, watch);
        }
        let variant = self.tablebase.variant().clone();
        let name = material.name(&variant);
        let layout = Arc::new(Layout::new(variant.clone(), material));
        let needed = MemoryNeeded::of(&layout);
        self.check_room(&name, needed)?;
        let folder = self.tablebase.folder();
        std::fs::create_dir_all(folder).map_err(|e| TableError::io("make the folder", folder, e))?;
        // In scratch files there is no point in keeping more than is looked up together.
        let spare = match self.scratch {
            None => self.memory - needed.planes - needed.besides,
            Some(_) => needed.subtables,
        };
        let fits = needed.table + needed.subtables <= spare;
        // What is packed at once needs no plain file if all of it can be kept until then.
        let level = match form {
            Form::Plain(level) | Form::AsFound(level) => Some(level),
            // It will be left plain: the same bytes as if that had been asked for.
            Form::Packed(_) if needed.packing > self.memory => Some(DEFAULT_LEVEL),
            Form::Packed(_) if fits => None,
            Form::Packed(_) => Some(PASSING_LEVEL),
        };
        if let Form::Packed(_) = form {
            leftovers::check_places(&self.tablebase, material)?;
        }
        let mut writer = TableWriter::begin(layout.clone(), folder, level)?;
        // Another process may have made it until just now.
        if let Some(table) = self.sound_table(material, test)? {
            return Ok(Generated::Kept(Finished::of(&table)?));
        }
        watch.table_begins(&name, layout.len(), needed.total());
        watch.phase("solving");
        // What is needed again soon is kept in memory if that leaves room for its own subtables.
        let keep = fits && later.iter().any(|m| m.conversions(&variant).contains(material));
        let spare = if keep || level.is_none() { spare - needed.table } else { spare };
        // The arena hands out planes that may be larger than asked for.
        self.store.keep_at_most(spare - spare / 12);
        self.kernel.arena().keep_at_most(needed.planes);
        let mut kept: Vec<SolvedSlice> = vec![];
        let whole = Stopwatch::start();
        let mut efforts = Efforts::default();
        self.store.take_loading();
        let take = |slice: usize, sides: &SolvedSlice| -> Result<(), TableError> {
            let stopwatch = Stopwatch::start();
            watch.phase("writing");
            writer.add(slice, sides)?;
            if keep || level.is_none() {
                kept.push(sides.clone());
            }
            watch.phase("solving");
            efforts.writing += stopwatch.spent();
            Ok(())
        };
        solve(&self.kernel, &layout, &self.store, watch, take)?;
        efforts.loading = self.store.take_loading();
        efforts.solving = whole.spent() - efforts.writing - efforts.loading;
        let stopwatch = Stopwatch::start();
        let (mut table, mut left_plain) = (None, None);
        match (level, form) {
            (None, Form::Packed(level)) => {
                watch.phase("packing");
                let counted = writer.counted();
                let solved = Solved { layout: &layout, slices: &kept, others: &self.store };
                let about = (&counted.checksums[..], &counted.statistics);
                table = Some(self.pack_from(material, needed, &solved, about, level)?);
            }
            _ => {
                drop(writer.finish()?);
                // What is there of it is damaged, and in the way of the new one.
                leftovers::remove_packed(&self.tablebase, material)?;
            }
        }
        self.store.forget(material);
        if keep {
            for (slice, sides) in kept.iter().enumerate() {
                self.store.keep(material, slice, sides)?;
            }
        }
        drop(kept);
        let mut table = match table {
            Some(table) => table,
            None => self.tablebase.open_table(material)?,
        };
        if let Form::Packed(level) = form
            && !table.is_packed()
        {
            watch.phase("packing");
            match self.pack(material, &table, level) {
                Ok(packed) => table = packed,
                Err(error @ TableError::Memory { .. }) => left_plain = Some(error),
                Err(error) => return Err(error),
            }
        }
        efforts.writing += stopwatch.spent();
        Ok(Generated::Made { table: Finished { left_plain, ..Finished::of(&table)? }, efforts })
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

/// A number of bytes for people.
pub(super) fn in_units(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

/// The bytes that a user may still fill on the disk of a folder.
#[cfg(target_os = "linux")]
fn free_bytes(folder: &Path) -> std::io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail * disk.f_frsize)
}

/// Elsewhere a disk that is too small is noticed when a file is made.
#[cfg(not(target_os = "linux"))]
fn free_bytes(folder: &Path) -> std::io::Result<u64> {
    std::fs::metadata(folder).map(|_| u64::MAX)
}

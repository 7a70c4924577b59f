//! The tables that a solve looks up: slices read from files when they are needed, or kept since they were solved, as
//! long as memory allows.

use super::effort::{Effort, Stopwatch};
use super::error::TableError;
use super::opened::Table;
use super::packed::Part;
use super::slice_cache::{HasBytes, SliceCache, slice_cache};
use super::tablebase::Tablebase;
use crate::geometry::Color;
use crate::index::{Layout, Material, SideTable, SolvedSlice};
use crate::oracle::ProbeError;
use crate::solve::{Kernel, Subtables};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// Slices of finished tables, ready to be looked up.
pub struct Store {
    tablebase: Arc<Tablebase>,
    kernel: Arc<Kernel>,
    open: Mutex<HashMap<Material, Arc<Known>>>,
    sides: SliceCache<SideTable>,
    loading: Mutex<Effort>,
    /// How many tables have been opened: a number is not used twice.
    opened: AtomicU32,
    /// What is read of tables.
    part: Part,
}

/// A material whose table is there.
struct Known {
    /// Tells the tables apart in the cache.
    number: u32,
    layout: Arc<Layout>,
    file: Table,
}

impl HasBytes for SideTable {
    fn bytes(&self) -> usize {
        SideTable::bytes(self)
    }
}

impl Store {
    /// A store over a folder of tables that keeps up to `bytes` of slices besides those in use.
    pub fn new(tablebase: Arc<Tablebase>, kernel: Arc<Kernel>, bytes: u64) -> Store {
        let sides = slice_cache(bytes);
        Store {
            tablebase,
            kernel,
            open: Mutex::default(),
            sides,
            loading: Mutex::default(),
            opened: AtomicU32::new(0),
            part: Part::All,
        }
    }

    /// The same for those who need no distances: what is read for them takes less time.
    pub fn of_values(self) -> Store {
        Store { part: Part::Values, ..self }
    }

    /// Keeps no more than this from now on.
    pub fn keep_at_most(&self, bytes: u64) {
        self.sides.set_capacity(bytes);
    }

    /// Keeps a slice of a table whose file is finished, so that it need not be read.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn keep(&self, material: &Material, slice: usize, sides: &SolvedSlice) -> Result<(), TableError> {
        let known = self.known(material)?;
        for (turn, side) in sides.iter().enumerate() {
            if let Some(side) = side {
                self.sides.insert((known.number, slice as u32, turn as u8), side.clone());
            }
        }
        Ok(())
    }

    /// Opens a table afresh when it is asked for again.
    pub fn forget(&self, material: &Material) {
        self.open.lock().unwrap_or_else(|e| e.into_inner()).remove(material);
    }

    /// What reading tables has cost since this was last asked.
    pub fn take_loading(&self) -> Effort {
        std::mem::take(&mut *self.loading.lock().unwrap_or_else(|e| e.into_inner()))
    }

    fn known(&self, material: &Material) -> Result<Arc<Known>, TableError> {
        let mut open = self.open.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(known) = open.get(material) {
            return Ok(known.clone());
        }
        let (file, layout) = self.tablebase.open_file(material)?;
        let known = Arc::new(Known { number: self.opened.fetch_add(1, Ordering::Relaxed), layout, file });
        open.insert(material.clone(), known.clone());
        Ok(known)
    }
}

impl Subtables for Store {
    fn layout(&self, material: &Material) -> Result<Arc<Layout>, ProbeError> {
        Ok(self.known(material)?.layout.clone())
    }

    fn side(&self, material: &Material, slice: usize, turn: Color) -> Result<Arc<SideTable>, ProbeError> {
        let known = self.known(material)?;
        let key = (known.number, slice as u32, turn.index() as u8);
        if let Some(side) = self.sides.get(&key) {
            return Ok(side);
        }
        let stopwatch = Stopwatch::start();
        let side = Arc::new(known.file.side(&self.kernel, &known.layout, slice, turn, self.part)?);
        self.sides.insert(key, side.clone());
        *self.loading.lock().unwrap_or_else(|e| e.into_inner()) += stopwatch.spent();
        Ok(side)
    }
}

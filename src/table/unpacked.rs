//! Tables unpacked into memory as they are stored, slice by slice as they are asked for, for questions by the million.
//!
//! Nothing is added to what the files say, and nothing of the solver is used: this is what checks ask.

use super::error::TableError;
use super::opened::{Table, Threads};
use super::slice_cache::{SliceCache, SliceKey, slice_cache};
use super::tablebase::Tablebase;
use crate::geometry::{Color, Variant};
use crate::index::{Code, Layout, MOST_MEN, Material, MaterialKey, Place, SideTable};
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::Outcome;
use crate::position::Position;
use crate::probe::{self, Placements};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Some tables of a folder, all blocks tested when they are unpacked: two bytes an entry.
pub struct UnpackedTables {
    variant: Arc<Variant>,
    tables: Vec<Unpacked>,
    /// The keys of both orders of sides with the number of the table, sorted.
    keys: Vec<(MaterialKey, usize, bool)>,
    codes: SliceCache<SideTable>,
}

struct Unpacked {
    /// Tells the tables apart in the cache.
    number: u32,
    material: Material,
    layout: Arc<Layout>,
    file: Table,
}

/// How many tables have been opened, by all there are: a number is not used twice.
static OPENED: AtomicU32 = AtomicU32::new(0);

/// Slices that a thread remembers.
const RECENT: usize = 8;

/// A slice with its key.
type Remembered = Option<(SliceKey, Arc<SideTable>)>;

thread_local! {
    /// What the thread asked for last. The cache is shared, and asking it would cost more than all else of an answer.
    static RECENTLY: RefCell<[Remembered; RECENT]> = const { RefCell::new([const { None }; RECENT]) };
}

impl UnpackedTables {
    /// No tables yet; up to `bytes` of slices will be kept unpacked.
    pub fn new(variant: Arc<Variant>, bytes: u64) -> UnpackedTables {
        UnpackedTables { variant, tables: vec![], keys: vec![], codes: slice_cache(bytes) }
    }

    /// Keeps no more than this unpacked from now on.
    pub fn keep_at_most(&self, bytes: u64) {
        self.codes.set_capacity(bytes);
    }

    /// Opens the tables of some materials and closes all others.
    ///
    /// # Errors
    /// When a table is missing or its header damaged.
    pub fn hold(&mut self, tablebase: &Tablebase, materials: &[Material]) -> Result<(), TableError> {
        let (kept, gone): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.tables).into_iter().partition(|table| materials.contains(&table.material));
        self.tables = kept;
        self.codes.retain(|(number, ..), _| gone.iter().all(|table| table.number != *number));
        for material in materials {
            if self.tables.iter().any(|table| table.material == *material) {
                continue;
            }
            let (file, layout) = tablebase.open_file(material)?;
            let number = OPENED.fetch_add(1, Ordering::Relaxed);
            self.tables.push(Unpacked { number, material: material.clone(), layout, file });
        }
        let variant = &self.variant;
        let keys = self.tables.iter().enumerate().flat_map(|(number, table)| {
            [false, true].map(|swapped| (MaterialKey::of_material(variant, &table.material, swapped), number, swapped))
        });
        self.keys = keys.collect();
        self.keys.sort();
        Ok(())
    }

    /// The numbering of the positions of a table that is held.
    ///
    /// # Errors
    /// When it is not held.
    pub fn layout(&self, material: &Material) -> Result<Arc<Layout>, ProbeError> {
        Ok(self.held(material)?.layout.clone())
    }

    /// The outcomes of a slice with one side to move, which must be stored: like men in ascending order, numbers that
    /// are no legal position marked so. Unpacks it on all threads if it is not there.
    ///
    /// # Errors
    /// When the table is not held or damaged.
    pub fn side(&self, material: &Material, slice: usize, turn: Color) -> Result<Arc<SideTable>, ProbeError> {
        let table = self.held(material)?;
        let key = (table.number, slice as u32, turn.index() as u8);
        if let Some(side) = self.codes.get(&key) {
            return Ok(side);
        }
        let side = Arc::new(table.unpack(slice, turn, Threads::All)?);
        self.codes.insert(key, side.clone());
        Ok(side)
    }

    fn held(&self, material: &Material) -> Result<&Unpacked, ProbeError> {
        let held = self.tables.iter().find(|table| table.material == *material);
        held.ok_or_else(|| missing(&self.variant, material))
    }
}

impl Placements for UnpackedTables {
    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn placement_outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let key = MaterialKey::of(&self.variant, position);
        // A material of equal sides has one key twice; the order of its sides does not matter then.
        let Ok(at) = self.keys.binary_search_by_key(&key, |entry| entry.0) else {
            return Err(missing(&self.variant, &Material::of(&self.variant, position).0));
        };
        let (_, number, swapped) = self.keys[at];
        let table = &self.tables[number];
        let (turn, place) = probe::locate(&table.layout, position, swapped);
        let place = table.layout.ascending(place);
        let key = (table.number, place.slice as u32, turn.index() as u8);
        let code = self.code(table, key, place)?;
        code.outcome().ok_or_else(|| ProbeError::Damaged {
            file: table.file.path().display().to_string(),
            part: format!("index {} of slice {}", place.index, place.slice),
            expected: "an outcome".into(),
            found: "none".into(),
        })
    }
}

impl UnpackedTables {
    fn code(&self, table: &Unpacked, key: SliceKey, place: Place) -> Result<Code, ProbeError> {
        let slot = (key.0 as usize * 2 + key.2 as usize + key.1 as usize * 5) % RECENT;
        let n = table.layout.cell_count();
        let at = |side: &SideTable| side.code(place.index / n, place.index % n);
        let known = RECENTLY.with_borrow(|recent| match &recent[slot] {
            Some((known, side)) if *known == key => Some(at(side)),
            _ => None,
        });
        if let Some(code) = known {
            return Ok(code);
        }
        let turn = Color::BOTH[key.2 as usize];
        // Whoever asks first unpacks; the others wait for it.
        let unpack = || table.unpack(place.slice, turn, Threads::One).map(Arc::new);
        let side = self.codes.get_or_insert_with(&key, unpack)?;
        let code = at(&side);
        RECENTLY.with_borrow_mut(|recent| recent[slot] = Some((key, side)));
        Ok(code)
    }
}

impl Unpacked {
    fn unpack(&self, slice: usize, turn: Color, threads: Threads) -> Result<SideTable, TableError> {
        let codes = self.file.codes(&self.layout, slice, turn, threads)?;
        Ok(SideTable::Codes { columns: self.layout.cell_count(), codes })
    }
}

fn missing(variant: &Variant, material: &Material) -> ProbeError {
    let (name, men) = (material.name(variant), material.men());
    match men > MOST_MEN {
        true => ProbeError::TooManyMen { material: name, men, most: MOST_MEN },
        false => ProbeError::Missing { file: format!("the unpacked table of {name}"), material: name },
    }
}

impl Oracle for UnpackedTables {
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        probe::with_en_passant(self, position)
    }
}

//! Tables unpacked into memory as they are stored, slice by slice as they are asked for, for questions by the million.
//!
//! Nothing is added to what the files say, and nothing of the solver is used: this is what checks ask.

use super::error::TableError;
use super::opened::Table;
use super::slice_cache::{HasBytes, SliceCache, SliceKey, slice_cache};
use super::tablebase::Tablebase;
use crate::geometry::{Color, Variant};
use crate::index::{Code, Layout, MOST_MEN, Material, MaterialKey, Place};
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
    codes: SliceCache<Vec<Code>>,
}

struct Unpacked {
    /// Tells the tables apart in the cache.
    number: u32,
    material: Material,
    layout: Arc<Layout>,
    file: Table,
}

impl HasBytes for Vec<Code> {
    fn bytes(&self) -> usize {
        size_of_val(&self[..])
    }
}

/// How many tables have been opened, by all there are: a number is not used twice.
static OPENED: AtomicU32 = AtomicU32::new(0);

/// Slices that a thread remembers.
const RECENT: usize = 8;

/// A slice with its key.
type Remembered = Option<(SliceKey, Arc<Vec<Code>>)>;

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
}

impl Placements for UnpackedTables {
    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn placement_outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let key = MaterialKey::of(&self.variant, position);
        // A material of equal sides has one key twice; the order of its sides does not matter then.
        let Ok(at) = self.keys.binary_search_by_key(&key, |entry| entry.0) else {
            return Err(missing(&self.variant, position));
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
        let known = RECENTLY.with_borrow(|recent| match &recent[slot] {
            Some((known, codes)) if *known == key => Some(codes[place.index]),
            _ => None,
        });
        if let Some(code) = known {
            return Ok(code);
        }
        let turn = Color::BOTH[key.2 as usize];
        // Whoever asks first unpacks; the others wait for it.
        let unpack = || table.file.codes(&table.layout, place.slice, turn).map(Arc::new);
        let codes = self.codes.get_or_insert_with(&key, unpack)?;
        let code = codes[place.index];
        RECENTLY.with_borrow_mut(|recent| recent[slot] = Some((key, codes)));
        Ok(code)
    }
}

fn missing(variant: &Variant, position: &Position) -> ProbeError {
    let material = Material::of(variant, position).0;
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

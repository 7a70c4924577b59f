//! A folder of tables as one tablebase: opened on demand, answers from any thread.

use super::EXTENSION;
use super::error::TableError;
use super::folder::is_there;
use super::format::Stream;
use super::opened::Table;
use super::packed::{PackedTable, VALUES_EXTENSION};
use super::reader::TableFile;
use super::row_cache::RowCache;
use crate::coding::terrain::Terrain;
use crate::geometry::{Cell, Color, Variant};
use crate::index::{Layout, MOST_MEN, Material, MaterialKey};
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::{Outcome, Value};
use crate::position::{Move, Position};
use crate::probe::{self, Placements};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, RwLock};

/// Bytes of unpacked blocks and rows that are kept for the next questions, if nothing else is said.
const CACHE_BYTES: u64 = 256 << 20;

/// The tables of one variant in a folder.
///
/// Tables are opened when they are first asked for, and stay open. All methods may be called from any thread; a clone
/// shares all with what it was made from.
#[derive(Clone)]
pub struct Tablebase {
    shared: Arc<Shared>,
}

struct Shared {
    variant: Arc<Variant>,
    folder: PathBuf,
    terrain: OnceLock<Arc<Terrain>>,
    /// With each table, whether White has the second side of the material's name.
    open: RwLock<HashMap<MaterialKey, (Arc<Opened>, bool)>>,
    blocks: BlockCache,
    rows: RowCache,
}

/// A table with its numbering.
struct Opened {
    /// Tells the tables apart in the cache.
    number: u32,
    kind: OpenedKind,
}

enum OpenedKind {
    Plain(Box<TableFile>, Arc<Layout>),
    Packed(Box<PackedTable>),
}

type BlockCache = quick_cache::sync::Cache<(u32, u32), Arc<Vec<u8>>, BlockBytes>;

/// Blocks weigh what they hold.
#[derive(Clone)]
struct BlockBytes;

impl quick_cache::Weighter<(u32, u32), Arc<Vec<u8>>> for BlockBytes {
    fn weight(&self, _: &(u32, u32), block: &Arc<Vec<u8>>) -> u64 {
        block.len() as u64
    }
}

impl Tablebase {
    /// The tables of a variant below `tables`, in the folder of the variant's name. Nothing is opened yet, and the
    /// folder need not exist.
    pub fn new(variant: Arc<Variant>, tables: &Path) -> Tablebase {
        Tablebase::with_cache(variant, tables, CACHE_BYTES)
    }

    /// The same, keeping up to `bytes` of what has been unpacked for the next questions.
    pub fn with_cache(variant: Arc<Variant>, tables: &Path, bytes: u64) -> Tablebase {
        let folder = tables.join(variant.name());
        let blocks = BlockCache::with_weighter(8192, bytes, BlockBytes);
        let rows = RowCache::new(bytes);
        Tablebase {
            shared: Arc::new(Shared {
                variant,
                folder,
                terrain: OnceLock::new(),
                open: RwLock::default(),
                blocks,
                rows,
            }),
        }
    }

    pub fn variant(&self) -> &Arc<Variant> {
        &self.shared.variant
    }

    /// What packed tables share.
    pub(super) fn terrain(&self) -> &Arc<Terrain> {
        self.shared.terrain.get_or_init(|| Arc::new(Terrain::new(self.variant())))
    }

    /// The folder of the variant's tables.
    pub fn folder(&self) -> &Path {
        &self.shared.folder
    }

    /// The path that a material's file has or would have if it is not packed.
    pub fn path_of(&self, material: &Material) -> PathBuf {
        self.folder().join(format!("{}.{EXTENSION}", material.name(self.variant())))
    }

    /// The path that a material's file of values has or would have if it is packed.
    pub fn packed_path_of(&self, material: &Material) -> PathBuf {
        self.path_of(material).with_extension(VALUES_EXTENSION)
    }

    /// Opens a material's table afresh, testing what comes before its body: packed if it is there in both forms, unless
    /// what is packed is not whole or found to be of no use.
    ///
    /// # Errors
    /// [`TableError::Missing`] if there is no such file, else those of [`TableFile::open_for`] and
    /// [`PackedTable::open`].
    pub fn open_table(&self, material: &Material) -> Result<Table, TableError> {
        let values = self.packed_path_of(material);
        if !is_there(&values) {
            let missing = || TableError::Missing { material: material.name(self.variant()), file: values };
            return self.open_plain(material)?.ok_or_else(missing);
        }
        let packed = PackedTable::open(&values, self.terrain(), material);
        let whole = packed.as_ref().is_ok_and(|table| table.distances().is_ok());
        match (packed, self.open_plain(material)) {
            // What is packed but not whole is of use if nothing else is.
            (Ok(table), plain) if whole || !matches!(plain, Ok(Some(_))) => {
                Ok(Table::Packed(Box::new(table), self.clone()))
            }
            (_, Ok(Some(plain))) => Ok(plain),
            (Ok(table), _) => Ok(Table::Packed(Box::new(table), self.clone())),
            (Err(error), _) => Err(error),
        }
    }

    /// The same of its plain file, whatever else there is; none if that is not there.
    ///
    /// # Errors
    /// Those of [`TableFile::open_for`].
    pub fn open_plain(&self, material: &Material) -> Result<Option<Table>, TableError> {
        let plain = self.path_of(material);
        match is_there(&plain) {
            true => Ok(Some(Table::Plain(Box::new(TableFile::open_for(&plain, &self.layout(material))?)))),
            false => Ok(None),
        }
    }

    /// The same with the numbering of the material's positions.
    ///
    /// # Errors
    /// As of [`Tablebase::open_table`].
    pub fn open_file(&self, material: &Material) -> Result<(Table, Arc<Layout>), TableError> {
        Ok((self.open_table(material)?, self.layout(material)))
    }

    fn layout(&self, material: &Material) -> Arc<Layout> {
        Arc::new(Layout::new(self.variant().clone(), material))
    }

    /// Opens all tables of the folder at once, so that no question has to; those that cannot be used are left out.
    ///
    /// # Errors
    /// When the folder exists but cannot be read.
    pub fn open_all(&self) -> Result<usize, TableError> {
        let mut count = 0;
        for entry in self.entries()? {
            let Ok(table) = entry.table else { continue };
            let material = Material::parse(self.variant(), table.material());
            let Ok(material) = material else { continue };
            self.insert(&material, table);
            count += 1;
        }
        Ok(count)
    }

    /// Keeps a table open, for both orders of its sides.
    fn insert(&self, material: &Material, table: Table) {
        let kind = match table {
            Table::Plain(file) => OpenedKind::Plain(file, self.layout(material)),
            Table::Packed(packed, _) => OpenedKind::Packed(packed),
        };
        let mut open = self.shared.open.write().unwrap_or_else(|e| e.into_inner());
        let opened = Arc::new(Opened { number: open.len() as u32, kind });
        for swapped in [true, false] {
            // One key twice if the sides are equal; their order does not matter then.
            let key = MaterialKey::of_material(self.variant(), material, swapped);
            open.entry(key).or_insert_with(|| (opened.clone(), swapped));
        }
    }

    fn opened(&self, position: &Position) -> Result<(Arc<Opened>, bool), ProbeError> {
        let men = position.occupied().len();
        if men > MOST_MEN {
            let material = Material::of(self.variant(), position).0.name(self.variant());
            return Err(ProbeError::TooManyMen { material, men, most: MOST_MEN });
        }
        let key = MaterialKey::of(self.variant(), position);
        let known = || self.shared.open.read().unwrap_or_else(|e| e.into_inner()).get(&key).cloned();
        if let Some(opened) = known() {
            return Ok(opened);
        }
        let (material, _) = Material::of(self.variant(), position);
        self.insert(&material, self.open_table(&material)?);
        Ok(known().expect("it has been put in, and nothing is taken out"))
    }

    fn block(&self, opened: &Opened, file: &TableFile, block: usize) -> Result<Arc<Vec<u8>>, TableError> {
        let key = (opened.number, block as u32);
        self.shared.blocks.get_or_insert_with(&key, || file.read_block(block).map(Arc::new))
    }

    /// The value of a legal position, a right to capture en passant taken into account: quicker than its outcome, and
    /// needs no files of distances.
    ///
    /// # Errors
    /// When its table, or one that captures and promotions lead to, is missing or damaged.
    pub fn probe_value(&self, position: &Position) -> Result<Value, ProbeError> {
        probe::with_en_passant(self, position)
    }

    /// The outcome of a legal position: its value and its distance in plies.
    ///
    /// # Errors
    /// As of [`Tablebase::probe_value`].
    pub fn probe_distance(&self, position: &Position) -> Result<Outcome, ProbeError> {
        probe::with_en_passant(self, position)
    }

    /// Puts into `moves` the legal moves of a position that keep what it is worth at no loss of speed: the best ones.
    /// None if the game is over.
    ///
    /// # Errors
    /// As of [`Tablebase::probe_value`], for the positions after the moves.
    pub fn best_moves(&self, position: &Position, moves: &mut Vec<Move>) -> Result<(), ProbeError> {
        position.legal_moves_into(self.variant(), moves);
        let mut best: Option<Outcome> = None;
        let mut kept = 0;
        for at in 0..moves.len() {
            let mv = moves[at];
            let outcome = self.probe_distance(&position.after(self.variant(), &mv))?.one_ply_earlier();
            if best.is_none_or(|best| outcome > best) {
                (best, kept) = (Some(outcome), 0);
            }
            if best == Some(outcome) {
                moves[kept] = mv;
                kept += 1;
            }
        }
        moves.truncate(kept);
        Ok(())
    }

    /// The value that is stored of a position in a packed table.
    fn stored_value(&self, opened: &Opened, table: &PackedTable, at: At) -> Result<Value, TableError> {
        let rows = &self.shared.rows;
        if !rows.keeps() {
            return table.value(at.turn, at.row, at.column);
        }
        let key = at.key(opened.number);
        if let Some(value) = rows.value(key, at.column) {
            return Ok(value);
        }
        let values = table.value_row(at.turn, at.row)?;
        rows.keep_values(key, &values);
        table.value_in(&values, at.column)
    }

    /// The outcome that is stored of a position in a packed table; none if its value is less than `least`.
    fn stored_outcome(
        &self,
        opened: &Opened,
        table: &PackedTable,
        at: At,
        least: Value,
    ) -> Result<Option<Outcome>, TableError> {
        let rows = &self.shared.rows;
        if !rows.keeps() {
            return table.outcome(at.turn, at.row, at.column, least);
        }
        let key = at.key(opened.number);
        if let Some(value) = rows.value(key, at.column) {
            if value < least {
                return Ok(None);
            }
            if value == Value::Draw {
                return Ok(Some(Outcome::DRAW));
            }
            if let Some(moves) = rows.distance(key, at.column) {
                return table.outcome_of(value, moves).map(Some);
            }
        }
        let (values, distances) = table.row(at.turn, at.row)?;
        rows.keep_values(key, &values);
        rows.keep_distances(key, &distances);
        let outcome = table.outcome_in(&values, &distances, at.column)?;
        Ok(Some(outcome).filter(|outcome| outcome.value() >= least))
    }
}

/// A position's place in a packed table.
#[derive(Clone, Copy)]
struct At {
    turn: Color,
    row: usize,
    column: Cell,
}

impl At {
    fn of(table: &PackedTable, position: &Position, swapped: bool) -> At {
        let (turn, row, column) = table.arrangement().locate(position, swapped);
        At { turn, row, column }
    }

    /// The row's key among those of all tables: there are fewer than 2^16 tables, and of 2^46 rows in each.
    fn key(&self, table: u32) -> u64 {
        u64::from(table) << 48 | (self.row as u64) << 1 | self.turn.index() as u64 | 1 << 47
    }
}

impl Placements for Tablebase {
    fn variant(&self) -> &Variant {
        &self.shared.variant
    }

    fn placement_outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let (opened, swapped) = self.opened(position)?;
        let (file, layout) = match &opened.kind {
            OpenedKind::Plain(file, layout) => (file, layout),
            OpenedKind::Packed(table) => {
                let at = At::of(table, position, swapped);
                if !table.needs_conversions(at.turn) {
                    return Ok(self.stored_outcome(&opened, table, at, Value::Loss)?.expect("nothing is less"));
                }
                // Values are quicker to find, and tell whose distances have to be.
                let converted = probe::best_conversion(self, position)?;
                let least = converted.unwrap_or(Value::Loss);
                let stored = self.stored_outcome(&opened, table, at, least)?;
                let longer = |stored: Outcome| stored.value() > least || least == Value::Draw;
                return match stored {
                    Some(stored) if converted.is_none() || longer(stored) => Ok(stored),
                    _ => Ok(stored.max(probe::best_conversion_from(self, position, least)?).expect("there is one")),
                };
            }
        };
        let (turn, place) = probe::locate(layout, position, swapped);
        let number = layout.number(layout.ascending(place)) as u64;
        let (block, at) = file.find(turn, Stream::Values, number);
        let value = self.block(&opened, file, block)?[at];
        if value == Value::Draw as u8 {
            return Ok(Outcome::DRAW);
        }
        let (block, at) = file.find(turn, Stream::Distances, number);
        let moves = file.distance(block, &self.block(&opened, file, block)?, at);
        Ok(file.outcome(value, moves)?)
    }

    fn placement_value(&self, position: &Position) -> Result<Value, ProbeError> {
        let (opened, swapped) = self.opened(position)?;
        let OpenedKind::Packed(table) = &opened.kind else {
            return Ok(self.placement_outcome(position)?.value());
        };
        let at = At::of(table, position, swapped);
        let stored = self.stored_value(&opened, table, at)?;
        // Nothing is better than a win.
        if stored == Value::Win || !table.needs_conversions(at.turn) {
            return Ok(stored);
        }
        Ok(probe::best_conversion(self, position)?.map_or(stored, |best| stored.max(best)))
    }
}

impl Oracle for Tablebase {
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        probe::with_en_passant(self, position)
    }
}

//! A folder of tables as one tablebase: opened on demand, answers from any thread.

use super::EXTENSION;
use super::error::TableError;
use super::format::Stream;
use super::reader::TableFile;
use crate::geometry::Variant;
use crate::index::{Layout, MOST_MEN, Material, MaterialKey};
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::{Outcome, Value};
use crate::position::Position;
use crate::probe::{self, Placements};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

/// Bytes of unpacked blocks that are kept for the next questions.
const CACHE_BYTES: u64 = 256 << 20;

/// The tables of one variant in a folder.
///
/// Tables are opened when they are first asked for, and stay open. All methods may be called from any thread.
pub struct Tablebase {
    variant: Arc<Variant>,
    folder: PathBuf,
    open: RwLock<HashMap<MaterialKey, Arc<Opened>>>,
    cache: BlockCache,
}

/// A table with its numbering.
struct Opened {
    /// Tells the tables apart in the cache.
    number: u32,
    /// Whether White has the second side of the material's name.
    swapped: bool,
    file: TableFile,
    layout: Arc<Layout>,
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

/// A file of a folder of tables.
#[derive(Debug)]
pub struct Entry {
    pub path: PathBuf,
    /// The open table, or why it cannot be used.
    pub table: Result<TableFile, TableError>,
}

// A table cannot be printed whole; its path and header tell it.
impl std::fmt::Debug for TableFile {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("TableFile").field("path", &self.path()).field("header", self.header()).finish()
    }
}

impl Tablebase {
    /// The tables of a variant below `tables`, in the folder of the variant's name. Nothing is opened yet, and the
    /// folder need not exist.
    pub fn new(variant: Arc<Variant>, tables: &Path) -> Tablebase {
        let folder = tables.join(variant.name());
        let cache = BlockCache::with_weighter(8192, CACHE_BYTES, BlockBytes);
        Tablebase { variant, folder, open: RwLock::default(), cache }
    }

    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The folder of the variant's tables.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path that a material's table has or would have.
    pub fn path_of(&self, material: &Material) -> PathBuf {
        self.folder.join(format!("{}.{EXTENSION}", material.name(&self.variant)))
    }

    /// Opens a material's table afresh, checking its header.
    ///
    /// # Errors
    /// [`TableError::Missing`] if there is no such file, else those of [`TableFile::open_for`].
    pub fn open_file(&self, material: &Material) -> Result<(TableFile, Arc<Layout>), TableError> {
        let path = self.path_of(material);
        // Anything but absence is not repaired by generating: it is found and told when the file is opened.
        if let Err(e) = std::fs::metadata(&path)
            && e.kind() == std::io::ErrorKind::NotFound
        {
            return Err(TableError::Missing { material: material.name(&self.variant), file: path });
        }
        let layout = Arc::new(Layout::new(self.variant.clone(), material));
        Ok((TableFile::open_for(&path, &layout)?, layout))
    }

    /// The table files of the folder, by name; damaged ones too.
    ///
    /// # Errors
    /// When the folder exists but cannot be read.
    pub fn entries(&self) -> Result<Vec<Entry>, TableError> {
        let read = match std::fs::read_dir(&self.folder) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
            other => other.map_err(|e| TableError::io("read the folder", &self.folder, e))?,
        };
        let mut paths = vec![];
        for entry in read {
            let path = entry.map_err(|e| TableError::io("read the folder", &self.folder, e))?.path();
            if path.extension().is_some_and(|e| e == EXTENSION) {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths.into_iter().map(|path| Entry { table: self.open_entry(&path), path }).collect())
    }

    /// Opens a file of the folder as the table that its name promises.
    fn open_entry(&self, path: &Path) -> Result<TableFile, TableError> {
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
        match Material::parse(&self.variant, stem) {
            Ok(material) if material.name(&self.variant) == stem => {
                TableFile::open_for(path, &Layout::new(self.variant.clone(), &material))
            }
            _ => Err(TableError::Unsupported {
                file: path.to_path_buf(),
                reason: format!("\"{stem}\" names no material"),
            }),
        }
    }

    fn opened(&self, position: &Position) -> Result<Arc<Opened>, ProbeError> {
        let men = position.occupied().len();
        if men > MOST_MEN {
            let material = Material::of(&self.variant, position).0.name(&self.variant);
            return Err(ProbeError::TooManyMen { material, men, most: MOST_MEN });
        }
        let key = MaterialKey::of(&self.variant, position);
        let known = self.open.read().unwrap_or_else(|e| e.into_inner()).get(&key).cloned();
        if let Some(opened) = known {
            return Ok(opened);
        }
        let (material, swapped) = Material::of(&self.variant, position);
        let (file, layout) = self.open_file(&material)?;
        let mut open = self.open.write().unwrap_or_else(|e| e.into_inner());
        let number = open.len() as u32;
        Ok(open.entry(key).or_insert_with(|| Arc::new(Opened { number, swapped, file, layout })).clone())
    }

    fn block(&self, opened: &Opened, block: usize) -> Result<Arc<Vec<u8>>, TableError> {
        self.cache.get_or_insert_with(&(opened.number, block as u32), || opened.file.read_block(block).map(Arc::new))
    }
}

impl Placements for Tablebase {
    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn placement_outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let opened = self.opened(position)?;
        let (turn, place) = probe::locate(&opened.layout, position, opened.swapped);
        let number = opened.layout.number(opened.layout.ascending(place)) as u64;
        let (block, at) = opened.file.find(turn, Stream::Values, number);
        let value = self.block(&opened, block)?[at];
        if value == Value::Draw as u8 {
            return Ok(Outcome::DRAW);
        }
        let (block, at) = opened.file.find(turn, Stream::Distances, number);
        let moves = opened.file.distance(block, &self.block(&opened, block)?, at);
        Ok(opened.file.outcome(value, moves)?)
    }
}

impl Oracle for Tablebase {
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        probe::outcome_with_en_passant(self, position)
    }
}

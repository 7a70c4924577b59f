//! What files a folder of tables has: those that make up a table, and those that nothing uses.
//!
//! Of a table that is there in both forms the packed one is used, unless it is not whole.

use super::EXTENSION;
use super::error::TableError;
use super::opened::Table;
use super::packed::{DISTANCES_EXTENSION, VALUES_EXTENSION};
use super::tablebase::Tablebase;
use super::unfinished::is_unfinished;
use crate::index::Material;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const ENDINGS: [&str; 3] = [EXTENSION, VALUES_EXTENSION, DISTANCES_EXTENSION];

/// A file of a folder of tables.
#[derive(Debug)]
pub struct Entry {
    pub path: PathBuf,
    /// The open table, or why it cannot be used.
    pub table: Result<Table, TableError>,
}

impl Tablebase {
    /// The tables of the folder, by name; damaged ones too.
    ///
    /// # Errors
    /// When the folder exists but cannot be read.
    pub fn entries(&self) -> Result<Vec<Entry>, TableError> {
        let is_table = |path: &PathBuf| {
            let values = path.with_extension(VALUES_EXTENSION);
            has_ending(path, VALUES_EXTENSION) && is_packed(&values)
                || has_ending(path, EXTENSION) && !is_packed(&values)
        };
        let paths = self.files()?.into_iter().filter(is_table);
        Ok(paths.map(|path| Entry { table: self.open_entry(&path), path }).collect())
    }

    /// The files of the folder that have the ending of a table's and belong to none of `entries`, by name: one whose
    /// other half is missing, and those of a table that is there in another form, too.
    ///
    /// # Errors
    /// When the folder exists but cannot be read.
    pub fn unused(&self, entries: &[Entry]) -> Result<Vec<PathBuf>, TableError> {
        let mut used = BTreeSet::new();
        for entry in entries {
            match &entry.table {
                Ok(table) => used.extend(table.paths()),
                // Told of with its fault.
                Err(_) => used.extend(ENDINGS.map(|ending| entry.path.with_extension(ending))),
            }
        }
        Ok(self.files()?.into_iter().filter(|path| !used.contains(path)).collect())
    }

    /// The files with the ending of a table's, by name; not those under way.
    fn files(&self) -> Result<Vec<PathBuf>, TableError> {
        let read = match std::fs::read_dir(self.folder()) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
            other => other.map_err(|e| TableError::io("read the folder", self.folder(), e))?,
        };
        let mut paths = vec![];
        for entry in read {
            let path = entry.map_err(|e| TableError::io("read the folder", self.folder(), e))?.path();
            // Another process may be making it.
            if !is_unfinished(&path) && ENDINGS.iter().any(|ending| has_ending(&path, ending)) {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths)
    }

    /// Opens a file of the folder as the table that its name promises.
    fn open_entry(&self, path: &Path) -> Result<Table, TableError> {
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
        match Material::parse(self.variant(), stem) {
            Ok(material) if material.name(self.variant()) == stem => self.open_table(&material),
            _ => Err(TableError::Unsupported {
                file: path.to_path_buf(),
                reason: format!("\"{stem}\" names no material"),
            }),
        }
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

/// Whether there is a file of any kind; what is wrong with it is found and told when it is opened.
pub fn is_there(path: &Path) -> bool {
    !matches!(std::fs::symlink_metadata(path), Err(e) if e.kind() == std::io::ErrorKind::NotFound)
}

/// Whether the table with this file of values is there packed: not if its distances are missing, as when a run that packed
/// it was killed, and it is there plain.
fn is_packed(values: &Path) -> bool {
    let [plain, distances] = [EXTENSION, DISTANCES_EXTENSION].map(|ending| is_there(&values.with_extension(ending)));
    is_there(values) && (distances || !plain)
}

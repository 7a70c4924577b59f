//! What killed runs leave in a folder of tables: cleared away, or put to use where it is whole.
//!
//! Knows which files belong together, and nothing of how they are made.

use super::error::TableError;
use super::opened::Table;
use super::packed::{DISTANCES_EXTENSION, DistanceFile, VALUES_EXTENSION, ValueFile};
use super::reader::TableFile;
use super::tablebase::Tablebase;
use super::unfinished::{abandoned, sync_folder_of};
use crate::index::{Layout, Material};
use std::path::Path;

/// Clears away what killed runs have left unfinished of tables. A file of distances that only its place was wanting,
/// for the values that it goes with have theirs, is put there.
///
/// # Errors
/// When the folder exists but cannot be read, or a file not be moved or removed.
pub fn clear(tablebase: &Tablebase) -> Result<(), TableError> {
    if !tablebase.folder().is_dir() {
        return Ok(());
    }
    for (name, unfinished) in abandoned(tablebase.folder(), |name| material_of(tablebase, name).is_some())? {
        let distances = Some(&name).filter(|name| name.ends_with(DISTANCES_EXTENSION));
        if let Some(material) = distances.and_then(|name| material_of(tablebase, name))
            && goes_with_values(tablebase, &material, unfinished.path())
        {
            let place = tablebase.folder().join(&name);
            unfinished.rename(&place).map_err(|e| TableError::io("write", &place, e))?;
            sync_folder_of(&place);
        }
        // Else it is dropped, and so removed.
    }
    Ok(())
}

/// The material of which an unfinished file is, by its name without the prefix.
fn material_of(tablebase: &Tablebase, name: &str) -> Option<Material> {
    let endings = [VALUES_EXTENSION, DISTANCES_EXTENSION];
    let packed = name.rsplit_once('.').filter(|(_, ending)| endings.contains(ending));
    let stem = packed.map_or(name, |(stem, _)| stem);
    let variant = tablebase.variant();
    Material::parse(variant, stem).ok().filter(|material| material.name(variant) == stem)
}

/// Whether a file is whole and has the distances to the values that are in their place.
fn goes_with_values(tablebase: &Tablebase, material: &Material, distances: &Path) -> bool {
    let whole = || -> Result<(), TableError> {
        let values = ValueFile::open(&tablebase.packed_path_of(material), tablebase.terrain(), material)?;
        DistanceFile::open(distances, &values)?.frame().test_all()
    };
    whole().is_ok()
}

/// Removes the plain file beside a table that is there packed, once every byte of the packed one has been tested.
///
/// # Errors
/// When the packed table is damaged, or the plain file cannot be removed.
pub fn remove_plain(tablebase: &Tablebase, material: &Material, table: &Table) -> Result<(), TableError> {
    let plain = tablebase.path_of(material);
    // What is no table of this game is somebody else's.
    let layout = Layout::new(tablebase.variant().clone(), material);
    if !table.is_packed() || TableFile::open_for(&plain, &layout).is_err() {
        return Ok(());
    }
    table.statistics()?;
    table.verify_checksums()?;
    remove(&plain)
}

/// Removes the files of a packed table, if there are any.
///
/// # Errors
/// When one is there and cannot be removed.
pub fn remove_packed(tablebase: &Tablebase, material: &Material) -> Result<(), TableError> {
    let values = tablebase.packed_path_of(material);
    remove(&values.with_extension(DISTANCES_EXTENSION))?;
    remove(&values)
}

/// Removes a file if it is there.
///
/// # Errors
/// When it is there and cannot be removed.
pub fn remove(path: &Path) -> Result<(), TableError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(TableError::io("remove", path, error)),
        _ => Ok(()),
    }
}

//! What killed runs leave in a folder of tables: cleared away, or put to use where it is whole.
//!
//! Knows which files belong together, and nothing of how they are made.

use super::error::TableError;
use super::folder::is_there;
use super::opened::Table;
use super::packed::{DISTANCES_EXTENSION, DistanceFile, FileKind, Frame, VALUES_EXTENSION, ValueFile};
use super::reader::TableFile;
use super::tablebase::Tablebase;
use super::unfinished::{abandoned, sync_folder_of};
use crate::index::{Layout, Material};
use std::path::{Path, PathBuf};

/// Clears away what killed runs have left unfinished of tables. A file of distances that only its place was wanting,
/// for the values that it goes with have theirs, is put there.
///
/// # Errors
/// When the folder exists but cannot be read.
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
            // If that is refused it stays for a run that may.
            if unfinished.rename(&place).is_ok() {
                sync_folder_of(&place);
            }
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
    if table.is_packed() && is_there(&tablebase.path_of(material)) {
        table.statistics()?;
        table.verify_checksums()?;
        remove_plain_file(tablebase, material)?;
    }
    Ok(())
}

/// Removes a table's plain file, if there is one of this game and version.
///
/// # Errors
/// When it is there and cannot be removed.
pub fn remove_plain_file(tablebase: &Tablebase, material: &Material) -> Result<(), TableError> {
    let plain = tablebase.path_of(material);
    let layout = Layout::new(tablebase.variant().clone(), material);
    remove(&plain, TableFile::open_for(&plain, &layout).map(drop))
}

/// Removes the files of a packed table, if there are any of this version.
///
/// # Errors
/// When one is there and cannot be removed.
pub fn remove_packed(tablebase: &Tablebase, material: &Material) -> Result<(), TableError> {
    let [values, distances] = packed_files(tablebase, material);
    remove(&distances.0, Frame::open(&distances.0, distances.1).map(drop))?;
    remove(&values.0, Frame::open(&values.0, values.1).map(drop))
}

/// Tests that nothing which is no table of this version stands at the names of a packed table.
///
/// # Errors
/// [`TableError::Unsupported`] if something does.
pub fn check_places(tablebase: &Tablebase, material: &Material) -> Result<(), TableError> {
    for (path, kind) in packed_files(tablebase, material) {
        if let Err(error @ TableError::Unsupported { .. }) = Frame::open(&path, kind) {
            return Err(error);
        }
    }
    Ok(())
}

/// Whether a packed file of a material is there, be it damaged.
pub fn has_packed(tablebase: &Tablebase, material: &Material) -> bool {
    let ours = |(path, kind): &(PathBuf, FileKind)| {
        is_there(path) && !matches!(Frame::open(path, *kind), Err(TableError::Unsupported { .. }))
    };
    packed_files(tablebase, material).iter().any(ours)
}

fn packed_files(tablebase: &Tablebase, material: &Material) -> [(PathBuf, FileKind); 2] {
    let values = tablebase.packed_path_of(material);
    let distances = values.with_extension(DISTANCES_EXTENSION);
    [(values, FileKind::Values), (distances, FileKind::Distances)]
}

/// Removes a file if it is there, unless to open it was found to be no table of this game and version: then it is
/// somebody else's.
fn remove(path: &Path, opened: Result<(), TableError>) -> Result<(), TableError> {
    if matches!(opened, Err(TableError::Unsupported { .. })) {
        return Ok(());
    }
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(TableError::io("remove", path, error)),
        _ => Ok(()),
    }
}

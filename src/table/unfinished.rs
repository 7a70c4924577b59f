//! The file in which a table is written before it is whole: locked, so that no two processes make the same table, and
//! gone or taken over if its writer fails or is killed.
//!
//! The lock is on the file itself and ends with the process, whichever way that ends. What to remove when the process
//! is told to stop is remembered here too. Knows nothing of tables and of signals.

use super::error::TableError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The prefix of the names of unfinished files.
const PREFIX: &str = ".unfinished-";

/// Whether a path is that of an unfinished file, which is no table yet.
pub fn is_unfinished(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
}

/// A file under way, held by this process alone.
pub struct Unfinished {
    file: Option<File>,
    path: PathBuf,
}

impl Unfinished {
    /// Begins a table's file in a folder, which must exist. What a killed process has left of it is thrown away.
    ///
    /// # Errors
    /// [`TableError::Busy`] if another process has it under way, [`TableError::Unsupported`] if something else than a
    /// file of its own has the name, and what the system refuses.
    pub fn begin(folder: &Path, name: &str) -> Result<Unfinished, TableError> {
        let mut unfinished = Unfinished::take_over(folder, name)?;
        unfinished.file().set_len(0).map_err(|e| TableError::io("write", &unfinished.path, e))?;
        Ok(unfinished)
    }

    /// The same with what a killed process has left of it.
    fn take_over(folder: &Path, name: &str) -> Result<Unfinished, TableError> {
        let path = folder.join(format!("{PREFIX}{name}"));
        // Never through a link: what it leads to is someone else's.
        if std::fs::symlink_metadata(&path).is_ok_and(|found| !is_plain(&found)) {
            let reason = "it has the name of an unfinished table but is a link or no ordinary file".to_string();
            return Err(TableError::Unsupported { file: path, reason });
        }
        loop {
            // Held until the file is registered, so that none is made after the process was told to stop.
            let mut registered = UNFINISHED.lock();
            let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
            let file = opened.map_err(|e| match path.exists() {
                true => TableError::io("take over", &path, e),
                false => TableError::io("create a file in", folder, e),
            })?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(TableError::Busy { material: name.to_string(), folder: folder.to_path_buf() });
                }
                Err(TryLockError::Error(e)) => return Err(TableError::io("lock", &path, e)),
            }
            // Whoever held it until now may have put it in its place or removed it: then the lock is on another file.
            if is_at(&file, &path) {
                // Not before: until now it may have been another process's.
                registered.push(path.clone());
                drop(registered);
                return Ok(Unfinished { file: Some(file), path });
            }
        }
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        self.file.as_mut().expect("the file is there until it is finished")
    }

    /// Makes sure that all is on the disk.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn sync(&mut self) -> std::io::Result<()> {
        let file = self.file();
        file.flush()?;
        file.sync_all()
    }

    /// Makes sure that all is on the disk and puts the file in its place.
    ///
    /// # Errors
    /// What the system refuses; the file is removed then.
    pub fn finish(mut self, place: &Path) -> std::io::Result<()> {
        self.sync()?;
        self.rename(place)?;
        sync_folder_of(place);
        Ok(())
    }

    /// Puts the file in its place, all of which is on the disk; [`sync_folder_of`] makes that last.
    ///
    /// # Errors
    /// What the system refuses; the file stays where it is then, for a later run to put to use.
    pub fn rename(mut self, place: &Path) -> std::io::Result<()> {
        let renamed = std::fs::rename(&self.path, place);
        self.file = None;
        UNFINISHED.unregister(&self.path);
        renamed
    }

    /// Where the file is until it gets its place.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.file.is_some() {
            // Removed while the lock is held. Nothing can be done if it fails; the next run takes the file over.
            let _ = std::fs::remove_file(&self.path);
            UNFINISHED.unregister(&self.path);
        }
    }
}

/// What killed processes have left unfinished in a folder of the tables whose names `is_table` knows, each with its name;
/// files under way are left out, and so is what is no file of ours or may not be touched.
///
/// # Errors
/// When the folder cannot be read.
pub fn abandoned(folder: &Path, is_table: impl Fn(&str) -> bool) -> Result<Vec<(String, Unfinished)>, TableError> {
    let entries = std::fs::read_dir(folder).map_err(|e| TableError::io("read the folder", folder, e))?;
    let mut found = vec![];
    for entry in entries.flatten() {
        let name = entry.file_name();
        if let Some(name) = name.to_string_lossy().strip_prefix(PREFIX)
            && is_table(name)
        {
            // What cannot be had is in the way of nothing but its own table.
            if let Ok(unfinished) = Unfinished::take_over(folder, name) {
                found.push((name.to_string(), unfinished));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// Makes a rename in the folder of a file last. Folders that cannot be synced are not worth failing for.
pub fn sync_folder_of(place: &Path) {
    if let Some(Ok(folder)) = place.parent().map(File::open) {
        let _ = folder.sync_all();
    }
}

/// Whether it is an ordinary file that has no other name.
#[cfg(unix)]
fn is_plain(found: &std::fs::Metadata) -> bool {
    found.is_file() && std::os::unix::fs::MetadataExt::nlink(found) == 1
}

/// Whether it is an ordinary file.
#[cfg(not(unix))]
fn is_plain(found: &std::fs::Metadata) -> bool {
    found.is_file()
}

/// Whether the path leads to this very file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: &std::fs::Metadata, b: &std::fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    matches!((file.metadata(), std::fs::metadata(path)), (Ok(a), Ok(b)) if same(&a, &b))
}

/// Whether the path leads to this very file. Elsewhere an open file can be neither renamed nor removed by others.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

static UNFINISHED: Registry = Registry::new();

/// Removes all files that this process has under way and lets no more begin. To be called just before the process ends.
pub fn remove_all() {
    UNFINISHED.remove_all();
}

struct Registry(Mutex<Vec<PathBuf>>);

impl Registry {
    const fn new() -> Registry {
        Registry(Mutex::new(vec![]))
    }

    /// The registered files. Waits forever after [`Registry::remove_all`]: then the process is about to end.
    fn lock(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unregister(&self, path: &Path) {
        self.lock().retain(|other| other != path);
    }

    fn remove_all(&self) {
        let paths = self.lock();
        for path in paths.iter() {
            // One that is not there yet or no more is no matter, and there is nobody to tell of others.
            let _ = std::fs::remove_file(path);
        }
        // Never unlocked: a file made from now on would stay.
        std::mem::forget(paths);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_removed_unless_they_were_unregistered() {
        let folder = tempfile::tempdir().unwrap();
        let [finished, unfinished, unmade] = ["a", "b", "c"].map(|name| folder.path().join(name));
        let registry = Registry::new();
        for path in [&finished, &unfinished, &unmade] {
            registry.lock().push(path.clone());
        }
        std::fs::write(&finished, b"whole").unwrap();
        std::fs::write(&unfinished, b"half").unwrap();
        registry.unregister(&finished);
        registry.remove_all();
        assert_eq!((finished.exists(), unfinished.exists()), (true, false));
        assert!(registry.0.try_lock().is_err(), "nothing can be registered any more");
    }
}

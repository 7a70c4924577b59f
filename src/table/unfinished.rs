//! The unfinished files of this process: what to remove when it is told to stop.
//!
//! A file is registered before it is made and unregistered when it has its name or is gone. Knows nothing of tables and
//! of signals; a process that is killed outright leaves its files, and others must clear them away.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static UNFINISHED: Registry = Registry::new();

/// Remembers a file that is about to be made. Waits forever after [`remove_all`]: then the process is about to end.
pub fn register(path: &Path) {
    UNFINISHED.register(path);
}

/// Forgets a file that is finished or removed.
pub fn unregister(path: &Path) {
    UNFINISHED.unregister(path);
}

/// Removes all registered files and lets no more be registered. To be called just before the process ends.
pub fn remove_all() {
    UNFINISHED.remove_all();
}

struct Registry(Mutex<Vec<PathBuf>>);

impl Registry {
    const fn new() -> Registry {
        Registry(Mutex::new(vec![]))
    }

    fn register(&self, path: &Path) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_path_buf());
    }

    fn unregister(&self, path: &Path) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| other != path);
    }

    fn remove_all(&self) {
        let paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
            registry.register(path);
        }
        std::fs::write(&finished, b"whole").unwrap();
        std::fs::write(&unfinished, b"half").unwrap();
        registry.unregister(&finished);
        registry.remove_all();
        assert_eq!((finished.exists(), unfinished.exists()), (true, false));
        assert!(registry.0.try_lock().is_err(), "nothing can be registered any more");
    }
}

//! Arenas: where the memory of planes comes from and goes back to.
//!
//! A system hands out memory page by page on first touch, which for large planes costs more than solving in them. So
//! planes that are done with are kept and given out again, up to a limit that the owner sets. An arena with a
//! folder keeps its planes in files there instead, for slices that are larger than memory; the system moves
//! their pages in and out. Knows nothing of what the bits mean.

use super::planes::{Memory, Plane};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Gives out planes and takes them back when they are dropped.
pub struct Arena {
    /// Where files go; none for memory.
    folder: Option<PathBuf>,
    state: Mutex<State>,
}

struct State {
    idle: Vec<Memory>,
    /// The bytes of all that is idle.
    idle_bytes: u64,
    /// As many bytes may be idle.
    most_idle: u64,
}

impl Arena {
    /// An arena in memory that keeps up to `most_idle` bytes for later planes.
    pub fn in_memory(most_idle: u64) -> Arc<Arena> {
        Arena::new(None, most_idle)
    }

    /// An arena of files in a folder, up to `most_idle` bytes of which are kept for later planes.
    ///
    /// The files have no name and vanish with the process, however it ends. Their space on the disk is reserved
    /// when a plane is made, so that a full disk is an error then and not a crash later.
    pub fn in_files(folder: PathBuf, most_idle: u64) -> Arc<Arena> {
        Arena::new(Some(folder), most_idle)
    }

    fn new(folder: Option<PathBuf>, most_idle: u64) -> Arc<Arena> {
        Arc::new(Arena { folder, state: Mutex::new(State { idle: vec![], idle_bytes: 0, most_idle }) })
    }

    /// A plane of this many rows, all 0.
    ///
    /// # Errors
    /// Of an arena of files: those of making one, above all that the disk is full.
    pub fn zeroed(self: &Arc<Arena>, rows: usize) -> io::Result<Plane> {
        let (mut plane, used) = self.take(rows)?;
        if used {
            plane.fill(0);
        }
        Ok(plane)
    }

    /// A plane of this many rows with anything in them: for those who are going to write every row.
    ///
    /// # Errors
    /// As of [`Arena::zeroed`].
    pub fn stale(self: &Arc<Arena>, rows: usize) -> io::Result<Plane> {
        Ok(self.take(rows)?.0)
    }

    /// A plane, and whether it was used before.
    fn take(self: &Arc<Arena>, rows: usize) -> io::Result<(Plane, bool)> {
        let kept = self.state().take(rows);
        let used = kept.is_some();
        let memory = match (kept, &self.folder) {
            (Some(memory), _) => memory,
            (None, Some(folder)) if rows > 0 => Memory::in_file(folder, rows)?,
            (None, _) => Memory::new(rows),
        };
        Ok((Plane::from_arena(memory, rows, self.clone()), used))
    }

    /// Takes back what a plane lived in.
    pub(super) fn give_back(&self, memory: Memory) {
        let mut state = self.state();
        let bytes = memory.bytes();
        if bytes > 0 && state.idle_bytes + bytes <= state.most_idle {
            state.idle_bytes += bytes;
            state.idle.push(memory);
        } else {
            // Unmapping takes a while: not while others wait.
            drop(state);
            drop(memory);
        }
    }

    /// The bytes that are kept for later planes.
    pub fn idle_bytes(&self) -> u64 {
        self.state().idle_bytes
    }

    /// Changes how many bytes may be kept for later planes, and gives up what is kept beyond.
    pub fn keep_at_most(&self, most_idle: u64) {
        let mut given_up = vec![];
        let mut state = self.state();
        state.most_idle = most_idle;
        state.idle.sort_by_key(Memory::bytes);
        while state.idle_bytes > most_idle
            && let Some(largest) = state.idle.pop()
        {
            state.idle_bytes -= largest.bytes();
            given_up.push(largest);
        }
        drop(state);
    }

    /// Nothing that holds the lock can fail half-way, so a poisoned one is sound.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The smallest of the idle pieces that fits, unless it is far too large.
    fn take(&mut self, rows: usize) -> Option<Memory> {
        let fits = |memory: &Memory| rows > 0 && (rows..=2 * rows).contains(&memory.rows().len());
        let fitting = self.idle.iter().enumerate().filter(|(_, memory)| fits(memory));
        let (at, _) = fitting.min_by_key(|(_, memory)| memory.bytes())?;
        let memory = self.idle.swap_remove(at);
        self.idle_bytes -= memory.bytes();
        Some(memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_given_out_again_emptied() {
        let arena = Arena::in_memory(1 << 30);
        for rows in [3, 1 << 18] {
            let mut plane = arena.zeroed(rows).unwrap();
            plane[rows - 1] = 7;
            drop(plane);
            assert_eq!(arena.idle_bytes(), 16 * rows as u64);
            assert_eq!(arena.stale(rows).unwrap()[rows - 1], 7);
            assert!(arena.zeroed(rows - 1).unwrap().iter().all(|row| *row == 0));
            assert!(arena.zeroed(rows).unwrap().iter().all(|row| *row == 0));
            arena.keep_at_most(0);
            assert_eq!(arena.idle_bytes(), 0);
            arena.keep_at_most(1 << 30);
        }
    }

    #[test]
    fn no_more_is_kept_than_allowed() {
        let arena = Arena::in_memory(100 * 16);
        let planes = [60, 60, 30].map(|rows| arena.zeroed(rows).unwrap());
        drop(planes);
        assert_eq!(arena.idle_bytes(), 90 * 16);
        arena.keep_at_most(40 * 16);
        assert_eq!(arena.idle_bytes(), 30 * 16);
    }

    #[test]
    fn files_hold_what_memory_holds_and_leave_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let arena = Arena::in_files(folder.path().to_path_buf(), u64::MAX);
        let mut plane = arena.zeroed(1000).unwrap();
        assert!(plane.iter().all(|row| *row == 0));
        plane[999] = u128::MAX;
        assert_eq!(plane[999], u128::MAX);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(arena.zeroed(0).unwrap().is_empty());
    }

    #[test]
    fn a_missing_folder_and_a_disk_too_small_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Arena::in_files(folder.path().join("missing"), 0);
        assert_eq!(missing.zeroed(1).err().unwrap().kind(), io::ErrorKind::NotFound);
        let arena = Arena::in_files(folder.path().to_path_buf(), 0);
        assert!(arena.zeroed(1 << 54).is_err());
    }
}

//! Planes: the memory in which rows of bits live.
//!
//! A plane holds one bit a position: a row of 128 bits for each row index of a slice, a bit for each cell of the
//! column man. Knows nothing of what the bits mean.

use super::arena::Arena;
use memmap2::MmapMut;
use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::Arc;

/// Planes of more bytes than this are asked for in huge pages: touching small ones for the first time can cost more
/// than solving.
const HUGE_PAGE_BYTES: usize = 2 << 20;

/// Rows of bits.
pub struct Plane {
    memory: Memory,
    rows: usize,
    /// To whom the memory goes back.
    arena: Option<Arc<Arena>>,
}

/// What a plane lives in; it may be larger than the plane.
pub(super) enum Memory {
    Small(Vec<u128>),
    Mapped(MmapMut),
}

impl Plane {
    /// A plane of this many rows, all 0, that belongs to no arena.
    pub fn new(rows: usize) -> Plane {
        Plane { memory: Memory::new(rows), rows, arena: None }
    }

    pub(super) fn from_arena(memory: Memory, rows: usize, arena: Arc<Arena>) -> Plane {
        Plane { memory, rows, arena: Some(arena) }
    }
}

impl Drop for Plane {
    fn drop(&mut self) {
        if let Some(arena) = &self.arena {
            arena.give_back(std::mem::replace(&mut self.memory, Memory::Small(vec![])));
        }
    }
}

impl Memory {
    /// Memory for this many rows, all 0.
    pub(super) fn new(rows: usize) -> Memory {
        let bytes = rows * size_of::<u128>();
        if bytes >= HUGE_PAGE_BYTES
            && let Ok(map) = MmapMut::map_anon(bytes)
        {
            // Only a wish; the memory serves either way.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            return Memory::Mapped(map);
        }
        Memory::Small(vec![0; rows])
    }

    /// A file without a name for this many rows, all 0; at least one.
    pub(super) fn in_file(folder: &Path, rows: usize) -> io::Result<Memory> {
        let bytes = rows.checked_mul(size_of::<u128>()).ok_or(io::ErrorKind::FileTooLarge)?;
        let file = tempfile::tempfile_in(folder)?;
        reserve(&file, bytes as u64)?;
        // SAFETY: the file has no name and its only handle is closed on return, so no one changes it but through this
        // map. Its space is reserved, so that writing to the map does not fail.
        Ok(Memory::Mapped(unsafe { MmapMut::map_mut(&file)? }))
    }

    #[inline]
    pub(super) fn rows(&self) -> &[u128] {
        match self {
            Memory::Small(rows) => rows,
            Memory::Mapped(map) => bytemuck::cast_slice(map),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(self.rows()) as u64
    }
}

/// Gives an empty file this many bytes of 0 and makes sure that the disk has room for them.
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes) {
        Ok(()) => return Ok(()),
        Err(rustix::io::Errno::NOTSUP | rustix::io::Errno::NOSYS) => {}
        Err(error) => return Err(error.into()),
    }
    // Whatever else a system has to offer, what has been written has its place.
    let written = io::copy(&mut io::Read::take(io::repeat(0), bytes), &mut &*file)?;
    debug_assert_eq!(written, bytes);
    Ok(())
}

impl Deref for Plane {
    type Target = [u128];

    #[inline]
    fn deref(&self) -> &[u128] {
        &self.memory.rows()[..self.rows]
    }
}

impl DerefMut for Plane {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u128] {
        let rows = match &mut self.memory {
            Memory::Small(rows) => rows,
            Memory::Mapped(map) => bytemuck::cast_slice_mut(map),
        };
        &mut rows[..self.rows]
    }
}

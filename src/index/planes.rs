//! Planes: the memory in which rows of bits live.
//!
//! A plane holds one bit a position: a row of 128 bits for each row index of a slice, a bit for each cell of the
//! column man. Knows nothing of what the bits mean.

use memmap2::MmapMut;
use std::ops::{Deref, DerefMut};

/// Planes of more bytes than this are asked for in huge pages: touching small ones for the first time can cost more
/// than solving.
const HUGE_PAGE_BYTES: usize = 2 << 20;

/// Rows of bits, all 0 at first.
pub struct Plane(Memory);

enum Memory {
    Small(Vec<u128>),
    Large(MmapMut),
}

impl Plane {
    /// A plane of this many rows.
    pub fn new(rows: usize) -> Plane {
        let bytes = rows * size_of::<u128>();
        if bytes >= HUGE_PAGE_BYTES
            && let Ok(map) = MmapMut::map_anon(bytes)
        {
            // Only a wish; the memory serves either way.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            return Plane(Memory::Large(map));
        }
        Plane(Memory::Small(vec![0; rows]))
    }
}

impl Deref for Plane {
    type Target = [u128];

    #[inline]
    fn deref(&self) -> &[u128] {
        match &self.0 {
            Memory::Small(rows) => rows,
            Memory::Large(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Plane {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u128] {
        match &mut self.0 {
            Memory::Small(rows) => rows,
            Memory::Large(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

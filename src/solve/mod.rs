//! Retrograde solving: from mates and stalemates backwards, whole rows of positions at a time.
//!
//! Reading order: `rows` explains rows and blocks, `lines` the scan by which men move and `lanes` the instructions
//! for it, `space` a slice, `moves` and `third_man` how its blocks lead to each other, `slice` the iteration,
//! `captures` and `pawn_moves` what enters it from tables already solved. [`solve()`] does a whole table.
//! Knows nothing of files.

mod captures;
mod events;
mod lanes;
mod lines;
mod memory;
mod moves;
mod pawn_moves;
mod rows;
mod slice;
mod sources;
mod space;
mod third_man;

pub use lanes::Lanes;
pub use memory::MemoryTables;
pub use moves::{After, Question};
pub use space::{Kernel, Space};

use crate::geometry::{Color, MAX_CELLS};
use crate::index::{DenseTable, Layout};
use rayon::prelude::*;
use sources::Sources;
use std::io;
use std::sync::Arc;

/// Someone who wants to know how a solve is getting on.
pub trait Watch: Sync {
    /// Positions at this distance have been found.
    fn plies(&self, _ply: u16) {}
    /// A slice is solved; it has this many indices.
    fn slice_done(&self, _indices: usize) {}
}

/// Nobody.
impl Watch for () {}

/// Solves a material.
///
/// `subtables` must hold every material that a capture or promotion leads to
/// ([`Material::conversions`](crate::index::Material::conversions)). The result does not depend on the number of threads.
///
/// # Errors
/// Those of making planes: an arena of files may find the disk full.
pub fn solve(
    kernel: &Arc<Kernel>,
    layout: Arc<Layout>,
    subtables: Vec<Arc<DenseTable>>,
    watch: &dyn Watch,
) -> io::Result<Arc<DenseTable>> {
    let table = Arc::new(DenseTable::new(layout.clone()));
    let sources = Sources::new(layout.variant().clone(), subtables.into_iter().chain([table.clone()]));
    // Every pawn move within the material lowers `steps_left`, so slices with as many left do not need each other.
    let mut order: Vec<usize> = (0..layout.slices().len()).collect();
    order.sort_by_key(|&slice| layout.slices()[slice].steps_left);
    for level in order.chunk_by(|&a, &b| layout.slices()[a].steps_left == layout.slices()[b].steps_left) {
        level.par_iter().try_for_each(|&slice| -> io::Result<()> {
            let space = space::Space::new(kernel.clone(), layout.clone(), slice);
            table.fill_planes(slice, slice::solve_slice(&space, &sources, watch)?);
            watch.slice_done(layout.slice_len(slice));
            Ok(())
        })?;
    }
    Ok(table)
}

/// The rows of a block that are legal positions with `turn` to move, a bit for each cell of the column man.
pub fn legal_rows(
    kernel: &Arc<Kernel>,
    layout: &Arc<Layout>,
    slice: usize,
    turn: Color,
    block: usize,
) -> [u128; MAX_CELLS] {
    let mut legal = [0; MAX_CELLS];
    let space = space::Space::new(kernel.clone(), layout.clone(), slice);
    space.fill_legal(turn, block, &mut legal[..space.n]);
    legal
}

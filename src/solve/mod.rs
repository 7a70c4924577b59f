//! Retrograde solving: from mates and stalemates backwards, whole rows of positions at a time.
//!
//! Reading order: `rows` explains rows and blocks, `lines` the scan by which men move and `lanes` the instructions
//! for it, `space` a slice, `moves` and `third_man` how its blocks lead to each other, `slice` the iteration,
//! `captures`, `pawn_steps` and `pawn_moves` what enters it from tables already solved, `sources` where those are found,
//! `events` and `agenda` how they wait for their ply. `conversions` is for those who ask where captures and promotions
//! lead, whenever that is due. [`solve()`] does a whole table, and hands on each slice as it is solved; what needs all
//! of it in memory is in `memory`. Knows nothing of table files; whether planes are in memory or in scratch files is
//! the arena's to say.

mod agenda;
mod captures;
mod conversions;
mod events;
mod idle;
mod lanes;
mod lines;
mod memory;
mod moves;
mod pawn_moves;
mod pawn_steps;
mod rows;
mod slice;
mod sources;
mod space;
mod third_man;

pub use conversions::Conversions;
pub use lanes::Lanes;
pub use memory::MemoryTables;
pub use moves::{After, Question};
pub use pawn_steps::{PawnStep, pawn_steps};
pub use sources::{Store, Subtables};
pub use space::{Kernel, Space};

use crate::geometry::{Color, MAX_CELLS};
use crate::index::{Layout, SideTable, SolvedSlice};
use crate::oracle::ProbeError;
use rayon::prelude::*;
use sources::Sources;
use std::collections::HashMap;
use std::ops::Range;
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

/// Why a table could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A table that a capture or promotion leads to cannot be read.
    #[error(transparent)]
    Subtable(#[from] ProbeError),
    /// The arena has no room for a plane, as when the disk of its files is full.
    #[error(
        "no room for planes of {}: {source}; free some space or choose another folder of scratch files",
        indicatif::HumanBytes(*bytes as u64)
    )]
    Planes { bytes: usize, source: std::io::Error },
}

/// Slices of more rows than this are solved one after the other, each by all threads; smaller ones side by side.
pub const LARGE_SLICE_ROWS: usize = 1 << 15;
/// The most small slices solved side by side.
const MOST_AT_ONCE: usize = 32;

/// Solves a material, slice by slice.
///
/// `subtables` must have every material that a capture or promotion leads to
/// ([`Material::conversions`](crate::index::Material::conversions)). Each slice is passed to `take` when it is
/// solved, in the order of their numbers, and forgotten as soon as no later one needs it. The result does not depend
/// on the number of threads.
///
/// # Errors
/// When a subtable cannot be read or a plane has no room, and whatever `take` returns.
pub fn solve<E: From<SolveError>>(
    kernel: &Arc<Kernel>,
    layout: &Arc<Layout>,
    subtables: &dyn Subtables,
    watch: &dyn Watch,
    mut take: impl FnMut(usize, &SolvedSlice) -> Result<(), E>,
) -> Result<(), E> {
    // For each slice, how many of those to come need it.
    let mut uses = vec![0u32; layout.slices().len()];
    layout.slices().iter().flat_map(|slice| &slice.pushes).for_each(|&to| uses[to as usize] += 1);
    let mut done: HashMap<usize, SolvedSlice> = HashMap::new();
    let mut next = 0;
    while next < layout.slices().len() {
        let batch = independent_slices(layout, next);
        next = batch.end;
        let store = Store { layout, done: &done, subtables };
        let mut prepared = vec![];
        for slice in batch.clone() {
            let space = Space::new(kernel.clone(), layout.clone(), slice);
            let sources = Sources::new(&space, &store).map_err(SolveError::from)?;
            prepared.push((space, sources));
        }
        let solve_one = |(space, sources): (Space, Sources)| -> Result<SolvedSlice, SolveError> {
            let solved = slice::solve_slice(&space, &sources, watch);
            let solved =
                solved.map_err(|source| SolveError::Planes { bytes: space.row_count() * size_of::<u128>(), source })?;
            let mut sides = solved.map(|side| Some(Arc::new(SideTable::Planes(side))));
            if layout.material().is_symmetric() {
                // Black to move is White to move mirrored.
                sides[1] = None;
            }
            watch.slice_done(layout.slice_len(space.slice));
            Ok(sides)
        };
        let solved: Result<Vec<SolvedSlice>, SolveError> = prepared.into_par_iter().map(solve_one).collect();
        for (slice, sides) in batch.zip(solved?) {
            take(slice, &sides)?;
            if uses[slice] > 0 {
                done.insert(slice, sides);
            }
            for &to in &layout.slices()[slice].pushes {
                uses[to as usize] -= 1;
                if uses[to as usize] == 0 {
                    done.remove(&(to as usize));
                }
            }
        }
    }
    kernel.give_up_lists();
    Ok(())
}

/// The slices from `first` on that can be solved side by side: none needs another.
fn independent_slices(layout: &Layout, first: usize) -> Range<usize> {
    let rows = |slice: usize| layout.slice_len(slice) / layout.cell_count();
    let mut end = first + 1;
    if rows(first) <= LARGE_SLICE_ROWS {
        let needs_none = |slice: usize| layout.slices()[slice].pushes.iter().all(|&to| (to as usize) < first);
        while end < layout.slices().len()
            && end - first < MOST_AT_ONCE
            && rows(end) <= LARGE_SLICE_ROWS
            && needs_none(end)
        {
            end += 1;
        }
    }
    first..end
}

/// For each block of a slice, the rows of it that are legal positions with `turn` to move, a bit for each cell of the
/// column man.
pub fn legal_rows(
    kernel: &Arc<Kernel>,
    layout: &Arc<Layout>,
    slice: usize,
    turn: Color,
) -> impl Fn(usize) -> [u128; MAX_CELLS] {
    let space = Space::new(kernel.clone(), layout.clone(), slice);
    move |block| {
        let mut legal = [0; MAX_CELLS];
        space.fill_legal(turn, block, &mut legal[..space.n]);
        legal
    }
}

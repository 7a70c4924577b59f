//! What it takes to make a table, estimated from its numbering alone: memory, processor time, disk.
//!
//! Knows nothing of files, folders and other tables, and decides nothing: [`MemoryNeeded`] must not fall short, as
//! generation is refused by it; the rest is for planning.

use crate::geometry::Variant;
use crate::index::{Layout, Material};
use std::sync::Arc;

// The rates are rough, and are to be measured anew by `scripts/bench-generate.sh` when the solver or the writer
// changes. KQRKR took 14 to 17 s of processor time to solve and 28 to write, KRPKR 85 s and 32 for reading what it
// needs. Another processor is easily twice as fast or slow.

/// Seconds of processor time to solve an index (a number with one side to move) of a table without pawns, and with,
/// what it needs being read.
const SOLVING: [f64; 2] = [15e-9, 30e-9];
/// Seconds of processor time to compress and write an index at the default level.
const WRITING: f64 = 30e-9;
/// Bits of file for an index, without pawns and with; single materials are from next to nothing (two bishops) to 3.5
/// (KRKN).
const FILE_BITS: [f64; 2] = [1.7, 2.4];

/// What it takes to make one table, its subtables being there. All but `positions` is estimated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The numbers of positions, counted for each side to move that is stored. Some stand for nothing legal.
    pub positions: u64,
    /// Bytes of memory at the most, subtables included, on the threads that are started.
    pub memory: u64,
    /// Seconds of processor time, all threads together.
    pub cpu_seconds: f64,
    /// Bytes of the file.
    pub file_bytes: u64,
}

impl Estimate {
    /// What the table of a material takes.
    pub fn of(variant: &Arc<Variant>, material: &Material) -> Estimate {
        Estimate::of_layout(&Layout::new(variant.clone(), material))
    }

    /// What the table with this numbering takes.
    pub fn of_layout(layout: &Layout) -> Estimate {
        let sides = if layout.material().is_symmetric() { 1 } else { 2 };
        let positions = sides * layout.len() as u64;
        let pawns = usize::from(layout.material().has_pawns(layout.variant()));
        Estimate {
            positions,
            memory: MemoryNeeded::of(layout).total(),
            cpu_seconds: positions as f64 * (SOLVING[pawns] + WRITING),
            file_bytes: (positions as f64 * FILE_BITS[pawns] / 8.0) as u64,
        }
    }
}

/// Roughly how many bytes of memory it takes to make a table, by what they are for.
#[derive(Clone, Copy, Debug)]
pub struct MemoryNeeded {
    /// Planes of the slices being solved and of those of the table itself that are still needed.
    pub planes: u64,
    /// Planes of the slices of other tables that are looked up at the same time.
    pub subtables: u64,
    /// All else.
    pub besides: u64,
    /// Planes of the whole table, if it is kept.
    pub table: u64,
    /// What packing it takes, once it is solved.
    pub packing: u64,
}

/// Planes for each side to move of a slice that is solved.
const SOLVED_PLANES: u64 = 12;
const ROW_BYTES: u64 = 16;

impl MemoryNeeded {
    /// What making the table of a layout takes.
    pub fn of(layout: &Layout) -> MemoryNeeded {
        /// More planes for each side while it is being solved, without pawns and with.
        const MORE_PLANES: [u64; 2] = [2, 3];
        /// What captures and pawn moves file away for each row, and what is noted of each block.
        const EVENT_BYTES: [u64; 2] = [32, 640];
        const BLOCK_BYTES: u64 = 200;
        /// The program, the buffers of the writer, and what does not depend on the table.
        const BASE: u64 = 64 << 20;
        /// The same of packing, its samples included.
        const PACKING_BASE: u64 = 192 << 20;
        let variant = layout.variant();
        let pawned = usize::from(layout.material().has_pawns(variant));
        let sides = if layout.material().is_symmetric() { 1 } else { 2 };
        let largest = most_rows(layout);
        // Small slices are solved side by side.
        let at_once =
            if largest > crate::solve::LARGE_SLICE_ROWS as u64 { 1 } else { 4 * rayon::current_num_threads() as u64 };
        let solving = at_once * largest * 2;
        let blocks = at_once * largest / layout.cell_count() as u64;
        // Of what a capture or promotion leads to, positions with one side to move are looked up: with several pawns in
        // as many slices.
        let pawns = layout.material().pawn_count(variant).max(1) as u64;
        let conversions: Vec<Layout> =
            layout.material().conversions(variant).iter().map(|m| Layout::new(variant.clone(), m)).collect();
        let looked_up = |layout: &Layout| {
            let rows = most_rows(layout);
            // Small slices are kept with rows and columns exchanged too.
            let ways = if rows > crate::solve::LARGE_SLICE_ROWS as u64 { 1 } else { 2 };
            solved(rows, 1) * ways * pawns
        };
        let whole = |layout: &Layout, sides| {
            (0..layout.slices().len()).map(|slice| solved(rows(layout, slice), sides)).sum::<u64>()
        };
        // Kept a second time in the order in which they are read, one side to move a third time while that is found; of
        // each row it is noted what captures tell.
        let packing = 2 * whole(layout, sides)
            + whole(layout, 1)
            + sides * layout.len() as u64 / layout.cell_count() as u64 * ROW_BYTES
            + conversions.iter().map(|layout| whole(layout, 2)).sum::<u64>()
            + PACKING_BASE;
        MemoryNeeded {
            packing,
            planes: solving * (SOLVED_PLANES + MORE_PLANES[pawned]) * ROW_BYTES + most_alive(layout, sides),
            subtables: conversions.iter().map(looked_up).sum(),
            besides: BASE + solving * EVENT_BYTES[pawned] + 2 * blocks * BLOCK_BYTES,
            table: whole(layout, sides),
        }
    }

    /// What must be there if planes are in memory.
    pub fn total(&self) -> u64 {
        self.in_planes() + self.besides
    }

    /// All planes, which may be in scratch files instead.
    pub fn in_planes(&self) -> u64 {
        self.planes + self.subtables
    }
}

fn rows(layout: &Layout, slice: usize) -> u64 {
    (layout.slice_len(slice) / layout.cell_count()) as u64
}

fn most_rows(layout: &Layout) -> u64 {
    (0..layout.slices().len()).map(|slice| rows(layout, slice)).max().unwrap_or(0)
}

/// The bytes of a solved slice of so many rows.
fn solved(rows: u64, sides: u64) -> u64 {
    rows * sides * SOLVED_PLANES * ROW_BYTES
}

/// The most bytes that solved slices take at any time because others still need them.
fn most_alive(layout: &Layout, sides: u64) -> u64 {
    let mut uses = vec![0u32; layout.slices().len()];
    layout.slices().iter().flat_map(|slice| &slice.pushes).for_each(|&to| uses[to as usize] += 1);
    let bytes = |slice: usize| solved(rows(layout, slice), sides);
    let (mut alive, mut most) = (0, 0);
    for (number, slice) in layout.slices().iter().enumerate() {
        most = most.max(alive);
        if uses[number] > 0 {
            alive += bytes(number);
        }
        for &to in &slice.pushes {
            uses[to as usize] -= 1;
            if uses[to as usize] == 0 {
                alive -= bytes(to as usize);
            }
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(name: &str) -> Estimate {
        let variant = Arc::new(Variant::glinski());
        Estimate::of(&variant, &Material::parse(&variant, name).unwrap())
    }

    #[test]
    fn what_was_measured_is_estimated_within_a_factor_of_two() {
        let near = |estimated: f64, measured: f64| {
            assert!((measured / 2.0..measured * 2.0).contains(&estimated), "{estimated} for {measured}");
        };
        let five = estimate("KQRKR");
        assert_eq!(five.positions, 954_020_886);
        near(five.cpu_seconds, 45.0);
        near(five.file_bytes as f64, 200.7e6);
        near(estimate("KQKP").file_bytes as f64, 11.7e6);
    }

    #[test]
    fn a_material_of_equal_sides_has_one_side_to_move() {
        let [equal, unequal] = ["KQKQ", "KQKR"].map(estimate);
        assert_eq!(2 * equal.positions, unequal.positions);
        assert!(equal.cpu_seconds < unequal.cpu_seconds && equal.file_bytes < unequal.file_bytes);
    }
}

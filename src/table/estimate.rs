//! What it takes to make a table, estimated from its numbering alone: memory, processor time, disk.
//!
//! Knows nothing of files, folders and other tables, and decides nothing: [`memory_needed`] must not fall short, as
//! generation is refused by it; the rest is for planning.

use crate::geometry::Variant;
use crate::index::{Layout, Material};
use std::sync::Arc;

// The rates are rough, and are to be measured anew by `scripts/bench-generate.sh` when the solver or the writer changes.
// They give 40 s of processor time for all tables of four men of Gliński's game and 53 s for KQRKR; measured were 44 to
// 50 s and 74 s on two threads that others kept busy too. Another processor is easily twice as fast or slow.

/// Seconds of processor time to solve an index (a number with one side to move) of a table without pawns, and with.
const SOLVING: [f64; 2] = [11e-9, 25e-9];
/// Seconds of processor time to compress and write an index at the default level.
const WRITING: f64 = 45e-9;
/// Bits of file for an index: all of four men come to 1.4 to 1.5 with pawns or without, KQRKR to 1.7; single materials
/// from next to nothing (two bishops) to 3.5 (KRKN).
const FILE_BITS: f64 = 1.7;

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
            memory: memory_needed(layout),
            cpu_seconds: positions as f64 * (SOLVING[pawns] + WRITING),
            file_bytes: (positions as f64 * FILE_BITS / 8.0) as u64,
        }
    }
}

/// The bytes that a solved table takes.
pub(super) fn table_bytes(layout: &Layout) -> u64 {
    let sides = if layout.material().is_symmetric() { 1 } else { 2 };
    // Two bytes a code; planes come to no more.
    2 * sides * layout.len() as u64
}

/// Roughly how many bytes of memory it takes to make a table, subtables included.
pub fn memory_needed(layout: &Layout) -> u64 {
    const PLANES: u64 = 18;
    const EVENT_BYTES: u64 = 32;
    let variant = layout.variant();
    let rows = |slice: usize| (layout.slice_len(slice) / layout.cell_count()) as u64;
    // Slices under way: at most one a thread, each with its planes for either side, and what captures and pawn moves
    // file away: a few events a row, or with pawns as many as there are distances.
    let largest = (0..layout.slices().len()).map(rows).max().unwrap_or(0);
    let at_once = layout.slices().len().min(rayon::current_num_threads()) as u64;
    let events = if layout.material().has_pawns(variant) { 24 } else { 4 };
    let under_way = at_once * largest * 2 * (PLANES * 16 + events * EVENT_BYTES);
    // A table is read in streams before it becomes codes.
    let subtables = layout.material().conversions(variant);
    let of_subtables: Vec<u64> = subtables.iter().map(|m| table_bytes(&Layout::new(variant.clone(), m))).collect();
    let reading = of_subtables.iter().max().copied().unwrap_or(0);
    table_bytes(layout) + under_way.max(reading) + of_subtables.iter().sum::<u64>() + (48 << 20)
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
        near(five.cpu_seconds, 74.0);
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

//! How much memory the classes of a material take, the tables that are asked left aside.

use crate::index::Layout;
use crate::solve::{Kernel, Space};
use std::sync::Arc;

/// Roughly how many bytes of memory it takes to classify a material's draws.
#[derive(Clone, Copy, Debug)]
pub struct MemoryNeeded {
    /// To classify it slice by slice.
    pub classifying: u64,
    /// The classes of all slices, if they are kept.
    pub keeping: u64,
}

impl MemoryNeeded {
    /// What the classes of a layout's material take.
    pub fn of(kernel: &Arc<Kernel>, layout: &Arc<Layout>) -> MemoryNeeded {
        /// The most planes that there are of a slice at a time, of both sides together.
        const PLANES: u64 = 24;
        /// Planes of a finished slice that pushes lead to, and of one whose classes are kept.
        const KEPT_PLANES: u64 = 6;
        const ROW_BYTES: u64 = size_of::<u128>() as u64;
        let rows = |slice: usize| (layout.slice_len(slice) / layout.cell_count()) as u64;
        let slices = layout.slices().len();
        let targets: Vec<Vec<usize>> = (0..slices)
            .map(|slice| super::pushes::targets(layout, &Space::new(kernel.clone(), layout.clone(), slice)))
            .collect();
        let mut uses = vec![0u32; slices];
        targets.iter().flatten().for_each(|&to| uses[to] += 1);
        let (mut alive, mut most, mut largest, mut all) = (0, 0, 0, 0);
        for slice in 0..slices {
            largest = largest.max(rows(slice));
            all += rows(slice);
            alive += if uses[slice] > 0 { rows(slice) } else { 0 };
            most = most.max(alive);
            for &to in &targets[slice] {
                uses[to] -= 1;
                alive -= if uses[to] == 0 { rows(to) } else { 0 };
            }
        }
        MemoryNeeded {
            classifying: (largest * PLANES + most * KEPT_PLANES) * ROW_BYTES,
            keeping: all * KEPT_PLANES * ROW_BYTES,
        }
    }
}

//! Reading a table once, row by row. Knows nothing of what is counted.

use crate::analysis::Progress;
use crate::geometry::Color;
use crate::index::{Layout, Material, OutcomeRow, fold_rows};
use crate::solve::Kernel;
use crate::table::packed::Part;
use crate::table::{TableError, Tablebase};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A row of a table.
pub(super) struct Row<'a> {
    pub(super) layout: &'a Layout,
    pub(super) slice: usize,
    /// The number of the row in its slice.
    pub(super) number: usize,
    /// How many positions on the board each of its positions stands for.
    pub(super) weight: u64,
    pub(super) outcomes: &'a OutcomeRow,
}

/// Folds over all rows of a material's table with one side to move, which must be stored: where both sides have the
/// same men that is White alone. Blocks are tested as they are read; slices are read one at a time. Progress counts
/// blocks of rows.
///
/// # Errors
/// When the table is missing or damaged.
pub(super) fn fold_table<T: Default + Send>(
    tables: &Tablebase,
    material: &Material,
    turn: Color,
    progress: Progress,
    step: impl Fn(&mut T, Row) + Sync,
    merge: impl Fn(T, T) -> T + Sync + Send,
) -> Result<T, TableError> {
    let (table, layout) = tables.open_file(material)?;
    let kernel = Arc::new(Kernel::new(tables.variant()));
    let blocks: usize = (0..layout.slices().len()).map(|slice| layout.block_count(slice)).sum();
    let done = AtomicU64::new(0);
    let mut total = T::default();
    for slice in 0..layout.slices().len() {
        let side = table.side(&kernel, &layout, slice, turn, Part::All)?;
        let of_row = |state: &mut T, number: usize, weight: u64, outcomes: &OutcomeRow| {
            if number.is_multiple_of(layout.cell_count()) {
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, blocks as u64);
            }
            step(state, Row { layout: &layout, slice, number, weight, outcomes });
        };
        total = merge(total, fold_rows(&layout, slice, &side, of_row, &merge));
    }
    Ok(total)
}

//! Where the solver looks up positions outside the slice it works on: the tables already solved, and the slices of
//! its own table that are done.

use crate::geometry::{CellSet, Color, Man, Role, Variant};
use crate::index::{DenseTable, Material, SliceView, View};
use std::collections::HashMap;
use std::sync::Arc;

/// The tables that a material's conversions lead to, and the table itself as far as it is solved.
pub struct Sources {
    variant: Arc<Variant>,
    tables: HashMap<Material, Arc<DenseTable>>,
}

impl Sources {
    pub fn new(variant: Arc<Variant>, tables: impl IntoIterator<Item = Arc<DenseTable>>) -> Sources {
        let tables = tables.into_iter().map(|table| (table.layout().material().clone(), table)).collect();
        Sources { variant, tables }
    }

    /// The positions with these men, in this order, and these pawns.
    ///
    /// None if a pawn stands where none can, or if the table is not there (as where no such capture is possible).
    pub fn view(&self, men: &[Man], pawns: [CellSet; 2]) -> Option<SliceView<'_>> {
        let side = |color: Color| -> Vec<Role> {
            let pieces = men.iter().filter(|m| m.color == color).map(|m| m.role);
            pieces.chain(std::iter::repeat_n(self.variant.pawn(), pawns[color.index()].len())).collect()
        };
        let (material, swapped) = Material::of_sides(&side(Color::White), &side(Color::Black));
        let placed = Color::BOTH.iter().all(|&c| (pawns[c.index()] - self.variant.pawn_rules(c).placement).is_empty());
        let table = self.tables.get(&material)?;
        if placed { View::new(table, men, swapped).slice(pawns) } else { None }
    }
}

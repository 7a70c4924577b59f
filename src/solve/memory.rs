//! Tables that live in memory only: for tests, for small boards and for programs that want an answer without files.

use super::{Kernel, SolveError, Subtables, solve};
use crate::geometry::{Color, Variant};
use crate::index::{DenseTable, Layout, MOST_MEN, Material, SideTable, SolvedSlice};
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::Outcome;
use crate::position::Position;
use crate::probe::{self, Placements};
use std::collections::HashMap;
use std::sync::Arc;

/// A set of tables in memory.
///
/// ```
/// use hextb::{geometry::Variant, index::Material, oracle::Oracle, position::Fen, solve::MemoryTables};
/// use std::sync::Arc;
/// let variant = Arc::new(Variant::named("glinski-3")?);
/// let mut tables = MemoryTables::new(variant.clone());
/// tables.solve(&Material::parse(&variant, "KQK")?);
/// let fen = Fen::parse(&variant, "1/3/5/7/7/3Q3/k5K w - 0 1")?;
/// let outcome = tables.outcome(&fen.position)?;
/// assert_eq!(outcome.value().word(), "win");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MemoryTables {
    variant: Arc<Variant>,
    kernel: Arc<Kernel>,
    tables: HashMap<Material, Arc<DenseTable>>,
}

impl MemoryTables {
    pub fn new(variant: Arc<Variant>) -> MemoryTables {
        MemoryTables::with_kernel(variant.clone(), Kernel::new(&variant))
    }

    /// Tables solved by a kernel of one's own choice, of the same variant.
    pub fn with_kernel(variant: Arc<Variant>, kernel: Kernel) -> MemoryTables {
        MemoryTables { kernel: Arc::new(kernel), variant, tables: HashMap::new() }
    }

    /// Solves a material and all that it converts into, except what is there already.
    ///
    /// # Panics
    /// If the kernel has an arena of files and their disk is full.
    pub fn solve(&mut self, material: &Material) {
        self.try_solve(material).expect("what a table needs is solved before it, and planes in memory need no disk");
    }

    /// Like [`MemoryTables::solve`], with an error where the kernel's arena fails.
    ///
    /// # Errors
    /// [`SolveError::Planes`].
    pub fn try_solve(&mut self, material: &Material) -> Result<(), SolveError> {
        for needed in material.with_dependencies(&self.variant) {
            if self.tables.contains_key(&needed) {
                continue;
            }
            let layout = Arc::new(Layout::new(self.variant.clone(), &needed));
            let table = DenseTable::new(layout.clone());
            let take = |slice: usize, sides: &SolvedSlice| {
                table.set(slice, sides.clone());
                Ok::<(), SolveError>(())
            };
            solve(&self.kernel, &layout, self, &(), take)?;
            self.tables.insert(needed, Arc::new(table));
        }
        Ok(())
    }

    /// Puts in a table from elsewhere.
    pub fn insert(&mut self, table: Arc<DenseTable>) {
        self.tables.insert(table.layout().material().clone(), table);
    }

    /// The table of a material.
    pub fn table(&self, material: &Material) -> Option<&Arc<DenseTable>> {
        self.tables.get(material)
    }

    /// Removes a table, for those who must keep memory low.
    pub fn remove(&mut self, material: &Material) {
        self.tables.remove(material);
    }
}

impl MemoryTables {
    /// The table of a material, or why there is none.
    fn known(&self, material: &Material) -> Result<&Arc<DenseTable>, ProbeError> {
        self.tables.get(material).ok_or_else(|| {
            let (name, men) = (material.name(&self.variant), material.men());
            match men > MOST_MEN {
                true => ProbeError::TooManyMen { material: name, men, most: MOST_MEN },
                false => ProbeError::Missing { file: format!("the table of {name} in memory"), material: name },
            }
        })
    }
}

impl Subtables for MemoryTables {
    fn layout(&self, material: &Material) -> Result<Arc<Layout>, ProbeError> {
        Ok(self.known(material)?.layout().clone())
    }

    fn side(&self, material: &Material, slice: usize, turn: Color) -> Result<Arc<SideTable>, ProbeError> {
        Ok(self.known(material)?.side(slice, turn).clone())
    }
}

impl Placements for MemoryTables {
    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn placement_outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let (material, swapped) = Material::of(&self.variant, position);
        let table = self.known(&material)?;
        let (turn, place) = probe::locate(table.layout(), position, swapped);
        let code = table.code(turn, place);
        code.outcome().ok_or_else(|| ProbeError::Damaged {
            file: format!("the table of {} in memory", material.name(&self.variant)),
            part: format!("index {}", place.index),
            expected: "an outcome".into(),
            found: "no legal position".into(),
        })
    }
}

impl Oracle for MemoryTables {
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        probe::with_en_passant(self, position)
    }
}

//! Where the outcomes come from: tables unpacked from files, or solved in memory.

use crate::geometry::Color;
use crate::index::{Layout, Material, SideTable};
use crate::oracle::{Oracle, ProbeError};
use crate::solve::{MemoryTables, Subtables};
use crate::table::UnpackedTables;
use std::sync::Arc;

/// Tables that can be read slice by slice and asked about any position.
pub trait Slices: Oracle {
    /// The numbering of a material's positions.
    ///
    /// # Errors
    /// When there is no such table.
    fn layout(&self, material: &Material) -> Result<Arc<Layout>, ProbeError>;

    /// The outcomes of a slice with one side to move; of like men only those in ascending order need be there. Where
    /// both sides have the same men, only White is asked for.
    ///
    /// # Errors
    /// When the table is not there or damaged.
    fn side(&self, material: &Material, slice: usize, turn: Color) -> Result<Arc<SideTable>, ProbeError>;
}

impl Slices for UnpackedTables {
    fn layout(&self, material: &Material) -> Result<Arc<Layout>, ProbeError> {
        UnpackedTables::layout(self, material)
    }

    fn side(&self, material: &Material, slice: usize, turn: Color) -> Result<Arc<SideTable>, ProbeError> {
        UnpackedTables::side(self, material, slice, turn)
    }
}

impl Slices for MemoryTables {
    fn layout(&self, material: &Material) -> Result<Arc<Layout>, ProbeError> {
        Subtables::layout(self, material)
    }

    fn side(&self, material: &Material, slice: usize, turn: Color) -> Result<Arc<SideTable>, ProbeError> {
        Subtables::side(self, material, slice, turn)
    }
}

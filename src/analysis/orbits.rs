//! Orbits of cells under the symmetries that a material has.
//!
//! Derived from the variant's symmetries alone. Shares nothing with the index of the tables, whose mistakes it would
//! otherwise repeat.

use crate::geometry::{Cell, Variant};

/// The orbits of the cells.
#[derive(Clone, Debug)]
pub struct Orbits {
    /// One cell of each orbit.
    pub representatives: Vec<Cell>,
    /// For each orbit, its number of cells.
    pub sizes: Vec<u64>,
}

impl Orbits {
    /// The orbits under all symmetries, or under those that keep the pawns' rules.
    pub fn new(variant: &Variant, with_pawns: bool) -> Orbits {
        let symmetries = variant.symmetries();
        let allowed: Vec<usize> =
            if with_pawns { variant.pawn_symmetries().to_vec() } else { (0..symmetries.len()).collect() };
        let image = |cell: Cell, i: usize| symmetries[i].apply(cell);
        let lowest = |cell: Cell| allowed.iter().map(|&i| image(cell, i)).min().unwrap_or(cell);
        let cells: Vec<Cell> = variant.board().cells().collect();
        let representatives: Vec<Cell> = cells.iter().copied().filter(|&c| lowest(c) == c).collect();
        let size = |representative: &Cell| cells.iter().filter(|&&c| lowest(c) == *representative).count() as u64;
        let sizes = representatives.iter().map(size).collect();
        Orbits { representatives, sizes }
    }
}

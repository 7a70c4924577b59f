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
    /// For each cell, its orbit: an index into `representatives`.
    pub orbit_of: Vec<usize>,
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
        let orbit = |cell| representatives.iter().position(|&other| other == lowest(cell));
        let orbit_of: Vec<usize> = cells.iter().map(|&cell| orbit(cell).expect("the lowest cell represents")).collect();
        let sizes = (0..representatives.len()).map(|o| orbit_of.iter().filter(|&&p| p == o).count() as u64).collect();
        Orbits { representatives, orbit_of, sizes }
    }
}

//! What becomes of the second side's king on each cell of the board: how far it is from mate, and where it is mated.

use super::walk::{Row, fold_table};
use crate::analysis::Progress;
use crate::analysis::orbits::Orbits;
use crate::geometry::{Cell, CellSet, Color, Variant};
use crate::index::{Material, Place};
use crate::outcome::Value;
use crate::table::{TableError, Tablebase};
use serde::Serialize;

/// The positions with Black, the side that the material names second, to move and its king on one cell; all symmetric
/// images included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct OfCell {
    pub legal: u64,
    /// Those that are lost: Black will be mated.
    pub lost: u64,
    /// The distances to mate of the lost ones together, in plies.
    pub plies: u64,
    /// Those in which Black is mated.
    pub mated: u64,
}

impl OfCell {
    /// The mean distance to mate of the lost positions, in plies; none if there are none.
    pub fn mean_plies(&self) -> Option<f64> {
        (self.lost > 0).then(|| self.plies as f64 / self.lost as f64)
    }

    fn add(&mut self, other: &OfCell) {
        self.legal += other.legal;
        self.lost += other.lost;
        self.plies += other.plies;
        self.mated += other.mated;
    }
}

/// The positions of a material with Black to move, by the cell of Black's king.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KingMap {
    /// An entry for each cell of the board, in the order of cells.
    pub cells: Vec<OfCell>,
}

impl KingMap {
    /// Reads a material's table and counts, on all threads of the current rayon pool.
    ///
    /// # Errors
    /// When the table is missing or damaged.
    pub fn of(tables: &Tablebase, material: &Material, progress: Progress) -> Result<KingMap, TableError> {
        // Where both sides have the same men, Black's positions are White's with the colours swapped.
        let side = if material.is_symmetric() { Color::White } else { Color::Black };
        let step = |counts: &mut Vec<OfCell>, row: Row| count_row(counts, &row, side);
        let stored = fold_table(tables, material, side, progress, step, merged)?;
        Ok(KingMap { cells: spread(tables.variant(), material, &stored) })
    }

    /// All cells together.
    pub fn total(&self) -> OfCell {
        let mut total = OfCell::default();
        self.cells.iter().for_each(|of_cell| total.add(of_cell));
        total
    }
}

/// Counts a row by the cell of the king of `side`, which is to move.
fn count_row(counts: &mut Vec<OfCell>, row: &Row, side: Color) {
    let n = row.layout.cell_count();
    counts.resize(n, OfCell::default());
    // The kings come first among the men.
    let king = side.index();
    let is_column_man = king == row.layout.men().len() - 1;
    let cells = row.layout.cells_at(Place { slice: row.slice, index: row.number * n });
    row.outcomes.each_outcome(|outcome, columns| {
        let mut count = |cell: Cell, positions: u64| {
            let lost = outcome.value() == Value::Loss;
            let plies = if lost { u64::from(outcome.plies().unwrap_or(0)) } else { 0 };
            let positions = positions * row.weight;
            counts[cell.index()].add(&OfCell {
                legal: positions,
                lost: if lost { positions } else { 0 },
                plies: positions * plies,
                mated: if lost && plies == 0 { positions } else { 0 },
            });
        };
        match is_column_man {
            true => CellSet(columns).iter().for_each(|cell| count(cell, 1)),
            false => count(cells[king], u64::from(columns.count_ones())),
        }
    });
}

/// From the stored positions to all: the positions with the king on any cell of an orbit are as many as those on any
/// other, and together they are those that the stored ones stand for.
fn spread(variant: &Variant, material: &Material, stored: &[OfCell]) -> Vec<OfCell> {
    let orbits = Orbits::new(variant, material.has_pawns(variant));
    let mut of_orbit = vec![OfCell::default(); orbits.representatives.len()];
    stored.iter().zip(&orbits.orbit_of).for_each(|(of_cell, &orbit)| of_orbit[orbit].add(of_cell));
    let on_board = |cell: Cell| {
        let cell = if material.is_symmetric() { variant.colour_swap().apply(cell) } else { cell };
        let orbit = orbits.orbit_of[cell.index()];
        let (sum, size) = (of_orbit[orbit], orbits.sizes[orbit]);
        OfCell { legal: sum.legal / size, lost: sum.lost / size, plies: sum.plies / size, mated: sum.mated / size }
    };
    variant.board().cells().map(on_board).collect()
}

fn merged(a: Vec<OfCell>, mut b: Vec<OfCell>) -> Vec<OfCell> {
    b.resize(a.len().max(b.len()), OfCell::default());
    b.iter_mut().zip(&a).for_each(|(b, a)| b.add(a));
    b
}

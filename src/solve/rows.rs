//! Rows and blocks of bits, and the three operations on them that everything else is made of.
//!
//! A row is the set of cells of one man (the column man) as bits of a `u128`; a block is a row for each cell of
//! another (the row man). So a block is a picture of where two men stand:
//!
//! ```text
//!                 column man's cell
//!                 a1 a2 a3 ...
//!   row man's  a1  0  1  1           one row: all places of the column man
//!   cell       a2  1  0  0             while the row man stands on a2
//!              ...
//! ```
//!
//! Moves of the row man carry whole rows to other rows ([`Lines::before`]); moves of the column man are
//! the same thing on the transposed block; a symmetry of the board permutes rows and bits.

use super::lines::Lines;
use crate::geometry::{Cell, CellSet, MAX_CELLS, Role, Variant};

/// A block: a row for each cell, the rows beyond the board's cells empty.
pub type Block = [u128; MAX_CELLS];

/// A block without any position.
pub const EMPTY_BLOCK: Block = [0; MAX_CELLS];

/// A permutation of a row's bits, as one table look-up a byte.
pub struct BitPermutation {
    bytes: Vec<[u128; 256]>,
}

impl BitPermutation {
    /// The permutation that moves bit `map[i]` to bit `i`.
    pub fn undoing(map: &[Cell]) -> BitPermutation {
        let mut target = [0u8; MAX_CELLS];
        for (to, from) in map.iter().enumerate() {
            target[from.index()] = to as u8;
        }
        let bytes = (0..map.len().div_ceil(8)).map(|byte| {
            let image = |value: usize| {
                (0..8).filter(|bit| value >> bit & 1 != 0).map(|bit| 1u128 << target[8 * byte + bit]).sum()
            };
            std::array::from_fn(image)
        });
        BitPermutation { bytes: bytes.collect() }
    }

    #[inline]
    pub fn apply(&self, row: u128) -> u128 {
        let bytes = row.to_le_bytes();
        self.bytes.iter().zip(bytes).fold(0, |image, (table, byte)| image | table[byte as usize])
    }
}

/// How a role moves: along lines, for many positions at once, or cell by cell.
pub struct Scan {
    pub lines: Lines,
    /// For each cell, where a man there may go.
    pub from: Vec<Reach>,
    /// For each cell, from where a man may come.
    pub to: Vec<Reach>,
}

/// What is in reach of a cell, by one role.
pub struct Reach {
    /// The cells one step or leap away.
    pub steps: Vec<u8>,
    /// The cells along each sliding direction, the nearest first.
    pub rays: Vec<Vec<u8>>,
    /// All of them.
    pub all: CellSet,
}

impl Scan {
    pub fn new(variant: &Variant, role: Role) -> Scan {
        let movement = variant.movement(role);
        let reach = |steps: &[CellSet], slides: &[usize]| -> Vec<Reach> {
            let of_cell = |cell: Cell| {
                let steps = steps[cell.index()];
                let sets = slides.iter().map(|&d| (variant.directions()[d].rays[cell.index()], d));
                let rays = sets.clone().filter(|(ray, _)| !ray.is_empty()).map(|(ray, d)| {
                    let mut cells: Vec<u8> = ray.iter().map(|c| c.0).collect();
                    if !variant.directions()[d].ascending {
                        cells.reverse();
                    }
                    cells
                });
                Reach {
                    steps: steps.iter().map(|c| c.0).collect(),
                    rays: rays.collect(),
                    all: sets.fold(steps, |all, (ray, _)| all | ray),
                }
            };
            variant.board().cells().map(of_cell).collect()
        };
        Scan {
            lines: Lines::new(variant, role),
            from: reach(&movement.steps, &movement.slides),
            to: reach(&movement.steps_to, &movement.slides_to),
        }
    }
}

/// The `pass` of [`Lines::before`] when men always stand on `fixed`.
pub fn passing(fixed: CellSet, cell_count: usize) -> Block {
    let mut pass = EMPTY_BLOCK;
    for (cell, columns) in pass.iter_mut().enumerate().take(cell_count) {
        let cell = Cell(cell as u8);
        if !fixed.contains(cell) {
            *columns = !cell.set().0;
        }
    }
    pass
}

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
//! Moves of the row man carry whole rows to other rows ([`Scan::before_row_moves`]); moves of the column man are
//! the same thing on the transposed block; a symmetry of the board permutes rows and bits.

use crate::geometry::{Cell, CellSet, MAX_CELLS, Role, Variant};

/// A block: a row for each cell, the rows beyond the board's cells empty.
pub type Block = [u128; MAX_CELLS];

/// A block without any position.
pub const EMPTY_BLOCK: Block = [0; MAX_CELLS];

/// Exchanges rows and columns.
///
/// Swaps ever smaller off-diagonal squares of bits, as in Warren, "Hacker's Delight", section 7-3.
pub fn transpose(block: &mut Block) {
    let mut width = MAX_CELLS / 2;
    let mut mask = u128::MAX >> width;
    while width > 0 {
        let mut row = 0;
        while row < MAX_CELLS {
            for upper in row..row + width {
                let lower = upper + width;
                let differing = ((block[upper] >> width) ^ block[lower]) & mask;
                block[lower] ^= differing;
                block[upper] ^= differing << width;
            }
            row += 2 * width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

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

/// How a role's moves carry rows: its lines and steps, laid out for scanning.
pub struct Scan {
    /// The lines of all sliding directions, each from its last cell to its first, joined up.
    line_cells: Vec<u8>,
    line_lengths: Vec<u8>,
    /// For each cell, the cells one step away.
    steps: Vec<Vec<u8>>,
}

impl Scan {
    pub fn new(variant: &Variant, role: Role) -> Scan {
        let movement = variant.movement(role);
        let (mut line_cells, mut line_lengths) = (vec![], vec![]);
        for &d in &movement.slides {
            for line in variant.directions()[d].lines.iter().filter(|line| line.len() > 1) {
                line_cells.extend(line.iter().rev().map(|c| c.0));
                line_lengths.push(line.len() as u8);
            }
        }
        Scan {
            line_cells,
            line_lengths,
            steps: movement.steps.iter().map(|set| set.iter().map(|c| c.0).collect()).collect(),
        }
    }

    /// Adds to `before` the positions from which one move of the row man leads into `after`.
    ///
    /// `pass` has for each cell the columns that let the row man through: none where another man always stands,
    /// else all but the cell itself, where the column man would be in the way.
    pub fn before_row_moves(&self, after: &[u128], pass: &Block, before: &mut Block) {
        let mut cells = self.line_cells.as_slice();
        for &length in &self.line_lengths {
            let (line, rest) = cells.split_at(length as usize);
            cells = rest;
            // From the far end of the line back: what can be reached from a cell is what lies beyond it.
            let mut reached = 0;
            for &cell in line {
                let cell = cell as usize;
                before[cell] |= reached;
                reached = after[cell] | (reached & pass[cell]);
            }
        }
        for (cell, steps) in self.steps.iter().enumerate() {
            for &to in steps {
                before[cell] |= after[to as usize];
            }
        }
    }
}

/// The `pass` of [`Scan::before_row_moves`] when men always stand on `fixed`.
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

//! Rows and blocks of bits: how the solver holds positions, so that a few instructions deal with a hundred of them.
//!
//! Of all men but the pawns (those stand still in a slice) the last two are the row man and the column man. A *row*
//! is a set of positions that differ in the column man's cell alone: a `u128` with a bit for each cell. A *block* is
//! a row for each cell of the row man. It is a picture of where two men stand while all others, the *outer* men,
//! stay where they are:
//!
//! ```text
//!                 column man's cell
//!                 a1 a2 a3 ...
//!   row man's  a1  0  1  1           one row: all places of the column man
//!   cell       a2  1  0  0             while the row man stands on a2
//!              ...
//! ```
//!
//! A *plane* is a set of positions of a whole slice, block after block. Every question of the solver is of one form:
//! which positions have a move into a given plane? Each man moves in his own direction of this picture:
//!
//! | who moves | what it does | how |
//! |---|---|---|
//! | row man | carries rows to other rows of the block | a scan along lines of rows ([`Lines::before`]) |
//! | column man | carries bits to other bits of the row | the block transposed, he is a row man: the same scan |
//! | third man | carries rows to the same rows of other blocks | a scan along lines of blocks (`third_man`) |
//! | outer king | carries a block to another | rows gathered |
//!
//! Where outer kings come to stand on no representative of their orbit, a symmetry permutes rows and bits besides
//! ([`BitPermutation`](crate::geometry::BitPermutation)).
//!
//! ```text
//!   row man moves        column man moves       third man moves
//!
//!    . . 1 . .            . . . . .             block of P on a1   P on a2   P on a3
//!    | | | | |            . 1 -> 1 .              +-----+         +-----+   +-----+
//!    v v v v v            . . . . .               |row 5| ------> |row 5|-->|row 5|
//!    . . 1 . .            . . . . .               +-----+         +-----+   +-----+
//! ```
//!
//! Nobody has to look for captures: a bit where two men share a cell would mean nothing, so it holds what is known
//! of the position after one has taken the other (see [`Space`](super::space::Space)), and the same scans pick it up.

use super::lines::Lines;
use crate::geometry::{Cell, CellSet, MAX_CELLS, Role, Variant};

/// A block: a row for each cell, the rows beyond the board's cells empty.
pub type Block = [u128; MAX_CELLS];

/// A block without any position.
pub const EMPTY_BLOCK: Block = [0; MAX_CELLS];

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
    /// Those that no one can stand in the way of: one step or leap away, or first in a sliding direction.
    pub near: CellSet,
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
                let rays: Vec<Vec<u8>> = rays.collect();
                Reach {
                    near: rays.iter().fold(steps, |near, ray| near | Cell(ray[0]).set()),
                    steps: steps.iter().map(|c| c.0).collect(),
                    rays,
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

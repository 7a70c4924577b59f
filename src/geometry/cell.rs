//! Cells and sets of cells of a board of at most 128 cells.
//!
//! A [`Cell`] is a number that means something only together with its [`Board`](super::Board); cells are
//! numbered file by file, upwards in each file. This file knows nothing of shapes, directions or men.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

/// The most cells a board may have: a set of cells is one `u128`.
pub const MAX_CELLS: usize = 128;

/// A cell of a board, numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(pub u8);

impl Cell {
    /// The cell's number as an index into per-cell arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that holds this cell alone.
    #[inline]
    pub fn set(self) -> CellSet {
        CellSet(1 << self.0)
    }
}

/// A set of cells, one bit a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CellSet(pub u128);

impl CellSet {
    pub const EMPTY: CellSet = CellSet(0);

    /// The set of the first `count` cells, that is, of all cells of a board with `count` cells.
    pub fn first(count: usize) -> CellSet {
        debug_assert!(count <= MAX_CELLS);
        CellSet(if count == MAX_CELLS { !0 } else { (1 << count) - 1 })
    }

    #[inline]
    pub fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.0 & 1 != 0
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.0;
    }

    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        self.0 &= !(1 << cell.0);
    }

    #[inline]
    pub fn intersects(self, other: CellSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The cell with the smallest number, if any.
    #[inline]
    pub fn lowest(self) -> Option<Cell> {
        (self.0 != 0).then(|| Cell(self.0.trailing_zeros() as u8))
    }

    /// The cell with the largest number, if any.
    #[inline]
    pub fn highest(self) -> Option<Cell> {
        (self.0 != 0).then(|| Cell(127 - self.0.leading_zeros() as u8))
    }

    /// The cells in increasing order.
    #[inline]
    pub fn iter(self) -> Cells {
        Cells(self.0)
    }
}

/// Iterator over the cells of a set, in increasing order.
#[derive(Clone)]
pub struct Cells(u128);

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let cell = CellSet(self.0).lowest()?;
        self.0 &= self.0 - 1;
        Some(cell)
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = Cells;

    #[inline]
    fn into_iter(self) -> Cells {
        self.iter()
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        cells.into_iter().fold(CellSet::EMPTY, |set, cell| set | cell.set())
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, |$a:ident, $b:ident| $value:expr) => {
        impl $trait for CellSet {
            type Output = CellSet;
            #[inline]
            fn $method(self, other: CellSet) -> CellSet {
                let ($a, $b) = (self.0, other.0);
                CellSet($value)
            }
        }
    };
}
set_operator!(BitAnd, bitand, |a, b| a & b);
set_operator!(BitOr, bitor, |a, b| a | b);
set_operator!(BitXor, bitxor, |a, b| a ^ b);
set_operator!(Sub, sub, |a, b| a & !b);

impl Not for CellSet {
    type Output = CellSet;
    #[inline]
    fn not(self) -> CellSet {
        CellSet(!self.0)
    }
}

impl BitOrAssign for CellSet {
    #[inline]
    fn bitor_assign(&mut self, other: CellSet) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for CellSet {
    #[inline]
    fn bitand_assign(&mut self, other: CellSet) {
        self.0 &= other.0;
    }
}

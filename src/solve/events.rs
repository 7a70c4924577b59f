//! Facts that become true at a known ply: what captures, promotions and pawn moves are worth.
//!
//! Positions outside the slice are solved already. What they are worth enters the iteration when its depth is
//! due, never before, so that distances come out right.

use crate::geometry::{Cell, CellSet};
use crate::outcome::{Outcome, Value};

/// Some positions of a slice, in one of the forms in which they come together.
#[derive(Clone, Copy)]
pub struct Positions {
    /// A row of the slice, or a block.
    at: u32,
    form: u8,
    /// Columns or rows, as two halves so that it takes less room.
    bits: [u64; 2],
}

/// The forms of [`Positions`] besides a column's number: that column of some rows of a block.
const ROW: u8 = 255;
const DIAGONAL: u8 = 254;

impl Positions {
    fn new(at: usize, form: u8, bits: u128) -> Positions {
        Positions { at: at as u32, form, bits: [bits as u64, (bits >> 64) as u64] }
    }

    /// Columns of a row.
    pub fn row(row: usize, columns: u128) -> Positions {
        Positions::new(row, ROW, columns)
    }

    /// One column of some rows of a block.
    pub fn column(block: usize, rows: u128, column: Cell) -> Positions {
        Positions::new(block, column.0, rows)
    }

    /// Of some rows of a block the column with the row's own number.
    pub fn diagonal(block: usize, rows: u128) -> Positions {
        Positions::new(block, DIAGONAL, rows)
    }

    /// Calls back with each row of the slice, of whose blocks each has `n` rows, and the columns there.
    #[inline]
    pub fn each_row(&self, n: usize, mut visit: impl FnMut(u32, u128)) {
        let bits = self.bits[0] as u128 | (self.bits[1] as u128) << 64;
        if self.form == ROW {
            return visit(self.at, bits);
        }
        let first = self.at * n as u32;
        for row in CellSet(bits) {
            let column = if self.form == DIAGONAL { row } else { Cell(self.form) };
            visit(first + row.index() as u32, column.set().0);
        }
    }
}

/// Positions with what they are worth.
pub type Filed = (Outcome, Positions);

/// Positions of one value, filed by ply.
#[derive(Default)]
pub struct Events {
    by_ply: Vec<Vec<Positions>>,
}

impl Events {
    /// Files the decisive ones of many positions by value and ply.
    pub fn by_value(filed: Vec<Vec<Filed>>) -> [Events; Value::ALL.len()] {
        let mut events: [Events; Value::ALL.len()] = Default::default();
        let mut counts: [Vec<usize>; Value::ALL.len()] = Default::default();
        let decisive =
            || filed.iter().flatten().filter_map(|(outcome, at)| Some((outcome.value(), outcome.plies()?, at)));
        for (value, plies, _) in decisive() {
            let counts = &mut counts[value as usize];
            if counts.len() <= plies as usize {
                counts.resize(plies as usize + 1, 0);
            }
            counts[plies as usize] += 1;
        }
        for (events, counts) in events.iter_mut().zip(&counts) {
            events.by_ply = counts.iter().map(|&count| Vec::with_capacity(count)).collect();
        }
        for (value, plies, positions) in decisive() {
            events[value as usize].by_ply[plies as usize].push(*positions);
        }
        events
    }

    /// What is due at a ply.
    pub fn due(&self, ply: u16) -> &[Positions] {
        self.by_ply.get(ply as usize).map_or(&[], |due| due)
    }

    /// Whether something is due later than `ply`.
    pub fn any_after(&self, ply: u16) -> bool {
        self.by_ply.len() > ply as usize + 1
    }
}

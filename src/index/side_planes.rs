//! Outcomes as bit planes: how the solver leaves them, and half the size of codes where distances are short.
//!
//! A few planes say what a position is worth, and a plane for each binary digit how far it is.

use super::dense::Code;
use super::planes::Plane;
use super::row::{EMPTY_ROW, OutcomeRow, decisive};
use crate::outcome::Value;
use std::ops::Range;

/// The outcomes of a slice with one side to move.
pub struct SidePlanes {
    /// The legal positions.
    pub legal: Plane,
    /// The positions that are not won. Bits outside `legal` mean nothing.
    pub open: Plane,
    /// The legal positions that are drawn.
    pub drawn: Plane,
    /// The positions that are decided by stalemate, not by mate; none where stalemate is a draw.
    pub by_stalemate: Option<Plane>,
    /// The binary digits of the distance in moves (plies / 2, rounded down), the lowest first; digits beyond are 0.
    pub distance: Vec<Plane>,
    /// The same with the rows and columns of each block exchanged, where columns are to be looked up fast.
    pub across: Option<Box<SidePlanes>>,
}

impl SidePlanes {
    /// The code of the position in a row and column.
    #[inline]
    pub fn code(&self, row: usize, column: usize) -> Code {
        let bit = |plane: &Plane| plane[row] >> column & 1;
        if bit(&self.legal) == 0 {
            return Code::ILLEGAL;
        }
        if bit(&self.drawn) != 0 {
            return Code::DRAW;
        }
        let moves: u128 = self.distance.iter().enumerate().map(|(digit, plane)| bit(plane) << digit).sum();
        let late = self.by_stalemate.as_ref().is_some_and(|plane| bit(plane) != 0);
        let value = match (bit(&self.open) == 0, late) {
            (true, false) => Value::Win,
            (true, true) => Value::StalemateWin,
            (false, true) => Value::StalemateLoss,
            (false, false) => Value::Loss,
        };
        Code::of(decisive(value, moves as u16))
    }

    /// The outcomes of a row.
    #[inline]
    pub fn row(&self, row: usize) -> OutcomeRow {
        if self.legal[row] == 0 {
            return EMPTY_ROW;
        }
        self.outcomes(|plane| plane[row])
    }

    /// The same planes, each changed by `map`.
    ///
    /// # Errors
    /// The first of `map`.
    pub fn map_planes<E>(&self, mut map: impl FnMut(&Plane) -> Result<Plane, E>) -> Result<SidePlanes, E> {
        Ok(SidePlanes {
            legal: map(&self.legal)?,
            open: map(&self.open)?,
            drawn: map(&self.drawn)?,
            by_stalemate: self.by_stalemate.as_ref().map(&mut map).transpose()?,
            distance: self.distance.iter().map(&mut map).collect::<Result<_, _>>()?,
            across: None,
        })
    }

    /// The outcomes of one column in each of a block's rows, as if it were a row.
    pub fn column(&self, rows: Range<usize>, column: usize) -> OutcomeRow {
        if let Some(across) = &self.across {
            return across.row(rows.start + column);
        }
        if column_bits(&self.legal[rows.clone()], column) == 0 {
            return EMPTY_ROW;
        }
        self.outcomes(|plane| column_bits(&plane[rows.clone()], column))
    }

    /// The outcomes that the bits of each plane at some place make up.
    #[inline]
    fn outcomes(&self, bits: impl Fn(&Plane) -> u128) -> OutcomeRow {
        let legal = bits(&self.legal);
        let late = self.by_stalemate.as_ref().map_or(0, &bits);
        let (open, drawn) = (bits(&self.open), bits(&self.drawn));
        let decided = legal & !drawn;
        let mut outcomes = EMPTY_ROW;
        // In the order of the values.
        outcomes.of_value = [
            decided & open & !late,
            decided & open & late,
            legal & drawn,
            decided & !open & late,
            decided & !open & !late,
        ];
        outcomes.digit_count = self.distance.len();
        for (digit, plane) in outcomes.digits.iter_mut().zip(&self.distance) {
            *digit = bits(plane) & decided;
        }
        outcomes
    }

    /// The bytes that the planes take.
    pub fn bytes(&self) -> usize {
        let planes = 3 + usize::from(self.by_stalemate.is_some()) + self.distance.len();
        planes * self.legal.len() * size_of::<u128>() + self.across.as_ref().map_or(0, |across| across.bytes())
    }
}

/// One bit of each of some rows, at most 128.
fn column_bits(rows: &[u128], column: usize) -> u128 {
    let mask = 1 << (column % 64);
    // A loop for either half of the rows' bits: shifting 128 bits would take longer than all else.
    match column < 64 {
        true => gathered(rows, |row| row as u64 & mask != 0),
        false => gathered(rows, |row| (row >> 64) as u64 & mask != 0),
    }
}

/// The rows that have something, as bits.
#[inline]
fn gathered(rows: &[u128], has: impl Fn(u128) -> bool) -> u128 {
    let half = |rows: &[u128]| rows.iter().rev().fold(0u64, |bits, &row| bits << 1 | u64::from(has(row)));
    let (low, high) = rows.split_at(rows.len().min(64));
    half(low) as u128 | (half(high) as u128) << 64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_and_its_single_positions_have_the_same_codes() {
        let plane = |bits: u128| {
            let mut plane = Plane::new(3);
            plane[1] = bits;
            plane
        };
        let mixed = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978u128;
        let planes = SidePlanes {
            legal: plane(mixed | mixed >> 1),
            open: plane(mixed.rotate_left(5)),
            drawn: plane(mixed & mixed >> 1),
            by_stalemate: Some(plane(mixed.rotate_left(11))),
            distance: (0..10).map(|digit| plane(mixed.rotate_left(17 * digit))).collect(),
            across: None,
        };
        for row in 0..3 {
            let mut codes = [Code::ILLEGAL; 128];
            planes.row(row).each_outcome(|outcome, columns| {
                (0..128).filter(|c| columns >> c & 1 != 0).for_each(|c| codes[c] = Code::of(outcome));
            });
            for (column, code) in codes.into_iter().enumerate() {
                assert!(code == planes.code(row, column), "row {row}, column {column}");
            }
        }
    }
    #[test]
    fn a_column_holds_the_codes_of_its_rows() {
        let plane = |shift: u32| {
            let mut plane = Plane::new(91);
            let mixed = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978u128;
            plane
                .iter_mut()
                .enumerate()
                .for_each(|(i, row)| *row = mixed.rotate_left(shift + 7 * i as u32) ^ i as u128);
            plane
        };
        let planes = SidePlanes {
            legal: plane(0),
            open: plane(3),
            drawn: plane(50),
            by_stalemate: Some(plane(77)),
            distance: (0..10).map(|digit| plane(digit * 13)).collect(),
            across: None,
        };
        for column in [0, 1, 7, 8, 63, 64, 90, 127] {
            let mut codes = [Code::ILLEGAL; 128];
            planes.column(0..91, column).each_outcome(|outcome, rows| {
                (0..128).filter(|r| rows >> r & 1 != 0).for_each(|r| codes[r] = Code::of(outcome));
            });
            assert!((0..91).all(|row| codes[row] == planes.code(row, column)), "column {column}");
        }
    }
}

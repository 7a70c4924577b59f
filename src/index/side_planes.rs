//! Outcomes as bit planes: how the solver leaves them, and half the size of codes where distances are short.
//!
//! A few planes say what a position is worth, and a plane for each binary digit how far it is.

use super::dense::Code;
use super::planes::Plane;
use crate::geometry::CellSet;
use crate::outcome::{Outcome, Value};

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
        decisive(bit(&self.open) == 0, late, moves as u16)
    }

    /// Writes the codes of a row, one for each column.
    pub fn write_row(&self, row: usize, codes: &mut [Code]) {
        let legal = self.legal[row];
        let late = self.by_stalemate.as_ref().map_or(0, |plane| plane[row]);
        let (open, drawn) = (self.open[row], self.drawn[row]);
        let mut moves = [0u16; 128];
        for (high, digits) in self.distance.chunks(8).enumerate() {
            add_digits(digits, row, 8 * high as u32, &mut moves);
        }
        codes.fill(Code::ILLEGAL);
        for column in CellSet(legal & drawn) {
            codes[column.index()] = Code::DRAW;
        }
        let decided = legal & !drawn;
        for (bits, won, by_stalemate) in [
            (decided & !open & !late, true, false),
            (decided & open & !late, false, false),
            (decided & !open & late, true, true),
            (decided & open & late, false, true),
        ] {
            for column in CellSet(bits) {
                codes[column.index()] = decisive(won, by_stalemate, moves[column.index()]);
            }
        }
    }
}

#[inline]
fn decisive(won: bool, by_stalemate: bool, moves: u16) -> Code {
    Code::of(match (won, by_stalemate) {
        (true, false) => Outcome::new(Value::Win, 2 * moves + 1),
        (true, true) => Outcome::new(Value::StalemateWin, 2 * moves + 1),
        (false, false) => Outcome::new(Value::Loss, 2 * moves),
        (false, true) => Outcome::new(Value::StalemateLoss, 2 * moves),
    })
}

/// Adds up to eight binary digits of a row's distances, the first of them worth 2^`shift`.
fn add_digits(digits: &[Plane], row: usize, shift: u32, moves: &mut [u16; 128]) {
    let mut bytes = [[0u8; 16]; 8];
    for (bytes, plane) in bytes.iter_mut().zip(digits) {
        *bytes = plane[row].to_le_bytes();
    }
    for eighth in 0..16 {
        // Eight columns of eight digits: an 8 x 8 matrix of bits, transposed into eight numbers.
        let matrix = u64::from_le_bytes(std::array::from_fn(|digit| bytes[digit][eighth]));
        if matrix != 0 {
            for (column, number) in transpose_8x8(matrix).to_le_bytes().into_iter().enumerate() {
                moves[8 * eighth + column] += u16::from(number) << shift;
            }
        }
    }
}

/// Exchanges rows and columns of an 8 x 8 matrix of bits, a row a byte (Warren, "Hacker's Delight", section 7-3).
fn transpose_8x8(mut m: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
        let differing = (m ^ (m >> shift)) & mask;
        m ^= differing ^ (differing << shift);
    }
    m
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
        };
        for row in 0..3 {
            let mut codes = [Code::DRAW; 128];
            planes.write_row(row, &mut codes);
            for (column, code) in codes.into_iter().enumerate() {
                assert!(code == planes.code(row, column), "row {row}, column {column}");
            }
        }
    }
}

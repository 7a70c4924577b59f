//! Outcomes with all bits of a row side by side: a row is fetched from memory at once, wherever it lies.
//!
//! What serves where rows are asked for in another order than they have.

use super::dense::Code;
use super::planes::Plane;
use super::row::{EMPTY_ROW, OutcomeRow, decisive};
use super::side_planes::SidePlanes;
use crate::outcome::Value;
use rayon::prelude::*;

/// The outcomes of a slice with one side to move, row by row: the columns of each value, then those of each
/// binary digit of the distances.
pub struct SideRows {
    bits: Plane,
    digits: usize,
}

/// Numbers of a row before the digits.
const VALUES: usize = Value::ALL.len();

impl SideRows {
    /// The rows of some planes, those of each block of `block_rows` rows changed by `map`.
    pub fn new(planes: &SidePlanes, block_rows: usize, map: impl Fn(&mut [u128]) + Sync) -> SideRows {
        let digits = planes.distance.len();
        let stride = VALUES + digits;
        let mut bits = Plane::new(planes.legal.len() * stride);
        bits.par_chunks_mut(block_rows * stride).enumerate().for_each(|(block, to)| {
            let mut rows = vec![0; block_rows];
            let mut put = |at: usize, of_row: &dyn Fn(&OutcomeRow) -> u128, found: &[OutcomeRow]| {
                rows.iter_mut().zip(found).for_each(|(to, row)| *to = of_row(row));
                map(&mut rows);
                to.iter_mut().skip(at).step_by(stride).zip(&rows).for_each(|(to, &from)| *to = from);
            };
            let first = block * block_rows;
            let found: Vec<OutcomeRow> = (first..first + block_rows).map(|row| planes.row(row)).collect();
            for value in 0..VALUES {
                put(value, &|row| row.of_value[value], &found);
            }
            for digit in 0..digits {
                put(VALUES + digit, &|row| row.digits[digit], &found);
            }
        });
        SideRows { bits, digits }
    }

    /// The outcomes of a row.
    #[inline]
    pub fn row(&self, row: usize) -> OutcomeRow {
        let stride = VALUES + self.digits;
        let bits = &self.bits[row * stride..][..stride];
        let mut row = EMPTY_ROW;
        row.set(&bits[..VALUES], &bits[VALUES..]);
        row
    }

    /// The code of the position in a row and column.
    #[inline]
    pub fn code(&self, row: usize, column: usize) -> Code {
        let stride = VALUES + self.digits;
        let bits = &self.bits[row * stride..][..stride];
        let bit = |bits: u128| (bits >> (column / 64 * 64)) as u64 >> (column % 64) & 1;
        let (values, digits) = bits.split_at(VALUES);
        match values.iter().position(|&columns| bit(columns) != 0) {
            None => Code::ILLEGAL,
            Some(value) if value == Value::Draw as usize => Code::DRAW,
            Some(value) => {
                let moves = digits.iter().rev().fold(0, |moves, &columns| moves << 1 | bit(columns) as u16);
                Code::of(decisive(Value::ALL[value], moves))
            }
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.bits.len() / (VALUES + self.digits)
    }

    /// The bytes of memory taken.
    pub fn bytes(&self) -> usize {
        self.bits.len() * size_of::<u128>()
    }
}

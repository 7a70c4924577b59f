//! One row of outcomes: the positions that differ in the column man alone, as sets of columns.
//!
//! What counting, checksums, look-ups and writing work on, whichever way a table is kept. Knows nothing of where the
//! row lies in a table.

use super::dense::Code;
use crate::geometry::BitPermutation;
use crate::outcome::{Outcome, Value};

/// The most binary digits that a distance in moves has.
pub const MOST_DIGITS: usize = 12;

/// The outcomes of a row: for each value the columns that have it, and the binary digits of their distances.
#[derive(Clone)]
pub struct OutcomeRow {
    /// The columns of each value, in the order of [`Value::ALL`]. No column has two; those of none are not legal.
    pub of_value: [u128; Value::ALL.len()],
    /// For each binary digit of the distance in moves (plies / 2, rounded down), lowest first, the decisive columns
    /// that have it. Digits from `digit_count` on are empty.
    pub digits: [u128; MOST_DIGITS],
    pub digit_count: usize,
}

/// A row without legal positions.
pub const EMPTY_ROW: OutcomeRow =
    OutcomeRow { of_value: [0; Value::ALL.len()], digits: [0; MOST_DIGITS], digit_count: 0 };

impl OutcomeRow {
    /// The row of some codes, a code for each column.
    pub fn of_codes(codes: &[Code]) -> OutcomeRow {
        let mut row = EMPTY_ROW;
        for (column, code) in codes.iter().enumerate() {
            if let Some(outcome) = code.outcome() {
                row.add(outcome, 1 << column);
            }
        }
        row
    }

    /// The row of values, from 0 for a loss to 4 for a win, and the low and high bytes of distances in moves, one of
    /// each for each column; no high bytes if all are 0.
    pub fn of_entries(values: &[u8], low: &[u8], high: &[u8]) -> OutcomeRow {
        let mut row = EMPTY_ROW;
        let by_digit: [u128; 3] = digits_of(values);
        let low: [u128; 8] = digits_of(low);
        row.digits[..8].copy_from_slice(&low);
        if !high.is_empty() {
            let high: [u128; MOST_DIGITS - 8] = digits_of(high);
            row.digits[8..].copy_from_slice(&high);
        }
        row.digit_count = row.digits.iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1);
        let all = match values.len() {
            128 => u128::MAX,
            columns => (1 << columns) - 1,
        };
        for (number, of_value) in row.of_value.iter_mut().enumerate() {
            let digits = by_digit.iter().enumerate();
            *of_value =
                digits.fold(all, |left, (digit, &set)| left & if number >> digit & 1 != 0 { set } else { !set });
        }
        let decisive = all & !row.of_value[Value::Draw as usize];
        row.digits.iter_mut().for_each(|digit| *digit &= decisive);
        row
    }

    /// Puts in the columns of each value and of each binary digit of the distances, the lowest first.
    #[inline]
    pub fn set(&mut self, values: &[u128], digits: &[u128]) {
        self.of_value.copy_from_slice(values);
        let before = std::mem::replace(&mut self.digit_count, digits.len());
        self.digits[..digits.len()].copy_from_slice(digits);
        // Those beyond are to stay empty.
        self.digits[digits.len()..before.max(digits.len())].fill(0);
    }

    /// Gives an outcome to columns that have none.
    #[inline]
    pub fn add(&mut self, outcome: Outcome, columns: u128) {
        self.of_value[outcome.value() as usize] |= columns;
        let mut moves = outcome.plies().unwrap_or(0) / 2;
        while moves != 0 {
            let digit = moves.trailing_zeros() as usize;
            self.digits[digit] |= columns;
            self.digit_count = self.digit_count.max(digit + 1);
            moves &= moves - 1;
        }
    }

    /// The columns of legal positions.
    #[inline]
    pub fn legal(&self) -> u128 {
        self.of_value.iter().fold(0, |all, columns| all | columns)
    }

    /// Drops all other columns.
    #[inline]
    pub fn restrict(&mut self, columns: u128) {
        self.of_value.iter_mut().for_each(|of_value| *of_value &= columns);
        self.digits[..self.digit_count].iter_mut().for_each(|digit| *digit &= columns);
    }

    /// Moves each column to where a permutation takes it.
    pub fn permute(&mut self, permutation: &BitPermutation) {
        // Most rows have few values.
        let used = self.of_value.iter_mut().chain(&mut self.digits[..self.digit_count]).filter(|set| **set != 0);
        used.for_each(|set| *set = permutation.apply(*set));
    }

    /// Calls back with each outcome that occurs and its columns.
    #[inline]
    pub fn each_outcome(&self, mut visit: impl FnMut(Outcome, u128)) {
        for value in Value::ALL {
            let mut left = self.of_value[value as usize];
            if value == Value::Draw {
                if left != 0 {
                    visit(Outcome::DRAW, left);
                }
                continue;
            }
            while left != 0 {
                // The columns that agree with the first one left in every digit.
                let first = left.trailing_zeros();
                let (mut alike, mut moves) = (left, 0);
                for (digit, &columns) in self.digits[..self.digit_count].iter().enumerate() {
                    let has = columns >> first & 1;
                    moves |= (has as u16) << digit;
                    alike &= columns ^ has.wrapping_sub(1);
                }
                left &= !alike;
                visit(decisive(value, moves), alike);
            }
        }
    }

    /// The columns of one outcome.
    pub fn columns_of(&self, outcome: Outcome) -> u128 {
        let columns = self.of_value[outcome.value() as usize];
        let moves = outcome.plies().unwrap_or(0) / 2;
        if outcome.plies().is_some() && moves >> self.digit_count != 0 {
            return 0;
        }
        let digits = self.digits[..self.digit_count].iter().enumerate();
        digits.fold(columns, |left, (digit, &set)| left & if moves >> digit & 1 != 0 { set } else { !set })
    }

    /// The longest distance, in moves, of the given columns, which must not be none.
    pub fn longest(&self, columns: u128) -> u16 {
        let mut left = columns;
        let mut moves = 0;
        for digit in (0..self.digit_count).rev() {
            let longer = left & self.digits[digit];
            if longer != 0 {
                (left, moves) = (longer, moves | 1 << digit);
            }
        }
        moves
    }

    /// The longest distance of a value, in plies; none of a draw and where no column has the value.
    pub fn longest_plies(&self, value: Value) -> Option<u16> {
        let columns = self.of_value[value as usize];
        let decided = value != Value::Draw && columns != 0;
        decided.then(|| decisive(value, self.longest(columns)).plies()).flatten()
    }

    /// Writes the value of each column, from 0 for a loss to 4 for a win; a column that is not legal takes over what
    /// the one before it has, the first one `last`. Returns the last value written.
    pub fn write_values(&self, entries: &mut [u8], mut last: u8) -> u8 {
        let legal = self.legal();
        // A value's number is 0 to 4: three binary digits.
        let of = |values: [usize; 2]| values.iter().fold(0, |all, &v| all | self.of_value[v]);
        let numbers = unpack(&[of([1, 3]), of([2, 3]), self.of_value[4]], entries.len());
        for (column, entry) in entries.iter_mut().enumerate() {
            if legal >> column & 1 != 0 {
                last = numbers[column] as u8;
            }
            *entry = last;
        }
        last
    }

    /// Writes the distance in moves of each column; a column that is not decisive takes over that of the one before
    /// it, the first one `last`. Returns the last distance written.
    pub fn write_distances(&self, entries: &mut [u16], mut last: u16) -> u16 {
        let decisive = self.legal() & !self.of_value[Value::Draw as usize];
        if decisive == 0 {
            entries.fill(last);
            return last;
        }
        let numbers = unpack(&self.digits[..self.digit_count], entries.len());
        for (column, entry) in entries.iter_mut().enumerate() {
            if decisive >> column & 1 != 0 {
                last = numbers[column];
            }
            *entry = last;
        }
        last
    }
}

/// The decisive outcome of a value and a distance in moves.
#[inline]
pub(super) fn decisive(value: Value, moves: u16) -> Outcome {
    Outcome::new(value, 2 * moves + u16::from(value > Value::Draw))
}

/// Numbers from their binary digits, of which each plane holds one for all columns.
fn unpack(digits: &[u128], columns: usize) -> [u16; 128] {
    let mut numbers = [0u16; 128];
    for (high, digits) in digits.chunks(8).enumerate() {
        let mut bytes = [[0u8; 16]; 8];
        for (bytes, digit) in bytes.iter_mut().zip(digits) {
            *bytes = digit.to_le_bytes();
        }
        for eighth in 0..columns.div_ceil(8) {
            // Eight columns of eight digits: an 8 x 8 matrix of bits, transposed into eight numbers.
            let matrix = u64::from_le_bytes(std::array::from_fn(|digit| bytes[digit][eighth]));
            if matrix != 0 {
                for (column, number) in transpose_8x8(matrix).to_le_bytes().into_iter().enumerate() {
                    numbers[8 * eighth + column] |= u16::from(number) << (8 * high);
                }
            }
        }
    }
    numbers
}

/// The lowest binary digits of up to 128 numbers, a plane for each digit.
fn digits_of<const DIGITS: usize>(numbers: &[u8]) -> [u128; DIGITS] {
    let mut planes = [[0u8; 16]; DIGITS];
    let mut put = |eighth: usize, eight: u64| {
        let by_digit = transpose_8x8(eight).to_le_bytes();
        planes.iter_mut().zip(by_digit).for_each(|(plane, byte)| plane[eighth] = byte);
    };
    let (eights, rest) = numbers.as_chunks::<8>();
    eights.iter().enumerate().for_each(|(eighth, numbers)| put(eighth, u64::from_le_bytes(*numbers)));
    if !rest.is_empty() {
        let mut numbers = [0; 8];
        numbers[..rest.len()].copy_from_slice(rest);
        put(eights.len(), u64::from_le_bytes(numbers));
    }
    planes.map(u128::from_le_bytes)
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

    fn mixed() -> Vec<Code> {
        let outcome = |i: u16| match i % 7 {
            0 => None,
            1 => Some(Outcome::DRAW),
            2 => Some(Outcome::new(Value::Win, 2 * (i * i % 601) + 1)),
            3 => Some(Outcome::new(Value::StalemateWin, 2 * (i % 5) + 1)),
            4 => Some(Outcome::new(Value::StalemateLoss, 2 * (i % 3))),
            _ => Some(Outcome::new(Value::Loss, 2 * (i % 300))),
        };
        (0..91).map(|i| outcome(i).map_or(Code::ILLEGAL, Code::of)).collect()
    }

    #[test]
    fn a_row_gives_back_the_outcomes_it_was_made_of() {
        let codes = mixed();
        let row = OutcomeRow::of_codes(&codes);
        let mut back = vec![Code::ILLEGAL; codes.len()];
        row.each_outcome(|outcome, columns| {
            assert_eq!(row.columns_of(outcome), columns);
            (0..codes.len()).filter(|c| columns >> c & 1 != 0).for_each(|c| back[c] = Code::of(outcome));
        });
        assert!(back == codes);
        assert_eq!(row.columns_of(Outcome::new(Value::Loss, 2 * 4000)), 0);
    }

    #[test]
    fn written_entries_are_those_of_legal_columns_and_repeat_over_others() {
        let codes = mixed();
        let row = OutcomeRow::of_codes(&codes);
        let (mut values, mut distances) = ([9; 91], [9; 91]);
        let last = (row.write_values(&mut values, 7), row.write_distances(&mut distances, 77));
        let (mut value, mut distance) = (7, 77);
        for (column, code) in codes.iter().enumerate() {
            if let Some(outcome) = code.outcome() {
                value = outcome.value() as u8;
                distance = outcome.plies().map_or(distance, |plies| plies / 2);
            }
            assert_eq!((values[column], distances[column]), (value, distance), "column {column}");
        }
        assert_eq!(last, (value, distance));
    }

    #[test]
    fn a_row_of_entries_is_that_of_the_same_codes() {
        let codes = mixed();
        let outcome = |code: &Code| code.outcome().unwrap_or(Outcome::DRAW);
        let values: Vec<u8> = codes.iter().map(|code| outcome(code).value() as u8).collect();
        let distances: Vec<u16> = codes.iter().map(|code| outcome(code).plies().map_or(7, |plies| plies / 2)).collect();
        let known: Vec<Code> = codes.iter().map(|code| Code::of(outcome(code))).collect();
        let bytes = |which: usize| -> Vec<u8> { distances.iter().map(|moves| moves.to_le_bytes()[which]).collect() };
        let (row, wanted) = (OutcomeRow::of_entries(&values, &bytes(0), &bytes(1)), OutcomeRow::of_codes(&known));
        assert_eq!((row.of_value, row.digits), (wanted.of_value, wanted.digits));
    }

    #[test]
    fn the_longest_distance_is_that_of_the_columns_asked_for() {
        let row = OutcomeRow::of_codes(&mixed());
        for value in Value::ALL.into_iter().filter(|&v| v != Value::Draw) {
            let columns = row.of_value[value as usize];
            let mut most = 0;
            row.each_outcome(|outcome, _| {
                if outcome.value() == value {
                    most = most.max(outcome.plies().unwrap() / 2);
                }
            });
            assert_eq!(row.longest(columns), most, "{value:?}");
        }
    }
}

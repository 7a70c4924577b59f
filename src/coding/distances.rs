//! The distances of rows: predicted from what is known already, and only the error written.
//!
//! The positions of a row are taken colour by colour, so that each but the first has neighbours on several sides that
//! are known. Of the neighbours with the same value the mean is the prediction. The side that owns the column man comes
//! second, and the other side's distances in the same row bound its own: they are where his moves lead. A tree of
//! features and of traits of the prediction says how far it is to be trusted. Knows nothing of how rows are numbered.

use super::arithmetic::{Decoder, Encoder, Probability, probability};
use super::scene::Scene;
use super::tree::{Sampled, Tree};
use super::values::ValueRow;
use crate::geometry::{Cell, CellSet, MAX_CELLS, Man, Role, Variant};
use crate::outcome::Value;

/// Errors told apart; the last stands for all others, which say by themselves how large they are.
pub const ERRORS: usize = 16;
const OTHER: u8 = ERRORS as u8 - 1;
/// An answer that is as likely as not.
const EVEN: Probability = 1 << 15;
/// That no error of a kind that has not been counted comes up.
const COUNTED: Probability = Probability::MAX - 1023;

/// The distances of a row in moves, column by column; where there is none, anything.
pub type DistanceRow = [u16; MAX_CELLS];

/// The values of decisive positions.
const DECISIVE: [Value; 4] = [Value::Loss, Value::StalemateLoss, Value::StalemateWin, Value::Win];

/// A question about a position whose distance is to be predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trait {
    /// It has this value.
    Is(Value),
    /// More than so many neighbours are known.
    Neighbours(u8),
    /// Its neighbours' distances differ by more than this.
    Spread(u16),
    /// The prediction is at least this.
    Predicted(u16),
    /// The other side bounds it.
    Bounded,
    /// Without the bound the prediction would exceed the bound by at least this.
    Exceeds(i32),
}

/// All traits. A tree names them by their place here, after the features of the ground.
pub const TRAITS: [Trait; 30] = [
    Trait::Is(Value::Loss),
    Trait::Is(Value::StalemateLoss),
    Trait::Is(Value::StalemateWin),
    Trait::Neighbours(0),
    Trait::Neighbours(1),
    Trait::Neighbours(2),
    Trait::Neighbours(3),
    Trait::Spread(0),
    Trait::Spread(1),
    Trait::Spread(2),
    Trait::Spread(4),
    Trait::Spread(8),
    Trait::Spread(16),
    Trait::Predicted(1),
    Trait::Predicted(2),
    Trait::Predicted(4),
    Trait::Predicted(6),
    Trait::Predicted(10),
    Trait::Predicted(16),
    Trait::Predicted(25),
    Trait::Predicted(40),
    Trait::Predicted(64),
    Trait::Bounded,
    Trait::Exceeds(-4),
    Trait::Exceeds(-2),
    Trait::Exceeds(-1),
    Trait::Exceeds(0),
    Trait::Exceeds(1),
    Trait::Exceeds(2),
    Trait::Exceeds(4),
];

/// What is known of a position before its distance.
struct Guess {
    value: Value,
    neighbours: u8,
    spread: u16,
    /// The prediction after the bound, and by how much it exceeded the bound before, if there is one.
    predicted: u16,
    exceeds: Option<i32>,
}

impl Guess {
    #[inline]
    fn has(&self, of: Trait) -> bool {
        match of {
            Trait::Is(value) => self.value == value,
            Trait::Neighbours(count) => self.neighbours > count,
            Trait::Spread(moves) => self.spread > moves,
            Trait::Predicted(moves) => self.predicted >= moves,
            Trait::Bounded => self.exceeds.is_some(),
            Trait::Exceeds(by) => self.exceeds.is_some_and(|exceeds| exceeds >= by),
        }
    }
}

/// What predictions need to know of a board, once for each table.
pub struct Order {
    /// The columns in the order in which they are taken: all of one colour, then those of the next.
    columns: Vec<Cell>,
    /// For each column, the neighbours that come before it: those a king's step away of another colour, and those of
    /// its own.
    before: Vec<[CellSet; 2]>,
    column_man: Man,
}

impl Order {
    pub fn new(variant: &Variant, column_man: Man) -> Order {
        let board = variant.board();
        let mut columns: Vec<Cell> = board.cells().collect();
        columns.sort_by_key(|&cell| (board.colour(cell), cell));
        let mut before = vec![[CellSet::EMPTY; 2]; columns.len()];
        let mut known = CellSet::EMPTY;
        for &cell in &columns {
            let near = variant.movement(Role::KING).steps[cell.index()] & known;
            let alike: CellSet = near.iter().filter(|&to| board.colour(to) == board.colour(cell)).collect();
            before[cell.index()] = [near - alike, alike];
            known.insert(cell);
        }
        Order { columns, before, column_man }
    }
}

/// The other side's row: its values and distances.
#[derive(Clone, Copy)]
pub struct Other<'a> {
    pub values: &'a ValueRow,
    pub distances: &'a DistanceRow,
}

/// A row whose distances are to be written or read.
pub struct Row<'a> {
    pub order: &'a Order,
    pub variant: &'a Variant,
    pub values: &'a ValueRow,
    /// The other side's row, if that side comes first.
    pub other: Option<Other<'a>>,
}

impl Row<'_> {
    /// Walks over the decisive positions of a row; `step` is told the column and what is known of it, and returns the
    /// distance.
    #[inline]
    fn walk(&self, occupied: CellSet, mut step: impl FnMut(Cell, &Guess) -> u16) -> DistanceRow {
        let mut distances = [0; MAX_CELLS];
        let mut known = [CellSet::EMPTY; Value::ALL.len()];
        let mut last = [0; Value::ALL.len()];
        let decisive = DECISIVE.iter().fold(CellSet::EMPTY, |all, &value| all | self.values[value as usize]);
        for &cell in self.order.columns.iter().filter(|&&cell| decisive.contains(cell)) {
            let of_cell = |value: &Value| self.values[*value as usize].contains(cell);
            let value = DECISIVE.into_iter().find(of_cell).expect("a decisive position has a value");
            let [others, alike] = self.order.before[cell.index()].map(|before| before & known[value as usize]);
            let near = if others.is_empty() { alike } else { others };
            let mut guess = Guess { value, neighbours: 0, spread: 0, predicted: last[value as usize], exceeds: None };
            if !near.is_empty() {
                let (mut sum, mut least, mut most) = (0u32, u16::MAX, 0);
                for neighbour in near {
                    let distance = distances[neighbour.index()];
                    sum += u32::from(distance);
                    least = least.min(distance);
                    most = most.max(distance);
                }
                let count = near.len() as u32;
                guess.predicted = ((2 * sum + count) / (2 * count)) as u16;
                guess.neighbours = if others.is_empty() { 0 } else { count as u8 };
                guess.spread = most - least;
            }
            if let Some(bound) = self.other.and_then(|other| self.bound(occupied, cell, value, other)) {
                guess.exceeds = Some(i32::from(guess.predicted) - i32::from(bound));
                guess.predicted = match value {
                    Value::Loss | Value::StalemateLoss => guess.predicted.max(bound),
                    _ => guess.predicted.min(bound),
                };
            }
            let distance = step(cell, &guess);
            distances[cell.index()] = distance;
            known[value as usize].insert(cell);
            last[value as usize] = distance;
        }
        distances
    }

    /// What the column man's moves within the row say of a distance: of a win that it is not longer, of a loss that it
    /// is not shorter.
    #[inline]
    fn bound(&self, occupied: CellSet, cell: Cell, value: Value, other: Other) -> Option<u16> {
        let after = Value::ALL.len() - 1 - value as usize;
        let man = self.order.column_man;
        if man.role == self.variant.pawn() {
            return None;
        }
        let to = (self.variant.attacks(man.role, cell, occupied) - occupied) & other.values[after];
        let distances = to.iter().map(|to| other.distances[to.index()]);
        match value {
            Value::Loss | Value::StalemateLoss => distances.max().map(|longest| longest.saturating_add(1)),
            _ => distances.min(),
        }
    }

    /// The row as a tree is grown from it: which features and traits hold, and the errors.
    pub fn sampled(&self, scene: &mut Scene, features: usize, distances: &DistanceRow) -> Sampled<ERRORS> {
        let mut holds: Vec<CellSet> = (0..features as u16).map(|feature| scene.holds(feature)).collect();
        holds.resize(features + TRAITS.len(), CellSet::EMPTY);
        let mut sampled = Sampled { holds, symbols: [CellSet::EMPTY; ERRORS] };
        self.walk(scene.occupied(), |cell, guess| {
            let distance = distances[cell.index()];
            sampled.symbols[symbol(error(distance, guess))].insert(cell);
            let traits = sampled.holds[features..].iter_mut().zip(TRAITS);
            traits.filter(|(_, of)| guess.has(*of)).for_each(|(holds, _)| holds.insert(cell));
            distance
        });
        sampled
    }
}

/// An error as a number: 0, then 1 too short, 1 too long, 2 too short and so on.
fn error(distance: u16, guess: &Guess) -> u32 {
    let error = i32::from(distance) - i32::from(guess.predicted);
    if error > 0 { 2 * error.unsigned_abs() - 1 } else { 2 * error.unsigned_abs() }
}

/// The distance that an error stands for; whatever the number, it is a distance.
fn distance(error: u32, guess: &Guess) -> u16 {
    let off = if error % 2 == 1 { error.div_ceil(2) as i32 } else { -((error / 2) as i32) };
    (i32::from(guess.predicted) + off).clamp(0, i32::from(u16::MAX)) as u16
}

fn symbol(error: u32) -> usize {
    (error as usize).min(ERRORS - 1)
}

/// How the distances of one side to move are coded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceModel {
    pub tree: Tree,
    pub kinds: Vec<ErrorKind>,
}

/// How likely which errors are in one leaf, the most frequent first. The last one of all, which stands for every larger
/// error, is always among them, so that any error can be written, whether or not it has been counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorKind {
    errors: Vec<u8>,
    /// Of an error that is none of those before, the probability that it is this one; none for the last.
    likely: Vec<Probability>,
}

impl ErrorKind {
    /// The kind in which errors occur so often.
    pub fn of_counts(counts: &[u64; ERRORS]) -> ErrorKind {
        let mut counts = *counts;
        counts[OTHER as usize] += 1;
        let mut order: Vec<usize> = (0..ERRORS).filter(|&error| counts[error] > 0).collect();
        order.sort_by_key(|&error| (std::cmp::Reverse(counts[error]), error));
        let mut left: u64 = counts.iter().sum();
        let mut likely = vec![];
        for &error in &order[..order.len() - 1] {
            likely.push(probability(counts[error], left));
            left -= counts[error];
        }
        ErrorKind { errors: order.into_iter().map(|error| error as u8).collect(), likely }
    }

    /// How it is written: the number of errors, the errors and their probabilities.
    pub fn bytes(&self) -> Vec<u8> {
        let likely = self.likely.iter().flat_map(|likely| likely.to_le_bytes());
        [self.errors.len() as u8].into_iter().chain(self.errors.iter().copied()).chain(likely).collect()
    }

    /// Reads a kind off the beginning of some bytes as [`ErrorKind::bytes`] has written it; none if they are none.
    pub fn read(bytes: &mut &[u8]) -> Option<ErrorKind> {
        let (&count, rest) = bytes.split_first().filter(|(count, _)| (1..=ERRORS).contains(&(**count as usize)))?;
        let (errors, rest) = rest.split_at_checked(count as usize)?;
        let (likely, rest) = rest.split_at_checked(2 * (count as usize - 1))?;
        *bytes = rest;
        let likely: Vec<u16> = likely.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
        let distinct = (0..errors.len()).all(|at| !errors[..at].contains(&errors[at]));
        let known = errors.iter().all(|&error| error <= OTHER) && errors.contains(&OTHER);
        let sound = distinct && known && !likely.contains(&0);
        sound.then(|| ErrorKind { errors: errors.to_vec(), likely })
    }
}

impl DistanceModel {
    #[inline]
    fn kind(&self, scene: &mut Scene, features: usize, cell: Cell, guess: &Guess) -> usize {
        let holds = |asked: u16| match (asked as usize).checked_sub(features) {
            None => scene.holds(asked).contains(cell),
            Some(of) => guess.has(TRAITS[of]),
        };
        self.tree.leaf(holds) as usize
    }

    /// Counts the errors of a row by leaf. The scene is that of the row, of a ground with so many features.
    pub fn count(
        &self,
        row: &Row,
        scene: &mut Scene,
        features: usize,
        distances: &DistanceRow,
        counts: &mut [[u64; ERRORS]],
    ) {
        row.walk(scene.occupied(), |cell, guess| {
            let distance = distances[cell.index()];
            counts[self.kind(scene, features, cell, guess)][symbol(error(distance, guess))] += 1;
            distance
        });
    }

    /// Writes the distances of a row.
    pub fn write(&self, row: &Row, scene: &mut Scene, features: usize, distances: &DistanceRow, encoder: &mut Encoder) {
        row.walk(scene.occupied(), |cell, guess| {
            let distance = distances[cell.index()];
            let error = error(distance, guess);
            let kind = &self.kinds[self.kind(scene, features, cell, guess)];
            let symbol = symbol(error) as u8;
            let symbol = if kind.errors.contains(&symbol) { symbol } else { OTHER };
            for (&expected, &likely) in kind.errors.iter().zip(&kind.likely) {
                encoder.put(expected != symbol, likely);
                if expected == symbol {
                    break;
                }
            }
            if symbol == OTHER {
                put_other(error, encoder);
            }
            distance
        });
    }

    /// Reads the distances of a row.
    pub fn read(&self, row: &Row, scene: &mut Scene, features: usize, decoder: &mut Decoder) -> DistanceRow {
        row.walk(scene.occupied(), |cell, guess| {
            let kind = &self.kinds[self.kind(scene, features, cell, guess)];
            let at = kind.likely.iter().position(|&likely| !decoder.get(likely)).unwrap_or(kind.likely.len());
            let error = match kind.errors[at] {
                OTHER => get_other(decoder),
                symbol => u32::from(symbol),
            };
            distance(error, guess)
        })
    }
}

/// Writes an error that its kind does not tell apart: a large one, or rarely one that has not been counted.
fn put_other(error: u32, encoder: &mut Encoder) {
    let rare = error < u32::from(OTHER);
    encoder.put(rare, COUNTED);
    put_number(if rare { error + 1 } else { error - u32::from(OTHER) + 1 }, encoder);
}

fn get_other(decoder: &mut Decoder) -> u32 {
    let rare = decoder.get(COUNTED);
    let number = get_number(decoder);
    if rare { number - 1 } else { number - 1 + u32::from(OTHER) }
}

/// Writes a number from 1 on: as many yes as it has binary digits after the first, a no, and those digits.
fn put_number(number: u32, encoder: &mut Encoder) {
    let digits = number.ilog2();
    (0..digits).for_each(|_| encoder.put(true, EVEN));
    encoder.put(false, EVEN);
    (0..digits).rev().for_each(|digit| encoder.put(number >> digit & 1 != 0, EVEN));
}

/// Reads a number from 1 on; whatever the bytes say, it is below 2^21.
fn get_number(decoder: &mut Decoder) -> u32 {
    let digits = (0..20).take_while(|_| decoder.get(EVEN)).count();
    (0..digits).fold(1, |number, _| number << 1 | u32::from(decoder.get(EVEN)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_errors_come_back() {
        let mut encoder = Encoder::default();
        let numbers: Vec<u32> = (1..200).chain([5000, 65_536, 131_070]).collect();
        numbers.iter().for_each(|&number| put_number(number, &mut encoder));
        (0..100).for_each(|error| put_other(error, &mut encoder));
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        numbers.iter().for_each(|&number| assert_eq!(get_number(&mut decoder), number));
        (0..100).for_each(|error| assert_eq!(get_other(&mut decoder), error));
        for predicted in [0, 3, 1000, u16::MAX] {
            let guess = Guess { value: Value::Win, neighbours: 0, spread: 0, predicted, exceeds: None };
            for true_distance in [0, 1, 2, 4, 999, u16::MAX] {
                assert_eq!(distance(error(true_distance, &guess), &guess), true_distance);
            }
        }
    }

    #[test]
    fn a_kind_is_read_as_it_was_written_or_refused() {
        let mut counts = [0; ERRORS];
        (counts[0], counts[3], counts[15]) = (90, 100, 1);
        for kind in [ErrorKind::of_counts(&counts), ErrorKind::of_counts(&[0; ERRORS])] {
            let bytes = [kind.bytes(), vec![7]].concat();
            let mut rest = &bytes[..];
            assert_eq!(ErrorKind::read(&mut rest), Some(kind));
            assert_eq!(rest, [7]);
        }
        // Too many, cut short, the same twice, one too large, a probability of 0.
        // Nothing, none for all others.
        for wrong in
            [&[17][..], &[2, 0], &[3, 1, 1, 15, 9, 0, 9, 0], &[2, 16, 15, 9, 0], &[2, 0, 15, 0, 0], &[0], &[1, 0]]
        {
            assert_eq!(ErrorKind::read(&mut &wrong[..]), None, "{wrong:?}");
        }
    }
}

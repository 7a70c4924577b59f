//! The distances of rows: a tree that says how far predictions are to be trusted, and for each of its leaves how often
//! which error occurs.
//!
//! The tree asks for features of the ground and for traits of the predictions. Knows nothing of how rows are numbered.

use super::arithmetic::{Decoder, Encoder, Probability, probability};
use super::fastest::fastest;
use super::prediction::Guesses;
pub use super::prediction::{DistanceRow, Other, Row, TRAITS, Told};
use super::scene::Scene;
use super::tree::{Sampled, Tree, counts};
use crate::geometry::{Cell, CellSet, MAX_CELLS};

/// Errors told apart; the last stands for all others, which say by themselves how large they are.
pub const ERRORS: usize = 16;
const OTHER: u8 = ERRORS as u8 - 1;
/// An answer that is as likely as not.
const EVEN: Probability = 1 << 15;
/// That no error of a kind that has not been counted comes up.
const COUNTED: Probability = Probability::MAX - 1023;

/// An error as a number: 0, then 1 too short, 1 too long, 2 too short and so on.
fn error(distance: u16, predicted: u16) -> u32 {
    let error = i32::from(distance) - i32::from(predicted);
    if error > 0 { 2 * error.unsigned_abs() - 1 } else { 2 * error.unsigned_abs() }
}

/// The distance that an error stands for; whatever the number, it is a distance.
fn distance(error: u32, predicted: u16) -> u16 {
    let off = if error % 2 == 1 { error.div_ceil(2) as i32 } else { -((error / 2) as i32) };
    (i32::from(predicted) + off).clamp(0, i32::from(u16::MAX)) as u16
}

fn symbol(error: u32) -> usize {
    (error as usize).min(ERRORS - 1)
}

/// How the distances of one side to move are coded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceModel {
    pub tree: Tree,
    pub kinds: Vec<ErrorKind>,
    /// What reading needs of the kinds, side by side: most questions need a few of them, and from each little.
    tried: Vec<Tried>,
    /// Where each kind begins there.
    begins: Vec<u32>,
}

/// An error that may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tried {
    error: u8,
    /// The probability that it is this one; 0 if no other is left.
    likely: Probability,
}

/// How likely which errors are in one leaf, the most frequent first. The last one of all, which stands for every larger
/// error, is always among them, so that any error can be written, whether or not it has been counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorKind {
    count: u8,
    errors: [u8; ERRORS],
    /// Of an error that is none of those before, the probability that it is this one; none for the last.
    likely: [Probability; ERRORS - 1],
    /// For each error its place among `errors`, that of the last one of all if it is not there.
    places: [u8; ERRORS],
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
        ErrorKind::new(&order.into_iter().map(|error| error as u8).collect::<Vec<u8>>(), &likely)
    }

    /// The kind of these errors, the last one of all among them.
    fn new(errors: &[u8], likely: &[Probability]) -> ErrorKind {
        let place = |error: u8| errors.iter().position(|&known| known == error);
        let other = place(OTHER).unwrap_or(0);
        let places = std::array::from_fn(|error| place(error as u8).unwrap_or(other) as u8);
        let mut kind = ErrorKind { count: errors.len() as u8, errors: [0; ERRORS], likely: [0; ERRORS - 1], places };
        kind.errors[..errors.len()].copy_from_slice(errors);
        kind.likely[..likely.len()].copy_from_slice(likely);
        kind
    }

    fn errors(&self) -> &[u8] {
        &self.errors[..self.count as usize]
    }

    fn likely(&self) -> &[Probability] {
        &self.likely[..self.count as usize - 1]
    }

    /// How it is written: the number of errors, the errors and their probabilities.
    pub fn bytes(&self) -> Vec<u8> {
        let likely = self.likely().iter().flat_map(|likely| likely.to_le_bytes());
        [self.count].into_iter().chain(self.errors().iter().copied()).chain(likely).collect()
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
        sound.then(|| ErrorKind::new(errors, &likely))
    }
}

impl ErrorKind {
    /// Writes an error.
    #[inline(always)]
    fn put(&self, error: u32, encoder: &mut Encoder) {
        let place = self.places[symbol(error)] as usize;
        let likely = self.likely();
        likely[..place].iter().for_each(|&likely| encoder.put(true, likely));
        if let Some(&likely) = likely.get(place) {
            encoder.put(false, likely);
        }
        if self.errors[place] == OTHER {
            put_other(error, encoder);
        }
    }

    /// Its errors in the order in which they are tried.
    fn tried(&self) -> impl Iterator<Item = Tried> {
        let likely = self.likely().iter().copied().chain([0]);
        self.errors().iter().zip(likely).map(|(&error, likely)| Tried { error, likely })
    }
}

impl DistanceModel {
    /// The model of a tree, with the errors in its leaves as they are in the sampled rows.
    pub fn of_sample(tree: Tree, sample: &[Sampled<ERRORS>]) -> DistanceModel {
        let kinds = counts(sample, &tree).iter().map(ErrorKind::of_counts).collect();
        DistanceModel::new(tree, kinds)
    }

    fn new(tree: Tree, kinds: Vec<ErrorKind>) -> DistanceModel {
        let (mut tried, mut begins) = (vec![], vec![]);
        for kind in &kinds {
            begins.push(tried.len() as u32);
            tried.extend(kind.tried());
        }
        DistanceModel { tree, kinds, tried, begins }
    }

    /// Reads an error of a leaf.
    #[inline(always)]
    fn get(&self, leaf: u32, decoder: &mut Decoder) -> u32 {
        let mut at = self.begins[leaf as usize] as usize;
        loop {
            let Tried { error, likely } = self.tried[at];
            if likely == 0 || !decoder.get(likely) {
                return if error == OTHER { get_other(decoder) } else { u32::from(error) };
            }
            at += 1;
        }
    }

    /// How it is written: the tree, and for each leaf its kind.
    pub fn bytes(&self) -> Vec<u8> {
        self.tree.bytes().into_iter().chain(self.kinds.iter().flat_map(ErrorKind::bytes)).collect()
    }

    /// Reads a model off the beginning of some bytes as [`DistanceModel::bytes`] has written it, for a ground with so
    /// many features; none if they are none.
    pub fn read_model(bytes: &mut &[u8], features: usize) -> Option<DistanceModel> {
        let tree = Tree::read(bytes, features + TRAITS.len())?;
        let kinds = (0..tree.leaves()).map(|_| ErrorKind::read(bytes)).collect::<Option<Vec<ErrorKind>>>()?;
        Some(DistanceModel::new(tree, kinds))
    }

    /// Calls back with each leaf that has some of the positions that there are guesses of.
    #[inline(always)]
    fn sort(&self, scene: &mut Scene, guesses: &mut Guesses, mut visit: impl FnMut(u32, CellSet)) {
        let features = scene.features();
        let cells = guesses.cells;
        if let (Some(cell), 1) = (cells.lowest(), cells.len()) {
            let leaf = self.tree.leaf(|asked| match (asked as usize).checked_sub(features) {
                None => scene.holds(asked).contains(cell),
                Some(of) => guesses.has(of, cell),
            });
            return visit(leaf, cells);
        }
        let mut waiting = scene.take_waiting();
        let holding = |asked: u16, positions: CellSet| match (asked as usize).checked_sub(features) {
            None => positions & scene.holds(asked),
            Some(of) => guesses.having(of, positions),
        };
        self.tree.sort_by(&mut waiting, holding, cells, visit);
        scene.put_waiting(waiting);
    }

    fastest! {
        /// Writes the distances of a row, and returns what has been written. The scene is that of the row.
        pub fn write, write_newer =
            write_now(self: &Self, row: &Row, scene: &mut Scene, told: &Told, encoder: &mut Encoder) -> DistanceRow;

        /// Reads the distances of a row; if there is a `last` column, only as far as that one.
        pub fn read, read_newer =
            read_now(self: &Self, row: &Row, scene: &mut Scene, last: Option<Cell>, decoder: &mut Decoder)
            -> DistanceRow;
    }

    #[inline(always)]
    fn write_now(&self, row: &Row, scene: &mut Scene, told: &Told, encoder: &mut Encoder) -> DistanceRow {
        let bounds = row.bounds(scene);
        let (mut guesses, distances) = row.told(&bounds, told);
        // All are known, so that they are sorted at once.
        let mut leaves = [0; MAX_CELLS];
        self.sort(scene, &mut guesses, |leaf, cells| {
            for cell in cells {
                leaves[cell.index()] = leaf;
            }
        });
        for &phase in &row.order.phases {
            for cell in guesses.cells & phase {
                let error = error(distances[cell.index()], guesses.predicted[cell.index()]);
                self.kinds[leaves[cell.index()] as usize].put(error, encoder);
            }
        }
        distances
    }

    #[inline(always)]
    fn read_now(&self, row: &Row, scene: &mut Scene, last: Option<Cell>, decoder: &mut Decoder) -> DistanceRow {
        let bounds = row.bounds(scene);
        let mut leaves = [0u32; MAX_CELLS];
        let (_, distances) = row.walk(&bounds, last, |guesses, distances| {
            self.sort(scene, guesses, |leaf, cells| {
                for cell in cells {
                    leaves[cell.index()] = leaf;
                }
            });
            for cell in guesses.cells {
                let error = self.get(leaves[cell.index()], decoder);
                distances[cell.index()] = distance(error, guesses.predicted[cell.index()]);
            }
        });
        distances
    }
}

/// A row as a tree is grown from it: which features and traits hold, and the errors. Also returns the distances that
/// are written. `known` is as in [`Scene::all_holding`].
pub fn sampled(row: &Row, scene: &mut Scene, known: &[CellSet], told: &Told) -> (Sampled<ERRORS>, DistanceRow) {
    let bounds = row.bounds(scene);
    let (mut guesses, distances) = row.told(&bounds, told);
    let mut holds = scene.all_holding(known);
    let cells = guesses.cells;
    holds.extend((0..TRAITS.len()).map(|of| guesses.having(of, cells)));
    let mut symbols = [CellSet::EMPTY; ERRORS];
    for cell in cells {
        let error = error(distances[cell.index()], guesses.predicted[cell.index()]);
        symbols[symbol(error)].insert(cell);
    }
    (Sampled { holds, symbols }, distances)
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
            for true_distance in [0, 1, 2, 4, 999, u16::MAX] {
                assert_eq!(distance(error(true_distance, predicted), predicted), true_distance);
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

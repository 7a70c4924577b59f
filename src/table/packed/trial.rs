//! The choice of an arrangement, and of the sides of which captures and promotions are looked at: by trying each on a
//! sample of rows.

use super::super::error::TableError;
use super::arranged::{Arranged, Rows, VALUES};
use super::models::{LEAST_BITS, Values};
use crate::coding::distances::ERRORS;
use crate::coding::scene::Scene;
use crate::coding::tree::{grow, left_over};
use crate::coding::values::{ValueModel, ValueRow, all_of};
use crate::geometry::{CellSet, Color, Man, Variant};
use crate::index::{Arrangement, Material};
use crate::outcome::Value;
use crate::solve::Subtables;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How large a trial is.
#[derive(Clone, Copy)]
struct Size {
    /// Rows from which trees are grown, and as many on which they are judged.
    rows: usize,
    leaves: usize,
}

/// The trial that decides, and the one that shows which arrangements need not take part in it.
const TRIAL: Size = Size { rows: 1000, leaves: 48 };
const FIRST_TRIAL: Size = Size { rows: 250, leaves: 24 };
/// Arrangements that take a part in so many more than the best in the first trial are not tried any further.
const FAR_BEHIND: u64 = 4;
/// Captures and promotions of a side are looked at if that saves one part in so many of all values.
const WORTH_LOOKING: u64 = 16;
/// What an error takes, roughly, that says by itself how large it is.
const LARGE_BITS: u64 = 8;
/// A bit of values counts as so many of distances: many programs open the values alone.
const VALUES_WEIGH: u64 = 16;

/// How a table is to be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The order of the men, one of [`Arrangement::choices`].
    pub men: Vec<Man>,
    /// For each stored side to move, in the order in which rows have them, whether captures and promotions are looked
    /// at.
    pub looked_at: Vec<bool>,
}

/// How a table takes least room: each order of the men is tried on a sample, with captures and promotions looked at and
/// not.
///
/// # Errors
/// When the table, or one that it converts into, cannot be read.
pub fn best_choice(variant: &Arc<Variant>, material: &Material, tables: &dyn Subtables) -> Result<Choice, TableError> {
    let arrangement =
        |men: &Vec<Man>| Arrangement::new(variant, material, men).expect("the men are those of the material");
    let arrangements: Vec<Arrangement> = Arrangement::choices(variant, material).iter().map(arrangement).collect();
    let arranged = arrangements.iter().map(|arrangement| Arranged::new(arrangement, tables, false));
    let arranged = arranged.collect::<Result<Vec<Arranged>, TableError>>()?;
    let mut left: Vec<&Arranged> = arranged.iter().collect();
    if left.len() > 1 {
        let bits = bits_of(&tried(&left, FIRST_TRIAL)?);
        let least = bits.iter().min().copied().unwrap_or(0);
        let mut bits = bits.into_iter();
        left.retain(|_| bits.next().is_some_and(|bits| bits <= least + least / FAR_BEHIND));
    }
    let trials = tried(&left, TRIAL)?;
    // The first of the best.
    let bits = bits_of(&trials);
    let best = (0..left.len()).min_by_key(|&at| bits[at]).expect("a material has men");
    Ok(Choice { men: left[best].arrangement.men().to_vec(), looked_at: trials[best].looked_at.clone() })
}

fn tried(arranged: &[&Arranged], size: Size) -> Result<Vec<Trial>, TableError> {
    arranged.iter().map(|arranged| Attempt { arranged, size }.run()).collect()
}

/// About what the trials say that their tables take.
fn bits_of(trials: &[Trial]) -> Vec<u64> {
    // How many positions are decisive is the same in any order: what the samples say together is nearest to it.
    let mut decisive = [[0; 2]; 2];
    for (color, positions) in trials.iter().flat_map(|trial| trial.sides.iter().map(|side| side.positions)) {
        decisive[color.index()].iter_mut().zip(positions).for_each(|(sum, count)| *sum += count);
    }
    let of_side = |side: &TrialSide| {
        let (color, [_, found]) = side.positions;
        let [all, of_all] = decisive[color.index()];
        let share = (of_all << 16) / all.max(1);
        VALUES_WEIGH * side.values + (side.distances * share / found.max(1))
    };
    trials.iter().map(|trial| trial.sides.iter().map(of_side).sum()).collect()
}

/// A choice of sides to look at, tried on a sample.
struct Tried {
    /// What it takes, the time that it costs to look included, to compare with others.
    dear: u64,
    bits: Vec<u64>,
    rows: Vec<Rows>,
    values: Values,
    looked_at: Vec<bool>,
}

/// What has been found by trying an arrangement on a sample.
struct Trial {
    looked_at: Vec<bool>,
    sides: Vec<TrialSide>,
}

/// The same for one side to move.
struct TrialSide {
    /// Parts of a bit that values take for each position, bits that distances take in the sample.
    values: u64,
    distances: u64,
    /// The positions of the sample, and the decisive ones among them.
    positions: (Color, [u64; 2]),
}

/// A trial of an arrangement.
struct Attempt<'a> {
    arranged: &'a Arranged<'a>,
    size: Size,
}

impl Attempt<'_> {
    /// About how much information a table of this arrangement takes, as found on a sample, and of which sides captures
    /// and promotions are worth a look.
    fn run(&self) -> Result<Trial, TableError> {
        // Half of it to grow trees from, half to see how well they do on other rows.
        let sample = self.arranged.sample_with_conversions(2 * self.size.rows)?;
        let every_other = |first: usize| sample.iter().skip(first).step_by(2);
        let sample: Vec<Rows> = every_other(0).chain(every_other(1)).cloned().collect();
        let mut best: Option<Tried> = None;
        // What the first side takes depends on how it is looked at alone.
        let mut first: Option<(bool, u64, Values)> = None;
        let choices = [[false, false], [false, true], [true, false], [true, true]];
        let choices = choices.iter().map(|looked_at| &looked_at[..self.arranged.turns.len()]).collect::<BTreeSet<_>>();
        for looked_at in choices {
            let mut rows = sample.clone();
            rows.iter_mut().flat_map(|rows| rows.sides.iter_mut().zip(looked_at)).for_each(|(side, look)| {
                side.free = if *look { side.free } else { CellSet::EMPTY };
            });
            let none_free = |place: usize| rows.iter().all(|rows| rows.sides[place].free.is_empty());
            if (0..looked_at.len()).any(|place| looked_at[place] && none_free(place)) {
                continue;
            }
            let known = first.take().filter(|(look, ..)| *look == looked_at[0]);
            let (_, first_bits, mut values) = known.unwrap_or_else(|| {
                let mut values = Values::default();
                (looked_at[0], self.try_values(&rows, &mut values, 0), values)
            });
            first = Some((looked_at[0], first_bits, values.clone()));
            let mut bits = vec![self.of_each(&rows, 0, first_bits)];
            for place in 1..looked_at.len() {
                bits.push(self.of_each(&rows, place, self.try_values(&rows, &mut values, place)));
            }
            // To look takes time whenever a position is asked for.
            let looks = looked_at.iter().filter(|look| **look).count() as u64;
            let dear = bits.iter().sum::<u64>() * (WORTH_LOOKING + looks);
            if best.as_ref().is_none_or(|best| dear < best.dear) {
                best = Some(Tried { dear, bits, rows, values, looked_at: looked_at.to_vec() });
            }
        }
        let tried = best.expect("not to look at all is a choice");
        let Tried { bits, rows: sample, values, looked_at, .. } = tried;
        let of_side = |(place, values_bits): (usize, u64)| {
            let of_rows = |scene: &mut Scene, rows: &Rows| {
                let settled = values.settled(self.arranged, scene, rows);
                self.arranged.sampled_distances(scene, rows, &settled, place)
            };
            let (grown, judged) = sample.split_at(sample.len() / 2);
            let tree = grow(&self.arranged.sampled(grown, of_rows), self.scale(), LEAST_BITS, self.size.leaves);
            let sampled = self.arranged.sampled(judged, of_rows);
            let distances = left_over(&sampled, &tree);
            let large: u64 = sampled.iter().map(|row| row.symbols[ERRORS - 1].len() as u64).sum();
            let distances = distances + LARGE_BITS * large;
            let decisive = |values: &ValueRow| (all_of(values) - values[Value::Draw as usize]).len() as u64;
            let count = |of: &dyn Fn(&ValueRow) -> u64| judged.iter().map(|rows| of(&rows.sides[place].values())).sum();
            let positions =
                (self.arranged.turns[place], [count(&|values| all_of(values).len() as u64), count(&decisive)]);
            TrialSide { values: values_bits, distances, positions }
        };
        Ok(Trial { sides: bits.into_iter().enumerate().map(of_side).collect(), looked_at })
    }

    /// How many positions each row of the sample stands for.
    fn scale(&self) -> f64 {
        self.arranged.arrangement.rows() as f64 / self.size.rows as f64
    }

    /// A number of bits as parts of a bit for each position of a side.
    fn of_each(&self, sample: &[Rows], place: usize, bits: u64) -> u64 {
        let judged = &sample[sample.len() / 2..];
        let positions: usize = judged.iter().map(|rows| all_of(&rows.sides[place].values()).len()).sum();
        (bits << 16) / positions.max(1) as u64
    }

    /// Adds a side to the values, as found from a sample alone; returns the bits that it takes there.
    fn try_values(&self, sample: &[Rows], values: &mut Values, place: usize) -> u64 {
        let of_rows = |scene: &mut Scene, rows: &Rows| {
            let settled = values.settled(self.arranged, scene, rows);
            self.arranged.sampled_values(scene, rows, &settled, place, true)
        };
        let (grown, judged) = sample.split_at(sample.len() / 2);
        let sampled = self.arranged.sampled(grown, of_rows);
        let mut model = ValueModel::of_tree(grow(&sampled, self.scale(), LEAST_BITS, self.size.leaves));
        let mut counts = vec![[[0; VALUES]; 2]; model.tree.leaves()];
        let mut scene = self.arranged.scene();
        for rows in judged {
            self.arranged.count_row(values, &mut scene, rows, place, &model, &mut counts);
        }
        let (stand_ins, bits) = model.settle(&counts);
        values.stand_ins.push(stand_ins);
        values.models.push(model);
        bits
    }
}

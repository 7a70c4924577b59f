//! Packing: finds the arrangement and the models that a table takes least room with, and writes its files.

use super::super::error::TableError;
use super::Level;
use super::about::About;
use super::arranged::{Arranged, NOTHING, Rows, VALUES};
use super::chapters::{self, CHAPTER_UNITS, ChapterWriter};
use super::distances::is_decisive;
use super::frame::{FrameWriter, Kind as FileKind};
use super::rows::{MOST_UNIT_ROWS, Units};
use crate::coding::arithmetic::Encoder;
use crate::coding::distances::{DistanceModel, ERRORS};
use crate::coding::scene::Scene;
use crate::coding::tree::{Sampled, Tree, grow, left_over};
use crate::coding::values::{Counts, StandIns, ValueModel, ValueRow, all_of};
use crate::geometry::{CellSet, Color, Man, Variant};
use crate::index::{Arrangement, Material};
use crate::outcome::Value;
use crate::solve::Subtables;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Units that are coded before they are written, for each thread.
const UNITS_AT_ONCE: usize = 64 * CHAPTER_UNITS;
/// A unit of values is given rows until it holds about so many bits.
const UNIT_BITS: u64 = 64;
/// Rows from which arrangements are compared, and the leaves of the trees for it.
const TRIAL: (usize, usize) = (1000, 48);
/// Captures and promotions of a side are looked at if that saves one part in so many of all values.
const WORTH_LOOKING: u64 = 16;
/// What an error takes, roughly, that says by itself how large it is.
const LARGE_BITS: u64 = 8;
/// A bit of values counts as so many of distances: many programs open the values alone.
const VALUES_WEIGH: u64 = 16;
/// Trees of distances have one in so many of the leaves of others and are grown from one in so many rows: a distance has
/// more symbols than a value, and there are more of them to take to their leaves.
const DISTANCES_SHARE: usize = 2;
/// More bits than a value and a distance take in any table, to say what room is needed.
const MOST_BITS: [u64; 2] = [1, 5];
/// What a question in a tree must save.
const LEAST_BITS: u64 = 48;

/// A table about to be packed.
pub struct Packer<'a> {
    variant: &'a Arc<Variant>,
    material: &'a Material,
    tables: &'a dyn Subtables,
    level: Level,
}

/// How a table is to be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The order of the men, one of [`Arrangement::choices`].
    pub men: Vec<Man>,
    /// For each stored side to move, in the order in which rows have them, whether captures and promotions are looked
    /// at.
    pub looked_at: Vec<bool>,
}

impl<'a> Packer<'a> {
    /// A packer of a material's table; `tables` has it and those it converts into.
    pub fn new(
        variant: &'a Arc<Variant>,
        material: &'a Material,
        tables: &'a dyn Subtables,
        level: Level,
    ) -> Packer<'a> {
        Packer { variant, material, tables, level }
    }

    /// How the table takes least room: each order of the men is tried on a sample, with captures and promotions looked
    /// at and not.
    ///
    /// # Errors
    /// When the table, or one that it converts into, cannot be read.
    pub fn best_choice(&self) -> Result<Choice, TableError> {
        let mut trials = vec![];
        for men in Arrangement::choices(self.variant, self.material) {
            let arrangement = self.arrangement(&men);
            let trial = Arranged::new(&arrangement, self.tables, false)?.trial()?;
            trials.push((trial, men));
        }
        // How many positions are decisive is the same in any order: what the samples say together is nearest to it.
        let mut decisive = [[0; 2]; 2];
        for (color, positions) in trials.iter().flat_map(|(trial, _)| trial.sides.iter().map(|side| side.positions)) {
            decisive[color.index()].iter_mut().zip(positions).for_each(|(sum, count)| *sum += count);
        }
        let bits = |trial: &Trial| -> u64 {
            let of_side = |side: &TrialSide| {
                let (color, [_, found]) = side.positions;
                let [all, of_all] = decisive[color.index()];
                let share = (of_all << 16) / all.max(1);
                VALUES_WEIGH * side.values + (side.distances * share / found.max(1))
            };
            trial.sides.iter().map(of_side).sum()
        };
        // The first of the best.
        let best = trials.into_iter().min_by_key(|(trial, _)| bits(trial));
        let (trial, men) = best.expect("a material has men");
        Ok(Choice { men, looked_at: trial.looked_at })
    }

    fn arrangement(&self, men: &[Man]) -> Arrangement {
        let arrangement = Arrangement::new(self.variant, self.material, men);
        arrangement.expect("the men are those of the material")
    }

    /// Writes the files of values and of distances. Returns their lengths.
    ///
    /// # Errors
    /// When the table, or one that it converts into, cannot be read or a file not be written.
    ///
    /// # Panics
    /// If the men are not those of the material.
    pub fn pack(
        &self,
        choice: &Choice,
        about: &About,
        values: &Path,
        distances: &Path,
    ) -> Result<[u64; 2], TableError> {
        let arrangement = self.arrangement(&choice.men);
        let mut arranged = Arranged::new(&arrangement, self.tables, true)?;
        arranged.look(&choice.looked_at)?;
        let (wanted, _) = self.level.sample(arrangement.rows());
        let sample = arranged.sample(wanted);
        let of_values = arranged.model_values(self.level, &sample);
        let of_distances = arranged.model_distances(self.level, &sample, &of_values);
        drop(sample);
        let looked_at = arranged.turns.iter().zip(&choice.looked_at).filter(|(_, look)| **look);
        let mut conversions: Vec<char> = looked_at.map(|(turn, _)| turn.letter()).collect();
        conversions.sort_by_key(|&letter| std::cmp::Reverse(letter));
        let about = About { men: arrangement.name(), conversions: conversions.iter().collect(), ..about.clone() };
        let entries = |count: fn(&[u64; VALUES]) -> u64| -> Vec<u64> {
            let mut counts: Vec<(Color, u64)> =
                arranged.turns.iter().copied().zip(of_values.counts.iter().map(count)).collect();
            counts.sort_by_key(|(turn, _)| turn.index());
            counts.into_iter().map(|(_, count)| count).collect()
        };
        let legal = entries(|counts| counts.iter().sum());
        let decisive = entries(|counts| counts.iter().sum::<u64>() - counts[Value::Draw as usize]);
        let unit_rows = of_values.unit_rows;
        let about_values = About { entries: legal, unit_rows, ..about.clone() }.of_values();
        let about_distances = About { entries: decisive, ..about };
        let begin = |path, kind, about: &About, models: &[u8]| FrameWriter::begin(path, kind, &about.to_json(), models);
        let bytes: Vec<u8> = of_values.models.iter().flat_map(ValueModel::bytes).collect();
        let values = begin(values, FileKind::Values, &about_values, &bytes)?;
        let bytes: Vec<u8> = of_distances.iter().flat_map(DistanceModel::bytes).collect();
        let distances = begin(distances, FileKind::Distances, &about_distances, &bytes)?;
        let mut frames = [values, distances];
        for (frame, (about, bits)) in
            frames.iter_mut().zip([(&about_values, MOST_BITS[0]), (&about_distances, MOST_BITS[1])])
        {
            frame.may_take(about.entries.iter().sum::<u64>() * bits / 8 + (1 << 16));
        }
        arranged.write(frames, &of_values, &of_distances)
    }
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

/// How the values of a table are coded.
#[derive(Clone, Default)]
struct Values {
    models: Vec<ValueModel>,
    stand_ins: Vec<StandIns>,
    unit_rows: usize,
    /// For each side, how often each value occurs.
    counts: Vec<[u64; VALUES]>,
}

impl Values {
    /// The values that are stored of a row, as far as there are models; of other sides, those it has.
    fn settled(&self, arranged: &Arranged, scene: &mut Scene, rows: &Rows) -> [ValueRow; 2] {
        let mut settled = [NOTHING; 2];
        for (place, side) in rows.sides.iter().enumerate() {
            settled[place] = side.values();
            if !side.free.is_empty() && place < self.models.len() {
                arranged.put(scene, rows);
                scene.show((place > 0).then_some(&settled[0].clone()));
                let (model, stand_ins) = (&self.models[place], &self.stand_ins[place]);
                settled[place] = model.settled(scene, &side.values(), side.free, stand_ins);
            }
        }
        settled
    }
}

impl Arranged<'_> {
    /// About how much information a table of this arrangement takes, as found on a sample, and of which sides captures
    /// and promotions are worth a look.
    fn trial(&self) -> Result<Trial, TableError> {
        // Half of it to grow trees from, half to see how well they do on other rows.
        let sample = self.sample_with_conversions(2 * TRIAL.0)?;
        let every_other = |first: usize| sample.iter().skip(first).step_by(2);
        let sample: Vec<Rows> = every_other(0).chain(every_other(1)).cloned().collect();
        let mut best: Option<Tried> = None;
        // What the first side takes depends on how it is looked at alone.
        let mut first: Option<(bool, u64, Values)> = None;
        let choices = [[false, false], [false, true], [true, false], [true, true]];
        let choices = choices.iter().map(|looked_at| &looked_at[..self.turns.len()]).collect::<BTreeSet<_>>();
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
                let settled = values.settled(self, scene, rows);
                self.sampled_distances(scene, rows, &settled, place)
            };
            let (grown, judged) = sample.split_at(sample.len() / 2);
            let tree = grow(&self.sampled(grown, of_rows), self.trial_scale(), LEAST_BITS, TRIAL.1);
            let sampled = self.sampled(judged, of_rows);
            let distances = left_over(&sampled, &tree);
            let large: u64 = sampled.iter().map(|row| row.symbols[ERRORS - 1].len() as u64).sum();
            let distances = distances + LARGE_BITS * large;
            let decisive = |values: &ValueRow| (all_of(values) - values[Value::Draw as usize]).len() as u64;
            let count = |of: &dyn Fn(&ValueRow) -> u64| judged.iter().map(|rows| of(&rows.sides[place].values())).sum();
            let positions = (self.turns[place], [count(&|values| all_of(values).len() as u64), count(&decisive)]);
            TrialSide { values: values_bits, distances, positions }
        };
        Ok(Trial { sides: bits.into_iter().enumerate().map(of_side).collect(), looked_at })
    }

    /// How many positions each row of the sample stands for.
    fn trial_scale(&self) -> f64 {
        self.arrangement.rows() as f64 / TRIAL.0 as f64
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
            let settled = values.settled(self, scene, rows);
            self.sampled_values(scene, rows, &settled, place, true)
        };
        let (grown, judged) = sample.split_at(sample.len() / 2);
        let sampled = self.sampled(grown, of_rows);
        let mut model = ValueModel::of_tree(grow(&sampled, self.trial_scale(), LEAST_BITS, TRIAL.1));
        let mut counts = vec![[[0; VALUES]; 2]; model.tree.leaves()];
        let mut scene = self.scene();
        for rows in judged {
            self.count_row(values, &mut scene, rows, place, &model, &mut counts);
        }
        let (stand_ins, bits) = model.settle(&counts);
        values.stand_ins.push(stand_ins);
        values.models.push(model);
        bits
    }

    /// Counts the values of a row with one side to move.
    fn count_row(
        &self,
        values: &Values,
        scene: &mut Scene,
        rows: &Rows,
        place: usize,
        model: &ValueModel,
        counts: &mut [Counts],
    ) {
        let side = &rows.sides[place];
        if side.is_stored() {
            let settled = values.settled(self, scene, rows);
            self.put(scene, rows);
            scene.show((place > 0).then_some(&settled[0]));
            model.count(scene, &side.values(), side.free, counts);
        }
    }

    fn sampled<const SYMBOLS: usize>(
        &self,
        sample: &[Rows],
        of_rows: impl Fn(&mut Scene, &Rows) -> Option<Sampled<SYMBOLS>> + Sync + Send,
    ) -> Vec<Sampled<SYMBOLS>> {
        let sampled: Vec<Option<_>> = sample.par_iter().map_init(|| self.scene(), of_rows).collect();
        sampled.into_iter().flatten().collect()
    }

    /// Finds the models of values.
    fn model_values(&self, level: Level, sample: &[Rows]) -> Values {
        let mut values = Values::default();
        let mut all_bits = 0;
        // Where the first side is stored as it is, the second sees the same before and after, and both are counted at
        // once.
        let all = self.turns.len();
        let step = if self.free[0].is_empty() { all } else { 1 };
        for places in (0..all).step_by(step).map(|first| first..first + step) {
            let of_side = |place: usize| {
                let of_rows = |scene: &mut Scene, rows: &Rows| {
                    let settled = values.settled(self, scene, rows);
                    self.sampled_values(scene, rows, &settled, place, true)
                };
                ValueModel::of_tree(self.grow(level, &self.sampled(sample, of_rows), 1))
            };
            let models: Vec<ValueModel> = places.clone().map(of_side).collect();
            let counts = self.count_values(&values, &models, places);
            for (mut model, counts) in models.into_iter().zip(counts) {
                let (stand_ins, bits) = model.settle(&counts);
                all_bits += bits;
                values.counts.push(std::array::from_fn(|value| counts.iter().flatten().map(|of| of[value]).sum()));
                values.stand_ins.push(stand_ins);
                values.models.push(model);
            }
        }
        let rows = self.arrangement.rows() as u64;
        let unit_rows = (UNIT_BITS * rows).div_ceil(all_bits.max(1)).next_power_of_two() as usize;
        Values { unit_rows: unit_rows.min(MOST_UNIT_ROWS), ..values }
    }

    /// Finds the models of distances.
    fn model_distances(&self, level: Level, sample: &[Rows], values: &Values) -> Vec<DistanceModel> {
        let of_side = |place: usize| {
            let of_rows = |scene: &mut Scene, rows: &Rows| {
                let settled = values.settled(self, scene, rows);
                self.sampled_distances(scene, rows, &settled, place)
            };
            let sample: Vec<Rows> = sample.iter().step_by(DISTANCES_SHARE).cloned().collect();
            let sampled = self.sampled(&sample, of_rows);
            DistanceModel::of_sample(self.grow(level, &sampled, DISTANCES_SHARE), &sampled)
        };
        (0..self.turns.len()).map(of_side).collect()
    }

    /// Grows a tree from sampled rows: one in so many of those of the level, for one in so many leaves.
    fn grow<const SYMBOLS: usize>(&self, level: Level, sampled: &[Sampled<SYMBOLS>], share: usize) -> Tree {
        let (wanted, most_leaves) = level.sample(self.arrangement.rows());
        let scale = (self.arrangement.rows() as f64 * share as f64 / wanted as f64).max(1.0);
        grow(sampled, scale, LEAST_BITS, most_leaves / share)
    }

    /// How often each value occurs in each leaf of the trees of some sides.
    fn count_values(&self, values: &Values, models: &[ValueModel], places: Range<usize>) -> Vec<Vec<Counts>> {
        let none =
            || -> Vec<Vec<Counts>> { models.iter().map(|model| vec![[[0; VALUES]; 2]; model.tree.leaves()]).collect() };
        let counted = (0..self.arrangement.rows()).into_par_iter().with_min_len(1024).fold(
            || (self.scene(), self.no_rows(), none()),
            |(mut scene, mut rows, mut counts), at| {
                if self.read(at, places.end, &mut rows) {
                    for (place, (model, counts)) in places.clone().zip(models.iter().zip(&mut counts)) {
                        self.count_row(values, &mut scene, &rows, place, model, counts);
                    }
                }
                (scene, rows, counts)
            },
        );
        counted.map(|(.., counts)| counts).reduce(none, |mut sums, counts| {
            let all = sums.iter_mut().flatten().flatten().flatten();
            all.zip(counts.iter().flatten().flatten().flatten()).for_each(|(sum, count)| *sum += count);
            sums
        })
    }

    /// Writes the units of both files, and returns the lengths of these.
    fn write(
        &self,
        frames: [FrameWriter; 2],
        values: &Values,
        distances: &[DistanceModel],
    ) -> Result<[u64; 2], TableError> {
        let units = Units::new(self.arrangement, values.unit_rows);
        let mut files = frames.map(|frame| (frame, ChapterWriter::default()));
        // The unit of values, and the units of distances of its rows.
        let coded = |(scene, rows): &mut (Scene, Rows), unit: usize| -> [Vec<Vec<u8>>; 2] {
            let mut of_values = Encoder::default();
            let of_row = |at: usize| {
                let mut of_distances = Encoder::default();
                if self.read(at, self.turns.len(), rows) {
                    self.write_row(scene, rows, values, distances, &mut of_values, &mut of_distances);
                }
                of_distances.finish()
            };
            let of_distances = units.rows(unit).map(of_row).collect();
            [vec![of_values.finish()], of_distances]
        };
        let at_once = UNITS_AT_ONCE * rayon::current_num_threads();
        for first in (0..units.count()).step_by(at_once) {
            let some = first..units.count().min(first + at_once);
            let coded: Vec<[Vec<Vec<u8>>; 2]> = some
                .into_par_iter()
                .with_min_len(CHAPTER_UNITS)
                .map_init(|| (self.scene(), self.no_rows()), coded)
                .collect();
            let mut of_files = [vec![], vec![]];
            for units in coded {
                of_files.iter_mut().zip(units).for_each(|(all, units)| all.extend(units));
            }
            for ((frame, chapters), units) in files.iter_mut().zip(&of_files) {
                let made: Vec<Vec<u8>> = units.par_chunks(CHAPTER_UNITS).map(chapters::chapter).collect();
                made.iter().try_for_each(|chapter| chapters.add(chapter, frame))?;
            }
        }
        let [(frame, of_values), (distances_frame, of_distances)] = files;
        let (values_bytes, checksum) = of_values.finish(frame, &[])?;
        let (distances_bytes, _) = of_distances.finish(distances_frame, &checksum.to_le_bytes())?;
        Ok([values_bytes, distances_bytes])
    }

    /// Adds a row to a unit of values and one of distances.
    fn write_row(
        &self,
        scene: &mut Scene,
        rows: &Rows,
        values: &Values,
        distances: &[DistanceModel],
        of_values: &mut Encoder,
        of_distances: &mut Encoder,
    ) {
        let settled = values.settled(self, scene, rows);
        self.put(scene, rows);
        for (place, _) in rows.sides.iter().enumerate().filter(|(_, side)| side.is_stored()) {
            if place > 0 {
                scene.show(Some(&settled[0]));
            }
            values.models[place].write(scene, &settled[place], of_values);
        }
        if settled.iter().any(is_decisive) {
            self.with_coded(scene, rows, &settled, |place, scene, coded, told| {
                distances[place].write(coded, scene, told, of_distances)
            });
        }
    }
}

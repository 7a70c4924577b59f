//! Packing: finds the arrangement and the models that a table takes least room with, and writes its files.

use super::super::error::TableError;
use super::about::About;
use super::chapters::{self, CHAPTER_UNITS, ChapterWriter};
use super::distances;
use super::frame::{FrameWriter, Kind as FileKind};
use super::rows::{MOST_UNIT_ROWS, Row, Source, Units, is_sampled};
use super::values;
use super::{Level, Outcomes};
use crate::coding::arithmetic::Encoder;
use crate::coding::distances::{DistanceModel, ERRORS, ErrorKind, Order, Other, Row as CodedRow};
use crate::coding::scene::{Ground, Scene};
use crate::coding::tree::{Sampled, grow, left_over};
use crate::coding::values::{Kind, ValueModel};
use crate::geometry::{Color, Man};
use crate::index::{Arrangement, Layout};
use crate::outcome::Value;
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;

const VALUES: usize = Value::ALL.len();
/// Units that are coded before they are written, for each thread.
const UNITS_AT_ONCE: usize = 64 * CHAPTER_UNITS;
/// A unit of values is given rows until it holds about so many bits.
const UNIT_BITS: u64 = 32;
/// Rows in which errors are counted, with each side to move.
const COUNTED_ROWS: usize = 50_000;
/// Rows from which arrangements are compared, and the leaves of the trees for it.
const TRIAL: (usize, usize) = (1000, 48);

/// A table about to be packed.
pub struct Packer<'a> {
    layout: &'a Arc<Layout>,
    outcomes: &'a dyn Outcomes,
    level: Level,
}

/// A table in one arrangement.
struct Arranged<'a> {
    arrangement: &'a Arrangement,
    source: Source<'a>,
    ground: Ground,
    order: Order,
    /// The side to move whose distances come second, bounded by the other's.
    second: Option<Color>,
}

impl<'a> Packer<'a> {
    pub fn new(layout: &'a Arc<Layout>, outcomes: &'a dyn Outcomes, level: Level) -> Packer<'a> {
        Packer { layout, outcomes, level }
    }

    /// The order of the men that takes least room, found by trying each on a sample.
    ///
    /// # Errors
    /// When the table cannot be read.
    pub fn best_order(&self) -> Result<Vec<Man>, TableError> {
        let mut best: Option<(u64, Vec<Man>)> = None;
        for men in Arrangement::choices(self.layout.material()) {
            let arrangement = self.arrangement(&men);
            let bits = Arranged::new(&arrangement, self.layout, self.outcomes)?.trial();
            if best.as_ref().is_none_or(|(least, _)| bits < *least) {
                best = Some((bits, men));
            }
        }
        Ok(best.expect("a material has men").1)
    }

    fn arrangement(&self, men: &[Man]) -> Arrangement {
        let arrangement = Arrangement::new(self.layout.variant(), self.layout.material(), men);
        arrangement.expect("the men are those of the material")
    }

    /// Writes the files of values and of distances, with the men in an order of [`Arrangement::choices`]. Returns their
    /// lengths.
    ///
    /// # Errors
    /// When the table cannot be read or a file not be written.
    ///
    /// # Panics
    /// If the men are not those of the material.
    pub fn pack(&self, men: &[Man], about: &About, values: &Path, distances: &Path) -> Result<[u64; 2], TableError> {
        let arrangement = self.arrangement(men);
        let arranged = Arranged::new(&arrangement, self.layout, self.outcomes)?;
        let about = About { men: arrangement.name(), ..about.clone() };
        let (of_values, entries) = arranged.pack_values(self.level, &about, values)?;
        Ok([of_values, arranged.pack_distances(self.level, &About { entries, ..about }, distances)?])
    }
}

impl<'a> Arranged<'a> {
    fn new(
        arrangement: &'a Arrangement,
        layout: &Arc<Layout>,
        outcomes: &dyn Outcomes,
    ) -> Result<Arranged<'a>, TableError> {
        let (variant, column_man) = (arrangement.variant(), arrangement.column_man());
        Ok(Arranged {
            arrangement,
            source: Source::new(arrangement, layout, outcomes)?,
            ground: Ground::new(variant, arrangement.known().to_vec(), column_man),
            order: Order::new(variant, column_man),
            second: distances::second_side(arrangement),
        })
    }

    fn scene(&self) -> Scene<'_> {
        Scene::new(&self.ground, self.arrangement.variant())
    }

    fn features(&self) -> usize {
        self.ground.features().len()
    }

    /// The sides to move that are stored, in the order in which distances are written.
    fn turns(&self) -> impl Iterator<Item = Color> + use<> {
        Color::BOTH.into_iter().take(self.arrangement.sides())
    }

    fn put<'s>(&self, scene: &mut Scene<'s>, row: &Row) {
        scene.put(&row.cells[..self.arrangement.known().len()]);
    }

    /// Calls back with what distances are coded from, of a row with decisive positions.
    fn with_coded<T>(&self, at: usize, turn: Color, row: &Row, then: impl FnOnce(&CodedRow) -> T) -> T {
        let other = if self.second == Some(turn) { self.source.row(at, turn.other()) } else { None };
        let other = other.map(|other| (other.values, other.distances()));
        let other = other.as_ref().map(|(values, distances)| Other { values, distances });
        let variant = self.arrangement.variant();
        then(&CodedRow { order: &self.order, variant, values: &row.values, other })
    }

    /// Some rows, from all over the table, that hold something.
    fn sample(&self, turn: Color, wanted: usize) -> Vec<(usize, Row)> {
        let all = self.arrangement.rows();
        let drawn = (0..all).into_par_iter().filter(|&row| is_sampled(row, all, wanted));
        drawn.filter_map(|at| Some((at, self.source.row(at, turn)?))).collect()
    }

    fn sampled_values(&self, sample: &[(usize, Row)]) -> Vec<Sampled<VALUES>> {
        let of_row = |scene: &mut Scene, (_, row): &(usize, Row)| {
            self.put(scene, row);
            let holds = (0..self.features() as u16).map(|feature| scene.holds(feature)).collect();
            Sampled { holds, symbols: row.values }
        };
        sample.par_iter().map_init(|| self.scene(), of_row).collect()
    }

    fn sampled_distances(&self, turn: Color, sample: &[(usize, Row)]) -> Vec<Sampled<ERRORS>> {
        let of_row = |scene: &mut Scene, (at, row): &(usize, Row)| {
            self.put(scene, row);
            let distances = row.distances();
            self.with_coded(*at, turn, row, |coded| coded.sampled(scene, self.features(), &distances))
        };
        let decisive = sample.par_iter().filter(|(_, row)| is_decisive(row));
        decisive.map_init(|| self.scene(), of_row).collect()
    }

    /// About how much information a table of this arrangement takes, in parts of a bit, for each position of the
    /// sample: to compare arrangements by.
    fn trial(&self) -> u64 {
        let mut information = 0;
        for turn in self.turns() {
            let sample = self.sample(turn, TRIAL.0);
            let positions: u64 = sample.iter().flat_map(|(_, row)| row.values).map(|some| some.len() as u64).sum();
            let scale = self.arrangement.rows() as f64 / TRIAL.0 as f64;
            let values = self.sampled_values(&sample);
            let left = left_over(&values, &grow(&values, scale, 48, TRIAL.1));
            let distances = self.sampled_distances(turn, &sample);
            let left = left + left_over(&distances, &grow(&distances, scale, 48, TRIAL.1));
            information += (left << 16) / positions.max(1);
        }
        information
    }

    /// How often each value occurs in each leaf of a tree.
    fn count_values(&self, model: &ValueModel, turn: Color) -> Vec<[u64; VALUES]> {
        let none = || vec![[0; VALUES]; model.tree.leaves()];
        let counted = (0..self.arrangement.rows()).into_par_iter().with_min_len(1024).fold(
            || (self.scene(), none()),
            |(mut scene, mut counts), at| {
                if let Some(row) = self.source.row(at, turn) {
                    self.put(&mut scene, &row);
                    model.count(&mut scene, &row.values, &mut counts);
                }
                (scene, counts)
            },
        );
        counted.map(|(_, counts)| counts).reduce(none, added)
    }

    /// How often each error occurs in each leaf of a tree, in so many rows that it makes no difference to count more.
    fn count_errors(&self, model: &DistanceModel, turn: Color) -> Vec<[u64; ERRORS]> {
        let none = || vec![[0; ERRORS]; model.tree.leaves()];
        let all = self.arrangement.rows();
        let drawn = (0..all).into_par_iter().with_min_len(1024).filter(|&at| is_sampled(at, all, COUNTED_ROWS));
        let counted = drawn.fold(
            || (self.scene(), none()),
            |(mut scene, mut counts), at| {
                if let Some(row) = self.source.row(at, turn).filter(is_decisive) {
                    self.put(&mut scene, &row);
                    let (distances, features) = (row.distances(), self.features());
                    self.with_coded(at, turn, &row, |coded| {
                        model.count(coded, &mut scene, features, &distances, &mut counts);
                    });
                }
                (scene, counts)
            },
        );
        counted.map(|(_, counts)| counts).reduce(none, added)
    }

    /// Returns the length of the file, and the number of decisive positions of each side to move.
    fn pack_values(&self, level: Level, about: &About, path: &Path) -> Result<(u64, Vec<u64>), TableError> {
        let (wanted, most_leaves) = level.sample(self.arrangement.rows());
        let scale = (self.arrangement.rows() as f64 / wanted as f64).max(1.0);
        let (mut models, mut bits, mut entries, mut decisive) = (vec![], 0, vec![], vec![]);
        for turn in self.turns() {
            let sample = self.sampled_values(&self.sample(turn, wanted));
            let mut model = ValueModel { tree: grow(&sample, scale, level.least_bits(), most_leaves), kinds: vec![] };
            let counts = self.count_values(&model, turn);
            bits += counts.iter().map(Kind::bits_of).sum::<u64>();
            let legal: u64 = counts.iter().flatten().sum();
            decisive.push(legal - counts.iter().map(|counts| counts[Value::Draw as usize]).sum::<u64>());
            entries.push(legal);
            model.kinds = counts.iter().map(Kind::of_counts).collect();
            models.push(model);
        }
        let rows = self.arrangement.sides() * self.arrangement.rows();
        let unit_rows = (UNIT_BITS * rows as u64).div_ceil(bits.max(1)).next_power_of_two() as usize;
        let about = About { unit_rows: unit_rows.min(MOST_UNIT_ROWS), entries, ..about.clone() }.of_values();
        let frame = FrameWriter::begin(path, FileKind::Values, &about.to_json(), &values::model_bytes(&models))?;
        let length = self.write_units(frame, about.unit_rows, |scene, at, turn, encoder| {
            if let Some(row) = self.source.row(at, turn) {
                self.put(scene, &row);
                models[turn.index()].write(scene, &row.values, encoder);
            }
        })?;
        Ok((length, decisive))
    }

    fn pack_distances(&self, level: Level, about: &About, path: &Path) -> Result<u64, TableError> {
        let (wanted, most_leaves) = level.sample(self.arrangement.rows());
        let scale = (self.arrangement.rows() as f64 / wanted as f64).max(1.0);
        let mut models = vec![];
        for turn in self.turns() {
            let sample = self.sampled_distances(turn, &self.sample(turn, wanted));
            let tree = grow(&sample, scale, level.least_bits(), most_leaves);
            let mut model = DistanceModel { tree, kinds: vec![] };
            model.kinds = self.count_errors(&model, turn).iter().map(ErrorKind::of_counts).collect();
            models.push(model);
        }
        let about = About { unit_rows: 1, ..about.clone() };
        let models_bytes = distances::model_bytes(&models);
        let frame = FrameWriter::begin(path, FileKind::Distances, &about.to_json(), &models_bytes)?;
        self.write_units(frame, 1, |scene, at, turn, encoder| {
            if let Some(row) = self.source.row(at, turn).filter(is_decisive) {
                self.put(scene, &row);
                let (distances, features) = (row.distances(), self.features());
                let model = &models[turn.index()];
                self.with_coded(at, turn, &row, |coded| model.write(coded, scene, features, &distances, encoder));
            }
        })
    }

    /// Writes the units of a file, whose rows `write` adds to a message one by one.
    fn write_units(
        &self,
        mut frame: FrameWriter,
        unit_rows: usize,
        write: impl Fn(&mut Scene, usize, Color, &mut Encoder) + Sync,
    ) -> Result<u64, TableError> {
        let units = Units::new(self.arrangement, unit_rows);
        let of_side = units.count_of_side();
        let mut chapters = ChapterWriter::default();
        let coded = |scene: &mut Scene, unit: usize| {
            let turn = Color::BOTH[unit / of_side];
            let mut encoder = Encoder::default();
            units.rows(unit % of_side).for_each(|at| write(scene, at, turn, &mut encoder));
            encoder.finish()
        };
        let at_once = UNITS_AT_ONCE * rayon::current_num_threads();
        for first in (0..units.count()).step_by(at_once) {
            let some = first..units.count().min(first + at_once);
            let coded: Vec<Vec<u8>> =
                some.into_par_iter().with_min_len(CHAPTER_UNITS).map_init(|| self.scene(), coded).collect();
            let made: Vec<Vec<u8>> = coded.par_chunks(CHAPTER_UNITS).map(chapters::chapter).collect();
            made.iter().try_for_each(|chapter| chapters.add(chapter, &mut frame))?;
        }
        chapters.finish(frame)
    }
}

fn is_decisive(row: &Row) -> bool {
    Value::ALL.into_iter().any(|value| value != Value::Draw && !row.values[value as usize].is_empty())
}

/// The sums of two lists of counts.
fn added<const N: usize>(mut sums: Vec<[u64; N]>, counts: Vec<[u64; N]>) -> Vec<[u64; N]> {
    sums.iter_mut().flatten().zip(counts.iter().flatten()).for_each(|(sum, count)| *sum += count);
    sums
}

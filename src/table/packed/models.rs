//! Finding the models of a table in one arrangement: trees grown from a sample, their leaves counted in all rows.

use super::arranged::{Arranged, NOTHING, Rows, VALUES};
use super::rows::MOST_UNIT_ROWS;
use super::{Growth, Level};
use crate::coding::distances::DistanceModel;
use crate::coding::scene::Scene;
use crate::coding::tree::{Sampled, Tree, grow};
use crate::coding::values::{Counts, StandIns, ValueModel, ValueRow};
use rayon::prelude::*;
use std::ops::Range;

/// A unit of values is given rows until it holds about so many bits.
const UNIT_BITS: u64 = 32;

/// What a question in a tree must save.
pub const LEAST_BITS: u64 = 48;

/// How the values of a table are coded.
#[derive(Clone, Default)]
pub struct Values {
    pub models: Vec<ValueModel>,
    pub stand_ins: Vec<StandIns>,
    pub unit_rows: usize,
    /// For each side, how often each value occurs.
    pub counts: Vec<[u64; VALUES]>,
}

impl Values {
    /// The values that are stored of a row, as far as there are models; of other sides, those it has.
    pub fn settled(&self, arranged: &Arranged, scene: &mut Scene, rows: &Rows) -> [ValueRow; 2] {
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
    /// Counts the values of a row with one side to move.
    pub fn count_row(
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

    pub fn sampled<const SYMBOLS: usize>(
        &self,
        sample: &[Rows],
        of_rows: impl Fn(&mut Scene, &Rows) -> Option<Sampled<SYMBOLS>> + Sync + Send,
    ) -> Vec<Sampled<SYMBOLS>> {
        let sampled: Vec<Option<_>> = sample.par_iter().map_init(|| self.scene(), of_rows).collect();
        sampled.into_iter().flatten().collect()
    }

    /// Finds the models of values.
    pub fn model_values(&self, level: Level, sample: &[Rows]) -> Values {
        let mut values = Values::default();
        let mut all_bits = 0;
        // Where the first side is stored as it is, the second sees the same before and after, and both are counted at
        // once.
        let all = self.turns.len();
        let growth = level.of_values(self.arrangement.rows());
        let step = if self.free[0].is_empty() { all } else { 1 };
        for places in (0..all).step_by(step).map(|first| first..first + step) {
            let of_side = |place: usize| {
                let of_rows = |scene: &mut Scene, rows: &Rows| {
                    let settled = values.settled(self, scene, rows);
                    self.sampled_values(scene, rows, &settled, place, true)
                };
                ValueModel::of_tree(self.grow(growth, &self.sampled(sample, of_rows)))
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
    pub fn model_distances(&self, level: Level, sample: &[Rows], values: &Values) -> Vec<DistanceModel> {
        let growth = level.of_distances(self.arrangement.rows());
        let of_side = |place: usize| {
            let of_rows = |scene: &mut Scene, rows: &Rows| {
                let settled = values.settled(self, scene, rows);
                self.sampled_distances(scene, rows, &settled, place)
            };
            let sample: Vec<Rows> = sample.iter().step_by(2).cloned().collect();
            let sampled = self.sampled(&sample, of_rows);
            DistanceModel::of_sample(self.grow(growth, &sampled), &sampled)
        };
        (0..self.turns.len()).map(of_side).collect()
    }

    /// Grows a tree from sampled rows.
    fn grow<const SYMBOLS: usize>(&self, growth: Growth, sampled: &[Sampled<SYMBOLS>]) -> Tree {
        let scale = (self.arrangement.rows() as f64 / growth.rows as f64).max(1.0);
        grow(sampled, scale, LEAST_BITS, growth.leaves)
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
}

//! Packing: finds the models of a table in the arrangement that is chosen, and writes its files.

use super::super::error::TableError;
use super::Level;
use super::about::About;
use super::arranged::{Arranged, Rows, VALUES};
use super::chapters::{self, CHAPTER_UNITS, ChapterWriter};
use super::distances::is_decisive;
use super::frame::{Finished, FrameWriter, Kind as FileKind};
use super::models::Values;
use super::rows::Units;
use super::trial::{self, Choice};
use crate::coding::arithmetic::Encoder;
use crate::coding::distances::DistanceModel;
use crate::coding::scene::Scene;
use crate::coding::values::ValueModel;
use crate::geometry::{Color, Variant};
use crate::index::{Arrangement, Material};
use crate::outcome::Value;
use crate::solve::Subtables;
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// Units that are coded before they are written, for each thread.
const UNITS_AT_ONCE: usize = 64 * CHAPTER_UNITS;
/// More bits than a value and a distance take in any table, to say what room is needed.
const MOST_BITS: [u64; 2] = [1, 5];

/// A table about to be packed.
pub struct Packer<'a> {
    variant: &'a Arc<Variant>,
    material: &'a Material,
    tables: &'a dyn Subtables,
    level: Level,
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

    /// How the table takes least room.
    ///
    /// # Errors
    /// When the table, or one that it converts into, cannot be read.
    pub fn best_choice(&self) -> Result<Choice, TableError> {
        trial::best_choice(self.variant, self.material, self.tables)
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
        let arrangement = Arrangement::new(self.variant, self.material, &choice.men);
        let arrangement = arrangement.expect("the men are those of the material");
        let mut arranged = Arranged::new(&arrangement, self.tables, true)?;
        arranged.look(&choice.looked_at)?;
        let sample = arranged.sample(self.level.of_values(arrangement.rows()).rows);
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

impl Arranged<'_> {
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
        let values = of_values.finish(frame, &[])?;
        let distances = of_distances.finish(distances_frame, &values.whole.to_le_bytes())?;
        let bytes = [values.length, distances.length];
        // Not before: new values do not go with older distances, should there be no room for the new ones.
        Finished::put_in_place([values, distances])?;
        Ok(bytes)
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

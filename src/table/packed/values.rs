//! Files of values: a tree for each side to move that sorts positions into kinds, and what is not as expected.
//!
//! The models are, for each stored side to move, the number of nodes of its tree (2 bytes), the nodes (2 bytes each, see
//! [`Written`](crate::coding::tree::Written)), and for each leaf in their order its [`Kind`]. A unit is a message of the
//! arithmetic coder: row by row, leaf by leaf, column by column the values that are stored, of leaves in which more than
//! one occurs.

use super::super::error::TableError;
use super::about::About;
use super::chapters::{self, CHAPTER_UNITS, ChapterWriter};
use super::frame::{Frame, FrameWriter, Kind as FileKind};
use super::rows::{Row, Units, cells_of, is_sampled, rows_of_slice, sides};
use super::{Level, Outcomes};
use crate::coding::arithmetic::{Decoder, Encoder};
use crate::coding::scene::{Ground, Scene};
use crate::coding::tree::{Sampled, Tree, grow};
use crate::coding::values::{Kind, ValueModel, ValueRow};
use crate::geometry::{Cell, CellSet, Color};
use crate::index::{Layout, SideTable};
use crate::outcome::Value;
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;

const VALUES: usize = Value::ALL.len();
/// Units that are coded before they are written, for each thread.
const UNITS_AT_ONCE: usize = 64 * CHAPTER_UNITS;
/// A unit is given rows until it holds about so many bits.
const UNIT_BITS: u64 = 32;
/// The most rows of a unit: all that come before the one asked for have to be read.
const MOST_UNIT_ROWS: usize = 16;

/// The values of a row as they are stored.
fn values_of(side: &SideTable, at: usize, row: &Row) -> ValueRow {
    side.row(at).of_value.map(|columns| CellSet(columns) & row.stored)
}

/// Writes the value file of a table into its place. Returns its length.
///
/// # Errors
/// Those of `outcomes`, and of writing.
pub fn pack_values(
    layout: &Arc<Layout>,
    outcomes: &dyn Outcomes,
    about: About,
    level: Level,
    path: &Path,
) -> Result<u64, TableError> {
    let ground = Ground::new(layout);
    let stored = &Color::BOTH[..sides(layout)];
    let (mut models, mut bits, mut legal) = (vec![], 0, vec![]);
    for &turn in stored {
        let (model, counts) = model_of(layout, &ground, outcomes, turn, level)?;
        bits += counts.iter().map(Kind::bits_of).sum::<u64>();
        legal.push(counts.iter().flatten().sum());
        models.push(model);
    }
    let rows = stored.len() * layout.len() / layout.cell_count();
    let unit_rows = (UNIT_BITS * rows as u64).div_ceil(bits.max(1)).next_power_of_two() as usize;
    let about = About { unit_rows: unit_rows.min(MOST_UNIT_ROWS), legal, ..about };
    let bytes: Vec<u8> = models.iter().flat_map(model_bytes).collect();
    let mut frame = FrameWriter::begin(path, FileKind::Values, &about.to_json(), &bytes)?;
    let mut chapters = ChapterWriter::default();
    let units = Units::new(layout.clone(), about.unit_rows);
    let mut waiting: Vec<Vec<u8>> = vec![];
    for (model, &turn) in models.iter().zip(stored) {
        for slice in 0..layout.slices().len() {
            let side = outcomes.side(slice, turn)?;
            let all: Vec<_> = units.of_slice(slice).collect();
            for some in all.chunks(UNITS_AT_ONCE * rayon::current_num_threads()) {
                let of_unit = |scene: &mut Scene, rows: &std::ops::Range<usize>| {
                    let mut encoder = Encoder::default();
                    for at in rows.clone() {
                        let row = Row::new(layout, slice, at, turn);
                        if !row.stored.is_empty() {
                            scene.put(row.cells());
                            model.write(scene, &values_of(&side, at, &row), &mut encoder);
                        }
                    }
                    encoder.finish()
                };
                let coded =
                    some.par_iter().with_min_len(64).map_init(|| Scene::new(&ground, layout.variant()), of_unit);
                waiting.par_extend(coded);
                let whole = waiting.len() - waiting.len() % CHAPTER_UNITS;
                let made: Vec<Vec<u8>> = waiting[..whole].par_chunks(CHAPTER_UNITS).map(chapters::chapter).collect();
                made.iter().try_for_each(|chapter| chapters.add(chapter, &mut frame))?;
                waiting.drain(..whole);
            }
        }
    }
    if !waiting.is_empty() {
        chapters.add(&chapters::chapter(&waiting), &mut frame)?;
    }
    chapters.finish(frame)
}

/// Finds a side's model, with how often each value occurs in each leaf.
fn model_of(
    layout: &Arc<Layout>,
    ground: &Ground,
    outcomes: &dyn Outcomes,
    turn: Color,
    level: Level,
) -> Result<(ValueModel, Vec<[u64; VALUES]>), TableError> {
    let scene = || Scene::new(ground, layout.variant());
    let (wanted, most_leaves) = level.sample();
    let mut sample: Vec<Sampled<VALUES>> = vec![];
    for slice in 0..layout.slices().len() {
        let rows: Vec<usize> =
            (0..rows_of_slice(layout, slice)).filter(|&row| is_sampled(layout, slice, row, wanted)).collect();
        if rows.is_empty() {
            continue;
        }
        let side = outcomes.side(slice, turn)?;
        let sampled = |scene: &mut Scene, &at: &usize| {
            let row = Row::new(layout, slice, at, turn);
            scene.put(row.cells());
            let holds = |feature| if row.stored.is_empty() { CellSet::EMPTY } else { scene.holds(feature) };
            let holds = (0..ground.features().len() as u16).map(holds).collect();
            Sampled { holds, symbols: values_of(&side, at, &row) }
        };
        sample.par_extend(rows.par_iter().map_init(scene, sampled));
    }
    let all = layout.len() / layout.cell_count();
    let scale = (all as f64 / wanted as f64).max(1.0);
    let mut model = ValueModel { tree: grow(&sample, scale, level.least_bits(), most_leaves), kinds: vec![] };
    let leaves = model.tree.leaves();
    let mut counts = vec![[0; VALUES]; leaves];
    let add = |mut sum: Vec<[u64; VALUES]>, some: Vec<[u64; VALUES]>| {
        sum.iter_mut().flatten().zip(some.iter().flatten()).for_each(|(sum, some)| *sum += some);
        sum
    };
    for slice in 0..layout.slices().len() {
        let side = outcomes.side(slice, turn)?;
        let rows = (0..rows_of_slice(layout, slice)).into_par_iter().with_min_len(1024);
        let none = || vec![[0; VALUES]; leaves];
        let counted = rows.fold(
            || (scene(), none()),
            |(mut scene, mut counts), at| {
                let row = Row::new(layout, slice, at, turn);
                if !row.stored.is_empty() {
                    scene.put(row.cells());
                    model.count(&mut scene, &values_of(&side, at, &row), &mut counts);
                }
                (scene, counts)
            },
        );
        let counted = counted.map(|(_, counts)| counts).reduce(none, add);
        counts = add(counts, counted);
    }
    model.kinds = counts.iter().map(Kind::of_counts).collect();
    Ok((model, counts))
}

fn model_bytes(model: &ValueModel) -> Vec<u8> {
    let written = model.tree.to_written();
    let mut bytes = (written.len() as u16).to_le_bytes().to_vec();
    bytes.extend(written.iter().flat_map(|node| node.to_le_bytes()));
    model.kinds.iter().for_each(|kind| bytes.extend(kind.bytes()));
    bytes
}

/// Reads a model off the beginning of some bytes; none if they are none.
fn read_model(bytes: &mut &[u8], features: usize) -> Option<ValueModel> {
    let mut number = || {
        let (number, rest) = bytes.split_first_chunk::<2>()?;
        *bytes = rest;
        Some(u16::from_le_bytes(*number))
    };
    let nodes = number()?;
    let written = (0..nodes).map(|_| number()).collect::<Option<Vec<u16>>>()?;
    let tree = Tree::from_written(&written, features)?;
    let kinds = (0..tree.leaves()).map(|_| Kind::read(bytes)).collect::<Option<Vec<Kind>>>()?;
    Some(ValueModel { tree, kinds })
}

/// An open file of values.
pub struct ValueFile {
    frame: Frame,
    about: About,
    layout: Arc<Layout>,
    units: Units,
    ground: Ground,
    models: Vec<ValueModel>,
}

impl ValueFile {
    /// Opens the file of a layout's material and tests what comes before its body.
    ///
    /// # Errors
    /// When it cannot be read, is of another kind, version, game or material, or damaged.
    pub fn open(path: &Path, layout: &Arc<Layout>) -> Result<ValueFile, TableError> {
        let frame = Frame::open(path, FileKind::Values)?;
        let about = About::read(&frame, layout)?;
        let ground = Ground::new(layout);
        let mut bytes = &frame.models[..];
        let read = |_| read_model(&mut bytes, ground.features().len());
        let models: Option<Vec<ValueModel>> = (0..sides(layout)).map(read).collect();
        let Some(models) = models.filter(|_| bytes.is_empty()) else {
            return Err(frame.damaged("its models", "a tree for each side to move", "something else"));
        };
        let units = Units::new(layout.clone(), about.unit_rows);
        chapters::test_count(&frame, units.count())?;
        Ok(ValueFile { about, layout: layout.clone(), units, ground, models, frame })
    }

    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    pub fn about(&self) -> &About {
        &self.about
    }

    /// A scene for [`ValueFile::row`] and [`ValueFile::value`].
    pub fn scene(&self) -> Scene<'_> {
        Scene::new(&self.ground, self.layout.variant())
    }

    /// The value of a position that is stored.
    ///
    /// # Errors
    /// As of [`ValueFile::row`].
    pub fn value(
        &self,
        scene: &mut Scene,
        slice: usize,
        row: usize,
        column: Cell,
        turn: Color,
    ) -> Result<Value, TableError> {
        let (cells, count) = cells_of(&self.layout, slice, row);
        scene.put(&cells[..count]);
        let model = &self.models[turn.index()];
        let leaf = model.tree.leaf(|feature| scene.holds(feature).contains(column));
        let kind = &model.kinds[leaf as usize];
        // Most positions are told by where they are in the tree.
        let expected = match kind.only() {
            Some(value) => Some(value),
            None if chapters::unit(&self.frame, self.units.find(slice, row, turn).0)?.is_empty() => kind.first(),
            None => None,
        };
        if let Some(value) = expected {
            return Ok(value);
        }
        let values = self.row(scene, slice, row, turn)?;
        let found = Value::ALL.into_iter().find(|&value| values[value as usize].contains(column));
        found.ok_or_else(|| self.frame.damaged("its models", "a value for each legal position", "none"))
    }

    /// The values of a row that are stored.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the bytes are not what was written.
    pub fn row(&self, scene: &mut Scene, slice: usize, row: usize, turn: Color) -> Result<ValueRow, TableError> {
        let (unit, rows) = self.units.find(slice, row, turn);
        let mut decoder = Decoder::new(chapters::unit(&self.frame, unit)?);
        let model = &self.models[turn.index()];
        let mut values = [CellSet::EMPTY; VALUES];
        for at in rows {
            let row = Row::new(&self.layout, slice, at, turn);
            values = [CellSet::EMPTY; VALUES];
            if !row.stored.is_empty() {
                scene.put(row.cells());
                values = model.read(scene, row.stored, &mut decoder);
            }
        }
        Ok(values)
    }
}

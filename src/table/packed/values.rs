//! Files of values: a tree for each side to move that sorts positions into kinds, and what is not as expected.
//!
//! The models are, for each stored side to move in the order of [`turns`], the number of nodes of its tree (2 bytes),
//! the nodes (2 bytes each, see [`Written`](crate::coding::tree::Written)), and for each leaf in their order its
//! [`Kind`](crate::coding::values::Kind). A unit is a message of the arithmetic coder: row by row, side by side, leaf
//! by leaf, column by column the values that are stored, of leaves in which more than one occurs.

use super::super::error::TableError;
use super::about::About;
use super::chapters;
use super::frame::{Frame, Kind as FileKind};
use super::rows::{Units, turns};
use crate::coding::arithmetic::Decoder;
use crate::coding::scene::{Ground, Scene};
use crate::coding::terrain::Terrain;
use crate::coding::values::{ValueModel, ValueRow};
use crate::geometry::{Cell, CellSet, Color};
use crate::index::{Arrangement, Material};
use crate::outcome::Value;
use std::path::Path;
use std::sync::Arc;

const NOTHING: ValueRow = [CellSet::EMPTY; Value::ALL.len()];

/// An open file of values.
pub struct ValueFile {
    frame: Frame,
    about: About,
    arrangement: Arc<Arrangement>,
    /// The sides to move in the order of the models.
    turns: Vec<Color>,
    units: Units,
    terrain: Arc<Terrain>,
    ground: Ground,
    models: Vec<ValueModel>,
}

impl ValueFile {
    /// Opens the file of a material and tests what comes before its body.
    ///
    /// # Errors
    /// When it cannot be read, is of another kind, version, game or material, or damaged.
    pub fn open(path: &Path, terrain: &Arc<Terrain>, material: &Material) -> Result<ValueFile, TableError> {
        let frame = Frame::open(path, FileKind::Values)?;
        let (about, arrangement) = About::read(&frame, terrain.variant(), material)?;
        let ground = Ground::new(terrain, arrangement.known().to_vec(), arrangement.column_man());
        let turns = turns(&arrangement);
        let mut bytes = &frame.models[..];
        let features = ground.features().len();
        let models = turns.iter().map(|_| ValueModel::read_model(&mut bytes, features)).collect::<Option<Vec<_>>>();
        let Some(models) = models.filter(|_| bytes.is_empty()) else {
            return Err(frame.damaged("its models", "a tree for each side to move", "something else"));
        };
        let units = Units::new(&arrangement, about.unit_rows);
        chapters::test_count(&frame, units.count(), 0)?;
        Ok(ValueFile { about, arrangement, turns, units, terrain: terrain.clone(), ground, models, frame })
    }

    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    pub fn about(&self) -> &About {
        &self.about
    }

    pub fn arrangement(&self) -> &Arc<Arrangement> {
        &self.arrangement
    }

    pub fn terrain(&self) -> &Arc<Terrain> {
        &self.terrain
    }

    /// A scene for [`ValueFile::rows`] and [`ValueFile::value`].
    pub fn scene(&self) -> Scene<'_> {
        Scene::new(&self.ground)
    }

    /// The number of features that a scene knows of.
    pub fn features(&self) -> usize {
        self.ground.features().len()
    }

    /// The sides to move in the order in which rows have them.
    pub fn turns(&self) -> &[Color] {
        &self.turns
    }

    /// The place of a side to move in [`ValueFile::turns`].
    #[inline]
    pub fn place(&self, turn: Color) -> usize {
        usize::from(self.turns[0] != turn)
    }

    /// The value that is stored of a position.
    ///
    /// # Errors
    /// As of [`ValueFile::rows`].
    pub fn value(&self, scene: &mut Scene, row: usize, column: Cell, turn: Color) -> Result<Value, TableError> {
        if let Some(value) = self.told_value(scene, row, column, turn)? {
            return Ok(value);
        }
        let values = self.rows(scene, row, turn)?[self.place(turn)];
        let found = Value::ALL.into_iter().find(|&value| values[value as usize].contains(column));
        found.ok_or_else(|| self.frame.damaged("its models", "a value for each legal position", "none"))
    }

    /// The same if where it is in the tree tells it, as it does for most positions. The scene is then that of the row.
    ///
    /// # Errors
    /// As of [`ValueFile::rows`].
    pub fn told_value(
        &self,
        scene: &mut Scene,
        row: usize,
        column: Cell,
        turn: Color,
    ) -> Result<Option<Value>, TableError> {
        let cells = self.arrangement.cells(row);
        scene.put(&cells[..self.arrangement.known().len()]);
        let place = self.place(turn);
        let model = &self.models[place];
        let holds = |feature| match scene.lacks(feature) && place > 0 {
            true => None,
            false => Some(scene.holds(feature).contains(column)),
        };
        let Some(leaf) = model.tree.leaf_if_known(holds) else { return Ok(None) };
        let kind = &model.kinds[leaf as usize];
        Ok(match kind.only() {
            Some(value) => Some(value),
            None if chapters::unit(&self.frame, self.units.of(row))?.is_empty() => kind.first(),
            None => None,
        })
    }

    /// The values that are stored of a row, with the sides to move in the order of [`ValueFile::turns`] up to this one.
    /// The scene is then that of the row.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the bytes are not what was written.
    pub fn rows(&self, scene: &mut Scene, row: usize, turn: Color) -> Result<[ValueRow; 2], TableError> {
        let unit = self.units.of(row);
        let bytes = chapters::unit(&self.frame, unit)?;
        let mut decoder = Decoder::new(bytes);
        // In a unit without bytes all is as expected, whatever comes before.
        let first = if bytes.is_empty() { row } else { self.units.rows(unit).start };
        for at in first..row {
            self.read(scene, at, None, &mut decoder);
        }
        Ok(self.read(scene, row, Some(turn), &mut decoder))
    }

    /// Reads the next row of a unit, up to a side to move or to the last.
    fn read(&self, scene: &mut Scene, row: usize, up_to: Option<Color>, decoder: &mut Decoder) -> [ValueRow; 2] {
        let cells = self.arrangement.cells(row);
        scene.put(&cells[..self.arrangement.known().len()]);
        let mut values = [NOTHING; 2];
        for (place, &turn) in self.turns.iter().enumerate() {
            let stored = self.arrangement.stored(&cells, turn);
            if !stored.is_empty() {
                if place > 0 {
                    scene.show(Some(&values[0]));
                }
                values[place] = self.models[place].read(scene, stored, decoder);
            }
            if up_to == Some(turn) {
                break;
            }
        }
        values
    }

    /// A reader for many rows.
    pub fn run(&self) -> ValueRun<'_> {
        ValueRun { values: self, scene: self.scene(), unit: None }
    }
}

/// Reads rows one after the other; those that come in ascending order are decoded once.
pub struct ValueRun<'a> {
    values: &'a ValueFile,
    pub scene: Scene<'a>,
    /// The unit that is being read, its next row and where that begins.
    unit: Option<(usize, usize, Decoder<'a>)>,
}

impl ValueRun<'_> {
    /// The values that are stored of a row, with the sides to move in the order of [`ValueFile::turns`].
    ///
    /// # Errors
    /// As of [`ValueFile::rows`].
    pub fn rows(&mut self, row: usize) -> Result<[ValueRow; 2], TableError> {
        let number = self.values.units.of(row);
        let begun = self.unit.take().filter(|(unit, next, _)| *unit == number && *next <= row);
        let bytes = chapters::unit(&self.values.frame, number)?;
        let (mut next, mut decoder) = match begun {
            // In a unit without bytes all is as expected, whatever comes before.
            _ if bytes.is_empty() => (row, Decoder::new(bytes)),
            Some((_, next, decoder)) => (next, decoder),
            None => (self.values.units.rows(number).start, Decoder::new(bytes)),
        };
        let mut values = [NOTHING; 2];
        while next <= row {
            values = self.values.read(&mut self.scene, next, None, &mut decoder);
            next += 1;
        }
        self.unit = Some((number, next, decoder));
        Ok(values)
    }
}

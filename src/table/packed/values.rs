//! Files of values: a tree for each side to move that sorts positions into kinds, and what is not as expected.
//!
//! The models are, for each stored side to move, the number of nodes of its tree (2 bytes), the nodes (2 bytes each, see
//! [`Written`](crate::coding::tree::Written)), and for each leaf in their order its [`Kind`]. A unit is a message of the
//! arithmetic coder: row by row, leaf by leaf, column by column the values that are stored, of leaves in which more than
//! one occurs.

use super::super::error::TableError;
use super::about::About;
use super::chapters;
use super::frame::{Frame, Kind as FileKind};
use super::rows::Units;
use crate::coding::arithmetic::Decoder;
use crate::coding::scene::{Ground, Scene};
use crate::coding::tree::Tree;
use crate::coding::values::{Kind, ValueModel, ValueRow};
use crate::geometry::{Cell, CellSet, Color, Variant};
use crate::index::{Arrangement, Material};
use crate::outcome::Value;
use std::path::Path;
use std::sync::Arc;

const NOTHING: ValueRow = [CellSet::EMPTY; Value::ALL.len()];

/// The models as they are written.
pub fn model_bytes(models: &[ValueModel]) -> Vec<u8> {
    let mut bytes = vec![];
    for model in models {
        bytes.extend(tree_bytes(&model.tree));
        model.kinds.iter().for_each(|kind| bytes.extend(kind.bytes()));
    }
    bytes
}

/// A tree as it is written.
pub fn tree_bytes(tree: &Tree) -> Vec<u8> {
    let written = tree.to_written();
    let count = (written.len() as u16).to_le_bytes();
    count.into_iter().chain(written.iter().flat_map(|node| node.to_le_bytes())).collect()
}

/// Reads a tree off the beginning of some bytes; none if they are none.
pub fn read_tree(bytes: &mut &[u8], features: usize) -> Option<Tree> {
    let mut number = || {
        let (number, rest) = bytes.split_first_chunk::<2>()?;
        *bytes = rest;
        Some(u16::from_le_bytes(*number))
    };
    let count = number()?;
    let written = (0..count).map(|_| number()).collect::<Option<Vec<u16>>>()?;
    Tree::from_written(&written, features)
}

/// An open file of values.
pub struct ValueFile {
    frame: Frame,
    about: About,
    arrangement: Arc<Arrangement>,
    units: Units,
    ground: Ground,
    models: Vec<ValueModel>,
}

impl ValueFile {
    /// Opens the file of a material and tests what comes before its body.
    ///
    /// # Errors
    /// When it cannot be read, is of another kind, version, game or material, or damaged.
    pub fn open(path: &Path, variant: &Arc<Variant>, material: &Material) -> Result<ValueFile, TableError> {
        let frame = Frame::open(path, FileKind::Values)?;
        let (about, arrangement) = About::read(&frame, variant, material)?;
        let ground = Ground::new(variant, arrangement.known().to_vec(), arrangement.column_man());
        let mut bytes = &frame.models[..];
        let mut read = || {
            let tree = read_tree(&mut bytes, ground.features().len())?;
            let kinds = (0..tree.leaves()).map(|_| Kind::read(&mut bytes)).collect::<Option<Vec<Kind>>>()?;
            Some(ValueModel { tree, kinds })
        };
        let models: Option<Vec<ValueModel>> = (0..arrangement.sides()).map(|_| read()).collect();
        let Some(models) = models.filter(|_| bytes.is_empty()) else {
            return Err(frame.damaged("its models", "a tree for each side to move", "something else"));
        };
        let units = Units::new(&arrangement, about.unit_rows);
        chapters::test_count(&frame, units.count())?;
        Ok(ValueFile { about, arrangement, units, ground, models, frame })
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

    /// A scene for [`ValueFile::row`] and [`ValueFile::value`].
    pub fn scene(&self) -> Scene<'_> {
        Scene::new(&self.ground, self.arrangement.variant())
    }

    /// The number of features that a scene knows of.
    pub fn features(&self) -> usize {
        self.ground.features().len()
    }

    /// Puts the men of a row into a scene; returns the columns that are stored.
    #[inline]
    pub fn put(&self, scene: &mut Scene, row: usize, turn: Color) -> CellSet {
        let cells = self.arrangement.cells(row);
        scene.put(&cells[..self.arrangement.known().len()]);
        self.arrangement.stored(&cells, turn)
    }

    /// The value of a position that is stored.
    ///
    /// # Errors
    /// As of [`ValueFile::row`].
    pub fn value(&self, scene: &mut Scene, row: usize, column: Cell, turn: Color) -> Result<Value, TableError> {
        let cells = self.arrangement.cells(row);
        scene.put(&cells[..self.arrangement.known().len()]);
        let model = &self.models[turn.index()];
        let leaf = model.tree.leaf(|feature| scene.holds(feature).contains(column));
        let kind = &model.kinds[leaf as usize];
        // Most positions are told by where they are in the tree.
        let expected = match kind.only() {
            Some(value) => Some(value),
            None if chapters::unit(&self.frame, self.units.find(row, turn).0)?.is_empty() => kind.first(),
            None => None,
        };
        if let Some(value) = expected {
            return Ok(value);
        }
        let values = self.row(scene, row, turn)?;
        let found = Value::ALL.into_iter().find(|&value| values[value as usize].contains(column));
        found.ok_or_else(|| self.frame.damaged("its models", "a value for each legal position", "none"))
    }

    /// The values of a row that are stored. The scene is then that of the row, if anything is stored of it.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the bytes are not what was written.
    pub fn row(&self, scene: &mut Scene, row: usize, turn: Color) -> Result<ValueRow, TableError> {
        let (unit, rows) = self.units.find(row, turn);
        let mut decoder = Decoder::new(chapters::unit(&self.frame, unit)?);
        let model = &self.models[turn.index()];
        let mut values = NOTHING;
        for at in rows {
            let stored = self.put(scene, at, turn);
            values = if stored.is_empty() { NOTHING } else { model.read(scene, stored, &mut decoder) };
        }
        Ok(values)
    }
}

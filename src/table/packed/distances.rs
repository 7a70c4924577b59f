//! Files of distances: for each side to move a tree that says how far predictions are to be trusted, and the errors.
//!
//! The models are, for each stored side to move, a tree as in files of values, over the features of the ground and then
//! the [`TRAITS`], and for each leaf in their order its [`ErrorKind`]. A unit is one row: a message of the arithmetic
//! coder with the errors of its decisive positions. To read it takes the values of the row. The side to move that owns
//! the column man needs the other side's row besides; where one side is stored, nothing else.

use super::super::error::TableError;
use super::about::About;
use super::chapters;
use super::frame::{Frame, Kind as FileKind};
use super::rows::Units;
use super::values::{ValueFile, read_tree, tree_bytes};
use crate::coding::arithmetic::Decoder;
use crate::coding::distances::{DistanceModel, DistanceRow, ErrorKind, Order, Other, Row, TRAITS};
use crate::coding::scene::Scene;
use crate::coding::values::ValueRow;
use crate::geometry::{Color, MAX_CELLS};
use crate::index::Arrangement;
use crate::outcome::Value;
use std::path::Path;

/// The side to move whose distances are bounded by the other's, if any is.
pub fn second_side(arrangement: &Arrangement) -> Option<Color> {
    (arrangement.sides() == 2).then(|| arrangement.column_man().color)
}

/// The models as they are written.
pub fn model_bytes(models: &[DistanceModel]) -> Vec<u8> {
    let mut bytes = vec![];
    for model in models {
        bytes.extend(tree_bytes(&model.tree));
        model.kinds.iter().for_each(|kind| bytes.extend(kind.bytes()));
    }
    bytes
}

/// An open file of distances.
pub struct DistanceFile {
    frame: Frame,
    about: About,
    units: Units,
    order: Order,
    second: Option<Color>,
    models: Vec<DistanceModel>,
}

impl DistanceFile {
    /// Opens the file that belongs to a file of values, and tests what comes before its body.
    ///
    /// # Errors
    /// When it cannot be read, is of another kind, version, game or material, or damaged.
    pub fn open(path: &Path, values: &ValueFile) -> Result<DistanceFile, TableError> {
        let frame = Frame::open(path, FileKind::Distances)?;
        let expected = values.arrangement();
        let (about, arrangement) = About::read(&frame, expected.variant(), expected.material())?;
        if arrangement.men() != expected.men() {
            let (men, others) = (&about.men, expected.name());
            let reason = format!("it has the men in the order {men}, {} in {others}", values.frame().path().display());
            return Err(TableError::Unsupported { file: path.to_path_buf(), reason });
        }
        let features = values.features() + TRAITS.len();
        let mut bytes = &frame.models[..];
        let mut read = || {
            let tree = read_tree(&mut bytes, features)?;
            let kinds = (0..tree.leaves()).map(|_| ErrorKind::read(&mut bytes)).collect::<Option<Vec<ErrorKind>>>()?;
            Some(DistanceModel { tree, kinds })
        };
        let models: Option<Vec<DistanceModel>> = (0..arrangement.sides()).map(|_| read()).collect();
        let Some(models) = models.filter(|_| bytes.is_empty()) else {
            return Err(frame.damaged("its models", "a tree for each side to move", "something else"));
        };
        let units = Units::new(&arrangement, about.unit_rows);
        chapters::test_count(&frame, units.count())?;
        let order = Order::new(arrangement.variant(), arrangement.column_man());
        Ok(DistanceFile { about, units, order, second: second_side(&arrangement), models, frame })
    }

    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    pub fn about(&self) -> &About {
        &self.about
    }

    /// The values and distances of a row that are stored.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the bytes of either file are not what was written.
    pub fn row(
        &self,
        values: &ValueFile,
        scene: &mut Scene,
        row: usize,
        turn: Color,
    ) -> Result<(ValueRow, DistanceRow), TableError> {
        let other = match self.second == Some(turn) {
            true => Some(self.row(values, scene, row, turn.other())?),
            false => None,
        };
        let of_row = values.row(scene, row, turn)?;
        if Value::ALL.into_iter().all(|value| value == Value::Draw || of_row[value as usize].is_empty()) {
            return Ok((of_row, [0; MAX_CELLS]));
        }
        let mut decoder = Decoder::new(chapters::unit(&self.frame, self.units.find(row, turn).0)?);
        let coded = Row {
            order: &self.order,
            variant: values.arrangement().variant(),
            values: &of_row,
            other: other.as_ref().map(|(values, distances)| Other { values, distances }),
        };
        let distances = self.models[turn.index()].read(&coded, scene, values.features(), &mut decoder);
        Ok((of_row, distances))
    }
}

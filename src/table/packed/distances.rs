//! Files of distances: for each side to move a tree that says how far predictions are to be trusted, and the errors.
//!
//! The models are, for each stored side to move in the order of files of values, a tree as there, over the features of
//! the ground and then the [`TRAITS`](crate::coding::distances::TRAITS), and for each leaf in their order its
//! [`ErrorKind`](crate::coding::distances::ErrorKind). A unit is one row: a message of the arithmetic coder with the
//! errors of its decisive positions, side by side. After the directory come the last 8 bytes of the file of values that
//! it belongs to. To read it takes the values of the row; the side that comes second
//! needs the other one's distances besides.

use super::super::error::TableError;
use super::about::About;
use super::chapters;
use super::frame::{Frame, Kind as FileKind};
use super::rows::Units;
use super::values::ValueFile;
use crate::coding::arithmetic::Decoder;
use crate::coding::distances::{DistanceModel, DistanceRow, Other, Row};
use crate::coding::scene::Scene;
use crate::coding::terrain::Terrain;
use crate::coding::values::ValueRow;
use crate::geometry::{Cell, Color, MAX_CELLS};
use crate::outcome::Value;
use crate::statistics::Statistics;
use std::path::Path;
use std::sync::Arc;

/// An open file of distances.
pub struct DistanceFile {
    frame: Frame,
    about: About,
    units: Units,
    terrain: Arc<Terrain>,
    models: Vec<DistanceModel>,
}

impl DistanceFile {
    /// Opens the file that belongs to a file of values, and tests what comes before its body.
    ///
    /// # Errors
    /// When it cannot be read, is of another kind, version, game or material, damaged, or was written with another file of
    /// values.
    pub fn open(path: &Path, values: &ValueFile) -> Result<DistanceFile, TableError> {
        let frame = Frame::open(path, FileKind::Distances)?;
        let about = About::read_like(&frame, values.about())?;
        let arrangement = values.arrangement();
        let mut bytes = &frame.models[..];
        let mut read = || DistanceModel::read_model(&mut bytes, values.features());
        let models = values.turns().iter().map(|_| read()).collect::<Option<Vec<_>>>();
        let Some(models) = models.filter(|_| bytes.is_empty()) else {
            return Err(frame.damaged("its models", "a tree for each side to move", "something else"));
        };
        let units = Units::new(arrangement, about.unit_rows);
        let expected = values.frame().whole_checksum();
        let found = chapters::test_count(&frame, units.count(), size_of::<u64>())?;
        if found != expected.to_le_bytes() {
            return Err(values.about().parted_from(&frame));
        }
        Ok(DistanceFile { about, units, terrain: values.terrain().clone(), models, frame })
    }

    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    pub fn about(&self) -> &About {
        &self.about
    }

    /// The statistics of the table.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the file does not have them.
    pub fn statistics(&self) -> Result<&Statistics, TableError> {
        let found = self.about.statistics.as_ref();
        found.ok_or_else(|| self.frame.damaged("its description", "statistics", "none"))
    }

    /// The values and distances that are stored of a row with a side to move.
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
        let of_row = values.rows(scene, row, turn)?;
        Ok((of_row[values.place(turn)], self.of_row(values, &of_row, scene, row, turn, None)?))
    }

    /// The distances that are stored of a row with these values, as [`ValueFile::rows`] has found them in this scene. If
    /// there is a `last` column, that one's at least.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the bytes are not what was written.
    pub fn of_row(
        &self,
        values: &ValueFile,
        of_row: &[ValueRow; 2],
        scene: &mut Scene,
        row: usize,
        turn: Color,
        last: Option<Cell>,
    ) -> Result<DistanceRow, TableError> {
        let mut distances = [0; MAX_CELLS];
        let place = values.place(turn);
        if of_row[..=place].iter().all(|values| !is_decisive(values)) {
            return Ok(distances);
        }
        scene.show(None);
        let mut decoder = Decoder::new(chapters::unit(&self.frame, self.units.of(row))?);
        for at in 0..=place {
            let before = distances;
            let other = (at > 0).then(|| Other { values: &of_row[0], distances: &before });
            if at > 0 {
                scene.show(Some(&of_row[0]));
            }
            let coded = Row { order: self.terrain.order(), values: &of_row[at], other };
            distances = self.models[at].read(&coded, scene, last.filter(|_| at == place), &mut decoder);
        }
        Ok(distances)
    }
}

/// Whether any position of a row is not drawn.
pub fn is_decisive(values: &ValueRow) -> bool {
    Value::ALL.into_iter().any(|value| value != Value::Draw && !values[value as usize].is_empty())
}

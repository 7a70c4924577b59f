//! A packed table: its file of values and, if it is there, its file of distances, opened together.

use super::super::error::TableError;
use super::about::About;
use super::distances::DistanceFile;
use super::values::ValueFile;
use crate::coding::distances::DistanceRow;
use crate::coding::terrain::Terrain;
use crate::coding::values::ValueRow;
use crate::geometry::{Cell, Color};
use crate::index::{Arrangement, Material};
use crate::outcome::{Outcome, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The endings of files of values and of distances.
pub const VALUES_EXTENSION: &str = "hxv";
pub const DISTANCES_EXTENSION: &str = "hxd";

/// Longer than it takes to rename a second file after the first.
const BETWEEN_RENAMES: Duration = Duration::from_millis(50);

/// An open packed table.
pub struct PackedTable {
    values: ValueFile,
    /// None if it is not there or cannot be used.
    distances: Option<DistanceFile>,
    /// Where the distances are or would be.
    distances_path: PathBuf,
}

impl PackedTable {
    /// Opens a material's table; a file of distances that is not there or cannot be used is done without, until it is
    /// asked for.
    ///
    /// # Errors
    /// When the file of values cannot be read, is of another kind, version, game or material, or damaged in what is
    /// tested at once.
    pub fn open(values: &Path, terrain: &Arc<Terrain>, material: &Material) -> Result<PackedTable, TableError> {
        let open = || -> Result<(PackedTable, bool), TableError> {
            let distances_path = values.with_extension(DISTANCES_EXTENSION);
            let values = ValueFile::open(values, terrain, material)?;
            let distances = DistanceFile::open(&distances_path, &values);
            let parted = matches!(distances, Err(TableError::Parted { .. }));
            Ok((PackedTable { values, distances: distances.ok(), distances_path }, parted))
        };
        let (table, parted) = open()?;
        if !parted {
            return Ok(table);
        }
        // Another process may be putting new ones in their places, one after the other.
        std::thread::sleep(BETWEEN_RENAMES);
        Ok(open()?.0)
    }

    pub fn values(&self) -> &ValueFile {
        &self.values
    }

    pub fn arrangement(&self) -> &Arrangement {
        self.values.arrangement()
    }

    /// The file of distances.
    ///
    /// # Errors
    /// [`TableError::Missing`] if it is not there, and what was wrong with it if it cannot be used.
    pub fn distances(&self) -> Result<&DistanceFile, TableError> {
        self.distances.as_ref().ok_or_else(|| self.without_distances())
    }

    #[cold]
    fn without_distances(&self) -> TableError {
        let missing =
            || TableError::Missing { material: self.about().material.clone(), file: self.distances_path.clone() };
        match self.distances_path.symlink_metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing(),
            // Looked at again for the reason; if it has been put in order since, whoever asks anew will find it.
            _ => DistanceFile::open(&self.distances_path, &self.values).err().unwrap_or_else(missing),
        }
    }

    /// The files that there are, be they of no use.
    pub fn paths(&self) -> Vec<PathBuf> {
        let distances = Some(&self.distances_path).filter(|path| path.symlink_metadata().is_ok()).cloned();
        [self.values.frame().path().to_path_buf()].into_iter().chain(distances).collect()
    }

    /// What the table says of itself.
    pub fn about(&self) -> &About {
        self.distances.as_ref().map_or(self.values.about(), DistanceFile::about)
    }

    /// The lengths of the files of values and of distances.
    pub fn bytes(&self) -> [u64; 2] {
        [self.values.frame().bytes(), self.distances.as_ref().map_or(0, |distances| distances.frame().bytes())]
    }

    /// How many entries there are: legal positions, and decisive ones (none without the file of distances).
    pub fn entries(&self) -> [u64; 2] {
        let decisive = self.distances.as_ref().map_or(0, |distances| distances.about().entries.iter().sum());
        [self.values.about().entries.iter().sum(), decisive]
    }

    /// Tests every byte of both files.
    ///
    /// # Errors
    /// [`TableError::Damaged`] for the first page that is wrong, and as of [`PackedTable::distances`] if a file of
    /// distances is there and cannot be used.
    pub fn test_all(&self) -> Result<(), TableError> {
        self.values.frame().test_all()?;
        match self.distances() {
            Ok(distances) => distances.frame().test_all(),
            Err(TableError::Missing { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Whether what is stored of this side to move has to be compared with what captures and promotions lead to.
    #[inline]
    pub fn needs_conversions(&self, turn: Color) -> bool {
        self.values.about().needs_conversions(turn)
    }

    /// The value that is stored of a position.
    ///
    /// # Errors
    /// [`TableError::Damaged`].
    pub fn value(&self, turn: Color, row: usize, column: Cell) -> Result<Value, TableError> {
        self.values.value(&mut self.values.scene(), row, column, turn)
    }

    /// The outcome that is stored of a position; none if its value is less than `least`.
    ///
    /// # Errors
    /// As of [`PackedTable::row`] and [`PackedTable::outcome_in`].
    pub fn outcome(&self, turn: Color, row: usize, column: Cell, least: Value) -> Result<Option<Outcome>, TableError> {
        let distances = self.distances()?;
        let mut scene = self.values.scene();
        match self.values.told_value(&mut scene, row, column, turn)? {
            Some(value) if value < least => return Ok(None),
            Some(Value::Draw) => return Ok(Some(Outcome::DRAW)),
            _ => {}
        }
        let values = self.values.rows(&mut scene, row, turn)?;
        let value = self.value_in(&values[self.values.place(turn)], column)?;
        if value < least || value == Value::Draw {
            return Ok(Some(Outcome::DRAW).filter(|_| value >= least));
        }
        let distances = distances.of_row(&self.values, &values, &mut scene, row, turn, Some(column))?;
        self.outcome_of(value, distances[column.index()]).map(Some)
    }

    /// All values that are stored of a row.
    ///
    /// # Errors
    /// [`TableError::Damaged`].
    pub fn value_row(&self, turn: Color, row: usize) -> Result<ValueRow, TableError> {
        Ok(self.values.rows(&mut self.values.scene(), row, turn)?[self.values.place(turn)])
    }

    /// All values and distances that are stored of a row.
    ///
    /// # Errors
    /// [`TableError::Damaged`], [`TableError::Missing`] if there is no file of distances.
    pub fn row(&self, turn: Color, row: usize) -> Result<(ValueRow, DistanceRow), TableError> {
        self.distances()?.row(&self.values, &mut self.values.scene(), row, turn)
    }

    /// The outcome of a position in a row.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if it has no value, or a distance that none can have.
    #[inline]
    pub fn outcome_in(&self, values: &ValueRow, distances: &DistanceRow, column: Cell) -> Result<Outcome, TableError> {
        let value = self.value_in(values, column)?;
        self.outcome_of(value, distances[column.index()])
    }

    /// The value of a position in a row.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if it has none.
    #[inline]
    pub fn value_in(&self, values: &ValueRow, column: Cell) -> Result<Value, TableError> {
        let found = Value::ALL.into_iter().find(|&value| values[value as usize].contains(column));
        found.ok_or_else(|| self.values.frame().damaged("its models", "a value for each legal position", "none"))
    }

    /// The outcome of a value and a distance in moves.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if no distance is that long.
    #[inline]
    pub fn outcome_of(&self, value: Value, moves: u16) -> Result<Outcome, TableError> {
        match value {
            Value::Draw => Ok(Outcome::DRAW),
            _ if moves > Outcome::MAX_PLIES / 2 => {
                let most = format!("a distance of up to {} moves", Outcome::MAX_PLIES / 2);
                Err(TableError::damaged(&self.distances_path, "a row", most, moves))
            }
            value => Ok(Outcome::new(value, 2 * moves + u16::from(value > Value::Draw))),
        }
    }
}

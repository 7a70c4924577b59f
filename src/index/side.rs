//! The outcomes of one slice with one side to move, in whichever form serves.

use super::dense::Code;
use super::row::OutcomeRow;
use super::side_planes::SidePlanes;
use std::ops::Range;

/// Outcomes of a slice with one side to move.
pub enum SideTable {
    /// A code an index: quick to look up. `columns` is the length of a row.
    Codes { columns: usize, codes: Vec<Code> },
    /// As the solver leaves them: smaller, and quick to read row by row.
    Planes(SidePlanes),
}

impl SideTable {
    /// The code in a row and column.
    #[inline]
    pub fn code(&self, row: usize, column: usize) -> Code {
        match self {
            SideTable::Codes { columns, codes } => codes[row * columns + column],
            SideTable::Planes(planes) => planes.code(row, column),
        }
    }

    /// The outcomes of a row.
    #[inline]
    pub fn row(&self, row: usize) -> OutcomeRow {
        match self {
            SideTable::Codes { columns, codes } => OutcomeRow::of_codes(&codes[row * columns..][..*columns]),
            SideTable::Planes(planes) => planes.row(row),
        }
    }

    /// The outcomes of one column in each of some rows, as if it were a row.
    pub fn column(&self, rows: Range<usize>, column: usize) -> OutcomeRow {
        match self {
            SideTable::Codes { columns, codes } => {
                let codes: Vec<Code> = rows.map(|row| codes[row * columns + column]).collect();
                OutcomeRow::of_codes(&codes)
            }
            SideTable::Planes(planes) => planes.column(rows, column),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        match self {
            SideTable::Codes { columns, codes } => codes.len() / columns,
            SideTable::Planes(planes) => planes.legal.len(),
        }
    }

    /// The bytes of memory taken.
    pub fn bytes(&self) -> usize {
        match self {
            SideTable::Codes { codes, .. } => codes.len() * size_of::<Code>(),
            SideTable::Planes(planes) => planes.bytes(),
        }
    }
}

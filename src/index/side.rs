//! The outcomes of one slice with one side to move, in whichever form serves.

use super::dense::Code;
use super::row::OutcomeRow;
use super::side_planes::SidePlanes;
use super::side_rows::SideRows;
use std::ops::Range;

/// Outcomes of a slice with one side to move.
pub enum SideTable {
    /// A code an index: quick to look up. `columns` is the length of a row.
    Codes { columns: usize, codes: Vec<Code> },
    /// As the solver leaves them: smaller, and quick to read row by row.
    Planes(SidePlanes),
    /// Quick to read row by row in any order.
    Rows(SideRows),
    /// The same with the rows and columns of each block, of so many each, exchanged: quick to read column by column.
    Exchanged { columns: usize, rows: SideRows },
}

impl SideTable {
    /// The code in a row and column.
    #[inline]
    pub fn code(&self, row: usize, column: usize) -> Code {
        match self {
            SideTable::Codes { columns, codes } => codes[row * columns + column],
            SideTable::Planes(planes) => planes.code(row, column),
            SideTable::Rows(rows) => rows.code(row, column),
            SideTable::Exchanged { columns, rows } => rows.code(row / columns * columns + column, row % columns),
        }
    }

    /// The outcomes of a row.
    #[inline]
    pub fn row(&self, row: usize) -> OutcomeRow {
        match self {
            SideTable::Codes { columns, codes } => OutcomeRow::of_codes(&codes[row * columns..][..*columns]),
            SideTable::Planes(planes) => planes.row(row),
            SideTable::Rows(rows) => rows.row(row),
            SideTable::Exchanged { columns, .. } => {
                OutcomeRow::of_codes(&(0..*columns).map(|column| self.code(row, column)).collect::<Vec<_>>())
            }
        }
    }

    /// The outcomes of one column in each of the rows of a block, as if it were a row.
    pub fn column(&self, rows: Range<usize>, column: usize) -> OutcomeRow {
        match self {
            SideTable::Codes { .. } | SideTable::Rows(_) => {
                OutcomeRow::of_codes(&rows.map(|row| self.code(row, column)).collect::<Vec<_>>())
            }
            SideTable::Planes(planes) => planes.column(rows, column),
            SideTable::Exchanged { rows: exchanged, .. } => exchanged.row(rows.start + column),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        match self {
            SideTable::Codes { columns, codes } => codes.len() / columns,
            SideTable::Planes(planes) => planes.legal.len(),
            SideTable::Rows(rows) | SideTable::Exchanged { rows, .. } => rows.rows(),
        }
    }

    /// The bytes of memory taken.
    pub fn bytes(&self) -> usize {
        match self {
            SideTable::Codes { codes, .. } => codes.len() * size_of::<Code>(),
            SideTable::Planes(planes) => planes.bytes(),
            SideTable::Rows(rows) | SideTable::Exchanged { rows, .. } => rows.bytes(),
        }
    }
}

//! Standard output: lines, JSON and aligned columns, with closed pipes told apart from errors.

use super::failure::{Failure, harmless};
use serde::Serialize;
use std::io::{BufWriter, ErrorKind, Stdout, Write};

/// Standard output, buffered. Must be flushed at the end.
pub struct Output {
    writer: BufWriter<Stdout>,
}

impl Output {
    pub fn new() -> Output {
        Output { writer: BufWriter::new(std::io::stdout()) }
    }

    /// Prints a line. What files and arguments say is shown harmless: without control characters.
    pub fn line(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        self.drawing(harmless(text.as_ref()))
    }

    /// Prints lines as they are, escape sequences included.
    pub fn drawing(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        writeln!(self.writer, "{}", text.as_ref()).map_err(failed)
    }

    /// Writes bytes that are no text.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes).map_err(failed)
    }

    /// Prints a value as JSON on one line.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|e| Failure::system(format!("cannot write JSON: {e}")))?;
        self.line(text)
    }

    /// Prints a table, and two blanks before each of its lines.
    pub fn table(&mut self, table: &Table) -> Result<(), Failure> {
        table.lines().iter().try_for_each(|line| self.line(format!("  {line}").trim_end()))
    }

    pub fn flush(&mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(failed)
    }
}

fn failed(error: std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::system(format!("cannot write to standard output: {error}")),
    }
}

/// Rows of text in aligned columns.
pub struct Table {
    /// For each column, whether it is aligned to the right, as numbers are.
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with a heading; columns whose heading starts with `>` are aligned to the right.
    pub fn new(heading: &[&str]) -> Table {
        let right = heading.iter().map(|h| h.starts_with('>')).collect();
        let mut table = Table { right, rows: vec![] };
        table.row(heading.iter().map(|h| h.trim_start_matches('>')));
        table
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    fn lines(&self) -> Vec<String> {
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).zip(&self.right).map(|((cell, &width), &right)| match right {
                true => format!("{cell:>width$}"),
                false => format!("{cell:<width$}"),
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
        };
        self.rows.iter().map(line).collect()
    }
}

//! A census as CSV (RFC 4180): a line of names, then a line for each row; nothing where there is nothing.

use super::Census;
use super::columns::{Cell, columns};

/// Writes a census as CSV.
pub fn csv(census: &Census) -> Vec<u8> {
    let columns = columns();
    let mut writer = ::csv::Writer::from_writer(vec![]);
    let mut add = |record: Vec<String>| writer.write_record(record).expect("memory takes all, and rows are alike");
    add(columns.iter().map(|column| column.name.clone()).collect());
    for row in census.rows() {
        add(columns.iter().map(|column| shown(column.of(&row))).collect());
    }
    writer.into_inner().expect("memory takes all")
}

fn shown(cell: Cell) -> String {
    match cell {
        Cell::Text(text) => text.unwrap_or_default(),
        Cell::Whole(number) => number.map_or(String::new(), |number| number.to_string()),
        Cell::Number(number) => number.to_string(),
    }
}

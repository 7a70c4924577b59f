//! A census as JSON: an object with the variant's name and rows, each an object of all columns.

use super::Census;
use super::columns::{Cell, columns};
use serde_json::{Map, Value, json};

/// A census as a JSON value.
pub fn json(census: &Census) -> Value {
    let columns = columns();
    let row = |row| -> Value {
        let fields = columns.iter().map(|column| (column.name.clone(), value(column.of(&row))));
        Value::Object(Map::from_iter(fields))
    };
    let rows: Vec<Value> = census.rows().map(row).collect();
    json!({ "variant": census.variant.name(), "rows": rows })
}

fn value(cell: Cell) -> Value {
    match cell {
        Cell::Text(text) => json!(text),
        Cell::Whole(number) => json!(number),
        Cell::Number(number) => json!(number),
    }
}

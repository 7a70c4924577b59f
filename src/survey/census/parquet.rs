//! A census as a Parquet file: a group of rows, each column text, whole numbers or floating point.

use super::Census;
use super::columns::{Cell, columns};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// Writes a census as a Parquet file: the same bytes for the same census.
///
/// # Errors
/// None that is known of; the library that writes it may have some.
pub fn parquet(census: &Census) -> Result<Vec<u8>, ParquetError> {
    let columns = columns();
    let rows: Vec<_> = census.rows().collect();
    let cells: Vec<Vec<Cell>> = columns.iter().map(|column| rows.iter().map(|row| column.of(row)).collect()).collect();
    let fields: Result<Vec<_>, ParquetError> =
        columns.iter().zip(&cells).map(|(column, cells)| Ok(Arc::new(field(&column.name, cells)?))).collect();
    let schema = Arc::new(Type::group_type_builder("census").with_fields(fields?).build()?);
    let properties =
        WriterProperties::builder().set_created_by(concat!("hextb ", env!("CARGO_PKG_VERSION")).to_string()).build();
    let mut bytes = vec![];
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for cells in cells {
        let mut column = group.next_column()?.expect("a column for each field");
        write(&mut column, &cells)?;
        column.close()?;
    }
    group.close()?;
    file.close()?;
    Ok(bytes)
}

fn field(name: &str, cells: &[Cell]) -> Result<Type, ParquetError> {
    let (physical, logical) = match cells.first() {
        Some(Cell::Whole(_)) => (Physical::INT64, None),
        Some(Cell::Number(_)) => (Physical::DOUBLE, None),
        Some(Cell::Text(_)) | None => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

/// Writes a column's cells, which are of one kind.
fn write(column: &mut SerializedColumnWriter, cells: &[Cell]) -> Result<(), ParquetError> {
    let levels: Vec<i16> =
        cells.iter().map(|cell| !matches!(cell, Cell::Text(None) | Cell::Whole(None)) as i16).collect();
    let levels = Some(&levels[..]);
    match cells.first() {
        Some(Cell::Whole(_)) => {
            let number = |cell: &Cell| if let Cell::Whole(number) = cell { *number } else { None };
            let values: Vec<i64> = cells.iter().filter_map(number).collect();
            column.typed::<Int64Type>().write_batch(&values, levels, None)?;
        }
        Some(Cell::Number(_)) => {
            let number = |cell: &Cell| if let Cell::Number(number) = cell { Some(*number) } else { None };
            let values: Vec<f64> = cells.iter().filter_map(number).collect();
            column.typed::<DoubleType>().write_batch(&values, levels, None)?;
        }
        Some(Cell::Text(_)) | None => {
            let text = |cell: &Cell| if let Cell::Text(Some(text)) = cell { Some(text.as_str().into()) } else { None };
            let values: Vec<ByteArray> = cells.iter().filter_map(text).collect();
            column.typed::<ByteArrayType>().write_batch(&values, levels, None)?;
        }
    }
    Ok(())
}

//! The census: what it counts, that all its forms say the same, and that it is the same each time.

#[path = "common/program.rs"]
mod program;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use program::{VARIANT, run, run_on};
use serde_json::{Value, json};

const VALUES: [&str; 5] = ["win", "stalemate_win", "draw", "stalemate_loss", "loss"];

fn rows(census: &Value) -> &Vec<Value> {
    census["rows"].as_array().expect("rows")
}

#[test]
fn census_has_two_rows_of_each_table_whose_parts_sum_up() {
    let census = run(&["census", "--json"]).json();
    let list = run(&["list", "--json"]).json();
    assert_eq!(rows(&census).len(), 2 * list["tables"].as_array().unwrap().len());
    let mut classes_seen = [0; 3];
    for row in rows(&census) {
        let of = |name: &str| row[name].as_u64().unwrap_or_else(|| panic!("{name} of {row}"));
        let side =
            &run(&["stats", row["material"].as_str().unwrap(), "--json"]).json()[row["to_move"].as_str().unwrap()];
        assert_eq!(of("legal"), VALUES.map(of).iter().sum::<u64>());
        for value in VALUES {
            assert_eq!(side[value], row[value]);
            if value != "draw" {
                assert_eq!(side["longest"][value], row[format!("longest_{value}")]);
                assert_eq!(side["max_plies"][value], row[format!("max_plies_{value}")]);
            }
        }
        assert_eq!(of("mate_only_draw"), of("stalemate_win") + of("draw") + of("stalemate_loss"));
        for prefix in ["draw", "mate_only_draw"] {
            let classes = ["conversion", "perpetual", "fortress"].map(|class| format!("{prefix}_{class}"));
            assert_eq!(of(prefix), classes.iter().map(|class| of(class)).sum::<u64>());
            for (class, seen) in classes.iter().zip(&mut classes_seen) {
                assert_eq!(row[format!("{class}_fen")].is_null(), of(class) == 0);
                *seen += of(class);
            }
        }
    }
    assert!(classes_seen.iter().all(|&seen| seen > 0), "{classes_seen:?}");
}

#[test]
fn all_forms_of_a_census_say_the_same_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let write = |threads: &str, name: &str| {
        let files = ["md", "csv", "json", "parquet"].map(|ending| folder.path().join(format!("{name}.{ending}")));
        let mut arguments = vec!["census", "KQKR", "KPKP", "--threads", threads];
        files.iter().for_each(|file| arguments.extend(["--write", file.to_str().unwrap()]));
        assert_eq!(run(&arguments).good(), "");
        files.map(|file| std::fs::read(file).unwrap())
    };
    let [page, csv, json, parquet] = write("1", "one");
    assert!([page.clone(), csv.clone(), json.clone(), parquet.clone()] == write("3", "three"));
    assert_eq!(String::from_utf8(page).unwrap(), run(&["census", "KQKR", "KPKP"]).good());
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json, run(&["census", "KQKR", "KPKP", "--json"]).json());
    let mut reader = csv::Reader::from_reader(&csv[..]);
    let names: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
    let records: Vec<csv::StringRecord> = reader.records().map(|record| record.unwrap()).collect();
    assert_eq!(records.len(), rows(&json).len());
    for (record, row) in records.iter().zip(rows(&json)) {
        assert_eq!(names, row.as_object().unwrap().keys().cloned().collect::<Vec<_>>());
        for (cell, value) in record.iter().zip(row.as_object().unwrap().values()) {
            let shown = match value {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                number => number.as_f64().unwrap().to_string(),
            };
            assert_eq!(cell, shown);
        }
    }
    let reader = SerializedFileReader::new(bytes::Bytes::from(parquet)).unwrap();
    let found: Vec<Value> = reader
        .get_row_iter(None)
        .unwrap()
        .map(|row| {
            let fields = row.unwrap().into_columns().into_iter().map(|(name, field)| {
                let value = match field {
                    Field::Null => Value::Null,
                    Field::Str(text) => json!(text),
                    Field::Long(number) => json!(number),
                    Field::Double(number) => json!(number),
                    other => panic!("{other:?}"),
                };
                (name, value)
            });
            Value::Object(fields.collect())
        })
        .collect();
    assert_eq!(&found, rows(&json));
}

#[test]
fn census_says_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| run_on(folder.path(), VARIANT, arguments);
    run(&["census"]).fails(1, &["no tables", "hextb generate --men 3 --variant"]);
    run(&["census", "--write", "/nowhere/x.csv"]).fails(3, &["there is no folder /nowhere"]);
    run(&["census", "KQKR"]).fails(1, &["KQKR is not in the tables"]);
    run(&["census", "--write", "census.txt"]).fails(2, &["census.txt", ".parquet"]);
    let copy = program::copied_packed_tables();
    std::fs::remove_file(&program::packed_files(copy.path(), "KQK")[1]).unwrap();
    run_on(copy.path(), VARIANT, &["census", "KQK"]).fails(1, &["the distances of KQK"]);
    run_on(copy.path(), VARIANT, &["census", "KQKR", "--memory", "10K"]).fails(3, &["memory"]);
}

/// The recorded census agrees with the recorded statistics, which were taken by another program run.
#[test]
fn the_recorded_census_agrees_with_the_recorded_statistics() {
    let read = |path: &str| -> Value {
        let path = format!("{}/tables/{path}", env!("CARGO_MANIFEST_DIR"));
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    let (census, statistics) = (read("census-glinski.json"), read("stats-glinski.json"));
    assert_eq!(rows(&census).len(), 72);
    for row in rows(&census) {
        let side = &statistics["tables"][row["material"].as_str().unwrap()][row["to_move"].as_str().unwrap()];
        ["legal"].iter().chain(&VALUES).for_each(|value| assert_eq!(side[value], row[value], "{row}"));
    }
}

//! The recorded checksums and statistics of Gliński's tables are those of tables made now.
//!
//! Three men here, and four where the order of the slices matters; `scripts/record-tables.py --compare` does it for any
//! folder of tables.

use hextb::geometry::Variant;
use hextb::index::Material;
use hextb::statistics::Statistics;
use hextb::table::{DEFAULT_LEVEL, Form, Generator};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

fn record(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tables").join(name)).unwrap()
}

fn recorded_checksums() -> BTreeMap<String, Vec<String>> {
    let text = record("checksums-glinski.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let fields = lines.map(|line| line.split_whitespace().map(str::to_string).collect::<Vec<_>>());
    fields.map(|fields| (fields[0].clone(), fields[1..].to_vec())).collect()
}

fn recorded_statistics() -> BTreeMap<String, Statistics> {
    let record: serde_json::Value = serde_json::from_str(&record("stats-glinski.json")).unwrap();
    assert_eq!(record["variant"], "glinski");
    serde_json::from_value(record["tables"].clone()).unwrap()
}

#[test]
fn tables_of_three_men_and_of_two_pawns_equal_the_records() {
    let variant = Arc::new(Variant::glinski());
    let folder = tempfile::tempdir().unwrap();
    let mut generator = Generator::new(variant.clone(), folder.path(), Form::Plain(DEFAULT_LEVEL), 1 << 30);
    let mut materials = Material::all_with(&variant, 3);
    materials.extend(["KPPK", "KPKP"].map(|name| Material::parse(&variant, name).unwrap()));
    generator.generate(&materials, &()).unwrap();
    let (checksums, statistics) = (recorded_checksums(), recorded_statistics());
    for material in &materials {
        let table = generator.tablebase().open_table(material).unwrap();
        let name = material.name(&variant);
        assert_eq!(table.checksums(), checksums[&name], "{name}");
        assert_eq!(*table.statistics().unwrap(), statistics[&name], "{name}");
    }
}

#[test]
fn every_recorded_table_has_both_records_and_all_of_up_to_four_men_are_there() {
    let variant = Variant::glinski();
    let (checksums, statistics) = (recorded_checksums(), recorded_statistics());
    assert!(checksums.keys().eq(statistics.keys()));
    for material in (2..=4).flat_map(|men| Material::all_with(&variant, men)) {
        let name = material.name(&variant);
        let sides = if material.is_symmetric() { 1 } else { 2 };
        assert_eq!(checksums[&name].len(), sides, "{name}");
        let statistics = &statistics[&name];
        for side in [&statistics.w, &statistics.b] {
            let of_values = side.win + side.stalemate_win + side.draw + side.stalemate_loss + side.loss;
            assert_eq!(side.legal, of_values, "{name}");
        }
    }
}

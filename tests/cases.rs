//! Known-good values of Gliński's game, computed by another program that shares nothing with this one, against
//! tables made here: statistics of all three-man tables, and positions move by move.

use hextb::geometry::Variant;
use hextb::index::Material;
use hextb::position::Fen;
use hextb::report;
use hextb::solve::MemoryTables;
use hextb::table::statistics_of;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

fn data(file: &str) -> String {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn solved(materials: &[&str]) -> MemoryTables {
    let variant = Arc::new(Variant::glinski());
    let mut tables = MemoryTables::new(variant.clone());
    for name in materials {
        tables.solve(&Material::parse(&variant, name).unwrap());
    }
    tables
}

/// Compares each line of a file of cases with the report on its position; returns the number of moves compared.
fn compare_cases(file: &str, tables: &MemoryTables) -> usize {
    let variant = Variant::glinski();
    let mut compared = 0;
    for (number, line) in data(file).lines().enumerate() {
        let case: Value = serde_json::from_str(line).unwrap();
        let fen = Fen::parse(&variant, case["fen"].as_str().unwrap()).unwrap();
        let report = serde_json::to_value(report::probe(tables, &variant, &fen).unwrap()).unwrap();
        for key in ["fen", "category", "plies"] {
            assert_eq!(report[key], case[key], "{file}, line {}: {key}", number + 1);
        }
        let moves = |entries: Vec<(String, Value)>| entries.into_iter().collect::<BTreeMap<_, _>>();
        let found = report["moves"].as_array().unwrap().iter();
        let found =
            moves(found.map(|m| (m["move"].as_str().unwrap().into(), json!([m["category"], m["plies"]]))).collect());
        let expected = case["moves"].as_object().unwrap().iter();
        let expected = moves(expected.map(|(mv, after)| (mv.clone(), after.clone())).collect());
        assert_eq!(found, expected, "{file}, line {}: {}", number + 1, case["fen"]);
        compared += found.len();
    }
    compared
}

#[test]
fn positions_of_bare_kings_equal_the_known_ones_move_by_move() {
    assert!(compare_cases("KK.jsonl", &solved(&["KK"])) > 50);
}

#[test]
fn positions_with_a_pawn_equal_the_known_ones_move_by_move() {
    assert!(compare_cases("KPK.jsonl", &solved(&["KPK"])) > 200);
}

#[test]
fn positions_of_queen_or_rook_against_a_piece_equal_the_known_ones_move_by_move() {
    let tables = solved(&["KQKR", "KRKN"]);
    assert!(compare_cases("KQKR.jsonl", &tables) > 500);
    assert!(compare_cases("KRKN.jsonl", &tables) > 500);
}

#[test]
fn statistics_of_three_men_equal_the_known_ones() {
    let known: Value = serde_json::from_str(&data("three-men.json")).unwrap();
    let known = known["tables"].as_object().unwrap();
    assert_eq!(known.len(), 6);
    let tables = solved(&known.keys().map(String::as_str).collect::<Vec<_>>());
    for (name, expected) in known {
        let material = Material::parse(&Variant::glinski(), name).unwrap();
        let mut found = serde_json::to_value(statistics_of(tables.table(&material).unwrap())).unwrap();
        for side in ["w", "b"] {
            found[side].as_object_mut().unwrap().remove("longest");
        }
        assert_eq!(&found, expected, "{name}");
    }
}

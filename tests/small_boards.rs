//! Every position of small boards: the tables against brute force, value and distance.
//!
//! The heavy tests take long and much memory: `cargo test --release --test small_boards heavy_ -- --ignored`.

#[path = "common/brute.rs"]
mod brute;

use brute::{BruteTables, material};
use hextb::geometry::Variant;
use hextb::index::Material;
use hextb::oracle::Oracle;
use hextb::solve::MemoryTables;
use rayon::prelude::*;
use std::sync::Arc;

/// Solves the materials, and what they convert into, in both ways and compares every position.
fn compare(variant: &Variant, materials: &[Material]) {
    let mut expected = BruteTables::new(variant);
    let mut tested = MemoryTables::new(Arc::new(variant.clone()));
    let mut compared: Vec<Material> = vec![];
    for wanted in materials {
        expected.solve(wanted);
        tested.solve(wanted);
        for material in wanted.with_dependencies(variant) {
            if !compared.contains(&material) {
                compare_positions(variant, &material, &expected, &tested);
                compared.push(material);
            }
        }
    }
}

fn compare_positions(variant: &Variant, material: &Material, expected: &BruteTables, tested: &dyn Oracle) {
    let difference = expected.positions(material).find_map_first(|(position, outcome)| {
        let found = tested.outcome(&position);
        (found.as_ref() != Ok(&outcome)).then(|| {
            let stalemate = variant.stalemate_points();
            let (game, name, fen) = (variant.name(), material.name(variant), position.fen(variant));
            format!("{game}, stalemate {stalemate}, {name}: {fen} is {outcome:?} but the tables say {found:?}")
        })
    });
    if let Some(difference) = difference {
        panic!("{difference}");
    }
}

/// A variant as it is and with stalemate a draw, if that differs.
fn both_scores(name: &str) -> Vec<Variant> {
    let variant = Variant::named(name).unwrap();
    let drawn = variant.clone().with_stalemate_drawn();
    if variant.stalemate_counts() { vec![variant, drawn] } else { vec![drawn] }
}

fn named(variant: &Variant, names: &[&str]) -> Vec<Material> {
    names.iter().map(|name| material(variant, name)).collect()
}

fn up_to(variant: &Variant, men: usize) -> Vec<Material> {
    (2..=men).flat_map(|men| Material::all_with(variant, men)).collect()
}

#[test]
fn four_men_on_19_cells_agree_with_brute_force() {
    for variant in both_scores("glinski-2") {
        compare(&variant, &up_to(&variant, 4));
    }
}

#[test]
fn four_men_on_19_cells_agree_with_brute_force_when_pawns_capture_diagonally() {
    for variant in both_scores("mccooey-2") {
        compare(&variant, &up_to(&variant, 4));
    }
}

#[test]
fn three_and_some_four_men_on_37_cells_agree_with_brute_force() {
    for variant in both_scores("glinski-3") {
        compare(&variant, &up_to(&variant, 3));
        compare(&variant, &named(&variant, &["KQKR", "KRPK", "KPKP", "KBNK"]));
    }
}

#[test]
fn three_men_on_37_cells_agree_with_brute_force_when_pawns_capture_diagonally() {
    for variant in both_scores("mccooey-3") {
        compare(&variant, &up_to(&variant, 3));
    }
}

#[test]
#[ignore = "long"]
fn heavy_four_men_on_37_cells_agree_with_brute_force() {
    for variant in both_scores("glinski-3") {
        compare(&variant, &Material::all_with(&variant, 4));
    }
}

#[test]
#[ignore = "long"]
fn heavy_five_men_on_19_cells_agree_with_brute_force() {
    for variant in both_scores("glinski-2") {
        compare(&variant, &Material::all_with(&variant, 5));
    }
}

#[test]
#[ignore = "long"]
fn heavy_four_men_on_37_cells_agree_with_brute_force_when_pawns_capture_diagonally() {
    let variant = Variant::named("mccooey-3").unwrap();
    compare(&variant, &Material::all_with(&variant, 4));
}

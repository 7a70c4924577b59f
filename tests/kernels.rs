//! The same tables with every set of instructions, from every arena and with every number of threads.
//!
//! `small_boards` compares the fastest ones with brute force; here the others are compared with them.

use hextb::geometry::{Color, Variant};
use hextb::index::{Arena, Code, DenseTable, Layout, Material};
use hextb::solve::{Kernel, Lanes, solve};
use std::collections::HashMap;
use std::sync::Arc;

type Tables = HashMap<Material, Arc<DenseTable>>;

/// Solves materials and all that they convert into.
fn solved(kernel: Kernel, variant: &Arc<Variant>, materials: &[Material], threads: usize) -> Tables {
    let kernel = Arc::new(kernel);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut tables = Tables::new();
    for material in materials.iter().flat_map(|material| material.with_dependencies(variant)) {
        if !tables.contains_key(&material) {
            let subtables = material.conversions(variant).iter().map(|m| tables[m].clone()).collect();
            let layout = Arc::new(Layout::new(variant.clone(), &material));
            let table = pool.install(|| solve(&kernel, layout, subtables, &())).unwrap();
            tables.insert(material, table);
        }
    }
    tables
}

fn assert_equal(expected: &Tables, found: &Tables, what: &str) {
    assert_eq!(expected.len(), found.len());
    for (material, expected) in expected {
        let (layout, found) = (expected.layout(), &found[material]);
        for slice in 0..layout.slices().len() {
            for block in 0..layout.block_count(slice) {
                for turn in Color::BOTH {
                    let same = equal(&expected.block(turn, slice, block), &found.block(turn, slice, block));
                    assert!(same, "{what}: {}, slice {slice}, block {block}", material.name(layout.variant()));
                }
            }
        }
    }
}

fn equal(expected: &[Code], found: &[Code]) -> bool {
    expected.iter().zip(found).all(|(a, b)| a == b) && expected.len() == found.len()
}

fn compare_kernels(name: &str, materials: &[Material]) {
    let variant = Arc::new(Variant::named(name).unwrap());
    let kernel = || Kernel::new(&variant);
    let solved = |kernel, threads| solved(kernel, &variant, materials, threads);
    let expected = solved(kernel(), 1);
    assert_equal(&expected, &solved(kernel(), 3), "three threads");
    for threads in [1, 2] {
        let portable = kernel().with_lanes(Lanes::portable());
        assert_equal(&expected, &solved(portable, threads), "portable instructions");
    }
    let folder = tempfile::tempdir().unwrap();
    let in_files = kernel().with_arena(Arena::in_files(folder.path().to_path_buf(), 1 << 20));
    assert_equal(&expected, &solved(in_files, 2), "planes in files");
    let without_reuse = kernel().with_arena(Arena::in_memory(0));
    assert_equal(&expected, &solved(without_reuse, 2), "planes used once");
}

#[test]
fn all_kernels_agree_on_19_cells() {
    for name in ["glinski-2", "mccooey-2"] {
        let variant = Variant::named(name).unwrap();
        let mut materials = Material::all_with(&variant, 4);
        materials.extend(["KQRKR", "KRKBN", "KRPKP", "KNNKN"].map(|name| Material::parse(&variant, name).unwrap()));
        compare_kernels(name, &materials);
    }
}

#[test]
fn all_kernels_agree_on_37_cells() {
    let variant = Variant::named("glinski-3").unwrap();
    compare_kernels(
        "glinski-3",
        &["KQKR", "KRPK", "KRKB", "KBNK"].map(|name| Material::parse(&variant, name).unwrap()),
    );
}

#[test]
fn planes_without_room_are_an_error() {
    let variant = Arc::new(Variant::named("glinski-2").unwrap());
    let folder = tempfile::tempdir().unwrap();
    let kernel = Kernel::new(&variant).with_arena(Arena::in_files(folder.path().join("missing"), 0));
    let layout = Arc::new(Layout::new(variant.clone(), &Material::parse(&variant, "KQK").unwrap()));
    let bare = Arc::new(Layout::new(variant.clone(), &Material::parse(&variant, "KK").unwrap()));
    let subtable = solve(&Arc::new(Kernel::new(&variant)), bare, vec![], &()).unwrap();
    let error = solve(&Arc::new(kernel), layout, vec![subtable], &()).err().unwrap();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}

//! The same tables with every set of instructions, from every arena and with every number of threads.
//!
//! `small_boards` compares the fastest ones with brute force; here the others are compared with them.

use hextb::geometry::{Color, Variant};
use hextb::index::{Arena, Material};
use hextb::solve::{Kernel, Lanes, MemoryTables, SolveError};
use std::sync::Arc;

/// Solves materials and all that they convert into.
fn solved(kernel: Kernel, variant: &Arc<Variant>, materials: &[Material], threads: usize) -> MemoryTables {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut tables = MemoryTables::with_kernel(variant.clone(), kernel);
    materials.iter().for_each(|material| pool.install(|| tables.solve(material)));
    tables
}

fn assert_equal(materials: &[Material], expected: &MemoryTables, found: &MemoryTables, what: &str) {
    for material in materials {
        let [expected, found] = [expected, found].map(|tables| tables.table(material).unwrap());
        let layout = expected.layout();
        let turns = if material.is_symmetric() { &Color::BOTH[..1] } else { &Color::BOTH[..] };
        for slice in 0..layout.slices().len() {
            for &turn in turns {
                let [expected, found] = [expected, found].map(|table| table.side(slice, turn));
                for row in 0..expected.rows() {
                    let same = (0..layout.cell_count()).all(|c| expected.code(row, c) == found.code(row, c));
                    assert!(same, "{what}: {}, slice {slice}, row {row}", material.name(layout.variant()));
                }
            }
        }
    }
}

fn compare_kernels(name: &str, materials: &[Material]) {
    let variant = Arc::new(Variant::named(name).unwrap());
    let kernel = || Kernel::new(&variant);
    let solved = |kernel, threads| solved(kernel, &variant, materials, threads);
    let expected = solved(kernel(), 1);
    assert_equal(materials, &expected, &solved(kernel(), 3), "three threads");
    for threads in [1, 2] {
        let portable = kernel().with_lanes(Lanes::portable());
        assert_equal(materials, &expected, &solved(portable, threads), "portable instructions");
    }
    let folder = tempfile::tempdir().unwrap();
    let in_files = kernel().with_arena(Arena::in_files(folder.path().to_path_buf(), 1 << 20));
    assert_equal(materials, &expected, &solved(in_files, 2), "planes in files");
    let without_reuse = kernel().with_arena(Arena::in_memory(0));
    assert_equal(materials, &expected, &solved(without_reuse, 2), "planes used once");
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
    let mut tables = MemoryTables::with_kernel(variant.clone(), kernel);
    let error = tables.try_solve(&Material::parse(&variant, "KQK").unwrap()).unwrap_err();
    let SolveError::Planes { source, .. } = error else { panic!("{error}") };
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
}

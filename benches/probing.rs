//! How fast tables answer: values alone and with distances, from packed files, with everything in the cache and with no
//! cache, and how long it takes to open them. Every answer is compared with the tables unpacked into memory.
//!
//! The tables are those of the folder HEXTB_TABLES, or of `tables`; what is missing is made there first.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hextb::geometry::{Cell, Color, Variant};
use hextb::index::Material;
use hextb::oracle::Oracle;
use hextb::outcome::{Outcome, Value};
use hextb::position::{Position, legality};
use hextb::table::packed::Level;
use hextb::table::{Form, Generator, Tablebase, UnpackedTables};
use std::path::PathBuf;
use std::sync::Arc;

/// Materials that differ in all that matters: with pawns and without, one side better or neither, long wins and none.
const MATERIALS: [&str; 10] = ["KQKR", "KRKN", "KRKB", "KQKQ", "KBNK", "KRPK", "KPKP", "KQKP", "KRKP", "KBKN"];
/// Positions of each material.
const OF_EACH: usize = 2000;

/// Legal positions spread evenly over the materials and sides to move, the same every time.
fn random_positions(variant: &Variant) -> Vec<Position> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut positions = vec![];
    let cells = variant.board().cell_count();
    for number in 0..OF_EACH {
        for name in MATERIALS {
            let men = Material::parse(variant, name).expect("a material").men_in_order();
            let position = loop {
                let mut position = Position::empty(Color::BOTH[number % 2]);
                for &man in &men {
                    position.put(man, Cell((next() % cells) as u8));
                }
                if position.occupied().len() == men.len() && legality::check_men(variant, &position).is_ok() {
                    break position;
                }
            };
            positions.push(position);
        }
    }
    positions
}

fn probing(c: &mut Criterion) {
    let variant = Arc::new(Variant::glinski());
    let folder = PathBuf::from(std::env::var_os("HEXTB_TABLES").unwrap_or_else(|| "tables".into()));
    let materials = MATERIALS.map(|name| Material::parse(&variant, name).expect("a material"));
    let mut generator = Generator::new(variant.clone(), &folder, Form::Packed(Level::Usual), 4 << 30);
    generator.generate(&materials, &()).expect("room for tables");
    let positions = random_positions(&variant);
    let mut unpacked = UnpackedTables::new(variant.clone(), 4 << 30);
    unpacked.hold(generator.tablebase(), &materials).expect("the tables are there");
    let outcomes: Vec<Outcome> = positions.iter().map(|p| unpacked.outcome(p).expect("it is there")).collect();
    let values: Vec<Value> = outcomes.iter().map(|outcome| outcome.value()).collect();
    let mut group = c.benchmark_group("probing");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for (name, bytes) in [("warm", 256 << 20), ("without a cache", 0)] {
        let tables = Tablebase::with_cache(variant.clone(), &folder, bytes);
        let all_values = || positions.iter().map(|p| tables.probe_value(p).expect("it is there"));
        let all_outcomes = || positions.iter().map(|p| tables.probe_distance(p).expect("it is there"));
        // Fills the cache, too.
        assert!(all_outcomes().eq(outcomes.iter().copied()) && all_values().eq(values.iter().copied()));
        group
            .bench_function(format!("values, {name}"), |b| b.iter(|| assert!(all_values().eq(values.iter().copied()))));
        group.bench_function(format!("values and distances, {name}"), |b| {
            b.iter(|| assert!(all_outcomes().eq(outcomes.iter().copied())));
        });
    }
    group.finish();
    let mut group = c.benchmark_group("opening");
    let count = Tablebase::new(variant.clone(), &folder).entries().expect("the folder is there").len();
    group.bench_function(format!("{count} tables"), |b| {
        b.iter(|| assert_eq!(Tablebase::new(variant.clone(), &folder).open_all().expect("the folder is there"), count));
    });
    group.finish();
}

criterion_group!(benches, probing);
criterion_main!(benches);

//! How fast the parts are: move generation, one sweep of the solver. Every bench asserts its answer.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hextb::geometry::{CellSet, Color, Variant};
use hextb::index::{Layout, Material};
use hextb::position::Fen;
use hextb::solve::{After, Kernel, MemoryTables, Question, Space, legal_rows};
use std::hint::black_box;
use std::sync::Arc;

/// Perft of the start position.
fn move_generation(c: &mut Criterion) {
    let variant = Variant::glinski();
    let start = variant.description().start.clone().expect("Gliński's game has a start position");
    let position = Fen::parse(&variant, &start).expect("it is legal").position;
    let mut group = c.benchmark_group("move generation");
    group.throughput(Throughput::Elements(137_858));
    group.bench_function("perft 3 from the start", |b| {
        b.iter(|| assert_eq!(black_box(&position).perft(&variant, 3), 137_858));
    });
    group.finish();
}

/// The legal positions of KQKR in which White has no legal move, and the whole solve.
fn solver(c: &mut Criterion) {
    let variant = Arc::new(Variant::glinski());
    let kernel = Arc::new(Kernel::new(&variant));
    let layout = Arc::new(Layout::new(variant.clone(), &Material::parse(&variant, "KQKR").expect("a material")));
    let space = Space::new(kernel.clone(), layout.clone(), 0);
    let n = layout.cell_count();
    let all_legal = |turn: Color| -> Vec<u128> {
        let of_block = legal_rows(&kernel, &layout, 0, turn);
        (0..space.block_count()).flat_map(|block| of_block(block)[..n].to_vec()).collect()
    };
    let plane = all_legal(Color::Black);
    let all = CellSet::first(n);
    let after = After { plane: &plane, rows: |_| all };
    let legal = all_legal(Color::White);
    let sweep = || -> u64 {
        let mut stuck = 0;
        for block in 0..space.block_count() {
            let mut question = Question::nothing();
            question.ask(&legal[block * n..][..n], all);
            space.strike_out(Color::White, block, &after, &mut question);
            stuck += question.open_rows().iter().map(|row| question.row(row).count_ones() as u64).sum::<u64>();
        }
        stuck
    };
    let expected = sweep();
    assert!(expected > 0 && expected < 10_000);
    let mut group = c.benchmark_group("solver");
    group.throughput(Throughput::Elements(layout.len() as u64));
    group.bench_function("one sweep of KQKR, White's moves", |b| b.iter(|| assert_eq!(sweep(), expected)));
    group.sample_size(10);
    group.bench_function("KQKR with its three-man tables", |b| {
        b.iter(|| {
            let mut tables = MemoryTables::new(variant.clone());
            tables.solve(layout.material());
            let table = tables.table(layout.material()).expect("it was solved");
            assert_eq!(table.tally(Color::White).legal, 35_940_876);
        });
    });
    group.finish();
}

criterion_group!(benches, move_generation, solver);
criterion_main!(benches);

//! How fast the parts are: move generation, one sweep of the solver, probing. Every bench asserts its answer.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hextb::geometry::{CellSet, Color, Variant};
use hextb::index::{Layout, Material};
use hextb::oracle::Oracle;
use hextb::position::{Fen, Position};
use hextb::solve::{After, Kernel, MemoryTables, Question, Space, legal_rows};
use hextb::table::{DEFAULT_LEVEL, Generator, Tablebase};
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

/// Random legal positions of KQKR from a small fixed generator of numbers.
fn random_positions(variant: &Variant, count: usize) -> Vec<Position> {
    let mut state = 1u64;
    let mut cell = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % variant.board().cell_count()
    };
    let mut found = vec![];
    while found.len() < count {
        let mut board: Vec<char> = vec!['1'; variant.board().cell_count()];
        "KQkr".chars().for_each(|man| board[cell()] = man);
        let ranks = variant.board().fen_ranks().iter();
        let text: Vec<String> =
            ranks.map(|rank| rank.iter().map(|c| board[c.index()]).collect::<String>()).map(join_runs).collect();
        let turn = if found.len() % 2 == 0 { 'w' } else { 'b' };
        if let Ok(fen) = Fen::parse(variant, &format!("{} {turn} -", text.join("/"))) {
            found.push(fen.position);
        }
    }
    found
}

/// Runs of single empty cells as numbers.
fn join_runs(rank: String) -> String {
    let (mut text, mut run) = (String::new(), 0);
    for c in rank.chars().chain(['/']) {
        if c == '1' {
            run += 1;
            continue;
        }
        if run > 0 {
            text += &run.to_string();
        }
        run = 0;
        text.push(c);
    }
    text.trim_end_matches('/').to_string()
}

/// Values and distances of random positions from a file whose blocks are unpacked already.
fn probing(c: &mut Criterion) {
    let variant = Arc::new(Variant::glinski());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let material = Material::parse(&variant, "KQKR").expect("a material");
    let mut generator = Generator::new(variant.clone(), folder.path(), DEFAULT_LEVEL, 4 << 30);
    generator.generate(std::slice::from_ref(&material), &()).expect("room for a table");
    let tablebase = Tablebase::new(variant.clone(), folder.path());
    let positions = random_positions(&variant, 10_000);
    let sum = || -> u64 {
        let plies = |p: &Position| tablebase.outcome(p).expect("it is in the tables").plies().unwrap_or(0) as u64;
        positions.iter().map(plies).sum()
    };
    let mut memory = MemoryTables::new(variant.clone());
    memory.solve(&material);
    let expected: u64 =
        positions.iter().map(|p| memory.outcome(p).expect("it was solved").plies().unwrap_or(0) as u64).sum();
    let mut group = c.benchmark_group("probing");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("10,000 positions of KQKR, warm", |b| b.iter(|| assert_eq!(sum(), expected)));
    group.finish();
}

criterion_group!(benches, move_generation, solver, probing);
criterion_main!(benches);

//! The classes of draws, found row by row, against the position-by-position classification on small boards.

#[path = "common/draw_classes.rs"]
mod draw_classes;
#[path = "common/draw_graph.rs"]
mod draw_graph;
#[path = "common/numbering.rs"]
mod numbering;

use draw_graph::DrawGraph;
use hextb::analysis::placements::{Fold, Placements};
use hextb::analysis::unwatched;
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::oracle::Oracle;
use hextb::outcome::Value;
use hextb::position::Position;
use hextb::solve::{Kernel, MemoryTables, Subtables};
use hextb::survey::Scoring;
use hextb::survey::draws::{AllClasses, DrawClass, Question, count_draws};
use numbering::Numbering;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How often each class has come up, without and with a right to capture en passant.
#[derive(Default, Debug)]
struct Seen {
    placements: HashMap<DrawClass, u64>,
    en_passant: HashMap<DrawClass, u64>,
}

impl Seen {
    fn placement(&self, class: DrawClass) -> u64 {
        self.placements.get(&class).copied().unwrap_or(0)
    }

    fn after_double_step(&self, class: DrawClass) -> u64 {
        self.en_passant.get(&class).copied().unwrap_or(0)
    }
}

/// Compares the class of every drawn position of a material, and the counts.
fn compare(tables: &MemoryTables, kernel: &Arc<Kernel>, variant: &Variant, material: &Material, seen: &mut Seen) {
    let layout = tables.layout(material).unwrap();
    for scoring in Scoring::ALL {
        let graph = DrawGraph::build(variant, material, tables, scoring).unwrap();
        let positions: Vec<(usize, Position, u64)> = graph.positions().collect();
        for weak in Color::BOTH {
            let question = Question { scoring, weak };
            let what = format!("{} of {}, {question:?}", material.name(variant), variant.name());
            let expected = draw_classes::classify(&graph, weak);
            let found = AllClasses::new(kernel, &layout, tables, question, &unwatched).unwrap();
            let without_right = positions.iter().map(|(node, position, _)| (*node, *position));
            let all: Vec<_> = without_right.chain(graph.en_passant_positions().iter().copied()).collect();
            all.par_iter().for_each(|(node, position)| {
                let of = found.of(position, tables).unwrap();
                assert_eq!(of, Some(expected.of(*node)), "{what}: {}", position.fen(variant));
            });
            let counts = count_draws(kernel, &layout, tables, question, &unwatched).unwrap();
            for (turn, class) in Color::BOTH.into_iter().flat_map(|turn| DrawClass::ALL.map(|class| (turn, class))) {
                let of_class = positions.iter().filter(|(node, p, _)| p.turn() == turn && expected.of(*node) == class);
                let counted = counts.side(turn).class(class);
                assert_eq!(counted.count, of_class.map(|(.., images)| images).sum::<u64>(), "{what}");
                *seen.placements.entry(class).or_default() += counted.count;
                let example = counted.example.as_ref().map(|fen| hextb::position::Fen::parse(variant, fen).unwrap());
                assert_eq!(example.is_some(), counted.count > 0, "{what}");
                assert!(example.is_none_or(|fen| found.of(&fen.position, tables) == Ok(Some(class))), "{what}");
            }
            for (node, _) in graph.en_passant_positions() {
                *seen.en_passant.entry(expected.of(*node)).or_default() += 1;
            }
        }
    }
}

/// All legal positions of a material without a right to capture en passant.
fn all_positions(variant: &Variant, material: &Material) -> Vec<Position> {
    let visit = |all: &mut Vec<Position>, position: &Position, _| {
        all.push(*position);
        Ok::<(), ()>(())
    };
    let merge = |a: Vec<Position>, b: Vec<Position>| [a, b].concat();
    Placements::new(variant, material, Fold::None).walk(&unwatched, Vec::new, visit, merge).unwrap()
}

/// Compares materials, and all of three men.
fn compare_all(variant: &str, names: &[&str], seen: &mut Seen) {
    let variant = Arc::new(Variant::named(variant).unwrap());
    let mut tables = MemoryTables::new(variant.clone());
    let kernel = Arc::new(Kernel::new(&variant));
    let named = names.iter().map(|name| Material::parse(&variant, name).unwrap());
    for material in Material::all_with(&variant, 3).into_iter().chain(named) {
        tables.solve(&material);
        compare(&tables, &kernel, &variant, &material, seen);
    }
}

#[test]
fn classes_agree_with_those_found_position_by_position() {
    let mut seen = Seen::default();
    let names = [
        "KQKR", "KRKN", "KBBK", "KNNK", "KRKB", "KQKQ", "KRKR", "KQQK", "KPKP", "KPPK", "KQKP", "KRKP", "KBPK", "KBPKP",
    ];
    compare_all("glinski-2", &names, &mut seen);
    compare_all("mccooey-2", &["KQKR", "KPKP", "KQKP"], &mut seen);
    compare_all("glinski-3", &["KQKR", "KPKP"], &mut seen);
    compare_all("mccooey-3", &["KPKP"], &mut seen);
    assert!(DrawClass::ALL.iter().all(|&class| seen.placement(class) > 10_000), "{seen:?}");
    // Perpetual check with such a right takes six men: see below.
    let both = [DrawClass::Conversion, DrawClass::Fortress];
    assert!(both.iter().all(|&class| seen.after_double_step(class) > 100), "{seen:?}");
}

/// `cargo test --release --test draw_classes heavy_ -- --ignored`.
#[test]
#[ignore = "takes long"]
fn heavy_classes_of_six_men_agree_too() {
    let mut seen = Seen::default();
    compare_all("glinski-2", &["KQPKQP"], &mut seen);
    assert!(DrawClass::ALL.iter().all(|&class| seen.after_double_step(class) > 5), "{seen:?}");
}

#[test]
fn examples_are_the_lexicographically_first() {
    let variant = Arc::new(Variant::named("glinski-2").unwrap());
    let mut tables = MemoryTables::new(variant.clone());
    let kernel = Arc::new(Kernel::new(&variant));
    for name in ["KQKR", "KPKP"] {
        let material = Material::parse(&variant, name).unwrap();
        tables.solve(&material);
        let layout = tables.layout(&material).unwrap();
        let question = Question { scoring: Scoring::Full, weak: Color::Black };
        let classes = AllClasses::new(&kernel, &layout, &tables, question, &unwatched).unwrap();
        let counts = count_draws(&kernel, &layout, &tables, question, &unwatched).unwrap();
        let mut first: HashMap<(Color, DrawClass), String> = HashMap::new();
        let mut drawn = 0;
        for position in all_positions(&variant, &material) {
            let class = classes.of(&position, &tables).unwrap();
            assert_eq!(class.is_some(), tables.outcome(&position).unwrap().value() == Value::Draw);
            let Some(class) = class else { continue };
            drawn += 1;
            let fen = position.fen(&variant);
            let known = first.entry((position.turn(), class)).or_insert(fen.clone());
            *known = fen.min(known.clone());
        }
        assert_eq!(DrawClass::ALL.iter().map(|&class| counts.of_class(class)).sum::<u64>(), drawn);
        for (turn, class) in Color::BOTH.into_iter().flat_map(|turn| DrawClass::ALL.map(|class| (turn, class))) {
            assert_eq!(counts.side(turn).class(class).example.as_ref(), first.get(&(turn, class)), "{name}");
        }
    }
}

#[test]
fn numbers_tell_positions_apart_exactly_up_to_symmetry() {
    let variant = Variant::named("glinski-2").unwrap();
    for name in ["KQK", "KBBK", "KPKP"] {
        let material = Material::parse(&variant, name).unwrap();
        let numbering = Numbering::new(&variant, &material);
        let symmetries: Vec<_> = match material.has_pawns(&variant) {
            true => variant.pawn_symmetries().iter().map(|&i| &variant.symmetries()[i]).collect(),
            false => variant.symmetries().iter().collect(),
        };
        let mut orbits: HashMap<u64, HashSet<String>> = HashMap::new();
        for position in all_positions(&variant, &material) {
            let images: HashSet<String> = symmetries.iter().map(|s| position.mapped(s).fen(&variant)).collect();
            let (number, count) = numbering.number_and_images(&position);
            assert_eq!((number, count), (numbering.number(&position), images.len() as u64));
            assert!(number < numbering.bound());
            assert!(images.contains(&numbering.position(number).fen(&variant)));
            assert_eq!(*orbits.entry(number).or_insert(images.clone()), images);
        }
    }
}

//! The brute-force solver itself: its outcomes follow from one another and agree with known tables.

#[path = "common/brute.rs"]
mod brute;

use std::sync::LazyLock;

use brute::{BruteTables, material};
use hextb::geometry::{Color, Variant};
use hextb::outcome::{Outcome, Value};
use hextb::position::{Fen, Position};
use rayon::prelude::*;
use serde_json::{Map, Value as Json, json};

static GLINSKI: LazyLock<Variant> = LazyLock::new(Variant::glinski);
static THREE_MEN: LazyLock<BruteTables> = LazyLock::new(|| solved(&GLINSKI, &["KQK", "KRK", "KBK", "KNK", "KPK"]));

fn solved(variant: &Variant, names: &[&str]) -> BruteTables {
    let mut tables = BruteTables::new(variant);
    names.iter().for_each(|name| tables.solve(&material(variant, name)));
    tables
}

fn get(tables: &BruteTables, position: &Position) -> Outcome {
    tables.get(position).expect("the material is solved")
}

/// What a position is worth by the rules alone, given the worth of the positions after its moves.
fn by_definition(variant: &Variant, tables: &BruteTables, position: &Position) -> Outcome {
    let after = position.legal_moves(variant).into_iter().map(|mv| position.after(variant, &mv));
    match after.map(|next| get(tables, &next).one_ply_earlier()).max() {
        Some(best) => best,
        None if position.in_check(variant, position.turn()) => Outcome::new(Value::Loss, 0),
        None if variant.stalemate_counts() => Outcome::new(Value::StalemateLoss, 0),
        None => Outcome::DRAW,
    }
}

/// Since distances fall along the best line, materials that pass for every position are right if those that
/// they convert into are.
fn check_by_definition(variant: &Variant, names: &[&str]) {
    let tables = solved(variant, names);
    for name in names {
        let checked = tables.positions(&material(variant, name)).inspect(|(position, outcome)| {
            let expected = by_definition(variant, &tables, position);
            assert_eq!(*outcome, expected, "{}", position.fen(variant));
        });
        assert!(checked.count() > 0, "{name}");
    }
}

#[test]
fn an_outcome_is_the_best_of_those_after_the_moves() {
    let small = Variant::named("glinski-2").unwrap();
    let (two, three) = (["KK"], ["KQK", "KRK", "KBK", "KNK", "KPK"]);
    let four = ["KQKR", "KBNK", "KNKN", "KRKP", "KNKP", "KQPK", "KPPK", "KPKP"];
    for variant in [small.clone(), small.with_stalemate_drawn()] {
        check_by_definition(&variant, &[&two[..], &three, &four].concat());
    }
    check_by_definition(&Variant::named("glinski-3").unwrap(), &[&two[..], &three].concat());
    check_by_definition(&Variant::named("mccooey-3").unwrap(), &[&two[..], &three].concat());
}

#[test]
fn a_right_to_capture_en_passant_can_be_worth_points() {
    let variant = Variant::named("glinski-2").unwrap();
    let tables = solved(&variant, &["KPKP"]);
    let material = material(&variant, "KPKP");
    let with_right = tables.positions(&material).filter(|(position, _)| position.en_passant().is_some());
    let better = with_right.filter(|(position, outcome)| {
        let mut without = *position;
        without.set_en_passant(None);
        outcome.value() > get(&tables, &without).value()
    });
    assert!(better.count() > 0);
}

#[test]
fn three_men_on_91_cells_have_the_known_statistics() {
    let known: Json = serde_json::from_str(include_str!("data/three-men.json")).unwrap();
    for (name, expected) in known["tables"].as_object().unwrap() {
        for color in Color::BOTH {
            let letter = color.letter().to_string();
            assert_eq!(statistics(name, color), expected[&letter], "{name} {letter}");
        }
    }
}

fn statistics(name: &str, turn: Color) -> Json {
    let ours = |(position, outcome): (Position, Outcome)| {
        (position.turn() == turn && position.en_passant().is_none()).then_some(outcome)
    };
    let outcomes: Vec<Outcome> = THREE_MEN.positions(&material(&GLINSKI, name)).filter_map(ours).collect();
    let mut counts = json!({ "legal": outcomes.len() });
    let mut longest = Map::new();
    for value in Value::ALL.into_iter().rev() {
        let key = value.word().replace('-', "_");
        let of_value = outcomes.iter().filter(|o| o.value() == value);
        counts[&key] = json!(of_value.clone().count());
        if let Some(Some(plies)) = of_value.map(|o| o.plies()).max() {
            longest.insert(key, json!(plies));
        }
    }
    counts["max_plies"] = Json::Object(longest);
    counts
}

#[test]
fn bare_kings_and_a_pawn_are_worth_what_the_known_cases_say() {
    for lines in [include_str!("data/KK.jsonl"), include_str!("data/KPK.jsonl")] {
        for line in lines.lines() {
            let case: Json = serde_json::from_str(line).unwrap();
            let fen = case["fen"].as_str().unwrap();
            let position = Fen::parse(&GLINSKI, fen).unwrap().position;
            let outcome = get(&THREE_MEN, &position);
            assert_eq!(
                json!([outcome.value().word(), outcome.plies()]),
                json!([case["category"], case["plies"]]),
                "{fen}"
            );
            let moves = position.legal_moves(&GLINSKI).into_iter().map(|mv| {
                let after = get(&THREE_MEN, &position.after(&GLINSKI, &mv));
                (mv.from_to(&GLINSKI), json!([after.value().word(), after.plies()]))
            });
            assert_eq!(Json::Object(moves.collect()), case["moves"], "{fen}");
        }
    }
}

/// The longest mates that every orthodox table gives: 10, 16 and 28 moves.
#[test]
fn orthodox_three_men_mate_in_the_known_number_of_moves() {
    let variant = Variant::named("orthodox").unwrap();
    for (name, plies) in [("KQK", 19), ("KRK", 31), ("KPK", 55)] {
        let tables = solved(&variant, &[name]);
        let material = material(&variant, name);
        let wins = tables.positions(&material).filter(|(_, outcome)| outcome.value() == Value::Win);
        assert_eq!(wins.filter_map(|(_, outcome)| outcome.plies()).max(), Some(plies), "{name}");
    }
}

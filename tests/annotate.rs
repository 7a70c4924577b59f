//! What moves cost is what a brute-force solver says, and games that leave the tables are followed as far as they go.

#[path = "common/brute.rs"]
mod brute;
#[path = "common/random.rs"]
mod random;

use brute::{BruteTables, material};
use hextb::geometry::Variant;
use hextb::outcome::{Outcome, Value};
use hextb::position::game::{Game, Games};
use hextb::position::{Fen, Move, Position};
use hextb::report::{Annotation, Mark, annotate};
use hextb::solve::MemoryTables;
use random::Rng;
use std::sync::Arc;

fn small() -> Arc<Variant> {
    Arc::new(Variant::named("glinski-2").unwrap())
}

fn solved(variant: &Arc<Variant>, names: &[&str]) -> MemoryTables {
    let mut tables = MemoryTables::new(variant.clone());
    names.iter().for_each(|name| tables.solve(&material(variant, name)));
    tables
}

fn game(variant: &Variant, start: &str, moves: &str) -> Game {
    let text = Games::new(moves).next().unwrap().unwrap();
    text.replay(variant, Some(start)).unwrap_or_else(|e| panic!("{start}: {e}"))
}

/// What a move is worth to the side that makes it, by brute force.
fn worth(tables: &BruteTables, variant: &Variant, position: &Position, mv: &Move) -> Outcome {
    tables.get(&position.after(variant, mv)).expect("the material is solved").one_ply_earlier()
}

#[test]
fn costs_marks_and_best_moves_are_those_of_brute_force() {
    let (mut slips, mut longer, mut sooner, mut only, mut en_passant) = (0, 0, 0, 0, 0);
    for variant in [small(), Arc::new(Variant::named("mccooey-2").unwrap())] {
        let names = ["KQKR", "KPKP"];
        let tables = solved(&variant, &names);
        let mut brute = BruteTables::new(&variant);
        names.iter().for_each(|name| brute.solve(&material(&variant, name)));
        let points = |outcome: Outcome| outcome.value().points(variant.stalemate_points());
        let mut rng = Rng(5);
        for name in names.into_iter().cycle().take(60) {
            let mut position = loop {
                let position = random::position(&variant, &mut rng, 4..=4, random::Wish::Any);
                if hextb::index::Material::of(&variant, &position).0 == material(&variant, name) {
                    break position;
                }
            };
            let (start, mut sans) = (position.fen(&variant), String::new());
            for _ in 0..12 {
                let Some(mv) = rng.pick(&position.legal_moves(&variant)) else { break };
                sans += &format!("{} ", position.san(&variant, &mv));
                position = position.after(&variant, &mv);
            }
            let game = game(&variant, &start, &(sans + "*"));
            let annotation = annotate(&tables, &variant, &game).unwrap();
            assert!(annotation.missing.is_empty());
            let mut lost = [0.0, 0.0];
            for (said, played) in annotation.moves.iter().zip(&game.moves) {
                let said = said.judgement.as_ref().expect("all materials are solved");
                let (position, mv) = (&played.before.position, &played.mv);
                let legal = position.legal_moves(&variant);
                let of = |mv: &Move| worth(&brute, &variant, position, mv);
                let (got, best) = (of(mv), legal.iter().map(of).max().unwrap());
                let loss = points(best) - points(got);
                let fen = played.before.write(&variant);
                assert_eq!(said.points_lost.0, loss, "{} in {fen}", played.san);
                lost[position.turn().index()] += loss;
                let plies = |outcome: Outcome| i32::from(outcome.plies().unwrap());
                let expected = match best.value() {
                    Value::Draw => None,
                    value if value != got.value() => None,
                    value if value > Value::Draw => Some(plies(got) - plies(best)),
                    _ => Some(plies(best) - plies(got)),
                };
                assert_eq!(said.plies_lost.map(i32::from), expected, "{} in {fen}", played.san);
                let mut best_moves: Vec<String> =
                    legal.iter().filter(|mv| of(mv) == best).map(|mv| position.san(&variant, mv)).collect();
                let mut said_best: Vec<String> = said.best.iter().map(|mv| mv.san.clone()).collect();
                best_moves.sort();
                said_best.sort();
                assert_eq!(said_best, best_moves, "{fen}");
                let keeping = legal.iter().filter(|mv| of(mv).value() == best.value()).count();
                assert_eq!(said.only, keeping == 1 && legal.len() > 1, "{fen}");
                let mark = match loss {
                    0.5.. => Some(Mark::Blunder),
                    0.25.. => Some(Mark::Mistake),
                    _ => said.only.then_some(Mark::Only),
                };
                assert_eq!(said.mark, mark, "{} in {fen}", played.san);
                slips += usize::from(loss > 0.0);
                longer += usize::from(expected.is_some_and(|plies| plies > 0) && best.value() > Value::Draw);
                sooner += usize::from(expected.is_some_and(|plies| plies > 0) && best.value() < Value::Draw);
                only += usize::from(mark == Some(Mark::Only));
                en_passant += usize::from(position.en_passant().is_some());
            }
            let summary = &annotation.summary;
            assert_eq!([summary.w.points_lost.0, summary.b.points_lost.0], lost);
            assert_eq!(summary.w.moves + summary.b.moves, game.moves.len());
        }
    }
    assert!(
        [slips, longer, sooner, only, en_passant].iter().all(|&count| count > 3),
        "{slips} {longer} {sooner} {only} {en_passant}"
    );
}

/// Marks and costs of a game's moves, for short.
fn outline(annotation: &Annotation) -> Vec<String> {
    let moves = annotation.moves.iter().map(|mv| match &mv.judgement {
        None => mv.san.clone(),
        Some(judgement) => {
            format!("{}{} {}", mv.san, judgement.mark.map_or("", Mark::sign), judgement.points_lost)
        }
    });
    moves.collect()
}

/// The king has to take the opposition, here and on the other side.
#[test]
fn slips_that_every_textbook_knows_are_found() {
    let variant = Arc::new(Variant::named("orthodox").unwrap());
    let tables = solved(&variant, &["KPK"]);
    let start = "8/4k3/8/3K4/4P3/8/8/8 w - - 0 1";
    let said = |moves: &str| outline(&annotate(&tables, &variant, &game(&variant, start, moves)).unwrap());
    assert_eq!(said("Ke5"), ["Ke5! 0"]);
    assert_eq!(said("e5 Kd7"), ["e5?? 1/2", "Kd7! 0"]);
    assert_eq!(said("e5 Kd8 Ke6"), ["e5?? 1/2", "Kd8?? 1/2", "Ke6 0"]);
}

#[test]
fn positions_without_a_table_are_passed_over_and_their_materials_named_once() {
    let variant = small();
    let tables = solved(&variant, &["KQK", "KRK"]);
    let start = "1/3/k3r/5/1Q2K w - 0 1";
    let position = Fen::parse(&variant, start).unwrap().position;
    let taking = position.legal_moves(&variant).into_iter().find(|mv| mv.captured.is_none()).unwrap();
    let annotation = annotate(&tables, &variant, &game(&variant, start, &taking.from_to(&variant))).unwrap();
    assert!(!annotation.reaches_tables());
    assert_eq!(annotation.missing.iter().map(|table| table.material.as_str()).collect::<Vec<_>>(), ["KQKR"]);
    assert!(annotation.moves[0].judgement.is_none());
}

#[test]
fn a_game_is_followed_from_where_it_enters_the_tables() {
    let variant = small();
    let tables = solved(&variant, &["KQK"]);
    // Q takes R on the first move: before it no table is there.
    let start = "1/3/k4/5/1Qr1K w - 0 1";
    let annotation = annotate(&tables, &variant, &game(&variant, start, "Qxc1")).unwrap();
    assert!(annotation.moves[0].judgement.is_none());
    assert_eq!(annotation.end.as_ref().unwrap().material, "KQK");
    assert!(annotation.reaches_tables());
    assert_eq!(annotation.missing[0].material, "KQKR");
}

//! Gliński's legal moves equal those of the public crate `hexchess`, position by position.
//!
//! Positions are handed over as FENs, never as moves played: hexchess 2.5.1 forgets some en passant cells when it
//! plays a move, which one test here records.

#[path = "common/compare.rs"]
mod compare;
#[path = "common/random.rs"]
mod random;

use compare::{Reference, assert_shares, compare, compare_tree, first_fields};
use hexchess::{Hexchess, San};
use hextb::geometry::{Color, Man, Role, Variant};
use hextb::position::{Fen, MoveKind, Position};

struct Theirs;

fn parse(variant: &Variant, position: &Position) -> Hexchess {
    Hexchess::parse(&position.fen(variant)).expect("hexchess reads the FEN")
}

impl Reference for Theirs {
    const FIELDS: usize = 2; // the third, the en passant cell, is at fault

    fn moves(&self, variant: &Variant, position: &Position) -> Vec<String> {
        let mut all: Vec<String> = parse(variant, position).current_moves().iter().map(San::to_string).collect();
        all.sort();
        all
    }

    fn results(&self, variant: &Variant, position: &Position) -> Vec<String> {
        let game = parse(variant, position);
        let text = |san: San| {
            let mut next = game.clone();
            next.apply_move_unsafe(&san).expect("it plays its own move");
            format!("{san} {}", first_fields(&next.to_string(), 2))
        };
        let mut all: Vec<String> = game.current_moves().into_iter().map(text).collect();
        all.sort();
        all
    }
}

fn start(variant: &Variant) -> Position {
    Fen::parse(variant, variant.description().start.as_ref().expect("it has a start array")).expect("legal").position
}

#[test]
fn start_array_is_the_one_of_hexchess() {
    let variant = Variant::glinski();
    assert_eq!(start(&variant).fen(&variant), Hexchess::init().to_string());
}

#[test]
fn every_node_of_the_first_four_plies_has_the_moves_of_hexchess() {
    let variant = Variant::glinski();
    let start = start(&variant);
    assert_eq!(compare_tree(&variant, &Theirs, &start, 4), 1 + 51 + 2_586 + 137_858);
    assert_eq!(start.perft(&variant, 4), 7_282_418);
}

#[test]
fn random_positions_have_the_moves_of_hexchess() {
    let variant = Variant::glinski();
    let positions: Vec<Position> = random::mixed(&variant, 1, 2..=10).take(10_000).collect();
    let counts = compare(&variant, &Theirs, &positions);
    assert_shares("glinski against hexchess", &counts, 10_000, 2_000);
}

#[test]
fn hexchess_forgets_the_en_passant_cell_behind_the_two_pawns_of_the_b_file_only() {
    let variant = Variant::glinski();
    let cell = |name| variant.board().cell_named(name).expect("a cell");
    let mut forgotten = vec![];
    for turn in Color::BOTH {
        for from in variant.pawn_rules(turn).start {
            let mut position = Position::empty(turn);
            position.put(Man { color: Color::White, role: Role::KING }, cell("a1"));
            position.put(Man { color: Color::Black, role: Role::KING }, cell("l6"));
            position.put(Man { color: turn, role: variant.pawn() }, from);
            let moves = position.legal_moves(&variant);
            let double = moves.iter().find(|m| m.kind == MoveKind::MultiStep).expect("a double step");
            let ours = first_fields(&position.after(&variant, double).fen(&variant), 3);
            let text = double.from_to(&variant);
            let mut game = parse(&variant, &position);
            game.apply_move(&San::from_string(&text).expect("a move")).expect("a legal move");
            assert!(Hexchess::parse(&ours).is_ok_and(|g| g.ep.is_some()), "it reads the cell in {ours}");
            if first_fields(&game.to_string(), 3) != ours {
                forgotten.push(text);
            }
        }
    }
    assert_eq!(forgotten, ["b1b3", "b7b5"], "hexchess has changed; its own play may now be compared as well");
}

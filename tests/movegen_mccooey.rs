//! McCooey's and Gliński's legal moves equal those of the naive generator in `common/naive.rs`.

#[path = "common/compare.rs"]
mod compare;
#[path = "common/naive.rs"]
mod naive;
#[path = "common/random.rs"]
mod random;

use compare::{assert_shares, compare};
use hextb::geometry::{Color, Variant};
use hextb::position::Position;
use naive::{Game, Naive, pawn_cells};

const GAMES: [(&str, Game); 2] = [("glinski", Game::Glinski), ("mccooey", Game::Mccooey)];

fn random_positions_agree(name: &str, game: Game, seed: u64) {
    let variant = Variant::named(name).expect("a built-in variant");
    let positions: Vec<Position> = random::mixed(&variant, seed, 2..=10).take(10_000).collect();
    let counts = compare(&variant, &Naive(game), &positions);
    assert_shares(&format!("{name} against the naive generator"), &counts, 10_000, 2_000);
}

#[test]
fn random_positions_of_mccooeys_game_have_the_moves_of_the_naive_generator() {
    random_positions_agree("mccooey", Game::Mccooey, 2);
}

#[test]
fn random_positions_of_glinskis_game_have_the_moves_of_the_naive_generator() {
    random_positions_agree("glinski", Game::Glinski, 3);
}

#[test]
fn pawns_can_stand_where_the_naive_generator_brings_them() {
    for (name, game) in GAMES {
        let variant = Variant::named(name).expect("a built-in variant");
        let board = variant.board();
        let mut white: Vec<&str> = variant.pawn_rules(Color::White).placement.iter().map(|c| board.name(c)).collect();
        white.sort();
        assert_eq!(white, pawn_cells(game), "{name}");
    }
}

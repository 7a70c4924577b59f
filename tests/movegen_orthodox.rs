//! Orthodox legal moves, castling left out, equal those of the public crate `cozy-chess`, position by position.

#[path = "common/compare.rs"]
mod compare;
#[path = "common/random.rs"]
mod random;

use compare::{Reference, assert_shares, compare, compare_tree, first_fields};
use cozy_chess::{Board, Move};
use hextb::geometry::Variant;
use hextb::position::{Fen, Position};

struct Theirs;

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut all = vec![];
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

fn parse(variant: &Variant, position: &Position) -> Result<Board, String> {
    let fen = position.fen(variant);
    Board::from_fen(&fen, false).map_err(|e| format!("{fen}: {e}"))
}

impl Reference for Theirs {
    const FIELDS: usize = 3; // it gives an en passant square only where a pawn may be able to capture

    fn moves(&self, variant: &Variant, position: &Position) -> Vec<String> {
        let board = parse(variant, position).expect("cozy-chess reads the FEN");
        let mut all: Vec<String> = legal_moves(&board).iter().map(Move::to_string).collect();
        all.sort();
        all
    }

    fn results(&self, variant: &Variant, position: &Position) -> Vec<String> {
        let board = parse(variant, position).expect("cozy-chess reads the FEN");
        let text = |mv: Move| {
            let mut next = board.clone();
            next.play(mv);
            format!("{mv} {}", first_fields(&next.to_string(), 3))
        };
        let mut all: Vec<String> = legal_moves(&board).into_iter().map(text).collect();
        all.sort();
        all
    }
}

/// The usual positions for counting moves, without castling rights.
const KNOWN: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w - - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

fn perft(board: &Board, depth: u32) -> u64 {
    let moves = legal_moves(board);
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |mv| {
        let mut next = board.clone();
        next.play_unchecked(mv);
        perft(&next, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

#[test]
fn the_usual_positions_have_the_moves_of_cozy_chess() {
    let variant = Variant::named("orthodox").expect("a built-in variant");
    for fen in KNOWN {
        let position = Fen::parse(&variant, fen).expect("legal").position;
        compare_tree(&variant, &Theirs, &position, 3);
        let board = parse(&variant, &position).expect("cozy-chess reads the FEN");
        assert_eq!(position.perft(&variant, 4), perft(&board, 4), "{fen}");
    }
}

#[test]
fn the_usual_positions_without_castling_have_the_published_counts() {
    let variant = Variant::named("orthodox").expect("a built-in variant");
    let counts = |i: usize| {
        let position: Position = Fen::parse(&variant, KNOWN[i]).expect("legal").position;
        [1, 2, 3, 4].map(|depth| position.perft(&variant, depth))
    };
    assert_eq!(counts(0), [20, 400, 8_902, 197_281]);
    assert_eq!(counts(2), [14, 191, 2_812, 43_238]);
    assert_eq!(counts(5), [46, 2_079, 89_890, 3_894_594]);
}

#[test]
fn random_endings_have_the_moves_of_cozy_chess() {
    let variant = Variant::named("orthodox").expect("a built-in variant");
    let mut refused = 0;
    // It refuses what no game can lead to: three checks at once, nine pawns, or, with an en passant square, a check
    // that the double step cannot have given.
    let readable = |p: &Position| {
        let read = parse(&variant, p).is_ok();
        refused += usize::from(!read);
        assert!(read || p.in_check(&variant, p.turn()) || p.occupied().len() > 9, "{}", p.fen(&variant));
        read
    };
    let positions: Vec<Position> = random::mixed(&variant, 4, 3..=10).filter(readable).take(10_000).collect();
    assert!(refused < 1_500, "{refused} positions refused");
    let counts = compare(&variant, &Theirs, &positions);
    assert_shares("orthodox against cozy-chess", &counts, 10_000, 2_000);
}

//! Comparing legal moves with those of another program, node by node, and counting what the nodes had to show.
#![allow(dead_code)] // each test binary uses a part

use hextb::geometry::Variant;
use hextb::position::{MoveKind, Position};
use std::collections::BTreeSet;

/// Another move generator. Each method gives one sorted text for every legal move.
pub trait Reference {
    /// How many fields of a FEN [`Reference::results`] gives.
    const FIELDS: usize;
    /// The moves in from-to form.
    fn moves(&self, variant: &Variant, position: &Position) -> Vec<String>;
    /// The moves in from-to form, each followed by the first fields of the FEN after it.
    fn results(&self, variant: &Variant, position: &Position) -> Vec<String>;
}

/// What a set of positions had to show.
#[derive(Default, Debug)]
pub struct Counts {
    pub positions: usize,
    /// Positions whose move sets were compared, those deeper in the trees included.
    pub nodes: usize,
    pub promotions: usize,
    pub double_steps: usize,
    pub en_passant: usize,
    pub checks: usize,
}

/// Compares the moves of all positions and where they lead, the first tenth to depth 2, the first hundredth to depth 3.
pub fn compare<R: Reference>(variant: &Variant, reference: &R, positions: &[Position]) -> Counts {
    let mut counts = Counts { positions: positions.len(), ..Counts::default() };
    let distinct: BTreeSet<String> = positions.iter().map(|p| p.fen(variant)).collect();
    assert!(distinct.len() * 10 > positions.len() * 9, "only {} distinct positions", distinct.len());
    for (i, position) in positions.iter().enumerate() {
        let moves = position.legal_moves(variant);
        counts.promotions += usize::from(moves.iter().any(|m| m.promotion.is_some()));
        counts.double_steps += usize::from(moves.iter().any(|m| m.kind == MoveKind::MultiStep));
        counts.en_passant += usize::from(moves.iter().any(|m| m.kind == MoveKind::EnPassant));
        counts.checks += usize::from(position.in_check(variant, position.turn()));
        let ours = results(variant, position, R::FIELDS);
        let theirs = reference.results(variant, position);
        assert_eq!(ours, theirs, "moves and their results in {}", position.fen(variant));
        let depth = if i < positions.len() / 100 {
            3
        } else if i < positions.len() / 10 {
            2
        } else {
            1
        };
        counts.nodes += compare_tree(variant, reference, position, depth);
    }
    counts
}

/// Compares the move sets of a position and of all that follow within `depth` moves; returns their number.
pub fn compare_tree(variant: &Variant, reference: &impl Reference, position: &Position, depth: u32) -> usize {
    let moves = position.legal_moves(variant);
    let mut ours: Vec<String> = moves.iter().map(|m| m.from_to(variant)).collect();
    ours.sort();
    assert_eq!(ours, reference.moves(variant, position), "moves in {}", position.fen(variant));
    if depth <= 1 {
        return 1;
    }
    1 + moves.iter().map(|m| compare_tree(variant, reference, &position.after(variant, m), depth - 1)).sum::<usize>()
}

fn results(variant: &Variant, position: &Position, fields: usize) -> Vec<String> {
    let text = |m| {
        let fen = position.after(variant, &m).fen(variant);
        format!("{} {}", m.from_to(variant), first_fields(&fen, fields))
    };
    let mut all: Vec<String> = position.legal_moves(variant).into_iter().map(text).collect();
    all.sort();
    all
}

/// The first fields of a FEN.
pub fn first_fields(fen: &str, fields: usize) -> String {
    fen.split(' ').take(fields).collect::<Vec<_>>().join(" ")
}

/// Asserts that enough positions had a promotion, a double step and an en passant capture as a next move.
pub fn assert_shares(name: &str, counts: &Counts, positions: usize, each: usize) {
    println!("{name}: {counts:?}");
    assert_eq!(counts.positions, positions);
    assert!(counts.promotions >= each && counts.double_steps >= each && counts.en_passant >= each, "{counts:?}");
    assert!(counts.checks * 20 >= positions, "too few positions in check: {counts:?}");
}

//! Orthodox chess: the longest mates come out as they have been known for decades.

use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::outcome::Value;
use hextb::solve::MemoryTables;
use std::sync::Arc;

/// Material and the longest mate, in moves, with the mating side to move. In KRKP the longest mate is the pawn's: it
/// becomes a queen, and the rook holds out; the rook's own longest mate takes 26 moves.
const LONGEST_MATES: [(&str, Color, u16); 13] = [
    ("KQK", Color::White, 10),
    ("KRK", Color::White, 16),
    ("KPK", Color::White, 28),
    ("KBBK", Color::White, 19),
    ("KBNK", Color::White, 33),
    ("KQKR", Color::White, 35),
    ("KQKB", Color::White, 17),
    ("KQKN", Color::White, 21),
    ("KRKB", Color::White, 29),
    ("KRKN", Color::White, 40),
    ("KQKQ", Color::White, 13),
    ("KRKP", Color::Black, 43),
    ("KRKP", Color::White, 26),
];

#[test]
fn longest_mates_are_the_known_ones() {
    let variant = Arc::new(Variant::named("orthodox").unwrap());
    let mut tables = MemoryTables::new(variant.clone());
    for (name, winner, moves) in LONGEST_MATES {
        let material = Material::parse(&variant, name).unwrap();
        tables.solve(&material);
        let tally = tables.table(&material).unwrap().tally(winner);
        assert_eq!(tally.longest[Value::Win as usize], Some(2 * moves - 1), "{name}, {winner:?} to move");
        assert_eq!(
            tally.count(Value::StalemateWin) + tally.count(Value::StalemateLoss),
            0,
            "{name}: stalemate is a draw"
        );
    }
}

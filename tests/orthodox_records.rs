//! Orthodox chess: the longest mates come out as they have been known for decades.

use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::outcome::Value;
use hextb::solve::MemoryTables;
use std::sync::Arc;

/// Material and the longest mate, in moves, with the stronger side to move.
const LONGEST_MATES: [(&str, u16); 12] = [
    ("KQK", 10),
    ("KRK", 16),
    ("KPK", 28),
    ("KBBK", 19),
    ("KBNK", 33),
    ("KQKR", 35),
    ("KQKB", 17),
    ("KQKN", 21),
    ("KRKB", 29),
    ("KRKN", 40),
    ("KQKQ", 13),
    ("KRKP", 43),
];

#[test]
fn longest_mates_are_the_known_ones() {
    let variant = Arc::new(Variant::named("orthodox").unwrap());
    let mut tables = MemoryTables::new(variant.clone());
    for (name, moves) in LONGEST_MATES {
        let material = Material::parse(&variant, name).unwrap();
        tables.solve(&material);
        let tally = tables.table(&material).unwrap().tally(Color::White);
        assert_eq!(tally.longest[Value::Win as usize], Some(2 * moves - 1), "{name}");
        assert_eq!(
            tally.count(Value::StalemateWin) + tally.count(Value::StalemateLoss),
            0,
            "{name}: stalemate is a draw"
        );
    }
}

//! Symmetries and the swap of colours change nothing that matters; materials are counted and ordered by what they
//! can turn into.

#[path = "common/random.rs"]
mod random;

use hextb::geometry::{Symmetry, Variant};
use hextb::index::Material;
use hextb::position::{Move, Position, legality};
use std::collections::BTreeSet;

const VARIANTS: [&str; 5] = ["glinski", "mccooey", "orthodox", "glinski-3", "mccooey-3"];

fn variant(name: &str) -> Variant {
    Variant::named(name).expect("a built-in variant")
}

/// What a position's image under a map of the board must share with it.
fn assert_same(variant: &Variant, position: &Position, image: &Position, map: &Symmetry) {
    let context = || format!("{} and {}", position.fen(variant), image.fen(variant));
    assert_eq!(legality::check_men(variant, image), Ok(()), "{}", context());
    let facts = |p: &Position| {
        let turn = p.turn();
        (p.in_check(variant, turn), p.is_checkmate(variant), p.is_stalemate(variant), p.occupied().len())
    };
    assert_eq!(facts(position), facts(image), "{}", context());
    let mapped = |m: &Move| Move { from: map.apply(m.from), to: map.apply(m.to), ..*m };
    let key = |m: &Move| (m.from, m.to, m.role, m.kind as u8, m.captured, m.promotion);
    let expected: BTreeSet<_> = position.legal_moves(variant).iter().map(|m| key(&mapped(m))).collect();
    let moves = image.legal_moves(variant);
    assert_eq!(moves.len(), expected.len(), "{}", context());
    assert_eq!(moves.iter().map(key).collect::<BTreeSet<_>>(), expected, "{}", context());
}

#[test]
fn every_symmetry_keeps_the_moves_of_positions_without_pawns() {
    for (seed, name) in VARIANTS.iter().enumerate() {
        let v = variant(name);
        for position in random::pawnless(&v, seed as u64, 2..=7).take(400) {
            for symmetry in v.symmetries() {
                assert_same(&v, &position, &position.mapped(symmetry), symmetry);
            }
        }
    }
}

#[test]
fn the_pawn_symmetries_keep_the_moves_of_positions_with_pawns() {
    for (seed, name) in VARIANTS.iter().enumerate() {
        let v = variant(name);
        for position in random::mixed(&v, 10 + seed as u64, 4..=8).take(800) {
            for &index in v.pawn_symmetries() {
                let symmetry = &v.symmetries()[index];
                let image = position.mapped(symmetry);
                assert_same(&v, &position, &image, symmetry);
                assert_right_fits(&v, &image);
            }
        }
    }
}

#[test]
fn swapping_the_colours_keeps_the_moves_and_twice_is_the_identity() {
    for (seed, name) in VARIANTS.iter().enumerate() {
        let v = variant(name);
        for position in random::mixed(&v, 20 + seed as u64, 4..=8).take(1_000) {
            let swapped = position.with_colours_swapped(&v);
            assert_ne!(swapped.turn(), position.turn());
            assert_same(&v, &position, &swapped, v.colour_swap());
            assert_right_fits(&v, &swapped);
            assert_eq!(swapped.with_colours_swapped(&v), position);
            let (material, second_is_white) = Material::of(&v, &position);
            let (same, turned) = Material::of(&v, &swapped);
            assert_eq!(material, same);
            assert!(material.is_symmetric() || turned != second_is_white);
        }
    }
}

/// The right to capture en passant is one that a FEN may have.
fn assert_right_fits(variant: &Variant, position: &Position) {
    if let Some(right) = position.en_passant() {
        assert_eq!(legality::en_passant_right(variant, position, right.skipped), Ok(right));
    }
}

#[test]
fn symmetries_form_a_group() {
    for name in VARIANTS {
        let v = variant(name);
        let maps: BTreeSet<Vec<_>> = v.symmetries().iter().map(|s| s.map().to_vec()).collect();
        assert_eq!(maps.len(), v.symmetries().len());
        for a in v.symmetries() {
            for b in v.symmetries() {
                let product: Vec<_> = v.board().cells().map(|c| a.apply(b.apply(c))).collect();
                assert!(maps.contains(&product), "{name}");
            }
        }
    }
}

#[test]
fn there_are_one_five_and_thirty_materials_of_two_three_and_four_men() {
    for name in ["glinski", "mccooey", "orthodox"] {
        let v = variant(name);
        let counts = [2, 3, 4].map(|men| {
            let all = Material::all_with(&v, men);
            assert!(all.iter().all(|m| m.men() == men));
            all.iter().map(|m| m.name(&v)).collect::<BTreeSet<_>>().len()
        });
        assert_eq!(counts, [1, 5, 30], "{name}");
        assert_eq!([2, 3, 4].map(|men| Material::all_with(&v, men).len()), [1, 5, 30], "{name}");
    }
}

#[test]
fn every_material_comes_after_all_that_it_can_turn_into() {
    for name in ["glinski", "mccooey", "orthodox"] {
        let v = variant(name);
        let by_men: Vec<Material> = (2..=4).flat_map(|men| Material::all_with(&v, men)).collect();
        for material in &by_men {
            let order = material.with_dependencies(&v);
            assert_eq!(order.last(), Some(material));
            assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), order.len());
            assert_dependencies_first(&v, &order);
        }
        assert_dependencies_first(&v, &by_men);
    }
}

fn assert_dependencies_first(variant: &Variant, order: &[Material]) {
    for (i, material) in order.iter().enumerate() {
        for needed in material.conversions(variant) {
            let name = |m: &Material| m.name(variant);
            assert!(order[..i].contains(&needed), "{} needs {}", name(material), name(&needed));
        }
    }
}

#[test]
fn a_capture_or_promotion_leads_to_a_material_that_is_listed_for_it() {
    for (seed, name) in VARIANTS.iter().enumerate() {
        let v = variant(name);
        let mut seen = 0;
        for position in random::mixed(&v, 30 + seed as u64, 4..=5).take(1_000) {
            let material = Material::of(&v, &position).0;
            let listed = material.conversions(&v);
            for mv in position.legal_moves(&v) {
                let next = Material::of(&v, &position.after(&v, &mv)).0;
                let found = if mv.is_conversion() { listed.contains(&next) } else { next == material };
                assert!(found, "{} after {}", position.fen(&v), mv.from_to(&v));
                seen += usize::from(mv.is_conversion());
            }
        }
        assert!(seen > 1_000, "{seen}");
    }
}

#[test]
fn one_capture_or_promotion_turns_krkp_into_nine_materials() {
    let v = variant("glinski");
    let material = Material::parse(&v, "KRKP").expect("a material");
    let names: BTreeSet<String> = material.conversions(&v).iter().map(|m| m.name(&v)).collect();
    let expected = "KRK KPK KQK KBK KNK KQKR KRKR KRKB KRKN";
    assert_eq!(names, expected.split(' ').map(str::to_string).collect());
}

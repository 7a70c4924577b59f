//! Names of materials: what is understood, what is written, and what each refusal says.

#[path = "common/random.rs"]
mod random;

use hextb::geometry::{Color, Variant};
use hextb::index::{Material, MaterialError};
use std::collections::BTreeSet;

fn parsed(text: &str) -> Result<String, MaterialError> {
    let v = Variant::glinski();
    Material::parse(&v, text).map(|m| m.name(&v))
}

#[test]
fn either_side_first_a_v_between_and_small_letters_mean_the_same() {
    for (name, texts) in [
        ("KQKR", "KQKR KQvKR KQVKR krkq KRKQ kqVkr KrvKq"),
        ("KBNKR", "KRKBN KBNKR KNBKR krvknb"),
        ("KK", "KK KvK kk"),
        ("KQKP", "KPKQ KPvKQ"),
        ("KQPKQ", "KQKPQ"),
    ] {
        for text in texts.split(' ') {
            assert_eq!(parsed(text).as_deref(), Ok(name), "{text}");
        }
    }
}

#[test]
fn every_name_that_is_written_reads_back() {
    for name in ["glinski", "mccooey", "orthodox"] {
        let v = Variant::named(name).expect("a built-in variant");
        for material in (2..=5).flat_map(|men| Material::all_with(&v, men)) {
            assert_eq!(Material::parse(&v, &material.name(&v)), Ok(material.clone()));
            let (white, black) = (material.side(Color::White), material.side(Color::Black));
            assert_eq!(Material::of_sides(black, white).0, material);
            assert_eq!(Material::of_sides(black, white).1, !material.is_symmetric());
        }
    }
}

#[test]
fn a_position_has_the_material_of_its_men() {
    let v = Variant::glinski();
    for position in random::mixed(&v, 80, 4..=5).take(500) {
        let letters: String = position
            .men_on_board()
            .map(|(_, man)| (man.color, man.role))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .flat_map(|(color, role)| std::iter::repeat_n(v.letter(role), position.men(color, role).len()))
            .collect();
        let (material, second_is_white) = Material::of(&v, &position);
        assert_eq!(Material::parse(&v, &letters), Ok(material.clone()));
        assert_eq!(material.name(&v) == letters, !second_is_white, "{letters}");
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    for (text, expected) in [
        ("KQXKR", "material \"KQXKR\": found 'X', expected one of KQRBNP"),
        ("vKK", "material \"vKK\": found 'v', expected one of KQRBNP"),
        ("KQvvKR", "material \"KQvvKR\": found 'v', expected one of KQRBNP"),
        ("KQ KR", "material \"KQ KR\": found ' ', expected one of KQRBNP"),
        ("K\u{7}K", "material \"KK\": found '\u{fffd}', expected one of KQRBNP"),
        ("", "material \"\" needs two kings, one at the start of each side, as in KQKR"),
        ("K", "material \"K\" needs two kings, one at the start of each side, as in KQKR"),
        ("KQ", "material \"KQ\" needs two kings, one at the start of each side, as in KQKR"),
        ("KQv", "material \"KQv\" needs two kings, one at the start of each side, as in KQKR"),
        ("QKKR", "material \"QKKR\" needs two kings, one at the start of each side, as in KQKR"),
        ("KQvRK", "material \"KQvRK\" needs two kings, one at the start of each side, as in KQKR"),
        ("KKK", "material \"KKK\" needs two kings, one at the start of each side, as in KQKR"),
        ("KQRKQRP", "material \"KQRKQRP\" has 7 men; tables of more than 6 men cannot be made"),
    ] {
        assert_eq!(parsed(text).expect_err(text).to_string(), expected);
    }
    let long = parsed(&format!("K{}", "Q".repeat(10_000))).expect_err("one king").to_string();
    assert!(long.len() < 150, "{long}");
}

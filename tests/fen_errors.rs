//! Reading FENs: every fault has its own message, what is written reads back the same, and no text panics.

#[path = "common/random.rs"]
mod random;

use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::position::{Fen, FenError, IllegalPosition};
use random::Rng;

fn variant(name: &str) -> Variant {
    Variant::named(name).expect("a built-in variant")
}

fn error(name: &str, fen: &str) -> FenError {
    Fen::parse(&variant(name), fen).expect_err(fen)
}

/// The message for a FEN that stands in a table of faults.
fn message(name: &str, fen: &str) -> String {
    error(name, fen).to_string()
}

const KINGS: &str = "1/3/5/7/9/11/5k5/11/11/5K5/11";

#[test]
fn a_wrong_number_of_fields_says_which_fields_there_are() {
    let names = "board, side to move, en passant, and optionally half-move clock and move number";
    for (fen, found) in [
        ("", 0),
        (KINGS, 1),
        (&format!("{KINGS} w"), 2),
        (&format!("{KINGS} w - 0"), 4),
        (&format!("{KINGS} w - 0 1 x"), 6),
    ] {
        assert!(matches!(error("glinski", fen), FenError::Fields { .. }));
        assert_eq!(message("glinski", fen), format!("FEN: expected 3 or 5 fields ({names}), found {found}"));
    }
    let names = "board, side to move, castling, en passant, and optionally half-move clock and move number";
    assert_eq!(
        message("orthodox", "8/8/8/4k3/8/4K3/8/8 w -"),
        format!("FEN: expected 4 or 6 fields ({names}), found 3")
    );
}

#[test]
fn a_wrong_number_of_ranks_says_how_many_there_are() {
    assert!(matches!(error("glinski", "1/3/5 w -"), FenError::RankCount { found: 3, expected: 11 }));
    assert_eq!(message("glinski", "1/3/5 w -"), "FEN: expected 11 ranks separated by '/', found 3");
    let fen = "8/8/8/4k3/8/4K3/8/8/8 w - -";
    assert_eq!(message("orthodox", fen), "FEN: expected 8 ranks separated by '/', found 9");
}

#[test]
fn faults_inside_a_rank_name_the_rank_the_character_and_what_was_expected() {
    let cases = [
        (
            "1/3/5/2x4/9/11/5k5/11/11/5K5/11",
            "FEN: rank 8, character 2: found 'x', expected a letter of KkQqRrBbNnPp or a number from 1 to 5",
        ),
        (
            "1/3/5/7/9/11/5k5/11/11/5K\u{7}4/11",
            "FEN: rank 2, character 3: found '\u{fffd}', expected a letter of KkQqRrBbNnPp or a number from 1 to 5",
        ),
        (
            "1/3/5/7/9/11/5k5/11/11/5Ké4/11",
            "FEN: rank 2, character 3: found 'é', expected a letter of KkQqRrBbNnPp or a number from 1 to 5",
        ),
        (
            "1R/3/5/7/9/11/5k5/11/11/5K5/11",
            "FEN: rank 11, character 2: found 'R' after the rank's 1 cells, expected '/'",
        ),
        (
            "1/3/5/7/9/11/5k5/11/11/5K5/11\u{1b}",
            "FEN: rank 1, character 3: found '\u{fffd}' after the rank's 11 cells, expected a blank",
        ),
        (
            "1/3/5/7/9/11/5k6/11/11/5K5/11",
            "FEN: rank 5, character 3: found 6 empty cells, expected a number from 1 to 5",
        ),
        (
            "1/3/5/7/9/11/5k5/11/11/5K5/12",
            "FEN: rank 1, character 1: found 12 empty cells, expected a number from 1 to 11",
        ),
        (
            "1/3/5/7/9/11/5k0/11/11/5K5/11",
            "FEN: rank 5, character 3: found 0 empty cells, expected a number from 1 to 5",
        ),
        (
            "1/3/5/7/9/11/5k05/11/11/5K5/11",
            "FEN: rank 5, character 3: found 05 empty cells, expected a number from 1 to 5",
        ),
        ("1/3/4/7/9/11/5k5/11/11/5K5/11", "FEN: rank 9 ends after 4 cells, expected 5"),
        ("1/3/5/7/9/11/5k5/11/11/5K5/", "FEN: rank 1 ends after 0 cells, expected 11"),
    ];
    for (board, expected) in cases {
        assert_eq!(message("glinski", &format!("{board} w - 0 1")), expected);
    }
    let kind = |i: usize| error("glinski", &format!("{} w -", cases[i].0));
    assert!(matches!(kind(0), FenError::Character { rank: 8, column: 2, found: 'x', room: 5, .. }));
    assert!(matches!(kind(3), FenError::RankFull { rank: 11, column: 2, found: 'R', cells: 1, .. }));
    assert!(matches!(kind(5), FenError::Run { rank: 5, column: 3, room: 5, .. }));
    assert!(matches!(kind(9), FenError::RankShort { rank: 9, found: 4, expected: 5 }));
}

#[test]
fn faults_of_the_other_fields_show_what_was_found_and_expected() {
    for (fields, expected) in [
        ("W - 0 1", "FEN: side to move: found \"W\", expected w or b"),
        ("w z9 0 1", "FEN: en passant field: found \"z9\", expected - or a cell such as b6"),
        ("b z9 0 1", "FEN: en passant field: found \"z9\", expected - or a cell such as b2"),
        ("w b6b6 0 1", "FEN: en passant field: found \"b6b6\", expected - or a cell such as b6"),
        ("w -- 0 1", "FEN: en passant field: found \"--\", expected - or a cell such as b6"),
        ("w - -1 1", "FEN: half-move clock: found \"-1\", expected a whole number up to 4294967295"),
        ("w - 0 4294967296", "FEN: move number: found \"4294967296\", expected a whole number up to 4294967295"),
    ] {
        assert_eq!(message("glinski", &format!("{KINGS} {fields}")), expected);
    }
    assert_eq!(
        message("orthodox", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        "FEN: castling field: found \"K\", expected - (tables hold no castling rights)"
    );
    let long = "x".repeat(1_000);
    let shown = format!("FEN: side to move: found \"{}…\", expected w or b", "x".repeat(39));
    assert_eq!(message("glinski", &format!("{KINGS} {long} -")), shown);
}

#[test]
fn illegal_positions_say_why() {
    for (fen, expected) in [
        ("1/3/5/7/9/11/5k5/11/11/11/11 w -", "White has no king; each side needs exactly one"),
        ("1/3/5/7/9/11/11/11/11/5K5/11 w -", "Black has no king; each side needs exactly one"),
        ("1/3/5/7/9/11/5k5/11/11/5KK4/11 w -", "White has 2 kings; each side needs exactly one"),
        ("k/3/5/7/9/11/5k5/11/11/5K5/10k w -", "Black has 3 kings; each side needs exactly one"),
        ("P/3/5/7/9/11/5k5/11/11/5K5/11 w -", "a white pawn cannot stand on f11"),
        ("1/3/5/7/9/11/11/5P5/4k6/11/5K5 w -", "a white pawn cannot stand on f4"),
        ("1/3/5/7/9/11/5k5/11/11/5K5/5p5 w -", "a black pawn cannot stand on f1"),
        (
            "1/3/5/7/9/11/5k5/11/11/5R4K/11 w -",
            "Black is in check but it is White's turn; the side that has just moved cannot be in check",
        ),
        (
            "1/3/5/7/9/11/11/11/11/5k5/5K5 b -",
            "White is in check but it is Black's turn; the side that has just moved cannot be in check",
        ),
    ] {
        assert!(matches!(error("glinski", fen), FenError::Illegal(_)), "{fen}");
        assert_eq!(message("glinski", fen), format!("illegal position: {expected}"));
    }
}

#[test]
fn a_wrong_en_passant_cell_says_what_is_wrong_with_it() {
    let no_pass = "no pawn of the side that has just moved passes over it from a start cell";
    for (name, fen, cell, reason) in [
        // Black has just moved f7f5: f6 was skipped.
        ("glinski", "1/3/5/7/9/11/5p5/11/11/5K5/k10 w f7", "f7", no_pass),
        ("glinski", "1/3/5/7/9/11/5p5/11/11/5K5/k10 w f4", "f4", no_pass),
        ("glinski", "1/3/5/7/9/11/5p5/11/11/5K5/k10 b f6", "f6", "the start cell behind it is occupied"),
        ("glinski", "1/3/5/7/9/11/5p5/11/11/5K5/k10 w e6f6", "e6f6", no_pass),
        ("glinski", "1/3/5/7/9/5N5/5p5/11/11/5K5/k10 w f6", "f6", "it is occupied"),
        ("glinski", "1/3/5/7/4n4/11/5p5/11/11/5K5/k10 w f6", "f6", "the start cell behind it is occupied"),
        ("glinski", "1/3/5/7/9/11/5P5/11/11/5K5/k10 w f6", "f6", "no enemy pawn stands beyond it"),
        ("glinski", "1/3/5/7/9/11/5q5/11/11/11/k9K w f6", "f6", "no enemy pawn stands beyond it"),
        ("mccooey", "1/3/5/7/9/5p5/11/11/11/5K5/k10 w f7", "f7", no_pass),
        ("orthodox", "8/8/8/4p3/8/8/8/K6k w - e5", "e5", "it is occupied"),
        ("orthodox", "8/8/8/4p3/8/8/8/K6k w - e3", "e3", no_pass),
        ("orthodox", "8/4n3/8/4p3/8/8/8/K6k w - e6", "e6", "the start cell behind it is occupied"),
        ("orthodox", "8/8/8/4p3/8/8/8/K6k w - d6", "d6", "no enemy pawn stands beyond it"),
    ] {
        let expected = IllegalPosition::EnPassant { cell: cell.to_string(), reason };
        assert_eq!(error(name, fen), FenError::Illegal(expected), "{fen}");
        let text = format!("illegal position: wrong en passant cell {cell}: {reason}");
        assert_eq!(message(name, fen), text);
    }
}

#[test]
fn a_right_en_passant_cell_that_nobody_can_capture_on_is_accepted() {
    for (name, fen) in [
        ("glinski", "1/3/5/7/9/11/5p5/11/11/5K5/k10 w f6 0 1"),
        ("glinski", "1/3/5/7/9/11/11/11/1P8k/5K5/11 b b2 0 1"),
        ("glinski", "1/3/5/7/9/11/1p9/11/9k1/5K5/11 w b6 0 1"),
        ("mccooey", "1/3/5/7/9/4p6/11/11/11/5K5/k10 w e7 0 1"),
        ("orthodox", "8/8/8/4p3/8/8/8/K6k w - e6 0 1"),
    ] {
        let v = variant(name);
        let read = Fen::parse(&v, fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert!(read.position.en_passant().is_some());
        assert_eq!(read.write(&v), fen);
        let mut without = read.position;
        without.set_en_passant(None);
        assert_eq!(read.position.legal_moves(&v), without.legal_moves(&v));
    }
}

#[test]
fn clocks_are_read_kept_and_optional() {
    let v = variant("glinski");
    let long = Fen::parse(&v, &format!("{KINGS} b - 49 117")).expect("legal");
    assert_eq!((long.halfmove_clock, long.move_number), (49, 117));
    assert_eq!(long.write(&v), format!("{KINGS} b - 49 117"));
    let short = Fen::parse(&v, &format!("  {KINGS}\tb  -\n")).expect("legal");
    assert_eq!((short.halfmove_clock, short.move_number), (0, 1));
    assert_eq!(short.position, long.position);
    assert_eq!(short.position.turn(), Color::Black);
}

#[test]
fn what_is_written_reads_back_the_same() {
    for (seed, name) in ["glinski", "mccooey", "orthodox", "glinski-3"].iter().enumerate() {
        let v = variant(name);
        for position in random::mixed(&v, 40 + seed as u64, 4..=20).take(1_500) {
            let text = position.fen(&v);
            let read = Fen::parse(&v, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(read, Fen::of(position), "{text}");
            assert_eq!(read.write(&v), text);
        }
    }
}

const LIKELY: &[char] = &['/', ' ', '-', '1', '0', '9', 'K', 'k', 'P', 'p', 'w', 'f', '\u{0}', '\u{1b}', 'é', '王'];

/// A text of a few random characters: of FENs, of control characters, of any plane of Unicode.
fn garbage(rng: &mut Rng) -> String {
    let length = 1 + rng.below(6);
    (0..length)
        .map(|_| match rng.below(4) {
            0 => char::from_u32(rng.below(0x11_0000) as u32).unwrap_or('\u{fffd}'),
            1 => rng.below(128) as u8 as char,
            _ => LIKELY[rng.below(LIKELY.len())],
        })
        .collect()
}

/// A FEN with one character exchanged, or a stretch replaced by garbage.
fn damaged(fen: &str, rng: &mut Rng) -> String {
    let mut characters: Vec<char> = fen.chars().collect();
    let from = rng.below(characters.len());
    if rng.below(2) == 0 {
        characters[from] = LIKELY[rng.below(LIKELY.len())];
    } else {
        let to = (from + rng.below(4)).min(characters.len());
        characters.splice(from..to, garbage(rng).chars());
    }
    characters.into_iter().collect()
}

#[test]
fn no_text_panics_and_messages_stay_short_and_printable() {
    let mut rng = Rng(50);
    for name in ["glinski", "mccooey", "orthodox"] {
        let v = variant(name);
        let mut fens = random::mixed(&v, 51, 4..=10).map(|p| p.fen(&v));
        let (mut accepted, mut refused) = (0, 0);
        let mut check = |text: &str| match Fen::parse(&v, text) {
            Ok(read) => {
                accepted += 1;
                assert_eq!(Fen::parse(&v, &read.write(&v)), Ok(read), "{text:?}");
                read.position.legal_moves(&v);
            }
            Err(e) => {
                refused += 1;
                let message = e.to_string();
                let fits = message.chars().count() < 300 && !message.chars().any(char::is_control);
                assert!(fits, "{text:?} gives {message:?}");
            }
        };
        for _ in 0..20_000 {
            check(&damaged(&fens.next().expect("endless"), &mut rng));
            check(&garbage(&mut rng));
        }
        for _ in 0..2_000 {
            let bytes: Vec<u8> = (0..rng.below(80)).map(|_| rng.next() as u8).collect();
            check(&String::from_utf8_lossy(&bytes));
        }
        for unit in ["1", "9", "/", "k", "é", " ", "w - ", "f6", "\u{0}"] {
            let long = unit.repeat(100_000);
            check(&long);
            check(&format!("{KINGS} w {long}"));
            check(&format!("{KINGS} {long} -"));
            check(&format!("{KINGS} w - {long} 1"));
            check(&format!("{long}{KINGS} w - 0 1"));
        }
        assert!(refused > 30_000 && accepted > 400, "{accepted} accepted, {refused} refused");
    }
}

#[test]
fn material_names_and_moves_never_panic_on_garbage() {
    let v = variant("glinski");
    let position = Fen::parse(&v, v.description().start.as_ref().expect("a start")).expect("legal").position;
    let mut rng = Rng(52);
    for _ in 0..5_000 {
        let text = garbage(&mut rng);
        let material = Material::parse(&v, &text).map(|_| ()).map_err(|e| e.to_string());
        let mv = position.parse_move(&v, &text).map(|_| ()).map_err(|e| e.to_string());
        for message in [material.err(), mv.err()].into_iter().flatten() {
            assert!(message.chars().count() < 300 && !message.chars().any(char::is_control), "{text:?}: {message:?}");
        }
    }
}

//! Moves as text: each legal move has one from-to form and one algebraic form, and both read back.

#[path = "common/random.rs"]
mod random;

use hextb::geometry::Variant;
use hextb::position::{Fen, Position, Refusal};
use std::collections::BTreeSet;

fn variant(name: &str) -> Variant {
    Variant::named(name).expect("a built-in variant")
}

fn position(variant: &Variant, fen: &str) -> Position {
    Fen::parse(variant, fen).unwrap_or_else(|e| panic!("{fen}: {e}")).position
}

#[test]
fn every_legal_move_reads_back_from_both_forms_and_no_form_means_two_moves() {
    for (seed, name) in ["glinski", "mccooey", "orthodox"].iter().enumerate() {
        let v = variant(name);
        let mut told_apart = 0;
        for position in random::mixed(&v, 60 + seed as u64, 3..=12).take(800) {
            let fen = position.fen(&v);
            let legal = position.legal_moves(&v);
            let mut forms = BTreeSet::new();
            for mv in &legal {
                let (from_to, san) = (mv.from_to(&v), position.san(&v, mv));
                assert_eq!(san, position.san_among(&v, mv, &legal));
                assert_eq!(position.parse_move(&v, &san), Ok(*mv), "{san} in {fen}");
                assert_eq!(position.parse_move(&v, &from_to), Ok(*mv), "{from_to} in {fen}");
                let stem = san.trim_end_matches(['+', '#', '=']);
                assert_eq!(position.parse_move(&v, stem), Ok(*mv), "{stem} in {fen}");
                let shortest = format!("{}{}", v.letter(mv.role), v.board().name(mv.to));
                told_apart += usize::from(mv.role != v.pawn() && stem.replace('x', "") != shortest);
                assert!(forms.insert(san.clone()) && forms.insert(from_to), "{san} twice in {fen}");
            }
        }
        assert!(told_apart > 100, "{name}: only {told_apart} moves named their origin");
    }
}

#[test]
fn the_last_mark_tells_check_mate_and_stalemate() {
    for (seed, name) in ["glinski", "orthodox"].iter().enumerate() {
        let v = variant(name);
        let mut seen = [0; 4];
        for position in random::pawnless(&v, 70 + seed as u64, 3..=6).take(3_000) {
            for mv in position.legal_moves(&v) {
                let after = position.after(&v, &mv);
                let (check, stuck) = (after.in_check(&v, after.turn()), after.legal_moves(&v).is_empty());
                let (kind, mark) = match (check, stuck) {
                    (false, false) => (0, None),
                    (true, false) => (1, Some('+')),
                    (true, true) => (2, Some('#')),
                    (false, true) => (3, Some('=')),
                };
                let last = position.san(&v, &mv).chars().last().filter(|c| "+#=".contains(*c));
                assert_eq!(last, mark, "{} in {}", mv.from_to(&v), position.fen(&v));
                seen[kind] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 20), "{name}: {seen:?}");
    }
}

#[test]
fn known_moves_are_written_as_expected() {
    for (name, fen, from_to, san) in [
        ("glinski", "1/3/5/4k2/9/11/11/11/1K4B4/1Q9/11 w - 0 1", "b2e5", "Qe5+"),
        ("glinski", "1/3/5/7/9/11/11/11/10K/4Q6/10k w - 0 1", "e2e5", "Qe5="),
        ("glinski", "1/1P1/5/k6/3K5/11/1Q9/11/11/11/11 w - 0 1", "f10f11q", "f11=Q#"),
        ("glinski", "1/1P1/5/7/9/11/11/11/5K5/11/5k5 w - 0 1", "f10f11q", "f11=Q="),
        ("glinski", "1/1P1/5/7/9/k9K/11/11/7p3/11/11 w - 0 1", "f10f11q", "f11=Q+"),
        ("glinski", "1/3/5/7/9/11/11/11/9R1/3K7/5k5 w - 0 1", "d2f3", "Kf3="),
        ("glinski", "1/3/5/7/9/11/4Pp5/11/11/5K5/k10 w f6 0 1", "e5f6", "exf6"),
        ("glinski", "1/3/5/7/9/11/11/11/11/5K5/k1N5N2 w - 0 1", "c1f3", "Ncf3"),
        ("orthodox", "8/8/8/8/4Q2Q/k7/8/2K4Q w - - 0 1", "h4e1", "Qh4e1"),
        ("orthodox", "8/8/8/8/7Q/k7/8/2K4Q w - - 0 1", "h4e1", "Q4e1"),
        ("orthodox", "8/8/8/8/4Q2Q/k7/8/2K5 w - - 0 1", "h4e1", "Qhe1"),
        ("orthodox", "8/8/8/3pP3/8/k7/8/2K5 w - d6 0 1", "e5d6", "exd6"),
        ("orthodox", "k2r4/2P5/8/8/8/8/8/2K5 w - - 0 1", "c7d8n", "cxd8=N"),
    ] {
        let v = variant(name);
        let p = position(&v, fen);
        let mv = p.parse_move(&v, from_to).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert_eq!((mv.from_to(&v).as_str(), p.san(&v, &mv).as_str()), (from_to, san), "{fen}");
    }
}

#[test]
fn texts_that_are_no_legal_move_are_refused_and_shown_harmless() {
    let v = variant("glinski");
    let p = position(&v, "1/1P1/5/k6/3K5/11/1Q9/11/11/11/11 w - 0 1");
    let long = "Q".repeat(500);
    for text in ["", "f11", "f10f11", "f10f11k", "f11=K", "Kf1", "b5", "F11=Q", "Qb5", "e4e5\u{7}", &long] {
        let refusal = p.parse_move(&v, text).expect_err(text);
        let shown: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
        assert_eq!(refusal.text, shown);
        assert!(refusal.to_string().starts_with(&format!("\"{shown}\" is not a legal move here: ")), "{refusal}");
    }
}

#[test]
fn a_form_that_does_not_say_which_man_moves_is_refused_with_those_it_may_be() {
    let v = variant("orthodox");
    let p = position(&v, "8/8/8/8/4Q2Q/k7/8/2K5 w - - 0 1");
    for text in ["Qe1", "Qe1+", "Qe1!?"] {
        let refusal = p.parse_move(&v, text).expect_err(text).to_string();
        assert_eq!(refusal, format!("\"{text}\" is not a legal move here: it is ambiguous: Qee1 or Qhe1"));
    }
    assert!(p.parse_move(&v, "Qhe1").is_ok() && p.parse_move(&v, "Qee1").is_ok());
    assert!(matches!(p.parse_move(&v, "Qde1").unwrap_err().reason, Refusal::OutOfReach { .. }));
}

#[test]
fn moves_are_ordered_by_from_cell_to_cell_and_promotion_in_the_order_q_r_b_n() {
    let v = variant("glinski");
    let p = position(&v, "1/1P1/5/k6/3K5/11/1Q9/11/11/11/11 w - 0 1");
    let mut moves = p.legal_moves(&v);
    moves.sort_by_key(|m| m.order_key(&v));
    let texts: Vec<String> = moves.iter().map(|m| m.from_to(&v)).collect();
    let promotions: Vec<&str> = texts.iter().map(String::as_str).filter(|t| t.starts_with("f10")).collect();
    assert_eq!(promotions, ["f10f11q", "f10f11r", "f10f11b", "f10f11n"]);
    assert!(moves.is_sorted_by_key(|m| (m.from, m.to)));
}

//! Facts of the rules that can be checked one by one: cells, lines, lists of moves, counts.

use hextb::geometry::{Cell, CellSet, Color, Man, Role, Variant};
use hextb::position::{Fen, IllegalPosition, Move, MoveKind, Position, legality};
use std::collections::BTreeSet;

fn variant(name: &str) -> Variant {
    Variant::named(name).expect("a built-in variant")
}

fn position(variant: &Variant, fen: &str) -> Position {
    Fen::parse(variant, fen).unwrap_or_else(|e| panic!("{fen}: {e}")).position
}

fn cell(variant: &Variant, name: &str) -> Cell {
    variant.board().cell_named(name).unwrap_or_else(|| panic!("no cell {name}"))
}

fn names(variant: &Variant, cells: impl IntoIterator<Item = Cell>) -> BTreeSet<String> {
    cells.into_iter().map(|c| variant.board().name(c).to_string()).collect()
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(' ').map(str::to_string).collect()
}

/// A position from men such as `Ke1` (White) and `ke8` (Black).
fn with_men(variant: &Variant, men: &str, turn: Color) -> Position {
    let mut position = Position::empty(turn);
    for man in men.split(' ') {
        let letter = man.chars().next().expect("a letter");
        let role = variant.role_with_letter(letter.to_ascii_uppercase()).expect("a man");
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        position.put(Man { color, role }, cell(variant, &man[1..]));
    }
    legality::check_men(variant, &position).unwrap_or_else(|e| panic!("{men}: {e}"));
    position
}

fn moves_from(variant: &Variant, position: &Position, from: &str) -> Vec<Move> {
    let from = cell(variant, from);
    position.legal_moves(variant).into_iter().filter(|m| m.from == from).collect()
}

fn targets(variant: &Variant, position: &Position, from: &str) -> BTreeSet<String> {
    names(variant, moves_from(variant, position, from).iter().map(|m| m.to))
}

fn play(variant: &Variant, position: &Position, moves: &str) -> Position {
    moves.split(' ').fold(*position, |p, text| {
        let mv = p.parse_move(variant, text).unwrap_or_else(|e| panic!("{e}"));
        p.after(variant, &mv)
    })
}

fn empty_board_attacks(variant: &Variant, letter: char, from: &str) -> CellSet {
    let role = variant.role_with_letter(letter).expect("a man");
    variant.attacks(role, cell(variant, from), CellSet::EMPTY)
}

fn start(variant: &Variant) -> Position {
    position(variant, variant.description().start.as_ref().expect("a start array"))
}

fn king_pairs(variant: &Variant) -> Vec<[Cell; 2]> {
    let mut pairs = vec![];
    for white in variant.board().cells() {
        let touched = variant.movement(Role::KING).steps[white.index()];
        let apart = variant.board().cells().filter(|&c| c != white && !touched.contains(c));
        pairs.extend(apart.map(|black| [white, black]));
    }
    pairs
}

#[test]
fn the_board_has_91_cells_in_classes_of_30_30_and_31() {
    for name in ["glinski", "mccooey"] {
        let v = variant(name);
        assert_eq!(v.board().cell_count(), 91);
        let count = |class: &str| {
            v.board().cells().filter(|&c| v.board().colour_names()[v.board().colour(c) as usize] == class).count()
        };
        assert_eq!([count("light"), count("dark"), count("medium")], [30, 30, 31]);
        assert_eq!(v.board().colour_names()[v.board().colour(cell(&v, "f6")) as usize], "medium");
        assert_eq!(v.board().coordinates(cell(&v, "f6")), [0, 0]);
        let files: Vec<usize> = "abcdefghikl"
            .chars()
            .map(|f| v.board().cells().filter(|&c| v.board().file_letter(c) == f).count())
            .collect();
        assert_eq!(files, [6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6]);
    }
}

#[test]
fn a_bishop_never_leaves_its_colour_class() {
    let v = variant("glinski");
    for from in v.board().cells() {
        let attacked = v.attacks(v.role_with_letter('B').expect("a bishop"), from, CellSet::EMPTY);
        assert!(!attacked.is_empty());
        assert!(attacked.iter().all(|to| v.board().colour(to) == v.board().colour(from)));
    }
}

#[test]
fn sliders_on_f6_attack_30_12_and_42_cells_of_an_empty_board() {
    let v = variant("glinski");
    assert_eq!(['R', 'B', 'Q'].map(|letter| empty_board_attacks(&v, letter, "f6").len()), [30, 12, 42]);
    assert_eq!(empty_board_attacks(&v, 'K', "f6").len(), 12);
}

#[test]
fn the_known_lines_and_diagonals_pass_through_f6() {
    let v = variant("glinski");
    let centre = cell(&v, "f6");
    let ends = |letter: char| -> BTreeSet<String> {
        let movement = v.movement(v.role_with_letter(letter).expect("a slider"));
        let lines = movement.slides.iter().flat_map(|&d| &v.directions()[d].lines);
        lines
            .filter(|line| line.contains(&centre))
            .map(|line| format!("{}-{}", v.board().name(line[0]), v.board().name(line[line.len() - 1])))
            .collect()
    };
    assert_eq!(ends('R'), words("a6-l1 l1-a6 f1-f11 f11-f1 a1-l6 l6-a1"));
    assert_eq!(ends('B'), words("b4-k4 k4-b4 d2-h8 h8-d2 h2-d8 d8-h2"));
}

#[test]
fn a_knight_on_f6_reaches_its_twelve_cells_and_one_on_f5_does_not() {
    let v = variant("glinski");
    let listed = words("c4 c5 d3 d7 e3 e8 g3 g8 h3 h7 i4 i5");
    assert_eq!(names(&v, empty_board_attacks(&v, 'N', "f6")), listed);
    assert_ne!(names(&v, empty_board_attacks(&v, 'N', "f5")), listed);
}

#[test]
fn the_pawn_on_b5_captures_on_a5_and_c6() {
    let v = variant("glinski");
    assert_eq!(names(&v, v.pawn_rules(Color::White).captures[cell(&v, "b5").index()]), words("a5 c6"));
    let p = with_men(&v, "Kf1 kf11 Pb5 na5 nc6 nb4 nc5 na4", Color::White);
    assert_eq!(targets(&v, &p, "b5"), words("a5 b6 c6"));
}

#[test]
fn twelve_symmetries_make_twelve_orbits_and_two_of_them_keep_pawns() {
    for name in ["glinski", "mccooey"] {
        let v = variant(name);
        assert_eq!((v.symmetries().len(), v.pawn_symmetries().len()), (12, 2));
        let orbits: BTreeSet<CellSet> =
            v.board().cells().map(|c| v.symmetries().iter().map(|s| s.apply(c)).collect()).collect();
        assert_eq!(orbits.len(), 12);
        assert!(v.symmetries()[0].is_identity());
        let mirror = &v.symmetries()[v.pawn_symmetries()[1]];
        assert_eq!(v.board().name(mirror.apply(cell(&v, "b3"))), "k3");
    }
}

#[test]
fn kings_that_do_not_touch_stand_on_7290_ordered_pairs_of_cells() {
    assert_eq!(king_pairs(&variant("glinski")).len(), 7290);
}

#[test]
fn bare_kings_have_7290_legal_positions_and_6_stalemates_a_side() {
    let v = variant("glinski");
    for turn in Color::BOTH {
        let (mut legal, mut stalemates, mut mates) = (0, 0, 0);
        for white in v.board().cells() {
            for black in v.board().cells().filter(|&c| c != white) {
                let mut p = Position::empty(turn);
                p.put(Man { color: Color::White, role: Role::KING }, white);
                p.put(Man { color: Color::Black, role: Role::KING }, black);
                if legality::check_men(&v, &p).is_ok() {
                    legal += 1;
                    stalemates += usize::from(p.is_stalemate(&v));
                    mates += usize::from(p.is_checkmate(&v));
                }
            }
        }
        assert_eq!((legal, stalemates, mates), (7290, 6, 0));
    }
    let p = with_men(&v, "Kf1 kf3", Color::White);
    assert!(p.is_stalemate(&v) && !p.is_checkmate(&v));
    let p = with_men(&v, "Kf1 kf3", Color::Black);
    assert!(!p.is_stalemate(&v));
}

#[test]
fn stalemate_pays_three_quarters_in_glinskis_game_only() {
    assert_eq!(["glinski", "mccooey", "orthodox"].map(|n| variant(n).stalemate_points()), [0.75, 0.5, 0.5]);
}

#[test]
fn the_start_position_has_51_2586_137858_and_7282418_leaf_moves() {
    let v = variant("glinski");
    let start = start(&v);
    assert_eq!([1, 2, 3, 4].map(|depth| start.perft(&v, depth)), [51, 2_586, 137_858, 7_282_418]);
}

#[test]
fn glinskis_pawns_start_and_promote_on_the_listed_cells() {
    let v = variant("glinski");
    let (white, black) = (v.pawn_rules(Color::White), v.pawn_rules(Color::Black));
    assert_eq!(names(&v, white.start), words("b1 c2 d3 e4 f5 g4 h3 i2 k1"));
    assert_eq!(names(&v, black.start), words("b7 c7 d7 e7 f7 g7 h7 i7 k7"));
    assert_eq!(names(&v, white.promotion), words("a6 b7 c8 d9 e10 f11 g10 h9 i8 k7 l6"));
    assert_eq!(names(&v, black.promotion), words("a1 b1 c1 d1 e1 f1 g1 h1 i1 k1 l1"));
    assert_eq!([white.placement.len(), black.placement.len()], [64, 64]);
}

#[test]
fn row_seven_of_the_start_array_holds_blacks_pawns() {
    let v = variant("glinski");
    let start = start(&v);
    let black = start.men(Color::Black, v.pawn());
    assert_eq!(black, v.pawn_rules(Color::Black).start);
    assert!(black.iter().all(|c| v.board().rank(c) == 7));
    assert_eq!(start.men(Color::White, v.pawn()), v.pawn_rules(Color::White).start);
}

#[test]
fn mccooeys_pawns_start_on_seven_cells_and_stand_on_65() {
    let v = variant("mccooey");
    let (white, black) = (v.pawn_rules(Color::White), v.pawn_rules(Color::Black));
    assert_eq!(names(&v, white.start), words("c1 d2 e3 f4 g3 h2 i1"));
    assert_eq!(black.start, v.colour_swap().apply_set(white.start));
    assert_eq!(names(&v, black.start), words("c8 d8 e8 f8 g8 h8 i8"));
    assert_eq!(white.promotion, variant("glinski").pawn_rules(Color::White).promotion);
    assert_eq!([white.placement.len(), black.placement.len()], [65, 65]);
}

#[test]
fn mccooeys_pawns_capture_diagonally_forward() {
    let v = variant("mccooey");
    assert_eq!(names(&v, v.pawn_rules(Color::White).captures[cell(&v, "f6").index()]), words("e7 g7"));
    assert_eq!(names(&v, v.pawn_rules(Color::Black).captures[cell(&v, "f6").index()]), words("e4 g4"));
}

#[test]
fn in_mccooeys_game_every_pawn_but_that_of_the_f_file_has_a_double_step() {
    let v = variant("mccooey");
    for color in Color::BOTH {
        for from in v.pawn_rules(color).start {
            let mut p = with_men(&v, "Ka1 kl6", color);
            p.put(Man { color, role: v.pawn() }, from);
            let reached = moves_from(&v, &p, v.board().name(from)).len();
            assert_eq!(reached, if v.board().file_letter(from) == 'f' { 1 } else { 2 });
        }
    }
}

#[test]
fn a_pawn_that_captures_onto_another_start_cell_may_double_step_from_there() {
    let v = variant("glinski");
    let p = with_men(&v, "Kf1 kf11 Pf5 ne5 re4", Color::White);
    assert_eq!(targets(&v, &p, "f5"), words("e5 f6 f7"));
    let p = with_men(&v, "Kf1 ka3 Pc2 nd3 rl6", Color::White);
    let p = play(&v, &p, "c2d3 l6l5");
    assert_eq!(targets(&v, &p, "d3"), words("d4 d5"));
    let p = play(&v, &p, "d3d5");
    assert_eq!(p.en_passant().map(|e| names(&v, e.skipped)), Some(words("d4")));
}

#[test]
fn a_double_step_needs_both_cells_empty() {
    let v = variant("glinski");
    assert_eq!(targets(&v, &with_men(&v, "Kf1 kf11 Pb1", Color::White), "b1"), words("b2 b3"));
    assert_eq!(targets(&v, &with_men(&v, "Kf1 kf11 Pb1 nb3", Color::White), "b1"), words("b2"));
    assert_eq!(targets(&v, &with_men(&v, "Kf1 kf11 Pb1 nb2", Color::White), "b1"), BTreeSet::new());
    assert_eq!(targets(&v, &with_men(&v, "Kf1 kf11 Pb2", Color::White), "b2"), words("b3"));
}

#[test]
fn every_double_step_can_be_taken_en_passant_on_the_next_move_and_never_later() {
    for name in ["glinski", "mccooey", "orthodox"] {
        let v = variant(name);
        let corners = if name == "orthodox" { ["Ka1 kh8", "Kh1 ka8"] } else { ["Ka1 kl6", "Kl1 ka6"] };
        let mut seen = 0;
        for color in Color::BOTH {
            let rules = v.pawn_rules(color);
            for from in rules.placement {
                let Some(path) = rules.paths[from.index()].iter().find(|p| p.len() == 2) else { continue };
                let takers = v.pawn_rules(color.other()).captured_from[path[0].index()];
                for taker in takers.iter().filter(|&c| v.pawn_rules(color.other()).placement.contains(c)) {
                    seen += 1;
                    let start = |kings: &&str| {
                        let mut p = with_men(&v, kings, color);
                        p.put(Man { color, role: v.pawn() }, from);
                        p.put(Man { color: color.other(), role: v.pawn() }, taker);
                        p
                    };
                    let calm = |p: &Position| !Color::BOTH.iter().any(|&c| p.in_check(&v, c));
                    let p = corners.iter().map(start).find(calm).expect("one pair of kings is not attacked");
                    let double = format!("{}{}", v.board().name(from), v.board().name(path[1]));
                    let capture = format!("{}{}", v.board().name(taker), v.board().name(path[0]));
                    let p = play(&v, &p, &double);
                    let mv = p.parse_move(&v, &capture).unwrap_or_else(|e| panic!("{}: {e}", p.fen(&v)));
                    assert_eq!((mv.kind, mv.captured), (MoveKind::EnPassant, Some(v.pawn())));
                    assert_eq!(p.after(&v, &mv).men(color, v.pawn()), CellSet::EMPTY);
                    let quiet = |p: Position| {
                        let moves = p.legal_moves(&v);
                        let mv = moves.iter().find(|m| m.role == Role::KING && m.kind == MoveKind::Quiet);
                        p.after(&v, mv.expect("the king can move"))
                    };
                    let later = quiet(quiet(p));
                    assert_eq!(later.men(color.other(), v.pawn()), taker.set());
                    assert!(later.parse_move(&v, &capture).is_err(), "{}", later.fen(&v));
                }
            }
        }
        assert_eq!(
            seen,
            match name {
                "orthodox" => 28,
                "glinski" => 36,
                _ => 24,
            },
            "{name}"
        );
    }
}

#[test]
fn a_pawn_promotes_at_once_to_four_roles_on_every_listed_cell() {
    for name in ["glinski", "mccooey", "orthodox"] {
        let v = variant(name);
        let letters: String = v.promotions().iter().map(|&r| v.letter(r)).collect();
        assert_eq!(letters, "QRBN");
        let mut reached: [CellSet; 2] = [CellSet::EMPTY; 2];
        for color in Color::BOTH {
            let rules = v.pawn_rules(color);
            for from in rules.placement {
                let mut p = Position::empty(color);
                p.put(Man { color, role: v.pawn() }, from);
                // No kings: they could stand in the way. Enemy knights to take on every capture cell.
                let knight = v.role_with_letter('N').expect("a knight");
                rules.captures[from.index()].iter().for_each(|c| p.put(Man { color: color.other(), role: knight }, c));
                let moves = p.legal_moves(&v);
                for to in moves.iter().map(|m| m.to).collect::<CellSet>() {
                    let count = moves.iter().filter(|m| m.to == to && m.promotion.is_some()).count();
                    assert_eq!(count, if rules.promotion.contains(to) { 4 } else { 0 }, "{name}");
                    assert_eq!(moves.iter().filter(|m| m.to == to).count(), count.max(1));
                    if count > 0 {
                        reached[color.index()].insert(to);
                        let mv = moves.iter().find(|m| m.to == to).expect("a move");
                        assert!(p.after(&v, mv).men(color, v.pawn()).is_empty());
                    }
                }
            }
        }
        assert_eq!(reached, Color::BOTH.map(|c| v.pawn_rules(c).promotion), "{name}");
    }
}

#[test]
fn swapping_the_colours_maps_q_r_to_q_minus_q_minus_r() {
    for name in ["glinski", "mccooey"] {
        let v = variant(name);
        for c in v.board().cells() {
            let [q, r] = v.board().coordinates(c);
            assert_eq!(v.board().coordinates(v.colour_swap().apply(c)), [q, -q - r]);
        }
    }
}

#[test]
fn a_pawn_where_none_can_stand_is_illegal() {
    let v = variant("glinski");
    for (color, allowed) in Color::BOTH.map(|c| (c, v.pawn_rules(c).placement)) {
        for at in v.board().all() - allowed {
            let mut p = Position::empty(color);
            p.put(Man { color: Color::White, role: Role::KING }, cell(&v, "f6"));
            p.put(Man { color: Color::Black, role: Role::KING }, cell(&v, "a3"));
            p.put(Man { color, role: v.pawn() }, at);
            let expected = IllegalPosition::PawnCell { color, cell: v.board().name(at).to_string() };
            assert_eq!(legality::check_men(&v, &p), Err(expected));
        }
    }
}

#[test]
fn reduced_boards_have_their_cells_names_and_pawn_starts() {
    for radius in [2i16, 3] {
        for (game, start) in [("glinski", [-1, radius - 1]), ("mccooey", [-2, radius - 2])] {
            let v = variant(&format!("{game}-{radius}"));
            let [row, last] = start;
            let cells: Vec<[i16; 2]> = v.board().cells().map(|c| v.board().coordinates(c)).collect();
            assert_eq!(cells.len(), if radius == 2 { 19 } else { 37 });
            for (c, [q, r]) in v.board().cells().zip(cells) {
                let rank = r - (-radius).max(-radius - q) + 1;
                let file = "abcdefg".as_bytes()[(q + radius) as usize] as char;
                assert_eq!(v.board().name(c), format!("{file}{rank}"));
            }
            let at = |q, r| v.board().cell_at([q, r]).expect("on the board");
            let starts: CellSet = (0..=last).flat_map(|k| [at(-k, row), at(k, row - k)]).collect();
            assert_eq!(v.pawn_rules(Color::White).start, starts);
            assert_eq!(v.pawn_rules(Color::Black).start, v.colour_swap().apply_set(starts));
            assert_eq!((v.symmetries().len(), v.pawn_symmetries().len()), (12, 2));
        }
    }
    let v = variant("glinski-2");
    assert_eq!(names(&v, v.board().cells()), words("a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c4 c5 d1 d2 d3 d4 e1 e2 e3"));
    assert_eq!(names(&v, v.pawn_rules(Color::White).start), words("b1 c2 d1"));
    let v = variant("glinski-3");
    assert_eq!(names(&v, v.pawn_rules(Color::White).start), words("b1 c2 d3 e2 f1"));
}

#[test]
fn orthodox_chess_has_eight_symmetries_two_with_pawns_and_pawns_on_ranks_two_to_seven() {
    let v = variant("orthodox");
    assert_eq!((v.symmetries().len(), v.pawn_symmetries().len()), (8, 2));
    for color in Color::BOTH {
        let rules = v.pawn_rules(color);
        let ranks: BTreeSet<u8> = rules.placement.iter().map(|c| v.board().rank(c)).collect();
        assert_eq!((ranks, rules.placement.len()), ((2..=7).collect(), 48));
    }
    let start = start(&v);
    assert_eq!([1, 2, 3, 4].map(|depth| start.perft(&v, depth)), [20, 400, 8_902, 197_281]);
}

//! Games as text: what is understood, what is refused and where, and that what is written reads back.

#[path = "common/random.rs"]
mod random;

use hextb::geometry::Variant;
use hextb::position::game::{Game, GameResult, GameText, Games};
use hextb::position::{Fen, Position};
use random::Rng;

fn glinski() -> Variant {
    Variant::glinski()
}

/// The only game of a text.
#[track_caller]
fn game(text: &str) -> GameText {
    let mut games: Vec<_> = Games::new(text).collect();
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap_or_else(|e| panic!("{e}"))
}

fn moves(game: &GameText) -> Vec<&str> {
    game.moves.iter().map(|mv| mv.text.as_str()).collect()
}

#[track_caller]
fn played(variant: &Variant, text: &str) -> Game {
    game(text).replay(variant, None).unwrap_or_else(|e| panic!("{e}"))
}

/// What is wrong with the games of a text: what the reader says, or what comes of playing them through.
fn faults(variant: &Variant, text: &str) -> Vec<String> {
    Games::new(text)
        .filter_map(|read| read.and_then(|game| game.replay(variant, None)).err())
        .map(|error| error.to_string())
        .collect()
}

#[track_caller]
fn fault(variant: &Variant, text: &str, expected: &str) {
    assert_eq!(faults(variant, text), [expected], "{text}");
}

#[test]
fn headers_are_kept_in_their_order_with_escapes_resolved() {
    let game = game("[Site \"a \\\"b\\\" \\\\c\"]\n [Unknown_1  \"\" ]\n\n*");
    let headers: Vec<_> = game.headers.iter().map(|h| (h.key.as_str(), h.value.as_str())).collect();
    assert_eq!(headers, [("Site", "a \"b\" \\c"), ("Unknown_1", "")]);
    assert_eq!((game.headers[1].at.line, game.headers[1].at.column), (2, 2));
}

#[test]
fn moves_are_read_with_or_without_numbers() {
    for text in ["e4e5 e7e6 f5f6", "1. e4e5 e7e6 2. f5f6", "1.e4e5 1...e7e6 2.f5f6", "1 e4e5 ... e7e6 2. ... f5f6 *"] {
        assert_eq!(moves(&game(text)), ["e4e5", "e7e6", "f5f6"], "{text}");
    }
}

#[test]
fn comments_belong_to_the_move_before_them_and_do_not_nest() {
    let game = game("{first\n  words} 1. e4 {a { b} ; c } d\n e6 ;last\n{}*");
    assert_eq!(game.opening, ["first words"]);
    assert_eq!(game.moves[0].comments, ["a { b", "c ) d"]);
    assert_eq!(game.moves[1].comments, ["last"]);
}

#[test]
fn marks_are_read_as_signs_and_as_numbers() {
    let game = game("e4! e6?? f5f6!? $14 Qe5+?! Kf6 $255");
    let marks: Vec<&[u8]> = game.moves.iter().map(|mv| &mv.marks[..]).collect();
    assert_eq!(marks, [&[1][..], &[4], &[5, 14], &[6], &[255]]);
    assert_eq!(moves(&game), ["e4", "e6", "f5f6", "Qe5+", "Kf6"]);
}

#[test]
fn variations_are_left_out_however_deep() {
    let game = game("e4 (f4 {no ) here} $1 (g4) 1-0 (h3 (i2))) e6 (d6) *");
    assert_eq!(moves(&game), ["e4", "e6"]);
    assert!(game.moves.iter().all(|mv| mv.marks.is_empty() && mv.comments.is_empty()));
}

#[test]
fn lines_that_begin_with_a_percent_sign_are_left_out() {
    assert_eq!(moves(&game("%e3\ne4\n% [x {\ne6")), ["e4", "e6"]);
}

#[test]
fn a_result_ends_a_game_and_every_result_is_known() {
    let text = ["1-0", "3/4-1/4", "1/2-1/2", "1/4-3/4", "0-1", "*"];
    let games: Vec<GameText> = Games::new(&text.join(" e4 ")).map(Result::unwrap).collect();
    assert_eq!(games.iter().map(|game| game.result.unwrap().to_string()).collect::<Vec<_>>(), text);
    assert_eq!(games[0].result, Some(GameResult::White(4)));
    assert_eq!(games[5].moves.len(), 1);
}

#[test]
fn games_follow_each_other_with_or_without_results() {
    let games: Vec<GameText> =
        Games::new("[A \"1\"]\n\ne4\n\n[A \"2\"]\n[B \"\"]\n\ne4 e6 1-0\n[A \"3\"] *").map(Result::unwrap).collect();
    let counts: Vec<_> = games.iter().map(|game| (game.headers[0].value.as_str(), game.moves.len())).collect();
    assert_eq!(counts, [("1", 1), ("2", 2), ("3", 0)]);
}

#[test]
fn a_text_without_games_has_none() {
    for text in ["", " \n\n", "; a remark\n", "{a remark}"] {
        assert_eq!(Games::new(text).count(), 0, "{text}");
    }
}

#[test]
fn a_fen_on_a_line_of_its_own_is_where_the_game_begins() {
    let v = glinski();
    let fen = "1/3/5/4k2/9/11/11/11/1K4B4/1Q9/11 w - 3 7";
    let text = format!("\n{fen}\nQe5+ 1-0\n{fen}\n1. b2e5");
    let games: Vec<GameText> = Games::new(&text).map(Result::unwrap).collect();
    assert_eq!(games.len(), 2);
    for game in &games {
        let game = game.replay(&v, None).unwrap();
        assert_eq!((game.start.write(&v).as_str(), game.moves[0].san.as_str()), (fen, "Qe5+"));
        assert_eq!((game.end.halfmove_clock, game.end.move_number), (4, 7));
    }
}

#[test]
fn a_game_begins_at_its_header_else_where_it_is_told_else_at_the_start() {
    let v = glinski();
    let [here, there] = ["1/3/5/4k2/9/11/11/11/1K4B4/1Q9/11 w - 0 1", "1/3/5/4k2/9/11/11/11/1K4B4/1Q9/11 b - 0 1"];
    let start = |text: &str, told| game(text).replay(&v, told).unwrap().start.write(&v);
    assert_eq!(start(&format!("[FEN \"{here}\"] *"), Some(there)), here);
    assert_eq!(start("*", Some(there)), there);
    assert_eq!(start("*", None), v.description().start.clone().unwrap());
}

#[test]
fn every_start_position_is_legal_symmetric_and_has_both_armies_whole() {
    for (name, men) in [("glinski", 36), ("mccooey", 32), ("orthodox", 32)] {
        let v = Variant::named(name).unwrap();
        let start = Fen::start(&v).unwrap_or_else(|e| panic!("{name}: {e}")).expect(name).position;
        assert_eq!(start.occupied().len(), men, "{name}");
        let mut swapped = start.with_colours_swapped(&v);
        swapped.set_turn(start.turn());
        let mirrored = v.symmetries().iter().any(|symmetry| swapped.mapped(symmetry) == start);
        assert!(swapped == start || mirrored, "{name}");
        let pawns = v.pawn_rules(start.turn());
        assert_eq!(start.men(start.turn(), v.pawn()), pawns.start, "{name}");
    }
}

/// All that a move may be written as is read as that move.
#[test]
fn moves_read_back_from_every_form_in_use() {
    for (seed, name) in ["glinski", "mccooey", "orthodox", "glinski-3"].iter().enumerate() {
        let v = Variant::named(name).unwrap();
        let board = v.board();
        let mut read = 0;
        for position in random::mixed(&v, 600 + seed as u64, 3..=12).take(300) {
            for mv in position.legal_moves(&v) {
                let promotion = mv.promotion.map_or(String::new(), |role| v.letter(role).to_string());
                let man = if mv.role == v.pawn() { String::new() } else { v.letter(mv.role).to_string() };
                let (from, to) = (board.name(mv.from), board.name(mv.to));
                let cross = if mv.captured.is_some() { "x" } else { "-" };
                let san = position.san(&v, &mv);
                for text in [
                    format!("{man}{from}{cross}{to}{promotion}"),
                    format!("{man}{from}{to}={}", promotion.to_lowercase()),
                    format!("{from}{to}{promotion}"),
                    format!("{san}!?"),
                    san.replace('=', ""),
                    san.trim_end_matches(['+', '#', '=']).to_string(),
                ] {
                    let text = text.trim_end_matches('=');
                    assert_eq!(position.parse_move(&v, text), Ok(mv), "{text} for {san} in {}", position.fen(&v));
                    read += 1;
                }
            }
        }
        assert!(read > 10_000, "{name}: {read}");
    }
}

/// Random play from the start, or from a random position where there is none.
fn random_game(v: &Variant, rng: &mut Rng, plies: usize) -> (Fen, Vec<String>) {
    let start = Fen::start(v).unwrap().unwrap_or_else(|| Fen::of(random::mixed(v, rng.next(), 4..=8).next().unwrap()));
    let mut position: Position = start.position;
    let mut sans = vec![];
    for _ in 0..plies {
        let Some(mv) = rng.pick(&position.legal_moves(v)) else { break };
        let from_to = rng.below(2) == 0;
        sans.push(if from_to { mv.from_to(v) } else { position.san(v, &mv) });
        position = position.after(v, &mv);
    }
    (start, sans)
}

#[test]
fn written_games_read_back_and_no_line_of_moves_is_too_long() {
    let mut rng = Rng(7);
    for name in ["glinski", "mccooey", "orthodox", "glinski-3"] {
        let v = Variant::named(name).unwrap();
        for _ in 0..40 {
            let (start, sans) = random_game(&v, &mut rng, 90);
            let mut text = game(&format!("[FEN \"{}\"]\n[Site \"\\\"\\\\\"]\n{} *", start.write(&v), sans.join(" ")));
            for mv in &mut text.moves {
                if rng.below(4) == 0 {
                    mv.comments = vec!["one two".to_string(), "{ three; (four $5".to_string()];
                    mv.marks = vec![rng.below(6) as u8 + 1, 77];
                }
            }
            text.result = Some(GameResult::White(rng.below(5) as u8));
            let written = text.write(&start);
            let again = game(&written);
            assert_eq!((again.opening.clone(), again.result), (text.opening.clone(), text.result));
            assert_eq!(moves(&again), moves(&text), "{written}");
            for (a, b) in again.moves.iter().zip(&text.moves) {
                assert_eq!((&a.marks, &a.comments), (&b.marks, &b.comments));
            }
            assert_eq!(again.write(&start), written);
            let body = written.lines().skip_while(|line| line.starts_with('['));
            assert!(body.map(|line| line.chars().count()).all(|width| width <= 80), "{written}");
            let replayed = again.replay(&v, None).unwrap();
            assert_eq!(replayed.moves.len(), sans.len());
        }
    }
}

#[test]
fn a_fault_in_the_text_is_told_with_its_line_and_column() {
    let v = glinski();
    fault(&v, "[A \"1\"]\n\ne4 {never", "line 3, column 4: the comment that begins here has no closing brace");
    fault(&v, "e4 (f4 (g4)", "line 1, column 4: the variation that begins here has no closing parenthesis");
    fault(&v, "e4\n  ) *", "line 2, column 3: found ')', which nothing before it has opened");
    fault(&v, "e4 }", "line 1, column 4: found '}', which nothing before it has opened");
    fault(&v, "é {ü} e4 ]", "line 1, column 10: found ']', which nothing before it has opened");
    for header in ["[", "[A]", "[A \"x]", "[A \"x\"", "[A x\"]", "[A \"x\\", "[\"x\"]"] {
        fault(&v, &format!("\n {header}"), "line 2, column 2: expected a header of the form [Key \"value\"]");
    }
    fault(&v, "[A \"1\"]\n[A \"2\"]\n*", "line 2, column 1: the header A is there twice");
    fault(&v, "e4 $256", "line 1, column 4: found \"$256\", expected a mark such as !, ?? or $14 (up to $255)");
    fault(&v, "e4??!", "line 1, column 3: found \"??!\", expected a mark such as !, ?? or $14 (up to $255)");
}

#[test]
fn a_bad_game_does_not_hide_the_others() {
    let v = glinski();
    let good = "[White \"x\"]\n\ne4e5 {fine} e7e6 *\n\n";
    for bad in
        ["[A \"1\"]\n[B x]\n[C \"3\"]\n\ne4e5 *\n\n", "[A \"1\"]\n\ne4e5 )\n e7e6 *\n\n", "[A \"1\"]\n\ne4e7 *\n"]
    {
        let text = format!("{good}{bad}{good}{bad}{good}");
        let read: Vec<bool> =
            Games::new(&text).map(|read| read.and_then(|game| game.replay(&v, None)).is_ok()).collect();
        assert_eq!(read, [true, false, true, false, true], "{bad}");
    }
    let open = "[A \"1\"]\n\ne4e5 {never *\n\n[B \"2\"]\n\ne4e5 e7e6 *\n";
    let read: Vec<bool> = Games::new(open).map(|read| read.is_ok()).collect();
    assert_eq!(read, [false, true]);
}

#[test]
fn an_illegal_move_is_told_with_the_reason() {
    let v = glinski();
    let at = |fen: &str, mv: &str| {
        let text = format!("[FEN \"{fen}\"]\n1. {mv}");
        let fault = faults(&v, &text).remove(0);
        let begin = format!("line 2, column 4: \"{mv}\" is not a legal move here: ");
        fault.strip_prefix(&begin).unwrap_or_else(|| panic!("{fault}")).to_string()
    };
    let queen = "1/1P1/5/k6/3K5/11/1Q9/11/11/11/11 w - 0 1";
    assert_eq!(at(queen, "Qe3"), "no Q of White's can go to e3");
    assert_eq!(at(queen, "Qa1e3"), "White has no Q on a1");
    assert_eq!(at(queen, "Qbe3"), "no Q of White's can go from b to e3");
    assert_eq!(at(queen, "a1e3"), "White has no man on a1");
    assert_eq!(at(queen, "b5e3"), "no man of White's can go from b5 to e3");
    assert_eq!(at(queen, "e5"), "no pawn of White's can go to e5");
    assert_eq!(at(queen, "Qe99"), "there is no cell e99");
    assert_eq!(at(queen, "f11"), "it does not say what the pawn becomes, as in f11=Q");
    assert_eq!(at(queen, "f11=K"), "no pawn becomes a K");
    assert_eq!(at(queen, "Qb4=Q"), "nothing is promoted on b4");
    assert_eq!(at(queen, "Qxb4"), "there is nothing to take on b4");
    assert_eq!(at(queen, "O-O"), "there is no castling here, and positions with castling rights are in no table");
    for word in ["hello", "Zé", "Q", "e", "--"] {
        assert_eq!(at(queen, word), "expected from-to (e4e5, f10f11q) or the algebraic form (Qe5, f11=Q)");
    }
    let knights = "1/3/5/7/9/11/11/11/11/5K5/k1N5N2 w - 0 1";
    assert_eq!(at(knights, "Nf3"), "it is ambiguous: Ncf3 or Nif3");
    let pinned = "1/1r1/5/7/9/11/11/5R5/11/5K5/k10 w - 0 1";
    assert_eq!(at(pinned, "Ra4"), "it leaves the king in check");
}

#[test]
fn a_bad_start_is_told_at_its_place() {
    let v = glinski();
    fault(
        &v,
        "[A \"\"]\n[FEN \"1/3\"]\n*",
        "line 2, column 1: FEN: expected 3 or 5 fields (board, side to move, \
         en passant, and optionally half-move clock and move number), found 1",
    );
    fault(&v, "\n1/3/5 w - 0 1\ne4", "line 2, column 1: FEN: expected 11 ranks separated by '/', found 3");
    let small = Variant::named("glinski-3").unwrap();
    fault(&small, "*", "line 1, column 1: glinski-3 has no start position; a FEN has to say where the game begins");
    let orthodox = Variant::named("orthodox").unwrap();
    let castling = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"] *";
    assert!(faults(&orthodox, castling)[0].contains("castling field"));
}

#[test]
fn a_move_after_the_end_of_the_game_is_refused() {
    let v = glinski();
    let stalemate = "[FEN \"1/3/5/7/9/11/11/11/10K/4Q6/10k w - 0 1\"]\nQe5= Kl2";
    fault(&v, stalemate, "line 2, column 6: \"Kl2\" comes after the end of the game: Black is stalemated");
    let mate = "[FEN \"1/1P1/5/k6/3K5/11/1Q9/11/11/11/11 w - 0 1\"]\nf11=Q# Ka6";
    fault(&v, mate, "line 2, column 8: \"Ka6\" comes after the end of the game: Black is mated");
}

fn warnings(text: &str) -> Vec<String> {
    played(&glinski(), text).warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn wrong_marks_of_check_and_mate_are_warned_of_and_missing_ones_are_not() {
    let with = |mv: &str| warnings(&format!("[FEN \"1/3/5/4k2/9/11/11/11/1K4B4/1Q9/11 w - 0 1\"]\n{mv}"));
    for fine in ["Qe5+", "Qe5", "Qe5++", "Qe5+!?", "b2e5", "Qb1"] {
        assert!(with(fine).is_empty(), "{fine}");
    }
    assert_eq!(with("Qe5#"), ["line 2, column 1: \"Qe5#\" should be Qe5+"]);
    assert_eq!(with("Qb1+"), ["line 2, column 1: \"Qb1+\" should be Qb1"]);
    assert_eq!(with("b2e5="), ["line 2, column 1: \"b2e5=\" should be Qe5+"]);
}

#[test]
fn a_result_that_the_board_contradicts_is_warned_of() {
    let stalemate = |result: &str| {
        warnings(&format!("[Result \"{result}\"]\n[FEN \"1/3/5/7/9/11/11/11/10K/4Q6/10k w - 0 1\"]\nQe5="))
    };
    assert!(stalemate("3/4-1/4").is_empty());
    let ends = "line 3, column 1: the result is 1/2-1/2, but the game ends in stalemate, which is 3/4-1/4";
    assert_eq!(stalemate("1/2-1/2"), [ends]);
    let mate = "[FEN \"1/1P1/5/k6/3K5/11/1Q9/11/11/11/11 w - 0 1\"]\nf11=Q# ";
    for fine in ["1-0", "*", ""] {
        assert!(warnings(&format!("{mate}{fine}")).is_empty(), "{fine}");
    }
    let ends = "line 2, column 1: the result is 0-1, but the game ends in checkmate, which is 1-0";
    assert_eq!(warnings(&format!("{mate}0-1")), [ends]);
    assert!(warnings("e4e5 0-1").is_empty(), "a player may resign");
    let unpaid = "line 1, column 1: the result is 1/4-3/4, but there is no stalemate that pays so much";
    assert_eq!(warnings("e4e5 1/4-3/4"), [unpaid]);
    let two = "line 1, column 1: the header says 1-0 and the text ends in 0-1";
    assert_eq!(warnings("[Result \"1-0\"] e4e5 0-1"), [two]);
}

#[test]
fn the_reader_never_panics_comes_to_an_end_and_reads_back_what_is_written_of_anything() {
    let v = glinski();
    let mut rng = Rng(99);
    let mut pieces = ["e4e5 ", "e7e6 ", "f6 "].repeat(6);
    pieces.extend(["Qe5+", "e.p.", "[A \"b\"]\n", "1/3", "1-0", "\u{0}", "% ", "ł"]);
    pieces.extend("[]\"{}();\n\r$!?*.1\\= %".split_inclusive(|_| true));
    let mut played = 0;
    for _ in 0..20_000 {
        let text: String = (0..rng.below(30)).filter_map(|_| rng.pick(&pieces)).collect();
        let mut count = 0;
        for read in Games::new(&text) {
            count += 1;
            assert!(count <= text.len(), "{text:?}");
            let replayed = read.and_then(|game| Ok((game.replay(&v, None)?, game)));
            let (game, text) = match replayed {
                Ok(replayed) => replayed,
                Err(error) => {
                    assert!(error.to_string().chars().count() < 400, "{text:?}");
                    continue;
                }
            };
            let written = text.write(&game.start);
            let again = self::game(&written);
            assert_eq!(again.write(&game.start), written, "{text:?}");
            assert_eq!(again.replay(&v, None).unwrap().end, game.end, "{text:?}");
            played += game.moves.len();
        }
    }
    assert!(played > 500, "{played}");
}

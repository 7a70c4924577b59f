//! `hextb mine` on the command line, on small boards, and the README's section on it.

#[path = "common/program.rs"]
mod program;

use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::oracle::Oracle;
use hextb::outcome::Outcome;
use hextb::position::{Fen, Move};
use hextb::solve::MemoryTables;
use program::{VARIANT, run, run_on};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

fn objects(arguments: &[&str]) -> Vec<Value> {
    let out = run(&[arguments, &["--json"]].concat()).good();
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_list_has_a_fen_and_a_comment_a_line_and_ends_with_counts() {
    let out = run(&["mine", "zugzwang", "KPK", "--limit", "2"]).good();
    let shown = lines(&out);
    assert_eq!(shown.len(), 4, "{out}");
    let variant = Variant::named(VARIANT).unwrap();
    for line in &shown[..2] {
        let (fen, comment) = line.split_once("  ; ").unwrap();
        assert!(Fen::parse(&variant, fen).is_ok() && comment.contains(": White to move "), "{line}");
    }
    assert!(shown[2].starts_with("KPK: ") && shown[2].contains(" on the board with all symmetric images"), "{out}");
    assert!(shown[3].contains("the first 2 are listed; --all"), "{out}");
    let quiet = run(&["mine", "zugzwang", "KPK", "--limit", "2", "--quiet"]).good();
    assert_eq!(lines(&quiet), shown[..2]);
}

#[test]
fn limits_list_as_many_as_asked_for() {
    let none = run(&["mine", "only-move", "KPK", "--limit", "0"]).good();
    assert_eq!(lines(&none).len(), 2, "{none}");
    assert!(none.contains("Of these none is listed"), "{none}");
    let all = run(&["mine", "only-move", "KPK", "--all"]).good();
    let count: usize =
        all.lines().last().unwrap().strip_prefix("KPK: ").unwrap().split(' ').next().unwrap().parse().unwrap();
    assert_eq!(lines(&all).len(), count + 1);
}

#[test]
fn nothing_found_is_said_and_is_no_failure() {
    assert_eq!(run(&["mine", "en-passant", "KQKR"]).good(), "KQKR: none\n");
    assert_eq!(run(&["mine", "distance", "KQK", "--plies", "999"]).good(), "KQK: none\n");
    assert_eq!(objects(&["mine", "underpromotion", "KK"]).len(), 1);
}

#[test]
fn json_has_an_object_for_each_position_and_each_table() {
    let keys = |object: &Value| object.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" ");
    let common = "fen material turn category plies";
    for (kind, more) in [
        ("zugzwang", " pair white_to_move black_to_move"),
        ("distance", ""),
        ("only-move", " moves"),
        ("only-line", " moves only_moves"),
        ("stalemate-win", ""),
        ("underpromotion", " moves"),
        ("en-passant", " moves without"),
    ] {
        let found = objects(&["mine", kind, "KPKP", "KPK", "--limit", "3"]);
        assert_eq!(found.len(), 5, "{kind}");
        assert!(found[..3].iter().all(|object| keys(object) == format!("{common}{more}")), "{kind}: {found:?}");
        assert!(found[3..].iter().all(|object| keys(object) == "material positions images"), "{kind}");
    }
}

#[test]
fn several_tables_come_in_one_list() {
    let found = objects(&["mine", "distance", "--men", "3", "KQKR", "--all"]);
    let plies: Vec<u64> = found.iter().filter_map(|object| object["plies"].as_u64()).collect();
    assert!(plies.is_sorted_by(|a, b| a >= b) && plies.len() > 3, "{plies:?}");
    let out = run(&["mine", "distance", "KPvK", "--men", "3", "--limit", "0"]).good();
    assert!(out.contains("All 6 tables: "), "{out}");
}

/// What is wrong is told in one line.
#[test]
fn bad_input_is_refused() {
    run(&["mine"]).fails(2, &["'hextb mine' requires a subcommand", "zugzwang", "en-passant"]);
    run(&["mine", "zugzwangs", "KPK"]).fails(2, &["unrecognized subcommand 'zugzwangs'", "zugzwang"]);
    run(&["mine", "zugzwang"]).fails(2, &["nothing to mine zugzwang", "hextb mine zugzwang KQKR"]);
    run(&["mine", "zugzwang", "KPK", "--kind", "1-1/2"]).fails(2, &["\"1-1/2\"", "1/2-3/4"]);
    run(&["mine", "only-move", "KPK", "--value", "loss"]).fails(2, &["'loss'", "win, stalemate-win, draw"]);
    run(&["mine", "distance", "KPK", "--plies", "4"]).fails(2, &["a win takes an odd number of plies", "4"]);
    run(&["mine", "distance", "KPK", "--plies", "-1"]).fails(2, &["--plies"]);
    run(&["mine", "only-move", "KPK", "--limit", "-1"]).fails(2, &["--limit"]);
    run(&["mine", "only-move", "KPK", "--limit", "1", "--all"]).fails(2, &["--all"]);
    run(&["mine", "only-move", "KPX"]).fails(2, &["'X'"]);
    run(&["mine", "only-move", "KQQK"]).fails(1, &["KQQK is not in the tables", "generate KQQK"]);
    run(&["mine", "only-move", "KQKR", "--memory", "1K"]).fails(3, &["KQKR needs about", "--memory"]);
    let study = ["mine", "only-move", "KPK", "--study", "/nowhere/at/all.pgn"];
    run(&study).fails(3, &["cannot write /nowhere/at/all.pgn"]);
}

#[test]
fn what_is_missing_is_told_before_anything_is_searched() {
    run(&["mine", "distance", "KQKR", "KNNK"]).fails(1, &["KNNK is not in the tables"]);
    run(&["mine", "distance", "KQK", "--study", "/nowhere/x.pgn"]).fails(3, &["there is no folder /nowhere"]);
    run(&["mine", "stalemate-win", "KQK", "--at-least", "9", "--at-most", "3"]).fails(2, &["--at-least 9", "3"]);
}

#[test]
fn a_list_can_be_asked_line_by_line() {
    let list = run(&["mine", "distance", "KQK", "--limit", "3", "--quiet"]).good();
    let answers = program::run_with_input(&["probe", "-"], list.as_bytes()).good();
    assert_eq!(answers.lines().count(), 3, "{answers}");
}

#[test]
fn stalemate_wins_are_refused_where_stalemate_is_a_draw() {
    for arguments in [
        vec!["mine", "stalemate-win", "KPK"],
        vec!["mine", "distance", "KPK", "--value", "stalemate-loss"],
        vec!["mine", "en-passant", "KPKP", "--value", "stalemate-win"],
    ] {
        run_on(Path::new("nowhere"), "orthodox", &arguments).fails(2, &["stalemate is a draw in", "another value"]);
    }
}

/// Every move of every study is legal, leads to the end that the score tells, and is marked if it is an only move.
#[test]
fn studies_are_games_that_can_be_played_through() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("study.pgn");
    let variant = Variant::named(VARIANT).unwrap();
    for kind in ["only-line", "en-passant", "zugzwang", "underpromotion", "stalemate-win"] {
        let path = file.to_str().unwrap();
        let out = run(&["mine", kind, "KPKP", "--limit", "5", "--quiet", "--study", path]).good();
        let fens: Vec<&str> = out.lines().map(|line| line.split_once("  ; ").unwrap().0).collect();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.lines().all(|line| line.starts_with('[') || line.len() <= 80), "{text}");
        let parts: Vec<&str> = text.trim_end().split("\n\n").collect();
        assert_eq!(parts.len(), 10, "{text}");
        let mut marks = 0;
        for (game, fen) in parts.chunks(2).zip(fens) {
            let header = |name: &str| {
                let line = game[0].lines().find(|line| line.starts_with(&format!("[{name} \""))).unwrap();
                line.split('"').nth(1).unwrap().to_string()
            };
            assert_eq!((header("FEN").as_str(), header("Variant").as_str()), (fen, VARIANT));
            let (moves, result) = game[1].rsplit_once([' ', '\n']).unwrap_or(("", game[1]));
            assert_eq!(header("Result"), result);
            let mut position = Fen::parse(&variant, fen).unwrap().position;
            let played = moves.split_whitespace().filter(|word| !word.ends_with('.'));
            for word in played.clone() {
                marks += usize::from(word.ends_with('!'));
                position = position.after(&variant, &position.parse_move(&variant, word).unwrap());
            }
            assert_eq!(header("Plies"), played.count().to_string());
            let loser = position.turn().letter();
            let ended = match (position.is_checkmate(&variant), position.is_stalemate(&variant)) {
                (true, _) => {
                    if loser == 'w' {
                        "0-1"
                    } else {
                        "1-0"
                    }
                }
                (_, true) => {
                    if loser == 'w' {
                        "1/4-3/4"
                    } else {
                        "3/4-1/4"
                    }
                }
                _ => "unfinished",
            };
            assert_eq!(ended, result, "{}", game[1]);
        }
        assert!(marks > 0 || ["zugzwang", "stalemate-win"].contains(&kind), "{kind}");
    }
}

/// Tests what is said of a position with the ordinary move generator and tables solved in memory.
fn check_claim(kind: &str, variant: &str, fen: &str, comment: &str) {
    let variant = Arc::new(Variant::named(variant).unwrap());
    let position = Fen::parse(&variant, fen).unwrap().position;
    let mut tables = MemoryTables::new(variant.clone());
    tables.solve(&Material::of(&variant, &position).0);
    let said = |outcome: Outcome| match (outcome.value(), outcome.plies()) {
        (hextb::outcome::Value::Win, Some(plies)) => format!("wins in {plies} plies"),
        (hextb::outcome::Value::StalemateWin, Some(plies)) => format!("stalemates (3/4) in {plies} plies"),
        (hextb::outcome::Value::Loss, Some(plies)) => format!("loses in {plies} plies"),
        (hextb::outcome::Value::Draw, _) => "draws".to_string(),
        other => panic!("no example is about {other:?}"),
    };
    let of = |turn, right| {
        let mut position = position;
        position.set_turn(turn);
        position.set_en_passant(right);
        said(tables.outcome(&position).unwrap())
    };
    let verdict = of(position.turn(), position.en_passant());
    let value = tables.outcome(&position).unwrap().value();
    let keeps = |mv: &Move| tables.outcome(&position.after(&variant, mv)).unwrap().value().opposite() == value;
    let kept: Vec<Move> = position.legal_moves(&variant).into_iter().filter(keeps).collect();
    let key = || position.san(&variant, &kept[0]);
    match kind {
        "zugzwang" => {
            let [white, black] = Color::BOTH.map(|turn| of(turn, None));
            assert_eq!(comment, format!("1/2-1: White to move {white}, Black to move {black}"));
        }
        "distance" | "stalemate-win" => assert_eq!(comment, verdict),
        "en-passant" => {
            let without = of(position.turn(), None);
            assert_eq!(comment, format!("{}: {verdict}, without it {without}", key()));
        }
        "only-line" => assert_eq!(comment, format!("6 in a row, {}: {verdict}", key())),
        _ => assert_eq!(comment, format!("{}: {verdict}", key())),
    }
    assert!(kept.len() == 1 || ["zugzwang", "distance", "stalemate-win"].contains(&kind), "{fen}");
}

/// The commands of the README's section print what it shows; what is shown is true by the move generator and tables in
/// memory.
#[test]
fn the_examples_of_the_readme_hold() {
    let readme = include_str!("../README.md");
    let section = readme.split_once("## Remarkable positions\n").unwrap().1.split_once("\n## ").unwrap().0;
    let folder = tempfile::tempdir().unwrap();
    run_on(folder.path(), "glinski", &["generate", "--men", "3", "--quiet"]).good();
    run_on(folder.path(), "glinski-3", &["generate", "KPKP", "--quiet"]).good();
    let mut kinds = vec![];
    for block in section.split("```console\n").skip(1) {
        let block = block.split_once("```").unwrap().0;
        for example in block.split("$ hextb mine ").skip(1) {
            let (command, shown) = example.split_once('\n').unwrap();
            let (command, variant) = match command.split_once(" --variant ") {
                Some((command, variant)) => (command, variant),
                None => (command, "glinski"),
            };
            let arguments: Vec<&str> = command.split(' ').collect();
            kinds.push(arguments[0].to_string());
            let printed = run_on(folder.path(), variant, &[&["mine"], &arguments[..]].concat()).good();
            assert_eq!(printed, shown, "{command}");
            let positions = shown.lines().filter_map(|line| line.split_once("  ; "));
            positions.for_each(|(fen, comment)| check_claim(arguments[0], variant, fen, comment));
        }
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), 7, "{kinds:?}");
}

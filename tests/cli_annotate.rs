//! The command `annotate`, as a user sees it.

#[path = "common/program.rs"]
mod program;

use hextb::geometry::Variant;
use hextb::position::Fen;
use program::{VARIANT, run, run_on, run_with_input, tables};
use serde_json::{Value, json};

/// A position of KQKR won for the side to move, and a game of best and less good moves from it.
fn slipping_game() -> String {
    let variant = Variant::named(VARIANT).unwrap();
    let (start, _, _) = program::longest("KQKR").into_iter().find(|(_, value, _)| value == "win").unwrap();
    let mut position = Fen::parse(&variant, &start).unwrap().position;
    let mut text = format!("[White \"A\"]\n[Round \"1\"]\n[FEN \"{start}\"]\n\n{{first}} ");
    for ply in 0..8 {
        let report = run(&["probe", &position.fen(&variant), "--json"]).json();
        let moves = report["moves"].as_array().unwrap();
        // Every third move is the worst.
        let Some(mv) = (if ply % 3 == 2 { moves.last() } else { moves.first() }) else { break };
        text += &format!("{}!? {{said {ply}}} $14 ", mv["move"].as_str().unwrap());
        position = position.after(&variant, &position.parse_move(&variant, mv["move"].as_str().unwrap()).unwrap());
    }
    text + "*\n"
}

fn annotate(text: &str) -> String {
    run_with_input(&["annotate", "-"], text.as_bytes()).good()
}

#[test]
fn a_game_comes_back_with_costs_and_what_was_said_before() {
    let text = annotate(&slipping_game());
    assert!(text.starts_with("[White \"A\"]\n[Round \"1\"]\n[FEN \""), "{text}");
    assert!(text.contains(&format!("[Variant \"{VARIANT}\"]\n[SetUp \"1\"]\n\n{{first}} {{tables: ")), "{text}");
    let flat = text.replace('\n', " ");
    assert!(flat.contains("points given up: White ") && flat.contains("{tables: KQKR; "), "{text}");
    assert!(flat.contains("{tables: costs ") && flat.contains("$14 {said 0}"), "{text}");
    assert!(flat.contains("?") && !flat.contains("!?"), "the tables' marks take the place of others: {text}");
    assert!(text.lines().all(|line| line.starts_with('[') || line.chars().count() <= 80), "{text}");
}

#[test]
fn what_has_been_annotated_can_be_annotated_again() {
    let once = annotate(&slipping_game());
    assert_eq!(annotate(&once), once);
    // Its headers say all that options said before.
    let input = once.as_bytes();
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_hextb"));
    let output = command.args(["annotate", "-", "--tables"]).arg(tables()).write_stdin(input).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), once);
}

#[test]
fn quiet_leaves_the_summary_out_and_keeps_the_rest() {
    let quiet = run_with_input(&["annotate", "-", "--quiet"], slipping_game().as_bytes()).good().replace('\n', " ");
    assert!(!quiet.contains("points given up") && quiet.contains("{tables: costs "), "{quiet}");
}

#[test]
fn json_has_the_documented_keys() {
    let keys = |object: &Value| object.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let game = run_with_input(&["annotate", "-", "--json"], slipping_game().as_bytes()).json();
    assert_eq!(keys(&game), "line headers variant fen result moves end summary missing warnings");
    assert_eq!((&game["headers"]["White"], &game["result"]), (&json!("A"), &json!("*")));
    let moves = game["moves"].as_array().unwrap();
    for mv in moves {
        let of_move = "move san fen material category plies best points_lost plies_lost only mark";
        assert_eq!(keys(mv), of_move);
        assert_eq!(keys(&mv["best"][0]), "move san category plies capture promotion check checkmate stalemate");
    }
    assert_eq!(keys(&game["summary"]["w"]), "moves slips points_lost plies_lost");
    let slips = moves.iter().filter(|mv| mv["points_lost"] != json!(0)).count() as u64;
    let summary = &game["summary"];
    assert_eq!(summary["w"]["slips"].as_u64().unwrap() + summary["b"]["slips"].as_u64().unwrap(), slips);
    assert!(slips > 0);
}

#[test]
fn a_bad_game_is_told_by_line_and_the_others_are_annotated() {
    let good = slipping_game();
    let text = format!("{good}\n[A \"x\"]\n[FEN \"1/3/k4/5/4K w - 0 1\"]\n\n1. Kd1 Ka9 *\n\n{good}");
    let line = 1 + text.lines().position(|line| line.starts_with("1. Kd1")).unwrap();
    let run = run_with_input(&["annotate", "-"], text.as_bytes());
    assert_eq!(run.stdout.matches("{first}").count(), 2);
    let told = format!("standard input, line {line}, column 8: \"Ka9\" is not a legal move here: there is no cell a9");
    run.fails(2, &[&told]);
    let run = run_with_input(&["annotate", "-", "--json"], text.as_bytes());
    let error: Value = serde_json::from_str(run.stdout.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&error["line"], &error["column"], &error["status"]), (&json!(line), &json!(8), &json!(2)));
    run.fails(2, &[&told]);
}

#[test]
fn files_that_hold_no_game_are_refused_with_the_reason() {
    let fails = |input: &[u8], parts: &[&str]| {
        run_with_input(&["annotate", "-"], input).fails(2, parts);
    };
    fails(b"", &["standard input holds no game"]);
    fails(b"; nothing\n", &["standard input holds no game"]);
    fails(b"[A \"\xc5\x82\"]\n \xff", &["line 2, column 2", "not UTF-8"]);
    fails(b"\xff", &["line 1, column 1", "not UTF-8"]);
    fails(b"[Variant \"chess\"] *", &["line 1, column 1", "unknown variant \"chess\"", "glinski, mccooey"]);
    fails(b"\xef\xbb\xbfKa1 *", &["line 1, column 1", "glinski-2 has no start position"]);
    run(&["annotate", "nowhere.pgn"]).fails(2, &["cannot read nowhere.pgn"]);
    run(&["annotate", "-", "--fen", "1/3"]).fails(2, &["FEN: expected"]);
    run(&["annotate"]).fails(2, &["<FILE>"]);
    let large = tempfile::NamedTempFile::new().unwrap();
    large.as_file().set_len((64 << 20) + 1).unwrap();
    run(&["annotate", large.path().to_str().unwrap()]).fails(2, &["more than 64 MiB"]);
}

#[test]
fn a_missing_table_is_told_once_with_the_command_that_makes_it() {
    let fen = "1/3/k4/5/1BN1K b - 0 1";
    let variant = Variant::named(VARIANT).unwrap();
    let mv = Fen::parse(&variant, fen).unwrap().position.legal_moves(&variant)[0].from_to(&variant);
    let game = format!("[FEN \"{fen}\"]\n\n{mv} *\n\n");
    let text = format!("{game}{game}{}", slipping_game());
    let run = run_with_input(&["annotate", "-"], text.as_bytes());
    assert_eq!((run.status, run.stderr.lines().count()), (0, 1), "{}", run.stderr);
    let remedy = format!("`hextb generate KBNK --variant {VARIANT} --tables ");
    assert!(run.stderr.contains("KBNK is not in the tables") && run.stderr.contains(&remedy), "{}", run.stderr);
    assert!(run.stdout.contains("{tables: no position of this game}"), "{}", run.stdout);
}

#[test]
fn games_that_never_reach_the_tables_end_with_status_1() {
    let run = run_on(tables(), "glinski", &["annotate", "-"]);
    run.fails(2, &["holds no game"]);
    let many = "[FEN \"1/3/k4/q4/RBNBK b - 0 1\"] *";
    run_with_input(&["annotate", "-"], many.as_bytes()).fails(1, &["no position of standard input is in the tables"]);
}

#[test]
fn oddities_are_warned_of_and_change_no_status() {
    let text = "[FEN \"1/3/k4/5/4K w - 0 1\"]\nKd1+ 3/4-1/4";
    let run = run_with_input(&["annotate", "-"], text.as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines[0], "hextb: warning: standard input, line 2, column 1: \"Kd1+\" should be Kd1");
    assert!(lines[1].ends_with("the result is 3/4-1/4, but there is no stalemate that pays so much"), "{lines:?}");
}

#[test]
fn bare_moves_are_read_after_a_fen_of_the_command_line_or_of_the_first_line() {
    let fen = "1/3/k4/5/4K w - 0 1";
    let option = run_with_input(&["annotate", "-", "--fen", fen], b"Kd1 a3a2").good();
    let line = annotate(&format!("{fen}\nKd1 a3a2"));
    for text in [&option, &line] {
        assert!(text.contains(&format!("[FEN \"{fen}\"]")) && text.contains("1. Kd1 Ka2"), "{text}");
    }
}

/// The README's example is what the program prints.
#[test]
fn the_readme_shows_a_true_annotation() {
    let readme = include_str!("../README.md");
    let (_, from) = readme.split_once("$ hextb annotate - <<END\n").expect("the example");
    let (input, rest) = from.split_once("END\n").unwrap();
    let (expected, _) = rest.split_once("```").unwrap();
    let folder = tempfile::tempdir().unwrap();
    run_on(folder.path(), "glinski", &["generate", "KQKR", "--quiet", "--level", "plain"]).good();
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_hextb"));
    let output = command.args(["annotate", "-", "--tables"]).arg(folder.path()).write_stdin(input).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn the_example_of_the_help_is_a_game() {
    let help = run(&["annotate", "--help"]).good();
    let quoted: Vec<&str> = help.lines().find(|line| line.trim().starts_with("echo")).unwrap().split('\'').collect();
    let empty = tempfile::tempdir().unwrap();
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_hextb"));
    command.args(["annotate", "-", "--fen", quoted[3], "--tables"]).arg(empty.path()).write_stdin(quoted[1]);
    let run = command.output().unwrap();
    // All that is wanting is the tables.
    let told = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.code() == Some(1) && told.contains("KQKR"), "{told}");
}

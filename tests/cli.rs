//! What each command prints when all goes well, on small boards.

#[path = "common/program.rs"]
mod program;

use program::{VARIANT, longest, program, run, run_on, run_with_input, table_file, tables};
use serde_json::{Value, json};
use std::process::Stdio;

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A position of KQKR with something to capture and a king in check, found in the statistics.
fn decisive() -> String {
    longest("KQKR").into_iter().find(|(_, value, _)| value == "win").unwrap().0
}

#[test]
fn generate_makes_what_a_material_needs_and_keeps_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let first = run_on(folder.path(), VARIANT, &["generate", "KPvK"]).good();
    for made in ["KK", "KQK", "KRK", "KBK", "KNK", "KPK"] {
        assert!(
            first.lines().any(|line| line.starts_with(&format!("{made} ")) && line.contains("positions")),
            "{first}"
        );
    }
    assert!(first.starts_with("6 tables to make") && first.contains("6 tables made, 0 kept"), "{first}");
    let again = run_on(folder.path(), VARIANT, &["generate", "kpk", "--men", "3"]).good();
    assert_eq!(again.lines().count(), 1, "{again}");
    assert!(again.starts_with("0 tables made, 6 kept"), "{again}");
    assert_eq!(run_on(folder.path(), VARIANT, &["generate", "--men", "3", "--quiet"]).good(), "");
}

#[test]
fn generate_reports_each_table_as_an_object_a_line() {
    let folder = tempfile::tempdir().unwrap();
    for (status, seconds) in [("made", true), ("kept", false)] {
        let out = run_on(folder.path(), "mccooey-2", &["generate", "--level", "usual", "--men", "3", "--json"]).good();
        let objects: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(objects.len(), 6);
        for object in &objects {
            assert_eq!(keys(object), ["material", "status", "positions", "bytes", "seconds", "cpu_seconds", "file"]);
            assert_eq!((&object["status"], object["seconds"].is_f64()), (&json!(status), seconds));
            assert_eq!(object["cpu_seconds"]["solving"].is_f64(), seconds);
            let values = std::path::Path::new(object["file"].as_str().unwrap());
            let files = [values.to_path_buf(), values.with_extension("hxd")];
            assert_eq!(object["bytes"], files.iter().map(|file| file.metadata().unwrap().len()).sum::<u64>());
        }
    }
}

#[test]
fn tables_are_the_same_for_one_thread_and_two() {
    let bytes = |arguments: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        run_on(folder.path(), VARIANT, &[&["generate", "KPK", "--quiet", "--level", "usual"], arguments].concat())
            .good();
        program::packed_files(folder.path(), "KPK").map(|file| std::fs::read(file).unwrap())
    };
    assert_eq!(bytes(&["--threads", "1"]), bytes(&["--threads", "2"]));
}

#[test]
fn generate_replaces_a_damaged_table() {
    let folder = program::copied_tables();
    let file = table_file(folder.path(), "KQK");
    let sound = std::fs::read(&file).unwrap();
    std::fs::write(&file, &sound[..sound.len() - 1]).unwrap();
    let out = run_on(folder.path(), VARIANT, &["generate", "--level", "plain", "--men", "3"]).good();
    assert!(out.contains("1 table made, 5 kept"), "{out}");
    assert_eq!(std::fs::read(&file).unwrap(), sound);
}

#[test]
fn generate_tests_every_byte_of_what_was_asked_for_and_of_what_a_table_to_be_made_reads() {
    let folder = program::copied_tables();
    let (needed, asked) = (table_file(folder.path(), "KRK"), table_file(folder.path(), "KQKR"));
    let sound = std::fs::read(&needed).unwrap();
    // Byte 40 lies in the first block.
    let spoil = || {
        let mut bytes = sound.clone();
        bytes[40] ^= 1;
        std::fs::write(&needed, &bytes).unwrap();
    };
    spoil();
    std::fs::remove_file(&asked).unwrap();
    let out = run_on(folder.path(), VARIANT, &["generate", "--level", "plain", "KQKR"]).good();
    assert!(out.contains("2 tables made"), "{out}");
    assert_eq!(std::fs::read(&needed).unwrap(), sound);
    spoil();
    let out = run_on(folder.path(), VARIANT, &["generate", "--level", "plain", "KQKR"]).good();
    assert!(out.contains("0 tables made"), "only its header is looked at: {out}");
    let out = run_on(folder.path(), VARIANT, &["generate", "--level", "plain", "KRK"]).good();
    assert!(out.contains("1 table made"), "{out}");
    assert_eq!(std::fs::read(&needed).unwrap(), sound);
}

#[test]
fn probe_prints_the_documented_keys_in_order() {
    let report = run(&["probe", &decisive(), "--json"]).json();
    let expected = "fen variant material turn category points plies check checkmate stalemate moves";
    assert_eq!(keys(&report).join(" "), expected);
    let of_move = "move san category plies capture promotion check checkmate stalemate";
    let moves = report["moves"].as_array().unwrap();
    assert!(!moves.is_empty());
    assert!(moves.iter().all(|mv| keys(mv).join(" ") == of_move));
    assert_eq!((&report["variant"], &report["material"]), (&json!(VARIANT), &json!("KQKR")));
    assert_eq!((&report["category"], report["points"].to_string().as_str()), (&json!("win"), "1"));
}

#[test]
fn probe_lists_the_best_moves_first_and_the_first_explains_the_verdict() {
    const ORDER: [&str; 5] = ["loss", "stalemate-loss", "draw", "stalemate-win", "win"];
    for material in ["KQKR", "KPKP", "KPK", "KK", "KBK"] {
        for (fen, value, plies) in longest(material) {
            let report = run(&["probe", &fen, "--json"]).json();
            assert_eq!((&report["category"], &report["plies"]), (&json!(value), &json!(plies)), "{fen}");
            let moves = report["moves"].as_array().unwrap();
            let key = |mv: &Value| {
                let value = ORDER.iter().position(|&word| mv["category"] == word).unwrap();
                let plies = mv["plies"].as_i64().unwrap_or(0);
                (value, if value < 2 { plies } else { -plies })
            };
            assert!(moves.is_sorted_by_key(key), "{fen}");
            match moves.first() {
                Some(best) => assert_eq!(best["plies"].as_u64().unwrap() + 1, plies, "{fen}"),
                None => assert_eq!((plies, report["checkmate"] != report["stalemate"]), (0, true), "{fen}"),
            }
        }
    }
}

#[test]
fn probe_tells_why_a_position_is_drawn_when_it_is_asked() {
    let class = |fen: &str| run(&["probe", fen, "--draw-class", "--json"]).json()["draw_class"].clone();
    // Bare kings leave each other alone, whichever of them is taken as the weak one.
    assert_eq!(class("1/3/k4/5/4K w -"), json!({"b": "fortress", "w": "fortress"}));
    // The king takes the bishop, and what is left is drawn; the weak side is the bare king, whatever its colour.
    assert_eq!(class("k/3/5/4b/4K w -"), json!({"w": "conversion"}));
    assert_eq!(class(&decisive()), json!({}));
    let text = run(&["probe", "1/3/k4/5/4K w -", "--draw-class"]).good();
    assert!(text.contains("A draw by fortress: White holds"), "{text}");
    let report = run(&["probe", "1/3/k4/5/4K w -", "--json"]).json();
    assert!(report.get("draw_class").is_none(), "only when it is asked: {report}");
    run_with_input(&["probe", "-", "--draw-class"], b"").fails(2, &["--draw-class", "one position"]);
}

#[test]
fn equal_moves_stand_in_the_order_of_cells_and_promotions() {
    // Bare kings: nothing but draws, so that the order is that of the cells alone, file by file from below.
    let report = run(&["probe", "1/3/k4/5/4K w -", "--json"]).json();
    let moves: Vec<&str> = report["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect();
    assert!(report["moves"].as_array().unwrap().iter().all(|m| m["category"] == "draw"), "{report}");
    let mut sorted = moves.clone();
    sorted.sort();
    assert_eq!(moves, sorted);
    // A pawn about to promote: the letters of one value and distance come in the order q r b n.
    let report = run(&["probe", "1/1P1/5/k4/4K w - 0 1", "--json"]).json();
    let moves = report["moves"].as_array().unwrap();
    let promotions: Vec<&Value> = moves.iter().filter(|m| m["promotion"].is_string()).collect();
    assert_eq!(promotions.len(), 4);
    for pair in promotions.windows(2).filter(|p| p[0]["category"] == p[1]["category"] && p[0]["plies"] == p[1]["plies"])
    {
        let rank = |m: &Value| "QRBN".find(m["promotion"].as_str().unwrap());
        assert!(rank(pair[0]) < rank(pair[1]));
    }
}

#[test]
fn probe_keeps_the_clocks_fills_in_missing_fields_and_takes_a_fen_in_pieces() {
    let fen = |arguments: &[&str]| run(&[&["probe", "--json"], arguments].concat()).json()["fen"].clone();
    assert_eq!(fen(&["1/3/k4/5/4K w - 7 23"]), "1/3/k4/5/4K w - 7 23");
    assert_eq!(fen(&["1/3/k4/5/4K", "b", "-"]), "1/3/k4/5/4K b - 0 1");
}

#[test]
fn probe_says_in_words_who_wins_and_how_far_it_is() {
    let text = run(&["probe", &decisive()]).good();
    assert!(text.contains("KQKR, Gliński's hexagonal chess on a hexagon of radius 2, White to move"), "{text}");
    assert!(
        text.contains("White wins: mate in ") && text.contains("Points with best play: White 1, Black 0"),
        "{text}"
    );
    assert!(text.contains("as White sees them"), "{text}");
    let of = |material: &str, value: &str, plies: u64| {
        let mut found = longest(material).into_iter().filter(|(_, v, p)| v == value && (plies, *p) != (0, 1));
        let (fen, ..) = found.find(|(_, _, p)| plies > 0 || *p == 0).unwrap();
        run(&["probe", &fen]).good()
    };
    assert!(of("KK", "stalemate-loss", 0).contains("has no legal move and scores 1/4"));
    assert!(of("KK", "stalemate-win", 1).contains("in 1 ply (1 move) and scores 3/4"));
}

#[test]
fn a_stalemate_that_is_a_draw_is_told_from_one_that_pays() {
    let folder = tempfile::tempdir().unwrap();
    run_on(folder.path(), "mccooey-2", &["generate", "KK", "--quiet"]).good();
    let stats = run(&["stats", "KK", "--json"]).json();
    let fen = stats["w"]["longest"]["stalemate_loss"].as_str().unwrap();
    let paid = run(&["probe", fen, "--json"]).json();
    let drawn = run_on(folder.path(), "mccooey-2", &["probe", fen, "--json"]).json();
    let told = |r: &Value| [&r["category"], &r["points"], &r["plies"], &r["stalemate"], &r["moves"]].map(Value::clone);
    assert_eq!(told(&paid), [json!("stalemate-loss"), json!(0.25), json!(0), json!(true), json!([])]);
    assert_eq!(told(&drawn), [json!("draw"), json!(0.5), json!(null), json!(true), json!([])]);
    let line = run_on(folder.path(), "mccooey-2", &["line", fen, "--json"]).json();
    assert_eq!(line["end"]["reason"], "stalemate");
    assert_eq!(line["end"]["score"], json!({"w": 0.5, "b": 0.5}));
    let text = run_on(folder.path(), "mccooey-2", &["probe", fen]).good();
    assert!(text.contains("Stalemate: a draw"), "{text}");
}

#[test]
fn a_line_ends_in_the_promised_way_after_the_promised_number_of_plies() {
    let mut reasons = std::collections::BTreeSet::new();
    for material in ["KQKR", "KPKP", "KPK", "KK", "KQK"] {
        for (fen, value, plies) in longest(material) {
            let line = run(&["line", &fen, "--json"]).json();
            let expected = "fen variant material turn category points plies moves drawing_moves end";
            assert_eq!(keys(&line).join(" "), expected);
            assert_eq!((&line["category"], &line["plies"]), (&json!(value), &json!(plies)), "{fen}");
            let moves = line["moves"].as_array().unwrap();
            assert_eq!(moves.len() as u64, plies, "{fen}");
            let (reason, sign) = if value.contains("stalemate") { ("stalemate", "=") } else { ("checkmate", "#") };
            assert_eq!(line["end"]["reason"], reason, "{fen}");
            reasons.insert(reason);
            if let Some(last) = moves.last() {
                assert!(last["san"].as_str().unwrap().ends_with(sign), "{fen}");
                assert_eq!(last["fen"], line["end"]["fen"]);
            }
            let end = run(&["probe", line["end"]["fen"].as_str().unwrap(), "--json"]).json();
            assert_eq!((&end["plies"], &end[reason]), (&json!(0), &json!(true)), "{fen}");
            let turn = line["turn"].as_str().unwrap();
            assert_eq!(line["end"]["winner"] == turn, value.contains("win"), "{fen}");
            let score = |side: &str| line["end"]["score"][side].as_f64().unwrap();
            assert_eq!((score("w") + score("b"), score(turn)), (1.0, line["points"].as_f64().unwrap()));
        }
    }
    assert_eq!(reasons.len(), 2);
}

#[test]
fn from_a_draw_no_line_is_played_and_the_drawing_moves_are_named() {
    let line = run(&["line", "1/3/k4/5/4K w -", "--json"]).json();
    assert_eq!((&line["moves"], &line["end"]["reason"]), (&json!([]), &json!("draw")));
    assert_eq!((&line["end"]["winner"], &line["plies"]), (&json!(null), &json!(null)));
    assert!(!line["drawing_moves"].as_array().unwrap().is_empty());
    let text = run(&["line", "1/3/k4/5/4K w -"]).good();
    assert!(text.contains("no line is played") && text.contains("Score: White 1/2, Black 1/2"), "{text}");
}

#[test]
fn a_line_in_words_ends_with_the_score() {
    let text = run(&["line", &decisive()]).good();
    assert!(text.contains("1. ") && text.contains("The game ends in checkmate."), "{text}");
    assert!(text.contains("Score: White 1, Black 0"), "{text}");
}

#[test]
fn probing_standard_input_answers_each_line_and_ends_with_the_worst_status() {
    let good = "1/3/k4/5/4K w - 0 1";
    let missing = "1/3/k4/5/1BN1K w - 0 1";
    let run_lines = |lines: &[&str]| run_with_input(&["probe", "-"], lines.join("\n").as_bytes());
    let out = run_lines(&[good, "", "1/3/k4/5/4K b -"]).good();
    assert_eq!(out.lines().count(), 2);
    let single = run(&["probe", good, "--json"]).good();
    assert_eq!(out.lines().next().unwrap(), single.trim_end());

    let mixed = run_lines(&[good, "1/3/k4/5/4X w - 0 1", "", missing, good]);
    let mixed = mixed.fails(2, &["2 lines of standard input"]);
    let objects: Vec<Value> = mixed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 4);
    assert_eq!((&objects[1]["line"], &objects[1]["status"]), (&json!(2), &json!(2)));
    assert!(objects[1]["error"].as_str().unwrap().contains("rank 1, character 2: found 'X'"), "{}", objects[1]);
    assert_eq!((&objects[2]["line"], &objects[2]["status"]), (&json!(4), &json!(1)));
    assert_eq!(objects[3]["fen"], good);
    run_lines(&[missing]).fails(1, &["1 line of"]);
    run_with_input(&["probe", "-"], b"\xff\xfe\n").fails(2, &["1 line"]);
    assert_eq!(run_with_input(&["probe", "-"], b"").good(), "");
}

#[test]
fn stats_print_the_documented_object() {
    let stats = run(&["stats", "krkq", "--json"]).json();
    assert_eq!(keys(&stats), ["variant", "material", "w", "b"]);
    assert_eq!(stats["material"], "KQKR");
    for side in ["w", "b"] {
        let of = &stats[side];
        let expected = "legal win stalemate_win draw stalemate_loss loss max_plies longest";
        assert_eq!(keys(of).join(" "), expected);
        let count = |key: &str| of[key].as_u64().unwrap();
        let sum = ["win", "stalemate_win", "draw", "stalemate_loss", "loss"].map(count).iter().sum::<u64>();
        assert_eq!(count("legal"), sum);
        assert_eq!(keys(&of["max_plies"]), keys(&of["longest"]));
    }
    let text = run(&["stats", "KQvKR"]).good();
    assert!(
        text.contains("White to move") && text.contains("Black to move") && text.contains("stalemate-win"),
        "{text}"
    );
    assert!(text.contains("White has KQ, Black KR"), "{text}");
}

#[test]
fn list_shows_each_table_with_its_size() {
    let list = run(&["list", "--json"]).json();
    assert_eq!(keys(&list), ["variant", "folder", "tables", "faults", "unused"]);
    let tables = list["tables"].as_array().unwrap();
    assert_eq!((&tables[0]["material"], &list["faults"]), (&json!("KK"), &json!([])));
    for table in tables {
        let files = program::packed_files(program::tables(), table["material"].as_str().unwrap());
        let [values, distances] = files.map(|file| file.metadata().unwrap().len());
        assert_eq!((&table["values_bytes"], &table["distances_bytes"]), (&json!(values), &json!(distances)));
        assert_eq!((&table["bytes"], &table["form"]), (&json!(values + distances), &json!("packed")));
    }
    assert!(tables.iter().any(|t| t["material"] == "KQKR" && t["men"] == 4));
    let text = run(&["list"]).good();
    assert_eq!(text.lines().count(), tables.len() + 2, "{text}");
}

#[test]
fn list_of_an_empty_folder_says_how_to_fill_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = run_on(folder.path(), VARIANT, &["list"]).good();
    assert!(
        text.contains("No tables") && text.contains("hextb generate --men 3 --variant glinski-2 --tables"),
        "{text}"
    );
    assert_eq!(run_on(folder.path(), VARIANT, &["list", "--json"]).json()["tables"], json!([]));
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let lines = format!("{}\n", "1/3/k4/5/4K w - 0 1").repeat(2000);
    let input = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(input.path(), lines).unwrap();
    let mut command = program();
    command.args(["--variant", VARIANT, "--tables"]).arg(tables()).args(["probe", "-"]);
    command.stdin(std::fs::File::open(input.path()).unwrap()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn orthodox_positions_have_a_castling_field() {
    let folder = tempfile::tempdir().unwrap();
    run_on(folder.path(), "orthodox", &["generate", "KQK", "--quiet"]).good();
    let report = run_on(folder.path(), "orthodox", &["probe", "8/8/8/8/8/2k5/1q6/K7 w - - 0 1", "--json"]).json();
    let told = [&report["category"], &report["plies"], &report["checkmate"], &report["fen"]];
    assert_eq!(told, [&json!("loss"), &json!(0), &json!(true), &json!("8/8/8/8/8/2k5/1q6/K7 w - - 0 1")]);
}

/// What `export` writes to standard output and to standard error.
fn exported(arguments: &[&str]) -> (Vec<u8>, String) {
    let mut command = program();
    command.args(["--variant", VARIANT, "--tables"]).arg(tables()).arg("export").args(arguments);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    (output.stdout, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn exported_entries_are_what_the_description_and_the_tables_say() {
    let (values, description) = exported(&["KQKR", "--json"]);
    let description: Value = serde_json::from_str(&description).unwrap();
    // 19 cells, of which 4 orbits: the middle, the two kinds next to it and the corners.
    assert_eq!(description["shape"], json!([2, 4, 19, 19, 19]));
    assert_eq!(description["men"], json!(["White K", "Black K", "White Q", "Black R"]));
    assert_eq!(values.len(), 2 * 4 * 19 * 19 * 19);
    let (distances, told) = exported(&["KQKR", "--what", "distances"]);
    assert!(told.starts_with("KQKR: distances, 1 byte an entry"), "{told}");
    let first_king = description["first_king"].as_array().unwrap();
    let best = longest("KQKR");
    for (fen, value, plies) in &best {
        let code = ["loss", "stalemate-loss", "draw", "stalemate-win", "win"].iter().position(|v| v == value).unwrap();
        let half = values.len() / 2;
        let side = if fen.contains(" w ") { 0..half } else { half..2 * half };
        let of_value = values[side.clone()].iter().zip(&distances[side]).filter(|(v, _)| **v as usize == code);
        assert_eq!(of_value.map(|(_, moves)| u64::from(*moves)).max().unwrap(), plies / 2, "{fen}");
    }
    assert!(first_king.len() == 4 && best.len() > 4);
    // With --fill no entry is without a value.
    assert!(values.contains(&255) && distances.contains(&255));
    for what in ["values", "distances"] {
        let (filled, _) = exported(&["KQKR", "--what", what, "--fill", "--quiet"]);
        let plain = if what == "values" { &values } else { &distances };
        let agree = filled.iter().zip(plain).zip(&values).filter(|((_, plain), value)| **plain != 255 && **value != 2);
        assert!(filled.iter().all(|entry| *entry != 255) && agree.clone().count() > 1000);
        assert!(agree.clone().all(|((filled, plain), _)| filled == plain));
    }
}

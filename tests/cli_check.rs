//! The commands `check`, `verify` and `board`, as a user sees them.

#[path = "common/program.rs"]
mod program;

use hextb::geometry::{Color, Variant};
use hextb::index::{Code, DenseTable, Layout, Material, Place};
use hextb::outcome::{Outcome, Value};
use hextb::solve::MemoryTables;
use hextb::table::{DEFAULT_LEVEL, TableFile, write_table};
use program::{VARIANT, copied_tables, run, run_on};
use std::sync::Arc;

#[test]
fn check_passes_on_sound_tables_and_says_how_many_positions_it_compared() {
    let text = run(&["check", "KQKR", "KPKP", "--quiet"]).good();
    assert!(text.lines().all(|line| line.contains("positions compared") && line.contains(": ok")), "{text}");
    assert!(text.contains("after a double step"), "{text}");
    let report = run(&["check", "KQKR", "--json"]).json();
    let stats = run(&["stats", "KQKR", "--json"]).json();
    let legal = stats["w"]["legal"].as_u64().unwrap() + stats["b"]["legal"].as_u64().unwrap();
    assert_eq!((report["compared"].as_u64(), report["mismatches"].as_u64()), (Some(legal), Some(0)));
}

#[test]
fn check_walks_every_image_or_a_sample_when_told_to() {
    let all = run(&["check", "KQKR", "--all-images", "--json"]).json();
    let folded = run(&["check", "KQKR", "--json"]).json();
    assert_eq!(all["compared"], folded["compared"]);
    let sample = run(&["check", "KQKR", "--sample", "1000", "--json"]).json();
    assert_eq!((sample["compared"].as_u64(), sample["ok"].as_bool()), (Some(1000), Some(true)));
}

/// A folder in which the table of KRK is sound as a file but has one wrong entry.
fn tables_with_a_wrong_entry(claimed: Outcome) -> tempfile::TempDir {
    let variant = Arc::new(Variant::named(VARIANT).unwrap());
    let material = Material::parse(&variant, "KRK").unwrap();
    let mut tables = MemoryTables::new(variant.clone());
    tables.solve(&material);
    let layout = Arc::new(Layout::new(variant, &material));
    let sound = tables.table(&material).unwrap();
    let wrong = DenseTable::new(layout.clone());
    for slice in 0..layout.slices().len() {
        let index = |index| Place { slice, index };
        let mut codes = Color::BOTH
            .map(|turn| -> Vec<Code> { (0..layout.slice_len(slice)).map(|i| sound.code(turn, index(i))).collect() });
        let at = codes[0].iter().position(|code| code.outcome().is_some()).expect("a legal position");
        codes[0][at] = Code::of(claimed);
        wrong.fill(slice, codes);
    }
    let folder = copied_tables();
    write_table(&wrong, &folder.path().join(VARIANT), DEFAULT_LEVEL).unwrap();
    folder
}

#[test]
fn check_finds_a_single_wrong_entry() {
    for claimed in [Outcome::DRAW, Outcome::new(Value::Win, 31), Outcome::new(Value::Loss, 2)] {
        let folder = tables_with_a_wrong_entry(claimed);
        let found = run_on(folder.path(), VARIANT, &["check", "KRK", "--json"]).fails(1, &["1 table of 1 failed"]);
        let report: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
        assert!(report["mismatches"].as_u64().unwrap() > 0, "{report}");
        assert!(report["first"][0]["fen"].as_str().unwrap().contains('/'));
    }
}

#[test]
fn check_finds_counts_that_differ_from_the_header() {
    let folder = copied_tables();
    let path = program::table_file(folder.path(), "KRK");
    let mut bytes = std::fs::read(&path).unwrap();
    let file = TableFile::open(&path).unwrap();
    let won = file.header().statistics.w.win.to_string();
    let changed: String = won.chars().map(|digit| if digit == '9' { '8' } else { '9' }).collect();
    let text = format!("\"win\":{won}");
    let at = bytes.windows(text.len()).rposition(|part| part == text.as_bytes()).unwrap();
    bytes[at..at + text.len()].copy_from_slice(format!("\"win\":{changed}").as_bytes());
    // The checksum over the first bytes and all after the blocks, as the format has it.
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let begin = bytes.len() - 8 - 12 * number(16) - number(12);
    let end = bytes.len() - 8;
    let checksum = xxhash_rust::xxh3::xxh3_64(&[&bytes[..32], &bytes[begin..end]].concat());
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    std::fs::write(&path, bytes).unwrap();
    let found = run_on(folder.path(), VARIANT, &["check", "KRK", "--json"]).fails(1, &["1 table of 1 failed"]);
    let report: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(report["mismatches"], 0);
    assert_eq!(report["differences"].as_array().unwrap().len(), 1, "{report}");
}

#[test]
fn check_refuses_damaged_tables_missing_ones_and_empty_folders() {
    let folder = copied_tables();
    let path = program::table_file(folder.path(), "KRK");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[40] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    run_on(folder.path(), VARIANT, &["check", "KRK"]).fails(3, &["KRK.hxt", "block"]);
    std::fs::remove_file(path).unwrap();
    run_on(folder.path(), VARIANT, &["check", "KQKR"]).fails(1, &["KRK is not in the tables", "hextb generate KRK"]);
    let empty = tempfile::tempdir().unwrap();
    run_on(empty.path(), VARIANT, &["check"]).fails(1, &["no tables in", "generate"]);
    run(&["check", "KQKR", "--memory", "1K"]).fails(3, &["KQKR", "memory"]);
}

/// A claims file of one claim about KQK on the smallest hexagon.
fn claims(published: &str, rule: &str) -> tempfile::NamedTempFile {
    let text = format!(
        "[[claim]]\nid = \"queen\"\ntext = \"The queen mates\"\nsource = \"a test\"\nvariant = \"{VARIANT}\"\n\
         material = \"KQK\"\nto_move = \"w\"\nscoring = \"full\"\ncount = [\"win\"]\npublished = \"{published}\"\n\
         rule = \"{rule}\"\n"
    );
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

#[test]
fn verify_makes_what_is_missing_and_confirms_or_contradicts() {
    let empty = tempfile::tempdir().unwrap();
    let verify = |file: &tempfile::NamedTempFile| {
        run_on(empty.path(), "glinski", &["verify", "--claims", file.path().to_str().unwrap()])
    };
    let text = verify(&claims("always", "always")).good();
    assert!(text.contains("confirmed") && text.contains("1 of 1 claim confirmed"), "{text}");
    assert!(program::table_file(empty.path(), "KQK").exists());
    let wrong = verify(&claims("12.5 %", "rounds")).fails(1, &["1 claim of 1 contradicted"]);
    assert!(wrong.stdout.contains("CONTRADICTED"), "{}", wrong.stdout);
}

#[test]
fn verify_shows_claims_by_source_and_longest_distances_in_plies() {
    let claim = |id: &str, source: &str, count: &str, published: &str| {
        format!(
            "[[claim]]\nid = \"{id}\"\ntext = \"Of {id}\"\nsource = \"{source}\"\nvariant = \"{VARIANT}\"\n\
             material = \"KQK\"\nscoring = \"full\"\ncount = [\"{count}\"]\npublished = \"{published}\"\n\
             rule = \"equals\"\n"
        )
    };
    let statistics = run(&["stats", "KQK", "--json"]).json();
    let plies =
        statistics["w"]["max_plies"]["win"].as_u64().max(statistics["b"]["max_plies"]["loss"].as_u64()).unwrap();
    let (won, lost) = (&statistics["w"]["win"], &statistics["b"]["loss"]);
    let won = (won.as_u64().unwrap() + lost.as_u64().unwrap()).to_string();
    let file = tempfile::NamedTempFile::new().unwrap();
    let text = [
        claim("first", "one book", "longest:win", &plies.to_string()),
        claim("second", "another book", "win", &won),
        claim("third", "one book", "longest:loss", "2"),
    ];
    std::fs::write(file.path(), text.concat()).unwrap();
    let verify = |more: &[&str]| {
        run(&[&["verify", "--claims", file.path().to_str().unwrap()], more].concat())
            .fails(1, &["1 claim of 3 contradicted"])
            .stdout
    };
    let text = verify(&[]);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!([&lines[0][..], &lines[5][..]], [&["one", "book"][..], &["another", "book"]], "{text}");
    let plies_shown = plies.to_string();
    assert_eq!(lines[2], ["Of", "first", &plies_shown, &plies_shown, "plies", "-", "-", "confirmed"]);
    // The lone king never wins, so there is no longest distance.
    assert_eq!(lines[3], ["Of", "third", "2", "-", "-", "-", "CONTRADICTED"]);
    let json: serde_json::Value = serde_json::from_str(&verify(&["--json"])).unwrap();
    let of = |claim: usize, key: &str| json["claims"][claim][key].clone();
    assert_eq!((of(0, "plies"), of(1, "plies"), of(2, "plies")), (plies.into(), ().into(), ().into()));
    for key in ["count", "population", "percentage"] {
        assert!(of(0, key).is_null() && !of(1, key).is_null() && of(2, key).is_null(), "{key}");
    }
}

#[test]
fn verify_says_what_is_wrong_with_a_claims_file() {
    let verify = |file: &str| run(&["verify", "--claims", file]);
    verify("/nowhere/claims.toml").fails(2, &["/nowhere/claims.toml"]);
    let file = claims("often", "rounds");
    verify(file.path().to_str().unwrap()).fails(2, &["queen", "published", "often"]);
    std::fs::write(file.path(), "[[claim]]\nid = 3\n").unwrap();
    verify(file.path().to_str().unwrap()).fails(2, &["line 2"]);
    std::fs::write(file.path(), "").unwrap();
    verify(file.path().to_str().unwrap()).fails(2, &["no claims"]);
    run(&["verify", "no-such-claim"]).fails(2, &["no-such-claim", "kqkr-fortress"]);
}

#[test]
fn board_draws_text_json_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("board.svg");
    let fen = "k/3/5/4R/K4 w - 0 1";
    let text = run(&["board", fen, "--svg", picture.to_str().unwrap()]).good();
    assert!(text.contains('R') && text.contains("White to move"), "{text}");
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert_eq!(svg.matches("<polygon").count(), 19);
    let json = run(&["board", fen, "--json"]).json();
    assert_eq!(json["men"], serde_json::json!({"a1": "K", "c5": "k", "e2": "R"}), "{json}");
    run(&["board", fen, "--svg", "/nowhere/board.svg"])
        .fails(3, &["/nowhere/board.svg", "there is no folder /nowhere"]);
    run(&["board", "k/3/5/4R/K5 w - 0 1"]).fails(2, &["rank 1"]);
}

#[test]
fn board_takes_full_armies() {
    let start = Variant::glinski().description().start.clone().unwrap();
    let text = run_on(program::tables(), "glinski", &["board", &start]).good();
    assert_eq!(text.matches(['p', 'P']).count(), 18, "{text}");
}

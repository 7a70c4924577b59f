//! Every kind of error has its exit status and one line that says what is wrong and what to do.

#[path = "common/program.rs"]
mod program;

use program::{Run, VARIANT, copied_tables, program, run, run_on, table_file};
use std::path::Path;

const KINGS: &str = "1/3/k4/5/4K w - 0 1";

#[test]
fn wrong_usage_is_told_in_one_line() {
    run(&[]).fails(2, &["no command given", "--help"]);
    run(&["generat"]).fails(2, &["unrecognized subcommand 'generat'", "'generate'"]);
    run(&["probe"]).fails(2, &["<FEN>"]);
    run(&["stats"]).fails(2, &["MATERIAL"]);
    run(&["list", "--wrong"]).fails(2, &["unexpected argument '--wrong'"]);
    run(&["list", "--tables"]).fails(2, &["--tables"]);
    run(&["generate"]).fails(2, &["nothing to generate", "--men 3"]);
    run(&["generate", "--men", "1"]).fails(2, &["--men", "2..=6"]);
    run(&["generate", "--men", "7"]).fails(2, &["--men", "2..=6"]);
    run(&["generate", "KK", "--level", "0"]).fails(2, &["--level", "plain, usual, best"]);
    run(&["pack", "KK", "--level", "plain"]).fails(2, &["--level", "usual, best"]);
    run(&["list", "--threads", "0"]).fails(2, &["--threads", "0 is not in 1..=1024"]);
    run(&["list", "--threads", "x"]).fails(2, &["--threads"]);
    run(&["list", "--threads", "-3"]).fails(2, &["--threads", "-3 is not in 1..=1024"]);
    run(&["generate", "--men", "-1"]).fails(2, &["--men", "2..=6"]);
    run(&["check", "KK", "--sample", "-1"]).fails(2, &["--sample"]);
    run(&["generate", "KK", "--memory", "999999T"]).fails(2, &["--memory", "more than any machine has"]);
    for size in ["0", "much", "4X", "1e99"] {
        run(&["generate", "KK", "--memory", size]).fails(2, &["--memory", size, "such as 4G"]);
    }
    run(&["probe", "a\nb", "--thre\nads"]).fails(2, &[]);
}

#[test]
fn an_unknown_variant_names_the_known_ones() {
    for variant in ["chess", "glinski-1", "glinski-99", "orthodox-3", ""] {
        run_on(Path::new("nowhere"), variant, &["list"])
            .fails(2, &["unknown variant", variant, "glinski, mccooey, orthodox"]);
    }
}

#[test]
fn a_fault_in_a_material_is_named() {
    for command in ["generate", "stats"] {
        run(&[command, "KXK"]).fails(2, &["KXK", "'X'", "KQRBNP"]);
        run(&[command, "KQ"]).fails(2, &["two kings"]);
        run(&[command, "KQRBNKN"]).fails(2, &["7 men", "more than 6"]);
        run(&[command, "K\nK"]).fails(2, &[]);
        run(&[command, ""]).fails(2, &["two kings"]);
    }
}

#[test]
fn a_fault_in_a_fen_is_located() {
    for command in ["probe", "line"] {
        let fails = |fen: &str, part: &str| run(&[command, fen]).fails(2, &[part]);
        fails("1/3/k4/5", "expected 3 or 5 fields");
        fails("1/3/k4/5 w - 0 1", "expected 5 ranks");
        fails("1/3/k4/5/4X w - 0 1", "rank 1, character 2: found 'X'");
        fails("1/3/k4/5/5K w - 0 1", "rank 1, character 2");
        fails("1/3/k4/5/4K x - 0 1", "side to move");
        fails("1/3/k4/5/4K w z9 0 1", "en passant");
        fails("1/3/k4/5/4K w - -1 1", "");
        fails("1/3/5/5/4K w - 0 1", "Black has no king");
        fails("1/3/k4/5/3KK w - 0 1", "White has 2 kings");
        fails("1/3/k4/5/R3K w - 0 1", "Black is in check");
        fails("1/3/k4/5/2P1K w - 0 1", "pawn cannot stand on");
    }
}

#[test]
fn a_missing_table_says_how_to_make_it() {
    let options = ["hextb generate KBNK --variant glinski-2 --tables"];
    run(&["stats", "KBNK"]).fails(1, &options);
    run(&["probe", "1/3/k4/5/1BN1K b - 0 1"]).fails(1, &options);
    run(&["line", "1/3/k4/5/1BN1K b - 0 1"]).fails(1, &options);
    let default = program().args(["stats", "KQK"]).current_dir(std::env::temp_dir()).output().unwrap();
    assert!(String::from_utf8(default.stderr).unwrap().contains("`hextb generate KQK` makes it"));
}

#[test]
fn a_missing_table_of_what_a_capture_leads_to_is_missed_too() {
    let folder = copied_tables();
    std::fs::remove_file(table_file(folder.path(), "KQK")).unwrap();
    let fen = "1/3/k4/5/1Qr1K w - 0 1";
    assert!(run(&["probe", fen]).good().contains("Qxc1"));
    run_on(folder.path(), VARIANT, &["probe", fen]).fails(1, &["KQK is not in the tables"]);
}

#[test]
fn too_many_men_for_any_table_is_no_fault_of_the_fen() {
    run(&["probe", "1/3/k4/q4/RBNBK b - 0 1"]).fails(1, &["7 men", "at most 6"]);
}

/// A table file with one byte changed.
fn spoil(file: &Path, at: impl Fn(usize) -> usize) {
    let mut bytes = std::fs::read(file).unwrap();
    let at = at(bytes.len());
    bytes[at] ^= 0x40;
    std::fs::write(file, bytes).unwrap();
}

fn probe_all(folder: &Path) -> Run {
    run_on(folder, VARIANT, &["probe", KINGS])
}

#[test]
fn a_damaged_block_is_named_and_gives_no_answer() {
    let folder = copied_tables();
    let file = table_file(folder.path(), "KK");
    spoil(&file, |_| 40);
    let run =
        probe_all(folder.path()).fails(3, &["KK.hxt is damaged in block 0", "expected checksum", "generate it again"]);
    assert_eq!(run.stdout, "");
    run_on(folder.path(), VARIANT, &["line", KINGS]).fails(3, &["block 0"]);
}

#[test]
fn a_damaged_header_is_refused_by_all_commands() {
    type Damage = (&'static str, fn(&Path));
    let damages: [Damage; 5] = [
        ("damaged in its header", |file| spoil(file, |length| length - 100)),
        ("its format is version", |file| spoil(file, |_| 8)),
        ("no hextb table", |file| spoil(file, |_| 0)),
        ("damaged in its length", |file| {
            let bytes = std::fs::read(file).unwrap();
            std::fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("damaged in its first bytes", |file| std::fs::write(file, "").unwrap()),
    ];
    for (message, damage) in damages {
        let folder = copied_tables();
        damage(&table_file(folder.path(), "KK"));
        probe_all(folder.path()).fails(3, &["KK.hxt", message]);
        run_on(folder.path(), VARIANT, &["stats", "KK"]).fails(3, &["KK.hxt", message]);
        let list = run_on(folder.path(), VARIANT, &["list"]).fails(3, &["1 file"]);
        assert!(list.stdout.contains("KQKR") && list.stdout.contains(message), "{}", list.stdout);
        let list = run_on(folder.path(), VARIANT, &["list", "--json"]).fails(3, &["1 file"]);
        let list: serde_json::Value = serde_json::from_str(&list.stdout).unwrap();
        assert!(list["faults"][0]["error"].as_str().unwrap().contains(message), "{list}");
    }
}

#[test]
fn a_table_of_another_game_or_name_is_refused() {
    let folder = copied_tables();
    let other = tempfile::tempdir().unwrap();
    run_on(other.path(), "mccooey-2", &["generate", "--level", "plain", "KK", "--quiet"]).good();
    std::fs::copy(other.path().join("mccooey-2/KK.hxt"), table_file(folder.path(), "KK")).unwrap();
    probe_all(folder.path()).fails(3, &["other rules", "mccooey-2"]);
    std::fs::copy(table_file(folder.path(), "KQK"), table_file(folder.path(), "KRK")).unwrap();
    run_on(folder.path(), VARIANT, &["stats", "KRK"]).fails(3, &["it holds KQK, not KRK"]);
    std::fs::copy(table_file(folder.path(), "KQK"), table_file(folder.path(), "KKQ")).unwrap();
    let list = run_on(folder.path(), VARIANT, &["list"]).fails(3, &["3 files"]);
    assert!(list.stdout.contains("\"KKQ\" names no material"), "{}", list.stdout);
}

#[test]
fn tables_in_a_place_that_is_no_folder_are_a_system_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    run_on(file.path(), VARIANT, &["generate", "--level", "plain", "KK"]).fails(3, &["cannot open", "KK.hxv"]);
    run_on(file.path(), VARIANT, &["list"]).fails(3, &["cannot read the folder"]);
}

#[test]
fn too_little_memory_is_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["generate", "--level", "plain", "KQKR", "--memory", "1M"];
    run_on(folder.path(), VARIANT, &arguments).fails(3, &["needs about", "only 1.00 MiB may be used", "--memory"]);
    assert!(!table_file(folder.path(), "KK").exists());
}

#[test]
fn a_table_that_another_process_makes_is_waited_for() {
    let folder = copied_tables();
    let made_elsewhere = folder.path().join(VARIANT).join(".unfinished-KBNK");
    let lock = std::fs::File::create(&made_elsewhere).unwrap();
    lock.lock().unwrap();
    let waiting = std::thread::spawn({
        let folder = folder.path().to_path_buf();
        move || run_on(&folder, VARIANT, &["generate", "--level", "plain", "KBNK", "--json"])
    });
    // Long enough for the other to come to the table; if it has not, it finds the lock gone, which is as good.
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert!(!waiting.is_finished(), "the table is being made elsewhere");
    assert!(!table_file(folder.path(), "KBNK").exists());
    drop(lock);
    let run = waiting.join().unwrap();
    assert!(run.good().contains("\"made\""));
    assert!(table_file(folder.path(), "KBNK").exists() && !made_elsewhere.exists());
}

#[test]
fn two_processes_divide_the_work_in_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let runs = [(); 2].map(|()| {
        let folder = folder.path().to_path_buf();
        std::thread::spawn(move || {
            run_on(&folder, VARIANT, &["generate", "--level", "plain", "KQKR", "KBNK", "KRKN", "--json"])
                .good()
                .to_string()
        })
    });
    let lines: Vec<String> =
        runs.into_iter().flat_map(|run| run.join().unwrap().lines().map(str::to_string).collect::<Vec<_>>()).collect();
    let made = lines.iter().filter(|line| line.contains("\"made\"")).count();
    let tables = std::fs::read_dir(folder.path().join(VARIANT)).unwrap().count();
    assert_eq!(made, tables, "each table is made once and nothing else is left: {lines:#?}");
    assert_eq!(lines.len(), 2 * tables, "each run tells of all tables");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_system_error() {
    let mut command = program();
    command.args(["--variant", VARIANT, "--tables"]).arg(program::tables()).arg("list");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("hextb: cannot write to standard output"));
}

#[test]
fn what_is_no_ordinary_file_is_no_table_and_is_left_alone() {
    let folder = program::copied_tables();
    let path = program::table_file(folder.path(), "KRK");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    #[cfg(unix)]
    std::process::Command::new("mkfifo").arg(program::table_file(folder.path(), "KBNK")).status().expect("mkfifo runs");
    run_on(folder.path(), VARIANT, &["stats", "KRK"]).fails(3, &["KRK.hxt", "no ordinary file"]);
    run_on(folder.path(), VARIANT, &["generate", "--level", "plain", "KRK"])
        .fails(3, &["KRK.hxt", "no ordinary file", "move it away"]);
    #[cfg(unix)]
    {
        run_on(folder.path(), VARIANT, &["stats", "KBNK"]).fails(3, &["KBNK.hxt", "no ordinary file"]);
        run_on(folder.path(), VARIANT, &["list"]).fails(3, &["2 files"]);
    }
}

#[test]
fn generate_does_not_replace_files_of_another_version_or_kind() {
    let folder = program::copied_tables();
    let path = program::table_file(folder.path(), "KRK");
    let mut newer = std::fs::read(&path).unwrap();
    newer[8] += 1;
    let version = format!("version {}", newer[8]);
    for (bytes, reason) in
        [(newer, version.as_str()), (b"My diary. Nothing to see here, move along.".to_vec(), "no hextb table")]
    {
        std::fs::write(&path, &bytes).unwrap();
        run_on(folder.path(), VARIANT, &["generate", "--level", "plain", "KRK"])
            .fails(3, &["KRK.hxt", reason, "move it away or delete it"]);
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_folder_that_is_none_is_not_taken_for_a_missing_table() {
    let file = tempfile::NamedTempFile::new().unwrap();
    run_on(file.path(), VARIANT, &["stats", "KQK"]).fails(3, &["cannot open"]);
    run_on(file.path(), VARIANT, &["probe", "k/3/5/4R/K4 w - 0 1"]).fails(3, &["cannot be used"]);
}

#[test]
fn an_entry_beyond_any_distance_is_damage() {
    // A header that promises two bytes a distance, over blocks that hold 65535 everywhere, all checksums sound.
    let table = hextb::table::TableFile::open(&program::table_file(program::plain_tables(), "KRK")).unwrap();
    let error = table.outcome(4, u16::MAX).unwrap_err().to_string();
    assert!(error.contains("KRK.hxt") && error.contains("distance"), "{error}");
    assert!(table.outcome(5, 0).unwrap_err().to_string().contains("value from 0 to 4"));
}

#[test]
fn check_of_a_folder_looks_at_every_table_and_names_the_files_it_cannot_use() {
    let folder = program::copied_tables();
    std::fs::write(program::table_file(folder.path(), "KRK"), b"").unwrap();
    std::fs::write(program::table_file(folder.path(), "foo"), b"").unwrap();
    let run = run_on(folder.path(), VARIANT, &["check", "--sample", "10"])
        .fails(3, &["could not be checked", "KRK.hxt", "foo.hxt"]);
    assert!(run.stdout.contains("KQK ") && run.stdout.contains("KNK "), "{}", run.stdout);
}

#[test]
fn a_radius_is_written_in_one_way_only() {
    for name in ["glinski-03", "glinski-+3", "glinski--3", "glinski-99999", "orthodox-3"] {
        run_on(program::tables(), name, &["list"]).fails(2, &["unknown variant"]);
    }
}

#[test]
fn control_characters_of_files_do_not_reach_the_terminal() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let claim = format!(
        "[[claim]]\nid = \"x\"\ntext = \"red \\u001b[31m\\nhextb: forged\"\nsource = \"\"\nvariant = \"{VARIANT}\"\n\
         material = \"KQK\"\nscoring = \"full\"\ncount = [\"win\"]\npublished = \"none\"\nrule = \"none\"\n"
    );
    std::fs::write(file.path(), claim).unwrap();
    let run = program::run(&["verify", "--claims", file.path().to_str().unwrap()]).fails(1, &["contradicted"]);
    assert!(!run.stdout.contains('\u{1b}') && !run.stdout.contains("\nhextb:"), "{}", run.stdout);
}

#[test]
fn a_sound_table_in_a_folder_that_cannot_be_written_is_kept() {
    let folder = program::copied_tables();
    let before = std::fs::metadata(folder.path().join(VARIANT)).unwrap().modified().unwrap();
    run_on(folder.path(), VARIANT, &["generate", "--level", "plain", "KRK", "--quiet"]).good();
    let after = std::fs::metadata(folder.path().join(VARIANT)).unwrap().modified().unwrap();
    assert_eq!(before, after, "nothing was to be made, so nothing was begun");
}

#[test]
fn verify_keeps_to_the_memory_it_may_use() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let claim = format!(
        "[[claim]]\nid = \"x\"\ntext = \"x\"\nsource = \"\"\nvariant = \"{VARIANT}\"\nmaterial = \"KQK\"\n\
         scoring = \"full\"\ncount = [\"win\"]\npublished = \"none\"\nrule = \"none\"\n"
    );
    std::fs::write(file.path(), claim).unwrap();
    let claims = file.path().to_str().unwrap();
    program::run(&["verify", "--claims", claims, "--memory", "1K"]).fails(3, &["KQK", "memory"]);
    program::run(&["verify", "--memory", "-1"]).fails(2, &["--memory", "such as 4G"]);
}

#[test]
fn export_needs_no_other_table_than_its_own() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(VARIANT)).unwrap();
    std::fs::copy(table_file(program::plain_tables(), "KQKR"), table_file(folder.path(), "KQKR")).unwrap();
    let mut command = program();
    command.args(["--variant", VARIANT, "--tables"]).arg(folder.path()).args(["export", "KQKR", "--quiet"]);
    let output = command.output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 2 * 4 * 19 * 19 * 19));
}

#[test]
fn check_tells_a_file_that_several_tables_need_once() {
    let folder = copied_tables();
    std::fs::write(table_file(folder.path(), "KQK"), "").unwrap();
    let said = run_on(folder.path(), VARIANT, &["check"]).fails(3, &["KQK.hxt is damaged"]).stderr;
    assert_eq!(said.matches("KQK.hxt is damaged").count(), 1, "{said}");
}

#[test]
fn export_of_a_damaged_table_writes_nothing() {
    let folder = copied_tables();
    let file = table_file(folder.path(), "KQKR");
    let mut bytes = std::fs::read(&file).unwrap();
    // The end of the last block, before the header and the list of blocks: it would come up last.
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = bytes.len() - 8 - 12 * number(16) - number(12);
    bytes[end - 1] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let mut command = program();
    command.args(["--variant", VARIANT, "--tables"]).arg(folder.path()).args(["export", "KQKR"]);
    let output = command.output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("hextb: ") && said.contains("is damaged in block") && said.lines().count() == 1, "{said}");
}

//! Files that behave oddly: links and folders where unfinished tables belong, files cut short while they are in use,
//! limits of the system. Each is told in one line; nothing of others is touched.
#![cfg(unix)]

#[path = "common/program.rs"]
mod program;

use program::{VARIANT, run_on};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

/// A folder of tables in which a path stands at a name of an unfinished file.
fn folder_with(name: &str, put: impl Fn(&std::path::Path)) -> tempfile::TempDir {
    let tables = tempfile::tempdir().unwrap();
    let folder = tables.path().join(VARIANT);
    std::fs::create_dir(&folder).unwrap();
    put(&folder.join(name));
    tables
}

#[test]
fn what_a_link_at_the_name_of_an_unfinished_table_leads_to_is_not_touched() {
    let elsewhere = tempfile::tempdir().unwrap();
    let diary = elsewhere.path().join("diary");
    std::fs::write(&diary, "Dear diary").unwrap();
    let links: [&dyn Fn(&std::path::Path); 2] =
        [&|path| std::os::unix::fs::symlink(&diary, path).unwrap(), &|path| std::fs::hard_link(&diary, path).unwrap()];
    for link in links {
        let tables = folder_with(".unfinished-KRK", link);
        run_on(tables.path(), VARIANT, &["generate", "--level", "plain", "KRK"])
            .fails(3, &[".unfinished-KRK", "link", "move it away"]);
        run_on(tables.path(), VARIANT, &["generate", "--level", "plain", "KQK"]).good();
        assert_eq!(std::fs::read_to_string(&diary).unwrap(), "Dear diary");
    }
}

#[test]
fn a_folder_at_the_name_of_an_unfinished_table_is_named_and_other_names_are_nobodys_business() {
    let tables = folder_with(".unfinished-KRK", |path| std::fs::create_dir(path).unwrap());
    run_on(tables.path(), VARIANT, &["generate", "--level", "plain", "KRK"])
        .fails(3, &[".unfinished-KRK", "no ordinary file"]);
    for put in [(&|path: &std::path::Path| std::fs::create_dir(path).unwrap()) as &dyn Fn(&std::path::Path), &|path| {
        std::fs::write(path, "mine").unwrap()
    }] {
        let tables = folder_with(".unfinished-notes", put);
        run_on(tables.path(), VARIANT, &["generate", "--level", "plain", "KRK"]).good();
        assert!(tables.path().join(VARIANT).join(".unfinished-notes").exists());
    }
}

#[test]
fn what_killed_runs_left_is_cleared_away_even_if_nothing_is_to_be_made() {
    let tables = program::copied_tables();
    let left = tables.path().join(VARIANT).join(".unfinished-KNK");
    std::fs::write(&left, "half a table").unwrap();
    run_on(tables.path(), VARIANT, &["generate", "--level", "plain", "KRK"]).good();
    assert!(!left.exists());
}

#[test]
fn a_table_that_is_cut_short_while_it_is_in_use_is_told_in_one_line() {
    // A table of many blocks, few of which an answer reads.
    const LARGER: &str = "glinski-4";
    let tables = tempfile::tempdir().unwrap();
    run_on(tables.path(), LARGER, &["generate", "--level", "plain", "KQKR"]).good();
    let mut command = program::program();
    command.args(["probe", "-", "--variant", LARGER, "--tables"]).arg(tables.path());
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let statistics = run_on(tables.path(), LARGER, &["stats", "KQKR", "--json"]).json();
    let longest =
        |side: &str| statistics[side]["longest"].as_object().unwrap().values().map(|fen| fen.as_str().unwrap());
    let mut fens: Vec<&str> = longest("w").chain(longest("b")).collect();
    writeln!(stdin, "{}", fens.remove(0)).unwrap();
    let mut answer = String::new();
    stdout.read_line(&mut answer).unwrap();
    assert!(answer.contains("\"material\":\"KQKR\""), "{answer}");
    let path = tables.path().join(LARGER).join("KQKR.hxt");
    std::fs::OpenOptions::new().write(true).open(path).unwrap().set_len(0).unwrap();
    // The program may be gone before it has read them all.
    fens.iter().for_each(|fen| drop(writeln!(stdin, "{fen}")));
    drop(stdin);
    let mut told = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3), "{told}");
    assert!(told.contains("cut short") && told.lines().count() == 1, "{told}");
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_like_others() {
    let tables = tempfile::tempdir().unwrap();
    // In units of 512 or 1024 bytes, as the shell has it.
    let limited = format!(
        "ulimit -f 1; exec {} generate --level plain KQK --variant glinski --tables {}",
        env!("CARGO_BIN_EXE_hextb"),
        tables.path().display()
    );
    let run = std::process::Command::new("sh").args(["-c", &limited]).output().unwrap();
    let told = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(3), "{told}");
    assert!(told.contains("hextb: cannot write") && told.lines().count() == 1, "{told}");
    assert!(told.contains("raise the limit"), "{told}");
    let left = std::fs::read_dir(tables.path().join("glinski")).unwrap().map(|e| e.unwrap().file_name());
    assert!(left.filter(|name| name.to_string_lossy().starts_with('.')).count() == 0);
}

#[test]
fn a_table_packed_again_stays_as_it_was_if_there_is_room_for_its_values_alone() {
    use std::os::unix::fs::MetadataExt;
    let tables = program::copied_packed_tables();
    let files = program::packed_files(tables.path(), "KQKR");
    let before = files.each_ref().map(|file| (file.metadata().unwrap().ino(), std::fs::read(file).unwrap()));
    // In units of 1024 bytes.
    assert!(before[0].1.len() <= 1024 && (1025..4096).contains(&before[1].1.len()), "other sizes must be limited");
    let limited = format!(
        "ulimit -f 1; exec {} pack KQKR --again --level best --variant {VARIANT} --tables {}",
        env!("CARGO_BIN_EXE_hextb"),
        tables.path().display()
    );
    let run = std::process::Command::new("bash").args(["-c", &limited]).output().unwrap();
    let told = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(3), "{told}");
    assert!(told.contains("KQKR.hxd") && told.lines().count() == 1, "{told}");
    let after = files.each_ref().map(|file| (file.metadata().unwrap().ino(), std::fs::read(file).unwrap()));
    assert!(before == after);
    run_on(tables.path(), VARIANT, &["check", "KQKR"]).good();
}

#[test]
fn files_that_another_process_is_writing_are_no_tables() {
    let tables = program::copied_packed_tables();
    for (file, ending) in program::packed_files(tables.path(), "KQK").iter().zip(["hxv", "hxd"]) {
        std::fs::copy(file, file.with_file_name(format!(".unfinished-KRKN.{ending}"))).unwrap();
    }
    let listed = run_on(tables.path(), VARIANT, &["list"]).good();
    assert!(!listed.contains("unfinished"), "{listed}");
    run_on(tables.path(), VARIANT, &["check", "--sample", "10"]).good();
}

#[test]
fn a_link_that_leads_nowhere_is_called_so() {
    for (file, at) in [("KRK.hxt", 0), ("KRK.hxv", 1), ("KRK.hxd", 2)] {
        let tables = if at == 0 { program::copied_tables() } else { program::copied_packed_tables() };
        let path = tables.path().join(VARIANT).join(file);
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/nowhere/at/all", &path).unwrap();
        run_on(tables.path(), VARIANT, &["stats", "KRK"]).fails(3, &[file, "a link that leads nowhere: remove it"]);
    }
}

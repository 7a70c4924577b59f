//! Generations that are killed: whatever stands in the folder is whole, and the next run completes it.

#[path = "common/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

const VARIANT: &str = "glinski-3";
const JOB: [&str; 6] = ["generate", "--men", "4", "--quiet", "--level", "plain"];

/// The table files of a folder with their bytes.
fn files(tables: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(tables.join(VARIANT)) else { return BTreeMap::new() };
    let named = entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "hxt"));
    named
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect()
}

/// What there is in a folder besides tables.
fn left_behind(tables: &Path) -> Vec<String> {
    std::fs::read_dir(tables.join(VARIANT))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| !name.ends_with(".hxt"))
        .collect()
}

#[test]
fn kills_at_random_moments_leave_only_whole_tables_and_the_next_run_completes() {
    let whole = tempfile::tempdir().unwrap();
    let begin = std::time::Instant::now();
    program::run_on(whole.path(), VARIANT, &JOB).good();
    let usual = begin.elapsed();
    let expected = files(whole.path());
    assert_eq!(expected.len(), 36);

    let killed = tempfile::tempdir().unwrap();
    for kill in 0..10u32 {
        let mut command = program::program();
        command.args(["--variant", VARIANT, "--tables"]).arg(killed.path()).args(JOB);
        let mut child = command.spawn().expect("the program starts");
        // Moments spread over the whole of a run, in no order.
        std::thread::sleep(usual.mul_f64(f64::from(kill * 7 % 10) / 10.0) / 2 + Duration::from_millis(3));
        child.kill().expect("the child can be killed");
        child.wait().expect("the child ends");
        for (name, bytes) in files(killed.path()) {
            assert!(expected[&name] == bytes, "{name} is not what an undisturbed run makes");
        }
        if kill % 3 == 2 {
            // Begin afresh, so that later kills hit early tables again.
            files(killed.path()).keys().for_each(|name| {
                std::fs::remove_file(killed.path().join(VARIANT).join(name)).unwrap();
            });
        }
    }
    program::run_on(killed.path(), VARIANT, &JOB).good();
    assert!(files(killed.path()) == expected);
    assert_eq!(left_behind(killed.path()), [""; 0]);
}

#[test]
fn an_unfinished_file_of_a_killed_run_is_cleared_away_by_the_next() {
    let tables = tempfile::tempdir().unwrap();
    let folder = tables.path().join(VARIANT);
    std::fs::create_dir_all(&folder).unwrap();
    let stale = folder.join(".unfinished-KQK");
    std::fs::write(&stale, b"half a table").unwrap();
    program::run_on(tables.path(), VARIANT, &["generate", "--level", "plain", "KQK", "--quiet"]).good();
    assert!(!stale.exists());
    assert!(folder.join("KQK.hxt").exists());
}

#[test]
fn an_unfinished_file_of_a_run_that_goes_on_is_left_alone() {
    let tables = tempfile::tempdir().unwrap();
    let folder = tables.path().join(VARIANT);
    std::fs::create_dir_all(&folder).unwrap();
    let [under_way, stale] = ["KBNK", "KRKN"].map(|name| folder.join(format!(".unfinished-{name}")));
    std::fs::write(&stale, b"half a table").unwrap();
    std::fs::write(&under_way, b"half a table").unwrap();
    let held = std::fs::File::open(&under_way).unwrap();
    held.lock().unwrap();
    program::run_on(tables.path(), VARIANT, &["generate", "--level", "plain", "KQK", "--quiet"]).good();
    assert!(folder.join("KQK.hxt").exists());
    assert_eq!(left_behind(tables.path()), [".unfinished-KBNK"]);
    assert_eq!(std::fs::read(&under_way).unwrap(), b"half a table");
    drop(held);
    program::run_on(tables.path(), VARIANT, &["generate", "--level", "plain", "KRK", "--quiet"]).good();
    assert_eq!(left_behind(tables.path()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_signal_to_stop_is_told_and_leaves_whole_tables_and_nothing_else() {
    let whole = tempfile::tempdir().unwrap();
    program::run_on(whole.path(), VARIANT, &JOB).good();
    let expected = files(whole.path());
    for signal in ["-INT", "-TERM"] {
        let tables = tempfile::tempdir().unwrap();
        let mut command = program::program();
        command.args(["--variant", VARIANT, "--tables"]).arg(tables.path()).args(JOB);
        let child = command.stderr(std::process::Stdio::piped()).spawn().expect("the program starts");
        let begin = std::time::Instant::now();
        // Until there is something to keep and something to clear away.
        while files(tables.path()).is_empty() || left_behind(tables.path()).is_empty() {
            assert!(begin.elapsed() < Duration::from_secs(60), "the first tables take too long");
            std::thread::sleep(Duration::from_millis(1));
        }
        let killed = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(killed.expect("kill starts").success());
        let output = child.wait_with_output().expect("the child ends");
        assert_eq!(output.status.code(), Some(130), "{signal}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "hextb: interrupted; finished tables are kept\n");
        assert_eq!(left_behind(tables.path()), [""; 0], "{signal}");
        for (name, bytes) in files(tables.path()) {
            assert!(expected[&name] == bytes, "{name} is not what an undisturbed run makes");
        }
        program::run_on(tables.path(), VARIANT, &["list"]).good();
        program::run_on(tables.path(), VARIANT, &JOB).good();
        assert!(files(tables.path()) == expected, "{signal}");
        assert_eq!(left_behind(tables.path()), [""; 0], "{signal}");
    }
}

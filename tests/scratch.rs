//! `hextb generate --scratch`: the same tables with what is being solved in files, and what may be wrong with those.

#[path = "common/program.rs"]
mod program;

use program::{VARIANT, plain_tables, run_on};
use std::collections::BTreeMap;
use std::path::Path;

/// A table large enough to need much more memory than the program itself.
const LARGER: [&str; 3] = ["glinski-4", "generate", "KQKR"];
/// Packing may take more memory than solving, and does not work in scratch files.
const PLAIN: [&str; 2] = ["--level", "plain"];

fn files(tables: &Path, variant: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(tables.join(variant)).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect()
}

fn with_scratch(tables: &Path, variant: &str, arguments: &[&str], scratch: &Path) -> program::Run {
    run_on(tables, variant, &[arguments, &["--quiet", "--scratch", scratch.to_str().unwrap()]].concat())
}

#[test]
fn tables_made_in_scratch_files_are_the_same_and_no_file_is_left() {
    let [made, scratch] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    with_scratch(made.path(), VARIANT, &["generate", "--level", "plain", "--men", "3", "KQKR", "KPKP"], scratch.path())
        .good();
    assert!(files(made.path(), VARIANT) == files(plain_tables(), VARIANT));
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}

#[test]
fn a_table_too_large_for_memory_is_made_in_scratch_files() {
    let [variant, job @ ..] = LARGER;
    let [made, scratch] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let plan = run_on(made.path(), variant, &["plan", "KQKR", "--threads", "1", "--json"]).json();
    let too_little = (plan["to_make"]["memory_bytes"].as_u64().unwrap() - 1).to_string();
    let tight = [job[0], job[1], PLAIN[0], PLAIN[1], "--threads", "1", "--memory", &too_little];
    run_on(made.path(), variant, &tight).fails(3, &["KQKR needs about", "may be used", "--memory", "--scratch"]);
    assert!(!made.path().join(variant).exists());
    with_scratch(made.path(), variant, &tight, scratch.path()).good();
    let plain = tempfile::tempdir().unwrap();
    run_on(plain.path(), variant, &[job[0], job[1], PLAIN[0], PLAIN[1], "--quiet"]).good();
    assert!(files(made.path(), variant) == files(plain.path(), variant));
}

#[test]
fn what_is_wrong_with_scratch_files_is_told() {
    let [made, scratch] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let missing = scratch.path().join("missing");
    let file = scratch.path().join("file");
    std::fs::write(&file, b"no folder").unwrap();
    for folder in [&missing, &file] {
        let run = with_scratch(made.path(), VARIANT, &["generate", "--level", "plain", "KQK"], folder);
        run.fails(3, &["cannot use the scratch folder", folder.to_str().unwrap()]);
    }
    // Memory is needed besides; more scratch files would be no help.
    let run =
        with_scratch(made.path(), VARIANT, &["generate", "--level", "plain", "KQK", "--memory", "1M"], scratch.path());
    let run = run.fails(3, &["KK needs about", "only 1.00 MiB may be used", "--memory"]);
    assert!(!run.stderr.contains("--scratch"), "{}", run.stderr);
    assert!(!made.path().join(VARIANT).exists());
}

#[cfg(target_os = "linux")]
#[test]
fn scratch_files_for_which_the_disk_has_no_room_are_refused_at_once() {
    let made = tempfile::tempdir().unwrap();
    // A disk of nothing.
    let run = with_scratch(made.path(), VARIANT, &["generate", "--level", "plain", "KQK"], Path::new("/proc"));
    run.fails(3, &["KK needs about", "of scratch files", "/proc has room for 0 B only", "--scratch"]);
    assert!(!made.path().join(VARIANT).exists());
}

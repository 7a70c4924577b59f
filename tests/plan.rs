//! `hextb plan`: what it prints, and that Make and Snakemake make the same tables by it as `hextb generate` does alone.

#[path = "common/program.rs"]
mod program;

use program::{VARIANT, copied_tables, run, run_on, table_file, tables};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Jobs at a time under Make and Snakemake.
const JOBS: &str = "2";

/// The game whose tables are made by jobs: not the smallest, so that tables differ in more than their names.
const JOBS_VARIANT: &str = "glinski-3";

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The names of a list.
fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn the_graph_is_an_object_with_each_table_after_all_that_it_needs() {
    let plan = run(&["plan", "--men", "4", "--memory", "1G", "--json"]).json();
    assert_eq!(keys(&plan), ["variant", "folder", "memory_available", "tables", "to_make"]);
    let tables = plan["tables"].as_array().unwrap();
    let mut before = vec![];
    for table in tables {
        let expected = "material there needs positions memory_bytes cpu_seconds file_bytes file";
        assert_eq!(keys(table).join(" "), expected);
        assert!(names(&table["needs"]).iter().all(|needed| before.contains(needed)), "{table} is too early");
        before.push(table["material"].as_str().unwrap());
    }
    assert_eq!((before.len(), before[0]), (36, "KK"));
    let missing: Vec<&Value> = tables.iter().filter(|table| table["there"] == false).collect();
    assert_eq!(keys(&plan["to_make"]), ["tables", "memory_bytes", "cpu_seconds", "file_bytes"]);
    assert_eq!(plan["to_make"]["tables"], missing.len());
    let sum = missing.iter().map(|table| table["file_bytes"].as_u64().unwrap()).sum::<u64>();
    assert_eq!(plan["to_make"]["file_bytes"], sum);
    assert_eq!(run(&["plan", "--men", "4", "--memory", "1G", "--format", "json"]).json(), plan);
}

#[test]
fn a_plan_tells_the_tables_that_are_there_unless_all_are_wanted() {
    let folder = copied_tables();
    let damaged = table_file(folder.path(), "KRK");
    std::fs::write(&damaged, &std::fs::read(&damaged).unwrap()[..100]).unwrap();
    std::fs::remove_file(table_file(folder.path(), "KPK")).unwrap();
    let state = |arguments: &[&str], name: &str| {
        let text = run_on(folder.path(), VARIANT, &[&["plan", "--men", "3"], arguments].concat()).good();
        let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{name} "))).unwrap().to_string();
        ["there", "to make", "too large"].into_iter().find(|state| line.contains(state)).unwrap()
    };
    assert_eq!(["KK", "KQK", "KRK", "KPK"].map(|name| state(&[], name)), ["there", "there", "to make", "to make"]);
    assert_eq!(state(&["--all"], "KQK"), "to make");
    assert_eq!(["KQK", "KPK"].map(|name| state(&["--memory", "1M"], name)), ["there", "too large"]);
    let text = run_on(folder.path(), VARIANT, &["plan", "--men", "3"]).good();
    assert!(text.lines().last().unwrap().starts_with("2 tables to make, 4 there: about "), "{text}");
    let tight = run_on(folder.path(), VARIANT, &["plan", "KPK", "--memory", "1M"]).good();
    assert!(tight.contains("2 tables need more than the 1.00 MiB of memory"), "{tight}");
    let all = run_on(folder.path(), VARIANT, &["plan", "--men", "3", "--all", "--json"]).json();
    assert_eq!((&all["tables"][1]["there"], &all["to_make"]["tables"]), (&json!(null), &json!(6)));
}

#[test]
fn what_cannot_be_planned_is_told() {
    run(&["plan"]).fails(2, &["nothing to plan", "hextb plan KQKR"]);
    run(&["plan", "KQ"]).fails(2, &["KQ", "two kings"]);
    run(&["plan", "KK", "--format", "ninja"]).fails(2, &["ninja", "text, json, make, snakemake"]);
    run(&["plan", "KK", "--json", "--format", "make"]).fails(2, &["--json and --format"]);
    let odd = |folder, format| run_on(Path::new(folder), VARIANT, &["plan", "KK", "--format", format]);
    odd("my tables", "make").fails(2, &["\"my tables\"", "make does not take"]);
    odd("{tables}", "snakemake").fails(2, &["\"{tables}\"", "Snakemake does not take"]);
    assert!(odd("my 'tables\"", "snakemake").good().contains(r#"config.get("tables", "my 'tables\"")"#));
}

#[test]
fn the_makefile_has_a_rule_for_each_table_after_those_that_it_needs() {
    // Tables that are there have rules all the same.
    let text = run(&["plan", "--men", "3", "KQKR", "--format", "make"]).good();
    let rules: Vec<&str> = text.lines().filter(|line| line.starts_with("$(FOLDER)/")).collect();
    assert_eq!(rules.len(), 7, "{text}");
    let mut made: Vec<&str> = vec![];
    for rule in rules {
        let (target, needs) = rule.split_once(':').unwrap();
        let mut needs = needs.split_whitespace().filter(|word| *word != "|");
        assert!(needs.all(|needed| made.contains(&needed)), "{rule}");
        let name = target.trim_start_matches("$(FOLDER)/").trim_end_matches(".hxt");
        let recipe =
            format!("\t$(HEXTB) generate {name} --level plain --tables $(TABLES) --variant {VARIANT} $(OPTIONS)");
        assert!(text.contains(&format!("{rule}\n{recipe}\n")), "{text}");
        assert!(text.contains(&format!("  {target}")), "{target} is not among all: {text}");
        made.push(target);
    }
    assert!(text.contains(&format!("\nTABLES ?= {}\n", tables().display())), "{text}");
    let threads = run(&["plan", "KK", "--format", "make", "--threads", "2"]).good();
    assert!(threads.contains("\nOPTIONS ?= --quiet --threads 2\n"), "{threads}");
}

#[test]
fn the_snakefile_says_what_each_table_needs_and_takes() {
    let text = run_on(Path::new("tables"), "glinski", &["plan", "KQPKP", "--threads", "3", "--format", "snakemake"]);
    let text = text.good();
    let entry = |name: &str| {
        let start = text.find(&format!("    \"{name}\": {{\n")).unwrap_or_else(|| panic!("{name} is missing"));
        text[start..].split_once("    },\n").unwrap().0
    };
    let number = |name: &str, key: &str| -> u64 {
        let (_, rest) = entry(name).split_once(&format!("\"{key}\": ")).unwrap();
        rest.split_once(',').unwrap().0.parse().unwrap()
    };
    assert!(entry("KPK").contains("\"needs\": [\"KQK\", \"KRK\", \"KBK\", \"KNK\", \"KK\"],"));
    assert!(entry("KQPKP").contains("\"needs\": [\n            \"KQPK\",\n"), "long lists have a line for each name");
    assert_eq!(["KQK", "KQPKP"].map(|name| number(name, "threads")), [1, 3]);
    for key in ["mem_mb", "runtime"] {
        assert!(number("KK", key) > 0 && number("KK", key) < number("KQPKP", key), "{key}");
    }
    assert!(!text.contains('\t'), "{text}");
}

/// The table files that stand in a folder, with their bytes.
fn files(tables: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(tables.join(JOBS_VARIANT)).expect("there is a folder of tables");
    let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "hxt"));
    paths.map(|path| (path.file_name().unwrap().to_str().unwrap().to_string(), std::fs::read(&path).unwrap())).collect()
}

/// A folder with the plan of all tables of up to three men in a file, and the tables that a plain run makes.
fn planned(format: &str, file: &str) -> (tempfile::TempDir, BTreeMap<String, Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let plan = run_on(Path::new("tables"), JOBS_VARIANT, &["plan", "--men", "3", "--format", format]).good();
    std::fs::write(folder.path().join(file), plan).unwrap();
    let plain = folder.path().join("plain");
    run_on(&plain, JOBS_VARIANT, &["generate", "--level", "plain", "--men", "3", "--quiet"]).good();
    let expected = files(&plain);
    assert_eq!(expected.len(), 6);
    (folder, expected)
}

/// Runs a program in a folder, and returns what it printed.
#[track_caller]
fn well_run(program: &Path, folder: &Path, arguments: &[&str], remedy: &str) -> String {
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments).env("XDG_CACHE_HOME", folder.join("cache"));
    let output =
        command.output().unwrap_or_else(|error| panic!("cannot start {}: {error}; {remedy}", program.display()));
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{} {}: {said}", program.display(), arguments.join(" "));
    said
}

fn make(folder: &Path, arguments: &[&str]) -> String {
    let hextb = concat!("HEXTB=", env!("CARGO_BIN_EXE_hextb"));
    well_run(Path::new("make"), folder, &[&["-j", JOBS, hextb], arguments].concat(), "install make")
}

fn snakemake(folder: &Path, arguments: &[&str]) -> String {
    let program = std::env::var_os("SNAKEMAKE").map_or(PathBuf::from("snakemake"), PathBuf::from);
    let remedy = "install it with `pip install -r .ci/requirements.txt`, or say in the environment variable SNAKEMAKE \
                  where it is";
    well_run(&program, folder, arguments, remedy)
}

fn snakemake_locally(folder: &Path, arguments: &[&str]) -> String {
    let hextb = concat!("hextb=", env!("CARGO_BIN_EXE_hextb"));
    snakemake(folder, &[&["--cores", JOBS, "--config", hextb], arguments].concat())
}

#[test]
#[ignore = "needs make; .ci/run runs it"]
fn make_makes_the_same_tables_and_what_is_missing_again() {
    let (folder, expected) = planned("make", "Makefile");
    make(folder.path(), &[]);
    let made = folder.path().join("tables");
    assert!(files(&made) == expected);
    assert!(make(folder.path(), &[]).contains("Nothing to be done"));
    std::fs::remove_file(made.join(JOBS_VARIANT).join("KQK.hxt")).unwrap();
    let again = make(folder.path(), &[]);
    assert_eq!(again.matches(" generate ").count(), 1, "{again}");
    assert!(files(&made) == expected);
    make(folder.path(), &["TABLES=elsewhere", "OPTIONS=--quiet --threads 1"]);
    assert!(files(&folder.path().join("elsewhere")) == expected);
}

#[test]
#[ignore = "needs Snakemake; .ci/run runs it"]
fn snakemake_makes_the_same_tables_and_what_is_missing_again() {
    let (folder, expected) = planned("snakemake", "Snakefile");
    snakemake_locally(folder.path(), &[]);
    let made = folder.path().join("tables");
    assert!(files(&made) == expected);
    assert!(snakemake_locally(folder.path(), &[]).contains("Nothing to be done"));
    // Another program and older files are no reason to make a table again.
    let copy = folder.path().join("a copy");
    std::fs::copy(env!("CARGO_BIN_EXE_hextb"), &copy).unwrap();
    let moved = format!("hextb={}", copy.display());
    let newest = std::fs::File::options().append(true).open(made.join(JOBS_VARIANT).join("KK.hxt")).unwrap();
    newest.set_modified(std::time::SystemTime::now()).unwrap();
    assert!(snakemake(folder.path(), &["--cores", JOBS, "--config", &moved]).contains("Nothing to be done"));
    std::fs::remove_file(made.join(JOBS_VARIANT).join("KPK.hxt")).unwrap();
    snakemake(folder.path(), &["--cores", JOBS, "--config", &moved]);
    assert!(files(&made) == expected);
    snakemake_locally(folder.path(), &["tables=else where"]);
    assert!(files(&folder.path().join("else where")) == expected);
}

#[test]
#[ignore = "needs Snakemake with the Slurm plugin; .ci/run runs it"]
fn snakemake_finds_no_fault_in_the_snakefile_and_takes_the_profile_for_clusters() {
    let (folder, _) = planned("snakemake", "Snakefile");
    snakemake(folder.path(), &["--lint"]);
    let profile = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/snakemake-slurm");
    let plan = snakemake(folder.path(), &["--profile", profile, "--dry-run"]);
    for part in ["KPK.hxt", "mem_mb=", "runtime="] {
        assert!(plan.contains(part), "\"{part}\" is not in: {plan}");
    }
}

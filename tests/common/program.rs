//! Running the program on tables of the smallest hexagon, which are made once for all tests of a file.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// What a run of the program left behind.
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    fn of(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        let status = output.status.code().expect("the program ends by itself");
        Run { status, stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The output of a run that went well and did not complain.
    #[track_caller]
    pub fn good(self) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        self.stdout
    }

    /// The output of a good run as JSON.
    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.good()).expect("the output is JSON")
    }

    /// The error of a run that failed: one line that begins with the program's name and holds all of `parts`.
    #[track_caller]
    #[allow(dead_code)]
    pub fn fails(self, status: i32, parts: &[&str]) -> Run {
        assert_eq!(self.status, status, "{}", self.stderr);
        let lines: Vec<&str> = self.stderr.lines().collect();
        assert_eq!(lines.len(), 1, "{}", self.stderr);
        assert!(lines[0].starts_with("hextb: "), "{}", self.stderr);
        for part in parts {
            assert!(lines[0].contains(part), "\"{part}\" is not in: {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked") && !self.stderr.contains("internal error"), "{}", self.stderr);
        self
    }
}

pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hextb"));
    command.stdin(Stdio::null());
    command
}

/// Runs the program on a folder of tables of a variant.
pub fn run_on(tables: &Path, variant: &str, arguments: &[&str]) -> Run {
    let mut command = program();
    command.args(["--variant", variant, "--tables"]).arg(tables).args(arguments);
    Run::of(command.output().expect("the program starts"))
}

/// Runs the program on the tables that [`tables`] makes.
pub fn run(arguments: &[&str]) -> Run {
    run_on(tables(), VARIANT, arguments)
}

/// Runs the program with some standard input on the same tables.
#[allow(dead_code)]
pub fn run_with_input(arguments: &[&str], input: &[u8]) -> Run {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_hextb"));
    command.args(["--variant", VARIANT, "--tables"]).arg(tables()).args(arguments).write_stdin(input);
    Run::of(command.output().expect("the program starts"))
}

pub const VARIANT: &str = "glinski-2";

/// The folder of the common tables: all of up to three men, KQKR, and KPKP with what it needs.
pub fn tables() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        run_on(folder.path(), VARIANT, &["generate", "--level", "usual", "--men", "3", "KQKR", "KPKP", "--quiet"])
            .good();
        folder
    });
    folder.path()
}

/// The same tables, plain.
#[allow(dead_code)]
pub fn plain_tables() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let arguments = ["generate", "--level", "plain", "--men", "3", "KQKR", "KPKP", "--quiet"];
        run_on(folder.path(), VARIANT, &arguments).good();
        folder
    });
    folder.path()
}

/// A fresh folder with a copy of the plain tables, to be spoilt.
#[allow(dead_code)]
pub fn copied_tables() -> tempfile::TempDir {
    copy_of(plain_tables())
}

/// A fresh folder with a copy of the common tables, to be spoilt.
#[allow(dead_code)]
pub fn copied_packed_tables() -> tempfile::TempDir {
    copy_of(tables())
}

fn copy_of(tables: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(copy.path().join(VARIANT)).unwrap();
    for entry in std::fs::read_dir(tables.join(VARIANT)).unwrap() {
        let from = entry.unwrap().path();
        std::fs::copy(&from, copy.path().join(VARIANT).join(from.file_name().unwrap())).unwrap();
    }
    copy
}

/// The plain file of a material in a folder of tables.
#[allow(dead_code)]
pub fn table_file(tables: &Path, material: &str) -> PathBuf {
    tables.join(VARIANT).join(format!("{material}.hxt"))
}

/// The files of values and of distances of a packed material in a folder of tables.
#[allow(dead_code)]
pub fn packed_files(tables: &Path, material: &str) -> [PathBuf; 2] {
    ["hxv", "hxd"].map(|ending| tables.join(VARIANT).join(format!("{material}.{ending}")))
}

/// All positions that the statistics of a material name, with the category and plies promised.
#[allow(dead_code)]
pub fn longest(material: &str) -> Vec<(String, String, u64)> {
    let stats = run(&["stats", material, "--json"]).json();
    let mut found = vec![];
    for side in ["w", "b"] {
        for (value, fen) in stats[side]["longest"].as_object().unwrap() {
            let plies = stats[side]["max_plies"][value].as_u64().unwrap();
            found.push((fen.as_str().unwrap().to_string(), value.replace('_', "-"), plies));
        }
    }
    found
}

//! `hextb list`: the tables of a folder.

use super::common::Common;
use super::failure::{Failure, Status};
use super::output::{Output, Table};
use super::words;
use hextb::table::{EXTENSION, Table as TableInUse, TableError};
use serde::Serialize;
use std::path::Path;

/// List the tables that are there
///
/// For each table: its men, the number of legal positions (both sides to move, symmetric ones included), the size of
/// its files, the bytes that values take and how many bits that is for each legal position, the bytes that distances
/// take and how many bits that is for each decisive position (positions that are the same by symmetry or by exchange of
/// like men counted once), how much is unpacked to answer one question (rows of a packed file, entries of a plain one),
/// and the most plies to a mate or stalemate. Only headers are tested. Files that are damaged, or were made under other
/// rules, are listed with their fault, and the exit status is then 3.
///
/// With --json prints one object: variant, folder, tables (objects with material, men, form (packed or plain),
/// positions, bytes, values_bytes, bits_per_position, distances_bytes, bits_per_decisive, block, max_plies, checksums
/// (of the outcomes with White and with Black to move), file; null where the file of distances is not there), faults
/// (objects with file and error) and unused (files that belong to no table in use, as when a run that packed a table was
/// killed).
#[derive(clap::Args)]
#[command(after_help = "Example:
  hextb list --variant mccooey")]
pub struct Arguments {}

#[derive(Serialize)]
struct Report {
    variant: String,
    folder: String,
    tables: Vec<Listed>,
    faults: Vec<Fault>,
    unused: Vec<String>,
}

#[derive(Serialize)]
struct Listed {
    material: String,
    men: usize,
    form: &'static str,
    positions: Option<u64>,
    bytes: u64,
    values_bytes: u64,
    bits_per_position: f64,
    distances_bytes: Option<u64>,
    bits_per_decisive: Option<f64>,
    block: u64,
    max_plies: Option<u16>,
    checksums: Vec<String>,
    file: String,
}

#[derive(Serialize)]
struct Fault {
    file: String,
    error: String,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let tablebase = common.tablebase()?;
        let (mut tables, mut faults) = (vec![], vec![]);
        let entries = tablebase.entries()?;
        let unused = tablebase.unused(&entries)?.iter().map(|path| shown(path)).collect();
        for entry in entries {
            match entry.table {
                Ok(table) => match listed(&table) {
                    Ok(listed) => tables.push(listed),
                    Err(error) => faults.push(Fault { file: shown(&entry.path), error: error.to_string() }),
                },
                Err(error) => faults.push(Fault { file: shown(&entry.path), error: error.to_string() }),
            }
        }
        tables.sort_by_key(|table| table.men);
        let variant = tablebase.variant().name().to_string();
        let report = Report { variant, folder: shown(tablebase.folder()), tables, faults, unused };
        match common.json {
            true => out.json(&report)?,
            false => print(&report, &common.options(), out)?,
        }
        match report.faults.len() {
            0 => Ok(Status::Done),
            n => {
                let files = words::counted(n, "file");
                Err(Failure::system(format!(
                    "{files} in {} cannot be used; `hextb generate MATERIAL{}` makes damaged tables again, move other \
                     files away",
                    report.folder,
                    common.options()
                )))
            }
        }
    }
}

/// Why a file is not used, and what to do about it.
fn why_unused(path: &Path, options: &str) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let has = |ending: &str| path.with_extension(ending).exists();
    if path.extension().is_some_and(|ending| ending == EXTENSION) {
        format!("the table is packed; `hextb pack {stem}{options}` removes this if every byte of that is sound")
    } else if has(EXTENSION) {
        format!("it is not whole, and the table is there plain; `hextb pack {stem}{options}` packs that")
    } else {
        format!("the values that it goes with are missing; `hextb generate {stem}{options}` makes the table again")
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// To four places.
fn bits(bytes: u64, positions: u64) -> f64 {
    (8e4 * bytes as f64 / positions.max(1) as f64).round() / 1e4
}

fn listed(table: &TableInUse) -> Result<Listed, TableError> {
    let statistics = match table.statistics() {
        Ok(statistics) => Some(statistics),
        Err(TableError::Missing { .. }) => None,
        Err(other) => return Err(other),
    };
    let [values_bytes, distances_bytes] = table.bytes_by_stream();
    let [legal, decisive] = table.entries();
    let there = statistics.is_some();
    Ok(Listed {
        material: table.material().to_string(),
        men: table.material().chars().count(),
        form: if table.is_packed() { "packed" } else { "plain" },
        positions: statistics.map(|found| found.w.legal + found.b.legal),
        bytes: table.bytes(),
        values_bytes,
        bits_per_position: bits(values_bytes, legal),
        distances_bytes: there.then_some(distances_bytes),
        bits_per_decisive: there.then(|| bits(distances_bytes, decisive)),
        block: table.block(),
        max_plies: statistics.map(|found| found.longest_plies()),
        checksums: table.checksums().to_vec(),
        file: shown(table.path()),
    })
}

fn print(report: &Report, options: &str, out: &mut Output) -> Result<(), Failure> {
    if report.tables.is_empty() && report.faults.is_empty() && report.unused.is_empty() {
        return out.line(format!(
            "No tables in {}; `hextb generate --men 3{options}` makes all of up to three men there.",
            report.folder
        ));
    }
    let mut table = Table::new(&[
        "material",
        ">men",
        ">positions",
        ">bytes",
        ">values",
        ">bits each",
        ">distances",
        ">bits each",
        ">block",
        ">most plies",
    ]);
    let known = |number: Option<String>| number.unwrap_or_else(|| "-".into());
    for listed in &report.tables {
        table.row([
            listed.material.clone(),
            listed.men.to_string(),
            known(listed.positions.map(words::count)),
            words::count(listed.bytes),
            words::count(listed.values_bytes),
            format!("{:.4}", listed.bits_per_position),
            known(listed.distances_bytes.map(words::count)),
            known(listed.bits_per_decisive.map(|bits| format!("{bits:.3}"))),
            words::count(listed.block),
            known(listed.max_plies.map(|plies| plies.to_string())),
        ]);
    }
    out.table(&table)?;
    for fault in &report.faults {
        out.line(format!("  unusable: {}", fault.error))?;
    }
    for file in &report.unused {
        out.line(format!("  not used: {file}: {}", why_unused(Path::new(file), options)))?;
    }
    let total: u64 = report.tables.iter().map(|listed| listed.bytes).sum();
    out.line(format!(
        "{} of {} in {}, {}",
        words::counted(report.tables.len(), "table"),
        report.variant,
        report.folder,
        words::bytes(total)
    ))
}

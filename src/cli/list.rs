//! `hextb list`: the tables of a folder.

use super::common::Common;
use super::failure::{Failure, Status};
use super::output::{Output, Table};
use super::words;
use hextb::table::format::Stream;
use hextb::table::{Header, TableFile};
use serde::Serialize;
use std::path::Path;

/// List the tables that are there
///
/// For each table: its men, the number of legal positions (both sides to move, symmetric ones included), the size of
/// its file, bits of file for each position, the parts of the file that hold values and distances, and the most plies
/// to a mate or stalemate. Only headers are tested. Files that are damaged, or were made under other rules, are
/// listed with their fault, and the exit status is then 3.
///
/// With --json prints one object: variant, folder, tables (objects with material, men, positions, bytes,
/// bits_per_position, values_bytes, distances_bytes, max_plies, checksums (of the outcomes with White and with Black
/// to move), file) and faults (objects with file and error).
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
}

#[derive(Serialize)]
struct Listed {
    material: String,
    men: usize,
    positions: u64,
    bytes: u64,
    bits_per_position: f64,
    values_bytes: u64,
    distances_bytes: u64,
    max_plies: u16,
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
        for entry in tablebase.entries()? {
            match entry.table {
                Ok(table) => tables.push(listed(&table)),
                Err(error) => faults.push(Fault { file: shown(&entry.path), error: error.to_string() }),
            }
        }
        tables.sort_by_key(|table| table.men);
        let variant = tablebase.variant().name().to_string();
        let report = Report { variant, folder: shown(tablebase.folder()), tables, faults };
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

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Legal positions with either side to move.
pub fn legal_positions(header: &Header) -> u64 {
    header.statistics.w.legal + header.statistics.b.legal
}

fn listed(table: &TableFile) -> Listed {
    let header = table.header();
    let positions = legal_positions(header);
    let bits = 8.0 * table.bytes() as f64 / positions.max(1) as f64;
    Listed {
        material: header.material.clone(),
        men: header.men,
        positions,
        bytes: table.bytes(),
        bits_per_position: (bits * 1e4).round() / 1e4,
        values_bytes: table.stream_bytes(Stream::Values),
        distances_bytes: table.stream_bytes(Stream::Distances),
        max_plies: header.statistics.longest_plies(),
        checksums: header.checksums.clone(),
        file: shown(table.path()),
    }
}

fn print(report: &Report, options: &str, out: &mut Output) -> Result<(), Failure> {
    if report.tables.is_empty() && report.faults.is_empty() {
        return out.line(format!(
            "No tables in {}; `hextb generate --men 3{options}` makes all of up to three men there.",
            report.folder
        ));
    }
    let mut table =
        Table::new(&["material", ">men", ">positions", ">bytes", ">bits each", ">values", ">distances", ">most plies"]);
    for listed in &report.tables {
        table.row([
            listed.material.clone(),
            listed.men.to_string(),
            words::count(listed.positions),
            words::count(listed.bytes),
            format!("{:.3}", listed.bits_per_position),
            words::count(listed.values_bytes),
            words::count(listed.distances_bytes),
            listed.max_plies.to_string(),
        ]);
    }
    out.table(&table)?;
    for fault in &report.faults {
        out.line(format!("  unusable: {}", fault.error))?;
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

//! `hextb plan`: the graph of tables with what each takes, for people and for programs that run jobs.
//!
//! Knows the shapes that the plan is printed in but for the files of Make and Snakemake, which `workflow` writes. What
//! a table needs is the library's to say, and so is what it takes.

use super::common::{Common, WantedTables};
use super::failure::{Failure, Status};
use super::output::{Output, Table};
use super::{words, workflow};
use hextb::geometry::Variant;
use hextb::index::Material;
use hextb::table::{Estimate, TableError, Tablebase, generation_order};
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;

/// Tell which tables there would be to make, in which order, and what they take
///
/// For each table: the tables that it needs (those that one capture or promotion leads to), the numbers of positions it
/// stores, and rough estimates: memory and processor time to make it, size of its file. Tables come after all that they
/// need. Those that are there (with a sound header) are marked and not counted in the last line. Those that need more
/// memory than may be used are marked too. Memory is that of a run with the given number of threads.
///
/// The formats make and snakemake are a Makefile and a Snakefile of the whole graph, whatever is there: a job for each
/// table, on one machine or, by Snakemake, on a cluster. Their heads say how to use them.
///
/// With --json or --format json prints one object: variant, folder, memory_available, tables (objects with material,
/// there (null with --all), needs, positions, memory_bytes, cpu_seconds, file_bytes, file) and to_make (the number of
/// tables that are not there with their largest memory_bytes and the sums of cpu_seconds and file_bytes).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb plan --men 4
  hextb plan KQRKR --threads 8 --memory 16G
  hextb plan --men 4 --format make >Makefile && make -j 2
  hextb plan --men 4 --format snakemake >Snakefile && snakemake --cores 2")]
pub struct Arguments {
    #[command(flatten)]
    wanted: WantedTables,
    /// What to print
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<Format>,
    /// Plan all tables, those that are there too
    #[arg(long)]
    all: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    /// A table to read (the default)
    Text,
    /// One object
    Json,
    /// A Makefile
    Make,
    /// A Snakefile
    Snakemake,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let format = match self.format {
            None if common.json => Format::Json,
            Some(Format::Text | Format::Make | Format::Snakemake) if common.json => {
                return Err(Failure::input("--json and --format say different things; leave one of them out"));
            }
            chosen => chosen.unwrap_or(Format::Text),
        };
        let variant = common.variant()?;
        let materials = self.wanted.materials(&variant, "plan")?;
        common.start_threads()?;
        let mut graph = Graph::new(&variant, &materials);
        match format {
            Format::Text | Format::Json => {
                let tablebase = common.tablebase()?;
                if !self.all {
                    graph.look(&tablebase)?;
                }
                let available = common.memory()?;
                match format {
                    Format::Json => out.json(&graph.report(&tablebase, available))?,
                    _ => graph.print(available, common.quiet, out)?,
                }
            }
            Format::Make => out.drawing(workflow::makefile(&graph, common)?.trim_end())?,
            Format::Snakemake => out.drawing(workflow::snakefile(&graph, common)?.trim_end())?,
        }
        Ok(Status::Done)
    }
}

/// Tables, each after all that it needs.
pub struct Graph {
    pub variant: Arc<Variant>,
    pub tables: Vec<Planned>,
}

/// A table of the graph.
pub struct Planned {
    material: Material,
    pub name: String,
    /// The names of the tables that it is made from.
    pub needs: Vec<String>,
    pub estimate: Estimate,
    /// Whether it is there, if anyone has looked.
    there: Option<bool>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    variant: &'a str,
    folder: String,
    memory_available: u64,
    tables: Vec<Reported<'a>>,
    to_make: Totals,
}

#[derive(Serialize)]
struct Reported<'a> {
    material: &'a str,
    there: Option<bool>,
    needs: &'a [String],
    positions: u64,
    memory_bytes: u64,
    cpu_seconds: f64,
    file_bytes: u64,
    file: String,
}

/// What all tables that are not there take.
#[derive(Serialize)]
struct Totals {
    tables: usize,
    /// The most that one takes.
    memory_bytes: u64,
    cpu_seconds: f64,
    file_bytes: u64,
}

impl Planned {
    fn report(&self, tablebase: &Tablebase) -> Reported<'_> {
        let Planned { material, name, needs, estimate, there } = self;
        Reported {
            material: name,
            there: *there,
            needs,
            positions: estimate.positions,
            memory_bytes: estimate.memory,
            cpu_seconds: rounded(estimate.cpu_seconds),
            file_bytes: estimate.file_bytes,
            file: tablebase.path_of(material).display().to_string(),
        }
    }
}

impl Graph {
    /// The tables of some materials and of all that they need.
    pub fn new(variant: &Arc<Variant>, materials: &[Material]) -> Graph {
        let planned = |material: Material| Planned {
            name: material.name(variant),
            needs: material.conversions(variant).iter().map(|needed| needed.name(variant)).collect(),
            estimate: Estimate::of(variant, &material),
            there: None,
            material,
        };
        // Numbering the positions of five men with pawns takes a moment.
        let tables = generation_order(variant, materials).into_par_iter().map(planned).collect();
        Graph { variant: variant.clone(), tables }
    }

    /// Finds out which tables are there, as far as headers tell. Fails where `hextb generate` would: for a file that is
    /// in the way and is not to be replaced.
    fn look(&mut self, tablebase: &Tablebase) -> Result<(), TableError> {
        for table in &mut self.tables {
            table.there = match tablebase.open_table(&table.material) {
                Ok(_) => Some(true),
                Err(TableError::Missing { .. } | TableError::Damaged { .. } | TableError::Parted { .. }) => Some(false),
                Err(in_the_way) => return Err(in_the_way),
            };
        }
        Ok(())
    }

    fn to_make(&self) -> impl Iterator<Item = &Planned> {
        self.tables.iter().filter(|table| table.there != Some(true))
    }

    fn totals(&self) -> Totals {
        Totals {
            tables: self.to_make().count(),
            memory_bytes: self.to_make().map(|table| table.estimate.memory).max().unwrap_or(0),
            cpu_seconds: rounded(self.to_make().map(|table| table.estimate.cpu_seconds).sum()),
            file_bytes: self.to_make().map(|table| table.estimate.file_bytes).sum(),
        }
    }

    fn report(&self, tablebase: &Tablebase, available: u64) -> Report<'_> {
        Report {
            variant: self.variant.name(),
            folder: tablebase.folder().display().to_string(),
            memory_available: available,
            tables: self.tables.iter().map(|table| table.report(tablebase)).collect(),
            to_make: self.totals(),
        }
    }

    fn print(&self, available: u64, quiet: bool, out: &mut Output) -> Result<(), Failure> {
        let mut shown = Table::new(&["table", ">positions", ">memory", ">CPU time", ">file", "state", "needs"]);
        let (mut there, mut too_large) = (0, 0);
        for Planned { name, needs, estimate, there: is_there, .. } in &self.tables {
            let state = match is_there {
                Some(true) => {
                    there += 1;
                    "there"
                }
                _ if estimate.memory > available => {
                    too_large += 1;
                    "too large"
                }
                _ => "to make",
            };
            shown.row([
                name.clone(),
                words::count(estimate.positions),
                words::bytes(estimate.memory),
                words::duration(estimate.cpu_seconds),
                words::bytes(estimate.file_bytes),
                state.to_string(),
                needs.join(" "),
            ]);
        }
        out.table(&shown)?;
        if quiet {
            return Ok(());
        }
        if too_large > 0 {
            let need = if too_large == 1 { "needs" } else { "need" };
            let (tables, available) = (words::counted(too_large, "table"), words::bytes(available));
            out.line(format!("{tables} {need} more than the {available} of memory that may be used"))?;
        }
        let Totals { tables, memory_bytes, cpu_seconds, file_bytes } = self.totals();
        let already = if there > 0 { format!(", {} there", words::count(there)) } else { String::new() };
        out.line(format!(
            "{} to make{already}: about {} of CPU time, {} of memory for the largest, {} of disk",
            words::counted(tables, "table"),
            words::duration(cpu_seconds),
            words::bytes(memory_bytes),
            words::bytes(file_bytes)
        ))
    }
}

/// Seconds without digits that mean nothing.
fn rounded(seconds: f64) -> f64 {
    // The sum of no numbers is -0.
    (seconds * 1e3).round() / 1e3 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_comes_once_and_after_all_that_it_needs() {
        for name in ["glinski", "mccooey", "orthodox"] {
            let variant = Arc::new(Variant::named(name).unwrap());
            let graph = Graph::new(&variant, &Material::all_with(&variant, 4));
            assert_eq!(graph.tables.len(), 36, "{name}");
            for (at, table) in graph.tables.iter().enumerate() {
                let place = |name: &str| graph.tables.iter().position(|other| other.name == name);
                assert_eq!(place(&table.name), Some(at));
                for needed in &table.needs {
                    assert!(place(needed).unwrap() < at, "{needed} must be made before {}", table.name);
                }
            }
        }
    }

    #[test]
    fn what_is_there_is_not_counted() {
        let variant = Arc::new(Variant::named("glinski-2").unwrap());
        let mut graph = Graph::new(&variant, &Material::all_with(&variant, 3));
        let all = graph.totals();
        graph.tables[0].there = Some(true);
        graph.tables[1].there = Some(false);
        let rest = graph.totals();
        assert_eq!(rest.tables, all.tables - 1);
        assert_eq!(rest.file_bytes, all.file_bytes - graph.tables[0].estimate.file_bytes);
    }
}

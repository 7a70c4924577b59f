//! `hextb pack`: makes plain tables small.

use super::common::{Common, WantedTables};
use super::failure::{Failure, Status};
use super::interrupt;
use super::output::Output;
use super::progress::Work;
use super::words;
use hextb::index::{Layout, Material};
use hextb::table::packed;
use hextb::table::{Form, Generator, MemoryNeeded, Table, TableError};
use serde::Serialize;
use std::time::{Duration, Instant};

/// How long to wait before looking again whether another process has packed a table.
const WAIT: Duration = Duration::from_millis(250);

/// Pack tables: plain ones become small, packed ones are packed anew if that is asked for
///
/// A packed table is two files: values (.hxv), which is all that a program needs that does not ask for distances, and
/// distances (.hxd). The plain file (.hxt) is removed when both are in place. The tables that captures and promotions
/// lead to must be there, too.
///
/// With --men, tables that are not there are left out. Several processes may pack tables in one folder; what one is
/// packing the others leave to it. Prints a line for each table packed: material, bytes before and after, seconds; and
/// how many were packed, and how many kept because they are packed already. With --json prints an object a line
/// for each table, those left as they are too: material, status (packed or kept), bytes_before, values_bytes,
/// distances_bytes, seconds (null if kept).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb pack --men 4                   all plain tables of up to four men
  hextb pack KQKR --level best --again")]
pub struct Arguments {
    #[command(flatten)]
    wanted: WantedTables,
    /// How small: best takes several times as long
    #[arg(long, value_enum, default_value_t = Level::Usual)]
    level: Level,
    /// Pack tables that are packed already, too
    #[arg(long)]
    again: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Level {
    Usual,
    Best,
}

#[derive(Serialize)]
struct Report {
    material: String,
    status: &'static str,
    bytes_before: u64,
    values_bytes: u64,
    distances_bytes: u64,
    seconds: Option<f64>,
}

/// How many tables have been packed, and how many left as they were.
#[derive(Default)]
struct Tally {
    packed: usize,
    kept: usize,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let variant = common.variant()?;
        let memory = common.memory()?;
        common.start_threads()?;
        let level = match self.level {
            Level::Usual => packed::Level::Usual,
            Level::Best => packed::Level::Best,
        };
        let generator = Generator::new(variant.clone(), &common.tables, Form::Packed(level), memory);
        let mut left = self.wanted.materials(&variant, "pack")?;
        let named = self.wanted.named(&variant)?;
        // Of all tables of up to so many men, those that are there.
        left.retain(|material| named.contains(material) || !is_missing(&generator, material));
        if left.is_empty() {
            let folder = generator.tablebase().folder().display();
            let message =
                format!("no such tables are in {folder}; `hextb list{}` tells which are there", common.options());
            return Err(Failure::Told { status: Status::Failed, message });
        }
        generator.clear_leftovers()?;
        // What is missing or does not fit is told before anything is done.
        for material in &left {
            self.foresee(&generator, material, memory)?;
        }
        interrupt::tidy_up_when_interrupted();
        let mut tally = Tally::default();
        while !left.is_empty() {
            let mut busy = vec![];
            for material in &left {
                match self.pack(&generator, material, level, common) {
                    Ok(report) => print(&report, &mut tally, common, out)?,
                    // Another process is packing it: the others can be seen to.
                    Err(TableError::Busy { .. }) => busy.push(material.clone()),
                    Err(error) => return Err(error.into()),
                }
            }
            if busy.len() == left.len() {
                let name = busy[0].name(&variant);
                let work = Work::new(!common.quiet, &format!("waiting for another process to pack {name}"));
                std::thread::sleep(WAIT);
                work.clear();
            }
            left = busy;
        }
        if !common.json && !common.quiet {
            let packed = words::counted(tally.packed, "table");
            out.line(format!("{packed} packed, {} kept as they were", words::count(tally.kept as u64)))?;
        }
        Ok(Status::Done)
    }

    /// Whether a table is left as it is.
    fn keeps(&self, table: &Table) -> bool {
        table.is_packed() && !self.again
    }

    /// Tests that all is there, and memory enough, to pack a table that is not to be kept.
    fn foresee(&self, generator: &Generator, material: &Material, memory: u64) -> Result<(), Failure> {
        let (tablebase, variant) = (generator.tablebase(), generator.tablebase().variant());
        if self.keeps(&tablebase.open_table(material)?) {
            return Ok(());
        }
        for needed in material.conversions(variant) {
            tablebase.open_table(&needed)?;
        }
        let needed = MemoryNeeded::of(&Layout::new(variant.clone(), material)).packing;
        if needed > memory {
            let [needed, available] = [needed, memory].map(words::bytes);
            let material = material.name(variant);
            return Err(TableError::Memory { material, needed, available, scratch_helps: false }.into());
        }
        Ok(())
    }

    fn pack(
        &self,
        generator: &Generator,
        material: &Material,
        level: packed::Level,
        common: &Common,
    ) -> Result<Report, TableError> {
        let name = material.name(generator.tablebase().variant());
        let begin = Instant::now();
        let work = Work::new(!common.quiet, &format!("packing {name}"));
        let table = generator.tested_table(material)?;
        let bytes_before = table.bytes();
        let report = |status, table: &Table, seconds| {
            let [values_bytes, distances_bytes] = table.bytes_by_stream();
            Report { material: name.clone(), status, bytes_before, values_bytes, distances_bytes, seconds }
        };
        if self.keeps(&table) {
            generator.remove_plain(material, &table)?;
            return Ok(report("kept", &table, None));
        }
        let packed = generator.pack(material, &table, level);
        work.clear();
        let seconds = (begin.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        Ok(report("packed", &packed?, Some(seconds)))
    }
}

fn is_missing(generator: &Generator, material: &Material) -> bool {
    matches!(generator.tablebase().open_table(material), Err(TableError::Missing { .. }))
}

fn print(report: &Report, tally: &mut Tally, common: &Common, out: &mut Output) -> Result<(), Failure> {
    match report.seconds {
        Some(_) => tally.packed += 1,
        None => tally.kept += 1,
    }
    if common.json {
        out.json(report)?;
    } else if let (Some(seconds), false) = (report.seconds, common.quiet) {
        let [before, after] = [report.bytes_before, report.values_bytes + report.distances_bytes].map(words::count);
        let name = &report.material;
        out.line(format!("{name:<8} {before:>16} bytes before {after:>14} bytes now {seconds:>8.2} s"))?;
    }
    out.flush()
}

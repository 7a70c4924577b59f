//! `hextb pack`: makes plain tables small.

use super::common::{Common, WantedTables};
use super::failure::{Failure, Status};
use super::interrupt;
use super::output::Output;
use super::progress::Work;
use super::words;
use hextb::index::{Layout, Material};
use hextb::table::packed;
use hextb::table::{Form, Generator, MemoryNeeded, TableError};
use serde::Serialize;
use std::time::Instant;

/// Pack tables: plain ones become small, packed ones are packed anew if that is asked for
///
/// A packed table is two files: values (.hxv), which is all that a program needs that does not ask for distances, and
/// distances (.hxd). The plain file (.hxt) is removed when both are in place. The tables that captures and promotions
/// lead to must be there, too.
///
/// Prints a line for each table packed: material, bytes before and after, seconds. With --json prints an object a line
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

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let variant = common.variant()?;
        let materials = self.wanted.materials(&variant, "pack")?;
        let memory = common.memory()?;
        common.start_threads()?;
        interrupt::tidy_up_when_interrupted();
        let level = match self.level {
            Level::Usual => packed::Level::Usual,
            Level::Best => packed::Level::Best,
        };
        let generator = Generator::new(variant.clone(), &common.tables, Form::Packed(level), memory);
        // What is missing or does not fit is told before anything is done.
        for material in &materials {
            generator.tablebase().open_table(material)?;
            for needed in material.conversions(&variant) {
                generator.tablebase().open_table(&needed)?;
            }
            let needed = MemoryNeeded::of(&Layout::new(variant.clone(), material)).packing;
            if needed > memory {
                let [needed, available] = [needed, memory].map(words::bytes);
                let material = material.name(&variant);
                return Err(TableError::Memory { material, needed, available, scratch_helps: false }.into());
            }
        }
        for material in &materials {
            let report = self.pack(&generator, material, level, common)?;
            if common.json {
                out.json(&report)?;
            } else if let (Some(seconds), false) = (report.seconds, common.quiet) {
                let [before, after] =
                    [report.bytes_before, report.values_bytes + report.distances_bytes].map(words::count);
                let name = &report.material;
                out.line(format!("{name:<8} {before:>16} bytes before {after:>14} bytes now {seconds:>8.2} s"))?;
            }
            out.flush()?;
        }
        Ok(Status::Done)
    }

    fn pack(
        &self,
        generator: &Generator,
        material: &Material,
        level: packed::Level,
        common: &Common,
    ) -> Result<Report, Failure> {
        let table = generator.tablebase().open_table(material)?;
        let name = material.name(generator.tablebase().variant());
        let bytes_before = table.bytes();
        if table.is_packed() && !self.again {
            let [values_bytes, distances_bytes] = table.bytes_by_stream();
            return Ok(Report {
                material: name,
                status: "kept",
                bytes_before,
                values_bytes,
                distances_bytes,
                seconds: None,
            });
        }
        let begin = Instant::now();
        let work = Work::new(!common.quiet, &format!("packing {name}"));
        table.verify_checksums()?;
        let packed = generator.pack(material, &table, level);
        work.clear();
        let [values_bytes, distances_bytes] = packed?.bytes_by_stream();
        let seconds = Some((begin.elapsed().as_secs_f64() * 1e3).round() / 1e3);
        Ok(Report { material: name, status: "packed", bytes_before, values_bytes, distances_bytes, seconds })
    }
}

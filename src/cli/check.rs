//! `hextb check`: every position of tables recomputed from its successors.

use super::common::{Common, parse_materials};
use super::failure::{Failure, Status};
use super::output::Output;
use super::progress::Work;
use super::words;
use hextb::analysis::check::{CheckReport, check, check_sample};
use hextb::analysis::placements::Fold;
use hextb::geometry::Variant;
use hextb::index::Material;
use hextb::table::{Tablebase, UnpackedTables};
use serde::Serialize;
use std::time::Instant;

/// Recompute tables, position by position, from the rules of the game
///
/// Unpacks each table with those that its captures and promotions lead to, tests all checksums, walks all placements of
/// the men on the board, and compares the outcome of every legal position with the best of its successors, found by the
/// ordinary move generator. Nothing of the solver takes part. Then compares the counts with those in the header.
/// Without MATERIAL checks all tables of the folder.
///
/// Symmetric positions have one entry in a table; White's king therefore goes to one cell of each set of symmetric
/// cells, and a position counts for all its images. --all-images walks each image too, which takes up to 12 times as
/// long.
///
/// With --json prints an object a line for each table: material, compared, en_passant_compared, mismatches, first
/// (objects with fen, expected, found), differences (texts), seconds, ok.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb check KQKR
  hextb check --sample 100000          a quick look at every table that is there")]
pub struct Arguments {
    /// Both sides' men, as in KQKR
    #[arg(value_name = "MATERIAL")]
    materials: Vec<String>,
    /// Compare only N random positions of each table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
        allow_negative_numbers = true)]
    sample: Option<u64>,
    /// The random positions to draw: the same number draws the same ones
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample", allow_negative_numbers = true)]
    seed: u64,
    /// Walk every symmetric image of every position
    #[arg(long, conflicts_with = "sample")]
    all_images: bool,
}

#[derive(Serialize)]
struct Report {
    material: String,
    compared: u64,
    en_passant_compared: u64,
    mismatches: u64,
    first: Vec<Mismatch>,
    differences: Vec<String>,
    seconds: f64,
    ok: bool,
}

#[derive(Serialize)]
struct Mismatch {
    fen: String,
    expected: String,
    found: String,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let tablebase = common.tablebase()?;
        let variant = tablebase.variant().clone();
        let (materials, mut unchecked) = match self.materials.is_empty() {
            false => (parse_materials(&variant, &self.materials)?, vec![]),
            true => all_of_folder(&tablebase, &common.options())?,
        };
        let unusable = unchecked.len();
        common.start_threads()?;
        let mut tables = UnpackedTables::new(variant.clone(), common.memory()?);
        let (mut compared, mut wrong, mut worst) = (0, 0, Status::Done);
        let begin = Instant::now();
        for material in &materials {
            let report = match self.check_one(material, &tablebase, &mut tables, common) {
                Ok(report) => report,
                Err(Failure::OutputClosed) => return Err(Failure::OutputClosed),
                Err(failure) => {
                    // The other tables can be checked all the same.
                    let (status, message) = failure.told(&common.options());
                    worst = worst.max(status);
                    // A file that several tables need is told once.
                    unchecked.extend(message.filter(|message| !unchecked.contains(message)));
                    continue;
                }
            };
            compared += report.compared;
            wrong += usize::from(!report.ok);
            if common.json {
                out.json(&report)?;
            } else {
                print(&report, out)?;
            }
            out.flush()?;
        }
        if !unchecked.is_empty() {
            let status = if unusable > 0 { Status::System } else { worst };
            let message = match &unchecked[..] {
                [only] => only.clone(),
                several => format!("{} files could not be checked: {}", several.len(), several.join("; ")),
            };
            return Err(Failure::Told { status, message });
        }
        if wrong > 0 {
            let (wrong, of) = (words::counted(wrong, "table"), words::count(materials.len() as u64));
            let message = format!(
                "{wrong} of {of} failed the check; delete and generate them again, and report it if they fail again"
            );
            return Err(Failure::Told { status: Status::Failed, message });
        }
        if !common.json && !common.quiet {
            let (checked, positions) = (words::counted(materials.len(), "table"), words::count(compared));
            let seconds = begin.elapsed().as_secs_f64();
            out.line(format!("{checked} checked, {positions} positions, no mismatch, {seconds:.1} s"))?;
        }
        Ok(Status::Done)
    }

    fn check_one(
        &self,
        material: &Material,
        tablebase: &Tablebase,
        tables: &mut UnpackedTables,
        common: &Common,
    ) -> Result<Report, Failure> {
        let start = Instant::now();
        let variant = tablebase.variant();
        tables.keep_at_most(check_memory(common, tablebase, material, 0)?);
        let mut needed = vec![material.clone()];
        needed.extend(material.conversions(variant));
        tables.hold(tablebase, &needed)?;
        let work = Work::new(!common.quiet, &format!("checking {}", material.name(variant)));
        let found = match self.sample {
            Some(count) => check_sample(variant, material, tables, count, self.seed, &work.watch())?,
            None => {
                let fold = if self.all_images { Fold::None } else { Fold::Orbits };
                check(variant, material, tables, fold, &work.watch())?
            }
        };
        work.clear();
        let table = tablebase.open_table(material)?;
        Ok(report(variant, found, table.statistics()?, start.elapsed().as_secs_f64()))
    }
}

/// The materials of all tables of a folder, those of few men first, and what is wrong with the files that cannot be
/// used.
fn all_of_folder(tablebase: &Tablebase, options: &str) -> Result<(Vec<Material>, Vec<String>), Failure> {
    let (mut found, mut unusable) = (vec![], vec![]);
    for entry in tablebase.entries()? {
        match entry.table {
            Ok(table) => found.push(Material::parse(tablebase.variant(), table.material())?),
            Err(error) => unusable.push(error.to_string()),
        }
    }
    if found.is_empty() && unusable.is_empty() {
        return Err(Failure::Told {
            status: Status::Failed,
            message: format!(
                "no tables in {}; `hextb generate --men 3{options}` makes all of up to three men",
                tablebase.folder().display()
            ),
        });
    }
    found.sort_by_key(|m| m.men());
    Ok((found, unusable))
}

/// Refuses a material of which not even what is looked at together would fit into memory once unpacked, with
/// `besides` bytes of other things. Returns the bytes that unpacked slices may take.
pub fn check_memory(common: &Common, tablebase: &Tablebase, material: &Material, besides: u64) -> Result<u64, Failure> {
    let together: Vec<Material> =
        std::iter::once(material.clone()).chain(material.conversions(tablebase.variant())).collect();
    unpacking_memory(common, tablebase, &together, besides)
}

/// The same for the tables of some materials, the first of which names them.
pub fn unpacking_memory(
    common: &Common,
    tablebase: &Tablebase,
    together: &[Material],
    besides: u64,
) -> Result<u64, Failure> {
    let memory = common.memory()?;
    let variant = tablebase.variant();
    let mut needed = besides;
    for table in together {
        let layout = tablebase.open_file(table)?.1;
        let sides = if table.is_symmetric() { 1 } else { 2 };
        let largest = (0..layout.slices().len()).map(|slice| layout.slice_len(slice)).max().unwrap_or(0);
        // Two bytes an entry.
        needed += 2 * sides * largest as u64;
    }
    if needed > memory {
        let (needed, allowed) = (words::bytes(needed), words::bytes(memory));
        return Err(Failure::system(format!(
            "looking at every position of {} needs about {needed} of memory and only {allowed} may be used; free some, or \
             raise --memory if more is there",
            together[0].name(variant)
        )));
    }
    Ok(memory - besides)
}

fn report(variant: &Variant, found: CheckReport, header: &hextb::statistics::Statistics, seconds: f64) -> Report {
    let first = found.mismatches.iter().map(|mismatch| Mismatch {
        fen: mismatch.fen.clone(),
        expected: format!("{:?}", mismatch.expected),
        found: format!("{:?}", mismatch.found),
    });
    let differences = match found.complete {
        true => found.statistics.differences(header).iter().map(|d| d.to_string()).collect(),
        false => vec![],
    };
    Report {
        material: found.material.name(variant),
        compared: found.compared,
        en_passant_compared: found.en_passant_compared,
        mismatches: found.mismatch_count,
        first: first.collect(),
        ok: found.mismatch_count == 0 && differences.is_empty(),
        differences,
        seconds: (seconds * 1e3).round() / 1e3,
    }
}

fn print(report: &Report, out: &mut Output) -> Result<(), Failure> {
    let verdict = if report.ok { "ok" } else { "WRONG" };
    let en_passant = match report.en_passant_compared {
        0 => String::new(),
        count => format!(", and {} after a double step", words::count(count)),
    };
    let (name, compared, seconds) = (&report.material, words::count(report.compared), report.seconds);
    out.line(format!("{name:<8} {compared:>14} positions compared{en_passant}: {verdict} ({seconds:.1} s)"))?;
    if report.mismatches > 0 {
        out.line(format!("  {} differ from their successors, the first of them:", words::count(report.mismatches)))?;
    }
    for mismatch in &report.first {
        out.line(format!(
            "  {}: the table says {}, the successors {}",
            mismatch.fen, mismatch.found, mismatch.expected
        ))?;
    }
    report.differences.iter().try_for_each(|difference| out.line(format!("  header: {difference}")))
}

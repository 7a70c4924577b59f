//! `hextb generate`: makes tables, and tells how it is getting on.

use super::common::{Common, WantedTables};
use super::failure::{Failure, Status};
use super::interrupt;
use super::output::Output;
use super::progress::Progress;
use super::words;
use hextb::geometry::Variant;
use hextb::index::{Layout, Material};
use hextb::solve::Watch;
use hextb::table::{
    DEFAULT_LEVEL, Efforts, Finished, Form, Generated, Generator, GeneratorWatch, MemoryNeeded, generation_order,
    packed,
};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Make tables, with all the tables that they need
///
/// A table needs those that a capture or promotion leads to; they are made first. Tables that are there and sound are
/// kept, damaged ones replaced, so a run that was interrupted goes on when it is started again; files that are no
/// tables of this game and version are left alone. The tables do not depend on the number of threads.
///
/// Prints a line for each table made: material, legal positions (both sides to move, symmetric ones included), bytes of
/// the file, seconds. With --json prints an object a line for each table, kept ones too: material, status (made or
/// kept), positions, bytes, seconds, cpu_seconds (of processors: an object of loading, solving, writing; both null if
/// kept), file, and left_plain if there was too little memory to pack it. Several processes may make tables in one
/// folder; what one is making the others leave to it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb generate --men 3               KK and the five tables of three men
  hextb generate KQKR KRKN --memory 2G
  hextb generate KPK --variant mccooey --tables /data/tables")]
pub struct Arguments {
    #[command(flatten)]
    wanted: WantedTables,
    /// How tables are left: plain, one large file each, as it is solved; packed (usual), which takes several times as
    /// long; or packed as small as can be (best), which takes several times as long again [default: plain, but packed
    /// where a damaged or incomplete packed one is replaced]
    #[arg(long, value_enum)]
    level: Option<Level>,
    /// Keep what is being solved in files in this folder, not in memory: for tables that are larger. The files have no
    /// names and vanish when the program ends
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
}

/// How tables are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Level {
    Plain,
    Usual,
    Best,
}

impl Level {
    pub fn form(self) -> Form {
        match self {
            Level::Plain => Form::Plain(DEFAULT_LEVEL),
            Level::Usual => Form::Packed(packed::Level::Usual),
            Level::Best => Form::Packed(packed::Level::Best),
        }
    }
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let variant = common.variant()?;
        let materials = self.wanted.materials(&variant, "generate")?;
        common.start_threads()?;
        let scratch = self.scratch.as_deref();
        let form = self.level.map_or(Form::AsFound(DEFAULT_LEVEL), Level::form);
        let what = Make { variant: &variant, materials: &materials, form, scratch, announce: true };
        make(what, common, out)?;
        Ok(Status::Done)
    }
}

/// What to make, and how.
pub struct Make<'a> {
    pub variant: &'a Arc<Variant>,
    pub materials: &'a [Material],
    pub form: Form,
    /// The folder of scratch files, if planes are to be in files.
    pub scratch: Option<&'a Path>,
    /// Whether to print what is made to standard output; otherwise there are only progress bars.
    pub announce: bool,
}

/// Makes the tables of some materials and of all that they need, with progress bars.
pub fn make(what: Make, common: &Common, out: &mut Output) -> Result<(), Failure> {
    let memory = common.memory()?;
    interrupt::tidy_up_when_interrupted();
    let begin = Instant::now();
    let mut generator = Generator::new(what.variant.clone(), &common.tables, what.form, memory);
    if let Some(folder) = what.scratch {
        generator = generator.with_scratch(folder);
    }
    let plan = Plan::new(what.variant, &generator, what.materials);
    // What would fail for want of room later is refused at once.
    for table in &plan.tables {
        generator.check_room(&table.name, table.needed)?;
    }
    let text = what.announce && !common.quiet && !common.json;
    if text && !plan.tables.is_empty() {
        let tables = words::counted(plan.tables.len(), "table");
        let most = |bytes: fn(&MemoryNeeded) -> u64| {
            words::bytes(plan.tables.iter().map(|table| bytes(&table.needed)).max().unwrap_or(0))
        };
        let allowed = words::bytes(memory);
        out.line(match what.scratch {
            None => {
                let needed = most(MemoryNeeded::total);
                format!("{tables} to make, with about {needed} of memory; {allowed} may be used")
            }
            Some(_) => {
                let (planes, besides) = (most(MemoryNeeded::in_planes), most(|needed| needed.besides));
                format!(
                    "{tables} to make, with about {planes} of scratch files and {besides} of memory; {allowed} may be used"
                )
            }
        })?;
        out.flush()?;
    }
    let folder = generator.tablebase().folder().to_path_buf();
    let progress = Progress::new(!common.quiet, plan.tables.iter().map(|t| (t.name.clone(), t.indices)).collect());
    let report = Reporter {
        progress,
        folder,
        json: what.announce && common.json,
        text,
        printing: Mutex::new(Printing { out, tally: Tally::default(), failed: None }),
    };
    let done = generator.generate(what.materials, &report);
    report.progress.clear();
    let Printing { out, tally, failed } = report.printing.into_inner().unwrap_or_else(|e| e.into_inner());
    done?;
    if let Some(failure) = failed {
        return Err(failure);
    }
    if text {
        out.line(format!(
            "{} made, {} kept, {} in {}, {:.1} s",
            words::counted(tally.made, "table"),
            words::count(tally.kept as u64),
            words::bytes(tally.bytes),
            report.folder.display(),
            begin.elapsed().as_secs_f64()
        ))?;
    }
    Ok(())
}

/// What is to be made, so far as a look at the headers tells.
struct Plan {
    tables: Vec<Planned>,
}

struct Planned {
    name: String,
    indices: u64,
    needed: MemoryNeeded,
}

impl Plan {
    fn new(variant: &Arc<Variant>, generator: &Generator, materials: &[Material]) -> Plan {
        let missing = |material: &Material| generator.tablebase().open_table(material).is_err();
        let planned = |material: Material| {
            let layout = Layout::new(variant.clone(), &material);
            let (name, indices) = (material.name(variant), layout.len() as u64);
            Planned { name, indices, needed: MemoryNeeded::of(&layout) }
        };
        Plan { tables: generation_order(variant, materials).into_iter().filter(missing).map(planned).collect() }
    }
}

/// Prints what becomes of each table, and moves the progress bars.
struct Reporter<'a> {
    progress: Progress,
    folder: PathBuf,
    json: bool,
    text: bool,
    printing: Mutex<Printing<'a>>,
}

struct Printing<'a> {
    out: &'a mut Output,
    tally: Tally,
    /// Why printing had to stop. Tables are made all the same.
    failed: Option<Failure>,
}

#[derive(Default)]
struct Tally {
    made: usize,
    kept: usize,
    bytes: u64,
}

/// What `--json` prints for a table.
#[derive(Serialize)]
struct Report<'a> {
    material: &'a str,
    status: &'static str,
    positions: u64,
    bytes: u64,
    seconds: Option<f64>,
    cpu_seconds: Option<CpuSeconds>,
    file: String,
    /// Why it has not been packed, if it was to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_plain: Option<String>,
}

/// Time of processors by what it was spent on.
#[derive(Serialize)]
struct CpuSeconds {
    loading: f64,
    solving: f64,
    writing: f64,
}

/// To the millisecond.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).round() / 1e3
}

impl Reporter<'_> {
    fn report<'b>(&self, name: &'b str, table: &Finished, efforts: Option<&Efforts>) -> Report<'b> {
        Report {
            material: name,
            status: if efforts.is_some() { "made" } else { "kept" },
            positions: table.positions,
            bytes: table.bytes,
            seconds: efforts.map(|e| seconds(e.loading.wall + e.solving.wall + e.writing.wall)),
            cpu_seconds: efforts.map(|e| CpuSeconds {
                loading: seconds(e.loading.cpu),
                solving: seconds(e.solving.cpu),
                writing: seconds(e.writing.cpu),
            }),
            file: table.path.display().to_string(),
            left_plain: table.left_plain.as_ref().map(ToString::to_string),
        }
    }

    fn print(&self, out: &mut Output, report: &Report) -> Result<(), Failure> {
        if self.json {
            out.json(report)?;
        } else if let (Some(seconds), false) = (report.seconds, !self.text) {
            let (name, positions) = (report.material, words::count(report.positions));
            let bytes = words::count(report.bytes);
            out.line(format!("{name:<8} {positions:>16} positions {bytes:>14} bytes {seconds:>8.2} s"))?;
            if let Some(reason) = &report.left_plain {
                out.line(format!("  not packed: {reason}"))?;
            }
        }
        out.flush()
    }
}

impl Watch for Reporter<'_> {
    fn plies(&self, ply: u16) {
        self.progress.plies(ply);
    }

    fn slice_done(&self, indices: usize) {
        self.progress.solved(indices as u64);
    }
}

impl GeneratorWatch for Reporter<'_> {
    fn table_begins(&self, name: &str, indices: usize, _memory: u64) {
        self.progress.begin(name, indices as u64);
    }

    fn waiting(&self, _name: &str) {
        self.progress.phase("waiting for another process");
    }

    fn phase(&self, phase: &'static str) {
        self.progress.phase(phase);
    }

    fn table_done(&self, name: &str, generated: &Generated) {
        let report = match generated {
            Generated::Kept(table) => self.report(name, table, None),
            Generated::Made { table, efforts } => {
                self.progress.done();
                self.report(name, table, Some(efforts))
            }
        };
        let mut printing = self.printing.lock().unwrap_or_else(|e| e.into_inner());
        let Printing { out, tally, failed } = &mut *printing;
        tally.bytes += report.bytes;
        *(if report.seconds.is_some() { &mut tally.made } else { &mut tally.kept }) += 1;
        if failed.is_none() {
            *failed = self.progress.aside(|| self.print(out, &report)).err();
        }
    }
}

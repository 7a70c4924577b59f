//! `hextb export`: a table's outcomes as plain bytes, for other programs.

use super::check::unpacking_memory;
use super::common::Common;
use super::failure::{Failure, Status};
use super::output::Output;
use super::progress::Work;
use hextb::analysis::natural::NaturalOrder;
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::oracle::Oracle;
use hextb::position::Position;
use hextb::table::{TableError, UnpackedTables};
use serde::Serialize;
use std::io::{IsTerminal, Write};

/// Write a table's outcomes as plain bytes to standard output, to load them elsewhere
///
/// The entries come in an order that needs no table: an array whose first axis is the side to move (White, Black), and
/// whose others are the cells of the men as the table's own name has them (KRKQ is KQKR: White has the queen), after
/// the two kings, in the order of cell names (a1, a2, ...). The first king has one cell of each set of symmetric cells,
/// the others all. A placement that is no legal position has an entry, too: the highest number that there is. No
/// position has a right to capture en passant.
///
/// Values are a byte each: 0 loss, 1 stalemate-loss, 2 draw, 3 stalemate-win, 4 win for the side to move. Distances are
/// plies halved and rounded down, a byte each or, where one is beyond 254, two (the lower first): with m a loss or
/// stalemate-loss takes 2m plies, a win or stalemate-win 2m + 1. Draws have 0.
///
/// For values the file of distances of a packed table need not be there, though with it this is quicker. Every byte of
/// the table is tested before the first is written. What was written is told on standard error; with
/// --json, as one object: material, entries (values or distances), bytes_per_entry, men, shape, first_king (names of
/// cells).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb export KQK > kqk.bin
  hextb export KQKR --what distances --fill | zstd -19 > kqkr.zst")]
pub struct Arguments {
    /// Both sides' men, as in KQKR
    #[arg(value_name = "MATERIAL")]
    material: String,
    /// What to write
    #[arg(long, value_enum, default_value_t = What::Values)]
    what: What,
    /// Repeat the entry before (the first time 2, for distances 0) where there is no legal position, for distances in
    /// draws too: this compresses best
    #[arg(long)]
    fill: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum What {
    Values,
    Distances,
}

#[derive(Serialize)]
struct Written {
    material: String,
    entries: What,
    bytes_per_entry: usize,
    men: Vec<String>,
    shape: Vec<usize>,
    first_king: Vec<String>,
}

/// Turns values or distances into entries.
struct Entries {
    what: What,
    /// Bytes of an entry.
    width: usize,
    /// With this the next is filled, if anything is.
    last: Option<u16>,
}

impl Entries {
    /// Adds the entry of a value or distance; there is no distance where there is a draw, and neither where there is no
    /// legal position.
    fn add(&mut self, found: Option<Option<u16>>, bytes: &mut Vec<u8>) {
        let entry = match found {
            Some(None) if self.last.is_none() => Some(0),
            found => found.flatten(),
        };
        let none = if self.width == 1 { u8::MAX.into() } else { u16::MAX };
        let entry = entry.or(self.last).unwrap_or(none);
        self.last = self.last.map(|_| entry);
        bytes.extend_from_slice(&entry.to_le_bytes()[..self.width]);
    }
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        if std::io::stdout().is_terminal() {
            return Err(Failure::input(
                "entries are bytes, not text: send them to a file (`> FILE`) or to a program (`|`)",
            ));
        }
        let tablebase = common.tablebase()?;
        let variant = tablebase.variant().clone();
        let material = Material::parse(&variant, &self.material)?;
        let table = tablebase.open_table(&material)?;
        // Values are found without distances, if not as fast.
        let values_alone = self.what == What::Values && matches!(table.statistics(), Err(TableError::Missing { .. }));
        let longest = if values_alone { 0 } else { table.statistics()?.longest_plies() / 2 };
        let mut tables = UnpackedTables::new(variant.clone(), 0);
        if !values_alone {
            let materials = std::slice::from_ref(&material);
            tables = UnpackedTables::new(variant.clone(), unpacking_memory(common, &tablebase, materials, 0)?);
            tables.hold(&tablebase, materials)?;
        }
        common.start_threads()?;
        table.verify_checksums()?;
        let ask = |position: &Position| match self.what {
            What::Values if values_alone => Ok(Some(tablebase.probe_value(position)? as u16)),
            What::Values => Ok(Some(tables.outcome(position)?.value() as u16)),
            What::Distances => Ok(tables.outcome(position)?.plies().map(|plies| plies / 2)),
        };
        let order = NaturalOrder::new(&variant, &material);
        let mut entries = Entries {
            what: self.what,
            width: if self.what == What::Distances && longest >= u8::MAX.into() { 2 } else { 1 },
            last: self.fill.then_some(if self.what == What::Values { 2 } else { 0 }),
        };
        let work = Work::new(!common.quiet, &format!("exporting {}", material.name(&variant)));
        let mut bytes = vec![];
        for turn in Color::BOTH {
            order.walk(ask, turn, &work.watch(), |found| -> Result<(), Failure> {
                bytes.clear();
                found.iter().for_each(|&found| entries.add(found, &mut bytes));
                out.bytes(&bytes)
            })?;
        }
        work.clear();
        out.flush()?;
        let written = written(&variant, &material, &order, entries);
        let line = match (common.json, common.quiet) {
            (true, _) => {
                serde_json::to_string(&written).map_err(|e| Failure::system(format!("cannot write JSON: {e}")))?
            }
            (false, false) => told(&written),
            (false, true) => return Ok(Status::Done),
        };
        // Nothing can be done if standard error is closed.
        let _ = writeln!(std::io::stderr(), "{line}");
        Ok(Status::Done)
    }
}

fn written(variant: &Variant, material: &Material, order: &NaturalOrder, entries: Entries) -> Written {
    let man = |man: &hextb::geometry::Man| format!("{} {}", man.color.name(), variant.letter(man.role));
    Written {
        material: material.name(variant),
        entries: entries.what,
        bytes_per_entry: entries.width,
        men: order.men().iter().map(man).collect(),
        shape: [2].into_iter().chain(order.shape()).collect(),
        first_king: order.first_king().iter().map(|&cell| variant.board().name(cell).to_string()).collect(),
    }
}

fn told(written: &Written) -> String {
    let what = if written.entries == What::Values { "values" } else { "distances" };
    let shape: Vec<String> = written.shape.iter().map(usize::to_string).collect();
    format!(
        "{}: {what}, {} an entry; axes: side to move, {} ({}); first king on {}",
        written.material,
        super::words::counted(written.bytes_per_entry, "byte"),
        written.men.join(", "),
        shape.join(" x "),
        written.first_king.join(" ")
    )
}

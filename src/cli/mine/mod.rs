//! `hextb mine`: remarkable positions of tables.

mod kinds;
mod told;

use super::check::unpacking_memory;
use super::common::Common;
use super::failure::{Failure, Status};
use super::file::{check_folder, write_whole};
use super::output::Output;
use super::progress::Work;
use hextb::geometry::Variant;
use hextb::index::Material;
use hextb::position::Fen;
use hextb::report;
use hextb::survey::mine::{Find, Finds, mine};
use hextb::table::{Tablebase, UnpackedTables};
use kinds::{KindArguments, Needs};
use serde::Serialize;
use std::collections::HashSet;
use told::{comment, summarise};

/// Find remarkable positions in tables
///
/// Lists the positions of a kind, a FEN a line with a comment after a semicolon, and says how many there are.
/// Positions that are the same by symmetry are listed once, as the image whose FEN comes first; where both sides have
/// the same men, so are those with the colours swapped. They are counted in both ways: as listed, and on the board
/// with all symmetric images. Those of several tables come in one list. A move keeps the value if it gives away no
/// points; how long the game takes then does not matter.
///
/// With --json prints an object a line for each position: fen, material, turn, category and plies as in `hextb probe
/// --json`, and pair, white_to_move and black_to_move (objects with category and plies, for the side to move), or
/// moves (those that keep the value, in algebraic form), only_moves and without, as the kind has them; then one for
/// each table: material, positions (as listed), images (on the board).
#[derive(clap::Args)]
#[command(
    arg_required_else_help = false,
    after_help = "Examples:
  hextb mine zugzwang KQKR --kind 1/2-1
  hextb mine only-move --men 3 --limit 5 --study only-moves.pgn"
)]
pub struct Arguments {
    #[command(subcommand)]
    kind: KindArguments,
}

#[derive(Serialize)]
struct Summary {
    material: String,
    positions: u64,
    images: u64,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let tablebase = common.tablebase()?;
        let variant = tablebase.variant().clone();
        let listing = self.kind.listing();
        self.kind.check(&variant)?;
        let mut materials = listing.wanted.materials(&variant, &format!("mine {}", self.kind.name()))?;
        let mut seen = HashSet::new();
        materials.retain(|material| seen.insert(material.clone()));
        common.start_threads()?;
        // What is missing or does not fit is told before anything is done.
        listing.study.iter().try_for_each(|file| check_folder(file))?;
        for material in &materials {
            for needed in self.needed(material, &variant) {
                tablebase.open_table(&needed)?.statistics()?;
            }
            self.memory(material, &tablebase, common)?;
        }
        let mut tables = UnpackedTables::new(variant.clone(), 0);
        let (mut finds, mut summaries) = (vec![], vec![]);
        for material in &materials {
            let found = self.mine_one(material, &tablebase, &mut tables, common)?;
            let Finds { positions, images, first } = found;
            summaries.push(Summary { material: material.name(&variant), positions, images });
            finds.extend(first);
            sort(&mut finds);
            finds.truncate(listing.first());
        }
        for find in &finds {
            match common.json {
                true => out.json(find)?,
                false => out.line(format!("{}  ; {}", find.fen, comment(&variant, find)))?,
            }
        }
        if let Some(file) = &listing.study {
            write_whole(file, self.studies(&tablebase, &finds)?.as_bytes())?;
        }
        if common.json {
            summaries.iter().try_for_each(|summary| out.json(summary))?;
        } else if !common.quiet {
            summarise(&summaries, finds.len(), out)?;
        }
        Ok(Status::Done)
    }

    /// The positions with their solutions.
    fn studies(&self, tablebase: &Tablebase, finds: &[Find]) -> Result<String, Failure> {
        let study = |(at, find): (usize, &Find)| {
            let fen = Fen::of(find.position);
            report::study(tablebase, tablebase.variant(), &fen, &self.kind.title(find), at + 1)
        };
        Ok(finds.iter().enumerate().map(study).collect::<Result<Vec<_>, _>>()?.join("\n"))
    }

    /// The tables that are looked at for a material, its own first.
    fn needed(&self, material: &Material, variant: &Variant) -> Vec<Material> {
        match self.kind.needs() {
            Needs::Itself => vec![material.clone()],
            Needs::Conversions => [vec![material.clone()], material.conversions(variant)].concat(),
            Needs::Everything => {
                let mut needed = material.with_dependencies(variant);
                needed.reverse();
                needed
            }
        }
    }

    /// What may be kept unpacked for a material.
    fn memory(&self, material: &Material, tablebase: &Tablebase, common: &Common) -> Result<u64, Failure> {
        let needed = self.needed(material, tablebase.variant());
        // While a slice is unpacked it may be there twice, two bytes an entry.
        let layout = tablebase.open_file(material)?.1;
        let largest = (0..layout.slices().len()).map(|slice| layout.slice_len(slice)).max().unwrap_or(0);
        unpacking_memory(common, tablebase, &needed, 2 * largest as u64)
    }

    fn mine_one(
        &self,
        material: &Material,
        tablebase: &Tablebase,
        tables: &mut UnpackedTables,
        common: &Common,
    ) -> Result<Finds, Failure> {
        let variant = tablebase.variant();
        tables.keep_at_most(self.memory(material, tablebase, common)?);
        tables.hold(tablebase, &self.needed(material, variant))?;
        let listing = self.kind.listing();
        let Some(kind) = self.kind.searcher(tables, material)? else {
            return Ok(Finds { positions: 0, images: 0, first: vec![] });
        };
        let work = Work::new(!common.quiet, &format!("searching {}", material.name(variant)));
        let found = mine(tables, material, &*kind, listing.turn(), listing.first(), &work.watch())?;
        work.clear();
        Ok(found)
    }
}

/// Brings what was found in several tables into one order.
fn sort(finds: &mut [Find]) {
    finds.sort_by(|a, b| b.rank.cmp(&a.rank).then_with(|| a.fen.cmp(&b.fen)));
}

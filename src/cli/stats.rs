//! `hextb stats`: the statistics in a table's header.

use super::common::Common;
use super::failure::{Failure, Status};
use super::output::{Output, Table};
use super::words;
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::outcome::Value;
use hextb::statistics::{SideStatistics, Statistics};
use serde::Serialize;

/// Count the positions of a material by value, with the longest distance of each
///
/// Counts all legal positions, symmetric ones included, like men being interchangeable. The side that the material
/// names first is White. Values are those of the side to move; the longest distance is in plies to the mate or
/// stalemate, with the lexicographically first FEN that has it.
///
/// With --json prints one object: variant, material, and w and b for the side to move, each with legal, win,
/// stalemate_win, draw, stalemate_loss, loss (counts), max_plies and longest (a FEN) of each outcome that occurs.
#[derive(clap::Args)]
#[command(after_help = "Example:
  hextb stats KQKR     the same as KQvKR, krkq")]
pub struct Arguments {
    /// Both sides' men, as in KQKR
    #[arg(value_name = "MATERIAL")]
    material: String,
}

#[derive(Serialize)]
struct Report<'a> {
    variant: &'a str,
    material: String,
    #[serde(flatten)]
    statistics: &'a Statistics,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let tables = common.tablebase()?;
        let variant = tables.variant();
        let material = Material::parse(variant, &self.material)?;
        let table = tables.open_table(&material)?;
        let statistics = table.statistics()?;
        if common.json {
            out.json(&Report { variant: variant.name(), material: material.name(variant), statistics })?;
            return Ok(Status::Done);
        }
        let men = |color| -> String { material.side(color).iter().map(|&role| variant.letter(role)).collect() };
        out.line(format!("{}, {}", material.name(variant), variant.description().title))?;
        out.line(format!(
            "White has {}, Black {}. Legal positions, symmetric ones included; values for the side to move.",
            men(Color::White),
            men(Color::Black)
        ))?;
        for (turn, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            out.line("")?;
            out.line(format!("{name} to move"))?;
            out.table(&table_of(variant, statistics.side(turn)))?;
        }
        Ok(Status::Done)
    }
}

fn table_of(variant: &Variant, side: &SideStatistics) -> Table {
    let mut table = Table::new(&["value", ">positions", ">%", ">longest, plies", "first such position"]);
    for value in Value::ALL.into_iter().rev() {
        if !variant.stalemate_counts() && matches!(value, Value::StalemateWin | Value::StalemateLoss) {
            continue;
        }
        let count = side.count(value);
        table.row([
            value.word().to_string(),
            words::count(count),
            words::percent(count, side.legal),
            side.max_plies.get(value).map_or(String::new(), |plies| plies.to_string()),
            side.longest.get(value).cloned().unwrap_or_default(),
        ]);
    }
    table.row(["legal", &words::count(side.legal), &words::percent(side.legal, side.legal), "", ""]);
    table
}

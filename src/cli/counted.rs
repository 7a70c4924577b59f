//! What `hextb stats` has counted, whichever was asked for: read, printed, written as JSON, drawn.

use super::check::unpacking_memory;
use super::common::Common;
use super::failure::{Failure, Status};
use super::output::{Output, Table};
use super::progress::Work;
use super::words;
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::outcome::Value;
use hextb::picture::{self, PictureError};
use hextb::statistics::{SideStatistics, Statistics};
use hextb::survey::distances::{Distribution, SideDistances};
use hextb::survey::kings::{KingMap, OfCell};
use hextb::table::Tablebase;
use serde::Serialize;

/// What to count.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// Positions by value
    Values,
    /// Positions by distance to the mate or stalemate
    Distances,
    /// Positions by the cell of the king of the side named second
    Kings,
}

/// What was counted.
pub enum Counted {
    Values(Vec<(Material, Statistics)>),
    Distances(Material, Distribution),
    Kings(Material, KingMap),
}

#[derive(Serialize)]
struct Report<'a, T: Serialize> {
    variant: &'a str,
    material: String,
    #[serde(flatten)]
    counts: &'a T,
}

#[derive(Serialize)]
struct KingCells<'a> {
    cells: Vec<KingCell<'a>>,
}

#[derive(Serialize)]
struct KingCell<'a> {
    cell: &'a str,
    #[serde(flatten)]
    counts: OfCell,
}

impl Counted {
    /// Reads headers, or the whole table where those do not say it.
    pub fn read(common: &Common, tables: &Tablebase, show: Show, materials: &[Material]) -> Result<Counted, Failure> {
        if show == Show::Values {
            let read = |material: &Material| -> Result<(Material, Statistics), Failure> {
                Ok((material.clone(), tables.open_table(material)?.statistics()?.clone()))
            };
            return Ok(Counted::Values(materials.iter().map(read).collect::<Result<_, _>>()?));
        }
        let [material] = materials else {
            let count = materials.len();
            return Err(Failure::input(format!(
                "distances and kings are shown for one material, not for {count}; name one, or say --show values"
            )));
        };
        unpacking_memory(common, tables, materials, 0)?;
        common.start_threads()?;
        let work = Work::new(!common.quiet, &format!("reading {}", material.name(tables.variant())));
        let counted = match show {
            Show::Kings => Counted::Kings(material.clone(), KingMap::of(tables, material, &work.watch())?),
            _ => Counted::Distances(material.clone(), Distribution::of(tables, material, &work.watch())?),
        };
        work.clear();
        Ok(counted)
    }

    /// One JSON object a line for each material.
    pub fn print_json(&self, variant: &Variant, out: &mut Output) -> Result<(), Failure> {
        match self {
            Counted::Values(rows) => {
                rows.iter().try_for_each(|(material, statistics)| out.json(&report(variant, material, statistics)))
            }
            Counted::Distances(material, found) => out.json(&report(variant, material, found)),
            Counted::Kings(material, found) => {
                let named = |(cell, &counts)| KingCell { cell: variant.board().name(cell), counts };
                let cells = variant.board().cells().zip(&found.cells).map(named).collect();
                out.json(&report(variant, material, &KingCells { cells }))
            }
        }
    }

    /// The counts as aligned columns.
    pub fn print_text(&self, variant: &Variant, out: &mut Output) -> Result<(), Failure> {
        match self {
            Counted::Values(rows) => {
                for (i, (material, statistics)) in rows.iter().enumerate() {
                    if i > 0 {
                        out.line("")?;
                    }
                    heading(variant, material, out)?;
                    let of_side = |turn: Color| values_table(variant, statistics.side(turn));
                    print_sides(of_side, out)?;
                }
                Ok(())
            }
            Counted::Distances(material, found) => {
                heading(variant, material, out)?;
                print_sides(|turn| distances_table(found.side(turn)), out)
            }
            Counted::Kings(material, found) => {
                heading(variant, material, out)?;
                out.line("Black is to move; by the cell of its king. Mean distance to mate in plies.")?;
                out.table(&kings_table(variant, found))
            }
        }
    }

    /// The picture of it, as an SVG document.
    pub fn draw(&self, variant: &Variant) -> Result<String, Failure> {
        Ok(match self {
            Counted::Values(rows) => picture::values(variant, rows)?,
            Counted::Distances(material, found) => picture::distances(variant, material, found)?,
            Counted::Kings(material, found) => picture::kings(variant, material, found)?,
        })
    }
}

fn report<'a, T: Serialize>(variant: &'a Variant, material: &Material, counts: &'a T) -> Report<'a, T> {
    Report { variant: variant.name(), material: material.name(variant), counts }
}

fn heading(variant: &Variant, material: &Material, out: &mut Output) -> Result<(), Failure> {
    let men = |color| -> String { material.side(color).iter().map(|&role| variant.letter(role)).collect() };
    out.line(format!("{}, {}", material.name(variant), variant.description().title))?;
    out.line(format!(
        "White has {}, Black {}. Legal positions, symmetric ones included; values for the side to move.",
        men(Color::White),
        men(Color::Black)
    ))
}

fn print_sides(of_side: impl Fn(Color) -> Table, out: &mut Output) -> Result<(), Failure> {
    for turn in Color::BOTH {
        out.line("")?;
        out.line(format!("{} to move", turn.name()))?;
        out.table(&of_side(turn))?;
    }
    Ok(())
}

fn values_table(variant: &Variant, side: &SideStatistics) -> Table {
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

/// A line for each distance that occurs, a column for each outcome that occurs.
fn distances_table(side: &SideDistances) -> Table {
    let occurring: Vec<Value> = Value::ALL.into_iter().rev().filter(|&value| !side.of(value).is_empty()).collect();
    let columns: Vec<String> = occurring.iter().map(|value| format!(">{}", value.word())).collect();
    let headings: Vec<&str> = [">plies"].into_iter().chain(columns.iter().map(String::as_str)).collect();
    let mut table = Table::new(&headings);
    for plies in 0..=side.longest_plies().map_or(0, usize::from) {
        let counts: Vec<u64> = occurring.iter().map(|&value| side.of(value).get(plies).copied().unwrap_or(0)).collect();
        if counts.iter().any(|&count| count > 0) {
            table.row([plies.to_string()].into_iter().chain(counts.into_iter().map(words::count)));
        }
    }
    let totals = occurring.iter().map(|&value| words::count(side.of(value).iter().sum()));
    table.row(["all".to_string()].into_iter().chain(totals));
    table
}

fn kings_table(variant: &Variant, found: &KingMap) -> Table {
    let mut table = Table::new(&["cell", ">legal", ">lost", ">mean plies", ">mated"]);
    let mut row = |name: &str, of_cell: &OfCell| {
        let mean = of_cell.mean_plies().map_or(String::new(), |mean| format!("{mean:.1}"));
        let [legal, lost, mated] = [of_cell.legal, of_cell.lost, of_cell.mated].map(words::count);
        table.row([name.to_string(), legal, lost, mean, mated]);
    };
    variant.board().cells().zip(&found.cells).for_each(|(cell, of_cell)| row(variant.board().name(cell), of_cell));
    row("all", &found.total());
    table
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Failure {
        Failure::Told { status: Status::System, message: error.to_string() }
    }
}

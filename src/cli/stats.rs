//! `hextb stats`: counts of a material's positions, as text, JSON and pictures.

use super::common::{Common, WantedTables};
use super::counted::{Counted, Show};
use super::failure::{Failure, Status};
use super::file::PictureFile;
use super::output::Output;
use hextb::index::Material;
use std::path::PathBuf;

/// Count the positions of a material by value and distance, and draw the counts
///
/// Counts all legal positions, symmetric ones included, like men being interchangeable. The side that the material
/// names first is White. Values are those of the side to move; the longest distance is in plies to the mate or
/// stalemate, with the lexicographically first FEN that has it.
///
/// With --json prints one object: variant, material, and w and b for the side to move, each with legal, win,
/// stalemate_win, draw, stalemate_loss, loss (counts), max_plies and longest (a FEN) of each outcome that occurs. Of
/// several materials each has its line.
///
/// --show distances counts the positions by distance. With --json w and b have legal, draw, and by_plies: for each
/// outcome that occurs a list of counts, of 0 plies first. --show kings counts, for each cell of the king of the side
/// named second, which is to move, its positions, those that it loses, the mean plies to mate of these, and those in
/// which it is mated. With --json cells is a list of objects with cell, legal, lost, plies (of the lost together),
/// mated.
///
/// --plot draws what --show says: for one material its distances, for several their values, unless told otherwise.
/// With --json the data in the picture are printed as well.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("which").required(true).multiple(true).args(["materials", "men"])))]
#[command(after_help = "Examples:
  hextb stats KQKR     the same as KQvKR, krkq
  hextb stats KQKR --plot kqkr.svg
  hextb stats --men 3 --plot values.png
  hextb stats KQKR --show kings --plot kings.svg
  hextb stats KQKR --show distances --json")]
pub struct Arguments {
    #[command(flatten)]
    wanted: WantedTables,
    /// What to count [default: values; with --plot and one material: distances]
    #[arg(long, value_enum)]
    show: Option<Show>,
    /// Draw a picture, SVG or PNG as FILE ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let tables = common.tablebase()?;
        let variant = tables.variant();
        let mut materials: Vec<Material> = vec![];
        for material in self.wanted.materials(variant, "stats")? {
            if !materials.contains(&material) {
                materials.push(material);
            }
        }
        let plot = self.plot.as_deref().map(PictureFile::new).transpose()?;
        let show = self.show.unwrap_or(match (&materials[..], &plot) {
            ([_], Some(_)) => Show::Distances,
            _ => Show::Values,
        });
        let counted = Counted::read(common, &tables, show, &materials)?;
        match (common.json, &plot) {
            (true, _) => counted.print_json(variant, out)?,
            (false, None) => counted.print_text(variant, out)?,
            (false, Some(_)) => {}
        }
        if let Some(file) = plot {
            file.write(&counted.draw(variant)?)?;
            if !common.json && !common.quiet {
                out.line(format!("wrote {}", file.path().display()))?;
            }
        }
        Ok(Status::Done)
    }
}

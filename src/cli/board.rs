//! `hextb board`: a position as text and as a picture.

use super::common::{Common, FenArguments};
use super::failure::{Failure, Status};
use super::file::write_whole;
use super::output::Output;
use hextb::picture::{SvgOptions, TextStyle, svg, text};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Draw a position
///
/// Draws the board in the terminal, in colours if standard output is one, and with --svg also as a picture. Any legal
/// position can be drawn, of however many men.
///
/// With --json prints one object: fen, variant, turn, men (an object from cells to FEN letters).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb board '1/3/5/2r4/5K3/11/11/k10/10Q/11/11 w - 0 1'
  hextb board --svg board.svg '1/3/5/2r4/5K3/11/11/k10/10Q/11/11 w - 0 1'")]
pub struct Arguments {
    #[command(flatten)]
    fen: FenArguments,
    /// Also write the picture to FILE
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Only letters, dots and the like, no colours and figurines
    #[arg(long)]
    ascii: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    fen: String,
    variant: &'a str,
    turn: char,
    men: serde_json::Map<String, serde_json::Value>,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let variant = common.variant()?;
        let fen = self.fen.parse(&variant)?;
        if let Some(file) = &self.svg {
            write_whole(file, svg(&variant, &fen.position, &SvgOptions::default()).as_bytes())?;
        }
        if common.json {
            let man = |(cell, man): (hextb::geometry::Cell, hextb::geometry::Man)| {
                (variant.board().name(cell).to_string(), variant.man_letter(man).to_string().into())
            };
            let men = fen.position.men_on_board().map(man).collect();
            let turn = fen.position.turn().letter();
            out.json(&Report { fen: fen.write(&variant), variant: variant.name(), turn, men })?;
            return Ok(Status::Done);
        }
        if self.svg.is_none() || !common.quiet {
            let rich = std::io::stdout().is_terminal() && !self.ascii;
            let style = TextStyle { colour: rich && std::env::var_os("NO_COLOR").is_none(), unicode: rich };
            out.drawing(text(&variant, &fen.position, style).trim_end_matches('\n'))?;
        }
        Ok(Status::Done)
    }
}

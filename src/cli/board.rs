//! `hextb board`: a position as text and as a picture.

use super::common::{Common, FenArguments};
use super::failure::{Failure, Status};
use super::output::Output;
use hextb::picture::{SvgOptions, TextStyle, svg, text};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

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
                let letter = variant.letter(man.role);
                let white = man.color == hextb::geometry::Color::White;
                let letter = if white { letter } else { letter.to_ascii_lowercase() };
                (variant.board().name(cell).to_string(), letter.to_string().into())
            };
            let men = fen.position.men_on_board().map(man).collect();
            let turn = fen.position.turn().letter();
            out.json(&Report { fen: fen.write(&variant), variant: variant.name(), turn, men })?;
            return Ok(Status::Done);
        }
        if self.svg.is_none() || !common.quiet {
            let rich = std::io::stdout().is_terminal() && !self.ascii;
            let style = TextStyle { colour: rich && std::env::var_os("NO_COLOR").is_none(), unicode: rich };
            out.line(text(&variant, &fen.position, style).trim_end_matches('\n'))?;
        }
        Ok(Status::Done)
    }
}

/// Writes a file under a temporary name first, so that a failure leaves an older one as it was.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::system(format!("cannot write {}: {e}", path.display()));
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.exists() && !path.is_file() {
        // A pipe or a terminal cannot be replaced by a rename.
        return std::fs::write(path, bytes).map_err(failed);
    }
    let mut file = tempfile::Builder::new().prefix(".hextb-").tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644)).map_err(failed)?;
    }
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}

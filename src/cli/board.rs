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

/// Writes a file under a temporary name first, so that a failure leaves an older one as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |e: std::io::Error| {
        // The system's words alone: the library's also name the temporary file.
        let reason =
            e.raw_os_error().map_or_else(|| e.kind().to_string(), |c| std::io::Error::from_raw_os_error(c).to_string());
        Failure::system(format!("cannot write {}: {reason}", path.display()))
    };
    // Through a link to what it points at.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(metadata) = std::fs::metadata(&target) {
        if !metadata.is_file() {
            // A pipe or a terminal cannot be replaced by a rename.
            return std::fs::write(&target, bytes).map_err(failed);
        }
        if metadata.permissions().readonly() {
            return Err(Failure::system(format!("cannot write {}: it is read-only", path.display())));
        }
    }
    let mut file =
        usual_permissions(&mut tempfile::Builder::new()).prefix(".hextb-").tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(&target).map_err(|e| failed(e.error))?;
    Ok(())
}

/// Makes a temporary file readable like any other that the user makes; by default it would be private.
fn usual_permissions<'a, 'b, 'c>(builder: &'a mut tempfile::Builder<'b, 'c>) -> &'a mut tempfile::Builder<'b, 'c> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

//! `hextb line`: best play to the end of the game.

use super::common::{Common, FenArguments};
use super::failure::{Failure, Status};
use super::output::Output;
use super::words;
use hextb::geometry::Variant;
use hextb::report::{self, Line, Points, Reason};

/// Play best moves by both sides to the end of the game
///
/// Each side plays its best move (the first that `hextb probe` lists). Says how the game ends and what each side
/// scores. From a drawn position nothing is played, since best play need not end; the moves that keep the draw are
/// named.
///
/// With --json prints one object: fen, variant, material, turn, category, points and plies as in `hextb probe --json`;
/// moves, each with move, san, and fen, category and plies of the position after it; drawing_moves (of a drawn
/// position, in algebraic form); and end: reason (checkmate, stalemate or draw), fen, winner (the side that scores
/// more: w, b or null) and score, an object of the points of w and b.
#[derive(clap::Args)]
#[command(after_help = "Example:
  hextb line '1/1K1/5/7/4k4/11/11/11/10Q/11/11 w - 0 1'")]
pub struct Arguments {
    #[command(flatten)]
    fen: FenArguments,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let tables = common.tablebase()?;
        let variant = tables.variant();
        let line = report::line(&tables, variant, &self.fen.parse(variant)?)?;
        match common.json {
            true => out.json(&line)?,
            false => print(&line, variant, out)?,
        }
        Ok(Status::Done)
    }
}

fn print(line: &Line, variant: &Variant, out: &mut Output) -> Result<(), Failure> {
    let stalemate_points = Points(variant.stalemate_points());
    // A line without moves that is not a mere draw is at its end already.
    let stuck = line.moves.is_empty() && line.end.reason != Reason::Draw;
    let check = line.end.reason == Reason::Checkmate;
    out.line(&line.fen)?;
    let turn = words::side_name(line.turn);
    out.line(format!("{}, {}, {turn} to move", line.material, variant.description().title))?;
    out.line("")?;
    out.line(words::verdict((line.category, line.plies), line.turn, check, stuck, stalemate_points))?;
    if !line.moves.is_empty() {
        out.line("")?;
        for row in numbered(line).chunks(8) {
            out.line(format!("  {}", row.join("  ")))?;
        }
    }
    out.line("")?;
    match line.end.reason {
        Reason::Checkmate => out.line("The game ends in checkmate.")?,
        Reason::Stalemate => out.line("The game ends in stalemate.")?,
        Reason::Draw => {
            out.line("Neither side can force more than half a point; no line is played.")?;
            out.line(format!("Moves that keep the draw: {}", line.drawing_moves.join(" ")))?;
        }
    }
    out.line(format!("Score: White {}, Black {}", line.end.score.w, line.end.score.b))?;
    if !line.moves.is_empty() {
        out.line(format!("End: {}", line.end.fen))?;
    }
    Ok(())
}

/// Pairs of moves with their numbers: `1. Qe5 Kd4`, the first `1. ... Kd4` when Black begins.
fn numbered(line: &Line) -> Vec<String> {
    let mut sans: Vec<&str> = line.moves.iter().map(|mv| mv.san.as_str()).collect();
    if line.turn == 'b' {
        sans.insert(0, "...");
    }
    sans.chunks(2).enumerate().map(|(i, pair)| format!("{}. {}", i + 1, pair.join(" "))).collect()
}

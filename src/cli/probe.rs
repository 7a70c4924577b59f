//! `hextb probe`: what a position and each of its moves are worth.

use super::common::{Common, FenArguments};
use super::failure::{Failure, Status};
use super::output::{Output, Table};
use super::words;
use hextb::geometry::Variant;
use hextb::position::Fen;
use hextb::report::{self, Points, Probe};
use hextb::table::Tablebase;
use serde::Serialize;
use std::io::{BufRead, BufReader};

/// Tell what a position is worth, and every move in it
///
/// Prints the verdict, what each side scores with best play, and all legal moves, best first. Distances are plies
/// (moves of one side) to the mate or stalemate; in the list of moves they count from the position given, the move
/// included.
///
/// With --json prints one object: fen, variant, material, turn (w or b), category (win, stalemate-win, draw,
/// stalemate-loss or loss, for the side to move), points (1, 0.75, 0.5, 0.25 or 0, likewise), plies (null for a draw),
/// check, checkmate, stalemate, and moves, best first, each with move, san, category, plies, capture, promotion, check,
/// checkmate, stalemate. A move's category and plies are those of the position after it, for the side then to move. With
/// --values all plies are null.
///
/// `hextb probe -` reads FENs from standard input, one a line, and prints one object a line, as with --json. For a line
/// without an answer that is {"line": number, "error": text, "status": what the exit status would be}; the exit status
/// is the worst of all lines. Empty lines are skipped.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb probe '1/1K1/5/7/4k4/11/11/11/10Q/11/11 w - 0 1'
  hextb probe 1/1K1/5/7/4k4/11/11/11/10Q/11/11 w - --json
  hextb probe - < positions.txt")]
pub struct Arguments {
    #[command(flatten)]
    fen: FenArguments,
    /// Tell values alone, no distances: packed tables need no files of distances for that
    #[arg(long)]
    values: bool,
}

/// What `probe -` prints for a line without an answer.
#[derive(Serialize)]
struct LineError {
    line: u64,
    error: String,
    status: u8,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let tables = common.tablebase()?;
        if self.fen.text() == "-" {
            return self.probe_lines(&tables, common, out);
        }
        let variant = tables.variant();
        let report = self.report(&tables, &self.fen.parse(variant)?)?;
        match common.json {
            true => out.json(&report)?,
            false => self.print(&report, variant, out)?,
        }
        Ok(Status::Done)
    }

    fn report(&self, tables: &Tablebase, fen: &Fen) -> Result<Probe, Failure> {
        match self.values {
            true => Ok(report::probe_values(tables, fen)?),
            false => Ok(report::probe(tables, tables.variant(), fen)?),
        }
    }

    fn print(&self, report: &Probe, variant: &Variant, out: &mut Output) -> Result<(), Failure> {
        let turn = words::side_name(report.turn);
        let stalemate_points = Points(variant.stalemate_points());
        let stuck = report.moves.is_empty();
        out.line(&report.fen)?;
        out.line(format!("{}, {}, {turn} to move", report.material, variant.description().title))?;
        out.line("")?;
        out.line(words::verdict((report.category, report.plies), report.turn, report.check, stuck, stalemate_points))?;
        let [white, black] = match report.turn {
            'w' => [report.points, report.points.of_opponent()],
            _ => [report.points.of_opponent(), report.points],
        };
        out.line(format!("Points with best play: White {white}, Black {black}"))?;
        if stuck {
            return Ok(());
        }
        out.line("")?;
        let plies = if self.values { "" } else { " (plies from here to the end, the move included)" };
        out.line(format!("{turn}'s moves, best first, as {turn} sees them{plies}:"))?;
        let mut table = Table::new(&["move", "from-to", "value"]);
        for mv in &report.moves {
            let value = words::move_verdict(mv.for_mover(), stalemate_points);
            table.row([mv.san.clone(), mv.from_to.clone(), value]);
        }
        out.table(&table)
    }

    /// Answers each line of standard input.
    fn probe_lines(&self, tables: &Tablebase, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let mut input = BufReader::new(std::io::stdin());
        let (mut worst, mut number, mut unanswered, mut bytes) = (Status::Done, 0, 0, vec![]);
        loop {
            bytes.clear();
            number += 1;
            let read = input.read_until(b'\n', &mut bytes);
            if read.map_err(|e| Failure::system(format!("cannot read standard input: {e}")))? == 0 {
                break;
            }
            if number == 1 && bytes.starts_with("\u{feff}".as_bytes()) {
                bytes.drain(..3);
            }
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            match self.answer(tables, &bytes) {
                Ok(report) => out.json(&report)?,
                Err(failure) => {
                    let (status, message) = failure.told(&common.options());
                    unanswered += 1;
                    worst = worst.max(status);
                    let error = message.unwrap_or_default();
                    out.json(&LineError { line: number, error, status: status as u8 })?;
                }
            }
            // Whoever asks line by line gets the answer before the next question.
            if input.buffer().is_empty() {
                out.flush()?;
            }
        }
        if unanswered > 0 {
            let lines = words::counted(unanswered, "line");
            let message = format!("{lines} of standard input without an answer; the objects with \"error\" say why");
            out.flush()?;
            return Err(Failure::Told { status: worst, message });
        }
        Ok(Status::Done)
    }

    fn answer(&self, tables: &Tablebase, line: &[u8]) -> Result<Probe, Failure> {
        let text = std::str::from_utf8(line).map_err(|_| Failure::input("FEN: the line is not UTF-8 text"))?;
        self.report(tables, &Fen::parse(tables.variant(), text)?)
    }
}

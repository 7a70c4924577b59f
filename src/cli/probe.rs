//! `hextb probe`: what a position and each of its moves are worth.

use super::check::check_memory;
use super::common::{Common, FenArguments};
use super::failure::{Failure, Status};
use super::output::{Output, Table};
use super::progress::Work;
use super::words;
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::oracle::Oracle;
use hextb::outcome::Value;
use hextb::position::{Fen, Position};
use hextb::report::{self, Points, Probe};
use hextb::solve::Kernel;
use hextb::survey::Scoring;
use hextb::survey::draws::{DrawClass, MemoryNeeded, classes_of};
use hextb::table::{Store, Tablebase};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

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
/// With --draw-class tells why a drawn position is drawn: by conversion (the side with less can force a capture, a
/// promotion or stalemate that saves it), by perpetual check (it can check for ever, or get there), or by fortress
/// (neither). All positions of the material are classified for that, which takes some seconds. Of equal sides either is
/// taken as the one that saves itself. In JSON that is draw_class: an object with w or b, the side that saves itself,
/// and conversion, perpetual or fortress; it is empty if the position is not drawn.
///
/// `hextb probe -` reads FENs from standard input, one a line, and prints one object a line, as with --json. For a line
/// without an answer that is {"line": number, "error": text, "status": what the exit status would be}; the exit status
/// is the worst of all lines. Empty lines are skipped, and so is what follows a semicolon, as in the lists of `hextb mine`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb probe '1/1K1/5/7/4k4/11/11/11/10Q/11/11 w - 0 1'
  hextb probe 1/1K1/5/7/4k4/11/11/11/10Q/11/11 w - --json
  hextb probe '1/1K1/1Q3/5k1/6r2/11/11/11/11/11/11 w - 0 1' --draw-class
  hextb probe - < positions.txt")]
pub struct Arguments {
    #[command(flatten)]
    fen: FenArguments,
    /// Tell values alone, no distances: packed tables need no files of distances for that
    #[arg(long)]
    values: bool,
    /// Tell why a drawn position is drawn
    #[arg(long, conflicts_with = "values")]
    draw_class: bool,
}

/// The report with the class of the draw, by the side that saves itself.
#[derive(Serialize)]
struct WithClass<'a> {
    #[serde(flatten)]
    report: &'a Probe,
    draw_class: BTreeMap<char, DrawClass>,
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
            if self.draw_class {
                return Err(Failure::input("--draw-class takes one position; give its FEN instead of -"));
            }
            return self.probe_lines(&tables, common, out);
        }
        let variant = tables.variant();
        let fen = self.fen.parse(variant)?;
        let report = self.report(&tables, &fen)?;
        let classes = if self.draw_class { draw_classes(&tables, &fen.position, common)? } else { vec![] };
        match (common.json, self.draw_class) {
            (true, false) => out.json(&report)?,
            (true, true) => {
                let draw_class = classes.iter().map(|(weak, class)| (weak.letter(), *class)).collect();
                out.json(&WithClass { report: &report, draw_class })?;
            }
            (false, _) => self.print(&report, &classes, variant, out)?,
        }
        Ok(Status::Done)
    }

    fn report(&self, tables: &Tablebase, fen: &Fen) -> Result<Probe, Failure> {
        match self.values {
            true => Ok(report::probe_values(tables, fen)?),
            false => Ok(report::probe(tables, tables.variant(), fen)?),
        }
    }

    fn print(
        &self,
        report: &Probe,
        classes: &[(Color, DrawClass)],
        variant: &Variant,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let turn = words::side_name(report.turn);
        let stalemate_points = Points(variant.stalemate_points());
        let stuck = report.moves.is_empty();
        out.line(&report.fen)?;
        out.line(format!("{}, {}, {turn} to move", report.material, variant.description().title))?;
        out.line("")?;
        out.line(words::verdict((report.category, report.plies), report.turn, report.check, stuck, stalemate_points))?;
        if self.draw_class && report.category != Value::Draw {
            out.line("It is not drawn, so it is of no class of draws")?;
        }
        for (weak, class) in classes {
            out.line(words::draw_class(*class, weak.letter()))?;
        }
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
        // As `hextb mine` prints positions, with a comment.
        let fen = text.split(';').next().unwrap_or_default();
        self.report(tables, &Fen::parse(tables.variant(), fen)?)
    }
}

/// Why a position is drawn, by the side that saves itself; nothing if it is not drawn.
fn draw_classes(tables: &Tablebase, position: &Position, common: &Common) -> Result<Vec<(Color, DrawClass)>, Failure> {
    let variant = tables.variant();
    if tables.outcome(position)?.value() != Value::Draw {
        return Ok(vec![]);
    }
    common.start_threads()?;
    let kernel = Arc::new(Kernel::new(variant));
    let material = Material::of(variant, position).0;
    let needed = MemoryNeeded::of(&kernel, &tables.open_file(&material)?.1);
    let memory = check_memory(common, tables, &material, needed.classifying + needed.keeping)?;
    let store = Store::new(Arc::new(tables.clone()), kernel.clone(), memory).of_values();
    let work = Work::new(!common.quiet, &format!("classifying {}", material.name(variant)));
    let classes = classes_of(variant, &kernel, &store, tables, position, Scoring::Full, &work.watch());
    work.clear();
    Ok(classes?)
}

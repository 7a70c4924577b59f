//! `hextb annotate`: what each move of a game costs.
//!
//! Reads the games, asks the tables of each game's variant, and says what is wrong or missing; `text` has the wording.

mod text;

use super::common::Common;
use super::failure::{Failure, Status, complain};
use super::output::Output;
use super::progress::Work;
use hextb::geometry::Variant;
use hextb::position::Fen;
use hextb::position::game::{Game, GameError, GameResult, GameText, Games, Header, Spot};
use hextb::report::{self, Annotation};
use hextb::table::Tablebase;
use serde::{Serialize, Serializer};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::sync::Arc;

/// The most bytes that are read: games of a lifetime.
const MOST_BYTES: u64 = 64 << 20;

/// Mark the moves of games that cost points or time
///
/// Reads games in PGN, with moves from-to (e4e5, f10f11q) or in algebraic form (Qe5, f11=Q), or bare moves after a FEN
/// on a line of its own. A game begins at its header FEN, else at --fen, else at the start of its variant; its variant
/// is that of its header Variant, else that of --variant. Comments are kept, variations are left out.
///
/// Prints the games again. From where a game enters the tables, a comment that begins with "tables:" tells what a move
/// costs and which is better: points given up, or plies by which a win takes longer or a loss comes sooner. ?? stands
/// for half a point or more, ? for less, ! for the only move that keeps the value; a first comment sums up. What has
/// been annotated can be annotated again.
///
/// With --json prints an object for each game: line, headers, variant, fen (where it begins), result, moves, end (the
/// last position as in `hextb probe --json`, or null), summary (for w and b: moves in the tables, slips, points_lost,
/// plies_lost), missing (tables that are not there), warnings. A move has move, san and fen (after it), and in the
/// tables also material, category and plies (of the position after it, for the side then to move), best (the best
/// moves, as in `hextb probe --json`), points_lost, plies_lost (null in a draw and where points are lost), only and
/// mark. A game that cannot be read is {"line", "column", "error", "status"}.
///
/// A game with a fault is told of on standard error and left out; the exit status is 2 then. It is 1 if no position of
/// any game is in the tables.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb annotate games.pgn > annotated.pgn
  echo 'Kc6 Qk3' | hextb annotate - --fen '1/2r/5/1k5/9/8K2/11/11/10Q/11/11 b - 0 1'")]
pub struct Arguments {
    /// The games; - stands for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where games without a header FEN begin
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

/// What `annotate --json` prints for a game.
#[derive(Serialize)]
struct GameReport<'a> {
    line: usize,
    #[serde(serialize_with = "as_object")]
    headers: &'a [Header],
    variant: &'a str,
    fen: String,
    result: Option<GameResult>,
    #[serde(flatten)]
    annotation: &'a Annotation,
    warnings: Vec<String>,
}

fn as_object<S: Serializer>(headers: &&[Header], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(headers.iter().map(|header| (&header.key, &header.value)))
}

/// What it prints for a game that cannot be read.
#[derive(Serialize)]
struct ErrorReport {
    line: usize,
    column: usize,
    error: String,
    status: u8,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let variant = common.variant()?;
        if let Some(fen) = &self.fen {
            Fen::parse(&variant, fen)?;
        }
        let text = self.read()?;
        let mut session = Session {
            common,
            source: self.source(),
            start: self.fen.as_deref(),
            tables: HashMap::from([(variant.name().to_string(), Tablebase::new(variant.clone(), &common.tables))]),
            usual: variant,
            told: HashSet::new(),
        };
        // A bar would be mixed with games that are printed on the same terminal.
        let work = Work::new(!common.quiet && !std::io::stdout().is_terminal(), "annotating");
        let done = session.annotate_all(&text, &work, out);
        work.clear();
        done
    }

    fn source(&self) -> String {
        if self.file.as_os_str() == "-" { "standard input".to_string() } else { self.file.display().to_string() }
    }

    /// The text of the games.
    fn read(&self) -> Result<String, Failure> {
        let source = self.source();
        let cannot = |error: std::io::Error| Failure::input(format!("cannot read {source}: {error}"));
        let mut bytes = vec![];
        match self.file.as_os_str() == "-" {
            true => std::io::stdin().take(MOST_BYTES + 1).read_to_end(&mut bytes),
            false => File::open(&self.file).map_err(cannot)?.take(MOST_BYTES + 1).read_to_end(&mut bytes),
        }
        .map_err(cannot)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Failure::input(format!("{source} has more than {} MiB; split it", MOST_BYTES >> 20)));
        }
        if bytes.starts_with("\u{feff}".as_bytes()) {
            bytes.drain(..3);
        }
        String::from_utf8(bytes).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let good = String::from_utf8_lossy(good);
            let (lines, last) = good.rsplit_once('\n').unwrap_or(("", &good));
            let line = 1 + usize::from(good.contains('\n')) + lines.matches('\n').count();
            let spot = Spot { line, column: last.chars().count() + 1 };
            Failure::input(format!("{source}, {spot}: this is not UTF-8 text; convert it first"))
        })
    }
}

/// The games of one text under way.
struct Session<'a> {
    common: &'a Common,
    source: String,
    /// The FEN at which games begin that do not say it themselves.
    start: Option<&'a str>,
    /// The variant of games that do not say it themselves.
    usual: Arc<Variant>,
    /// The tables of each variant, by its name.
    tables: HashMap<String, Tablebase>,
    /// Variants with materials whose tables have been missed.
    told: HashSet<(String, String)>,
}

impl Session<'_> {
    fn annotate_all(&mut self, text: &str, work: &Work, out: &mut Output) -> Result<Status, Failure> {
        let mut games = Games::new(text);
        let (mut status, mut count, mut reached) = (Status::Done, 0, false);
        let watch = work.watch();
        while let Some(read) = games.next() {
            let played = read.and_then(|game| self.replay(game));
            match played {
                Ok((written, game, tables)) => {
                    if count > 0 && !self.common.json {
                        out.line("")?;
                    }
                    reached |= self.annotate(&written, &game, &tables, work, out)?;
                }
                Err(error) => {
                    status = Status::Input;
                    let message = format!("{}, {error}", self.source);
                    work.aside(|| complain(&message));
                    if self.common.json {
                        let (Spot { line, column }, error) = (error.at, error.fault.to_string());
                        out.json(&ErrorReport { line, column, error, status: status as u8 })?;
                    }
                }
            }
            count += 1;
            watch(games.offset() as u64, text.len() as u64);
        }
        match (count, status) {
            (0, _) => Err(Failure::input(format!("{} holds no game", self.source))),
            (_, Status::Done) if !reached => {
                let message = format!("no position of {} is in the tables", self.source);
                Err(Failure::Told { status: Status::Failed, message })
            }
            _ => Ok(status),
        }
    }

    /// Plays a game through, and finds its tables.
    fn replay(&mut self, written: GameText) -> Result<(GameText, Game, Tablebase), GameError> {
        let tables = self.tables_of(&written)?;
        let game = written.replay(tables.variant(), self.start)?;
        Ok((written, game, tables))
    }

    fn tables_of(&mut self, written: &GameText) -> Result<Tablebase, GameError> {
        let header = written.header("Variant");
        let name = header.map_or(self.usual.name().to_string(), |header| header.value.to_lowercase());
        if let Some(tables) = self.tables.get(&name) {
            return Ok(tables.clone());
        }
        let at = header.map_or(written.at, |header| header.at);
        let variant = Variant::named(&name).map_err(|error| GameError::new(at, error))?;
        let tables = Tablebase::new(Arc::new(variant), &self.common.tables);
        self.tables.insert(name, tables.clone());
        Ok(tables)
    }

    /// Prints a game with what its moves cost; whether it reaches the tables.
    fn annotate(
        &mut self,
        written: &GameText,
        game: &Game,
        tables: &Tablebase,
        work: &Work,
        out: &mut Output,
    ) -> Result<bool, Failure> {
        let variant = tables.variant();
        let annotation = report::annotate(tables, variant, game)?;
        let warnings: Vec<String> = game.warnings.iter().map(ToString::to_string).collect();
        for warning in &warnings {
            work.aside(|| complain(&format!("warning: {}, {warning}", self.source)));
        }
        for table in &annotation.missing {
            if self.told.insert((variant.name().to_string(), table.material.clone())) {
                let missing = Failure::Missing { material: table.material.clone(), file: table.file.clone() };
                let (_, message) = missing.told(&self.common.options_for(variant.name()));
                work.aside(|| message.iter().for_each(|message| complain(message)));
            }
        }
        if self.common.json {
            out.json(&GameReport {
                line: written.at.line,
                headers: &written.headers,
                variant: variant.name(),
                fen: game.start.write(variant),
                result: written.result,
                annotation: &annotation,
                warnings,
            })?;
        } else {
            let text = text::annotated(written, game, &annotation, variant, !self.common.quiet);
            text.lines().try_for_each(|line| out.line(line))?;
        }
        Ok(annotation.reaches_tables())
    }
}

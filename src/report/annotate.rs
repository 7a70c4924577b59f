//! What each move of a game costs, as far as the tables reach.
//!
//! A move's cost is the difference between what its position is worth and what the move leads to, to the side that
//! makes it: points if the value is not kept, else plies by which a win comes later or a loss sooner.

use super::{MoveReport, Points, Probe, probe};
use crate::geometry::{Color, Variant};
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::{Outcome, Value};
use crate::position::game::{Game, Played};
use serde::{Serialize, Serializer};

/// A game's moves with what the tables say of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Annotation {
    pub moves: Vec<MoveAnnotation>,
    /// The report on the last position, if it is in the tables.
    pub end: Option<Probe>,
    pub summary: Summary,
    /// Tables that positions of the game would need and that are not there, each once.
    #[serde(serialize_with = "as_materials")]
    pub missing: Vec<MissingTable>,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveAnnotation {
    /// In the from-to form.
    #[serde(rename = "move")]
    pub from_to: String,
    /// In algebraic form.
    pub san: String,
    /// The position after the move.
    pub fen: String,
    /// None, and no keys of JSON, if the position before the move is not in the tables.
    #[serde(flatten)]
    pub judgement: Option<Judgement>,
}

/// What the tables say of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// The material of the position before the move.
    pub material: String,
    /// The value of the position after the move, for the side then to move.
    pub category: Value,
    /// Plies from there to the end; none for a draw.
    pub plies: Option<u16>,
    /// The best moves; more than one if they are worth the same to the ply.
    pub best: Vec<MoveReport>,
    /// What the mover gives up.
    pub points_lost: Points,
    /// Plies by which a win takes longer, or a loss comes sooner, than with a best move. None where there is no
    /// distance to compare: in a draw, and when points are lost.
    pub plies_lost: Option<u16>,
    /// Whether the best move is the only one of several that keeps the value.
    pub only: bool,
    pub mark: Option<Mark>,
}

/// A mark as players set them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `!`: the only move that keeps the value.
    Only,
    /// `?`: gives up less than half a point.
    Mistake,
    /// `??`: gives up half a point or more.
    Blunder,
}

/// A table that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTable {
    pub material: String,
    pub file: String,
}

/// How the two sides played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub w: SideSummary,
    pub b: SideSummary,
}

/// How a side played, its moves from positions in the tables being looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SideSummary {
    pub moves: usize,
    /// Moves that lost points.
    pub slips: usize,
    pub points_lost: Points,
    pub plies_lost: u64,
}

impl Annotation {
    /// Whether any position of the game is in the tables.
    pub fn reaches_tables(&self) -> bool {
        self.end.is_some() || self.moves.iter().any(|mv| mv.judgement.is_some())
    }
}

impl Judgement {
    /// What the position before the move is worth to the mover.
    pub fn best_outcome(&self) -> Outcome {
        self.best[0].outcome_for_mover()
    }
}

impl Mark {
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Only => "!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// Its number as PGN has it: `!` is `$1`.
    pub fn number(self) -> u8 {
        match self {
            Mark::Only => 1,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.sign())
    }
}

fn as_materials<S: Serializer>(missing: &[MissingTable], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(missing.iter().map(|table| &table.material))
}

/// Looks up every position of a game. Those of materials without a table, and of more men than tables have, are passed
/// over.
///
/// # Errors
/// When a table is damaged or cannot be read.
pub fn annotate(oracle: &dyn Oracle, variant: &Variant, game: &Game) -> Result<Annotation, ProbeError> {
    let mut missing: Vec<MissingTable> = vec![];
    let mut look_up = |fen| match probe(oracle, variant, fen) {
        Ok(report) => Ok(Some(report)),
        Err(ProbeError::TooManyMen { .. }) => Ok(None),
        Err(ProbeError::Missing { material, file }) => {
            if missing.iter().all(|table| table.material != material) {
                missing.push(MissingTable { material, file });
            }
            Ok(None)
        }
        Err(error) => Err(error),
    };
    let mut moves = vec![];
    let mut sides = [SideSummary::default(); 2];
    for played in &game.moves {
        let judgement = look_up(&played.before)?.map(|report| judge(variant, &report, played));
        if let Some(judgement) = &judgement {
            let side = &mut sides[played.before.position.turn().index()];
            side.moves += 1;
            side.slips += usize::from(judgement.points_lost.0 > 0.0);
            side.points_lost.0 += judgement.points_lost.0;
            side.plies_lost += u64::from(judgement.plies_lost.unwrap_or(0));
        }
        moves.push(MoveAnnotation {
            from_to: played.mv.from_to(variant),
            san: played.san.clone(),
            fen: played.before.after(variant, &played.mv).write(variant),
            judgement,
        });
    }
    let end = look_up(&game.end)?;
    let [w, b] = [sides[Color::White.index()], sides[Color::Black.index()]];
    Ok(Annotation { moves, end, summary: Summary { w, b }, missing })
}

/// Compares the move that was played with the best ones of the report on its position.
fn judge(variant: &Variant, report: &Probe, played: &Played) -> Judgement {
    let from_to = played.mv.from_to(variant);
    let made = report.moves.iter().find(|mv| mv.from_to == from_to).expect("a report has all legal moves");
    let (best, got) = (report.outcome(), made.outcome_for_mover());
    let points = |outcome: Outcome| outcome.value().points(variant.stalemate_points());
    let points_lost = Points(points(best) - points(got));
    let kept = best.value() == got.value();
    let keeping = report.moves.iter().filter(|mv| mv.outcome_for_mover().value() == best.value()).count();
    let only = keeping == 1 && report.moves.len() > 1;
    let mark = match points_lost.0 {
        0.5.. => Some(Mark::Blunder),
        _ if !kept => Some(Mark::Mistake),
        _ if only => Some(Mark::Only),
        _ => None,
    };
    Judgement {
        material: report.material.clone(),
        category: made.category,
        plies: made.plies,
        best: report.moves.iter().filter(|mv| mv.outcome_for_mover() == best).cloned().collect(),
        points_lost,
        plies_lost: best.plies().zip(got.plies()).filter(|_| kept).map(|(best, got)| best.abs_diff(got)),
        only,
        mark,
    }
}

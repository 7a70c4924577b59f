//! Best play by both sides from a position to the end of the game.
//!
//! Each side plays the first of its moves in the order of [`probe`](super::probe()). From a drawn position no line
//! is played, because best play need not end; the moves that keep the draw are named instead.

use super::Points;
use super::probe::{check_consistency, moves_best_first};
use crate::geometry::{Color, Variant};
use crate::index::Material;
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::{Outcome, Value};
use crate::position::{Fen, Move};
use serde::Serialize;

/// A line of best play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The position that the line starts from.
    pub fen: String,
    pub variant: String,
    pub material: String,
    /// The side to move at the start: `w` or `b`.
    pub turn: char,
    /// The value for that side.
    pub category: Value,
    /// What that side scores.
    pub points: Points,
    /// The length of the line; none for a draw.
    pub plies: Option<u16>,
    /// The moves of the line; none from a drawn position or one without moves.
    pub moves: Vec<LineMove>,
    /// From a drawn position: the moves that keep the draw, in algebraic form.
    pub drawing_moves: Vec<String>,
    pub end: LineEnd,
}

/// A move of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineMove {
    /// In the from-to form.
    #[serde(rename = "move")]
    pub from_to: String,
    /// In algebraic form.
    pub san: String,
    /// The position after the move.
    pub fen: String,
    /// The value of that position for the side then to move.
    pub category: Value,
    /// Plies from there to the end.
    pub plies: Option<u16>,
}

/// How a line ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineEnd {
    pub reason: Reason,
    /// The last position; for a draw by best play the one that the line starts from.
    pub fen: String,
    /// The side that scores more, by mating or stalemating the other; none when the points are shared evenly.
    pub winner: Option<char>,
    pub score: Score,
}

/// Why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    Checkmate,
    Stalemate,
    /// Neither side can force more than half a point.
    Draw,
}

/// What each side scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    pub w: Points,
    pub b: Points,
}

/// Plays best moves from a legal position to the end of the game.
///
/// # Errors
/// When a table that is needed on the way is missing or damaged.
pub fn line(oracle: &dyn Oracle, variant: &Variant, fen: &Fen) -> Result<Line, ProbeError> {
    let outcome = oracle.outcome(&fen.position)?;
    let (mut now, mut due, mut moves) = (*fen, outcome, vec![]);
    let (reason, drawing_moves) = loop {
        let choices = moves_best_first(&|position| oracle.outcome(position), variant, &now.position)?;
        check_consistency(variant, &now.position, due, &choices)?;
        let Some(&(mv, after)) = choices.first() else {
            let mated = now.position.in_check(variant, now.position.turn());
            break (if mated { Reason::Checkmate } else { Reason::Stalemate }, vec![]);
        };
        let legal: Vec<Move> = choices.iter().map(|(mv, _)| *mv).collect();
        if due == Outcome::DRAW {
            let drawing = choices.iter().filter(|(_, after)| *after == Outcome::DRAW);
            break (
                Reason::Draw,
                drawing.map(|(mv, _)| now.position.san_among(variant, mv, &legal)).collect::<Vec<_>>(),
            );
        }
        let san = now.position.san_among(variant, &mv, &legal);
        now = now.after(variant, &mv);
        // The distance falls by one with every move, or the check above fails: the line cannot go on for ever.
        due = after;
        moves.push(LineMove {
            from_to: mv.from_to(variant),
            san,
            fen: now.write(variant),
            category: due.value(),
            plies: due.plies(),
        });
    };
    let turn = fen.position.turn();
    let points = Points(outcome.value().points(variant.stalemate_points()));
    let score = match turn {
        Color::White => Score { w: points, b: points.of_opponent() },
        Color::Black => Score { w: points.of_opponent(), b: points },
    };
    let winner = match outcome.value() {
        Value::Draw => None,
        Value::Win | Value::StalemateWin => Some(turn.letter()),
        Value::Loss | Value::StalemateLoss => Some(turn.other().letter()),
    };
    Ok(Line {
        fen: fen.write(variant),
        variant: variant.name().to_string(),
        material: Material::of(variant, &fen.position).0.name(variant),
        turn: turn.letter(),
        category: outcome.value(),
        points,
        plies: outcome.plies(),
        moves,
        drawing_moves,
        end: LineEnd { reason, fen: now.write(variant), winner, score },
    })
}

//! A position's outcome and those of all its moves, best first.
//!
//! Takes one look into the tables for the position and one for each legal move. That the two agree is tested every
//! time: a table that contradicts itself gives an error, not an answer.

use super::Points;
use crate::geometry::Variant;
use crate::index::Material;
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::{Outcome, Value};
use crate::position::{Fen, Move, Position};
use crate::probe::Worth;
use crate::table::Tablebase;
use serde::Serialize;

/// The report on a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Probe {
    /// The position with all fields.
    pub fen: String,
    pub variant: String,
    /// The name of the material, stronger side first.
    pub material: String,
    /// The side to move: `w` or `b`.
    pub turn: char,
    /// The value for the side to move.
    pub category: Value,
    /// What the side to move scores with best play.
    pub points: Points,
    /// Plies to the mate or stalemate with best play; none for a draw, and where only values were asked for.
    pub plies: Option<u16>,
    /// Whether the side to move is in check.
    pub check: bool,
    pub checkmate: bool,
    pub stalemate: bool,
    /// All legal moves, best first for the side to move; ties by from-cell, to-cell and promotion.
    pub moves: Vec<MoveReport>,
}

/// The report on a move. All but the move itself tells of the position after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveReport {
    /// In the from-to form: `e4e5`, `f10f11q`.
    #[serde(rename = "move")]
    pub from_to: String,
    /// In algebraic form.
    pub san: String,
    /// The value for the side then to move, the opponent of the one that makes this move.
    pub category: Value,
    /// Plies from there to the end; none for a draw.
    pub plies: Option<u16>,
    /// The capital letter of the man that is taken.
    pub capture: Option<char>,
    /// The capital letter of the man that a pawn becomes.
    pub promotion: Option<char>,
    pub check: bool,
    pub checkmate: bool,
    pub stalemate: bool,
}

impl Probe {
    /// The outcome for the side to move.
    ///
    /// # Panics
    /// If only values were asked for and there is a distance.
    pub fn outcome(&self) -> Outcome {
        outcome(self.category, self.plies)
    }
}

fn outcome(category: Value, plies: Option<u16>) -> Outcome {
    match category {
        Value::Draw => Outcome::DRAW,
        category => Outcome::new(category, plies.expect("distances were asked for")),
    }
}

impl MoveReport {
    /// The outcome as the side that makes the move sees it before moving: this move counts as a ply.
    ///
    /// # Panics
    /// As of [`Probe::outcome`].
    pub fn outcome_for_mover(&self) -> Outcome {
        outcome(self.category, self.plies).one_ply_earlier()
    }

    /// The value and the plies as the side that makes the move sees them before moving: this move counts as a ply.
    pub fn for_mover(&self) -> (Value, Option<u16>) {
        (self.category.opposite(), self.plies.map(|plies| plies + 1))
    }
}

/// What is asked of each position.
type Ask<'a, W> = &'a dyn Fn(&Position) -> Result<W, ProbeError>;

/// Reports on a legal position.
///
/// ```
/// use hextb::{geometry::Variant, index::Material, position::Fen, report, solve::MemoryTables};
/// use std::sync::Arc;
/// let variant = Arc::new(Variant::named("glinski-3")?);
/// let mut tables = MemoryTables::new(variant.clone());
/// tables.solve(&Material::parse(&variant, "KQK")?);
/// let fen = Fen::parse(&variant, "1/1k1/5/7/7/6Q/6K w - 0 1")?;
/// let report = report::probe(&tables, &variant, &fen)?;
/// assert_eq!((report.category.word(), report.plies, report.points.0), ("win", Some(9), 1.0));
/// assert_eq!((report.moves[0].category.word(), report.moves[0].plies), ("loss", Some(8)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a table that the position or one of its moves needs is missing or damaged.
pub fn probe(oracle: &dyn Oracle, variant: &Variant, fen: &Fen) -> Result<Probe, ProbeError> {
    report(&|position| oracle.outcome(position), variant, fen)
}

/// The same without distances, which are none everywhere: this needs files of values alone.
///
/// # Errors
/// As of [`probe`].
pub fn probe_values(tables: &Tablebase, fen: &Fen) -> Result<Probe, ProbeError> {
    report(&|position| tables.probe_value(position), tables.variant(), fen)
}

fn report<W: Worth>(ask: Ask<W>, variant: &Variant, fen: &Fen) -> Result<Probe, ProbeError> {
    let position = &fen.position;
    let outcome = ask(position)?;
    let moves = moves_best_first(ask, variant, position)?;
    check_consistency(variant, position, outcome, &moves)?;
    let (check, stuck) = (position.in_check(variant, position.turn()), moves.is_empty());
    let legal: Vec<Move> = moves.iter().map(|(mv, _)| *mv).collect();
    Ok(Probe {
        fen: fen.write(variant),
        variant: variant.name().to_string(),
        material: Material::of(variant, position).0.name(variant),
        turn: position.turn().letter(),
        category: outcome.value(),
        points: Points(outcome.value().points(variant.stalemate_points())),
        plies: outcome.plies(),
        check,
        checkmate: check && stuck,
        stalemate: !check && stuck,
        moves: moves.iter().map(|(mv, after)| report_move(variant, position, mv, *after, &legal)).collect(),
    })
}

/// The legal moves with the outcomes after them (for the side then to move), best first for the mover.
pub(super) fn moves_best_first<W: Worth>(
    ask: Ask<W>,
    variant: &Variant,
    position: &Position,
) -> Result<Vec<(Move, W)>, ProbeError> {
    let mut moves = vec![];
    for mv in position.legal_moves(variant) {
        moves.push((mv, ask(&position.after(variant, &mv))?));
    }
    // What the opponent likes least comes first.
    moves.sort_by_key(|(mv, after)| (*after, mv.order_key(variant)));
    Ok(moves)
}

/// Checks that an outcome is that of the best of the position's moves, or of the end of the game.
pub(super) fn check_consistency<W: Worth>(
    variant: &Variant,
    position: &Position,
    outcome: W,
    moves: &[(Move, W)],
) -> Result<(), ProbeError> {
    let expected = match moves.first() {
        Some((_, after)) => after.one_ply_earlier(),
        None if position.in_check(variant, position.turn()) => W::at_the_end(Value::Loss),
        None if variant.stalemate_counts() => W::at_the_end(Value::StalemateLoss),
        None => W::at_the_end(Value::Draw),
    };
    if outcome == expected {
        return Ok(());
    }
    Err(ProbeError::Damaged {
        file: format!("the table of {}", Material::of(variant, position).0.name(variant)),
        part: format!("the entry of \"{}\"", position.fen(variant)),
        expected: format!("\"{expected:?}\" from its moves"),
        found: format!("\"{outcome:?}\""),
    })
}

pub(super) fn report_move<W: Worth>(
    variant: &Variant,
    position: &Position,
    mv: &Move,
    after_outcome: W,
    legal: &[Move],
) -> MoveReport {
    let after = position.after(variant, mv);
    let (check, stuck) = (after.in_check(variant, after.turn()), !after.has_legal_move(variant));
    MoveReport {
        from_to: mv.from_to(variant),
        san: position.san_among(variant, mv, legal),
        category: after_outcome.value(),
        plies: after_outcome.plies(),
        capture: mv.captured.map(|role| variant.letter(role)),
        promotion: mv.promotion.map(|role| variant.letter(role)),
        check,
        checkmate: check && stuck,
        stalemate: !check && stuck,
    }
}

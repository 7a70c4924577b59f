//! What makes a position legal, and what is wrong with one that is not.
//!
//! Legal means: one king a side, pawns only where a pawn can stand, the side not to move not in check, and an
//! en passant right only where a pawn can just have passed. How the position came about is not asked.

use super::state::{EnPassant, Position};
use crate::geometry::{CellSet, Color, Role, Variant};

/// Why a position is not legal.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum IllegalPosition {
    #[error("{} has no king; each side needs exactly one", (*.0).name())]
    NoKing(Color),
    #[error("{} has {count} kings; each side needs exactly one", (*.color).name())]
    SeveralKings { color: Color, count: usize },
    #[error("a {} pawn cannot stand on {cell}", (*.color).name().to_lowercase())]
    PawnCell { color: Color, cell: String },
    #[error("{} is in check but it is {}'s turn; the side that has just moved cannot be in check", (*.0).name(), .0.other().name())]
    WrongSideInCheck(Color),
    #[error("wrong en passant cell {cell}: {reason}")]
    EnPassant { cell: String, reason: &'static str },
}

/// Checks everything but the en passant right.
///
/// # Errors
/// The first thing that is wrong, in the order of the variants of [`IllegalPosition`].
pub fn check_men(variant: &Variant, position: &Position) -> Result<(), IllegalPosition> {
    for color in Color::BOTH {
        match position.men(color, Role::KING).len() {
            0 => return Err(IllegalPosition::NoKing(color)),
            1 => {}
            count => return Err(IllegalPosition::SeveralKings { color, count }),
        }
    }
    for color in Color::BOTH {
        let misplaced = position.men(color, variant.pawn()) - variant.pawn_rules(color).placement;
        if let Some(cell) = misplaced.lowest() {
            return Err(IllegalPosition::PawnCell { color, cell: variant.board().name(cell).to_string() });
        }
    }
    let waiting = position.turn().other();
    if position.in_check(variant, waiting) {
        return Err(IllegalPosition::WrongSideInCheck(waiting));
    }
    Ok(())
}

/// The right to capture en passant that goes with a set of skipped cells, as a FEN names them.
///
/// # Errors
/// [`IllegalPosition::EnPassant`] when no pawn of the side that has just moved can have passed over these cells.
pub fn en_passant_right(
    variant: &Variant,
    position: &Position,
    skipped: CellSet,
) -> Result<EnPassant, IllegalPosition> {
    let mover = position.turn().other();
    let names: String = skipped.iter().map(|c| variant.board().name(c)).collect();
    let wrong = |reason| Err(IllegalPosition::EnPassant { cell: names.clone(), reason });
    if skipped.intersects(position.occupied()) {
        return wrong("it is occupied");
    }
    let rules = variant.pawn_rules(mover);
    let mut reason = "no pawn of the side that has just moved passes over it from a start cell";
    for start in variant.board().cells() {
        for path in &rules.paths[start.index()] {
            for beyond in 1..path.len() {
                if path[..beyond].iter().copied().collect::<CellSet>() != skipped {
                    continue;
                }
                if position.occupied().contains(start) {
                    reason = "the start cell behind it is occupied";
                } else if !position.men(mover, variant.pawn()).contains(path[beyond]) {
                    reason = "no enemy pawn stands beyond it";
                } else {
                    return Ok(EnPassant { skipped, pawn: path[beyond] });
                }
            }
        }
    }
    wrong(reason)
}

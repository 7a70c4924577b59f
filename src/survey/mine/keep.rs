//! Moves that keep what a position is worth, and those that are the only ones to do so.
//!
//! A move keeps the value if the position after it is worth as many points to the mover; how long the game then takes
//! does not matter.

use crate::geometry::Variant;
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::Value;
use crate::position::{Move, Position};

/// The one move that keeps a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SoleKeeper {
    pub mv: Move,
    /// Whether there is no other legal move at all, so that nothing had to be found.
    pub forced: bool,
}

/// The move that alone keeps the value of a position, which must be `value`; none if several moves do or there is no
/// move. `moves` is left with all legal moves.
///
/// # Errors
/// Those of the oracle.
pub fn sole_keeper(
    oracle: &dyn Oracle,
    variant: &Variant,
    position: &Position,
    value: Value,
    moves: &mut Vec<Move>,
) -> Result<Option<SoleKeeper>, ProbeError> {
    position.legal_moves_into(variant, moves);
    let mut found = None;
    for mv in &*moves {
        if keeps(oracle, variant, position, value, mv)? {
            if found.is_some() {
                return Ok(None);
            }
            found = Some(SoleKeeper { mv: *mv, forced: moves.len() == 1 });
        }
    }
    Ok(found)
}

/// All moves that keep the value of a position, which must be `value`, ordered by cells.
///
/// # Errors
/// Those of the oracle.
pub fn keepers(
    oracle: &dyn Oracle,
    variant: &Variant,
    position: &Position,
    value: Value,
) -> Result<Vec<Move>, ProbeError> {
    let mut kept = vec![];
    for mv in position.legal_moves(variant) {
        if keeps(oracle, variant, position, value, &mv)? {
            kept.push(mv);
        }
    }
    kept.sort_by_key(|mv| mv.order_key(variant));
    Ok(kept)
}

/// Whether a move of a position of this value keeps it.
///
/// # Errors
/// Those of the oracle.
pub fn keeps(
    oracle: &dyn Oracle,
    variant: &Variant,
    position: &Position,
    value: Value,
    mv: &Move,
) -> Result<bool, ProbeError> {
    Ok(oracle.outcome(&position.after(variant, mv))?.value().opposite() == value)
}

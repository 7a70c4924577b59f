//! Positions in which nothing but an underpromotion keeps the value.
//!
//! An underpromotion is a promotion to anything but the strongest man that a pawn can become. A position counts if at
//! least one underpromotion keeps what it is worth in points, and no other move does.

use super::keep::keeps;
use super::{Details, Found, Kind, Rows, Scratch, Site, by_plies, keepers_in_words};
use crate::geometry::{CellSet, Color, Role, Variant};
use crate::oracle::ProbeError;
use crate::outcome::{Outcome, Value};
use crate::position::Position;

/// Looks for underpromotions that are needed.
pub struct Underpromotion {
    /// In positions of this value only; lost ones never count.
    pub value: Option<Value>,
    /// Whether exactly one move must keep the value.
    pub single: bool,
}

impl Kind for Underpromotion {
    fn may_be_in(&self, variant: &Variant, pawns: [CellSet; 2], turn: Color) -> bool {
        let rules = variant.pawn_rules(turn);
        let promotes = |pawn: usize| {
            let steps = rules.paths[pawn].iter().flatten().copied().collect::<CellSet>();
            (steps | rules.captures[pawn]).intersects(rules.promotion)
        };
        pawns[turn.index()].iter().any(|pawn| promotes(pawn.index()))
    }

    fn columns(&self, rows: &Rows) -> u128 {
        let wanted = |value: &Value| *value != Value::Loss && self.value.is_none_or(|only| only == *value);
        let values = Value::ALL.into_iter().filter(wanted);
        values.fold(0, |columns, value| columns | rows.mover.of_value[value as usize])
    }

    fn judge(
        &self,
        site: &Site,
        position: &Position,
        outcome: Outcome,
        scratch: &mut Scratch,
    ) -> Result<Option<Found>, ProbeError> {
        let strongest = strongest_promotion(site.variant);
        position.legal_moves_into(site.variant, &mut scratch.moves);
        // What is not wanted first: one such move that keeps the value ends it.
        let (under, others): (Vec<_>, Vec<_>) =
            scratch.moves.iter().partition(|mv| mv.promotion.is_some_and(|role| Some(role) != strongest));
        if under.is_empty() {
            return Ok(None);
        }
        for mv in others {
            if keeps(site.oracle, site.variant, position, outcome.value(), mv)? {
                return Ok(None);
            }
        }
        let mut kept = 0;
        for mv in under {
            kept += usize::from(keeps(site.oracle, site.variant, position, outcome.value(), mv)?);
        }
        let fits = kept == 1 || kept > 1 && !self.single;
        Ok(fits.then(|| Found::listed(by_plies(outcome))))
    }

    fn details(&self, site: &Site, position: &Position, outcome: Outcome) -> Result<Details, ProbeError> {
        Ok(Details::Moves { moves: keepers_in_words(site, position, outcome)? })
    }
}

/// The strongest man that a pawn can become.
fn strongest_promotion(variant: &Variant) -> Option<Role> {
    // Roles come strongest first.
    variant.promotions().iter().min().copied()
}

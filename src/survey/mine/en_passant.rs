//! Positions in which a capture en passant decides: with the right to it the side to move scores more than without.
//!
//! All rights are looked at that can be: for each placement, each double step of an enemy pawn that can just have been
//! made, its start cell and the cells it skipped being empty, if some pawn can take it. Better than without it means
//! that every other move scores less, so that only captures en passant keep the value.

use super::{Details, Found, Kind, Rows, Scratch, Site};
use crate::geometry::{Cell, CellSet, Color, Variant};
use crate::oracle::ProbeError;
use crate::outcome::{Outcome, Value};
use crate::position::{EnPassant, MoveKind, Position};

/// Looks for captures en passant that decide.
pub struct EnPassantDecides {
    /// In positions of this value only.
    pub value: Option<Value>,
}

/// A double step that an enemy pawn can have made: the right that it leaves, and the cell that it left.
struct Step {
    right: EnPassant,
    start: Cell,
}

/// The double steps of the side that is not to move that pawns on these cells can just have made and that a pawn of
/// the side to move attacks.
fn steps(variant: &Variant, pawns: [CellSet; 2], turn: Color) -> Vec<Step> {
    let (own, enemy) = (pawns[turn.index()], pawns[turn.other().index()]);
    let captures = own.iter().fold(CellSet::EMPTY, |all, pawn| all | variant.pawn_rules(turn).captures[pawn.index()]);
    let rules = variant.pawn_rules(turn.other());
    let mut found = vec![];
    for start in rules.start {
        for path in &rules.paths[start.index()] {
            for beyond in 1..path.len() {
                let skipped: CellSet = path[..beyond].iter().copied().collect();
                if enemy.contains(path[beyond]) && captures.intersects(skipped) {
                    found.push(Step { right: EnPassant { skipped, pawn: path[beyond] }, start });
                }
            }
        }
    }
    found
}

impl Kind for EnPassantDecides {
    fn may_be_in(&self, variant: &Variant, pawns: [CellSet; 2], turn: Color) -> bool {
        !steps(variant, pawns, turn).is_empty()
    }

    fn columns(&self, rows: &Rows) -> u128 {
        // A placement that is won already cannot get better.
        let most = self.value.unwrap_or(Value::Win);
        rows.mover.of_value[..most as usize].iter().fold(0, |all, columns| all | columns)
    }

    fn positions_of(&self, variant: &Variant, placement: &Position, positions: &mut Vec<Position>) {
        let pawns = Color::BOTH.map(|color| placement.men(color, variant.pawn()));
        for step in steps(variant, pawns, placement.turn()) {
            if !(step.right.skipped | step.start.set()).intersects(placement.occupied()) {
                let mut position = *placement;
                position.set_en_passant(Some(step.right));
                // A pawn can have come the same way from two cells.
                if !positions.contains(&position) {
                    positions.push(position);
                }
            }
        }
    }

    fn judge(
        &self,
        site: &Site,
        position: &Position,
        outcome: Outcome,
        _: &mut Scratch,
    ) -> Result<Option<Found>, ProbeError> {
        let with = site.oracle.outcome(position)?;
        let decides = with.value() > outcome.value() && self.value.is_none_or(|only| with.value() == only);
        let gain = with.value() as u16 - (outcome.value() as u16).min(with.value() as u16);
        Ok(decides.then(|| Found::listed([gain, with.plies().unwrap_or(0)])))
    }

    fn details(&self, site: &Site, position: &Position, outcome: Outcome) -> Result<Details, ProbeError> {
        let mut without = *position;
        without.set_en_passant(None);
        let without = site.oracle.outcome(&without)?.into();
        let legal = position.legal_moves(site.variant);
        let mut moves = vec![];
        for mv in legal.iter().filter(|mv| mv.kind == MoveKind::EnPassant) {
            if super::keep::keeps(site.oracle, site.variant, position, outcome.value(), mv)? {
                moves.push(position.san_among(site.variant, mv, &legal));
            }
        }
        Ok(Details::EnPassant { moves, without })
    }
}

//! Lines of only moves: positions from which the winner has to find one only move after another.
//!
//! The number of a position is that of the winner's turns, from this one on and without a gap, at which exactly one
//! legal move keeps the value, whichever of the best replies the loser chooses: those that put off the end for longest.
//! If the replies differ in it, the least number counts. A turn with a single legal move counts too.

use super::keep::sole_keeper;
use super::{Details, Found, Kind, Rows, Scratch, Site, keepers_in_words};
use crate::oracle::ProbeError;
use crate::outcome::{Outcome, Value};
use crate::position::Position;

/// Positions that a thread remembers: some megabytes of them.
const MOST_REMEMBERED: usize = 1 << 15;

/// Looks for lines of at least so many only moves in positions of a value that the mover gains by.
pub struct OnlyLine {
    pub value: Value,
    pub at_least: u16,
}

impl OnlyLine {
    /// The number of only moves in a row from a position of the value on.
    fn count(&self, site: &Site, position: &Position, scratch: &mut Scratch) -> Result<u16, ProbeError> {
        let Some(sole) = sole_keeper(site.oracle, site.variant, position, self.value, &mut scratch.moves)? else {
            return Ok(0);
        };
        if let Some(&known) = scratch.only_moves.get(position) {
            return Ok(known);
        }
        let after = position.after(site.variant, &sole.mv);
        let mut replies = vec![];
        for reply in after.legal_moves(site.variant) {
            let next = after.after(site.variant, &reply);
            replies.push((site.oracle.outcome(&next)?, next));
        }
        // What the loser leaves is worth least to the winner when it takes longest.
        let best = replies.iter().map(|(outcome, _)| *outcome).min();
        let mut rest = None;
        for (_, next) in replies.iter().filter(|(outcome, _)| Some(*outcome) == best) {
            let count = self.count(site, next, scratch)?;
            rest = Some(rest.map_or(count, |rest: u16| rest.min(count)));
            if count == 0 {
                break;
            }
        }
        let count = 1 + rest.unwrap_or(0);
        scratch.only_moves.insert(*position, count);
        Ok(count)
    }
}

impl Kind for OnlyLine {
    fn columns(&self, rows: &Rows) -> u128 {
        rows.mover.of_value[self.value as usize]
    }

    fn judge(
        &self,
        site: &Site,
        position: &Position,
        outcome: Outcome,
        scratch: &mut Scratch,
    ) -> Result<Option<Found>, ProbeError> {
        if scratch.only_moves.len() >= MOST_REMEMBERED {
            scratch.only_moves.clear();
        }
        let count = self.count(site, position, scratch)?;
        let plies = outcome.plies().unwrap_or(0);
        Ok((count >= self.at_least).then(|| Found::listed([count, plies])))
    }

    fn details(&self, site: &Site, position: &Position, outcome: Outcome) -> Result<Details, ProbeError> {
        let only_moves = self.count(site, position, &mut Scratch::default())?;
        Ok(Details::Line { moves: keepers_in_words(site, position, outcome)?, only_moves })
    }
}

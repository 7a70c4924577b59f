//! Positions in which one move alone keeps the value.
//!
//! A position counts if it has at least two legal moves, exactly one of which keeps what it is worth in points: every
//! other one gives points away. Lost positions do not count, for there every move keeps the value.

use super::keep::sole_keeper;
use super::{Details, Found, Kind, Rows, Scratch, Site, by_plies, keepers_in_words};
use crate::oracle::ProbeError;
use crate::outcome::{Outcome, Value};
use crate::position::Position;

/// Looks for only moves in positions of one value.
pub struct OnlyMove {
    pub value: Value,
}

impl Kind for OnlyMove {
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
        let sole = sole_keeper(site.oracle, site.variant, position, self.value, &mut scratch.moves)?;
        Ok(sole.filter(|sole| !sole.forced).map(|_| Found::listed(by_plies(outcome))))
    }

    fn details(&self, site: &Site, position: &Position, outcome: Outcome) -> Result<Details, ProbeError> {
        Ok(Details::Moves { moves: keepers_in_words(site, position, outcome)? })
    }
}

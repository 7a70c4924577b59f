//! Positions in which the best is to stalemate the opponent: a mate cannot be forced, a stalemate can.

use super::{Details, Found, Kind, Rows, Scratch, Site, by_plies};
use crate::oracle::ProbeError;
use crate::outcome::{Outcome, Value};
use crate::position::Position;
use std::ops::RangeInclusive;

/// Looks for positions that are a stalemate-win for the side to move.
pub struct StalemateWin {
    /// How many plies it may take.
    pub plies: RangeInclusive<u16>,
}

impl Kind for StalemateWin {
    fn columns(&self, rows: &Rows) -> u128 {
        rows.mover.of_value[Value::StalemateWin as usize]
    }

    fn judge(&self, _: &Site, _: &Position, outcome: Outcome, _: &mut Scratch) -> Result<Option<Found>, ProbeError> {
        let fits = outcome.plies().is_some_and(|plies| self.plies.contains(&plies));
        Ok(fits.then(|| Found::listed(by_plies(outcome))))
    }

    fn details(&self, _: &Site, _: &Position, _: Outcome) -> Result<Details, ProbeError> {
        Ok(Details::Plain {})
    }
}

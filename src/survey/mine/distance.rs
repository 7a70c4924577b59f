//! Positions of one value at a given distance from the end, or at the longest that there is.

use super::{Details, Found, Kind, Rows, Scratch, Site, Slices, by_plies};
use crate::geometry::{CellSet, Color};
use crate::index::Material;
use crate::oracle::ProbeError;
use crate::outcome::{Outcome, Value};
use crate::position::Position;
use rayon::prelude::*;

/// Looks for positions with one outcome.
pub struct Distance {
    pub outcome: Outcome,
}

impl Kind for Distance {
    fn columns(&self, rows: &Rows) -> u128 {
        rows.mover.columns_of(self.outcome)
    }

    fn judge(&self, _: &Site, _: &Position, outcome: Outcome, _: &mut Scratch) -> Result<Option<Found>, ProbeError> {
        // Rows tell distances in moves only.
        Ok((outcome == self.outcome).then(|| Found::listed(by_plies(outcome))))
    }

    fn details(&self, _: &Site, _: &Position, _: Outcome) -> Result<Details, ProbeError> {
        Ok(Details::Plain {})
    }
}

/// The outcome of the longest distance that positions of a value have; none if there are none, or for draws.
///
/// # Errors
/// When the table is not there or damaged.
pub fn longest(
    tables: &dyn Slices,
    material: &Material,
    value: Value,
    turn: Option<Color>,
) -> Result<Option<Outcome>, ProbeError> {
    let layout = tables.layout(material)?;
    let mut longest = None;
    for turn in super::scan::stored_turns(material, turn) {
        for slice in 0..layout.slices().len() {
            let side = tables.side(material, slice, turn)?;
            let of_row = |row: usize| {
                let outcomes = side.row(row);
                let columns = outcomes.of_value[value as usize];
                // Where like men are in no stored order, what is there is no position.
                let n = layout.cell_count();
                let columns = CellSet(columns) & layout.ascending_columns(slice, row / n, row % n);
                (!columns.is_empty() && value != Value::Draw).then(|| outcomes.longest(columns.0))
            };
            let moves = (0..side.rows()).into_par_iter().with_min_len(256).filter_map(of_row).max();
            longest = longest.max(moves);
        }
    }
    Ok(longest.map(|moves| Outcome::new(value, 2 * moves + u16::from(value > Value::Draw))))
}

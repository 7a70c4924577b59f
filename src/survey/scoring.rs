//! What counts as decided.

use crate::index::OutcomeRow;
use crate::outcome::{Outcome, Value};

/// What counts as decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// Only mate; stalemate is a draw whatever the variant says.
    MateOnly,
    /// As the variant scores.
    Full,
}

impl Scoring {
    pub const ALL: [Scoring; 2] = [Scoring::MateOnly, Scoring::Full];

    /// The value of an outcome under this scoring. That stalemate is worth something never changes who can
    /// force mate, so the other values fall together and nothing else moves.
    #[inline]
    pub fn value(self, outcome: Outcome) -> Value {
        self.of(outcome.value())
    }

    /// What a value of the variant's scoring is under this one.
    #[inline]
    pub fn of(self, value: Value) -> Value {
        match (self, value) {
            (Scoring::MateOnly, Value::StalemateWin | Value::StalemateLoss) => Value::Draw,
            (_, value) => value,
        }
    }

    /// The columns of a row that are drawn.
    pub fn drawn(self, row: &OutcomeRow) -> u128 {
        self.columns(row, |value| value == Value::Draw)
    }

    /// The columns of a row that the side to move loses.
    pub fn lost(self, row: &OutcomeRow) -> u128 {
        self.columns(row, |value| value < Value::Draw)
    }

    /// The columns of a row that the side to move does not win.
    pub fn not_won(self, row: &OutcomeRow) -> u128 {
        self.columns(row, |value| value <= Value::Draw)
    }

    fn columns(self, row: &OutcomeRow, wanted: impl Fn(Value) -> bool) -> u128 {
        let of = Value::ALL.into_iter().filter(|&value| wanted(self.of(value)));
        of.fold(0, |columns, value| columns | row.of_value[value as usize])
    }
}

//! What claims measure: numbers of positions by value or by class of draw, and longest distances.

use serde::Deserialize;

use crate::outcome::Value;
use crate::survey::draws::DrawClass;

/// Something that positions can be counted by, or a longest distance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
pub enum Quantity {
    #[serde(rename = "win")]
    Win,
    #[serde(rename = "stalemate-win")]
    StalemateWin,
    /// Any draw, of whatever class.
    #[serde(rename = "draw")]
    Draw,
    #[serde(rename = "stalemate-loss")]
    StalemateLoss,
    #[serde(rename = "loss")]
    Loss,
    #[serde(rename = "draw:conversion")]
    Conversion,
    #[serde(rename = "draw:perpetual")]
    Perpetual,
    #[serde(rename = "draw:fortress")]
    Fortress,
    #[serde(rename = "longest:win")]
    LongestWin,
    #[serde(rename = "longest:stalemate-win")]
    LongestStalemateWin,
    #[serde(rename = "longest:stalemate-loss")]
    LongestStalemateLoss,
    #[serde(rename = "longest:loss")]
    LongestLoss,
}

impl Quantity {
    /// The value that is counted whole.
    pub fn value(self) -> Option<Value> {
        match self {
            Quantity::Win => Some(Value::Win),
            Quantity::StalemateWin => Some(Value::StalemateWin),
            Quantity::Draw => Some(Value::Draw),
            Quantity::StalemateLoss => Some(Value::StalemateLoss),
            Quantity::Loss => Some(Value::Loss),
            _ => None,
        }
    }

    /// The class of draws that is counted.
    pub fn class(self) -> Option<DrawClass> {
        match self {
            Quantity::Conversion => Some(DrawClass::Conversion),
            Quantity::Perpetual => Some(DrawClass::Perpetual),
            Quantity::Fortress => Some(DrawClass::Fortress),
            _ => None,
        }
    }

    /// The value whose longest distance is measured.
    pub fn longest(self) -> Option<Value> {
        match self {
            Quantity::LongestWin => Some(Value::Win),
            Quantity::LongestStalemateWin => Some(Value::StalemateWin),
            Quantity::LongestStalemateLoss => Some(Value::StalemateLoss),
            Quantity::LongestLoss => Some(Value::Loss),
            _ => None,
        }
    }

    /// The value that is counted or whose longest distance is measured; of a class of draws, a draw.
    pub(super) fn of(self) -> Value {
        self.value().or(self.longest()).unwrap_or(Value::Draw)
    }
}

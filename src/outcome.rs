//! What a position is worth: one of five values and, unless drawn, a distance in plies.
//!
//! Every outcome is seen from the side to move. Packed into 16 bits, because tables in memory hold hundreds of
//! millions of them.

use serde::{Serialize, Serializer};
use std::cmp::Ordering;

/// The five values of a position for the side to move, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Value {
    /// It will be mated.
    Loss,
    /// It will be stalemated, which costs points in this variant.
    StalemateLoss,
    Draw,
    /// It will stalemate the opponent.
    StalemateWin,
    /// It will mate the opponent.
    Win,
}

impl Value {
    pub const ALL: [Value; 5] = [Value::Loss, Value::StalemateLoss, Value::Draw, Value::StalemateWin, Value::Win];

    /// The value for the other side.
    pub fn opposite(self) -> Value {
        Value::ALL[4 - self as usize]
    }

    /// The word for it in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Value::Loss => "loss",
            Value::StalemateLoss => "stalemate-loss",
            Value::Draw => "draw",
            Value::StalemateWin => "stalemate-win",
            Value::Win => "win",
        }
    }

    /// Points for the side to move, where stalemating pays `stalemate` points.
    pub fn points(self, stalemate: f64) -> f64 {
        match self {
            Value::Loss => 0.0,
            Value::StalemateLoss => 1.0 - stalemate,
            Value::Draw => 0.5,
            Value::StalemateWin => stalemate,
            Value::Win => 1.0,
        }
    }
}

/// Values are written as their words.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// Points for the outcome of a game: 1, 0.75, 0.5, 0.25 or 0; or a sum of such.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd, Debug)]
pub struct Points(pub f64);

impl Points {
    /// What is left of the one point for the other side.
    pub fn of_opponent(self) -> Points {
        Points(1.0 - self.0)
    }
}

/// Whole points are written without a decimal point, as `1` and `0`.
impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 { serializer.serialize_u64(self.0 as u64) } else { serializer.serialize_f64(self.0) }
    }
}

/// As people write points: 1, 3/4, 1/2, 1/4, 0, and of sums 2 1/4.
impl std::fmt::Display for Points {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (whole, part) = (self.0.trunc(), self.0.fract());
        match [0.25, 0.5, 0.75].iter().position(|&quarters| quarters == part) {
            Some(at) if whole == 0.0 => f.write_str(["1/4", "1/2", "3/4"][at]),
            Some(at) => write!(f, "{whole} {}", ["1/4", "1/2", "3/4"][at]),
            None => write!(f, "{}", self.0),
        }
    }
}

/// A value with its distance: plies to the mate or stalemate under best play.
///
/// The side that gains from the outcome hurries and the other delays, but no one gives up points for speed.
/// Winning distances are odd, losing ones even, and a draw has none.
///
/// ```
/// use hextb::outcome::{Outcome, Value};
/// let mated = Outcome::new(Value::Loss, 0);
/// let mating = mated.one_ply_earlier();
/// assert_eq!((mating.value(), mating.plies()), (Value::Win, Some(1)));
/// assert!(mating > Outcome::new(Value::Win, 3) && Outcome::new(Value::Win, 3) > Outcome::DRAW);
/// assert!(Outcome::new(Value::Loss, 8) > Outcome::new(Value::Loss, 6));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome(u16);

impl Outcome {
    pub const DRAW: Outcome = Outcome((Value::Draw as u16) << Self::PLY_BITS);
    /// The longest distance that can be held.
    pub const MAX_PLIES: u16 = (1 << Self::PLY_BITS) - 1;
    const PLY_BITS: u32 = 13;

    /// A decisive outcome, `plies` before the end of the game.
    #[inline]
    pub fn new(value: Value, plies: u16) -> Outcome {
        debug_assert!(value != Value::Draw && plies <= Self::MAX_PLIES);
        Outcome((value as u16) << Self::PLY_BITS | plies)
    }

    #[inline]
    pub fn value(self) -> Value {
        Value::ALL[(self.0 >> Self::PLY_BITS) as usize]
    }

    /// Plies to the end; none for a draw.
    #[inline]
    pub fn plies(self) -> Option<u16> {
        (self.value() != Value::Draw).then_some(self.0 & Self::MAX_PLIES)
    }

    /// This outcome one ply earlier, from the view of the other side, who then moves into it.
    #[inline]
    pub fn one_ply_earlier(self) -> Outcome {
        match self.plies() {
            None => Outcome::DRAW,
            Some(plies) => Outcome::new(self.value().opposite(), plies + 1),
        }
    }

    /// The outcome as seen by the other side, the distance unchanged.
    pub fn opposite(self) -> Outcome {
        match self.plies() {
            None => Outcome::DRAW,
            Some(plies) => Outcome::new(self.value().opposite(), plies),
        }
    }

    /// The packed form; the upper three bits never exceed 4.
    #[inline]
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    #[inline]
    pub(crate) fn from_bits(bits: u16) -> Outcome {
        debug_assert!(bits >> Self::PLY_BITS <= Value::Win as u16);
        Outcome(bits)
    }

    /// Grows with what the side to move prefers.
    #[inline]
    fn preference(self) -> i32 {
        let plies = (self.0 & Self::MAX_PLIES) as i32;
        let value = self.value() as i32;
        (value << Self::PLY_BITS) + if value > 2 { Self::MAX_PLIES as i32 - plies } else { plies }
    }
}

/// The greater outcome is the one that the side to move prefers: by value, then the shorter win or longer loss.
impl Ord for Outcome {
    #[inline]
    fn cmp(&self, other: &Outcome) -> Ordering {
        self.preference().cmp(&other.preference())
    }
}

impl PartialOrd for Outcome {
    #[inline]
    fn partial_cmp(&self, other: &Outcome) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Debug for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.plies() {
            None => f.write_str("draw"),
            Some(plies) => write!(f, "{} {plies}", self.value().word()),
        }
    }
}

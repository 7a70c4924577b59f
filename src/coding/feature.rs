//! Features: the questions about a row and a cell for the column man that trees are made of.
//!
//! Knows nothing of how they are answered.

use crate::geometry::{Man, Role, Variant};
use crate::outcome::Value;

/// The longest distances that features ask about: of the column man to a king, to another man; between two men.
const NEAR_KING: u8 = 5;
const NEAR_MAN: u8 = 3;
const APART: u8 = 6;
/// The most flights that features tell apart.
const MOST_FLIGHTS: u8 = 5;
/// The most steps to promotion that features tell apart.
const MOST_STEPS: u8 = 7;
/// The longest distance to a place of promotion that features ask about.
const NEAR_GOAL: u8 = 6;

/// The most features that a layout may have.
pub const MOST_FEATURES: usize = 512;

/// The number of features that ask about the other side's values, which come before all others.
pub const OF_OTHER: usize = 2 * Value::ALL.len() - 1;

/// A question about a row and a cell for the column man. Men are numbered in the order of the arrangement, the column
/// man left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// The column man can go within the row to where the other side, to move then, has at most this value.
    LeadsTo(u8),
    /// The position with the other side to move is stored, and of at most this value.
    OtherHas(u8),
    /// The column man attacks this man from there.
    Attacks(u8),
    /// This man attacks the cell.
    AttackedBy(u8),
    /// Any man of this side attacks the cell.
    AttackedBySide(u8),
    /// A king would take so many steps at most from this man's cell.
    Near(u8, u8),
    /// The cell is in one of the first so many rings from the edge.
    Ring(u8),
    /// This man's cell is.
    RingOf(u8, u8),
    /// A king would take so many steps at most from one of these men to the other.
    Apart(u8, u8, u8),
    /// This king has at least so many flights: cells that he may step to as far as the column man is not asked.
    Flights(u8, u8),
    /// The cell is one of this king's flights.
    Flight(u8),
    /// The column man attacks or takes away all flights of this king, at least one of them, at least two.
    TakesAllFlights(u8),
    TakesAFlight(u8),
    TakesTwoFlights(u8),
    /// This king is attacked by one of the men.
    Check(u8),
    /// This pawn is at most so many steps from its promotion.
    StepsLeft(u8, u8),
    /// The cell is on the way of this pawn: straight before it, or anywhere up to its promotion.
    OnTheWay(u8),
    Ahead(u8),
    /// This man is on the way of this pawn, anywhere.
    StandsAhead(u8, u8),
    /// The cell is within so many steps of where this pawn promotes.
    NearGoal(u8, u8),
    /// This king is.
    KingNearGoal(u8, u8, u8),
    /// A king on the cell is no further from there than this pawn, with so many moves' lead (of [`LEADS`]).
    InSquare(u8, u8),
    /// This king is.
    KingInSquare(u8, u8, u8),
    /// This man is attacked by men of this side, the column man left out.
    ManAttacked(u8, u8),
}

/// The leads that races are looked at with.
pub const LEADS: [i32; 4] = [-2, -1, 0, 1];

/// All features that make sense for rows in which these men stand still and the column man goes over the board, whose
/// cells lie in so many rings.
pub fn features(variant: &Variant, men: &[Man], column_man: Man, rings: u8) -> Vec<Feature> {
    let all = || 0..men.len() as u8;
    let is_king = |man: u8| men[man as usize].role == Role::KING;
    let is_pawn = |man: u8| men[man as usize].role == variant.pawn();
    let leads = || 0..LEADS.len() as u8;
    let values = Value::ALL.len() as u8;
    let mut features: Vec<Feature> = (0..values - 1).map(Feature::LeadsTo).collect();
    features.extend((0..values).map(Feature::OtherHas));
    features.extend(all().map(Feature::Attacks));
    features.extend(all().map(Feature::AttackedBy));
    features.extend((0..2).map(Feature::AttackedBySide));
    for man in all() {
        let most = if is_king(man) { NEAR_KING } else { NEAR_MAN };
        features.extend((1..=most).map(|steps| Feature::Near(man, steps)));
    }
    features.extend((1..rings).map(Feature::Ring));
    for man in all() {
        features.extend((1..rings).map(|ring| Feature::RingOf(man, ring)));
        for other in 0..man {
            features.extend((1..=APART).map(|steps| Feature::Apart(other, man, steps)));
        }
    }
    for king in all().filter(|&man| is_king(man)) {
        features.extend((1..=MOST_FLIGHTS).map(|count| Feature::Flights(king, count)));
        features.extend([Feature::Flight(king), Feature::Check(king)]);
        if column_man.color != men[king as usize].color {
            features.extend([
                Feature::TakesAllFlights(king),
                Feature::TakesAFlight(king),
                Feature::TakesTwoFlights(king),
            ]);
        }
    }
    for pawn in all().filter(|&man| is_pawn(man)) {
        features.extend((1..=MOST_STEPS).map(|steps| Feature::StepsLeft(pawn, steps)));
        features.extend([Feature::OnTheWay(pawn), Feature::Ahead(pawn)]);
        features.extend(all().filter(|&man| man != pawn).map(|man| Feature::StandsAhead(man, pawn)));
        features.extend((0..=NEAR_GOAL).map(|steps| Feature::NearGoal(pawn, steps)));
        features.extend(leads().map(|lead| Feature::InSquare(pawn, lead)));
        for king in all().filter(|&man| is_king(man)) {
            features.extend((0..=NEAR_GOAL).map(|steps| Feature::KingNearGoal(king, pawn, steps)));
            features.extend(leads().map(|lead| Feature::KingInSquare(king, pawn, lead)));
        }
    }
    for man in all().filter(|&man| !is_king(man)) {
        features.extend((0..2).map(|side| Feature::ManAttacked(man, side)));
    }
    features
}

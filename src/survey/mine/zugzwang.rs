//! Mutual zugzwangs: placements in which each side would rather that the other had the move.
//!
//! A placement counts if it is legal with either side to move (no king is in check) and White scores less with White
//! to move than with Black to move. Its *pair* is both scores of White, as in 1/2-1: White draws if it has to move,
//! and wins if Black has to. A side that is stalemated on the spot scores what that pays. There is no right to capture
//! en passant.

use super::{Details, Found, Kind, Rows, Scratch, Site};
use crate::geometry::{Color, Variant};
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::{Outcome, Points, Value};
use crate::position::{Position, legality};

/// What White scores with White and with Black to move, as values for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    pub white_to_move: Value,
    pub black_to_move: Value,
}

/// Why a text is not a pair of scores.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("\"{text}\" is no kind of mutual zugzwang: expected one of {known}")]
pub struct PairError {
    text: String,
    known: String,
}

impl Pair {
    /// All pairs that there can be in a variant.
    pub fn all(variant: &Variant) -> Vec<Pair> {
        let occurs =
            |value: &Value| variant.stalemate_counts() || !matches!(value, Value::StalemateLoss | Value::StalemateWin);
        let values = || Value::ALL.into_iter().filter(occurs);
        let with = |white_to_move| {
            let better = values().filter(move |&value| value > white_to_move);
            better.map(move |black_to_move| Pair { white_to_move, black_to_move })
        };
        values().flat_map(with).collect()
    }

    /// As it is written: 1/2-1.
    pub fn text(self, variant: &Variant) -> String {
        let points = |value: Value| Points(value.points(variant.stalemate_points()));
        format!("{}-{}", points(self.white_to_move), points(self.black_to_move))
    }

    /// Reads a pair.
    ///
    /// # Errors
    /// When the variant has no such pair.
    pub fn parse(variant: &Variant, text: &str) -> Result<Pair, PairError> {
        let all = Pair::all(variant);
        let found = all.iter().find(|pair| pair.text(variant) == text).copied();
        found.ok_or_else(|| PairError {
            text: text.chars().take(40).collect(),
            known: all.iter().map(|pair| pair.text(variant)).collect::<Vec<_>>().join(", "),
        })
    }

    /// The pair of the same placement with the colours swapped.
    fn swapped(self) -> Pair {
        Pair { white_to_move: self.black_to_move.opposite(), black_to_move: self.white_to_move.opposite() }
    }

    /// By how much it matters who is to move, then how well White does.
    fn rank(self) -> [u16; 2] {
        let (white, black) = (self.white_to_move as u16, self.black_to_move as u16);
        [black - white, black]
    }
}

/// Looks for mutual zugzwangs.
///
/// Where both sides have the same men, of a placement and the one with the colours swapped the one is listed in which
/// White gains more, and asking for a pair asks for the swapped one too.
pub struct Zugzwang {
    /// This pair only.
    pub pair: Option<Pair>,
    /// List positions with this side to move; else with White if that game has a winner, else with Black.
    pub turn: Option<Color>,
}

impl Zugzwang {
    fn wants(&self, pair: Pair, symmetric: bool) -> bool {
        pair.white_to_move < pair.black_to_move
            && self.pair.is_none_or(|wanted| pair == wanted || symmetric && pair.swapped() == wanted)
    }
}

/// The outcomes of a placement with White and with Black to move.
fn both_outcomes(oracle: &dyn Oracle, position: &Position) -> Result<[Outcome; 2], ProbeError> {
    let mut outcomes = [Outcome::DRAW; 2];
    for turn in Color::BOTH {
        let mut with_turn = *position;
        with_turn.set_turn(turn);
        outcomes[turn.index()] = oracle.outcome(&with_turn)?;
    }
    Ok(outcomes)
}

fn pair_of(outcomes: [Outcome; 2]) -> Pair {
    Pair { white_to_move: outcomes[0].value(), black_to_move: outcomes[1].value().opposite() }
}

impl Kind for Zugzwang {
    fn of_placements(&self) -> bool {
        true
    }

    fn columns(&self, rows: &Rows) -> u128 {
        let white = &rows.mover.of_value;
        let Some(black) = &rows.waiting else {
            // Black's outcomes are White's elsewhere. White must be able to do better.
            return white[..Value::Win as usize].iter().fold(0, |all, columns| all | columns);
        };
        let mut columns = 0;
        for white_to_move in Value::ALL {
            for black_to_move in Value::ALL {
                if self.wants(Pair { white_to_move, black_to_move }, false) {
                    columns |= white[white_to_move as usize] & black.of_value[black_to_move.opposite() as usize];
                }
            }
        }
        columns
    }

    fn judge(
        &self,
        site: &Site,
        position: &Position,
        outcome: Outcome,
        _: &mut Scratch,
    ) -> Result<Option<Found>, ProbeError> {
        let (variant, symmetric) = (site.variant, site.symmetric);
        let mut other = *position;
        other.set_turn(position.turn().other());
        // Where the sides differ, the rows have told that both are legal.
        if symmetric && legality::check_men(variant, &other).is_err() {
            return Ok(None);
        }
        let mut outcomes = [outcome; 2];
        outcomes[other.turn().index()] = site.oracle.outcome(&other)?;
        let pair = pair_of(outcomes);
        if !self.wants(pair, symmetric) {
            return Ok(None);
        }
        let listed = !symmetric
            || match pair.rank()[1].cmp(&pair.swapped().rank()[1]) {
                std::cmp::Ordering::Greater => true,
                std::cmp::Ordering::Less => false,
                std::cmp::Ordering::Equal => {
                    let mut swapped = position.with_colours_swapped(variant);
                    swapped.set_turn(position.turn());
                    position.images(variant).min() <= swapped.images(variant).min()
                }
            };
        Ok(Some(Found { rank: pair.rank(), listed }))
    }

    fn shown(&self, site: &Site, position: &Position) -> Result<Position, ProbeError> {
        let drawn = both_outcomes(site.oracle, position)?[0].value() == Value::Draw;
        let mut shown = *position;
        shown.set_turn(self.turn.unwrap_or(if drawn { Color::Black } else { Color::White }));
        Ok(shown)
    }

    fn details(&self, site: &Site, position: &Position, _: Outcome) -> Result<Details, ProbeError> {
        let outcomes = both_outcomes(site.oracle, position)?;
        let pair = pair_of(outcomes).text(site.variant);
        let [white_to_move, black_to_move] = outcomes.map(Into::into);
        Ok(Details::Zugzwang { pair, white_to_move, black_to_move })
    }
}

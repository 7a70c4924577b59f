//! The kinds of remarkable positions as arguments: their options, what they ask of the tables and what they refuse.

use super::super::common::WantedTables;
use super::super::failure::Failure;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::outcome::{Outcome, Value};
use hextb::survey::mine::{
    Details, Distance, EnPassantDecides, Find, Kind, OnlyLine, OnlyMove, Pair, StalemateWin, Underpromotion, Zugzwang,
    longest,
};
use hextb::table::UnpackedTables;
use std::path::PathBuf;

#[derive(clap::Subcommand)]
pub enum KindArguments {
    /// Mutual zugzwangs: whichever side has the move would be better off without it
    ///
    /// The placement is legal with either side to move, and White scores less with White to move than with Black to
    /// move. The kind is both scores of White: 1/2-1 means that White draws if it has to move and wins if Black has
    /// to. Where it matters most is first. Where both sides have the same men, the one of two colour-swapped
    /// placements is listed in which White gains more. A position is shown with White to move if that game has a
    /// winner, else with Black to move; --turn shows all with that side to move.
    Zugzwang {
        /// This kind only: White's points with White to move and with Black to move, as in 1/2-1 or 1/2-3/4
        #[arg(long, value_name = "POINTS-POINTS")]
        kind: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Positions that are farthest from the end, or at a given distance from it
    Distance {
        /// Their value for the side to move
        #[arg(long, value_name = "VALUE", default_value = "win",
            value_parser = values(&["win", "stalemate-win", "stalemate-loss", "loss"]))]
        value: Value,
        /// Plies to the end [default: the most of each table]
        #[arg(long, value_name = "N", value_parser = plies(), allow_negative_numbers = true)]
        plies: Option<u16>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Positions in which exactly one of several legal moves keeps the value
    ///
    /// The longest games come first. In lost positions every move keeps the value, so there is nothing to find.
    OnlyMove {
        /// Their value for the side to move
        #[arg(long, value_name = "VALUE", default_value = "win",
            value_parser = values(&["win", "stalemate-win", "draw", "stalemate-loss"]))]
        value: Value,
        #[command(flatten)]
        listing: Listing,
    },
    /// Positions from which the winner has to find one only move after another
    ///
    /// Counts the winner's turns, from this one on and without a gap, at which exactly one legal move keeps the value,
    /// whichever of the replies that put off the end for longest the loser chooses; the least number counts. A turn
    /// with a single legal move counts too. The longest rows come first, then the longest games.
    OnlyLine {
        /// The value for the side to move
        #[arg(long, value_name = "VALUE", default_value = "win", value_parser = values(&["win", "stalemate-win"]))]
        value: Value,
        /// So many only moves in a row, or more
        #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u16).range(1..),
            allow_negative_numbers = true)]
        at_least: u16,
        #[command(flatten)]
        listing: Listing,
    },
    /// Positions in which the best is to stalemate the opponent: no mate can be forced
    ///
    /// The longest games come first.
    StalemateWin {
        /// It takes at least N plies
        #[arg(long, value_name = "N", default_value = "1", value_parser = plies(), allow_negative_numbers = true)]
        at_least: u16,
        /// It takes at most N plies
        #[arg(long, value_name = "N", value_parser = plies(), allow_negative_numbers = true)]
        at_most: Option<u16>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Positions in which only an underpromotion keeps the value
    ///
    /// At least one promotion to less than the strongest man keeps the value, and no other move does. The longest
    /// games come first.
    Underpromotion {
        /// Their value for the side to move [default: any]
        #[arg(long, value_name = "VALUE", value_parser = values(&["win", "stalemate-win", "draw", "stalemate-loss"]))]
        value: Option<Value>,
        /// Exactly one move keeps the value
        #[arg(long)]
        only_move: bool,
        #[command(flatten)]
        listing: Listing,
    },
    /// Positions in which a capture en passant scores more than any other move
    ///
    /// Every double step that the pawns can just have made is looked at. Where the right is worth most is first, then
    /// the longest games.
    EnPassant {
        /// Their value for the side to move [default: any]
        #[arg(long, value_name = "VALUE", value_parser = values(&["win", "stalemate-win", "draw", "stalemate-loss"]))]
        value: Option<Value>,
        #[command(flatten)]
        listing: Listing,
    },
}

#[derive(clap::Args)]
pub struct Listing {
    #[command(flatten)]
    pub wanted: WantedTables,
    /// The side to move; the side that the material names first is White
    #[arg(long, value_name = "w|b", value_parser = PossibleValuesParser::new(["w", "b"]))]
    turn: Option<String>,
    /// List the first N positions
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true)]
    limit: usize,
    /// List all positions
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Also write the listed positions to FILE with their solutions, as games in the manner of PGN: best play to the
    /// end, only moves marked !
    #[arg(long, value_name = "FILE")]
    pub study: Option<PathBuf>,
}

impl Listing {
    pub fn turn(&self) -> Option<Color> {
        Color::BOTH.into_iter().find(|color| self.turn.as_deref() == Some(color.letter().to_string().as_str()))
    }

    pub fn first(&self) -> usize {
        if self.all { usize::MAX } else { self.limit }
    }
}

/// Reads one of these words for a value.
fn values(words: &'static [&'static str]) -> impl TypedValueParser<Value = Value> {
    let value = |word: String| Value::ALL.into_iter().find(|value| value.word() == word);
    PossibleValuesParser::new(words).map(move |word| value(word).expect("each of the words is that of a value"))
}

/// Reads a distance.
fn plies() -> impl TypedValueParser<Value = u16> {
    clap::value_parser!(u16).range(0..=i64::from(Outcome::MAX_PLIES))
}

/// The tables that looking for a kind asks.
#[derive(Clone, Copy)]
pub enum Needs {
    Itself,
    /// What a capture or promotion leads to.
    Conversions,
    /// Whatever can come of it.
    Everything,
}

impl KindArguments {
    pub fn name(&self) -> &'static str {
        match self {
            KindArguments::Zugzwang { .. } => "zugzwang",
            KindArguments::Distance { .. } => "distance",
            KindArguments::OnlyMove { .. } => "only-move",
            KindArguments::OnlyLine { .. } => "only-line",
            KindArguments::StalemateWin { .. } => "stalemate-win",
            KindArguments::Underpromotion { .. } => "underpromotion",
            KindArguments::EnPassant { .. } => "en-passant",
        }
    }

    pub fn listing(&self) -> &Listing {
        match self {
            KindArguments::Zugzwang { listing, .. }
            | KindArguments::Distance { listing, .. }
            | KindArguments::OnlyMove { listing, .. }
            | KindArguments::OnlyLine { listing, .. }
            | KindArguments::StalemateWin { listing, .. }
            | KindArguments::Underpromotion { listing, .. }
            | KindArguments::EnPassant { listing, .. } => listing,
        }
    }

    pub fn needs(&self) -> Needs {
        match self {
            KindArguments::Zugzwang { .. } | KindArguments::Distance { .. } | KindArguments::StalemateWin { .. } => {
                Needs::Itself
            }
            KindArguments::OnlyMove { .. } | KindArguments::Underpromotion { .. } | KindArguments::EnPassant { .. } => {
                Needs::Conversions
            }
            KindArguments::OnlyLine { .. } => Needs::Everything,
        }
    }

    /// The value that positions must have, if it is asked for.
    fn value(&self) -> Option<Value> {
        match self {
            KindArguments::Zugzwang { .. } => None,
            KindArguments::Distance { value, .. }
            | KindArguments::OnlyMove { value, .. }
            | KindArguments::OnlyLine { value, .. } => Some(*value),
            KindArguments::StalemateWin { .. } => Some(Value::StalemateWin),
            KindArguments::Underpromotion { value, .. } | KindArguments::EnPassant { value, .. } => *value,
        }
    }

    /// Refuses what no table can have.
    pub fn check(&self, variant: &Variant) -> Result<(), Failure> {
        let by_stalemate = matches!(self.value(), Some(Value::StalemateWin | Value::StalemateLoss));
        if by_stalemate && !variant.stalemate_counts() {
            let title = &variant.description().title;
            return Err(Failure::input(format!(
                "stalemate is a draw in {title}: there is no {} to look for; choose another value or variant",
                Value::StalemateWin.word()
            )));
        }
        match self {
            KindArguments::Zugzwang { .. } => self.pair(variant).map(|_| ()),
            KindArguments::StalemateWin { at_least, at_most: Some(most), .. } if at_least > most => {
                Err(Failure::input(format!("--at-least {at_least} is more than --at-most {most}: nothing fits")))
            }
            KindArguments::Distance { value, plies: Some(plies), .. } if !plies_fit(*value, *plies) => {
                let parity = if *value > Value::Draw { "an odd" } else { "an even" };
                Err(Failure::input(format!("a {} takes {parity} number of plies, and {plies} is not", value.word())))
            }
            _ => Ok(()),
        }
    }

    /// The pair of scores asked for.
    fn pair(&self, variant: &Variant) -> Result<Option<Pair>, Failure> {
        let KindArguments::Zugzwang { kind: Some(kind), .. } = self else { return Ok(None) };
        let pair = Pair::parse(variant, kind);
        pair.map(Some).map_err(|error| Failure::input(error.to_string()))
    }

    /// What looks for the kind in a table; none if there is nothing to look for.
    pub fn searcher(&self, tables: &UnpackedTables, material: &Material) -> Result<Option<Box<dyn Kind>>, Failure> {
        let variant = tables.layout(material)?.variant().clone();
        Ok(Some(match self {
            KindArguments::Zugzwang { listing, .. } => {
                Box::new(Zugzwang { pair: self.pair(&variant)?, turn: listing.turn() })
            }
            KindArguments::Distance { value, plies, listing } => {
                let outcome = match plies {
                    Some(plies) => Some(Outcome::new(*value, *plies)),
                    None => longest(tables, material, *value, listing.turn())?,
                };
                let Some(outcome) = outcome else { return Ok(None) };
                Box::new(Distance { outcome })
            }
            KindArguments::OnlyMove { value, .. } => Box::new(OnlyMove { value: *value }),
            KindArguments::OnlyLine { value, at_least, .. } => {
                Box::new(OnlyLine { value: *value, at_least: *at_least })
            }
            KindArguments::StalemateWin { at_least, at_most, .. } => {
                Box::new(StalemateWin { plies: *at_least..=at_most.unwrap_or(Outcome::MAX_PLIES) })
            }
            KindArguments::Underpromotion { value, only_move, .. } => {
                Box::new(Underpromotion { value: *value, single: *only_move })
            }
            KindArguments::EnPassant { value, .. } => Box::new(EnPassantDecides { value: *value }),
        }))
    }

    /// What there is to see in a position, as the title of its study.
    pub fn title(&self, find: &Find) -> String {
        match (&find.details, self) {
            (Details::Zugzwang { pair, .. }, _) => format!("{}: mutual zugzwang {pair}", find.material),
            (Details::Line { only_moves, .. }, _) => format!("{}: {only_moves} only moves in a row", find.material),
            _ => format!("{}: {}", find.material, self.name()),
        }
    }
}

/// Whether a value can have a distance: who gains makes the last move.
fn plies_fit(value: Value, plies: u16) -> bool {
    (plies % 2 == 1) == (value > Value::Draw)
}

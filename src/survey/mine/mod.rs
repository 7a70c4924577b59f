//! Remarkable positions: every position of a material that is of a [`Kind`], listed best first.
//!
//! [`mine()`] scans the tables row by row: a kind first chooses columns from the outcomes of a row, many positions at a
//! time, and then looks at each with the ordinary move generator. Positions that are the same by symmetry are listed
//! once, as the image whose FEN comes first; where both sides have the same men, so are those with the colours swapped.
//! The result does not depend on the number of threads.
//!
//! The kinds, a file each: [`Zugzwang`], [`Distance`], [`OnlyMove`], [`OnlyLine`], [`StalemateWin`],
//! [`Underpromotion`], [`EnPassantDecides`]. `scan` walks the tables, `select` keeps the best, `keep` knows which moves
//! keep a value.

mod distance;
mod en_passant;
mod keep;
mod only_line;
mod only_move;
mod scan;
mod select;
mod source;
mod stalemate;
mod underpromotion;
mod zugzwang;

pub use distance::{Distance, longest};
pub use en_passant::EnPassantDecides;
pub use keep::{SoleKeeper, keepers, sole_keeper};
pub use only_line::OnlyLine;
pub use only_move::OnlyMove;
pub use scan::mine;
pub use select::Rank;
pub use source::Slices;
pub use stalemate::StalemateWin;
pub use underpromotion::Underpromotion;
pub use zugzwang::{Pair, PairError, Zugzwang};

use crate::geometry::{CellSet, Color, Variant};
use crate::index::OutcomeRow;
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::{Outcome, Value};
use crate::position::{Move, Position};
use serde::Serialize;
use std::collections::HashMap;

/// What is looked for.
pub trait Kind: Sync {
    /// Whether it is about placements with either side to move. Then they are judged with White to move, and the rows
    /// of Black to move come along.
    fn of_placements(&self) -> bool {
        false
    }

    /// Whether a slice can have such a position with `turn` to move, by where White's and Black's pawns stand.
    fn may_be_in(&self, _variant: &Variant, _pawns: [CellSet; 2], _turn: Color) -> bool {
        true
    }

    /// The columns of a row that are worth a closer look.
    fn columns(&self, rows: &Rows) -> u128;

    /// The positions to judge of a placement that is worth it: itself, if not those with a right to capture en passant.
    fn positions_of(&self, _variant: &Variant, placement: &Position, positions: &mut Vec<Position>) {
        positions.push(*placement);
    }

    /// Whether a position is of the kind. `outcome` is that of its placement.
    ///
    /// # Errors
    /// Those of the oracle.
    fn judge(
        &self,
        site: &Site,
        position: &Position,
        outcome: Outcome,
        scratch: &mut Scratch,
    ) -> Result<Option<Found>, ProbeError>;

    /// The position to list, which differs at most in the side to move.
    ///
    /// # Errors
    /// Those of the oracle.
    fn shown(&self, _site: &Site, position: &Position) -> Result<Position, ProbeError> {
        Ok(*position)
    }

    /// What there is to say about a position that is listed.
    ///
    /// # Errors
    /// Those of the oracle.
    fn details(&self, site: &Site, position: &Position, outcome: Outcome) -> Result<Details, ProbeError>;
}

/// What judging needs to know.
pub struct Site<'a> {
    pub oracle: &'a dyn Oracle,
    pub variant: &'a Variant,
    /// Whether both sides have the same men.
    pub symmetric: bool,
}

/// The outcomes of a row.
pub struct Rows {
    /// For the side to move.
    pub mover: OutcomeRow,
    /// The same placements with the other side to move, for kinds of placements where the sides have different men.
    pub waiting: Option<OutcomeRow>,
}

/// What judging one position after another need not make afresh.
#[derive(Default)]
pub struct Scratch {
    pub moves: Vec<Move>,
    /// The only moves in a row that positions begin, if any has been found.
    pub only_moves: HashMap<Position, u16>,
}

/// A position is of the kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    pub rank: Rank,
    /// Whether it is listed; if not, its twin with the colours swapped is, and it is only counted.
    pub listed: bool,
}

impl Found {
    fn listed(rank: Rank) -> Found {
        Found { rank, listed: true }
    }
}

/// All that was found in a material.
#[derive(Clone, PartialEq, Debug)]
pub struct Finds {
    /// How many there are, those that are the same by symmetry counted once.
    pub positions: u64,
    /// How many there are on the board, all symmetric images counted.
    pub images: u64,
    /// The first of them: by rank, then by FEN.
    pub first: Vec<Find>,
}

/// A remarkable position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Find {
    #[serde(skip)]
    pub position: Position,
    #[serde(skip)]
    pub rank: Rank,
    pub fen: String,
    pub material: String,
    /// The side to move: `w` or `b`.
    pub turn: char,
    #[serde(flatten)]
    pub worth: Worth,
    #[serde(flatten)]
    pub details: Details,
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Worth {
    pub category: Value,
    /// Plies to the end; none for a draw.
    pub plies: Option<u16>,
}

impl From<Outcome> for Worth {
    fn from(outcome: Outcome) -> Worth {
        Worth { category: outcome.value(), plies: outcome.plies() }
    }
}

impl Worth {
    pub fn outcome(self) -> Outcome {
        self.plies.map_or(Outcome::DRAW, |plies| Outcome::new(self.category, plies))
    }
}

/// What else there is to say; moves in algebraic form.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Details {
    /// Nothing.
    Plain {},
    Zugzwang {
        pair: String,
        white_to_move: Worth,
        black_to_move: Worth,
    },
    /// The moves that keep the value.
    Moves {
        moves: Vec<String>,
    },
    /// The same, and the only moves of the line, in a row.
    Line {
        moves: Vec<String>,
        only_moves: u16,
    },
    /// The captures en passant that keep the value, and what there would be without the right.
    EnPassant {
        moves: Vec<String>,
        without: Worth,
    },
}

/// The moves of a position that keep its value, in algebraic form.
fn keepers_in_words(site: &Site, position: &Position, outcome: Outcome) -> Result<Vec<String>, ProbeError> {
    let kept = keepers(site.oracle, site.variant, position, outcome.value())?;
    Ok(kept.iter().map(|mv| position.san(site.variant, mv)).collect())
}

/// What a position with this outcome is ranked by when the longest come first.
fn by_plies(outcome: Outcome) -> Rank {
    [outcome.plies().unwrap_or(0), 0]
}

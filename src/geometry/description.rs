//! What a variant's description file says, before anything is derived from it.
//!
//! The keys of the TOML files in `variants/`, one struct a table. Nothing here is computed; [`Variant`]
//! (super::Variant) turns a description into cells, rays, pawn moves and symmetries.

use serde::{Deserialize, Serialize};

/// A displacement in the board's coordinates.
pub type Vector = [i16; 2];

/// A whole description file.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Short name: the `--variant` argument and the folder of the tables.
    pub name: String,
    /// The game's name in prose.
    pub title: String,
    /// FEN of the start array, if the game has one.
    pub start: Option<String>,
    /// Whether a FEN has a castling field (which must be `-`).
    #[serde(default)]
    pub castling_field: bool,
    pub score: Score,
    pub board: BoardDescription,
    /// Named sets of displacements, for use in `piece`.
    pub directions: std::collections::BTreeMap<String, Vec<Vector>>,
    /// The pieces other than the pawn, strongest first.
    pub piece: Vec<PieceDescription>,
    pub pawn: PawnDescription,
}

/// Points for the endings of the game that are not mate.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Points of the side that stalemates the other: 0.5 (a draw) or 0.75.
    pub stalemate: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct BoardDescription {
    pub shape: Shape,
    /// The letters of the files, from the smallest first coordinate up.
    pub files: String,
    pub ranks: Ranks,
    pub colours: Colours,
}

/// Which cells there are.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shape {
    /// Axial coordinates (q, r) with |q|, |r|, |q + r| at most `radius`.
    Hexagon { radius: i16 },
    /// Coordinates (x, y) from (0, 0) to (width - 1, height - 1).
    Rectangle { width: i16, height: i16 },
}

/// How ranks are counted.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Ranks {
    /// Rank 1 is the lowest cell of each file.
    FromLowestCell,
}

/// Colour classes of the cells: class = (weights . coordinates) mod (number of names).
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Colours {
    pub weights: Vector,
    pub names: Vec<String>,
}

/// How a piece moves: it slides along some displacements and steps (or leaps) by others.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct PieceDescription {
    pub letter: char,
    #[serde(default)]
    pub royal: bool,
    #[serde(default)]
    pub slides: Vec<String>,
    #[serde(default)]
    pub steps: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct PawnDescription {
    pub letter: char,
    /// Letters of the pieces that a pawn may become, in the order in which moves are listed.
    pub promotions: String,
    pub white: PawnMoves,
    pub black: PawnMoves,
}

/// One side's pawns. A pawn promotes on a cell from which no forward step stays on the board.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct PawnMoves {
    pub forward: Vec<Vector>,
    pub captures: Vec<Vector>,
    /// How many steps in one direction a pawn may go from a start cell.
    pub first_steps: u8,
    pub start: Vec<Ray>,
    /// Start cells with another number of first steps.
    #[serde(default)]
    pub exceptions: Vec<Exception>,
}

/// All cells of the board met from `from` on, in steps of `along`.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Ray {
    pub from: Vector,
    pub along: Vector,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    pub cell: Vector,
    pub steps: u8,
}

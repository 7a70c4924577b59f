//! What can be wrong with a variant's description.

/// Why a description does not make a game.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum VariantError {
    #[error("unknown variant \"{0}\"; known are {known}", known = super::variant::known_names())]
    Unknown(String),
    #[error("the description does not parse: {0}")]
    Syntax(String),
    #[error("a board has 1 to 128 cells, this one has {0}")]
    CellCount(usize),
    #[error("the board has {need} or more files but only {have} letters for them")]
    FileLetters { have: usize, need: usize },
    #[error("piece {letter} uses the directions \"{name}\", which are not described")]
    Directions { letter: char, name: String },
    #[error("piece {0}: a displacement of [0, 0] is no move")]
    ZeroMove(char),
    #[error("the letter {0} stands for two pieces, or is not a capital letter")]
    Letter(char),
    #[error("there must be one royal piece, the first in the list, and it must not slide; found {0}")]
    Royal(String),
    #[error("promotion to {0}, which is no piece that a pawn may become")]
    Promotion(char),
    #[error("there are {0} kinds of men; at most 8 are possible")]
    Pieces(usize),
    #[error("stalemate pays {0}; only 0.5 and 0.75 are understood")]
    Stalemate(f64),
    #[error("no symmetry of the board turns White's men into Black's")]
    NoColourSwap,
    #[error("a pawn that goes forward can come back to where it was")]
    PawnCycle,
}

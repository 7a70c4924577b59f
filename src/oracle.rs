//! The question that everything above the tables asks: what is this position worth?

use crate::outcome::Outcome;
use crate::position::Position;

/// Something that knows the outcome of legal positions: tables on disk, tables in memory, a brute-force solver.
pub trait Oracle: Sync {
    /// The outcome of a legal position for the side to move, a right to capture en passant taken into account.
    ///
    /// # Errors
    /// When the position's material is not there, or what holds it is damaged.
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError>;
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProbeError {
    /// The table would exist but is not here.
    #[error("{material} is not in the tables: {file} is missing; `hextb generate {material}` makes it")]
    Missing { material: String, file: String },
    /// No table of this size can exist.
    #[error("{material} has {men} men, and tables have at most {most}")]
    TooManyMen { material: String, men: usize, most: usize },
    /// The table is there but its bytes are wrong.
    #[error("{file} is damaged in {part}: expected {expected}, found {found}; delete it and generate it again")]
    Damaged { file: String, part: String, expected: String, found: String },
    /// The table is there but cannot be read.
    #[error("{file} cannot be used: {reason}")]
    Unreadable { file: String, reason: String },
}

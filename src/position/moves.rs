//! A move, as data.

use crate::geometry::{Cell, Role};

/// What a move does besides going from one cell to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// To an empty cell.
    Quiet,
    /// A pawn's move of two or more steps from a start cell; it can be answered en passant.
    MultiStep,
    /// Takes the man on the target cell.
    Capture,
    /// Takes the pawn that has just passed over the target cell.
    EnPassant,
}

/// A move of a position; it has no meaning apart from one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    pub from: Cell,
    pub to: Cell,
    /// The kind of man that moves.
    pub role: Role,
    pub kind: MoveKind,
    /// The kind of man that is taken.
    pub captured: Option<Role>,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
}

impl Move {
    /// Whether the move changes the material: a capture or a promotion.
    pub fn is_conversion(&self) -> bool {
        self.captured.is_some() || self.promotion.is_some()
    }
}

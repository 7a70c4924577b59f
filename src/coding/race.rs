//! Pawns on their way: where they promote, and who is near enough to matter.
//!
//! All of it is found once for a board: from a pawn's steps alone, as if no one stood in its way.

use crate::geometry::{Cell, CellSet, Color, Variant};

/// For the pawns of one side, by cell.
pub struct Race {
    /// The cells that a pawn can come to by steps straight on.
    pub ahead: Vec<CellSet>,
    /// Of these the ones on which it promotes.
    pub goals: Vec<CellSet>,
    /// How many steps it is from there at most.
    pub steps_left: Vec<u8>,
}

impl Race {
    pub fn new(variant: &Variant, color: Color) -> Race {
        let rules = variant.pawn_rules(color);
        let board = variant.board();
        let ahead = |from: Cell| -> CellSet {
            let mut reached = CellSet::EMPTY;
            let mut waiting = vec![from];
            while let Some(cell) = waiting.pop() {
                for &to in
                    rules.paths[cell.index()].iter().flatten().filter(|to| !reached.contains(**to)).collect::<Vec<_>>()
                {
                    reached.insert(to);
                    waiting.push(to);
                }
            }
            reached
        };
        let ahead: Vec<CellSet> = board.cells().map(ahead).collect();
        let goals = ahead.iter().map(|&ahead| ahead & rules.promotion).collect();
        Race { ahead, goals, steps_left: rules.steps_left.clone() }
    }
}

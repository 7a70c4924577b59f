//! What coding needs to know of a game's board, found once and shared by all of its tables: questions about many tables
//! find it in the processor's cache.
//!
//! Knows nothing of which men are there.

use super::order::Order;
use super::race::Race;
use crate::geometry::{Cell, CellSet, Color, Role, Variant};
use std::sync::Arc;

/// The longest walk of a king.
const LONGEST_WALK: usize = 12;

/// The board as features and predictions see it.
pub struct Terrain {
    variant: Arc<Variant>,
    /// For each cell and number of steps from 0 on, the cells a king reaches by so many.
    balls: Vec<[CellSet; LONGEST_WALK + 1]>,
    /// The first so many rings from the edge.
    rings: Vec<CellSet>,
    races: [Race; 2],
    order: Order,
}

impl Terrain {
    pub fn new(variant: &Arc<Variant>) -> Terrain {
        let king_steps = &variant.movement(Role::KING).steps;
        let ball = |cell: Cell| {
            let mut ball = [cell.set(); LONGEST_WALK + 1];
            for steps in 0..LONGEST_WALK {
                ball[steps + 1] = ball[steps].iter().fold(ball[steps], |set, from| set | king_steps[from.index()]);
            }
            ball
        };
        Terrain {
            balls: variant.board().cells().map(ball).collect(),
            rings: rings(variant),
            races: Color::BOTH.map(|color| Race::new(variant, color)),
            order: Order::new(variant),
            variant: variant.clone(),
        }
    }

    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The cells that a king reaches by so many steps; from a number on that is all he can reach.
    #[inline]
    pub fn ball(&self, cell: Cell, steps: usize) -> CellSet {
        self.balls[cell.index()][steps.min(LONGEST_WALK)]
    }

    /// The first so many rings from the edge, from one to all of them.
    pub fn rings(&self) -> &[CellSet] {
        &self.rings
    }

    /// The order in which distances are predicted.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The cells that a pawn can come to by steps straight on.
    pub fn ahead(&self, pawn: Color, cell: Cell) -> CellSet {
        self.races[pawn.index()].ahead[cell.index()]
    }

    /// The cells within so many of a king's steps of where a pawn promotes.
    pub fn near_goal(&self, pawn: Color, cell: Cell, steps: usize) -> CellSet {
        let goals = self.races[pawn.index()].goals[cell.index()];
        goals.iter().fold(CellSet::EMPTY, |all, goal| all | self.ball(goal, steps))
    }

    /// The cells from which a king with `lead` moves more than a pawn is there in time.
    pub fn square(&self, pawn: Color, cell: Cell, lead: i32) -> CellSet {
        match i32::from(self.races[pawn.index()].steps_left[cell.index()]) + lead {
            steps @ 0.. => self.near_goal(pawn, cell, steps as usize),
            _ => CellSet::EMPTY,
        }
    }
}

/// The first so many rings of a board, from one to all of them. A cell is at the edge of what is left if it has fewer
/// neighbours there than cells have at most: cells of another colour a king's step away.
fn rings(variant: &Variant) -> Vec<CellSet> {
    let board = variant.board();
    let king_steps = &variant.movement(Role::KING).steps;
    let neighbours = |cell: Cell| -> CellSet {
        king_steps[cell.index()].iter().filter(|&to| board.colour(to) != board.colour(cell)).collect()
    };
    let most = board.cells().map(|cell| neighbours(cell).len()).max().unwrap_or(0);
    let mut rings = vec![];
    let mut inside = board.all();
    while !inside.is_empty() {
        let edge: CellSet = inside.iter().filter(|&cell| (neighbours(cell) & inside).len() < most).collect();
        inside = if edge.is_empty() { edge } else { inside - edge };
        rings.push(board.all() - inside);
    }
    rings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_run_along_the_edge() {
        for (variant, sizes) in [("glinski", vec![30, 24, 18, 12, 6, 1]), ("orthodox", vec![28, 20, 12, 4])] {
            let rings = rings(&Variant::named(variant).unwrap());
            let mut before = CellSet::EMPTY;
            let found = rings.iter().map(|&ring| {
                let here = (ring - before).len();
                before = ring;
                here
            });
            assert_eq!(found.collect::<Vec<_>>(), sizes, "{variant}");
        }
    }
}

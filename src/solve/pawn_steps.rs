//! The pawn moves of a slice as such: from where to where, who is taken, and where the answers are found.
//!
//! Knows nothing of what a move is worth.

use super::sources::Store;
use super::space::Space;
use crate::geometry::{Cell, CellSet, Color, Man, Role};
use crate::index::{MAX_MEN, SliceView};
use crate::oracle::ProbeError;

/// One pawn move, wherever the other men stand.
pub struct PawnStep {
    pub to: Cell,
    /// Cells that must be empty: all the way for a push, none for a capture.
    pub empty: CellSet,
    /// The man of the index that is taken on `to`.
    pub victim: Option<usize>,
    pub promotes: bool,
    /// The slice's pawns after the move.
    pub pawns: [CellSet; 2],
}

/// Every pawn move that `turn` can make in a slice.
pub fn pawn_steps(space: &Space, turn: Color) -> Vec<PawnStep> {
    let rules = space.variant().pawn_rules(turn);
    let mut steps = vec![];
    for from in space.pawns[turn.index()] {
        let step = |to: Cell, empty: CellSet, victim: Option<usize>| {
            let promotes = rules.promotion.contains(to);
            let mut pawns = space.pawns;
            pawns[turn.index()].remove(from);
            pawns[turn.other().index()].remove(to);
            if !promotes {
                pawns[turn.index()].insert(to);
            }
            PawnStep { to, empty, victim, promotes, pawns }
        };
        for path in &rules.paths[from.index()] {
            for length in 1..=path.len() {
                let empty: CellSet = path[..length].iter().copied().collect();
                if empty.intersects(space.all_pawns()) {
                    break;
                }
                steps.push(step(path[length - 1], empty, None));
            }
        }
        for to in rules.captures[from.index()] - space.pawns[turn.index()] {
            if space.pawns[turn.other().index()].contains(to) {
                steps.push(step(to, CellSet::EMPTY, None));
                continue;
            }
            let victims = (2..space.men().len()).filter(|&i| space.men()[i].color != turn);
            steps.extend(victims.map(|victim| step(to, CellSet::EMPTY, Some(victim))));
        }
    }
    steps
}

impl PawnStep {
    /// Whether it is a push that leaves the pawn a pawn, and so the material as it is.
    pub fn stays(&self) -> bool {
        !self.promotes && !self.empty.is_empty()
    }

    /// What the pawn becomes, with the positions that follow a move of `turn`; no role where it stays a pawn.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn results(
        &self,
        space: &Space,
        store: &Store,
        turn: Color,
    ) -> Result<Vec<(Option<Role>, SliceView)>, ProbeError> {
        let left = space.men().iter().enumerate().filter(|(i, _)| Some(*i) != self.victim);
        let men: Vec<Man> = left.map(|(_, man)| *man).collect();
        let mut results = vec![];
        if self.promotes {
            for &role in space.variant().promotions() {
                let men = [&men[..], &[Man { color: turn, role }]].concat();
                results.extend(store.view(&men, self.pawns, turn.other())?.map(|view| (Some(role), view)));
            }
        } else {
            results.extend(store.view(&men, self.pawns, turn.other())?.map(|view| (None, view)));
        }
        Ok(results)
    }

    /// The positions after each capture en passant that answers a move of `turn`.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn en_passant_answers(&self, space: &Space, store: &Store, turn: Color) -> Result<Vec<SliceView>, ProbeError> {
        let answering = turn.other();
        let rules = space.variant().pawn_rules(answering);
        let mut answers = vec![];
        for onto in self.empty - self.to.set() {
            for capturer in rules.captured_from[onto.index()] & self.pawns[answering.index()] {
                let mut pawns = self.pawns;
                pawns[turn.index()].remove(self.to);
                pawns[answering.index()].remove(capturer);
                pawns[answering.index()].insert(onto);
                answers.extend(store.view(space.men(), pawns, turn)?);
            }
        }
        Ok(answers)
    }

    /// The columns among those of a row's legal positions from which the move can be made, with the men but the column
    /// man on `cells`, together `known`; none if the row does not allow it.
    pub fn columns(&self, space: &Space, cells: &[Cell; MAX_MEN], known: CellSet, legal: u128) -> Option<CellSet> {
        let column_man = space.outer_men() + 1;
        match self.victim {
            // A capture of a pawn has nothing to keep clear of: a legal position has no one else on that cell.
            None if self.empty.intersects(known) => None,
            None => Some(CellSet(legal) - self.empty),
            Some(victim) if victim == column_man => Some(CellSet(legal) & self.to.set()),
            Some(victim) if cells[victim] == self.to => Some(CellSet(legal)),
            Some(_) => None,
        }
    }

    /// The cells of the men after the move, and how many they are: those of the index without the one taken, then what
    /// the pawn has become.
    pub fn men_after(
        &self,
        space: &Space,
        promotion: Option<Role>,
        cells: &[Cell; MAX_MEN],
    ) -> ([Cell; MAX_MEN + 1], usize) {
        let men = space.men().len();
        let mut after = [Cell(0); MAX_MEN + 1];
        after[..men].copy_from_slice(&cells[..men]);
        let mut count = men;
        if let Some(victim) = self.victim {
            after.copy_within(victim + 1..men, victim);
            count -= 1;
        }
        if promotion.is_some() {
            after[count] = self.to;
            count += 1;
        }
        (after, count)
    }
}

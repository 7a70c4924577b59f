//! What captures and promotions tell of a row: the positions that are worth what one of them leads to.
//!
//! Found for all columns of a row at once, from the rows of the tables that they lead to.

use super::super::error::TableError;
use super::source::{Asked, Source};
use crate::geometry::{Cell, CellSet, Color, Man, Role, Variant};
use crate::index::{Arrangement, MOST_MEN, OutcomeRow};
use crate::outcome::Value;
use crate::solve::Subtables;
use std::sync::Arc;

/// All captures and promotions of one side to move, of positions of an arrangement.
pub struct Conversions {
    variant: Arc<Variant>,
    men: Vec<Man>,
    turn: Color,
    kinds: Vec<Kind>,
}

/// Captures and promotions that lead to the same men.
struct Kind {
    /// The places of the man that moves and of the one it takes.
    mover: usize,
    victim: Option<usize>,
    promotes: bool,
    /// Where they lead: without the victim, the other men in their order.
    source: Source,
}

impl Kind {
    /// The place of a man in what the kind leads to.
    fn place(&self, man: usize) -> usize {
        man - usize::from(self.victim.is_some_and(|victim| victim < man))
    }

    /// The outcomes with the mover on `to`, man number `varying` on each of the columns in turn.
    fn row(&self, cells: &[Cell; MOST_MEN], to: Cell, varying: usize, columns: CellSet) -> OutcomeRow {
        let mut left = *cells;
        left[self.mover] = to;
        if let Some(victim) = self.victim {
            left.copy_within(victim + 1.., victim);
        }
        self.source.row(&left, self.place(varying), columns)
    }
}

impl Conversions {
    /// Finds the tables that captures and promotions of `turn` lead to; whether they will be looked at `often`.
    ///
    /// # Errors
    /// Those of `tables`.
    pub fn new(
        tables: &dyn Subtables,
        arrangement: &Arrangement,
        turn: Color,
        often: bool,
    ) -> Result<Conversions, TableError> {
        let (variant, men) = (arrangement.variant(), arrangement.men());
        let mut kinds = vec![];
        for mover in (0..men.len()).filter(|&at| men[at].color == turn) {
            let victims = (0..men.len()).filter(|&at| men[at].color != turn && men[at].role != Role::KING);
            let is_pawn = men[mover].role == variant.pawn();
            for victim in victims.map(Some).chain([None]) {
                let promotions = variant.promotions().iter().copied().map(Some).filter(|_| is_pawn);
                let quiet = [None].into_iter().filter(|_| victim.is_some());
                for promotion in promotions.chain(quiet) {
                    let mut left = men.to_vec();
                    left[mover].role = promotion.unwrap_or(left[mover].role);
                    if let Some(victim) = victim {
                        left.remove(victim);
                    }
                    // Where he stands still else, the column man varies; else few positions are asked for at a time.
                    let last = men.len() - 1;
                    let varies = (mover != last && victim != Some(last)).then_some(men[last]);
                    let asked = if often { Asked::Often(varies) } else { Asked::Seldom };
                    let source = Source::new(tables, &left, turn.other(), asked)?;
                    kinds.push(Kind { mover, victim, promotes: promotion.is_some(), source });
                }
            }
        }
        Ok(Conversions { variant: variant.clone(), men: men.to_vec(), turn, kinds })
    }

    /// The columns of a row, with the men but the column man on `cells`, that are worth what a capture or promotion
    /// leads to. One will do: what has been told is not looked at again.
    pub fn told(&self, cells: &[Cell; MOST_MEN], outcomes: &OutcomeRow) -> CellSet {
        let last = self.men.len() - 1;
        let legal = CellSet(outcomes.legal());
        let occupied: CellSet = cells[..last].iter().copied().collect();
        let mut told = CellSet::EMPTY;
        if legal.is_empty() {
            return told;
        }
        for kind in &self.kinds {
            let (man, from) = (self.men[kind.mover], cells[kind.mover]);
            let promotion = match man.role == self.variant.pawn() {
                true => self.variant.pawn_rules(self.turn).promotion,
                false => CellSet::EMPTY,
            };
            // Only moves onto these cells are of the kind.
            let targets = if kind.promotes { promotion } else { self.variant.board().all() - promotion };
            match kind.victim {
                Some(victim) if victim == last => {
                    let taken = (self.variant.attacked_by(man, from, occupied) & legal & targets) - told;
                    if !taken.is_empty() {
                        let row = kind.row(cells, from, kind.mover, taken);
                        told |= same_outcomes(&row, outcomes, taken);
                    }
                }
                Some(victim) if targets.contains(cells[victim]) => {
                    let to = cells[victim];
                    if kind.mover == last {
                        let columns = (self.variant.attackers_of(man, to, occupied) & legal) - told;
                        told |= self.told_by_one(kind, cells, to, columns, outcomes);
                    } else if self.variant.attacked_by(man, from, occupied).contains(to) {
                        let columns = legal - told - self.between(man, from, to);
                        if !columns.is_empty() {
                            let row = kind.row(cells, to, last, columns);
                            told |= same_outcomes(&row, outcomes, columns);
                        }
                    }
                }
                Some(_) => {}
                None => told = self.told_by_promotion(kind, cells, occupied, targets, outcomes, told),
            }
        }
        told
    }

    /// Some columns that are told, with those that are worth what a promotion without a capture leads to.
    fn told_by_promotion(
        &self,
        kind: &Kind,
        cells: &[Cell; MOST_MEN],
        occupied: CellSet,
        targets: CellSet,
        outcomes: &OutcomeRow,
        mut told: CellSet,
    ) -> CellSet {
        let last = self.men.len() - 1;
        let legal = CellSet(outcomes.legal());
        let paths = &self.variant.pawn_rules(self.turn).paths;
        let from_cells = if kind.mover == last { legal } else { cells[kind.mover].set() };
        for from in from_cells {
            for path in &paths[from.index()] {
                let mut passed = CellSet::EMPTY;
                for &to in path.iter().take_while(|to| !occupied.contains(**to)) {
                    passed.insert(to);
                    if !targets.contains(to) {
                        continue;
                    }
                    if kind.mover == last {
                        told |= self.told_by_one(kind, cells, to, from.set(), outcomes);
                    } else {
                        let columns = legal - passed - told;
                        if !columns.is_empty() {
                            let row = kind.row(cells, to, last, columns);
                            told |= same_outcomes(&row, outcomes, columns);
                        }
                    }
                }
            }
        }
        told
    }

    /// Of some columns from which the column man goes to one cell, those that are worth that.
    fn told_by_one(
        &self,
        kind: &Kind,
        cells: &[Cell; MOST_MEN],
        to: Cell,
        columns: CellSet,
        outcomes: &OutcomeRow,
    ) -> CellSet {
        if columns.is_empty() {
            return columns;
        }
        let row = kind.row(cells, to, kind.mover, to.set());
        let mut told = CellSet::EMPTY;
        row.each_outcome(|outcome, _| told = CellSet(outcomes.columns_of(outcome.one_ply_earlier())) & columns);
        told
    }

    /// The cells that a man passes over on its way.
    fn between(&self, man: Man, from: Cell, to: Cell) -> CellSet {
        if man.role == self.variant.pawn() {
            return CellSet::EMPTY;
        }
        let movement = self.variant.movement(man.role);
        if movement.steps[from.index()].contains(to) {
            return CellSet::EMPTY;
        }
        let rays = movement.slides.iter().map(|&d| self.variant.ray(d, from, to.set()));
        let ray = rays.into_iter().find(|ray| ray.contains(to));
        ray.map_or(CellSet::EMPTY, |ray| ray - to.set())
    }
}

/// The columns whose outcome is what `after`, one ply later, comes to.
fn same_outcomes(after: &OutcomeRow, outcomes: &OutcomeRow, columns: CellSet) -> CellSet {
    let of = |row: &OutcomeRow, value: Value| row.of_value[value as usize];
    let both = |value: Value| of(outcomes, value) & of(after, value.opposite());
    let count = after.digit_count.max(outcomes.digit_count) + 1;
    // A win takes as many moves as the loss it leads to, a loss one more than the win.
    let mut won = both(Value::Win) | both(Value::StalemateWin);
    let mut lost = both(Value::Loss) | both(Value::StalemateLoss);
    let mut carry = u128::MAX;
    for digit in 0..count.min(after.digits.len()) {
        let (before, after) = (outcomes.digits[digit], after.digits[digit]);
        won &= !(before ^ after);
        lost &= !(before ^ after ^ carry);
        carry &= after;
    }
    CellSet((won | lost | both(Value::Draw)) & columns.0)
}

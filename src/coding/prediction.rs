//! The distances of a row predicted from what is known already.
//!
//! The positions of a row are taken in *phases*: the columns whose coordinates are both even first, then those with an
//! odd second, an odd first, and two odd ones. So each column but those of the first phase has neighbours on several
//! sides in phases before. Of the neighbours with the same value the mean is the prediction. Where the other side's
//! distances in the same row are known, they bound the prediction: they are where the column man's moves lead. Knows
//! nothing of how far a prediction is to be trusted.

use super::values::ValueRow;
use crate::geometry::{Cell, CellSet, MAX_CELLS, Man, Role, Variant};
use crate::outcome::{Outcome, Value};

/// The distances of a row in moves, column by column; where there is none, anything.
pub type DistanceRow = [u16; MAX_CELLS];

/// The values of decisive positions.
pub const DECISIVE: [Value; 4] = [Value::Loss, Value::StalemateLoss, Value::StalemateWin, Value::Win];

/// The phases of a row.
pub const PHASES: usize = 4;

/// A question about a position whose distance is to be predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trait {
    /// It has this value.
    Is(Value),
    /// More than so many neighbours are known.
    Neighbours(u8),
    /// Its neighbours' distances differ by more than this.
    Spread(u16),
    /// The prediction is at least this.
    Predicted(u16),
    /// The other side bounds it.
    Bounded,
    /// Without the bound the prediction would exceed the bound by at least this.
    Exceeds(i16),
}

/// All traits. A tree names them by their place here, after the features of the ground.
pub const TRAITS: [Trait; 30] = [
    Trait::Is(Value::Loss),
    Trait::Is(Value::StalemateLoss),
    Trait::Is(Value::StalemateWin),
    Trait::Neighbours(0),
    Trait::Neighbours(1),
    Trait::Neighbours(2),
    Trait::Neighbours(3),
    Trait::Spread(0),
    Trait::Spread(1),
    Trait::Spread(2),
    Trait::Spread(4),
    Trait::Spread(8),
    Trait::Spread(16),
    Trait::Predicted(1),
    Trait::Predicted(2),
    Trait::Predicted(4),
    Trait::Predicted(6),
    Trait::Predicted(10),
    Trait::Predicted(16),
    Trait::Predicted(25),
    Trait::Predicted(40),
    Trait::Predicted(64),
    Trait::Bounded,
    Trait::Exceeds(-4),
    Trait::Exceeds(-2),
    Trait::Exceeds(-1),
    Trait::Exceeds(0),
    Trait::Exceeds(1),
    Trait::Exceeds(2),
    Trait::Exceeds(4),
];

/// What predictions need to know of a board, once for each table.
pub struct Order {
    /// The columns of each phase.
    phases: [CellSet; PHASES],
    /// For each column, the neighbours that come in phases before: those a king's step away of another colour, and
    /// those of its own. In the first phase, in place of these, the columns of that phase before it that are two king's
    /// steps away.
    before: Vec<[CellSet; 2]>,
    column_man: Man,
}

impl Order {
    pub fn new(variant: &Variant, column_man: Man) -> Order {
        let board = variant.board();
        let phase = |cell: Cell| {
            let [a, b] = board.coordinates(cell).map(|number| number.rem_euclid(2) as usize);
            2 * a + b
        };
        let mut phases = [CellSet::EMPTY; PHASES];
        board.cells().for_each(|cell| phases[phase(cell)].insert(cell));
        let steps = &variant.movement(Role::KING).steps;
        let before = board.cells().map(|cell| {
            let near = steps[cell.index()];
            if phase(cell) == 0 {
                let far = near.iter().fold(CellSet::EMPTY, |far, by| far | steps[by.index()]);
                return [far & phases[0] & CellSet::first(cell.index()), CellSet::EMPTY];
            }
            let known = phases[..phase(cell)].iter().fold(CellSet::EMPTY, |all, &some| all | some);
            let alike: CellSet = near.iter().filter(|&to| board.colour(to) == board.colour(cell)).collect();
            [(near - alike) & known, alike & known]
        });
        Order { before: before.collect(), phases, column_man }
    }
}

/// The other side's row: its values and distances.
#[derive(Clone, Copy)]
pub struct Other<'a> {
    pub values: &'a ValueRow,
    pub distances: &'a DistanceRow,
}

/// The distances that are to be written of a row.
pub struct Told<'a> {
    pub distances: &'a DistanceRow,
    /// Positions of which any distance will do, and those of which any will that is not better for the side to move.
    pub any: CellSet,
    pub no_better: CellSet,
}

impl Told<'_> {
    /// What is written of a position of a value for which a distance is predicted.
    #[inline]
    pub fn distance(&self, cell: Cell, is_loss: bool, predicted: u16) -> u16 {
        let (exact, predicted) = (self.distances[cell.index()], predicted.min(Outcome::MAX_PLIES / 2));
        let no_better = if is_loss { predicted <= exact } else { predicted >= exact };
        match self.any.contains(cell) || self.no_better.contains(cell) && no_better {
            true => predicted,
            false => exact,
        }
    }
}

/// What is known of the positions of a phase before their distances. Of columns that it does not have, anything.
pub struct Guesses<'a> {
    values: &'a ValueRow,
    /// The columns that there are guesses of.
    pub cells: CellSet,
    neighbours: [u8; MAX_CELLS],
    spread: [u16; MAX_CELLS],
    /// The predictions after the bounds, and by how much they exceeded the bounds before, where there are any.
    pub predicted: DistanceRow,
    exceeds: [i16; MAX_CELLS],
    bounded: CellSet,
}

impl Guesses<'_> {
    /// Those of some positions that have a trait.
    #[inline]
    pub fn having(&self, of: Trait, positions: CellSet) -> CellSet {
        let those = |positions: CellSet, has: &dyn Fn(usize) -> bool| {
            positions.iter().filter(|cell| has(cell.index())).collect()
        };
        match of {
            Trait::Is(value) => positions & self.values[value as usize],
            Trait::Neighbours(count) => those(positions, &|at| self.neighbours[at] > count),
            Trait::Spread(moves) => those(positions, &|at| self.spread[at] > moves),
            Trait::Predicted(moves) => those(positions, &|at| self.predicted[at] >= moves),
            Trait::Bounded => positions & self.bounded,
            Trait::Exceeds(by) => those(positions & self.bounded, &|at| self.exceeds[at] >= by),
        }
    }

    /// The positions that are lost, so that the side to move delays.
    #[inline]
    pub fn lost(&self) -> CellSet {
        self.values[Value::Loss as usize] | self.values[Value::StalemateLoss as usize]
    }
}

/// A row whose distances are to be written or read.
pub struct Row<'a> {
    pub order: &'a Order,
    pub variant: &'a Variant,
    pub values: &'a ValueRow,
    /// The other side's row, if that side comes first.
    pub other: Option<Other<'a>>,
}

impl Row<'_> {
    /// Walks over the decisive positions of a row, the other men standing on `occupied`, as far as the phase of `last`
    /// if there is one. `step` is told what is known of some of them and puts in their distances.
    #[inline]
    pub fn walk(
        &self,
        occupied: CellSet,
        last: Option<Cell>,
        mut step: impl FnMut(&Guesses, &mut DistanceRow),
    ) -> DistanceRow {
        let mut distances = [0; MAX_CELLS];
        let mut guesses = Guesses {
            values: self.values,
            cells: CellSet::EMPTY,
            neighbours: [0; MAX_CELLS],
            spread: [0; MAX_CELLS],
            predicted: [0; MAX_CELLS],
            exceeds: [0; MAX_CELLS],
            bounded: CellSet::EMPTY,
        };
        let mut latest = [0; Value::ALL.len()];
        for (phase, &columns) in self.order.phases.iter().enumerate() {
            (guesses.bounded, guesses.cells) = (CellSet::EMPTY, CellSet::EMPTY);
            for value in DECISIVE {
                for cell in columns & self.values[value as usize] {
                    if phase > 0 {
                        self.guess(occupied, cell, value, latest[value as usize], &distances, &mut guesses);
                    }
                    guesses.cells.insert(cell);
                }
            }
            if phase > 0 {
                if !guesses.cells.is_empty() {
                    step(&guesses, &mut distances);
                }
            } else {
                // Each may be a neighbour of those that come after it.
                for cell in guesses.cells {
                    let has = |value: &&Value| self.values[**value as usize].contains(cell);
                    let &value = DECISIVE.iter().find(has).unwrap_or(&Value::Win);
                    (guesses.bounded, guesses.cells) = (CellSet::EMPTY, cell.set());
                    self.guess(occupied, cell, value, latest[value as usize], &distances, &mut guesses);
                    step(&guesses, &mut distances);
                    latest[value as usize] = distances[cell.index()];
                }
            }
            if last.is_some_and(|cell| columns.contains(cell)) {
                break;
            }
        }
        distances
    }

    /// Predicts the distance of a position; `latest` is that of one somewhere before it.
    #[inline]
    fn guess(
        &self,
        occupied: CellSet,
        cell: Cell,
        value: Value,
        latest: u16,
        distances: &DistanceRow,
        guesses: &mut Guesses,
    ) {
        let [others, alike] = self.order.before[cell.index()].map(|before| before & self.values[value as usize]);
        let near = if others.is_empty() { alike } else { others };
        let at = cell.index();
        (guesses.predicted[at], guesses.neighbours[at], guesses.spread[at]) = (latest, 0, 0);
        if !near.is_empty() {
            let (mut sum, mut least, mut most) = (0u32, u16::MAX, 0);
            for neighbour in near {
                let distance = distances[neighbour.index()];
                sum += u32::from(distance);
                least = least.min(distance);
                most = most.max(distance);
            }
            let count = near.len() as u32;
            guesses.predicted[at] = ((2 * sum + count) / (2 * count)) as u16;
            guesses.neighbours[at] = if others.is_empty() { 0 } else { count as u8 };
            guesses.spread[at] = most - least;
        }
        if let Some(bound) = self.other.and_then(|other| self.bound(occupied, cell, value, other)) {
            let predicted = guesses.predicted[at];
            guesses.bounded.insert(cell);
            guesses.exceeds[at] = (i32::from(predicted) - i32::from(bound)).clamp(-1000, 1000) as i16;
            guesses.predicted[at] = match value {
                Value::Loss | Value::StalemateLoss => predicted.max(bound),
                _ => predicted.min(bound),
            };
        }
    }

    /// What the column man's moves within the row say of a distance: of a win that it is not longer, of a loss that it
    /// is not shorter.
    #[inline]
    fn bound(&self, occupied: CellSet, cell: Cell, value: Value, other: Other) -> Option<u16> {
        let after = other.values[value.opposite() as usize];
        let man = self.order.column_man;
        if after.is_empty() {
            return None;
        }
        let to = (self.variant.attacks(man.role, cell, occupied) - occupied) & after;
        let distances = to.iter().map(|to| other.distances[to.index()]);
        match value {
            Value::Loss | Value::StalemateLoss => distances.max().map(|longest| longest.saturating_add(1)),
            _ => distances.min(),
        }
    }

    /// The distances that are written of it, the other men standing on `occupied`.
    pub fn settled(&self, occupied: CellSet, told: &Told) -> DistanceRow {
        if told.any.is_empty() && told.no_better.is_empty() {
            return *told.distances;
        }
        self.walk(occupied, None, |guesses, distances| {
            let lost = guesses.lost();
            for cell in guesses.cells {
                let predicted = guesses.predicted[cell.index()];
                distances[cell.index()] = told.distance(cell, lost.contains(cell), predicted);
            }
        })
    }
}

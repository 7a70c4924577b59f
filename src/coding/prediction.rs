//! The distances of a row predicted from what is known already.
//!
//! The positions of a row are taken in *phases*: first the columns whose coordinates are both multiples of 4, then the
//! others whose coordinates are both even, in three phases, then those with an odd second, an odd first, and two odd
//! ones. So each column but those of the first phase has neighbours on several sides in phases before. Of the
//! neighbours with the same value the mean is the prediction. Where the other side's distances in the same row are
//! known, they bound the prediction: they are where the column man's moves lead. Knows nothing of how far a prediction
//! is to be trusted.

use super::order::Order;
use super::scene::Scene;
use super::values::ValueRow;
use crate::geometry::{Cell, CellSet, MAX_CELLS};
use crate::outcome::{Outcome, Value};

/// The distances of a row in moves, column by column; where there is none, anything.
pub type DistanceRow = [u16; MAX_CELLS];

/// The values of decisive positions.
pub const DECISIVE: [Value; 4] = [Value::Loss, Value::StalemateLoss, Value::StalemateWin, Value::Win];

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
    #[inline(always)]
    pub fn distance(&self, cell: Cell, is_loss: bool, predicted: u16) -> u16 {
        let (exact, predicted) = (self.distances[cell.index()], predicted.min(Outcome::MAX_PLIES / 2));
        let no_better = if is_loss { predicted <= exact } else { predicted >= exact };
        match self.any.contains(cell) || self.no_better.contains(cell) && no_better {
            true => predicted,
            false => exact,
        }
    }
}

/// Small numbers of each column, which are compared with a bound for all columns at once.
type Small = [u8; MAX_CELLS];
/// Larger numbers are kept as this; no trait asks for as much.
const MOST_SMALL: u16 = 0x7f;
/// What is added to a number that may be negative.
const ZERO: i32 = 0x40;

fn small(number: u16) -> u8 {
    number.min(MOST_SMALL) as u8
}

/// The columns whose number is at least this, from 1 to [`MOST_SMALL`].
#[inline(always)]
fn at_least(numbers: &Small, least: u8) -> CellSet {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Eight numbers at once, each with its highest bit to show that nothing was borrowed from there.
    let least = u64::from_le_bytes([least; 8]);
    let mut columns = 0;
    for (at, &numbers) in numbers.as_chunks::<8>().0.iter().enumerate() {
        let reached = ((u64::from_le_bytes(numbers) | HIGH) - least) & HIGH;
        // The eight bits side by side.
        let together = (reached >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        columns |= u128::from(together) << (8 * at);
    }
    CellSet(columns)
}

/// What is known of positions before their distances. Of columns that have not come up, anything.
pub struct Guesses<'a> {
    values: &'a ValueRow,
    /// The columns that there are guesses of since the last step.
    pub cells: CellSet,
    neighbours: Small,
    spread: Small,
    /// The predictions after the bounds, and by how much they exceeded the bounds before, where there are any.
    pub predicted: DistanceRow,
    size: Small,
    exceeds: Small,
    bounds: &'a Bounds,
    /// The columns of each trait that has been asked for since the last step.
    having: [CellSet; TRAITS.len()],
    asked: u32,
}

impl<'a> Guesses<'a> {
    fn new(values: &'a ValueRow, bounds: &'a Bounds) -> Guesses<'a> {
        Guesses {
            values,
            cells: CellSet::EMPTY,
            neighbours: [0; MAX_CELLS],
            spread: [0; MAX_CELLS],
            predicted: [0; MAX_CELLS],
            size: [0; MAX_CELLS],
            exceeds: [0; MAX_CELLS],
            bounds,
            having: [CellSet::EMPTY; TRAITS.len()],
            asked: 0,
        }
    }

    /// Those of some positions that have a trait, given by its number.
    #[inline(always)]
    pub fn having(&mut self, of: usize, positions: CellSet) -> CellSet {
        if self.asked >> of & 1 == 0 {
            self.asked |= 1 << of;
            self.having[of] = match TRAITS[of] {
                Trait::Is(value) => self.values[value as usize],
                Trait::Neighbours(count) => at_least(&self.neighbours, count + 1),
                Trait::Spread(moves) => at_least(&self.spread, small(moves + 1)),
                Trait::Predicted(moves) => at_least(&self.size, small(moves)),
                Trait::Bounded => self.bounds.cells,
                Trait::Exceeds(by) => at_least(&self.exceeds, (ZERO + i32::from(by)) as u8) & self.bounds.cells,
            };
        }
        positions & self.having[of]
    }

    /// Whether a position has a trait.
    #[inline(always)]
    pub fn has(&self, of: usize, cell: Cell) -> bool {
        let at = cell.index();
        match TRAITS[of] {
            Trait::Is(value) => self.values[value as usize].contains(cell),
            Trait::Neighbours(count) => self.neighbours[at] > count,
            Trait::Spread(moves) => self.spread[at] > small(moves),
            Trait::Predicted(moves) => self.size[at] >= small(moves),
            Trait::Bounded => self.bounds.cells.contains(cell),
            Trait::Exceeds(by) => {
                self.bounds.cells.contains(cell) && i32::from(self.exceeds[at]) >= ZERO + i32::from(by)
            }
        }
    }

    /// The positions that are lost, so that the side to move delays.
    #[inline(always)]
    pub fn lost(&self) -> CellSet {
        self.values[Value::Loss as usize] | self.values[Value::StalemateLoss as usize]
    }
}

/// What the column man's moves within the row say of distances: of wins that they are not longer, of losses that they
/// are not shorter.
pub struct Bounds {
    at: DistanceRow,
    /// The columns that have one.
    cells: CellSet,
}

/// A row whose distances are to be written or read.
pub struct Row<'a> {
    pub order: &'a Order,
    pub values: &'a ValueRow,
    /// The other side's row, if that side comes first.
    pub other: Option<Other<'a>>,
}

impl Row<'_> {
    /// The positions that have a distance.
    #[inline(always)]
    fn decisive(&self) -> CellSet {
        DECISIVE.iter().fold(CellSet::EMPTY, |all, &value| all | self.values[value as usize])
    }

    /// The bounds that the other side's row gives. The scene is that of the row.
    #[inline(always)]
    pub fn bounds(&self, scene: &mut Scene) -> Bounds {
        let mut bounds = Bounds { at: [0; MAX_CELLS], cells: CellSet::EMPTY };
        let Some(other) = self.other else { return bounds };
        for value in DECISIVE {
            let after = other.values[value.opposite() as usize];
            let mut open = self.values[value as usize];
            if after.is_empty() || open.is_empty() {
                continue;
            }
            // A win takes the shortest way, a loss the longest, and a move more.
            let is_loss = value < Value::Draw;
            scene.each_class(other.distances, after, is_loss, |scene, moves, to| {
                let reaching = scene.moves_to(to) & open;
                let moves = moves.saturating_add(u16::from(is_loss));
                for cell in reaching {
                    bounds.at[cell.index()] = moves;
                }
                bounds.cells |= reaching;
                open = open - reaching;
                !open.is_empty()
            });
        }
        bounds
    }

    /// Walks over the decisive positions of a row as far as `last` if there is one. `step` is told what is
    /// known of some of them and puts in their distances. Returns what has been known of all of them, and the
    /// distances.
    #[inline(always)]
    pub fn walk<'b>(
        &'b self,
        bounds: &'b Bounds,
        last: Option<Cell>,
        mut step: impl FnMut(&mut Guesses, &mut DistanceRow),
    ) -> (Guesses<'b>, DistanceRow) {
        let mut distances = [0; MAX_CELLS];
        let mut guesses = Guesses::new(self.values, bounds);
        let mut latest = [0; Value::ALL.len()];
        let decisive = self.decisive();
        for (phase, &columns) in self.order.phases.iter().enumerate() {
            let mut left = decisive & columns;
            let is_last = last.filter(|&cell| columns.contains(cell));
            if let Some(cell) = is_last {
                // Those that come after it tell nothing of it.
                left &= CellSet::first(cell.index() + 1);
            }
            while let Some(first) = left.lowest() {
                // In the first phase each may be a neighbour of those that come after it.
                let cells = if phase == 0 { first.set() } else { left };
                left = left - cells;
                for value in DECISIVE {
                    for cell in cells & self.values[value as usize] {
                        self.guess(cell, value, latest[value as usize], &distances, &mut guesses);
                    }
                }
                (guesses.cells, guesses.asked) = (cells, 0);
                step(&mut guesses, &mut distances);
                if phase == 0 {
                    for value in DECISIVE {
                        if self.values[value as usize].contains(first) {
                            latest[value as usize] = distances[first.index()];
                        }
                    }
                }
            }
            if is_last.is_some() {
                break;
            }
        }
        (guesses, distances)
    }

    /// Predicts the distance of a position; `latest` is that of one somewhere before it.
    #[inline(always)]
    fn guess(&self, cell: Cell, value: Value, latest: u16, distances: &DistanceRow, guesses: &mut Guesses) {
        let at = cell.index();
        let [others, alike] = self.order.before(cell);
        let of_value = self.values[value as usize];
        let mut near = Near::of(others, of_value, distances);
        guesses.neighbours[at] = near.count as u8;
        if near.count == 0 {
            near = Near::of(alike, of_value, distances);
        }
        let mut predicted = if near.count > 0 { near.mean() } else { latest };
        guesses.spread[at] = small(if near.count > 0 { near.most - near.least } else { 0 });
        if guesses.bounds.cells.contains(cell) {
            let bound = guesses.bounds.at[at];
            let exceeds = i32::from(predicted) - i32::from(bound);
            guesses.exceeds[at] = (exceeds + ZERO).clamp(0, i32::from(MOST_SMALL)) as u8;
            predicted = if value < Value::Draw { predicted.max(bound) } else { predicted.min(bound) };
        }
        guesses.predicted[at] = predicted;
        guesses.size[at] = small(predicted);
    }

    /// The distances that are written of it. The scene is that of the row.
    pub fn settled(&self, scene: &mut Scene, told: &Told) -> DistanceRow {
        if told.any.is_empty() && told.no_better.is_empty() {
            return *told.distances;
        }
        self.told(&self.bounds(scene), told).1
    }

    /// What has been known of the decisive positions of a row whose distances are told, and what is written of these.
    #[inline(always)]
    pub fn told<'b>(&'b self, bounds: &'b Bounds, told: &Told) -> (Guesses<'b>, DistanceRow) {
        let (mut guesses, distances) = match told.any.is_empty() && told.no_better.is_empty() {
            true => (self.known(bounds, told.distances), *told.distances),
            false => self.walk(bounds, None, |guesses, distances| {
                let lost = guesses.lost();
                for cell in guesses.cells {
                    let predicted = guesses.predicted[cell.index()];
                    distances[cell.index()] = told.distance(cell, lost.contains(cell), predicted);
                }
            }),
        };
        (guesses.cells, guesses.asked) = (self.decisive(), 0);
        (guesses, distances)
    }

    /// What has been known of the decisive positions of a row whose distances are written as they are.
    #[inline(always)]
    fn known<'b>(&'b self, bounds: &'b Bounds, distances: &DistanceRow) -> Guesses<'b> {
        let mut guesses = Guesses::new(self.values, bounds);
        let [first, phases @ ..] = &self.order.phases;
        for value in DECISIVE {
            let mut latest = 0;
            let of_value = self.values[value as usize];
            if of_value.is_empty() {
                continue;
            }
            for cell in of_value & *first {
                self.guess(cell, value, latest, distances, &mut guesses);
                latest = distances[cell.index()];
            }
            for &phase in phases {
                for cell in of_value & phase {
                    self.guess(cell, value, latest, distances, &mut guesses);
                }
            }
        }
        guesses
    }
}

const INVERSE_BITS: u32 = 40;
/// For each number of neighbours, 1 divided by twice as many.
const INVERSES: [u64; MAX_CELLS] = {
    let mut inverses = [0; MAX_CELLS];
    let mut count = 1;
    while count < MAX_CELLS {
        inverses[count] = (1u64 << INVERSE_BITS).div_ceil(2 * count as u64);
        count += 1;
    }
    inverses
};

/// The distances of some neighbours.
struct Near {
    sum: u32,
    count: u32,
    least: u16,
    most: u16,
}

impl Near {
    /// Those of some cells that are in a set.
    #[inline(always)]
    fn of(cells: &[Cell], set: CellSet, distances: &DistanceRow) -> Near {
        let mut near = Near { sum: 0, count: 0, least: u16::MAX, most: 0 };
        let halves = [set.0 as u64, (set.0 >> 64) as u64];
        for cell in cells {
            let at = cell.index() % MAX_CELLS;
            // Whether a cell is in it is hard to foresee: no branches.
            let has = (halves[at / 64] >> (at % 64) & 1) as u16;
            let (mask, distance) = (has.wrapping_neg(), distances[at]);
            near.sum += u32::from(distance & mask);
            near.count += u32::from(has);
            near.least = near.least.min(distance | !mask);
            near.most = near.most.max(distance & mask);
        }
        near
    }

    /// Their mean, rounded to the nearest whole number, halves up; there must be some.
    #[inline(always)]
    fn mean(&self) -> u16 {
        // Times the inverse, rounded up: exact for sums of so few distances.
        let doubled = u64::from(2 * self.sum + self.count);
        ((doubled * INVERSES[self.count as usize]) >> INVERSE_BITS) as u16
    }
}

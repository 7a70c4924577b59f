//! The order in which the columns of a row are predicted, and from which others each is.
//!
//! Found from the board alone, once for each game.

use crate::geometry::{Cell, CellSet, Role, Variant};

/// The phases of a row.
pub const PHASES: usize = 7;

/// What predictions need to know of a board.
pub struct Order {
    /// The columns of each phase.
    pub phases: [CellSet; PHASES],
    /// For each column those that it is predicted from, which all come before it. In the first phase these are the
    /// columns of that phase within four king's steps; in the next three those twice as far as a king's step; then those
    /// a king's step away. But for the first phase, those whose step leads to another colour come first, then those
    /// whose step stays on their own.
    before: Vec<Cell>,
    /// For each column where its neighbours begin in `before`, where those of its own colour do, and where they end.
    spans: Vec<[u16; 3]>,
}

impl Order {
    pub fn new(variant: &Variant) -> Order {
        let board = variant.board();
        let phase = |cell: Cell| {
            let of = |period: i16| board.coordinates(cell).map(|number| number.rem_euclid(period) as usize);
            match (of(2), of(4)) {
                ([0, 0], [a, b]) => a + b / 2,
                ([a, b], _) => 3 + 2 * a + b,
            }
        };
        let mut phases = [CellSet::EMPTY; PHASES];
        board.cells().for_each(|cell| phases[phase(cell)].insert(cell));
        let steps = &variant.movement(Role::KING).steps;
        let further = |from: CellSet| from.iter().fold(from, |all, by| all | steps[by.index()]);
        let before = board.cells().map(|cell| {
            let near = steps[cell.index()];
            let known = phases[..phase(cell)].iter().fold(CellSet::EMPTY, |all, &some| all | some);
            let alike: CellSet = near.iter().filter(|&to| board.colour(to) == board.colour(cell)).collect();
            let twice = |near: CellSet| -> CellSet {
                let [a, b] = board.coordinates(cell);
                near.iter()
                    .filter_map(|to| {
                        let [c, d] = board.coordinates(to);
                        board.cell_at([2 * c - a, 2 * d - b])
                    })
                    .collect()
            };
            match phase(cell) {
                0 => {
                    let far = (0..4).fold(cell.set(), |far, _| further(far));
                    [far & phases[0] & CellSet::first(cell.index()), CellSet::EMPTY]
                }
                1..=3 => [twice(near - alike) & known, twice(alike) & known],
                _ => [(near - alike) & known, alike & known],
            }
        });
        let before: Vec<[CellSet; 2]> = before.collect();
        let mut order = Order { phases, before: vec![], spans: vec![] };
        for [others, alike] in before {
            let begin = order.before.len();
            order.before.extend(others);
            let middle = order.before.len();
            order.before.extend(alike);
            order.spans.push([begin, middle, order.before.len()].map(|at| at as u16));
        }
        order
    }
    /// The columns that a column is predicted from: those of other colours, and those of its own.
    #[inline(always)]
    pub fn before(&self, cell: Cell) -> [&[Cell]; 2] {
        let [begin, middle, end] = self.spans[cell.index()].map(usize::from);
        [&self.before[begin..middle], &self.before[middle..end]]
    }
}

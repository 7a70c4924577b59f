//! Counting a table: how many positions have which value, and the longest distance of each.

use super::dense::{Code, DenseTable};
use super::layout::Place;
use crate::geometry::{Color, Man};
use crate::outcome::{Outcome, Value};
use crate::position::Position;
use rayon::prelude::*;

/// Counts of all legal positions of a material with one side to move.
///
/// Every placement on the board counts once, symmetric images included; like men are interchangeable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// By value, in the order of [`Value::ALL`].
    pub counts: [u64; 5],
    /// The longest distance of each value in plies, none for draws and where there is no such position.
    pub longest: [Option<u16>; 5],
}

impl Tally {
    /// The number of legal positions.
    pub fn legal(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub fn count(&self, value: Value) -> u64 {
        self.counts[value as usize]
    }

    /// Adds positions of one outcome.
    pub fn add(&mut self, outcome: Outcome, weight: u64) {
        let value = outcome.value() as usize;
        self.counts[value] += weight;
        self.longest[value] = self.longest[value].max(outcome.plies());
    }

    /// Adds another's counts.
    pub fn merge(mut self, other: &Tally) -> Tally {
        for value in 0..5 {
            self.counts[value] += other.counts[value];
            self.longest[value] = self.longest[value].max(other.longest[value]);
        }
        self
    }
}

impl DenseTable {
    /// The counts for one side to move, the material's first side being White.
    pub fn tally(&self, turn: Color) -> Tally {
        let tally = |_, _, weight, codes: &[Code], tally: &mut Tally| self.tally_block(weight, codes, tally);
        self.fold_blocks(turn, tally, |a, b| a.merge(&b))
    }

    fn tally_block(&self, weight: u64, codes: &[Code], tally: &mut Tally) {
        codes.iter().filter_map(|code| code.outcome()).for_each(|outcome| tally.add(outcome, weight));
    }

    /// Folds over all places that hold an outcome, with one side to move (Black's are White's mirrored where both
    /// sides have the same men), in parallel.
    pub fn fold_places<T: Default + Send>(
        &self,
        turn: Color,
        outcome: Outcome,
        visit: impl Fn(Place, &mut T) + Sync,
        merge: impl Fn(T, T) -> T + Sync + Send,
    ) -> T {
        let n = self.layout().cell_count();
        let wanted = Code::of(outcome);
        let step = |slice, block: usize, _, codes: &[Code], total: &mut T| {
            for (i, _) in codes.iter().enumerate().filter(|(_, code)| **code == wanted) {
                visit(Place { slice, index: block * n * n + i }, total);
            }
        };
        self.fold_blocks(turn, step, merge)
    }

    /// Folds over the blocks of all slices with one side to move, in parallel. A block's codes are passed on with
    /// slice, block and the weight of each position in it; codes of like men out of order are made illegal.
    fn fold_blocks<T: Default + Send>(
        &self,
        turn: Color,
        step: impl Fn(usize, usize, u64, &[Code], &mut T) + Sync,
        merge: impl Fn(T, T) -> T + Sync + Send,
    ) -> T {
        let layout = self.layout();
        let n = layout.cell_count();
        // Equal sides store White to move only; Black to move is its mirror image.
        let stored = if layout.material().is_symmetric() { Color::White } else { turn };
        let blocks: Vec<(usize, usize)> =
            (0..layout.slices().len()).flat_map(|s| (0..layout.block_count(s)).map(move |b| (s, b))).collect();
        let of_block = |mut total: T, &(slice, block): &(usize, usize)| {
            let codes = &self.slice(slice)[stored.index()][block * n * n..][..n * n];
            let weight = layout.block_weight(slice, block);
            if layout.has_like_men() {
                let mut counted = vec![Code::ILLEGAL; n * n];
                for row in 0..n {
                    for column in layout.ascending_columns(slice, block, row) {
                        counted[row * n + column.index()] = codes[row * n + column.index()];
                    }
                }
                step(slice, block, weight, &counted, &mut total);
            } else {
                step(slice, block, weight, codes, &mut total);
            }
            total
        };
        blocks.par_iter().fold(T::default, of_block).reduce(T::default, merge)
    }
}

/// The position of a place, with the material's first side White.
pub fn position_at(layout: &super::Layout, place: Place, turn: Color) -> Position {
    let mut position = Position::empty(turn);
    layout.men().iter().zip(layout.cells_at(place)).for_each(|(&man, cell)| position.put(man, cell));
    for color in Color::BOTH {
        let pawn = Man { color, role: layout.variant().pawn() };
        layout.slices()[place.slice].pawns[color.index()].iter().for_each(|cell| position.put(pawn, cell));
    }
    position
}

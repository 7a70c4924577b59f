//! Counting a table: how many positions have which value, and the longest distance of each; finding positions of
//! an outcome.

use super::dense::{Code, DenseTable};
use super::layout::Place;
use crate::geometry::{Color, Man};
use crate::outcome::Outcome;
use crate::position::Position;
use crate::statistics::SideStatistics;
use rayon::prelude::*;

impl DenseTable {
    /// The counts for one side to move, the material's first side being White.
    pub fn tally(&self, turn: Color) -> SideStatistics {
        let count = |_, _, weight, codes: &[Code], side: &mut SideStatistics| {
            codes.iter().filter_map(|code| code.outcome()).for_each(|outcome| side.add(outcome, weight));
        };
        let merge = |mut a: SideStatistics, b: SideStatistics| {
            a.merge(&b);
            a
        };
        self.fold_blocks(turn, count, merge)
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
            let codes = self.block(stored, slice, block);
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
                step(slice, block, weight, &codes, &mut total);
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

//! Moves of the third man: the last of the outer men where he is no king.
//!
//! His cell numbers the blocks of a group, so his moves lead from block to block and leave row and column as they
//! are. Seen from one row of all these blocks he is a row man himself: a block with a row for each of *his* cells.
//! So the scan along lines serves him too, on two neighbouring rows at once.

use super::lanes::PairBlock;
use super::moves::{After, Question};
use super::rows::{Block, EMPTY_BLOCK, Reach};
use super::space::Space;
use crate::geometry::{Cell, CellSet, MAX_CELLS};

/// Up to so many blocks in question are dealt with one by one.
const FEW_BLOCKS: usize = 16;

impl Space {
    /// Strikes out of a whole group's questions the positions from which the third man moves into `after`.
    pub(super) fn strike_third_man<F: Fn(usize) -> CellSet>(
        &self,
        first: usize,
        after: &After<F>,
        questions: &mut [Question],
    ) {
        if questions.iter().all(|question| question.open_rows().is_empty()) {
            return;
        }
        let n = self.n;
        let man = self.outer_men() - 1;
        let others = self.outer_cells(first)[..man].iter().fold(self.all_pawns(), |set, cell| set | cell.set());
        let scan = &self.kernel.scans[self.men()[man].role.index()];
        // For each row, the blocks in which it is in question and those in which it holds something.
        let (mut open, mut filled) = (EMPTY_BLOCK, EMPTY_BLOCK);
        for (i, question) in questions.iter().enumerate() {
            (open[i], filled[i]) = (question.open_rows().0, (after.rows)(first + i).0);
        }
        self.kernel.lanes.transpose(&mut open);
        self.kernel.lanes.transpose(&mut filled);
        let pass = self.kernel.passing(others);
        let row_of = |block: Cell, row: usize| after.plane[(first + block.index()) * n + row];
        for row in (0..n).step_by(2) {
            // The last row of an odd number goes with the one before it, for a second time.
            let pair = if n > 1 { [row.min(n - 2), row.min(n - 2) + 1] } else { [0, 0] };
            let filled = pair.map(|row| CellSet(filled[row]));
            let open = pair.map(|row| CellSet(open[row]));
            if (open[0] | open[1]).len() <= FEW_BLOCKS {
                for (row, (open, filled)) in pair.into_iter().zip(open.into_iter().zip(filled)) {
                    let stops = others | Cell(row as u8).set();
                    for block in open {
                        let reach = &scan.from[block.index()];
                        if reach.all.intersects(filled) {
                            let struck = before_moves(reach, stops, |to| row_of(to, row));
                            questions[block.index()].strike(Cell(row as u8), struck);
                        }
                    }
                }
            } else if !(filled[0] | filled[1]).is_empty() {
                let mut held: PairBlock = [[0; 2]; MAX_CELLS];
                for block in filled[0] | filled[1] {
                    held[block.index()] = pair.map(|row| row_of(block, row));
                }
                let mut before = [[0; 2]; MAX_CELLS];
                self.kernel.lanes.before_pairs(&scan.lines, &held, &pass_in_rows(&pass, pair), &mut before);
                for side in 0..2 {
                    for block in open[side] {
                        questions[block.index()].strike(Cell(pair[side] as u8), before[block.index()][side]);
                    }
                }
            }
        }
    }
}

/// The columns that let the third man through, for two rows: nobody passes the row man.
fn pass_in_rows(pass: &Block, rows: [usize; 2]) -> PairBlock {
    let mut pairs = pass.map(|columns| [columns; 2]);
    rows.into_iter().enumerate().for_each(|(side, row)| pairs[row][side] = 0);
    pairs
}

/// The columns of a row from which the moves of an outer man lead into what `row_of` gives for each cell that he may
/// go to. Where `stops` stand he goes no further.
pub(super) fn before_moves(reach: &Reach, stops: CellSet, row_of: impl Fn(Cell) -> u128) -> u128 {
    let mut before = reach.steps.iter().fold(0, |sum, &to| sum | row_of(Cell(to)));
    for ray in &reach.rays {
        let mut pass = u128::MAX;
        for &to in ray {
            before |= row_of(Cell(to)) & pass;
            if stops.contains(Cell(to)) {
                break;
            }
            pass &= !(1 << to);
        }
    }
    before
}

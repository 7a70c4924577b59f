//! Moves, set-wise: which positions of a block have a move into a given set of positions.
//!
//! There is one question, asked in two ways: of positions *in question*, strike out those from which a move of the
//! side to move leads into a plane ([`Space::strike_out`]). With the undecided positions and the opponent's newly lost
//! ones, what is struck out is won; with the positions not won by the opponent, what is left is lost. Each kind of
//! man is dealt with in turn until nothing is left in question, and each in the cheapest of several ways: all rows at
//! once, or row by row from the few that are in question or to the few that hold something, or position by position.
//! The third man's moves, which take a whole group of blocks, are in `third_man`.

use super::rows::{Block, EMPTY_BLOCK};
use super::space::{Kernel, Space};
use super::third_man::before_moves;
use crate::geometry::{Cell, CellSet, Color, Role};
use crate::index::MAX_MEN;

/// Up to so many rows are dealt with one by one.
const FEW_ROWS: usize = 16;
/// Up to so many positions of a block are dealt with one by one.
const FEW_POSITIONS: u32 = 64;

/// So many king moves with the same symmetry are dealt with at once.
const KING_RUN: usize = 12;

/// The positions of a block that are in question.
#[derive(Clone)]
pub struct Question {
    /// Of the rows asked, the positions still in question; the others hold leftovers.
    rows: Block,
    asked: CellSet,
    /// The rows that hold positions in question.
    open: CellSet,
}

impl Question {
    /// No question.
    pub fn nothing() -> Question {
        Question { rows: EMPTY_BLOCK, asked: CellSet::EMPTY, open: CellSet::EMPTY }
    }

    /// Puts the positions in the given rows of a block in question, and no others.
    pub fn ask(&mut self, block: &[u128], rows: CellSet) {
        self.asked = rows;
        self.open = rows;
        for row in rows {
            self.rows[row.index()] = block[row.index()];
            if block[row.index()] == 0 {
                self.open.remove(row);
            }
        }
    }

    /// The rows that were asked about.
    pub fn asked_rows(&self) -> CellSet {
        self.asked
    }

    /// The rows that still hold positions.
    pub fn open_rows(&self) -> CellSet {
        self.open
    }

    /// The positions of a row asked about that are still in question.
    pub fn row(&self, row: Cell) -> u128 {
        self.rows[row.index()]
    }

    #[inline]
    pub fn strike(&mut self, row: Cell, positions: u128) {
        let left = self.rows[row.index()] & !positions;
        self.rows[row.index()] = left;
        if left == 0 {
            self.open.remove(row);
        }
    }
}

/// A plane with, for each block, the rows that are not empty (or may be not empty).
pub struct After<'a, F: Fn(usize) -> CellSet> {
    pub plane: &'a [u128],
    pub rows: F,
}

impl Space {
    /// Strikes out of the positions in question those from which a move of `mover` other than a pawn's leads into
    /// `after`, a plane of the other side to move.
    pub fn strike_out<F: Fn(usize) -> CellSet>(
        &self,
        mover: Color,
        block: usize,
        after: &After<F>,
        question: &mut Question,
    ) {
        self.strike_moves_within(mover, block, after, question);
        self.strike_king_moves(mover, block, after, question);
        for man in 2..self.outer_men() {
            self.strike_outer_piece_moves(man, mover, block, after, question);
        }
    }

    /// [`Space::strike_out`] for a whole group of blocks (or the blocks that are left in the last).
    pub fn strike_out_group<F: Fn(usize) -> CellSet>(
        &self,
        mover: Color,
        first: usize,
        after: &After<F>,
        questions: &mut [Question],
    ) {
        for (i, question) in questions.iter_mut().enumerate() {
            self.strike_king_moves(mover, first + i, after, question);
            self.strike_moves_within(mover, first + i, after, question);
        }
        let last = self.outer_men().max(3) - 1;
        if last < self.outer_men() && self.men()[last].color == mover {
            self.strike_third_man(first, after, questions);
        }
        for (i, question) in questions.iter_mut().enumerate() {
            for man in 2..last {
                self.strike_outer_piece_moves(man, mover, first + i, after, question);
            }
        }
    }

    /// Strikes out positions from which the row man or the column man moves into `after`.
    fn strike_moves_within<F: Fn(usize) -> CellSet>(
        &self,
        mover: Color,
        block: usize,
        after: &After<F>,
        question: &mut Question,
    ) {
        let [row_man, column_man] = [self.men()[self.outer_men()], self.men()[self.outer_men() + 1]];
        if question.open.is_empty() || (row_man.color != mover && column_man.color != mover) {
            return;
        }
        let filled = (after.rows)(block);
        if filled.is_empty() {
            return;
        }
        let own = &after.plane[block * self.n..][..self.n];
        let outer = self.outer_cells(block);
        let fixed = outer[..self.outer_men()].iter().fold(self.all_pawns(), |set, c| set | c.set());
        if row_man.color == mover {
            strike_row_moves(&self.kernel, row_man.role, own, filled, fixed, question);
        }
        if column_man.color == mover && !question.open.is_empty() {
            self.strike_column_moves(own, filled, fixed, question);
        }
    }

    /// Strikes out positions from which the column man moves into `own`, the block's rows of a plane.
    fn strike_column_moves(&self, own: &[u128], filled: CellSet, fixed: CellSet, question: &mut Question) {
        let role = self.men()[self.outer_men() + 1].role;
        let rows = question.open & filled;
        let few = |row_of: &dyn Fn(Cell) -> u128| {
            let sums = rows.iter().scan(0, |sum, row| {
                *sum += row_of(row).count_ones();
                Some(*sum)
            });
            sums.into_iter().all(|sum| sum <= FEW_POSITIONS)
        };
        let variant = self.variant();
        let near = &self.kernel.scans[role.index()].from;
        if few(&|row| question.row(row)) {
            for row in rows {
                let taken = fixed | row.set();
                let goal = CellSet(own[row.index()]);
                let reaches = |from: &Cell| {
                    near[from.index()].near.intersects(goal) || variant.attacks(role, *from, taken).intersects(goal)
                };
                let struck: CellSet = CellSet(question.row(row)).iter().filter(reaches).collect();
                question.strike(row, struck.0);
            }
        } else if few(&|row| own[row.index()]) {
            let movement = variant.movement(role);
            for row in rows {
                let taken = fixed | row.set();
                let mut struck = CellSet::EMPTY;
                for to in CellSet(own[row.index()]) {
                    struck |= movement.steps_to[to.index()];
                    for &d in &movement.slides_to {
                        struck |= variant.ray(d, to, taken);
                    }
                }
                question.strike(row, struck.0);
            }
        } else {
            // The column man moves on the transposed block as the row man on the block itself.
            let mut columns = EMPTY_BLOCK;
            columns[..self.n].copy_from_slice(own);
            self.kernel.lanes.transpose(&mut columns);
            let lines = &self.kernel.scans[role.index()].lines;
            let mut before = EMPTY_BLOCK;
            self.kernel.lanes.before(lines, &columns, &self.kernel.passing(fixed), &mut before);
            self.kernel.lanes.transpose(&mut before);
            rows.iter().for_each(|row| question.strike(row, before[row.index()]));
        }
    }

    /// Strikes out positions from which an outer king moves into `after`.
    fn strike_king_moves<F: Fn(usize) -> CellSet>(
        &self,
        mover: Color,
        block: usize,
        after: &After<F>,
        question: &mut Question,
    ) {
        if question.open.is_empty() {
            return;
        }
        self.each_king_run(mover, block, |symmetry, sources| {
            let filled = sources.iter().fold(CellSet::EMPTY, |filled, &source| filled | (after.rows)(source));
            let rows = question.open & self.undone(symmetry, filled);
            if rows.is_empty() {
                return;
            }
            let map = self.variant().symmetries()[symmetry as usize].map();
            let undo = &self.kernel.undo[symmetry as usize];
            let mut blocks: [&[u128]; KING_RUN] = [&[]; KING_RUN];
            let mut count = 0;
            for &source in sources.iter().filter(|&&source| !(after.rows)(source).is_empty()) {
                blocks[count] = &after.plane[source * self.n..][..self.n];
                count += 1;
            }
            let mut strike = |row: Cell, moved: u128| {
                if moved != 0 {
                    question.strike(row, if symmetry == 0 { moved } else { undo.apply(moved) });
                }
            };
            match blocks[..count] {
                [a] => rows.iter().for_each(|row| strike(row, a[map[row.index()].index()])),
                [a, b] => rows.iter().for_each(|row| {
                    let at = map[row.index()].index();
                    strike(row, a[at] | b[at]);
                }),
                [a, b, c] => rows.iter().for_each(|row| {
                    let at = map[row.index()].index();
                    strike(row, a[at] | b[at] | c[at]);
                }),
                ref more => rows.iter().for_each(|row| {
                    let at = map[row.index()].index();
                    strike(row, more.iter().fold(0, |sum, block| sum | block[at]));
                }),
            }
        });
    }

    /// Where the cells of a set come from under a symmetry.
    #[inline]
    fn undone(&self, symmetry: u8, cells: CellSet) -> CellSet {
        let whole = cells == CellSet::first(self.n) || cells.is_empty();
        if symmetry == 0 || whole { cells } else { CellSet(self.kernel.undo[symmetry as usize].apply(cells.0)) }
    }

    /// Strikes out positions from which an outer man other than a king moves into `after`, if he is `mover`'s.
    fn strike_outer_piece_moves<F: Fn(usize) -> CellSet>(
        &self,
        man: usize,
        mover: Color,
        block: usize,
        after: &After<F>,
        question: &mut Question,
    ) {
        if self.men()[man].color != mover || question.open.is_empty() {
            return;
        }
        let outer = self.outer_cells(block);
        let others = (0..self.outer_men()).filter(|&i| i != man).fold(self.all_pawns(), |set, i| set | outer[i].set());
        let stride = self.n.pow((self.outer_men() - 1 - man) as u32);
        let base = block - outer[man].index() * stride;
        let reach = &self.kernel.scans[self.men()[man].role.index()].from[outer[man].index()];
        for row in question.open {
            let row_of = |to: Cell| after.plane[(base + to.index() * stride) * self.n + row.index()];
            question.strike(row, before_moves(reach, others | row.set(), row_of));
        }
    }

    /// Which of the `wanted` rows of a block may have another answer to [`Space::strike_out`] once the plane has
    /// changed in the rows that `changed` gives for each block.
    pub fn touched_rows(
        &self,
        mover: Color,
        block: usize,
        wanted: CellSet,
        changed: impl Fn(usize) -> CellSet,
    ) -> CellSet {
        if wanted.is_empty() {
            return wanted;
        }
        let [row_man, column_man] = [self.men()[self.outer_men()], self.men()[self.outer_men() + 1]];
        let own = changed(block);
        let mut touched = CellSet::EMPTY;
        if column_man.color == mover {
            touched |= own;
        }
        if row_man.color == mover {
            let to = &self.kernel.scans[row_man.role.index()].to;
            for row in own {
                touched |= to[row.index()].all;
                if (wanted - touched).is_empty() {
                    return wanted;
                }
            }
        }
        if self.outer_men() > 2 {
            let outer = self.outer_cells(block);
            for man in (2..self.outer_men()).filter(|&man| self.men()[man].color == mover) {
                let stride = self.n.pow((self.outer_men() - 1 - man) as u32);
                let base = block - outer[man].index() * stride;
                for to in self.kernel.scans[self.men()[man].role.index()].from[outer[man].index()].all {
                    touched |= changed(base + to.index() * stride);
                    if (wanted - touched).is_empty() {
                        return wanted;
                    }
                }
            }
        }
        self.each_king_run(mover, block, |symmetry, sources| {
            let changed = sources.iter().fold(CellSet::EMPTY, |all, &source| all | changed(source));
            if !(wanted - touched).is_empty() {
                touched |= self.undone(symmetry, changed);
            }
        });
        touched & wanted
    }

    /// Calls back with each symmetry that moves of an outer king of `mover` need, and the blocks to which they lead
    /// under it .
    fn each_king_run(&self, mover: Color, block: usize, mut visit: impl FnMut(u8, &[usize])) {
        let orbits = &self.layout.slices()[self.slice].orbits;
        let king = mover.index();
        if king >= orbits.kings() {
            return;
        }
        let per_orbit = self.layout.blocks_per_orbit();
        let (orbit, outer) = match per_orbit {
            1 => (block, [Cell(0); MAX_MEN]),
            _ => (block / per_orbit, self.outer_cells(block)),
        };
        let pieces = &outer[2.min(self.outer_men())..self.outer_men()];
        for same in orbits.moves(king, orbit).chunk_by(|a, b| a.symmetry == b.symmetry) {
            let symmetry = same[0].symmetry;
            let map = self.variant().symmetries()[symmetry as usize].map();
            let rest = pieces.iter().fold(0, |index, cell| index * self.n + map[cell.index()].index());
            for run in same.chunks(KING_RUN) {
                let mut sources = [0; KING_RUN];
                for (source, mv) in sources.iter_mut().zip(run) {
                    *source = mv.orbit as usize * per_orbit + rest;
                }
                visit(symmetry, &sources[..run.len()]);
            }
        }
    }
}

/// Strikes out positions from which the row man moves into `own`, the block's rows of a plane.
fn strike_row_moves(
    kernel: &Kernel,
    role: Role,
    own: &[u128],
    filled: CellSet,
    fixed: CellSet,
    question: &mut Question,
) {
    let scan = &kernel.scans[role.index()];
    if question.open.len() <= FEW_ROWS {
        for row in question.open {
            question.strike(row, before_moves(&scan.from[row.index()], fixed, |to| own[to.index()]));
        }
    } else if filled.len() <= FEW_ROWS {
        for row in filled {
            let held = own[row.index()];
            let reach = &scan.to[row.index()];
            reach.steps.iter().for_each(|&from| question.strike(Cell(from), held));
            for ray in &reach.rays {
                let mut pass = held;
                for &from in ray {
                    if fixed.contains(Cell(from)) || pass == 0 {
                        break;
                    }
                    question.strike(Cell(from), pass);
                    pass &= !(1 << from);
                }
            }
        }
    } else {
        let mut after = EMPTY_BLOCK;
        after[..own.len()].copy_from_slice(own);
        let mut before = EMPTY_BLOCK;
        kernel.lanes.before(&scan.lines, &after, &kernel.passing(fixed), &mut before);
        question.open.iter().for_each(|row| question.strike(row, before[row.index()]));
    }
}

//! One slice as the solver sees it: its blocks, who stands where in them, and how every man's moves lead from
//! block to block. Also which positions of a block are legal and in check.
//!
//! Two conventions hold for every plane (a row for each row index of a slice):
//! - It belongs to one side to move, and so to the positions after a move of the other side.
//! - A bit where two men share a cell stands for a *capture*: if a man of the side that has just moved stands on
//!   the cell of a man of the side to move, the first has taken the second, and the bit says something about the
//!   position without the captured man. Pawns count as men here. So scans and king moves carry captures without
//!   knowing of them. Every other bit with two men on a cell is 0.

use super::rows::{BitPermutation, Block, EMPTY_BLOCK, Scan, passing, transpose};
use crate::geometry::{Cell, CellSet, Color, Man, Variant};
use crate::index::{Layout, MAX_MEN};
use std::sync::Arc;

/// What scanning needs of a variant, computed once for all tables.
pub struct Kernel {
    scans: Vec<Scan>,
    /// For each symmetry, the permutation that undoes it.
    undo: Vec<BitPermutation>,
}

impl Kernel {
    pub fn new(variant: &Variant) -> Kernel {
        Kernel {
            scans: variant.roles().map(|role| Scan::new(variant, role)).collect(),
            undo: variant.symmetries().iter().map(|s| BitPermutation::undoing(s.map())).collect(),
        }
    }
}

/// A slice of a layout.
pub struct Space {
    pub layout: Arc<Layout>,
    pub slice: usize,
    kernel: Arc<Kernel>,
    /// Number of cells, which is also the number of rows of a block.
    pub n: usize,
    pub pawns: [CellSet; 2],
}

impl Space {
    pub fn new(kernel: Arc<Kernel>, layout: Arc<Layout>, slice: usize) -> Space {
        let pawns = layout.slices()[slice].pawns;
        Space { kernel, n: layout.cell_count(), pawns, layout, slice }
    }

    pub fn variant(&self) -> &Variant {
        self.layout.variant()
    }

    pub fn block_count(&self) -> usize {
        self.layout.block_count(self.slice)
    }

    pub fn row_count(&self) -> usize {
        self.block_count() * self.n
    }

    /// The men that are not pawns; the last two are the row man and the column man.
    pub fn men(&self) -> &[Man] {
        self.layout.men()
    }

    /// The number of outer men; also the number of the row man in [`Space::men`].
    pub fn outer_men(&self) -> usize {
        self.layout.outer_men()
    }

    /// The cells of a block's outer men.
    pub fn outer_cells(&self, block: usize) -> [Cell; MAX_MEN] {
        self.layout.outer_cells(self.slice, block)
    }

    pub fn all_pawns(&self) -> CellSet {
        self.pawns[0] | self.pawns[1]
    }

    /// The cells taken by pawns and outer men, none if two of them would share one.
    pub fn fixed_cells(&self, block: usize) -> Option<CellSet> {
        let outer = self.outer_cells(block);
        outer[..self.outer_men()]
            .iter()
            .try_fold(self.all_pawns(), |taken, cell| (!taken.contains(*cell)).then(|| taken | cell.set()))
    }

    /// Adds to `before` the positions of a block from which a move of the row man or column man of `mover` leads
    /// into `plane`, a plane of the other side to move.
    pub fn before_inner_moves(&self, mover: Color, block: usize, plane: &[u128], before: &mut Block) {
        let outer = self.outer_cells(block);
        let fixed = outer[..self.outer_men()].iter().fold(self.all_pawns(), |set, c| set | c.set());
        let pass = passing(fixed, self.n);
        let after = &plane[block * self.n..][..self.n];
        let [row_man, column_man] = [self.men()[self.outer_men()], self.men()[self.outer_men() + 1]];
        if row_man.color == mover {
            self.kernel.scans[row_man.role.index()].before_row_moves(after, &pass, before);
        }
        if column_man.color == mover {
            let mut columns = EMPTY_BLOCK;
            columns[..self.n].copy_from_slice(after);
            transpose(&mut columns);
            let mut before_columns = EMPTY_BLOCK;
            self.kernel.scans[column_man.role.index()].before_row_moves(&columns, &pass, &mut before_columns);
            transpose(&mut before_columns);
            for (row, more) in before.iter_mut().zip(before_columns) {
                *row |= more;
            }
        }
    }

    /// Adds to `before` the positions of a block from which a move of an outer man of `mover` leads into `plane`.
    /// Blocks of `plane` for which `is_empty` holds are passed over.
    pub fn before_outer_moves(
        &self,
        mover: Color,
        block: usize,
        plane: &[u128],
        is_empty: impl Fn(usize) -> bool,
        before: &mut Block,
    ) {
        let n = self.n;
        let mut gathered = EMPTY_BLOCK;
        let mut current: Option<u8> = None;
        self.each_king_move(mover, block, |symmetry, source| {
            if is_empty(source) {
                return;
            }
            if current != Some(symmetry) {
                self.add_image(current, &gathered, before);
                gathered = EMPTY_BLOCK;
                current = Some(symmetry);
            }
            for (sum, row) in gathered.iter_mut().zip(&plane[source * n..][..n]) {
                *sum |= row;
            }
        });
        self.add_image(current, &gathered, before);
        for man in 2..self.outer_men() {
            if self.men()[man].color == mover {
                self.before_outer_piece_moves(man, block, plane, &is_empty, before);
            }
        }
    }

    /// Adds rows that a symmetry has moved, moved back.
    fn add_image(&self, symmetry: Option<u8>, image: &Block, before: &mut Block) {
        let Some(symmetry) = symmetry else { return };
        if symmetry == 0 {
            before.iter_mut().zip(image).for_each(|(row, more)| *row |= more);
            return;
        }
        let map = self.variant().symmetries()[symmetry as usize].map();
        let undo = &self.kernel.undo[symmetry as usize];
        for (row, to) in before.iter_mut().zip(map) {
            let moved = image[to.index()];
            if moved != 0 {
                *row |= undo.apply(moved);
            }
        }
    }

    /// The positions from which an outer man other than a king moves into `plane`.
    fn before_outer_piece_moves(
        &self,
        man: usize,
        block: usize,
        plane: &[u128],
        is_empty: &impl Fn(usize) -> bool,
        before: &mut Block,
    ) {
        let n = self.n;
        let outer = self.outer_cells(block);
        let from = outer[man];
        let others = (0..self.outer_men()).filter(|&i| i != man).fold(self.all_pawns(), |set, i| set | outer[i].set());
        let stride = n.pow((self.outer_men() - 1 - man) as u32);
        let block_of = |cell: Cell| block - from.index() * stride + cell.index() * stride;
        let mut add = |to: Cell, between: CellSet| {
            let source = block_of(to);
            if is_empty(source) {
                return;
            }
            for (a, row) in before.iter_mut().enumerate().take(n) {
                if !between.contains(Cell(a as u8)) {
                    *row |= plane[source * n + a] & !between.0;
                }
            }
        };
        let movement = self.variant().movement(self.men()[man].role);
        movement.steps[from.index()].iter().for_each(|to| add(to, CellSet::EMPTY));
        for &d in &movement.slides {
            let direction = &self.variant().directions()[d];
            let mut between = CellSet::EMPTY;
            let mut at = self.variant().board().neighbour(from, direction.vector);
            while let Some(to) = at {
                add(to, between);
                if others.contains(to) {
                    break;
                }
                between.insert(to);
                at = self.variant().board().neighbour(to, direction.vector);
            }
        }
    }

    /// Calls back with the symmetry and the block of each move of an outer king of `mover`, by symmetry.
    fn each_king_move(&self, mover: Color, block: usize, mut visit: impl FnMut(u8, usize)) {
        let orbits = &self.layout.slices()[self.slice].orbits;
        let per_orbit = self.layout.blocks_per_orbit();
        let king = mover.index();
        if king >= orbits.kings() {
            return;
        }
        let outer = self.outer_cells(block);
        for mv in orbits.moves(king, block / per_orbit) {
            let map = self.variant().symmetries()[mv.symmetry as usize].map();
            let pieces = &outer[2.min(self.outer_men())..self.outer_men()];
            let rest = pieces.iter().fold(0, |index, cell| index * self.n + map[cell.index()].index());
            visit(mv.symmetry, mv.orbit as usize * per_orbit + rest);
        }
    }

    /// Whether `hit` holds for a block that one move of an outer man of `mover` leads to.
    pub fn any_outer_neighbour(&self, mover: Color, block: usize, hit: impl Fn(usize) -> bool) -> bool {
        let mut found = false;
        self.each_king_move(mover, block, |_, source| found |= hit(source));
        let outer = self.outer_cells(block);
        (2..self.outer_men()).filter(|&man| self.men()[man].color == mover).for_each(|man| {
            let stride = self.n.pow((self.outer_men() - 1 - man) as u32);
            let base = block - outer[man].index() * stride;
            found |= (0..self.n).any(|cell| hit(base + cell * stride));
        });
        found
    }

    /// The rows of a block in which all men stand apart and the side to move is `turn`: those where the other
    /// side's king is not attacked, and among them those where `turn`'s own king is.
    pub fn legal_and_check(&self, turn: Color, block: usize) -> (Block, Block) {
        let (mut legal, mut check) = (EMPTY_BLOCK, EMPTY_BLOCK);
        let Some(fixed) = self.fixed_cells(block) else { return (legal, check) };
        let outer = self.outer_cells(block);
        for a in (0..self.n).map(|a| Cell(a as u8)) {
            if fixed.contains(a) {
                continue;
            }
            let mut known = outer;
            known[self.outer_men()] = a;
            let taken = fixed | a.set();
            let apart = self.variant().board().all() - taken;
            let attacked = |by: Color| self.columns_with_king_attacked(&known[..=self.outer_men()], taken, by);
            legal[a.index()] = (apart - attacked(turn)).0;
            check[a.index()] = legal[a.index()] & attacked(turn.other()).0;
        }
        (legal, check)
    }

    /// The cells of the column man with which `by` attacks the enemy king, the other men standing on `known`.
    fn columns_with_king_attacked(&self, known: &[Cell], taken: CellSet, by: Color) -> CellSet {
        let variant = self.variant();
        let king = by.other().index();
        let pawn_rules = variant.pawn_rules(by);
        let column_man = self.men()[known.len()];
        if king == known.len() {
            // The column man is the king itself: the cells that the others attack.
            let pieces = known.iter().zip(self.men()).filter(|(_, man)| man.color == by);
            let attacked =
                pieces.fold(CellSet::EMPTY, |set, (&cell, man)| set | variant.attacks(man.role, cell, taken));
            return self.pawns[by.index()].iter().fold(attacked, |set, cell| set | pawn_rules.captures[cell.index()]);
        }
        let king = known[king];
        if pawn_rules.captured_from[king.index()].intersects(self.pawns[by.index()]) {
            return variant.board().all();
        }
        let mut columns = CellSet::EMPTY;
        for (&cell, man) in known.iter().zip(self.men()).filter(|(_, man)| man.color == by) {
            let movement = variant.movement(man.role);
            if movement.steps[cell.index()].contains(king) {
                return variant.board().all();
            }
            for &d in &movement.slides_to {
                let ray = variant.ray(d, king, taken);
                if ray.contains(cell) {
                    // Attacked unless the column man stands between.
                    columns |= variant.board().all() - (ray - cell.set());
                }
            }
        }
        if column_man.color == by {
            let movement = variant.movement(column_man.role);
            columns |= movement.steps_to[king.index()];
            for &d in &movement.slides_to {
                columns |= variant.ray(d, king, taken);
            }
        }
        columns
    }
}

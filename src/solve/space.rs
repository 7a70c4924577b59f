//! One slice as the solver sees it: its blocks, who stands where in them, and which positions are legal and in check.
//! How moves lead from block to block is in `moves`.
//!
//! Two conventions hold for every plane (a row for each row index of a slice):
//! - It belongs to one side to move, and so to the positions after a move of the other side.
//! - A bit where two men share a cell stands for a *capture*: if a man of the side that has just moved stands on
//!   the cell of a man of the side to move, the first has taken the second, and the bit says something about the
//!   position without the captured man. Pawns count as men here. So scans and king moves carry captures without
//!   knowing of them. Every other bit with two men on a cell is 0.

use super::agenda::{Agendas, Item};
use super::events::{Events, Positions};
use super::idle::Idle;
use super::lanes::Lanes;
use super::moves::Question;
use super::rows::{Block, EMPTY_BLOCK, Scan};
use crate::geometry::{BitPermutation, Cell, CellSet, Color, Man, Variant};
use crate::index::{Arena, Layout, MAX_MEN, Plane, RowRules};
use std::io;
use std::sync::Arc;

/// So many bytes of planes an arena keeps for later if nobody says otherwise.
const MOST_IDLE: u64 = 256 << 20;

/// So many blocks are dealt with at a time where there is no third man to group them by.
const FEW_BLOCKS: usize = 8;

/// What solving needs of a variant, computed once for all tables, and where planes come from.
pub struct Kernel {
    pub(super) scans: Vec<Scan>,
    /// For each symmetry, the permutation that undoes it.
    pub(super) undo: Vec<BitPermutation>,
    /// For each cell, all columns but the cell itself.
    pass: Block,
    pub(super) lanes: Lanes,
    arena: Arc<Arena>,
    idle_pages: Arc<Idle<Positions>>,
    pub(super) idle_items: Arc<Idle<Item>>,
}

impl Kernel {
    pub fn new(variant: &Variant) -> Kernel {
        Kernel {
            scans: variant.roles().map(|role| Scan::new(variant, role)).collect(),
            undo: (0..variant.symmetries().len()).map(|g| variant.undoing(g, false).clone()).collect(),
            pass: std::array::from_fn(|cell| !(1 << cell)),
            lanes: Lanes::fastest(),
            arena: Arena::in_memory(MOST_IDLE),
            idle_pages: Arc::default(),
            idle_items: Arc::default(),
        }
    }

    /// The same with other instructions.
    pub fn with_lanes(self, lanes: Lanes) -> Kernel {
        Kernel { lanes, ..self }
    }

    /// Puts the columns of a block's rows `from` into the rows `to`.
    pub fn transpose(&self, from: &[u128], to: &mut [u128]) {
        let mut block = EMPTY_BLOCK;
        block[..from.len()].copy_from_slice(from);
        self.lanes.transpose(&mut block);
        to.copy_from_slice(&block[..from.len()]);
    }

    /// Adds to the rows of a block its columns.
    pub fn add_transposed(&self, rows: &mut [u128]) {
        let mut columns = EMPTY_BLOCK;
        self.transpose(rows, &mut columns[..rows.len()]);
        rows.iter_mut().zip(columns).for_each(|(row, column)| *row |= column);
    }

    /// The same with planes from another arena.
    pub fn with_arena(self, arena: Arc<Arena>) -> Kernel {
        Kernel { arena, ..self }
    }

    /// The `pass` of [`Lines::before`](super::lines::Lines::before) when men always stand on `fixed`.
    pub(super) fn passing(&self, fixed: CellSet) -> Block {
        let mut pass = self.pass;
        fixed.iter().for_each(|cell| pass[cell.index()] = 0);
        pass
    }

    /// Gives up the lists that are kept for the next slice.
    pub(super) fn give_up_lists(&self) {
        self.idle_pages.give_up();
        self.idle_items.give_up();
    }

    /// Where planes come from.
    pub fn arena(&self) -> &Arc<Arena> {
        &self.arena
    }
}

/// A slice of a layout.
pub struct Space {
    pub layout: Arc<Layout>,
    pub slice: usize,
    pub(super) kernel: Arc<Kernel>,
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

    /// A plane of the slice without any position.
    ///
    /// # Errors
    /// Those of making planes, see [`Arena`].
    pub fn zeroed_plane(&self) -> io::Result<Plane> {
        self.kernel.arena.zeroed(self.row_count())
    }

    /// A plane of the slice with anything in it.
    ///
    /// # Errors
    /// As of [`Space::zeroed_plane`].
    pub fn stale_plane(&self) -> io::Result<Plane> {
        self.kernel.arena.stale(self.row_count())
    }

    /// A file of positions with nothing in it.
    pub(super) fn events(&self) -> Events {
        Events::new(self.kernel.idle_pages.clone())
    }

    /// Agendas with nothing on them.
    pub(super) fn empty_agendas(&self) -> Agendas {
        Agendas::empty(self.group_count(), self.kernel.idle_items.clone())
    }

    pub fn group_count(&self) -> usize {
        self.block_count().div_ceil(self.group_len())
    }

    /// The number of consecutive blocks that are best dealt with together: those that differ in the last outer man's
    /// cell alone.
    pub fn group_len(&self) -> usize {
        if self.outer_men() > 2 { self.n } else { FEW_BLOCKS }
    }

    /// A question for each block of a group, nothing asked yet.
    pub fn questions(&self) -> Vec<Question> {
        vec![Question::nothing(); self.group_len().min(self.block_count())]
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
        if self.outer_men() > 2 {
            return self.layout.outer_cells(self.slice, block);
        }
        let [white, black] = self.layout.slices()[self.slice].orbits.representative(block);
        let mut cells = [Cell(0); MAX_MEN];
        (cells[0], cells[1]) = (white, black);
        cells
    }

    pub fn all_pawns(&self) -> CellSet {
        self.pawns[0] | self.pawns[1]
    }

    /// What the rules say of the slice's rows.
    fn rows(&self) -> RowRules<'_> {
        RowRules { variant: self.variant(), men: self.men(), pawns: self.pawns }
    }

    /// The cells taken by pawns and outer men, none if two of them would share one.
    pub fn fixed_cells(&self, block: usize) -> Option<CellSet> {
        let outer = self.outer_cells(block);
        outer[..self.outer_men()]
            .iter()
            .try_fold(self.all_pawns(), |taken, cell| (!taken.contains(*cell)).then(|| taken | cell.set()))
    }

    /// Fills the rows of a block with the legal positions: all men stand apart, and with `turn` to move the other
    /// side's king is not attacked.
    pub fn fill_legal(&self, turn: Color, block: usize, legal: &mut [u128]) {
        legal.fill(0);
        let Some(fixed) = self.fixed_cells(block) else { return };
        let mut known = self.outer_cells(block);
        for a in self.variant().board().all() - fixed {
            known[self.outer_men()] = a;
            let taken = fixed | a.set();
            let apart = self.variant().board().all() - taken;
            let attacked = self.rows().king_attacked(&known[..=self.outer_men()], taken, turn);
            legal[a.index()] = (apart - attacked).0;
        }
    }

    /// The columns of a row of the slice, all men apart, in which the king of `turn` is attacked.
    pub fn check_in_row(&self, turn: Color, row: usize) -> u128 {
        let (block, a) = (row / self.n, Cell((row % self.n) as u8));
        let Some(fixed) = self.fixed_cells(block) else { return 0 };
        let mut known = self.outer_cells(block);
        known[self.outer_men()] = a;
        self.rows().king_attacked(&known[..=self.outer_men()], fixed | a.set(), turn.other()).0
    }
}

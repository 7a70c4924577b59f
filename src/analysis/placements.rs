//! Walks every legal placement of a material's men, straight from the board.
//!
//! Equal men are interchangeable, so their cells come in ascending order; both sides are to move in turn; no
//! position has a right to capture en passant. Must know nothing of any table's index.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::Progress;
use super::orbits::Orbits;
use crate::geometry::{Cell, CellSet, Color, Man, Role, Variant};
use crate::index::Material;
use crate::position::{Position, legality};

/// Which placements to walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// Each one, with weight 1.
    None,
    /// Those with White's king on one cell of each orbit, with the orbit's size as weight.
    ///
    /// There is one white king, so this counts every position exactly once. It is no canonical form: images
    /// that keep the king's cell are walked apart.
    Orbits,
}

/// A share of a walk: where the first men stand.
#[derive(Clone, Debug)]
struct Part {
    cells: Vec<Cell>,
    weight: u64,
}

/// All placements of a material.
pub struct Placements<'v> {
    variant: &'v Variant,
    /// The pawns first, so that a walk comes to all positions with the same pawns together; then the kings.
    men: Vec<Man>,
    pawn_count: usize,
    /// For each man, the cells on which it can stand.
    cells: Vec<CellSet>,
    /// The cells of White's king with their weights.
    roots: Vec<(Cell, u64)>,
}

impl<'v> Placements<'v> {
    /// The placements of a material, not yet walked.
    pub fn new(variant: &'v Variant, material: &Material, fold: Fold) -> Placements<'v> {
        let (pawns, others): (Vec<Man>, Vec<Man>) =
            material.men_in_order().into_iter().partition(|man| man.role == variant.pawn());
        let men = [&pawns[..], &others].concat();
        let all = variant.board().all();
        let room = |man: &Man| if man.role == variant.pawn() { variant.pawn_rules(man.color).placement } else { all };
        let roots = match fold {
            Fold::None => variant.board().cells().map(|c| (c, 1)).collect(),
            Fold::Orbits => {
                let orbits = Orbits::new(variant, material.has_pawns(variant));
                orbits.representatives.into_iter().zip(orbits.sizes).collect()
            }
        };
        Placements { variant, cells: men.iter().map(room).collect(), pawn_count: pawns.len(), men, roots }
    }

    /// Calls `visit` for every legal position, on all threads of the current rayon pool, and merges what the
    /// threads gathered in the order of the walk.
    ///
    /// `visit` is given a state that starts as `start()`, the position and its weight. Progress counts placements of
    /// the pawns and White's king; of both kings where there are no pawns.
    ///
    /// # Errors
    /// The first error of `visit` that is seen; the walk stops early.
    pub fn walk<T: Send, E: Send>(
        &self,
        progress: Progress,
        start: impl Fn() -> T + Sync,
        visit: impl Fn(&mut T, &Position, u64) -> Result<(), E> + Sync,
        merge: impl Fn(T, T) -> T + Sync,
    ) -> Result<T, E> {
        let parts = self.parts();
        let done = AtomicU64::new(0);
        let walked = parts.par_iter().map(|part| {
            let mut state = start();
            self.walk_part(part, &mut |position, weight| visit(&mut state, position, weight))?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len() as u64);
            Ok(state)
        });
        walked.try_reduce(&start, |a, b| Ok(merge(a, b)))
    }

    /// All placements of the pawns; one without any if there are none.
    pub fn of_pawns(&self) -> Vec<Vec<Cell>> {
        self.first_men(self.pawn_count).into_iter().map(|part| part.cells).collect()
    }

    /// A legal position drawn evenly from all with the pawns on these cells (one of [`Placements::of_pawns`]), or
    /// none if a million tries do not find one.
    pub fn random(&self, pawns: &[Cell], random: &mut Random) -> Option<Position> {
        'tries: for _ in 0..1_000_000 {
            let mut position = Position::empty(if random.below(2) == 0 { Color::White } else { Color::Black });
            self.men.iter().zip(pawns).for_each(|(&pawn, &cell)| position.put(pawn, cell));
            for (&man, room) in self.men.iter().zip(&self.cells).skip(pawns.len()) {
                // A material of more men than cells never finds room; every other one does soon.
                let cell = room.iter().nth(random.below(room.len().max(1)));
                match cell {
                    Some(cell) if !position.occupied().contains(cell) => position.put(man, cell),
                    _ => continue 'tries,
                }
            }
            if legality::check_men(self.variant, &position).is_ok() {
                return Some(position);
            }
        }
        None
    }

    fn parts(&self) -> Vec<Part> {
        self.first_men(if self.pawn_count == 0 { 2 } else { self.pawn_count + 1 })
    }

    /// All placements of the first men, like men in ascending order.
    fn first_men(&self, count: usize) -> Vec<Part> {
        let mut parts = vec![Part { cells: vec![], weight: 1 }];
        for man in 0..count {
            let with_next = |part: &Part| -> Vec<Part> {
                let previous = part.cells.last().copied();
                let taken = part.cells.iter().copied().collect();
                let places = self.places(man, previous, taken);
                let with =
                    |(cell, weight)| Part { cells: [&part.cells[..], &[cell]].concat(), weight: part.weight * weight };
                places.into_iter().map(with).collect()
            };
            parts = parts.iter().flat_map(with_next).collect();
        }
        parts
    }

    /// Where a man can stand when the one before it stands on `previous`, each cell with its weight.
    fn places(&self, man: usize, previous: Option<Cell>, taken: CellSet) -> Vec<(Cell, u64)> {
        let mut free = self.cells[man] - taken;
        if let Some(previous) = previous.filter(|_| self.men[man - 1] == self.men[man]) {
            free = free - CellSet::first(previous.index() + 1);
        }
        match self.men[man] == (Man { color: Color::White, role: Role::KING }) {
            true => self.roots.iter().copied().filter(|(cell, _)| free.contains(*cell)).collect(),
            false => free.iter().map(|cell| (cell, 1)).collect(),
        }
    }

    fn walk_part<E>(&self, part: &Part, visit: &mut impl FnMut(&Position, u64) -> Result<(), E>) -> Result<(), E> {
        let mut position = Position::empty(Color::White);
        self.men.iter().zip(&part.cells).for_each(|(&man, &cell)| position.put(man, cell));
        let (next, previous) = (part.cells.len(), part.cells.last().copied());
        self.place(next, previous, part.weight, &mut position, &mut |p, weight| visit(p, weight))
    }

    /// Places the men from number `next` on; `previous` is where the last man went.
    fn place<E>(
        &self,
        next: usize,
        previous: Option<Cell>,
        weight: u64,
        position: &mut Position,
        visit: &mut impl FnMut(&Position, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(&man) = self.men.get(next) else {
            for turn in Color::BOTH {
                position.set_turn(turn);
                if legality::check_men(self.variant, position).is_ok() {
                    visit(position, weight)?;
                }
            }
            return Ok(());
        };
        for (cell, of_cell) in self.places(next, previous, position.occupied()) {
            position.put(man, cell);
            self.place(next + 1, Some(cell), weight * of_cell, position, visit)?;
            position.take(man, cell);
        }
        Ok(())
    }
}

/// A small generator of random numbers (SplitMix64), the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is small enough for the bias of a plain product not to matter.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }
}

//! Walks every legal placement of a material's men, straight from the board.
//!
//! Equal men are interchangeable, so their cells come in ascending order; both sides are to move in turn; no
//! position has a right to capture en passant. Must know nothing of any table's index.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::Progress;
use super::orbits::{Orbits, men_in_order};
use crate::geometry::{Cell, CellSet, Color, Man, Variant};
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

/// A share of a walk: where the kings stand.
#[derive(Clone, Copy, Debug)]
struct Part {
    kings: [Cell; 2],
    weight: u64,
}

/// All placements of a material.
pub struct Placements<'v> {
    variant: &'v Variant,
    men: Vec<Man>,
    /// For each man, the cells on which it can stand.
    cells: Vec<CellSet>,
    /// The cells of White's king with their weights.
    roots: Vec<(Cell, u64)>,
}

impl<'v> Placements<'v> {
    /// The placements of a material, not yet walked.
    pub fn new(variant: &'v Variant, material: &Material, fold: Fold) -> Placements<'v> {
        let men = men_in_order(material);
        let all = variant.board().all();
        let room = |man: &Man| if man.role == variant.pawn() { variant.pawn_rules(man.color).placement } else { all };
        let roots = match fold {
            Fold::None => variant.board().cells().map(|c| (c, 1)).collect(),
            Fold::Orbits => {
                let orbits = Orbits::new(variant, material.has_pawns(variant));
                orbits.representatives.into_iter().zip(orbits.sizes).collect()
            }
        };
        Placements { variant, cells: men.iter().map(room).collect(), men, roots }
    }

    /// Calls `visit` for every legal position, on all threads of the current rayon pool, and merges what the
    /// threads gathered in the order of the walk.
    ///
    /// `visit` is given a state that starts as `start()`, the position and its weight. Progress counts pairs of
    /// cells of the kings.
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

    /// A legal position drawn evenly from all, or none if a million tries do not find one.
    pub fn random(&self, random: &mut Random) -> Option<Position> {
        'tries: for _ in 0..1_000_000 {
            let mut position = Position::empty(if random.below(2) == 0 { Color::White } else { Color::Black });
            for (&man, room) in self.men.iter().zip(&self.cells) {
                // A material of more pawns than cells never finds room; every other one does soon.
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
        let black = self.cells[1];
        let with_black = |&(white, weight): &(Cell, u64)| {
            black.iter().filter(move |&b| b != white).map(move |b| Part { kings: [white, b], weight })
        };
        self.roots.iter().flat_map(with_black).collect()
    }

    fn walk_part<E>(&self, part: &Part, visit: &mut impl FnMut(&Position, u64) -> Result<(), E>) -> Result<(), E> {
        let mut position = Position::empty(Color::White);
        position.put(self.men[0], part.kings[0]);
        position.put(self.men[1], part.kings[1]);
        self.place(2, None, &mut position, &mut |p| visit(p, part.weight))
    }

    /// Places the men from number `next` on; `previous` is where the last man went.
    fn place<E>(
        &self,
        next: usize,
        previous: Option<Cell>,
        position: &mut Position,
        visit: &mut impl FnMut(&Position) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(&man) = self.men.get(next) else {
            for turn in Color::BOTH {
                position.set_turn(turn);
                if legality::check_men(self.variant, position).is_ok() {
                    visit(position)?;
                }
            }
            return Ok(());
        };
        let mut free = self.cells[next] - position.occupied();
        if let Some(previous) = previous.filter(|_| self.men[next - 1] == man) {
            free = free - CellSet::first(previous.index() + 1);
        }
        for cell in free {
            position.put(man, cell);
            self.place(next + 1, Some(cell), position, visit)?;
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

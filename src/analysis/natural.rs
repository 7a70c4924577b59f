//! A material's positions in their natural order: as one would list them without knowing of any table.
//!
//! The men come as in the material's name, after the two kings. The first king goes to one cell of each orbit, every
//! other man to all cells of the board, the last one fastest. Nothing is left out: placements that are no legal
//! position have their place as well, and like men come in every order. So a program that loads the list finds a
//! position by arithmetic alone, and the size of the list compressed is a yardstick for that of tables.

use super::Progress;
use super::orbits::Orbits;
use crate::geometry::{Cell, Color, Man, Variant};
use crate::index::Material;
use crate::oracle::ProbeError;
use crate::position::{Position, legality};
use rayon::prelude::*;

/// So many placements of the two kings are dealt with at once, for each thread.
const PARTS_AT_ONCE: usize = 4;

/// The list of one material's positions.
pub struct NaturalOrder<'v> {
    variant: &'v Variant,
    men: Vec<Man>,
    first_king: Vec<Cell>,
}

impl<'v> NaturalOrder<'v> {
    pub fn new(variant: &'v Variant, material: &Material) -> NaturalOrder<'v> {
        let first_king = Orbits::new(variant, material.has_pawns(variant)).representatives;
        NaturalOrder { variant, men: material.men_in_order(), first_king }
    }

    /// The men, slowest first.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// The cells that the first king goes to, in order.
    pub fn first_king(&self) -> &[Cell] {
        &self.first_king
    }

    /// How many places there are for each man.
    pub fn shape(&self) -> Vec<usize> {
        let others = std::iter::repeat_n(self.variant.board().cell_count(), self.men.len() - 1);
        [self.first_king.len()].into_iter().chain(others).collect()
    }

    /// Passes to `take`, in order and in runs of any length, what `ask` says of all placements with `turn` to move; none
    /// for one that is no legal position. Progress counts placements of the two kings.
    ///
    /// # Errors
    /// Those of `ask` and of `take`.
    pub fn walk<T: Clone + Send, E: From<ProbeError> + Send>(
        &self,
        ask: impl Fn(&Position) -> Result<T, ProbeError> + Sync,
        turn: Color,
        progress: Progress,
        mut take: impl FnMut(&[Option<T>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let cells = || self.variant.board().cells();
        let parts: Vec<[Cell; 2]> = self.first_king.iter().flat_map(|&a| cells().map(move |b| [a, b])).collect();
        let mut done = 0;
        for parts_at_once in parts.chunks(PARTS_AT_ONCE * rayon::current_num_threads()) {
            let of_part = |kings: &[Cell; 2]| -> Result<Vec<Option<T>>, E> {
                let mut found = vec![];
                let mut position = Position::empty(turn);
                position.put(self.men[0], kings[0]);
                match position.occupied().contains(kings[1]) {
                    true => self.skip(2, &mut found),
                    false => {
                        position.put(self.men[1], kings[1]);
                        self.list(&position, 2, &ask, &mut found)?;
                    }
                }
                Ok(found)
            };
            let found: Vec<_> = parts_at_once.par_iter().map(of_part).collect();
            for found in found {
                take(&found?)?;
            }
            done += parts_at_once.len();
            progress(done as u64, parts.len() as u64);
        }
        Ok(())
    }

    /// Lists the placements in which the men before number `man` stand as in `position`.
    fn list<T: Clone>(
        &self,
        position: &Position,
        man: usize,
        ask: &impl Fn(&Position) -> Result<T, ProbeError>,
        found: &mut Vec<Option<T>>,
    ) -> Result<(), ProbeError> {
        if man == self.men.len() {
            let legal = legality::check_men(self.variant, position).is_ok();
            found.push(if legal { Some(ask(position)?) } else { None });
            return Ok(());
        }
        for cell in self.variant.board().cells() {
            if position.occupied().contains(cell) {
                self.skip(man + 1, found);
                continue;
            }
            let mut position = *position;
            position.put(self.men[man], cell);
            self.list(&position, man + 1, ask, found)?;
        }
        Ok(())
    }

    /// Lists the placements of the men from number `man` on, after two others that share a cell.
    fn skip<T: Clone>(&self, man: usize, found: &mut Vec<Option<T>>) {
        let count = self.variant.board().cell_count().pow((self.men.len() - man) as u32);
        found.resize(found.len() + count, None);
    }
}

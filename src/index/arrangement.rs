//! Arrangements: numberings of a material's rows in which any man may be the column man.
//!
//! The solver's [`Layout`](super::Layout) takes the men as their name has them. A file is free to choose, and much
//! smaller if it chooses well: the moves of the column man lead from one position of a row to another, so that of a
//! lone king's row one side to move tells nearly all of the other.
//!
//! An arrangement's men are the *root*, which is a king, the men in the middle, and the column man, which is no pawn.
//! The root stands on one cell of each of its orbits under the material's symmetries, and the first man in the middle
//! on one of each orbit under the symmetries that keep the root's cell. Such pairs of cells are numbered in ascending
//! order, and
//!
//! ```text
//! row = (pair * n + next man's cell) * n + next man's cell ...      n = number of cells
//! ```
//!
//! Like men stand in ascending order. What is stored of a row are its legal positions. Some positions that a symmetry
//! takes to each other are stored twice: where root and first man stand on its axis.

use super::legal::RowRules;
use super::material::{MOST_MEN, Material};
use crate::geometry::{Cell, CellSet, Color, Man, Role, Variant};
use crate::position::Position;
use std::sync::Arc;

/// A numbering of rows.
pub struct Arrangement {
    variant: Arc<Variant>,
    material: Material,
    /// Root, middle, column man.
    men: Vec<Man>,
    /// For each cell, the symmetries that take it to where the root stands: a bit for each, the first the lowest.
    to_root: Vec<u32>,
    /// The cells of root and first man in the middle; of the root alone if there is no middle.
    pairs: Vec<[Cell; 2]>,
    /// For each cell of the root the number of its first pair, and the cells of the second man, one for each pair.
    pairs_of: Vec<(u32, CellSet)>,
    /// Pairs of like men, by their places in `men`.
    like: Vec<[usize; 2]>,
}

impl Arrangement {
    /// The arrangement of a material's men in this order; none if they are not its men, do not begin with a king or end
    /// with a pawn.
    pub fn new(variant: &Arc<Variant>, material: &Material, men: &[Man]) -> Option<Arrangement> {
        let sorted = |men: &[Man]| {
            let mut men = men.to_vec();
            men.sort_by_key(|man| (man.color.index(), man.role));
            men
        };
        let same = sorted(men) == sorted(&material.men_in_order());
        if !same || men[0].role != Role::KING || men[men.len() - 1].role == variant.pawn() {
            return None;
        }
        let group: Vec<usize> = match material.has_pawns(variant) {
            true => variant.pawn_symmetries().to_vec(),
            false => (0..variant.symmetries().len()).collect(),
        };
        let board = variant.board();
        let image = |g: usize, cell: Cell| variant.symmetries()[g].apply(cell);
        let lowest = |cell: Cell| group.iter().map(|&g| image(g, cell)).min().unwrap_or(cell);
        let to_root = |cell: Cell| -> u32 {
            let taking = group.iter().filter(|&&g| image(g, cell) == lowest(cell));
            taking.fold(0, |all, &g| all | 1 << g)
        };
        let to_root: Vec<u32> = board.cells().map(to_root).collect();
        let (mut pairs, mut pairs_of) = (vec![], vec![(0, CellSet::EMPTY); board.cell_count()]);
        for root in board.cells().filter(|&cell| lowest(cell) == cell) {
            let keeping = || group.iter().filter(|&&g| to_root[root.index()] >> g & 1 != 0);
            let first = |cell: &Cell| keeping().all(|&g| image(g, *cell) >= *cell);
            let seconds: CellSet = match men.len() > 2 {
                true => board.cells().filter(first).collect(),
                false => root.set(),
            };
            pairs_of[root.index()] = (pairs.len() as u32, seconds);
            pairs.extend(seconds.iter().map(|second| [root, second]));
        }
        let places = 0..men.len();
        let like =
            places.clone().flat_map(|b| (0..b).map(move |a| [a, b])).filter(|&[a, b]| men[a] == men[b]).collect();
        Some(Arrangement {
            variant: variant.clone(),
            material: material.clone(),
            men: men.to_vec(),
            to_root,
            pairs,
            pairs_of,
            like,
        })
    }

    /// The orders of a material's men that are worth trying: each kind of man but pawns and one king as the column man,
    /// the root a king of White if there is a choice, the others as in the name.
    pub fn choices(variant: &Variant, material: &Material) -> Vec<Vec<Man>> {
        let men = material.men_in_order();
        let mut choices: Vec<Vec<Man>> = vec![];
        for column in (1..men.len()).rev().chain([0]).filter(|&column| men[column].role != variant.pawn()) {
            let mut order = men.clone();
            let column_man = order.remove(column);
            order.push(column_man);
            // White's king as the column man is of use where Black's is not alone.
            if choices.iter().all(|known| known.last() != Some(&column_man)) {
                choices.push(order);
            }
        }
        choices
    }

    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Root, middle and column man.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// The men that stand still in a row.
    pub fn known(&self) -> &[Man] {
        &self.men[..self.men.len() - 1]
    }

    pub fn column_man(&self) -> Man {
        self.men[self.men.len() - 1]
    }

    /// The men as FEN letters.
    pub fn name(&self) -> String {
        self.men.iter().map(|&man| self.variant.man_letter(man)).collect()
    }

    /// How many sides to move are stored: White alone where both sides have the same men.
    pub fn sides(&self) -> usize {
        if self.material.is_symmetric() { 1 } else { 2 }
    }

    /// The number of rows with one side to move.
    pub fn rows(&self) -> usize {
        self.pairs.len() * self.variant.board().cell_count().pow(self.men.len().saturating_sub(3) as u32)
    }

    /// Where the men of a row stand, but for the column man; of as many as [`Arrangement::known`] has.
    #[inline]
    pub fn cells(&self, row: usize) -> [Cell; MOST_MEN] {
        let n = self.variant.board().cell_count();
        let mut cells = [Cell(0); MOST_MEN];
        let mut rest = row;
        for at in (2..self.men.len() - 1).rev() {
            cells[at] = Cell((rest % n) as u8);
            rest /= n;
        }
        cells[..2].copy_from_slice(&self.pairs[rest]);
        cells
    }

    /// The rows in which the pawns stand on these cells, in ascending order.
    pub fn rows_with_pawns(&self, pawns: [CellSet; 2]) -> Vec<usize> {
        let n = self.variant.board().cell_count();
        let last = self.men.len() - 1;
        let mut left = pawns.map(|pawns| pawns.iter());
        // For each man but the column man, his cells; like men stand in ascending order.
        let cells_of = |man: &Man| match man.role == self.variant.pawn() {
            true => left[man.color.index()].next().map_or(CellSet::EMPTY, Cell::set),
            false => self.variant.board().all(),
        };
        let cells: Vec<CellSet> = self.men[..last].iter().map(cells_of).collect();
        let second = cells.get(1).copied().unwrap_or(self.variant.board().all());
        let pairs = self.pairs.iter().enumerate().filter(|(_, pair)| second.contains(pair[1]));
        let mut rows: Vec<usize> = pairs.map(|(pair, _)| pair).collect();
        for cells in cells.iter().skip(2) {
            rows = rows.iter().flat_map(|row| cells.iter().map(move |cell| row * n + cell.index())).collect();
        }
        rows
    }

    /// The columns that are stored of the row with these cells: legal positions, like men in ascending order.
    pub fn stored(&self, cells: &[Cell], turn: Color) -> CellSet {
        let last = self.men.len() - 1;
        let mut above = None;
        for &[a, b] in &self.like {
            if b == last {
                above = above.max(Some(cells[a]));
            } else if cells[a] >= cells[b] {
                return CellSet::EMPTY;
            }
        }
        let pawn = self.variant.pawn();
        let misplaced = |(man, cell): (&Man, &Cell)| {
            man.role == pawn && !self.variant.pawn_rules(man.color).placement.contains(*cell)
        };
        if self.known().iter().zip(cells).any(misplaced) {
            return CellSet::EMPTY;
        }
        let rules = RowRules { variant: &self.variant, men: &self.men, pawns: [CellSet::EMPTY; 2] };
        let legal = rules.legal(&cells[..last], turn);
        above.map_or(legal, |above| legal - CellSet::first(above.index() + 1))
    }

    /// The side to move, row and column of a legal position; `swapped` tells that White has the second side of the
    /// material's name.
    ///
    /// # Panics
    /// If the position is not of this material, or a pawn stands where none can.
    pub fn locate(&self, position: &Position, swapped: bool) -> (Color, usize, Cell) {
        let variant = &self.variant;
        let swap = if self.material.is_symmetric() { position.turn() == Color::Black } else { swapped };
        let turn = if swap { position.turn().other() } else { position.turn() };
        let mut cells = [Cell(0); MOST_MEN];
        let mut taken = CellSet::EMPTY;
        for (cell, man) in cells.iter_mut().zip(&self.men) {
            let color = if swap { man.color.other() } else { man.color };
            // Of like men any: they are put in order below.
            let found = (position.men(color, man.role) - taken).lowest().expect("the position is of this material");
            taken.insert(found);
            *cell = if swap { variant.colour_swap().apply(found) } else { found };
        }
        let (row, column) = self.locate_cells(&cells);
        (turn, row, column)
    }

    /// The row and column of the position with the men on these cells, like men in any order.
    #[inline]
    pub fn locate_cells(&self, cells: &[Cell; MOST_MEN]) -> (usize, Cell) {
        let n = self.variant.board().cell_count();
        let last = self.men.len() - 1;
        let mut taking = self.to_root[cells[0].index()];
        while taking != 0 {
            let map = self.variant.symmetries()[taking.trailing_zeros() as usize].map();
            taking &= taking - 1;
            let mut mapped = cells.map(|cell| map[cell.index()]);
            for &[a, b] in &self.like {
                if mapped[a] > mapped[b] {
                    mapped.swap(a, b);
                }
            }
            let second = if last > 1 { mapped[1] } else { mapped[0] };
            let (first, seconds) = self.pairs_of[mapped[0].index()];
            if seconds.contains(second) {
                let pair = first as usize + (seconds & CellSet::first(second.index())).len();
                let middle = &mapped[2.min(last)..last];
                let row = middle.iter().fold(pair, |row, cell| row * n + cell.index());
                return (row, mapped[last]);
            }
        }
        unreachable!("of the images of a pair of cells one is stored")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::legality;

    /// Every legal position of a material is found in a row that stores it, and its men stand there as in one of its
    /// images.
    #[test]
    fn every_position_has_a_place_that_is_stored() {
        for (variant, name) in [
            ("glinski-2", "KK"),
            ("glinski-2", "KQK"),
            ("glinski-2", "KPK"),
            ("glinski-2", "KQKR"),
            ("glinski-2", "KBBK"),
            ("glinski-2", "KNKN"),
            ("glinski-2", "KPPK"),
            ("mccooey-2", "KRKP"),
        ] {
            let variant = Arc::new(Variant::named(variant).unwrap());
            let material = Material::parse(&variant, name).unwrap();
            for order in Arrangement::choices(&variant, &material) {
                let arrangement = Arrangement::new(&variant, &material, &order).unwrap();
                let mut seen = std::collections::HashSet::new();
                let mut found = 0u64;
                each_placement(&variant, &order, &mut Position::empty(Color::White), &mut |position| {
                    for turn in Color::BOTH {
                        let mut position = *position;
                        position.set_turn(turn);
                        if legality::check_men(&variant, &position).is_err() {
                            continue;
                        }
                        found += 1;
                        let (turn, row, column) = arrangement.locate(&position, false);
                        let cells = arrangement.cells(row);
                        assert!(row < arrangement.rows());
                        assert!(arrangement.stored(&cells, turn).contains(column), "{name} {}", arrangement.name());
                        seen.insert((turn.index(), row, column));
                    }
                });
                let mut stored = 0;
                for turn in Color::BOTH.into_iter().take(arrangement.sides()) {
                    let of_row = |row| arrangement.stored(&arrangement.cells(row), turn).len();
                    stored += (0..arrangement.rows()).map(of_row).sum::<usize>();
                }
                // No more is stored than is found, but for images on an axis.
                assert!(found > 100 && stored >= seen.len() && stored <= seen.len() * 4 / 3 + 30, "{name}");
            }
        }
    }

    fn each_placement(variant: &Variant, men: &[Man], position: &mut Position, visit: &mut impl FnMut(&Position)) {
        let Some((&man, rest)) = men.split_first() else { return visit(position) };
        for cell in variant.board().cells().filter(|&cell| !position.occupied().contains(cell)).collect::<Vec<_>>() {
            let mut with = *position;
            with.put(man, cell);
            each_placement(variant, rest, &mut with, visit);
        }
    }

    #[test]
    fn the_rows_with_some_pawns_are_those_that_have_them() {
        let variant = Arc::new(Variant::named("glinski-2").unwrap());
        for name in ["KPK", "KPPK", "KRKP", "KPKP"] {
            let material = Material::parse(&variant, name).unwrap();
            for order in Arrangement::choices(&variant, &material) {
                let arrangement = Arrangement::new(&variant, &material, &order).unwrap();
                let pawns_of = |row: usize| {
                    let mut pawns = [CellSet::EMPTY; 2];
                    let known = arrangement.known().iter().zip(arrangement.cells(row));
                    known.filter(|(man, _)| man.role == variant.pawn()).for_each(|(man, cell)| {
                        pawns[man.color.index()].insert(cell);
                    });
                    pawns
                };
                let ascending = |row: &usize| {
                    let cells = arrangement.cells(*row);
                    arrangement.like.iter().all(|&[a, b]| b + 1 == order.len() || cells[a] < cells[b])
                };
                let wanted = pawns_of(arrangement.rows() * 2 / 3);
                let expected: Vec<usize> = (0..arrangement.rows()).filter(|&row| pawns_of(row) == wanted).collect();
                let expected: Vec<usize> = expected.into_iter().filter(ascending).collect();
                let found = arrangement.rows_with_pawns(wanted).into_iter().filter(|row| pawns_of(*row) == wanted);
                assert_eq!(found.collect::<Vec<_>>(), expected, "{name} {}", arrangement.name());
                assert!(!expected.is_empty());
            }
        }
    }

    #[test]
    fn an_order_of_other_men_is_refused() {
        let variant = Arc::new(Variant::named("glinski-2").unwrap());
        let material = Material::parse(&variant, "KQKR").unwrap();
        let men = material.men_in_order();
        assert!(Arrangement::new(&variant, &material, &men[..3]).is_none());
        assert!(Arrangement::new(&variant, &material, &[men[2], men[0], men[1], men[3]]).is_none());
        let names: Vec<String> = Arrangement::choices(&variant, &material)
            .iter()
            .map(|order| Arrangement::new(&variant, &material, order).unwrap().name())
            .collect();
        assert_eq!(names, ["KkQr", "KkrQ", "KQrk", "kQrK"]);
    }
}

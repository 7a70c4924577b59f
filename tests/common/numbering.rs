//! A canonical number for each orbit of a material's positions.
//!
//! Derived from the variant's symmetries alone. Shares nothing with the index of the tables, whose mistakes it would
//! otherwise repeat.

use hextb::geometry::{Cell, CellSet, Color, Man, Variant};
use hextb::index::Material;
use hextb::position::Position;

/// The canonical numbers of a material's positions.
///
/// A number says where the men stand, with White's king on the representative of its orbit, and who is to move.
/// Of the placements that are images of each other the one with the lowest number stands for all. A right to
/// capture en passant is no part of the number.
pub struct Numbering<'v> {
    variant: &'v Variant,
    /// One cell of each orbit.
    representatives: Vec<Cell>,
    /// For each cell, its orbit: an index into `representatives`.
    orbit_of: Vec<usize>,
    /// For each cell, every symmetry (an index into [`Variant::symmetries`]) that takes it to its representative.
    to_representative: Vec<Vec<usize>>,
    /// The number of symmetries.
    order: u64,
    men: Vec<Man>,
    /// Runs of like men: a man and how often it comes.
    groups: Vec<(Man, usize)>,
    radix: u64,
}

/// The canonical form of a position with a right to capture en passant: number, passing pawn, skipped cells.
pub type EnPassantForm = (u64, Cell, CellSet);

/// The most men a numbered material can have.
const MOST: usize = 8;

impl<'v> Numbering<'v> {
    /// The numbering of a material's positions.
    pub fn new(variant: &'v Variant, material: &Material) -> Numbering<'v> {
        let men = material.men_in_order();
        assert!(men.len() <= MOST, "materials have at most {MOST} men");
        let mut groups: Vec<(Man, usize)> = vec![];
        for &man in &men {
            match groups.last_mut() {
                Some((last, count)) if *last == man => *count += 1,
                _ => groups.push((man, 1)),
            }
        }
        let symmetries = variant.symmetries();
        let allowed: Vec<usize> = match material.has_pawns(variant) {
            true => variant.pawn_symmetries().to_vec(),
            false => (0..symmetries.len()).collect(),
        };
        let image = |cell: Cell, i: usize| symmetries[i].apply(cell);
        let lowest = |cell: Cell| allowed.iter().map(|&i| image(cell, i)).min().unwrap_or(cell);
        let cells: Vec<Cell> = variant.board().cells().collect();
        let representatives: Vec<Cell> = cells.iter().copied().filter(|&c| lowest(c) == c).collect();
        let orbit = |c: &Cell| representatives.iter().position(|&r| r == lowest(*c)).expect("the lowest represents");
        let orbit_of: Vec<usize> = cells.iter().map(orbit).collect();
        let there = |&c: &Cell| {
            allowed.iter().copied().filter(|&i| image(c, i) == representatives[orbit_of[c.index()]]).collect()
        };
        Numbering {
            variant,
            to_representative: cells.iter().map(there).collect(),
            order: allowed.len() as u64,
            representatives,
            orbit_of,
            men,
            groups,
            radix: cells.len() as u64,
        }
    }

    /// Every number is smaller than this.
    pub fn bound(&self) -> u64 {
        2 * self.representatives.len() as u64 * self.radix.pow(self.men.len() as u32 - 1)
    }

    /// The number that stands for a position and all its images.
    #[inline]
    pub fn number(&self, position: &Position) -> u64 {
        let (cells, symmetries) = self.cells(position);
        let numbers = symmetries.iter().map(|&s| self.image(&cells, s, position.turn()));
        numbers.min().unwrap_or(u64::MAX)
    }

    /// Like [`Numbering::number`], with how many distinct images the position has, itself included.
    pub fn number_and_images(&self, position: &Position) -> (u64, u64) {
        let (cells, symmetries) = self.cells(position);
        let (mut lowest, mut fixing) = (u64::MAX, 0);
        for &s in symmetries {
            let number = self.image(&cells, s, position.turn());
            if number < lowest {
                (lowest, fixing) = (number, 0);
            }
            fixing += u64::from(number == lowest);
        }
        // The symmetries that lead to the lowest image are as many as those that fix the position.
        (lowest, self.order / fixing)
    }

    /// The form that stands for a position with a right to capture en passant and all its images.
    pub fn en_passant_form(&self, position: &Position) -> Option<EnPassantForm> {
        let right = position.en_passant()?;
        let (cells, symmetries) = self.cells(position);
        let forms = symmetries.iter().map(|&s| {
            let map = &self.variant.symmetries()[s];
            (self.image(&cells, s, position.turn()), map.apply(right.pawn), map.apply_set(right.skipped))
        });
        forms.min()
    }

    /// The position that a number describes; for a number that comes from [`Numbering::number`] it is legal if
    /// the numbered position was.
    pub fn position(&self, number: u64) -> Position {
        let turn = if number & 1 == 0 { Color::White } else { Color::Black };
        let mut rest = number >> 1;
        let mut position = Position::empty(turn);
        for &man in self.men[1..].iter().rev() {
            position.put(man, Cell((rest % self.radix) as u8));
            rest /= self.radix;
        }
        position.put(self.men[0], self.representatives[rest as usize]);
        position
    }

    /// The cells of the men in order, and the symmetries that bring White's king to its representative.
    #[inline]
    fn cells(&self, position: &Position) -> ([Cell; MOST], &[usize]) {
        let mut cells = [Cell(0); MOST];
        let mut next = 0;
        for &(man, _) in &self.groups {
            for cell in position.men(man.color, man.role) {
                cells[next] = cell;
                next += 1;
            }
        }
        debug_assert_eq!(next, self.men.len());
        (cells, &self.to_representative[cells[0].index()])
    }

    /// The number of the image under one symmetry.
    #[inline]
    fn image(&self, cells: &[Cell; MOST], symmetry: usize, turn: Color) -> u64 {
        let map = self.variant.symmetries()[symmetry].map();
        let mut number = self.orbit_of[cells[0].index()] as u64;
        let mut next = 1;
        for &(_, count) in &self.groups[1..] {
            if count == 1 {
                number = number * self.radix + u64::from(map[cells[next].index()].0);
                next += 1;
            } else {
                // Like men are interchangeable: their cells count in ascending order.
                let set: CellSet = cells[next..next + count].iter().map(|c| map[c.index()]).collect();
                number = set.iter().fold(number, |n, cell| n * self.radix + u64::from(cell.0));
                next += count;
            }
        }
        number << 1 | turn.index() as u64
    }
}

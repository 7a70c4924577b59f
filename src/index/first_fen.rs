//! The lexicographically first FEN of stored positions, over all their symmetric images.

use super::layout::{Layout, MAX_MEN, Place};
use super::material::MOST_MEN;
use crate::geometry::{Cell, Color, MAX_CELLS, Man};
use crate::position::{FenOrder, Position};

/// The first so far: the key of its FEN, and where each man stands.
#[derive(Clone, Copy)]
pub struct First {
    key: u128,
    cells: [Cell; MOST_MEN],
}

impl First {
    /// The first of two, if there is any.
    pub fn of(a: Option<First>, b: Option<First>) -> Option<First> {
        match (a, b) {
            (Some(a), Some(b)) => Some(if b.key < a.key { b } else { a }),
            (a, b) => a.or(b),
        }
    }
}

/// Looks for the first FEN among positions of a slice with one side to move.
pub struct FirstFen<'a> {
    layout: &'a Layout,
    order: &'a FenOrder,
    /// The men in the order of an index, then the pawns, as they are in the FEN.
    men: Vec<Man>,
    letters: Vec<u8>,
    /// Where the pawns of the slice stand.
    pawns: Vec<Cell>,
    /// Where each image has each cell.
    images: Vec<[Cell; MAX_CELLS]>,
}

impl<'a> FirstFen<'a> {
    /// Prepares for a slice; `order` is that of the layout's variant. If `mirrored`, FENs have the colours swapped, as
    /// where positions with Black to move are stored with White to move.
    pub fn new(layout: &'a Layout, order: &'a FenOrder, slice: usize, mirrored: bool) -> FirstFen<'a> {
        let variant = layout.variant();
        let pawn_cells = layout.slices()[slice].pawns;
        let pawns = Color::BOTH.into_iter().flat_map(|color| pawn_cells[color.index()].iter().map(move |c| (color, c)));
        let pawns: Vec<(Man, Cell)> = pawns.map(|(color, cell)| (Man { color, role: variant.pawn() }, cell)).collect();
        let seen = |man: Man| Man { color: if mirrored { man.color.other() } else { man.color }, ..man };
        let men: Vec<Man> = layout.men().iter().copied().chain(pawns.iter().map(|(man, _)| *man)).map(seen).collect();
        let all: Vec<usize> = match layout.material().has_pawns(variant) {
            true => variant.pawn_symmetries().to_vec(),
            false => (0..variant.symmetries().len()).collect(),
        };
        let image = |g: usize| {
            let mut map = [Cell(0); MAX_CELLS];
            for cell in variant.board().cells() {
                let from = if mirrored { variant.colour_swap().apply(cell) } else { cell };
                map[cell.index()] = variant.symmetries()[g].apply(from);
            }
            map
        };
        FirstFen {
            layout,
            order,
            letters: men.iter().map(|&man| variant.man_letter(man) as u8).collect(),
            men,
            pawns: pawns.into_iter().map(|(_, cell)| cell).collect(),
            images: all.into_iter().map(image).collect(),
        }
    }

    /// Takes a position into account.
    pub fn offer(&self, place: Place, first: &mut Option<First>) {
        let mut cells = [Cell(0); MOST_MEN];
        let pieces: [Cell; MAX_MEN] = self.layout.cells_at(place);
        let count = self.men.len() - self.pawns.len();
        cells[..count].copy_from_slice(&pieces[..count]);
        cells[count..self.men.len()].copy_from_slice(&self.pawns);
        for map in &self.images {
            let most = first.map_or(u128::MAX, |first| first.key);
            let men = cells[..self.men.len()].iter().zip(&self.letters).map(|(c, letter)| (map[c.index()], *letter));
            if let Some(key) = self.order.key(men, most) {
                *first = Some(First { key, cells: cells.map(|cell| map[cell.index()]) });
            }
        }
    }

    /// The FEN of what has been found, with this side to move.
    pub fn write(&self, first: &First, turn: Color) -> String {
        let mut position = Position::empty(turn);
        self.men.iter().zip(first.cells).for_each(|(&man, cell)| position.put(man, cell));
        position.fen(self.layout.variant())
    }
}

//! Outcomes of all positions of a material in memory, one code an index, and views of them under another order
//! of men or with the colours swapped.

use super::layout::{Layout, MAX_MEN, Place};
use super::side_planes::SidePlanes;
use crate::geometry::{Cell, CellSet, Color, MAX_CELLS, Man};
use crate::outcome::Outcome;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// What is known of an index: the outcome for the side to move, or that it is no legal position. 16 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Code(u16);

impl Code {
    pub const ILLEGAL: Code = Code(u16::MAX);
    pub const DRAW: Code = Code::of(Outcome::DRAW);

    #[inline]
    pub const fn of(outcome: Outcome) -> Code {
        Code(outcome.bits())
    }

    /// The outcome, none if the index is no legal position.
    #[inline]
    pub fn outcome(self) -> Option<Outcome> {
        (self != Code::ILLEGAL).then(|| Outcome::from_bits(self.0))
    }
}

/// All outcomes of a material, filled slice by slice.
///
/// Where both sides have the same men, only positions with White to move are kept.
pub struct DenseTable {
    layout: Arc<Layout>,
    slices: Vec<OnceLock<[Side; 2]>>,
}

/// The outcomes of a slice with one side to move.
enum Side {
    /// Not kept.
    None,
    /// A code an index: quick to look up.
    Codes(Vec<Code>),
    /// As the solver left them: smaller, and not copied.
    Planes(SidePlanes),
}

impl DenseTable {
    /// A table without any slice yet.
    pub fn new(layout: Arc<Layout>) -> DenseTable {
        let slices = (0..layout.slices().len()).map(|_| OnceLock::new()).collect();
        DenseTable { layout, slices }
    }

    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Puts in the codes of a slice for White and for Black to move; each slice can be put in once.
    pub fn fill(&self, slice: usize, codes: [Vec<Code>; 2]) {
        let [white, black] = codes;
        self.set(slice, [Side::Codes(white), Side::Codes(black)]);
    }

    /// Puts in a slice as the solver leaves it. Slices that others look up by the million become codes, the large
    /// ones of four and more men besides pawns stay as they are.
    pub fn fill_planes(&self, slice: usize, planes: [SidePlanes; 2]) {
        let symmetric = self.layout.material().is_symmetric();
        let keep = self.layout.men().len() > 4;
        let mut turn = 0;
        let sides = planes.map(|planes| {
            turn += 1;
            match (turn == 2 && symmetric, keep) {
                (true, _) => Side::None,
                (_, true) => Side::Planes(planes),
                _ => Side::Codes(self.codes_of(&planes)),
            }
        });
        self.set(slice, sides);
    }

    fn set(&self, slice: usize, mut sides: [Side; 2]) {
        if self.layout.material().is_symmetric() {
            sides[1] = Side::None;
        }
        let fresh = self.slices[slice].set(sides).is_ok();
        assert!(fresh, "slice {slice} was filled before");
    }

    fn codes_of(&self, planes: &SidePlanes) -> Vec<Code> {
        let n = self.layout.cell_count();
        let mut codes = vec![Code::ILLEGAL; planes.legal.len() * n];
        codes.par_chunks_mut(n).enumerate().with_min_len(n).for_each(|(row, codes)| planes.write_row(row, codes));
        codes
    }

    /// # Panics
    /// If the slice has not been filled: slices are solved in the order in which they need each other.
    #[inline]
    fn side(&self, slice: usize, turn: Color) -> &Side {
        &self.slices[slice].get().expect("slices are filled before they are read")[turn.index()]
    }

    /// The code of a place. Where both sides have the same men, `turn` must be White.
    ///
    /// # Panics
    /// If the slice has not been filled.
    #[inline]
    pub fn code(&self, turn: Color, place: Place) -> Code {
        match self.side(place.slice, turn) {
            Side::Codes(codes) => codes[place.index],
            Side::Planes(planes) => {
                let n = self.layout.cell_count();
                planes.code(place.index / n, place.index % n)
            }
            Side::None => Code::ILLEGAL,
        }
    }

    /// The codes of a block, a row after the other. Where both sides have the same men, `turn` must be White.
    ///
    /// # Panics
    /// If the slice has not been filled.
    pub fn block(&self, turn: Color, slice: usize, block: usize) -> Cow<'_, [Code]> {
        let n = self.layout.cell_count();
        match self.side(slice, turn) {
            Side::Codes(codes) => Cow::Borrowed(&codes[block * n * n..][..n * n]),
            Side::Planes(planes) => {
                let mut codes = vec![Code::ILLEGAL; n * n];
                codes.chunks_mut(n).enumerate().for_each(|(row, codes)| planes.write_row(block * n + row, codes));
                Cow::Owned(codes)
            }
            Side::None => Cow::Borrowed(&[]),
        }
    }
}

/// A table as seen by someone whose men come in another order or with the colours swapped.
pub struct View<'a> {
    table: &'a DenseTable,
    /// How to look up positions with White and with Black to move.
    sides: [ViewSide; 2],
}

#[derive(Clone, Copy)]
struct ViewSide {
    swapped: bool,
    /// For each man of the table, the caller's man that is the same.
    order: [u8; MAX_MEN],
}

impl<'a> View<'a> {
    /// A view for a caller who gives cells in the order of `men` (pawns left out).
    pub fn new(table: &'a DenseTable, men: &[Man], white_is_second: bool) -> View<'a> {
        let symmetric = table.layout.material().is_symmetric();
        let side = |turn: Color| {
            let swapped = if symmetric { turn == Color::Black } else { white_is_second };
            let color = |c: Color| if swapped { c.other() } else { c };
            let mut taken = [false; MAX_MEN];
            let mut order = [0; MAX_MEN];
            for (slot, wanted) in order.iter_mut().zip(table.layout.men()) {
                let same = |&i: &usize| !taken[i] && men[i].role == wanted.role && color(men[i].color) == wanted.color;
                let found = (0..men.len()).find(same).expect("a view shows the table's own men");
                taken[found] = true;
                *slot = found as u8;
            }
            ViewSide { swapped, order }
        };
        View { table, sides: [side(Color::White), side(Color::Black)] }
    }

    /// The view of one slice; `pawns` are the caller's. None if a pawn stands where none can.
    pub fn slice(&self, pawns: [CellSet; 2]) -> Option<SliceView<'a>> {
        let layout = &self.table.layout;
        let variant = layout.variant();
        let side = |turn: Color| {
            let view = self.sides[turn.index()];
            let seen = match view.swapped {
                false => pawns,
                true => [pawns[1], pawns[0]].map(|set| variant.colour_swap().apply_set(set)),
            };
            let (slice, symmetry) = layout.locate_slice(seen)?;
            let mut map = [Cell(0); MAX_CELLS];
            for cell in variant.board().cells() {
                let swapped = if view.swapped { variant.colour_swap().apply(cell) } else { cell };
                map[cell.index()] = variant.symmetries()[symmetry as usize].apply(swapped);
            }
            Some(SliceSide { slice, view, map })
        };
        Some(SliceView { table: self.table, sides: [side(Color::White)?, side(Color::Black)?] })
    }
}

/// A view of one slice.
pub struct SliceView<'a> {
    table: &'a DenseTable,
    sides: [SliceSide; 2],
}

struct SliceSide {
    slice: usize,
    view: ViewSide,
    map: [Cell; MAX_CELLS],
}

impl SliceView<'_> {
    /// The code of the position with the caller's men on `cells`; illegal if the kings touch.
    #[inline]
    pub fn code(&self, turn: Color, cells: &[Cell]) -> Code {
        let side = &self.sides[turn.index()];
        let mut mapped = [Cell(0); MAX_MEN];
        for (to, &from) in mapped.iter_mut().zip(&side.view.order[..cells.len()]) {
            *to = side.map[cells[from as usize].index()];
        }
        match self.table.layout.locate_in(side.slice, &mapped[..cells.len()]) {
            None => Code::ILLEGAL,
            Some(index) => {
                let stored = if side.view.swapped { turn.other() } else { turn };
                self.table.code(stored, Place { slice: side.slice, index })
            }
        }
    }
}

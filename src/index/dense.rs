//! Outcomes of all positions of a material in memory.

use super::layout::{Layout, Place};
use super::side::SideTable;
use crate::geometry::Color;
use crate::outcome::Outcome;
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

/// The outcomes of a slice for White and for Black to move; those of Black are not kept where both sides have the same
/// men.
pub type SolvedSlice = [Option<Arc<SideTable>>; 2];

/// All outcomes of a material, filled slice by slice.
///
/// Where both sides have the same men, only positions with White to move are kept.
pub struct DenseTable {
    layout: Arc<Layout>,
    slices: Vec<OnceLock<SolvedSlice>>,
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
        let columns = self.layout.cell_count();
        let symmetric = self.layout.material().is_symmetric();
        let mut sides = codes.map(|codes| Some(Arc::new(SideTable::Codes { columns, codes })));
        if symmetric {
            sides[1] = None;
        }
        self.set(slice, sides);
    }

    /// Puts in a slice; each can be put in once.
    pub fn set(&self, slice: usize, sides: SolvedSlice) {
        let fresh = self.slices[slice].set(sides).is_ok();
        assert!(fresh, "slice {slice} was filled before");
    }

    /// The outcomes of a slice with one side to move. Where both sides have the same men, `turn` must be White.
    ///
    /// # Panics
    /// If the slice has not been filled.
    pub fn side(&self, slice: usize, turn: Color) -> &Arc<SideTable> {
        let sides = self.slices[slice].get().expect("slices are filled before they are read");
        sides[turn.index()].as_ref().expect("positions of equal sides are asked for with White to move")
    }

    /// The code of a place. Where both sides have the same men, `turn` must be White.
    ///
    /// # Panics
    /// If the slice has not been filled.
    pub fn code(&self, turn: Color, place: Place) -> Code {
        let n = self.layout.cell_count();
        self.side(place.slice, turn).code(place.index / n, place.index % n)
    }
}

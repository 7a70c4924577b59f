//! What the solver is told of positions outside the slice it works on: the tables that captures and promotions lead to,
//! and the slices of its own table that are done.

use super::captures::{Capture, kinds_of_capture};
use super::pawn_moves::{PawnMove, possible_moves};
use super::space::Space;
use crate::geometry::{CellSet, Color, Man, Role};
use crate::index::{Layout, Lookup, Material, SideTable, SliceView, SolvedSlice};
use crate::oracle::ProbeError;
use std::collections::HashMap;
use std::sync::Arc;

/// Tables already solved, in memory or elsewhere.
pub trait Subtables: Sync {
    /// The numbering of a material's table.
    ///
    /// # Errors
    /// When there is no such table.
    fn layout(&self, material: &Material) -> Result<Arc<Layout>, ProbeError>;

    /// The outcomes of a slice with one side to move. Where both sides have the same men, only White is asked for.
    ///
    /// # Errors
    /// When the table is not there or cannot be read.
    fn side(&self, material: &Material, slice: usize, turn: Color) -> Result<Arc<SideTable>, ProbeError>;
}

/// All that a solve looks up: the subtables, and the slices of the table itself that are done and still needed.
pub struct Store<'a> {
    pub layout: &'a Arc<Layout>,
    pub done: &'a HashMap<usize, SolvedSlice>,
    pub subtables: &'a dyn Subtables,
}

impl Store<'_> {
    /// The positions with these men, in this order, these pawns and this side to move.
    ///
    /// None if a pawn stands where none can.
    ///
    /// # Errors
    /// When the table cannot be read.
    pub fn view(&self, men: &[Man], pawns: [CellSet; 2], turn: Color) -> Result<Option<SliceView>, ProbeError> {
        let variant = self.layout.variant();
        let side = |color: Color| -> Vec<Role> {
            let pieces = men.iter().filter(|m| m.color == color).map(|m| m.role);
            pieces.chain(std::iter::repeat_n(variant.pawn(), pawns[color.index()].len())).collect()
        };
        let placed = Color::BOTH.iter().all(|&c| (pawns[c.index()] - variant.pawn_rules(c).placement).is_empty());
        if !placed {
            return Ok(None);
        }
        let (material, swapped) = Material::of_sides(&side(Color::White), &side(Color::Black));
        let own = material == *self.layout.material();
        let layout = if own { self.layout.clone() } else { self.subtables.layout(&material)? };
        let Some(lookup) = Lookup::new(&layout, men, pawns, turn, swapped) else { return Ok(None) };
        let table = if own {
            let sides =
                self.done.get(&lookup.slice).expect("slices are solved in the order in which they need each other");
            sides[lookup.turn.index()].clone().expect("equal sides are looked up with White to move")
        } else {
            self.subtables.side(&material, lookup.slice, lookup.turn)?
        };
        Ok(Some(SliceView::new(lookup, layout, table)))
    }
}

/// Where one slice leads by captures, promotions and pawn moves: found before it is solved, so that solving fails for
/// want of room alone.
pub struct Sources {
    /// The captures by men that are not pawns, by the side to move after them.
    pub captures: [Vec<Capture>; 2],
    /// The pawn moves, by the side that makes them.
    pub pawn_moves: [Vec<PawnMove>; 2],
}

impl Sources {
    /// All that leads out of a slice.
    ///
    /// # Errors
    /// When a table that it leads to cannot be read.
    pub fn new(space: &Space, store: &Store) -> Result<Sources, ProbeError> {
        let [white, black] = Color::BOTH;
        Ok(Sources {
            captures: [kinds_of_capture(space, store, white)?, kinds_of_capture(space, store, black)?],
            pawn_moves: [possible_moves(space, store, white)?, possible_moves(space, store, black)?],
        })
    }
}

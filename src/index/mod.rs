//! Materials and the numbering of their positions.
//!
//! A [`Material`] names which men are on the board, a [`Layout`] numbers its positions up to symmetry, slice by slice.
//! A [`SideTable`] holds the outcomes of a slice with one side to move, in [`Plane`]s from an [`Arena`] as they are
//! solved, and gives them row by row ([`OutcomeRow`]): to be counted ([`Count`]), or to be looked up by those whose men
//! come in another order ([`SliceView`]). A [`DenseTable`] has all slices. Knows the rules only through the variant's
//! symmetries and where its pawns can stand and go.

mod arena;
mod arrangement;
mod dense;
mod first_fen;
mod layout;
mod legal;
mod material;
mod orbits;
mod planes;
mod row;
mod side;
mod side_planes;
mod side_rows;
mod tally;
mod view;

pub use arena::Arena;
pub use arrangement::Arrangement;
pub use dense::{Code, DenseTable, SolvedSlice};
pub use first_fen::{First, FirstFen};
pub use layout::{Layout, Likeness, MAX_MEN, Place, Slice};
pub use legal::RowRules;
pub use material::{MOST_MEN, Material, MaterialError, MaterialKey};
pub use orbits::{KingMove, KingOrbits};
pub use planes::Plane;
pub use row::{EMPTY_ROW, OutcomeRow};
pub use side::SideTable;
pub use side_planes::SidePlanes;
pub use side_rows::SideRows;
pub use tally::{Count, count_slice, fold_places, fold_rows, position_at};
pub use view::{Lookup, SliceView};

/// The number of the symmetry that undoes symmetry `g`.
fn inverse_symmetry(variant: &crate::geometry::Variant, g: usize) -> usize {
    let all = variant.symmetries();
    let undoes = |h: &crate::geometry::Symmetry| variant.board().cells().all(|c| h.apply(all[g].apply(c)) == c);
    all.iter().position(undoes).expect("the symmetries form a group")
}

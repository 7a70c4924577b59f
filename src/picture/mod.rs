//! Pictures of positions, as text for a terminal and as SVG, and charts of what surveys find.
//!
//! [`text`] and [`svg`] draw any position of any variant; what they draw follows from the
//! [`Board`](crate::geometry::Board) alone (coordinates, names, colour classes, shape), so they must not know
//! the size of a board or the rules of a game. Where things stand is `layout`'s business, the colours are
//! `tones`', the shapes of the men `figures`'.
//!
//! Charts ([`distances()`], [`values()`], [`kings()`]) are SVG documents as well, each in its own file, drawn on a
//! `canvas` with the colours of `palette`; [`png()`] makes pixels of them.

mod canvas;
mod distances;
mod figures;
mod kings;
mod layout;
mod palette;
mod png;
mod svg;
mod text;
mod tones;
mod values;

pub use canvas::PictureError;
pub use distances::distances;
pub use kings::kings;
pub use png::png;
pub use svg::{SvgOptions, svg};
pub use text::{TextStyle, text};
pub use values::values;

use crate::geometry::Variant;
use crate::position::Position;

/// What cannot be seen from the men: the side to move and the cells on which a pawn may be taken en passant.
fn status(variant: &Variant, position: &Position) -> String {
    let side = format!("{} to move", position.turn().name());
    match position.en_passant() {
        None => side,
        Some(right) => {
            let cells: Vec<&str> = right.skipped.iter().map(|c| variant.board().name(c)).collect();
            format!("{side}, en passant on {}", cells.join(" or "))
        }
    }
}

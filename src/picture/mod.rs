//! Pictures of positions: text for a terminal and SVG.
//!
//! [`text`] and [`svg`] draw any position of any variant; what they draw follows from the
//! [`Board`](crate::geometry::Board) alone (coordinates, names, colour classes, shape), so they must not know
//! the size of a board or the rules of a game. Where things stand is `layout`'s business, the colours are
//! `tones`', the shapes of the men `figures`'.

mod figures;
mod layout;
mod svg;
mod text;
mod tones;

pub use svg::{SvgOptions, svg};
pub use text::{TextStyle, text};

use crate::geometry::{Color, Man, Variant};
use crate::position::Position;

/// The letter of a man as in a FEN: a capital for White, small for Black.
fn fen_letter(variant: &Variant, man: Man) -> char {
    let letter = variant.letter(man.role);
    if man.color == Color::White { letter } else { letter.to_ascii_lowercase() }
}

/// What cannot be seen from the men: the side to move and the cells on which a pawn may be taken en passant.
fn status(variant: &Variant, position: &Position) -> String {
    let side = match position.turn() {
        Color::White => "White to move",
        Color::Black => "Black to move",
    };
    match position.en_passant() {
        None => side.to_string(),
        Some(right) => {
            let cells: Vec<&str> = right.skipped.iter().map(|c| variant.board().name(c)).collect();
            format!("{side}, en passant on {}", cells.join(" or "))
        }
    }
}

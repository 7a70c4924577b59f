//! Counting a solved table, with the first of the longest positions of each outcome.

use crate::geometry::{Color, Variant};
use crate::index::{DenseTable, Layout, Place, position_at};
use crate::outcome::{Outcome, Value};
use crate::position::Position;
use crate::statistics::{SideStatistics, Statistics};

/// The statistics of a table.
pub fn statistics_of(table: &DenseTable) -> Statistics {
    let side = |turn| {
        let mut side: SideStatistics = table.tally(turn);
        for value in Value::ALL {
            if let Some(&plies) = side.max_plies.get(value) {
                side.longest.set(value, longest_fen(table, turn, Outcome::new(value, plies)));
            }
        }
        side
    };
    Statistics { w: side(Color::White), b: side(Color::Black) }
}

/// The lexicographically first FEN with this outcome and side to move, over all symmetric images.
fn longest_fen(table: &DenseTable, turn: Color, outcome: Outcome) -> String {
    let layout = table.layout();
    let first = |a: Option<String>, b: Option<String>| match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let found = table.fold_places(
        turn,
        outcome,
        |place, least: &mut Option<String>| {
            let fen = first_image(layout, place, turn);
            *least = first(least.take(), Some(fen));
        },
        first,
    );
    found.expect("an outcome that was counted has a position")
}

/// The least FEN of all symmetric images of a stored position.
fn first_image(layout: &Layout, place: Place, turn: Color) -> String {
    let variant: &Variant = layout.variant();
    let mut position = position_at(layout, place, turn);
    if layout.material().is_symmetric() && turn == Color::Black {
        position = position_at(layout, place, Color::White).with_colours_swapped(variant);
    }
    let images: Box<dyn Iterator<Item = Position>> = match layout.material().has_pawns(variant) {
        true => Box::new(variant.pawn_symmetries().iter().map(|&g| position.mapped(&variant.symmetries()[g]))),
        false => Box::new(variant.symmetries().iter().map(|s| position.mapped(s))),
    };
    images.map(|image| image.fen(variant)).min().expect("the identity is a symmetry")
}

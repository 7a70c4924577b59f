//! From a position to its place in a table, and from stored outcomes to those of positions with a right to capture
//! en passant.
//!
//! Tables hold no en passant rights. A position that has one is worth the better of its placement and of every
//! capture en passant; the captures alone where there is no other move.

use crate::geometry::{Cell, Color, Variant};
use crate::index::{Layout, MAX_MEN, Place};
use crate::oracle::ProbeError;
use crate::outcome::{Outcome, Value};
use crate::position::{MoveKind, Position};

/// Something that knows the outcome of placements, rights to capture en passant left aside.
pub trait Placements {
    fn variant(&self) -> &Variant;

    /// The outcome of a legal position as if it had no right to capture en passant.
    ///
    /// # Errors
    /// When the position's material is not there, or what holds it is damaged.
    fn placement_outcome(&self, position: &Position) -> Result<Outcome, ProbeError>;

    /// The value alone.
    ///
    /// # Errors
    /// As of [`Placements::placement_outcome`].
    fn placement_value(&self, position: &Position) -> Result<Value, ProbeError> {
        Ok(self.placement_outcome(position)?.value())
    }
}

/// What is asked of a placement: its outcome, or its value alone.
pub trait Worth: Ord + Copy + std::fmt::Debug {
    /// What a position is worth in which the game is over.
    fn at_the_end(value: Value) -> Self;

    /// The value.
    fn value(self) -> Value;

    /// The distance in plies, if it was asked for and there is one.
    fn plies(self) -> Option<u16>;

    /// What a placement is worth.
    ///
    /// # Errors
    /// Those of [`Placements::placement_outcome`].
    fn of<P: Placements + ?Sized>(tables: &P, position: &Position) -> Result<Self, ProbeError>;

    /// The same one ply earlier, from the view of the other side, who then moves into it.
    fn one_ply_earlier(self) -> Self;
}

impl Worth for Outcome {
    fn at_the_end(value: Value) -> Outcome {
        if value == Value::Draw { Outcome::DRAW } else { Outcome::new(value, 0) }
    }

    fn value(self) -> Value {
        Outcome::value(self)
    }

    fn plies(self) -> Option<u16> {
        Outcome::plies(self)
    }

    fn of<P: Placements + ?Sized>(tables: &P, position: &Position) -> Result<Outcome, ProbeError> {
        tables.placement_outcome(position)
    }

    fn one_ply_earlier(self) -> Outcome {
        Outcome::one_ply_earlier(self)
    }
}

impl Worth for Value {
    fn at_the_end(value: Value) -> Value {
        value
    }

    fn value(self) -> Value {
        self
    }

    fn plies(self) -> Option<u16> {
        None
    }

    fn of<P: Placements + ?Sized>(tables: &P, position: &Position) -> Result<Value, ProbeError> {
        tables.placement_value(position)
    }

    fn one_ply_earlier(self) -> Value {
        self.opposite()
    }
}

/// What a legal position is worth, a right to capture en passant taken into account.
///
/// # Errors
/// Those of [`Placements::placement_outcome`].
pub fn with_en_passant<W: Worth, P: Placements + ?Sized>(tables: &P, position: &Position) -> Result<W, ProbeError> {
    if position.en_passant().is_none() {
        return W::of(tables, position);
    }
    let variant = tables.variant();
    let mut placement = *position;
    placement.set_en_passant(None);
    let moves = position.legal_moves(variant);
    let (captures, others): (Vec<_>, Vec<_>) = moves.iter().partition(|mv| mv.kind == MoveKind::EnPassant);
    let mut best = if others.is_empty() && !captures.is_empty() { None } else { Some(W::of(tables, &placement)?) };
    for mv in captures {
        let after = W::of(tables, &position.after(variant, mv))?;
        best = best.max(Some(after.one_ply_earlier()));
    }
    Ok(best.expect("the placement or a capture has been looked at"))
}

/// The best that a capture or promotion leads to, rights to capture en passant left aside; none if there is none.
///
/// # Errors
/// Those of [`Placements::placement_outcome`].
pub fn best_conversion<W: Worth, P: Placements + ?Sized>(
    tables: &P,
    position: &Position,
) -> Result<Option<W>, ProbeError> {
    let mut best = None;
    position.each_conversion(tables.variant(), |after| {
        best = best.max(Some(W::of(tables, after)?.one_ply_earlier()));
        Ok::<(), ProbeError>(())
    })?;
    Ok(best)
}

/// The same, of captures and promotions that lead to a value or a better one; none if there is none.
///
/// # Errors
/// Those of [`Placements::placement_outcome`].
pub fn best_conversion_from<P: Placements + ?Sized>(
    tables: &P,
    position: &Position,
    value: Value,
) -> Result<Option<Outcome>, ProbeError> {
    let mut best: Option<Outcome> = None;
    position.each_conversion(tables.variant(), |after| {
        let found = tables.placement_value(after)?.opposite();
        if found >= best.map_or(value, Outcome::value) {
            best = best.max(Some(tables.placement_outcome(after)?.one_ply_earlier()));
        }
        Ok::<(), ProbeError>(())
    })?;
    Ok(best)
}

/// The side to move and the place of a legal position in the layout of its material; `swapped` tells that White
/// has the second side of the material's name.
pub fn locate(layout: &Layout, position: &Position, swapped: bool) -> (Color, Place) {
    let swap = if layout.material().is_symmetric() { position.turn() == Color::Black } else { swapped };
    let turn = if swap { position.turn().other() } else { position.turn() };
    (turn, place_of(layout, position, swap))
}

/// The place of a legal position in the layout of its material, the colours swapped on the way or not: White must have
/// the first side then.
pub fn place_of(layout: &Layout, position: &Position, swap: bool) -> Place {
    let variant = layout.variant();
    let color = if swap { [Color::Black, Color::White] } else { Color::BOTH };
    let pawns = color.map(|c| {
        let pawns = position.men(c, variant.pawn());
        if swap { variant.colour_swap().apply_set(pawns) } else { pawns }
    });
    let (slice, symmetry) = layout.locate_slice(pawns).expect("pawns of a legal position have a slice");
    let map = variant.symmetries()[symmetry as usize].map();
    let men = layout.men();
    let mut cells = [Cell(0); MAX_MEN];
    let mut at = 0;
    while at < men.len() {
        // Like men come next to each other; any order of their cells is a place of the position.
        let like = position.men(color[men[at].color.index()], men[at].role);
        for cell in like {
            let cell = if swap { variant.colour_swap().apply(cell) } else { cell };
            cells[at] = map[cell.index()];
            at += 1;
        }
    }
    let index = layout.locate_in(slice, &cells[..men.len()]).expect("the kings of a legal position do not touch");
    Place { slice, index }
}

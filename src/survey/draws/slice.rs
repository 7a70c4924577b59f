//! The classes of one slice: planes of what is known at the start, then a fixed point for each class.

use super::pushes::{Exits, Pushes};
use super::spread::{Bound, Seekers, spread};
use super::{DrawClass, Question};
use crate::geometry::Color;
use crate::index::{OutcomeRow, Place, Plane, position_at};
use crate::oracle::ProbeError;
use crate::solve::{Conversions, Space, Subtables};
use crate::survey::rows::SliceRows;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io;

/// The drawn positions of a slice with one side to move, by class.
pub struct SideClasses {
    conversion: Plane,
    perpetual: Plane,
    fortress: Plane,
}

impl SideClasses {
    /// The columns of a row that are of a class.
    pub fn row(&self, class: DrawClass, row: usize) -> u128 {
        match class {
            DrawClass::Conversion => self.conversion[row],
            DrawClass::Perpetual => self.perpetual[row],
            DrawClass::Fortress => self.fortress[row],
        }
    }
}

/// What a finished slice leaves for the pushes into it: for White and for Black to move there.
pub type SliceExits = [Exits; 2];

/// All that leads out of a slice, and its outcomes; found before the slice is classified.
pub struct Sources {
    outcomes: [SliceRows; 2],
    conversions: Conversions,
    pushes: [Pushes; 2],
}

impl Sources {
    /// # Errors
    /// When a table that is needed cannot be read.
    pub fn new(space: &Space, tables: &dyn Subtables, weak: Color) -> Result<Sources, ProbeError> {
        let outcomes = |turn| SliceRows::new(&space.layout, tables, space.slice, turn);
        Ok(Sources {
            outcomes: [outcomes(Color::White)?, outcomes(Color::Black)?],
            conversions: Conversions::new(space, tables, weak)?,
            pushes: [Pushes::new(space, tables, Color::White)?, Pushes::new(space, tables, Color::Black)?],
        })
    }
}

/// Classifies a slice, given what it leads to and the slices that pushes lead to. For White and for Black to move: the
/// classes, and the exits if somebody `needs` them.
///
/// # Errors
/// Those of making planes.
pub fn classify_slice(
    space: &Space,
    question: Question,
    sources: &Sources,
    done: &HashMap<usize, SliceExits>,
    needs_exits: bool,
) -> io::Result<([SideClasses; 2], Option<SliceExits>)> {
    let Question { scoring, weak } = question;
    let strong = weak.other();
    let pushes = |mover: Color| &sources.pushes[mover.index()];
    let exits = |slice: usize, turn: Color| &done[&slice][turn.index()];
    // Captures en passant that answer the weak side's steps spoil them if it is lost then; those that answer the strong
    // side's, if it does not win then.
    let into = |mover: Color, positions: &[u128], of: fn(&Exits) -> &Plane| {
        let spoils = |row: &OutcomeRow| if mover == weak { scoring.lost(row) } else { scoring.not_won(row) };
        pushes(mover).before(space, positions, |slice, turn| of(exits(slice, turn)), spoils)
    };
    let outcomes = |turn: Color| &sources.outcomes[turn.index()];
    let drawn_weak = picked(space, outcomes(weak), |row| scoring.drawn(row))?;
    let drawn_strong = picked(space, outcomes(strong), |row| scoring.drawn(row))?;

    // Conversion.
    let mut seeds = sources.conversions.before(space, &drawn_weak, |row| scoring.not_won(row))?;
    let stalemates = stalemates(space, question, &sources.conversions, &drawn_weak, &seeds)?;
    add(&mut seeds, &stalemates);
    add(&mut seeds, &into(weak, &drawn_weak, |exits| &exits.conversion)?);
    let held = into(strong, &drawn_strong, |exits| &exits.conversion)?;
    let mut seekers = Seekers { left: difference(space, &drawn_weak, &seeds)?, open: None };
    let mut bound = Bound { left: difference(space, &drawn_strong, &held)?, fresh: space.zeroed_plane()? };
    spread(space, weak, &mut seekers, &mut bound)?;
    let other_weak = seekers.left;
    let mut other_strong = bound.left;
    add(&mut other_strong, &held);

    // The core of perpetual check: what is found is not in it.
    let checked = checked_rows(space, strong, &other_strong)?;
    let loose = into(strong, &other_strong, |exits| &exits.core)?;
    let held = into(weak, &other_weak, |exits| &exits.core)?;
    let left = difference(space, &other_strong, &loose)?;
    let open = difference(space, &checked, &loose)?;
    let mut seekers = Seekers { left, open: Some(open) };
    let mut bound = Bound { left: difference(space, &other_weak, &held)?, fresh: space.zeroed_plane()? };
    spread(space, strong, &mut seekers, &mut bound)?;
    let core_strong = seekers.left;
    let mut core_weak = bound.left;
    add(&mut core_weak, &held);

    // What can be forced into it.
    let copy = |plane: &Plane| difference(space, plane, &[]);
    let loose_weak = difference(space, &other_weak, &core_weak)?;
    let loose_strong = difference(space, &other_strong, &core_strong)?;
    let seeds = into(weak, &loose_weak, |exits| &exits.perpetual)?;
    let held = into(strong, &loose_strong, |exits| &exits.perpetual)?;
    let mut seekers = Seekers { left: difference(space, &loose_weak, &seeds)?, open: None };
    let fresh = copy(&core_strong)?;
    let mut bound = Bound { left: difference(space, &loose_strong, &held)?, fresh };
    spread(space, weak, &mut seekers, &mut bound)?;
    let fortress_weak = seekers.left;
    let mut fortress_strong = bound.left;
    add(&mut fortress_strong, &held);

    let of_weak = SideClasses {
        conversion: difference(space, &drawn_weak, &other_weak)?,
        perpetual: difference(space, &other_weak, &fortress_weak)?,
        fortress: fortress_weak,
    };
    let of_strong = SideClasses {
        conversion: difference(space, &drawn_strong, &other_strong)?,
        perpetual: difference(space, &other_strong, &fortress_strong)?,
        fortress: fortress_strong,
    };
    let by_turn = |of_weak, of_strong| if weak == Color::White { [of_weak, of_strong] } else { [of_strong, of_weak] };
    if !needs_exits {
        return Ok((by_turn(of_weak, of_strong), None));
    }
    let mut saved = picked(space, outcomes(strong), |row| scoring.lost(row))?;
    add(&mut saved, &of_strong.conversion);
    let exits_strong =
        Exits { conversion: saved, core: intersection(core_strong, &checked), perpetual: copy(&of_strong.perpetual)? };
    let exits_weak = Exits { conversion: other_weak, core: loose_weak, perpetual: copy(&of_weak.fortress)? };
    let exits = if weak == Color::White { [exits_weak, exits_strong] } else { [exits_strong, exits_weak] };
    Ok((by_turn(of_weak, of_strong), Some(exits)))
}

/// Of the drawn positions with the weak side to move, those without a legal move; those that are `saved` anyway need
/// not be among them. (With the strong side to move they need no care: each of their moves is harmless.)
fn stalemates(
    space: &Space,
    question: Question,
    conversions: &Conversions,
    drawn: &[u128],
    saved: &[u128],
) -> io::Result<Plane> {
    let weak = question.weak;
    let mut left = difference(space, drawn, saved)?;
    if !question.stalemate_is_drawn(space.variant()) {
        left.fill(0);
        return Ok(left);
    }
    let movable = conversions.before(space, &left, OutcomeRow::legal)?;
    subtract(&mut left, &movable);
    let mut legal = space.stale_plane()?;
    let blocks = legal.par_chunks_mut(space.n).enumerate();
    blocks.for_each(|(block, legal)| space.fill_legal(weak.other(), block, legal));
    let movable = space.positions_before(weak, &left, &legal)?;
    subtract(&mut left, &movable);
    if !space.pawns[weak.index()].is_empty() {
        // Few are left by now.
        left.par_iter_mut().enumerate().filter(|(_, left)| **left != 0).for_each(|(row, left)| {
            let place = |column: usize| Place { slice: space.slice, index: row * space.n + column };
            let can_move =
                |column: usize| position_at(&space.layout, place(column), weak).has_legal_move(space.variant());
            *left = (0..space.n).filter(|c| *left >> c & 1 != 0 && !can_move(*c)).fold(0, |all, c| all | 1 << c);
        });
    }
    Ok(left)
}

/// The columns that `pick` picks of each row of outcomes.
fn picked(space: &Space, rows: &SliceRows, pick: impl Fn(&OutcomeRow) -> u128 + Sync) -> io::Result<Plane> {
    let mut plane = space.stale_plane()?;
    plane.par_chunks_mut(space.n).enumerate().for_each(|(block, found)| {
        rows.each_of_block(block, |row, outcomes| found[row - block * space.n] = pick(&outcomes));
    });
    Ok(plane)
}

/// The positions of a plane in which the king of `turn`, the side to move, is in check.
fn checked_rows(space: &Space, turn: Color, positions: &[u128]) -> io::Result<Plane> {
    let mut plane = space.stale_plane()?;
    plane.par_iter_mut().zip(positions).enumerate().with_min_len(space.n).for_each(|(row, (checked, &positions))| {
        *checked = if positions == 0 { 0 } else { positions & space.check_in_row(turn, row) };
    });
    Ok(plane)
}

/// A new plane of what is in `of` but not in `less`, which may be shorter.
fn difference(space: &Space, of: &[u128], less: &[u128]) -> io::Result<Plane> {
    let mut plane = space.stale_plane()?;
    plane.copy_from_slice(of);
    subtract(&mut plane, less);
    Ok(plane)
}

fn subtract(from: &mut [u128], less: &[u128]) {
    from.iter_mut().zip(less).for_each(|(from, less)| *from &= !less);
}

fn add(to: &mut [u128], more: &[u128]) {
    to.iter_mut().zip(more).for_each(|(to, more)| *to |= more);
}

fn intersection(mut of: Plane, with: &[u128]) -> Plane {
    of.iter_mut().zip(with).for_each(|(of, with)| *of &= with);
    of
}

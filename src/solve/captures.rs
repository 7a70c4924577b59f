//! Captures by men that are not pawns: fills the bits of a plane in which a capturer stands on its victim.
//!
//! See [`Space`](super::space::Space) for what those bits mean. Looks the answers up in tables already solved.

use super::events::{Events, Positions};
use super::sources::{Sources, Store};
use super::space::Space;
use crate::geometry::{Cell, CellSet, Color, Man};
use crate::index::{OutcomeRow, SliceView};
use crate::oracle::ProbeError;
use rayon::prelude::*;

/// Whom a capture takes: one of the men of the index, or a pawn of the slice.
#[derive(Clone, Copy)]
enum Victim {
    Man(usize),
    Pawn(Cell),
}

/// One kind of capture: who takes whom, and where to look up the result.
pub struct Capture {
    capturer: usize,
    victim: Victim,
    view: SliceView,
}

/// Adds all legal positions after a capture with `turn` to move to `open`, a plane of `turn`'s, and returns the
/// decisive ones among them by their value for the side to move.
pub fn captures_before(space: &Space, sources: &Sources, turn: Color, open: &mut [u128]) -> Events {
    let kinds = &sources.captures[turn.index()];
    let of_block = |mut events: Events, (block, open): (usize, &mut [u128])| {
        each_capture(space, kinds, block, |outcomes, place| {
            add_to_block(open, space.n, block, place.holding(outcomes.legal()));
            outcomes.each_outcome(|outcome, bits| events.file(outcome, place.holding(bits)));
        });
        events
    };
    let blocks = open.par_chunks_mut(space.n).enumerate().with_min_len(16);
    blocks.fold(|| space.events(), of_block).reduce(|| space.events(), Events::with)
}

/// Adds to `plane`, one of the side to move after the captures, the positions after captures that `wanted` picks of
/// the outcomes there.
pub fn add_captures(space: &Space, kinds: &[Capture], plane: &mut [u128], wanted: impl Fn(&OutcomeRow) -> u128 + Sync) {
    let blocks = plane.par_chunks_mut(space.n).enumerate().with_min_len(16);
    blocks.for_each(|(block, rows)| {
        each_capture(space, kinds, block, |outcomes, place| {
            add_to_block(rows, space.n, block, place.holding(wanted(outcomes)));
        });
    });
}

/// Adds positions of a block to its rows of a plane.
fn add_to_block(rows: &mut [u128], n: usize, block: usize, positions: Positions) {
    positions.each_row(n, |row, columns| rows[row as usize - block * n] |= columns);
}

/// Every kind of capture that leaves `turn` to move.
///
/// # Errors
/// When a table that one leads to cannot be read.
pub fn kinds_of_capture(space: &Space, store: &Store, turn: Color) -> Result<Vec<Capture>, ProbeError> {
    let men = space.men();
    let mut kinds = vec![];
    for capturer in (0..men.len()).filter(|&i| men[i].color != turn) {
        // The kings are the first two men, one of each side.
        for victim in (2..men.len()).filter(|&i| men[i].color == turn) {
            let left: Vec<Man> = men.iter().enumerate().filter(|(i, _)| *i != victim).map(|(_, m)| *m).collect();
            if let Some(view) = store.view(&left, space.pawns, turn)? {
                kinds.push(Capture { capturer, victim: Victim::Man(victim), view });
            }
        }
        for cell in space.pawns[turn.index()] {
            let mut pawns = space.pawns;
            pawns[turn.index()].remove(cell);
            if let Some(view) = store.view(men, pawns, turn)? {
                kinds.push(Capture { capturer, victim: Victim::Pawn(cell), view });
            }
        }
    }
    Ok(kinds)
}

/// Where a capture's bits lie in a block.
struct Bits {
    /// The row, if it is always the same.
    row: Option<Cell>,
    columns: Columns,
}

enum Columns {
    All,
    One(Cell),
    /// The column man on the row man's cell.
    Diagonal,
}

/// Where capturer and victim share a cell, if they can in this block.
fn shared_bits(space: &Space, capture: &Capture, outer: &[Cell]) -> Option<Bits> {
    let (row_man, column_man) = (space.outer_men(), space.outer_men() + 1);
    let victim_cell = match capture.victim {
        Victim::Pawn(cell) => Some(cell),
        Victim::Man(man) => outer.get(man).copied(),
    };
    let is_victim = |man: usize| matches!(capture.victim, Victim::Man(v) if v == man);
    let everywhere = Some(Bits { row: None, columns: Columns::All });
    match (victim_cell, outer.get(capture.capturer).copied()) {
        (Some(victim), Some(capturer)) => everywhere.filter(|_| victim == capturer),
        (Some(cell), None) | (None, Some(cell)) => {
            let free = if victim_cell.is_some() { capture.capturer == row_man } else { is_victim(row_man) };
            Some(match free {
                true => Bits { row: Some(cell), columns: Columns::All },
                false => Bits { row: None, columns: Columns::One(cell) },
            })
        }
        (None, None) => {
            debug_assert!(capture.capturer == column_man || is_victim(column_man));
            Some(Bits { row: None, columns: Columns::Diagonal })
        }
    }
}

/// Calls back with the outcomes after each kind of capture in a block, and the place in the slice to hold them.
fn each_capture(space: &Space, kinds: &[Capture], block: usize, mut visit: impl FnMut(&OutcomeRow, Positions)) {
    kinds.iter().for_each(|capture| each_capture_of_kind(space, capture, block, &mut visit));
}

fn each_capture_of_kind(
    space: &Space,
    capture: &Capture,
    block: usize,
    visit: &mut impl FnMut(&OutcomeRow, Positions),
) {
    let (row_man, men) = (space.outer_men(), space.men().len());
    let cells = space.outer_cells(block);
    let Some(bits) = shared_bits(space, capture, &cells[..row_man]) else { return };
    // The men that are left, and the number of the row man, or of the column man where the row man has been taken.
    let (mut left, mut count, mut varying) = (cells, men, row_man);
    let without = |left: &mut [Cell], count: &mut usize| {
        if let Victim::Man(victim) = capture.victim {
            left.copy_within(victim + 1..*count, victim);
            *count -= 1;
        }
    };
    let is_victim_before = |man: usize| matches!(capture.victim, Victim::Man(victim) if victim < man);
    let all = CellSet::first(space.n);
    if let Columns::All = bits.columns {
        without(&mut left, &mut count);
        let row_at = if is_victim_before(row_man) { row_man - 1 } else { row_man };
        let column_at = count - 1;
        for row in bits.row.map_or(all, Cell::set) {
            // If the row man has been taken, the column man has its place.
            if row_at < column_at {
                left[row_at] = row;
            }
            let outcomes = capture.view.row(&mut left[..count], column_at, all);
            visit(&outcomes, Positions::row(block * space.n + row.index(), 0));
        }
        return;
    }
    // One position a row: all of them at once, with the row man (on whose cell both stand, or one of them) moving.
    if let Columns::One(cell) = bits.columns {
        left[row_man + 1] = cell;
    }
    without(&mut left, &mut count);
    if is_victim_before(row_man) {
        varying -= 1;
    }
    let outcomes = capture.view.row(&mut left[..count], varying, all);
    let place = match bits.columns {
        Columns::One(column) => Positions::column(block, 0, column),
        _ => Positions::diagonal(block, 0),
    };
    visit(&outcomes, place);
}

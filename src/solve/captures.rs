//! Captures by men that are not pawns: fills the bits of a plane in which a capturer stands on its victim.
//!
//! See [`Space`](super::space::Space) for what those bits mean. Looks the answers up in tables already solved.

use super::events::{Events, RowBuckets};
use super::sources::Sources;
use super::space::Space;
use crate::geometry::{Cell, CellSet, Color, Man};
use crate::index::{Code, SliceView};
use crate::outcome::Value;
use rayon::prelude::*;

/// What captures contribute to the plane of one side to move.
pub struct Captures {
    /// The bits that stand for legal positions after a capture.
    pub legal: Vec<(u32, u128)>,
    /// The same bits by the value of those positions for the side to move, filed by their plies.
    pub decisive: [Events; Value::ALL.len()],
}

/// Whom a capture takes: one of the men of the index, or a pawn of the slice.
#[derive(Clone, Copy)]
enum Victim {
    Man(usize),
    Pawn(Cell),
}

/// One kind of capture: who takes whom, and where to look up the result.
struct Capture<'a> {
    capturer: usize,
    victim: Victim,
    view: SliceView<'a>,
}

/// All positions after a capture with `turn` to move, as bits of `turn`'s plane.
pub fn captures_before(space: &Space, sources: &Sources, turn: Color) -> Captures {
    let kinds = kinds_of_capture(space, sources, turn);
    let of_block = |block: usize| {
        let mut found = Captures { legal: vec![], decisive: Default::default() };
        for kind in &kinds {
            add_captures(space, kind, turn, block, &mut found);
        }
        found
    };
    let none = || Captures { legal: vec![], decisive: Default::default() };
    (0..space.block_count()).into_par_iter().map(of_block).collect::<Vec<_>>().into_iter().fold(
        none(),
        |mut all, mut one| {
            all.legal.append(&mut one.legal);
            all.decisive.iter_mut().zip(one.decisive).for_each(|(sum, more)| sum.merge(more));
            all
        },
    )
}

fn kinds_of_capture<'a>(space: &Space, sources: &'a Sources, turn: Color) -> Vec<Capture<'a>> {
    let men = space.men();
    let mut kinds = vec![];
    for capturer in (0..men.len()).filter(|&i| men[i].color != turn) {
        // The kings are the first two men, one of each side.
        for victim in (2..men.len()).filter(|&i| men[i].color == turn) {
            let left: Vec<Man> = men.iter().enumerate().filter(|(i, _)| *i != victim).map(|(_, m)| *m).collect();
            if let Some(view) = sources.view(&left, space.pawns) {
                kinds.push(Capture { capturer, victim: Victim::Man(victim), view });
            }
        }
        for cell in space.pawns[turn.index()] {
            let mut pawns = space.pawns;
            pawns[turn.index()].remove(cell);
            if let Some(view) = sources.view(men, pawns) {
                kinds.push(Capture { capturer, victim: Victim::Pawn(cell), view });
            }
        }
    }
    kinds
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

fn add_captures(space: &Space, capture: &Capture, turn: Color, block: usize, found: &mut Captures) {
    let outer_men = space.outer_men();
    let mut cells = space.outer_cells(block);
    let Some(bits) = shared_bits(space, capture, &cells[..outer_men]) else { return };
    let rows = match bits.row {
        Some(row) => row.set(),
        None => CellSet::first(space.n),
    };
    let men = space.men().len();
    let mut buckets = RowBuckets::new();
    for row in rows {
        cells[outer_men] = row;
        let columns = match bits.columns {
            Columns::All => CellSet::first(space.n),
            Columns::One(cell) => cell.set(),
            Columns::Diagonal => row.set(),
        };
        for column in columns {
            cells[outer_men + 1] = column;
            let code = match capture.victim {
                Victim::Pawn(_) => capture.view.code(turn, &cells[..men]),
                Victim::Man(victim) => {
                    let mut left = cells;
                    left.copy_within(victim + 1..men, victim);
                    capture.view.code(turn, &left[..men - 1])
                }
            };
            if code != Code::ILLEGAL {
                buckets.add(code, column.set().0);
            }
        }
        let at = block * space.n + row.index();
        let mut legal = 0;
        for (code, bits) in buckets.drain() {
            legal |= bits;
            let outcome = code.outcome().unwrap_or(crate::outcome::Outcome::DRAW);
            if let Some(plies) = outcome.plies() {
                found.decisive[outcome.value() as usize].add(plies, at, bits);
            }
        }
        if legal != 0 {
            found.legal.push((at as u32, legal));
        }
    }
}

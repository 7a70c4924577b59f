//! Pawn moves: for every position of a slice, the best that a pawn move of the side to move leads to.
//!
//! Pushes lead to slices solved before this one, captures and promotions to other tables. A multi-step push is
//! worth, for the opponent, the better of the position it leads to and of every capture en passant there.

use super::agenda::{Agendas, Sorter};
use super::pawn_steps::{PawnStep, pawn_steps};
use super::sources::{Sources, Store};
use super::space::Space;
use crate::geometry::{Cell, CellSet, Color, Man, Role, Variant};
use crate::index::{Code, MAX_MEN, Plane, SliceView};
use crate::oracle::ProbeError;
use crate::outcome::Outcome;
use crate::position::Position;
use rayon::prelude::*;
use std::io;

/// What the pawn moves of one side are worth to it.
pub struct PawnMoves {
    /// A row for each row of the slice: the positions in which a pawn has a legal move.
    pub possible: Plane,
    /// What is decisive among them, by the value of the best pawn move for the side to move.
    pub decisive: Agendas,
}

/// One pawn move with what it leads to, wherever the other men stand.
pub struct PawnMove {
    pub step: PawnStep,
    /// What the pawn becomes, with the positions that follow; no role where it stays a pawn.
    pub results: Vec<(Option<Role>, SliceView)>,
    /// The positions after each capture en passant that answers it.
    en_passant: Vec<SliceView>,
}

/// The best pawn move of every position of a slice with `turn` to move; `legal` holds the legal positions.
///
/// # Errors
/// Those of making a plane.
pub fn pawn_moves(space: &Space, sources: &Sources, turn: Color, legal: &[u128]) -> io::Result<PawnMoves> {
    let moves = &sources.pawn_moves[turn.index()];
    let n = space.n;
    let mut possible = space.zeroed_plane()?;
    let group_rows = space.group_len() * n;
    let of_group = |(sorter, found): &mut (Sorter, Vec<(Outcome, u128)>), (group, possible): (usize, &mut [u128])| {
        for (row, possible) in possible.iter_mut().enumerate() {
            let at = group * group_rows + row;
            let once = moves_of_row(space, moves, turn, at, legal[at], found);
            if !once {
                // The best first: a position takes the first outcome that it has.
                found.sort_unstable_by_key(|(outcome, _)| std::cmp::Reverse(*outcome));
            }
            for (outcome, columns) in found.drain(..) {
                let columns = columns & !*possible;
                *possible |= columns;
                if columns != 0 {
                    sorter.file(outcome, row, columns);
                }
            }
        }
        sorter.agenda(&space.kernel.idle_items)
    };
    let groups = possible.par_chunks_mut(group_rows).enumerate().map_init(Default::default, of_group).collect();
    let decisive = Agendas::new(groups, space.kernel.idle_items.clone());
    Ok(PawnMoves { possible, decisive })
}

/// Every pawn move that `turn` can make in a slice, wherever the other men stand.
///
/// # Errors
/// When a table that one leads to cannot be read.
pub fn possible_moves(space: &Space, store: &Store, turn: Color) -> Result<Vec<PawnMove>, ProbeError> {
    let with_results = |step: PawnStep| {
        let results = step.results(space, store, turn)?;
        let en_passant = step.en_passant_answers(space, store, turn)?;
        Ok(PawnMove { step, results, en_passant })
    };
    pawn_steps(space, turn).into_iter().map(with_results).collect()
}

/// Adds what the pawn moves of each legal position of a row of the slice are worth to the side that makes them. Says
/// whether no position has come up twice.
fn moves_of_row(
    space: &Space,
    moves: &[PawnMove],
    turn: Color,
    row: usize,
    legal: u128,
    found: &mut Vec<(Outcome, u128)>,
) -> bool {
    if legal == 0 {
        return true;
    }
    let mut lookups = 0;
    let (row_man, column_man) = (space.outer_men(), space.outer_men() + 1);
    let mut cells = space.outer_cells(row / space.n);
    cells[row_man] = Cell((row % space.n) as u8);
    let known: CellSet = cells[..=row_man].iter().copied().collect();
    for mv in moves {
        let Some(columns) = mv.step.columns(space, &cells, known, legal) else { continue };
        if mv.en_passant.is_empty() && mv.step.victim != Some(column_man) {
            for (promotion, view) in &mv.results {
                let (mut after, count) = mv.step.men_after(space, *promotion, &cells);
                let column_at = column_man - usize::from(mv.step.victim.is_some());
                let outcomes = view.row(&mut after[..count], column_at, columns);
                outcomes.each_outcome(|outcome, columns| found.push((outcome.one_ply_earlier(), columns)));
                lookups += 1;
            }
            continue;
        }
        // Column by column, each for all results.
        lookups += 2;
        for column in columns {
            cells[column_man] = column;
            for (promotion, view) in &mv.results {
                if let Some(outcome) = outcome_after(space, mv, *promotion, view, turn, &cells) {
                    found.push((outcome.one_ply_earlier(), column.set().0));
                }
            }
        }
    }
    lookups <= 1
}

/// The outcome, for the opponent, of the position after a pawn move; none if the move is not legal.
fn outcome_after(
    space: &Space,
    mv: &PawnMove,
    promotion: Option<Role>,
    view: &SliceView,
    turn: Color,
    cells: &[Cell; MAX_MEN],
) -> Option<Outcome> {
    let (after, count) = mv.step.men_after(space, promotion, cells);
    let outcome = view.code(&after[..count]).outcome()?;
    let answers = mv.en_passant.iter().filter_map(|answer| {
        let code: Code = answer.code(&cells[..space.men().len()]);
        code.outcome().map(Outcome::one_ply_earlier)
    });
    match answers.max() {
        Some(answer) if answer > outcome => Some(answer),
        // A capture en passant that is worse than the rest counts only where it is forced.
        Some(answer) if !has_other_move(space, mv, turn, cells) => Some(answer),
        _ => Some(outcome),
    }
}

/// Whether the opponent has a legal move besides captures en passant after a multi-step push.
fn has_other_move(space: &Space, mv: &PawnMove, turn: Color, cells: &[Cell; MAX_MEN]) -> bool {
    let variant: &Variant = space.variant();
    let mut position = Position::empty(turn.other());
    space.men().iter().zip(cells).for_each(|(&man, &cell)| position.put(man, cell));
    for color in Color::BOTH {
        let pawn = Man { color, role: variant.pawn() };
        mv.step.pawns[color.index()].iter().for_each(|cell| position.put(pawn, cell));
    }
    position.has_legal_move(variant)
}

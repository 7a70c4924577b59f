//! Pawn moves: for every position of a slice, the best that a pawn move of the side to move leads to.
//!
//! Pushes lead to slices solved before this one, captures and promotions to other tables. A multi-step push is
//! worth, for the opponent, the better of the position it leads to and of every capture en passant there.

use super::agenda::{Agendas, Sorter};
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

/// One pawn move, wherever the other men stand.
pub struct PawnMove {
    to: Cell,
    /// Cells that must be empty: all the way for a push, none for a capture.
    empty: CellSet,
    /// The man of the index that is taken on `to`.
    victim: Option<usize>,
    /// What the pawn becomes, with the positions that follow; no role where it stays a pawn.
    results: Vec<(Option<Role>, SliceView)>,
    /// The slice's pawns after the move.
    pawns: [CellSet; 2],
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
    let variant = space.variant();
    let rules = variant.pawn_rules(turn);
    let mut moves = vec![];
    for from in space.pawns[turn.index()] {
        for path in &rules.paths[from.index()] {
            for steps in 1..=path.len() {
                let empty: CellSet = path[..steps].iter().copied().collect();
                if empty.intersects(space.all_pawns()) {
                    break;
                }
                let mut mv = move_to(space, store, turn, from, path[steps - 1], None)?;
                mv.empty = empty;
                mv.en_passant = en_passant_answers(space, store, turn, &mv, empty - mv.to.set())?;
                moves.push(mv);
            }
        }
        for to in rules.captures[from.index()] - space.pawns[turn.index()] {
            if space.pawns[turn.other().index()].contains(to) {
                moves.push(move_to(space, store, turn, from, to, None)?);
                continue;
            }
            for victim in (2..space.men().len()).filter(|&i| space.men()[i].color != turn) {
                moves.push(move_to(space, store, turn, from, to, Some(victim))?);
            }
        }
    }
    Ok(moves)
}

/// A pawn's move to a cell, taking the enemy pawn or the man of the index that stands there.
fn move_to(
    space: &Space,
    store: &Store,
    turn: Color,
    from: Cell,
    to: Cell,
    victim: Option<usize>,
) -> Result<PawnMove, ProbeError> {
    let variant = space.variant();
    let mut pawns = space.pawns;
    pawns[turn.index()].remove(from);
    pawns[turn.other().index()].remove(to);
    let men: Vec<Man> = space.men().iter().enumerate().filter(|(i, _)| Some(*i) != victim).map(|(_, m)| *m).collect();
    let mut results = vec![];
    if variant.pawn_rules(turn).promotion.contains(to) {
        for &role in variant.promotions() {
            let men = [&men[..], &[Man { color: turn, role }]].concat();
            results.extend(store.view(&men, pawns, turn.other())?.map(|view| (Some(role), view)));
        }
    } else {
        pawns[turn.index()].insert(to);
        results.extend(store.view(&men, pawns, turn.other())?.map(|view| (None, view)));
    }
    Ok(PawnMove { to, empty: CellSet::EMPTY, victim, results, pawns, en_passant: vec![] })
}

/// The positions after each capture en passant of a pawn that has gone to `mv.to` over the cells of `skipped`.
fn en_passant_answers(
    space: &Space,
    store: &Store,
    turn: Color,
    mv: &PawnMove,
    skipped: CellSet,
) -> Result<Vec<SliceView>, ProbeError> {
    let answering = turn.other();
    let rules = space.variant().pawn_rules(answering);
    let mut answers = vec![];
    for onto in skipped {
        for capturer in rules.captured_from[onto.index()] & mv.pawns[answering.index()] {
            let mut pawns = mv.pawns;
            pawns[turn.index()].remove(mv.to);
            pawns[answering.index()].remove(capturer);
            pawns[answering.index()].insert(onto);
            answers.extend(store.view(space.men(), pawns, turn)?);
        }
    }
    Ok(answers)
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
        let columns = match mv.victim {
            // A capture of a pawn has nothing to keep clear of: a legal position has no one else on that cell.
            None if mv.empty.intersects(known) => continue,
            None => CellSet(legal) - mv.empty,
            Some(victim) if victim == column_man => CellSet(legal) & mv.to.set(),
            Some(victim) if cells[victim] == mv.to => CellSet(legal),
            Some(_) => continue,
        };
        if mv.en_passant.is_empty() && mv.victim != Some(column_man) {
            for (promotion, view) in &mv.results {
                let (mut after, count) = men_after(space, mv, *promotion, &cells);
                let column_at = column_man - usize::from(mv.victim.is_some());
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

/// The cells of the men after a pawn move, and how many they are: those of the index without the one taken, then what
/// the pawn has become.
fn men_after(
    space: &Space,
    mv: &PawnMove,
    promotion: Option<Role>,
    cells: &[Cell; MAX_MEN],
) -> ([Cell; MAX_MEN + 1], usize) {
    let men = space.men().len();
    let mut after = [Cell(0); MAX_MEN + 1];
    after[..men].copy_from_slice(&cells[..men]);
    let mut count = men;
    if let Some(victim) = mv.victim {
        after.copy_within(victim + 1..men, victim);
        count -= 1;
    }
    if promotion.is_some() {
        after[count] = mv.to;
        count += 1;
    }
    (after, count)
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
    let (after, count) = men_after(space, mv, promotion, cells);
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
        mv.pawns[color.index()].iter().for_each(|cell| position.put(pawn, cell));
    }
    position.has_legal_move(variant)
}

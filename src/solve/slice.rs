//! Solving one slice: the state of both sides, and the iteration ply by ply.
//!
//! For each side to move there are three planes: *undecided* (legal, a legal move, value not known), *open*
//! (legal and not known to be won) and *frontier* (lost in exactly the ply at hand). Then, for each side:
//!
//! - at an odd ply an undecided position is newly won if a move leads into the other side's frontier, or a pawn move
//!   wins that is due now;
//! - at an even ply it is newly lost if no move leads into the other side's open positions, and no pawn move that
//!   holds longer is left.
//!
//! Only those rows are looked at that a change in the ply before can have touched.
//!
//! Pass 1 does this for mate. Where stalemate counts, pass 2 goes on with what is left, from the stalemates: its
//! `open` still lacks the positions won by mate, because the side that will be stalemated never steps into a mate,
//! and those moves do not delay anything.

use super::Watch;
use super::agenda::{Agendas, Item};
use super::captures::captures_before;
use super::events::Events;
use super::moves::{After, Question};
use super::pawn_moves::pawn_moves;
use super::sources::Sources;
use super::space::Space;
use crate::geometry::{Cell, CellSet, Color};
use crate::index::{Plane, SidePlanes};
use crate::outcome::Value;
use rayon::prelude::*;
use std::io;

/// What is known of the positions with one side to move.
struct Side {
    legal: Plane,
    /// Legal, with a legal move, value not yet known.
    undecided: Plane,
    /// Legal and not known to be won; also the positions after captures that are not won.
    open: Plane,
    /// Lost in exactly the ply at hand; also such positions after captures.
    frontier: Plane,
    /// Decided in pass 2. None until then.
    by_stalemate: Option<Plane>,
    /// Binary digits of the distances in moves, as far as they are needed.
    distance: Vec<Plane>,
    /// Positions with a pawn move that, so far as due, does not lose. None without pawns.
    hold: Option<Plane>,
    /// Stalemated positions, the seeds of pass 2.
    stalemates: Vec<(u32, u128)>,
    // For each block, rows in which something is, or has happened since the block was last looked at.
    /// Something is undecided.
    undecided_rows: Vec<CellSet>,
    /// The frontier holds something.
    frontier_rows: Vec<CellSet>,
    /// `open` lost a position at the last odd ply.
    shrunk_rows: Vec<CellSet>,
    after_capture: Events,
    by_pawn: Agendas,
}

/// Marks a row of a slice in the sets of rows of its blocks.
fn note(rows_of_blocks: &mut [CellSet], row: u32, n: usize) {
    let row = row as usize;
    rows_of_blocks[row / n].insert(Cell((row % n) as u8));
}

/// Empties a plane that holds something in the rows that `filled` gives for each block, and these sets too.
fn empty(plane: &mut [u128], filled: &mut [CellSet], n: usize) {
    for (rows, filled) in plane.chunks_mut(n).zip(filled) {
        std::mem::take(filled).iter().for_each(|row| rows[row.index()] = 0);
    }
}

/// One of the two ways in which a game is decided.
#[derive(Clone, Copy)]
struct Pass {
    win: Value,
    loss: Value,
}

const MATE: Pass = Pass { win: Value::Win, loss: Value::Loss };
const STALEMATE: Pass = Pass { win: Value::StalemateWin, loss: Value::StalemateLoss };

/// Solves a slice: an outcome for each legal position of either side to move.
///
/// All that the slice converts into must be in `sources`.
///
/// # Errors
/// Those of making planes, see [`Arena`](crate::index::Arena).
pub fn solve_slice(space: &Space, sources: &Sources, watch: &dyn Watch) -> io::Result<[SidePlanes; 2]> {
    let mut sides = initial_sides(space, sources)?;
    run_pass(space, &mut sides, MATE, watch)?;
    let counts = space.variant().stalemate_counts();
    for side in &mut sides {
        if counts {
            side.by_stalemate = Some(space.zeroed_plane()?);
        }
        for (row, bits) in std::mem::take(&mut side.stalemates) {
            if let Some(by_stalemate) = &mut side.by_stalemate {
                by_stalemate[row as usize] |= bits;
                side.frontier[row as usize] |= bits;
                note(&mut side.frontier_rows, row, space.n);
            } else {
                side.undecided[row as usize] |= bits;
            }
        }
    }
    if counts {
        run_pass(space, &mut sides, STALEMATE, watch)?;
    }
    Ok(sides.map(|side| SidePlanes {
        legal: side.legal,
        open: side.open,
        drawn: side.undecided,
        by_stalemate: side.by_stalemate,
        distance: side.distance,
        across: None,
    }))
}

/// Both sides before the first ply: legality, captures and pawn moves known, mates in the frontier.
fn initial_sides(space: &Space, sources: &Sources) -> io::Result<[Side; 2]> {
    let mut sides = [initial_side(space, sources, Color::White)?, initial_side(space, sources, Color::Black)?];
    for mover in Color::BOTH {
        find_terminal(space, &mut sides, mover);
    }
    Ok(sides)
}

fn initial_side(space: &Space, sources: &Sources, turn: Color) -> io::Result<Side> {
    let group_rows = space.group_len() * space.n;
    let (mut legal, mut undecided, mut open) = (space.stale_plane()?, space.stale_plane()?, space.stale_plane()?);
    let groups =
        (legal.par_chunks_mut(group_rows), undecided.par_chunks_mut(group_rows), open.par_chunks_mut(group_rows));
    groups.into_par_iter().enumerate().for_each(|(group, (legal, undecided, open))| {
        for (i, block_legal) in legal.chunks_mut(space.n).enumerate() {
            space.fill_legal(turn, group * space.group_len() + i, block_legal);
        }
        undecided.copy_from_slice(legal);
        open.copy_from_slice(legal);
    });
    let (mut hold, mut by_pawn) = (None, space.empty_agendas());
    if !space.pawns[turn.index()].is_empty() {
        let moves = pawn_moves(space, sources, turn, &legal)?;
        (hold, by_pawn) = (Some(moves.possible), moves.decisive);
    }
    let after_capture = captures_before(space, sources, turn, &mut open);
    let no_rows = vec![CellSet::EMPTY; space.block_count()];
    Ok(Side {
        legal,
        undecided,
        open,
        frontier: space.zeroed_plane()?,
        by_stalemate: None,
        distance: vec![],
        hold,
        stalemates: vec![],
        undecided_rows: no_rows.clone(),
        frontier_rows: no_rows.clone(),
        shrunk_rows: no_rows,
        after_capture,
        by_pawn,
    })
}

/// Takes the positions without a legal move out of the undecided ones: mates and stalemates.
fn find_terminal(space: &Space, sides: &mut [Side; 2], mover: Color) {
    let (n, len) = (space.n, space.group_len());
    let all = CellSet::first(n);
    let [side, other] = mover_first(sides, mover);
    let after = After { plane: &other.open, rows: |_| all };
    let hold = side.hold.as_deref();
    let groups = (side.undecided.par_chunks_mut(len * n), side.undecided_rows.par_chunks_mut(len));
    type Group<'a> = (usize, (&'a mut [u128], &'a mut [CellSet]));
    let of_group = |questions: &mut Vec<Question>, (group, (undecided, undecided_rows)): Group| {
        let first = group * len;
        for (i, (undecided, question)) in undecided.chunks(n).zip(questions.iter_mut()).enumerate() {
            question.ask(undecided, all);
            strike_held(hold.map_or(&[], |hold| &hold[(first + i) * n..]), question);
        }
        let questions = &mut questions[..undecided_rows.len()];
        space.strike_out_group(mover, first, &after, questions);
        let mut found = vec![];
        let blocks = undecided_rows.iter_mut().zip(undecided.chunks_mut(n)).zip(questions.iter()).enumerate();
        for (i, ((undecided_rows, undecided), question)) in blocks {
            for row in question.open_rows() {
                found.push((((first + i) * n + row.index()) as u32, question.row(row)));
                undecided[row.index()] &= !question.row(row);
            }
            *undecided_rows =
                undecided.iter().enumerate().filter(|(_, bits)| **bits != 0).map(|(row, _)| Cell(row as u8)).collect();
        }
        found
    };
    let terminal: Vec<Vec<(u32, u128)>> =
        groups.into_par_iter().enumerate().map_init(|| space.questions(), of_group).collect();
    for (row, stuck) in terminal.into_iter().flatten() {
        let check = space.check_in_row(mover, row as usize);
        let (mated, stalemated) = (stuck & check, stuck & !check);
        if mated != 0 {
            side.frontier[row as usize] |= mated;
            note(&mut side.frontier_rows, row, n);
        }
        if stalemated != 0 {
            side.stalemates.push((row, stalemated));
        }
    }
}

/// Strikes out the positions of a block with a pawn move that holds, from the block's rows of `hold` on; it has none
/// without pawns.
fn strike_held(hold: &[u128], question: &mut Question) {
    if !hold.is_empty() {
        question.open_rows().iter().for_each(|row| question.strike(row, hold[row.index()]));
    }
}

/// The rows of a block among those of its group that some items are about, which come by row; takes these items off
/// their beginning.
fn items_of_block<'a>(due: &mut &'a [Item], block: usize, n: usize) -> &'a [Item] {
    let (of_block, rest) = due.split_at(due.partition_point(|item| item.row() < (block + 1) * n));
    *due = rest;
    of_block
}

fn mover_first(sides: &mut [Side; 2], mover: Color) -> [&mut Side; 2] {
    let [white, black] = sides;
    if mover == Color::White { [white, black] } else { [black, white] }
}

/// Iterates until nothing is new and nothing is due any more.
fn run_pass(space: &Space, sides: &mut [Side; 2], pass: Pass, watch: &dyn Watch) -> io::Result<()> {
    for side in sides.iter_mut() {
        enter_frontier(side, pass, 0, space.n);
    }
    let mut ply = 1;
    loop {
        for mover in Color::BOTH {
            find_wins(space, sides, mover, pass, ply)?;
        }
        sides.iter_mut().for_each(|side| close_captures(side, pass, ply, space.n));
        let mut fresh = false;
        for mover in Color::BOTH {
            fresh |= find_losses(space, sides, mover, pass, ply + 1)?;
        }
        for side in sides.iter_mut() {
            fresh |= enter_frontier(side, pass, ply + 1, space.n);
        }
        watch.plies(ply + 1);
        let waiting = |side: &Side| {
            let later = |value| side.after_capture.any_after(value, ply + 1) || side.by_pawn.any_after(value, ply + 1);
            later(pass.win) || later(pass.loss)
        };
        if !fresh && !sides.iter().any(waiting) {
            return Ok(());
        }
        ply += 2;
    }
}

/// Puts the positions after captures that are lost in `ply` into the frontier; says whether there are any.
fn enter_frontier(side: &mut Side, pass: Pass, ply: u16, n: usize) -> bool {
    let mut any = false;
    for positions in side.after_capture.due(pass.loss, ply) {
        any = true;
        positions.each_row(n, |row, bits| {
            side.frontier[row as usize] |= bits;
            note(&mut side.frontier_rows, row, n);
        });
    }
    any
}

/// Takes the positions after captures that are won in `ply` out of the open ones.
fn close_captures(side: &mut Side, pass: Pass, ply: u16, n: usize) {
    for positions in side.after_capture.due(pass.win, ply) {
        positions.each_row(n, |row, bits| {
            side.open[row as usize] &= !bits;
            note(&mut side.shrunk_rows, row, n);
        });
    }
}

/// Some planes cut up into the groups of blocks.
struct Parts<'a> {
    /// Group by group, its part of each plane; empty parts if there is no plane.
    parts: Vec<&'a mut [u128]>,
    per_group: usize,
}

impl<'a> Parts<'a> {
    fn new(space: &Space, planes: impl Iterator<Item = &'a mut Plane>) -> Parts<'a> {
        let group_rows = space.group_len() * space.n;
        let mut planes: Vec<_> = planes.map(|plane| plane.chunks_mut(group_rows)).collect();
        let mut parts: Vec<&mut [u128]> = Vec::with_capacity(space.group_count() * planes.len().max(1));
        for _ in 0..space.group_count() {
            parts.extend(planes.iter_mut().filter_map(Iterator::next));
        }
        if planes.is_empty() {
            parts.resize_with(space.group_count(), Default::default);
        }
        Parts { parts, per_group: planes.len().max(1) }
    }

    /// For each group, its parts.
    fn groups<'b>(&'b mut self) -> rayon::slice::ChunksMut<'b, &'a mut [u128]> {
        self.parts.par_chunks_mut(self.per_group)
    }
}

/// The planes that note down what is found at a ply: the binary digits of the distance that are 1, and in pass 2 that
/// it is pass 2.
fn records<'a>(
    space: &Space,
    distance: &'a mut Vec<Plane>,
    by_stalemate: &'a mut Option<Plane>,
    pass: Pass,
    ply: u16,
) -> io::Result<Parts<'a>> {
    let moves = ply / 2;
    while distance.len() < (u16::BITS - moves.leading_zeros()) as usize {
        distance.push(space.zeroed_plane()?);
    }
    let digits = distance.iter_mut().enumerate().filter(|(digit, _)| moves >> digit & 1 != 0);
    let late = by_stalemate.iter_mut().filter(|_| pass.loss == Value::StalemateLoss);
    Ok(Parts::new(space, digits.map(|(_, plane)| plane).chain(late)))
}

/// Adds some positions of a row to a group's parts of planes.
#[inline]
fn add(parts: &mut [&mut [u128]], row: usize, found: u128) {
    parts.iter_mut().filter_map(|part| part.get_mut(row)).for_each(|row| *row |= found);
}

/// An odd ply: the undecided positions that a move wins.
fn find_wins(space: &Space, sides: &mut [Side; 2], mover: Color, pass: Pass, ply: u16) -> io::Result<()> {
    let (n, len) = (space.n, space.group_len());
    let [side, other] = mover_first(sides, mover);
    if other.frontier_rows.iter().all(|rows| rows.is_empty()) && !side.by_pawn.any_due(pass.win, ply) {
        side.shrunk_rows.fill(CellSet::EMPTY);
        return Ok(());
    }
    let frontier = |block: usize| other.frontier_rows[block];
    let after = After { plane: &other.frontier, rows: frontier };
    let mut records = records(space, &mut side.distance, &mut side.by_stalemate, pass, ply)?;
    let groups = (
        side.undecided.par_chunks_mut(len * n),
        side.open.par_chunks_mut(len * n),
        records.groups(),
        side.undecided_rows.par_chunks_mut(len),
        side.shrunk_rows.par_chunks_mut(len),
        side.by_pawn.groups_mut(),
    );
    groups.into_par_iter().enumerate().for_each_init(
        || space.questions(),
        |questions, (group, (undecided, open, records, undecided_rows, shrunk_rows, agenda))| {
            let first = group * len;
            let questions = &mut questions[..undecided_rows.len()];
            shrunk_rows.fill(CellSet::EMPTY);
            let mut any = false;
            let mut due = agenda.due(pass.win, ply);
            for (i, question) in questions.iter_mut().enumerate() {
                let due = items_of_block(&mut due, i, n);
                let wanted = due.iter().fold(undecided_rows[i], |rows, item| rows - item.cell(n).set());
                let touched = space.touched_rows(mover, first + i, wanted, frontier) | (undecided_rows[i] - wanted);
                question.ask(&undecided[i * n..][..n], touched);
                due.iter().for_each(|item| question.strike(item.cell(n), item.columns()));
                any |= !question.asked_rows().is_empty();
            }
            if !any {
                return;
            }
            space.strike_out_group(mover, first, &after, questions);
            for (i, question) in questions.iter().enumerate() {
                for row in question.asked_rows() {
                    let at = i * n + row.index();
                    let won = undecided[at] & !question.row(row);
                    if won != 0 {
                        open[at] &= !won;
                        undecided[at] &= !won;
                        add(records, at, won);
                        shrunk_rows[i].insert(row);
                        if undecided[at] == 0 {
                            undecided_rows[i].remove(row);
                        }
                    }
                }
            }
        },
    );
    Ok(())
}

/// An even ply: the undecided positions in which every move loses; they become the frontier. Says whether there are
/// any.
fn find_losses(space: &Space, sides: &mut [Side; 2], mover: Color, pass: Pass, ply: u16) -> io::Result<bool> {
    let (n, len) = (space.n, space.group_len());
    let all = CellSet::first(n);
    let [side, other] = mover_first(sides, mover);
    if other.shrunk_rows.iter().all(|rows| rows.is_empty()) && !side.by_pawn.any_due(pass.loss, ply) {
        empty(&mut side.frontier, &mut side.frontier_rows, n);
        return Ok(false);
    }
    let shrunk = |block: usize| other.shrunk_rows[block];
    let after = After { plane: &other.open, rows: |_| all };
    let mut hold = Parts::new(space, side.hold.iter_mut());
    let mut records = records(space, &mut side.distance, &mut side.by_stalemate, pass, ply)?;
    let groups = (
        side.undecided.par_chunks_mut(len * n),
        side.frontier.par_chunks_mut(len * n),
        records.groups(),
        side.undecided_rows.par_chunks_mut(len),
        side.frontier_rows.par_chunks_mut(len),
        hold.groups(),
        side.by_pawn.groups_mut(),
    );
    let fresh = groups.into_par_iter().enumerate().map_init(
        || space.questions(),
        |questions, (group, (undecided, frontier, records, undecided_rows, frontier_rows, hold, agenda))| {
            let first = group * len;
            let questions = &mut questions[..undecided_rows.len()];
            let mut any = false;
            let hold: &mut [u128] = hold[0];
            let mut due = agenda.due(pass.loss, ply);
            for (i, question) in questions.iter_mut().enumerate() {
                std::mem::take(&mut frontier_rows[i]).iter().for_each(|row| frontier[i * n + row.index()] = 0);
                let mut wanted = undecided_rows[i];
                for item in items_of_block(&mut due, i, n) {
                    hold[item.row()] &= !item.columns();
                    wanted.remove(item.cell(n));
                }
                let touched = space.touched_rows(mover, first + i, wanted, shrunk) | (undecided_rows[i] - wanted);
                question.ask(&undecided[i * n..][..n], touched);
                strike_held(hold.get(i * n..).unwrap_or(&[]), question);
                any |= !question.open_rows().is_empty();
            }
            if !any {
                return false;
            }
            space.strike_out_group(mover, first, &after, questions);
            let mut fresh = false;
            for (i, question) in questions.iter().enumerate() {
                for row in question.open_rows() {
                    let at = i * n + row.index();
                    let lost = question.row(row);
                    undecided[at] &= !lost;
                    frontier[at] = lost;
                    add(records, at, lost);
                    frontier_rows[i].insert(row);
                    if undecided[at] == 0 {
                        undecided_rows[i].remove(row);
                    }
                    fresh = true;
                }
            }
            fresh
        },
    );
    Ok(fresh.reduce(|| false, |a, b| a | b))
}

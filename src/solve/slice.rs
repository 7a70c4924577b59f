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
use super::captures::{Captures, captures_before};
use super::events::Events;
use super::moves::{After, Question};
use super::pawn_moves::{PawnMoves, pawn_moves};
use super::sources::Sources;
use super::space::Space;
use crate::geometry::{Cell, CellSet, Color};
use crate::index::{Plane, SidePlanes};
use crate::outcome::Value;
use rayon::prelude::*;

/// What is known of the positions with one side to move.
struct Side {
    legal: Plane,
    /// Legal, with a legal move, value not yet known.
    undecided: Plane,
    /// Legal and not known to be won; also the positions after captures that are not won.
    open: Plane,
    /// Lost in exactly the ply at hand; also such positions after captures.
    frontier: Plane,
    /// Decided in pass 2. Empty until then.
    by_stalemate: Plane,
    /// Binary digits of the distances in moves, as far as they are needed.
    distance: Vec<Plane>,
    /// Positions with a pawn move that, so far as due, does not lose. Empty without pawns.
    hold: Vec<u128>,
    /// Scratch plane for pawn moves that win at the ply at hand. Empty without pawns.
    due: Vec<u128>,
    /// Stalemated positions, the seeds of pass 2.
    stalemates: Vec<(u32, u128)>,
    blocks: Vec<BlockState>,
    after_capture: [Events; Value::ALL.len()],
    by_pawn: [Events; Value::ALL.len()],
}

/// The rows of a block in which something is, or has happened since the block was last looked at.
#[derive(Clone, Copy, Default)]
struct BlockState {
    undecided: CellSet,
    /// The frontier holds something.
    frontier: CellSet,
    /// `open` lost a position at the last odd ply.
    shrunk: CellSet,
    /// `hold` lost a position at this even ply.
    released: CellSet,
    /// `due` holds something.
    due: CellSet,
}

/// Marks a row of a slice in one of the sets of its block's state.
fn note(blocks: &mut [BlockState], row: u32, n: usize, set: impl Fn(&mut BlockState) -> &mut CellSet) {
    let row = row as usize;
    set(&mut blocks[row / n]).insert(Cell((row % n) as u8));
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
pub fn solve_slice(space: &Space, sources: &Sources, watch: &dyn Watch) -> [SidePlanes; 2] {
    let mut sides = initial_sides(space, sources);
    // Bits found at the ply at hand, for one side at a time.
    let mut fresh = Plane::new(space.row_count());
    run_pass(space, &mut sides, MATE, &mut fresh, watch);
    let counts = space.variant().stalemate_counts();
    for side in &mut sides {
        side.by_stalemate = Plane::new(if counts { space.row_count() } else { 0 });
        for (row, bits) in std::mem::take(&mut side.stalemates) {
            if counts {
                side.by_stalemate[row as usize] |= bits;
                side.frontier[row as usize] |= bits;
                note(&mut side.blocks, row, space.n, |state| &mut state.frontier);
            } else {
                side.undecided[row as usize] |= bits;
            }
        }
    }
    if counts {
        run_pass(space, &mut sides, STALEMATE, &mut fresh, watch);
    }
    sides.map(|side| SidePlanes {
        legal: side.legal,
        open: side.open,
        drawn: side.undecided,
        by_stalemate: counts.then_some(side.by_stalemate),
        distance: side.distance,
    })
}

/// Notes down the distance of the positions in `found`, a plane of which only the rows count that `rows` gives for
/// each block. All are decided at `ply`.
fn record(
    side: &mut Side,
    found: &[u128],
    rows: impl Fn(&BlockState) -> CellSet + Sync,
    pass: Pass,
    ply: u16,
    n: usize,
) {
    let moves = ply / 2;
    while side.distance.len() < (u16::BITS - moves.leading_zeros()) as usize {
        side.distance.push(Plane::new(found.len()));
    }
    let digits =
        side.distance.iter_mut().enumerate().filter(|(digit, _)| moves >> digit & 1 != 0).map(|(_, plane)| plane);
    let late = (pass.loss == Value::StalemateLoss).then_some(&mut side.by_stalemate);
    for plane in digits.chain(late) {
        let blocks = plane.par_chunks_mut(n).zip(found.par_chunks(n)).zip(&side.blocks).with_min_len(64);
        blocks.for_each(|((plane, found), state)| {
            rows(state).iter().for_each(|row| plane[row.index()] |= found[row.index()]);
        });
    }
}

/// Both sides before the first ply: legality, captures and pawn moves known, mates in the frontier.
fn initial_sides(space: &Space, sources: &Sources) -> [Side; 2] {
    let (n, rows) = (space.n, space.row_count());
    let mut checks: Vec<Plane> = vec![];
    let mut sides = Color::BOTH.map(|turn| {
        let (mut legal, mut check) = (Plane::new(rows), Plane::new(rows));
        legal.par_chunks_mut(n).zip(check.par_chunks_mut(n)).enumerate().for_each(|(block, (legal, check))| {
            let (l, c) = space.legal_and_check(turn, block);
            legal.copy_from_slice(&l[..n]);
            check.copy_from_slice(&c[..n]);
        });
        checks.push(check);
        let pawns = match space.pawns[turn.index()].is_empty() {
            true => PawnMoves { possible: vec![], decisive: Default::default() },
            false => pawn_moves(space, sources, turn, &legal),
        };
        let Captures { legal: after_captures, decisive } = captures_before(space, sources, turn);
        let (mut undecided, mut open) = (Plane::new(rows), Plane::new(rows));
        undecided.copy_from_slice(&legal);
        open.copy_from_slice(&legal);
        after_captures.iter().for_each(|&(row, bits)| open[row as usize] |= bits);
        Side {
            legal,
            undecided,
            open,
            frontier: Plane::new(rows),
            by_stalemate: Plane::new(0),
            distance: vec![],
            due: vec![0; pawns.possible.len()],
            hold: pawns.possible,
            stalemates: vec![],
            blocks: vec![BlockState::default(); space.block_count()],
            after_capture: decisive,
            by_pawn: pawns.decisive,
        }
    });
    for mover in Color::BOTH {
        find_terminal(space, &mut sides, mover, &checks[mover.index()]);
    }
    sides
}

/// Takes the positions without a legal move out of the undecided ones: mates and stalemates.
fn find_terminal(space: &Space, sides: &mut [Side; 2], mover: Color, check: &[u128]) {
    let n = space.n;
    let all = CellSet::first(n);
    let [side, other] = mover_first(sides, mover);
    let after = After { plane: &other.open, rows: |_| all };
    let chunks = (side.undecided.par_chunks_mut(n), side.blocks.par_iter_mut()).into_par_iter().enumerate();
    let of_block = |(block, (undecided, state)): (usize, (&mut [u128], &mut BlockState))| {
        let mut question = Question::new(undecided, all);
        strike_held(&side.hold, block, n, &mut question);
        space.strike_out(mover, block, &after, &mut question);
        let found: Vec<(u32, u128)> =
            question.open_rows().iter().map(|row| ((block * n + row.index()) as u32, question.row(row))).collect();
        for row in all {
            undecided[row.index()] &= !question.row(row);
            if undecided[row.index()] != 0 {
                state.undecided.insert(row);
            }
        }
        found
    };
    let terminal: Vec<Vec<(u32, u128)>> = chunks.map(of_block).collect();
    for (row, stuck) in terminal.into_iter().flatten() {
        let (mated, stalemated) = (stuck & check[row as usize], stuck & !check[row as usize]);
        if mated != 0 {
            side.frontier[row as usize] |= mated;
            note(&mut side.blocks, row, n, |state| &mut state.frontier);
        }
        if stalemated != 0 {
            side.stalemates.push((row, stalemated));
        }
    }
}

/// Strikes out the positions with a pawn move that holds.
fn strike_held(hold: &[u128], block: usize, n: usize, question: &mut Question) {
    if !hold.is_empty() {
        question.open_rows().iter().for_each(|row| question.strike(row, hold[block * n + row.index()]));
    }
}

fn mover_first(sides: &mut [Side; 2], mover: Color) -> [&mut Side; 2] {
    let [white, black] = sides;
    if mover == Color::White { [white, black] } else { [black, white] }
}

/// Iterates until nothing is new and nothing is due any more.
fn run_pass(space: &Space, sides: &mut [Side; 2], pass: Pass, fresh: &mut Plane, watch: &dyn Watch) {
    for side in sides.iter_mut() {
        enter_frontier(side, pass, 0, space.n);
    }
    let mut ply = 1;
    loop {
        for mover in Color::BOTH {
            find_wins(space, sides, mover, pass, ply, fresh);
        }
        sides.iter_mut().for_each(|side| close_captures(side, pass, ply, space.n));
        for mover in Color::BOTH {
            find_losses(space, sides, mover, pass, ply + 1);
        }
        sides.iter_mut().for_each(|side| enter_frontier(side, pass, ply + 1, space.n));
        watch.plies(ply + 1);
        let quiet = |side: &Side| {
            let events = [&side.after_capture, &side.by_pawn];
            let waiting =
                events.iter().any(|e| [pass.win, pass.loss].iter().any(|v| e[*v as usize].any_after(ply + 1)));
            !waiting && side.blocks.iter().all(|b| b.frontier.is_empty())
        };
        if sides.iter().all(quiet) {
            return;
        }
        ply += 2;
    }
}

/// Puts the positions after captures that are lost in `ply` into the frontier.
fn enter_frontier(side: &mut Side, pass: Pass, ply: u16, n: usize) {
    for &(row, bits) in side.after_capture[pass.loss as usize].due(ply) {
        side.frontier[row as usize] |= bits;
        note(&mut side.blocks, row, n, |state| &mut state.frontier);
    }
}

/// Takes the positions after captures that are won in `ply` out of the open ones.
fn close_captures(side: &mut Side, pass: Pass, ply: u16, n: usize) {
    for &(row, bits) in side.after_capture[pass.win as usize].due(ply) {
        side.open[row as usize] &= !bits;
        note(&mut side.blocks, row, n, |state| &mut state.shrunk);
    }
}

/// An odd ply: the undecided positions that a move wins. `fresh` is scratch.
fn find_wins(space: &Space, sides: &mut [Side; 2], mover: Color, pass: Pass, ply: u16, fresh: &mut Plane) {
    let n = space.n;
    let [side, other] = mover_first(sides, mover);
    for &(row, bits) in side.by_pawn[pass.win as usize].due(ply) {
        side.due[row as usize] |= bits;
        note(&mut side.blocks, row, n, |state| &mut state.due);
    }
    let states = &other.blocks;
    let after = After { plane: &other.frontier, rows: |block: usize| states[block].frontier };
    let due = &side.due;
    let chunks = (
        side.undecided.par_chunks_mut(n),
        side.open.par_chunks_mut(n),
        fresh.par_chunks_mut(n),
        side.blocks.par_iter_mut(),
    );
    chunks.into_par_iter().enumerate().for_each(|(block, (undecided, open, fresh, state))| {
        state.shrunk = CellSet::EMPTY;
        let due_rows = std::mem::take(&mut state.due);
        let touched = space.touched_rows(mover, block, |b| states[b].frontier) | due_rows;
        let asked = touched & state.undecided;
        if asked.is_empty() {
            return;
        }
        let mut question = Question::new(undecided, asked);
        due_rows.iter().for_each(|row| question.strike(row, due[block * n + row.index()]));
        space.strike_out(mover, block, &after, &mut question);
        for row in asked {
            let won = undecided[row.index()] & !question.row(row);
            if won != 0 {
                fresh[row.index()] = won;
                open[row.index()] &= !won;
                undecided[row.index()] &= !won;
                state.shrunk.insert(row);
                if undecided[row.index()] == 0 {
                    state.undecided.remove(row);
                }
            }
        }
    });
    for &(row, _) in side.by_pawn[pass.win as usize].due(ply) {
        side.due[row as usize] = 0;
    }
    record(side, fresh, |state| state.shrunk, pass, ply, n);
}

/// An even ply: the undecided positions in which every move loses; they become the frontier.
fn find_losses(space: &Space, sides: &mut [Side; 2], mover: Color, pass: Pass, ply: u16) {
    let n = space.n;
    let all = CellSet::first(n);
    let [side, other] = mover_first(sides, mover);
    for &(row, bits) in side.by_pawn[pass.loss as usize].due(ply) {
        side.hold[row as usize] &= !bits;
        note(&mut side.blocks, row, n, |state| &mut state.released);
    }
    let states = &other.blocks;
    let after = After { plane: &other.open, rows: |_| all };
    let hold = &side.hold;
    let chunks = (side.undecided.par_chunks_mut(n), side.frontier.par_chunks_mut(n), side.blocks.par_iter_mut());
    chunks.into_par_iter().enumerate().for_each(|(block, (undecided, frontier, state))| {
        std::mem::take(&mut state.frontier).iter().for_each(|row| frontier[row.index()] = 0);
        let touched = space.touched_rows(mover, block, |b| states[b].shrunk) | std::mem::take(&mut state.released);
        let asked = touched & state.undecided;
        if asked.is_empty() {
            return;
        }
        let mut question = Question::new(undecided, asked);
        strike_held(hold, block, n, &mut question);
        space.strike_out(mover, block, &after, &mut question);
        for row in question.open_rows() {
            let lost = question.row(row);
            undecided[row.index()] &= !lost;
            frontier[row.index()] = lost;
            state.frontier.insert(row);
            if undecided[row.index()] == 0 {
                state.undecided.remove(row);
            }
        }
    });
    let frontier = std::mem::replace(&mut side.frontier, Plane::new(0));
    record(side, &frontier, |state| state.frontier, pass, ply, n);
    side.frontier = frontier;
}

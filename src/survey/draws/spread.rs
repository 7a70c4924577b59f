//! The fixed points of which the classes are made, by one iteration like the solver's.
//!
//! Each of them is of one form. Of the two sides, some positions are to be *found*:
//!
//! - of the *seekers*, those from which some move leads to a position of the others that has been found;
//! - of the *bound*, those from which no move leads to a position of the seekers that is *open*: left to be found (and
//!   for perpetual check, besides, in check).
//!
//! | | seekers | bound | found |
//! |---|---|---|---|
//! | conversion | weak | strong | in the class |
//! | the core of perpetual check | strong | weak | not in it |
//! | what can be forced into that | weak | strong | in the class |
//!
//! After a first look at all, only those rows are looked at that the last step can have touched. Pawn moves are none of
//! its business: what they find is found before it starts, and what they hold back is not left to be found.

use crate::geometry::{Cell, CellSet, Color};
use crate::index::Plane;
use crate::solve::{After, Space};
use rayon::prelude::*;
use std::io;

/// The seekers: some move into what has been found of the bound finds them.
pub struct Seekers {
    /// Those that have not been found.
    pub left: Plane,
    /// Those of them that are open, if not all are.
    pub open: Option<Plane>,
}

/// The bound: found when no move is left into what is open of the seekers.
pub struct Bound {
    /// Those that have not been found.
    pub left: Plane,
    /// Those found in the last step; at first, those that count as found from the start.
    pub fresh: Plane,
}

/// For each block, some of its rows.
type Rows = Vec<CellSet>;

/// Finds all that can be found; `seeking` is the side to move of the seekers. What is left then is in `left`.
///
/// # Errors
/// Those of making planes.
pub fn spread(space: &Space, seeking: Color, seekers: &mut Seekers, bound: &mut Bound) -> io::Result<()> {
    let mut fresh = filled_rows(space, &bound.fresh);
    let mut seekers_left = filled_rows(space, &seekers.left);
    let mut bound_left = filled_rows(space, &bound.left);
    find_seekers(space, seeking, seekers, &mut seekers_left, &bound.fresh, &fresh);
    // At first everybody is asked: those without any move cannot be touched.
    let mut changed = None;
    loop {
        find_bound(space, seeking.other(), bound, &mut bound_left, &mut fresh, seekers, changed.as_ref());
        if fresh.iter().all(|rows| rows.is_empty()) {
            return Ok(());
        }
        changed = Some(find_seekers(space, seeking, seekers, &mut seekers_left, &bound.fresh, &fresh));
    }
}

fn filled_rows(space: &Space, plane: &[u128]) -> Rows {
    let of_block = |rows: &[u128]| {
        rows.iter().enumerate().filter(|(_, bits)| **bits != 0).map(|(row, _)| Cell(row as u8)).collect()
    };
    plane.par_chunks(space.n).with_min_len(16).map(of_block).collect()
}

/// Finds the seekers with a move into `fresh`. Returns the rows in which some were found.
fn find_seekers(
    space: &Space,
    mover: Color,
    seekers: &mut Seekers,
    left_rows: &mut Rows,
    fresh: &[u128],
    fresh_rows: &Rows,
) -> Rows {
    let (n, len) = (space.n, space.group_len());
    let frontier = |block: usize| fresh_rows[block];
    let after = After { plane: fresh, rows: frontier };
    let mut changed: Rows = vec![CellSet::EMPTY; left_rows.len()];
    let no_open = &mut [][..];
    let open = seekers.open.as_deref_mut().unwrap_or(no_open);
    // A chunk for each group even if there is no such plane.
    let mut of_groups: Vec<&mut [u128]> = open.chunks_mut(len * n).collect();
    of_groups.resize_with(space.group_count(), Default::default);
    let groups =
        (seekers.left.par_chunks_mut(len * n), of_groups, left_rows.par_chunks_mut(len), changed.par_chunks_mut(len));
    groups.into_par_iter().enumerate().for_each_init(
        || space.questions(),
        |questions, (group, (left, open, left_rows, changed))| {
            let first = group * len;
            let questions = &mut questions[..left_rows.len()];
            let mut any = false;
            for (i, question) in questions.iter_mut().enumerate() {
                let touched = space.touched_rows(mover, first + i, left_rows[i], frontier);
                question.ask(&left[i * n..][..n], touched);
                any |= !touched.is_empty();
            }
            if !any {
                return;
            }
            space.strike_out_group(mover, first, &after, questions);
            for (i, question) in questions.iter().enumerate() {
                for row in question.asked_rows() {
                    let at = i * n + row.index();
                    let found = left[at] & !question.row(row);
                    if found != 0 {
                        left[at] &= !found;
                        changed[i].insert(row);
                        if let Some(open) = open.get_mut(at) {
                            *open &= !found;
                        }
                        if left[at] == 0 {
                            left_rows[i].remove(row);
                        }
                    }
                }
            }
        },
    );
    changed
}

/// Finds the bound without a move into what is open of the seekers; only those are looked at that the `changed` rows
/// can have touched, if it is known which have changed. They become the fresh ones.
fn find_bound(
    space: &Space,
    mover: Color,
    bound: &mut Bound,
    left_rows: &mut Rows,
    fresh_rows: &mut Rows,
    seekers: &Seekers,
    changed: Option<&Rows>,
) {
    let (n, len) = (space.n, space.group_len());
    let all = CellSet::first(n);
    let after = After { plane: seekers.open.as_ref().unwrap_or(&seekers.left), rows: |_| all };
    let groups = (
        bound.left.par_chunks_mut(len * n),
        bound.fresh.par_chunks_mut(len * n),
        left_rows.par_chunks_mut(len),
        fresh_rows.par_chunks_mut(len),
    );
    groups.into_par_iter().enumerate().for_each_init(
        || space.questions(),
        |questions, (group, (left, fresh, left_rows, fresh_rows))| {
            let first = group * len;
            let questions = &mut questions[..left_rows.len()];
            let mut any = false;
            for (i, question) in questions.iter_mut().enumerate() {
                std::mem::take(&mut fresh_rows[i]).iter().for_each(|row| fresh[i * n + row.index()] = 0);
                let touched = changed.map_or(left_rows[i], |changed| {
                    space.touched_rows(mover, first + i, left_rows[i], |block| changed[block])
                });
                question.ask(&left[i * n..][..n], touched);
                any |= !touched.is_empty();
            }
            if !any {
                return;
            }
            space.strike_out_group(mover, first, &after, questions);
            for (i, question) in questions.iter().enumerate() {
                for row in question.open_rows() {
                    let at = i * n + row.index();
                    let found = question.row(row);
                    left[at] &= !found;
                    fresh[at] = found;
                    fresh_rows[i].insert(row);
                    if left[at] == 0 {
                        left_rows[i].remove(row);
                    }
                }
            }
        },
    );
}

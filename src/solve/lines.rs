//! The lines along which a role moves, and the scan over them: the one operation by which men move.
//!
//! On every line all men of the role that could stand on its cells move at once. Walking along the line we carry
//! the set of positions that lie ahead: at each cell it is what a man there can move into, and then it takes in
//! the cell itself. Columns in which someone stands on the cell drop out, as nobody sees past him:
//!
//! ```text
//!   cells of the line     c0 <- c1 <- c2 <- c3        a man on c3 moves left
//!   ahead of c1   = after[c0]
//!   ahead of c2   = after[c1] | (ahead of c1 & pass[c1])
//!   ahead of c3   = after[c2] | (ahead of c2 & pass[c2])
//! ```
//!
//! `after[c]` is a row: in 128 columns, one for each cell of another man, whether the position is in the set with
//! our man on `c`. So one step along a line does 128 positions, and works on as many rows side by side as fit a
//! register. Knows nothing of which men these are.

use super::lanes::Bits;
use crate::geometry::{MAX_CELLS, Role, Variant};

/// How a role moves on the empty board.
pub struct Lines {
    /// Lines along which it moves both ways, by length.
    both_ways: Vec<LinesOfLength>,
    /// Lines along which it moves from the last cell towards the first alone.
    one_way: Vec<LinesOfLength>,
    /// For each cell with steps: how many, the cell, and where they lead.
    steps: Vec<u8>,
}

struct LinesOfLength {
    length: usize,
    /// The lines' cells, joined up.
    cells: Vec<u8>,
}

/// Scans lines both ways; those of the lengths listed in a loop of their own, unrolled.
macro_rules! scan_both_ways {
    ($bits:ident, $lines:ident, $after:ident, $pass:ident, $before:ident; $($length:literal)*) => {
        match $lines.length {
            $($length => of_length::<$bits, $length>(&$lines.cells, $after, $pass, $before),)*
            length => of_any_length::<$bits>(length, &$lines.cells, $after, $pass, $before),
        }
    };
}

impl Lines {
    pub fn new(variant: &Variant, role: Role) -> Lines {
        let movement = variant.movement(role);
        let (mut both_ways, mut one_way) = (vec![], vec![]);
        for &d in &movement.slides {
            let direction = &variant.directions()[d];
            let opposite =
                movement.slides.iter().find(|&&o| variant.directions()[o].vector == direction.vector.map(|v| -v));
            let lines = match opposite {
                Some(&opposite) if opposite < d => continue,
                Some(_) => &mut both_ways,
                None => &mut one_way,
            };
            for line in direction.lines.iter().filter(|line| line.len() > 1) {
                // From where a slider comes to where it goes.
                add_line(lines, line.iter().rev().map(|cell| cell.0).collect());
            }
        }
        let mut steps = vec![];
        for (from, to) in movement.steps.iter().enumerate().filter(|(_, to)| !to.is_empty()) {
            steps.extend([to.len() as u8, from as u8]);
            steps.extend(to.iter().map(|cell| cell.0));
        }
        Lines { both_ways, one_way, steps }
    }

    /// Adds to `before` the positions from which one move leads into `after`.
    ///
    /// All three have for each cell of the moving man a row (or two). `pass` has the columns that let him through:
    /// none where another man always stands, else all but the cell itself, where the column man would be in the way.
    #[inline(always)]
    pub fn before<B: Bits>(
        &self,
        after: &[B::Stored; MAX_CELLS],
        pass: &[B::Stored; MAX_CELLS],
        before: &mut [B::Stored; MAX_CELLS],
    ) {
        for lines in &self.both_ways {
            scan_both_ways!(B, lines, after, pass, before; 2 3 4 5 6 7 8 9 10 11 12);
        }
        for lines in &self.one_way {
            let mut reached = B::none();
            for (at, &cell) in lines.cells.iter().enumerate() {
                let cell = cell as usize % MAX_CELLS;
                if at % lines.length == 0 {
                    reached = B::none();
                }
                before[cell] = B::load(&before[cell]).or(reached).store();
                reached = B::load(&after[cell]).or(reached.and(B::load(&pass[cell])));
            }
        }
        let mut steps = self.steps.as_slice();
        while let [count, from, rest @ ..] = steps {
            let (to, rest) = rest.split_at(*count as usize);
            steps = rest;
            let from = *from as usize % MAX_CELLS;
            let reached = |sum: B, to: &u8| sum.or(B::load(&after[*to as usize % MAX_CELLS]));
            before[from] = to.iter().fold(B::load(&before[from]), reached).store();
        }
    }
}

fn add_line(lines: &mut Vec<LinesOfLength>, mut cells: Vec<u8>) {
    match lines.iter_mut().find(|known| known.length == cells.len()) {
        Some(known) => known.cells.append(&mut cells),
        None => lines.push(LinesOfLength { length: cells.len(), cells }),
    }
}

#[inline(always)]
fn of_length<B: Bits, const LENGTH: usize>(
    lines: &[u8],
    after: &[B::Stored; MAX_CELLS],
    pass: &[B::Stored; MAX_CELLS],
    before: &mut [B::Stored; MAX_CELLS],
) {
    for line in lines.as_chunks::<LENGTH>().0 {
        scan_line(line, &mut [B::none(); LENGTH], after, pass, before);
    }
}

#[inline(always)]
fn of_any_length<B: Bits>(
    length: usize,
    lines: &[u8],
    after: &[B::Stored; MAX_CELLS],
    pass: &[B::Stored; MAX_CELLS],
    before: &mut [B::Stored; MAX_CELLS],
) {
    for line in lines.chunks_exact(length) {
        scan_line(line, &mut [B::none(); MAX_CELLS][..length], after, pass, before);
    }
}

/// Walks along a line and back. `ahead` is for what has been seen from each cell on the way out.
#[inline(always)]
fn scan_line<B: Bits>(
    line: &[u8],
    ahead: &mut [B],
    after: &[B::Stored; MAX_CELLS],
    pass: &[B::Stored; MAX_CELLS],
    before: &mut [B::Stored; MAX_CELLS],
) {
    let mut reached = B::none();
    for (ahead, &cell) in ahead.iter_mut().zip(line) {
        let cell = cell as usize % MAX_CELLS;
        *ahead = reached;
        reached = B::load(&after[cell]).or(reached.and(B::load(&pass[cell])));
    }
    reached = B::none();
    for (ahead, &cell) in ahead.iter().zip(line).rev() {
        let cell = cell as usize % MAX_CELLS;
        before[cell] = B::load(&before[cell]).or(*ahead).or(reached).store();
        reached = B::load(&after[cell]).or(reached.and(B::load(&pass[cell])));
    }
}

//! Facts that become true at a known ply: what captures are worth.
//!
//! Positions outside the slice are solved already. What they are worth enters the iteration when its depth is
//! due, never before, so that distances come out right.

use super::idle::Idle;
use crate::geometry::{Cell, CellSet};
use crate::outcome::{Outcome, Value};
use std::sync::Arc;

/// Some positions of a slice, in one of the forms in which they come together.
#[derive(Clone, Copy)]
pub struct Positions {
    /// A row of the slice, or a block.
    at: u32,
    form: u8,
    /// Columns or rows, as two halves so that it takes less room.
    bits: [u64; 2],
}

/// The forms of [`Positions`] besides a column's number: that column of some rows of a block.
const ROW: u8 = 255;
const DIAGONAL: u8 = 254;

impl Positions {
    fn new(at: usize, form: u8, bits: u128) -> Positions {
        Positions { at: at as u32, form, bits: [bits as u64, (bits >> 64) as u64] }
    }

    /// Columns of a row.
    pub fn row(row: usize, columns: u128) -> Positions {
        Positions::new(row, ROW, columns)
    }

    /// One column of some rows of a block.
    pub fn column(block: usize, rows: u128, column: Cell) -> Positions {
        Positions::new(block, column.0, rows)
    }

    /// Of some rows of a block the column with the row's own number.
    pub fn diagonal(block: usize, rows: u128) -> Positions {
        Positions::new(block, DIAGONAL, rows)
    }

    /// Others in the same place and form.
    #[inline]
    pub fn holding(self, bits: u128) -> Positions {
        Positions { bits: [bits as u64, (bits >> 64) as u64], ..self }
    }

    /// Calls back with each row of the slice, of whose blocks each has `n` rows, and the columns there.
    #[inline]
    pub fn each_row(&self, n: usize, mut visit: impl FnMut(u32, u128)) {
        let bits = self.bits[0] as u128 | (self.bits[1] as u128) << 64;
        if self.form == ROW {
            return visit(self.at, bits);
        }
        let first = self.at * n as u32;
        for row in CellSet(bits) {
            let column = if self.form == DIAGONAL { row } else { Cell(self.form) };
            visit(first + row.index() as u32, column.set().0);
        }
    }
}

/// Positions on a page.
const PAGE_LEN: usize = 64;

/// A list of up to [`PAGE_LEN`] positions.
type Page = Vec<Positions>;

/// The decisive positions of a value and ply.
#[derive(Clone, Default)]
struct OfPly {
    /// The page being filled; without any capacity as long as there is none.
    last: Page,
    full: Vec<Page>,
}

impl OfPly {
    #[inline]
    fn push(&mut self, positions: Positions, idle: &Idle<Positions>) {
        if self.last.len() == self.last.capacity() {
            self.turn_over(idle);
        }
        self.last.push(positions);
    }

    #[cold]
    fn turn_over(&mut self, idle: &Idle<Positions>) {
        let mut page = idle.take();
        page.reserve_exact(PAGE_LEN);
        let done = std::mem::replace(&mut self.last, page);
        if !done.is_empty() {
            self.full.push(done);
        }
    }

    /// Takes over the pages of another.
    fn append(&mut self, other: &mut OfPly) {
        self.full.append(&mut other.full);
        let last = std::mem::take(&mut other.last);
        if !last.is_empty() {
            self.full.push(last);
        }
    }

    fn pages(&self) -> impl Iterator<Item = &Page> {
        self.full.iter().chain([&self.last])
    }
}

/// Decisive positions, filed by value and ply.
pub struct Events {
    by_value: [Vec<OfPly>; Value::ALL.len()],
    idle: Arc<Idle<Positions>>,
}

impl Events {
    /// Nothing yet; pages come from `idle` and go back there.
    pub fn new(idle: Arc<Idle<Positions>>) -> Events {
        Events { by_value: Default::default(), idle }
    }

    /// Files some positions, if they are decisive.
    #[inline]
    pub fn file(&mut self, outcome: Outcome, positions: Positions) {
        let Some(ply) = outcome.plies() else { return };
        let by_ply = &mut self.by_value[outcome.value() as usize];
        if by_ply.len() <= ply as usize {
            by_ply.resize_with(ply as usize + 1, OfPly::default);
        }
        by_ply[ply as usize].push(positions, &self.idle);
    }

    /// All that either has filed.
    pub fn with(mut self, mut other: Events) -> Events {
        for (by_ply, others) in self.by_value.iter_mut().zip(&mut other.by_value) {
            if by_ply.len() < others.len() {
                by_ply.resize_with(others.len(), OfPly::default);
            }
            by_ply.iter_mut().zip(others).for_each(|(of_ply, others)| of_ply.append(others));
        }
        self
    }

    /// What is due at a ply.
    pub fn due(&self, value: Value, ply: u16) -> impl Iterator<Item = &Positions> {
        self.by_value[value as usize].get(ply as usize).into_iter().flat_map(OfPly::pages).flatten()
    }

    /// Whether something is due later than `ply`.
    pub fn any_after(&self, value: Value, ply: u16) -> bool {
        self.by_value[value as usize].len() > ply as usize + 1
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let all = self.by_value.iter_mut().flatten().map(std::mem::take);
        self.idle.give_back(all.flat_map(|of_ply| of_ply.full.into_iter().chain([of_ply.last])));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_at_their_ply_and_pages_are_used_again() {
        let idle = Arc::new(Idle::default());
        let many = 3 * PAGE_LEN + 1;
        let filed = |first: usize| {
            let mut events = Events::new(idle.clone());
            for row in first..first + many {
                events.file(Outcome::new(Value::Win, 5), Positions::row(row, 1 << 100));
                events.file(Outcome::DRAW, Positions::row(row, 1));
            }
            events
        };
        let events = filed(0).with(filed(many));
        let mut rows = vec![];
        for positions in events.due(Value::Win, 5) {
            positions.each_row(91, |row, columns| {
                assert_eq!(columns, 1 << 100);
                rows.push(row as usize);
            });
        }
        rows.sort();
        assert_eq!(rows, (0..2 * many).collect::<Vec<_>>());
        assert_eq!(events.due(Value::Win, 3).count() + events.due(Value::Draw, 0).count(), 0);
        assert!(events.any_after(Value::Win, 4) && !events.any_after(Value::Win, 5));
        assert!(!events.any_after(Value::StalemateWin, 0));
        drop(events);
        assert_eq!(idle.len(), 8);
        drop(filed(0));
        assert_eq!(idle.len(), 8);
        idle.give_up();
        assert_eq!(idle.len(), 0);
    }
}

//! Agendas: what pawn moves are worth, for each group of blocks in the order in which the iteration comes to it.
//!
//! As with [`Events`](super::events::Events), nothing is known to the iteration before its ply. But a pawn move's worth
//! is noted where the pawn has not moved yet: a group of blocks needs its own items alone, and goes through them once.

use super::idle::Idle;
use crate::geometry::Cell;
use crate::outcome::{Outcome, Value};
use std::sync::Arc;

/// When something enters the iteration: mates come before stalemates, short ones before long.
type When = u16;

/// Nothing is left.
const NEVER: When = u16::MAX;
/// Added to the ply of what is due in the second pass. A ply takes 13 binary digits.
const SECOND_PASS: When = 1 << 13;

fn when(value: Value, ply: u16) -> When {
    ply + if matches!(value, Value::StalemateWin | Value::StalemateLoss) { SECOND_PASS } else { 0 }
}

/// Columns of a row.
#[derive(Clone, Copy)]
pub struct Item {
    columns: [u8; 16],
    /// Counted through the group.
    row: u16,
    when: When,
}

impl Item {
    /// The row, counted through the group.
    #[inline]
    pub fn row(&self) -> usize {
        self.row as usize
    }

    /// The row within its block, of `n` rows.
    #[inline]
    pub fn cell(&self, n: usize) -> Cell {
        Cell((self.row() % n) as u8)
    }

    #[inline]
    pub fn columns(&self) -> u128 {
        u128::from_ne_bytes(self.columns)
    }
}

/// The items of one group.
pub struct Agenda {
    /// When the next is due.
    next: When,
    done: usize,
    /// By time, those of the same time by row.
    items: Vec<Item>,
}

impl Agenda {
    /// Strikes off what is due at a ply, and returns it by row. What was due before must have been struck off.
    #[inline]
    pub fn due(&mut self, value: Value, ply: u16) -> &[Item] {
        if self.next != when(value, ply) {
            return &[];
        }
        let first = self.done;
        self.done += self.items[first..].iter().take_while(|item| item.when == self.next).count();
        self.next = self.items.get(self.done).map_or(NEVER, |item| item.when);
        &self.items[first..self.done]
    }
}

/// The items of a slice with one side to move.
pub struct Agendas {
    groups: Vec<Agenda>,
    idle: Arc<Idle<Item>>,
}

impl Agendas {
    /// The agendas of the groups, made by [`Sorter::agenda`] with lists from `idle`.
    pub fn new(groups: Vec<Agenda>, idle: Arc<Idle<Item>>) -> Agendas {
        Agendas { groups, idle }
    }

    /// Agendas without any item.
    pub fn empty(groups: usize, idle: Arc<Idle<Item>>) -> Agendas {
        let none = || Agenda { next: NEVER, done: 0, items: vec![] };
        Agendas { groups: std::iter::repeat_with(none).take(groups).collect(), idle }
    }

    pub fn groups_mut(&mut self) -> &mut [Agenda] {
        &mut self.groups
    }

    /// Whether something is due at a ply.
    pub fn any_due(&self, value: Value, ply: u16) -> bool {
        self.groups.iter().any(|agenda| agenda.next == when(value, ply))
    }

    /// Whether something is due later than `ply` in the pass in which the value is found.
    pub fn any_after(&self, value: Value, ply: u16) -> bool {
        let range = when(value, ply) + 1..=when(value, Outcome::MAX_PLIES);
        self.groups.iter().any(|agenda| range.contains(&agenda.next))
    }
}

impl Drop for Agendas {
    fn drop(&mut self) {
        self.idle.give_back(self.groups.iter_mut().map(|agenda| std::mem::take(&mut agenda.items)));
    }
}

/// Collects the items of a group, row after row.
#[derive(Default)]
pub struct Sorter {
    filed: Vec<Item>,
    /// For each time, how many items there are, then where the next one goes.
    counts: Vec<u32>,
}

impl Sorter {
    /// Files columns of a row, if they are decisive.
    #[inline]
    pub fn file(&mut self, outcome: Outcome, row: usize, columns: u128) {
        let Some(ply) = outcome.plies() else { return };
        let when = when(outcome.value(), ply);
        if self.counts.len() <= when as usize {
            self.counts.resize(when as usize + 1, 0);
        }
        self.counts[when as usize] += 1;
        self.filed.push(Item { columns: columns.to_ne_bytes(), row: row as u16, when });
    }

    /// The agenda of what has been filed, its list taken from `idle`. Then nothing is filed any more.
    pub fn agenda(&mut self, idle: &Idle<Item>) -> Agenda {
        let mut items = vec![];
        if let Some(&first) = self.filed.first() {
            items = idle.take();
            items.reserve_exact(self.filed.len());
            items.resize(self.filed.len(), first);
        }
        let mut sum = 0;
        for count in &mut self.counts {
            (*count, sum) = (sum, sum + *count);
        }
        for item in self.filed.drain(..) {
            let at = &mut self.counts[item.when as usize];
            items[*at as usize] = item;
            *at += 1;
        }
        self.counts.clear();
        Agenda { next: items.first().map_or(NEVER, |item| item.when), done: 0, items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_at_their_ply_by_row_and_lists_are_used_again() {
        let idle = Arc::new(Idle::default());
        let mut sorter = Sorter::default();
        let mut agendas = || {
            for (value, plies, row) in [
                (Value::StalemateWin, 5, 1),
                (Value::Win, 301, 2),
                (Value::Loss, 2, 3),
                (Value::Win, 301, 4),
                (Value::StalemateLoss, 2, 5),
            ] {
                sorter.file(Outcome::new(value, plies), row, 1 << row);
            }
            sorter.file(Outcome::DRAW, 6, 1);
            let groups = vec![sorter.agenda(&idle), sorter.agenda(&idle)];
            Agendas::new(groups, idle.clone())
        };
        let mut first = agendas();
        let rows = |agendas: &mut Agendas, value, ply| -> Vec<usize> {
            assert!(agendas.groups_mut()[1].due(value, ply).is_empty());
            let due = agendas.groups_mut()[0].due(value, ply);
            assert!(due.iter().all(|item| item.columns() == 1 << item.row()));
            due.iter().map(Item::row).collect()
        };
        assert!(first.any_due(Value::Loss, 2) && !first.any_due(Value::StalemateLoss, 2));
        assert!(first.any_after(Value::Win, 1) && !first.any_after(Value::StalemateWin, 1));
        assert!(rows(&mut first, Value::Win, 1).is_empty());
        assert_eq!(rows(&mut first, Value::Loss, 2), [3]);
        assert!(rows(&mut first, Value::Loss, 2).is_empty());
        assert!(first.any_after(Value::Loss, 300) && !first.any_after(Value::Win, 301));
        assert_eq!(rows(&mut first, Value::Win, 301), [2, 4]);
        assert_eq!(rows(&mut first, Value::StalemateLoss, 2), [5]);
        assert_eq!(rows(&mut first, Value::StalemateWin, 5), [1]);
        assert!(!first.any_after(Value::Win, 0) && !first.any_after(Value::StalemateWin, 0));
        drop(first);
        // The second group had nothing, and so no list.
        assert_eq!(idle.len(), 1);
        drop((agendas(), Agendas::empty(3, idle.clone())));
        assert_eq!(idle.len(), 1);
        idle.give_up();
        assert_eq!(idle.len(), 0);
    }
}

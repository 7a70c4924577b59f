//! Lists that are done with, kept to be filled again: new memory from the system costs more than filling it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Empty lists that have room for something.
pub struct Idle<T>(Mutex<Vec<Vec<T>>>);

impl<T> Default for Idle<T> {
    fn default() -> Idle<T> {
        Idle(Mutex::default())
    }
}

impl<T> Idle<T> {
    /// One of the lists, or a new one if there is none left.
    pub fn take(&self) -> Vec<T> {
        self.lists().pop().unwrap_or_default()
    }

    /// Takes back some lists.
    pub fn give_back(&self, lists: impl Iterator<Item = Vec<T>>) {
        let mut idle = self.lists();
        for mut list in lists.filter(|list| list.capacity() > 0) {
            list.clear();
            idle.push(list);
        }
    }

    /// Gives all of them up: what comes next may need far less, and nobody counts on their memory.
    pub fn give_up(&self) {
        drop(std::mem::take(&mut *self.lists()));
    }

    /// How many there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.lists().len()
    }

    /// Nothing that holds the lock can fail half-way, so a poisoned one is sound.
    fn lists(&self) -> MutexGuard<'_, Vec<Vec<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

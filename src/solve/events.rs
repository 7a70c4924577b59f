//! Facts that become true at a known ply: what captures, promotions and pawn moves are worth.
//!
//! Positions outside the slice are solved already. What they are worth enters the iteration when its depth is
//! due, never before, so that distances come out right.

/// Bits of rows, filed by value and ply.
#[derive(Default)]
pub struct Events {
    by_ply: Vec<Vec<(u32, u128)>>,
}

impl Events {
    /// Files bits of a row under a ply.
    pub fn add(&mut self, ply: u16, row: usize, bits: u128) {
        let ply = ply as usize;
        if self.by_ply.len() <= ply {
            self.by_ply.resize_with(ply + 1, Vec::new);
        }
        self.by_ply[ply].push((row as u32, bits));
    }

    /// What is due at a ply.
    pub fn due(&self, ply: u16) -> &[(u32, u128)] {
        self.by_ply.get(ply as usize).map_or(&[], |due| due)
    }

    /// Whether something is due later than `ply`.
    pub fn any_after(&self, ply: u16) -> bool {
        self.by_ply.len() > ply as usize + 1
    }

    /// Takes in all of another's.
    pub fn merge(&mut self, other: Events) {
        for (ply, mut events) in other.by_ply.into_iter().enumerate() {
            if self.by_ply.len() <= ply {
                self.by_ply.resize_with(ply + 1, Vec::new);
            }
            self.by_ply[ply].append(&mut events);
        }
    }
}

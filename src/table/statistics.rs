//! Counting a table slice by slice as it is solved, with the first of the longest positions of each outcome.

use crate::geometry::{Color, Variant};
use crate::index::{Count, DenseTable, Layout, Place, SideTable, count_slice, fold_places, position_at};
use crate::outcome::{Outcome, Value};
use crate::statistics::{PerOutcome, Statistics};

/// The counts of the slices so far.
#[derive(Default)]
pub struct Counts {
    /// By stored side to move.
    sides: [Count; 2],
    /// By side to move: the lexicographically first FEN of the longest distance of each outcome.
    longest: [PerOutcome<String>; 2],
}

impl Counts {
    /// Counts a slice; `stored` are the stored sides to move, White first.
    pub fn add(&mut self, layout: &Layout, slice: usize, stored: &[&SideTable]) {
        for (turn, side) in Color::BOTH.into_iter().zip(stored) {
            let count = count_slice(layout, slice, side);
            let total = &mut self.sides[turn.index()];
            for value in Value::ALL {
                let Some(&plies) = count.statistics.max_plies.get(value) else { continue };
                let known = total.statistics.max_plies.get(value).copied();
                if known.is_some_and(|known| known > plies) {
                    continue;
                }
                // Where both sides have the same men, Black's positions are White's mirrored.
                let turns = if stored.len() == 1 { &Color::BOTH[..] } else { &[turn][..] };
                for &turn in turns {
                    let fen = first_fen(layout, slice, side, turn, Outcome::new(value, plies));
                    let longest = &mut self.longest[turn.index()];
                    let first = match longest.get(value) {
                        Some(other) if known == Some(plies) => fen.min(other.clone()),
                        _ => fen,
                    };
                    longest.set(value, first);
                }
            }
            total.merge(&count);
        }
    }

    /// The statistics of the whole table, and the checksum of each stored side in hexadecimal.
    pub fn finish(self, layout: &Layout) -> (Statistics, Vec<String>) {
        let symmetric = layout.material().is_symmetric();
        let side = |turn: Color| {
            let stored = if symmetric { Color::White } else { turn };
            let mut side = self.sides[stored.index()].statistics.clone();
            side.longest = self.longest[turn.index()].clone();
            side
        };
        let checksum = |turn: &Color| format!("{:016x}", self.sides[turn.index()].checksum);
        let stored = if symmetric { &Color::BOTH[..1] } else { &Color::BOTH[..] };
        (Statistics { w: side(Color::White), b: side(Color::Black) }, stored.iter().map(checksum).collect())
    }
}

/// The statistics of a table in memory.
pub fn statistics_of(table: &DenseTable) -> Statistics {
    let layout = table.layout();
    let sides = if layout.material().is_symmetric() { &Color::BOTH[..1] } else { &Color::BOTH[..] };
    let mut counts = Counts::default();
    for slice in 0..layout.slices().len() {
        let stored: Vec<&SideTable> = sides.iter().map(|&turn| &**table.side(slice, turn)).collect();
        counts.add(layout, slice, &stored);
    }
    counts.finish(layout).0
}

/// The lexicographically first FEN of a slice with this outcome and side to move, over all symmetric images.
fn first_fen(layout: &Layout, slice: usize, side: &SideTable, turn: Color, outcome: Outcome) -> String {
    let first = |a: Option<String>, b: Option<String>| match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let visit = |place, least: &mut Option<String>| {
        let fen = first_image(layout, place, turn);
        *least = first(least.take(), Some(fen));
    };
    fold_places(layout, slice, side, outcome, visit, first).expect("an outcome that was counted has a position")
}

/// The least FEN of all symmetric images of a stored position.
fn first_image(layout: &Layout, place: Place, turn: Color) -> String {
    let variant: &Variant = layout.variant();
    let mut position = position_at(layout, place, turn);
    if layout.material().is_symmetric() && turn == Color::Black {
        position = position_at(layout, place, Color::White).with_colours_swapped(variant);
    }
    position.first_image(variant).0
}

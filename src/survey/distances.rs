//! How many positions of a material are how far from the end of the game.

use super::walk::{Row, fold_table};
use crate::analysis::Progress;
use crate::geometry::Color;
use crate::index::Material;
use crate::outcome::{Outcome, Value};
use crate::statistics::PerOutcome;
use crate::table::{TableError, Tablebase};
use serde::Serialize;

/// The positions with one side to move, all symmetric images included.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SideDistances {
    pub legal: u64,
    /// Those that are drawn, which have no distance.
    pub draw: u64,
    /// For each outcome that occurs, the number of positions by distance in plies: entry 0 for 0 plies, and so on up to
    /// the longest distance. Half of the entries are 0: wins take an odd number of plies, losses an even one.
    pub by_plies: PerOutcome<Vec<u64>>,
}

impl SideDistances {
    /// The positions by distance of the outcome of some value; none for a draw.
    pub fn of(&self, value: Value) -> &[u64] {
        self.by_plies.get(value).map_or(&[], |counts| counts)
    }

    /// The number of positions that have a distance.
    pub fn decisive(&self) -> u64 {
        self.legal - self.draw
    }

    /// The longest distance, in plies; none if all positions are drawn.
    pub fn longest_plies(&self) -> Option<u16> {
        // Distances fit 13 bits.
        Value::ALL.iter().map(|&value| self.of(value).len()).max().filter(|&n| n > 0).map(|n| (n - 1) as u16)
    }
}

/// The positions of a material by distance. The first-named side is White; `w` and `b` are the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Distribution {
    pub w: SideDistances,
    pub b: SideDistances,
}

impl Distribution {
    /// Reads a material's table and counts, on all threads of the current rayon pool.
    ///
    /// # Errors
    /// When the table is missing or damaged.
    pub fn of(tables: &Tablebase, material: &Material, progress: Progress) -> Result<Distribution, TableError> {
        if material.is_symmetric() {
            let side = count_side(tables, material, Color::White, progress)?;
            return Ok(Distribution { w: side.clone(), b: side });
        }
        let w = count_side(tables, material, Color::White, &|done, total| progress(done, 2 * total))?;
        let b = count_side(tables, material, Color::Black, &|done, total| progress(total + done, 2 * total))?;
        Ok(Distribution { w, b })
    }

    /// The positions with `turn` to move.
    pub fn side(&self, turn: Color) -> &SideDistances {
        match turn {
            Color::White => &self.w,
            Color::Black => &self.b,
        }
    }
}

/// Positions by value and plies; draws count as of 0 plies.
type Counts = [Vec<u64>; Value::ALL.len()];

fn count_side(
    tables: &Tablebase,
    material: &Material,
    turn: Color,
    progress: Progress,
) -> Result<SideDistances, TableError> {
    let step = |counts: &mut Counts, row: Row| {
        row.outcomes.each_outcome(|outcome: Outcome, columns| {
            let plies = usize::from(outcome.plies().unwrap_or(0));
            let of_value = &mut counts[outcome.value() as usize];
            if of_value.len() <= plies {
                of_value.resize(plies + 1, 0);
            }
            of_value[plies] += u64::from(columns.count_ones()) * row.weight;
        });
    };
    let counts = fold_table(tables, material, turn, progress, step, merged)?;
    let mut side = SideDistances { legal: counts.iter().flatten().sum(), ..SideDistances::default() };
    for (value, of_value) in Value::ALL.into_iter().zip(counts) {
        match value {
            Value::Draw => side.draw = of_value.iter().sum(),
            _ if of_value.is_empty() => {}
            _ => side.by_plies.set(value, of_value),
        }
    }
    Ok(side)
}

fn merged(mut a: Counts, b: Counts) -> Counts {
    for (a, b) in a.iter_mut().zip(b) {
        a.resize(a.len().max(b.len()), 0);
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    }
    a
}

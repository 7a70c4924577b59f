//! What claims come to: the positions they speak of, counted a row at a time, and their longest distances.
//!
//! Claims of one variant and material share the work.

use super::Scoring;
use super::claims::{Claim, ClaimsError, Colours, Population, Rule, View};
use super::draws::{self, DrawClass, SliceClasses, classify};
use super::percentage::Printed;
use super::rows::SliceRows;
use crate::analysis::{Progress, unwatched};
use crate::geometry::{Cell, CellSet, Color, Role, Variant};
use crate::index::{Layout, Material, OutcomeRow};
use crate::outcome::{Outcome, Value};
use crate::solve::{Kernel, SolveError, Subtables};
use rayon::prelude::*;
use std::sync::Arc;

/// Decimals of a percentage that is not held against a printed one.
const DECIMALS: u32 = 4;

/// What a claim comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    pub figure: Figure,
    /// Whether the claim holds.
    pub confirmed: bool,
}

/// What is measured for a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Figure {
    Share(Share),
    /// A longest distance in plies; none if no position has the value.
    Longest(Option<u16>),
}

/// Positions counted, of a population.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    pub count: u64,
    /// Positions that the claim speaks of.
    pub population: u64,
    /// The share in percent, rounded half up to the printed number of decimals, or to 4 where none is printed.
    pub percentage: String,
}

/// Why a claim could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    #[error(transparent)]
    Claim(#[from] ClaimsError),
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error("claim \"{id}\" is about {claimed}, not about {given}")]
    OtherVariant { id: String, claimed: String, given: String },
}

/// Measures one claim.
///
/// # Errors
/// Like [`measure_all`].
pub fn measure(claim: &Claim, tables: &dyn Subtables, variant: &Variant) -> Result<Measured, MeasureError> {
    let kernel = Arc::new(Kernel::new(variant));
    let mut measured = measure_all(&[claim], tables, &kernel, variant, &unwatched)?;
    Ok(measured.remove(0))
}

/// Measures claims about one variant, in their order; those about one material share the work. `tables` must have
/// each material, and where a claim is about classes of draws what a capture or promotion leads to.
///
/// Progress starts afresh with every material, scoring and weak side.
///
/// # Errors
/// When a claim is about another variant or wrong in itself, or when a table cannot be read.
pub fn measure_all(
    claims: &[&Claim],
    tables: &dyn Subtables,
    kernel: &Arc<Kernel>,
    variant: &Variant,
    progress: Progress,
) -> Result<Vec<Measured>, MeasureError> {
    let mut counters = vec![];
    for &claim in claims {
        if claim.variant != variant.name() {
            let (claimed, given) = (claim.variant.clone(), variant.name().to_string());
            return Err(MeasureError::OtherVariant { id: claim.id.clone(), claimed, given });
        }
        let (material, pair) = (claim.material(variant)?, claim.pair_men(variant)?);
        counters.push(Counter { claim, variant, material, pair });
    }
    let mut tallies = vec![Tally::default(); claims.len()];
    for (i, counter) in counters.iter().enumerate() {
        let material = &counter.material;
        if counters[..i].iter().any(|earlier| earlier.material == *material) {
            continue;
        }
        let group: Vec<usize> = (i..counters.len()).filter(|&j| counters[j].material == *material).collect();
        let of_group: Vec<&Counter> = group.iter().map(|&j| &counters[j]).collect();
        let layout = tables.layout(material).map_err(SolveError::from)?;
        for (&j, tally) in group.iter().zip(count(&of_group, &layout, tables, kernel, progress)?) {
            tallies[j] = tally;
        }
    }
    Ok(counters.iter().zip(tallies).map(|(counter, tally)| counter.judge(tally)).collect())
}

#[derive(Clone, Copy, Default)]
struct Tally {
    count: u64,
    population: u64,
    /// The longest distance in plies; none sorts before all.
    longest: Option<u16>,
}

fn merged(mut a: Vec<Tally>, b: Vec<Tally>) -> Vec<Tally> {
    for (a, b) in a.iter_mut().zip(b) {
        a.count += b.count;
        a.population += b.population;
        a.longest = a.longest.max(b.longest);
    }
    a
}

/// Counts for claims about one material.
fn count(
    counters: &[&Counter],
    layout: &Arc<Layout>,
    tables: &dyn Subtables,
    kernel: &Arc<Kernel>,
    progress: Progress,
) -> Result<Vec<Tally>, SolveError> {
    let mut tallies = vec![Tally::default(); counters.len()];
    let slices = layout.slices().len();
    for slice in 0..slices {
        for turn in Color::BOTH {
            let rows = SliceRows::new(layout, tables, slice, turn)?;
            tallies = merged(tallies, count_values(counters, layout, slice, turn, &rows));
        }
        progress(slice as u64 + 1, slices as u64);
    }
    for scoring in Scoring::ALL {
        for weak in Color::BOTH {
            let wanted =
                |c: &Counter| c.claim.needs_classes() && c.claim.scoring == scoring && c.claim.weak.color() == weak;
            if !counters.iter().any(|c| wanted(c)) {
                continue;
            }
            let question = draws::Question { scoring, weak };
            let mut of_classes = vec![Tally::default(); counters.len()];
            classify(kernel, layout, tables, question, progress, |slice, classes: SliceClasses| {
                for (counter, tally) in counters.iter().zip(&mut of_classes).filter(|(c, _)| wanted(c)) {
                    tally.count += count_classes(counter, layout, slice, &classes);
                }
                Ok::<(), SolveError>(())
            })?;
            tallies = merged(tallies, of_classes);
        }
    }
    Ok(tallies)
}

/// Counts the positions of a slice with one side to move by value.
fn count_values(counters: &[&Counter], layout: &Layout, slice: usize, turn: Color, rows: &SliceRows) -> Vec<Tally> {
    let none = || vec![Tally::default(); counters.len()];
    let of_block = |mut tallies: Vec<Tally>, block: usize| {
        let weight = layout.block_weight(slice, block);
        rows.each_of_block(block, |row, outcomes| {
            if outcomes.legal() == 0 {
                return;
            }
            for (counter, tally) in counters.iter().zip(&mut tallies).filter(|(c, _)| c.claim.to_move.includes(turn)) {
                let mut outcomes = outcomes.clone();
                outcomes.restrict(counter.columns(layout, slice, row));
                if counter.claim.of == Population::DrawsByMateAlone {
                    outcomes.restrict(Scoring::MateOnly.drawn(&outcomes));
                }
                tally.population += weight * u64::from(outcomes.legal().count_ones());
                tally.count += weight * u64::from(counter.counted(&outcomes, turn).count_ones());
                tally.longest = tally.longest.max(counter.longest(&outcomes, turn));
            }
        });
        tallies
    };
    let blocks = (0..layout.block_count(slice)).into_par_iter().with_min_len(16);
    blocks.fold(none, of_block).reduce(none, merged)
}

/// Counts the positions of a slice by the class of the draw.
fn count_classes(counter: &Counter, layout: &Layout, slice: usize, classes: &SliceClasses) -> u64 {
    let n = layout.cell_count();
    let turns = Color::BOTH.into_iter().filter(|&turn| counter.claim.to_move.includes(turn));
    let sides: Vec<_> = turns.map(|turn| &classes[turn.index()]).collect();
    let wanted: Vec<DrawClass> = DrawClass::ALL.into_iter().filter(|&class| counter.counts_class(class)).collect();
    let of_block = |block: usize| {
        let of_row = |row: usize| {
            let columns = counter.columns(layout, slice, row);
            // No position has two classes.
            let of_side = |side: &&draws::SideClasses| wanted.iter().fold(0, |all, &class| all | side.row(class, row));
            sides.iter().map(|side| u64::from((of_side(side) & columns).count_ones())).sum::<u64>()
        };
        layout.block_weight(slice, block) * (block * n..(block + 1) * n).map(of_row).sum::<u64>()
    };
    (0..layout.block_count(slice)).into_par_iter().with_min_len(16).map(of_block).sum()
}

/// A claim with what is needed to count for it.
struct Counter<'a> {
    claim: &'a Claim,
    variant: &'a Variant,
    material: Material,
    pair: Option<(Color, Role)>,
}

impl Counter<'_> {
    /// The columns of a row that are counted if they belong to the population: like men in ascending order, a pair on
    /// the colours that the claim asks for.
    fn columns(&self, layout: &Layout, slice: usize, row: usize) -> u128 {
        let n = layout.cell_count();
        let (block, row) = (row / n, row % n);
        let ascending = layout.ascending_columns(slice, block, row);
        let (Some((color, role)), Some(pair)) = (self.pair, &self.claim.pair) else { return ascending.0 };
        if ascending.is_empty() {
            return 0;
        }
        let board = self.variant.board();
        let row_man = layout.outer_men();
        let mut cells = layout.outer_cells(slice, block);
        cells[row_man] = Cell(row as u8);
        let known = layout.men().iter().zip(cells).take(row_man + 1);
        let mut of_pair: Vec<Cell> =
            known.filter(|(m, _)| m.color == color && m.role == role).map(|(_, c)| c).collect();
        if role == self.variant.pawn() {
            of_pair.extend(layout.slices()[slice].pawns[color.index()].iter());
        }
        let colour = board.colour(of_pair[0]);
        let same = match of_pair.get(1) {
            Some(&other) if board.colour(other) == colour => board.all(),
            Some(_) => CellSet::EMPTY,
            // The column man is the second of them.
            None => board.cells().filter(|&cell| board.colour(cell) == colour).collect(),
        };
        (ascending & if pair.colours == Colours::Same { same } else { board.all() - same }).0
    }

    /// A value of the side to move, as the claim's view has it; the other way round it is the same.
    fn seen(&self, value: Value, turn: Color) -> Value {
        let from_mover = match self.claim.view {
            View::First => turn == Color::White,
            View::Second => turn == Color::Black,
            View::Mover => true,
        };
        if from_mover { value } else { value.opposite() }
    }

    /// The most plies of any position of a row that has the value that the claim asks for, if it asks for a distance.
    /// The scoring makes no difference: a win is as long where stalemate is a draw, see [`Scoring::value`].
    fn longest(&self, row: &OutcomeRow, turn: Color) -> Option<u16> {
        let value = self.seen(self.claim.longest()?, turn);
        row.longest_plies(value)
    }

    /// The columns of a row that are counted for their outcome, apart from the class of a draw.
    fn counted(&self, row: &OutcomeRow, turn: Color) -> u128 {
        let wanted = |value: Value| {
            let seen = self.seen(value, turn);
            self.claim.count.iter().any(|q| q.value() == Some(seen))
        };
        if self.claim.plies.is_none() {
            let of = Value::ALL.into_iter().filter(|&value| wanted(self.claim.scoring.of(value)));
            return of.fold(0, |columns, value| columns | row.of_value[value as usize]);
        }
        let in_range = |outcome: Outcome| match (self.claim.plies, outcome.plies()) {
            (Some(range), Some(plies)) => (range.min..=range.max).contains(&plies),
            _ => false,
        };
        let mut counted = 0;
        row.each_outcome(|outcome, columns| {
            if in_range(outcome) && wanted(self.claim.scoring.of(outcome.value())) {
                counted |= columns;
            }
        });
        counted
    }

    /// Whether a drawn position is counted for its class; not when every draw is counted already.
    fn counts_class(&self, class: DrawClass) -> bool {
        let all_draws = self.claim.count.iter().any(|q| q.value() == Some(Value::Draw));
        !all_draws && self.claim.count.iter().any(|q| q.class() == Some(class))
    }

    fn judge(&self, tally: Tally) -> Measured {
        let Tally { count, population, longest } = tally;
        if self.claim.longest().is_some() {
            let confirmed = longest.is_some() && longest.map(u64::from) == self.claim.printed_count();
            return Measured { figure: Figure::Longest(longest), confirmed };
        }
        let printed = if self.claim.rule == Rule::Rounds { self.claim.printed() } else { None };
        let share = Printed::of(count, population, printed.map_or(DECIMALS, Printed::decimals));
        let confirmed = match self.claim.rule {
            Rule::Rounds => printed == Some(share),
            Rule::Equals => self.claim.printed_count() == Some(count),
            Rule::None => count == 0,
            Rule::Always => count == population,
        };
        Measured { figure: Figure::Share(Share { count, population, percentage: share.to_string() }), confirmed }
    }
}

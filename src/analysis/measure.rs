//! What claims come to: the positions they speak of, counted with the help of an oracle.
//!
//! Claims of one variant and material share the work.

use rayon::prelude::*;

use super::Progress;
use super::claims::{Claim, ClaimsError, Colours, Rule, View};
use super::classes::{Classes, DrawClass, classify};
use super::graph::DrawGraph;
use super::percentage::Printed;
use super::placements::{Fold, Placements};
use crate::geometry::{Color, Role, Variant};
use crate::index::Material;
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::{Outcome, Value};
use crate::position::Position;

/// Decimals of a percentage that is not held against a printed one.
const DECIMALS: u32 = 4;

/// What a claim comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// Positions counted.
    pub count: u64,
    /// Positions that the claim speaks of.
    pub population: u64,
    /// The share in percent, rounded half up to the printed number of decimals, or to 4 where none is printed.
    pub percentage: String,
    /// Whether the claim holds.
    pub confirmed: bool,
}

/// Why a claim could not be measured.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeasureError {
    #[error(transparent)]
    Claim(#[from] ClaimsError),
    #[error(transparent)]
    Probe(#[from] ProbeError),
    #[error("claim \"{id}\" is about {claimed}, not about {given}")]
    OtherVariant { id: String, claimed: String, given: String },
}

/// Measures one claim.
///
/// # Errors
/// Like [`measure_all`].
pub fn measure(claim: &Claim, oracle: &dyn Oracle, variant: &Variant) -> Result<Measured, MeasureError> {
    let mut measured = measure_all(&[claim], oracle, variant, &super::unwatched)?;
    Ok(measured.remove(0))
}

/// Measures claims about one variant, in their order; those about one material share a walk over its positions,
/// and those about classes of draws also a graph.
///
/// Progress starts afresh with every material and every graph.
///
/// # Errors
/// When a claim is about another variant or wrong in itself, or when the oracle cannot answer.
pub fn measure_all(
    claims: &[&Claim],
    oracle: &dyn Oracle,
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
        for (&j, tally) in group.iter().zip(count(&of_group, material, oracle, variant, progress)?) {
            tallies[j] = tally;
        }
    }
    Ok(counters.iter().zip(tallies).map(|(counter, tally)| counter.judge(tally)).collect())
}

#[derive(Clone, Copy, Default)]
struct Tally {
    count: u64,
    population: u64,
}

fn merged(mut a: Vec<Tally>, b: Vec<Tally>) -> Vec<Tally> {
    for (a, b) in a.iter_mut().zip(b) {
        a.count += b.count;
        a.population += b.population;
    }
    a
}

/// Counts for claims about one material.
fn count(
    counters: &[&Counter],
    material: &Material,
    oracle: &dyn Oracle,
    variant: &Variant,
    progress: Progress,
) -> Result<Vec<Tally>, ProbeError> {
    let none = || vec![Tally::default(); counters.len()];
    let by_value = |tallies: &mut Vec<Tally>, position: &Position, weight: u64| {
        let outcome = oracle.outcome(position)?;
        for (counter, tally) in counters.iter().zip(tallies) {
            if counter.includes(position) {
                tally.population += weight;
                tally.count += weight * u64::from(counter.counts_value(outcome, position.turn()));
            }
        }
        Ok::<(), ProbeError>(())
    };
    let mut tallies = Placements::new(variant, material, Fold::Orbits).walk(progress, none, by_value, merged)?;
    let mut scorings = vec![];
    for counter in counters.iter().filter(|c| c.claim.needs_classes()) {
        if !scorings.contains(&counter.claim.scoring) {
            scorings.push(counter.claim.scoring);
        }
    }
    for scoring in scorings {
        let graph = DrawGraph::build(variant, material, oracle, scoring, progress)?;
        for weak in Color::BOTH {
            let wanted =
                |c: &Counter| c.claim.needs_classes() && c.claim.scoring == scoring && c.claim.weak.color() == weak;
            if !counters.iter().any(|c| wanted(c)) {
                continue;
            }
            let classes = classify(&graph, weak);
            tallies = merged(tallies, count_classes(counters, &wanted, &graph, &classes));
        }
    }
    Ok(tallies)
}

fn count_classes(
    counters: &[&Counter],
    wanted: &(impl Fn(&Counter) -> bool + Sync),
    graph: &DrawGraph,
    classes: &Classes,
) -> Vec<Tally> {
    let none = || vec![Tally::default(); counters.len()];
    let by_class = |mut tallies: Vec<Tally>, (node, position, images): (usize, Position, u64)| {
        for (counter, tally) in counters.iter().zip(&mut tallies) {
            if wanted(counter) && counter.includes(&position) && counter.counts_class(classes.of(node)) {
                tally.count += images;
            }
        }
        tallies
    };
    graph.positions().fold(none, by_class).reduce(none, merged)
}

/// A claim with what is needed to count for it.
struct Counter<'a> {
    claim: &'a Claim,
    variant: &'a Variant,
    material: Material,
    pair: Option<(Color, Role)>,
}

impl Counter<'_> {
    /// Whether a position belongs to the population.
    fn includes(&self, position: &Position) -> bool {
        let fits = |(color, role): (Color, Role), wanted: Colours| {
            let board = self.variant.board();
            let mut colours = position.men(color, role).iter().map(|c| board.colour(c));
            (colours.next() == colours.next()) == (wanted == Colours::Same)
        };
        self.claim.to_move.includes(position.turn())
            && match (self.pair, &self.claim.pair) {
                (Some(men), Some(pair)) => fits(men, pair.colours),
                _ => true,
            }
    }

    /// Whether a position is counted for its outcome, apart from the class of a draw.
    fn counts_value(&self, outcome: Outcome, turn: Color) -> bool {
        let from_mover = match self.claim.view {
            View::First => turn == Color::White,
            View::Second => turn == Color::Black,
            View::Mover => true,
        };
        let value = self.claim.scoring.value(outcome);
        let value = if from_mover { value } else { value.opposite() };
        let in_range = match (self.claim.plies, outcome.plies()) {
            (Some(range), Some(plies)) => (range.min..=range.max).contains(&plies),
            (range, None) => range.is_none(),
            (None, _) => true,
        };
        in_range && self.claim.count.iter().any(|q| q.value() == Some(value))
    }

    /// Whether a drawn position is counted for its class; not when every draw is counted already.
    fn counts_class(&self, class: DrawClass) -> bool {
        let all_draws = self.claim.count.iter().any(|q| q.value() == Some(Value::Draw));
        !all_draws && self.claim.count.iter().any(|q| q.class() == Some(class))
    }

    fn judge(&self, tally: Tally) -> Measured {
        let Tally { count, population } = tally;
        let printed = if self.claim.rule == Rule::Rounds { self.claim.printed() } else { None };
        let share = Printed::of(count, population, printed.map_or(DECIMALS, Printed::decimals));
        let confirmed = match self.claim.rule {
            Rule::Rounds => printed == Some(share),
            Rule::Equals => self.claim.printed_count() == Some(count),
            Rule::None => count == 0,
            Rule::Always => count == population,
        };
        Measured { count, population, percentage: share.to_string(), confirmed }
    }
}

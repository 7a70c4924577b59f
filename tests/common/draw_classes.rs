//! The classes of draws position by position, straight from their definitions (see `hextb::survey::draws`).
//!
//! Works on the [`DrawGraph`] alone: what is not an edge there is a move out of the material, or into a position
//! that is not drawn. From a drawn position the mover cannot reach a win, so for the strong side all moves
//! that are not edges are harmless, and for the weak side, apart from safe conversions, they lose.

use crate::draw_graph::{DrawGraph, Facts};
use hextb::geometry::Color;
use hextb::survey::draws::DrawClass;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering};

/// The class of every node of a graph.
pub struct Classes {
    /// [`DrawClass`] as a number.
    of_node: Vec<AtomicU8>,
}

impl Classes {
    /// The class of a node.
    #[inline]
    pub fn of(&self, node: usize) -> DrawClass {
        match self.of_node[node].load(Ordering::Relaxed) {
            PERPETUAL => DrawClass::Perpetual,
            CONVERSION => DrawClass::Conversion,
            _ => DrawClass::Fortress,
        }
    }
}

const FORTRESS: u8 = DrawClass::Fortress as u8;
const CONVERSION: u8 = DrawClass::Conversion as u8;
const PERPETUAL: u8 = DrawClass::Perpetual as u8;

/// Sorts the drawn positions of a graph into classes, on all threads of the current rayon pool.
///
/// Each set is a fixed point, found by sweeps over all nodes until nothing changes. A sweep sees its own changes:
/// every rule only ever adds to a set, or only ever takes away, so the order in which they show cannot matter.
/// The longest chain of forced moves bounds the number of sweeps.
pub fn classify(graph: &DrawGraph, weak: Color) -> Classes {
    let classes = Classes { of_node: (0..graph.node_count()).map(|_| AtomicU8::new(FORTRESS)).collect() };
    let class = |node: &u32| classes.of_node[*node as usize].load(Ordering::Relaxed);

    // Conversion, the least fixed point.
    sweep(graph, &classes, FORTRESS, CONVERSION, |facts, targets| {
        facts.no_move()
            || if facts.turn() == weak {
                facts.safe_conversion() || targets.iter().any(|t| class(t) == CONVERSION)
            } else {
                targets.iter().all(|t| class(t) == CONVERSION)
            }
    });

    // Perpetual check, the greatest fixed point: everything else at first, less what breaks the rule.
    for state in &classes.of_node {
        if state.load(Ordering::Relaxed) == FORTRESS {
            state.store(PERPETUAL, Ordering::Relaxed);
        }
    }
    sweep(graph, &classes, PERPETUAL, FORTRESS, |facts, targets| {
        if facts.turn() == weak {
            !targets.iter().any(|t| graph.facts(*t as usize).in_check() && class(t) == PERPETUAL)
        } else {
            targets.iter().any(|t| class(t) == FORTRESS)
        }
    });

    // What can be forced into it, the least fixed point over that.
    sweep(graph, &classes, FORTRESS, PERPETUAL, |facts, targets| {
        if facts.turn() == weak {
            targets.iter().any(|t| class(t) == PERPETUAL)
        } else {
            targets.iter().all(|t| class(t) != FORTRESS)
        }
    });
    classes
}

/// Turns nodes of class `from` for which `moves` holds into class `to`, until there are none.
fn sweep(graph: &DrawGraph, classes: &Classes, from: u8, to: u8, moves: impl Fn(Facts, &[u32]) -> bool + Sync) {
    let once = || {
        let changed = graph.segments().par_iter().map(|segment| {
            let mut changed = false;
            for (node, targets) in segment.nodes() {
                let state = &classes.of_node[node];
                if state.load(Ordering::Relaxed) == from && moves(graph.facts(node), targets) {
                    state.store(to, Ordering::Relaxed);
                    changed = true;
                }
            }
            changed
        });
        changed.reduce(|| false, |a, b| a | b)
    };
    while once() {}
}

//! The drawn positions of one material as a graph, up to symmetry.
//!
//! A node is a legal drawn position, standing for all its images; an edge is a legal move from one to another.
//! Moves into decided positions of the material need no edge, and moves that leave the material become one fact
//! of the node. Knows nothing of what the graph is used for.
//!
//! Memory: 4 bytes an edge and about 6 a node, besides 3 bits for every placement of the material with White's
//! king on one cell of each orbit.

use crate::numbering::{EnPassantForm, Numbering};
use hextb::analysis::placements::{Fold, Placements};
use hextb::analysis::unwatched;
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::oracle::{Oracle, ProbeError};
use hextb::outcome::Value;
use hextb::position::{Move, MoveKind, Position};
use hextb::survey::Scoring;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a node is apart from its edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts(u8);

impl Facts {
    const BLACK_TO_MOVE: u8 = 1;
    const IN_CHECK: u8 = 2;
    const SAFE_CONVERSION: u8 = 4;
    const NO_MOVE: u8 = 8;

    pub fn turn(self) -> Color {
        if self.0 & Facts::BLACK_TO_MOVE == 0 { Color::White } else { Color::Black }
    }

    /// Whether the side to move is in check, that is, whether every move to this node gives check.
    pub fn in_check(self) -> bool {
        self.0 & Facts::IN_CHECK != 0
    }

    /// Whether the side to move has a capture or promotion into a position that is not lost for it.
    pub fn safe_conversion(self) -> bool {
        self.0 & Facts::SAFE_CONVERSION != 0
    }

    /// Whether the side to move has no legal move: stalemate.
    pub fn no_move(self) -> bool {
        self.0 & Facts::NO_MOVE != 0
    }
}

/// Some consecutive nodes with their edges.
pub struct Segment {
    first: u32,
    /// Where each node's edges start in `targets`, and where the last one's end.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Segment {
    /// The nodes, each with the nodes that its moves lead to.
    pub fn nodes(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let slices = self.starts.windows(2).map(|w| &self.targets[w[0] as usize..w[1] as usize]);
        slices.enumerate().map(|(i, targets)| (self.first as usize + i, targets))
    }
}

/// The graph of a material's drawn positions.
pub struct DrawGraph<'v> {
    numbering: Numbering<'v>,
    drawn: RankedSet,
    segments: Vec<Segment>,
    facts: Vec<Facts>,
    /// The nodes with an en passant capture.
    en_passant: Vec<(usize, Position)>,
}

/// Placement numbers that one task looks at.
const SEGMENT_WORDS: usize = 128;

/// Segments, facts and the nodes with an en passant capture.
type Finished = (Vec<Segment>, Vec<Facts>, Vec<(usize, Position)>);

/// What one task makes of its positions.
struct Draft {
    segment: Segment,
    facts: Vec<Facts>,
    /// Edges to positions with an en passant capture, which get their node later: place in `targets`, position.
    pending: Vec<(usize, Position)>,
}

impl<'v> DrawGraph<'v> {
    /// Builds the graph on all threads of the current rayon pool.
    pub fn build(
        variant: &'v Variant,
        material: &Material,
        oracle: &dyn Oracle,
        scoring: Scoring,
    ) -> Result<DrawGraph<'v>, ProbeError> {
        let numbering = Numbering::new(variant, material);
        let bits: Vec<AtomicU64> = (0..numbering.bound().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Placements::new(variant, material, Fold::Orbits).walk(
            &unwatched,
            || (),
            |_, position, _| {
                if scoring.value(oracle.outcome(position)?) == Value::Draw {
                    let number = numbering.number(position);
                    bits[(number / 64) as usize].fetch_or(1 << (number % 64), Ordering::Relaxed);
                }
                Ok::<(), ProbeError>(())
            },
            |_, _| (),
        )?;
        let drawn = RankedSet::new(bits.into_iter().map(AtomicU64::into_inner).collect());
        let builder = Builder { variant, oracle, scoring, numbering: &numbering, drawn: &drawn };
        let words = drawn.words.len();
        let draft = |start: usize| builder.draft(start..(start + SEGMENT_WORDS).min(words));
        let drafts: Result<Vec<Draft>, ProbeError> =
            (0..words).into_par_iter().step_by(SEGMENT_WORDS).map(draft).collect();
        let (segments, facts, en_passant) = builder.finish(drafts?)?;
        Ok(DrawGraph { numbering, drawn, segments, facts, en_passant })
    }

    /// The number of nodes, those with an en passant capture included.
    pub fn node_count(&self) -> usize {
        self.facts.len()
    }

    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    #[inline]
    pub fn facts(&self, node: usize) -> Facts {
        self.facts[node]
    }

    /// All nodes without an en passant capture: node, position, and how many positions of the board it stands for.
    pub fn positions(&self) -> impl ParallelIterator<Item = (usize, Position, u64)> + '_ {
        let words = (0..self.drawn.words.len()).into_par_iter();
        words.flat_map_iter(move |word| {
            self.drawn.members(word..word + 1).map(move |(node, number)| {
                let position = self.numbering.position(number);
                (node as usize, position, self.numbering.number_and_images(&position).1)
            })
        })
    }

    /// All nodes with an en passant capture.
    pub fn en_passant_positions(&self) -> &[(usize, Position)] {
        &self.en_passant
    }
}

/// Whether a legal move of the position captures en passant.
fn has_en_passant_capture(variant: &Variant, position: &Position) -> bool {
    position.en_passant().is_some() && position.legal_moves(variant).iter().any(|mv| mv.kind == MoveKind::EnPassant)
}

struct Builder<'a> {
    variant: &'a Variant,
    oracle: &'a dyn Oracle,
    scoring: Scoring,
    numbering: &'a Numbering<'a>,
    drawn: &'a RankedSet,
}

impl Builder<'_> {
    fn draft(&self, words: std::ops::Range<usize>) -> Result<Draft, ProbeError> {
        let mut draft = self.empty_draft(self.drawn.ranks[words.start]);
        let mut moves = vec![];
        for (_, number) in self.drawn.members(words) {
            self.expand(&self.numbering.position(number), &mut draft, &mut moves)?;
        }
        draft.segment.targets.shrink_to_fit();
        Ok(draft)
    }

    fn empty_draft(&self, first: u32) -> Draft {
        Draft { segment: Segment { first, starts: vec![0], targets: vec![] }, facts: vec![], pending: vec![] }
    }

    /// Adds the node of a drawn position.
    fn expand(&self, position: &Position, draft: &mut Draft, moves: &mut Vec<Move>) -> Result<(), ProbeError> {
        let variant = self.variant;
        position.legal_moves_into(variant, moves);
        let mut facts = 0;
        let mut note = |fact, holds| facts |= if holds { fact } else { 0 };
        note(Facts::BLACK_TO_MOVE, position.turn() == Color::Black);
        note(Facts::IN_CHECK, position.in_check(variant, position.turn()));
        note(Facts::NO_MOVE, moves.is_empty());
        for mv in &*moves {
            let mut after = position.after(variant, mv);
            if mv.is_conversion() {
                note(Facts::SAFE_CONVERSION, self.value(&after)? <= Value::Draw);
                continue;
            }
            if has_en_passant_capture(variant, &after) {
                if self.value(&after)? == Value::Draw {
                    draft.pending.push((draft.segment.targets.len(), after));
                    draft.segment.targets.push(u32::MAX);
                }
                continue;
            }
            after.set_en_passant(None);
            draft.segment.targets.extend(self.drawn.rank(self.numbering.number(&after)));
        }
        draft.facts.push(Facts(facts));
        draft.segment.starts.push(draft.segment.targets.len() as u32);
        Ok(())
    }

    /// The value for the side to move.
    fn value(&self, position: &Position) -> Result<Value, ProbeError> {
        Ok(self.scoring.value(self.oracle.outcome(position)?))
    }

    /// Puts the drafts together and gives the positions with an en passant capture their nodes, one after another
    /// as they are met, so that the graph does not depend on the number of threads.
    fn finish(&self, drafts: Vec<Draft>) -> Result<Finished, ProbeError> {
        let (mut segments, mut facts, mut pending, mut en_passant) = (vec![], vec![], vec![], vec![]);
        for draft in drafts {
            pending.extend(draft.pending.into_iter().map(|(place, position)| (segments.len(), place, position)));
            facts.extend(draft.facts);
            segments.push(draft.segment);
        }
        let mut nodes: HashMap<EnPassantForm, u32> = HashMap::new();
        let mut moves = vec![];
        // A double step may answer a double step, so the list grows while it is worked off.
        let mut next = 0;
        while let Some(&(segment, place, position)) = pending.get(next) {
            next += 1;
            let form = self.numbering.en_passant_form(&position).expect("only such positions are pending");
            let node = match nodes.get(&form) {
                Some(&node) => node,
                None => {
                    let node = u32::try_from(facts.len()).expect("fewer than 2^32 nodes");
                    nodes.insert(form, node);
                    en_passant.push((node as usize, position));
                    let mut draft = self.empty_draft(node);
                    self.expand(&position, &mut draft, &mut moves)?;
                    pending.extend(draft.pending.into_iter().map(|(place, p)| (segments.len(), place, p)));
                    facts.extend(draft.facts);
                    segments.push(draft.segment);
                    node
                }
            };
            let targets: &mut Vec<u32> = &mut segments[segment].targets;
            targets[place] = node;
        }
        Ok((segments, facts, en_passant))
    }
}

/// A set of numbers that knows the rank of each.
struct RankedSet {
    words: Vec<u64>,
    /// For each word, how many members come before it.
    ranks: Vec<u32>,
}

impl RankedSet {
    fn new(words: Vec<u64>) -> RankedSet {
        let mut before = 0u64;
        let ranks = words
            .iter()
            .map(|w| {
                let rank = u32::try_from(before).expect("fewer than 2^32 nodes");
                before += u64::from(w.count_ones());
                rank
            })
            .collect();
        RankedSet { words, ranks }
    }

    /// How many members are smaller, if this is one.
    #[inline]
    fn rank(&self, number: u64) -> Option<u32> {
        let (word, bit) = ((number / 64) as usize, number % 64);
        let bits = self.words[word];
        (bits >> bit & 1 != 0).then(|| self.ranks[word] + (bits & ((1 << bit) - 1)).count_ones())
    }

    /// The members in some words, in order: rank and number.
    fn members(&self, words: std::ops::Range<usize>) -> impl Iterator<Item = (u32, u64)> + '_ {
        words.flat_map(move |word| {
            let mut bits = self.words[word];
            let mut rank = self.ranks[word];
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| u64::from(bits.trailing_zeros()))?;
                bits &= bits - 1;
                rank += 1;
                Some((rank - 1, word as u64 * 64 + bit))
            })
        })
    }
}

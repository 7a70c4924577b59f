//! Trees of features: positions sorted into kinds (leaves) by questions about their geometry.
//!
//! A tree is grown from a sample of rows: again and again the leaf and feature are taken whose question saves the most
//! information, until a question would save less than it takes to write down. Everything is counted in whole numbers,
//! so that the same sample gives the same tree on any machine. Knows nothing of what the symbols mean that it sorts.

use super::fastest::fastest;
use super::scene::Scene;
use crate::geometry::CellSet;
use rayon::prelude::*;
use std::sync::LazyLock;

/// A tree, its nodes in the order of a walk that goes to those for which a feature holds first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
    leaves: u32,
}

/// A question or a leaf: small, as many are looked at that have not been looked at for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    /// The number of the feature that is asked for, or [`LEAF`].
    asks: u16,
    /// Of a question, the node for positions for which it does not hold; the others come next. Of a leaf, its number.
    then: u16,
}

const LEAF: u16 = u16::MAX;

/// Nodes still to come with their positions: one for each question that holds on the way down, and one.
pub type Waiting = Vec<(u32, CellSet)>;

/// Leaves with their positions.
pub type Leaves = Vec<(u32, CellSet)>;

/// The most questions on the way to a node that hold for its positions.
pub const MOST_HOLDING: usize = 63;

/// What a node is written as: 0 for a leaf, else 1 more than the number of its feature.
pub type Written = u16;

impl Tree {
    /// The tree with these nodes, in the order of the walk; none if they make up no tree, or ask for a feature from
    /// `features` on, or are more than 65,535.
    pub fn from_written(written: &[Written], features: usize) -> Option<Tree> {
        let mut tree = Tree { nodes: vec![], leaves: 0 };
        if written.len() > u16::MAX as usize {
            return None;
        }
        // Questions whose no is still to come.
        let mut open = vec![];
        for (at, &node) in written.iter().enumerate() {
            match node {
                0 => {
                    tree.nodes.push(Node { asks: LEAF, then: tree.leaves as u16 });
                    tree.leaves += 1;
                    match open.pop() {
                        Some(question) => {
                            let question: &mut Node = &mut tree.nodes[question];
                            question.then = at as u16 + 1;
                        }
                        None => return (at + 1 == written.len()).then_some(tree),
                    }
                }
                asked if (asked as usize) <= features && open.len() < MOST_HOLDING => {
                    open.push(tree.nodes.len());
                    tree.nodes.push(Node { asks: asked - 1, then: 0 });
                }
                _ => return None,
            }
        }
        None
    }

    /// The nodes in the order of the walk.
    pub fn to_written(&self) -> Vec<Written> {
        let written = |node: &Node| node.asks.wrapping_add(1);
        self.nodes.iter().map(written).collect()
    }

    pub fn leaves(&self) -> usize {
        self.leaves as usize
    }

    /// How it is written: the number of its nodes and the nodes, 2 bytes each.
    pub fn bytes(&self) -> Vec<u8> {
        let written = self.to_written();
        let count = (written.len() as u16).to_le_bytes();
        count.into_iter().chain(written.iter().flat_map(|node| node.to_le_bytes())).collect()
    }

    /// Reads a tree off the beginning of some bytes as [`Tree::bytes`] has written it; none if they are none.
    pub fn read(bytes: &mut &[u8], features: usize) -> Option<Tree> {
        let mut number = || {
            let (number, rest) = bytes.split_first_chunk::<2>()?;
            *bytes = rest;
            Some(u16::from_le_bytes(*number))
        };
        let count = number()?;
        let written = (0..count).map(|_| number()).collect::<Option<Vec<u16>>>()?;
        Tree::from_written(&written, features)
    }

    /// Calls back with each leaf that has some of the positions of a row, in the order of the leaves.
    #[inline(always)]
    pub fn sort(&self, scene: &mut Scene, positions: CellSet, visit: impl FnMut(u32, CellSet)) {
        let mut waiting = scene.take_waiting();
        self.sort_by(&mut waiting, |feature, positions| positions & scene.holds(feature), positions, visit);
        scene.put_waiting(waiting);
    }

    /// The same leaves one after the other: what is to be done for each is inlined here, where a closure would not be.
    #[inline(always)]
    pub(super) fn sorted(&self, scene: &mut Scene, positions: CellSet) -> Leaves {
        let mut leaves = scene.take_leaves();
        leaves.clear();
        self.sort(scene, positions, |leaf, positions| leaves.push((leaf, positions)));
        leaves
    }

    /// The same where `holding` picks the positions for which a feature holds.
    #[inline(always)]
    pub(super) fn sort_by(
        &self,
        waiting: &mut Waiting,
        mut holding: impl FnMut(u16, CellSet) -> CellSet,
        positions: CellSet,
        mut visit: impl FnMut(u32, CellSet),
    ) {
        waiting.clear();
        waiting.push((0, positions));
        while let Some((mut at, mut positions)) = waiting.pop() {
            while !positions.is_empty() {
                let Node { asks, then } = self.nodes[at as usize];
                if asks == LEAF {
                    visit(u32::from(then), positions);
                    break;
                }
                let holds = holding(asks, positions);
                let left = positions - holds;
                if holds.is_empty() {
                    at = u32::from(then);
                } else {
                    if !left.is_empty() {
                        waiting.push((u32::from(then), left));
                    }
                    (at, positions) = (at + 1, holds);
                }
            }
        }
    }

    /// The leaf of a position for which `holds` answers the questions.
    #[inline]
    pub fn leaf(&self, mut holds: impl FnMut(u16) -> bool) -> u32 {
        let mut at = 0;
        loop {
            match self.nodes[at as usize] {
                Node { asks: LEAF, then } => return u32::from(then),
                Node { asks, then } => at = if holds(asks) { at + 1 } else { u32::from(then) },
            }
        }
    }

    /// The same where some questions have no answer; none if it takes one of those.
    #[inline]
    pub fn leaf_if_known(&self, mut holds: impl FnMut(u16) -> Option<bool>) -> Option<u32> {
        let mut at = 0;
        loop {
            match self.nodes[at as usize] {
                Node { asks: LEAF, then } => return Some(u32::from(then)),
                Node { asks, then } => at = if holds(asks)? { at + 1 } else { u32::from(then) },
            }
        }
    }
}

/// A row of the sample: for each feature the positions for which it holds, and for each symbol those that have it.
pub struct Sampled<const SYMBOLS: usize> {
    pub holds: Vec<CellSet>,
    pub symbols: [CellSet; SYMBOLS],
}

impl<const SYMBOLS: usize> Sampled<SYMBOLS> {
    fastest! {
        /// Counts the symbols of some positions, and those for which each feature holds.
        fn count, count_newer =
            count_now(self: &Self, positions: CellSet, all: &mut Counts<SYMBOLS>, holding: &mut [Counts<SYMBOLS>]);
    }

    #[inline(always)]
    fn count_now(&self, positions: CellSet, all: &mut Counts<SYMBOLS>, holding: &mut [Counts<SYMBOLS>]) {
        for (symbol, &has) in self.symbols.iter().enumerate() {
            let has = positions & has;
            if has.is_empty() {
                continue;
            }
            all[symbol] += has.len() as u64;
            for (holding, &holds) in holding.iter_mut().zip(&self.holds) {
                holding[symbol] += (has & holds).len() as u64;
            }
        }
    }

    fn positions(&self) -> CellSet {
        self.symbols.iter().fold(CellSet::EMPTY, |all, &some| all | some)
    }
}

/// How often each symbol of a sample occurs in each leaf of a tree.
pub(super) fn counts<const SYMBOLS: usize>(sample: &[Sampled<SYMBOLS>], tree: &Tree) -> Vec<[u64; SYMBOLS]> {
    let mut counts = vec![[0u64; SYMBOLS]; tree.leaves()];
    let mut waiting = vec![];
    for row in sample {
        let holding = |feature: u16, positions: CellSet| positions & row.holds[feature as usize];
        tree.sort_by(&mut waiting, holding, row.positions(), |leaf, positions| {
            let counts = counts[leaf as usize].iter_mut().zip(&row.symbols);
            counts.for_each(|(count, &of_symbol)| *count += (positions & of_symbol).len() as u64);
        });
    }
    counts
}

/// The information, in bits, that is left in a sample once a tree has sorted it.
pub fn left_over<const SYMBOLS: usize>(sample: &[Sampled<SYMBOLS>], tree: &Tree) -> u64 {
    counts(sample, tree).iter().map(|counts| information(counts)).sum::<u64>() >> INFORMATION_BITS
}

/// How often each symbol occurs.
type Counts<const SYMBOLS: usize> = [u64; SYMBOLS];

/// A leaf of a tree that grows.
struct Bud<const SYMBOLS: usize> {
    /// The rows that have positions here, with them.
    rows: Vec<(u32, CellSet)>,
    all: Counts<SYMBOLS>,
    /// For each feature, the counts of the positions for which it holds.
    holding: Vec<Counts<SYMBOLS>>,
    /// What the best question saves, in units of [`information`], and its feature.
    best: (u64, u16),
    /// Where the bud is in the tree.
    node: usize,
    /// How many questions on the way there hold.
    holding_above: usize,
}

/// A node of a tree that grows, with the nodes for those for which its feature holds and the others.
enum Grown {
    Ask(u16, usize, usize),
    Leaf,
}

/// Grows a tree of at most `most_leaves` leaves. Each sampled position stands for `scale` ones, and a question must
/// save `least_bits` of them all.
pub fn grow<const SYMBOLS: usize>(
    sample: &[Sampled<SYMBOLS>],
    scale: f64,
    least_bits: u64,
    most_leaves: usize,
) -> Tree {
    // What a question must save in the sample; never so little that chance would.
    let least = ((least_bits << INFORMATION_BITS) as f64 / scale) as u64;
    let least = least.max(12 << INFORMATION_BITS);
    let rows = sample.iter().enumerate().map(|(at, row)| (at as u32, row.positions()));
    let rows = rows.filter(|(_, positions)| !positions.is_empty());
    let mut grown = vec![Grown::Leaf];
    let rows: Vec<(u32, CellSet)> = rows.collect();
    let (all, holding) = count(sample, &rows);
    let mut buds = vec![Bud::new(rows, all, holding, 0, 0)];
    while buds.len() < most_leaves {
        // The first of the best: by what it saves, then by where it is.
        let best = buds.iter().enumerate().max_by_key(|(_, bud)| (bud.best.0, std::cmp::Reverse(bud.node)));
        let Some((at, _)) = best.filter(|(_, bud)| bud.best.0 >= least) else { break };
        let bud = buds.swap_remove(at);
        let feature = bud.best.1;
        let split = |holding: bool| -> Vec<(u32, CellSet)> {
            let part = |&(row, positions): &(u32, CellSet)| {
                let holds = positions & sample[row as usize].holds[feature as usize];
                (row, if holding { holds } else { positions - holds })
            };
            bud.rows.iter().map(part).filter(|(_, positions)| !positions.is_empty()).collect()
        };
        let [yes, no] = [split(true), split(false)];
        // Only the smaller part is counted; what is left of the whole is the other's.
        let counted = count(sample, if yes.len() <= no.len() { &yes } else { &no });
        let others: Vec<_> = bud.holding.iter().zip(&counted.1).map(|(whole, part)| difference(whole, part)).collect();
        let others = (difference(&bud.all, &counted.0), others);
        let (of_yes, of_no) = if yes.len() <= no.len() { (counted, others) } else { (others, counted) };
        let next = grown.len();
        grown[bud.node] = Grown::Ask(feature, next, next + 1);
        grown.extend([Grown::Leaf, Grown::Leaf]);
        buds.push(Bud::new(yes, of_yes.0, of_yes.1, next, bud.holding_above + 1));
        buds.push(Bud::new(no, of_no.0, of_no.1, next + 1, bud.holding_above));
    }
    let mut written = vec![];
    let mut waiting = vec![0];
    while let Some(node) = waiting.pop() {
        match grown[node] {
            Grown::Leaf => written.push(0),
            Grown::Ask(feature, yes, no) => {
                written.push(feature + 1);
                waiting.extend([no, yes]);
            }
        }
    }
    Tree::from_written(&written, u16::MAX as usize).expect("what has grown is a tree")
}

impl<const SYMBOLS: usize> Bud<SYMBOLS> {
    fn new(
        rows: Vec<(u32, CellSet)>,
        all: Counts<SYMBOLS>,
        holding: Vec<Counts<SYMBOLS>>,
        node: usize,
        holding_above: usize,
    ) -> Bud<SYMBOLS> {
        let whole = information(&all);
        let saved = |(feature, holding): (usize, &Counts<SYMBOLS>)| {
            let parts = information(holding) + information(&difference(&all, holding));
            (whole.saturating_sub(parts), std::cmp::Reverse(feature as u16))
        };
        let best = holding.iter().enumerate().map(saved).max();
        let best = best.filter(|_| holding_above < MOST_HOLDING).map_or((0, 0), |(saved, feature)| (saved, feature.0));
        Bud { rows, all, holding, best, node, holding_above }
    }
}

fn difference<const SYMBOLS: usize>(whole: &Counts<SYMBOLS>, part: &Counts<SYMBOLS>) -> Counts<SYMBOLS> {
    std::array::from_fn(|symbol| whole[symbol] - part[symbol])
}

/// Counts the symbols of some positions of sampled rows: of all of them, and for each feature of those it holds for.
fn count<const SYMBOLS: usize>(
    sample: &[Sampled<SYMBOLS>],
    rows: &[(u32, CellSet)],
) -> (Counts<SYMBOLS>, Vec<Counts<SYMBOLS>>) {
    let features = sample.first().map_or(0, |row| row.holds.len());
    let nothing = || ([0; SYMBOLS], vec![[0; SYMBOLS]; features]);
    let of_row = |(mut all, mut holding): (Counts<SYMBOLS>, Vec<Counts<SYMBOLS>>),
                  &(row, positions): &(u32, CellSet)| {
        sample[row as usize].count(positions, &mut all, &mut holding);
        (all, holding)
    };
    let sum = |mut a: (Counts<SYMBOLS>, Vec<Counts<SYMBOLS>>), b: (Counts<SYMBOLS>, Vec<Counts<SYMBOLS>>)| {
        a.0.iter_mut().zip(b.0).for_each(|(a, b)| *a += b);
        let both = a.1.iter_mut().zip(b.1).flat_map(|(a, b)| a.iter_mut().zip(b));
        both.for_each(|(a, b)| *a += b);
        a
    };
    rows.par_iter().with_min_len(256).fold(nothing, of_row).reduce(nothing, sum)
}

/// [`information`] is counted in this many binary places of a bit.
pub(super) const INFORMATION_BITS: u32 = 12;

/// The information in symbols that occur so often: the bits that an ideal coder takes for them.
pub(super) fn information(counts: &[u64]) -> u64 {
    let all: u64 = counts.iter().sum();
    let terms = counts.iter().filter(|&&count| count > 0 && count < all);
    let log_of_all = log2(all);
    terms.map(|&count| count * (log_of_all - log2(count))).sum()
}

/// The binary logarithm of a number from 1 on, to [`INFORMATION_BITS`] binary places; of 0, 0.
#[inline]
fn log2(number: u64) -> u64 {
    /// Most numbers are small.
    static OF_SMALL: LazyLock<Vec<u32>> =
        LazyLock::new(|| (0..1 << 14).map(|number| found_log2(number) as u32).collect());
    OF_SMALL.get(number as usize).map_or_else(|| found_log2(number), |&log| u64::from(log))
}

/// The same, found in whole numbers alone.
fn found_log2(number: u64) -> u64 {
    if number == 0 {
        return 0;
    }
    let whole = number.ilog2();
    // Between 1 and 2, with 31 binary places; squared, it tells the next place of the logarithm.
    let mut mantissa = if whole > 31 { number >> (whole - 31) } else { number << (31 - whole) };
    let mut log = u64::from(whole);
    for _ in 0..INFORMATION_BITS {
        mantissa = (mantissa * mantissa) >> 31;
        log <<= 1;
        if mantissa >> 32 != 0 {
            mantissa >>= 1;
            log += 1;
        }
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_textbook() {
        for number in (1..5000).chain((0..60).map(|shift| 3 << shift)) {
            let expected = (number as f64).log2() * f64::from(1 << INFORMATION_BITS);
            assert!((log2(number) as f64 - expected).abs() <= 1.0, "{number}: {} for {expected}", log2(number));
        }
        // Half and half is a bit each; nothing is to be said where all are alike.
        assert_eq!(information(&[8, 8]), 16 << INFORMATION_BITS);
        assert_eq!(information(&[0, 77, 0]), 0);
    }

    #[test]
    fn what_is_written_makes_up_a_tree_or_is_refused() {
        for written in [vec![0], vec![5, 0, 0], vec![1, 2, 0, 0, 3, 0, 0]] {
            let tree = Tree::from_written(&written, 10).unwrap();
            assert_eq!(tree.to_written(), written);
            assert_eq!(tree.leaves(), written.len() / 2 + 1);
        }
        for written in [vec![], vec![1], vec![1, 0], vec![0, 0], vec![11, 0, 0], vec![1, 0, 0, 0], vec![1, 2, 0, 0]] {
            assert_eq!(Tree::from_written(&written, 10), None, "{written:?}");
        }
    }

    /// Rows of 16 positions; the symbol depends on two of four features, and on the third of three positions.
    fn sample() -> Vec<Sampled<3>> {
        let row = |number: u128| {
            let hold =
                |seed: u128| CellSet((number * 0x9e37_79b9 + 0x1234_5678_9abc * seed).rotate_left(7) >> 3 & 0xffff);
            let holds: Vec<CellSet> = (1..5).map(hold).collect();
            let (a, c) = (holds[0], holds[2]);
            let symbols = [a & c, a - c, CellSet(0xffff) - a];
            Sampled { holds, symbols }
        };
        (0..400).map(row).collect()
    }

    #[test]
    fn a_tree_asks_what_the_symbols_depend_on_and_no_more() {
        let tree = grow(&sample(), 1.0, 1, 100);
        assert_eq!(tree.to_written(), [1, 3, 0, 0, 0]);
        assert_eq!(left_over(&sample(), &tree), 0);
        let untold = left_over(&sample(), &Tree::from_written(&[0], 0).unwrap());
        assert!(untold > 400 && untold < 2 * 16 * 400, "{untold}");
        // Too dear, or no room.
        assert_eq!(grow(&sample(), 1.0, 1 << 40, 100).to_written(), [0]);
        assert_eq!(grow(&sample(), 1.0, 1, 2).leaves(), 2);
        assert_eq!(grow::<3>(&[], 1.0, 1, 100).leaves(), 1);
    }

    #[test]
    fn the_counts_of_a_part_and_of_the_rest_are_those_of_the_whole() {
        let sample = sample();
        let rows: Vec<(u32, CellSet)> = (0..sample.len() as u32).map(|row| (row, CellSet(0xffff))).collect();
        let (all, holding) = count(&sample, &rows);
        assert_eq!(all.iter().sum::<u64>(), 16 * rows.len() as u64);
        for (feature, counts) in holding.iter().enumerate() {
            let of_row = |row: &Sampled<3>| row.holds[feature].len() as u64;
            assert_eq!(counts.iter().sum::<u64>(), sample.iter().map(of_row).sum::<u64>());
        }
    }
}

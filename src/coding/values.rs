//! The values of rows: a tree of features, and for each of its leaves how often which value occurs.

use super::arithmetic::{Decoder, Encoder, Probability, probability};
use super::fastest::fastest;
use super::scene::Scene;
pub use super::scene::ValueRow;
use super::tree::{INFORMATION_BITS, Tree, information};
use crate::geometry::CellSet;
use crate::outcome::Value;

/// The number of values.
const VALUES: usize = Value::ALL.len();

/// How the values of one side to move are coded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueModel {
    pub tree: Tree,
    pub kinds: Vec<Kind>,
}

/// The values that occur in one leaf, the most frequent first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// How many there are; 0 if no position has come here.
    count: u8,
    values: [u8; VALUES],
    /// Of a position that has none of the values before, the probability that it has this one; none for the last.
    likely: [Probability; VALUES - 1],
}

impl Kind {
    /// The kind of positions whose values occur so often.
    pub fn of_counts(counts: &[u64; VALUES]) -> Kind {
        let mut kind = Kind::default();
        let mut order: Vec<usize> = (0..VALUES).filter(|&value| counts[value] > 0).collect();
        order.sort_by_key(|&value| (std::cmp::Reverse(counts[value]), value));
        kind.count = order.len() as u8;
        let mut left: u64 = counts.iter().sum();
        for (at, &value) in order.iter().enumerate() {
            kind.values[at] = value as u8;
            if at + 1 < order.len() {
                kind.likely[at] = probability(counts[value], left);
                left -= counts[value];
            }
        }
        kind
    }

    /// The value that all positions here have, if there is but one.
    pub fn only(&self) -> Option<Value> {
        if self.count == 1 { self.first() } else { None }
    }

    /// The most frequent value; none if no position has come here.
    pub fn first(&self) -> Option<Value> {
        Value::ALL.get(self.values[0] as usize).copied().filter(|_| self.count > 0)
    }

    /// How it is written: the number of values, the values and their probabilities.
    pub fn bytes(&self) -> Vec<u8> {
        let count = self.count as usize;
        let likely = self.likely[..count.saturating_sub(1)].iter().flat_map(|likely| likely.to_le_bytes());
        [self.count].into_iter().chain(self.values[..count].iter().copied()).chain(likely).collect()
    }

    /// Reads a kind off the beginning of some bytes as [`Kind::bytes`] has written it; none if they are none.
    pub fn read(bytes: &mut &[u8]) -> Option<Kind> {
        let (&count, rest) = bytes.split_first().filter(|(count, _)| **count as usize <= VALUES)?;
        let (values, rest) = rest.split_at_checked(count as usize)?;
        let (likely, rest) = rest.split_at_checked(2 * (count as usize).saturating_sub(1))?;
        *bytes = rest;
        let mut kind = Kind { count, ..Kind::default() };
        for (at, &value) in values.iter().enumerate() {
            kind.values[at] = value;
            if value as usize >= VALUES || values[..at].contains(&value) {
                return None;
            }
        }
        for (to, pair) in kind.likely.iter_mut().zip(likely.as_chunks::<2>().0) {
            *to = Probability::from_le_bytes(*pair);
            if *to == 0 {
                return None;
            }
        }
        Some(kind)
    }

    #[inline(always)]
    fn put(&self, value: u8, encoder: &mut Encoder) {
        for (&expected, &likely) in self.values[..self.count as usize - 1].iter().zip(&self.likely) {
            encoder.put(expected != value, likely);
            if expected == value {
                return;
            }
        }
    }

    #[inline(always)]
    fn get(&self, decoder: &mut Decoder) -> u8 {
        let last = self.count as usize - 1;
        let at = (0..last).find(|&at| !decoder.get(self.likely[at])).unwrap_or(last);
        self.values[at]
    }
}

/// How often each value occurs in a leaf: of positions that must have it, and of those that may have a smaller one.
pub type Counts = [[u64; VALUES]; 2];

/// For each leaf and value, what is written of a position that may have a smaller value.
pub type StandIns = Vec<[u8; VALUES]>;

impl ValueModel {
    fastest! {
        /// Counts the values of a row by leaf. Of the positions in `free` a smaller value will do.
        pub fn count, count_newer =
            count_now(self: &Self, scene: &mut Scene, values: &ValueRow, free: CellSet, counts: &mut [Counts]);

        /// The values that are written of a row.
        pub fn settled, settled_newer =
            settled_now(self: &Self, scene: &mut Scene, values: &ValueRow, free: CellSet, stand_ins: &StandIns) -> ValueRow;

        /// Writes the values of a row.
        pub fn write, write_newer =
            write_now(self: &Self, scene: &mut Scene, values: &ValueRow, encoder: &mut Encoder);

        /// Reads the values of some positions of a row.
        pub fn read, read_newer =
            read_now(self: &Self, scene: &mut Scene, positions: CellSet, decoder: &mut Decoder) -> ValueRow;
    }

    /// How it is written: the tree, and for each leaf its kind.
    pub fn bytes(&self) -> Vec<u8> {
        self.tree.bytes().into_iter().chain(self.kinds.iter().flat_map(Kind::bytes)).collect()
    }

    /// Reads a model off the beginning of some bytes as [`ValueModel::bytes`] has written it; none if they are none.
    pub fn read_model(bytes: &mut &[u8], features: usize) -> Option<ValueModel> {
        let tree = Tree::read(bytes, features)?;
        let kinds = (0..tree.leaves()).map(|_| Kind::read(bytes)).collect::<Option<Vec<Kind>>>()?;
        Some(ValueModel { tree, kinds })
    }

    /// A model that has counted nothing yet.
    pub fn of_tree(tree: Tree) -> ValueModel {
        ValueModel { tree, kinds: vec![] }
    }

    #[inline(always)]
    fn count_now(&self, scene: &mut Scene, values: &ValueRow, free: CellSet, counts: &mut [Counts]) {
        self.tree.sort(scene, all_of(values), |leaf, positions| {
            let [bound, freed] = &mut counts[leaf as usize];
            for (value, &of_value) in values.iter().enumerate() {
                let of_value = positions & of_value;
                bound[value] += (of_value - free).len() as u64;
                freed[value] += (of_value & free).len() as u64;
            }
        });
    }

    /// Takes the kinds from what has been counted, and says what is written of positions that may have a smaller value:
    /// one that will do and makes all of the leaf take the fewest bits. Returns that with the bits that all take,
    /// roughly.
    pub fn settle(&mut self, counts: &[Counts]) -> (StandIns, u64) {
        let (mut stand_ins, mut bits) = (vec![], 0);
        self.kinds.clear();
        for [bound, free] in counts {
            let most = |up_to: usize| (0..=up_to).filter(|&value| bound[value] > 0).max_by_key(|&value| bound[value]);
            // One value for all that may have it, for the others the most frequent that will do.
            let with = |common: usize| -> ([u8; VALUES], [u64; VALUES]) {
                let stand_in = |value: usize| if value >= common { common } else { most(value).unwrap_or(value) };
                let of_leaf: [u8; VALUES] = std::array::from_fn(|value| stand_in(value) as u8);
                let mut written = *bound;
                free.iter().zip(of_leaf).for_each(|(&count, as_value)| written[as_value as usize] += count);
                (of_leaf, written)
            };
            let best = (0..VALUES).map(with).min_by_key(|(_, written)| information(written));
            let (of_leaf, written) = best.expect("there are values");
            bits += information(&written) >> INFORMATION_BITS;
            self.kinds.push(Kind::of_counts(&written));
            stand_ins.push(of_leaf);
        }
        (stand_ins, bits)
    }

    #[inline(always)]
    fn settled_now(&self, scene: &mut Scene, values: &ValueRow, free: CellSet, stand_ins: &StandIns) -> ValueRow {
        if free.is_empty() {
            return *values;
        }
        let mut settled = values.map(|of_value| of_value - free);
        self.tree.sort(scene, free, |leaf, positions| {
            for (of_value, &as_value) in values.iter().zip(&stand_ins[leaf as usize]) {
                settled[as_value as usize] |= *of_value & positions;
            }
        });
        settled
    }

    #[inline(always)]
    fn write_now(&self, scene: &mut Scene, values: &ValueRow, encoder: &mut Encoder) {
        let leaves = self.tree.sorted(scene, all_of(values));
        for &(leaf, positions) in &leaves {
            let kind = &self.kinds[leaf as usize];
            if kind.count > 1 {
                for cell in positions {
                    let value = values.iter().position(|of_value| of_value.contains(cell));
                    kind.put(value.expect("each position has a value") as u8, encoder);
                }
            }
        }
        scene.put_leaves(leaves);
    }

    #[inline(always)]
    fn read_now(&self, scene: &mut Scene, positions: CellSet, decoder: &mut Decoder) -> ValueRow {
        let mut values = [CellSet::EMPTY; VALUES];
        let leaves = self.tree.sorted(scene, positions);
        for &(leaf, positions) in &leaves {
            let kind = &self.kinds[leaf as usize];
            match kind.count {
                0 => {}
                1 => values[kind.values[0] as usize] |= positions,
                _ => {
                    for cell in positions {
                        values[kind.get(decoder) as usize].insert(cell);
                    }
                }
            }
        }
        scene.put_leaves(leaves);
        values
    }
}

/// All positions of a row.
pub fn all_of(values: &ValueRow) -> CellSet {
    values.iter().fold(CellSet::EMPTY, |all, &some| all | some)
}

#[cfg(test)]
mod tests {
    use super::super::scene::tests::ground_of;
    use super::super::tree::{Sampled, grow};
    use super::*;
    use crate::geometry::{Cell, Color, Variant};
    use crate::index::{Layout, Material};
    use crate::solve::MemoryTables;
    use std::sync::Arc;

    /// All rows of a table with one side to move: the cells of the men but the column man, and the values.
    fn rows(layout: &Layout, tables: &MemoryTables, turn: Color) -> Vec<(Vec<Cell>, ValueRow)> {
        let n = layout.cell_count();
        let table = tables.table(layout.material()).unwrap();
        let mut rows = vec![];
        for (number, slice) in layout.slices().iter().enumerate() {
            for row in 0..layout.block_count(number) * n {
                let mut cells = layout.outer_cells(number, row / n)[..layout.outer_men()].to_vec();
                cells.push(Cell((row % n) as u8));
                cells.extend(slice.pawns.iter().flat_map(|pawns| pawns.iter()));
                rows.push((cells, table.side(number, turn).row(row).of_value.map(CellSet)));
            }
        }
        rows
    }

    #[test]
    fn every_value_comes_back() {
        for (variant, material) in
            [("glinski-3", "KQKR"), ("glinski-3", "KRPK"), ("glinski-3", "KQK"), ("glinski-3", "KK")]
        {
            let variant = Arc::new(Variant::named(variant).unwrap());
            let material = Material::parse(&variant, material).unwrap();
            let mut tables = MemoryTables::new(variant.clone());
            tables.solve(&material);
            let layout = Layout::new(variant.clone(), &material);
            let ground = ground_of(&layout);
            let rows = rows(&layout, &tables, Color::White);
            let mut scene = Scene::new(&ground);
            let mut sample: Vec<Sampled<VALUES>> = vec![];
            for (cells, values) in rows.iter().step_by(7) {
                scene.put(cells);
                let holds = (0..ground.features().len() as u16).map(|feature| scene.holds(feature)).collect();
                sample.push(Sampled { holds, symbols: *values });
            }
            let mut model = ValueModel::of_tree(grow(&sample, 7.0, 40, 64));
            let mut counts = vec![[[0; VALUES]; 2]; model.tree.leaves()];
            for (cells, values) in &rows {
                scene.put(cells);
                model.count(&mut scene, values, CellSet::EMPTY, &mut counts);
            }
            model.settle(&counts);
            let bytes = model.bytes();
            assert_eq!(ValueModel::read_model(&mut &bytes[..], ground.features().len()), Some(model.clone()));
            let (mut bytes, mut positions) = (0, 0);
            for unit in rows.chunks(8) {
                let mut encoder = Encoder::default();
                for (cells, values) in unit {
                    scene.put(cells);
                    model.write(&mut scene, values, &mut encoder);
                }
                let message = encoder.finish();
                let mut decoder = Decoder::new(&message);
                for (cells, values) in unit {
                    let all = values.iter().fold(CellSet::EMPTY, |all, &some| all | some);
                    scene.put(cells);
                    assert_eq!(model.read(&mut scene, all, &mut decoder), *values);
                    positions += all.len();
                }
                bytes += message.len();
            }
            assert!(bytes * 16 <= positions, "{bytes} bytes for {positions} positions");
        }
    }

    /// Rows of 16 positions whose values follow the leaf but for free ones: those cost nothing, and never get more than
    /// their value.
    #[test]
    fn what_may_be_smaller_takes_the_most_frequent_value_that_will_do() {
        let mut model = ValueModel::of_tree(Tree::from_written(&[0], 0).unwrap());
        // Two lost, ten drawn, one won; free: a loss, two draws, three wins.
        let (stand_ins, _) = model.settle(&[[[2, 0, 10, 0, 1], [1, 0, 2, 0, 3]]]);
        assert_eq!(stand_ins, [[0, 0, 2, 2, 2]]);
        assert_eq!(model.kinds[0].values[..3], [2, 0, 4]);
        // All free.
        let (stand_ins, bits) = model.settle(&[[[0; VALUES], [0, 0, 2, 0, 3]]]);
        assert_eq!((stand_ins[0][2], stand_ins[0][4], bits), (0, 0, 0));
        assert_eq!(model.kinds[0].only(), Some(Value::Loss));
        // More free draws than wins that must be told: better all of them something else.
        let (stand_ins, _) = model.settle(&[[[0, 0, 0, 0, 5], [0, 0, 100, 0, 3000]]]);
        assert_eq!((stand_ins[0][2], stand_ins[0][4]), (0, 0));
        assert_eq!(model.kinds[0].values[..2], [0, 4]);
    }
}

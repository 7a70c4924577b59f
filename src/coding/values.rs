//! The values of rows: a tree of features, and for each of its leaves how often which value occurs.

use super::arithmetic::{Decoder, Encoder, Probability, probability};
use super::scene::Scene;
use super::tree::{INFORMATION_BITS, Tree, information};
use crate::geometry::CellSet;
use crate::outcome::Value;

/// The number of values.
const VALUES: usize = Value::ALL.len();

/// The values of a row: for each the columns that have it.
pub type ValueRow = [CellSet; VALUES];

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

    /// The bits that values which occur so often in a leaf take, roughly.
    pub fn bits_of(counts: &[u64; VALUES]) -> u64 {
        information(counts) >> INFORMATION_BITS
    }

    fn put(&self, value: u8, encoder: &mut Encoder) {
        for (&expected, &likely) in self.values[..self.count as usize - 1].iter().zip(&self.likely) {
            encoder.put(expected != value, likely);
            if expected == value {
                return;
            }
        }
    }

    #[inline]
    fn get(&self, decoder: &mut Decoder) -> u8 {
        let last = self.count as usize - 1;
        let at = (0..last).find(|&at| !decoder.get(self.likely[at])).unwrap_or(last);
        self.values[at]
    }
}

impl ValueModel {
    /// Counts the values of some positions of a row by leaf.
    pub fn count(&self, scene: &mut Scene, values: &ValueRow, counts: &mut [[u64; VALUES]]) {
        let all = values.iter().fold(CellSet::EMPTY, |all, &some| all | some);
        self.tree.sort(scene, all, |leaf, positions| {
            for (count, &of_value) in counts[leaf as usize].iter_mut().zip(values) {
                *count += (positions & of_value).len() as u64;
            }
        });
    }

    /// Writes the values of a row.
    pub fn write(&self, scene: &mut Scene, values: &ValueRow, encoder: &mut Encoder) {
        let all = values.iter().fold(CellSet::EMPTY, |all, &some| all | some);
        self.tree.sort(scene, all, |leaf, positions| {
            let kind = &self.kinds[leaf as usize];
            if kind.count > 1 {
                for cell in positions {
                    let value = values.iter().position(|of_value| of_value.contains(cell));
                    kind.put(value.expect("each position has a value") as u8, encoder);
                }
            }
        });
    }

    /// Reads the values of some positions of a row.
    pub fn read(&self, scene: &mut Scene, positions: CellSet, decoder: &mut Decoder) -> ValueRow {
        let mut values = [CellSet::EMPTY; VALUES];
        self.tree.sort(scene, positions, |leaf, positions| {
            let kind = &self.kinds[leaf as usize];
            match kind.count {
                0 => {}
                1 => values[kind.values[0] as usize] |= positions,
                _ => positions.iter().for_each(|cell| values[kind.get(decoder) as usize].insert(cell)),
            }
        });
        values
    }
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
            let mut scene = Scene::new(&ground, &variant);
            let mut sample: Vec<Sampled<VALUES>> = vec![];
            for (cells, values) in rows.iter().step_by(7) {
                scene.put(cells);
                let holds = (0..ground.features().len() as u16).map(|feature| scene.holds(feature)).collect();
                sample.push(Sampled { holds, symbols: *values });
            }
            let mut model = ValueModel { tree: grow(&sample, 7.0, 40, 64), kinds: vec![] };
            let mut counts = vec![[0; VALUES]; model.tree.leaves()];
            for (cells, values) in &rows {
                scene.put(cells);
                model.count(&mut scene, values, &mut counts);
            }
            model.kinds = counts.iter().map(Kind::of_counts).collect();
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
}

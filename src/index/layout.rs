//! The numbering of a material's positions: slices, blocks, rows and columns.
//!
//! A slice fixes the cells of all pawns; without pawns there is one. Of the other men - White's king, Black's
//! king, then the rest in the order of the name - the last two are the *row man* and the *column man*; those
//! before them are the *outer* men and number a slice's *blocks*. So a position's place in its slice is
//!
//! ```text
//! index = (block * n + row man's cell) * n + column man's cell      n = number of cells
//! block = (orbit of the outer kings) * n^k + the k other outer men's cells
//! ```
//!
//! and a row, the n positions that differ in the column man alone, is one `u128` for the solver. Some numbers
//! decode to nothing legal. Pawns are reduced by the symmetries that keep pawns, outer kings by the symmetries
//! that also keep the slice. Like men are numbered in every order; the place with ascending cells is the one that
//! tables store and statistics count.

use super::material::Material;
use super::orbits::KingOrbits;
use crate::geometry::{Cell, CellSet, Color, Man, Role, Variant};
use std::sync::Arc;

/// The most men that are not pawns.
pub const MAX_MEN: usize = super::material::MOST_MEN;

/// The numbering of one material's positions, the same for either side to move.
pub struct Layout {
    variant: Arc<Variant>,
    material: Material,
    men: Vec<Man>,
    likeness: Likeness,
    pawn_counts: [usize; 2],
    slices: Vec<Slice>,
    /// For each slice, how many indices come before it.
    first_numbers: Vec<usize>,
    pawn_ordinals: [Vec<usize>; 2],
    /// For each placement of the pawns: its slice, and the symmetry that takes them there.
    slice_lookup: Vec<Option<(u32, u8)>>,
}

/// One placement of the pawns, up to symmetry.
pub struct Slice {
    /// Where White's and Black's pawns stand.
    pub pawns: [CellSet; 2],
    /// The number of distinct images of these pawns.
    pub images: u32,
    /// The sum of the steps that the pawns can still make: every pawn move within the material lowers it.
    pub steps_left: u32,
    /// The orbits of the outer kings.
    pub orbits: Arc<KingOrbits>,
    /// The slices that a pawn's move other than a capture or promotion leads to, ascending; all have lower numbers.
    pub pushes: Vec<u32>,
}

/// Which of the men that are not pawns are alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Likeness {
    None,
    /// The row man and the column man, no others.
    LastTwo,
    Other,
}

/// Where a position is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub slice: usize,
    /// The index within the slice.
    pub index: usize,
}

impl Layout {
    /// Numbers the positions of a material.
    pub fn new(variant: Arc<Variant>, material: &Material) -> Layout {
        let man = |color, role| Man { color, role };
        let mut men = vec![man(Color::White, Role::KING), man(Color::Black, Role::KING)];
        let pawn = variant.pawn();
        for color in Color::BOTH {
            let others = material.side(color).iter().filter(|&&r| r != Role::KING && r != pawn);
            men.extend(others.map(|&role| man(color, role)));
        }
        let count = |color| material.side(color).iter().filter(|&&r| r == pawn).count();
        let pawn_counts = [count(Color::White), count(Color::Black)];
        let pawn_ordinals =
            Color::BOTH.map(|c| ordinals(variant.pawn_rules(c).placement, variant.board().cell_count()));
        let like_pairs: Vec<usize> = (1..men.len()).filter(|&at| men[at - 1] == men[at]).collect();
        let likeness = match like_pairs[..] {
            [] => Likeness::None,
            [at] if at == men.len() - 1 => Likeness::LastTwo,
            _ => Likeness::Other,
        };
        let mut layout = Layout {
            variant,
            material: material.clone(),
            men,
            likeness,
            pawn_counts,
            slices: vec![],
            first_numbers: vec![],
            pawn_ordinals,
            slice_lookup: vec![],
        };
        layout.number_slices();
        let mut next = 0;
        for slice in 0..layout.slices.len() {
            layout.first_numbers.push(next);
            next += layout.slice_len(slice);
        }
        layout
    }

    fn number_slices(&mut self) {
        let variant = self.variant.clone();
        let subsets = |color: Color| k_subsets(variant.pawn_rules(color).placement, self.pawn_counts[color.index()]);
        let (white, black) = (subsets(Color::White), subsets(Color::Black));
        self.slice_lookup = vec![None; white.len() * black.len()];
        let group: Vec<usize> = match self.material.has_pawns(&variant) {
            true => variant.pawn_symmetries().to_vec(),
            false => (0..variant.symmetries().len()).collect(),
        };
        let outer_kings = (self.men.len() - 2).min(2);
        let mut known: Vec<(Vec<usize>, Arc<KingOrbits>)> = vec![];
        for &w in &white {
            for &b in white_compatible(&black, w).iter() {
                if self.slice_lookup[self.pawn_rank([w, b])].is_some() {
                    continue;
                }
                let image = |g: usize| [w, b].map(|set| variant.symmetries()[g].apply_set(set));
                let stabiliser: Vec<usize> = group.iter().copied().filter(|&g| image(g) == [w, b]).collect();
                let orbits = match known.iter().find(|(s, _)| *s == stabiliser) {
                    Some((_, orbits)) => orbits.clone(),
                    None => {
                        let orbits = Arc::new(KingOrbits::new(&variant, outer_kings, &stabiliser));
                        known.push((stabiliser, orbits.clone()));
                        orbits
                    }
                };
                let slice = self.slices.len() as u32;
                let mut images = 0;
                for &g in &group {
                    let rank = self.pawn_rank(image(g));
                    if self.slice_lookup[rank].is_none() {
                        images += 1;
                        self.slice_lookup[rank] = Some((slice, super::inverse_symmetry(&variant, g) as u8));
                    }
                }
                let left = |color: Color, set: CellSet| -> u32 {
                    set.iter().map(|c| variant.pawn_rules(color).steps_left[c.index()] as u32).sum()
                };
                let steps_left = left(Color::White, w) + left(Color::Black, b);
                self.slices.push(Slice { pawns: [w, b], images, steps_left, orbits, pushes: vec![] });
            }
        }
        for slice in 0..self.slices.len() {
            self.slices[slice].pushes = self.pushes_from(self.slices[slice].pawns);
        }
        self.renumber_by_pushes();
    }

    /// The slices that a pawn's move within the material leads to.
    fn pushes_from(&self, pawns: [CellSet; 2]) -> Vec<u32> {
        let mut found = vec![];
        for color in Color::BOTH {
            let rules = self.variant.pawn_rules(color);
            for from in pawns[color.index()] {
                for path in &rules.paths[from.index()] {
                    let free = path.iter().take_while(|to| !(pawns[0] | pawns[1]).contains(**to));
                    for &to in free.filter(|to| !rules.promotion.contains(**to)) {
                        let mut after = pawns;
                        after[color.index()].remove(from);
                        after[color.index()].insert(to);
                        if self.material.is_symmetric() && color == Color::White {
                            // Black is to move then, and found as White with the colours swapped.
                            after = [after[1], after[0]].map(|set| self.variant.colour_swap().apply_set(set));
                        }
                        let (slice, _) = self.locate_slice(after).expect("pawns move to where pawns can stand");
                        found.push(slice as u32);
                    }
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Numbers the slices so that each comes after those that it needs, and that solved in this order
    /// - a slice of a single pawn is not needed for long: those that pushes connect come together;
    /// - with more pawns, slices that share all pawns but the foremost come together: when that one promotes, they look
    ///   up the same slices of other tables, which are many times as large.
    fn renumber_by_pushes(&mut self) {
        let count = self.slices.len();
        let connected = match self.pawn_counts.iter().sum::<usize>() {
            0 | 1 => self.connected_slices(),
            _ => vec![0; count],
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_cached_key(|&slice| {
            (connected[slice], self.slices[slice].steps_left, self.without_foremost(slice), slice)
        });
        let mut number = vec![0; count];
        order.iter().enumerate().for_each(|(new, &old)| number[old] = new as u32);
        let mut old: Vec<Option<Slice>> = std::mem::take(&mut self.slices).into_iter().map(Some).collect();
        self.slices = order.iter().map(|&slice| old[slice].take().expect("each slice has one number")).collect();
        for slice in &mut self.slices {
            slice.pushes.iter_mut().for_each(|to| *to = number[*to as usize]);
            slice.pushes.sort();
        }
        self.slice_lookup.iter_mut().flatten().for_each(|(slice, _)| *slice = number[*slice as usize]);
    }

    /// For each slice the lowest of those that it is connected to by pushes.
    fn connected_slices(&self) -> Vec<usize> {
        fn root(component: &mut [usize], mut slice: usize) -> usize {
            while component[slice] != slice {
                component[slice] = component[component[slice]];
                slice = component[slice];
            }
            slice
        }
        let mut component: Vec<usize> = (0..self.slices.len()).collect();
        for (from, slice) in self.slices.iter().enumerate() {
            for &to in &slice.pushes {
                let (a, b) = (root(&mut component, from), root(&mut component, to as usize));
                component[a.max(b)] = a.min(b);
            }
        }
        (0..self.slices.len()).map(|slice| root(&mut component, slice)).collect()
    }

    /// The pawns of a slice without the foremost, on the lowest of their images.
    fn without_foremost(&self, slice: usize) -> [CellSet; 2] {
        let pawns = self.slices[slice].pawns;
        let steps_left = |color: Color, cell: Cell| self.variant.pawn_rules(color).steps_left[cell.index()];
        let each = Color::BOTH.into_iter().flat_map(|color| pawns[color.index()].iter().map(move |cell| (color, cell)));
        let Some(least) = each.clone().map(|(color, cell)| steps_left(color, cell)).min() else { return pawns };
        let without = |(color, cell): (Color, Cell)| {
            let mut pawns = pawns;
            pawns[color.index()].remove(cell);
            pawns
        };
        let foremost = each.filter(|&(color, cell)| steps_left(color, cell) == least);
        let images = foremost.map(without).flat_map(|pawns| {
            let group = self.variant.pawn_symmetries().iter();
            group.map(move |&g| pawns.map(|set| self.variant.symmetries()[g].apply_set(set)))
        });
        images.min().unwrap_or(pawns)
    }

    /// The number of a placement of the pawns among all of its size.
    fn pawn_rank(&self, pawns: [CellSet; 2]) -> usize {
        let black_placements = binomial(self.variant.pawn_rules(Color::Black).placement.len(), self.pawn_counts[1]);
        let rank = |color: usize| -> usize {
            let ordinal = |(i, cell): (usize, Cell)| binomial(self.pawn_ordinals[color][cell.index()], i + 1);
            pawns[color].iter().enumerate().map(ordinal).sum()
        };
        rank(0) * black_placements + rank(1)
    }

    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The men that are not pawns, in the order of their cells in an index.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    pub fn slices(&self) -> &[Slice] {
        &self.slices
    }

    /// The number of men before the row man.
    pub fn outer_men(&self) -> usize {
        self.men.len() - 2
    }

    /// The number of blocks of a slice.
    pub fn block_count(&self, slice: usize) -> usize {
        self.slices[slice].orbits.len() * self.blocks_per_orbit()
    }

    /// The number of cells to the power of the number of outer men that are not kings.
    pub fn blocks_per_orbit(&self) -> usize {
        self.cell_count().pow(self.outer_men().saturating_sub(2) as u32)
    }

    /// The number of indices of a slice for one side to move.
    pub fn slice_len(&self, slice: usize) -> usize {
        self.block_count(slice) * self.cell_count() * self.cell_count()
    }

    /// The number of indices of all slices for one side to move.
    pub fn len(&self) -> usize {
        (0..self.slices.len()).map(|s| self.slice_len(s)).sum()
    }

    /// Whether there are no indices at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn cell_count(&self) -> usize {
        self.variant.board().cell_count()
    }

    /// The cells of the outer men of a block, in the order of [`Layout::men`]; only the first
    /// [`Layout::outer_men`] have a meaning.
    pub fn outer_cells(&self, slice: usize, block: usize) -> [Cell; MAX_MEN] {
        let per_orbit = self.blocks_per_orbit();
        let kings = self.slices[slice].orbits.representative(block / per_orbit);
        let mut cells = [Cell(0); MAX_MEN];
        cells[..2].copy_from_slice(&kings);
        let mut rest = block % per_orbit;
        for at in (2..self.outer_men()).rev() {
            cells[at] = Cell((rest % self.cell_count()) as u8);
            rest /= self.cell_count();
        }
        cells
    }

    /// The cells of all men that are not pawns, in the order of [`Layout::men`].
    pub fn cells_at(&self, place: Place) -> [Cell; MAX_MEN] {
        let n = self.cell_count();
        let mut cells = self.outer_cells(place.slice, place.index / (n * n));
        cells[self.men.len() - 2] = Cell((place.index / n % n) as u8);
        cells[self.men.len() - 1] = Cell((place.index % n) as u8);
        cells
    }

    /// How many distinct placements on the board each position of a block stands for, like men told apart.
    pub fn block_weight(&self, slice: usize, block: usize) -> u64 {
        let slice = &self.slices[slice];
        slice.images as u64 * slice.orbits.size(block / self.blocks_per_orbit()) as u64
    }

    /// Whether like men stand in ascending order.
    fn is_ascending(&self, cells: &[Cell]) -> bool {
        self.men.windows(2).zip(cells.windows(2)).all(|(men, cells)| men[0] != men[1] || cells[0] < cells[1])
    }

    /// The columns of a row at which like men stand in ascending order: those of the permutations of a position
    /// that are stored and counted.
    pub fn ascending_columns(&self, slice: usize, block: usize, row: usize) -> CellSet {
        if !self.has_like_men() {
            return CellSet::first(self.cell_count());
        }
        let mut cells = self.outer_cells(slice, block);
        let row_man = self.outer_men();
        cells[row_man] = Cell(row as u8);
        if !self.is_ascending(&cells[..=row_man]) {
            return CellSet::EMPTY;
        }
        let all = CellSet::first(self.cell_count());
        if self.men[row_man] == self.men[row_man + 1] { all - CellSet::first(row + 1) } else { all }
    }

    /// Whether two men are alike, so that some places are not counted.
    pub fn has_like_men(&self) -> bool {
        self.likeness() != Likeness::None
    }

    /// Which men are alike.
    pub fn likeness(&self) -> Likeness {
        self.likeness
    }

    /// The place of the same position with like men in ascending order: the one that is stored.
    pub fn ascending(&self, place: Place) -> Place {
        if !self.has_like_men() {
            return place;
        }
        let mut cells = self.cells_at(place);
        let cells = &mut cells[..self.men.len()];
        if self.is_ascending(cells) {
            return place;
        }
        let mut first = 0;
        for like in self.men.chunk_by(|a, b| a == b) {
            cells[first..first + like.len()].sort();
            first += like.len();
        }
        // The kings stand on a representative already, and no symmetry is needed to put them there.
        let n = self.cell_count();
        let orbit = place.index / n.pow((self.men.len() - self.slices[place.slice].orbits.kings()) as u32);
        let after_kings = &cells[self.slices[place.slice].orbits.kings()..];
        let index = after_kings.iter().fold(orbit, |index, cell| index * n + cell.index());
        Place { slice: place.slice, index }
    }

    /// The slice that holds a number counted through all slices, and the index there.
    pub fn slice_at(&self, number: usize) -> (usize, usize) {
        let slice = self.first_numbers.partition_point(|&first| first <= number) - 1;
        (slice, number - self.first_numbers[slice])
    }

    /// The number, counted through all slices, of a place.
    #[inline]
    pub fn number(&self, place: Place) -> usize {
        self.first_numbers[place.slice] + place.index
    }

    /// The slice of some pawns, and the symmetry that takes them to where they stand in the slice.
    pub fn locate_slice(&self, pawns: [CellSet; 2]) -> Option<(usize, u8)> {
        self.slice_lookup[self.pawn_rank(pawns)].map(|(slice, symmetry)| (slice as usize, symmetry))
    }

    /// The index of men on these cells within a slice, none if the kings touch. The cells must already be mapped
    /// by the symmetry from [`Layout::locate_slice`].
    #[inline]
    pub fn locate_in(&self, slice: usize, cells: &[Cell]) -> Option<usize> {
        self.locate_with_symmetry(slice, cells).map(|(index, _)| index)
    }

    /// Like [`Layout::locate_in`], with the symmetry that has taken the men there.
    #[inline]
    pub fn locate_with_symmetry(&self, slice: usize, cells: &[Cell]) -> Option<(usize, u8)> {
        let (orbit, g) = self.slices[slice].orbits.locate(cells[0], cells[1])?;
        let map = self.variant.symmetries()[g as usize].map();
        let n = self.cell_count();
        let after_kings = &cells[self.slices[slice].orbits.kings()..];
        let mapped = |index: usize, cell: &Cell| index * n + map[cell.index()].index();
        Some((after_kings.iter().fold(orbit, mapped), g))
    }
}

/// The pawns of Black that do not stand on White's.
fn white_compatible(black: &[CellSet], white: CellSet) -> Vec<CellSet> {
    black.iter().copied().filter(|&b| !b.intersects(white)).collect()
}

/// For each cell of a set, its rank in it.
fn ordinals(set: CellSet, cell_count: usize) -> Vec<usize> {
    (0..cell_count).map(|i| (set & CellSet::first(i)).len()).collect()
}

/// All subsets of `size` cells.
fn k_subsets(of: CellSet, size: usize) -> Vec<CellSet> {
    if size == 0 {
        return vec![CellSet::EMPTY];
    }
    let with_highest = |cell: Cell| {
        let below = of & CellSet::first(cell.index());
        k_subsets(below, size - 1).into_iter().map(move |rest| rest | cell.set())
    };
    of.iter().flat_map(with_highest).collect()
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
}

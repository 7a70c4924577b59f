//! Orbits of the kings under a symmetry group, and where king moves lead between them.
//!
//! A position is stored with its kings on the representative of their orbit. A representative on a mirror axis
//! is fixed by some symmetries; positions that differ by those are all stored, each as a position of its own, so
//! that whoever gathers from the neighbours of a stored position may follow any symmetry to any stored copy.

use crate::geometry::{Cell, Role, Variant};

/// The orbits of none, one or both kings under a group of symmetries.
pub struct KingOrbits {
    kings: usize,
    cell_count: usize,
    representatives: Vec<[Cell; 2]>,
    sizes: Vec<u32>,
    /// For each first and second king's cell: the orbit, and the symmetry that takes them to its representative.
    lookup: Vec<Option<(u32, u8)>>,
    moves: [Vec<Vec<KingMove>>; 2],
}

/// Where a king's move from a representative leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct KingMove {
    /// The symmetry that takes the kings after the move to their representative.
    pub symmetry: u8,
    /// The orbit of the kings after the move.
    pub orbit: u32,
}

impl KingOrbits {
    /// The orbits of the first `kings` kings (0, 1 or 2) under the symmetries with the numbers in `group`.
    /// Two kings never touch.
    pub fn new(variant: &Variant, kings: usize, group: &[usize]) -> KingOrbits {
        let board = variant.board();
        let cell_count = board.cell_count();
        let king = variant.movement(Role::KING);
        let apart =
            |a: Cell, b: Cell| a != b && !king.steps[a.index()].contains(b) && !king.steps[b.index()].contains(a);
        let tuples: Vec<[Cell; 2]> = match kings {
            0 => vec![[Cell(0); 2]],
            1 => board.cells().map(|a| [a; 2]).collect(),
            _ => {
                board.cells().flat_map(|a| board.cells().map(move |b| [a, b])).filter(|[a, b]| apart(*a, *b)).collect()
            }
        };
        let mut orbits = KingOrbits {
            kings,
            cell_count,
            representatives: vec![],
            sizes: vec![],
            lookup: vec![None; if kings == 0 { 1 } else { cell_count * cell_count }],
            moves: [vec![], vec![]],
        };
        // Tuples come in increasing order, so the first of each orbit is its least and becomes its representative.
        for tuple in tuples {
            if orbits.lookup[orbits.key(tuple)].is_some() {
                continue;
            }
            let orbit = orbits.representatives.len() as u32;
            orbits.representatives.push(tuple);
            let mut size = 0;
            for &g in group {
                let image = if kings == 0 { tuple } else { tuple.map(|c| variant.symmetries()[g].apply(c)) };
                let key = orbits.key(image);
                if orbits.lookup[key].is_none() {
                    size += 1;
                    orbits.lookup[key] = Some((orbit, super::inverse_symmetry(variant, g) as u8));
                }
            }
            orbits.sizes.push(size);
        }
        for mover in 0..kings {
            let moves = orbits.representatives.iter().map(|&from| orbits.moves_from(variant, mover, from)).collect();
            orbits.moves[mover] = moves;
        }
        orbits
    }

    fn key(&self, [a, b]: [Cell; 2]) -> usize {
        if self.kings == 0 { 0 } else { a.index() * self.cell_count + b.index() }
    }

    /// The moves of one king from a representative, sorted by symmetry.
    fn moves_from(&self, variant: &Variant, mover: usize, from: [Cell; 2]) -> Vec<KingMove> {
        let targets = variant.movement(Role::KING).steps[from[mover].index()];
        let mut moves: Vec<KingMove> = targets
            .iter()
            .filter_map(|to| {
                let mut after = from;
                after[mover] = to;
                if self.kings == 1 {
                    after = [to; 2];
                }
                self.lookup[self.key(after)].map(|(orbit, symmetry)| KingMove { symmetry, orbit })
            })
            .collect();
        moves.sort();
        moves
    }

    /// How many kings the orbits are of.
    pub fn kings(&self) -> usize {
        self.kings
    }

    /// The number of orbits.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Whether there are no orbits, as on a board too small for two kings.
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// The kings' cells that stand for an orbit; only the first [`KingOrbits::kings`] have a meaning.
    pub fn representative(&self, orbit: usize) -> [Cell; 2] {
        self.representatives[orbit]
    }

    /// The number of distinct placements in an orbit.
    pub fn size(&self, orbit: usize) -> u32 {
        self.sizes[orbit]
    }

    /// The orbit of kings on these cells and the symmetry that takes them to its representative; none if they touch.
    #[inline]
    pub fn locate(&self, first: Cell, second: Cell) -> Option<(usize, u8)> {
        let key = match self.kings {
            0 => 0,
            1 => first.index() * self.cell_count + first.index(),
            _ => first.index() * self.cell_count + second.index(),
        };
        self.lookup[key].map(|(orbit, symmetry)| (orbit as usize, symmetry))
    }

    /// Where the moves of one king (0 or 1) from an orbit's representative lead, sorted by symmetry.
    pub fn moves(&self, mover: usize, orbit: usize) -> &[KingMove] {
        &self.moves[mover][orbit]
    }
}

//! Rows in vector registers: the inner loops of the solver, once in portable Rust and once for AVX2.
//!
//! A [`Lanes`] value says which of the two a solve uses; both give the same bits. Loops that only need "and" and "or"
//! are written once over [`Bits`] and compiled for each; exchanging rows and columns is written twice. Knows blocks
//! and lines of cells, nothing of men and sides.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod bits;
mod portable;

use super::lines::Lines;
use super::rows::Block;
pub use bits::Bits;

/// The instructions to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes(Instructions);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Instructions {
    Portable,
    /// Only ever made where the processor has them.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Lanes {
    /// The fastest that the processor has.
    pub fn fastest() -> Lanes {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Lanes(Instructions::Avx2);
        }
        Lanes::portable()
    }

    /// What runs everywhere.
    pub fn portable() -> Lanes {
        Lanes(Instructions::Portable)
    }

    /// Exchanges rows and columns.
    #[inline]
    pub fn transpose(self, block: &mut Block) {
        match self.0 {
            Instructions::Portable => portable::transpose(block),
            // SAFETY: the value exists only where AVX2 does.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::transpose(block) },
        }
    }

    /// See `Lines::before`.
    #[inline]
    pub fn before(self, lines: &Lines, after: &Block, pass: &Block, before: &mut Block) {
        match self.0 {
            Instructions::Portable => lines.before::<u128>(after, pass, before),
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::before(lines, after, pass, before) },
        }
    }

    /// `Lines::before` for two rows at a time: each cell has a row in each of two blocks.
    #[inline]
    pub fn before_pairs(self, lines: &Lines, after: &PairBlock, pass: &PairBlock, before: &mut PairBlock) {
        match self.0 {
            Instructions::Portable => lines.before::<[u128; 2]>(after, pass, before),
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::before_pairs(lines, after, pass, before) },
        }
    }
}

/// Two rows for each cell.
pub type PairBlock = [[u128; 2]; crate::geometry::MAX_CELLS];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{MAX_CELLS, Variant};
    use std::array::from_fn;

    /// Bits without a pattern, from a linear congruential generator.
    fn random_block(state: &mut u128) -> Block {
        from_fn(|_| {
            *state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x5851_f42d_4c95_7f2d);
            *state ^ *state >> 64
        })
    }

    fn each() -> [Lanes; 2] {
        [Lanes::portable(), Lanes::fastest()]
    }

    #[test]
    fn transposing_moves_each_bit_to_its_mirror_image() {
        let mut state = 1;
        let original = random_block(&mut state);
        for lanes in each() {
            let mut block = original;
            lanes.transpose(&mut block);
            for (row, bits) in block.into_iter().enumerate() {
                let column: u128 = (0..MAX_CELLS).map(|i| (original[i] >> row & 1) << i).sum();
                assert_eq!(bits, column, "{lanes:?}, row {row}");
            }
        }
    }

    #[test]
    fn lines_are_scanned_alike_by_all() {
        let mut state = 2;
        for name in ["glinski", "orthodox", "glinski-3"] {
            let variant = Variant::named(name).unwrap();
            for role in variant.roles() {
                let lines = Lines::new(&variant, role);
                let (after, other) = (random_block(&mut state), random_block(&mut state));
                let pass = random_block(&mut state).map(|row| row | row >> 1);
                let before = |lanes: Lanes, after: &Block, pass: &Block| {
                    let mut before = [0; MAX_CELLS];
                    lanes.before(&lines, after, pass, &mut before);
                    before
                };
                let [expected, found] = each().map(|lanes| before(lanes, &after, &pass));
                assert!(expected == found, "{name}, role {role:?}");
                let pair = |second: &Block, first: &Block| from_fn(|i| [first[i], second[i]]);
                for lanes in each() {
                    let mut pairs = [[0; 2]; MAX_CELLS];
                    lanes.before_pairs(&lines, &pair(&other, &after), &pair(&after, &pass), &mut pairs);
                    assert!(pairs.map(|[first, _]| first) == expected, "{name}, role {role:?}, {lanes:?}");
                    let second = before(lanes, &other, &after);
                    assert!(pairs.map(|[_, second]| second) == second, "{name}, role {role:?}, {lanes:?}");
                }
            }
        }
    }
}

//! Permutations of cells that are applied to sets of cells by the million.

use super::cell::{Cell, MAX_CELLS};

/// A permutation of a row's bits, as one table look-up a byte.
#[derive(Clone)]
pub struct BitPermutation {
    bytes: Vec<[u128; 256]>,
}

impl BitPermutation {
    /// The permutation that moves bit `map[i]` to bit `i`.
    pub fn undoing(map: &[Cell]) -> BitPermutation {
        let mut target = [0u8; MAX_CELLS];
        for (to, from) in map.iter().enumerate() {
            target[from.index()] = to as u8;
        }
        let bytes = (0..map.len().div_ceil(8)).map(|byte| {
            let image = |value: usize| {
                (0..8).filter(|bit| value >> bit & 1 != 0).map(|bit| 1u128 << target[8 * byte + bit]).sum()
            };
            std::array::from_fn(image)
        });
        BitPermutation { bytes: bytes.collect() }
    }

    /// A set of bits with each bit moved.
    #[inline]
    pub fn apply(&self, row: u128) -> u128 {
        let bytes = row.to_le_bytes();
        self.bytes.iter().zip(bytes).fold(0, |image, (table, byte)| image | table[byte as usize])
    }
}

// The tables are long and say nothing to a reader.
impl std::fmt::Debug for BitPermutation {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("BitPermutation")
    }
}

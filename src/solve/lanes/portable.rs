//! What only the portable [`Lanes`](super::Lanes) need.

use crate::geometry::MAX_CELLS;
use crate::solve::rows::Block;

/// Exchanges rows and columns.
///
/// Swaps ever smaller off-diagonal squares of bits, as in Warren, "Hacker's Delight", section 7-3.
pub fn transpose(block: &mut Block) {
    let mut width = MAX_CELLS / 2;
    let mut mask = u128::MAX >> width;
    while width > 0 {
        let mut row = 0;
        while row < MAX_CELLS {
            for upper in row..row + width {
                let lower = upper + width;
                let differing = ((block[upper] >> width) ^ block[lower]) & mask;
                block[lower] ^= differing;
                block[upper] ^= differing << width;
            }
            row += 2 * width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

//! The inner loops for x86-64 processors with AVX2.

use super::{Bits, PairBlock};
use crate::geometry::MAX_CELLS;
use crate::solve::lines::Lines;
use crate::solve::rows::Block;
use bytemuck::cast;
use std::arch::x86_64::*;
use std::array::from_fn;

/// SSE2 would do, but with AVX2 the compiler has instructions of three operands.
#[target_feature(enable = "avx2")]
pub fn before(lines: &Lines, after: &Block, pass: &Block, before: &mut Block) {
    lines.before::<__m128i>(after, pass, before);
}

#[target_feature(enable = "avx2")]
pub fn before_pairs(lines: &Lines, after: &PairBlock, pass: &PairBlock, before: &mut PairBlock) {
    lines.before::<__m256i>(after, pass, before);
}

impl Bits for __m128i {
    type Stored = u128;

    #[inline(always)]
    fn none() -> __m128i {
        cast(0u128)
    }

    #[inline(always)]
    fn load(stored: &u128) -> __m128i {
        cast(*stored)
    }

    #[inline(always)]
    fn store(self) -> u128 {
        cast(self)
    }

    #[inline(always)]
    fn and(self, other: __m128i) -> __m128i {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_and_si128(self, other) }
    }

    #[inline(always)]
    fn or(self, other: __m128i) -> __m128i {
        // SAFETY: as above.
        unsafe { _mm_or_si128(self, other) }
    }
}

/// Used in this file alone, below functions that the caller knows may run.
impl Bits for __m256i {
    type Stored = [u128; 2];

    #[inline(always)]
    fn none() -> __m256i {
        cast([0u128; 2])
    }

    #[inline(always)]
    fn load(stored: &[u128; 2]) -> __m256i {
        cast(*stored)
    }

    #[inline(always)]
    fn store(self) -> [u128; 2] {
        cast(self)
    }

    #[inline(always)]
    fn and(self, other: __m256i) -> __m256i {
        // SAFETY: called only from functions of this file with AVX2.
        unsafe { _mm256_and_si256(self, other) }
    }

    #[inline(always)]
    fn or(self, other: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_or_si256(self, other) }
    }
}

/// Exchanges rows and columns: first bytes, then the 8 x 8 bits in each. Two neighbouring rows share a register.
#[target_feature(enable = "avx2")]
pub fn transpose(block: &mut Block) {
    for first in (0..8).step_by(2) {
        // Row 8 k + i and byte j change places with row 8 j + i and byte k. A round halves the distance in rows and
        // doubles that in bytes (the perfect shuffle); after four they have changed roles.
        let mut rows: [__m256i; 16] = from_fn(|k| load(block, 8 * k + first));
        for _ in 0..4 {
            rows = from_fn(|k| match k % 2 {
                0 => _mm256_unpacklo_epi8(rows[k / 2], rows[k / 2 + 8]),
                _ => _mm256_unpackhi_epi8(rows[k / 2], rows[k / 2 + 8]),
            });
        }
        rows.into_iter().enumerate().for_each(|(j, row)| store(block, 8 * j + first, row));
    }
    for first in (0..MAX_CELLS).step_by(8) {
        let [mut a, mut b, mut c, mut d] = from_fn(|i| load(block, first + 2 * i));
        for (upper, lower) in [(&mut a, &mut c), (&mut b, &mut d)] {
            exchange::<4>(upper, lower, 0x0f);
        }
        for (upper, lower) in [(&mut a, &mut b), (&mut c, &mut d)] {
            exchange::<2>(upper, lower, 0x33);
            let mut even = _mm256_permute2x128_si256::<0x20>(*upper, *lower);
            let mut odd = _mm256_permute2x128_si256::<0x31>(*upper, *lower);
            exchange::<1>(&mut even, &mut odd, 0x55);
            *upper = _mm256_permute2x128_si256::<0x20>(even, odd);
            *lower = _mm256_permute2x128_si256::<0x31>(even, odd);
        }
        [a, b, c, d].into_iter().enumerate().for_each(|(i, rows)| store(block, first + 2 * i, rows));
    }
}

/// Exchanges the bits outside `mask` of each byte of some rows with those inside of the rows `WIDTH` below.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange<const WIDTH: i32>(upper: &mut __m256i, lower: &mut __m256i, mask: i8) {
    let moved = _mm256_xor_si256(_mm256_srli_epi16::<WIDTH>(*upper), *lower);
    let differing = _mm256_and_si256(moved, _mm256_set1_epi8(mask));
    *lower = _mm256_xor_si256(*lower, differing);
    *upper = _mm256_xor_si256(*upper, _mm256_slli_epi16::<WIDTH>(differing));
}

#[inline(always)]
fn load(block: &Block, row: usize) -> __m256i {
    cast([block[row], block[row + 1]])
}

#[inline(always)]
fn store(block: &mut Block, row: usize, rows: __m256i) {
    [block[row], block[row + 1]] = cast(rows);
}

//! What scans need of one row, or of two side by side.

/// Rows on which a scan works at once, as they are held in a register.
pub trait Bits: Copy {
    /// The same in memory.
    type Stored: Copy;
    fn none() -> Self;
    fn load(stored: &Self::Stored) -> Self;
    fn store(self) -> Self::Stored;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
}

impl Bits for u128 {
    type Stored = u128;

    #[inline(always)]
    fn none() -> u128 {
        0
    }

    #[inline(always)]
    fn load(stored: &u128) -> u128 {
        *stored
    }

    #[inline(always)]
    fn store(self) -> u128 {
        self
    }

    #[inline(always)]
    fn and(self, other: u128) -> u128 {
        self & other
    }

    #[inline(always)]
    fn or(self, other: u128) -> u128 {
        self | other
    }
}

impl Bits for [u128; 2] {
    type Stored = [u128; 2];

    #[inline(always)]
    fn none() -> [u128; 2] {
        [0; 2]
    }

    #[inline(always)]
    fn load(stored: &[u128; 2]) -> [u128; 2] {
        *stored
    }

    #[inline(always)]
    fn store(self) -> [u128; 2] {
        self
    }

    #[inline(always)]
    fn and(self, other: [u128; 2]) -> [u128; 2] {
        [self[0] & other[0], self[1] & other[1]]
    }

    #[inline(always)]
    fn or(self, other: [u128; 2]) -> [u128; 2] {
        [self[0] | other[0], self[1] | other[1]]
    }
}

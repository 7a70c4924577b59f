//! A binary arithmetic coder with given probabilities: as many bytes as the answers hold information, and no more.
//!
//! A range coder with carry, 32 bits wide. The last bytes of a message are chosen so that as many as possible are 0,
//! and those are left out: a decoder reads 0 beyond the end. A message in which everything went as expected may so
//! take no byte at all. Knows nothing of what the answers are about.

/// Probabilities are counted in so many parts.
pub const PROBABILITY_BITS: u32 = 16;
const ONE: u32 = 1 << PROBABILITY_BITS;
/// The range is kept above this by putting out bytes.
const LEAST_RANGE: u32 = 1 << 24;

/// The probability of a no, in parts of 65,536, never 0.
pub type Probability = u16;

/// The probability that fits so many cases of no among all.
pub fn probability(no: u64, all: u64) -> Probability {
    let parts = (u128::from(no) * u128::from(ONE) + u128::from(all) / 2) / u128::from(all.max(1));
    parts.clamp(1, u128::from(ONE - 1)) as Probability
}

/// Writes a message.
pub struct Encoder {
    low: u64,
    range: u32,
    /// A byte not yet written, as a carry may still change it, and how many bytes of ff follow it.
    held: Option<u8>,
    full: usize,
    bytes: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder { low: 0, range: u32::MAX, held: None, full: 0, bytes: Vec::with_capacity(64) }
    }
}

impl Encoder {
    /// Adds an answer that was no with probability `no`.
    #[inline(always)]
    pub fn put(&mut self, answer: bool, no: Probability) {
        let bound = (self.range >> PROBABILITY_BITS) * u32::from(no);
        if answer {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        while self.range < LEAST_RANGE {
            self.shift();
            self.range <<= 8;
        }
    }

    /// Puts out the highest byte, or holds it back while a carry may change it.
    fn shift(&mut self) {
        let top = (self.low >> 24) as u8;
        let carry = self.low >> 32 != 0;
        if carry || top != 0xff {
            if let Some(held) = self.held {
                self.bytes.push(held.wrapping_add(u8::from(carry)));
            }
            if self.full > 0 {
                let full = if carry { 0 } else { 0xff };
                self.bytes.extend(std::iter::repeat_n(full, self.full));
                self.full = 0;
            }
            self.held = Some(top);
        } else {
            self.full += 1;
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    /// The message's bytes.
    pub fn finish(mut self) -> Vec<u8> {
        // Of all numbers that are left, the one that ends in the most zeros.
        let last = self.low + u64::from(self.range) - 1;
        let zeros = (0..=32).rev().find(|&zeros| last >> zeros << zeros >= self.low).unwrap_or(0);
        self.low = last >> zeros << zeros;
        for _ in 0..5 {
            self.shift();
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

/// Reads a message.
pub struct Decoder<'a> {
    code: u32,
    range: u32,
    bytes: &'a [u8],
}

impl Decoder<'_> {
    pub fn new(bytes: &[u8]) -> Decoder<'_> {
        let mut decoder = Decoder { code: 0, range: u32::MAX, bytes };
        for _ in 0..4 {
            decoder.code = decoder.code << 8 | decoder.next_byte();
        }
        decoder
    }

    #[inline(always)]
    fn next_byte(&mut self) -> u32 {
        match self.bytes.split_first() {
            Some((&byte, left)) => {
                self.bytes = left;
                u32::from(byte)
            }
            None => 0,
        }
    }

    /// The next answer, which was no with probability `no`.
    #[inline(always)]
    pub fn get(&mut self, no: Probability) -> bool {
        let bound = (self.range >> PROBABILITY_BITS) * u32::from(no);
        let answer = self.code >= bound;
        if answer {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        while self.range < LEAST_RANGE {
            self.code = self.code << 8 | self.next_byte();
            self.range <<= 8;
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, the same every time.
    fn numbers(mut state: u64) -> impl FnMut() -> u64 {
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        }
    }

    #[test]
    fn answers_come_back_whatever_their_probabilities() {
        for seed in 1..400 {
            let mut next = numbers(seed * 0x9e37_79b9);
            let answers: Vec<(bool, Probability)> = (0..next() % 300)
                .map(|_| {
                    let no = match next() % 4 {
                        0 => 1,
                        1 => u16::MAX,
                        _ => (next() >> 40) as u16 | 1,
                    };
                    // Now and then the unlikely.
                    let likely = no > 1 << 15;
                    (if next().is_multiple_of(16) { likely } else { !likely }, no)
                })
                .collect();
            let mut encoder = Encoder::default();
            answers.iter().for_each(|&(answer, no)| encoder.put(answer, no));
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for (at, &(answer, no)) in answers.iter().enumerate() {
                assert_eq!(decoder.get(no), answer, "seed {seed}, answer {at}");
            }
        }
    }

    #[test]
    fn a_message_is_as_long_as_what_it_holds() {
        let mut next = numbers(7);
        let mut encoder = Encoder::default();
        let (mut bits, count) = (0.0, 100_000);
        for _ in 0..count {
            let no: Probability = (next() >> 40) as u16 | 1;
            let answer = (next() >> 40) as u16 >= no;
            let part = if answer { 65536 - u32::from(no) } else { u32::from(no) };
            bits -= (f64::from(part) / 65536.0).log2();
            encoder.put(answer, no);
        }
        let bytes = encoder.finish().len() as f64;
        assert!((bytes - bits / 8.0).abs() < bits / 8.0 * 0.001 + 2.0, "{bytes} bytes for {bits} bits");
    }

    #[test]
    fn the_expected_takes_no_bytes() {
        let mut encoder = Encoder::default();
        (0..1000).for_each(|_| encoder.put(false, probability(99_999, 100_000)));
        assert!(encoder.finish().is_empty());
        assert!(Encoder::default().finish().is_empty());
    }

    #[test]
    fn no_probability_is_certain() {
        assert_eq!(probability(0, 10), 1);
        assert_eq!(probability(10, 10), u16::MAX);
        assert_eq!(probability(5, 10), 1 << 15);
        assert_eq!(probability(0, 0), 1);
    }
}

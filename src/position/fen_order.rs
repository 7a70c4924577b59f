//! The order of FENs as texts, without writing them: for whoever looks for the first of very many.

use crate::geometry::{Cell, Variant};

/// Binary digits of a key that each man takes: 7 for where he stands, 7 for his letter.
const DIGITS: u32 = 14;
const LETTER_DIGITS: u32 = 7;

/// Keys by which placements with the same number of men (up to 9), side to move and right to capture en passant have
/// the order of their FENs.
///
/// A FEN names men in the order of their cells, each after a text that tells how many cells are empty before him. Texts
/// from one man to the next have an order that does not depend on the letters, because letters come after digits and
/// slashes.
pub struct FenOrder {
    /// For each cell, its place among all in the order in which a FEN has them.
    places: Vec<u8>,
    /// For each cell by its place, and before them for the start of the text, the rank of the text from there to each
    /// later cell.
    ranks: Vec<Vec<u8>>,
}

impl FenOrder {
    pub fn new(variant: &Variant) -> FenOrder {
        let ranks = variant.board().fen_ranks();
        let mut places = vec![0; variant.board().cell_count()];
        // For each place, its rank of the board and its number there.
        let mut all = vec![];
        for (rank, cells) in ranks.iter().enumerate() {
            for (at, cell) in cells.iter().enumerate() {
                places[cell.index()] = all.len() as u8;
                all.push((rank, at));
            }
        }
        let run = |length: usize| if length > 0 { length.to_string() } else { String::new() };
        // From the cell `start` of a rank up to a cell, which stands for itself by a letter.
        let text = |(rank, start): (usize, usize), (to_rank, to): (usize, usize)| {
            if rank == to_rank {
                return run(to - start) + "A";
            }
            let between = (rank + 1..to_rank).map(|rank| run(ranks[rank].len()) + "/").collect::<String>();
            run(ranks[rank].len() - start) + "/" + &between + &run(to) + "A"
        };
        let starts = std::iter::once((0, 0)).chain(all.iter().map(|&(rank, at)| (rank, at + 1)));
        let ranks_from = |(first, start): (usize, (usize, usize))| {
            let mut texts: Vec<(String, usize)> = (first..all.len()).map(|to| (text(start, all[to]), to)).collect();
            texts.sort();
            let mut ranks = vec![0; all.len()];
            texts.iter().enumerate().for_each(|(rank, (_, to))| ranks[*to] = rank as u8);
            ranks
        };
        FenOrder { places, ranks: starts.enumerate().map(ranks_from).collect() }
    }

    /// The key of men given by their cells and letters, in any order; none if it would be greater than `most`.
    #[inline]
    pub fn key(&self, men: impl ExactSizeIterator<Item = (Cell, u8)>, most: u128) -> Option<u128> {
        let mut sorted = [0u16; 9];
        let count = men.len();
        let mut first = u16::MAX;
        for (slot, (cell, letter)) in sorted.iter_mut().zip(men) {
            *slot = u16::from(self.places[cell.index()]) << 8 | u16::from(letter);
            first = first.min(*slot);
        }
        let digits = |from: usize, man: u16| {
            u128::from(self.ranks[from][usize::from(man >> 8)]) << LETTER_DIGITS | u128::from(man & 0xff)
        };
        // Mostly the first man tells.
        let shift = DIGITS * (count as u32).saturating_sub(1);
        if digits(0, first) > most >> shift {
            return None;
        }
        sorted[..count].sort_unstable();
        let mut from = 0;
        let key = sorted[..count].iter().fold(0, |key, &man| {
            let next = key << DIGITS | digits(from, man);
            from = usize::from(man >> 8) + 1;
            next
        });
        (key <= most).then_some(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Color, Man, Role};
    use crate::position::Position;

    #[test]
    fn keys_have_the_order_of_the_fens() {
        for name in ["glinski", "orthodox", "glinski-2"] {
            let variant = Variant::named(name).unwrap();
            let order = FenOrder::new(&variant);
            let cells = variant.board().cell_count() as u64;
            let mut state = 1u64;
            let mut random = |below: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % below
            };
            let mut known = vec![];
            while known.len() < 2000 {
                let mut position = Position::empty(Color::White);
                let mut men = vec![];
                for number in 0..5u8 {
                    let man = Man { color: Color::BOTH[usize::from(number % 2)], role: Role(number / 2) };
                    let cell = Cell(random(cells) as u8);
                    if !position.occupied().contains(cell) {
                        position.put(man, cell);
                        men.push((cell, variant.man_letter(man) as u8));
                    }
                }
                if men.len() == 5 {
                    let key = order.key(men.into_iter(), u128::MAX).unwrap();
                    known.push((position.fen(&variant), key));
                }
            }
            known.sort();
            assert!(known.windows(2).all(|pair| (pair[0].0 == pair[1].0) == (pair[0].1 == pair[1].1)), "{name}");
            assert!(known.is_sorted_by_key(|(_, key)| *key), "{name}");
        }
    }
}

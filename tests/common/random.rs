//! Random legal positions from a small deterministic generator, with a bias towards what random play rarely shows.
//!
//! Positions are made by placing men and keeping what is legal; the same seed always gives the same positions.
#![allow(dead_code)] // each test binary uses a part

use hextb::geometry::{Cell, CellSet, Color, Man, Role, Variant};
use hextb::position::{EnPassant, MoveKind, Position, legality};
use std::ops::RangeInclusive;

/// The splitmix64 generator.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.below(from.len())])
    }

    fn pick_cell(&mut self, from: CellSet) -> Option<Cell> {
        self.pick(&from.iter().collect::<Vec<_>>())
    }
}

/// What the side to move must be able to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    Any,
    Promotion,
    DoubleStep,
    EnPassant,
    /// No pawns on the board.
    Pawnless,
}

impl Wish {
    fn granted(self, variant: &Variant, position: &Position) -> bool {
        let moves = || position.legal_moves(variant).into_iter();
        match self {
            Wish::Any | Wish::Pawnless => true,
            Wish::Promotion => moves().any(|m| m.promotion.is_some()),
            Wish::DoubleStep => moves().any(|m| m.kind == MoveKind::MultiStep),
            Wish::EnPassant => moves().any(|m| m.kind == MoveKind::EnPassant),
        }
    }
}

/// A legal position with a number of men in the range, for which the wish holds.
pub fn position(variant: &Variant, rng: &mut Rng, men: RangeInclusive<usize>, wish: Wish) -> Position {
    loop {
        if let Some(found) = attempt(variant, rng, &men, wish) {
            return found;
        }
    }
}

/// Legal positions with all wishes in turn: no wish, a promotion, a double step, an en passant capture.
pub fn mixed(variant: &Variant, seed: u64, men: RangeInclusive<usize>) -> impl Iterator<Item = Position> + '_ {
    let mut rng = Rng(seed);
    let wishes = [Wish::Any, Wish::Promotion, Wish::DoubleStep, Wish::EnPassant];
    wishes.into_iter().cycle().map(move |wish| position(variant, &mut rng, men.clone(), wish))
}

/// Legal positions without pawns.
pub fn pawnless(variant: &Variant, seed: u64, men: RangeInclusive<usize>) -> impl Iterator<Item = Position> + '_ {
    let mut rng = Rng(seed);
    std::iter::repeat_with(move || position(variant, &mut rng, men.clone(), Wish::Pawnless))
}

fn attempt(variant: &Variant, rng: &mut Rng, men: &RangeInclusive<usize>, wish: Wish) -> Option<Position> {
    let turn = Color::BOTH[rng.below(2)];
    let pawn = variant.pawn();
    let rules = variant.pawn_rules(turn);
    let mut position = Position::empty(turn);
    let count = men.start() + rng.below(men.end() - men.start() + 1);
    let mut free = variant.board().all();
    let place = |position: &mut Position, free: &mut CellSet, color, role, cell| {
        position.put(Man { color, role }, cell);
        free.remove(cell);
    };
    let from_cells = |able: &dyn Fn(Cell) -> bool| -> CellSet { rules.placement.iter().filter(|&c| able(c)).collect() };
    match wish {
        Wish::Any | Wish::Pawnless => {}
        Wish::Promotion => {
            let near = from_cells(&|c| rules.paths[c.index()].iter().any(|p| rules.promotion.contains(p[0])));
            place(&mut position, &mut free, turn, pawn, rng.pick_cell(near)?);
        }
        Wish::DoubleStep => {
            let able = from_cells(&|c| rules.paths[c.index()].iter().any(|p| p.len() > 1));
            place(&mut position, &mut free, turn, pawn, rng.pick_cell(able)?);
        }
        Wish::EnPassant => {
            let enemy = variant.pawn_rules(turn.other());
            let from = rng.pick_cell(enemy.placement)?;
            let path = enemy.paths[from.index()].iter().find(|p| p.len() > 1)?;
            let taker = rng.pick_cell(rules.captured_from[path[0].index()] & rules.placement)?;
            if taker == from || taker == path[1] {
                return None;
            }
            place(&mut position, &mut free, turn.other(), pawn, path[1]);
            place(&mut position, &mut free, turn, pawn, taker);
            position.set_en_passant(Some(EnPassant { skipped: path[0].set(), pawn: path[1] }));
            free = free - path[0].set() - from.set();
        }
    }
    for color in Color::BOTH {
        let cell = rng.pick_cell(free)?;
        place(&mut position, &mut free, color, Role::KING, cell);
    }
    let roles: Vec<Role> = variant.roles().skip(1).filter(|&r| r != pawn || wish != Wish::Pawnless).collect();
    while position.occupied().len() < count {
        let (color, role) = (Color::BOTH[rng.below(2)], rng.pick(&roles)?);
        let room = if role == pawn { free & variant.pawn_rules(color).placement } else { free };
        place(&mut position, &mut free, color, role, rng.pick_cell(room)?);
    }
    let fits = men.contains(&position.occupied().len()) && legality::check_men(variant, &position).is_ok();
    (fits && wish.granted(variant, &position)).then_some(position)
}

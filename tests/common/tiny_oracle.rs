//! A plain solver for boards so small that nothing needs to be clever: every position in a hash map.
//!
//! Shares nothing with the product but the move generator. It goes through the plies one after another: first
//! those to mate, then those to stalemate.

use std::collections::HashMap;

use hextb::geometry::{Cell, Color, Man, Role, Variant};
use hextb::index::Material;
use hextb::oracle::{Oracle, ProbeError};
use hextb::outcome::{Outcome, Value};
use hextb::position::{MoveKind, Position, legality};

pub struct TinyOracle {
    variant: Variant,
    outcomes: HashMap<u64, Outcome>,
}

/// Where a move leads: to a position of the same material, or to one that is already solved.
#[derive(Clone, Copy)]
enum Next {
    Here(u32),
    Solved(Outcome),
}

impl TinyOracle {
    /// Solves some materials and all that they can turn into.
    pub fn new(variant: &Variant, names: &[&str]) -> TinyOracle {
        let mut oracle = TinyOracle { variant: variant.clone(), outcomes: HashMap::new() };
        let mut solved: Vec<Material> = vec![];
        for name in names {
            for material in Material::parse(variant, name).unwrap().with_dependencies(variant) {
                if !solved.contains(&material) {
                    oracle.solve(&material);
                    solved.push(material);
                }
            }
        }
        oracle
    }

    fn solve(&mut self, material: &Material) {
        let variant = &self.variant;
        let mut positions = all_positions(variant, material);
        let mut number: HashMap<u64, u32> = positions.iter().enumerate().map(|(i, p)| (key(p), i as u32)).collect();
        let mut nexts: Vec<Vec<Next>> = vec![];
        // Positions with an en passant capture join the list when they are met.
        let mut i = 0;
        while i < positions.len() {
            let position = positions[i];
            let mut next = vec![];
            for mv in position.legal_moves(variant) {
                let after = without_idle_right(variant, position.after(variant, &mv));
                next.push(if mv.is_conversion() {
                    Next::Solved(self.outcomes[&normal_key(variant, &after)])
                } else {
                    Next::Here(self.number_in(material, &after, &mut positions, &mut number))
                });
            }
            nexts.push(next);
            i += 1;
        }
        let outcomes = solve_plies(variant, &positions, &nexts);
        self.outcomes.extend(positions.iter().zip(outcomes).map(|(p, o)| (key(p), o)));
    }

    fn number_in(
        &self,
        material: &Material,
        after: &Position,
        positions: &mut Vec<Position>,
        number: &mut HashMap<u64, u32>,
    ) -> u32 {
        debug_assert_eq!(Material::of(&self.variant, after).0, *material);
        *number.entry(key(after)).or_insert_with(|| {
            assert!(after.en_passant().is_some());
            positions.push(*after);
            positions.len() as u32 - 1
        })
    }
}

impl Oracle for TinyOracle {
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let asked = without_idle_right(&self.variant, *position);
        Ok(self.outcomes[&normal_key(&self.variant, &asked)])
    }
}

fn solve_plies(variant: &Variant, positions: &[Position], nexts: &[Vec<Next>]) -> Vec<Outcome> {
    let mut outcomes: Vec<Option<Outcome>> = vec![None; positions.len()];
    let longest = nexts.iter().flatten().filter_map(|next| match next {
        Next::Solved(outcome) => outcome.plies(),
        Next::Here(_) => None,
    });
    let longest = longest.max().unwrap_or(0);
    let passes = [(Value::Win, Value::Loss), (Value::StalemateWin, Value::StalemateLoss)];
    for (win, loss) in passes.into_iter().take(if variant.stalemate_counts() { 2 } else { 1 }) {
        for plies in 0.. {
            let mut changed = false;
            for (i, position) in positions.iter().enumerate() {
                if outcomes[i].is_some() {
                    continue;
                }
                let mut after: Vec<Option<Outcome>> = vec![];
                after.extend(nexts[i].iter().map(|next| match next {
                    Next::Here(n) => outcomes[*n as usize],
                    Next::Solved(outcome) => Some(*outcome),
                }));
                let earlier = |o: &Option<Outcome>, value| {
                    o.is_some_and(|o| o.value() == value && o.plies().is_some_and(|p| p < plies))
                };
                let ended = position.in_check(variant, position.turn()) == (loss == Value::Loss);
                let lost = if after.is_empty() {
                    ended
                } else {
                    // Nobody steps into a mate who can have a stalemate.
                    let better = |o: &&Option<Outcome>| win == Value::Win || !earlier_mate(o);
                    after.iter().any(|o| earlier(o, win)) && after.iter().filter(better).all(|o| earlier(o, win))
                };
                if after.iter().any(|o| earlier(o, loss)) {
                    outcomes[i] = Some(Outcome::new(win, plies));
                    changed = true;
                } else if lost {
                    outcomes[i] = Some(Outcome::new(loss, plies));
                    changed = true;
                }
            }
            if !changed && plies > longest + 1 {
                break;
            }
        }
    }
    outcomes.into_iter().map(|o| o.unwrap_or(Outcome::DRAW)).collect()
}

fn earlier_mate(after: &Option<Outcome>) -> bool {
    after.is_some_and(|o| o.value() == Value::Win)
}

/// All legal positions of a material without a right to capture en passant, by trying every cell for every man.
pub fn all_positions(variant: &Variant, material: &Material) -> Vec<Position> {
    let men: Vec<Man> = Color::BOTH
        .iter()
        .flat_map(|&color| material.side(color).iter().map(move |&role| Man { color, role }))
        .collect();
    let mut found: HashMap<u64, Position> = HashMap::new();
    for turn in Color::BOTH {
        place(variant, &men, Position::empty(turn), &mut |p| {
            found.insert(key(p), *p);
        });
    }
    let mut positions: Vec<(u64, Position)> = found.into_iter().collect();
    positions.sort_by_key(|(key, _)| *key);
    positions.into_iter().map(|(_, position)| position).collect()
}

fn place(variant: &Variant, men: &[Man], position: Position, visit: &mut impl FnMut(&Position)) {
    let Some((&man, rest)) = men.split_first() else {
        if legality::check_men(variant, &position).is_ok() {
            visit(&position);
        }
        return;
    };
    for cell in variant.board().cells().filter(|&c| !position.occupied().contains(c)) {
        let mut next = position;
        next.put(man, cell);
        place(variant, rest, next, visit);
    }
}

/// A position without a right that nobody can use.
pub fn without_idle_right(variant: &Variant, mut position: Position) -> Position {
    let usable = position.en_passant().is_some()
        && position.legal_moves(variant).iter().any(|mv| mv.kind == MoveKind::EnPassant);
    if !usable {
        position.set_en_passant(None);
    }
    position
}

/// The position as a number: who stands where, the side to move, the pawn that may be taken in passing.
pub fn key(position: &Position) -> u64 {
    let men = position.men_on_board().fold(1, |key: u64, (Cell(cell), Man { color, role: Role(role) })| {
        key << 11 | u64::from(cell) << 4 | u64::from(role) << 1 | color as u64
    });
    let passing = position.en_passant().map_or(127, |right| right.pawn.0);
    men << 8 | u64::from(passing) << 1 | position.turn() as u64
}

fn normal_key(variant: &Variant, position: &Position) -> u64 {
    let (_, swapped) = Material::of(variant, position);
    if swapped { key(&position.with_colours_swapped(variant)) } else { key(position) }
}

//! A brute-force solver to compare the tables with.
//!
//! It shares the move generator with the program and nothing else: no symmetry, no slices, no rows. Every legal
//! placement of a material on every cell, with either side to move and with every en passant right that can be
//! there, is a state; states are joined by their legal moves, forwards and backwards, and decided ply by ply.
//! Slow and large, and meant for small boards or few men.

use std::collections::HashMap;

use rayon::prelude::*;

use hextb::geometry::{Cell, CellSet, Color, Man, Variant};
use hextb::index::Material;
use hextb::oracle::{Oracle, ProbeError};
use hextb::outcome::{Outcome, Value};
use hextb::position::{EnPassant, Move, Position};

/// The solved tables of a variant.
pub struct BruteTables {
    variant: Variant,
    tables: HashMap<Material, Table>,
}

/// A solved material: its states and their outcomes; what stands for no legal position is a draw.
struct Table {
    states: States,
    outcomes: Vec<Outcome>,
}

impl BruteTables {
    pub fn new(variant: &Variant) -> BruteTables {
        BruteTables { variant: variant.clone(), tables: HashMap::new() }
    }

    /// Solves a material and whatever it converts into, unless that is done already.
    pub fn solve(&mut self, material: &Material) {
        for needed in material.with_dependencies(&self.variant) {
            if !self.tables.contains_key(&needed) {
                let table = self.solve_alone(&needed);
                self.tables.insert(needed, table);
            }
        }
    }

    /// All legal positions of a solved material, those with an en passant right included, with their outcomes.
    #[allow(dead_code)] // not every test binary walks them
    pub fn positions(&self, material: &Material) -> impl ParallelIterator<Item = (Position, Outcome)> + '_ {
        let Table { states, outcomes } = &self.tables[material];
        let position = |state| Some((states.position(&self.variant, state)?, outcomes[state]));
        (0..outcomes.len()).into_par_iter().filter_map(position)
    }

    /// The outcome of a legal position, if its material is solved.
    pub fn get(&self, position: &Position) -> Option<Outcome> {
        let (material, swapped) = Material::of(&self.variant, position);
        let position = if swapped { position.with_colours_swapped(&self.variant) } else { *position };
        let Table { states, outcomes } = self.tables.get(&material)?;
        Some(outcomes[states.number(&position)])
    }

    /// Solves a material when all that it converts into is solved.
    fn solve_alone(&self, material: &Material) -> Table {
        let states = States::new(&self.variant, material);
        let Moves { successors, mated, stalemated } = self.moves(&states);
        let nodes = states.count() + EXITS;
        let graph = Graph { predecessors: successors.reversed(nodes), successors, exits: states.count() };
        let mut outcomes = vec![Outcome::DRAW; nodes];
        graph.decide(&mut outcomes, mated, Value::Loss, Value::Win);
        if self.variant.stalemate_counts() {
            graph.decide(&mut outcomes, stalemated, Value::StalemateLoss, Value::StalemateWin);
        }
        outcomes.truncate(states.count());
        outcomes.shrink_to_fit();
        Table { states, outcomes }
    }

    /// Where the legal moves of all states lead, and the legal states that have none.
    fn moves(&self, states: &States) -> Moves {
        const TOGETHER: usize = 1 << 14;
        let parts: Vec<Moves> = (0..states.count().div_ceil(TOGETHER))
            .into_par_iter()
            .map(|i| {
                let mut part = Moves::default();
                let mut buffer = vec![];
                for state in i * TOGETHER..states.count().min((i + 1) * TOGETHER) {
                    self.add_moves(states, state, &mut buffer, &mut part);
                }
                part
            })
            .collect();
        let mut all = Moves::default();
        for part in parts {
            let before = all.successors.items.len() as u32;
            all.successors.ends.extend(part.successors.ends.iter().map(|end| before + end));
            all.successors.items.extend(part.successors.items);
            all.mated.extend(part.mated);
            all.stalemated.extend(part.stalemated);
        }
        all
    }

    fn add_moves(&self, states: &States, state: usize, moves: &mut Vec<Move>, part: &mut Moves) {
        let variant = &self.variant;
        if let Some(position) = states.position(variant, state) {
            position.legal_moves_into(variant, moves);
            for mv in &*moves {
                let after = position.after(variant, mv);
                part.successors.items.push(if mv.is_conversion() {
                    let outcome = self.get(&after).expect("what a material converts into is solved before it");
                    states.count() as u32 + exit(outcome)
                } else {
                    states.number(&after) as u32
                });
            }
            if moves.is_empty() {
                let ended =
                    if position.in_check(variant, position.turn()) { &mut part.mated } else { &mut part.stalemated };
                ended.push(state as u32);
            }
        }
        part.successors.ends.push(part.successors.items.len() as u32);
    }
}

impl Oracle for BruteTables {
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        self.get(position).ok_or_else(|| ProbeError::Missing {
            material: Material::of(&self.variant, position).0.name(&self.variant),
            file: "a brute-force table".to_string(),
        })
    }
}

/// The states of a material, numbered: who is to move and which en passant right there is, then the cell of
/// each man. Numbers that stand for no legal position are passed over.
struct States {
    cells: usize,
    /// White's men and then Black's, like men next to each other and on increasing cells.
    men: Vec<Man>,
    /// White to move, Black to move, and each en passant right that is possible.
    turns: Vec<(Color, Option<Right>)>,
    /// The number of ways to put the men on cells, like men told apart.
    placements: usize,
}

/// An en passant right and the cell that the pawn came from.
#[derive(Clone, Copy, PartialEq)]
struct Right {
    en_passant: EnPassant,
    start: Cell,
}

impl States {
    fn new(variant: &Variant, material: &Material) -> States {
        let side = |color: Color| material.side(color).iter().map(move |&role| Man { color, role });
        let men: Vec<Man> = Color::BOTH.into_iter().flat_map(side).collect();
        let mut turns = vec![(Color::White, None), (Color::Black, None)];
        for color in Color::BOTH {
            if material.side(color).contains(&variant.pawn()) {
                turns.extend(rights(variant, color).map(|right| (color.other(), Some(right))));
            }
        }
        let cells = variant.board().cell_count();
        let placements = cells.pow(men.len() as u32);
        States { cells, men, turns, placements }
    }

    fn count(&self) -> usize {
        self.turns.len() * self.placements
    }

    /// The position of a number, if it is legal.
    fn position(&self, variant: &Variant, state: usize) -> Option<Position> {
        let (turn, right) = self.turns[state / self.placements];
        let mut position = Position::empty(turn);
        let mut rest = state % self.placements;
        let mut last: Option<(Man, Cell)> = None;
        for &man in self.men.iter().rev() {
            let cell = Cell((rest % self.cells) as u8);
            rest /= self.cells;
            let in_order = last.is_none_or(|(last_man, last_cell)| man != last_man || cell < last_cell);
            if position.occupied().contains(cell) || !in_order {
                return None;
            }
            position.put(man, cell);
            last = Some((man, cell));
        }
        let pawns = |color| position.men(color, variant.pawn());
        if Color::BOTH.into_iter().any(|color| !(pawns(color) - variant.pawn_rules(color).placement).is_empty()) {
            return None;
        }
        if let Some(Right { en_passant, start }) = right {
            let passed = en_passant.skipped | start.set();
            if !pawns(turn.other()).contains(en_passant.pawn) || passed.intersects(position.occupied()) {
                return None;
            }
            position.set_en_passant(Some(en_passant));
        }
        (!position.in_check(variant, turn.other())).then_some(position)
    }

    /// The number of a legal position of this material, the first side being White.
    fn number(&self, position: &Position) -> usize {
        let same = |&(turn, right): &(Color, Option<Right>)| {
            turn == position.turn() && right.map(|r| r.en_passant) == position.en_passant()
        };
        let turn = self.turns.iter().position(same).expect("only rights that can arise are asked for");
        let mut placement = 0;
        let mut rest = CellSet::EMPTY;
        for (i, &man) in self.men.iter().enumerate() {
            if i == 0 || self.men[i - 1] != man {
                rest = position.men(man.color, man.role);
            }
            let cell = rest.lowest().expect("the position has the material's men");
            rest.remove(cell);
            placement = placement * self.cells + cell.index();
        }
        turn * self.placements + placement
    }
}

/// The en passant rights that a double step of this side can leave.
fn rights(variant: &Variant, color: Color) -> impl Iterator<Item = Right> + '_ {
    variant.board().cells().flat_map(move |start| {
        variant.pawn_rules(color).paths[start.index()].iter().flat_map(move |path| {
            (1..path.len()).map(move |beyond| Right {
                en_passant: EnPassant { skipped: path[..beyond].iter().copied().collect(), pawn: path[beyond] },
                start,
            })
        })
    })
}

#[derive(Default)]
struct Moves {
    successors: Lists,
    mated: Vec<u32>,
    stalemated: Vec<u32>,
}

/// One list of numbers after the other.
#[derive(Default)]
struct Lists {
    items: Vec<u32>,
    /// Where each list ends among the items; it begins where the one before it ends.
    ends: Vec<u32>,
}

impl Lists {
    fn of(&self, node: u32) -> &[u32] {
        let begin = if node == 0 { 0 } else { self.ends[node as usize - 1] };
        &self.items[begin as usize..self.ends[node as usize] as usize]
    }

    /// For each of `nodes` numbers, the lists that hold it.
    fn reversed(&self, nodes: usize) -> Lists {
        let mut ends = vec![0u32; nodes];
        self.items.iter().for_each(|&to| ends[to as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            // For now, where the list begins: filling it moves this to its end.
            sum += std::mem::replace(end, sum);
        }
        let mut items = vec![0; self.items.len()];
        for from in 0..self.ends.len() as u32 {
            for &to in self.of(from) {
                items[ends[to as usize] as usize] = from;
                ends[to as usize] += 1;
            }
        }
        Lists { items, ends }
    }
}

/// The number of exits: nodes that stand for a conversion into any position of one outcome.
const EXITS: usize = Value::ALL.len() * (Outcome::MAX_PLIES as usize + 1);

/// The exit for conversions into positions of this outcome, counted from the first exit.
fn exit(outcome: Outcome) -> u32 {
    outcome.value() as u32 * (Outcome::MAX_PLIES as u32 + 1) + outcome.plies().unwrap_or(0) as u32
}

/// States and, after them, the exits, joined by moves.
struct Graph {
    successors: Lists,
    predecessors: Lists,
    /// The first exit, which is also the number of states.
    exits: usize,
}

impl Graph {
    /// Decides which states have the value `loss` or `win`, given those that have `loss` in no plies. States
    /// whose value is further from a draw are decided already; all others count as draws until decided.
    ///
    /// A state wins one ply before the first of its successors that loses. It loses when all its successors win,
    /// one ply before the last of them. An exit counts from the ply of its outcome on.
    fn decide(&self, outcomes: &mut [Outcome], ended: Vec<u32>, loss: Value, win: Value) {
        let exits = |plies| [loss, win].map(|value| self.exits as u32 + exit(Outcome::new(value, plies)));
        let used = |plies: &u16| exits(*plies).iter().any(|&node| !self.predecessors.of(node).is_empty());
        let last_exit = (0..Outcome::MAX_PLIES).rev().find(used).unwrap_or(0);
        // The nodes that are lost or won in `plies`; each outcome is written down before the next ply is looked at.
        let (mut lost, mut won) = (ended, vec![]);
        for plies in 0..Outcome::MAX_PLIES {
            if plies > last_exit && lost.is_empty() && won.is_empty() {
                return;
            }
            let [lost_exit, won_exit] = exits(plies);
            lost.push(lost_exit);
            won.push(won_exit);
            lost.iter().for_each(|&node| outcomes[node as usize] = Outcome::new(loss, plies));
            won.iter().for_each(|&node| outcomes[node as usize] = Outcome::new(win, plies));
            let known: &[Outcome] = outcomes;
            let open = |node: &u32| known[*node as usize] == Outcome::DRAW;
            let cornered =
                |node: &u32| self.successors.of(*node).iter().all(|&next| known[next as usize].value() >= win);
            let before = |nodes: &[u32], holds: &(dyn Fn(&u32) -> bool + Sync)| {
                let found =
                    nodes.par_iter().flat_map_iter(|&node| self.predecessors.of(node).iter().copied().filter(holds));
                let mut found: Vec<u32> = found.collect();
                found.par_sort_unstable();
                found.dedup();
                found
            };
            (won, lost) = (before(&lost, &open), before(&won, &|node| open(node) && cornered(node)));
        }
        panic!("a distance is too long to be held");
    }
}

/// The material of a name, for tests.
pub fn material(variant: &Variant, name: &str) -> Material {
    Material::parse(variant, name).unwrap_or_else(|error| panic!("{error}"))
}

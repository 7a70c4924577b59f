//! Remarkable positions: on small boards each kind is exactly what a walk over all positions finds with the ordinary
//! move generator and the outcomes of the brute-force solver.

#[path = "common/brute.rs"]
mod brute;

use brute::{BruteTables, material};
use hextb::analysis::unwatched;
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::outcome::{Outcome, Value};
use hextb::position::{Move, Position};
use hextb::solve::MemoryTables;
use hextb::survey::mine::{
    Distance, EnPassantDecides, Finds, Kind, OnlyLine, OnlyMove, Pair, StalemateWin, Underpromotion, Zugzwang, longest,
    mine,
};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock};

/// Materials of 19 cells in which, taken together, every kind occurs: with and without pawns, with like men, with the
/// same men on both sides.
const MATERIALS: [&str; 6] = ["KPK", "KPKP", "KPPK", "KQKQ", "KQKR", "KRKP"];

/// The tables of a variant, solved by the program and by brute force.
struct Board {
    materials: &'static [&'static str],
    variant: Variant,
    brute: BruteTables,
    tables: MemoryTables,
}

impl Board {
    fn new(variant: Variant, materials: &'static [&'static str]) -> Board {
        let mut brute = BruteTables::new(&variant);
        let mut tables = MemoryTables::new(Arc::new(variant.clone()));
        for name in materials {
            brute.solve(&material(&variant, name));
            tables.solve(&material(&variant, name));
        }
        Board { materials, variant, brute, tables }
    }

    /// Gliński's game, the same with stalemate a draw, and McCooey's.
    fn all() -> &'static [Board] {
        static BOARDS: OnceLock<Vec<Board>> = OnceLock::new();
        BOARDS.get_or_init(|| {
            let glinski = Variant::named("glinski-2").unwrap();
            let drawn = glinski.clone().with_stalemate_drawn();
            vec![
                Board::new(glinski, &MATERIALS),
                Board::new(drawn, &["KPK", "KQKR"]),
                Board::new(Variant::named("mccooey-2").unwrap(), &["KPKP"]),
            ]
        })
    }

    fn outcome(&self, position: &Position) -> Outcome {
        self.brute.get(position).unwrap()
    }

    /// The moves that keep a value, and how many there are in all.
    fn keepers(&self, position: &Position, value: Value) -> (Vec<Move>, usize) {
        let moves = position.legal_moves(&self.variant);
        let keeps = |mv: &Move| self.outcome(&position.after(&self.variant, mv)).value().opposite() == value;
        (moves.iter().copied().filter(keeps).collect(), moves.len())
    }

    /// Finds all positions of a kind, with `turn` to move or either, and compares them with those that `is_one` picks
    /// of all positions (those with a right to capture en passant, or those without).
    fn compare(
        &self,
        name: &str,
        kind: &dyn Kind,
        turn: Option<Color>,
        with_right: bool,
        is_one: impl Fn(&Position, Outcome) -> bool + Sync,
    ) -> Finds {
        let material = material(&self.variant, name);
        let context = format!("{name}, {}, {turn:?}", self.variant.name());
        let wanted = self.brute.positions(&material).filter(|(position, outcome)| {
            let fits = kind.of_placements() || turn.is_none_or(|turn| position.turn() == turn);
            fits && position.en_passant().is_some() == with_right && is_one(position, *outcome)
        });
        let wanted: Vec<String> = wanted.map(|(position, _)| self.class(kind, &material, &position)).collect();
        let found = mine(&self.tables, &material, kind, turn, usize::MAX, &unwatched).unwrap();
        assert_eq!(found.images, wanted.len() as u64, "{context}");
        let wanted: BTreeSet<String> = wanted.into_iter().collect();
        assert_eq!((found.positions, found.first.len()), (wanted.len() as u64, wanted.len()), "{context}");
        let classes = found.first.iter().map(|find| self.class(kind, &material, &find.position)).collect();
        assert_eq!(wanted, classes, "{context}");
        for find in &found.first {
            assert_eq!(Some(&find.fen), self.images(&find.position).iter().min(), "{context}");
            assert_eq!(find.worth.outcome(), self.outcome(&find.position), "{context}: {}", find.fen);
            assert!(turn.is_none_or(|turn| find.position.turn() == turn), "{context}: {}", find.fen);
        }
        let order: Vec<_> = found.first.iter().map(|find| (std::cmp::Reverse(find.rank), &find.fen)).collect();
        assert!(order.is_sorted(), "{context}");
        found
    }

    /// The FENs of all images of a position under the board's symmetries.
    fn images(&self, position: &Position) -> Vec<String> {
        let pawns = Color::BOTH.into_iter().any(|color| !position.men(color, self.variant.pawn()).is_empty());
        let symmetries = self.variant.symmetries().iter().enumerate();
        let kept = symmetries.filter(|(i, _)| !pawns || self.variant.pawn_symmetries().contains(i));
        kept.map(|(_, symmetry)| position.mapped(symmetry).fen(&self.variant)).collect()
    }

    /// What stands for all positions that are listed as one: the first FEN of their images; where both sides have the
    /// same men, those with the colours swapped included.
    fn class(&self, kind: &dyn Kind, material: &Material, position: &Position) -> String {
        let mut same = vec![*position];
        if material.is_symmetric() {
            same.push(position.with_colours_swapped(&self.variant));
        }
        let images = same.into_iter().flat_map(|mut position| {
            if kind.of_placements() {
                position.set_turn(Color::White);
            }
            self.images(&position)
        });
        images.min().unwrap()
    }
}

/// Compares a kind in all materials of all boards; returns how many there are.
fn compare_all(kind: &dyn Kind, with_right: bool, is_one: impl Fn(&Board, &Position, Outcome) -> bool + Sync) -> u64 {
    let mut count = 0;
    for board in Board::all() {
        for name in board.materials {
            let one = |position: &Position, outcome| is_one(board, position, outcome);
            count += board.compare(name, kind, None, with_right, one).positions;
        }
    }
    count
}

/// White's scores, as values, with White and with Black to move, if a placement is legal with both.
fn pair_of(board: &Board, position: &Position, outcome: Outcome) -> Option<Pair> {
    let mut other = *position;
    other.set_turn(Color::Black);
    let quiet = position.turn() == Color::White && !other.in_check(&board.variant, Color::White);
    quiet.then(|| Pair { white_to_move: outcome.value(), black_to_move: board.outcome(&other).value().opposite() })
}

#[test]
fn mutual_zugzwangs_are_those_of_a_plain_walk() {
    let any = Zugzwang { pair: None, turn: None };
    let is_one = |board: &Board, position: &Position, outcome| {
        pair_of(board, position, outcome).is_some_and(|pair| pair.white_to_move < pair.black_to_move)
    };
    assert!(compare_all(&any, false, is_one) > 0);
    let (board, mut counts) = (&Board::all()[0], vec![]);
    for pair in Pair::all(&board.variant) {
        let one = Zugzwang { pair: Some(pair), turn: None };
        let swapped =
            Pair { white_to_move: pair.black_to_move.opposite(), black_to_move: pair.white_to_move.opposite() };
        for name in MATERIALS {
            let symmetric = material(&board.variant, name).is_symmetric();
            let found = board.compare(name, &one, None, false, |position, outcome| {
                let found = pair_of(board, position, outcome);
                found == Some(pair) || symmetric && found == Some(swapped)
            });
            // Where colours may be swapped, White is the side that gains more.
            let listed = found.first.iter().map(|find| find.rank[1]);
            assert!(
                !symmetric || listed.clone().all(|rank| rank >= pair.black_to_move.max(swapped.black_to_move) as u16)
            );
            counts.push(found.positions);
        }
    }
    assert!(counts.iter().filter(|&&count| count > 0).count() > 10, "{counts:?}");
}

#[test]
fn the_longest_and_those_of_a_distance_are_those_of_a_plain_walk() {
    for board in Board::all() {
        for name in board.materials {
            let material = material(&board.variant, name);
            for value in [Value::Loss, Value::StalemateLoss, Value::StalemateWin, Value::Win] {
                for turn in [None, Some(Color::Black)] {
                    let known = board.brute.positions(&material).filter(|(position, outcome)| {
                        let fits = turn.is_none_or(|turn| position.turn() == turn) && position.en_passant().is_none();
                        fits && outcome.value() == value
                    });
                    let most = known.map(|(_, outcome)| outcome.plies().unwrap()).max();
                    let found = longest(&board.tables, &material, value, turn).unwrap();
                    assert_eq!(found, most.map(|plies| Outcome::new(value, plies)), "{name} {value:?}");
                    let Some(longest) = found else { continue };
                    let plies = longest.plies().unwrap();
                    for wanted in [plies, plies % 2] {
                        let wanted = Outcome::new(value, wanted);
                        board.compare(name, &Distance { outcome: wanted }, turn, false, |_, outcome| outcome == wanted);
                    }
                }
            }
        }
    }
}

#[test]
fn only_moves_are_those_of_a_plain_walk() {
    for value in [Value::StalemateLoss, Value::Draw, Value::Win] {
        let is_one = |board: &Board, position: &Position, outcome: Outcome| {
            if outcome.value() != value {
                return false;
            }
            let (kept, of) = board.keepers(position, value);
            kept.len() == 1 && of > 1
        };
        assert!(compare_all(&OnlyMove { value }, false, is_one) > 0, "{value:?}");
    }
}

#[test]
fn lines_of_only_moves_are_those_of_a_plain_walk() {
    type Known = Mutex<HashMap<Position, u16>>;
    fn turns(board: &Board, known: &Known, position: &Position, value: Value) -> u16 {
        if let Some(&turns) = known.lock().unwrap().get(position) {
            return turns;
        }
        let (kept, _) = board.keepers(position, value);
        let [mv] = kept[..] else { return 0 };
        let after = position.after(&board.variant, &mv);
        let replies = after.legal_moves(&board.variant);
        let replies = replies.iter().map(|reply| after.after(&board.variant, reply));
        let best = replies.filter(|next| {
            Some(board.outcome(next)) == board.outcome(&after).plies().map(|plies| Outcome::new(value, plies - 1))
        });
        let count = 1 + best.map(|next| turns(board, known, &next, value)).min().unwrap_or(0);
        known.lock().unwrap().insert(*position, count);
        count
    }
    for (value, at_least) in [(Value::Win, 2), (Value::StalemateWin, 1)] {
        let known: Vec<Known> = Board::all().iter().map(|_| Known::default()).collect();
        let is_one = |board: &Board, position: &Position, outcome: Outcome| {
            let at = Board::all().iter().position(|other| std::ptr::eq(other, board)).unwrap();
            outcome.value() == value && turns(board, &known[at], position, value) >= at_least
        };
        assert!(compare_all(&OnlyLine { value, at_least }, false, is_one) > 0, "{value:?}");
    }
}

#[test]
fn stalemate_wins_are_those_of_a_plain_walk() {
    let kind = StalemateWin { plies: 3..=9 };
    let is_one = |_: &Board, _: &Position, outcome: Outcome| {
        outcome.value() == Value::StalemateWin && (3..=9).contains(&outcome.plies().unwrap())
    };
    assert!(compare_all(&kind, false, is_one) > 0);
}

#[test]
fn one_side_to_move_can_be_asked_for() {
    let board = &Board::all()[0];
    for name in ["KPKP", "KQKQ", "KRKP"] {
        for turn in Color::BOTH.map(Some) {
            let won = |_: &Position, outcome: Outcome| outcome.value() == Value::StalemateWin;
            let found = board.compare(name, &StalemateWin { plies: 1..=Outcome::MAX_PLIES }, turn, false, won);
            assert!(found.positions > 0, "{name}");
        }
    }
}

#[test]
fn underpromotions_are_those_of_a_plain_walk() {
    for (single, value) in [(false, None), (true, Some(Value::Win))] {
        let is_one = |board: &Board, position: &Position, outcome: Outcome| {
            let (kept, _) = board.keepers(position, outcome.value());
            let less = |mv: &Move| mv.promotion.is_some_and(|role| board.variant.letter(role) != 'Q');
            !kept.is_empty()
                && kept.iter().all(less)
                && (kept.len() == 1 || !single)
                && value.is_none_or(|value| value == outcome.value())
        };
        assert!(compare_all(&Underpromotion { value, single }, false, is_one) > 0);
    }
}

#[test]
fn captures_en_passant_that_decide_are_those_of_a_plain_walk() {
    for value in [None, Some(Value::Win)] {
        let is_one = |board: &Board, position: &Position, outcome: Outcome| {
            let mut without = *position;
            without.set_en_passant(None);
            board.outcome(&without).value() < outcome.value() && value.is_none_or(|value| value == outcome.value())
        };
        assert!(compare_all(&EnPassantDecides { value }, true, is_one) > 0);
    }
}

#[test]
fn the_first_are_the_same_for_any_number_of_threads_and_the_first_of_all() {
    let board = &Board::all()[0];
    let kinds: [&dyn Kind; 3] = [
        &OnlyMove { value: Value::Draw },
        &Zugzwang { pair: None, turn: Some(Color::Black) },
        &EnPassantDecides { value: None },
    ];
    for name in ["KPKP", "KQKR"] {
        let material = material(&board.variant, name);
        for kind in kinds {
            let on = |threads, first| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| mine(&board.tables, &material, kind, None, first, &unwatched).unwrap())
            };
            let all = on(1, usize::MAX);
            for first in [0, 1, 7] {
                let some = on(3, first);
                assert_eq!((some.positions, some.images), (all.positions, all.images));
                assert_eq!(some.first, all.first[..first.min(all.first.len())]);
            }
        }
    }
}

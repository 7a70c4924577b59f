//! A second move generator for the two games on the hexagon of 91 cells, slow and simple.
//!
//! Works on axial coordinates from the text of the rules alone. Of the program under test it reads the names of
//! the cells and the men of a position; a king is safe when no reply of the opponent takes it.
#![allow(dead_code)] // each test binary uses a part

use super::compare::Reference;
use hextb::geometry::{Color, Variant};
use hextb::position::Position;

const FILES: &str = "abcdefghikl";
const ROOK: [(i32, i32); 6] = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];
const BISHOP: [(i32, i32); 6] = [(1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2)];

/// The games, which differ in their pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Game {
    Glinski,
    Mccooey,
}

type At = (i32, i32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    white: bool,
    letter: char,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    from: At,
    to: At,
    promotion: Option<char>,
}

/// A board as a map from coordinates to men.
#[derive(Clone)]
struct Board {
    game: Game,
    men: [[Option<Piece>; 11]; 11],
    white_to_move: bool,
    skipped: Option<At>,
}

fn on_board((q, r): At) -> bool {
    q.abs() <= 5 && r.abs() <= 5 && (q + r).abs() <= 5
}

fn all_cells() -> impl Iterator<Item = At> {
    (-5..=5).flat_map(|q| (-5..=5).map(move |r| (q, r))).filter(|&at| on_board(at))
}

fn lowest(q: i32) -> i32 {
    (-5).max(-5 - q)
}

/// The coordinates of a cell's name.
fn read(name: &str) -> At {
    let q = FILES.find(&name[..1]).expect("a file letter") as i32 - 5;
    let rank: i32 = name[1..].parse().expect("a rank");
    (q, rank - 1 + lowest(q))
}

fn name((q, r): At) -> String {
    format!("{}{}", &FILES[(q + 5) as usize..][..1], r - lowest(q) + 1)
}

/// Black's view of a cell or displacement, as White sees it.
fn mirrored((q, r): At) -> At {
    (q, -q - r)
}

fn plus((a, b): At, (c, d): At) -> At {
    (a + c, b + d)
}

impl Board {
    fn new(game: Game, variant: &Variant, position: &Position) -> Board {
        let cell_name = |cell| variant.board().name(cell);
        let mut board = Board { game, men: [[None; 11]; 11], white_to_move: false, skipped: None };
        for (cell, man) in position.men_on_board() {
            let piece = Piece { white: man.color == Color::White, letter: variant.letter(man.role) };
            board.set(read(cell_name(cell)), Some(piece));
        }
        board.white_to_move = position.turn() == Color::White;
        board.skipped = position.en_passant().map(|right| {
            assert_eq!(right.skipped.len(), 1);
            read(cell_name(right.skipped.lowest().expect("one cell")))
        });
        board
    }

    fn get(&self, (q, r): At) -> Option<Piece> {
        self.men[(q + 5) as usize][(r + 5) as usize]
    }

    fn set(&mut self, (q, r): At, piece: Option<Piece>) {
        self.men[(q + 5) as usize][(r + 5) as usize] = piece;
    }

    /// Where a pawn of White starts in the game.
    fn is_white_start(&self, (q, r): At) -> bool {
        match self.game {
            Game::Glinski => q.abs() <= 4 && r == -1 - q.max(0),
            Game::Mccooey => q.abs() <= 3 && r == -2 - q.max(0),
        }
    }

    fn pawn_steps(&self, from: At, white: bool, steps: &mut Vec<Step>) {
        let own = |at: At| if white { at } else { mirrored(at) };
        // From here on all is said as for White: `own` turns it into what it means for Black and back.
        let me = own(from);
        let mut push = |to: At| {
            let promotes = !on_board(plus(to, (0, 1)));
            let to = own(to);
            match promotes {
                true => steps.extend("QRBN".chars().map(|p| Step { from, to, promotion: Some(p) })),
                false => steps.push(Step { from, to, promotion: None }),
            }
        };
        let one = plus(me, (0, 1));
        if on_board(one) && self.get(own(one)).is_none() {
            push(one);
            let two = plus(one, (0, 1));
            let twice = self.is_white_start(me) && !(self.game == Game::Mccooey && me.0 == 0);
            if twice && on_board(two) && self.get(own(two)).is_none() {
                push(two);
            }
        }
        let diagonals = match self.game {
            Game::Glinski => [(1, 0), (-1, 1)],
            Game::Mccooey => [(1, 1), (-1, 2)],
        };
        for d in diagonals {
            let to = plus(me, d);
            if on_board(to) {
                let enemy = self.get(own(to)).is_some_and(|p| p.white != white);
                if enemy || (self.skipped == Some(own(to)) && white == self.white_to_move) {
                    push(to);
                }
            }
        }
    }

    /// The moves of the side to move, its king's safety not minded.
    fn steps(&self) -> Vec<Step> {
        let mut steps = vec![];
        for from in (-5..=5).flat_map(|q| (-5..=5).map(move |r| (q, r))) {
            let Some(piece) = self.get(from) else { continue };
            if piece.white != self.white_to_move {
                continue;
            }
            let free = |to: At| on_board(to) && self.get(to).is_none_or(|p| p.white != piece.white);
            let mut reach = |directions: &[At], far: bool| {
                for &d in directions {
                    let mut to = plus(from, d);
                    while free(to) {
                        steps.push(Step { from, to, promotion: None });
                        if !far || self.get(to).is_some() {
                            break;
                        }
                        to = plus(to, d);
                    }
                }
            };
            match piece.letter {
                'K' => [&ROOK, &BISHOP].iter().for_each(|d| reach(&d[..], false)),
                'Q' => [&ROOK, &BISHOP].iter().for_each(|d| reach(&d[..], true)),
                'R' => reach(&ROOK, true),
                'B' => reach(&BISHOP, true),
                'N' => {
                    let leaps = (-3..=3).flat_map(|q: i32| (-3..=3).map(move |r: i32| (q, r)));
                    let is_leap = |&(q, r): &At| {
                        let mut three = [q.abs(), r.abs(), (q + r).abs()];
                        three.sort();
                        three == [1, 2, 3]
                    };
                    reach(&leaps.filter(is_leap).collect::<Vec<_>>(), false);
                }
                'P' => self.pawn_steps(from, piece.white, &mut steps),
                other => panic!("what is {other}?"),
            }
        }
        steps
    }

    fn after(&self, step: &Step) -> Board {
        let mut next = self.clone();
        let piece = self.get(step.from).expect("a man moves");
        let up = if piece.white { 1 } else { -1 };
        next.set(step.from, None);
        next.set(step.to, Some(Piece { letter: step.promotion.unwrap_or(piece.letter), ..piece }));
        let pawn = piece.letter == 'P';
        if pawn && step.from.0 != step.to.0 && self.get(step.to).is_none() {
            next.set(plus(step.to, (0, -up)), None);
        }
        let middle = plus(step.from, (0, up));
        let double = pawn && step.from.0 == step.to.0 && step.to != middle;
        next.skipped = double.then_some(middle);
        next.white_to_move = !self.white_to_move;
        next
    }

    /// Whether the side to move can take a king.
    fn takes_king(&self) -> bool {
        self.steps().iter().any(|s| self.get(s.to).is_some_and(|p| p.letter == 'K'))
    }

    fn legal_steps(&self) -> Vec<Step> {
        self.steps().into_iter().filter(|s| !self.after(s).takes_king()).collect()
    }

    /// Board, side to move and en passant field of a FEN.
    fn fen(&self) -> String {
        let rank_text = |rank: i32| {
            let mut text = String::new();
            let mut run = 0;
            for at in (-5..=5).map(|q| (q, rank - 1 + lowest(q))).filter(|&at| on_board(at)) {
                match self.get(at) {
                    None => run += 1,
                    Some(p) => {
                        text += &if run > 0 { run.to_string() } else { String::new() };
                        run = 0;
                        text.push(if p.white { p.letter } else { p.letter.to_ascii_lowercase() });
                    }
                }
            }
            text + &if run > 0 { run.to_string() } else { String::new() }
        };
        let ranks: Vec<String> = (1..=11).rev().map(rank_text).collect();
        let turn = if self.white_to_move { "w" } else { "b" };
        format!("{} {turn} {}", ranks.join("/"), self.skipped.map_or("-".to_string(), name))
    }
}

/// The naive generator as something to compare with.
pub struct Naive(pub Game);

fn text(step: &Step) -> String {
    let promotion = step.promotion.map_or(String::new(), |p| p.to_ascii_lowercase().to_string());
    format!("{}{}{promotion}", name(step.from), name(step.to))
}

impl Reference for Naive {
    const FIELDS: usize = 3;

    fn moves(&self, variant: &Variant, position: &Position) -> Vec<String> {
        let board = Board::new(self.0, variant, position);
        let mut all: Vec<String> = board.legal_steps().iter().map(text).collect();
        all.sort();
        all
    }

    fn results(&self, variant: &Variant, position: &Position) -> Vec<String> {
        let board = Board::new(self.0, variant, position);
        assert!(!board.takes_king(), "the position is not legal: {}", board.fen());
        let mut all: Vec<String> =
            board.legal_steps().iter().map(|s| format!("{} {}", text(s), board.after(s).fen())).collect();
        all.sort();
        all
    }
}

/// The cells a pawn can come to from the start cells without promoting, on a board crowded with men to take.
pub fn pawn_cells(game: Game) -> Vec<String> {
    let board = Board { game, men: [[None; 11]; 11], white_to_move: true, skipped: None };
    let mut cells: Vec<At> = all_cells().filter(|&at| board.is_white_start(at)).collect();
    let mut next = 0;
    while next < cells.len() {
        let from = cells[next];
        let mut steps = vec![];
        board.pawn_steps(from, true, &mut steps);
        let mut crowded = board.clone();
        for at in all_cells().filter(|&at| at != from) {
            crowded.set(at, Some(Piece { white: false, letter: 'R' }));
        }
        crowded.pawn_steps(from, true, &mut steps);
        for step in steps.iter().filter(|s| s.promotion.is_none()) {
            if !cells.contains(&step.to) {
                cells.push(step.to);
            }
        }
        next += 1;
    }
    let mut names: Vec<String> = cells.into_iter().map(name).collect();
    names.sort();
    names
}

//! FEN: reading, with errors that point at the fault, and writing.
//!
//! Ranks from the highest down, separated by `/`; in each the cells that exist, from the first file on: capital
//! letters are White's men, small ones Black's, decimal numbers are runs of empty cells (adjacent digits are one
//! number). Then the side to move, in orthodox chess the castling field `-`, the en passant cell or `-`, and
//! optionally the half-move clock and the move number, which are kept but mean nothing.

use super::legality::{self, IllegalPosition};
use super::moves::Move;
use super::state::Position;
use crate::geometry::{Cell, CellSet, Color, Man, Variant};

/// A position as a FEN describes it, with the clocks that the rules ignore.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fen {
    pub position: Position,
    pub halfmove_clock: u32,
    pub move_number: u32,
}

/// Why a text is not the FEN of a legal position.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FenError {
    #[error("FEN: expected {expected} fields ({names}), found {found}")]
    Fields { found: usize, expected: &'static str, names: &'static str },
    #[error("FEN: expected {expected} ranks separated by '/', found {found}")]
    RankCount { found: usize, expected: usize },
    #[error(
        "FEN: rank {rank}, character {column}: found '{found}', expected a letter of {letters} or a number from 1 to {room}"
    )]
    Character { rank: u8, column: usize, found: char, letters: String, room: usize },
    #[error("FEN: rank {rank}, character {column}: found '{found}' after the rank's {cells} cells, expected {end}")]
    RankFull { rank: u8, column: usize, found: char, cells: usize, end: &'static str },
    #[error("FEN: rank {rank}, character {column}: found {run} empty cells, expected a number from 1 to {room}")]
    Run { rank: u8, column: usize, run: String, room: usize },
    #[error("FEN: rank {rank} ends after {found} cells, expected {expected}")]
    RankShort { rank: u8, found: usize, expected: usize },
    #[error("FEN: side to move: found \"{0}\", expected w or b")]
    SideToMove(String),
    #[error("FEN: castling field: found \"{0}\", expected - (tables hold no castling rights)")]
    Castling(String),
    #[error("FEN: en passant field: found \"{0}\", expected - or a cell such as {1}")]
    EnPassantField(String, String),
    #[error("FEN: {name}: found \"{found}\", expected a whole number up to {}", u32::MAX)]
    Clock { name: &'static str, found: String },
    #[error("illegal position: {0}")]
    Illegal(#[from] IllegalPosition),
}

impl Fen {
    /// Reads a FEN and checks that its position is legal.
    ///
    /// # Errors
    /// The first fault of the text from left to right, then the first reason why the position is illegal.
    pub fn parse(variant: &Variant, text: &str) -> Result<Fen, FenError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let castling = variant.description().castling_field;
        let extra = usize::from(castling);
        if !(fields.len() == 3 + extra || fields.len() == 5 + extra) {
            return Err(match castling {
                false => FenError::Fields {
                    found: fields.len(),
                    expected: "3 or 5",
                    names: "board, side to move, en passant, and optionally half-move clock and move number",
                },
                true => FenError::Fields {
                    found: fields.len(),
                    expected: "4 or 6",
                    names: "board, side to move, castling, en passant, and optionally half-move clock and move number",
                },
            });
        }
        let mut position = parse_board(variant, fields[0])?;
        position.set_turn(match fields[1] {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::SideToMove(shown(other))),
        });
        if castling && fields[2] != "-" {
            return Err(FenError::Castling(shown(fields[2])));
        }
        let skipped = parse_cells(variant, position.turn(), fields[2 + extra])?;
        let clock = |name, index: usize, default| match fields.get(index + extra) {
            None => Ok(default),
            Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
                digits.parse().map_err(|_| FenError::Clock { name, found: shown(digits) })
            }
            Some(other) => Err(FenError::Clock { name, found: shown(other) }),
        };
        let halfmove_clock = clock("half-move clock", 3, 0)?;
        let move_number = clock("move number", 4, 1)?;
        legality::check_men(variant, &position)?;
        if !skipped.is_empty() {
            let right = legality::en_passant_right(variant, &position, skipped)?;
            position.set_en_passant(Some(right));
        }
        Ok(Fen { position, halfmove_clock, move_number })
    }

    /// A position with fresh clocks.
    pub fn of(position: Position) -> Fen {
        Fen { position, halfmove_clock: 0, move_number: 1 }
    }

    /// The position at the start of a game, if the variant has one.
    ///
    /// # Errors
    /// What is wrong with the variant's description of it.
    pub fn start(variant: &Variant) -> Result<Option<Fen>, FenError> {
        variant.description().start.as_deref().map(|text| Fen::parse(variant, text)).transpose()
    }

    /// The position after a legal move, its clocks wound on.
    pub fn after(&self, variant: &Variant, mv: &Move) -> Fen {
        let quiet = mv.captured.is_none() && mv.role != variant.pawn();
        let black_moved = self.position.turn() == Color::Black;
        Fen {
            position: self.position.after(variant, mv),
            halfmove_clock: if quiet { self.halfmove_clock.saturating_add(1) } else { 0 },
            move_number: self.move_number.saturating_add(u32::from(black_moved)),
        }
    }

    /// The text, with all its fields.
    pub fn write(&self, variant: &Variant) -> String {
        let mut text = self.position.board_field(variant);
        text.push(' ');
        text.push(self.position.turn().letter());
        text.push_str(if variant.description().castling_field { " - " } else { " " });
        match self.position.en_passant() {
            None => text.push('-'),
            Some(right) => right.skipped.iter().for_each(|c| text.push_str(variant.board().name(c))),
        }
        format!("{text} {} {}", self.halfmove_clock, self.move_number)
    }
}

impl Position {
    /// The position's FEN, with fresh clocks.
    pub fn fen(&self, variant: &Variant) -> String {
        Fen::of(*self).write(variant)
    }

    /// Of all symmetric images of this position the one whose FEN comes first, with that FEN: it stands for them all
    /// wherever positions are listed.
    pub fn first_image(&self, variant: &Variant) -> (String, Position) {
        let images = self.images(variant).map(|image| (image.fen(variant), image));
        images.min().expect("a position is an image of itself")
    }

    /// The board field of the FEN.
    fn board_field(&self, variant: &Variant) -> String {
        let mut text = String::new();
        for (i, rank) in variant.board().fen_ranks().iter().enumerate() {
            if i > 0 {
                text.push('/');
            }
            let mut run = 0;
            for &cell in rank {
                match self.man_at(cell) {
                    None => run += 1,
                    Some(man) => {
                        if run > 0 {
                            text.push_str(&run.to_string());
                            run = 0;
                        }
                        text.push(variant.man_letter(man));
                    }
                }
            }
            if run > 0 {
                text.push_str(&run.to_string());
            }
        }
        text
    }
}

/// A piece of the input for an error message: not longer than a line, without control characters.
fn shown(text: &str) -> String {
    let clean: String = text.chars().map(printable).collect();
    if clean.chars().count() > 40 { clean.chars().take(39).chain(['…']).collect() } else { clean }
}

/// A character of the input for an error message.
fn printable(found: char) -> char {
    if found.is_control() { '\u{fffd}' } else { found }
}

fn parse_board(variant: &Variant, field: &str) -> Result<Position, FenError> {
    let ranks = variant.board().fen_ranks();
    let parts: Vec<&str> = field.split('/').collect();
    if parts.len() != ranks.len() {
        return Err(FenError::RankCount { found: parts.len(), expected: ranks.len() });
    }
    let mut position = Position::empty(Color::White);
    for (i, (part, cells)) in parts.iter().zip(ranks).enumerate() {
        parse_rank(variant, &mut position, (ranks.len() - i) as u8, part, cells)?;
    }
    Ok(position)
}

fn parse_rank(
    variant: &Variant,
    position: &mut Position,
    rank: u8,
    text: &str,
    cells: &[Cell],
) -> Result<(), FenError> {
    let characters: Vec<char> = text.chars().collect();
    let (mut at, mut next) = (0, 0);
    while at < characters.len() {
        let (column, found, room) = (at + 1, characters[at], cells.len() - next);
        if room == 0 {
            let end = if rank == 1 { "a blank" } else { "'/'" };
            return Err(FenError::RankFull { rank, column, found: printable(found), cells: cells.len(), end });
        }
        if found.is_ascii_digit() {
            let digits: String = characters[at..].iter().take_while(|c| c.is_ascii_digit()).collect();
            at += digits.len();
            match digits.parse::<usize>() {
                Ok(run) if run <= room && !digits.starts_with('0') => next += run,
                _ => return Err(FenError::Run { rank, column, run: shown(&digits), room }),
            }
        } else {
            let Some(role) = variant.role_with_letter(found.to_ascii_uppercase()) else {
                let letters =
                    variant.roles().map(|r| variant.letter(r)).flat_map(|l| [l, l.to_ascii_lowercase()]).collect();
                return Err(FenError::Character { rank, column, found: printable(found), letters, room });
            };
            let color = if found.is_ascii_uppercase() { Color::White } else { Color::Black };
            position.put(Man { color, role }, cells[next]);
            next += 1;
            at += 1;
        }
    }
    if next < cells.len() {
        return Err(FenError::RankShort { rank, found: next, expected: cells.len() });
    }
    Ok(())
}

/// The cells named one after the other in an en passant field, where it is the turn of `turn`.
fn parse_cells(variant: &Variant, turn: Color, field: &str) -> Result<CellSet, FenError> {
    if field == "-" {
        return Ok(CellSet::EMPTY);
    }
    let wrong = || {
        let paths = variant.pawn_rules(turn.other()).paths.iter().flatten();
        let skipped: CellSet = paths.filter(|path| path.len() > 1).map(|path| path[0]).collect();
        let example = skipped.lowest().map_or("", |cell| variant.board().name(cell));
        FenError::EnPassantField(shown(field), example.to_string())
    };
    let mut cells = CellSet::EMPTY;
    let mut rest = field;
    while !rest.is_empty() {
        // A name is a letter and digits; it ends where the next letter begins.
        let end = rest.char_indices().skip(1).find(|(_, c)| !c.is_ascii_digit()).map_or(rest.len(), |(i, _)| i);
        let cell = variant.board().cell_named(&rest[..end]).filter(|&c| !cells.contains(c)).ok_or_else(wrong)?;
        cells.insert(cell);
        rest = &rest[end..];
    }
    Ok(cells)
}

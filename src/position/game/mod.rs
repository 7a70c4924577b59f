//! Games as text, in the manner of PGN: read, played through on the board, and written.
//!
//! [`Games`] takes a text apart into [`GameText`]s without knowing any rules; [`GameText::replay`] finds the positions
//! and legal moves of one, a [`Game`]; [`GameText::write`] is the way back. Nothing here knows what positions are worth.
//!
//! Understood are headers (`[Key "value"]`), or a FEN on a line of its own in their place; moves with or without
//! numbers; comments in braces (which do not nest) and from `;` to the end of the line; marks (`!`, `?!`, `$14`);
//! variations in parentheses, which are left out; lines that begin with `%`, likewise; and a result.

mod lexer;
mod read;
mod replay;
mod result;
mod write;

pub use read::{Games, Header, MoveText};
pub use replay::{Game, Played};
pub use result::GameResult;

use super::fen::FenError;
use super::reading::NotationError;
use crate::geometry::VariantError;

/// A place in a text, both numbers counted from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    pub line: usize,
    pub column: usize,
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A game as it is written, before its moves are looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct GameText {
    /// Where it begins.
    pub at: Spot,
    /// In their order, no key twice. A FEN on a line of its own is a header too.
    pub headers: Vec<Header>,
    /// Comments before the first move.
    pub opening: Vec<String>,
    pub moves: Vec<MoveText>,
    /// The result at the end, if there is one.
    pub result: Option<GameResult>,
}

impl GameText {
    /// The header with a key.
    pub fn header(&self, key: &str) -> Option<&Header> {
        self.headers.iter().find(|header| header.key == key)
    }
}

/// What is wrong with a game, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{at}: {fault}")]
pub struct GameError {
    pub at: Spot,
    pub fault: Box<GameFault>,
}

impl GameError {
    pub fn new(at: Spot, fault: impl Into<GameFault>) -> GameError {
        GameError { at, fault: Box::new(fault.into()) }
    }
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GameFault {
    #[error("expected a header of the form [Key \"value\"]")]
    Header,
    #[error("the header {0} is there twice")]
    HeaderTwice(String),
    #[error("the comment that begins here has no closing brace")]
    OpenComment,
    #[error("the variation that begins here has no closing parenthesis")]
    OpenVariation,
    #[error("found '{0}', which nothing before it has opened")]
    Stray(char),
    #[error("found \"{0}\", expected a mark such as !, ?? or $14 (up to $255)")]
    Mark(String),
    #[error(transparent)]
    Variant(#[from] VariantError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("{0} has no start position; a FEN has to say where the game begins")]
    NoStart(String),
    #[error(transparent)]
    Move(#[from] NotationError),
    #[error("\"{text}\" comes after the end of the game: {end}")]
    AfterTheEnd { text: String, end: String },
}

/// Something about a game that is odd but does not keep it from being played through.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{at}: {oddity}")]
pub struct Warning {
    pub at: Spot,
    pub oddity: Oddity,
}

/// What is odd about a game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Oddity {
    #[error("\"{written}\" should be {correct}")]
    WrongMark { written: String, correct: String },
    #[error("the header says {header} and the text ends in {text}")]
    TwoResults { header: GameResult, text: GameResult },
    #[error("the result is {stated}, but the game ends in {end}, which is {actual}")]
    WrongResult { stated: GameResult, end: &'static str, actual: GameResult },
    #[error("the result is {stated}, but there is no stalemate that pays so much")]
    NoStalemate { stated: GameResult },
}

//! From tokens to games, one after the other; a fault in one does not hide the next.

use super::lexer::{Lexer, Token};
use super::{GameError, GameFault, GameResult, GameText, Spot};

/// A header, as in `[White "Steinitz"]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub key: String,
    pub value: String,
    pub at: Spot,
}

/// A move as it is written, with what is said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveText {
    pub text: String,
    pub at: Spot,
    /// Numbers of marks, as in `$14`; `!`, `?`, `!!`, `??`, `!?` and `?!` are 1 to 6.
    pub marks: Vec<u8>,
    /// Comments after the move, each on one line.
    pub comments: Vec<String>,
}

/// The games of a text.
///
/// ```
/// use hextb::position::game::Games;
/// let games: Vec<_> = Games::new("[White \"A\"]\n1. e4 {well} e6 1-0\n\n[White \"B\"]\n1. e4 {never ends").collect();
/// assert_eq!(games[0].as_ref().unwrap().moves[1].text, "e6");
/// let error = games[1].as_ref().unwrap_err().to_string();
/// assert_eq!(error, "line 5, column 7: the comment that begins here has no closing brace");
/// ```
pub struct Games<'a> {
    lexer: Lexer<'a>,
}

impl<'a> Games<'a> {
    pub fn new(text: &'a str) -> Games<'a> {
        Games { lexer: Lexer::new(text) }
    }

    /// The bytes of the text that have been read.
    pub fn offset(&self) -> usize {
        self.lexer.offset()
    }

    fn read(&mut self) -> Result<Option<GameText>, GameError> {
        self.lexer.skip_blanks();
        let at = self.lexer.spot();
        let mut game = GameText { at, headers: vec![], opening: vec![], moves: vec![], result: None };
        if let Some(fen) = self.lexer.fen_line() {
            game.headers.push(Header { key: "FEN".to_string(), value: fen.to_string(), at });
        }
        // Where the variations begin that are open, the outermost first.
        let mut variations: Vec<Spot> = vec![];
        loop {
            let before = self.lexer;
            let Some((at, token)) = self.lexer.next()? else { break };
            let inside = !variations.is_empty();
            match token {
                Token::Header { .. } if inside => break,
                Token::Header { .. } if !game.moves.is_empty() => {
                    self.lexer = before;
                    break;
                }
                Token::Header { key, value } => {
                    if game.header(key).is_some() {
                        return Err(GameError::new(at, GameFault::HeaderTwice(key.to_string())));
                    }
                    game.headers.push(Header { key: key.to_string(), value, at });
                }
                Token::OpenVariation => variations.push(at),
                Token::CloseVariation => {
                    variations.pop().ok_or(GameError::new(at, GameFault::Stray(')')))?;
                }
                _ if inside => {}
                Token::Comment(comment) => {
                    let comments = game.moves.last_mut().map_or(&mut game.opening, |mv| &mut mv.comments);
                    comments.extend(Some(comment).filter(|comment| !comment.is_empty()));
                }
                // One before the first move says nothing of any.
                Token::Mark(mark) => game.moves.last_mut().into_iter().for_each(|mv| mv.marks.push(mark)),
                Token::Word(word) => match GameResult::read(word) {
                    Some(result) => {
                        game.result = Some(result);
                        break;
                    }
                    None => {
                        let (marks, comments) = (vec![], vec![]);
                        game.moves.push(MoveText { text: word.to_string(), at, marks, comments });
                    }
                },
            }
        }
        if let Some(&at) = variations.first() {
            return Err(GameError::new(at, GameFault::OpenVariation));
        }
        let is_there = !game.headers.is_empty() || !game.moves.is_empty() || game.result.is_some();
        Ok(is_there.then_some(game))
    }
}

impl Iterator for Games<'_> {
    type Item = Result<GameText, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read();
        if read.is_err() {
            self.lexer.skip_game();
        }
        read.transpose()
    }
}

//! Takes a text apart into headers, comments, marks and words, each with its place.
//!
//! Knows nothing of moves; numbers of moves and lines that begin with `%` are left out here.

use super::{GameError, GameFault, GameResult, Spot};

/// The marks that have signs of their own: the sign of `$n` is number n - 1.
pub(super) const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'a> {
    Header {
        key: &'a str,
        value: String,
    },
    /// Its words with one blank between them.
    Comment(String),
    Mark(u8),
    /// A move, a result, or something that is neither.
    Word(&'a str),
    OpenVariation,
    CloseVariation,
}

/// A text and how far it has been read.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    spot: Spot,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0, spot: Spot { line: 1, column: 1 } }
    }

    /// Bytes read so far.
    pub fn offset(&self) -> usize {
        self.at
    }

    pub fn spot(&self) -> Spot {
        self.spot
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes on by so many bytes.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let passed = &self.rest()[..bytes];
        for c in passed.chars() {
            match c {
                '\n' => self.spot = Spot { line: self.spot.line + 1, column: 1 },
                _ => self.spot.column += 1,
            }
        }
        self.at += bytes;
        passed
    }

    /// Goes on over the characters that `fits` holds for.
    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        self.advance(rest.find(|c| !fits(c)).unwrap_or(rest.len()))
    }

    fn take_line(&mut self) -> &'a str {
        self.take_while(|c| c != '\n')
    }

    fn at_start_of_line(&self) -> bool {
        self.spot.column == 1
    }

    /// Passes what separates tokens.
    pub fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            match self.peek() {
                Some('%') if self.at_start_of_line() => self.take_line(),
                _ => return,
            };
        }
    }

    /// The rest of the line if it looks like a FEN: its first word has slashes and is no result.
    pub fn fen_line(&mut self) -> Option<&'a str> {
        let word = self.rest().split_whitespace().next()?;
        let is_fen = word.contains('/') && !word.contains(['[', '{', '(', ';']) && GameResult::read(word).is_none();
        is_fen.then(|| self.take_line().trim_end())
    }

    /// The next token with its place; none at the end of the text.
    pub fn next(&mut self) -> Result<Option<(Spot, Token<'a>)>, GameError> {
        loop {
            self.skip_blanks();
            let spot = self.spot;
            let Some(first) = self.peek() else { return Ok(None) };
            let token = match first {
                '[' => self.header()?,
                '{' => self.comment()?,
                ';' => {
                    // Written in braces later, it must not close them.
                    let line = self.take_line().trim_start_matches(';').replace('}', ")");
                    Token::Comment(words(&line))
                }
                '$' => self.numbered_mark()?,
                '!' | '?' => {
                    let sign = self.take_while(|c| c == '!' || c == '?');
                    let number = SIGNS.iter().position(|&s| s == sign);
                    Token::Mark(number.ok_or_else(|| mark_error(spot, sign))? as u8 + 1)
                }
                '(' | ')' => {
                    self.advance(1);
                    if first == '(' { Token::OpenVariation } else { Token::CloseVariation }
                }
                '}' | ']' | '"' => return Err(GameError::new(spot, GameFault::Stray(first))),
                _ => match self.word() {
                    Some(word) => Token::Word(word),
                    None => continue,
                },
            };
            return Ok(Some((spot, token)));
        }
    }

    /// A word; none if it is the number of a move or stands for nothing.
    fn word(&mut self) -> Option<&'a str> {
        let mut ahead = *self;
        let digits = ahead.take_while(|c| c.is_ascii_digit());
        let dots = ahead.take_while(|c| c == '.');
        let ends = ahead.peek().is_none_or(|c| c.is_whitespace() || is_special(c));
        if !dots.is_empty() || !digits.is_empty() && ends {
            *self = ahead;
            return None;
        }
        let word = self.take_while(|c| !c.is_whitespace() && !is_special(c));
        Some(word.trim_end_matches("e.p.")).filter(|word| !word.is_empty())
    }

    fn header(&mut self) -> Result<Token<'a>, GameError> {
        let at = self.spot;
        let wrong = || GameError::new(at, GameFault::Header);
        let mut ahead = *self;
        ahead.advance(1);
        let blank = |c: char| c.is_whitespace() && c != '\n';
        ahead.take_while(blank);
        let key = ahead.take_while(|c| c.is_alphanumeric() || c == '_');
        ahead.take_while(blank);
        if key.is_empty() || ahead.peek() != Some('"') {
            return Err(wrong());
        }
        ahead.advance(1);
        let mut value = String::new();
        loop {
            value += ahead.take_while(|c| !matches!(c, '"' | '\\' | '\n'));
            match ahead.peek() {
                Some('"') => break,
                Some('\\') => {
                    ahead.advance(1);
                    match ahead.peek().filter(|&c| c != '\n') {
                        Some(c) => value += ahead.advance(c.len_utf8()),
                        None => return Err(wrong()),
                    }
                }
                _ => return Err(wrong()),
            }
        }
        ahead.advance(1);
        ahead.take_while(blank);
        if ahead.peek() != Some(']') {
            return Err(wrong());
        }
        ahead.advance(1);
        *self = ahead;
        Ok(Token::Header { key, value })
    }

    fn comment(&mut self) -> Result<Token<'a>, GameError> {
        let length = self.rest().find('}').ok_or(GameError::new(self.spot, GameFault::OpenComment))?;
        let comment = self.advance(length + 1);
        Ok(Token::Comment(words(&comment[1..length])))
    }

    fn numbered_mark(&mut self) -> Result<Token<'a>, GameError> {
        let spot = self.spot;
        self.advance(1);
        let digits = self.take_while(|c| c.is_ascii_digit());
        digits.parse().map(Token::Mark).map_err(|_| mark_error(spot, &format!("${digits}")))
    }

    /// After a fault: goes on to where the next game seems to begin, the first line with a header after one that holds
    /// moves.
    pub fn skip_game(&mut self) {
        let line_begin = self.text[..self.at].rfind('\n').map_or(0, |i| i + 1);
        let mut moves_seen = !self.text[line_begin..].starts_with('[');
        loop {
            self.take_line();
            if self.peek().is_none() {
                return;
            }
            self.advance(1);
            let mut next = self.rest().chars();
            match next.next() {
                Some('[') if next.next().is_some_and(char::is_alphabetic) => {
                    if moves_seen {
                        return;
                    }
                }
                None | Some('\n' | '\r') => {}
                _ => moves_seen = true,
            }
        }
    }
}

/// Whether a character ends a word.
fn is_special(c: char) -> bool {
    "{}()[];$!?\"".contains(c)
}

/// A text with one blank between its words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn mark_error(at: Spot, mark: &str) -> GameError {
    GameError::new(at, GameFault::Mark(mark.chars().take(12).collect()))
}

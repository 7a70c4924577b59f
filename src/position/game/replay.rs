//! Plays a game through: from what is written to positions and legal moves.

use super::{GameError, GameFault, GameResult, GameText, MoveText, Oddity, Spot, Warning};
use crate::geometry::Variant;
use crate::position::{Fen, Move, split_marks};

/// A game that has been played through.
#[derive(Clone, Debug)]
pub struct Game {
    pub start: Fen,
    pub moves: Vec<Played>,
    /// The position after the last move.
    pub end: Fen,
    pub warnings: Vec<Warning>,
}

/// A legal move in the position that it was made in.
#[derive(Clone, Debug)]
pub struct Played {
    pub before: Fen,
    pub mv: Move,
    /// Its algebraic form.
    pub san: String,
}

impl GameText {
    /// Plays the game through. It begins at its header FEN, else at the position `start`, else at the variant's.
    ///
    /// # Errors
    /// A wrong FEN, the first move that is not legal, or one after mate or stalemate.
    pub fn replay(&self, variant: &Variant, start: Option<&str>) -> Result<Game, GameError> {
        let start = self.start(variant, start)?;
        let mut now = start;
        let (mut moves, mut warnings) = (vec![], vec![]);
        for written in &self.moves {
            let (mv, san) = play(variant, &now, written)?;
            let marks: String = split_marks(&written.text).1.chars().filter(|c| "+#=".contains(*c)).collect();
            // A double check is sometimes marked ++.
            let is_right = marks.is_empty() || san.ends_with(if marks == "++" { "+" } else { &marks });
            if !is_right {
                let oddity = Oddity::WrongMark { written: written.text.clone(), correct: san.clone() };
                warnings.push(Warning { at: written.at, oddity });
            }
            moves.push(Played { before: now, mv, san });
            now = now.after(variant, &mv);
        }
        warnings.extend(self.odd_result(variant, &now));
        Ok(Game { start, moves, end: now, warnings })
    }

    fn start(&self, variant: &Variant, given: Option<&str>) -> Result<Fen, GameError> {
        let (at, found) = match (self.header("FEN"), given) {
            (Some(header), _) => (header.at, Fen::parse(variant, &header.value).map(Some)),
            (None, Some(given)) => (self.at, Fen::parse(variant, given).map(Some)),
            (None, None) => (self.at, Fen::start(variant)),
        };
        let found = found.map_err(|error| GameError::new(at, error))?;
        found.ok_or_else(|| GameError::new(at, GameFault::NoStart(variant.name().to_string())))
    }

    /// What is odd about the result, given the last position.
    fn odd_result(&self, variant: &Variant, end: &Fen) -> Option<Warning> {
        // That a result is not known contradicts nothing.
        let known = |result: &GameResult| *result != GameResult::Unknown;
        let header = self.header("Result");
        let header = header.and_then(|header| Some((header.at, GameResult::read(&header.value).filter(known)?)));
        let result = self.result.filter(known);
        let last = self.moves.last().map_or(self.at, |mv| mv.at);
        let warn = |at: Spot, oddity| Some(Warning { at, oddity });
        if let (Some((at, header)), Some(text)) = (header, result)
            && header != text
        {
            return warn(at, Oddity::TwoResults { header, text });
        }
        let stated = result.or(header.map(|(_, result)| result))?;
        let mover = end.position.turn().other();
        let (end, actual) = if end.position.is_checkmate(variant) {
            ("checkmate", GameResult::of_mate(mover))
        } else if end.position.is_stalemate(variant) {
            ("stalemate", GameResult::of_stalemate(variant, mover))
        } else if stated.is_of_stalemate() {
            return warn(last, Oddity::NoStalemate { stated });
        } else {
            return None;
        };
        if stated == actual { None } else { warn(last, Oddity::WrongResult { stated, end, actual }) }
    }
}

/// The legal move that is written, and its algebraic form.
fn play(variant: &Variant, now: &Fen, written: &MoveText) -> Result<(Move, String), GameError> {
    let position = &now.position;
    let at = written.at;
    let mv = position.parse_move(variant, &written.text).map_err(|error| {
        let side = position.turn().name();
        let end = match position.has_legal_move(variant) {
            true => return GameError::new(at, error),
            false if position.is_checkmate(variant) => format!("{side} is mated"),
            false => format!("{side} is stalemated"),
        };
        GameError::new(at, GameFault::AfterTheEnd { text: error.text, end })
    })?;
    Ok((mv, position.san(variant, &mv)))
}

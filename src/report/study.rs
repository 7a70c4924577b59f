//! A position with its solution as text that programs for chess games read, after the manner of PGN.
//!
//! Headers in brackets, one a line; an empty line; the moves of best play, as [`line`](super::line()) has them, in
//! algebraic form with their numbers; and the score as the last word. An only move is marked `!`: the one of several
//! legal moves that keeps the value for the side that makes it. From a drawn position that has an only move, it alone
//! is given; from another, a comment names the moves that keep the draw.

use super::line::{Line, line};
use crate::geometry::Variant;
use crate::oracle::{Oracle, ProbeError};
use crate::position::{Fen, Move, Position};
use crate::survey::mine::sole_keeper;

/// Lines of moves are at most this long.
const WIDTH: usize = 80;

/// Writes a study of a legal position. `event` says what there is to see.
///
/// # Errors
/// When a table that is needed on the way is missing or damaged.
pub fn study(
    oracle: &dyn Oracle,
    variant: &Variant,
    fen: &Fen,
    event: &str,
    round: usize,
) -> Result<String, ProbeError> {
    let solution = line(oracle, variant, fen)?;
    let result = format!("{}-{}", solution.end.score.w, solution.end.score.b);
    let plies = solution.plies.map(|plies| plies.to_string());
    let headers = [
        ("Event", Some(event.to_string())),
        ("Round", Some(round.to_string())),
        ("Result", Some(result.clone())),
        ("Variant", Some(variant.name().to_string())),
        ("SetUp", Some("1".to_string())),
        ("FEN", Some(solution.fen.clone())),
        ("Material", Some(solution.material.clone())),
        ("Value", Some(solution.category.word().to_string())),
        ("Plies", plies),
    ];
    let mut text = String::new();
    for (name, value) in headers {
        if let Some(value) = value {
            text += &format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""));
        }
    }
    let mut words = numbered(oracle, variant, fen, &solution)?;
    words.push(result);
    text += &wrapped(&words);
    Ok(text)
}

/// The moves of a solution with their numbers and marks, word by word.
fn numbered(oracle: &dyn Oracle, variant: &Variant, fen: &Fen, solution: &Line) -> Result<Vec<String>, ProbeError> {
    let mut moves = vec![];
    let mut position = fen.position;
    for played in &solution.moves {
        let mv = played_move(variant, &position, &played.from_to);
        let mark = if sole(oracle, variant, &position)? == Some(mv) { "!" } else { "" };
        moves.push(format!("{}{mark}", played.san));
        position = position.after(variant, &mv);
    }
    if !solution.drawing_moves.is_empty() {
        match sole(oracle, variant, &position)? {
            Some(mv) => moves.push(format!("{}!", position.san(variant, &mv))),
            None => {
                let comment = format!("{{ Moves that keep the draw: {} }}", solution.drawing_moves.join(" "));
                return Ok(comment.split(' ').map(String::from).collect());
            }
        }
    }
    let mut words = vec![];
    let black_begins = usize::from(solution.turn == 'b');
    for (at, mv) in moves.into_iter().enumerate() {
        let number = (at + black_begins) / 2 + fen.move_number as usize;
        match (at + black_begins) % 2 {
            0 => words.push(format!("{number}.")),
            _ if at == 0 => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(mv);
    }
    Ok(words)
}

/// The only move of a position, if it has one and there is a choice.
fn sole(oracle: &dyn Oracle, variant: &Variant, position: &Position) -> Result<Option<Move>, ProbeError> {
    let value = oracle.outcome(position)?.value();
    let sole = sole_keeper(oracle, variant, position, value, &mut vec![])?;
    Ok(sole.filter(|sole| !sole.forced).map(|sole| sole.mv))
}

fn played_move(variant: &Variant, position: &Position, from_to: &str) -> Move {
    position.parse_move(variant, from_to).expect("a line is of legal moves")
}

/// Words in lines, after an empty one.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut length = WIDTH;
    for word in words {
        let count = word.chars().count();
        if length + 1 + count > WIDTH {
            text.push('\n');
            length = count;
        } else {
            text.push(' ');
            length += 1 + count;
        }
        text += word;
    }
    text + "\n"
}

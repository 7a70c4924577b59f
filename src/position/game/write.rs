//! Writes a game so that it reads back: a header a line, then the moves in lines of up to 80 characters.

use super::GameText;
use super::lexer::SIGNS;
use crate::geometry::Color;
use crate::position::Fen;

/// The most characters of a line of moves.
const WIDTH: usize = 80;

impl GameText {
    /// The game as text, its moves as they stand here, numbered from its first position on.
    pub fn write(&self, start: &Fen) -> String {
        let mut text = String::new();
        for header in &self.headers {
            let value = header.value.replace('\\', "\\\\").replace('"', "\\\"");
            text += &format!("[{} \"{value}\"]\n", header.key);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let mut line = String::new();
        for word in self.words(start) {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
                text += &line;
                text.push('\n');
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += &word;
        }
        text + &line + "\n"
    }

    /// What lines are made of, a move with its number being one. After a comment Black's moves are numbered too, as in
    /// `12... Kf6`.
    fn words(&self, start: &Fen) -> Vec<String> {
        let mut words = vec![];
        let comment = |words: &mut Vec<String>, comment: &String| {
            let braced = format!("{{{comment}}}");
            words.extend(braced.split(' ').map(String::from));
        };
        self.opening.iter().for_each(|text| comment(&mut words, text));
        let (mut number, mut turn, mut numbered) = (start.move_number, start.position.turn(), true);
        for mv in &self.moves {
            let number_of_move = match turn {
                Color::White => format!("{number}. "),
                Color::Black if numbered => format!("{number}... "),
                Color::Black => String::new(),
            };
            // The first mark stands at the move, if it has a sign of its own.
            let sign = mv.marks.first().and_then(|&mark| SIGNS.get(usize::from(mark).checked_sub(1)?));
            words.push(number_of_move + &mv.text + sign.unwrap_or(&""));
            words.extend(mv.marks[usize::from(sign.is_some())..].iter().map(|mark| format!("${mark}")));
            mv.comments.iter().for_each(|text| comment(&mut words, text));
            numbered = !mv.comments.is_empty();
            number = number.saturating_add(u32::from(turn == Color::Black));
            turn = turn.other();
        }
        words.push(self.result.map_or("*".to_string(), |result| result.to_string()));
        words
    }
}

//! A board for a terminal, with or without colours.
//!
//! Knows characters and escape sequences; where the cells stand comes from `layout`.

use super::layout::{Layout, Place, Tile};
use super::status;
use super::tones::Tone;
use crate::geometry::{Cell, Color, Man, Variant};
use crate::position::Position;

/// How [`text`] draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextStyle {
    /// Paint the cells with ANSI escape sequences (24-bit colours).
    pub colour: bool,
    /// Draw chess figurines and half blocks instead of ASCII characters.
    pub unicode: bool,
}

/// The board with its men and coordinates, and a line that tells the side to move and the en passant cell.
///
/// Men are FEN letters or, with [`TextStyle::unicode`], figurines. Without colours an empty cell is `.`, `:` or
/// `+` from light to dark, and no line ends in blanks.
///
/// ```
/// # use hextb::{geometry::Variant, picture::{text, TextStyle}, position::Fen};
/// let variant = Variant::named("glinski-2").unwrap();
/// let fen = Fen::parse(&variant, "k/3/5/4R/K4 w - 0 1").unwrap();
/// print!("{}", text(&variant, &fen.position, TextStyle::default()));
/// ```
pub fn text(variant: &Variant, position: &Position, style: TextStyle) -> String {
    let board = variant.board();
    let layout = Layout::new(board);
    let drawing = Drawing { variant, position, style, layout: &layout };
    let (bottom, top) = layout.bounds_with_labels();
    let mut lines: Vec<String> = vec![];
    // Painted hexagons reach half a line beyond the uppermost cell's place.
    let top_line = top[1] + i16::from(style.colour && style.unicode && layout.tile == Tile::Hexagon);
    for height in (bottom[1]..=top_line).rev() {
        let line: String = (bottom[0]..=top[0]).map(|column| drawing.segment([column, height])).collect();
        lines.push(line.trim_end().to_string());
    }
    while lines.first().is_some_and(String::is_empty) {
        lines.remove(0);
    }
    lines.push(String::new());
    lines.push(status(variant, position));
    lines.join("\n") + "\n"
}

/// The characters per column of the grid.
const WIDTH: usize = 3;

struct Drawing<'a> {
    variant: &'a Variant,
    position: &'a Position,
    style: TextStyle,
    layout: &'a Layout,
}

impl Drawing<'_> {
    /// What one column shows on one line.
    fn segment(&self, at: Place) -> String {
        if let Some(cell) = self.layout.cell_at(at) {
            return self.cell(cell);
        }
        if let Some(label) = self.layout.labels.iter().find(|l| l.at == at) {
            return centred(&label.text, WIDTH);
        }
        if self.style.colour && self.layout.tile == Tile::Hexagon { self.between(at) } else { self.blank() }
    }

    fn blank(&self) -> String {
        " ".repeat(WIDTH)
    }

    fn cell(&self, cell: Cell) -> String {
        let tone = Tone::of(self.variant.board(), cell);
        let man = self.position.man_at(cell);
        let sign = match man {
            Some(man) => self.sign(man),
            None if self.style.colour => ' ',
            None => tone.mark(),
        };
        let shown = centred(&sign.to_string(), WIDTH);
        if !self.style.colour {
            return shown;
        }
        let ink = match man.map(|m| m.color) {
            Some(Color::White) => "\x1b[1;38;2;255;255;255m",
            Some(Color::Black) => "\x1b[1;38;2;0;0;0m",
            None => "",
        };
        format!("{}{ink}{shown}\x1b[0m", paint(48, tone))
    }

    /// Half of the line above a hexagon and half of the line below it belong to it; without half blocks, the
    /// whole line below.
    fn between(&self, [column, height]: Place) -> String {
        let tone = |height| self.layout.cell_at([column, height]).map(|c| Tone::of(self.variant.board(), c));
        let (above, below) = (tone(height + 1), tone(height - 1));
        let blocks = |block: &str| block.repeat(WIDTH);
        match (self.style.unicode, above, below) {
            (false, Some(above), _) => format!("{}{}\x1b[0m", paint(48, above), self.blank()),
            (true, Some(above), Some(below)) => {
                format!("{}{}{}\x1b[0m", paint(38, above), paint(48, below), blocks("▀"))
            }
            (true, Some(above), None) => format!("{}{}\x1b[0m", paint(38, above), blocks("▀")),
            (true, None, Some(below)) => format!("{}{}\x1b[0m", paint(38, below), blocks("▄")),
            _ => self.blank(),
        }
    }

    fn sign(&self, man: Man) -> char {
        let letter = self.variant.man_letter(man);
        // On painted cells the colour tells the sides apart, and full figures are easier to see.
        let outline = man.color == Color::White && !self.style.colour;
        let figurine = "KQRBNP".find(letter.to_ascii_uppercase()).filter(|_| self.style.unicode);
        let figurine = figurine.and_then(|i| if outline { "♔♕♖♗♘♙" } else { "♚♛♜♝♞♟" }.chars().nth(i));
        figurine.unwrap_or(letter)
    }
}

/// The escape sequence that sets the ink (38) or the background (48).
fn paint(what: u8, tone: Tone) -> String {
    let [red, green, blue] = tone.terminal_rgb();
    format!("\x1b[{what};2;{red};{green};{blue}m")
}

/// The text in the middle of a column, rather to the left.
fn centred(text: &str, width: usize) -> String {
    let left = width.saturating_sub(text.chars().count()) / 2;
    format!("{:width$}", format!("{}{text}", " ".repeat(left)))
}

//! Reads moves in either notation, and says why a text is none.
//!
//! More is understood than is written: an origin that need not be named (`Rae5`, `Ra1e5`, `e4xd5`), a dash or a cross
//! between the cells or none (`Ra1-e5`, `ed5`), a promotion without `=` or in small letters (`f11Q`). Knows positions
//! and how moves are written, not games.

use super::moves::Move;
use super::state::Position;
use crate::geometry::{Cell, Role, Variant};

/// A text that is not a legal move of a position.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("\"{text}\" is not a legal move here: {reason}")]
pub struct NotationError {
    /// The text, shortened and without control characters.
    pub text: String,
    pub reason: Refusal,
}

/// Why a text is not a legal move.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("expected from-to (e4e5, f10f11q) or the algebraic form (Qe5, f11=Q)")]
    Unreadable,
    #[error("there is no castling here, and positions with castling rights are in no table")]
    Castling,
    #[error("there is no cell {0}")]
    NoCell(String),
    #[error("no pawn becomes a {0}")]
    NoSuchPromotion(char),
    #[error("it does not say what the pawn becomes, as in {0}")]
    PromotionLeftOut(String),
    #[error("nothing is promoted on {0}")]
    NoPromotion(String),
    #[error("there is nothing to take on {0}")]
    NothingToTake(String),
    #[error("{side} has no {man} on {cell}")]
    NobodyThere { side: &'static str, man: String, cell: String },
    #[error("no {man} of {side}'s can go {from}to {to}")]
    OutOfReach { side: &'static str, man: String, from: String, to: String },
    #[error("it leaves the king in check")]
    LeavesKingInCheck,
    #[error("it is ambiguous: {0}")]
    Ambiguous(String),
}

/// A move's text without the marks at its end, and these: of check, mate and stalemate, and of praise and blame.
pub fn split_marks(text: &str) -> (&str, &str) {
    text.split_at(text.trim_end_matches(['+', '#', '=', '!', '?']).len())
}

/// What a text says of a move.
struct Written {
    /// None if a cell to move from is named without the man on it.
    role: Option<Role>,
    file: Option<char>,
    rank: Option<u8>,
    takes: bool,
    to: Cell,
    promotion: Option<Role>,
}

impl Written {
    /// Reads a text without marks.
    fn read(variant: &Variant, stem: &str) -> Result<Written, Refusal> {
        if ["O-O", "O-O-O", "0-0", "0-0-0"].contains(&stem) {
            return Err(Refusal::Castling);
        }
        let mut rest = stem;
        let mut role = None;
        if let Some(letter) = rest.chars().next().filter(char::is_ascii_uppercase) {
            role = Some(variant.role_with_letter(letter).ok_or(Refusal::Unreadable)?);
            rest = &rest[1..];
        }
        // Cells end in a digit; a letter after one is what a pawn becomes.
        let mut promotion = None;
        if let Some(letter) = rest.chars().next_back().filter(char::is_ascii_alphabetic) {
            rest = rest[..rest.len() - 1].trim_end_matches('=');
            if !rest.ends_with(|c: char| c.is_ascii_digit()) {
                return Err(Refusal::Unreadable);
            }
            let letter = letter.to_ascii_uppercase();
            let becomes = variant.role_with_letter(letter).filter(|role| variant.promotions().contains(role));
            promotion = Some(becomes.ok_or(Refusal::NoSuchPromotion(letter))?);
        }
        let (before, to) = rest.split_at(rest.rfind(|c: char| c.is_ascii_lowercase()).ok_or(Refusal::Unreadable)?);
        let to = cell(variant, to)?;
        let takes = before.ends_with('x');
        let origin = before.strip_suffix(['x', '-']).unwrap_or(before);
        let file = origin.chars().next().filter(char::is_ascii_lowercase);
        let digits = &origin[file.map_or(0, char::len_utf8)..];
        let rank = match digits {
            "" => None,
            _ if !digits.starts_with(|c: char| matches!(c, '1'..='9')) => return Err(Refusal::Unreadable),
            _ => Some(digits.parse().map_err(|_| Refusal::Unreadable)?),
        };
        if file.is_some() && rank.is_some() {
            cell(variant, origin)?;
        } else if role.is_none() {
            role = Some(variant.pawn());
        }
        Ok(Written { role, file, rank, takes, to, promotion })
    }

    /// Whether a move may be meant.
    fn fits(&self, variant: &Variant, mv: &Move) -> bool {
        let board = variant.board();
        let pawn_without_origin = self.role == Some(variant.pawn()) && self.file.is_none() && self.rank.is_none();
        let takes = mv.captured.is_some();
        mv.to == self.to
            && self.role.is_none_or(|role| mv.role == role)
            && self.file.is_none_or(|file| board.file_letter(mv.from) == file)
            && self.rank.is_none_or(|rank| board.rank(mv.from) == rank)
            && mv.promotion == self.promotion
            && if self.takes { takes } else { !(takes && pawn_without_origin) }
    }

    /// Why no move fits.
    fn refusal(&self, variant: &Variant, position: &Position) -> Refusal {
        let board = variant.board();
        let mut moves = vec![];
        position.pseudo_legal_moves(variant, &mut moves);
        let some_fits = |written: &Written| moves.iter().any(|mv| written.fits(variant, mv));
        let to = board.name(self.to).to_string();
        if some_fits(self) {
            return Refusal::LeavesKingInCheck;
        }
        if self.promotion.is_some() && some_fits(&Written { promotion: None, ..*self }) {
            return Refusal::NoPromotion(to);
        }
        let promoting = variant.promotions().iter().find(|&&p| some_fits(&Written { promotion: Some(p), ..*self }));
        if let Some(&role) = promoting {
            return Refusal::PromotionLeftOut(format!("{to}={}", variant.letter(role)));
        }
        if self.takes && some_fits(&Written { takes: false, ..*self }) {
            return Refusal::NothingToTake(to);
        }
        let side = position.turn().name();
        let man = match self.role {
            None => "man".to_string(),
            Some(role) if role == variant.pawn() => "pawn".to_string(),
            Some(role) => variant.letter(role).to_string(),
        };
        let origin =
            self.file.map_or(String::new(), String::from) + &self.rank.map_or(String::new(), |r| r.to_string());
        let from_cell = board.cell_named(&origin);
        let stands = |cell: Cell| match self.role {
            None => position.side(position.turn()).contains(cell),
            Some(role) => position.men(position.turn(), role).contains(cell),
        };
        if from_cell.is_some_and(|cell| !stands(cell)) {
            return Refusal::NobodyThere { side, man, cell: origin };
        }
        let from = if origin.is_empty() { origin } else { format!("from {origin} ") };
        Refusal::OutOfReach { side, man, from, to }
    }
}

/// The cell with a name.
fn cell(variant: &Variant, name: &str) -> Result<Cell, Refusal> {
    variant.board().cell_named(name).ok_or_else(|| match name.chars().skip(1).all(|c| c.is_ascii_digit()) {
        true => Refusal::NoCell(name.chars().take(8).collect()),
        false => Refusal::Unreadable,
    })
}

impl Position {
    /// The legal move that a text means, in either notation; marks at its end are not looked at.
    ///
    /// # Errors
    /// When no legal move, or more than one, is meant.
    pub fn parse_move(&self, variant: &Variant, text: &str) -> Result<Move, NotationError> {
        self.move_meant(variant, split_marks(text).0).map_err(|reason| {
            let text = text.chars().filter(|c| !c.is_control()).take(40).collect();
            NotationError { text, reason }
        })
    }

    fn move_meant(&self, variant: &Variant, stem: &str) -> Result<Move, Refusal> {
        let written = Written::read(variant, stem)?;
        let legal = self.legal_moves(variant);
        let fitting: Vec<&Move> = legal.iter().filter(|mv| written.fits(variant, mv)).collect();
        match fitting[..] {
            [] => Err(written.refusal(variant, self)),
            [mv] => Ok(*mv),
            _ => {
                // One of several may be written just so.
                let forms: Vec<String> = fitting.iter().map(|mv| self.san_stem(variant, mv, &legal)).collect();
                match forms.iter().position(|form| form == stem) {
                    Some(at) => Ok(*fitting[at]),
                    None => Err(Refusal::Ambiguous(forms.join(" or "))),
                }
            }
        }
    }
}

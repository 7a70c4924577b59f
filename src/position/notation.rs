//! Writes moves: from-to (`e4e5`, `f10f11q`) and algebraic (`Qe5+`, `f11=Q#`, a stalemating move ends in `=`).

use super::moves::{Move, MoveKind};
use super::state::Position;
use crate::geometry::{Cell, Variant};

impl Move {
    /// The from-to form.
    pub fn from_to(&self, variant: &Variant) -> String {
        let board = variant.board();
        let promotion = self.promotion.map(|role| variant.letter(role).to_ascii_lowercase());
        format!("{}{}{}", board.name(self.from), board.name(self.to), promotion.map_or(String::new(), String::from))
    }

    /// Orders moves by from-cell, to-cell and promotion, in the order in which the variant lists promotions.
    pub fn order_key(&self, variant: &Variant) -> (Cell, Cell, Option<usize>) {
        let promotion = self.promotion.and_then(|p| variant.promotions().iter().position(|&q| q == p));
        (self.from, self.to, promotion)
    }
}

impl Position {
    /// The algebraic form of a legal move.
    pub fn san(&self, variant: &Variant, mv: &Move) -> String {
        self.san_among(variant, mv, &self.legal_moves(variant))
    }

    /// The algebraic form of one of the position's legal moves, given all of them.
    pub fn san_among(&self, variant: &Variant, mv: &Move, legal: &[Move]) -> String {
        self.san_stem(variant, mv, legal) + self.mark_after(variant, mv)
    }

    /// How the algebraic form of a legal move ends: `#` for mate, `+` for check, `=` for stalemate, else nothing.
    pub fn mark_after(&self, variant: &Variant, mv: &Move) -> &'static str {
        let after = self.after(variant, mv);
        match (after.in_check(variant, after.turn()), after.has_legal_move(variant)) {
            (true, false) => "#",
            (true, true) => "+",
            (false, false) => "=",
            (false, true) => "",
        }
    }

    /// The algebraic form without the mark for check, mate or stalemate.
    pub(super) fn san_stem(&self, variant: &Variant, mv: &Move, legal: &[Move]) -> String {
        let board = variant.board();
        let capture = matches!(mv.kind, MoveKind::Capture | MoveKind::EnPassant);
        let rivals: Vec<&Move> = legal
            .iter()
            .filter(|o| o.role == mv.role && o.to == mv.to && o.from != mv.from && (o.captured.is_some() == capture))
            .collect();
        let is_pawn = mv.role == variant.pawn();
        let same_file = rivals.iter().any(|o| board.file(o.from) == board.file(mv.from));
        let same_rank = rivals.iter().any(|o| board.rank(o.from) == board.rank(mv.from));
        let name = board.name(mv.from);
        let file = board.file_letter(mv.from).to_string();
        let origin = if rivals.is_empty() || !same_file {
            if (is_pawn && capture) || !rivals.is_empty() { file } else { String::new() }
        } else if is_pawn || same_rank {
            name.to_string()
        } else {
            name[file.len()..].to_string()
        };
        let letter = if is_pawn { String::new() } else { variant.letter(mv.role).to_string() };
        let promotion = mv.promotion.map_or(String::new(), |role| format!("={}", variant.letter(role)));
        let cross = if capture { "x" } else { "" };
        format!("{letter}{origin}{cross}{}{promotion}", board.name(mv.to))
    }
}

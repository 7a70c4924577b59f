//! Legal moves: pseudo-legal ones from the movement of each role, less those that leave the king attacked.

use super::moves::{Move, MoveKind};
use super::state::Position;
use crate::geometry::{Cell, CellSet, Color, Role, Variant};

impl Position {
    /// All legal moves, in no particular order.
    pub fn legal_moves(&self, variant: &Variant) -> Vec<Move> {
        let mut moves = vec![];
        self.legal_moves_into(variant, &mut moves);
        moves
    }

    /// Like [`Position::legal_moves`], into a buffer that is cleared first.
    pub fn legal_moves_into(&self, variant: &Variant, moves: &mut Vec<Move>) {
        moves.clear();
        self.pseudo_legal_moves(variant, moves);
        let color = self.turn();
        let Some(king) = self.king(color) else { return };
        let checked = self.in_check(variant, color);
        let shields = self.shields(variant, king, color);
        moves.retain(|mv| {
            let safe =
                !checked && mv.role != Role::KING && mv.kind != MoveKind::EnPassant && !shields.contains(mv.from);
            safe || self.leaves_king_safe(variant, mv, king)
        });
    }

    /// Whether the side to move has any legal move.
    pub fn has_legal_move(&self, variant: &Variant) -> bool {
        // Most positions have many moves, so stopping at the first legal one matters more than a short list.
        let mut moves = vec![];
        self.pseudo_legal_moves(variant, &mut moves);
        moves.iter().any(|mv| !self.after(variant, mv).in_check(variant, self.turn()))
    }

    /// Whether the side to move is mated.
    pub fn is_checkmate(&self, variant: &Variant) -> bool {
        self.in_check(variant, self.turn()) && !self.has_legal_move(variant)
    }

    /// Whether the side to move is stalemated.
    pub fn is_stalemate(&self, variant: &Variant) -> bool {
        !self.in_check(variant, self.turn()) && !self.has_legal_move(variant)
    }

    /// Calls back with the position after each legal move that changes the material, captures en passant left aside,
    /// until `visit` fails.
    ///
    /// # Errors
    /// Those of `visit`.
    pub fn each_conversion<E>(
        &self,
        variant: &Variant,
        mut visit: impl FnMut(&Position) -> Result<(), E>,
    ) -> Result<(), E> {
        let (color, pawn) = (self.turn(), variant.pawn());
        let enemies = self.side(color.other()) - self.men(color.other(), Role::KING);
        let mut leads_to = |mv: &Move| {
            let after = self.after(variant, mv);
            if after.in_check(variant, color) { Ok(()) } else { visit(&after) }
        };
        for role in variant.roles() {
            for from in self.men(color, role) {
                if role != pawn {
                    // Most men do not even reach an enemy on an empty board.
                    let reaches_to = &variant.movement(role).reaches_to;
                    let reached: CellSet = enemies.iter().filter(|to| reaches_to[to.index()].contains(from)).collect();
                    if !reached.is_empty() {
                        for to in variant.attacks(role, from, self.occupied()) & reached {
                            leads_to(&self.move_to(role, from, to))?;
                        }
                    }
                    continue;
                }
                let rules = variant.pawn_rules(color);
                let steps = rules.paths[from.index()].iter().flat_map(|path| {
                    path.iter()
                        .take_while(|to| !self.occupied().contains(**to))
                        .filter(|to| rules.promotion.contains(**to))
                });
                for to in (rules.captures[from.index()] & enemies).iter().chain(steps.copied()) {
                    let mv = self.move_to(role, from, to);
                    match rules.promotion.contains(to) {
                        false => leads_to(&mv)?,
                        true => {
                            let mut promotions = variant.promotions().iter();
                            promotions.try_for_each(|&to| leads_to(&Move { promotion: Some(to), ..mv }))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The number of sequences of `depth` legal moves.
    pub fn perft(&self, variant: &Variant, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal_moves(variant);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|mv| self.after(variant, mv).perft(variant, depth - 1)).sum()
    }

    /// Whether a pseudo-legal move leaves the mover's king, now on `king`, unattacked.
    fn leaves_king_safe(&self, variant: &Variant, mv: &Move, king: Cell) -> bool {
        let king = if mv.role == Role::KING { mv.to } else { king };
        let mut occupied = (self.occupied() - mv.from.set()) | mv.to.set();
        // A man that the move takes is still in the sets of this position but attacks nothing.
        let mut taken = mv.to.set();
        if let (MoveKind::EnPassant, Some(right)) = (mv.kind, self.en_passant()) {
            occupied.remove(right.pawn);
            taken.insert(right.pawn);
        }
        (self.attackers(variant, king, self.turn().other(), occupied) - taken).is_empty()
    }

    /// Own men that may stand between the king and an enemy slider: moving any other man exposes nothing.
    fn shields(&self, variant: &Variant, king: Cell, color: Color) -> CellSet {
        let mut shields = CellSet::EMPTY;
        for role in variant.roles() {
            let movement = variant.movement(role);
            let sliders = self.men(color.other(), role) & movement.reaches_to[king.index()];
            if sliders.is_empty() {
                continue;
            }
            for &d in &movement.slides_to {
                if variant.directions()[d].rays[king.index()].intersects(sliders) {
                    shields |= variant.ray(d, king, self.occupied()) & self.side(color);
                }
            }
        }
        shields
    }

    /// Moves that may leave the king attacked.
    pub(super) fn pseudo_legal_moves(&self, variant: &Variant, moves: &mut Vec<Move>) {
        let color = self.turn();
        for role in variant.roles() {
            for from in self.men(color, role) {
                if role == variant.pawn() {
                    self.pawn_moves(variant, from, moves);
                } else {
                    let targets = variant.attacks(role, from, self.occupied()) - self.side(color);
                    for to in targets {
                        moves.push(self.move_to(role, from, to));
                    }
                }
            }
        }
    }

    fn move_to(&self, role: Role, from: Cell, to: Cell) -> Move {
        let captured = if self.occupied().contains(to) { self.role_at(to) } else { None };
        let kind = if captured.is_some() { MoveKind::Capture } else { MoveKind::Quiet };
        Move { from, to, role, kind, captured, promotion: None }
    }

    fn pawn_moves(&self, variant: &Variant, from: Cell, moves: &mut Vec<Move>) {
        let color = self.turn();
        let rules = variant.pawn_rules(color);
        let role = variant.pawn();
        let mut push = |mv: Move| {
            if rules.promotion.contains(mv.to) {
                moves.extend(variant.promotions().iter().map(|&p| Move { promotion: Some(p), ..mv }));
            } else {
                moves.push(mv);
            }
        };
        for path in &rules.paths[from.index()] {
            for (steps, &to) in path.iter().enumerate() {
                if self.occupied().contains(to) {
                    break;
                }
                let kind = if steps == 0 { MoveKind::Quiet } else { MoveKind::MultiStep };
                push(Move { from, to, role, kind, captured: None, promotion: None });
            }
        }
        let captures = rules.captures[from.index()];
        for to in captures & self.side(color.other()) {
            push(self.move_to(role, from, to));
        }
        if let Some(right) = self.en_passant() {
            for to in captures & right.skipped {
                push(Move { from, to, role, kind: MoveKind::EnPassant, captured: Some(role), promotion: None });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Fen;
    use super::*;

    /// In positions reached by legal moves, so that all kinds of moves come up.
    #[test]
    fn conversions_are_the_legal_captures_and_promotions() {
        for variant in ["glinski", "orthodox"] {
            let variant = Variant::named(variant).unwrap();
            let start = variant.description().start.as_ref().unwrap();
            let mut state = 0x9e37_79b9_7f4a_7c15u64;
            let mut converting = 0;
            for _ in 0..30 {
                let mut position = Fen::parse(&variant, start).unwrap().position;
                for _ in 0..120 {
                    let moves = position.legal_moves(&variant);
                    if moves.is_empty() {
                        break;
                    }
                    let expected = moves.iter().filter(|mv| mv.is_conversion() && mv.kind != MoveKind::EnPassant);
                    let mut expected: Vec<Position> = expected.map(|mv| position.after(&variant, mv)).collect();
                    let mut found = vec![];
                    let visit = |after: &Position| {
                        found.push(*after);
                        Ok::<(), ()>(())
                    };
                    position.each_conversion(&variant, visit).unwrap();
                    converting += found.len();
                    let order = |position: &Position| format!("{position:?}");
                    expected.sort_by_key(order);
                    found.sort_by_key(order);
                    assert_eq!(found, expected);
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    position = position.after(&variant, &moves[(state >> 33) as usize % moves.len()]);
                }
            }
            assert!(converting > 1000, "{converting}");
        }
    }
}

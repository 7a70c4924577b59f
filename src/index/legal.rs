//! Which positions of a row are legal: all men apart, and the side to move does not attack the enemy king.
//!
//! Derived from how men move, for all cells of the column man at once.

use crate::geometry::{Cell, CellSet, Color, Man, Role, Variant};

/// What the rules say of rows of a slice.
pub struct RowRules<'a> {
    pub variant: &'a Variant,
    /// The men; the last is the column man.
    pub men: &'a [Man],
    /// Pawns that are not among these men.
    pub pawns: [CellSet; 2],
}

impl RowRules<'_> {
    /// The columns that are legal positions with `turn` to move, the other men standing on `known`, pawns where pawns
    /// can stand; the column man is none.
    pub fn legal(&self, known: &[Cell], turn: Color) -> CellSet {
        let mut taken = self.pawns[0] | self.pawns[1];
        for &cell in known {
            if taken.contains(cell) {
                return CellSet::EMPTY;
            }
            taken.insert(cell);
        }
        self.variant.board().all() - taken - self.king_attacked(known, taken, turn)
    }

    /// The columns in which `by` attacks the enemy king, the other men standing on `known` and, pawns included, on
    /// `taken`, all apart.
    pub fn king_attacked(&self, known: &[Cell], taken: CellSet, by: Color) -> CellSet {
        let variant = self.variant;
        let is_king = |man: &Man| man.role == Role::KING && man.color != by;
        let king = self.men.iter().position(is_king).expect("a material has two kings");
        let pawn_rules = variant.pawn_rules(by);
        let known_of = || known.iter().zip(self.men).filter(|(_, man)| man.color == by);
        if king == known.len() {
            // The column man is the king itself: the cells that the others attack.
            let attacked =
                known_of().fold(CellSet::EMPTY, |set, (&cell, man)| set | variant.attacked_by(*man, cell, taken));
            return self.pawns[by.index()].iter().fold(attacked, |set, cell| set | pawn_rules.captures[cell.index()]);
        }
        let king = known[king];
        let pawns = pawn_rules.captured_from[king.index()];
        if pawns.intersects(self.pawns[by.index()]) {
            return variant.board().all();
        }
        let mut columns = CellSet::EMPTY;
        for (&cell, man) in known_of() {
            let movement = variant.movement(man.role);
            let near = if man.role == variant.pawn() { pawns } else { movement.steps_to[king.index()] };
            if near.contains(cell) {
                return variant.board().all();
            }
            for &d in &movement.slides_to {
                let ray = variant.ray(d, king, taken);
                if ray.contains(cell) {
                    // Attacked unless the column man stands between.
                    columns |= variant.board().all() - (ray - cell.set());
                }
            }
        }
        let column_man = self.men[known.len()];
        if column_man.color == by {
            columns |= variant.attackers_of(column_man, king, taken);
        }
        columns
    }
}

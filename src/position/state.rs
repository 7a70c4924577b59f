//! A position: who stands where, whose move it is, and what may be taken en passant.
//!
//! Knows how to make a move and what attacks a cell, not which moves are legal.

use super::moves::{Move, MoveKind};
use crate::geometry::{Cell, CellSet, Color, MAX_ROLES, Man, Role, Variant};

/// The right to take a pawn en passant on the very next move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnPassant {
    /// The cells the pawn skipped: it may be taken by a capture onto any of them.
    pub skipped: CellSet,
    /// Where the pawn stands.
    pub pawn: Cell,
}

/// Men on cells, a side to move and perhaps a right to capture en passant.
///
/// The order of positions means nothing; it is there to choose one of several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    by_role: [CellSet; MAX_ROLES],
    by_color: [CellSet; 2],
    turn: Color,
    en_passant: Option<EnPassant>,
}

impl Position {
    /// A board without men.
    pub fn empty(turn: Color) -> Position {
        Position { by_role: [CellSet::EMPTY; MAX_ROLES], by_color: [CellSet::EMPTY; 2], turn, en_passant: None }
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    pub fn set_turn(&mut self, turn: Color) {
        self.turn = turn;
    }

    #[inline]
    pub fn en_passant(&self) -> Option<EnPassant> {
        self.en_passant
    }

    pub fn set_en_passant(&mut self, right: Option<EnPassant>) {
        self.en_passant = right;
    }

    /// Puts a man on an empty cell.
    #[inline]
    pub fn put(&mut self, man: Man, cell: Cell) {
        self.by_role[man.role.index()].insert(cell);
        self.by_color[man.color.index()].insert(cell);
    }

    /// Takes away a man that stands on a cell.
    #[inline]
    pub fn take(&mut self, man: Man, cell: Cell) {
        self.by_role[man.role.index()].remove(cell);
        self.by_color[man.color.index()].remove(cell);
    }

    /// Takes away whatever stands on a cell.
    #[inline]
    pub fn clear(&mut self, cell: Cell) {
        let keep = !cell.set();
        for set in self.by_role.iter_mut().chain(&mut self.by_color) {
            *set &= keep;
        }
    }

    /// The men of one kind and side.
    #[inline]
    pub fn men(&self, color: Color, role: Role) -> CellSet {
        self.by_role[role.index()] & self.by_color[color.index()]
    }

    /// All men of a side.
    #[inline]
    pub fn side(&self, color: Color) -> CellSet {
        self.by_color[color.index()]
    }

    #[inline]
    pub fn occupied(&self) -> CellSet {
        self.by_color[0] | self.by_color[1]
    }

    /// The man on a cell.
    #[inline]
    pub fn man_at(&self, cell: Cell) -> Option<Man> {
        let color = Color::BOTH.into_iter().find(|c| self.side(*c).contains(cell))?;
        self.role_at(cell).map(|role| Man { color, role })
    }

    /// The kind of man on a cell.
    #[inline]
    pub fn role_at(&self, cell: Cell) -> Option<Role> {
        self.by_role.iter().position(|set| set.contains(cell)).map(|i| Role(i as u8))
    }

    /// All men with their cells, in the order of the cells.
    pub fn men_on_board(&self) -> impl Iterator<Item = (Cell, Man)> + '_ {
        self.occupied().iter().filter_map(|cell| self.man_at(cell).map(|man| (cell, man)))
    }

    /// The king of a side; the lowest if there are several, as in a position not yet checked.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Cell> {
        self.men(color, Role::KING).lowest()
    }

    /// The men of `by` that attack `cell` when the cells of `occupied` are taken.
    pub fn attackers(&self, variant: &Variant, cell: Cell, by: Color, occupied: CellSet) -> CellSet {
        let mut attackers = variant.pawn_rules(by).captured_from[cell.index()] & self.men(by, variant.pawn());
        for role in variant.roles() {
            let movement = variant.movement(role);
            // Men that do not even reach the cell on an empty board are most, and cheap to leave out.
            let men = self.men(by, role) & movement.reaches_to[cell.index()];
            if men.is_empty() {
                continue;
            }
            attackers |= movement.steps_to[cell.index()] & men;
            for &d in &movement.slides_to {
                if variant.directions()[d].rays[cell.index()].intersects(men) {
                    attackers |= variant.ray(d, cell, occupied) & men;
                }
            }
        }
        attackers
    }

    /// Whether the king of `color` is attacked.
    pub fn in_check(&self, variant: &Variant, color: Color) -> bool {
        self.king(color).is_some_and(|k| !self.attackers(variant, k, color.other(), self.occupied()).is_empty())
    }

    /// The position after a pseudo-legal move of this position.
    #[inline]
    pub fn after(&self, variant: &Variant, mv: &Move) -> Position {
        let mut next = *self;
        let color = self.turn;
        next.take(Man { color, role: mv.role }, mv.from);
        if let Some(role) = mv.captured {
            let cell = match (mv.kind, self.en_passant) {
                (MoveKind::EnPassant, Some(right)) => right.pawn,
                _ => mv.to,
            };
            next.take(Man { color: color.other(), role }, cell);
        }
        next.put(Man { color, role: mv.promotion.unwrap_or(mv.role) }, mv.to);
        next.en_passant = match mv.kind {
            MoveKind::MultiStep => {
                Some(EnPassant { skipped: skipped_cells(variant, color, mv.from, mv.to), pawn: mv.to })
            }
            _ => None,
        };
        next.turn = color.other();
        next
    }

    /// This position with the colours of the men, the side to move and the board swapped.
    pub fn with_colours_swapped(&self, variant: &Variant) -> Position {
        let mut swapped = Position::empty(self.turn.other());
        let map = variant.colour_swap();
        for (cell, man) in self.men_on_board() {
            swapped.put(Man { color: man.color.other(), role: man.role }, map.apply(cell));
        }
        swapped.en_passant =
            self.en_passant.map(|e| EnPassant { skipped: map.apply_set(e.skipped), pawn: map.apply(e.pawn) });
        swapped
    }

    /// The image of this position under a symmetry of the board (one that keeps pawns, if there are any).
    pub fn mapped(&self, symmetry: &crate::geometry::Symmetry) -> Position {
        let mut image = *self;
        for set in image.by_role.iter_mut().chain(&mut image.by_color) {
            *set = symmetry.apply_set(*set);
        }
        image.en_passant =
            self.en_passant.map(|e| EnPassant { skipped: symmetry.apply_set(e.skipped), pawn: symmetry.apply(e.pawn) });
        image
    }

    /// The images of this position under all symmetries that the men on the board have, itself among them; those of
    /// a position on an axis come several times.
    pub fn images<'a>(&'a self, variant: &'a Variant) -> impl Iterator<Item = Position> + 'a {
        let pawns = Color::BOTH.into_iter().any(|color| !self.men(color, variant.pawn()).is_empty());
        let count = if pawns { variant.pawn_symmetries().len() } else { variant.symmetries().len() };
        let number = move |i: usize| if pawns { variant.pawn_symmetries()[i] } else { i };
        (0..count).map(move |i| self.mapped(&variant.symmetries()[number(i)]))
    }
}

/// The cells that a pawn passes over between `from` and `to`.
pub(super) fn skipped_cells(variant: &Variant, color: Color, from: Cell, to: Cell) -> CellSet {
    let paths = &variant.pawn_rules(color).paths[from.index()];
    let path = paths.iter().find(|path| path.contains(&to));
    path.map_or(CellSet::EMPTY, |path| path.iter().copied().take_while(|&c| c != to).collect())
}

//! Material: which men are on the board, as a name and as a key.
//!
//! A material is written stronger side first (more men, then the stronger men by the variant's order), as in
//! KQKR. Knows nothing of where the men stand.

use crate::geometry::{CellSet, Color, Man, Role, Variant};
use crate::position::Position;

/// Why a text is not a material.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MaterialError {
    #[error("material \"{name}\": found '{found}', expected one of {letters}")]
    Letter { name: String, found: char, letters: String },
    #[error("material \"{0}\" needs two kings, one at the start of each side, as in KQKR")]
    Kings(String),
    #[error("material \"{name}\" has {men} men; tables of more than {most} men cannot be made")]
    TooMany { name: String, men: usize, most: usize },
}

/// The most men a table may have, kings included.
pub const MOST_MEN: usize = 6;

/// How many men of each kind and side a position has, packed: a fast way to find its table.
///
/// Four bits a count, so only meaningful for positions of up to 15 men of a kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MaterialKey(u64);

impl MaterialKey {
    /// The key of a position.
    #[inline]
    pub fn of(variant: &Variant, position: &Position) -> MaterialKey {
        // Most kinds of men are not there.
        let len = |men: CellSet| if men.is_empty() { 0 } else { men.len() as u64 };
        let count = |key, role| {
            let of = |color| len(position.men(color, role));
            key << 8 | of(Color::White) << 4 | of(Color::Black)
        };
        MaterialKey(variant.roles().fold(0, count))
    }

    /// The key of a material whose first side is White, or Black if `swapped`.
    pub fn of_material(variant: &Variant, material: &Material, swapped: bool) -> MaterialKey {
        let [first, second] = if swapped { [Color::Black, Color::White] } else { Color::BOTH };
        let count = |key, role| {
            let of = |color| material.side(color).iter().filter(|&&r| r == role).count() as u64;
            key << 8 | of(first) << 4 | of(second)
        };
        MaterialKey(variant.roles().fold(0, count))
    }
}

/// A material, the stronger side first. In tables and statistics the first side is White.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Material {
    /// The roles of each side, strongest first; the king leads.
    sides: [Vec<Role>; 2],
}

impl Material {
    /// The material of two sides in either order, and whether they had to be swapped to put the stronger first.
    pub fn of_sides(white: &[Role], black: &[Role]) -> (Material, bool) {
        let mut sides = [white.to_vec(), black.to_vec()];
        sides.iter_mut().for_each(|side| side.sort());
        let swapped = weaker(&sides[0], &sides[1]);
        if swapped {
            sides.swap(0, 1);
        }
        (Material { sides }, swapped)
    }

    /// The material of a position, and whether White has the second side.
    pub fn of(variant: &Variant, position: &Position) -> (Material, bool) {
        let side = |color| -> Vec<Role> {
            variant.roles().flat_map(|r| std::iter::repeat_n(r, position.men(color, r).len())).collect()
        };
        Material::of_sides(&side(Color::White), &side(Color::Black))
    }

    /// Reads a name: KQKR, KQvKR, krkq and KRKQ all mean KQKR.
    ///
    /// # Errors
    /// On letters that stand for no man, where there are not two kings, and on too many men.
    pub fn parse(variant: &Variant, name: &str) -> Result<Material, MaterialError> {
        let shown: String = name.chars().take(40).filter(|c| !c.is_control()).collect();
        let mut sides: Vec<Vec<Role>> = vec![];
        let mut after_v = false;
        for found in name.chars() {
            if matches!(found, 'v' | 'V') && variant.role_with_letter('V').is_none() && !after_v && sides.len() == 1 {
                after_v = true;
                continue;
            }
            let Some(role) = variant.role_with_letter(found.to_ascii_uppercase()) else {
                let letters = variant.roles().map(|r| variant.letter(r)).collect();
                let found = if found.is_control() { '\u{fffd}' } else { found };
                return Err(MaterialError::Letter { name: shown, found, letters });
            };
            let second_begun = sides.len() == 2;
            match sides.last_mut() {
                _ if role == Role::KING => sides.push(vec![role]),
                Some(side) if !after_v || second_begun => side.push(role),
                _ => return Err(MaterialError::Kings(shown)),
            }
        }
        let [white, black] = &sides[..] else { return Err(MaterialError::Kings(shown)) };
        let men = white.len() + black.len();
        if men > MOST_MEN {
            return Err(MaterialError::TooMany { name: shown, men, most: MOST_MEN });
        }
        Ok(Material::of_sides(white, black).0)
    }

    /// All materials of this many men, bare kings included, in the order in which their tables can be made.
    pub fn all_with(variant: &Variant, men: usize) -> Vec<Material> {
        let mut found = vec![];
        let kinds: Vec<Role> = variant.roles().skip(1).collect();
        for strong in (1..men).rev() {
            for first in multisets(&kinds, strong - 1) {
                for second in multisets(&kinds, men - strong - 1) {
                    let with_king = |side: &[Role]| [&[Role::KING][..], side].concat();
                    let (material, swapped) = Material::of_sides(&with_king(&first), &with_king(&second));
                    if !swapped {
                        found.push(material);
                    }
                }
            }
        }
        found.sort_by_key(|m| m.pawn_count(variant));
        found
    }

    /// The roles of a side, the king first, then strongest first.
    pub fn side(&self, color: Color) -> &[Role] {
        &self.sides[color.index()]
    }

    /// The name, as in KQKR.
    pub fn name(&self, variant: &Variant) -> String {
        self.sides.iter().flatten().map(|&r| variant.letter(r)).collect()
    }

    /// The men, White's king first, then Black's, then the others as the name has them: like men next to each other.
    pub fn men_in_order(&self) -> Vec<Man> {
        let side = |color| self.side(color).iter().map(move |&role| Man { color, role });
        let (kings, others): (Vec<Man>, Vec<Man>) =
            Color::BOTH.into_iter().flat_map(side).partition(|man| man.role == Role::KING);
        [kings, others].concat()
    }

    /// The number of men, kings included.
    pub fn men(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }

    pub fn pawn_count(&self, variant: &Variant) -> usize {
        self.sides.iter().flatten().filter(|&&r| r == variant.pawn()).count()
    }

    pub fn has_pawns(&self, variant: &Variant) -> bool {
        self.pawn_count(variant) > 0
    }

    /// Whether both sides have the same men.
    pub fn is_symmetric(&self) -> bool {
        self.sides[0] == self.sides[1]
    }

    /// The materials that one capture or promotion leads to, without repetition.
    pub fn conversions(&self, variant: &Variant) -> Vec<Material> {
        let mut found = vec![];
        for mover in Color::BOTH {
            let (own, enemy) = (self.side(mover), self.side(mover.other()));
            // What the mover's side and the enemy's may be after the move; unchanged counts on either side.
            let mut owns = vec![own.to_vec()];
            if own.contains(&variant.pawn()) {
                owns.extend(variant.promotions().iter().map(|&p| replaced(own, variant.pawn(), Some(p))));
            }
            let mut enemies = vec![enemy.to_vec()];
            let victims = enemy.iter().copied().filter(|&r| r != Role::KING);
            enemies.extend(victims.map(|victim| replaced(enemy, victim, None)));
            for own in &owns {
                for enemy in &enemies {
                    let material = match mover {
                        Color::White => Material::of_sides(own, enemy).0,
                        Color::Black => Material::of_sides(enemy, own).0,
                    };
                    if material != *self && !found.contains(&material) {
                        found.push(material);
                    }
                }
            }
        }
        found
    }

    /// This material and all that it can turn into, each after everything that it can turn into itself.
    pub fn with_dependencies(&self, variant: &Variant) -> Vec<Material> {
        let mut order = vec![];
        fn visit(material: &Material, variant: &Variant, order: &mut Vec<Material>) {
            if order.contains(material) {
                return;
            }
            for next in material.conversions(variant) {
                visit(&next, variant, order);
            }
            order.push(material.clone());
        }
        visit(self, variant, &mut order);
        order
    }
}

/// Whether `a` is the weaker side: fewer men, or weaker ones at the first difference.
fn weaker(a: &[Role], b: &[Role]) -> bool {
    (b.len(), a) > (a.len(), b)
}

/// A side with one man of a role removed or replaced.
fn replaced(side: &[Role], old: Role, new: Option<Role>) -> Vec<Role> {
    let mut side = side.to_vec();
    if let Some(at) = side.iter().position(|&r| r == old) {
        side.remove(at);
    }
    side.extend(new);
    side.sort();
    side
}

/// All multisets of `size` of the given roles, each sorted.
fn multisets(kinds: &[Role], size: usize) -> Vec<Vec<Role>> {
    if size == 0 {
        return vec![vec![]];
    }
    let each = kinds.iter().enumerate().flat_map(|(i, &first)| {
        multisets(&kinds[i..], size - 1).into_iter().map(move |rest| [&[first][..], &rest].concat())
    });
    each.collect()
}

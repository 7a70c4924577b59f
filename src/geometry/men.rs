//! The two sides and the kinds of men, without any rule.

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    White,
    Black,
}

impl Color {
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// The opponent.
    #[inline]
    pub fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// `White` or `Black`.
    pub fn name(self) -> &'static str {
        match self {
            Color::White => "White",
            Color::Black => "Black",
        }
    }

    /// `w` or `b`, as in a FEN.
    pub fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

/// A kind of man: an index into [`Variant::roles`](super::Variant::roles). The royal piece is number 0, the
/// pawn the last; smaller numbers are stronger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Role(pub u8);

/// The most kinds of men a variant may have.
pub const MAX_ROLES: usize = 8;

impl Role {
    /// The royal piece of every variant.
    pub const KING: Role = Role(0);

    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A man: a side and a kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Man {
    pub color: Color,
    pub role: Role,
}

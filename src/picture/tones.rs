//! The colours of cells.
//!
//! Knows the names of colour classes and nothing of shapes or men. The tones differ enough in brightness to be
//! told apart in grey.

use crate::geometry::{Board, Cell};

/// How bright a cell is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Tone {
    Dark,
    Medium,
    Light,
}

impl Tone {
    /// The tone of a cell: what its colour class is called, or else where the class stands among the others.
    pub(super) fn of(board: &Board, cell: Cell) -> Tone {
        let class = board.colour(cell) as usize;
        let names = board.colour_names();
        match (names.get(class).map_or("", |n| n.as_str()), names.len(), class % 3) {
            ("light", ..) => Tone::Light,
            ("medium", ..) => Tone::Medium,
            ("dark", ..) => Tone::Dark,
            (_, 0 | 1, _) => Tone::Light,
            (_, 2, 0) => Tone::Dark,
            (_, 2, _) => Tone::Light,
            (_, _, 0) => Tone::Medium,
            (_, _, 1) => Tone::Light,
            _ => Tone::Dark,
        }
    }

    /// Red, green and blue on paper.
    pub(super) fn rgb(self) -> [u8; 3] {
        match self {
            Tone::Light => [0xf6, 0xe3, 0xbf],
            Tone::Medium => [0xdf, 0xb0, 0x76],
            Tone::Dark => [0xb2, 0x7c, 0x48],
        }
    }

    /// The same for a terminal, where thin white and black letters must both be readable on every tone.
    pub(super) fn terminal_rgb(self) -> [u8; 3] {
        match self {
            Tone::Light => [0xbc, 0x98, 0x6a],
            Tone::Medium => [0x96, 0x6c, 0x41],
            Tone::Dark => [0x70, 0x4a, 0x2b],
        }
    }

    /// The mark of an empty cell where there are no colours.
    pub(super) fn mark(self) -> char {
        match self {
            Tone::Light => '.',
            Tone::Medium => ':',
            Tone::Dark => '+',
        }
    }
}

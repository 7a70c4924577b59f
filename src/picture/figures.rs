//! The shapes of the men, drawn for this program.
//!
//! A figure is SVG path data around the middle of a cell, in units of about a hundredth of the cell's
//! height, y downwards. Nothing here knows of colours, boards or sizes in pixels.

/// The shape of a kind of man.
pub(super) struct Figure {
    /// Closed outlines, filled and then drawn around, one over the other.
    pub(super) outlines: &'static [&'static str],
    /// Thin lines over them.
    pub(super) lines: &'static str,
    /// Small full areas over them.
    pub(super) dots: &'static str,
}

/// The figure for a role's capital letter, if it is one of K Q R B N P.
pub(super) fn figure(letter: char) -> Option<&'static Figure> {
    match letter {
        'K' => Some(&KING),
        'Q' => Some(&QUEEN),
        'R' => Some(&ROOK),
        'B' => Some(&BISHOP),
        'N' => Some(&KNIGHT),
        'P' => Some(&PAWN),
        _ => None,
    }
}

const KING: Figure = Figure {
    outlines: &[
        "M-3 -22V-30H-9.5V-36H-3V-42H3V-36H9.5V-30H3V-22Z",
        "M-14 16L-23 -10C-17 -20 -8 -23 0 -23C8 -23 17 -20 23 -10L14 16C15 22 25 24 25 31V37H-25V31C-25 24 -15 22 -14 16Z",
    ],
    lines: "M-19 -5C-8 -10 8 -10 19 -5M-14 15C-5 12 5 12 14 15M-22 29C-8 26 8 26 22 29",
    dots: "",
};

const QUEEN: Figure = Figure {
    outlines: &[
        "M-16 16L-31 -16L-18 -3L-17 -27L-7 -6L0 -31L7 -6L17 -27L18 -3L31 -16L16 16C17 22 25 24 25 31V37H-25V31C-25 24 -17 22 -16 16Z",
        "M-36 -18A4.5 4.5 0 1 1 -27 -18A4.5 4.5 0 1 1 -36 -18Z",
        "M-22 -30A4.5 4.5 0 1 1 -13 -30A4.5 4.5 0 1 1 -22 -30Z",
        "M-4.5 -35A4.5 4.5 0 1 1 4.5 -35A4.5 4.5 0 1 1 -4.5 -35Z",
        "M13 -30A4.5 4.5 0 1 1 22 -30A4.5 4.5 0 1 1 13 -30Z",
        "M27 -18A4.5 4.5 0 1 1 36 -18A4.5 4.5 0 1 1 27 -18Z",
    ],
    lines: "M-16 15C-5 12 5 12 16 15M-22 29C-8 26 8 26 22 29",
    dots: "",
};

const ROOK: Figure = Figure {
    outlines: &[
        "M-25 37V31C-25 27 -19 26 -18 21L-15 -10L-22 -16V-33H-13V-26H-5V-33H5V-26H13V-33H22V-16L15 -10L18 21C19 26 25 27 25 31V37Z",
    ],
    lines: "M-21 -16H21M-15 -9H15M-17 20H17M-22 29H22",
    dots: "",
};

const BISHOP: Figure = Figure {
    outlines: &[
        "M-5 -34A5 5 0 1 1 5 -34A5 5 0 1 1 -5 -34Z",
        "M-10 13C-24 4 -22 -13 0 -29C22 -13 24 4 10 13C11 22 24 23 24 31V37H-24V31C-24 23 -11 22 -10 13Z",
        "M-12 10H12C15.5 10 15.5 16 12 16H-12C-15.5 16 -15.5 10 -12 10Z",
    ],
    lines: "M1 -3L12 -16M-21 29C-8 26 8 26 21 29",
    dots: "",
};

const KNIGHT: Figure = Figure {
    outlines: &[
        "M-22 37V31C-22 27 -18 26 -17 22C-16 11 -3 6 -2 -5C-8 -1 -12 -1 -15 2C-17 6 -21 9 -25 6C-30 3 -31 -2 -29 -6C-25 -12 -22 -14 -20 -20C-18 -26 -14 -29 -9 -31L-8 -40L1 -33C19 -31 28 -12 25 12C24 19 22 23 22 26C22 28 25 28 25 31V37Z",
    ],
    lines: "M5 -26C15 -20 20 -7 18 13M-28 1L-23 2M-16 28C-5 26 10 26 20 28",
    dots: "M-15 -18A3 3 0 1 1 -9 -18A3 3 0 1 1 -15 -18Z",
};

const PAWN: Figure = Figure {
    outlines: &[
        "M-21 37V31C-21 23 -8 20 -6 0H-11C-14.5 0 -14.5 -6 -11 -6H-8A13 13 0 1 1 8 -6H11C14.5 -6 14.5 0 11 0H6C8 20 21 23 21 31V37Z",
    ],
    lines: "M-6 0H6M-18 29C-8 26 8 26 18 29",
    dots: "",
};

//! Colours and signs that tell apart what charts show, in grey and for the colour-blind too.
//!
//! Knows values and nothing of charts: the five values go from dark to light as they go from loss to win, and lines
//! also differ by their dashes and by the marks on them. What has a size goes from light to dark.

use crate::outcome::Value;
use plotters::style::RGBColor;

pub(super) const PAPER: RGBColor = RGBColor(255, 255, 255);
pub(super) const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
/// Less important words.
pub(super) const FAINT: RGBColor = RGBColor(0x59, 0x59, 0x59);
/// Lines that guide the eye.
pub(super) const GUIDE: RGBColor = RGBColor(0xd4, 0xd4, 0xd4);

/// The colour of an area that stands for a value.
pub(super) fn area(value: Value) -> RGBColor {
    match value {
        Value::Loss => RGBColor(0x2a, 0x12, 0x4d),
        Value::StalemateLoss => RGBColor(0x3a, 0x5f, 0x9e),
        Value::Draw => RGBColor(0x5f, 0xae, 0xb0),
        Value::StalemateWin => RGBColor(0xb5, 0xd9, 0x8c),
        Value::Win => RGBColor(0xfb, 0xf0, 0xb4),
    }
}

/// The mark on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Disc,
    Ring,
    Square,
    Diamond,
}

/// How a line that stands for a value is drawn.
pub(super) struct Line {
    /// Dark enough for a thin line on paper.
    pub(super) colour: RGBColor,
    pub(super) dashed: bool,
    pub(super) mark: Mark,
}

/// The line of a value: full where the game ends in mate, dashed where it ends in stalemate.
pub(super) fn line(value: Value) -> Line {
    let line = |red, green, blue, dashed, mark| Line { colour: RGBColor(red, green, blue), dashed, mark };
    match value {
        Value::Loss => line(0x2a, 0x12, 0x4d, false, Mark::Square),
        Value::StalemateLoss => line(0x3a, 0x5f, 0x9e, true, Mark::Diamond),
        Value::Draw => line(0x3f, 0x8e, 0x90, false, Mark::Ring),
        Value::StalemateWin => line(0x4f, 0x93, 0x2f, true, Mark::Ring),
        Value::Win => line(0xd9, 0x8a, 0x00, false, Mark::Disc),
    }
}

/// The colour for a size from 0 to 1, from light to dark.
pub(super) fn size(part: f64) -> RGBColor {
    const STOPS: [[f64; 3]; 5] =
        [[255.0, 251.0, 235.0], [250.0, 206.0, 132.0], [229.0, 126.0, 74.0], [152.0, 46.0, 87.0], [48.0, 12.0, 70.0]];
    let at = part.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let first = (at as usize).min(STOPS.len() - 2);
    let mix = |i: usize| {
        let (from, to) = (STOPS[first][i], STOPS[first + 1][i]);
        (from + (to - from) * (at - first as f64)).round() as u8
    };
    RGBColor(mix(0), mix(1), mix(2))
}

/// Ink or paper, whichever can be read on this colour.
pub(super) fn words_on(RGBColor(red, green, blue): RGBColor) -> RGBColor {
    let brightness = 0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue);
    if brightness > 140.0 { INK } else { PAPER }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As grey printers see it, from 0 to 255.
    fn grey(RGBColor(red, green, blue): RGBColor) -> f64 {
        0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue)
    }

    #[test]
    fn areas_grow_lighter_in_grey_from_loss_to_win() {
        let greys: Vec<f64> = Value::ALL.iter().map(|&value| grey(area(value))).collect();
        assert!(greys.windows(2).all(|pair| pair[1] - pair[0] > 30.0), "{greys:?}");
    }

    #[test]
    fn sizes_grow_darker_in_grey() {
        let greys: Vec<f64> = (0..=20).map(|i| grey(size(f64::from(i) / 20.0))).collect();
        assert!(greys.windows(2).all(|pair| pair[0] - pair[1] > 4.0), "{greys:?}");
    }

    #[test]
    fn lines_differ_by_more_than_their_colour_and_can_be_seen_on_paper() {
        let decisive = Value::ALL.into_iter().filter(|&value| value != Value::Draw);
        let marks: Vec<Mark> = decisive.clone().map(|value| line(value).mark).collect();
        assert!(marks.iter().enumerate().all(|(i, mark)| !marks[..i].contains(mark)), "{marks:?}");
        assert!(decisive.into_iter().all(|value| grey(line(value).colour) < 170.0));
    }
}

//! Two maps of the board: how far from mate the second side's king is on each cell, and where it is mated.
//!
//! A cell has its number and a colour for its size, the larger the darker. Where the cells stand comes from `layout`.

use super::canvas::{Align, HEADING, Heading, PictureError, Sheet, Words, draw, px, thousands};
use super::layout::Layout;
use super::palette::{FAINT, size, words_on};
use super::svg::{Scale, SvgOptions};
use crate::geometry::Variant;
use crate::index::Material;
use crate::survey::kings::{KingMap, OfCell};
use plotters::prelude::*;

const WIDTH: f64 = 1000.0;
/// The width of a map.
const MAP: f64 = 470.0;
/// The height of what is written over each map.
const CAPTION: f64 = 50.0;
/// The height of the scale of colours below.
const SCALE: f64 = 62.0;

/// What a map shows.
struct Shown<'a> {
    caption: &'a str,
    counted: String,
    unit: &'a str,
    /// For each cell its number, if it has one.
    numbers: Vec<Option<f64>>,
    /// Where the lightest colour is; the darkest is at the largest number.
    from: f64,
}

/// Draws the mean distance to mate and the share of mates for each cell of the second side's king, as an SVG document.
///
/// # Errors
/// [`PictureError::Chart`] if the drawing library fails.
pub fn kings(variant: &Variant, material: &Material, found: &KingMap) -> Result<String, PictureError> {
    let heading = Heading {
        title: format!("{}: Black's king, by the cell on which it stands", material.name(variant)),
        below: format!(
            "All legal positions of {} with Black, named second, to move, symmetric ones included",
            variant.description().title
        ),
    };
    let total = found.total();
    let means: Vec<Option<f64>> = found.cells.iter().map(OfCell::mean_plies).collect();
    let share = |of_cell: &OfCell| (of_cell.mated > 0).then(|| 100.0 * of_cell.mated as f64 / total.mated as f64);
    let shown = [
        Shown {
            caption: "How far from mate",
            counted: format!("mean over {} positions that Black loses", thousands(total.lost)),
            unit: "mean distance to mate, in plies",
            from: means.iter().flatten().copied().fold(f64::INFINITY, f64::min),
            numbers: means,
        },
        Shown {
            caption: "Where mate happens",
            counted: format!("share of {} positions in which Black is mated", thousands(total.mated)),
            unit: "% of all mates",
            numbers: found.cells.iter().map(share).collect(),
            from: 0.0,
        },
    ];
    let layout = Layout::new(variant.board());
    let scale = fitted(&layout);
    let height = HEADING + CAPTION + scale.size[1] + SCALE;
    draw([WIDTH, height], &heading, |sheet| {
        let middle = (WIDTH - 2.0 * MAP) / 3.0;
        for (i, shown) in shown.iter().enumerate() {
            let left = middle + i as f64 * (MAP + middle);
            let area = (px(MAP) as u32, px(height - HEADING) as u32);
            map(&sheet.clone().shrink((px(left), px(HEADING)), area), variant, &layout, &scale, shown)?;
        }
        Ok(())
    })
}

/// A scale at which the board is as wide as a map.
fn fitted(layout: &Layout) -> Scale {
    let of = |cell: u16| Scale::new(layout, &SvgOptions { cell, ..SvgOptions::default() });
    let hundred = of(100);
    // Boards that are higher than wide would not leave room for words otherwise.
    let largest = hundred.size[0].max(hundred.size[1]);
    of((100.0 * MAP / largest) as u16)
}

fn map(sheet: &Sheet, variant: &Variant, layout: &Layout, scale: &Scale, shown: &Shown) -> Result<(), PictureError> {
    Words::new(13.0).bold().align(Align::Centre).write(sheet, shown.caption, [MAP / 2.0, 14.0])?;
    Words::new(11.5).faint().align(Align::Centre).write(sheet, &shown.counted, [MAP / 2.0, 32.0])?;
    let [left, top] = [(MAP - scale.size[0]) / 2.0, CAPTION];
    let most = shown.numbers.iter().flatten().copied().fold(shown.from, f64::max);
    let part = |number: f64| if most > shown.from { (number - shown.from) / (most - shown.from) } else { 1.0 };
    let on_sheet = |[x, y]: [f64; 2]| [x + left, y + top];
    for (cell, number) in variant.board().cells().zip(&shown.numbers) {
        let middle = on_sheet(scale.point(layout.place(cell)));
        let mut corners: Vec<(i32, i32)> = scale.outline(middle, 1.0).iter().map(|&[x, y]| (px(x), px(y))).collect();
        let colour = number.map_or(super::palette::PAPER, |number| size(part(number)));
        sheet.draw(&Polygon::new(corners.clone(), colour.filled()))?;
        corners.extend(corners.first().copied());
        sheet.draw(&PathElement::new(corners, FAINT.stroke_width(px(0.5) as u32)))?;
        if let Some(number) = number {
            let words = Words::new((scale.cell * 0.29).min(15.0)).align(Align::Centre).colour(words_on(colour));
            words.write(sheet, &short(*number), middle)?;
        }
    }
    for label in &layout.labels {
        let at = scale.beside(layout.place(label.cell), label.at);
        Words::new(11.0).faint().align(Align::Centre).write(sheet, &label.text, on_sheet(at))?;
    }
    colours(sheet, shown, most, CAPTION + scale.size[1] + 14.0)
}

/// One decimal, and zero only where there is nothing.
fn short(number: f64) -> String {
    match format!("{number:.1}").as_str() {
        "0.0" if number > 0.0 => "<0.1".to_string(),
        "0.0" => "0".to_string(),
        text => text.to_string(),
    }
}

/// The scale of colours, with its least and greatest number.
fn colours(sheet: &Sheet, shown: &Shown, most: f64, y: f64) -> Result<(), PictureError> {
    const LENGTH: f64 = 240.0;
    const STEPS: i32 = 48;
    let words = Words::new(11.5);
    let left = (MAP - LENGTH) / 2.0;
    if shown.numbers.iter().flatten().next().is_none() {
        return words.align(Align::Centre).write(sheet, "there are none", [MAP / 2.0, y + 6.0]);
    }
    for step in 0..STEPS {
        let at = |step: i32| left + LENGTH * f64::from(step) / f64::from(STEPS);
        let corners = [(px(at(step)), px(y)), (px(at(step + 1)), px(y + 12.0))];
        sheet.draw(&Rectangle::new(corners, size((f64::from(step) + 0.5) / f64::from(STEPS)).filled()))?;
    }
    words.align(Align::Right).write(sheet, &short(shown.from), [left - 8.0, y + 6.0])?;
    words.write(sheet, &short(most), [left + LENGTH + 8.0, y + 6.0])?;
    words.align(Align::Centre).write(sheet, shown.unit, [MAP / 2.0, y + 26.0])
}

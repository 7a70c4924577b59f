//! A chart of the positions of a material by their distance to the end of the game.
//!
//! Two panels, White to move and Black to move; a line for each outcome that occurs. The numbers of positions are on a
//! logarithmic axis, as they differ by powers of ten.

use super::canvas::{Align, HEADING, Heading, MARGIN, PictureError, Sheet, Words, draw, px, thousands};
use super::palette::{FAINT, GUIDE, INK, Line, Mark, PAPER, line};
use crate::geometry::{Color as Side, Variant};
use crate::index::Material;
use crate::outcome::Value;
use crate::survey::distances::{Distribution, SideDistances};
use crate::survey::percentage::Printed;
use plotters::prelude::*;
use plotters::series::DashedLineSeries;

const SIZE: [f64; 2] = [1000.0, 500.0];
/// The height of the line at the bottom that explains the lines.
const LEGEND: f64 = 44.0;
/// The height of what is written over each panel.
const CAPTION: f64 = 24.0;
/// About as many marks are put on a line.
const MARKS: usize = 24;

/// Draws how many positions are how far from mate or stalemate, as an SVG document.
///
/// # Errors
/// [`PictureError::Chart`] if the drawing library fails.
pub fn distances(variant: &Variant, material: &Material, found: &Distribution) -> Result<String, PictureError> {
    let heading = Heading {
        title: format!("{}: positions by distance to the end of the game", material.name(variant)),
        below: format!(
            "All legal positions of {}, symmetric ones included; outcomes for the side to move",
            variant.description().title
        ),
    };
    draw(SIZE, &heading, |sheet| {
        let [width, height] = SIZE;
        let panels = sheet.margin(px(HEADING), px(LEGEND), px(MARGIN / 2.0), px(MARGIN / 2.0));
        let (left, right) = panels.split_horizontally(px((width - MARGIN) / 2.0));
        panel(&left, Side::White, found)?;
        panel(&right, Side::Black, found)?;
        legend(sheet, found, height - LEGEND / 2.0)
    })
}

/// The values that have a distance, best first.
fn decisive() -> impl Iterator<Item = Value> {
    Value::ALL.into_iter().rev().filter(|&value| value != Value::Draw)
}

fn panel(sheet: &Sheet, turn: Side, found: &Distribution) -> Result<(), PictureError> {
    let side = found.side(turn);
    let (share, caption) = (Printed::of(side.decisive(), side.legal, 1), format!("{} to move", turn.name()));
    let indent = 84.0;
    Words::new(13.0).bold().write(sheet, &caption, [indent, CAPTION / 2.0])?;
    let (decisive, legal) = (thousands(side.decisive()), thousands(side.legal));
    let counted = format!("{decisive} of {legal} positions decisive ({share} %)");
    let after = indent + Words::new(13.0).bold().length(&caption)? + 10.0;
    Words::new(11.5).faint().write(sheet, &counted, [after, CAPTION / 2.0])?;

    // Both panels have the same axes, so that they can be compared.
    let sides = [&found.w, &found.b];
    let longest = sides.iter().filter_map(|side| side.longest_plies()).max().unwrap_or(0);
    let counts = sides.iter().flat_map(|side| decisive_counts(side));
    let most = counts.max().unwrap_or(1);
    let mut chart = ChartBuilder::on(sheet)
        .margin_top(px(CAPTION + 4.0))
        .margin_right(px(16.0))
        .set_label_area_size(LabelAreaPosition::Left, px(84.0))
        .set_label_area_size(LabelAreaPosition::Bottom, px(50.0))
        .build_cartesian_2d(-1..i32::from(longest.max(1)) + 1, (0.7..2.0 * most as f64).log_scale())?;
    chart
        .configure_mesh()
        .bold_line_style(GUIDE.stroke_width(px(0.5) as u32))
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT)
        .x_labels(10)
        .y_labels(8)
        .x_label_formatter(&|plies| if *plies < 0 { String::new() } else { plies.to_string() })
        .y_label_formatter(&|&positions| if positions < 1.0 { String::new() } else { thousands(positions as u64) })
        .label_style(Words::new(11.5).style())
        .axis_desc_style(Words::new(12.0).style())
        .x_desc("distance to mate or stalemate with best play, in plies (moves of one side)")
        .y_desc("positions (logarithmic scale)")
        .set_all_tick_mark_size(px(4.0))
        .draw()?;
    for value in self::decisive() {
        let look = line(value);
        let points: Vec<(i32, f64)> = (0..)
            .zip(side.of(value))
            .filter(|&(_, &positions)| positions > 0)
            .map(|(plies, &positions)| (plies, positions as f64))
            .collect();
        let stroke = look.colour.stroke_width(px(1.6) as u32);
        // Distances of one outcome are 2 plies apart; no line leads over those that no position has.
        for run in points.chunk_by(|before, after| after.0 - before.0 == 2).map(<[_]>::to_vec) {
            match look.dashed {
                true => chart.draw_series(DashedLineSeries::new(run, px(6.0), px(4.0), stroke))?,
                false => chart.draw_series(LineSeries::new(run, stroke))?,
            };
        }
        let step = points.len().div_ceil(MARKS).max(1);
        let (origin_x, origin_y) = sheet.get_base_pixel();
        for (i, point) in points.iter().enumerate() {
            let ends_run = |other: Option<&(i32, f64)>| other.is_none_or(|other| (other.0 - point.0).abs() != 2);
            let (before, after) = (i.checked_sub(1).and_then(|i| points.get(i)), points.get(i + 1));
            if i % step == 0 || ends_run(before) || ends_run(after) {
                let (x, y) = chart.backend_coord(point);
                mark(sheet, &look, (x - origin_x, y - origin_y))?;
            }
        }
    }
    Ok(())
}

fn decisive_counts(side: &SideDistances) -> impl Iterator<Item = u64> {
    decisive().flat_map(|value| side.of(value).iter().copied())
}

/// Draws the mark of a line around a point of the drawing.
fn mark(sheet: &Sheet, look: &Line, (x, y): (i32, i32)) -> Result<(), PictureError> {
    let r = px(3.4);
    let thin = look.colour.stroke_width(px(1.4) as u32);
    match look.mark {
        Mark::Disc => sheet.draw(&Circle::new((x, y), r, look.colour.filled()))?,
        Mark::Ring => {
            sheet.draw(&Circle::new((x, y), r, PAPER.filled()))?;
            sheet.draw(&Circle::new((x, y), r, thin))?;
        }
        Mark::Square => {
            let half = px(2.9);
            sheet.draw(&Rectangle::new([(x - half, y - half), (x + half, y + half)], look.colour.filled()))?;
        }
        Mark::Diamond => {
            let r = px(4.2);
            let corners = vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y), (x, y - r)];
            sheet.draw(&Polygon::new(corners.clone(), PAPER.filled()))?;
            sheet.draw(&PathElement::new(corners, thin))?;
        }
    }
    Ok(())
}

/// Explains the lines that are drawn, in one line.
fn legend(sheet: &Sheet, found: &Distribution, y: f64) -> Result<(), PictureError> {
    const SAMPLE: f64 = 38.0;
    let occurs = |value: &Value| [&found.w, &found.b].iter().any(|side| !side.of(*value).is_empty());
    let drawn: Vec<Value> = decisive().filter(occurs).collect();
    let words = Words::new(12.0);
    if drawn.is_empty() {
        return words.align(Align::Centre).write(sheet, "all positions are drawn", [SIZE[0] / 2.0, y]);
    }
    let lengths: Vec<f64> = drawn.iter().map(|&v| words.length(meaning(v))).collect::<Result<_, _>>()?;
    let gap = 28.0;
    let all: f64 = lengths.iter().map(|length| SAMPLE + 8.0 + length + gap).sum();
    let mut x = (SIZE[0] - all + gap) / 2.0;
    for (&value, length) in drawn.iter().zip(lengths) {
        let look = line(value);
        let stroke = look.colour.stroke_width(px(1.6) as u32);
        let dash = |from: f64, to: f64| PathElement::new(vec![(px(from), px(y)), (px(to), px(y))], stroke);
        match look.dashed {
            true => {
                for from in [0.0, 10.0, 22.0, 32.0] {
                    sheet.draw(&dash(x + from, x + from + 6.0))?;
                }
            }
            false => sheet.draw(&dash(x, x + SAMPLE))?,
        }
        mark(sheet, &look, (px(x + SAMPLE / 2.0), px(y)))?;
        words.colour(INK).write(sheet, meaning(value), [x + SAMPLE + 8.0, y])?;
        x += SAMPLE + 8.0 + length + gap;
    }
    Ok(())
}

/// What an outcome means for the side to move.
fn meaning(value: Value) -> &'static str {
    match value {
        Value::Win => "win: it mates",
        Value::StalemateWin => "stalemate-win: it stalemates",
        Value::Draw => "draw",
        Value::StalemateLoss => "stalemate-loss: it is stalemated",
        Value::Loss => "loss: it is mated",
    }
}

//! A chart of the values of one or more materials: how many positions in a hundred are won, drawn, lost and so on.
//!
//! A row for each material; two panels, White to move and Black to move. The values come in one order, from loss to
//! win, and from dark to light.

use super::canvas::{Align, HEADING, Heading, MARGIN, PictureError, Sheet, Words, draw, px, thousands};
use super::palette::{FAINT, INK, PAPER, area, words_on};
use crate::geometry::{Color as Side, Variant};
use crate::index::Material;
use crate::outcome::Value;
use crate::statistics::{SideStatistics, Statistics};
use crate::survey::percentage::Printed;
use plotters::prelude::*;

const WIDTH: f64 = 1000.0;
/// The height of the line that explains the colours.
const LEGEND: f64 = 26.0;
/// The height of what is written over each panel.
const CAPTION: f64 = 26.0;
/// The height of the axis with its words.
const AXIS: f64 = 46.0;
/// The length of a bar, and of the number of positions after it.
const BAR: f64 = 330.0;
const COUNT: f64 = 96.0;

/// Draws the shares of the values of some materials, as an SVG document.
///
/// # Errors
/// [`PictureError::Chart`] if the drawing library fails.
pub fn values(variant: &Variant, rows: &[(Material, Statistics)]) -> Result<String, PictureError> {
    let names: Vec<String> = rows.iter().map(|(material, _)| material.name(variant)).collect();
    let heading = Heading {
        title: match &names[..] {
            [name] => format!("{name}: values of all positions"),
            names => format!("Values of all positions of {} materials", names.len()),
        },
        below: format!(
            "All legal positions of {}, symmetric ones included; values for the side to move; the first-named side is \
             White",
            variant.description().title
        ),
    };
    // Few rows are drawn larger.
    let row = if rows.len() <= 8 { 36.0 } else { 21.0 };
    let bars = row * rows.len() as f64;
    let height = HEADING + LEGEND + CAPTION + bars + AXIS;
    draw([WIDTH, height], &heading, |sheet| {
        legend(sheet, variant, HEADING + LEGEND / 2.0 - 2.0)?;
        let top = HEADING + LEGEND;
        let panel_width = BAR + COUNT + 8.0;
        let first = WIDTH - MARGIN / 2.0 - 2.0 * panel_width;
        let names_words = Words::new(if row > 30.0 { 14.0 } else { 12.0 }).bold().align(Align::Right);
        for (i, name) in names.iter().enumerate() {
            let y = top + CAPTION + row * (i as f64 + 0.5);
            names_words.write(sheet, name, [first - 10.0, y])?;
        }
        for (turn, left) in [(Side::White, first), (Side::Black, first + panel_width)] {
            Words::new(13.0).bold().write(sheet, &format!("{} to move", turn.name()), [left, top + CAPTION / 2.0])?;
            let counted = Words::new(11.5).faint().align(Align::Right);
            counted.write(sheet, "positions", [left + BAR + COUNT - 10.0, top + CAPTION / 2.0])?;
            let area = (px(BAR + COUNT) as u32, px(bars + AXIS) as u32);
            let panel = sheet.clone().shrink((px(left), px(top + CAPTION)), area);
            let sides: Vec<&SideStatistics> = rows.iter().map(|(_, statistics)| statistics.side(turn)).collect();
            draw_panel(&panel, &sides, row)?;
        }
        Ok(())
    })
}

fn draw_panel(sheet: &Sheet, sides: &[&SideStatistics], row: f64) -> Result<(), PictureError> {
    let rows = sides.len() as f64;
    let mut chart = ChartBuilder::on(sheet)
        .margin_right(px(COUNT))
        .set_label_area_size(LabelAreaPosition::Bottom, px(AXIS))
        .build_cartesian_2d(0.0..100.0, rows..0.0)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .disable_y_axis()
        .axis_style(FAINT)
        .x_labels(6)
        .x_label_formatter(&|percent| format!("{percent:.0}"))
        .label_style(Words::new(11.5).style())
        .axis_desc_style(Words::new(12.0).style())
        .x_desc("% of positions")
        .set_all_tick_mark_size(px(4.0))
        .draw()?;
    let words = Words::new(if row > 30.0 { 11.5 } else { 10.5 }).align(Align::Centre);
    for (i, side) in sides.iter().enumerate() {
        let (top, bottom) = (i as f64 + 0.12, i as f64 + 0.88);
        let middle = row * (i as f64 + 0.5);
        let mut before = 0;
        for value in Value::ALL {
            let count = side.count(value);
            if count == 0 {
                continue;
            }
            let percent = |positions: u64| 100.0 * positions as f64 / side.legal.max(1) as f64;
            let (from, to) = (percent(before), percent(before + count));
            before += count;
            let colour = area(value);
            chart.draw_series([Rectangle::new([(from, top), (to, bottom)], colour.filled())])?;
            // A thin line of paper between neighbours.
            if from > 0.0 {
                chart.draw_series([PathElement::new(vec![(from, top), (from, bottom)], PAPER.stroke_width(2))])?;
            }
            let share = share(count, side.legal);
            let length = (to - from) / 100.0 * BAR;
            if words.length(&share)? + 6.0 < length {
                let at = [(from + to) / 200.0 * BAR, middle];
                words.colour(words_on(colour)).write(sheet, &share, at)?;
            }
        }
        chart.draw_series([frame(top, bottom)])?;
        let count = Words::new(11.5).colour(INK).align(Align::Right);
        count.write(sheet, &thousands(side.legal), [BAR + COUNT - 10.0, middle])?;
    }
    Ok(())
}

/// A share in percent to one decimal, 100 only where it is exactly so.
fn share(count: u64, legal: u64) -> String {
    match Printed::of(count, legal, 1).to_string() {
        text if text == "100.0" && count < legal => ">99.9".to_string(),
        text if text == "100.0" => "100".to_string(),
        text => text,
    }
}

/// The line around a bar: the lightest value is hardly darker than paper.
fn frame(top: f64, bottom: f64) -> PathElement<(f64, f64)> {
    let corners = vec![(0.0, top), (100.0, top), (100.0, bottom), (0.0, bottom), (0.0, top)];
    PathElement::new(corners, FAINT.stroke_width(px(0.75) as u32))
}

/// Explains the colours, in the order of the bars.
fn legend(sheet: &Sheet, variant: &Variant, y: f64) -> Result<(), PictureError> {
    let words = Words::new(12.0);
    let mut x = MARGIN;
    for value in Value::ALL {
        let of_stalemate = matches!(value, Value::StalemateLoss | Value::StalemateWin);
        if of_stalemate && !variant.stalemate_counts() {
            continue;
        }
        let corners = [(px(x), px(y - 6.0)), (px(x + 18.0), px(y + 6.0))];
        sheet.draw(&Rectangle::new(corners, area(value).filled()))?;
        let [(left, top), (right, bottom)] = corners;
        let around = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        sheet.draw(&PathElement::new(around, FAINT.stroke_width(px(0.75) as u32)))?;
        words.write(sheet, value.word(), [x + 24.0, y])?;
        x += 24.0 + words.length(value.word())? + 24.0;
    }
    Ok(())
}

//! What all charts are drawn on: a sheet with a title that becomes an SVG document, and words in one typeface.
//!
//! Knows the drawing library and the typeface; knows nothing of what a chart shows. The same drawing gives the same
//! bytes on every machine, as words are measured with the typeface that is compiled in. Lengths are in pixels.

use super::palette::{FAINT, INK, PAPER};
use super::svg::{FONT, printable};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::sync::Once;

/// Why a picture cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    #[error("the chart cannot be drawn: {0}")]
    Chart(String),
    #[error("the picture cannot be turned into pixels: {0}")]
    Pixels(String),
}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for PictureError {
    fn from(error: DrawingAreaErrorKind<E>) -> PictureError {
        PictureError::Chart(error.to_string())
    }
}

/// Regular and bold, Latin letters only.
pub(super) const TYPEFACE: [&[u8]; 2] =
    [include_bytes!("fonts/Arimo-Regular.ttf"), include_bytes!("fonts/Arimo-Bold.ttf")];

/// Units of the drawing to a pixel: the library puts everything on whole units, and pixels would be too coarse.
const FINE: f64 = 4.0;

/// From pixels to units of the drawing.
pub(super) fn px(pixels: f64) -> i32 {
    (pixels * FINE).round() as i32
}

/// A part of the sheet.
pub(super) type Sheet<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Where words stand as seen from the point that they belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Align {
    /// They begin there.
    Left,
    Centre,
    /// They end there.
    Right,
}

/// How words look.
#[derive(Clone, Copy)]
pub(super) struct Words {
    /// The size of the typeface.
    size: f64,
    bold: bool,
    colour: RGBColor,
    align: Align,
}

impl Words {
    pub(super) fn new(size: f64) -> Words {
        Words { size, bold: false, colour: INK, align: Align::Left }
    }

    pub(super) fn bold(self) -> Words {
        Words { bold: true, ..self }
    }

    pub(super) fn faint(self) -> Words {
        Words { colour: FAINT, ..self }
    }

    pub(super) fn colour(self, colour: RGBColor) -> Words {
        Words { colour, ..self }
    }

    pub(super) fn align(self, align: Align) -> Words {
        Words { align, ..self }
    }

    /// The style in the drawing library, vertically centred on a point.
    pub(super) fn style(self) -> TextStyle<'static> {
        // The library divides sizes by this when it writes SVG.
        let size = self.size * FINE * 1.24;
        let style = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        let h_pos = match self.align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        let color = self.colour.to_backend_color();
        TextStyle { color, pos: Pos::new(h_pos, VPos::Center), ..TextStyle::from((FONT, size, style)) }
    }

    /// Writes on a line whose middle is at height y.
    pub(super) fn write(self, sheet: &Sheet, text: &str, [x, y]: [f64; 2]) -> Result<(), PictureError> {
        // The library centres small letters, half an ex above the baseline; here capitals are centred.
        let at = (px(x), px(y + 0.09 * self.size));
        sheet.draw(&Text::new(printable(text), at, self.style()))?;
        Ok(())
    }

    /// How long a text is.
    pub(super) fn length(self, text: &str) -> Result<f64, PictureError> {
        let (width, _) = self.style().font.box_size(text).map_err(|e| PictureError::Chart(e.to_string()))?;
        Ok(f64::from(width) / FINE)
    }
}

/// The title of a picture, for those who see it and those who hear it.
pub(super) struct Heading {
    pub(super) title: String,
    /// What is counted, in a smaller line.
    pub(super) below: String,
}

/// The height that the heading takes.
pub(super) const HEADING: f64 = 62.0;
/// Between the edge of the sheet and what is drawn.
pub(super) const MARGIN: f64 = 20.0;

/// Draws on a fresh sheet with a heading and returns the SVG document.
///
/// # Errors
/// Those of `paint`.
pub(super) fn draw(
    [width, height]: [f64; 2],
    heading: &Heading,
    paint: impl FnOnce(&Sheet) -> Result<(), PictureError>,
) -> Result<String, PictureError> {
    load_typeface();
    let mut drawn = String::new();
    {
        let sheet = SVGBackend::with_string(&mut drawn, (px(width) as u32, px(height) as u32)).into_drawing_area();
        sheet.fill(&PAPER)?;
        Words::new(18.0).bold().write(&sheet, &heading.title, [MARGIN, 24.0])?;
        Words::new(12.5).faint().write(&sheet, &heading.below, [MARGIN, 46.0])?;
        paint(&sheet)?;
        sheet.present()?;
    }
    Ok(with_title([width, height], heading, &drawn))
}

fn load_typeface() {
    static LOADED: Once = Once::new();
    LOADED.call_once(|| {
        for (style, bytes) in [FontStyle::Normal, FontStyle::Bold].into_iter().zip(TYPEFACE) {
            // A typeface that cannot be read is missed when the first word is drawn, which is an error told there.
            let _ = register_font(FONT, style, bytes);
        }
    });
}

/// The document with its size in pixels and a title to be read aloud, which the library does not write.
fn with_title([width, height]: [f64; 2], heading: &Heading, drawn: &str) -> String {
    let body = drawn.split_once('\n').map_or("", |(_first_tag, body)| body);
    let document = svg::Document::new()
        .set("viewBox", format!("0 0 {} {}", px(width), px(height)))
        .set("width", width)
        .set("height", height)
        .set("role", "img")
        .add(svg::node::element::Title::new(printable(&heading.title)))
        .add(svg::node::element::Description::new().add(svg::node::Text::new(printable(&heading.below))));
    let head = document.to_string();
    let head = head.trim_end().strip_suffix("</svg>").unwrap_or(&head);
    // The library ends with the closing tag.
    format!("{head}{body}")
}

/// A number with thousands separated.
pub(super) fn thousands(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

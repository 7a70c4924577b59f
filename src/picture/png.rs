//! An SVG document as a PNG file, for programs that take no SVG. Knows nothing of what is drawn.

use super::canvas::{PictureError, TYPEFACE};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels of the file to a pixel of the document: sharp in print too.
const SHARP: f32 = 2.0;

/// Draws an SVG document of this module with the typeface that is compiled in, whatever typefaces the machine has.
///
/// # Errors
/// When the document is no SVG or its picture too large for memory.
pub fn png(svg: &str) -> Result<Vec<u8>, PictureError> {
    let failed = |e: &dyn std::fmt::Display| PictureError::Pixels(e.to_string());
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    TYPEFACE.into_iter().for_each(|face| fonts.load_font_data(face.to_vec()));
    fonts.set_sans_serif_family("Arimo");
    let tree = Tree::from_str(svg, &options).map_err(|e| failed(&e))?;
    let size = tree.size().to_int_size().scale_by(SHARP).ok_or_else(|| failed(&"it has no size"))?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or_else(|| failed(&"it is too large"))?;
    resvg::render(&tree, Transform::from_scale(SHARP, SHARP), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| failed(&e))
}

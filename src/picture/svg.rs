//! A board as an SVG document that needs nothing else: no script, no style sheet, no font of its own.
//!
//! Knows pixels and paints; where the cells stand comes from `layout`, the shapes of the men from `figures`.
//! The same position and options give the same bytes.

use svg::Document;
use svg::node::Text;
use svg::node::element::{Circle, Description, Element, Group, Path, Polygon, Rectangle, Title};

use super::figures;
use super::layout::{Layout, Place, Tile};
use super::status;
use super::tones::Tone;
use crate::geometry::{Cell, Color, Man, Variant};
use crate::position::Position;

/// How [`svg()`] draws.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SvgOptions {
    /// The height of a cell, in pixels.
    pub cell: u16,
    /// Whether to write the letters of the files and the numbers of the ranks.
    pub coordinates: bool,
    /// Cells to set off, with a blue frame.
    pub marked: Vec<Cell>,
    /// Blue arrows from one cell to another, over everything else.
    pub arrows: Vec<(Cell, Cell)>,
}

impl Default for SvgOptions {
    fn default() -> SvgOptions {
        SvgOptions { cell: 48, coordinates: true, marked: vec![], arrows: vec![] }
    }
}

const PAPER: &str = "#fdf9f0";
const INK: &str = "#2b211a";
const LABEL: &str = "#5a4636";
const ACCENT: &str = "#1668b5";
/// Also the name of the compiled-in typeface, whose letters are as wide as these.
pub(super) const FONT: &str = "Helvetica, Arial, sans-serif";

/// The board with its men and coordinates, the side to move (a disc of its colour and a few words) and the en
/// passant cells (a ring).
///
/// There is one `polygon` for each cell and one group of class `man` for each man, both with the cell's name in
/// `data-cell`. The document's `desc` is the FEN. Men with other letters than K Q R B N P are discs with their
/// letter.
pub fn svg(variant: &Variant, position: &Position, options: &SvgOptions) -> String {
    let layout = Layout::new(variant.board());
    Drawing { variant, position, options, scale: Scale::new(&layout, options), layout }.document().to_string() + "\n"
}

/// A point in pixels, y downwards.
pub(super) type Point = [f64; 2];

/// From the grid of the layout to pixels.
pub(super) struct Scale {
    /// The height of a cell.
    pub(super) cell: f64,
    /// The distance between two columns.
    column: f64,
    /// The distance between two heights of the grid.
    height: f64,
    /// The corners of a cell around its middle, clockwise; side `i` runs from corner `i` to the next.
    corners: Vec<Point>,
    /// Where place [0, 0] of the grid is.
    origin: Point,
    /// The size of the picture.
    pub(super) size: Point,
}

impl Scale {
    pub(super) fn new(layout: &Layout, options: &SvgOptions) -> Scale {
        let cell = f64::from(options.cell.max(1));
        let half = cell / 2.0;
        let ([left, bottom], [right, top]) = layout.bounds();
        // Side margins, top margin, bottom margin and half a cell's width.
        let (column, height, corners, [side, above, below, reach]) = match layout.tile {
            Tile::Hexagon => {
                let edge = cell / 3f64.sqrt();
                let e = edge / 2.0;
                let corners = vec![[-e, -half], [e, -half], [edge, 0.0], [e, half], [-e, half], [-edge, 0.0]];
                let below = if options.coordinates { 0.5 } else { 0.3 };
                (1.5 * edge, half, corners, [0.4 * cell, 0.3 * cell, below * cell, edge])
            }
            Tile::Square => {
                let corners = vec![[-half, -half], [half, -half], [half, half], [-half, half]];
                let below = if options.coordinates { 0.95 } else { 0.6 };
                (cell, cell, corners, [0.5 * cell, 0.3 * cell, below * cell, half])
            }
        };
        let span = |low: i16, high: i16, unit: f64| f64::from(high - low) * unit;
        Scale {
            cell,
            column,
            height,
            corners,
            origin: [side + reach - f64::from(left) * column, above + half + f64::from(top) * height],
            size: [
                (2.0 * (side + reach) + span(left, right, column)).ceil(),
                (above + below + cell + span(bottom, top, height)).ceil(),
            ],
        }
    }

    pub(super) fn point(&self, [x, y]: Place) -> Point {
        [self.origin[0] + f64::from(x) * self.column, self.origin[1] - f64::from(y) * self.height]
    }

    /// The corners of the cell around a point, `size` times as large as the cell.
    pub(super) fn outline(&self, [x, y]: Point, size: f64) -> Vec<Point> {
        self.corners.iter().map(|[dx, dy]| [x + dx * size, y + dy * size]).collect()
    }

    /// Just outside the edge of a cell, in the direction of a free place beside it.
    pub(super) fn beside(&self, cell: Place, free: Place) -> Point {
        let ([x, y], [ox, oy]) = (self.point(cell), self.point(free));
        let part = 0.74 * self.cell / (ox - x).hypot(oy - y).max(1.0);
        [x + part * (ox - x), y + part * (oy - y)]
    }
}

struct Drawing<'a> {
    variant: &'a Variant,
    position: &'a Position,
    options: &'a SvgOptions,
    layout: Layout,
    scale: Scale,
}

impl Drawing<'_> {
    fn document(&self) -> Document {
        let [width, height] = self.scale.size;
        let title = format!("{}: {}", self.variant.description().title, status(self.variant, self.position));
        let paper = Rectangle::new()
            .set("width", number(width))
            .set("height", number(height))
            .set("rx", self.px(0.15))
            .set("fill", PAPER);
        let mut document = Document::new()
            .set("viewBox", format!("0 0 {} {}", number(width), number(height)))
            .set("width", number(width))
            .set("height", number(height))
            .set("role", "img")
            .set("font-family", FONT)
            .add(Title::new(printable(&title)))
            .add(Description::new().add(Text::new(printable(&self.position.fen(self.variant)))))
            .add(paper);
        for tone in [Tone::Light, Tone::Medium, Tone::Dark] {
            document = document.add(self.cells(tone));
        }
        document = document.add(self.edge());
        for &cell in self.options.marked.iter().filter(|c| self.on_board(**c)) {
            document = document.add(self.mark(cell));
        }
        if self.options.coordinates {
            document = document.add(self.coordinates());
        }
        for cell in self.position.en_passant().iter().flat_map(|right| right.skipped.iter()) {
            document = document.add(self.en_passant(cell));
        }
        for (cell, man) in self.position.men_on_board() {
            document = document.add(self.man(cell, man));
        }
        for &(from, to) in self.options.arrows.iter().filter(|(a, b)| a != b && self.on_board(*a) && self.on_board(*b))
        {
            document = document.add(self.arrow(from, to));
        }
        document.add(self.turn())
    }

    /// A length given in cells.
    fn px(&self, cells: f64) -> String {
        number(cells * self.scale.cell)
    }

    fn on_board(&self, cell: Cell) -> bool {
        cell.index() < self.variant.board().cell_count()
    }

    fn middle(&self, cell: Cell) -> Point {
        self.scale.point(self.layout.place(cell))
    }

    /// All cells of one tone.
    fn cells(&self, tone: Tone) -> Group {
        let board = self.variant.board();
        let [red, green, blue] = tone.rgb();
        let group = Group::new()
            .set("fill", format!("#{red:02x}{green:02x}{blue:02x}"))
            .set("stroke", "#8a5f38")
            .set("stroke-width", self.px(0.015))
            .set("stroke-linejoin", "round");
        board.cells().filter(|&c| Tone::of(board, c) == tone).fold(group, |group, cell| {
            let corners = self.scale.outline(self.middle(cell), 1.0);
            let points: Vec<String> = corners.iter().map(|&p| pair(p)).collect();
            group.add(Polygon::new().set("points", points.join(" ")).set("data-cell", board.name(cell)))
        })
    }

    /// The line around the board: the sides of cells across which there is no other cell.
    fn edge(&self) -> Path {
        let mut data = String::new();
        for cell in self.variant.board().cells() {
            let [x, y] = self.layout.place(cell);
            let corners = self.scale.outline(self.middle(cell), 1.0);
            for (i, [dx, dy]) in self.layout.tile.sides().iter().enumerate() {
                if self.layout.cell_at([x + dx, y + dy]).is_none() {
                    data += &format!("M{}L{}", pair(corners[i]), pair(corners[(i + 1) % corners.len()]));
                }
            }
        }
        Path::new()
            .set("d", data)
            .set("fill", "none")
            .set("stroke", "#5b3a1e")
            .set("stroke-width", self.px(0.06))
            .set("stroke-linecap", "round")
    }

    fn mark(&self, cell: Cell) -> Path {
        let corners: Vec<String> = self.scale.outline(self.middle(cell), 0.9).iter().map(|&p| pair(p)).collect();
        Path::new()
            .set("class", "mark")
            .set("d", format!("M{}Z", corners.join("L")))
            .set("fill", ACCENT)
            .set("fill-opacity", "0.22")
            .set("stroke", ACCENT)
            .set("stroke-width", self.px(0.07))
            .set("stroke-linejoin", "round")
    }

    fn coordinates(&self) -> Group {
        let group = self.words(0.27).set("text-anchor", "middle");
        self.layout.labels.iter().fold(group, |group, label| {
            let at = self.scale.beside(self.layout.place(label.cell), label.at);
            group.add(self.word(&label.text, at, 0.27))
        })
    }

    /// A group for text of a size given in cells.
    fn words(&self, size: f64) -> Group {
        Group::new().set("font-size", self.px(size)).set("fill", LABEL)
    }

    /// A text whose capitals are centred on a line at y.
    fn word(&self, text: &str, [x, y]: Point, size: f64) -> Element {
        let mut element = Element::new("text");
        element.get_attributes_mut().insert("x".to_string(), number(x).into());
        element.get_attributes_mut().insert("y".to_string(), number(y + 0.36 * size * self.scale.cell).into());
        element.get_children_mut().push(Box::new(Text::new(printable(text))));
        element
    }

    fn en_passant(&self, cell: Cell) -> Circle {
        let [x, y] = self.middle(cell);
        Circle::new()
            .set("class", "en-passant")
            .set("cx", number(x))
            .set("cy", number(y))
            .set("r", self.px(0.17))
            .set("fill", PAPER)
            .set("fill-opacity", "0.7")
            .set("stroke", ACCENT)
            .set("stroke-width", self.px(0.07))
            .add(Title::new(format!("en passant on {}", printable(self.variant.board().name(cell)))))
    }

    fn man(&self, cell: Cell, man: Man) -> Group {
        let [x, y] = self.middle(cell);
        let letter = self.variant.letter(man.role);
        let (fill, stroke, line) = match man.color {
            Color::White => ("#fffdf8", INK, INK),
            Color::Black => ("#2f2723", "#14100d", "#f0e4d2"),
        };
        let path = |data: &str| Path::new().set("d", data);
        let group = Group::new()
            .set("class", "man")
            .set("data-cell", self.variant.board().name(cell))
            .set("data-man", self.variant.man_letter(man).to_string())
            .set("transform", format!("translate({}) scale({:.4})", pair([x, y]), self.scale.cell / 95.0))
            .set("fill", fill)
            .set("stroke", stroke)
            .set("stroke-width", "3.2")
            .set("stroke-linejoin", "round")
            .set("stroke-linecap", "round");
        let Some(figure) = figures::figure(letter) else {
            let mut word = Element::new("text");
            for (name, value) in [("y", "14"), ("text-anchor", "middle"), ("font-size", "40"), ("stroke", "none")] {
                word.get_attributes_mut().insert(name.to_string(), value.into());
            }
            word.get_attributes_mut().insert("fill".to_string(), line.into());
            word.get_attributes_mut().insert("font-weight".to_string(), "bold".into());
            word.get_children_mut().push(Box::new(Text::new(letter.to_string())));
            return group.add(Circle::new().set("r", "33")).add(word);
        };
        let group = figure.outlines.iter().fold(group, |group, outline| group.add(path(outline)));
        let group = match figure.lines {
            "" => group,
            lines => group.add(path(lines).set("fill", "none").set("stroke", line).set("stroke-width", "2.6")),
        };
        match figure.dots {
            "" => group,
            dots => group.add(path(dots).set("fill", line).set("stroke", "none")),
        }
    }

    fn arrow(&self, from: Cell, to: Cell) -> Path {
        let ([x, y], [tx, ty]) = (self.middle(from), self.middle(to));
        let length = (tx - x).hypot(ty - y).max(1.0);
        let (ux, uy) = ((tx - x) / length, (ty - y) / length);
        // Along the arrow and across it, in cells.
        let at = |along: f64, across: f64| {
            let (along, across) = (along * self.scale.cell, across * self.scale.cell);
            pair([x + ux * along - uy * across, y + uy * along + ux * across])
        };
        let tip = length / self.scale.cell - 0.1;
        let (start, neck) = (0.42, tip - 0.3);
        let corners = [
            at(start, -0.06),
            at(neck, -0.06),
            at(neck, -0.17),
            at(tip, 0.0),
            at(neck, 0.17),
            at(neck, 0.06),
            at(start, 0.06),
        ];
        Path::new()
            .set("class", "arrow")
            .set("d", format!("M{}Z", corners.join("L")))
            .set("fill", ACCENT)
            .set("fill-opacity", "0.85")
    }

    /// The side to move, in the lower right corner.
    fn turn(&self) -> Group {
        let [width, height] = self.scale.size;
        let [x, y] = [width - 0.38 * self.scale.cell, height - 0.32 * self.scale.cell];
        let (fill, words) = match self.position.turn() {
            Color::White => ("#ffffff", "White to move"),
            Color::Black => (INK, "Black to move"),
        };
        let disc = Circle::new()
            .set("cx", number(x))
            .set("cy", number(y))
            .set("r", self.px(0.13))
            .set("fill", fill)
            .set("stroke", INK)
            .set("stroke-width", self.px(0.035));
        let word = self.word(words, [x - 0.25 * self.scale.cell, y], 0.25);
        self.words(0.25).set("class", "turn").set("text-anchor", "end").add(word).add(disc)
    }
}

/// Two decimals, without a minus sign before zero.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" { "0.00".to_string() } else { text }
}

fn pair([x, y]: Point) -> String {
    format!("{},{}", number(x), number(y))
}

/// Text without the characters that XML cannot hold.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c }).collect()
}

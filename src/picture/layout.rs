//! Where the cells of a board and its coordinates go on a flat picture, in small whole numbers.
//!
//! The only file of `picture` that looks at the board's shape. It knows nothing of characters, pixels, colours
//! or men: a cell's place is a column and a height on a grid, and each drawer scales that grid as it likes.

use crate::geometry::{Board, Cell, Shape, Vector};

/// A place on the grid: the column, counted to the right, and the height, counted upwards.
pub(super) type Place = [i16; 2];

/// The outline of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tile {
    /// Flat at the top and the bottom; neighbouring columns are shifted by half a cell, which is a height of 1.
    Hexagon,
    /// A square, with a height of 1.
    Square,
}

impl Tile {
    /// How many units of height a cell has.
    pub(super) fn height(self) -> i16 {
        match self {
            Tile::Hexagon => 2,
            Tile::Square => 1,
        }
    }

    /// Which way the neighbour across each side lies, clockwise, beginning with the upper one.
    pub(super) fn sides(self) -> &'static [Place] {
        match self {
            Tile::Hexagon => &[[0, 2], [1, 1], [1, -1], [0, -2], [-1, -1], [-1, 1]],
            Tile::Square => &[[0, 1], [1, 0], [0, -1], [-1, 0]],
        }
    }

    /// The sides that look to the left, the best one for the number of a rank first.
    fn left(self) -> &'static [Place] {
        match self {
            Tile::Hexagon => &[[-1, 1], [-1, -1]],
            Tile::Square => &[[-1, 0]],
        }
    }
}

/// The name of a file or a rank, next to a cell.
pub(super) struct Label {
    pub(super) text: String,
    /// The cell that the label stands next to.
    pub(super) cell: Cell,
    /// A free place beside the board, as far away as another cell would be or nearer.
    pub(super) at: Place,
}

/// The places of all cells, and the labels around them.
pub(super) struct Layout {
    pub(super) tile: Tile,
    places: Vec<Place>,
    pub(super) labels: Vec<Label>,
}

impl Layout {
    pub(super) fn new(board: &Board) -> Layout {
        let (tile, place): (Tile, fn(Vector) -> Place) = match board.shape() {
            Shape::Hexagon { .. } => (Tile::Hexagon, |[q, r]| [q, 2 * r + q]),
            Shape::Rectangle { .. } => (Tile::Square, |at| at),
        };
        let places = board.cells().map(|c| place(board.coordinates(c))).collect();
        let mut layout = Layout { tile, places, labels: vec![] };
        layout.labels = layout.file_labels(board).into_iter().chain(layout.rank_labels(board)).collect();
        layout
    }

    pub(super) fn place(&self, cell: Cell) -> Place {
        self.places[cell.index()]
    }

    pub(super) fn cell_at(&self, place: Place) -> Option<Cell> {
        self.places.iter().position(|&p| p == place).map(|i| Cell(i as u8))
    }

    /// The lower left and the upper right corner of the box around all cells' places.
    pub(super) fn bounds(&self) -> (Place, Place) {
        corners(self.places.iter().copied())
    }

    /// The same with the labels included.
    pub(super) fn bounds_with_labels(&self) -> (Place, Place) {
        corners(self.places.iter().copied().chain(self.labels.iter().map(|l| l.at)))
    }

    /// The letter of each file, below its lowest cell.
    fn file_labels(&self, board: &Board) -> Vec<Label> {
        let lowest = |file: u8| board.cells().filter(|&c| board.file(c) == file).min_by_key(|&c| self.place(c)[1]);
        let files = board.cells().map(|c| board.file(c)).max().map_or(0, |last| last + 1);
        let cells = (0..files).filter_map(lowest);
        cells
            .map(|cell| {
                let [x, y] = self.place(cell);
                Label { text: board.file_letter(cell).to_string(), cell, at: [x, y - self.tile.height()] }
            })
            .collect()
    }

    /// The number of each rank, to the left of its first cell; ranks of hexagons go on upwards there.
    fn rank_labels(&self, board: &Board) -> Vec<Label> {
        let first = |rank: u8| board.cells().filter(|&c| board.rank(c) == rank).min_by_key(|&c| self.place(c)[0]);
        let ranks = board.cells().map(|c| board.rank(c)).max().unwrap_or(0);
        let cells = (1..=ranks).filter_map(first);
        cells
            .map(|cell| {
                let [x, y] = self.place(cell);
                let left = self.tile.left();
                let free: Vec<&Place> =
                    left.iter().filter(|[dx, dy]| self.cell_at([x + dx, y + dy]).is_none()).collect();
                // With nothing at all to the left, the number stands on the cell's own level.
                let dy = free.first().filter(|_| free.len() < left.len()).map_or(0, |side| side[1]);
                Label { text: board.rank(cell).to_string(), cell, at: [x - 1, y + dy] }
            })
            .collect()
    }
}

fn corners(places: impl Iterator<Item = Place> + Clone) -> (Place, Place) {
    let axis = |i: usize| {
        let values = places.clone().map(move |p| p[i]);
        (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
    };
    let ((left, right), (bottom, top)) = (axis(0), axis(1));
    ([left, bottom], [right, top])
}

//! A board: its cells, their coordinates and names, and the order in which a FEN lists them.
//!
//! Knows the shape and nothing of how men move.

use super::cell::{Cell, CellSet, MAX_CELLS};
use super::description::{BoardDescription, Ranks, Shape, Vector};
use super::error::VariantError;

/// The cells of a board. Cells are numbered in the order of their coordinates: file by file, upwards.
#[derive(Clone, Debug)]
pub struct Board {
    coordinates: Vec<Vector>,
    names: Vec<String>,
    file: Vec<u8>,
    rank: Vec<u8>,
    colour: Vec<u8>,
    colour_names: Vec<String>,
    shape: Shape,
    fen_ranks: Vec<Vec<Cell>>,
}

impl Board {
    /// Lays out the cells of a description.
    ///
    /// # Errors
    /// When there are no cells or more than [`MAX_CELLS`], or too few file letters.
    pub fn new(description: &BoardDescription) -> Result<Board, VariantError> {
        let coordinates = cells_of(&description.shape);
        if coordinates.is_empty() || coordinates.len() > MAX_CELLS {
            return Err(VariantError::CellCount(coordinates.len()));
        }
        let letters: Vec<char> = description.files.chars().collect();
        let first = coordinates[0][0];
        let (mut names, mut file, mut rank, mut colour) = (vec![], vec![], vec![], vec![]);
        let classes = description.colours.names.len().max(1) as i16;
        for c in &coordinates {
            let f = (c[0] - first) as usize;
            let letter = *letters.get(f).ok_or(VariantError::FileLetters { have: letters.len(), need: f + 1 })?;
            let r = match description.ranks {
                Ranks::FromLowestCell => {
                    let lowest = coordinates.iter().filter(|o| o[0] == c[0]).map(|o| o[1]).min().unwrap_or(c[1]);
                    (c[1] - lowest + 1) as u8
                }
            };
            names.push(format!("{letter}{r}"));
            file.push(f as u8);
            rank.push(r);
            let w = description.colours.weights;
            colour.push((w[0] * c[0] + w[1] * c[1]).rem_euclid(classes) as u8);
        }
        let highest = rank.iter().copied().max().unwrap_or(0);
        let fen_ranks = (1..=highest)
            .rev()
            .map(|r| (0..coordinates.len()).filter(|&i| rank[i] == r).map(|i| Cell(i as u8)).collect())
            .collect();
        Ok(Board {
            coordinates,
            names,
            file,
            rank,
            colour,
            colour_names: description.colours.names.clone(),
            shape: description.shape.clone(),
            fen_ranks,
        })
    }

    /// The number of cells.
    pub fn cell_count(&self) -> usize {
        self.coordinates.len()
    }

    /// All cells, in the order of their numbers.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.coordinates.len() as u8).map(Cell)
    }

    /// The set of all cells.
    pub fn all(&self) -> CellSet {
        CellSet::first(self.cell_count())
    }

    pub fn coordinates(&self, cell: Cell) -> Vector {
        self.coordinates[cell.index()]
    }

    /// The cell at these coordinates, if it is on the board.
    pub fn cell_at(&self, at: Vector) -> Option<Cell> {
        self.coordinates.binary_search(&at).ok().map(|i| Cell(i as u8))
    }

    /// The cell one `step` away, if it is on the board.
    pub fn neighbour(&self, cell: Cell, step: Vector) -> Option<Cell> {
        let [x, y] = self.coordinates(cell);
        self.cell_at([x + step[0], y + step[1]])
    }

    /// The cell's name, such as `f6`.
    pub fn name(&self, cell: Cell) -> &str {
        &self.names[cell.index()]
    }

    /// The cell with this name.
    pub fn cell_named(&self, name: &str) -> Option<Cell> {
        self.names.iter().position(|n| n == name).map(|i| Cell(i as u8))
    }

    /// The letter of the cell's file.
    pub fn file_letter(&self, cell: Cell) -> char {
        self.names[cell.index()].chars().next().unwrap_or('?')
    }

    /// The cell's file, counted from 0.
    pub fn file(&self, cell: Cell) -> u8 {
        self.file[cell.index()]
    }

    /// The cell's rank, counted from 1.
    pub fn rank(&self, cell: Cell) -> u8 {
        self.rank[cell.index()]
    }

    /// The cell's colour class, an index into [`Board::colour_names`].
    pub fn colour(&self, cell: Cell) -> u8 {
        self.colour[cell.index()]
    }

    pub fn colour_names(&self) -> &[String] {
        &self.colour_names
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The ranks of a FEN: from the highest rank down, each with its cells from the first file on.
    pub fn fen_ranks(&self) -> &[Vec<Cell>] {
        &self.fen_ranks
    }
}

/// The coordinates of a shape's cells, sorted.
fn cells_of(shape: &Shape) -> Vec<Vector> {
    match *shape {
        Shape::Hexagon { radius } => (-radius..=radius)
            .flat_map(|q| (-radius..=radius).map(move |r| [q, r]))
            .filter(|[q, r]| (q + r).abs() <= radius)
            .collect(),
        Shape::Rectangle { width, height } => (0..width).flat_map(|x| (0..height).map(move |y| [x, y])).collect(),
    }
}

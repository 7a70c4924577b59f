//! Symmetries of a board, found from a description.
//!
//! A symmetry is an affine map of the coordinates that permutes the cells and keeps the displacements of
//! every piece. With pawns only those remain that keep the pawns' rules as well. A colour swap is a symmetry
//! that turns the pawns' rules of White into those of Black. All are found by trying every linear map that
//! takes two independent displacements of the royal piece to displacements of the royal piece.

use super::board::Board;
use super::cell::{Cell, CellSet};
use super::description::Vector;

/// A permutation of the cells that keeps how pieces move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symmetry {
    map: Vec<Cell>,
    matrix: [i16; 4],
}

impl Symmetry {
    /// Where `cell` goes.
    #[inline]
    pub fn apply(&self, cell: Cell) -> Cell {
        self.map[cell.index()]
    }

    /// Where each cell goes, in the order of the cells' numbers.
    pub fn map(&self) -> &[Cell] {
        &self.map
    }

    /// Where the cells of a set go.
    pub fn apply_set(&self, set: CellSet) -> CellSet {
        set.iter().map(|c| self.apply(c)).collect()
    }

    /// What becomes of a displacement.
    pub fn apply_vector(&self, v: Vector) -> Vector {
        let m = self.matrix;
        [m[0] * v[0] + m[1] * v[1], m[2] * v[0] + m[3] * v[1]]
    }

    /// Whether this maps the displacements `from` onto `to` (both without repetition).
    pub fn maps_vectors(&self, from: &[Vector], to: &[Vector]) -> bool {
        from.len() == to.len() && from.iter().all(|&v| to.contains(&self.apply_vector(v)))
    }

    pub fn is_identity(&self) -> bool {
        self.map.iter().enumerate().all(|(i, c)| c.index() == i)
    }
}

/// All symmetries under which each of the given sets of displacements maps onto itself, the identity first.
///
/// `basis` are the displacements from which linear maps are guessed; they must contain two independent ones
/// and be one of the sets that are kept.
pub fn find(board: &Board, basis: &[Vector], kept: &[Vec<Vector>]) -> Vec<Symmetry> {
    let Some((d1, d2)) = independent_pair(basis) else {
        return vec![identity(board)];
    };
    let mut found: Vec<Symmetry> = vec![];
    for &e1 in basis {
        for &e2 in basis {
            let Some(matrix) = linear_map((d1, d2), (e1, e2)) else { continue };
            let Some(map) = about_centre(board, matrix) else { continue };
            let symmetry = Symmetry { map, matrix };
            if kept.iter().all(|set| symmetry.maps_vectors(set, set)) {
                found.push(symmetry);
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn identity(board: &Board) -> Symmetry {
    Symmetry { map: board.cells().collect(), matrix: [1, 0, 0, 1] }
}

fn independent_pair(vectors: &[Vector]) -> Option<(Vector, Vector)> {
    let first = *vectors.first()?;
    let second = *vectors.iter().find(|v| first[0] * v[1] != first[1] * v[0])?;
    Some((first, second))
}

/// The integer matrix, row by row, that takes `d1` to `e1` and `d2` to `e2`, if it is invertible over the integers.
fn linear_map((d1, d2): (Vector, Vector), (e1, e2): (Vector, Vector)) -> Option<[i16; 4]> {
    let determinant = d1[0] * d2[1] - d2[0] * d1[1];
    // [e1 e2] times the adjugate of [d1 d2], still to be divided by the determinant.
    let scaled = [
        e1[0] * d2[1] - e2[0] * d1[1],
        e2[0] * d1[0] - e1[0] * d2[0],
        e1[1] * d2[1] - e2[1] * d1[1],
        e2[1] * d1[0] - e1[1] * d2[0],
    ];
    if scaled.iter().any(|s| s % determinant != 0) {
        return None;
    }
    let m = scaled.map(|s| s / determinant);
    ((m[0] * m[3] - m[1] * m[2]).abs() == 1).then_some(m)
}

/// The permutation of the cells by the linear map `m` about the centre of all cells, if it is one.
fn about_centre(board: &Board, m: [i16; 4]) -> Option<Vec<Cell>> {
    let count = board.cell_count() as i32;
    let m = m.map(i32::from);
    let sum =
        board.cells().map(|c| board.coordinates(c)).fold([0i32; 2], |s, c| [s[0] + c[0] as i32, s[1] + c[1] as i32]);
    let shift = [sum[0] - m[0] * sum[0] - m[1] * sum[1], sum[1] - m[2] * sum[0] - m[3] * sum[1]];
    if shift.iter().any(|s| s % count != 0) {
        return None;
    }
    let shift = shift.map(|s| s / count);
    board
        .cells()
        .map(|cell| {
            let [x, y] = board.coordinates(cell).map(i32::from);
            let image = [m[0] * x + m[1] * y + shift[0], m[2] * x + m[3] * y + shift[1]];
            board.cell_at([i16::try_from(image[0]).ok()?, i16::try_from(image[1]).ok()?])
        })
        .collect()
}

//! A variant: a description compiled into everything that the rest of the program asks of it.
//!
//! Rays, steps, pawn paths, start and promotion cells, the symmetry group and the colour swap are all derived
//! here, once. Knows nothing of positions.

use super::board::Board;
use super::cell::{Cell, CellSet};
use super::description::{Description, PawnMoves, Shape, Vector};
use super::error::VariantError;
use super::men::{Color, MAX_ROLES, Man, Role};
use super::permutation::BitPermutation;
use super::symmetry::{self, Symmetry};
use std::sync::{Arc, OnceLock};

const BUILT_IN: [(&str, &str); 3] = [
    ("glinski", include_str!("../../variants/glinski.toml")),
    ("mccooey", include_str!("../../variants/mccooey.toml")),
    ("orthodox", include_str!("../../variants/orthodox.toml")),
];

/// The names of the built-in variants, for messages.
pub(super) fn known_names() -> String {
    let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    format!("{} (a hexagonal one also with a smaller radius, as in glinski-3)", names.join(", "))
}

/// A displacement along which pieces slide, with its ray from every cell.
#[derive(Clone, Debug)]
pub struct Direction {
    pub vector: Vector,
    /// Whether cell numbers grow along the direction (they grow or shrink along every one).
    pub ascending: bool,
    /// For each cell, the cells beyond it in this direction.
    pub rays: Vec<CellSet>,
    /// The maximal lines of the board in this direction, each from its first cell to its last.
    pub lines: Vec<Vec<Cell>>,
}

/// How one kind of piece moves.
#[derive(Clone, Debug)]
pub struct Movement {
    pub letter: char,
    /// Indices into [`Variant::directions`].
    pub slides: Vec<usize>,
    /// The opposites of `slides`: looking along these finds the sliders that attack a cell.
    pub slides_to: Vec<usize>,
    /// For each cell, the cells one step or leap away; what stands between does not matter.
    pub steps: Vec<CellSet>,
    /// The converse of `steps`: for each cell, the cells from which one step leads to it.
    pub steps_to: Vec<CellSet>,
    /// For each cell, the cells from which a man attacks it on an empty board.
    pub reaches_to: Vec<CellSet>,
}

/// One side's pawns.
#[derive(Clone, Debug)]
pub struct PawnRules {
    /// For each cell and forward direction, the cells a pawn may go to if all up to there are empty.
    pub paths: Vec<Vec<Vec<Cell>>>,
    /// For each cell, the cells a pawn there attacks.
    pub captures: Vec<CellSet>,
    /// The converse of `captures`.
    pub captured_from: Vec<CellSet>,
    /// Cells where pawns stand at the start of a game.
    pub start: CellSet,
    /// Cells on which a pawn promotes.
    pub promotion: CellSet,
    /// Cells where a pawn can stand: reachable from the start cells, without the promotion cells.
    pub placement: CellSet,
    /// For each cell, the most forward steps a pawn can still make; every forward move lowers it.
    pub steps_left: Vec<u8>,
}

/// A variant of chess, ready for use.
#[derive(Clone, Debug)]
pub struct Variant {
    description: Description,
    board: Board,
    movements: Vec<Movement>,
    directions: Vec<Direction>,
    pawns: [PawnRules; 2],
    promotions: Vec<Role>,
    symmetries: Vec<Symmetry>,
    pawn_symmetries: Vec<usize>,
    colour_swap: Symmetry,
    /// See [`Variant::undoing`]; made when they are first asked for.
    fingerprint: OnceLock<String>,
    undoing: OnceLock<Arc<[BitPermutation]>>,
}

impl Variant {
    /// A built-in variant by its name; `glinski-3` is Gliński's game on the hexagon of radius 3.
    ///
    /// # Errors
    /// [`VariantError::Unknown`] when there is none of that name.
    pub fn named(name: &str) -> Result<Variant, VariantError> {
        let unknown = || VariantError::Unknown(name.chars().take(40).collect());
        let (base, radius) = match name.rsplit_once('-') {
            Some((base, digits)) => {
                let radius = digits.parse::<i16>().ok().filter(|radius| radius.to_string() == digits);
                (base, Some(radius.ok_or_else(unknown)?))
            }
            None => (name, None),
        };
        let (_, text) = BUILT_IN.iter().find(|(n, _)| *n == base).ok_or_else(unknown)?;
        let mut description: Description = toml::from_str(text).map_err(|e| VariantError::Syntax(e.to_string()))?;
        if let Some(wanted) = radius {
            match &mut description.board.shape {
                Shape::Hexagon { radius } if (2..*radius).contains(&wanted) => *radius = wanted,
                _ => return Err(unknown()),
            }
            description.name = name.to_string();
            description.title = format!("{} on a hexagon of radius {wanted}", description.title);
            description.start = None;
        }
        Variant::new(description)
    }

    /// Gliński's game.
    pub fn glinski() -> Variant {
        Variant::named("glinski").expect("the built-in description is tested")
    }

    /// Compiles a description.
    ///
    /// # Errors
    /// Whatever the description gets wrong; see [`VariantError`].
    pub fn new(description: Description) -> Result<Variant, VariantError> {
        if ![0.5, 0.75].contains(&description.score.stalemate) {
            return Err(VariantError::Stalemate(description.score.stalemate));
        }
        let board = Board::new(&description.board)?;
        check_letters(&description)?;
        let mut directions: Vec<Direction> = vec![];
        let mut movements = vec![];
        let mut kept: Vec<Vec<Vector>> = vec![];
        for piece in &description.piece {
            let slides = vectors(&description, piece.letter, &piece.slides)?;
            let steps = vectors(&description, piece.letter, &piece.steps)?;
            let mut index_of = |vector: Vector| {
                directions.iter().position(|d| d.vector == vector).unwrap_or_else(|| {
                    directions.push(direction(&board, vector));
                    directions.len() - 1
                })
            };
            let slide_indices = slides.iter().map(|&v| index_of(v)).collect();
            let slides_to: Vec<usize> = slides.iter().map(|&[x, y]| index_of([-x, -y])).collect();
            let step_sets = targets(&board, &steps);
            let steps_to = converse(&step_sets);
            let mut reaches_to = steps_to.clone();
            for &d in &slides_to {
                reaches_to.iter_mut().zip(&directions[d].rays).for_each(|(reach, &ray)| *reach |= ray);
            }
            movements.push(Movement {
                letter: piece.letter,
                slides: slide_indices,
                slides_to,
                steps: step_sets,
                steps_to,
                reaches_to,
            });
            kept.push(slides);
            kept.push(steps);
        }
        let no_steps = vec![CellSet::EMPTY; board.cell_count()];
        movements.push(Movement {
            letter: description.pawn.letter,
            slides: vec![],
            slides_to: vec![],
            steps: no_steps.clone(),
            steps_to: no_steps.clone(),
            reaches_to: no_steps,
        });
        let promotions = description
            .pawn
            .promotions
            .chars()
            .map(|letter| {
                let index =
                    movements.iter().position(|m| m.letter == letter).filter(|&i| i > 0 && i + 1 < movements.len());
                index.map(|i| Role(i as u8)).ok_or(VariantError::Promotion(letter))
            })
            .collect::<Result<_, _>>()?;
        let symmetries = symmetry::find(&board, &kept[1], &kept);
        let sides = [&description.pawn.white, &description.pawn.black];
        let pawns = [pawn_rules(&board, sides[0])?, pawn_rules(&board, sides[1])?];
        let turns =
            |s: &Symmetry, from: usize, to: usize| maps_pawns(s, (sides[from], &pawns[from]), (sides[to], &pawns[to]));
        let pawn_symmetries =
            (0..symmetries.len()).filter(|&i| turns(&symmetries[i], 0, 0) && turns(&symmetries[i], 1, 1)).collect();
        let colour_swap =
            symmetries.iter().find(|s| turns(s, 0, 1) && turns(s, 1, 0)).ok_or(VariantError::NoColourSwap)?.clone();
        Ok(Variant {
            description,
            board,
            movements,
            directions,
            pawns,
            promotions,
            symmetries,
            pawn_symmetries,
            colour_swap,
            fingerprint: OnceLock::new(),
            undoing: OnceLock::new(),
        })
    }

    pub fn name(&self) -> &str {
        &self.description.name
    }

    pub fn description(&self) -> &Description {
        &self.description
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Points for the side that stalemates the other.
    pub fn stalemate_points(&self) -> f64 {
        self.description.score.stalemate
    }

    /// Whether stalemate is worth more than a draw.
    pub fn stalemate_counts(&self) -> bool {
        self.stalemate_points() > 0.5
    }

    /// This variant with stalemate a plain draw, everything else the same.
    pub fn with_stalemate_drawn(mut self) -> Variant {
        self.description.score.stalemate = 0.5;
        self
    }

    /// All kinds of men, the royal piece first and the pawn last.
    pub fn roles(&self) -> impl DoubleEndedIterator<Item = Role> + use<> {
        (0..self.movements.len() as u8).map(Role)
    }

    pub fn pawn(&self) -> Role {
        Role(self.movements.len() as u8 - 1)
    }

    /// The role's capital letter.
    pub fn letter(&self, role: Role) -> char {
        self.movements[role.index()].letter
    }

    /// The letter of a man in a FEN: a capital for White, small for Black.
    pub fn man_letter(&self, man: Man) -> char {
        let letter = self.letter(man.role);
        if man.color == Color::White { letter } else { letter.to_ascii_lowercase() }
    }

    pub fn role_with_letter(&self, letter: char) -> Option<Role> {
        self.movements.iter().position(|m| m.letter == letter).map(|i| Role(i as u8))
    }

    /// The roles a pawn may become, in the order in which moves are listed.
    pub fn promotions(&self) -> &[Role] {
        &self.promotions
    }

    /// How a role moves; a pawn's movement is empty, see [`Variant::pawn_rules`].
    #[inline]
    pub fn movement(&self, role: Role) -> &Movement {
        &self.movements[role.index()]
    }

    pub fn directions(&self) -> &[Direction] {
        &self.directions
    }

    #[inline]
    pub fn pawn_rules(&self, color: Color) -> &PawnRules {
        &self.pawns[color.index()]
    }

    /// The symmetries of positions without pawns, the identity first.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The symmetries that also keep the pawns' rules: indices into [`Variant::symmetries`], the identity first.
    pub fn pawn_symmetries(&self) -> &[usize] {
        &self.pawn_symmetries
    }

    /// The map of the board that goes with swapping the colours.
    pub fn colour_swap(&self) -> &Symmetry {
        &self.colour_swap
    }

    /// A text that stands for the rules, made once.
    pub(crate) fn fingerprint(&self, make: impl FnOnce() -> String) -> &str {
        self.fingerprint.get_or_init(make)
    }

    /// The permutation that undoes a symmetry (an index into [`Variant::symmetries`]) applied after the colour swap, if
    /// `swapped`: what is on the image of a cell goes to the cell.
    pub fn undoing(&self, symmetry: usize, swapped: bool) -> &BitPermutation {
        let all = self.undoing.get_or_init(|| {
            let image = |symmetry: &Symmetry, swapped: bool, cell: Cell| {
                symmetry.apply(if swapped { self.colour_swap.apply(cell) } else { cell })
            };
            let of = |symmetry: &Symmetry, swapped: bool| {
                let map: Vec<Cell> = self.board.cells().map(|cell| image(symmetry, swapped, cell)).collect();
                BitPermutation::undoing(&map)
            };
            self.symmetries.iter().flat_map(|symmetry| [of(symmetry, false), of(symmetry, true)]).collect()
        });
        &all[2 * symmetry + usize::from(swapped)]
    }

    /// The cells that a man on a cell attacks.
    #[inline]
    pub fn attacked_by(&self, man: Man, cell: Cell, occupied: CellSet) -> CellSet {
        match man.role == self.pawn() {
            true => self.pawn_rules(man.color).captures[cell.index()],
            false => self.attacks(man.role, cell, occupied),
        }
    }

    /// The cells from which a man attacks a cell.
    #[inline]
    pub fn attackers_of(&self, man: Man, cell: Cell, occupied: CellSet) -> CellSet {
        if man.role == self.pawn() {
            return self.pawn_rules(man.color).captured_from[cell.index()];
        }
        let movement = self.movement(man.role);
        let slides = movement.slides_to.iter();
        slides.fold(movement.steps_to[cell.index()], |from, &d| from | self.ray(d, cell, occupied))
    }

    /// The cells that a `role` (not a pawn) on `from` attacks when the cells of `occupied` are taken.
    #[inline]
    pub fn attacks(&self, role: Role, from: Cell, occupied: CellSet) -> CellSet {
        let movement = self.movement(role);
        let mut attacked = movement.steps[from.index()];
        for &d in &movement.slides {
            attacked |= self.ray(d, from, occupied);
        }
        attacked
    }

    /// The cells that a slider on `from` attacks along one direction.
    #[inline]
    pub fn ray(&self, direction: usize, from: Cell, occupied: CellSet) -> CellSet {
        let direction = &self.directions[direction];
        let ray = direction.rays[from.index()];
        let blockers = ray & occupied;
        let first = if direction.ascending { blockers.lowest() } else { blockers.highest() };
        match first {
            Some(cell) => ray - direction.rays[cell.index()],
            None => ray,
        }
    }
}

fn check_letters(description: &Description) -> Result<(), VariantError> {
    let mut letters: Vec<char> = description.piece.iter().map(|p| p.letter).collect();
    letters.push(description.pawn.letter);
    if letters.len() > MAX_ROLES {
        return Err(VariantError::Pieces(letters.len()));
    }
    for (i, &letter) in letters.iter().enumerate() {
        if !letter.is_ascii_uppercase() || letters[..i].contains(&letter) {
            return Err(VariantError::Letter(letter));
        }
    }
    let royals: String = description.piece.iter().filter(|p| p.royal).map(|p| p.letter).collect();
    let fits = description.piece.first().is_some_and(|p| p.royal && p.slides.is_empty() && !p.steps.is_empty());
    if royals.len() != 1 || !fits { Err(VariantError::Royal(royals)) } else { Ok(()) }
}

/// The displacements under some names, sorted and without repetition.
fn vectors(description: &Description, letter: char, names: &[String]) -> Result<Vec<Vector>, VariantError> {
    let mut all = vec![];
    for name in names {
        let set =
            description.directions.get(name).ok_or_else(|| VariantError::Directions { letter, name: name.clone() })?;
        all.extend_from_slice(set);
    }
    all.sort();
    all.dedup();
    if all.contains(&[0, 0]) { Err(VariantError::ZeroMove(letter)) } else { Ok(all) }
}

/// The cells met from `cell` on (without it) in steps of `vector`.
fn walk(board: &Board, cell: Cell, vector: Vector) -> impl Iterator<Item = Cell> + '_ {
    std::iter::successors(board.neighbour(cell, vector), move |&c| board.neighbour(c, vector))
}

fn direction(board: &Board, vector: Vector) -> Direction {
    let back = [-vector[0], -vector[1]];
    let lines = board
        .cells()
        .filter(|&c| board.neighbour(c, back).is_none())
        .map(|c| std::iter::once(c).chain(walk(board, c, vector)).collect())
        .collect();
    Direction {
        vector,
        ascending: vector > [0, 0],
        rays: board.cells().map(|c| walk(board, c, vector).collect()).collect(),
        lines,
    }
}

fn targets(board: &Board, steps: &[Vector]) -> Vec<CellSet> {
    board.cells().map(|c| steps.iter().filter_map(|&s| board.neighbour(c, s)).collect()).collect()
}

fn converse(sets: &[CellSet]) -> Vec<CellSet> {
    let mut result = vec![CellSet::EMPTY; sets.len()];
    for (from, set) in sets.iter().enumerate() {
        for to in set.iter() {
            result[to.index()].insert(Cell(from as u8));
        }
    }
    result
}

fn pawn_rules(board: &Board, moves: &PawnMoves) -> Result<PawnRules, VariantError> {
    let mut start = CellSet::EMPTY;
    for ray in &moves.start {
        if let Some(first) = board.cell_at(ray.from) {
            start.insert(first);
            start |= walk(board, first, ray.along).collect();
        }
    }
    let reach = |cell: Cell| -> usize {
        let exception = moves.exceptions.iter().find(|e| e.cell == board.coordinates(cell));
        match exception {
            Some(e) => e.steps as usize,
            None if start.contains(cell) => moves.first_steps as usize,
            None => 1,
        }
    };
    let paths: Vec<Vec<Vec<Cell>>> = board
        .cells()
        .map(|cell| {
            let each = moves.forward.iter().map(|&v| walk(board, cell, v).take(reach(cell)).collect::<Vec<_>>());
            each.filter(|path| !path.is_empty()).collect()
        })
        .collect();
    let captures = targets(board, &moves.captures);
    let promotion: CellSet = board.cells().filter(|c| paths[c.index()].is_empty()).collect();
    let mut placement = start;
    loop {
        let next = placement
            .iter()
            .flat_map(|c| paths[c.index()].iter().flatten().copied().chain(captures[c.index()].iter()))
            .fold(placement, |set, c| set | c.set());
        if next == placement {
            break;
        }
        placement = next;
    }
    Ok(PawnRules {
        steps_left: steps_left(board, &paths)?,
        captured_from: converse(&captures),
        paths,
        captures,
        start,
        promotion,
        placement: placement - promotion,
    })
}

/// The length of the longest forward walk from each cell.
fn steps_left(board: &Board, paths: &[Vec<Vec<Cell>>]) -> Result<Vec<u8>, VariantError> {
    let mut left = vec![0u8; board.cell_count()];
    for _ in 0..=board.cell_count() {
        let mut changed = false;
        for cell in board.cells() {
            let longest = paths[cell.index()].iter().map(|path| 1 + left[path[0].index()]).max().unwrap_or(0);
            changed |= longest != left[cell.index()];
            left[cell.index()] = longest;
        }
        if !changed {
            return Ok(left);
        }
    }
    Err(VariantError::PawnCycle)
}

/// Whether a symmetry turns one side's pawn rules into another's.
fn maps_pawns(s: &Symmetry, from: (&PawnMoves, &PawnRules), to: (&PawnMoves, &PawnRules)) -> bool {
    let same_paths = |(cell, image): (usize, &Cell)| {
        let mut mapped: Vec<Vec<Cell>> =
            from.1.paths[cell].iter().map(|p| p.iter().map(|&c| s.apply(c)).collect()).collect();
        let mut target = to.1.paths[image.index()].clone();
        mapped.sort();
        target.sort();
        mapped == target
    };
    s.maps_vectors(&from.0.captures, &to.0.captures)
        && s.apply_set(from.1.start) == to.1.start
        && s.map().iter().enumerate().all(same_paths)
}

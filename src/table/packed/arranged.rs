//! A table about to be packed in one arrangement: its rows, and what captures and promotions tell of them.

use super::super::error::TableError;
use super::conversions::Conversions;
use super::distances::is_decisive;
use super::kept::KeptRows;
use super::rows::{is_sampled, turns};
use super::source::{Asked, Source};
use crate::coding::distances::{DistanceRow, ERRORS, Other, Row as CodedRow, Told, sampled as sampled_row};
use crate::coding::scene::{Ground, Scene};
use crate::coding::terrain::Terrain;
use crate::coding::tree::Sampled;
use crate::coding::values::ValueRow;
use crate::geometry::{Cell, CellSet, Color, MAX_CELLS};
use crate::index::{Arrangement, EMPTY_ROW, MOST_MEN, OutcomeRow};
use crate::outcome::Value;
use crate::solve::Subtables;
use rayon::prelude::*;
use std::sync::Arc;

pub const VALUES: usize = Value::ALL.len();
pub const NOTHING: ValueRow = [CellSet::EMPTY; VALUES];

/// A table in one arrangement.
pub struct Arranged<'a> {
    pub arrangement: &'a Arrangement,
    /// The sides to move in the order in which rows have them.
    pub turns: Vec<Color>,
    /// The table with each of them.
    sides: Vec<Stored>,
    tables: &'a dyn Subtables,
    /// For each side to move and row, what captures and promotions tell; of none until they are looked at.
    pub free: Vec<Vec<CellSet>>,
    pub ground: Ground,
    terrain: Arc<Terrain>,
}

/// A table with one side to move.
enum Stored {
    /// As it is: some rows will be read.
    AsItIs(Source),
    /// In the order of the arrangement: all will be.
    InOrder(KeptRows),
}

/// A row with all sides to move that are stored, in the order in which it has them.
#[derive(Clone)]
pub struct Rows {
    pub cells: [Cell; MOST_MEN],
    pub sides: Vec<Side>,
    /// Of a sampled row, where each feature holds while the other side's values are not seen: trees are grown from it
    /// again and again.
    holds: Arc<[CellSet]>,
}

/// What a row holds with one side to move.
#[derive(Clone)]
pub struct Side {
    outcomes: OutcomeRow,
    /// The positions that are worth what a capture or promotion leads to, as far as that has been looked at.
    pub free: CellSet,
}

impl Side {
    /// Whether anything is stored of it.
    pub fn is_stored(&self) -> bool {
        self.outcomes.legal() != 0
    }

    pub fn values(&self) -> ValueRow {
        self.outcomes.of_value.map(CellSet)
    }

    /// The distances of its decisive positions.
    fn distances(&self) -> DistanceRow {
        let mut distances = [0; MAX_CELLS];
        self.outcomes.each_outcome(|outcome, columns| {
            if let Some(plies) = outcome.plies() {
                for cell in CellSet(columns) {
                    distances[cell.index()] = plies / 2;
                }
            }
        });
        distances
    }
}

/// What is stored of the row with the men but the column man on `cells`; none if nothing is.
fn row_of(arrangement: &Arrangement, source: &Source, cells: &[Cell; MOST_MEN], turn: Color) -> Option<OutcomeRow> {
    let stored = arrangement.stored(cells, turn);
    (!stored.is_empty()).then(|| source.row(cells, arrangement.men().len() - 1, stored))
}

impl<'a> Arranged<'a> {
    /// Takes all slices of a table; `tables` has it and those it converts into. If `whole`, all of it will be read.
    ///
    /// # Errors
    /// Those of `tables`.
    pub fn new(
        arrangement: &'a Arrangement,
        tables: &'a dyn Subtables,
        whole: bool,
    ) -> Result<Arranged<'a>, TableError> {
        let (terrain, column_man) = (Arc::new(Terrain::new(arrangement.variant())), arrangement.column_man());
        let turns = turns(arrangement);
        let asked = if whole { Asked::Along(column_man) } else { Asked::Seldom };
        let side = |&turn: &Color| {
            let source = Source::new(tables, arrangement.men(), turn, asked)?;
            if !whole {
                return Ok(Stored::AsItIs(source));
            }
            Ok(Stored::InOrder(KeptRows::new(arrangement.rows(), |at| {
                row_of(arrangement, &source, &arrangement.cells(at), turn)
            })))
        };
        Ok(Arranged {
            arrangement,
            sides: turns.iter().map(side).collect::<Result<_, TableError>>()?,
            turns,
            tables,
            free: vec![vec![]; arrangement.sides()],
            ground: Ground::new(&terrain, arrangement.known().to_vec(), column_man),
            terrain,
        })
    }

    pub fn scene(&self) -> Scene<'_> {
        Scene::new(&self.ground)
    }

    pub fn features(&self) -> usize {
        self.ground.features().len()
    }

    /// Looks at the captures and promotions of some of the sides to move, all over the table.
    ///
    /// # Errors
    /// When the tables that they lead to cannot be read.
    pub fn look(&mut self, looked_at: &[bool]) -> Result<(), TableError> {
        for place in (0..self.turns.len()).filter(|&place| looked_at[place]) {
            let conversions = Conversions::new(self.tables, self.arrangement, self.turns[place], true)?;
            let of_row = |rows: &mut Rows, at: usize| {
                self.read_side(at, place, rows);
                conversions.told(&rows.cells, &rows.sides[place].outcomes)
            };
            let told = (0..self.arrangement.rows()).into_par_iter().with_min_len(256);
            self.free[place] = told.map_init(|| self.no_rows(), of_row).collect();
        }
        Ok(())
    }

    /// Room for a row, with nothing in it.
    pub fn no_rows(&self) -> Rows {
        let side = Side { outcomes: EMPTY_ROW, free: CellSet::EMPTY };
        Rows { cells: [Cell(0); MOST_MEN], sides: vec![side; self.turns.len()], holds: Arc::default() }
    }

    /// Puts in where the men of a row stand and what it holds with one side to move.
    fn read_side(&self, at: usize, place: usize, rows: &mut Rows) {
        rows.cells = self.arrangement.cells(at);
        let outcomes = &mut rows.sides[place].outcomes;
        match &self.sides[place] {
            Stored::AsItIs(source) => {
                let found = row_of(self.arrangement, source, &rows.cells, self.turns[place]);
                *outcomes = found.unwrap_or(EMPTY_ROW);
            }
            Stored::InOrder(kept) => kept.read(at, outcomes),
        }
    }

    /// Puts in the first so many sides of a row; tells whether anything is stored of them.
    pub fn read(&self, at: usize, sides: usize, rows: &mut Rows) -> bool {
        for place in 0..sides {
            self.read_side(at, place, rows);
            rows.sides[place].free = self.free[place].get(at).copied().unwrap_or(CellSet::EMPTY);
        }
        rows.sides[..sides].iter().any(Side::is_stored)
    }

    /// Some rows, from all over the table.
    pub fn sample(&self, wanted: usize) -> Vec<Rows> {
        let all = self.arrangement.rows();
        let drawn = (0..all).into_par_iter().filter(|&row| is_sampled(row, all, wanted));
        let with_features = |scene: &mut Scene, at: usize| {
            let mut rows = self.no_rows();
            let is_stored = self.read(at, self.turns.len(), &mut rows);
            self.put(scene, &rows);
            rows.holds = (0..self.features() as u16).map(|feature| scene.holds(feature)).collect();
            is_stored.then_some(rows)
        };
        let sample: Vec<Option<Rows>> = drawn.map_init(|| self.scene(), with_features).collect();
        sample.into_iter().flatten().collect()
    }

    /// The same with what captures and promotions tell of them.
    ///
    /// # Errors
    /// As of [`Arranged::look`].
    pub fn sample_with_conversions(&self, wanted: usize) -> Result<Vec<Rows>, TableError> {
        let mut sample = self.sample(wanted);
        for (place, &turn) in self.turns.iter().enumerate() {
            let conversions = Conversions::new(self.tables, self.arrangement, turn, false)?;
            for rows in &mut sample {
                let side = &mut rows.sides[place];
                side.free = conversions.told(&rows.cells, &side.outcomes);
            }
        }
        Ok(sample)
    }

    /// Puts the men of a row into a scene.
    pub fn put(&self, scene: &mut Scene, rows: &Rows) {
        scene.put(&rows.cells[..self.arrangement.known().len()]);
    }

    /// A sampled row of values, those that are `free` left out or not. `settled` are the values that are stored of the
    /// sides that come before.
    pub fn sampled_values(
        &self,
        scene: &mut Scene,
        rows: &Rows,
        settled: &[ValueRow; 2],
        place: usize,
        free: bool,
    ) -> Option<Sampled<VALUES>> {
        let side = &rows.sides[place];
        if !side.is_stored() {
            return None;
        }
        self.put(scene, rows);
        scene.show((place > 0).then_some(&settled[0]));
        let holds = scene.all_holding(&rows.holds);
        let left_out = if free { side.free } else { CellSet::EMPTY };
        Some(Sampled { holds, symbols: side.values().map(|some| some - left_out) })
    }

    /// A sampled row of distances. `settled` are the values that are stored.
    pub fn sampled_distances(
        &self,
        scene: &mut Scene,
        rows: &Rows,
        settled: &[ValueRow; 2],
        place: usize,
    ) -> Option<Sampled<ERRORS>> {
        let mut sampled = None;
        self.with_coded(scene, rows, settled, |at, scene, coded, told| {
            if at != place {
                return coded.settled(scene, told);
            }
            let (row, distances) = sampled_row(coded, scene, &rows.holds, told);
            sampled = Some(row).filter(|_| is_decisive(coded.values));
            distances
        });
        sampled
    }

    /// Calls back with what distances are coded from, side by side; `code` returns what is stored. The scene is that of
    /// the row then.
    pub fn with_coded(
        &self,
        scene: &mut Scene,
        rows: &Rows,
        settled: &[ValueRow; 2],
        mut code: impl FnMut(usize, &mut Scene, &CodedRow, &Told) -> DistanceRow,
    ) {
        self.put(scene, rows);
        let mut before: Option<DistanceRow> = None;
        for (place, side) in rows.sides.iter().enumerate() {
            let values = &settled[place];
            let (exact, distances) = (side.values(), side.distances());
            let as_it_is = exact.iter().zip(values).fold(CellSet::EMPTY, |all, (&a, &b)| all | a & b);
            let told = Told { distances: &distances, any: side.free - as_it_is, no_better: side.free & as_it_is };
            if place > 0 {
                scene.show(Some(&settled[0]));
            }
            let other = before.as_ref().map(|distances| Other { values: &settled[0], distances });
            let coded = CodedRow { order: self.terrain.order(), values, other };
            before = Some(code(place, scene, &coded, &told));
        }
    }
}

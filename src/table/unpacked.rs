//! Tables unpacked into memory as they are stored, for questions by the million.
//!
//! Nothing is added to what the files say, and nothing of the solver is used: this is what checks ask.

use super::error::TableError;
use super::tablebase::Tablebase;
use crate::geometry::{Color, Variant};
use crate::index::{Code, Layout, MOST_MEN, Material, MaterialKey};
use crate::oracle::{Oracle, ProbeError};
use crate::outcome::Outcome;
use crate::position::Position;
use crate::probe::{self, Placements};
use std::path::PathBuf;
use std::sync::Arc;

/// Some tables of a folder, all checksums tested, unpacked: four bytes a number (two where both sides are alike).
pub struct UnpackedTables {
    variant: Arc<Variant>,
    tables: Vec<Unpacked>,
    /// The keys of both orders of sides with the number of the table, sorted.
    keys: Vec<(MaterialKey, usize, bool)>,
}

struct Unpacked {
    material: Material,
    path: PathBuf,
    layout: Arc<Layout>,
    /// The entries with White and with Black to move.
    codes: [Vec<Code>; 2],
}

impl UnpackedTables {
    /// No tables yet.
    pub fn new(variant: Arc<Variant>) -> UnpackedTables {
        UnpackedTables { variant, tables: vec![], keys: vec![] }
    }

    /// Unpacks the tables of some materials and drops all others.
    ///
    /// # Errors
    /// When a table is missing or damaged.
    pub fn hold(&mut self, tablebase: &Tablebase, materials: &[Material]) -> Result<(), TableError> {
        self.tables.retain(|table| materials.contains(&table.material));
        for material in materials {
            if self.tables.iter().any(|table| table.material == *material) {
                continue;
            }
            let (file, layout) = tablebase.open_file(material)?;
            let mut codes = [file.codes(Color::White)?, vec![]];
            if file.header().sides == 2 {
                codes[1] = file.codes(Color::Black)?;
            }
            self.tables.push(Unpacked { material: material.clone(), path: file.path().to_path_buf(), layout, codes });
        }
        let variant = &self.variant;
        let keys = self.tables.iter().enumerate().flat_map(|(number, table)| {
            [false, true].map(|swapped| (MaterialKey::of_material(variant, &table.material, swapped), number, swapped))
        });
        self.keys = keys.collect();
        self.keys.sort();
        Ok(())
    }
}

impl Placements for UnpackedTables {
    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn placement_outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let key = MaterialKey::of(&self.variant, position);
        // A material of equal sides has one key twice; the order of its sides does not matter then.
        let Ok(at) = self.keys.binary_search_by_key(&key, |entry| entry.0) else {
            return Err(missing(&self.variant, position));
        };
        let (_, number, swapped) = self.keys[at];
        let table = &self.tables[number];
        let (turn, place) = probe::locate(&table.layout, position, swapped);
        let number = table.layout.number(table.layout.ascending(place));
        table.codes[turn.index()][number].outcome().ok_or_else(|| ProbeError::Damaged {
            file: table.path.display().to_string(),
            part: format!("entry {number}"),
            expected: "an outcome".into(),
            found: "none".into(),
        })
    }
}

fn missing(variant: &Variant, position: &Position) -> ProbeError {
    let material = Material::of(variant, position).0;
    let (name, men) = (material.name(variant), material.men());
    match men > MOST_MEN {
        true => ProbeError::TooManyMen { material: name, men, most: MOST_MEN },
        false => ProbeError::Missing { file: format!("the unpacked table of {name}"), material: name },
    }
}

impl Oracle for UnpackedTables {
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        probe::outcome_with_en_passant(self, position)
    }
}

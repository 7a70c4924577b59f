//! Packed files give back what went into them.

use hextb::geometry::{Color, Variant};
use hextb::index::{Arrangement, Layout, Material, SideTable};
use hextb::oracle::Oracle;
use hextb::outcome::Value;
use hextb::position::{Position, legality};
use hextb::solve::MemoryTables;
use hextb::table::TableError;
use hextb::table::packed::{About, DistanceFile, Level, Outcomes, Packer, ValueFile};
use std::sync::Arc;

struct InMemory<'a>(&'a MemoryTables, &'a Material);

impl Outcomes for InMemory<'_> {
    fn side(&self, slice: usize, turn: Color) -> Result<Arc<SideTable>, TableError> {
        Ok(self.0.table(self.1).unwrap().side(slice, turn).clone())
    }
}

/// Packs a table with the men in an order (the best, if none is given) and compares every stored position with the
/// solved table, through positions on the board.
fn pack_and_compare(tables: &MemoryTables, variant: &Arc<Variant>, name: &str, order: Option<usize>) {
    let folder = tempfile::tempdir().unwrap();
    let material = Material::parse(variant, name).unwrap();
    let layout = Arc::new(Layout::new(variant.clone(), &material));
    let outcomes = InMemory(tables, &material);
    let packer = Packer::new(&layout, &outcomes, Level::Usual);
    let men = match order {
        Some(order) => Arrangement::choices(&material)[order].clone(),
        None => packer.best_order().unwrap(),
    };
    let paths = ["values", "distances"].map(|kind| folder.path().join(kind));
    let bytes = packer.pack(&men, &About::of(variant, &material), &paths[0], &paths[1]).unwrap();
    assert_eq!(bytes, [0, 1].map(|file| paths[file].metadata().unwrap().len()));
    let values = ValueFile::open(&paths[0], variant, &material).unwrap();
    let distances = DistanceFile::open(&paths[1], &values).unwrap();
    let arrangement = values.arrangement();
    let mut scene = values.scene();
    let (mut legal, mut decisive) = (0, 0);
    for turn in Color::BOTH.into_iter().take(arrangement.sides()) {
        for row in 0..arrangement.rows() {
            let cells = arrangement.cells(row);
            let (of_row, of_distance) = distances.row(&values, &mut scene, row, turn).unwrap();
            assert_eq!(values.row(&mut scene, row, turn).unwrap(), of_row);
            for column in arrangement.stored(&cells, turn) {
                let mut position = Position::empty(turn);
                arrangement.known().iter().zip(cells).for_each(|(&man, cell)| position.put(man, cell));
                position.put(arrangement.column_man(), column);
                assert!(legality::check_men(variant, &position).is_ok());
                let outcome = tables.outcome(&position).unwrap();
                let value = Value::ALL.into_iter().find(|&value| of_row[value as usize].contains(column));
                assert_eq!(value, Some(outcome.value()), "{name} {} row {row}", arrangement.name());
                assert_eq!(values.value(&mut scene, row, column, turn).unwrap(), outcome.value());
                if let Some(plies) = outcome.plies() {
                    assert_eq!(of_distance[column.index()], plies / 2, "{name} {} row {row}", arrangement.name());
                    decisive += 1;
                }
                legal += 1;
            }
        }
    }
    let entries = |about: &About| about.entries.iter().sum::<u64>();
    assert_eq!((entries(values.about()), entries(distances.about())), (legal, decisive), "{name}");
}

#[test]
fn every_outcome_is_read_as_it_was_packed() {
    for (variant, materials) in [
        ("glinski-3", vec!["KK", "KQK", "KPK", "KQKR", "KRPK", "KBBK", "KNKN"]),
        ("mccooey-3", vec!["KPKN"]),
        ("glinski-2", vec!["KPKP", "KPPK", "KRBKR", "KPPKP", "KNNNK"]),
    ] {
        let variant = Arc::new(Variant::named(variant).unwrap());
        let mut tables = MemoryTables::new(variant.clone());
        for name in materials {
            tables.solve(&Material::parse(&variant, name).unwrap());
            pack_and_compare(&tables, &variant, name, None);
        }
    }
}

#[test]
fn any_order_of_the_men_will_do() {
    let variant = Arc::new(Variant::named("glinski-2").unwrap());
    let mut tables = MemoryTables::new(variant.clone());
    for name in ["KQKR", "KRPK", "KPKN", "KBBK"] {
        let material = Material::parse(&variant, name).unwrap();
        tables.solve(&material);
        for order in 0..Arrangement::choices(&material).len() {
            pack_and_compare(&tables, &variant, name, Some(order));
        }
    }
}

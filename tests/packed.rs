//! Packed files give back what went into them.

use hextb::coding::terrain::Terrain;
use hextb::geometry::{Color, Variant};
use hextb::index::{Arrangement, Material};
use hextb::oracle::Oracle;
use hextb::outcome::{Outcome, Value};
use hextb::position::{Position, legality};
use hextb::probe;
use hextb::solve::MemoryTables;
use hextb::table::packed::{About, Choice, DistanceFile, Level, Packer, ValueFile};
use std::sync::Arc;

/// Packs a table with the men in an order (the best, if none is given) and compares every stored position with the
/// solved table, through positions on the board. Returns how many are stored as less than they are worth.
fn pack_and_compare(tables: &MemoryTables, variant: &Arc<Variant>, name: &str, order: Option<usize>) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let material = Material::parse(variant, name).unwrap();
    let packer = Packer::new(variant, &material, tables, Level::Usual);
    let choice = match order {
        Some(order) => {
            let men = Arrangement::choices(variant, &material)[order].clone();
            Choice { men, looked_at: [[true, true], [true, false], [false, true], [false, false]][order % 4].to_vec() }
        }
        None => packer.best_choice().unwrap(),
    };
    let paths = ["values", "distances"].map(|kind| folder.path().join(kind));
    let bytes = packer.pack(&choice, &About::of(variant, &material), &paths[0], &paths[1]).unwrap();
    assert_eq!(bytes, [0, 1].map(|file| paths[file].metadata().unwrap().len()));
    let values = ValueFile::open(&paths[0], &Arc::new(Terrain::new(variant)), &material).unwrap();
    let distances = DistanceFile::open(&paths[1], &values).unwrap();
    let arrangement = values.arrangement();
    let mut scene = values.scene();
    let (mut legal, mut decisive, mut less) = (0, 0, 0);
    for turn in Color::BOTH.into_iter().take(arrangement.sides()) {
        for row in 0..arrangement.rows() {
            let cells = arrangement.cells(row);
            let (of_row, of_distance) = distances.row(&values, &mut scene, row, turn).unwrap();
            assert_eq!(values.rows(&mut scene, row, turn).unwrap()[values.place(turn)], of_row);
            for column in arrangement.stored(&cells, turn) {
                let mut position = Position::empty(turn);
                arrangement.known().iter().zip(cells).for_each(|(&man, cell)| position.put(man, cell));
                position.put(arrangement.column_man(), column);
                assert!(legality::check_men(variant, &position).is_ok());
                let outcome = tables.outcome(&position).unwrap();
                let value = Value::ALL.into_iter().find(|&value| of_row[value as usize].contains(column)).unwrap();
                assert_eq!(values.value(&mut scene, row, column, turn).unwrap(), value);
                let stored = match value {
                    Value::Draw => Outcome::DRAW,
                    value => Outcome::new(value, 2 * of_distance[column.index()] + u16::from(value > Value::Draw)),
                };
                let mut told = stored;
                if values.about().needs_conversions(turn) {
                    told =
                        probe::best_conversion(tables, &position).unwrap().map_or(told, |best: Outcome| best.max(told));
                    less += u64::from(stored != told);
                }
                assert_eq!(told, outcome, "{name} {} row {row}", arrangement.name());
                decisive += u64::from(outcome != Outcome::DRAW);
                legal += 1;
            }
        }
    }
    let entries = |about: &About| about.entries.iter().sum::<u64>();
    assert_eq!((entries(values.about()), entries(distances.about())), (legal, decisive), "{name}");
    less
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
    let mut less = 0;
    for name in ["KQKR", "KRPK", "KPKN", "KBBK"] {
        let material = Material::parse(&variant, name).unwrap();
        tables.solve(&material);
        for order in 0..Arrangement::choices(&variant, &material).len() {
            less += pack_and_compare(&tables, &variant, name, Some(order));
        }
    }
    assert!(less > 1000, "{less}");
}

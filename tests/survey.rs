//! Surveys of whole tables: their counts are those of the statistics, and of a walk over the board.

#[path = "common/program.rs"]
mod program;

use hextb::analysis::placements::{Fold, Placements};
use hextb::analysis::unwatched;
use hextb::geometry::{Color, Role, Variant};
use hextb::index::Material;
use hextb::oracle::{Oracle, ProbeError};
use hextb::outcome::Value;
use hextb::position::Position;
use hextb::survey::distances::Distribution;
use hextb::survey::kings::{KingMap, OfCell};
use hextb::table::Tablebase;
use std::path::Path;
use std::sync::Arc;

const SMALL: [&str; 8] = ["KK", "KQK", "KPK", "KNK", "KQKR", "KPKP", "KRK", "KBK"];

fn tablebase(tables: &Path) -> Tablebase {
    Tablebase::new(Arc::new(Variant::named(program::VARIANT).unwrap()), tables)
}

#[test]
fn distances_add_up_to_the_statistics_in_packed_and_in_plain_tables() {
    for tables in [program::tables(), program::plain_tables()].map(tablebase) {
        for name in SMALL {
            let material = Material::parse(tables.variant(), name).unwrap();
            let found = Distribution::of(&tables, &material, &unwatched).unwrap();
            let table = tables.open_table(&material).unwrap();
            let statistics = table.statistics().unwrap();
            for turn in Color::BOTH {
                let (side, expected) = (found.side(turn), statistics.side(turn));
                assert_eq!((side.legal, side.draw), (expected.legal, expected.draw), "{name} {turn:?}");
                assert_eq!(side.decisive(), expected.legal - expected.draw, "{name} {turn:?}");
                for value in Value::ALL.into_iter().filter(|&value| value != Value::Draw) {
                    let counts = side.of(value);
                    assert_eq!(counts.iter().sum::<u64>(), expected.count(value), "{name} {turn:?} {value:?}");
                    let longest = counts.len().checked_sub(1).map(|plies| plies as u16);
                    assert_eq!(longest, expected.max_plies.get(value).copied(), "{name} {turn:?} {value:?}");
                }
            }
        }
    }
}

/// The same counts from every placement on the board, asked one by one.
fn kings_by_walk(tables: &Tablebase, material: &Material) -> Vec<OfCell> {
    let variant = tables.variant();
    let start = || vec![OfCell::default(); variant.board().cell_count()];
    let visit = |cells: &mut Vec<OfCell>, position: &Position, weight: u64| -> Result<(), ProbeError> {
        if position.turn() == Color::White {
            return Ok(());
        }
        let outcome = tables.outcome(position)?;
        let king = position.men(Color::Black, Role::KING).iter().next().unwrap();
        let of_cell = &mut cells[king.index()];
        of_cell.legal += weight;
        if outcome.value() == Value::Loss {
            let plies = u64::from(outcome.plies().unwrap());
            of_cell.lost += weight;
            of_cell.plies += plies * weight;
            of_cell.mated += if plies == 0 { weight } else { 0 };
        }
        Ok(())
    };
    let merge = |mut a: Vec<OfCell>, b: Vec<OfCell>| {
        for (a, b) in a.iter_mut().zip(b) {
            *a = OfCell {
                legal: a.legal + b.legal,
                lost: a.lost + b.lost,
                plies: a.plies + b.plies,
                mated: a.mated + b.mated,
            };
        }
        a
    };
    Placements::new(variant, material, Fold::None).walk(&unwatched, start, visit, merge).unwrap()
}

#[test]
fn kings_by_cell_are_those_of_a_walk_over_all_placements() {
    let tables = tablebase(program::tables());
    for name in SMALL {
        let material = Material::parse(tables.variant(), name).unwrap();
        let found = KingMap::of(&tables, &material, &unwatched).unwrap();
        assert_eq!(found.cells, kings_by_walk(&tables, &material), "{name}");
        let table = tables.open_table(&material).unwrap();
        let expected = &table.statistics().unwrap().b;
        assert_eq!((found.total().legal, found.total().lost), (expected.legal, expected.loss), "{name}");
    }
}

#[test]
fn means_are_of_the_lost_positions_alone() {
    let of_cell = OfCell { legal: 100, lost: 4, plies: 10, mated: 1 };
    assert_eq!(of_cell.mean_plies(), Some(2.5));
    assert_eq!(OfCell { legal: 100, ..OfCell::default() }.mean_plies(), None);
}

#[test]
fn a_damaged_table_is_refused() {
    let folder = program::copied_packed_tables();
    let file = &program::packed_files(folder.path(), "KQKR")[1];
    let mut bytes = std::fs::read(file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(file, bytes).unwrap();
    let tables = tablebase(folder.path());
    let material = Material::parse(tables.variant(), "KQKR").unwrap();
    assert!(Distribution::of(&tables, &material, &unwatched).is_err());
    assert!(KingMap::of(&tables, &material, &unwatched).is_err());
}

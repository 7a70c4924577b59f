//! Packed files give back what went into them.

use hextb::geometry::{CellSet, Color, Variant};
use hextb::index::{Layout, Material, SideTable};
use hextb::outcome::Value;
use hextb::solve::MemoryTables;
use hextb::table::TableError;
use hextb::table::packed::{About, Level, Outcomes, ValueFile, pack_values};
use std::sync::Arc;

struct InMemory<'a>(&'a MemoryTables, &'a Material);

impl Outcomes for InMemory<'_> {
    fn side(&self, slice: usize, turn: Color) -> Result<Arc<SideTable>, TableError> {
        Ok(self.0.table(self.1).unwrap().side(slice, turn).clone())
    }
}

#[test]
fn every_value_is_read_as_it_was_packed() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, materials) in [
        ("glinski-3", vec!["KK", "KQK", "KPK", "KQKR", "KRPK", "KPKP", "KBBK", "KNKN"]),
        ("mccooey-3", vec!["KPKN"]),
        ("glinski-2", vec!["KRBKR", "KPPKP", "KNNNK"]),
    ] {
        let variant = Arc::new(Variant::named(variant).unwrap());
        let mut tables = MemoryTables::new(variant.clone());
        for name in materials {
            let material = Material::parse(&variant, name).unwrap();
            tables.solve(&material);
            let layout = Arc::new(Layout::new(variant.clone(), &material));
            let path = folder.path().join(name);
            let outcomes = InMemory(&tables, &material);
            let bytes = pack_values(&layout, &outcomes, About::of(&layout), Level::Usual, &path).unwrap();
            assert_eq!(bytes, path.metadata().unwrap().len());
            let file = ValueFile::open(&path, &layout).unwrap();
            let mut scene = file.scene();
            let n = layout.cell_count();
            let mut legal = 0;
            for slice in 0..layout.slices().len() {
                for turn in Color::BOTH.into_iter().take(file.about().legal.len()) {
                    let side = outcomes.side(slice, turn).unwrap();
                    for row in 0..layout.slice_len(slice) / n {
                        let ascending = layout.ascending_columns(slice, row / n, row % n);
                        let expected = side.row(row).of_value.map(|columns| CellSet(columns) & ascending);
                        let found = file.row(&mut scene, slice, row, turn).unwrap();
                        assert_eq!(found, expected, "{name}, slice {slice}, row {row}, {turn:?}");
                        for value in Value::ALL {
                            for column in expected[value as usize] {
                                assert_eq!(file.value(&mut scene, slice, row, column, turn).unwrap(), value);
                            }
                        }
                        legal += expected.iter().map(|columns| columns.len() as u64).sum::<u64>();
                    }
                }
            }
            assert_eq!(file.about().legal.iter().sum::<u64>(), legal, "{name}");
        }
    }
}

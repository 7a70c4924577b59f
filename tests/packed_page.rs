//! The example of docs/packed-format.md is a real file, and says what the page says that it does.

use hextb::coding::terrain::Terrain;
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::outcome::Value;
use hextb::position::Fen;
use hextb::table::packed::{Level, ValueFile};
use hextb::table::{Form, Generator, Tablebase};
use std::path::Path;
use std::sync::Arc;

/// The bytes of the page's only block of them; what follows a # is no part of it.
fn example() -> Vec<u8> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/packed-format.md")).unwrap();
    let block = page.split("```hex\n").nth(1).unwrap().split("```").next().unwrap();
    let bytes = block.lines().flat_map(|line| line.split('#').next().unwrap().split_whitespace());
    bytes.map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

#[test]
fn the_example_of_the_page_is_the_file_that_is_made_and_reads_as_the_page_says() {
    let variant = Arc::new(Variant::glinski());
    let material = Material::parse(&variant, "KK").unwrap();
    let [folder, made] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let path = folder.path().join("glinski/KK.hxv");
    std::fs::create_dir(path.parent().unwrap()).unwrap();
    std::fs::write(&path, example()).unwrap();
    let mut generator = Generator::new(variant.clone(), made.path(), Form::Packed(Level::Usual), 1 << 30);
    generator.generate(std::slice::from_ref(&material), &()).unwrap();
    assert!(std::fs::read(made.path().join("glinski/KK.hxv")).unwrap() == example());

    let file = ValueFile::open(&path, &Arc::new(Terrain::new(&variant)), &material).unwrap();
    assert_eq!((file.about().men.as_str(), file.about().entries.as_slice()), ("kK", &[957][..]));
    let mut scene = file.scene();
    let mut found = vec![];
    for row in 0..file.arrangement().rows() {
        let values = file.rows(&mut scene, row, Color::White).unwrap()[0];
        for value in [Value::Loss, Value::StalemateLoss, Value::StalemateWin, Value::Win] {
            let names = values[value as usize].iter().map(|cell| variant.board().name(cell).to_string());
            found.extend(names.map(|name| (row, name, value.word())));
        }
    }
    let expected = ["b4", "c4", "d2", "d3", "d4", "d5", "e4"].map(|cell| (0, cell.to_string(), "stalemate-win"));
    assert_eq!(found[..7], expected);
    assert_eq!(found[7..], [(6, "a1".to_string(), "stalemate-loss")]);

    let tables = Tablebase::new(variant.clone(), folder.path());
    let value = |turn| {
        let fen = Fen::parse(&variant, &format!("1/3/5/7/9/11/11/1K9/11/11/k10 {turn} - 0 1")).unwrap();
        tables.probe_value(&fen.position).unwrap()
    };
    assert_eq!((value("w"), value("b")), (Value::StalemateWin, Value::Draw));
}

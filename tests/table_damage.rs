//! Table files that are spoilt: every flipped byte and every cut is noticed, and no value is given.

#[path = "common/program.rs"]
mod program;

use hextb::geometry::Variant;
use hextb::index::{Layout, Material};
use hextb::table::{TableError, TableFile};
use std::path::Path;
use std::sync::Arc;

/// Opens a file and reads all of its blocks.
fn read_all(path: &Path, layout: &Layout) -> Result<(), TableError> {
    let file = TableFile::open_for(path, layout)?;
    (0..file.header().block_count()).try_for_each(|block| file.read_block(block).map(|_| ()))
}

fn layout_of(material: &str) -> Layout {
    let variant = Arc::new(Variant::named(program::VARIANT).unwrap());
    Layout::new(variant.clone(), &Material::parse(&variant, material).unwrap())
}

#[test]
fn every_flipped_byte_is_refused_with_a_message_that_names_the_file_and_the_part() {
    let layout = layout_of("KRK");
    let bytes = std::fs::read(program::table_file(program::plain_tables(), "KRK")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KRK.hxt");
    for at in 0..bytes.len() {
        for flip in [1u8, 0x80, 0xff] {
            let mut spoilt = bytes.clone();
            spoilt[at] ^= flip;
            std::fs::write(&path, &spoilt).unwrap();
            let error = read_all(&path, &layout).expect_err("the flipped byte is noticed").to_string();
            assert!(error.contains("KRK.hxt"), "byte {at}: {error}");
            let named =
                ["block", "header", "length", "first 8 bytes", "version"].iter().any(|part| error.contains(part));
            assert!(named, "byte {at}: {error}");
        }
    }
}

#[test]
fn a_flipped_byte_in_a_block_names_that_block() {
    let layout = layout_of("KQKR");
    let path = program::table_file(program::plain_tables(), "KQKR");
    let bytes = std::fs::read(&path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let spoilt_path = folder.path().join("KQKR.hxt");
    let mut spoilt = bytes.clone();
    let last = TableFile::open_for(&path, &layout).unwrap().header().block_count() - 1;
    // After the blocks come the header, the list of blocks and a checksum.
    let header = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let end_of_blocks = bytes.len() - 8 - 12 * (last + 1) - header;
    spoilt[end_of_blocks - 1] ^= 1;
    std::fs::write(&spoilt_path, &spoilt).unwrap();
    let file = TableFile::open_for(&spoilt_path, &layout).expect("the header is sound");
    assert!((0..last).all(|block| file.read_block(block).is_ok()));
    let error = file.read_block(last).expect_err("the block is damaged").to_string();
    assert!(error.contains(&format!("block {last} ")) && error.contains("expected checksum"), "{error}");
}

#[test]
fn a_file_cut_short_or_grown_is_refused_when_it_is_opened() {
    let layout = layout_of("KRK");
    let bytes = std::fs::read(program::table_file(program::plain_tables(), "KRK")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KRK.hxt");
    for length in 0..bytes.len() {
        std::fs::write(&path, &bytes[..length]).unwrap();
        assert!(TableFile::open_for(&path, &layout).is_err(), "{length} bytes of {}", bytes.len());
    }
    std::fs::write(&path, [&bytes[..], &[0]].concat()).unwrap();
    assert!(TableFile::open_for(&path, &layout).is_err());
}

#[test]
fn probing_a_damaged_table_gives_no_value() {
    let tables = program::copied_tables();
    let path = program::table_file(tables.path(), "KRK");
    let bytes = std::fs::read(&path).unwrap();
    let (fen, _, _) = &program::longest("KRK")[0];
    // Every tenth byte, from the back: blocks first, then the header.
    for at in (0..bytes.len()).rev().step_by(10) {
        let mut spoilt = bytes.clone();
        spoilt[at] ^= 0x10;
        std::fs::write(&path, &spoilt).unwrap();
        let run = program::run_on(tables.path(), program::VARIANT, &["probe", fen, "--json"]);
        // A byte of a block that the answer does not need does no harm.
        if run.status == 0 {
            assert_eq!(run.stdout, program::run(&["probe", fen, "--json"]).stdout, "byte {at}");
        } else {
            run.fails(3, &["KRK.hxt"]);
        }
    }
}

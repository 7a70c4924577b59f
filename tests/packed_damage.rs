//! Spoilt packed files: whatever byte is wrong, there is an error that names the file or the right answer, never a
//! wrong one and never a panic; and files whose checksums are right but whose contents are not make no one fall over.

use hextb::geometry::{Cell, Color, Variant};
use hextb::index::Material;
use hextb::outcome::Outcome;
use hextb::position::{Position, legality};
use hextb::table::packed::Level;
use hextb::table::{Form, Generator, Tablebase};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

const VARIANT: &str = "glinski-2";
const PAGE: usize = 4096;

/// Tables of a material, and all of its positions that are looked at with their outcomes.
struct Sound {
    folder: tempfile::TempDir,
    variant: Arc<Variant>,
    positions: Vec<(Position, Outcome)>,
    files: [PathBuf; 2],
}

impl Sound {
    fn new(name: &str) -> Sound {
        let folder = tempfile::tempdir().unwrap();
        let variant = Arc::new(Variant::named(VARIANT).unwrap());
        let material = Material::parse(&variant, name).unwrap();
        let mut generator = Generator::new(variant.clone(), folder.path(), Form::Packed(Level::Usual), 1 << 30);
        generator.generate(std::slice::from_ref(&material), &()).unwrap();
        let tables = generator.tablebase();
        let mut positions = vec![];
        let n = variant.board().cell_count();
        let men = material.men_in_order();
        for number in (0..n.pow(men.len() as u32)).step_by(if men.len() == 3 { 17 } else { 97 }) {
            let mut position = Position::empty(Color::BOTH[number % 2]);
            let mut rest = number;
            for &man in &men {
                position.put(man, Cell((rest % n) as u8));
                rest /= n;
            }
            if position.occupied().len() == men.len() && legality::check_men(&variant, &position).is_ok() {
                positions.push((position, tables.probe_distance(&position).unwrap()));
            }
        }
        assert!(positions.len() > 50, "{}", positions.len());
        let files = ["hxv", "hxd"].map(|ending| folder.path().join(VARIANT).join(format!("{name}.{ending}")));
        Sound { folder, variant, positions, files }
    }

    /// Asks everything of the tables with one file spoilt. Returns how many questions failed.
    fn ask(&self, file: &Path, spoilt: &[u8], answers_are_right: bool) -> usize {
        let sound = std::fs::read(file).unwrap();
        // As tables are put in place: a new file under the old name.
        let fresh = file.with_extension("fresh");
        std::fs::write(&fresh, spoilt).unwrap();
        std::fs::rename(&fresh, file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap().to_string();
        let mut failed = 0;
        let tables = Tablebase::with_cache(self.variant.clone(), self.folder.path(), 1 << 22);
        for (position, outcome) in &self.positions {
            match tables.probe_value(position) {
                Ok(value) => assert!(!answers_are_right || value == outcome.value()),
                Err(error) => {
                    failed += 1;
                    assert!(error.to_string().contains(&name), "{error}");
                }
            }
            match tables.probe_distance(position) {
                Ok(found) => assert!(!answers_are_right || found == *outcome),
                Err(error) => {
                    failed += 1;
                    assert!(error.to_string().contains(&name), "{error}");
                }
            }
        }
        std::fs::write(&fresh, sound).unwrap();
        std::fs::rename(&fresh, file).unwrap();
        failed
    }
}

#[test]
fn a_wrong_byte_is_an_error_wherever_it_is() {
    for name in ["KRK", "KPKP"] {
        let sound = Sound::new(name);
        for file in &sound.files {
            let bytes = std::fs::read(file).unwrap();
            // Every field of the head, and bytes all over the rest.
            let rest = (40..bytes.len()).step_by(bytes.len() / 40 + 1);
            for at in (0..40).chain(rest).chain(bytes.len() - 20..bytes.len()) {
                let mut spoilt = bytes.clone();
                spoilt[at] ^= 1 << (at % 8);
                assert!(sound.ask(file, &spoilt, true) > 0, "{} byte {at}", file.display());
            }
        }
    }
}

#[test]
fn a_file_that_is_cut_short_or_goes_on_is_an_error() {
    let sound = Sound::new("KPKP");
    for file in &sound.files {
        let bytes = std::fs::read(file).unwrap();
        for length in [0, 1, 7, 8, 12, 39, 40, 47, 48, 100, bytes.len() / 2, bytes.len() - 8, bytes.len() - 1] {
            assert!(sound.ask(file, &bytes[..length], true) > 0, "{} of {length}", file.display());
        }
        assert!(sound.ask(file, &[&bytes[..], b"more"].concat(), true) > 0);
    }
}

#[test]
fn files_that_do_not_belong_together_are_told_apart() {
    let [sound, other] = ["KRK", "KQK"].map(Sound::new);
    for (file, foreign) in sound.files.iter().zip(&other.files) {
        assert!(sound.ask(file, &std::fs::read(foreign).unwrap(), true) > 0);
    }
    // Distances of another packing of the same table.
    let bytes = std::fs::read(&sound.files[1]).unwrap();
    let end = checksums_begin(&bytes);
    let mut spoilt = bytes.clone();
    spoilt[end - 1] ^= 1;
    reseal(&mut spoilt);
    assert!(sound.ask(&sound.files[1], &spoilt, true) > 0);
}

/// Where the list of checksums begins.
fn checksums_begin(bytes: &[u8]) -> usize {
    let pages = (bytes.len() - 8).div_ceil(PAGE + 4);
    bytes.len() - 8 - 4 * pages
}

/// Makes all checksums right.
fn reseal(bytes: &mut [u8]) {
    let begin = checksums_begin(bytes);
    let sums: Vec<u8> = bytes[..begin].chunks(PAGE).flat_map(|page| (xxh3_64(page) as u32).to_le_bytes()).collect();
    let end = bytes.len() - 8;
    bytes[begin..end].copy_from_slice(&sums);
    let whole = xxh3_64(&sums).to_le_bytes();
    bytes[end..].copy_from_slice(&whole);
}

#[test]
fn wrong_contents_under_right_checksums_make_no_one_fall_over() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for name in ["KRK", "KPKP"] {
        let sound = Sound::new(name);
        for file in &sound.files {
            let bytes = std::fs::read(file).unwrap();
            for _ in 0..100 {
                let mut spoilt = bytes.clone();
                let begin = checksums_begin(&bytes);
                for _ in 0..=next() % 3 {
                    // The length has to stay what it is for anything else to be looked at.
                    let at = 24 + next() % (begin - 24);
                    spoilt[at] = next() as u8;
                }
                reseal(&mut spoilt);
                sound.ask(file, &spoilt, false);
            }
        }
    }
}

//! What the fuzz targets do with arbitrary bytes. Each function says whether it has come to a real answer, so that
//! seeds can be proved to; the tests do, and write the seeds into `corpus` for the targets to begin with.

use hextb::coding::terrain::Terrain;
use hextb::geometry::{Cell, Color, Variant};
use hextb::index::Material;
use hextb::position::game::Games;
use hextb::position::{Fen, Position, legality};
use hextb::table::packed::{Level, PackedTable};
use hextb::table::{Form, Generator, TableFile, Tablebase};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use xxhash_rust::xxh3::xxh3_64;

/// A small game, so that a table takes no time.
pub const VARIANT: &str = "glinski-2";
const MATERIAL: &str = "KPK";
const PAGE: usize = 4096;

/// Sound tables, of which one file is replaced by what the fuzzer makes of it.
struct Tables {
    variant: Arc<Variant>,
    material: Material,
    folder: tempfile::TempDir,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let variant = Arc::new(Variant::named(VARIANT).expect("a variant"));
    let material = Material::parse(&variant, MATERIAL).expect("a material");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut generator = Generator::new(variant.clone(), folder.path(), Form::Packed(Level::Usual), 1 << 30);
    generator.generate(std::slice::from_ref(&material), &()).expect("room for tables");
    Tables { variant, material, folder }
});

impl Tables {
    fn file(&self, ending: &str) -> PathBuf {
        self.folder.path().join(VARIANT).join(format!("{MATERIAL}.{ending}"))
    }
}

/// Puts bytes in the place of a file, as tables are put in place.
fn replace(file: &PathBuf, bytes: &[u8]) {
    let fresh = file.with_extension("fresh");
    std::fs::write(&fresh, bytes).expect("room for a file");
    std::fs::rename(&fresh, file).expect("the folder is there");
}

/// Reads a FEN, and a legal position back from what it is written as.
pub fn fen(data: &[u8]) -> bool {
    static GLINSKI: LazyLock<Variant> = LazyLock::new(Variant::glinski);
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let Ok(fen) = Fen::parse(&GLINSKI, text) else { return false };
    let again = Fen::parse(&GLINSKI, &fen.write(&GLINSKI)).expect("what has been written is read");
    assert_eq!(again.position, fen.position);
    let moves = fen.position.legal_moves(&GLINSKI);
    moves.iter().for_each(|mv| assert!(!fen.position.san_among(&GLINSKI, mv, &moves).is_empty()));
    true
}

/// Reads games and plays them through, and reads them back from what they are written as.
pub fn game(data: &[u8]) -> bool {
    static GLINSKI: LazyLock<Variant> = LazyLock::new(Variant::glinski);
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let mut played = false;
    for text in Games::new(text).flatten() {
        let Ok(game) = text.replay(&GLINSKI, None) else { continue };
        let written = text.write(&game.start);
        let again = Games::new(&written).next().expect("there is a game").expect("what has been written is read");
        assert_eq!(again.write(&game.start), written);
        assert_eq!(again.replay(&GLINSKI, None).expect("the same moves").end, game.end);
        played |= !game.moves.is_empty();
    }
    played
}

/// Opens a file of any of the three kinds.
pub fn header(data: &[u8]) -> bool {
    let tables = &*TABLES;
    let alone = tables.folder.path().join("alone");
    std::fs::create_dir_all(&alone).expect("room for a folder");
    let path = alone.join(format!("{MATERIAL}.hxv"));
    replace(&path, data);
    let packed = PackedTable::open(&path, &Arc::new(Terrain::new(&tables.variant)), &tables.material).is_ok();
    TableFile::open(&path).is_ok() || packed
}

/// Puts bytes in the place of the file of values (if the first is even) or of distances, makes their checksums right,
/// and asks for positions.
pub fn probe(data: &[u8]) -> bool {
    let Some((which, bytes)) = data.split_first() else { return false };
    let tables = &*TABLES;
    let file = tables.file(["hxv", "hxd"][usize::from(which % 2)]);
    let sound = std::fs::read(&file).expect("the table is there");
    let mut bytes = bytes.to_vec();
    reseal(&mut bytes);
    replace(&file, &bytes);
    let opened = Tablebase::with_cache(tables.variant.clone(), tables.folder.path(), 0);
    let n = tables.variant.board().cell_count();
    let mut answers = 0;
    for number in (0..n * n * n).step_by(37) {
        let mut position = Position::empty(Color::BOTH[number % 2]);
        let mut rest = number;
        for man in tables.material.men_in_order() {
            position.put(man, Cell((rest % n) as u8));
            rest /= n;
        }
        if position.occupied().len() == 3 && legality::check_men(&tables.variant, &position).is_ok() {
            answers += usize::from(opened.probe_value(&position).is_ok());
            answers += usize::from(opened.probe_distance(&position).is_ok());
        }
    }
    replace(&file, &sound);
    answers > 0
}

/// Makes all checksums of a packed file right, and its length.
fn reseal(bytes: &mut [u8]) {
    if bytes.len() < 48 {
        return;
    }
    let length = (bytes.len() as u64).to_le_bytes();
    bytes[16..24].copy_from_slice(&length);
    let end = bytes.len() - 8;
    let begin = end - 4 * end.div_ceil(PAGE + 4);
    let sums: Vec<u8> = bytes[..begin].chunks(PAGE).flat_map(|page| (xxh3_64(page) as u32).to_le_bytes()).collect();
    bytes[begin..end].copy_from_slice(&sums);
    let whole = xxh3_64(&sums).to_le_bytes();
    bytes[end..].copy_from_slice(&whole);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(target: &str, name: &str, bytes: &[u8]) {
        let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        std::fs::create_dir_all(&corpus).unwrap();
        std::fs::write(corpus.join(name), bytes).unwrap();
    }

    /// One test, as the targets share a folder.
    #[test]
    fn every_seed_reaches_a_real_answer() {
        let start = Variant::glinski().description().start.clone().unwrap();
        let few = "1/2r/5/1k5/9/8K2/11/11/10Q/11/11 b - 0 1";
        for (name, text) in [("start", &start[..]), ("few", few)] {
            assert!(fen(text.as_bytes()), "{text}");
            seed("fen", name, text.as_bytes());
        }
        let games = [
            (
                "start",
                "[Site \"\\\"\"]\n\n1. e4e5 {a} e7e6!? $14 (1... d7d6 (1... f7f6)) 2. f6 ; b\n1/2-1/2".to_string(),
            ),
            ("few", format!("{few}\nd8d7 Qk3+ {{check}} Kd8 *\n[FEN \"{few}\"]\n%\nKc7 3/4-1/4")),
        ];
        for (name, text) in games {
            assert!(game(text.as_bytes()), "{text}");
            seed("game", name, text.as_bytes());
        }
        let [values, distances] = ["hxv", "hxd"].map(|ending| std::fs::read(TABLES.file(ending)).unwrap());
        assert!(header(&values));
        seed("header", "values", &values);
        for (which, bytes) in [(0, values), (1, distances)] {
            let data = [&[which][..], &bytes].concat();
            assert!(probe(&data));
            seed("probe", ["values", "distances"][usize::from(which)], &data);
        }
        assert!(!fen(b"nonsense") && !game(b"nonsense") && !header(b"nonsense") && !probe(b""));
    }
}

//! `hextb stats` with pictures: what is drawn is what is counted, the documents are well formed, and mistakes are told.

#[path = "common/program.rs"]
mod program;

use program::{run, run_on};
use std::path::{Path, PathBuf};

/// A folder with the path of a picture in it.
fn picture(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    (folder, path)
}

/// Draws with some arguments of `stats` and returns the document.
fn drawn(arguments: &[&str]) -> String {
    let (_folder, file) = picture("drawn.svg");
    let arguments = [&["stats"], arguments, &["--quiet", "--plot", file.to_str().unwrap()]].concat();
    assert_eq!(run(&arguments).good(), "");
    std::fs::read_to_string(&file).unwrap()
}

/// All words of a document, its title and description first.
fn words(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    assert_eq!(document.root_element().tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
    let wanted = |name: &str| ["title", "desc", "text"].contains(&name);
    let nodes = document.descendants().filter(|node| wanted(node.tag_name().name()));
    nodes.filter_map(|node| node.text()).map(|text| text.trim().to_string()).collect()
}

#[test]
fn distances_are_drawn_with_titles_axes_and_a_line_for_each_outcome_that_occurs() {
    for (material, outcomes) in
        [("KQK", &["win", "loss"][..]), ("KNK", &["stalemate-loss"]), ("KQKR", &["win", "loss"]), ("KK", &[])]
    {
        let stats = run(&["stats", material, "--json"]).json();
        let words = words(&drawn(&[material]));
        assert!(words[0].starts_with(&format!("{material}: positions by distance")), "{words:?}");
        let has = |part: &str| words.iter().any(|word| word.contains(part));
        for part in ["White to move", "Black to move", "in plies", "positions", "symmetric ones included", "decisive"] {
            assert!(has(part), "{part}: {words:?}");
        }
        for outcome in outcomes {
            assert!(has(&format!("{outcome}: ")), "{outcome} of {material}: {words:?}");
        }
        let occurs = |outcome: &str| {
            ["w", "b"].iter().any(|side| !stats[side]["max_plies"][outcome.replace('-', "_")].is_null())
        };
        for outcome in ["win", "stalemate-win", "stalemate-loss", "loss"] {
            let explained = words.iter().any(|word| word.starts_with(&format!("{outcome}: ")));
            assert_eq!(explained, occurs(outcome), "{outcome} of {material}: {words:?}");
        }
    }
}

#[test]
fn the_distances_that_are_printed_add_up_to_the_statistics() {
    let stats = run(&["stats", "KQKR", "--json"]).json();
    let found = run(&["stats", "KQKR", "--show", "distances", "--json"]).json();
    assert_eq!((&found["variant"], &found["material"]), (&stats["variant"], &stats["material"]));
    for side in ["w", "b"] {
        for outcome in ["win", "stalemate_win", "stalemate_loss", "loss"] {
            let counts = found[side]["by_plies"][outcome].as_array();
            let sum: u64 = counts.map_or(0, |counts| counts.iter().map(|count| count.as_u64().unwrap()).sum());
            assert_eq!(sum, stats[side][outcome].as_u64().unwrap(), "{side} {outcome}");
        }
        assert_eq!(found[side]["draw"], stats[side]["draw"]);
    }
    let text = run(&["stats", "KQKR", "--show", "distances"]).good();
    assert!(text.contains("Black to move") && text.contains("plies"), "{text}");
}

#[test]
fn values_are_drawn_for_one_material_and_for_all_of_some_men() {
    let words_of_all = words(&drawn(&["--men", "3"]));
    for name in ["KK", "KQK", "KRK", "KBK", "KNK", "KPK"] {
        assert!(words_of_all.iter().any(|word| word == name), "{name}: {words_of_all:?}");
    }
    for value in ["loss", "stalemate-loss", "draw", "stalemate-win", "win", "% of positions"] {
        assert!(words_of_all.iter().any(|word| word == value), "{value}: {words_of_all:?}");
    }
    let stats = run(&["stats", "KQK", "--json"]).json();
    let one = words(&drawn(&["KQK", "--show", "values"]));
    let share = 100.0 * stats["b"]["loss"].as_f64().unwrap() / stats["b"]["legal"].as_f64().unwrap();
    assert!(one.iter().any(|word| *word == format!("{share:.1}")), "{share}: {one:?}");
}

#[test]
fn kings_are_drawn_with_a_number_on_each_cell() {
    let found = run(&["stats", "KQK", "--show", "kings", "--json"]).json();
    let cells = found["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 19);
    let words = words(&drawn(&["KQK", "--show", "kings"]));
    for cell in cells {
        let mean = cell["plies"].as_f64().unwrap() / cell["lost"].as_f64().unwrap();
        assert!(words.contains(&format!("{mean:.1}")), "{cell}: {words:?}");
    }
    for part in ["mean distance to mate, in plies", "% of all mates", "a", "1"] {
        assert!(words.iter().any(|word| word == part), "{part}: {words:?}");
    }
    // Nobody is mated by a lone king.
    assert!(self::words(&drawn(&["KK", "--show", "kings"])).iter().any(|word| word == "there are none"));
}

#[test]
fn pictures_are_the_same_bytes_every_time_and_with_any_number_of_threads() {
    for show in ["values", "distances", "kings"] {
        let one = drawn(&["KQKR", "--show", show, "--threads", "1"]);
        assert!(one == drawn(&["KQKR", "--show", show, "--threads", "3"]), "{show}");
    }
}

#[test]
fn an_ending_in_png_gives_pixels() {
    let (_folder, file) = picture("drawn.PNG");
    let told = run(&["stats", "KQK", "--plot", file.to_str().unwrap()]).good();
    assert_eq!(told.trim(), format!("wrote {}", file.display()));
    let bytes = std::fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!((number(16), number(20)), (2000, 1000));
}

#[test]
fn json_with_a_picture_is_the_data_in_it() {
    let (_folder, file) = picture("drawn.svg");
    let with_picture = run(&["stats", "KQK", "--json", "--plot", file.to_str().unwrap()]).json();
    assert_eq!(with_picture, run(&["stats", "KQK", "--json", "--show", "distances"]).json());
    assert!(file.exists());
}

#[test]
fn mistakes_are_told_before_a_picture_is_begun() {
    let (folder, file) = picture("drawn.svg");
    let file = file.to_str().unwrap();
    for wrong in ["picture.pdf", "picture", ".svg"] {
        run(&["stats", "KQK", "--plot", wrong]).fails(2, &["SVG or PNG", ".svg or .png"]);
    }
    run(&["stats", "KQK", "--plot", "/nowhere/drawn.svg"]).fails(3, &["no folder /nowhere"]);
    run(&["stats", "KQX", "--plot", file]).fails(2, &["'X'"]);
    run(&["stats", "KBNK", "--plot", file]).fails(1, &["KBNK is not in the tables", "hextb generate KBNK"]);
    run(&["stats", "KQK", "KRK", "--plot", file, "--show", "kings"]).fails(2, &["one material, not for 2"]);
    run(&["stats", "KQKR", "--plot", file, "--memory", "1K"]).fails(3, &["memory", "KQKR"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // What is no file cannot be replaced, and stays.
    let taken = folder.path().join("taken.svg");
    std::fs::create_dir(&taken).unwrap();
    run(&["stats", "KQK", "--plot", taken.to_str().unwrap()]).fails(3, &["cannot write", "taken.svg"]);
}

#[test]
fn every_shape_of_board_and_every_game_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    run_on(folder.path(), "orthodox", &["generate", "KRK", "--quiet"]).good();
    let file = folder.path().join("drawn.svg");
    for show in ["values", "distances", "kings"] {
        let arguments = ["stats", "KRK", "--show", show, "--quiet", "--plot", file.to_str().unwrap()];
        run_on(folder.path(), "orthodox", &arguments).good();
        let words = words(&std::fs::read_to_string(&file).unwrap());
        // Stalemate is a draw there.
        assert!(words.iter().all(|word| !word.contains("stalemate-")), "{words:?}");
    }
}

/// The picture of the README; set `HEXTB_WRITE_DOCS=1` to bring the file up to date.
#[test]
fn the_readme_shows_what_the_commands_make() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kqkr.svg");
    run_on(folder.path(), "glinski", &["generate", "KQKR", "--quiet"]).good();
    run_on(folder.path(), "glinski", &["stats", "KQKR", "--quiet", "--plot", file.to_str().unwrap()]).good();
    let drawn = std::fs::read_to_string(&file).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/kqkr.svg");
    if std::env::var_os("HEXTB_WRITE_DOCS").is_some() {
        std::fs::write(&path, &drawn).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == drawn, "docs/kqkr.svg is out of date: run HEXTB_WRITE_DOCS=1 cargo test --test charts");
}

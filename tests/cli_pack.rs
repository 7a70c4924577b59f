//! `hextb pack` and packed tables on the command line.

#[path = "common/program.rs"]
mod program;

use program::{VARIANT, copied_packed_tables, copied_tables, longest, packed_files, run_on, table_file};

#[test]
fn pack_makes_plain_tables_small_and_they_answer_the_same() {
    let folder = copied_tables();
    let plain = table_file(folder.path(), "KQKR");
    let before = plain.metadata().unwrap().len();
    let report = run_on(folder.path(), VARIANT, &["pack", "KQKR", "--json"]).json();
    let files = packed_files(folder.path(), "KQKR");
    let sizes = files.each_ref().map(|file| file.metadata().unwrap().len());
    assert_eq!((report["status"].as_str(), report["bytes_before"].as_u64()), (Some("packed"), Some(before)));
    assert_eq!([&report["values_bytes"], &report["distances_bytes"]].map(|n| n.as_u64().unwrap()), sizes);
    assert!(sizes.iter().sum::<u64>() < before && !plain.exists());
    // The same bytes as those of tables that were packed when they were made.
    for (file, made) in files.iter().zip(packed_files(program::tables(), "KQKR")) {
        assert!(std::fs::read(file).unwrap() == std::fs::read(made).unwrap());
    }
    for (fen, value, plies) in longest("KQKR") {
        let found = run_on(folder.path(), VARIANT, &["probe", &fen, "--json"]).json();
        assert_eq!((found["category"].as_str(), found["plies"].as_u64()), (Some(&value[..]), Some(plies)), "{fen}");
    }
    run_on(folder.path(), VARIANT, &["check", "KQKR"]).good();
    let again = run_on(folder.path(), VARIANT, &["pack", "KQKR", "--json"]).json();
    assert_eq!((again["status"].as_str(), again["seconds"].is_null()), (Some("kept"), true));
    let again = run_on(folder.path(), VARIANT, &["pack", "KQKR", "--again", "--level", "best", "--json"]).json();
    assert_eq!(again["status"], "packed");
    run_on(folder.path(), VARIANT, &["check", "KQKR"]).good();
}

#[test]
fn pack_says_what_is_missing_or_does_not_fit() {
    let folder = copied_tables();
    run_on(folder.path(), VARIANT, &["pack", "KNNK"]).fails(1, &["KNNK is not in the tables", "hextb generate KNNK"]);
    run_on(folder.path(), VARIANT, &["pack", "KQKR", "--memory", "1M"]).fails(3, &["KQKR needs about", "1.00 MiB"]);
    std::fs::remove_file(table_file(folder.path(), "KRK")).unwrap();
    run_on(folder.path(), VARIANT, &["pack", "KQKR"]).fails(1, &["KRK is not in the tables"]);
    run_on(folder.path(), VARIANT, &["pack"]).fails(2, &["nothing to pack"]);
    assert!(table_file(folder.path(), "KQKR").exists() && !packed_files(folder.path(), "KQKR")[0].exists());
}

#[test]
fn generate_makes_again_what_is_damaged_or_incomplete_and_packs_what_is_plain() {
    let folder = copied_packed_tables();
    let [values, distances] = packed_files(folder.path(), "KRK");
    let sound = std::fs::read(&values).unwrap();
    let spoil = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        std::fs::write(&values, bytes).unwrap();
    };
    for at in [30, sound.len() / 2] {
        spoil(at);
        let out = run_on(folder.path(), VARIANT, &["generate", "KRK", "--level", "usual"]).good().to_string();
        assert!(out.contains("1 table made, 1 kept"), "{out}");
        assert!(std::fs::read(&values).unwrap() == sound);
    }
    std::fs::remove_file(&distances).unwrap();
    run_on(folder.path(), VARIANT, &["generate", "KRK", "--level", "usual"]).good();
    assert!(distances.exists());
    let plain = copied_tables();
    // As a run leaves it that is killed after the first of two files: what is plain answers, and is packed again.
    std::fs::copy(&values, &packed_files(plain.path(), "KRK")[0]).unwrap();
    let (fen, _, plies) = longest("KRK").into_iter().find(|(_, _, plies)| *plies > 2).unwrap();
    assert_eq!(run_on(plain.path(), VARIANT, &["probe", &fen, "--json"]).json()["plies"], plies);
    run_on(plain.path(), VARIANT, &["generate", "KRK", "--level", "usual"]).good();
    assert!(packed_files(plain.path(), "KRK")[0].exists() && !table_file(plain.path(), "KRK").exists());
}

#[test]
fn values_alone_answer_what_needs_no_distances() {
    let folder = copied_packed_tables();
    let [_, distances] = packed_files(folder.path(), "KQK");
    std::fs::remove_file(&distances).unwrap();
    let fen = &longest("KQK")[0].0;
    run_on(folder.path(), VARIANT, &["probe", fen]).fails(1, &["KQK.hxd is missing"]);
    run_on(folder.path(), VARIANT, &["stats", "KQK"]).fails(1, &["KQK.hxd is missing"]);
    let list = run_on(folder.path(), VARIANT, &["list", "--json"]).json();
    let table = list["tables"].as_array().unwrap().iter().find(|table| table["material"] == "KQK").unwrap();
    assert!(table["positions"].is_null() && table["values_bytes"].as_u64().unwrap() > 0, "{table}");
    let variant = std::sync::Arc::new(hextb::geometry::Variant::named(VARIANT).unwrap());
    let position = hextb::position::Fen::parse(&variant, fen).unwrap().position;
    let tables = hextb::table::Tablebase::new(variant, folder.path());
    assert_eq!(tables.probe_value(&position).unwrap().word(), longest("KQK")[0].1);
    let mut moves = vec![];
    assert!(tables.best_moves(&position, &mut moves).is_err());
}

#[test]
fn best_moves_keep_what_the_position_is_worth() {
    let variant = std::sync::Arc::new(hextb::geometry::Variant::named(VARIANT).unwrap());
    let tables = hextb::table::Tablebase::new(variant.clone(), program::tables());
    let mut moves = vec![];
    for (fen, _, plies) in longest("KPKP").into_iter().filter(|(_, _, plies)| *plies > 0) {
        let position = hextb::position::Fen::parse(&variant, &fen).unwrap().position;
        let worth = tables.probe_distance(&position).unwrap();
        assert_eq!(worth.plies(), Some(plies as u16));
        tables.best_moves(&position, &mut moves).unwrap();
        assert!(!moves.is_empty());
        for mv in position.legal_moves(&variant) {
            let after = tables.probe_distance(&position.after(&variant, &mv)).unwrap().one_ply_earlier();
            assert_eq!(after == worth, moves.contains(&mv));
        }
    }
}

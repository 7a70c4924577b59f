//! `hextb pack` and packed tables on the command line.

#[path = "common/program.rs"]
mod program;

use hextb::geometry::Variant;
use hextb::index::{Arrangement, Material};
use hextb::solve::MemoryTables;
use hextb::table::Tablebase;
use hextb::table::packed::{About, Choice, Level, Packer};
use program::{VARIANT, copied_packed_tables, copied_tables, longest, packed_files, run, run_on, table_file};
use std::sync::Arc;

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
    // What is packed needs no memory to be left alone.
    let again = run_on(folder.path(), VARIANT, &["pack", "KQKR", "--memory", "1M"]).good();
    assert_eq!(again, "0 tables packed, 1 kept as they were\n");
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
    let told = ["the distances of KQK", "KQK.hxd is missing", "hextb generate KQK", "hextb probe --values"];
    run_on(folder.path(), VARIANT, &["probe", fen]).fails(1, &told);
    run_on(folder.path(), VARIANT, &["stats", "KQK"]).fails(1, &told);
    run_on(folder.path(), VARIANT, &["export", "KQK", "--what", "distances"]).fails(1, &told);
    let values = |tables: &std::path::Path| {
        let mut command = program::program();
        command.args(["--variant", VARIANT, "--quiet", "export", "KQK", "--tables"]).arg(tables);
        let run = command.output().unwrap();
        assert!(run.status.success());
        run.stdout
    };
    assert!(values(folder.path()) == values(program::tables()));
    for (fen, value, _) in longest("KQK") {
        let found = run_on(folder.path(), VARIANT, &["probe", &fen, "--values", "--json"]).json();
        let whole = run(&["probe", &fen, "--json"]).json();
        assert_eq!((found["category"].as_str(), found["plies"].is_null()), (Some(&value[..]), true));
        // The same moves with the same values; only distances put those of equal value in order.
        let sorted = |probe: &serde_json::Value| {
            let told = |mv: &serde_json::Value| [&mv["move"], &mv["category"], &mv["san"]].map(|v| v.to_string());
            let mut moves: Vec<_> = probe["moves"].as_array().unwrap().iter().map(told).collect();
            moves.sort();
            moves
        };
        assert_eq!(sorted(&found), sorted(&whole));
        let text = run_on(folder.path(), VARIANT, &["probe", &fen, "--values"]).good();
        assert!(!text.contains("plies"), "{text}");
    }
    let list = run_on(folder.path(), VARIANT, &["list", "--json"]).json();
    let table = list["tables"].as_array().unwrap().iter().find(|table| table["material"] == "KQK").unwrap();
    assert!(table["positions"].is_null() && table["values_bytes"].as_u64().unwrap() > 0, "{table}");
    let variant = Arc::new(Variant::named(VARIANT).unwrap());
    let position = hextb::position::Fen::parse(&variant, fen).unwrap().position;
    let tables = Tablebase::new(variant, folder.path());
    assert_eq!(tables.probe_value(&position).unwrap().word(), longest("KQK")[0].1);
    let mut moves = vec![];
    assert!(tables.best_moves(&position, &mut moves).is_err());
}

#[test]
fn best_moves_keep_what_the_position_is_worth() {
    let variant = Arc::new(Variant::named(VARIANT).unwrap());
    let tables = Tablebase::new(variant.clone(), program::tables());
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

#[test]
fn pack_by_the_number_of_men_packs_those_that_are_there() {
    let folder = copied_tables();
    let out = run_on(folder.path(), VARIANT, &["pack", "--men", "4"]).good();
    let there = std::fs::read_dir(program::plain_tables().join(VARIANT)).unwrap().count();
    assert!(out.ends_with(&format!("\n{there} tables packed, 0 kept as they were\n")), "{out}");
    assert!(!packed_files(folder.path(), "KBBK")[0].exists() && packed_files(folder.path(), "KQKR")[1].exists());
    let empty = tempfile::tempdir().unwrap();
    run_on(empty.path(), VARIANT, &["pack", "--men", "3"]).fails(1, &["no such tables", "hextb list"]);
}

#[test]
fn pack_goes_on_with_others_while_another_process_packs_a_table() {
    let folder = copied_tables();
    let held = folder.path().join(VARIANT).join(".unfinished-KRK.hxv");
    let file = std::fs::File::create(&held).unwrap();
    file.lock().unwrap();
    let mut command = program::program();
    command.args(["pack", "KRK", "KQK", "--quiet", "--variant", VARIANT, "--tables"]).arg(folder.path());
    let mut child = command.spawn().unwrap();
    // Whole when the plain file goes.
    while table_file(folder.path(), "KQK").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(child.try_wait().unwrap().is_none(), "it waits for KRK");
    assert!(table_file(folder.path(), "KRK").exists());
    drop(file);
    assert!(child.wait().unwrap().success());
    assert!(!table_file(folder.path(), "KRK").exists() && packed_files(folder.path(), "KRK")[1].exists());
    assert!(!held.exists());
}

#[test]
fn a_plain_table_beside_its_packed_form_is_told_of_and_removed() {
    for command in [&["pack", "KRK"][..], &["generate", "KRK"], &["generate", "KRK", "--level", "usual"]] {
        let folder = copied_packed_tables();
        let plain = table_file(folder.path(), "KRK");
        std::fs::copy(table_file(program::plain_tables(), "KRK"), &plain).unwrap();
        let list = run_on(folder.path(), VARIANT, &["list", "--json"]).json();
        assert_eq!(list["unused"], serde_json::json!([plain.to_str().unwrap()]));
        let text = run_on(folder.path(), VARIANT, &["list"]).good();
        assert!(text.contains("KRK.hxt: the table is packed; `hextb pack KRK "), "{text}");
        run_on(folder.path(), VARIANT, command).good();
        assert!(!plain.exists() && packed_files(folder.path(), "KRK").iter().all(|file| file.exists()));
        // What is no table is nobody's business.
        std::fs::write(&plain, "mine").unwrap();
        run_on(folder.path(), VARIANT, command).good();
        assert_eq!(std::fs::read(&plain).unwrap(), b"mine");
    }
}

#[test]
fn distances_without_values_are_told_of() {
    let folder = copied_packed_tables();
    let [values, distances] = packed_files(folder.path(), "KRK");
    std::fs::remove_file(values).unwrap();
    let list = run_on(folder.path(), VARIANT, &["list", "--json"]).json();
    assert_eq!(list["unused"], serde_json::json!([distances.to_str().unwrap()]));
    let text = run_on(folder.path(), VARIANT, &["list"]).good();
    assert!(text.contains("KRK.hxd: the values that it goes with are missing; `hextb generate KRK "), "{text}");
    run_on(folder.path(), VARIANT, &["generate", "KRK"]).good();
    assert_eq!(run_on(folder.path(), VARIANT, &["list", "--json"]).json()["unused"], serde_json::json!([]));
}

#[test]
fn a_sound_plain_table_is_used_beside_a_damaged_packed_one_and_packed_again() {
    let sound = packed_files(program::tables(), "KRK").map(|file| std::fs::read(file).unwrap());
    let (fen, value, plies) = longest("KRK").remove(0);
    for (file, keep) in [(0, 100), (0, 60), (1, 60), (1, 0)] {
        let folder = copied_packed_tables();
        std::fs::copy(table_file(program::plain_tables(), "KRK"), table_file(folder.path(), "KRK")).unwrap();
        let files = packed_files(folder.path(), "KRK");
        std::fs::write(&files[file], &sound[file][..keep]).unwrap();
        let found = run_on(folder.path(), VARIANT, &["probe", &fen, "--json"]).json();
        assert_eq!((found["category"].as_str(), found["plies"].as_u64()), (Some(&value[..]), Some(plies)));
        let made = run_on(folder.path(), VARIANT, &["generate", "KRK", "--json"]).good();
        let made: serde_json::Value = serde_json::from_str(made.lines().last().unwrap()).unwrap();
        assert_eq!((&made["material"], &made["cpu_seconds"]["solving"]), (&"KRK".into(), &0.0.into()), "{made}");
        assert!(files.iter().zip(&sound).all(|(file, sound)| std::fs::read(file).unwrap() == *sound));
        assert!(!table_file(folder.path(), "KRK").exists());
    }
    // Damage that only a look at every byte finds.
    let folder = copied_packed_tables();
    std::fs::copy(table_file(program::plain_tables(), "KRK"), table_file(folder.path(), "KRK")).unwrap();
    let mut spoilt = sound[1].clone();
    let at = spoilt.len() - 20 - 4 * spoilt.len().div_ceil(4096);
    spoilt[at] ^= 1;
    std::fs::write(&packed_files(folder.path(), "KRK")[1], spoilt).unwrap();
    run_on(folder.path(), VARIANT, &["generate", "KRK"]).good();
    assert!(std::fs::read(&packed_files(folder.path(), "KRK")[1]).unwrap() == sound[1]);
}

#[test]
fn a_packed_table_that_is_not_whole_is_made_again_in_the_form_it_has() {
    for missing in 0..2 {
        let folder = copied_packed_tables();
        let files = packed_files(folder.path(), "KRK");
        std::fs::remove_file(&files[missing]).unwrap();
        run_on(folder.path(), VARIANT, &["generate", "KRK"]).good();
        assert!(files.iter().all(|file| file.exists()) && !table_file(folder.path(), "KRK").exists());
    }
}

/// The files of KQKR packed with its men in another order, or with the same and other captures looked at.
fn packed_otherwise() -> Vec<[Vec<u8>; 2]> {
    let variant = Arc::new(Variant::named(VARIANT).unwrap());
    let material = Material::parse(&variant, "KQKR").unwrap();
    let table = Tablebase::new(variant.clone(), program::tables()).open_table(&material).unwrap();
    let (checksums, statistics) = (table.checksums().to_vec(), Some(table.statistics().unwrap().clone()));
    let about = About { checksums, statistics, ..About::of(&variant, &material) };
    let mut solved = MemoryTables::new(variant.clone());
    solved.solve(&material);
    let packer = Packer::new(&variant, &material, &solved, Level::Usual);
    let Choice { men: usual, looked_at } = packer.best_choice().unwrap();
    let other = Arrangement::choices(&variant, &material).into_iter().find(|men| *men != usual).unwrap();
    let not_looked_at = looked_at.iter().map(|look| !look).collect();
    let choices = [Choice { men: other, looked_at }, Choice { men: usual, looked_at: not_looked_at }];
    let folder = tempfile::tempdir().unwrap();
    let files = ["hxv", "hxd"].map(|ending| folder.path().join(ending));
    let pack = |choice: &Choice| {
        packer.pack(choice, &about, &files[0], &files[1]).unwrap();
        files.each_ref().map(|file| std::fs::read(file).unwrap())
    };
    choices.iter().map(pack).collect()
}

#[test]
fn what_a_kill_between_two_renames_leaves_is_told_and_put_in_order() {
    let usual = packed_files(program::tables(), "KQKR").map(|file| std::fs::read(file).unwrap());
    let fen = &longest("KQKR")[0].0;
    for other in packed_otherwise() {
        assert!(other.iter().zip(&usual).all(|(other, usual)| other != usual));
        let folder = copied_packed_tables();
        let [values, distances] = packed_files(folder.path(), "KQKR");
        std::fs::write(&values, &other[0]).unwrap();
        let told = ["KQKR.hxd", "does not go with", "KQKR.hxv", "hextb generate KQKR"];
        run_on(folder.path(), VARIANT, &["probe", fen]).fails(3, &told);
        // Half of the other file is thrown away, all of it put to use.
        let unfinished = distances.with_file_name(".unfinished-KQKR.hxd");
        std::fs::write(&unfinished, &other[1][..other[1].len() / 2]).unwrap();
        run_on(folder.path(), VARIANT, &["generate", "KQK"]).good();
        assert!(!unfinished.exists() && std::fs::read(&distances).unwrap() == usual[1]);
        std::fs::write(&unfinished, &other[1]).unwrap();
        // Values are whole and answer.
        run_on(folder.path(), VARIANT, &["probe", fen, "--values"]).good();
        run_on(folder.path(), VARIANT, &["pack", "KQKR"]).good();
        assert!(!unfinished.exists() && std::fs::read(&distances).unwrap() == other[1]);
        run_on(folder.path(), VARIANT, &["check", "KQKR"]).good();
        // Without it, both are made again.
        std::fs::write(&values, &usual[0]).unwrap();
        run_on(folder.path(), VARIANT, &["generate", "KQKR"]).good();
        assert!(std::fs::read(&distances).unwrap() == usual[1]);
    }
}

#[test]
fn distances_of_another_table_are_told_by_its_name() {
    let folder = copied_packed_tables();
    let [from, to] = ["KRK", "KQK"].map(|name| packed_files(folder.path(), name)[1].clone());
    std::fs::copy(from, to).unwrap();
    let told = ["KQK.hxd", "holds distances of KRK of glinski-2, not of KQK of glinski-2"];
    run_on(folder.path(), VARIANT, &["stats", "KQK"]).fails(3, &told);
}

#[test]
fn files_that_are_no_tables_are_neither_replaced_nor_removed() {
    let cases: [(bool, &str, &[&str], i32); 6] = [
        (true, "KQK.hxt", &["pack", "KQK", "--again"], 0),
        (true, "KQK.hxt", &["generate", "KQK"], 0),
        (false, "KQK.hxd", &["pack", "KQK"], 3),
        (false, "KQK.hxv", &["pack", "KQK"], 3),
        (false, "KQK.hxd", &["generate", "KQK", "--level", "usual"], 3),
        (false, "KQK.hxd", &["generate", "KQK", "--level", "plain"], 0),
    ];
    for (packed, name, command, status) in cases {
        for gone in [false, true] {
            let folder = if packed { copied_packed_tables() } else { copied_tables() };
            if gone && !packed && command[0] == "generate" {
                std::fs::remove_file(table_file(folder.path(), "KQK")).unwrap();
            }
            let path = folder.path().join(VARIANT).join(name);
            std::fs::write(&path, "notes").unwrap();
            let run = run_on(folder.path(), VARIANT, command);
            if status == 0 {
                drop(run.good())
            } else {
                drop(run.fails(status, &[name, "move it away"]))
            }
            assert_eq!(std::fs::read(&path).unwrap(), b"notes", "{command:?}");
            if !gone {
                run_on(folder.path(), VARIANT, &["probe", &longest("KQK")[0].0]).good();
            }
        }
    }
}

#[test]
fn values_answer_beside_distances_that_are_of_no_use() {
    let fen = &longest("KQK")[0].0;
    let [values, distances] = packed_files(program::tables(), "KQK").map(|file| std::fs::read(file).unwrap());
    for spoilt in [vec![0; 500], b"notes".to_vec(), distances[..distances.len() / 2].to_vec(), values] {
        let folder = copied_packed_tables();
        std::fs::write(&packed_files(folder.path(), "KQK")[1], &spoilt).unwrap();
        run_on(folder.path(), VARIANT, &["probe", fen, "--values"]).good();
        run_on(folder.path(), VARIANT, &["probe", fen]).fails(3, &["KQK.hxd"]);
        let list = run_on(folder.path(), VARIANT, &["list", "--json"]);
        assert!(list.status == 3 && list.stdout.contains("KQK.hxd"), "{}", list.stdout);
        // Nobody is told that the plain table, the only one that is sound, is not needed.
        std::fs::copy(table_file(program::plain_tables(), "KQK"), table_file(folder.path(), "KQK")).unwrap();
        run_on(folder.path(), VARIANT, &["probe", fen]).good();
        assert!(!run_on(folder.path(), VARIANT, &["list"]).good().contains("KQK.hxt"));
    }
}

#[test]
fn pack_takes_the_plain_table_if_the_packed_one_is_damaged_anywhere() {
    let folder = copied_packed_tables();
    std::fs::copy(table_file(program::plain_tables(), "KQKR"), table_file(folder.path(), "KQKR")).unwrap();
    let [_, distances] = packed_files(folder.path(), "KQKR");
    let sound = std::fs::read(&distances).unwrap();
    let mut spoilt = sound.clone();
    let at = sound.len() / 2;
    spoilt[at] ^= 1;
    std::fs::write(&distances, spoilt).unwrap();
    run_on(folder.path(), VARIANT, &["pack", "KQKR"]).good();
    assert!(std::fs::read(&distances).unwrap() == sound && !table_file(folder.path(), "KQKR").exists());
}

#[cfg(unix)]
#[test]
fn packing_again_loses_nothing_if_the_second_file_cannot_take_its_place() {
    let folder = copied_packed_tables();
    let [values, distances] = packed_files(folder.path(), "KQK");
    let before = std::fs::read(&values).unwrap();
    std::fs::rename(&distances, distances.with_extension("moved")).unwrap();
    std::fs::create_dir(&distances).unwrap();
    std::fs::copy(table_file(program::plain_tables(), "KQK"), table_file(folder.path(), "KQK")).unwrap();
    run_on(folder.path(), VARIANT, &["pack", "KQK", "--again"]).fails(3, &["KQK.hxd", "no ordinary file"]);
    assert!(std::fs::read(&values).unwrap() == before);
    run_on(folder.path(), VARIANT, &["probe", &longest("KQK")[0].0]).good();
}

//! Claims measured on small boards, where what they come to is known in other ways.

use hextb::analysis::check::check;
use hextb::analysis::placements::{Fold, Placements};
use hextb::analysis::unwatched;
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::oracle::{Oracle, ProbeError};
use hextb::outcome::{Outcome, Value};
use hextb::solve::{Kernel, MemoryTables};
use hextb::survey::claims;
use hextb::survey::measure::{MeasureError, measure, measure_all};
use std::sync::Arc;

fn solved(variant: &str, names: &[&str]) -> (Arc<Variant>, MemoryTables) {
    let variant = Arc::new(Variant::named(variant).unwrap());
    let mut tables = MemoryTables::new(variant.clone());
    names.iter().for_each(|name| tables.solve(&Material::parse(&variant, name).unwrap()));
    (variant, tables)
}

#[test]
fn claims_are_measured_as_their_keys_say() {
    let (variant, tables) = solved("glinski-2", &["KQKR", "KBBK", "KPPK"]);
    let kernel = Arc::new(Kernel::new(&variant));
    let claim = |id: &str, material: &str, rest: &str| {
        format!(
            "[[claim]]\nid = \"{id}\"\ntext = \"\"\nsource = \"\"\nvariant = \"glinski-2\"\nmaterial = \"{material}\"\n{rest}\n"
        )
    };
    let any = "scoring = \"mate-only\"\npublished = \"100 %\"\nrule = \"rounds\"\n";
    let full = "scoring = \"full\"\npublished = \"1\"\nrule = \"equals\"\n";
    let count = |what: &str| format!("{any}count = [{what}]");
    let text = [
        claim("all", "KQKR", &count("\"win\", \"draw\", \"loss\"")),
        claim("win", "KQKR", &count("\"win\"")),
        claim("loss", "KQKR", &count("\"loss\"")),
        claim("draw", "KQKR", &count("\"draw\"")),
        claim("classes", "KQKR", &count("\"draw:conversion\", \"draw:perpetual\", \"draw:fortress\"")),
        claim("twice", "KQKR", &count("\"draw\", \"draw:fortress\"")),
        claim("same", "KBBK", &format!("{}\npair = {{ role = \"B\", colours = \"same\" }}", count("\"draw\""))),
        claim(
            "different",
            "KBBK",
            &format!("{}\npair = {{ role = \"B\", colours = \"different\" }}", count("\"draw\"")),
        ),
        claim("both", "KBBK", &count("\"draw\"")),
        claim("same pawns", "KPPK", &format!("{}\npair = {{ role = \"P\", colours = \"same\" }}", count("\"win\""))),
        claim(
            "different pawns",
            "KPPK",
            &format!("{}\npair = {{ role = \"P\", colours = \"different\" }}", count("\"win\"")),
        ),
        claim("all pawns", "KPPK", &count("\"win\"")),
        claim("second", "KQKR", &format!("{}\nview = \"second\"", count("\"loss\""))),
        claim("w", "KQKR", &format!("{}\nto_move = \"w\"\nview = \"mover\"", count("\"win\""))),
        claim(
            "near",
            "KQKR",
            &format!("{full}count = [\"win\"]\nview = \"mover\"\nto_move = \"b\"\nplies = {{ max = 1 }}"),
        ),
    ]
    .concat();
    let parsed = claims::parse(&text).unwrap();
    let all: Vec<_> = parsed.iter().collect();
    let measured = measure_all(&all, &tables, &kernel, &variant, &unwatched).unwrap();
    let of = |id: &str| &measured[parsed.iter().position(|c| c.id == id).unwrap()];
    assert!(of("all").confirmed && of("all").count == of("all").population && of("all").percentage == "100");
    assert_eq!(of("win").count + of("draw").count + of("loss").count, of("all").count);
    assert_eq!((of("classes").count, of("twice").count), (of("draw").count, of("draw").count));
    assert!(of("same").population > 0 && of("different").population > 0);
    assert_eq!(of("same").population + of("different").population, of("both").population);
    assert_eq!(of("same").count + of("different").count, of("both").count);
    assert_eq!(of("second").count, of("win").count);
    let material = Material::parse(&variant, "KQKR").unwrap();
    let report = check(&variant, &material, &tables, Fold::None, &unwatched).unwrap();
    assert_eq!(of("w").count, report.statistics.w.win);
    assert_eq!(of("w").population, report.statistics.w.legal);
    assert_eq!(of("all").population, report.statistics.w.legal + report.statistics.b.legal);
    let pawns: u64 = ["same pawns", "different pawns"].map(|id| of(id).population).iter().sum();
    assert!(of("same pawns").population > 0 && pawns == of("all pawns").population);
    let mating = Outcome::new(Value::Win, 1);
    let mates = Placements::new(&variant, &material, Fold::None)
        .walk(
            &unwatched,
            || 0,
            |count, position, _| {
                *count += u64::from(position.turn() == Color::Black && tables.outcome(position)? == mating);
                Ok::<(), ProbeError>(())
            },
            |a, b| a + b,
        )
        .unwrap();
    assert_eq!(of("near").count, mates);
    let alone = measure(&parsed[1], &tables, &variant).unwrap();
    assert_eq!(alone, *of("win"));
    let other = measure(&parsed[1], &tables, &Variant::named("mccooey-2").unwrap());
    assert!(matches!(other, Err(MeasureError::OtherVariant { .. })));
}

#[test]
fn on_the_full_board_the_claim_about_a_rook_holds() {
    let (variant, tables) = solved("glinski", &["KRK"]);
    let claims = claims::published().unwrap();
    let claim = claims.iter().find(|c| c.id == "krk-always").unwrap();
    let measured = measure(claim, &tables, &variant).unwrap();
    assert_eq!((measured.count, measured.population, measured.confirmed), (488_220, 488_220, true));
    assert_eq!(measured.percentage, "100.0000");
}

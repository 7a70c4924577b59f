//! Claims measured on small boards, where what they come to is known in other ways, and those that come with the
//! program held against the recorded statistics, the recorded census and the README.

use hextb::analysis::check::check;
use hextb::analysis::placements::{Fold, Placements};
use hextb::analysis::unwatched;
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::oracle::{Oracle, ProbeError};
use hextb::outcome::{Outcome, Value};
use hextb::solve::{Kernel, MemoryTables};
use hextb::statistics::{SideStatistics, Statistics};
use hextb::survey::Scoring;
use hextb::survey::claims::{self, Claim, Population, Quantity, Rule, View};
use hextb::survey::measure::{Figure, MeasureError, Measured, Share, measure, measure_all};
use hextb::survey::percentage::Printed;
use std::sync::Arc;

fn solved(variant: &str, names: &[&str]) -> (Arc<Variant>, MemoryTables) {
    let variant = Arc::new(Variant::named(variant).unwrap());
    let mut tables = MemoryTables::new(variant.clone());
    names.iter().for_each(|name| tables.solve(&Material::parse(&variant, name).unwrap()));
    (variant, tables)
}

fn share(measured: &Measured) -> &Share {
    match &measured.figure {
        Figure::Share(share) => share,
        longest => panic!("{longest:?} is no share"),
    }
}

/// The text of a claim about the smallest hexagon.
fn claim(id: &str, material: &str, rest: &str) -> String {
    format!(
        "[[claim]]\nid = \"{id}\"\ntext = \"\"\nsource = \"\"\nvariant = \"glinski-2\"\nmaterial = \"{material}\"\n{rest}\n"
    )
}

#[test]
fn claims_are_measured_as_their_keys_say() {
    let (variant, tables) = solved("glinski-2", &["KQKR", "KBBK", "KPPK"]);
    let kernel = Arc::new(Kernel::new(&variant));
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
    let measured_of = |id: &str| &measured[parsed.iter().position(|c| c.id == id).unwrap()];
    let of = |id: &str| share(measured_of(id));
    assert!(measured_of("all").confirmed && of("all").count == of("all").population && of("all").percentage == "100");
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
    assert_eq!(alone, *measured_of("win"));
    let other = measure(&parsed[1], &tables, &Variant::named("mccooey-2").unwrap());
    assert!(matches!(other, Err(MeasureError::OtherVariant { .. })));
}

#[test]
fn on_the_full_board_the_claim_about_a_rook_holds() {
    let (variant, tables) = solved("glinski", &["KRK"]);
    let claims = claims::built_in().unwrap();
    let claim = claims.iter().find(|c| c.id == "krk-always").unwrap();
    let measured = measure(claim, &tables, &variant).unwrap();
    let Share { count, population, percentage } = share(&measured);
    assert_eq!((*count, *population, &percentage[..], measured.confirmed), (488_220, 488_220, "100.0000", true));
}

/// What a claim that needs no class of draws and no pair comes to by the statistics of its material.
fn by_statistics(claim: &Claim, statistics: &Statistics) -> Figure {
    let turns: Vec<Color> = Color::BOTH.into_iter().filter(|&turn| claim.to_move.includes(turn)).collect();
    let mover = |turn: Color| match claim.view {
        View::First => turn == Color::White,
        View::Second => turn == Color::Black,
        View::Mover => true,
    };
    let of_mover = |turn: Color, value: Value| if mover(turn) { value } else { value.opposite() };
    if let Some(value) = claim.longest() {
        let longest = |&turn: &Color| statistics.side(turn).max_plies.get(of_mover(turn, value)).copied();
        return Figure::Longest(turns.iter().filter_map(longest).max());
    }
    let drawn = |side: &SideStatistics| side.stalemate_win + side.draw + side.stalemate_loss;
    let counted = |turn: Color, q: &Quantity| match (q.value(), claim.scoring) {
        (Some(Value::Draw), Scoring::MateOnly) => drawn(statistics.side(turn)),
        (Some(value), _) => statistics.side(turn).count(of_mover(turn, value)),
        (None, _) => panic!("{q:?}"),
    };
    let population_of = |&turn: &Color| match claim.of {
        Population::Legal => statistics.side(turn).legal,
        Population::DrawsByMateAlone => drawn(statistics.side(turn)),
    };
    let count = turns.iter().map(|&turn| claim.count.iter().map(|q| counted(turn, q)).sum::<u64>()).sum();
    let population = turns.iter().map(population_of).sum();
    let decimals = claim.printed().filter(|_| claim.rule == Rule::Rounds).map_or(4, Printed::decimals);
    Figure::Share(Share { count, population, percentage: Printed::of(count, population, decimals).to_string() })
}

#[test]
fn longest_distances_and_draws_by_mate_alone_are_those_of_the_statistics() {
    let (variant, tables) = solved("glinski-2", &["KQKR", "KQKQ", "KBK"]);
    let mut text = String::new();
    for material in ["KQKR", "KQKQ", "KBK"] {
        for view in ["first", "second", "mover"] {
            for to_move in ["both", "w", "b"] {
                let counts = [
                    (r#"["longest:win"]"#, "legal"),
                    (r#"["longest:stalemate-win"]"#, "legal"),
                    (r#"["longest:stalemate-loss"]"#, "legal"),
                    (r#"["longest:loss"]"#, "legal"),
                    (r#"["stalemate-win", "loss"]"#, "legal"),
                    (r#"["stalemate-win", "stalemate-loss"]"#, "draws-by-mate-alone"),
                    (r#"["draw", "stalemate-loss"]"#, "draws-by-mate-alone"),
                ];
                for (number, (count, of)) in counts.iter().enumerate() {
                    let keys = format!(
                        "view = \"{view}\"\nto_move = \"{to_move}\"\nof = \"{of}\"\ncount = {count}\nscoring = \"full\"\n\
                         published = \"9\"\nrule = \"equals\""
                    );
                    text += &claim(&format!("{material} {view} {to_move} {number}"), material, &keys);
                }
            }
        }
    }
    let parsed = claims::parse(&text).unwrap();
    let kernel = Arc::new(Kernel::new(&variant));
    let all: Vec<&Claim> = parsed.iter().collect();
    let measured = measure_all(&all, &tables, &kernel, &variant, &unwatched).unwrap();
    let (mut longest, mut confirmed) = (vec![], 0);
    let statistics = ["KQKR", "KQKQ", "KBK"].map(|name| {
        let material = Material::parse(&variant, name).unwrap();
        (name, check(&variant, &material, &tables, Fold::None, &unwatched).unwrap().statistics)
    });
    for (claim, measured) in parsed.iter().zip(&measured) {
        let (_, of_material) = statistics.iter().find(|(name, _)| *name == claim.material).unwrap();
        assert_eq!(measured.figure, by_statistics(claim, of_material), "{}", claim.id);
        let is_nine = match &measured.figure {
            Figure::Longest(plies) => *plies == Some(9),
            Figure::Share(share) => share.count == 9,
        };
        assert_eq!(measured.confirmed, is_nine, "{}", claim.id);
        confirmed += u32::from(is_nine);
        if let Figure::Longest(plies) = measured.figure {
            longest.push(plies);
        }
    }
    longest.sort();
    longest.dedup();
    assert!(longest.len() > 4 && longest[0].is_none() && confirmed > 0, "{longest:?}, {confirmed} confirmed");
}

/// A longest distance is that of the pair's positions alone.
#[test]
fn a_longest_distance_heeds_the_pair() {
    let (variant, tables) = solved("glinski-3", &["KBBK"]);
    let longest = |pair: &str| {
        let keys =
            format!("{pair}count = [\"longest:win\"]\nscoring = \"mate-only\"\npublished = \"1\"\nrule = \"equals\"");
        let text = claim("longest", "KBBK", &keys).replace("glinski-2", "glinski-3");
        match measure(&claims::parse(&text).unwrap()[0], &tables, &variant).unwrap().figure {
            Figure::Longest(plies) => plies.unwrap(),
            share => panic!("{share:?}"),
        }
    };
    let of_pair = |colours: &str| longest(&format!("pair = {{ role = \"B\", colours = \"{colours}\" }}\n"));
    let (same, different) = (of_pair("same"), of_pair("different"));
    assert_ne!(same, different);
    assert_eq!(longest(""), same.max(different));
}

#[derive(serde::Deserialize)]
struct Recorded {
    tables: std::collections::HashMap<String, Statistics>,
}

/// How many positions, either side to move, have the classes of draws that a claim counts.
fn classes_in_census(claim: &Claim, census: &serde_json::Value) -> u64 {
    let prefix = if claim.scoring == Scoring::MateOnly { "mate_only_draw" } else { "draw" };
    let rows = census["rows"].as_array().unwrap().iter().filter(|row| row["material"] == claim.material);
    let classes: Vec<&str> = claim.count.iter().map(|q| q.class().unwrap().word()).collect();
    let of_row = |row: &serde_json::Value| {
        classes.iter().map(|class| row[format!("{prefix}_{class}")].as_u64().unwrap()).sum::<u64>()
    };
    let counts: Vec<u64> = rows.map(of_row).collect();
    assert_eq!(counts.len(), 2, "{}", claim.material);
    counts.iter().sum()
}

/// What `hextb verify` prints in the README has a line for each claim that comes with the program, and its figures are
/// those of the claims, of the recorded statistics and of the recorded census.
#[test]
fn the_readme_shows_what_the_claims_come_to() {
    let recorded: Recorded = serde_json::from_str(include_str!("../tables/stats-glinski.json")).unwrap();
    let census: serde_json::Value = serde_json::from_str(include_str!("../tables/census-glinski.json")).unwrap();
    let claims = claims::built_in().unwrap();
    let readme = include_str!("../README.md");
    let shown = readme.split_once("$ hextb verify\n").unwrap().1.split_once("```").unwrap().0;
    let mut lines = shown.lines();
    let sources = ["Hexagonal chess, encyclopaedia articles on Gliński's game", "this project"];
    for source in sources {
        assert_eq!(lines.next(), Some(source));
        assert!(lines.next().unwrap().contains("measured"));
        for claim in claims.iter().filter(|claim| claim.source == source) {
            let line = lines.next().unwrap();
            let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
            let [text, published, measured, of, percentage, verdict] = cells[..] else { panic!("{line}") };
            assert_eq!((text, published, verdict), (&claim.text[..], &claim.published[..], "confirmed"));
            let number = |text: &str| text.replace(',', "").parse::<u64>().unwrap();
            let statistics = &recorded.tables[&claim.material];
            if claim.rule == Rule::Equals {
                assert_eq!(Some(number(measured.trim_end_matches(" plies"))), claim.printed_count(), "{line}");
            }
            if !claim.needs_classes() && claim.pair.is_none() {
                let figure = match (of, percentage) {
                    ("-", "-") => Figure::Longest(Some(number(measured.strip_suffix(" plies").unwrap()) as u16)),
                    _ => Figure::Share(Share {
                        count: number(measured),
                        population: number(of),
                        percentage: percentage.to_string(),
                    }),
                };
                assert_eq!(figure, by_statistics(claim, statistics), "{line}");
                continue;
            }
            // Classes of draws are counted in the recorded census; no claim asks for them and for a pair.
            if claim.needs_classes() {
                assert_eq!(number(of), statistics.w.legal + statistics.b.legal, "{line}");
                assert_eq!(number(measured), classes_in_census(claim, &census), "{line}");
            }
            let printed = claim.printed().filter(|_| claim.rule == Rule::Rounds);
            let share = Printed::of(number(measured), number(of), printed.map_or(4, Printed::decimals));
            assert_eq!(percentage, share.to_string(), "{line}");
            assert!(printed.is_none_or(|printed| printed == share), "{line}");
        }
        assert_eq!(lines.next(), Some(""));
    }
    assert_eq!(lines.next(), Some(&format!("{0} of {0} claims confirmed", claims.len())[..]));
    assert_eq!(lines.next(), None);
}

//! The analysis module against plain counterparts on small boards, and against known counts on the full one.

#[path = "common/tiny_oracle.rs"]
mod tiny_oracle;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use hextb::analysis::check::{CheckReport, check, check_sample};
use hextb::analysis::classes::{DrawClass, classify};
use hextb::analysis::graph::{DrawGraph, Scoring};
use hextb::analysis::measure::{MeasureError, measure, measure_all};
use hextb::analysis::orbits::Numbering;
use hextb::analysis::placements::{Fold, Placements};
use hextb::analysis::{claims, unwatched};
use hextb::geometry::{Color, Variant};
use hextb::index::Material;
use hextb::oracle::{Oracle, ProbeError};
use hextb::outcome::{Outcome, Value};
use hextb::position::Position;
use hextb::statistics::{SideStatistics, Statistics};
use rayon::prelude::*;
use tiny_oracle::{TinyOracle, all_positions, key, without_idle_right};

/// The small board that most tests use, with the outcomes of all materials that they ask for.
fn tiny() -> &'static (Variant, TinyOracle) {
    static TINY: OnceLock<(Variant, TinyOracle)> = OnceLock::new();
    TINY.get_or_init(|| {
        let variant = Variant::named("glinski-2").unwrap();
        let oracle = TinyOracle::new(&variant, &["KQKR", "KRKN", "KBBK", "KPKP"]);
        (variant, oracle)
    })
}

fn material(variant: &Variant, name: &str) -> Material {
    Material::parse(variant, name).unwrap()
}

/// Legal positions with White and with Black to move.
fn counts(variant: &Variant, name: &str, fold: Fold) -> [u64; 2] {
    let visit = |counts: &mut [u64; 2], position: &Position, weight| {
        counts[position.turn().index()] += weight;
        Ok::<(), ()>(())
    };
    let merge = |a: [u64; 2], b: [u64; 2]| [a[0] + b[0], a[1] + b[1]];
    Placements::new(variant, &material(variant, name), fold).walk(&unwatched, || [0; 2], visit, merge).unwrap()
}

#[test]
fn folded_and_unfolded_walks_count_the_known_numbers() {
    let glinski = Variant::glinski();
    for fold in [Fold::None, Fold::Orbits] {
        assert_eq!(counts(&glinski, "KK", fold), [7290, 7290]);
        assert_eq!(counts(&glinski, "KQK", fold), [403_224, 648_810]);
        assert_eq!(counts(&glinski, "KRK", fold), [488_220, 648_810]);
    }
    assert_eq!(counts(&glinski, "KPK", Fold::None), counts(&glinski, "KPK", Fold::Orbits));
    for variant in ["glinski-2", "mccooey-2"].map(|name| Variant::named(name).unwrap()) {
        for name in ["KBBK", "KNKN", "KPPK", "KPKP", "KQQK"] {
            let plain = all_positions(&variant, &material(&variant, name));
            let [w, b] = counts(&variant, name, Fold::None);
            assert_eq!(w + b, plain.len() as u64, "{name}");
            assert_eq!(counts(&variant, name, Fold::Orbits), [w, b], "{name}");
        }
    }
}

#[test]
fn numbers_tell_positions_apart_exactly_up_to_symmetry() {
    let variant = Variant::named("glinski-2").unwrap();
    for name in ["KQK", "KBBK", "KPKP"] {
        let material = material(&variant, name);
        let numbering = Numbering::new(&variant, &material);
        let symmetries: Vec<_> = match material.has_pawns(&variant) {
            true => variant.pawn_symmetries().iter().map(|&i| &variant.symmetries()[i]).collect(),
            false => variant.symmetries().iter().collect(),
        };
        let mut orbits: HashMap<u64, HashSet<u64>> = HashMap::new();
        for position in all_positions(&variant, &material) {
            let images: HashSet<u64> = symmetries.iter().map(|s| key(&position.mapped(s))).collect();
            let (number, count) = numbering.number_and_images(&position);
            assert_eq!((number, count), (numbering.number(&position), images.len() as u64));
            assert!(number < numbering.bound());
            assert!(images.contains(&key(&numbering.position(number))));
            assert_eq!(*orbits.entry(number).or_insert(images.clone()), images);
        }
    }
}

fn whole_check(variant: &Variant, name: &str, oracle: &dyn Oracle, fold: Fold) -> CheckReport {
    check(variant, &material(variant, name), oracle, fold, &unwatched).unwrap()
}

#[test]
fn the_check_passes_on_right_outcomes_folded_or_not() {
    let (variant, oracle) = tiny();
    for name in ["KK", "KPK", "KQKR", "KPKP"] {
        let plain = whole_check(variant, name, oracle, Fold::None);
        assert_eq!((plain.mismatch_count, plain.mismatches.len()), (0, 0), "{name}: {:?}", plain.mismatches);
        assert_eq!(plain.compared, plain.statistics.w.legal + plain.statistics.b.legal);
        assert_eq!(plain.en_passant_compared > 0, name == "KPKP");
        assert_eq!(whole_check(variant, name, oracle, Fold::Orbits), plain);
    }
    let drawn = variant.clone().with_stalemate_drawn();
    let oracle = TinyOracle::new(&drawn, &["KRK"]);
    let report = whole_check(&drawn, "KRK", &oracle, Fold::None);
    assert_eq!((report.mismatch_count, report.statistics.b.stalemate_loss), (0, 0));
}

/// An oracle that is wrong about one position.
struct Wrong<'a> {
    right: &'a TinyOracle,
    about: Position,
    says: Outcome,
}

impl Oracle for Wrong<'_> {
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        if *position == self.about { Ok(self.says) } else { self.right.outcome(position) }
    }
}

#[test]
fn the_check_finds_a_single_wrong_outcome() {
    let (variant, right) = tiny();
    let krk = all_positions(variant, &material(variant, "KRK"));
    for about in [krk[0], krk[krk.len() / 2]] {
        let outcome = right.outcome(&about).unwrap();
        let later = |o: Outcome| Outcome::new(o.value(), o.plies().unwrap() + 2);
        let says = if outcome == Outcome::DRAW { Outcome::new(Value::Loss, 2) } else { later(outcome) };
        let report = whole_check(variant, "KRK", &Wrong { right, about, says }, Fold::None);
        let own = report.mismatches.iter().find(|m| m.fen == about.fen(variant)).expect("it is among the first");
        assert_eq!((own.expected, own.found), (outcome, says));
    }
    // The same for a position that only a double step leads to.
    let (passing, outcome) = all_positions(variant, &material(variant, "KPKP"))
        .iter()
        .flat_map(|p| p.legal_moves(variant).into_iter().map(|mv| p.after(variant, &mv)).collect::<Vec<_>>())
        .find(|after| without_idle_right(variant, *after).en_passant().is_some())
        .map(|after| (after, right.outcome(&after).unwrap()))
        .unwrap();
    let says = if outcome == Outcome::DRAW { Outcome::new(Value::Win, 99) } else { Outcome::DRAW };
    let report = whole_check(variant, "KPKP", &Wrong { right, about: passing, says }, Fold::None);
    assert_eq!((report.mismatch_count, &report.mismatches[0].fen), (1, &passing.fen(variant)));
}

#[test]
fn a_sample_has_the_wanted_size_and_depends_on_the_seed_alone() {
    let (variant, oracle) = tiny();
    let material = material(variant, "KRK");
    let sample = |seed| check_sample(variant, &material, oracle, 1000, seed, &unwatched).unwrap();
    assert_eq!((sample(1).compared, sample(1).mismatch_count, sample(1).complete), (1000, 0, false));
    assert_eq!(sample(1), sample(1));
    assert_ne!(sample(1), sample(2));
}

/// What the definitions of the classes ask of a move.
struct Step {
    converts: bool,
    checks: bool,
    to: u64,
    /// For the side that has moved.
    value: Value,
}

/// The classes straight from their definitions, position by position, without folding.
fn plain_classes(
    variant: &Variant,
    material: &Material,
    oracle: &TinyOracle,
    scoring: Scoring,
    weak: Color,
) -> HashMap<u64, (Position, DrawClass)> {
    let value = |p: &Position| scoring.value(oracle.outcome(p).unwrap());
    let mut list: Vec<Position> =
        all_positions(variant, material).into_iter().filter(|p| value(p) == Value::Draw).collect();
    let mut drawn: HashMap<u64, (Position, Vec<Step>)> = HashMap::new();
    while let Some(position) = list.pop() {
        if drawn.contains_key(&key(&position)) {
            continue;
        }
        let step = |mv| {
            let after = without_idle_right(variant, position.after(variant, mv));
            if after.en_passant().is_some() && value(&after) == Value::Draw {
                list.push(after);
            }
            let checks = after.in_check(variant, after.turn());
            Step { converts: mv.is_conversion(), checks, to: key(&after), value: value(&after).opposite() }
        };
        let steps = position.legal_moves(variant).iter().map(step).collect();
        drawn.insert(key(&position), (position, steps));
    }
    let mut conversion: HashSet<u64> = HashSet::new();
    loop {
        let before = conversion.len();
        for (&k, (position, steps)) in &drawn {
            let saved = |s: &Step| (s.converts && s.value >= Value::Draw) || conversion.contains(&s.to);
            let harmless = |s: &Step| {
                (s.converts && s.value <= Value::Draw) || conversion.contains(&s.to) || s.value < Value::Draw
            };
            let holds = if position.turn() == weak { steps.iter().any(saved) } else { steps.iter().all(harmless) };
            if holds || steps.is_empty() {
                conversion.insert(k);
            }
        }
        if conversion.len() == before {
            break;
        }
    }
    let mut perpetual: HashSet<u64> = drawn.keys().copied().filter(|k| !conversion.contains(k)).collect();
    let strong_step = |s: &Step, perpetual: &HashSet<u64>| {
        perpetual.contains(&s.to) || conversion.contains(&s.to) || s.value < Value::Draw || s.converts
    };
    loop {
        let keep = |k: &u64| {
            let (position, steps) = &drawn[k];
            if position.turn() == weak {
                steps.iter().any(|s| s.checks && !s.converts && perpetual.contains(&s.to))
            } else {
                steps.iter().all(|s| strong_step(s, &perpetual))
            }
        };
        let kept: HashSet<u64> = perpetual.iter().copied().filter(keep).collect();
        if kept.len() == perpetual.len() {
            break;
        }
        perpetual = kept;
    }
    loop {
        let before = perpetual.len();
        for (&k, (position, steps)) in drawn.iter().filter(|(k, _)| !conversion.contains(k)) {
            let forced = if position.turn() == weak {
                steps.iter().any(|s| perpetual.contains(&s.to))
            } else {
                steps.iter().all(|s| strong_step(s, &perpetual))
            };
            if forced {
                perpetual.insert(k);
            }
        }
        if perpetual.len() == before {
            break;
        }
    }
    let class = |k: &u64| match (conversion.contains(k), perpetual.contains(k)) {
        (true, _) => DrawClass::Conversion,
        (_, true) => DrawClass::Perpetual,
        _ => DrawClass::Fortress,
    };
    drawn.iter().map(|(k, (position, _))| (*k, (*position, class(k)))).collect()
}

#[test]
fn classes_of_draws_agree_with_their_definitions_position_by_position() {
    let mut seen = HashMap::new();
    for (variant, names) in [
        ("glinski-2", &["KQKR", "KRKN", "KBBK", "KPKP"][..]),
        ("mccooey-2", &["KRKB", "KQKQ"]),
        ("glinski-3", &["KRK"]),
    ] {
        let made;
        let (variant, oracle) = if variant == "glinski-2" {
            tiny()
        } else {
            let variant = Variant::named(variant).unwrap();
            let oracle = TinyOracle::new(&variant, names);
            made = (variant, oracle);
            &made
        };
        for name in names {
            let material = material(variant, name);
            for scoring in [Scoring::MateOnly, Scoring::Full] {
                let graph = DrawGraph::build(variant, &material, oracle, scoring, &unwatched).unwrap();
                for weak in Color::BOTH {
                    let plain = plain_classes(variant, &material, oracle, scoring, weak);
                    let classes = classify(&graph, weak);
                    let mut by_plain = HashMap::new();
                    for (position, class) in plain.values().filter(|(p, _)| p.en_passant().is_none()) {
                        let node = graph.node(position).expect("a drawn position is a node");
                        assert_eq!(classes.of(node), *class, "{}", position.fen(variant));
                        *by_plain.entry(*class).or_insert(0u64) += 1;
                        *seen.entry(*class).or_insert(0u64) += 1;
                    }
                    let mut by_graph = HashMap::new();
                    for (node, _, images) in graph.positions().collect::<Vec<_>>() {
                        *by_graph.entry(classes.of(node)).or_insert(0u64) += images;
                    }
                    assert_eq!(by_graph, by_plain, "{name}");
                }
            }
        }
    }
    assert_eq!(seen.len(), 3, "every class occurs: {seen:?}");
}

#[test]
fn claims_are_measured_as_their_keys_say() {
    let (variant, oracle) = tiny();
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
    let measured = measure_all(&all, oracle, variant, &unwatched).unwrap();
    let of = |id: &str| &measured[parsed.iter().position(|c| c.id == id).unwrap()];
    assert!(of("all").confirmed && of("all").count == of("all").population && of("all").percentage == "100");
    assert_eq!(of("win").count + of("draw").count + of("loss").count, of("all").count);
    assert_eq!((of("classes").count, of("twice").count), (of("draw").count, of("draw").count));
    assert!(of("same").population > 0 && of("different").population > 0);
    assert_eq!(of("same").population + of("different").population, of("both").population);
    assert_eq!(of("same").count + of("different").count, of("both").count);
    assert_eq!(of("second").count, of("win").count);
    let report = whole_check(variant, "KQKR", oracle, Fold::None);
    assert_eq!(of("w").count, report.statistics.w.win);
    assert_eq!(of("w").population, report.statistics.w.legal);
    let mates = all_positions(variant, &material(variant, "KQKR"))
        .iter()
        .filter(|p| p.turn() == Color::Black && oracle.outcome(p).unwrap() == Outcome::new(Value::Win, 1))
        .count();
    assert_eq!(of("near").count, mates as u64);
    let alone = measure(&parsed[1], oracle, variant).unwrap();
    assert_eq!(alone, *of("win"));
    let other = measure(&parsed[1], oracle, &Variant::named("mccooey-2").unwrap());
    assert!(matches!(other, Err(MeasureError::OtherVariant { .. })));
}

#[test]
fn on_the_full_board_krk_has_its_known_statistics_and_the_claim_holds() {
    let variant = Variant::glinski();
    let oracle = TinyOracle::new(&variant, &["KRK"]);
    let report = whole_check(&variant, "KRK", &oracle, Fold::Orbits);
    assert_eq!(report.mismatch_count, 0);
    let known: Statistics = serde_json::from_str(
        r#"{"w": {"legal": 488220, "win": 488220, "stalemate_win": 0, "draw": 0, "stalemate_loss": 0, "loss": 0,
            "max_plies": {"win": 39}},
            "b": {"legal": 648810, "win": 0, "stalemate_win": 42, "draw": 66996, "stalemate_loss": 990, "loss": 580782,
            "max_plies": {"stalemate_win": 1, "stalemate_loss": 2, "loss": 40}}}"#,
    )
    .unwrap();
    assert_eq!(report.statistics.differences(&known), []);
    assert_eq!(report.statistics, known);
    let mut wrong = known.clone();
    wrong.b.draw += 1;
    wrong.b.max_plies.loss = None;
    let shown: Vec<String> = report.statistics.differences(&wrong).iter().map(|d| d.to_string()).collect();
    assert_eq!(
        shown,
        [
            "draw with b to move: expected 66997, found 66996",
            "most plies to loss with b to move: expected none, found 40"
        ]
    );
    let claims = claims::published().unwrap();
    let claim = claims.iter().find(|c| c.id == "krk-always").unwrap();
    let measured = measure(claim, &oracle, &variant).unwrap();
    assert_eq!((measured.count, measured.population, measured.confirmed), (488_220, 488_220, true));
    assert_eq!(measured.percentage, "100.0000");
}

#[test]
fn statistics_are_written_as_documented() {
    let mut side = SideStatistics::default();
    side.add(Outcome::new(Value::Win, 5), 12);
    side.add(Outcome::DRAW, 6);
    side.longest.win = Some("fen".to_string());
    let text = serde_json::to_string(&side).unwrap();
    assert_eq!(
        text,
        "{\"legal\":18,\"win\":12,\"stalemate_win\":0,\"draw\":6,\"stalemate_loss\":0,\"loss\":0,\
         \"max_plies\":{\"win\":5},\"longest\":{\"win\":\"fen\"}}"
    );
    assert_eq!(serde_json::from_str::<SideStatistics>(&text).unwrap(), side);
}

#[test]
fn leaf_moves_from_the_start_are_the_known_numbers() {
    let variant = Variant::glinski();
    let start = hextb::position::Fen::parse(&variant, variant.description().start.as_ref().unwrap()).unwrap();
    let leaves = [1, 2, 3, 4].map(|depth| start.position.perft(&variant, depth));
    assert_eq!(leaves, [51, 2586, 137_858, 7_282_418]);
}

//! The analysis module against plain counterparts on small boards, and against known counts on the full one.

#[path = "common/tiny_oracle.rs"]
mod tiny_oracle;

use std::sync::OnceLock;

use hextb::analysis::check::{CheckReport, check, check_sample};
use hextb::analysis::placements::{Fold, Placements};
use hextb::analysis::unwatched;
use hextb::geometry::Variant;
use hextb::index::Material;
use hextb::oracle::{Oracle, ProbeError};
use hextb::outcome::{Outcome, Value};
use hextb::position::Position;
use hextb::statistics::{SideStatistics, Statistics};
use tiny_oracle::{TinyOracle, all_positions, without_idle_right};

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

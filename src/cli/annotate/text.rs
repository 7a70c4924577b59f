//! A game as text with what the tables say of its moves, in comments and marks.

use crate::cli::words;
use hextb::geometry::Variant;
use hextb::outcome::{Outcome, Value};
use hextb::position::Fen;
use hextb::position::game::{Game, GameText, Header};
use hextb::report::{Annotation, Judgement, Points, SideSummary};

/// How comments begin that come from here; those of an earlier run make way.
const OURS: &str = "tables: ";

/// Marks of praise and blame are `$1` to `$6`; where the tables know, theirs take the place of others.
const JUDGING_MARKS: std::ops::RangeInclusive<u8> = 1..=6;

/// The game with its moves in algebraic form, and with comments and marks; with a summary before its moves if
/// `summed_up`.
pub fn annotated(
    written: &GameText,
    game: &Game,
    annotation: &Annotation,
    variant: &Variant,
    summed_up: bool,
) -> String {
    let stalemate_points = Points(variant.stalemate_points());
    let mut text = written.clone();
    add_headers(&mut text, game, variant);
    let comments = std::iter::once(&mut text.opening).chain(text.moves.iter_mut().map(|mv| &mut mv.comments));
    comments.for_each(|comments| comments.retain(|comment| !comment.starts_with(OURS)));
    if summed_up {
        text.opening.push(format!("{OURS}{}", summary(annotation)));
    }
    let mut known = false;
    for (at, (mv, played)) in annotation.moves.iter().zip(&game.moves).enumerate() {
        if let (Some(judgement), false) = (&mv.judgement, known) {
            let turn = played.before.position.turn().letter();
            let verdict = words::verdict(told(judgement.best_outcome()), turn, false, false, stalemate_points);
            comments_before(&mut text, at).push(format!("{OURS}{}; {verdict}", judgement.material));
        }
        known = mv.judgement.is_some();
        let out = &mut text.moves[at];
        out.text = mv.san.clone();
        if let Some(judgement) = &mv.judgement {
            out.marks.retain(|mark| !JUDGING_MARKS.contains(mark));
            out.marks.splice(..0, judgement.mark.map(|mark| mark.number()));
            out.comments.extend(cost(judgement, stalemate_points).map(|cost| format!("{OURS}{cost}")));
        }
    }
    if let (Some(end), false) = (&annotation.end, known) {
        let verdict =
            words::verdict((end.category, end.plies), end.turn, end.check, end.moves.is_empty(), stalemate_points);
        comments_before(&mut text, game.moves.len()).push(format!("{OURS}{}; {verdict}", end.material));
    }
    text.write(&game.start)
}

/// Names the game and where it begins, if the text does not, so that it can be read without options.
fn add_headers(text: &mut GameText, game: &Game, variant: &Variant) {
    let mut add = |key: &str, value: String| {
        if text.header(key).is_none() {
            text.headers.push(Header { key: key.to_string(), value, at: text.at });
        }
    };
    add("Variant", variant.name().to_string());
    if !matches!(Fen::start(variant), Ok(Some(start)) if start == game.start) {
        add("SetUp", "1".to_string());
        add("FEN", game.start.write(variant));
    }
}

/// The comments that stand before the move of a number.
fn comments_before(text: &mut GameText, at: usize) -> &mut Vec<String> {
    match at {
        0 => &mut text.opening,
        _ => &mut text.moves[at - 1].comments,
    }
}

/// What a move costs and what would be better; nothing of a best move that is not the only one.
fn cost(judgement: &Judgement, stalemate_points: Points) -> Option<String> {
    let best = judgement.best_outcome();
    let price = match judgement.plies_lost {
        _ if judgement.points_lost.0 > 0.0 => format!("costs {}", judgement.points_lost),
        None | Some(0) => return judgement.only.then(|| "the only move".to_string()),
        Some(plies) if best.value() > Value::Draw => format!("{} longer", counted_plies(plies)),
        Some(plies) => format!("{} sooner", counted_plies(plies)),
    };
    Some(format!("{price}; {}", better(judgement, best, stalemate_points)))
}

fn better(judgement: &Judgement, best: Outcome, stalemate_points: Points) -> String {
    let others = match judgement.best.len() - 1 {
        0 => String::new(),
        others => format!(" (or {})", words::counted(others, "other")),
    };
    format!("{}{others} {}", judgement.best[0].san, words::move_verdict(told(best), stalemate_points))
}

fn counted_plies(plies: u16) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}

fn summary(annotation: &Annotation) -> String {
    if !annotation.reaches_tables() {
        return "no position of this game".to_string();
    }
    let (w, b) = (&annotation.summary.w, &annotation.summary.b);
    let side = |side: &SideSummary| match side.slips {
        0 => "0".to_string(),
        slips => format!("{} ({})", side.points_lost, words::counted(slips, "move")),
    };
    let moves = words::counted(annotation.moves.len(), "move");
    format!("{} of {moves}; points given up: White {}, Black {}", w.moves + b.moves, side(w), side(b))
}

/// A value and its distance, if it has one.
fn told(outcome: Outcome) -> (Value, Option<u16>) {
    (outcome.value(), outcome.plies())
}

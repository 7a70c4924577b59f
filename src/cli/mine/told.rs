//! What was found, in words.

use super::super::failure::Failure;
use super::super::output::Output;
use super::super::words;
use super::Summary;
use hextb::geometry::Variant;
use hextb::outcome::{Outcome, Points};
use hextb::survey::mine::{Details, Find};

/// What there is to say about a position.
pub fn comment(variant: &Variant, find: &Find) -> String {
    let said =
        |outcome: Outcome| words::move_verdict((outcome.value(), outcome.plies()), Points(variant.stalemate_points()));
    let verdict = said(find.worth.outcome());
    match &find.details {
        Details::Plain {} => verdict,
        Details::Zugzwang { pair, white_to_move, black_to_move } => {
            let [white, black] = [white_to_move, black_to_move].map(|worth| said(worth.outcome()));
            format!("{pair}: White to move {white}, Black to move {black}")
        }
        Details::Moves { moves } => format!("{}: {verdict}", moves.join(" or ")),
        Details::Line { moves, only_moves } => format!("{only_moves} in a row, {}: {verdict}", moves.join(" or ")),
        Details::EnPassant { moves, without } => {
            format!("{}: {verdict}, without it {}", moves.join(" or "), said(without.outcome()))
        }
    }
}

/// Says how many positions there are.
pub fn summarise(summaries: &[Summary], listed: usize, out: &mut Output) -> Result<(), Failure> {
    let counts = |positions: u64, images: u64| {
        let positions = words::counted(positions as usize, "position");
        format!("{positions}, {} on the board with all symmetric images", words::count(images))
    };
    for summary in summaries {
        let said = if summary.positions == 0 { "none".to_string() } else { counts(summary.positions, summary.images) };
        out.line(format!("{}: {said}", summary.material))?;
    }
    let total: u64 = summaries.iter().map(|summary| summary.positions).sum();
    if summaries.len() > 1 {
        let images = summaries.iter().map(|summary| summary.images).sum();
        out.line(format!("All {} tables: {}", summaries.len(), counts(total, images)))?;
    }
    if (listed as u64) < total {
        let listed = match listed {
            0 => "none is".to_string(),
            1 => "the first is".to_string(),
            several => format!("the first {} are", words::count(several as u64)),
        };
        out.line(format!("Of these {listed} listed; --all lists all, --limit N the first N."))?;
    }
    Ok(())
}

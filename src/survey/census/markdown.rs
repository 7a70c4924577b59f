//! A census as a page of tables for people to read.

use super::columns::best_first;
use super::{Census, Row};
use crate::outcome::Value;
use crate::survey::draws::{DrawClass, SideCounts};
use crate::survey::percentage::Printed;
use std::fmt::Write;

/// Writes a census as Markdown.
pub fn markdown(census: &Census) -> String {
    let mut page = String::new();
    let scored = census.variant.stalemate_counts();
    let values: Vec<Value> = best_first().filter(|&value| scored || !is_of_stalemate(value)).collect();
    let title = &census.variant.description().title;
    line(&mut page, &format!("# Endings of {title}, counted"));
    line(
        &mut page,
        "\nAll legal positions of each material with the side to move as said, symmetric ones included; like men are \
         interchangeable, and no position has a right to capture en passant. The side that a material names first is \
         White. Values are those of the side to move, distances plies to the mate or stalemate with best play.",
    );
    worth(&mut page, census, &values);
    longest(&mut page, census, &values);
    classes(&mut page, census, "Why positions are drawn", |row| row.draws);
    if scored {
        classes(&mut page, census, "Why they would be drawn if stalemate were a draw", |row| row.mate_only_draws);
        stalemate(&mut page, census);
    }
    page
}

fn is_of_stalemate(value: Value) -> bool {
    matches!(value, Value::StalemateWin | Value::StalemateLoss)
}

fn worth(page: &mut String, census: &Census, values: &[Value]) {
    line(page, "\n## What positions are worth\n");
    line(
        page,
        "In percent of the legal positions. The points are those that White scores on average, and the last column says \
         what most positions are worth to White: all of them, nine tenths (mostly) or half (often).\n",
    );
    let words = values.iter().map(|value| value.word().to_string());
    let names = ["material", "to move", "legal"].map(String::from).into_iter().chain(words);
    header(page, names.chain(["White's points", "for White"].map(String::from)).collect());
    for row in census.rows() {
        let share = |&value: &Value| percent(row.statistics.count(value), row.statistics.legal);
        let points = format!("{:.4}", row.mean_points());
        let cells = values.iter().map(share).chain([points, row.verdict()]);
        cells_of(page, &row, [count(row.statistics.legal)].into_iter().chain(cells).collect());
    }
}

fn longest(page: &mut String, census: &Census, values: &[Value]) {
    line(page, "\n## The longest distances\n");
    header(page, ["material", "to move", "plies", "value", "first such position"].map(String::from).to_vec());
    for row in census.rows() {
        for &value in values {
            if let Some(plies) = row.statistics.max_plies.get(value) {
                let fen = row.statistics.longest.get(value).map_or(String::new(), |fen| format!("`{fen}`"));
                cells_of(page, &row, vec![plies.to_string(), value.word().to_string(), fen]);
            }
        }
    }
}

fn classes(page: &mut String, census: &Census, title: &str, of: for<'a> fn(&'a Row) -> &'a SideCounts) {
    line(page, &format!("\n## {title}\n"));
    line(
        page,
        "Black, the second side, can force a capture or promotion that saves it, or stalemate (conversion), can give \
         check for ever or get there (perpetual), or neither (fortress). In percent of the legal positions.\n",
    );
    let mut names = ["material", "to move", "draws"].map(String::from).to_vec();
    for class in DrawClass::ALL {
        names.extend([class.word().to_string(), "%".to_string()]);
    }
    header(page, names);
    for row in census.rows() {
        let counts = DrawClass::ALL.map(|class| of(&row).class(class).count);
        let mut cells = vec![count(counts.iter().sum())];
        counts.iter().for_each(|&found| cells.extend([count(found), percent(found, row.statistics.legal)]));
        cells_of(page, &row, cells);
    }
}

fn stalemate(page: &mut String, census: &Census) {
    line(page, "\n## What the score for stalemate changes\n");
    line(
        page,
        "Positions that would be drawn if stalemate were a draw, and how many of them the side to move now wins or loses \
         by stalemate; in percent of those draws.\n",
    );
    let names = ["material", "to move", "draws by mate alone", "stalemate-win", "%", "stalemate-loss", "%"];
    header(page, names.map(String::from).to_vec());
    for row in census.rows() {
        let draws = row.drawn_by_mate_alone();
        let decided = [row.statistics.stalemate_win, row.statistics.stalemate_loss];
        let mut cells = vec![count(draws)];
        decided.iter().for_each(|&found| cells.extend([count(found), percent(found, draws)]));
        cells_of(page, &row, cells);
    }
}

fn line(page: &mut String, text: &str) {
    writeln!(page, "{text}").expect("a string takes all");
}

/// The columns of words, which are set to the left; numbers are set to the right.
const WORDS: [&str; 5] = ["material", "to move", "value", "first such position", "for White"];

/// The head of a table.
fn header(page: &mut String, names: Vec<String>) {
    line(page, &format!("| {} |", names.join(" | ")));
    let rule: Vec<&str> = names.iter().map(|name| if WORDS.contains(&&name[..]) { "---" } else { "---:" }).collect();
    line(page, &format!("|{}|", rule.join("|")));
}

/// A row of a table, after its material and side to move.
fn cells_of(page: &mut String, row: &Row, cells: Vec<String>) {
    let turn = row.turn.name();
    line(page, &format!("| {} | {turn} | {} |", row.material.name(row.variant), cells.join(" | ")));
}

fn count(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// To two digits; 0 or 100 only where it is exactly so.
fn percent(part: u64, whole: u64) -> String {
    match Printed::of(part, whole, 2).to_string().as_str() {
        "0.00" if part > 0 => "<0.01".to_string(),
        "100.00" if part < whole => ">99.99".to_string(),
        text => text.to_string(),
    }
}

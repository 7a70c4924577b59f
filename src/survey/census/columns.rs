//! What is known of each row of a census, by name: the same in every form for other programs.

use super::Row;
use crate::outcome::Value;
use crate::survey::draws::{DrawClass, SideCounts};

/// What a row has in a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    Text(Option<String>),
    Whole(Option<i64>),
    Number(f64),
}

/// A column of a census.
pub struct Column {
    pub name: String,
    of: Box<dyn Fn(&Row) -> Cell>,
}

impl Column {
    fn new(name: impl Into<String>, of: impl Fn(&Row) -> Cell + 'static) -> Column {
        Column { name: name.into(), of: Box::new(of) }
    }

    /// What a row has here.
    pub fn of(&self, row: &Row) -> Cell {
        (self.of)(row)
    }
}

/// All columns, in order. Counts are of all legal positions, symmetric ones included; values are those of the side to
/// move, percentages of the legal positions to four decimals, distances plies.
///
/// * `variant`, `material`, `men`, `to_move` (`w` or `b`; the first-named side is White), `legal`
/// * `win`, `stalemate_win`, `draw`, `stalemate_loss`, `loss`, and the same with `_percent`
/// * `mean_points`: what the first side scores on average; `verdict`, for the first side
/// * `max_plies_win` and so on, with `longest_win`: the lexicographically first FEN that has it
/// * `draw_conversion`, `draw_perpetual`, `draw_fortress`: draws by class, the second side being the weak one, and
///   `draw_conversion_fen` and so on: the lexicographically first of them
/// * `mate_only_draw`: the draws where stalemate is one, with `mate_only_draw_conversion` and so on;
///   `decided_by_stalemate`: how many of them are none as the variant scores, and with `_percent` their share
pub fn columns() -> Vec<Column> {
    let text = |text: String| Cell::Text(Some(text));
    let whole = |number: u64| Cell::Whole(Some(number as i64));
    let mut columns = vec![
        Column::new("variant", move |row| text(row.variant.name().to_string())),
        Column::new("material", move |row| text(row.material.name(row.variant))),
        Column::new("men", move |row| whole(row.material.men() as u64)),
        Column::new("to_move", move |row| text(row.turn.letter().to_string())),
        Column::new("legal", move |row| whole(row.statistics.legal)),
    ];
    for value in best_first() {
        columns.push(Column::new(name(value), move |row| whole(row.statistics.count(value))));
    }
    for value in best_first() {
        let of = move |row: &Row| percent(row.statistics.count(value), row.statistics.legal);
        columns.push(Column::new(format!("{}_percent", name(value)), of));
    }
    columns.push(Column::new("mean_points", |row| Cell::Number(rounded(row.mean_points()))));
    columns.push(Column::new("verdict", move |row| text(row.verdict())));
    for value in best_first().filter(|&value| value != Value::Draw) {
        let plies = move |row: &Row| Cell::Whole(row.statistics.max_plies.get(value).map(|&plies| plies.into()));
        columns.push(Column::new(format!("max_plies_{}", name(value)), plies));
        let fen = move |row: &Row| Cell::Text(row.statistics.longest.get(value).cloned());
        columns.push(Column::new(format!("longest_{}", name(value)), fen));
    }
    classes(&mut columns, "draw", |row| row.draws);
    columns.push(Column::new("mate_only_draw", move |row| whole(row.drawn_by_mate_alone())));
    classes(&mut columns, "mate_only_draw", |row| row.mate_only_draws);
    columns.push(Column::new("decided_by_stalemate", move |row| whole(row.decided_by_stalemate())));
    let share = |row: &Row| percent(row.decided_by_stalemate(), row.drawn_by_mate_alone());
    columns.push(Column::new("decided_by_stalemate_percent", share));
    columns
}

fn classes(columns: &mut Vec<Column>, prefix: &str, of: for<'a> fn(&'a Row) -> &'a SideCounts) {
    for class in DrawClass::ALL {
        let name = format!("{prefix}_{}", class.word());
        columns.push(Column::new(name.clone(), move |row| Cell::Whole(Some(of(row).class(class).count as i64))));
        let example = move |row: &Row| Cell::Text(of(row).class(class).example.clone());
        columns.push(Column::new(format!("{name}_fen"), example));
    }
}

/// The values, the best first.
pub(super) fn best_first() -> impl Iterator<Item = Value> {
    Value::ALL.into_iter().rev()
}

/// A value's name in columns.
fn name(value: Value) -> String {
    value.word().replace('-', "_")
}

fn percent(part: u64, whole: u64) -> Cell {
    Cell::Number(rounded(100.0 * part as f64 / whole.max(1) as f64))
}

/// To four decimals.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

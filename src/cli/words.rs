//! Outcomes, points and numbers in words for people.

use hextb::geometry::Color;
use hextb::outcome::Value;
use hextb::report::Points;
use hextb::survey::draws::DrawClass;

pub fn side_name(letter: char) -> &'static str {
    if letter == Color::White.letter() { "White" } else { "Black" }
}

pub fn other(letter: char) -> char {
    if letter == Color::White.letter() { Color::Black.letter() } else { Color::White.letter() }
}

/// `33 plies (17 moves)`, the moves being those of the side that makes the last one.
fn distance(plies: u16) -> String {
    let moves = plies.div_ceil(2);
    format!("{} ({moves} move{})", in_plies(plies), if moves == 1 { "" } else { "s" })
}

/// `33 plies`.
pub fn in_plies(plies: u16) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}

/// What a position is worth, in a sentence. `check` tells whether the side to move is in check, `stuck` whether it
/// has no legal move.
pub fn verdict(
    (value, plies): (Value, Option<u16>),
    turn: char,
    check: bool,
    stuck: bool,
    stalemate_points: Points,
) -> String {
    let (mover, opponent) = (side_name(turn), side_name(other(turn)));
    let (gain, rest) = (stalemate_points, stalemate_points.of_opponent());
    match (stuck, check) {
        (true, true) => return format!("Checkmate: {opponent} has won"),
        (true, false) if value == Value::Draw => return "Stalemate: a draw".to_string(),
        (true, false) => {
            return format!("Stalemate: {mover} has no legal move and scores {rest}, {opponent} {gain}");
        }
        _ => {}
    }
    // Without distances it is told who wins, and no more.
    let mate = plies.map_or(String::new(), |plies| format!(": mate in {}", distance(plies)));
    let within = plies.map_or(String::new(), |plies| format!(" in {}", distance(plies)));
    match value {
        Value::Win => format!("{mover} wins{mate}"),
        Value::StalemateWin => format!("{mover} stalemates {opponent}{within} and scores {gain}"),
        Value::Draw => "Draw".to_string(),
        Value::StalemateLoss => format!("{opponent} stalemates {mover}{within} and scores {gain}"),
        Value::Loss => format!("{opponent} wins{mate}"),
    }
}

/// Why a position is drawn, in a sentence; `weak` is the side that saves itself.
pub fn draw_class(class: DrawClass, weak: char) -> String {
    let weak = side_name(weak);
    match class {
        DrawClass::Conversion => {
            format!("A draw by conversion: {weak} can force a capture, a promotion or stalemate that saves it")
        }
        DrawClass::Perpetual => format!("A draw by perpetual check: {weak} can check for ever, or get there"),
        DrawClass::Fortress => {
            format!("A draw by fortress: {weak} holds without a saving conversion or perpetual check")
        }
    }
}

/// What a move leads to, as the side that makes it sees it.
pub fn move_verdict((value, plies): (Value, Option<u16>), stalemate_points: Points) -> String {
    let value = match value {
        Value::Win => "wins".to_string(),
        Value::StalemateWin => format!("stalemates ({stalemate_points})"),
        Value::Draw => "draws".to_string(),
        Value::StalemateLoss => format!("is stalemated ({})", stalemate_points.of_opponent()),
        Value::Loss => "loses".to_string(),
    };
    match plies {
        None => value,
        Some(1) => format!("{value} in 1 ply"),
        Some(plies) => format!("{value} in {plies} plies"),
    }
}

/// A count with thousands separated by commas.
pub fn count(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// A number of bytes in a fitting unit.
pub fn bytes(number: u64) -> String {
    indicatif::HumanBytes(number).to_string()
}

/// A time in a fitting unit, to two or three digits.
pub fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(86_400.0, "days"), (3_600.0, "h"), (60.0, "min"), (1.0, "s")];
    // From twice a unit on it is used, so that no number is less than 2 but of seconds.
    let (unit, name) = UNITS.into_iter().find(|(unit, _)| seconds >= 2.0 * unit).unwrap_or((1.0, "s"));
    let amount = seconds / unit;
    if amount < 9.95 { format!("{amount:.1} {name}") } else { format!("{amount:.0} {name}") }
}

/// A share in percent, to two digits, that is 0 or 100 only where it is exactly so.
pub fn percent(part: u64, whole: u64) -> String {
    let exact = 100.0 * part as f64 / whole.max(1) as f64;
    match format!("{exact:.2}").as_str() {
        "0.00" if part > 0 => "<0.01".to_string(),
        "100.00" if part < whole => ">99.99".to_string(),
        text => text.to_string(),
    }
}

/// A count with its noun, in the plural unless it is 1.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(number as u64), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_counted_for_the_side_that_moves_last() {
        let (gain, say) = (Points(0.75), |value, plies| verdict((value, Some(plies)), 'w', false, false, Points(0.75)));
        assert_eq!(say(Value::Win, 33), "White wins: mate in 33 plies (17 moves)");
        assert_eq!(say(Value::Loss, 2), "Black wins: mate in 2 plies (1 move)");
        assert_eq!(verdict((Value::Win, None), 'w', false, false, gain), "White wins");
        assert_eq!(say(Value::StalemateWin, 1), "White stalemates Black in 1 ply (1 move) and scores 3/4");
        assert_eq!(move_verdict((Value::StalemateLoss, Some(4)), gain), "is stalemated (1/4) in 4 plies");
    }

    #[test]
    fn durations_have_a_fitting_unit() {
        let said = [0.04, 1.5, 13.2, 119.0, 120.0, 5_000.0, 7_200.0, 172_800.0, 2_592_000.0].map(duration);
        assert_eq!(said, ["0.0 s", "1.5 s", "13 s", "119 s", "2.0 min", "83 min", "2.0 h", "2.0 days", "30 days"]);
    }

    #[test]
    fn percentages_round_to_0_and_100_only_when_they_are() {
        assert_eq!(percent(0, 5), "0.00");
        assert_eq!(percent(1, 1_000_000), "<0.01");
        assert_eq!(percent(999_999, 1_000_000), ">99.99");
        assert_eq!(percent(5, 5), "100.00");
        assert_eq!(percent(1, 3), "33.33");
    }
}

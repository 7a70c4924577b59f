//! Claims about endings as data: what is said, of which positions, and how it is counted.
//!
//! Reads and checks claims files; what the claims come to is measured elsewhere.

mod quantity;

pub use quantity::Quantity;

use serde::Deserialize;

use super::Scoring;
use super::percentage::Printed;
use crate::geometry::{Color, Role, Variant};
use crate::index::Material;
use crate::outcome::Value;

/// The claims that come with the program, as they are written: published ones and this project's own.
pub const BUILT_IN: &str = include_str!("../../../tables/claims.toml");

/// Which side is to move in the positions of a population.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToMove {
    #[default]
    Both,
    W,
    B,
}

impl ToMove {
    pub fn includes(self, turn: Color) -> bool {
        match self {
            ToMove::Both => true,
            ToMove::W => turn == Color::White,
            ToMove::B => turn == Color::Black,
        }
    }
}

/// A side of a material, by its place in the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    First,
    Second,
}

impl Side {
    /// The side's colour in statistics.
    pub fn color(self) -> Color {
        match self {
            Side::First => Color::White,
            Side::Second => Color::Black,
        }
    }
}

/// From whose view values are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    First,
    Second,
    /// The side to move.
    Mover,
}

/// What a population is, of the positions that a claim speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Population {
    /// All of them.
    #[default]
    Legal,
    /// Those that are drawn where only mate wins.
    DrawsByMateAlone,
}

/// How two men's cells are coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colours {
    Same,
    Different,
}

/// Restricts a population by the colours of the cells of a pair of like men of one side.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The men's letter.
    pub role: char,
    pub colours: Colours,
}

/// Restricts what is counted by its distance in plies, both bounds included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlyRange {
    #[serde(default)]
    pub min: u16,
    #[serde(default = "no_bound")]
    pub max: u16,
}

fn no_bound() -> u16 {
    u16::MAX
}

/// When a claim is confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The percentage, rounded half up to the digits of `published`, equals it.
    Rounds,
    /// The count, or the longest distance in plies, equals `published`, a whole number.
    Equals,
    /// Nothing is counted.
    None,
    /// The whole population is counted.
    Always,
}

/// A claim. See `tables/claims.toml` for the meaning of each key.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    pub id: String,
    pub text: String,
    pub source: String,
    pub variant: String,
    pub material: String,
    #[serde(default)]
    pub to_move: ToMove,
    pub pair: Option<Pair>,
    #[serde(default)]
    pub of: Population,
    pub scoring: Scoring,
    pub count: Vec<Quantity>,
    #[serde(default = "first")]
    pub view: View,
    #[serde(default = "second")]
    pub weak: Side,
    pub plies: Option<PlyRange>,
    pub published: String,
    pub rule: Rule,
    /// What a reader should know about the reading of the claim.
    pub note: Option<String>,
}

fn first() -> View {
    View::First
}

fn second() -> Side {
    Side::Second
}

/// What is wrong with a claims file; each is one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClaimsError {
    #[error("claims file, line {line}{}: {problem}", .key.as_ref().map_or(String::new(), |k| format!(", key \"{k}\"")))]
    Syntax { line: usize, key: Option<String>, problem: String },
    #[error("claim \"{id}\", key \"{key}\": found {found}, expected {expected}")]
    Meaning { id: String, key: &'static str, found: String, expected: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    claim: Vec<Claim>,
}

/// The claims that come with the program.
///
/// # Errors
/// None in a released version; the file is tested.
pub fn built_in() -> Result<Vec<Claim>, ClaimsError> {
    parse(BUILT_IN)
}

/// Reads the text of a claims file.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn parse(text: &str) -> Result<Vec<Claim>, ClaimsError> {
    let file: File = toml::from_str(text).map_err(|e| syntax(text, &e))?;
    for (i, claim) in file.claim.iter().enumerate() {
        if claim.id.is_empty() || file.claim[..i].iter().any(|other| other.id == claim.id) {
            return Err(claim.wrong("id", quoted(&claim.id), "a name that no other claim has"));
        }
        claim.validate()?;
    }
    Ok(file.claim)
}

impl Claim {
    /// The claim's variant, ready for use.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn variant(&self) -> Result<Variant, ClaimsError> {
        let known = "a variant that there is, such as \"glinski\"";
        Variant::named(&self.variant).map_err(|_| self.wrong("variant", quoted(&self.variant), known))
    }

    /// The claim's material.
    ///
    /// # Errors
    /// When the name is not one of a material, stronger side first.
    pub fn material(&self, variant: &Variant) -> Result<Material, ClaimsError> {
        let material = Material::parse(variant, &self.material)
            .map_err(|e| self.wrong("material", quoted(&self.material), &format!("a material ({e})")))?;
        // "First" and "second" would otherwise not be what the claim's author sees.
        match material.name(variant) {
            name if name == self.material => Ok(material),
            name => Err(self.wrong("material", quoted(&self.material), &quoted(&name))),
        }
    }

    /// The men of the claim's pair.
    ///
    /// # Errors
    /// When neither side has exactly two of them, or both have.
    pub fn pair_men(&self, variant: &Variant) -> Result<Option<(Color, Role)>, ClaimsError> {
        let Some(pair) = &self.pair else { return Ok(None) };
        let material = self.material(variant)?;
        let role = variant.role_with_letter(pair.role);
        let count = |color: Color| material.side(color).iter().filter(|&&r| Some(r) == role).count();
        match (role, count(Color::White), count(Color::Black)) {
            (Some(role), 2, black) if black != 2 => Ok(Some((Color::White, role))),
            (Some(role), white, 2) if white != 2 => Ok(Some((Color::Black, role))),
            _ => Err(self.wrong(
                "pair",
                format!("role '{}'", pair.role),
                &format!("a kind of men of which exactly one side of {} has two", self.material),
            )),
        }
    }

    /// The percentage of a claim whose rule is [`Rule::Rounds`].
    pub fn printed(&self) -> Option<Printed> {
        Printed::parse(&self.published)
    }

    /// The number of a claim whose rule is [`Rule::Equals`]; commas and spaces between digits are allowed.
    pub fn printed_count(&self) -> Option<u64> {
        let digits: String = self.published.chars().filter(|c| !matches!(c, ',' | ' ')).collect();
        let whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        whole.then(|| digits.parse().ok()).flatten()
    }

    /// Whether the classes of draws are needed to measure the claim.
    pub fn needs_classes(&self) -> bool {
        self.count.iter().any(|q| q.class().is_some())
    }

    /// The value whose longest distance the claim is about, if it counts no positions.
    pub fn longest(&self) -> Option<Value> {
        self.count.iter().find_map(|q| q.longest())
    }

    /// Whether distances are needed to measure the claim, and not values alone.
    pub fn needs_distances(&self) -> bool {
        self.plies.is_some() || self.longest().is_some()
    }

    fn validate(&self) -> Result<(), ClaimsError> {
        let variant = self.variant()?;
        self.material(&variant)?;
        self.pair_men(&variant)?;
        if self.count.is_empty() {
            return Err(self.wrong("count", "an empty list".to_string(), "at least one quantity, such as \"win\""));
        }
        let by_stalemate = [Value::StalemateWin, Value::StalemateLoss];
        if self.scoring == Scoring::MateOnly && self.count.iter().any(|q| by_stalemate.contains(&q.of())) {
            let expected = "no such quantity, as stalemate is a draw when the scoring is mate-only";
            return Err(self.wrong("count", "a stalemate quantity".to_string(), expected));
        }
        if self.longest().is_some() {
            self.validate_longest()?;
        }
        let by_mate = [Value::Win, Value::Loss];
        if self.of == Population::DrawsByMateAlone && self.count.iter().any(|q| by_mate.contains(&q.of())) {
            let expected = "no win and no loss, as of = \"draws-by-mate-alone\" leaves none";
            return Err(self.wrong("count", "a win or a loss".to_string(), expected));
        }
        if self.plies.is_some() && self.count.iter().any(|q| q.of() == Value::Draw) {
            let expected = "no such key where draws are counted, which have no distance";
            return Err(self.wrong("plies", "a range".to_string(), expected));
        }
        if let Some(range) = &self.plies
            && range.min > range.max
        {
            let found = format!("min = {} and max = {}", range.min, range.max);
            return Err(self.wrong("plies", found, "a range whose min is not above its max"));
        }
        match self.rule {
            Rule::Rounds if self.printed().is_none() => {
                Err(self.wrong("published", quoted(&self.published), "a percentage such as \"4.3 %\" (rule rounds)"))
            }
            Rule::Equals if self.printed_count().is_none() => {
                Err(self.wrong("published", quoted(&self.published), "a whole number such as \"1,860\" (rule equals)"))
            }
            _ => Ok(()),
        }
    }

    /// A longest distance is one number, and no share of anything.
    fn validate_longest(&self) -> Result<(), ClaimsError> {
        let nothing_else = |key, found: &str| {
            Err(self.wrong(key, found.to_string(), "no such key beside a longest distance, which counts no positions"))
        };
        match self {
            _ if self.count.len() > 1 => {
                let found = format!("{} quantities", self.count.len());
                Err(self.wrong("count", found, "nothing else beside a longest distance"))
            }
            _ if self.plies.is_some() => nothing_else("plies", "a range"),
            _ if self.of != Population::Legal => nothing_else("of", "\"draws-by-mate-alone\""),
            _ if self.rule != Rule::Equals => {
                let found = "another rule".to_string();
                Err(self.wrong("rule", found, "\"equals\", as a longest distance is a whole number of plies"))
            }
            _ => Ok(()),
        }
    }

    fn wrong(&self, key: &'static str, found: String, expected: &str) -> ClaimsError {
        ClaimsError::Meaning { id: self.id.clone(), key, found, expected: expected.to_string() }
    }
}

fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// A parser's error as one line: it knows the place in the text, from which the key is found.
fn syntax(text: &str, error: &toml::de::Error) -> ClaimsError {
    let start = error.span().map_or(0, |span| span.start).min(text.len());
    let before = text.get(..start).unwrap_or("");
    let problem = error.message().split_whitespace().collect::<Vec<_>>().join(" ").replace(", expected", "; expected");
    // The message names the key itself when the key is what is wrong.
    let names_key = problem.contains("field `") || problem.contains("duplicate key");
    let key = before.rfind('=').filter(|_| !names_key).map(|equals| {
        let name = before[..equals].trim_end();
        let is_key = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        name[name.rfind(|c| !is_key(c)).map_or(0, |i| i + 1)..].to_string()
    });
    ClaimsError::Syntax { line: before.matches('\n').count() + 1, key, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[[claim]]\nid = \"x\"\ntext = \"t\"\nsource = \"s\"\nvariant = \"glinski\"\nmaterial = \"KBBK\"\n\
        scoring = \"mate-only\"\ncount = [\"win\"]\npublished = \"0.17 %\"\nrule = \"rounds\"\n";

    fn error(from: &str, to: &str) -> String {
        assert!(GOOD.contains(from));
        parse(&GOOD.replace(from, to)).expect_err(to).to_string()
    }

    #[test]
    fn the_claims_that_come_with_the_program_are_well_formed() {
        let claims = built_in().unwrap();
        let own = claims.iter().filter(|claim| claim.source == "this project").count();
        assert_eq!((claims.len() - own, own), (10, 15));
        assert_eq!(parse(GOOD).unwrap().len(), 1);
        assert!(parse("").unwrap().is_empty());
    }

    #[test]
    fn errors_name_the_key_what_is_wrong_and_what_was_expected() {
        let says = |message: String, parts: &[&str]| {
            assert!(!message.contains('\n'), "{message}");
            parts.iter().for_each(|part| assert!(message.contains(part), "{message}: no {part}"));
        };
        says(error("mate-only", "mate"), &["line 7", "\"scoring\"", "`mate`", "expected `mate-only` or `full`"]);
        says(
            error("[\"win\"]", "[\"win\", \"won\"]"),
            &["line 8", "\"count\"", "`won`", "expected", "`draw:fortress`"],
        );
        says(error("[\"win\"]", "[]"), &["\"x\"", "\"count\"", "empty", "expected"]);
        says(error("rule =", "rules ="), &["line 10", "`rules`", "expected", "`published`"]);
        says(error("id = \"x\"\n", ""), &["`id`", "missing"]);
        says(error("0.17 %", "0,17 %"), &["\"published\"", "0,17 %", "expected a percentage"]);
        says(error("KBBK", "KKBB"), &["\"material\"", "KKBB", "expected \"KBBK\""]);
        says(error("KBBK", "KBBX"), &["\"material\"", "KBBX", "expected"]);
        says(error("glinski", "glinsky"), &["\"variant\"", "glinsky", "a variant that there is"]);
        says(error("[\"win\"]", "[\"stalemate-win\"]"), &["\"count\"", "mate-only"]);
        says(error("rule", "pair = { role = \"N\", colours = \"different\" }\nrule"), &["\"pair\"", "'N'", "two"]);
        says(error("rule", "pair = { role = \"B\", colours = \"other\" }\nrule"), &["\"colours\"", "`different`"]);
        says(error("rule", "plies = { min = -1 }\nrule"), &["line 10", "\"min\"", "u16"]);
        says(error("published = \"0.17 %\"", "published = 0.17"), &["\"published\"", "expected a string"]);
        says(error("[\"win\"]", "[\"longest\"]"), &["line 8", "\"count\"", "`longest`", "`longest:stalemate-loss`"]);
        says(error("rule", "of = \"wins\"\nrule"), &["line 10", "\"of\"", "`legal` or `draws-by-mate-alone`"]);
        says(error("rule", "of = \"draws-by-mate-alone\"\nrule"), &["\"count\"", "a win or a loss", "expected no win"]);
        says(parse(&GOOD.repeat(2)).unwrap_err().to_string(), &["\"id\"", "no other claim"]);
    }
    #[test]
    fn a_longest_distance_stands_alone_as_a_whole_number() {
        const LONGEST: [(&str, &str); 3] =
            [("[\"win\"]", "[\"longest:win\"]"), ("0.17 %", "109"), ("rounds", "equals")];
        let longest = LONGEST.iter().fold(GOOD.to_string(), |text, (from, to)| text.replace(from, to));
        let claim = &parse(&longest).unwrap()[0];
        assert_eq!((claim.longest(), claim.printed_count()), (Some(Value::Win), Some(109)));
        assert!(claim.needs_distances() && !claim.needs_classes());
        for (from, to, parts) in [
            ("[\"longest:win\"]", "[\"longest:win\", \"win\"]", ["\"count\"", "2 quantities", "nothing else"]),
            ("[\"longest:win\"]", "[\"longest:stalemate-loss\"]", ["\"count\"", "a stalemate quantity", "mate-only"]),
            ("rule", "plies = { max = 9 }\nrule", ["\"plies\"", "a range", "no such key"]),
            ("rule", "of = \"draws-by-mate-alone\"\nrule", ["\"of\"", "draws-by-mate-alone", "no such key"]),
            ("rule = \"equals\"", "rule = \"always\"", ["\"rule\"", "another rule", "\"equals\""]),
            ("109", "109 plies", ["\"published\"", "109 plies", "a whole number"]),
        ] {
            assert!(longest.contains(from));
            let message = parse(&longest.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(!message.contains('\n'), "{message}");
            parts.iter().for_each(|part| assert!(message.contains(part), "{message}: no {part}"));
        }
    }
}

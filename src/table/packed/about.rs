//! What a packed file says of itself.

use super::super::error::TableError;
use super::super::format::fingerprint;
use super::frame::Frame;
use super::rows::MOST_UNIT_ROWS;
use crate::geometry::{Color, Man, Variant};
use crate::index::{Arrangement, Material};
use crate::statistics::Statistics;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The fields of a file's JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Name of the variant.
    pub variant: String,
    /// [`fingerprint`] of the variant's rules, in hexadecimal.
    pub rules: String,
    pub material: String,
    /// The men in the order of the [`Arrangement`], as FEN letters.
    pub men: String,
    /// Rows of a unit.
    pub unit_rows: usize,
    /// The sides to move, by their letters, of which a position may be stored as less than it is worth if a capture or
    /// promotion leads to what it is worth.
    pub conversions: String,
    /// For each stored side to move, how many entries there are: legal positions, for distances decisive ones.
    pub entries: Vec<u64>,
    /// Of distances: [`Count::checksum`](crate::index::Count::checksum) of each stored side to move, in hexadecimal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checksums: Vec<String>,
    /// Of distances: the statistics of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
}

impl About {
    /// What is known of a material's file at once.
    pub fn of(variant: &Variant, material: &Material) -> About {
        About {
            variant: variant.name().to_string(),
            rules: fingerprint(variant),
            material: material.name(variant),
            men: String::new(),
            unit_rows: 1,
            conversions: String::new(),
            entries: vec![],
            checksums: vec![],
            statistics: None,
        }
    }

    /// The same without what only files of distances say.
    pub fn of_values(self) -> About {
        About { checksums: vec![], statistics: None, ..self }
    }

    /// Whether the outcomes of this side to move have to be compared with what captures and promotions lead to.
    pub fn needs_conversions(&self, turn: Color) -> bool {
        self.conversions.contains(turn.letter())
    }

    /// The error of a file of distances of the same table that does not go with the file of values that says this.
    pub fn parted_from(&self, distances: &Frame) -> TableError {
        let distances = distances.path().to_path_buf();
        TableError::Parted {
            material: self.material.clone(),
            values: distances.with_extension(super::VALUES_EXTENSION),
            distances,
        }
    }

    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("what a file says of itself is plain data")
    }

    fn parse(frame: &Frame) -> Result<About, TableError> {
        let wrong = |error| frame.damaged("its description", "the fields of its format version", error);
        serde_json::from_slice(&frame.about).map_err(wrong)
    }

    /// What a file of distances says of itself, which must go with what its file of values says.
    ///
    /// # Errors
    /// [`TableError::Unsupported`] if it is of another table, [`TableError::Parted`] if it is of the same one in another
    /// arrangement, [`TableError::Damaged`] if the fields are not those expected.
    pub fn read_like(frame: &Frame, values: &About) -> Result<About, TableError> {
        let about = About::parse(frame)?;
        let what = |about: &About| {
            [&about.variant, &about.rules, &about.material, &about.men, &about.conversions].map(String::clone)
        };
        if what(&about) != what(values) {
            let [found, expected] = [&about, values].map(|about| format!("{} of {}", about.material, about.variant));
            if found == expected && about.rules == values.rules {
                return Err(values.parted_from(frame));
            }
            let reason = format!("it holds distances of {found}, not of {expected}, under the same rules");
            return Err(TableError::Unsupported { file: frame.path().to_path_buf(), reason });
        }
        match about.unit_rows == 1 && about.entries.len() == values.entries.len() {
            true => Ok(about),
            false => Err(frame.damaged("its description", "fields that fit together", "others")),
        }
    }

    /// What a file says of itself, which must be of the given game and material, and its arrangement.
    ///
    /// # Errors
    /// [`TableError::Unsupported`] if it is of another, [`TableError::Damaged`] if the fields are not those expected.
    pub fn read(
        frame: &Frame,
        variant: &Arc<Variant>,
        material: &Material,
    ) -> Result<(About, Arc<Arrangement>), TableError> {
        let about = About::parse(frame)?;
        let expected = About::of(variant, material);
        let unsupported = |reason: String| Err(TableError::Unsupported { file: frame.path().to_path_buf(), reason });
        if (&about.variant, &about.rules) != (&expected.variant, &expected.rules) {
            return unsupported(format!(
                "it was made under other rules (of \"{}\") than those of \"{}\"",
                about.variant, expected.variant
            ));
        }
        if about.material != expected.material {
            return unsupported(format!("it holds {}, not {}", about.material, expected.material));
        }
        let man = |letter: char| -> Option<Man> {
            let color = if letter.is_uppercase() { Color::White } else { Color::Black };
            Some(Man { color, role: variant.role_with_letter(letter.to_ascii_uppercase())? })
        };
        let men: Option<Vec<Man>> = about.men.chars().map(man).collect();
        let arrangement = men.and_then(|men| Arrangement::new(variant, material, &men));
        let sound = (1..=MOST_UNIT_ROWS).contains(&about.unit_rows)
            && ["", "w", "b", "wb"].contains(&about.conversions.as_str());
        match arrangement.filter(|arrangement| sound && about.entries.len() == arrangement.sides()) {
            Some(arrangement) => Ok((about, Arc::new(arrangement))),
            None => Err(frame.damaged("its description", "fields that fit together", "others")),
        }
    }
}

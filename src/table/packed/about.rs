//! What a packed file says of itself.

use super::super::error::TableError;
use super::super::format::fingerprint;
use super::frame::Frame;
use super::rows::sides;
use crate::index::Layout;
use crate::statistics::Statistics;
use serde::{Deserialize, Serialize};

/// The fields of a file's JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Name of the variant.
    pub variant: String,
    /// [`fingerprint`] of the variant's rules, in hexadecimal.
    pub rules: String,
    pub material: String,
    /// Rows of a unit.
    pub unit_rows: usize,
    /// For each stored side to move, how many entries there are: legal positions, for distances decisive ones.
    pub legal: Vec<u64>,
    /// Of distances: [`Count::checksum`](crate::index::Count::checksum) of each stored side to move, in hexadecimal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checksums: Vec<String>,
    /// Of distances: the statistics of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
}

impl About {
    /// What is known of a layout's file before its body.
    pub fn of(layout: &Layout) -> About {
        let variant = layout.variant();
        About {
            variant: variant.name().to_string(),
            rules: fingerprint(variant),
            material: layout.material().name(variant),
            unit_rows: 1,
            legal: vec![],
            checksums: vec![],
            statistics: None,
        }
    }

    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("what a file says of itself is plain data")
    }

    /// What a file says of itself, which must be of the layout's game and material.
    ///
    /// # Errors
    /// [`TableError::Unsupported`] if it is of another, [`TableError::Damaged`] if the fields are not those expected.
    pub fn read(frame: &Frame, layout: &Layout) -> Result<About, TableError> {
        let about: About = serde_json::from_slice(&frame.about)
            .map_err(|error| frame.damaged("its description", "the fields of format version 4", error))?;
        let expected = About::of(layout);
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
        if about.unit_rows == 0 || about.legal.len() != sides(layout) {
            return Err(frame.damaged("its description", "fields that fit together", "others"));
        }
        Ok(about)
    }
}

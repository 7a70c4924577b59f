//! The bytes of a table file, version 3.
//!
//! All numbers are little-endian. Checksums are XXH3, 64 bits.
//!
//! ```text
//! offset      bytes   what
//! 0           8       magic: 89 'H' 'E' 'X' 'T' 'B' 0d 0a
//! 8           4       format version
//! 12          4       h, the length of the header
//! 16          4       b, the number of blocks
//! 20          4       0
//! 24          8       f, the length of the file
//! 32                  the blocks, one after the other, each a zstd frame
//! f-8-12*b-h  h       header: JSON, see [`Header`]
//! f-8-12*b    12*b    for each block: 4 bytes compressed length, 8 bytes checksum of the compressed bytes
//! f-8         8       checksum of the first 32 bytes, the header and the list of blocks
//! ```
//!
//! The positions of a material are numbered by its [`Layout`](crate::index::Layout), slice after slice. For each
//! side to move (White alone where both sides have the same men) there are two streams over these numbers: the
//! *values*, a byte each (0 loss, 1 stalemate-loss, 2 draw, 3 stalemate-win, 4 win), and the *distances*, in moves
//! with the parity implied (plies = 2m for losses, 2m + 1 for wins). Numbers that are no legal position, or whose like
//! men are out of order, repeat the entry before them; so do the distances of draws. Each stream is cut into blocks
//! of `block_positions` entries, the last one shorter; at the beginning of a block the entry before is a draw and a
//! distance of 0. A block of distances has one byte an entry if all fit, else two. The blocks of the same numbers
//! come together: White's values, White's distances, Black's values, Black's distances.

use super::error::TableError;
use crate::geometry::{Color, Variant};
use crate::statistics::Statistics;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The version of the format that this program writes and reads.
pub const FORMAT_VERSION: u32 = 3;
pub(super) const MAGIC: [u8; 8] = *b"\x89HEXTB\r\n";
pub(super) const FIXED_BYTES: usize = 32;
pub(super) const BLOCK_ENTRY_BYTES: usize = 12;
pub(super) const CHECKSUM_BYTES: usize = 8;

/// What a table file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Name of the variant.
    pub variant: String,
    /// [`fingerprint`] of the variant's rules, in hexadecimal.
    pub rules: String,
    pub material: String,
    /// Number of men, kings and pawns included.
    pub men: usize,
    /// Numbers of positions for one side to move.
    pub positions: u64,
    /// Sides to move that are stored: 2, or 1 where both have the same men.
    pub sides: usize,
    /// Entries of a block.
    pub block_positions: u32,
    /// Level at which zstd compressed the blocks.
    pub zstd_level: i32,
    /// [`Count::checksum`](crate::index::Count::checksum) of each stored side to move, in hexadecimal.
    pub checksums: Vec<String>,
    pub statistics: Statistics,
}

/// One of the streams of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    Values,
    Distances,
}

impl Header {
    /// The number of blocks of one stream.
    pub fn blocks_per_stream(&self) -> usize {
        self.positions.div_ceil(self.block_positions as u64) as usize
    }

    /// The number of blocks of the file.
    pub fn block_count(&self) -> usize {
        self.sides * 2 * self.blocks_per_stream()
    }

    /// The number of the block that holds a position's entry.
    #[inline]
    pub fn block_of(&self, turn: Color, stream: Stream, position: u64) -> usize {
        let run = (position / self.block_positions as u64) as usize;
        (run * self.sides + turn.index()) * 2 + stream as usize
    }

    /// What a block holds: side to move, stream and the range of positions.
    pub fn block_contents(&self, block: usize) -> (Color, Stream, Range<u64>) {
        let (run, turn) = (block / 2 / self.sides, block / 2 % self.sides);
        let first = run as u64 * self.block_positions as u64;
        let end = (first + self.block_positions as u64).min(self.positions);
        (Color::BOTH[turn], [Stream::Values, Stream::Distances][block % 2], first..end)
    }

    /// The number of entries of a block.
    #[inline]
    pub fn block_entries(&self, block: usize) -> usize {
        let (_, _, range) = self.block_contents(block);
        (range.end - range.start) as usize
    }
}

/// A number that two descriptions share only if they describe the same rules.
pub fn fingerprint(variant: &Variant) -> String {
    let make = || {
        let mut rules = variant.description().clone();
        rules.title = String::new();
        rules.start = None;
        let text = serde_json::to_string(&rules).expect("a description is plain data");
        format!("{:016x}", xxh3_64(text.as_bytes()))
    };
    variant.fingerprint(make).to_string()
}

/// What a file has besides its blocks.
pub(super) struct Directory {
    pub header: Header,
    /// For each block, its compressed length and checksum.
    pub blocks: Vec<(u32, u64)>,
}

impl Directory {
    /// The bytes before the blocks and those after them.
    pub fn to_bytes(&self) -> (Vec<u8>, Vec<u8>) {
        let header = serde_json::to_vec(&self.header).expect("a header is plain data");
        let body: u64 = self.blocks.iter().map(|(length, _)| *length as u64).sum();
        let after = header.len() + self.blocks.len() * BLOCK_ENTRY_BYTES + CHECKSUM_BYTES;
        let mut first = vec![];
        first.extend(MAGIC);
        first.extend(FORMAT_VERSION.to_le_bytes());
        first.extend((header.len() as u32).to_le_bytes());
        first.extend((self.blocks.len() as u32).to_le_bytes());
        first.extend(0u32.to_le_bytes());
        first.extend((FIXED_BYTES as u64 + body + after as u64).to_le_bytes());
        let mut last = header;
        for (length, checksum) in &self.blocks {
            last.extend(length.to_le_bytes());
            last.extend(checksum.to_le_bytes());
        }
        last.extend(checksum_of(&first, &last).to_le_bytes());
        (first, last)
    }

    /// Reads what `file`, whose bytes are `bytes`, has besides its blocks.
    ///
    /// # Errors
    /// [`TableError::Unsupported`] for files of another kind or version, [`TableError::Damaged`] for the rest.
    pub fn from_bytes(file: &Path, bytes: &[u8]) -> Result<Directory, TableError> {
        let damaged =
            |part: &str, expected: String, found: String| Err(TableError::damaged(file, part, expected, found));
        let unsupported = |reason: String| Err(TableError::Unsupported { file: file.to_path_buf(), reason });
        if !begins_like_a_table(bytes) {
            return unsupported("it is no hextb table (its first 8 bytes are others)".into());
        }
        if bytes.len() < FIXED_BYTES {
            return damaged("its first bytes", format!("{FIXED_BYTES} or more bytes"), bytes.len().to_string());
        }
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let version = u32_at(8);
        if version != FORMAT_VERSION {
            return unsupported(format!("its format is version {version}, this program reads {FORMAT_VERSION}"));
        }
        let (header_bytes, block_count) = (u32_at(12) as usize, u32_at(16) as usize);
        if u64_at(24) != bytes.len() as u64 {
            return damaged("its length", format!("{} bytes", u64_at(24)), bytes.len().to_string());
        }
        let length = header_bytes + block_count * BLOCK_ENTRY_BYTES + CHECKSUM_BYTES;
        if FIXED_BYTES + length > bytes.len() {
            return damaged("its header", format!("{length} bytes of header and block list"), bytes.len().to_string());
        }
        let begin = bytes.len() - length;
        let checked = &bytes[begin..bytes.len() - CHECKSUM_BYTES];
        let (expected, found) = (u64_at(bytes.len() - CHECKSUM_BYTES), checksum_of(&bytes[..FIXED_BYTES], checked));
        if expected != found {
            return damaged("its header", format!("checksum {expected:016x}"), format!("{found:016x}"));
        }
        let header: Header = match serde_json::from_slice(&checked[..header_bytes]) {
            Ok(header) => header,
            Err(error) => {
                let fields = format!("the fields of format version {FORMAT_VERSION}");
                return damaged("its header", fields, error.to_string());
            }
        };
        let list = begin + header_bytes;
        let entry = |block: usize| {
            let at = list + block * BLOCK_ENTRY_BYTES;
            (u32_at(at), u64_at(at + 4))
        };
        let directory = Directory { header, blocks: (0..block_count).map(entry).collect() };
        let sound = |h: &Header| (1..=2).contains(&h.sides) && h.block_positions > 0;
        if !sound(&directory.header) || directory.header.block_count() != block_count {
            return damaged("its header", "fields that fit together".into(), format!("{block_count} blocks"));
        }
        let body: u64 = directory.blocks.iter().map(|(length, _)| *length as u64).sum();
        let room = (begin - FIXED_BYTES) as u64;
        if body != room {
            return damaged("its block list", format!("{room} bytes of blocks"), body.to_string());
        }
        Ok(directory)
    }
}

/// Whether bytes may be those of a table that has been cut short: a file of others, however short, is none of ours.
pub(super) fn begins_like_a_table(bytes: &[u8]) -> bool {
    MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())])
}

/// The checksum over the first bytes of a file and those after its blocks.
fn checksum_of(first: &[u8], last: &[u8]) -> u64 {
    xxh3_64(&[first, last].concat())
}

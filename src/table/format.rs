//! The bytes of a table file, version 1.
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
//! 24          8       length of the file
//! 32          h       header: JSON, see [`Header`]
//! 32+h        12*b    for each block: 4 bytes compressed length, 8 bytes checksum of the compressed bytes
//! 32+h+12*b   8       checksum of everything before it
//! then                the blocks, one after the other, each a zstd frame
//! ```
//!
//! The positions of a material are numbered by its [`Layout`](crate::index::Layout), slice after slice. For each
//! side to move (White alone where both sides have the same men) there are two streams over these numbers: the
//! *values*, a byte each (0 loss, 1 stalemate-loss, 2 draw, 3 stalemate-win, 4 win), and the *distances*, in moves
//! with the parity implied (plies = 2m for losses, 2m + 1 for wins), one byte or two by `distance_bytes`. Numbers
//! that are no legal position, or whose like men are out of order, repeat the entry before them; so do the
//! distances of draws. Streams come in the order: White's values, White's distances, Black's values, Black's
//! distances. Each is cut into blocks of `block_positions` entries, the last one shorter.

use super::error::TableError;
use crate::geometry::{Color, Variant};
use crate::statistics::Statistics;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The version of the format that this program writes and reads.
pub const FORMAT_VERSION: u32 = 1;
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
    /// Bytes of a distance: 1 or 2.
    pub distance_bytes: usize,
    /// Level at which zstd compressed the blocks.
    pub zstd_level: i32,
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
        let streams_before = 2 * turn.index() + stream as usize;
        streams_before * self.blocks_per_stream() + (position / self.block_positions as u64) as usize
    }

    /// What a block holds: side to move, stream and the range of positions.
    pub fn block_contents(&self, block: usize) -> (Color, Stream, Range<u64>) {
        let (stream, within) = (block / self.blocks_per_stream(), block % self.blocks_per_stream());
        let first = within as u64 * self.block_positions as u64;
        let end = (first + self.block_positions as u64).min(self.positions);
        (Color::BOTH[stream / 2], [Stream::Values, Stream::Distances][stream % 2], first..end)
    }

    /// The length of a block once decompressed.
    pub fn block_bytes(&self, block: usize) -> usize {
        let (_, stream, range) = self.block_contents(block);
        let entries = (range.end - range.start) as usize;
        if stream == Stream::Values { entries } else { entries * self.distance_bytes }
    }
}

/// A number that two descriptions share only if they describe the same rules.
pub fn fingerprint(variant: &Variant) -> String {
    let mut rules = variant.description().clone();
    rules.title = String::new();
    rules.start = None;
    let text = serde_json::to_string(&rules).expect("a description is plain data");
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// What stands before the blocks of a file.
pub(super) struct Preamble {
    pub header: Header,
    /// For each block, its compressed length and checksum.
    pub blocks: Vec<(u32, u64)>,
}

impl Preamble {
    /// The bytes before the blocks, checksum included.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = serde_json::to_vec(&self.header).expect("a header is plain data");
        let body: u64 = self.blocks.iter().map(|(length, _)| *length as u64).sum();
        let length = preamble_bytes(header.len(), self.blocks.len()) as u64;
        let mut bytes = vec![];
        bytes.extend(MAGIC);
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend((self.blocks.len() as u32).to_le_bytes());
        bytes.extend(0u32.to_le_bytes());
        bytes.extend((length + body).to_le_bytes());
        bytes.extend(header);
        for (length, checksum) in &self.blocks {
            bytes.extend(length.to_le_bytes());
            bytes.extend(checksum.to_le_bytes());
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what stands before the blocks of `file`, whose bytes are `bytes`.
    ///
    /// # Errors
    /// [`TableError::Unsupported`] for files of another kind or version, [`TableError::Damaged`] for the rest.
    pub fn from_bytes(file: &Path, bytes: &[u8]) -> Result<Preamble, TableError> {
        let damaged =
            |part: &str, expected: String, found: String| Err(TableError::damaged(file, part, expected, found));
        let unsupported = |reason: String| Err(TableError::Unsupported { file: file.to_path_buf(), reason });
        if bytes.len() < FIXED_BYTES {
            return damaged("its first bytes", format!("{FIXED_BYTES} or more bytes"), bytes.len().to_string());
        }
        if bytes[..8] != MAGIC {
            return unsupported("it is no hextb table (its first 8 bytes are others)".into());
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
        let length = preamble_bytes(header_bytes, block_count);
        if length > bytes.len() {
            return damaged("its header", format!("{length} bytes of header and block list"), bytes.len().to_string());
        }
        let checked = &bytes[..length - CHECKSUM_BYTES];
        let (expected, found) = (u64_at(length - CHECKSUM_BYTES), xxh3_64(checked));
        if expected != found {
            return damaged("its header", format!("checksum {expected:016x}"), format!("{found:016x}"));
        }
        let header = &bytes[FIXED_BYTES..FIXED_BYTES + header_bytes];
        let header: Header = match serde_json::from_slice(header) {
            Ok(header) => header,
            Err(error) => return damaged("its header", "the fields of format version 1".into(), error.to_string()),
        };
        let list = FIXED_BYTES + header_bytes;
        let entry = |block: usize| {
            let at = list + block * BLOCK_ENTRY_BYTES;
            (u32_at(at), u64_at(at + 4))
        };
        let preamble = Preamble { header, blocks: (0..block_count).map(entry).collect() };
        let sound =
            |h: &Header| (1..=2).contains(&h.sides) && (1..=2).contains(&h.distance_bytes) && h.block_positions > 0;
        if !sound(&preamble.header) || preamble.header.block_count() != block_count {
            return damaged("its header", "fields that fit together".into(), format!("{block_count} blocks"));
        }
        let body: u64 = preamble.blocks.iter().map(|(length, _)| *length as u64).sum();
        if length as u64 + body != bytes.len() as u64 {
            return damaged("its block list", format!("{} bytes of blocks", bytes.len() - length), body.to_string());
        }
        Ok(preamble)
    }
}

/// The length of all that stands before the blocks.
pub(super) fn preamble_bytes(header_bytes: usize, block_count: usize) -> usize {
    FIXED_BYTES + header_bytes + block_count * BLOCK_ENTRY_BYTES + CHECKSUM_BYTES
}

//! The body of a packed file as a list of units, each some bytes or none, any of which is found at once.
//!
//! Units come in *chapters* of 64. The directory has a number of 5 bytes for each chapter, where in the body it begins,
//! and one more, where the last one ends; what comes after them is told elsewhere. A chapter without bytes has empty
//! units alone. Any other begins with a byte b, then the lengths of 64 units (of those that are missing in the last
//! chapter, 0), b bits each, the first in the lowest bits; then come the units.

use super::super::error::TableError;
use super::frame::{Finished, Frame, FrameWriter};

/// Units of a chapter.
pub const CHAPTER_UNITS: usize = 64;
/// The most bits of a length.
const MOST_BITS: usize = 24;
/// Bytes of an entry of the directory.
const ENTRY_BYTES: usize = 5;

/// A chapter of these units, at most [`CHAPTER_UNITS`], as it is written.
pub fn chapter(units: &[Vec<u8>]) -> Vec<u8> {
    let longest = units.iter().map(Vec::len).max().unwrap_or(0);
    if longest == 0 {
        return vec![];
    }
    let bits = (usize::BITS - longest.leading_zeros()) as usize;
    assert!(bits <= MOST_BITS, "a unit of {longest} bytes is none");
    let mut bytes = vec![0; 1 + CHAPTER_UNITS / 8 * bits];
    bytes[0] = bits as u8;
    for (at, unit) in units.iter().enumerate() {
        for bit in (0..bits).filter(|bit| unit.len() >> bit & 1 != 0) {
            let place = at * bits + bit;
            bytes[1 + place / 8] |= 1 << (place % 8);
        }
    }
    units.iter().for_each(|unit| bytes.extend_from_slice(unit));
    bytes
}

/// Writes chapters, and at last the directory.
#[derive(Default)]
pub struct ChapterWriter {
    ends: Vec<u64>,
    length: u64,
}

impl ChapterWriter {
    /// Adds a chapter as [`chapter`] has made it.
    ///
    /// # Errors
    /// Those of [`FrameWriter::write`].
    pub fn add(&mut self, chapter: &[u8], frame: &mut FrameWriter) -> Result<(), TableError> {
        self.length += chapter.len() as u64;
        self.ends.push(self.length);
        frame.write(chapter)
    }

    /// Writes the directory and `more` after it, and finishes the file.
    ///
    /// # Errors
    /// Those of [`FrameWriter::finish`].
    pub fn finish(self, mut frame: FrameWriter, more: &[u8]) -> Result<Finished, TableError> {
        let begin = frame.length();
        let entries = [0].into_iter().chain(self.ends).flat_map(|at| at.to_le_bytes().into_iter().take(ENTRY_BYTES));
        frame.write(&entries.collect::<Vec<u8>>())?;
        frame.write(more)?;
        frame.finish(begin)
    }
}

/// Tests that a file's directory is of so many units, and returns the `more` bytes after it.
///
/// # Errors
/// [`TableError::Damaged`] if it is of more or fewer.
pub fn test_count(frame: &Frame, units: usize, more: usize) -> Result<&[u8], TableError> {
    let entries = (units.div_ceil(CHAPTER_UNITS) + 1) * ENTRY_BYTES;
    let expected = entries + more;
    match frame.directory_len() == expected {
        true => frame.directory(entries..expected),
        false => Err(frame.damaged("its directory", format!("{expected} bytes"), frame.directory_len())),
    }
}

/// The bytes of one of a file's units.
///
/// # Errors
/// [`TableError::Damaged`] if they are not what was written.
#[inline]
pub fn unit(frame: &Frame, unit: usize) -> Result<&[u8], TableError> {
    let (number, at) = (unit / CHAPTER_UNITS, unit % CHAPTER_UNITS);
    let entries = frame.directory(number * ENTRY_BYTES..(number + 2) * ENTRY_BYTES)?;
    let place = |at: usize| entries[at..at + ENTRY_BYTES].iter().rev().fold(0, |sum, &byte| sum << 8 | byte as usize);
    let (begin, end) = (place(0), place(ENTRY_BYTES));
    if begin == end {
        return Ok(&[]);
    }
    let chapter = frame.body(begin..end)?;
    let bits = chapter[0] as usize;
    let wrong = || frame.damaged(format!("chapter {number}"), "lengths of units that fit", format!("{bits} bits"));
    let lengths = chapter.get(1..1 + CHAPTER_UNITS / 8 * bits).filter(|_| bits <= MOST_BITS).ok_or_else(wrong)?;
    // The lengths up to this one pass through a window of bits.
    let (mut before, mut length) = (0, 0);
    let (mut window, mut held, mut next) = (0u64, 0, 0);
    for _ in 0..=at {
        while held < bits {
            window |= u64::from(lengths[next]) << held;
            (held, next) = (held + 8, next + 1);
        }
        before += length;
        length = window as usize & ((1 << bits) - 1);
        (window, held) = (window >> bits, held - bits);
    }
    let begin = 1 + lengths.len() + before;
    chapter.get(begin..begin + length).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::super::frame::Kind;
    use super::*;

    #[test]
    fn each_unit_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("units");
        // Chapters with and without bytes, units of no and of many bytes, a last chapter that is not full.
        let units: Vec<Vec<u8>> = (0..1000u32)
            .map(|unit| match unit % 7 {
                _ if (128..320).contains(&unit) => vec![],
                3 => vec![unit as u8; (unit * 37 % 900) as usize],
                _ => vec![unit as u8; (unit % 3) as usize],
            })
            .collect();
        let mut frame = FrameWriter::begin(&path, Kind::Values, b"about", b"models").unwrap();
        let mut chapters = ChapterWriter::default();
        for some in units.chunks(CHAPTER_UNITS) {
            chapters.add(&chapter(some), &mut frame).unwrap();
        }
        let finished = chapters.finish(frame, b"more").unwrap();
        assert!(!path.exists());
        let length = finished.length;
        Finished::put_in_place([finished]).unwrap();
        let frame = Frame::open(&path, Kind::Values).unwrap();
        assert_eq!((frame.bytes(), path.metadata().unwrap().len()), (length, length));
        assert_eq!((&frame.about[..], &frame.models[..]), (&b"about"[..], &b"models"[..]));
        assert_eq!(test_count(&frame, units.len(), 4).unwrap(), b"more");
        assert!(test_count(&frame, units.len() + CHAPTER_UNITS, 4).is_err());
        for (number, expected) in units.iter().enumerate() {
            assert_eq!(unit(&frame, number).unwrap(), expected, "unit {number}");
        }
        assert!(unit(&frame, 5000).is_err());
        frame.test_all().unwrap();
        assert!(Frame::open(&path, Kind::Distances).is_err());
    }
}

//! The frame of a packed file: what comes before and after its body, and checksums of all of it, page by page.
//!
//! ```text
//! offset      bytes   what
//! 0           8       magic: 89 'H' 'E' 'X' 'T' 'B' 0d 0a
//! 8           4       format version, 5
//! 12          1       what it holds: 'v' values, 'd' distances
//! 13          3       0
//! 16          8       f, the length of the file
//! 24          8       d, where the directory begins
//! 32          4       a, the length of what the file says of itself
//! 36          4       m, the length of the models
//! 40          a       what it says of itself: JSON, a zstd frame
//! 40+a        m       the models: a zstd frame
//! 40+a+m              the body, up to d
//! d                   the directory
//! f-8-4*p     4*p     for each page of 4096 bytes of all that comes before (the last may be shorter): the low half of
//!                     its XXH3 checksum of 64 bits
//! f-8         8       the XXH3 checksum of the list of checksums
//! ```
//!
//! All numbers are little-endian. Pages are tested when they are first read, so that opening takes no time and damage
//! is told from where it matters. Knows nothing of what bodies, models and directories mean.

use super::super::error::TableError;
use super::super::format::{MAGIC, begins_like_a_table};
use super::super::unfinished::{Unfinished, sync_folder_of};
use memmap2::{Advice, Mmap};
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// The version of the format.
pub const PACKED_VERSION: u32 = 5;
const PAGE_BYTES: usize = 4096;
const FIXED_BYTES: usize = 40;
const CHECKSUM_BYTES: usize = 8;
/// The most bytes that what a file says of itself or its models may unpack to.
const MOST_UNPACKED: usize = 1 << 20;
/// Such parts are small, so that time does not matter.
const LEVEL: i32 = 19;

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Values,
    Distances,
}

impl Kind {
    fn byte(self) -> u8 {
        match self {
            Kind::Values => b'v',
            Kind::Distances => b'd',
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Kind::Values => "values",
            Kind::Distances => "distances",
        }
    }
}

fn checksum(page: &[u8]) -> u32 {
    xxh3_64(page) as u32
}

/// A packed file being written.
pub struct FrameWriter {
    unfinished: Unfinished,
    path: PathBuf,
    /// The first page, which is written last: it tells the length.
    first: Vec<u8>,
    /// The page being filled.
    page: Vec<u8>,
    checksums: Vec<u32>,
    length: u64,
    /// About the most bytes that the file may come to, for those who have too little room.
    most: u64,
}

impl FrameWriter {
    /// Begins a file, which gets its place once it is finished.
    ///
    /// # Errors
    /// [`TableError::Busy`] if another process is writing it, and what the system refuses.
    pub fn begin(path: &Path, kind: Kind, about: &[u8], models: &[u8]) -> Result<FrameWriter, TableError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("table");
        let mut writer = FrameWriter {
            unfinished: Unfinished::begin(folder, name)?,
            path: path.to_path_buf(),
            first: vec![],
            page: vec![],
            checksums: vec![],
            length: 0,
            most: 0,
        };
        let compress = |bytes: &[u8]| zstd::bulk::compress(bytes, LEVEL).map_err(|e| TableError::io("write", path, e));
        let (about, models) = (compress(about)?, compress(models)?);
        let mut head = vec![];
        head.extend(MAGIC);
        head.extend(PACKED_VERSION.to_le_bytes());
        head.extend([kind.byte(), 0, 0, 0]);
        head.extend([0; 16]);
        head.extend((about.len() as u32).to_le_bytes());
        head.extend((models.len() as u32).to_le_bytes());
        head.extend(about);
        head.extend(models);
        writer.write(&head)?;
        Ok(writer)
    }

    /// Says what room the file may take, roughly, for when there is too little.
    pub fn may_take(&mut self, most: u64) {
        self.most = most;
    }

    /// How long the file is up to here.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Adds bytes to the body or the directory.
    ///
    /// # Errors
    /// When the disk is full or the system refuses.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), TableError> {
        self.length += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PAGE_BYTES - self.page.len()));
            self.page.extend_from_slice(now);
            bytes = later;
            if self.page.len() == PAGE_BYTES {
                self.end_page()?;
            }
        }
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), TableError> {
        let page = std::mem::take(&mut self.page);
        self.checksums.push(checksum(&page));
        self.put(&page)?;
        self.page = page;
        if self.first.is_empty() {
            self.first = std::mem::take(&mut self.page);
        }
        self.page.clear();
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        let written = self.unfinished.file().write_all(bytes);
        written.map_err(|e| TableError::writing(&self.path, self.length.max(self.most), e))
    }

    /// Writes what is left of the file, whose directory has begun at `directory`, and makes sure that it is on the disk.
    ///
    /// # Errors
    /// As of [`FrameWriter::write`]; no file is left behind then, and an older one stays.
    pub fn finish(mut self, directory: u64) -> Result<Finished, TableError> {
        if !self.page.is_empty() {
            self.end_page()?;
        }
        let length = self.length + 4 * self.checksums.len() as u64 + CHECKSUM_BYTES as u64;
        self.first[16..24].copy_from_slice(&length.to_le_bytes());
        self.first[24..32].copy_from_slice(&directory.to_le_bytes());
        self.checksums[0] = checksum(&self.first);
        let mut last: Vec<u8> = self.checksums.iter().flat_map(|checksum| checksum.to_le_bytes()).collect();
        let whole = xxh3_64(&last);
        last.extend(whole.to_le_bytes());
        self.put(&last)?;
        let first = std::mem::take(&mut self.first);
        let sought = self.unfinished.file().seek(SeekFrom::Start(0));
        sought.map_err(|e| TableError::writing(&self.path, length, e))?;
        self.put(&first)?;
        let FrameWriter { mut unfinished, path, .. } = self;
        unfinished.sync().map_err(|e| TableError::writing(&path, length, e))?;
        Ok(Finished { unfinished, path, length, whole })
    }
}

/// A packed file that is whole and on the disk, but not in its place yet: two that belong together are put there when
/// both have come so far.
pub struct Finished {
    unfinished: Unfinished,
    path: PathBuf,
    /// The length of the file.
    pub length: u64,
    /// Its last checksum.
    pub whole: u64,
}

impl Finished {
    /// Puts files of one folder in their places, with as little time between them as can be.
    ///
    /// # Errors
    /// What the system refuses; older files stay then.
    pub fn put_in_place<const N: usize>(files: [Finished; N]) -> Result<(), TableError> {
        let folder = files.first().map(|file| file.path.clone());
        for Finished { unfinished, path, length, .. } in files {
            unfinished.rename(&path).map_err(|e| TableError::writing(&path, length, e))?;
        }
        folder.iter().for_each(|path| sync_folder_of(path));
        Ok(())
    }
}

/// An open packed file.
pub struct Frame {
    path: PathBuf,
    map: Mmap,
    /// Where the body and the directory are.
    body: Range<usize>,
    directory: Range<usize>,
    /// For each page, whether it has been tested.
    tested: Vec<AtomicU64>,
    /// The files's JSON and models, unpacked.
    pub about: Vec<u8>,
    pub models: Vec<u8>,
}

impl Frame {
    /// Opens a file, and tests what comes before its body.
    ///
    /// # Errors
    /// When it cannot be read, is no file of this kind and version, or is damaged there.
    pub fn open(path: &Path, kind: Kind) -> Result<Frame, TableError> {
        let map = super::super::reader::map_file(path)?;
        // Answers come from all over the file, so reading ahead would be wasted; not all systems take the advice.
        let _ = map.advise(Advice::Random);
        let damaged =
            |part: &str, expected: String, found: String| Err(TableError::damaged(path, part, expected, found));
        let unsupported = |reason: String| Err(TableError::Unsupported { file: path.to_path_buf(), reason });
        if !begins_like_a_table(&map) {
            return unsupported("it is no hextb table (its first 8 bytes are others)".into());
        }
        if map.len() < FIXED_BYTES + CHECKSUM_BYTES {
            let least = format!("{} or more bytes", FIXED_BYTES + CHECKSUM_BYTES);
            return damaged("its first bytes", least, map.len().to_string());
        }
        let number = |at: usize, bytes: usize| -> u64 {
            let bytes = &map[at..at + bytes];
            bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        let version = number(8, 4);
        if version != u64::from(PACKED_VERSION) {
            return unsupported(format!("its format is version {version}, this program reads {PACKED_VERSION} there"));
        }
        if map[12] != kind.byte() {
            return unsupported(format!("it does not hold {}", kind.word()));
        }
        if number(16, 8) != map.len() as u64 {
            return damaged("its length", format!("{} bytes", number(16, 8)), map.len().to_string());
        }
        // All that is not checksums: of each page that has begun there are 4 bytes at the end.
        let pages = (map.len() - CHECKSUM_BYTES).div_ceil(PAGE_BYTES + 4);
        let end = map.len() - CHECKSUM_BYTES - 4 * pages;
        let list = &map[end..map.len() - CHECKSUM_BYTES];
        let [expected, found] = [number(map.len() - CHECKSUM_BYTES, 8), xxh3_64(list)].map(|sum| format!("{sum:016x}"));
        if expected != found {
            return damaged("its list of checksums", format!("checksum {expected}"), found);
        }
        let tested = (0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let mut frame = Frame {
            path: path.to_path_buf(),
            body: 0..0,
            directory: 0..end,
            tested,
            about: vec![],
            models: vec![],
            map,
        };
        frame.tested(0..FIXED_BYTES)?;
        let [about, models] = [32, 36].map(|at| {
            let number = &frame.map[at..at + 4];
            u32::from_le_bytes([number[0], number[1], number[2], number[3]]) as usize
        });
        let mut directory = [0; 8];
        directory.copy_from_slice(&frame.map[24..32]);
        let directory = usize::try_from(u64::from_le_bytes(directory)).unwrap_or(usize::MAX);
        let body = FIXED_BYTES + about + models;
        if body > directory || directory > end {
            return damaged(
                "its first bytes",
                "lengths that fit together".into(),
                format!("{body}, {directory}, {end}"),
            );
        }
        (frame.body, frame.directory) = (body..directory, directory..end);
        let unpack = |range: Range<usize>| {
            let part = format!("bytes {} to {}", range.start, range.end);
            zstd::bulk::decompress(frame.tested(range)?, MOST_UNPACKED)
                .map_err(|e| TableError::damaged(path, part, "a zstd frame", e))
        };
        let (unpacked, models) = (unpack(FIXED_BYTES..FIXED_BYTES + about)?, unpack(FIXED_BYTES + about..body)?);
        (frame.about, frame.models) = (unpacked, models);
        Ok(frame)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// The last checksum, which is that of all others: two files that share it hold the same.
    pub fn whole_checksum(&self) -> u64 {
        let mut bytes = [0; CHECKSUM_BYTES];
        bytes.copy_from_slice(&self.map[self.map.len() - CHECKSUM_BYTES..]);
        u64::from_le_bytes(bytes)
    }

    /// Bytes of the body.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if they are not what was written, or reach beyond the body.
    #[inline]
    pub fn body(&self, range: Range<usize>) -> Result<&[u8], TableError> {
        self.part(&self.body, range)
    }

    /// Bytes of the directory.
    ///
    /// # Errors
    /// As of [`Frame::body`].
    #[inline]
    pub fn directory(&self, range: Range<usize>) -> Result<&[u8], TableError> {
        self.part(&self.directory, range)
    }

    pub fn directory_len(&self) -> usize {
        self.directory.len()
    }

    #[inline]
    fn part(&self, of: &Range<usize>, range: Range<usize>) -> Result<&[u8], TableError> {
        if range.start > range.end || range.end > of.len() {
            let found = format!("bytes {} to {}", range.start, range.end);
            return Err(self.damaged("its directory", format!("bytes within {}", of.len()), found));
        }
        self.tested(of.start + range.start..of.start + range.end)
    }

    /// An error of something wrong within the file.
    pub fn damaged(&self, part: impl Into<String>, expected: impl ToString, found: impl ToString) -> TableError {
        TableError::damaged(&self.path, part, expected, found)
    }

    /// Some bytes, their pages tested.
    #[inline]
    fn tested(&self, range: Range<usize>) -> Result<&[u8], TableError> {
        for page in range.start / PAGE_BYTES..range.end.div_ceil(PAGE_BYTES) {
            if self.tested[page / 64].load(Ordering::Relaxed) >> (page % 64) & 1 == 0 {
                self.test(page)?;
            }
        }
        Ok(&self.map[range])
    }

    #[cold]
    fn test(&self, page: usize) -> Result<(), TableError> {
        let range = page * PAGE_BYTES..((page + 1) * PAGE_BYTES).min(self.directory.end);
        let at = self.directory.end + 4 * page;
        let (expected, found) = (&self.map[at..at + 4], checksum(&self.map[range.clone()]));
        let expected = u32::from_le_bytes([expected[0], expected[1], expected[2], expected[3]]);
        if expected != found {
            let part = format!("page {page} (bytes {} to {})", range.start, range.end);
            return Err(self.damaged(part, format!("checksum {expected:08x}"), format!("{found:08x}")));
        }
        self.tested[page / 64].fetch_or(1 << (page % 64), Ordering::Relaxed);
        Ok(())
    }

    /// Tests all pages.
    ///
    /// # Errors
    /// [`TableError::Damaged`] for the first page that is wrong.
    pub fn test_all(&self) -> Result<(), TableError> {
        use rayon::prelude::*;
        let _ = self.map.advise(Advice::Sequential);
        let pages = (0..self.directory.end.div_ceil(PAGE_BYTES)).into_par_iter();
        let tested = pages.try_for_each(|page| self.test(page));
        let _ = self.map.advise(Advice::Random);
        tested
    }
}

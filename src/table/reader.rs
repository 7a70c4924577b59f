//! Reading one table file: memory-mapped, its header checked when it is opened, each block when it is read.

use super::error::TableError;
use super::format::{Directory, FIXED_BYTES, Header, Stream, fingerprint};
use crate::geometry::Color;
use crate::index::Layout;
use crate::outcome::{Outcome, Value};
use memmap2::{Advice, Mmap};
use rayon::prelude::*;
use std::cell::RefCell;
use std::fs::File;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Decompressor;

/// An open table file.
pub struct TableFile {
    path: PathBuf,
    map: Mmap,
    directory: Directory,
    /// Where each block starts, and where the last one ends.
    offsets: Vec<u64>,
}

impl TableFile {
    /// Opens a file and checks its header, but not yet its blocks.
    ///
    /// # Errors
    /// When it cannot be read, is no table of this version, or its header or length is damaged.
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        let map = map_file(path)?;
        // Answers come from all over the file, so reading ahead would be wasted; not all systems take the advice.
        let _ = map.advise(Advice::Random);
        let directory = Directory::from_bytes(path, &map)?;
        let mut offset = FIXED_BYTES as u64;
        let mut offsets = vec![offset];
        for (length, _) in &directory.blocks {
            offset += *length as u64;
            offsets.push(offset);
        }
        Ok(TableFile { path: path.to_path_buf(), map, directory, offsets })
    }

    /// Opens the file of a layout's material and checks that it was made under the same rules.
    ///
    /// # Errors
    /// Those of [`TableFile::open`], and [`TableError::Unsupported`] for a table of another game or material.
    pub fn open_for(path: &Path, layout: &Layout) -> Result<TableFile, TableError> {
        let table = TableFile::open(path)?;
        let (header, variant) = (table.header(), layout.variant());
        let name = layout.material().name(variant);
        let unsupported = |reason: String| Err(TableError::Unsupported { file: path.to_path_buf(), reason });
        if header.variant != variant.name() || header.rules != fingerprint(variant) {
            return unsupported(format!(
                "it was made under other rules (of \"{}\") than those of \"{}\"",
                header.variant,
                variant.name()
            ));
        }
        if header.material != name {
            return unsupported(format!("it holds {}, not {name}", header.material));
        }
        let sides = if layout.material().is_symmetric() { 1 } else { 2 };
        if header.positions != layout.len() as u64 || header.sides != sides {
            return unsupported(format!("it numbers {} positions, expected {}", header.positions, layout.len()));
        }
        Ok(table)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn header(&self) -> &Header {
        &self.directory.header
    }

    /// The length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// The bytes of one of the streams, both sides to move together, compressed.
    pub fn stream_bytes(&self, stream: Stream) -> u64 {
        let of_stream = |block: &usize| self.header().block_contents(*block).1 == stream;
        (0..self.header().block_count()).filter(of_stream).map(|block| self.directory.blocks[block].0 as u64).sum()
    }

    /// Decompresses a block after testing its checksum.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the checksum is wrong or the block does not unpack to what it should hold.
    pub fn read_block(&self, block: usize) -> Result<Vec<u8>, TableError> {
        let compressed = self.sound_block(block)?;
        let part = || self.name_of_block(block);
        let entries = self.header().block_entries(block);
        // An entry takes a byte, a distance sometimes two.
        let most = if block % 2 == Stream::Distances as usize { 2 } else { 1 };
        match decompress(compressed, most * entries) {
            Ok(bytes) if bytes.len() == entries || bytes.len() == most * entries => Ok(bytes),
            Ok(bytes) => Err(TableError::damaged(&self.path, part(), format!("{entries} bytes"), bytes.len())),
            Err(error) => Err(TableError::damaged(&self.path, part(), format!("{entries} bytes"), error)),
        }
    }

    /// A block as it is stored, after testing its checksum.
    fn sound_block(&self, block: usize) -> Result<&[u8], TableError> {
        let compressed = &self.map[self.offsets[block] as usize..self.offsets[block + 1] as usize];
        let (expected, found) = (self.directory.blocks[block].1, xxh3_64(compressed));
        if expected != found {
            let [expected, found] = [expected, found].map(|checksum| format!("checksum {checksum:016x}"));
            return Err(TableError::damaged(&self.path, self.name_of_block(block), expected, found));
        }
        Ok(compressed)
    }

    fn name_of_block(&self, block: usize) -> String {
        format!("block {block} (at byte {})", self.offsets[block])
    }

    /// The outcome that value and distance entries of a place make up.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if there is no such value.
    pub fn outcome(&self, value: u8, moves: u16) -> Result<Outcome, TableError> {
        match Value::ALL.get(value as usize) {
            Some(Value::Draw) => Ok(Outcome::DRAW),
            Some(_) if moves > Outcome::MAX_PLIES / 2 => {
                let most = format!("a distance of up to {} moves", Outcome::MAX_PLIES / 2);
                Err(TableError::damaged(&self.path, "an entry", most, moves))
            }
            Some(&value @ (Value::Loss | Value::StalemateLoss)) => Ok(Outcome::new(value, moves * 2)),
            Some(&value) => Ok(Outcome::new(value, moves * 2 + 1)),
            None => Err(TableError::damaged(&self.path, "an entry", "a value from 0 to 4", value)),
        }
    }

    /// The distance entry at a place of a block's entries.
    #[inline]
    pub fn distance(&self, block: usize, bytes: &[u8], at: usize) -> u16 {
        match bytes.len() == self.header().block_entries(block) {
            true => bytes[at] as u16,
            false => u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]),
        }
    }

    /// Tests the checksums of all blocks.
    ///
    /// # Errors
    /// [`TableError::Damaged`] for the first block that is wrong.
    pub fn verify_checksums(&self) -> Result<(), TableError> {
        // Only wishes, as at opening.
        let _ = self.map.advise(Advice::Sequential);
        let blocks = (0..self.header().block_count()).into_par_iter();
        let tested = blocks.try_for_each(|block| self.sound_block(block).map(|_| ()));
        let _ = self.map.advise(Advice::Random);
        tested
    }

    /// Where the entry of a numbered position is: the block of a stream and the place in it.
    #[inline]
    pub fn find(&self, turn: Color, stream: Stream, position: u64) -> (usize, usize) {
        let header = self.header();
        (header.block_of(turn, stream, position), (position % header.block_positions as u64) as usize)
    }
}

/// Maps a file to read it.
///
/// # Errors
/// When it cannot be read, is no ordinary file or has no byte.
pub(super) fn map_file(path: &Path) -> Result<Mmap, TableError> {
    // Asked before opening: to open a pipe would be to wait for someone to write.
    let metadata = std::fs::metadata(path).map_err(|e| TableError::io("open", path, e))?;
    if !metadata.is_file() {
        let reason = "it is no ordinary file".into();
        return Err(TableError::Unsupported { file: path.to_path_buf(), reason });
    }
    let file = File::open(path).map_err(|e| TableError::io("open", path, e))?;
    if metadata.len() == 0 {
        return Err(TableError::damaged(path, "its first bytes", "a header", "an empty file"));
    }
    // SAFETY: the map is only read. If another process shortened the file meanwhile, reading could fault; table
    // files are never changed in place, only replaced by a rename, which leaves the mapped file as it was.
    let map = unsafe { Mmap::map(&file) }.map_err(|e| TableError::io("map", path, e))?;
    Ok(map)
}

/// Decompresses with a context that the thread keeps, as making one takes longer than many a block.
fn decompress(compressed: &[u8], most: usize) -> std::io::Result<Vec<u8>> {
    thread_local! {
        static CONTEXT: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    CONTEXT.with_borrow_mut(|context| {
        let context = match context {
            Some(context) => context,
            None => context.insert(Decompressor::new()?),
        };
        context.decompress(compressed, most)
    })
}

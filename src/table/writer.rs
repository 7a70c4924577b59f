//! Writing a table file: streams cut into blocks, compressed in parallel, written under a temporary name and renamed.

use super::EXTENSION;
use super::error::TableError;
use super::format::{FORMAT_VERSION, Header, Preamble, Stream, fingerprint, preamble_bytes};
use crate::geometry::{Cell, CellSet};
use crate::index::DenseTable;
use crate::outcome::Value;
use crate::statistics::Statistics;
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The zstd level of tables unless another is asked for.
pub const DEFAULT_LEVEL: i32 = 9;
/// Entries of a block: small enough to unpack for a single answer, large enough to compress well.
const BLOCK_POSITIONS: u32 = 32_768;
/// Blocks compressed before they are written, for each thread.
const BLOCKS_AT_ONCE: usize = 32;

/// The prefix of the temporary files of a folder; a file left over from a killed run starts so.
pub(super) const TEMPORARY_PREFIX: &str = ".unfinished-";

/// Writes a table into a folder (which must exist) as `MATERIAL.hxt`, in place of any older one, and returns its path
/// and header. The bytes depend on the table and the level alone.
///
/// # Errors
/// When the folder cannot be written to or the disk is full. Then no file is left behind, and an older file stays.
pub fn write_table(
    table: &DenseTable,
    statistics: Statistics,
    folder: &Path,
    level: i32,
) -> Result<(PathBuf, Header), TableError> {
    let header = header_of(table, statistics, level);
    let path = folder.join(format!("{}.{EXTENSION}", header.material));
    let mut temporary = usual_permissions(&mut tempfile::Builder::new())
        .prefix(&format!("{TEMPORARY_PREFIX}{}-", header.material))
        .tempfile_in(folder)
        .map_err(|e| TableError::io("create a file in", folder, e))?;
    let failed = |e: std::io::Error| match e.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            TableError::DiskFull { path: path.clone(), needed: estimated_bytes(&header) }
        }
        _ => TableError::io("write", &path, e),
    };
    write_blocks(table, &header, temporary.as_file_mut()).map_err(failed)?;
    temporary.as_file().sync_all().map_err(failed)?;
    temporary.persist(&path).map_err(|e| failed(e.error))?;
    // The rename itself must reach the disk too; folders that cannot be synced are not worth failing for.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok((path, header))
}

/// Makes a temporary file readable like any other that the user makes; by default it would be private.
pub fn usual_permissions<'a, 'b, 'c>(builder: &'a mut tempfile::Builder<'b, 'c>) -> &'a mut tempfile::Builder<'b, 'c> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Roughly how large a table's file becomes at most, for messages.
fn estimated_bytes(header: &Header) -> u64 {
    header.positions * header.sides as u64
}

fn header_of(table: &DenseTable, statistics: Statistics, level: i32) -> Header {
    let layout = table.layout();
    let variant = layout.variant();
    Header {
        variant: variant.name().to_string(),
        rules: fingerprint(variant),
        material: layout.material().name(variant),
        men: layout.material().men(),
        positions: layout.len() as u64,
        sides: if layout.material().is_symmetric() { 1 } else { 2 },
        block_positions: BLOCK_POSITIONS,
        distance_bytes: if statistics.longest_plies() / 2 <= u8::MAX as u16 { 1 } else { 2 },
        zstd_level: level,
        statistics,
    }
}

/// Writes the preamble and all blocks.
fn write_blocks(table: &DenseTable, header: &Header, file: &mut File) -> std::io::Result<()> {
    let header_bytes = serde_json::to_vec(header).expect("a header is plain data").len();
    file.seek(SeekFrom::Start(preamble_bytes(header_bytes, header.block_count()) as u64))?;
    let mut out = BufWriter::new(&mut *file);
    let mut blocks = Vec::with_capacity(header.block_count());
    let at_once = BLOCKS_AT_ONCE * rayon::current_num_threads();
    let numbers: Vec<usize> = (0..header.block_count()).collect();
    for batch in numbers.chunks(at_once) {
        let compressed: Vec<std::io::Result<Vec<u8>>> = batch
            .par_iter()
            .map_init(
                || zstd::bulk::Compressor::new(header.zstd_level),
                |compressor, &block| {
                    let entries = block_entries(table, header, block);
                    compressor.as_mut().map_err(|e| std::io::Error::other(e.to_string()))?.compress(&entries)
                },
            )
            .collect();
        for bytes in compressed {
            let bytes = bytes?;
            blocks.push((bytes.len() as u32, xxh3_64(&bytes)));
            out.write_all(&bytes)?;
        }
    }
    out.flush()?;
    drop(out);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&Preamble { header: header.clone(), blocks }.to_bytes())?;
    debug_assert_eq!(FORMAT_VERSION, 1, "the layout above is that of version 1");
    Ok(())
}

/// The entries of a block before compression.
fn block_entries(table: &DenseTable, header: &Header, block: usize) -> Vec<u8> {
    let (turn, stream, range) = header.block_contents(block);
    let mut bytes = Vec::with_capacity(header.block_bytes(block));
    let mut last = if stream == Stream::Values { Value::Draw as u16 } else { 0 };
    let layout = table.layout();
    let n = layout.cell_count();
    let mut at = range.start;
    while at < range.end {
        let (slice, index) = layout.slice_at(at as usize);
        let (block, first) = (index / (n * n), index % (n * n));
        let count = (n * n - first).min((range.end - at) as usize);
        let codes = table.block(turn, slice, block);
        let mut stored = CellSet::EMPTY;
        for (i, code) in codes.iter().enumerate().skip(first).take(count) {
            let (row, column) = (i / n, i % n);
            if i == first || column == 0 {
                stored = layout.ascending_columns(slice, block, row);
            }
            let outcome = code.outcome().filter(|_| stored.contains(Cell(column as u8)));
            let entry = outcome.and_then(|outcome| match stream {
                Stream::Values => Some(outcome.value() as u16),
                Stream::Distances => outcome.plies().map(|plies| plies / 2),
            });
            last = entry.unwrap_or(last);
            match stream {
                Stream::Distances if header.distance_bytes == 2 => bytes.extend(last.to_le_bytes()),
                _ => bytes.push(last as u8),
            }
        }
        at += count as u64;
    }
    bytes
}

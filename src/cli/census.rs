//! `hextb census`: what the positions of many materials are worth, counted.

use super::check::check_memory;
use super::common::{Common, WantedTables};
use super::failure::{Failure, Status};
use super::file::{check_folder, write_whole};
use super::output::Output;
use super::progress::Work;
use super::words;
use hextb::analysis::unwatched;
use hextb::index::Material;
use hextb::solve::Kernel;
use hextb::survey::census::{self, Census};
use hextb::survey::draws::MemoryNeeded;
use hextb::table::{Store, TableError, Tablebase};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Count what the positions of materials are worth, and why they are drawn
///
/// For each material and side to move: legal positions, the five values, the longest distance of each with the
/// lexicographically first FEN that has it, draws by class (the second side can force a capture, promotion or stalemate
/// that saves it: conversion; or give check for ever: perpetual; or neither: fortress) with the first FEN of each, the
/// same where stalemate is a draw, how many draws by mate alone the score for stalemate decides, what White scores on
/// average, and a verdict. Symmetric positions are included, and the side that a material names first is White.
///
/// Without materials, of all tables that are there. What captures and promotions lead to must be there, too; of packed
/// tables the files of distances give the longest distances. Prints Markdown, or JSON with --json (an object: variant and
/// rows, each an object of the columns of the CSV form).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb census KQKR KRKN
  hextb census --men 4 --write glinski.md --write glinski.csv --write glinski.parquet")]
pub struct Arguments {
    #[command(flatten)]
    wanted: WantedTables,
    /// Write to a file, whose ending says how: md, csv, json or parquet; may be given several times. Nothing is printed
    /// then
    #[arg(long, value_name = "FILE")]
    write: Vec<PathBuf>,
}

/// How a census is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Markdown,
    Csv,
    Json,
    Parquet,
}

impl Format {
    fn of(path: &Path) -> Result<Format, Failure> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("md") => Ok(Format::Markdown),
            Some("csv") => Ok(Format::Csv),
            Some("json") => Ok(Format::Json),
            Some("parquet") => Ok(Format::Parquet),
            _ => Err(Failure::input(format!(
                "cannot tell how to write {}: its name should end in .md, .csv, .json or .parquet",
                path.display()
            ))),
        }
    }

    fn bytes(self, census: &Census) -> Result<Vec<u8>, Failure> {
        match self {
            Format::Markdown => Ok(census::markdown(census).into_bytes()),
            Format::Csv => Ok(census::csv(census)),
            Format::Json => Ok((census::json(census).to_string() + "\n").into_bytes()),
            Format::Parquet => {
                census::parquet(census).map_err(|e| Failure::system(format!("cannot make a Parquet file: {e}")))
            }
        }
    }
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let formats = self.write.iter().map(|path| Format::of(path)).collect::<Result<Vec<_>, _>>()?;
        self.write.iter().try_for_each(|path| check_folder(path))?;
        let tablebase = Arc::new(common.tablebase()?);
        let variant = tablebase.variant().clone();
        let materials = if self.wanted.is_empty() {
            all_there(&tablebase, &common.options())?
        } else {
            self.wanted.materials(&variant, "census")?
        };
        // What is missing or does not fit is told before anything is done.
        common.start_threads()?;
        let kernel = Arc::new(Kernel::new(&variant));
        let (mut memory, mut side_by_side, mut indices) = (u64::MAX, true, 0);
        for material in &materials {
            let (table, layout) = tablebase.open_file(material)?;
            table.statistics()?;
            for needed in material.conversions(&variant) {
                tablebase.open_table(&needed)?;
            }
            let needed = MemoryNeeded::of(&kernel, &layout).classifying;
            let of_all = needed * rayon::current_num_threads() as u64;
            let left = check_memory(common, &tablebase, material, of_all).or_else(|_| {
                side_by_side = false;
                check_memory(common, &tablebase, material, needed)
            });
            memory = memory.min(left?);
            indices += layout.len() as u64;
        }
        let store = Store::new(tablebase.clone(), kernel.clone(), memory).of_values();
        let work = Work::new(!common.quiet, &format!("counting {}", words::counted(materials.len(), "material")));
        let (watch, done) = (work.watch(), AtomicU64::new(0));
        let of_material = |material: &Material| -> Result<census::Entry, TableError> {
            let (table, layout) = tablebase.open_file(material)?;
            table.verify_checksums()?;
            let entry = census::take(&kernel, &layout, &store, table.statistics()?, &unwatched)?;
            let len = layout.len() as u64;
            watch(done.fetch_add(len, Ordering::Relaxed) + len, indices);
            Ok(entry)
        };
        // A table keeps few threads busy, if its slices are small or its files are packed.
        let entries: Result<Vec<_>, TableError> = match side_by_side {
            true => materials.par_iter().with_max_len(1).map(of_material).collect(),
            false => materials.iter().map(of_material).collect(),
        };
        work.clear();
        let census = Census { variant, entries: entries? };
        for (path, format) in self.write.iter().zip(&formats) {
            write_whole(path, &format.bytes(&census)?)?;
        }
        match (self.write.is_empty(), common.json) {
            (false, _) => {}
            (true, true) => out.json(&census::json(&census))?,
            (true, false) => out.drawing(census::markdown(&census).trim_end())?,
        }
        Ok(Status::Done)
    }
}

/// The materials of all tables of the folder that can be used, by the number of men.
fn all_there(tablebase: &Tablebase, options: &str) -> Result<Vec<Material>, Failure> {
    let mut materials = vec![];
    for entry in tablebase.entries()? {
        materials.push(Material::parse(tablebase.variant(), entry.table?.material())?);
    }
    materials.sort_by_key(Material::men);
    match materials.is_empty() {
        false => Ok(materials),
        true => Err(Failure::Told {
            status: Status::Failed,
            message: format!(
                "nothing to count: there are no tables in {}; `hextb generate --men 3{options}` makes some",
                tablebase.folder().display()
            ),
        }),
    }
}

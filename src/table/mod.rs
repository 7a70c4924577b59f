//! Table files: their format, writing, reading, and a folder of them as one tablebase.
//!
//! [`format`] says what the bytes mean, [`TableFile`] opens and checks one file, [`write_table`] makes one
//! atomically, [`Tablebase`] answers positions from a folder, [`generate`] fills a folder.

mod decode;
mod error;
pub mod format;
mod generate;
mod reader;
mod statistics;
mod tablebase;
mod writer;

pub use error::TableError;
pub use format::{FORMAT_VERSION, Header};
pub use generate::{Generated, Generator, GeneratorWatch, generation_order, memory_needed};
pub use reader::TableFile;
pub use statistics::{Longest, MaxPlies, SideStatistics, Statistics};
pub use tablebase::{Entry, Tablebase};
pub use writer::{DEFAULT_LEVEL, write_table};

/// The ending of table files.
pub const EXTENSION: &str = "hxt";

//! Table files: their format, writing, reading, and a folder of them as one tablebase.
//!
//! [`mod@format`] says what the bytes of plain tables mean. [`TableFile`] opens and checks one of their files,
//! [`TableWriter`] writes one slice by slice and puts it in its place when it is whole ([`unfinished`] keeps it until
//! then). [`packed`] makes tables small; a [`Table`] is either. [`Tablebase`] answers positions from a folder,
//! [`UnpackedTables`] answers many. [`Generator`] fills a folder, within what [`MemoryNeeded`] says that it takes;
//! [`Estimate`] is for planning.

mod decode;
mod effort;
mod error;
mod estimate;
mod folder;
pub mod format;
mod generate;
mod leftovers;
mod opened;
pub mod packed;
mod packing;
mod reader;
mod row_cache;
mod slice_cache;
mod statistics;
mod store;
mod tablebase;
pub mod unfinished;
mod unpacked;
mod writer;

pub use effort::Effort;
pub use error::TableError;
pub use estimate::{Estimate, MemoryNeeded};
pub use folder::Entry;
pub use format::{FORMAT_VERSION, Header};
pub use generate::{Efforts, Finished, Form, Generated, Generator, GeneratorWatch, generation_order};
pub use opened::Table;
pub use reader::TableFile;
pub use statistics::statistics_of;
pub use store::Store;
pub use tablebase::Tablebase;
pub use unpacked::UnpackedTables;
pub use writer::{DEFAULT_LEVEL, TableWriter, write_table};

/// The ending of table files.
pub const EXTENSION: &str = "hxt";

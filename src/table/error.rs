//! What can go wrong with table files, split by what to do about it.

use crate::oracle::ProbeError;
use crate::solve::SolveError;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A file's bytes are not what they should be: it must be made again.
    #[error(
        "{} is damaged in {part}: expected {expected}, found {found}; delete it and generate it again", .file.display()
    )]
    Damaged { file: PathBuf, part: String, expected: String, found: String },
    /// Each of a packed table's files is sound, but they were not written together.
    #[error(
        "{} does not go with {}, which was written at another time; `hextb generate {material}` makes both again",
        .distances.display(), .values.display()
    )]
    Parted { material: String, values: PathBuf, distances: PathBuf },
    /// A sound file of another kind, version or game.
    #[error("{} cannot be used: {reason}; move it away or delete it", .file.display())]
    Unsupported { file: PathBuf, reason: String },
    /// The table is not there.
    #[error("{material} is not in the tables: {} is missing; `hextb generate {material}` makes it", .file.display())]
    Missing { material: String, file: PathBuf },
    /// The system would not read or write.
    #[error("cannot {action} {}: {}{}", .path.display(), plain(.source), remedy(.path, .source))]
    Io { action: &'static str, path: PathBuf, source: std::io::Error },
    /// The disk filled up.
    #[error(
        "no space left for {}: up to {} are needed; free some space or choose another folder with \
         --tables", .path.display(), indicatif::HumanBytes(*.needed)
    )]
    DiskFull { path: PathBuf, needed: u64 },
    /// Another process is making the same table.
    #[error(
        "another process is making {material} in {}; wait for it or choose another folder with --tables",
        .folder.display()
    )]
    Busy { material: String, folder: PathBuf },
    /// A table that is needed has no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The solve has come to nothing.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// Solving would not fit; `scratch_helps` tells that with planes in scratch files it would.
    #[error(
        "{material} needs about {needed} of memory and only {available} may be used; free some, or raise --memory if \
         more is there{}", if *.scratch_helps { ", or work in files with `hextb generate --scratch`" } else { "" }
    )]
    Memory { material: String, needed: String, available: String, scratch_helps: bool },
    /// Scratch files would not fit.
    #[error(
        "{material} needs about {needed} of scratch files and {} has room for {available} only; free some, or choose \
         another folder with --scratch", .folder.display()
    )]
    Scratch { material: String, folder: PathBuf, needed: String, available: String },
}

/// What the system says, without the names of temporary files.
fn plain(error: &std::io::Error) -> String {
    error
        .raw_os_error()
        .map_or_else(|| error.kind().to_string(), |code| std::io::Error::from_raw_os_error(code).to_string())
}

/// What to do about what the system says of a path, where that is known; begins with a semicolon.
pub fn remedy(path: &Path, error: &std::io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound if path.is_symlink() => "; it is a link that leads nowhere: remove it",
        ErrorKind::PermissionDenied => "; allow it, or choose another folder",
        ErrorKind::ReadOnlyFilesystem => "; choose another folder",
        ErrorKind::NotADirectory | ErrorKind::IsADirectory => "; move it away, or choose another folder",
        ErrorKind::FileTooLarge => "; raise the limit on the size of files (`ulimit -f`), or choose another disk",
        _ => "",
    }
}

impl TableError {
    pub(super) fn io(action: &'static str, path: &Path, source: std::io::Error) -> TableError {
        TableError::Io { action, path: path.to_path_buf(), source }
    }

    /// A failure to write a file of which so many bytes are known to be needed.
    pub(super) fn writing(path: &Path, needed: u64, source: std::io::Error) -> TableError {
        match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                TableError::DiskFull { path: path.to_path_buf(), needed }
            }
            _ => TableError::io("write", path, source),
        }
    }

    pub(super) fn damaged(
        file: &Path,
        part: impl Into<String>,
        expected: impl ToString,
        found: impl ToString,
    ) -> TableError {
        TableError::Damaged {
            file: file.to_path_buf(),
            part: part.into(),
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}

impl From<TableError> for ProbeError {
    fn from(error: TableError) -> ProbeError {
        match error {
            TableError::Probe(error) => error,
            TableError::Damaged { file, part, expected, found } => {
                ProbeError::Damaged { file: file.display().to_string(), part, expected, found }
            }
            TableError::Missing { material, file } => {
                ProbeError::Missing { material, file: file.display().to_string() }
            }
            TableError::Parted { material, values, distances } => {
                let values = values.display();
                let reason = format!(
                    "it does not go with {values}, which was written at another time; `hextb generate {material}` makes \
                     both again"
                );
                ProbeError::Unreadable { file: distances.display().to_string(), reason }
            }
            TableError::Unsupported { file, reason } => {
                let reason = format!("{reason}; move it away or delete it");
                ProbeError::Unreadable { file: file.display().to_string(), reason }
            }
            TableError::Io { path, source, .. } => {
                let reason = format!("{}{}", plain(&source), remedy(&path, &source));
                ProbeError::Unreadable { file: path.display().to_string(), reason }
            }
            other => ProbeError::Unreadable { file: "the tables".into(), reason: other.to_string() },
        }
    }
}

//! Exit statuses, and how every kind of error becomes one line on standard error.

use hextb::geometry::VariantError;
use hextb::index::MaterialError;
use hextb::oracle::ProbeError;
use hextb::position::FenError;
use hextb::table::TableError;
use hextb::table::packed::DISTANCES_EXTENSION;
use std::io::Write;
use std::process::ExitCode;

/// How the program ends; greater is worse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    Done = 0,
    /// A check failed, or a position is not in the tables.
    Failed = 1,
    /// Bad usage or input.
    Input = 2,
    /// A damaged file, a system error or too little memory.
    System = 3,
    /// A signal asked the program to stop; shells say so too.
    Interrupted = 130,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// Why a command stops.
#[derive(Debug)]
pub enum Failure {
    /// Something to tell the user.
    Told { status: Status, message: String },
    /// A table that would exist is not there.
    Missing { material: String, file: String },
    /// Nobody reads the output any more: a reason to stop, not an error.
    OutputClosed,
}

impl Failure {
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::Told { status: Status::Input, message: message.into() }
    }

    pub fn system(message: impl Into<String>) -> Failure {
        Failure::Told { status: Status::System, message: message.into() }
    }

    /// What to tell the user, and how the program ends. `options` are those that `hextb generate` would need.
    pub fn told(self, options: &str) -> (Status, Option<String>) {
        match self {
            Failure::OutputClosed => (Status::Done, None),
            Failure::Told { status, message } => (status, Some(message)),
            Failure::Missing { material, file } => {
                let remedy = format!("`hextb generate {material}{options}` makes it");
                let message = match file.ends_with(DISTANCES_EXTENSION) {
                    false => format!("{material} is not in the tables: {file} is missing; {remedy}"),
                    true => format!(
                        "the distances of {material} are not in the tables: {file} is missing; {remedy} (values alone \
                         `hextb probe --values` tells)"
                    ),
                };
                (Status::Failed, Some(message))
            }
        }
    }
}

/// Prints an error as one line on standard error.
pub fn complain(message: &str) {
    // Nothing can be done if standard error is closed.
    let _ = writeln!(std::io::stderr(), "hextb: {}", harmless(message));
}

/// A text without line breaks, control characters and marks that turn the direction of writing, so that no input can
/// forge a second line or another one than it is.
pub fn harmless(text: &str) -> String {
    let direction = |c| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = |c: char| match c {
        '\n' | '\t' => ' ',
        c if c.is_control() || direction(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// What the arguments got wrong, in one line.
pub fn usage(error: &clap::Error) -> Status {
    use clap::error::ErrorKind;
    let text = error.to_string();
    let missing = matches!(error.kind(), ErrorKind::MissingSubcommand) && text.contains("'hextb'");
    if missing || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        complain("no command given; `hextb --help` lists them");
        return Status::Input;
    }
    let told = text.split("\n\n").take_while(|part| !part.starts_with("Usage:") && !part.starts_with("For more"));
    let words = |part: &str| part.trim_start_matches("error: ").split_whitespace().collect::<Vec<_>>().join(" ");
    let parts: Vec<String> = told.map(words).collect();
    complain(&format!("{}; see `hextb --help`", parts.join("; ")));
    Status::Input
}

impl From<FenError> for Failure {
    fn from(error: FenError) -> Failure {
        Failure::input(error.to_string())
    }
}

impl From<MaterialError> for Failure {
    fn from(error: MaterialError) -> Failure {
        Failure::input(error.to_string())
    }
}

impl From<VariantError> for Failure {
    fn from(error: VariantError) -> Failure {
        Failure::input(error.to_string())
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        let status = match error {
            ProbeError::Missing { material, file } => return Failure::Missing { material, file },
            ProbeError::TooManyMen { .. } => Status::Failed,
            ProbeError::Damaged { .. } | ProbeError::Unreadable { .. } => Status::System,
        };
        Failure::Told { status, message: error.to_string() }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        match error {
            TableError::Missing { material, file } => Failure::Missing { material, file: file.display().to_string() },
            other => Failure::system(other.to_string()),
        }
    }
}

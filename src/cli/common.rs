//! Options that all commands share.

use super::failure::Failure;
use hextb::geometry::Variant;
use hextb::index::{MOST_MEN, Material};
use hextb::position::Fen;
use hextb::table::Tablebase;
use std::path::PathBuf;
use std::sync::Arc;
use sysinfo::System;

const DEFAULT_VARIANT: &str = "glinski";
/// What the C library may map for each thread.
const THREAD_ROOM: u64 = 72 << 20;
const DEFAULT_TABLES: &str = "tables";

#[derive(clap::Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// The game: glinski, mccooey or orthodox; glinski-3 is Gliński's on a hexagon of radius 3
    #[arg(long, global = true, value_name = "NAME", default_value = DEFAULT_VARIANT)]
    variant: String,
    /// The folder of tables; those of a variant are in its folder NAME
    #[arg(long, global = true, value_name = "DIR", default_value = DEFAULT_TABLES)]
    pub tables: PathBuf,
    /// Threads to work on [default: one for each processor]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024),
        allow_negative_numbers = true)]
    threads: Option<u16>,
    /// Memory that may be used, as in 4G or 500M (units of 1024 bytes) [default: what is available, less a tenth]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    memory: Option<u64>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Print no progress and no summary, only results
    #[arg(long, global = true)]
    pub quiet: bool,
}

impl Common {
    pub fn variant(&self) -> Result<Arc<Variant>, Failure> {
        Ok(Arc::new(Variant::named(&self.variant)?))
    }

    /// The tables to ask. Their folder need not exist.
    pub fn tablebase(&self) -> Result<Tablebase, Failure> {
        Ok(Tablebase::new(self.variant()?, &self.tables))
    }

    /// The options that lead another command to the same tables, each after a blank; none if they are the defaults.
    pub fn options(&self) -> String {
        self.options_for(&self.variant)
    }

    /// The same, to the tables of a variant.
    pub fn options_for(&self, variant: &str) -> String {
        let mut options = String::new();
        if variant != DEFAULT_VARIANT {
            options += &format!(" --variant {variant}");
        }
        if self.tables.as_os_str() != DEFAULT_TABLES {
            options += &format!(" --tables {}", quoted(&self.tables.display().to_string()));
        }
        options
    }

    /// The number of threads asked for, if one was.
    pub fn threads(&self) -> Option<u16> {
        self.threads
    }

    /// Starts the threads that work is spread over.
    pub fn start_threads(&self) -> Result<(), Failure> {
        let threads = self.threads.map_or(0, usize::from);
        let started = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        started.map_err(|e| Failure::system(format!("cannot start threads: {e}; try fewer with --threads")))
    }

    /// Bytes of memory that may be used.
    pub fn memory(&self) -> Result<u64, Failure> {
        let threads =
            self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let left = address_space_left();
        // Threads map room for their heaps and stacks that they hardly use.
        let left = if left == u64::MAX { left } else { left.saturating_sub((threads as u64 + 1) * THREAD_ROOM) };
        if let Some(bytes) = self.memory {
            return Ok(bytes.min(left));
        }
        match available_memory().min(left) {
            0 if left == 0 => Err(Failure::system("the limit on memory that may be mapped (`ulimit -v`) is too low")),
            0 => Err(Failure::system("cannot find out how much memory is available; say how much with --memory")),
            available => Ok(available - available / 10),
        }
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if word.chars().all(plain) { word.to_string() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Bytes that can be had without swapping, within the limits of the control group if there is one.
fn available_memory() -> u64 {
    let mut system = System::new();
    system.refresh_memory();
    let available = system.available_memory();
    // The control group's page cache makes way for programs, so only what programs hold counts as used.
    let within_group = |limits: sysinfo::CGroupLimits| limits.total_memory.saturating_sub(limits.rss);
    system.cgroup_limits().map_or(available, |limits| available.min(within_group(limits)))
}

/// Bytes that the process may still map under its limit of address space; without a limit, or where it is not known,
/// all.
fn address_space_left() -> u64 {
    let line = |file: &str, name: &str| -> Option<u64> {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    match line("/proc/self/limits", "Max address space") {
        None => u64::MAX,
        Some(limit) => limit.saturating_sub(line("/proc/self/status", "VmSize:").unwrap_or(0) * 1024),
    }
}

/// Reads a number of bytes: a decimal number with a unit K, M, G or T of 1024 bytes (also KiB and so on; KB, MB, GB
/// and TB are units of 1000).
fn parse_size(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes such as 4G, 1.5G, 500M or 2GiB".to_string();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().map_err(|_| expected())?;
    let unit = text[digits..].trim().to_ascii_lowercase();
    let base: f64 = if unit.len() == 2 && unit.ends_with('b') { 1000.0 } else { 1024.0 };
    let exponent = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return Err(expected()),
    };
    let bytes = number * base.powi(exponent);
    match bytes {
        1.0..1e18 => Ok(bytes as u64),
        1e18.. => Err("more than any machine has".to_string()),
        _ => Err(expected()),
    }
}

/// A position on the command line.
#[derive(clap::Args)]
pub struct FenArguments {
    /// The position: ranks from the highest down, side to move, en passant cell or -, and optionally two clocks, which
    /// mean nothing. In quotes or as several arguments
    #[arg(value_name = "FEN", required = true)]
    fields: Vec<String>,
}

impl FenArguments {
    pub fn text(&self) -> String {
        self.fields.join(" ")
    }

    pub fn parse(&self, variant: &Variant) -> Result<Fen, Failure> {
        Ok(Fen::parse(variant, &self.text())?)
    }
}

/// The tables that a command is about, by name or by the number of men.
#[derive(clap::Args)]
pub struct WantedTables {
    /// Both sides' men, as in KQKR (KQvKR and krkq mean the same)
    #[arg(value_name = "MATERIAL")]
    materials: Vec<String>,
    /// All tables of up to N men, kings included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=MOST_MEN as i64),
        allow_negative_numbers = true)]
    men: Option<u8>,
}

impl WantedTables {
    /// The materials, without what they need. `command` is the one to show in the complaint that there are none.
    pub fn materials(&self, variant: &Variant, command: &str) -> Result<Vec<Material>, Failure> {
        let mut materials = self.named(variant)?;
        for men in 2..=self.men.map_or(0, usize::from) {
            materials.extend(Material::all_with(variant, men));
        }
        if materials.is_empty() {
            return Err(Failure::input(format!(
                "nothing to {command}: name materials, as in `hextb {command} KQKR`, or say --men 3 for all tables of up \
                 to three men",
            )));
        }
        Ok(materials)
    }

    /// Whether none are asked for.
    pub fn is_empty(&self) -> bool {
        self.materials.is_empty() && self.men.is_none()
    }

    /// Those of them that are named.
    pub fn named(&self, variant: &Variant) -> Result<Vec<Material>, Failure> {
        parse_materials(variant, &self.materials)
    }
}

/// Reads names of materials, in any of the forms that are understood.
pub fn parse_materials(variant: &Variant, names: &[String]) -> Result<Vec<Material>, Failure> {
    names.iter().map(|name| Ok(Material::parse(variant, name)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::parse_size;

    #[test]
    fn sizes_are_read_in_units_of_1024_and_of_1000() {
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("500m"), Ok(500 << 20));
        assert_eq!(parse_size("2 MB"), Ok(2_000_000));
        assert_eq!(parse_size("123"), Ok(123));
        for wrong in ["", "G", "0", "4X", "-1G", "1e9", "4G4", "inf", "999999999T", "1.2.3G"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}

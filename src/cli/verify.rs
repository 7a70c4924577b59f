//! `hextb verify`: claims about endings held against the tables.

use super::check::check_memory;
use super::common::Common;
use super::failure::{Failure, Status};
use super::generate::{Make, make};
use super::output::{Output, Table};
use super::progress::Work;
use super::words;
use hextb::geometry::Variant;
use hextb::index::Material;
use hextb::solve::{Kernel, SolveError};
use hextb::survey::claims::{self, Claim, ClaimsError};
use hextb::survey::draws::MemoryNeeded;
use hextb::survey::measure::{Figure, MeasureError, Measured, measure_all};
use hextb::table::{DEFAULT_LEVEL, Form, Store, TableError, Tablebase};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// Measure claims about endings
///
/// Generates the tables that are missing, measures what each claim speaks of, and says whether the printed figure is
/// confirmed to its last digit: a number of positions, with its share of those that the claim is about, or a longest
/// distance in plies. The exit status is 1 if any claim is contradicted.
///
/// The claims that come with the program are those of tables/claims.toml, which says what a claims file holds:
/// published ones, and findings of this project. They are shown by source. Claims name their variant themselves, so
/// --variant has no effect here.
///
/// With --json prints one object: claims (objects with id, text, source, variant, material, published, count,
/// population, percentage, plies, confirmed), confirmed, contradicted. A longest distance has plies (null where no
/// position has the value), and the other three are null; else plies is null.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hextb verify
  hextb verify krkn-perpetual kqkr-fortress
  hextb verify --claims my-claims.toml")]
pub struct Arguments {
    /// Measure only the claims with these names
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Take the claims of this file
    #[arg(long, value_name = "FILE")]
    claims: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report {
    claims: Vec<Judged>,
    confirmed: usize,
    contradicted: usize,
}

#[derive(Serialize)]
struct Judged {
    id: String,
    text: String,
    source: String,
    variant: String,
    material: String,
    published: String,
    count: Option<u64>,
    population: Option<u64>,
    percentage: Option<String>,
    plies: Option<u16>,
    confirmed: bool,
}

impl Arguments {
    pub fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        let claims = self.wanted()?;
        common.start_threads()?;
        let mut measured: Vec<Option<Measured>> = vec![None; claims.len()];
        for (i, claim) in claims.iter().enumerate() {
            if measured[i].is_some() {
                continue;
            }
            // Claims about one variant and material share the work.
            let alike: Vec<usize> = (i..claims.len())
                .filter(|&j| claims[j].variant == claim.variant && claims[j].material == claim.material)
                .collect();
            let of_material: Vec<&Claim> = alike.iter().map(|&j| &claims[j]).collect();
            for (&j, result) in alike.iter().zip(measure(&of_material, common, out)?) {
                measured[j] = Some(result);
            }
        }
        let judged: Vec<Judged> = claims.iter().zip(measured.into_iter().flatten()).map(judged).collect();
        let contradicted = judged.iter().filter(|claim| !claim.confirmed).count();
        let report = Report { confirmed: judged.len() - contradicted, contradicted, claims: judged };
        match common.json {
            true => out.json(&report)?,
            false => print(&report, out)?,
        }
        match contradicted {
            0 => Ok(Status::Done),
            n => {
                let message = format!("{} of {} contradicted", words::counted(n, "claim"), report.claims.len());
                Err(Failure::Told { status: Status::Failed, message })
            }
        }
    }

    fn wanted(&self) -> Result<Vec<Claim>, Failure> {
        let text = match &self.claims {
            None => claims::BUILT_IN.to_string(),
            Some(file) => std::fs::read_to_string(file)
                .map_err(|e| Failure::input(format!("cannot read the claims file {}: {e}", file.display())))?,
        };
        let named = |e: ClaimsError| match &self.claims {
            None => e.into(),
            Some(file) => Failure::input(format!("{}: {e}", file.display())),
        };
        let all = claims::parse(&text).map_err(named)?;
        if let Some(unknown) = self.ids.iter().find(|id| !all.iter().any(|claim| claim.id == **id)) {
            let known: Vec<&str> = all.iter().map(|claim| claim.id.as_str()).collect();
            return Err(Failure::input(format!("no claim is named \"{unknown}\"; there are {}", known.join(", "))));
        }
        if all.is_empty() {
            return Err(Failure::input("the claims file holds no claims; each begins with [[claim]]"));
        }
        Ok(all.into_iter().filter(|claim| self.ids.is_empty() || self.ids.contains(&claim.id)).collect())
    }
}

/// Measures claims about one material, whose tables are made if they are not there.
fn measure(claims: &[&Claim], common: &Common, out: &mut Output) -> Result<Vec<Measured>, Failure> {
    let variant: Arc<Variant> = Arc::new(claims[0].variant()?);
    let material: Material = claims[0].material(&variant)?;
    let tablebase = Tablebase::new(variant.clone(), &common.tables);
    let is_sound = |m: &Material| {
        let table = tablebase.open_table(m)?;
        table.statistics()?;
        table.verify_checksums()
    };
    let needs_making = |m: &Material| is_sound(m).is_err();
    if material.with_dependencies(&variant).iter().any(needs_making) {
        let wanted = std::slice::from_ref(&material);
        make(
            Make {
                variant: &variant,
                materials: wanted,
                form: Form::AsFound(DEFAULT_LEVEL),
                scratch: None,
                announce: false,
            },
            common,
            out,
        )?;
    }
    let kernel = Arc::new(Kernel::new(&variant));
    let mut besides = 0;
    if claims.iter().any(|claim| claim.needs_classes()) {
        besides = MemoryNeeded::of(&kernel, &tablebase.open_file(&material)?.1).classifying;
    }
    let memory = check_memory(common, &tablebase, &material, besides)?;
    let tables = Store::new(Arc::new(tablebase), kernel.clone(), memory);
    let tables = if claims.iter().any(|claim| claim.needs_distances()) { tables } else { tables.of_values() };
    let work = Work::new(!common.quiet, &format!("measuring {}", material.name(&variant)));
    let measured = measure_all(claims, &tables, &kernel, &variant, &work.watch());
    work.clear();
    Ok(measured?)
}

fn judged((claim, measured): (&Claim, Measured)) -> Judged {
    let (share, plies) = match measured.figure {
        Figure::Share(share) => (Some(share), None),
        Figure::Longest(plies) => (None, plies),
    };
    Judged {
        id: claim.id.clone(),
        text: claim.text.clone(),
        source: claim.source.clone(),
        variant: claim.variant.clone(),
        material: claim.material.clone(),
        published: claim.published.clone(),
        count: share.as_ref().map(|share| share.count),
        population: share.as_ref().map(|share| share.population),
        percentage: share.map(|share| share.percentage),
        plies,
        confirmed: measured.confirmed,
    }
}

/// Prints the claims of each source under it, the sources in the order in which they first occur.
fn print(report: &Report, out: &mut Output) -> Result<(), Failure> {
    let mut sources: Vec<&str> = vec![];
    for claim in &report.claims {
        if !sources.contains(&claim.source.as_str()) {
            sources.push(&claim.source);
        }
    }
    for source in sources {
        let mut table = Table::new(&["claim", "published", ">measured", ">of", ">%", "verdict"]);
        report.claims.iter().filter(|claim| claim.source == source).for_each(|claim| table.row(row(claim)));
        out.line(source)?;
        out.table(&table)?;
        out.line("")?;
    }
    let (confirmed, all) = (report.confirmed, words::counted(report.claims.len(), "claim"));
    out.line(format!("{confirmed} of {all} confirmed"))
}

fn row(claim: &Judged) -> [String; 6] {
    let number = |count: Option<u64>| count.map_or("-".to_string(), words::count);
    [
        claim.text.clone(),
        claim.published.clone(),
        claim.plies.map_or_else(|| number(claim.count), words::in_plies),
        number(claim.population),
        claim.percentage.clone().unwrap_or("-".to_string()),
        if claim.confirmed { "confirmed" } else { "CONTRADICTED" }.to_string(),
    ]
}

impl From<ClaimsError> for Failure {
    fn from(error: ClaimsError) -> Failure {
        Failure::input(error.to_string())
    }
}

impl From<MeasureError> for Failure {
    fn from(error: MeasureError) -> Failure {
        match error {
            MeasureError::Solve(error) => error.into(),
            other => Failure::input(other.to_string()),
        }
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        match error {
            SolveError::Subtable(error) => error.into(),
            other => TableError::from(other).into(),
        }
    }
}

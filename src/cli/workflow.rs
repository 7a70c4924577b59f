//! A plan as a file for a program that runs jobs: a Makefile or a Snakefile with a job for each table.
//!
//! The tables are left plain, so that all that a job needs is known beforehand: `hextb pack` makes them small
//! afterwards. Neither goes by the age of files: a table's bytes depend on its name alone, so none is ever out of date.
//! Nothing here looks at the folder of tables or runs anything.

use super::common::Common;
use super::failure::Failure;
use super::plan::{Graph, Planned};
use super::words;
use hextb::table::EXTENSION;

/// Tables that take less CPU time than this are made on one thread: others would mostly wait.
const SECONDS_FOR_THREADS: f64 = 10.0;
/// What a job under Snakemake asks for beyond the estimate: Snakemake itself, and the roughness of estimates.
const SPARE_MEMORY_MB: u64 = 500;
const MEMORY_FACTOR: f64 = 1.25;
const SPARE_MINUTES: u64 = 10;
const TIME_FACTOR: f64 = 2.0;
/// The width that formatters of Snakefiles and Python keep to.
const SNAKEFILE_WIDTH: usize = 88;

/// A Makefile that makes all tables of a graph.
pub fn makefile(graph: &Graph, common: &Common) -> Result<String, Failure> {
    let folder = folder_name(common, |c| c.is_alphanumeric() || "/._-+@".contains(c), "make")?;
    let variant = graph.variant.name();
    let threads = common.threads().map_or(String::new(), |threads| format!(" --threads {threads}"));
    let file = |name: &String| format!("$(FOLDER)/{name}.{EXTENSION}");
    let mut text = format!(
        "\
# {count} of {variant} for make, as planned by hextb.
#
#   make -j 2 OPTIONS='--quiet --threads 1'        two tables at a time, each on one thread
#   make TABLES=/data/tables HEXTB=/opt/bin/hextb  another folder, another place of the program
#
# A table is made when its file is missing. Ages of files do not count (prerequisites are order-only), for the program
# writes the same bytes every time; files appear complete or not at all.

TABLES ?= {folder}
HEXTB ?= hextb
OPTIONS ?= --quiet{threads}

FOLDER := $(TABLES)/{variant}

.PHONY: all
all:",
        count = words::counted(graph.tables.len(), "table"),
    );
    for table in &graph.tables {
        text += &format!(" \\\n  {}", file(&table.name));
    }
    text += "\n";
    for Planned { name, needs, .. } in &graph.tables {
        let needs: Vec<String> = needs.iter().map(file).collect();
        let needs = if needs.is_empty() { String::new() } else { format!(" | {}", needs.join(" ")) };
        text += &format!(
            "\n{}:{needs}\n\t$(HEXTB) generate {name} --level plain --tables $(TABLES) --variant {variant} $(OPTIONS)\n",
            file(name)
        );
    }
    Ok(text)
}

/// A Snakefile that makes all tables of a graph.
pub fn snakefile(graph: &Graph, common: &Common) -> Result<String, Failure> {
    // Braces would be wildcards.
    let folder = folder_name(common, |c| !c.is_control() && !"{}".contains(c), "Snakemake")?;
    // A JSON string is a Python string.
    let folder = serde_json::to_string(&folder).map_err(|e| Failure::system(format!("cannot write JSON: {e}")))?;
    let variant = graph.variant.name();
    let plan: String = graph.tables.iter().map(plan_entry).collect();
    Ok(format!(
        r#"# {count} of {variant} for Snakemake 8 or later, as planned by hextb.
#
#   snakemake --cores 2
#   snakemake --cores 8 --resources mem_mb=16000 --config tables=/data/tables
#   snakemake --profile scripts/snakemake-slurm    on a cluster; see that profile
#
# Settings for --config: tables, the folder of tables; hextb, the program; conda, the
# name of a conda environment to run it in, if there is one.
#
# A table is made when its file is missing, or one that it needs. Ages of files do not
# count ("ancient"), for the program writes the same bytes every time; files appear
# complete or not at all.
from shlex import quote

TABLES = config.get("tables", {folder})
HEXTB = config.get("hextb", "hextb")
TABLE = f"{{TABLES}}/{variant}/{{{{material}}}}.{EXTENSION}"

# What each table needs, and what its job may take: memory and minutes at the first
# attempt, threads.
PLAN = {{
{plan}}}

# Where the program and the tables are is no part of the command: moving them is no
# reason to make tables again.
shell.prefix(f"hextb={{quote(HEXTB)}}; tables={{quote(TABLES)}}; ")


wildcard_constraints:
    material="|".join(PLAN),


localrules:
    all,


rule all:
    input:
        expand(TABLE, material=PLAN),


rule table:
    input:
        lambda wildcards: ancient(
            expand(TABLE, material=PLAN[wildcards.material]["needs"])
        ),
    output:
        TABLE,
    log:
        "logs/{variant}/{{material}}.log",
    conda:
        lambda wildcards: config.get("conda")
    threads: lambda wildcards: PLAN[wildcards.material]["threads"]
    resources:
        mem_mb=lambda wildcards, attempt: attempt * PLAN[wildcards.material]["mem_mb"],
        runtime=lambda wildcards, attempt: attempt * PLAN[wildcards.material]["runtime"],
    shell:
        '"$hextb" generate {{wildcards.material}} --level plain --variant {variant} --tables "$tables"'
        " --threads {{threads}} --memory {{resources.mem_mb}}MB --quiet >{{log:q}} 2>&1"
"#,
        count = words::counted(graph.tables.len(), "table"),
    ))
}

/// A table's entry in the Snakefile's dictionary, formatted as formatters would.
fn plan_entry(table: &Planned) -> String {
    let Planned { name, needs, estimate, .. } = table;
    let threads = if estimate.cpu_seconds < SECONDS_FOR_THREADS { 1 } else { rayon::current_num_threads() };
    let memory = (estimate.memory as f64 * MEMORY_FACTOR / 1e6).ceil() as u64 + SPARE_MEMORY_MB;
    // As long as it takes on one thread, as Snakemake may give less than was asked for.
    let minutes = (estimate.cpu_seconds * TIME_FACTOR / 60.0).ceil() as u64 + SPARE_MINUTES;
    let quoted: Vec<String> = needs.iter().map(|needed| format!("\"{needed}\"")).collect();
    let mut needs = format!("        \"needs\": [{}],", quoted.join(", "));
    if needs.len() > SNAKEFILE_WIDTH {
        let lines: String = quoted.iter().map(|needed| format!("            {needed},\n")).collect();
        needs = format!("        \"needs\": [\n{lines}        ],");
    }
    format!(
        r#"    "{name}": {{
{needs}
        "mem_mb": {memory},
        "runtime": {minutes},
        "threads": {threads},
    }},
"#
    )
}

/// The folder of tables as a text, if it has none but the characters that can be written in the file.
fn folder_name(common: &Common, good: impl Fn(char) -> bool, program: &str) -> Result<String, Failure> {
    match common.tables.to_str() {
        Some(name) if name.chars().all(good) => Ok(name.to_string()),
        _ => Err(Failure::input(format!(
            "the folder name \"{}\" has characters that {program} does not take; choose another folder with --tables",
            common.tables.display()
        ))),
    }
}

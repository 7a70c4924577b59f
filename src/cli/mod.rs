//! The command line: options, one file for each command, and what becomes of errors.
//!
//! [`run`] reads the arguments and calls a command. A command is a struct of arguments with a `run` method that
//! prints its result and returns the exit status or a [`Failure`]. Commands print what the library reports; they
//! decide nothing about chess or files. Start at [`Command`].

mod annotate;
mod board;
mod census;
mod check;
mod common;
mod counted;
mod export;
mod failure;
mod file;
mod generate;
mod interrupt;
mod line;
mod list;
mod mine;
mod output;
mod pack;
mod plan;
mod probe;
mod progress;
mod stats;
mod verify;
mod words;
mod workflow;

use clap::Parser;
use common::Common;
use failure::{Failure, Status, complain};
use output::Output;
use std::process::ExitCode;

/// Endgame tablebases for hexagonal chess: generate them, ask them, look at them.
///
/// A position has one of five values for the side to move: win (1 point), stalemate-win (3/4: it stalemates the
/// opponent), draw (1/2), stalemate-loss (1/4: it is stalemated) and loss (0). Distances are plies (moves of one side)
/// to the mate or stalemate with best play.
#[derive(Parser)]
#[command(name = "hextb", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = "\
Examples:
  hextb generate --men 3            all tables of up to three men, below the folder tables
  hextb probe '1/1K1/5/7/4k4/11/11/11/10Q/11/11 w - 0 1'
  hextb stats KQK --json

Exit status: 0 done; 1 a check failed or a position is not in the tables; 2 bad usage or input;
3 a damaged file, a system error or too little memory; 130 interrupted while making tables.";

#[derive(clap::Subcommand)]
enum Command {
    Generate(generate::Arguments),
    Plan(plan::Arguments),
    Pack(pack::Arguments),
    Probe(probe::Arguments),
    Line(line::Arguments),
    Annotate(annotate::Arguments),
    Stats(stats::Arguments),
    List(list::Arguments),
    Check(check::Arguments),
    Export(export::Arguments),
    Verify(verify::Arguments),
    Census(census::Arguments),
    Mine(mine::Arguments),
    Board(board::Arguments),
}

impl Command {
    fn run(&self, common: &Common, out: &mut Output) -> Result<Status, Failure> {
        match self {
            Command::Generate(arguments) => arguments.run(common, out),
            Command::Plan(arguments) => arguments.run(common, out),
            Command::Pack(arguments) => arguments.run(common, out),
            Command::Probe(arguments) => arguments.run(common, out),
            Command::Line(arguments) => arguments.run(common, out),
            Command::Annotate(arguments) => arguments.run(common, out),
            Command::Stats(arguments) => arguments.run(common, out),
            Command::List(arguments) => arguments.run(common, out),
            Command::Check(arguments) => arguments.run(common, out),
            Command::Export(arguments) => arguments.run(common, out),
            Command::Verify(arguments) => arguments.run(common, out),
            Command::Census(arguments) => arguments.run(common, out),
            Command::Mine(arguments) => arguments.run(common, out),
            Command::Board(arguments) => arguments.run(common, out),
        }
    }
}

/// Does what the program's arguments ask for.
pub fn run() -> ExitCode {
    interrupt::tell_of_faults();
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
        let what = info.payload().downcast_ref::<String>().map(String::as_str);
        let what = what.or(info.payload().downcast_ref::<&str>().copied()).unwrap_or("no reason given");
        complain(&format!("internal error{place}: {what}; please report it"));
    }));
    let status = std::panic::catch_unwind(|| {
        let mut out = Output::new();
        let (done, options) = match Cli::try_parse() {
            Ok(cli) => (cli.command.run(&cli.common, &mut out), cli.common.options()),
            Err(help) if !help.use_stderr() => {
                (out.drawing(help.to_string().trim_end()).map(|()| Status::Done), String::new())
            }
            Err(error) => return failure::usage(&error),
        };
        let done = done.and_then(|status| out.flush().map(|()| status));
        done.unwrap_or_else(|failure| {
            // What was printed before the failure stands.
            let _ = out.flush();
            let (status, message) = failure.told(&options);
            message.iter().for_each(|message| complain(message));
            status
        })
    });
    status.unwrap_or(Status::System).into()
}

//! The subcommands, and the programs `arbitro` and `arbitro-ref` that run them.

use std::process::ExitCode;

use anyhow::Error;
use clap::{Parser, Subcommand};

use super::{championship, duel, exit, export, okupacio, output, reference, replay, report, xinez};
use crate::championship::entrant::REFERENCE;
use crate::contain::{keeper, probe};

/// Referee of class championships between programs that students wrote.
#[derive(Parser)]
#[command(name = "arbitro", version, propagate_version = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  arbitro championship bots/                  everybody in a folder against everybody
  arbitro duel ./mybot @greedy --games 20     how does my bot do against the reference?
  arbitro duel 'ana=python3 ana.py' ./beto    two students' programs
  arbitro replay results/duel-…  3            look at the third game of a match
  arbitro export results/duel-… > games.sgf   its games of Hex for HexGui, HexWorld and others";

#[derive(Subcommand)]
enum Command {
    Championship(championship::Args),
    Duel(duel::Args),
    Export(export::Args),
    Okupacio(okupacio::Args),
    Replay(replay::Args),
    Report(report::Args),
    Xinez(xinez::Args),
    #[command(name = REFERENCE, hide = true)]
    Reference(reference::Args),
}

/// The program `arbitro`.
pub fn main() -> ExitCode {
    // Before anything else: keepers are started with every match and need no command line parser.
    let first = std::env::args_os().nth(1).unwrap_or_default();
    if first == keeper::SUBCOMMAND {
        return keeper::run();
    }
    if first == probe::SUBCOMMAND {
        return probe::look_around();
    }
    finish(match Cli::parse().command {
        Command::Championship(args) => championship::run(args),
        Command::Duel(args) => duel::run(args),
        Command::Export(args) => export::run(args),
        Command::Okupacio(args) => okupacio::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Report(args) => report::run(args),
        Command::Xinez(args) => xinez::run(args),
        Command::Reference(args) => reference::run(args),
    })
}

/// The program `arbitro-ref`.
pub fn reference_main() -> ExitCode {
    finish(reference::run(reference::Args::parse()))
}

fn finish(result: Result<ExitCode, Error>) -> ExitCode {
    let error = match result {
        Ok(code) => return code,
        Err(error) => error,
    };
    if error.is::<output::ReaderGone>() {
        return ExitCode::SUCCESS;
    }
    output::say(&format!("error: {error:#}"));
    if error.is::<exit::Usage>() { ExitCode::from(exit::USAGE) } else { ExitCode::FAILURE }
}

//! The command line: one file for each subcommand, with its options and what it prints.

mod championship;
mod duel;
mod export;
mod games;
mod okupacio;
mod options;
mod output;
mod people;
mod reference;
mod replay;
mod report;
mod xinez;

use std::process::ExitCode;

use anyhow::Error;
use clap::{Parser, Subcommand};

use crate::contain::{keeper, probe};

/// Bad usage: wrong options, or programs that cannot be started.
const EXIT_USAGE: u8 = 2;
/// Interrupted, with all that was finished in the journal.
const EXIT_INTERRUPTED: u8 = 130;

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
    #[command(name = crate::championship::roster::REFERENCE, hide = true)]
    Reference(reference::Args),
}

/// An error of whoever typed the command.
#[derive(Debug, thiserror::Error)]
#[error("{0:#}")]
struct Usage(Error);

/// Marks an error as bad usage.
fn usage(error: impl Into<Error>) -> Error {
    Usage(error.into()).into()
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
    if error.is::<Usage>() { ExitCode::from(EXIT_USAGE) } else { ExitCode::FAILURE }
}

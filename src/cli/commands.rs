//! The subcommands, and the programs `arbitro` and `arbitro-ref` that run them.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use anyhow::Error;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use super::{
    build, championship, check, duel, exit, export, launch, merge, new, okupacio, output, play, reference,
    replay, report, rerun, wrong_usage, xinez,
};
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
  arbitro championship bots/                  all bots in a folder
  arbitro check ./mybot                       what is wrong with my bot, and how to mend it
  arbitro build handins/                      from students' hand-ins to a championship
  arbitro duel ./mybot @greedy --games 20     my bot against the reference
  arbitro duel 'ana=python3 ana.py' ./beto    two students' programs
  arbitro new python mybot                    begin a bot of my own
  arbitro play human @easy                    play yourself, in the browser
  arbitro replay results/duel-… 3             look at the third game of a match
  arbitro rerun results/duel-… 3 --bot mybot  have a crash once more, in a debugger if wanted
  arbitro export results/duel-… > games.sgf   its games of Hex, for HexGui";

#[derive(Subcommand)]
enum Command {
    Build(build::Args),
    Championship(Box<championship::Args>),
    Check(check::Args),
    Duel(duel::Args),
    Export(export::Args),
    Launch(launch::Args),
    Merge(merge::Args),
    New(new::Args),
    Okupacio(okupacio::Args),
    Play(play::Args),
    Replay(replay::Args),
    Report(report::Args),
    Rerun(rerun::Args),
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
    let command = match parse::<Cli>() {
        Ok(Cli { command }) => command,
        Err(code) => return code,
    };
    finish(match command {
        Command::Build(args) => build::run(args),
        Command::Championship(args) => championship::run(*args),
        Command::Check(args) => check::run(args),
        Command::Duel(args) => duel::run(args),
        Command::Export(args) => export::run(args),
        Command::Launch(args) => launch::run(args),
        Command::Merge(args) => merge::run(args),
        Command::New(args) => new::run(args),
        Command::Okupacio(args) => okupacio::run(args),
        Command::Play(args) => play::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Report(args) => report::run(args),
        Command::Rerun(args) => rerun::run(args),
        Command::Xinez(args) => xinez::run(args),
        Command::Reference(args) => reference::run(args),
    })
}

/// The program `arbitro-ref`.
pub fn reference_main() -> ExitCode {
    match parse() {
        Ok(args) => finish(reference::run(args)),
        Err(code) => code,
    }
}

/// Reads the command line, or says what is wrong with it, or the help that was asked for.
fn parse<T: CommandFactory + FromArgMatches>() -> Result<T, ExitCode> {
    let command = || take_negative_numbers(T::command()).mut_subcommands(take_negative_numbers);
    // Made anew for an error: a copy of all options that nobody needs would stay in the memory of every match.
    let matches = command().try_get_matches_from(with_addresses(std::env::args_os()));
    let error = match matches.and_then(|matches| T::from_arg_matches(&matches)) {
        Ok(parsed) => return Ok(parsed),
        Err(error) => error,
    };
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    if matches!(error.kind(), DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand) {
        // If nobody reads it, there is nobody to tell.
        let _ = error.print();
        return Err(if error.use_stderr() { ExitCode::from(exit::USAGE) } else { ExitCode::SUCCESS });
    }
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    output::say(&wrong_usage::explain(&error, &command(), &words));
    Err(ExitCode::from(exit::USAGE))
}

/// The words of a command line, with an address behind `--live` joined to it: a value that may be missing has to be.
fn with_addresses(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let is_address = |word: &OsStr| {
        let digits = |byte: &u8| byte.is_ascii_digit() || b".:".contains(byte);
        word.as_encoded_bytes().first().is_some_and(u8::is_ascii_digit)
            && word.as_encoded_bytes().iter().all(digits)
    };
    let mut joined: Vec<OsString> = Vec::new();
    for word in words {
        match joined.last_mut() {
            Some(last) if *last == "--live" && is_address(&word) => {
                last.push("=");
                last.push(word);
            }
            _ => joined.push(word),
        }
    }
    joined
}

/// Has every option take `-1` for its value and not for an option, so that it is refused as what it is.
fn take_negative_numbers(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| match arg.is_positional() || !arg.get_action().takes_values() {
        true => arg,
        false => arg.allow_negative_numbers(true),
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_behind_live_belongs_to_it() {
        let joined = |words: &[&str]| with_addresses(words.iter().map(OsString::from));
        assert_eq!(joined(&["duel", "--live", "8791", "@easy"]), ["duel", "--live=8791", "@easy"]);
        assert_eq!(joined(&["duel", "--live", "0.0.0.0:80"]), ["duel", "--live=0.0.0.0:80"]);
        assert_eq!(joined(&["duel", "--live", "./8791", "8"]), ["duel", "--live", "./8791", "8"]);
    }
}

//! `arbitro report`: computing the tables of a championship again.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args as ClapArgs;

use super::contest::{contest_error, print_result};
use super::output::warn;
use crate::championship::contest;

/// Rebuild the tables of a championship from its journal
#[derive(ClapArgs)]
#[command(after_help = "\
Examples:
  arbitro report results/2026          rebuild standings.csv, crosstable.csv and games.csv, and print the table")]
pub struct Args {
    /// The folder of the championship
    folder: PathBuf,
    /// Print the result as JSON, for programs
    #[arg(long)]
    json: bool,
}

/// Rebuilds the tables.
pub fn run(args: Args) -> Result<ExitCode> {
    let report = contest::report(&args.folder, warn).map_err(contest_error)?;
    print_result(&args.folder, &report, args.json)?;
    Ok(ExitCode::SUCCESS)
}

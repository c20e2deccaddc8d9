//! `arbitro report`: computing the tables of a championship again.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args as ClapArgs;

use super::contest::{contest_error, print_result};
use super::exit::usage;
use super::output::warn;
use super::recorded::in_folder;
use super::report_page::{PageOptions, write_page};
use crate::championship::{contest, settings};

/// Rebuild the tables of a championship from its journal
#[derive(ClapArgs)]
#[command(after_help = "\
Examples:
  arbitro report results/2026    rebuild its CSV files, and print the table")]
pub struct Args {
    /// The folder of the championship
    folder: PathBuf,
    /// Print the result as JSON, for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    page: PageOptions,
}

/// Rebuilds the tables.
pub fn run(args: Args) -> Result<ExitCode> {
    if !args.folder.is_dir() {
        let (there, folder) = (args.folder.exists(), args.folder.display());
        let what = if there {
            format!("'{folder}' is not a folder")
        } else {
            format!("there is no folder '{folder}'")
        };
        return Err(usage(anyhow!("{what}; name that of a championship or a duel, such as results/2026")));
    }
    in_folder(&args.folder, settings::FILE_NAME, "report").map_err(usage)?;
    let report = contest::report(&args.folder, warn).map_err(contest_error)?;
    write_page(&args.folder, &report, &args.page)?;
    print_result(&args.folder, &report, args.json)?;
    Ok(ExitCode::SUCCESS)
}

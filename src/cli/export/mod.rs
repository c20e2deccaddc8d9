//! `arbitro export`: recorded games in the formats of the Hex world, and all that there is of one bot in a folder for whoever wrote it.

mod readme;
mod students;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::{Args as ClapArgs, ValueEnum};

use super::exit::usage;
use super::numbers::whole;
use super::output::{check_replaceable, print};
use super::recorded::{Games, LAST_NUMBER};
use crate::record::{GameRecord, hexworld, sgf};
use students::Students;

/// Write games of Hex for other programs (SGF files, or links to HexWorld), or all that there is of one bot, for its author
#[derive(ClapArgs)]
#[command(after_help = "\
With --bot, a new folder gets all that whoever wrote that bot may have: its games as a page for browsers, as texts with verdicts in \
words, as SGF files (Hex) and as a journal for 'arbitro replay', what it wrote to stderr, and its lines of the tables. Nothing of other \
programs is in it but what they played, and no path of this machine.

SGF files open in HexGui, HexWorld and libraries for game records. Black is the program that began; a swap is written as \
swap-pieces, after which the board is seen in the mirror. 'arbitro replay' and '--openings' read SGF files.

Examples:
  arbitro export results/2026 > games.sgf            all games, in one file
  arbitro export results/2026 3 --out game3.sgf      game 3
  arbitro export results/2026 --format hexworld      a link for each game
  arbitro export results/2026 --bot 'Ana Silva' --out for-ana
  arbitro export results/2026 --all-bots --out feedback    a folder for each student, such as 'feedback/Ana Silva'")]
pub struct Args {
    /// The journal, the folder that holds it, or an SGF file; with --bot, the folder of a championship
    games: PathBuf,
    /// The number of the game [default: all of them]
    #[arg(allow_negative_numbers = true, value_parser = whole::<u32>(1..=LAST_NUMBER))]
    game: Option<u32>,
    /// What to write
    #[arg(long, value_enum, default_value = "sgf")]
    format: Format,
    /// Write all that there is of this bot into a folder; repeated, into a folder for each
    #[arg(long, value_name = "NAME", conflicts_with_all = ["game", "format"])]
    bot: Vec<String>,
    /// The same for every bot that was handed in
    #[arg(long, conflicts_with_all = ["bot", "game", "format"])]
    all_bots: bool,
    /// Give the bots the invented names that 'arbitro report --pseudonyms' gives them
    #[arg(long)]
    pseudonyms: bool,
    /// The file to write to [default: stdout]; with --bot or --all-bots a folder, which is new or empty
    #[arg(long, short, value_name = "FILE|FOLDER")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// An SGF file, as HexGui and HexWorld read it
    Sgf,
    /// A link on each line
    Hexworld,
}

/// Writes the games.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.all_bots || !args.bot.is_empty() {
        let Some(out) = &args.out else {
            return Err(usage(anyhow!("name a new folder with --out, such as --out for-students")));
        };
        let students = Students::read(args.games, args.pseudonyms)?;
        return if args.all_bots { students.write_all(out) } else { students.write(&args.bot, out) };
    }
    if args.pseudonyms {
        return Err(usage(anyhow!(
            "--pseudonyms goes with --bot or --all-bots; of single games, all names are told"
        )));
    }
    let games = Games::read(args.games, "export")?;
    let chosen: Vec<&GameRecord> = match games.game(args.game)? {
        Some(record) => vec![record],
        None => games.records.iter().collect(),
    };
    let mut text = String::new();
    for record in chosen {
        text += &match args.format {
            Format::Sgf => sgf::write(record)?,
            Format::Hexworld => hexworld::link(record)? + "\n",
        };
    }
    match &args.out {
        Some(path) => {
            check_replaceable(path, text.get(..2).unwrap_or_default())?;
            let written = std::fs::write(path, text);
            written.with_context(|| format!("cannot write '{}'", path.display())).map_err(usage)?
        }
        None => print(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

//! `arbitro export`: recorded games in the formats of the Hex world.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args as ClapArgs, ValueEnum};

use super::exit::usage;
use super::numbers::whole;
use super::output::print;
use super::recorded::{Games, LAST_NUMBER};
use crate::record::{GameRecord, hexworld, sgf};

/// Write games of Hex for other programs: SGF files, or links to HexWorld
#[derive(ClapArgs)]
#[command(after_help = "\
SGF files open in HexGui, HexWorld and libraries for game records. Black is the program that began; a swap is written as \
swap-pieces, after which the board is seen in the mirror. 'arbitro replay' and '--openings' read SGF files.

Examples:
  arbitro export results/2026 > games.sgf            all games, in one file
  arbitro export results/2026 3 --out game3.sgf      game 3
  arbitro export results/2026 --format hexworld      a link for each game")]
pub struct Args {
    /// The journal, the folder that holds it, or an SGF file
    games: PathBuf,
    /// The number of the game [default: all of them]
    #[arg(allow_negative_numbers = true, value_parser = whole::<u32>(1..=LAST_NUMBER))]
    game: Option<u32>,
    /// What to write
    #[arg(long, value_enum, default_value = "sgf")]
    format: Format,
    /// The file to write to [default: stdout]
    #[arg(long, short, value_name = "FILE")]
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
        Some(path) => std::fs::write(path, text)
            .with_context(|| format!("cannot write '{}'", path.display()))
            .map_err(usage)?,
        None => print(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

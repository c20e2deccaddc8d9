//! Options that several subcommands share: as they are typed, and what they mean.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use super::usage;
use crate::championship::roster::{self, Entrant};
use crate::game::Setup;
use crate::record::journal::{self, Journal};
use crate::referee::Terms;
use crate::referee::bot::Output;
use crate::referee::clock::{TimeControl, parse_seconds, parse_seconds_or_zero};

/// Which game is played.
#[derive(Args)]
pub struct GameOptions {
    /// The game
    #[arg(long, default_value = "hex", env = "ARBITRO_GAME", hide_env = true)]
    game: String,
    /// Size of the board [default: the game's usual one, 14 for hex]
    #[arg(long, value_name = "N", env = "ARBITRO_SIZE", hide_env = true)]
    size: Option<u32>,
}

impl GameOptions {
    /// The game that was asked for.
    pub fn setup(&self) -> Result<Setup> {
        Setup::new(&self.game, self.size).map_err(usage)
    }
}

/// How games are played.
#[derive(Args)]
pub struct TermsOptions {
    /// Time of each program for a whole game, in seconds, with an optional increment per move: 60 or 60+0.5
    #[arg(long, value_name = "BASE[+INC]", default_value = "60", allow_hyphen_values = true)]
    time: TimeControl,
    /// The most that one move may take, in seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_hyphen_values = true)]
    move_time: Option<Duration>,
    /// How long a program may take to come up before its clock runs, in seconds
    #[arg(long, value_name = "S", default_value = "5", value_parser = parse_seconds_or_zero, allow_hyphen_values = true)]
    startup: Duration,
    /// Give programs a plain pipe as stdout instead of a pseudo-terminal: those that never flush will be silent
    #[arg(long)]
    pipes: bool,
    /// Make the first line that is not a move, or comes out of turn, a loss
    #[arg(long)]
    strict: bool,
    /// How many illegal moves a program may take back in a game
    #[arg(long, value_name = "N", default_value_t = 0)]
    retries: u32,
    /// Start programs with the further argument `d`, which asks for the board on stderr
    #[arg(long)]
    debug_bots: bool,
}

impl From<&TermsOptions> for Terms {
    fn from(options: &TermsOptions) -> Terms {
        Terms {
            time: options.time,
            move_time: options.move_time,
            startup: options.startup,
            output: if options.pipes { Output::Pipe } else { Output::Terminal },
            strict: options.strict,
            retries: options.retries,
            debug_bots: options.debug_bots,
        }
    }
}

/// How many games run at a time, and where.
#[derive(Args)]
pub struct RunOptions {
    /// Games played at the same time [default: half the cores, at least 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    /// Do not bind each game to one core
    #[arg(long)]
    pub no_pin: bool,
    /// Seed of everything that is drawn by lot [default: a new one each time, written to the journal]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print the result as JSON, for programs
    #[arg(long)]
    pub json: bool,
    /// No progress, only the result
    #[arg(long, short)]
    pub quiet: bool,
}

impl RunOptions {
    /// The number of games at a time.
    pub fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(|| (cores() / 2).max(1), usize::from)
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| fastrand::u64(..))
    }
}

/// The programs of these texts, with names of their own.
pub fn entrants(texts: &[String]) -> Result<Vec<Entrant>> {
    let mut entrants =
        texts.iter().map(|text| Entrant::parse(text)).collect::<Result<Vec<_>, _>>().map_err(usage)?;
    roster::make_names_unique(&mut entrants);
    Ok(entrants)
}

/// The folder for the results of something new, `results/PREFIX<date-time>` unless one is given, with its journal.
pub fn new_folder(given: Option<PathBuf>, prefix: &str) -> Result<(PathBuf, Journal)> {
    let folder = given.unwrap_or_else(|| {
        let now = jiff::Zoned::now().strftime("%Y-%m-%d-%H%M%S").to_string();
        let name = |number: u32| match number {
            1 => format!("{prefix}{now}"),
            _ => format!("{prefix}{now}-{number}"),
        };
        // Two in one second are two all the same.
        (1..)
            .map(|number| Path::new("results").join(name(number)))
            .find(|path| !path.exists())
            .unwrap_or_default()
    });
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder '{}'", folder.display()))
        .map_err(usage)?;
    let path = folder.join(journal::FILE_NAME);
    if path.exists() {
        let folder = folder.display();
        return Err(usage(anyhow::anyhow!("'{folder}' holds games already; give another folder with --out")));
    }
    let journal = Journal::create(&path)
        .with_context(|| format!("cannot write '{}'", path.display()))
        .map_err(usage)?;
    Ok((folder, journal))
}

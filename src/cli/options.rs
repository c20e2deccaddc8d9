//! Options that several subcommands share: as they are typed, and what they mean.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::exit::usage;
use super::numbers::whole;
use super::output::{say, warn};
use crate::championship::config::Config;
use crate::championship::containment::Containment;
use crate::championship::copies::USUAL_LIMIT;
use crate::championship::cores;
use crate::championship::settings_keys::MOST_JOBS;
use crate::championship::text_file::{self, FileProblem};
use crate::contain::probe;
use crate::contain::spec::{Limits, Output, Size, Tier};
use crate::game::{BoardOptions, GAMES, Rules, Setup, SetupError};
use crate::record::Terms;
use crate::record::terms::ClockKind;
use crate::record::text::counted;
use crate::record::time_control::{TimeControl, parse_seconds, parse_seconds_or_zero};
use crate::serve::listen::Listen;

/// Which game is played.
#[derive(Args)]
pub struct GameOptions {
    /// The game [default: hex]
    #[arg(long, value_name = "GAME", value_parser = PossibleValuesParser::new(GAMES.iter().map(|rules| rules.name)))]
    pub game: Option<String>,
    /// Size of the board: 2 to 26 for hex and rhex [default: 14], 1 to 25 for okupacio [10], 1 to 6 for xinez [4]
    #[arg(long, value_name = "N", value_parser = board_size)]
    pub size: Option<u32>,
    /// File of the board, for okupacio [default: an open board]
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    pub board: Option<PathBuf>,
}

impl GameOptions {
    /// The game that was asked for, with so many seats; what was not said is taken from `config`.
    pub fn setup(&self, seats: Option<u32>, config: &Config) -> Result<Setup> {
        let game = self.game.as_ref().or(config.game.as_ref()).map_or("hex", String::as_str);
        let of_file = |path: &Path| format!("cannot use the board in '{}'", path.display());
        let read = |path: &PathBuf| board_text(path).with_context(|| of_file(path)).map_err(usage);
        let board = self.board.as_ref().or(config.board_file.as_ref().filter(|_| self.size.is_none()));
        // Before it is read: whatever is in the file, or if there is none, the game has no use for it.
        let has_no_boards = |rules: &&Rules| rules.name == game && !rules.board_texts;
        if let Some(rules) = GAMES.iter().find(has_no_boards).filter(|_| board.is_some()) {
            let error = SetupError::NoBoards(rules.name);
            return Err(usage(anyhow!("{error}: give its size with --size instead of --board")));
        }
        let text = board.map(read).transpose()?;
        // A size takes the place of the board that another championship had.
        let text = text.or_else(|| config.board.clone().filter(|_| self.size.is_none()));
        let options = BoardOptions { size: self.size.or(config.size), seats: seats.or(config.seats), text };
        Setup::new(game, options).map_err(|error| match (board, error) {
            (Some(path), SetupError::Board(why)) => usage(anyhow!(why).context(of_file(path))),
            (_, error) => usage(error),
        })
    }
}

/// Reads the size of a board. How large it may be depends on the game.
pub fn board_size(text: &str) -> Result<u32, String> {
    let most = GAMES.iter().map(|rules| *rules.sizes.end()).max().unwrap_or_default();
    let sides: Vec<&str> = text.split(['x', 'X', '×', '*']).collect();
    match sides[..] {
        [side, other] if side == other && !side.is_empty() => {
            Err(format!("a board has one size for both sides: write {side}, not {text}"))
        }
        // Sizes that only some game has are refused where the game is known.
        _ => match text.parse() {
            Ok(size) if text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(size),
            _ => whole(1..=u64::from(most))(text),
        },
    }
}

/// What stands in the file of a board.
pub fn board_text(path: &Path) -> Result<String> {
    let kind = path.metadata().map_err(FileProblem::from)?;
    ensure!(!kind.is_dir(), FileProblem::Folder);
    // Before it is opened: a pipe would keep us waiting for a writer.
    ensure!(kind.is_file(), "it is not a regular file");
    let text = text_file::read(path)?;
    // Nothing would be taken for a board without walls.
    ensure!(!text.trim().is_empty(), "it is empty");
    Ok(text)
}

/// How games between programs are played.
#[derive(Args)]
pub struct MatchTermsOptions {
    /// What clocks measure: the time that passes, or processor time, for machines that are shared [default: wall]
    #[arg(long, value_name = "CLOCK", value_enum, hide_possible_values = false)]
    clock: Option<ClockKind>,
    /// Let programs think while it is not their turn, each on a core of its own; otherwise they are stopped meanwhile
    #[arg(long)]
    ponder: bool,
    #[arg(long, hide = true, conflicts_with = "ponder")]
    no_ponder: bool,
    #[command(flatten)]
    common: TermsOptions,
}

impl MatchTermsOptions {
    /// The terms; what was not said is taken from `config`.
    pub fn terms(&self, config: &Config) -> Terms {
        let base = &config.terms;
        let (clock, ponder) =
            (self.clock.unwrap_or(base.clock), self.ponder || base.ponder && !self.no_ponder);
        Terms { clock, ponder, ..self.common.terms(config) }
    }
}

/// How games are played, with people or without.
#[derive(Args)]
pub struct TermsOptions {
    /// Time of each program for a whole game, in seconds, with an optional increment per move: 60 or 60+0.5 [default: 60]
    #[arg(long, value_name = "BASE[+INC]", allow_hyphen_values = true)]
    time: Option<TimeControl>,
    /// The most that one move may take, in seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_hyphen_values = true)]
    move_time: Option<Duration>,
    /// How long a program may take to start before its clock runs, in seconds [default: 5]
    #[arg(long, value_name = "S", value_parser = parse_seconds_or_zero, allow_hyphen_values = true)]
    startup: Option<Duration>,
    /// How much processor time a program may use to start before its clock runs, in seconds [default: 1]
    #[arg(long, value_name = "S", value_parser = parse_seconds_or_zero, allow_hyphen_values = true)]
    startup_cpu: Option<Duration>,
    /// Give programs a plain pipe as stdout instead of a pseudo-terminal; moves that are never flushed will not arrive
    #[arg(long)]
    pipes: bool,
    /// Make the first line that is not a move, or comes out of turn, a loss
    #[arg(long)]
    strict: bool,
    /// How many illegal moves a program may take back in a game [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=1_000_000))]
    retries: Option<u32>,
    /// Start programs with a further argument d, which asks them to print the board to stderr
    #[arg(long)]
    debug_bots: bool,
    #[command(flatten)]
    limits: LimitsOptions,
}

/// What programs may use.
#[derive(Args)]
#[command(next_help_heading = "Containment")]
struct LimitsOptions {
    /// Memory of a program, all of its processes together [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<Size>,
    /// Processes and threads of a program [default: 256]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=100_000))]
    processes: Option<u32>,
    /// Open files of a process [default: 256]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(8..=100_000))]
    open_files: Option<u32>,
    /// The largest file that a program may write [default: 64M]
    #[arg(long, value_name = "SIZE")]
    file_size: Option<Size>,
    /// How much a program may write to its working directory in all [default: 64M]
    #[arg(long, value_name = "SIZE")]
    scratch: Option<Size>,
}

/// The least that any program needs to come up.
const LEAST_MEMORY: Size = Size(16 << 20);

fn memory(text: &str) -> Result<Size, String> {
    match text.parse()? {
        size if size < LEAST_MEMORY => Err(format!(
            "'{text}' is too little for any program; give {LEAST_MEMORY} or more, such as 512M or 1G"
        )),
        size => Ok(size),
    }
}

impl LimitsOptions {
    fn limits(&self, base: &Limits) -> Limits {
        Limits {
            memory: self.memory.unwrap_or(base.memory),
            processes: self.processes.unwrap_or(base.processes),
            open_files: self.open_files.unwrap_or(base.open_files),
            file_size: self.file_size.unwrap_or(base.file_size),
            scratch: self.scratch.unwrap_or(base.scratch),
        }
    }
}

/// How programs are contained.
#[derive(Args)]
#[command(next_help_heading = "Containment")]
pub struct SandboxOptions {
    /// Do not contain programs at all; only for your own
    #[arg(long, conflicts_with_all = ["require_sandbox", "tier"])]
    pub(super) no_sandbox: bool,
    /// Refuse to start unless full containment (tier A) is available
    #[arg(long)]
    pub(super) require_sandbox: bool,
    /// Let programs read this too: a file or folder, such as a library outside the system
    #[arg(long, value_name = "PATH")]
    pub(super) allow_read: Vec<PathBuf>,
    /// Contain programs no better than this; C, which hardly contains them, must be asked for [default: the best there is]
    #[arg(long, value_name = "TIER", ignore_case = true)]
    pub(super) tier: Option<Tier>,
    /// The largest size of all files of a bot, which are copied before the first game [default: 1G]
    #[arg(long, value_name = "SIZE")]
    copy_limit: Option<Size>,
}

impl SandboxOptions {
    /// How well programs can be contained here, which is told unless `quiet`; nothing if they are not to be. What was not said is
    /// taken from `config`.
    pub fn containment(&self, config: &Config, quiet: bool) -> Result<Option<Containment>> {
        if self.no_sandbox {
            return Ok(None);
        }
        if let Some(tier) = self.tier.filter(|&tier| self.require_sandbox && tier != Tier::A) {
            return Err(usage(anyhow!(
                "--require-sandbox asks for tier A, and --tier for {tier}; give one of them"
            )));
        }
        let allow_read = if self.allow_read.is_empty() { &config.allow_read } else { &self.allow_read };
        let allow_read = allow_read.iter().map(|path| {
            let missing = || usage(anyhow!("--allow-read '{}' does not exist", path.display()));
            path.canonicalize().map_err(|_| missing())
        });
        let allow_read = allow_read.collect::<Result<Vec<PathBuf>>>()?;
        let (best, obstacles) = probe::best_tier()?;
        let tier = self.tier.map_or(best, |tier| tier.min(best));
        let why = if obstacles.is_empty() { "as was asked for".to_owned() } else { obstacles.join("; ") };
        if self.require_sandbox && tier != Tier::A {
            return Err(anyhow!(
                "programs cannot be contained completely, and --require-sandbox is given: {why}"
            ));
        }
        match tier {
            Tier::A if !quiet => say("programs are contained: tier A"),
            Tier::A => {}
            Tier::B => warn(format!("programs are contained in part only: tier B ({why})")),
            Tier::C if self.tier != Some(Tier::C) => {
                return Err(anyhow!(
                    "programs can hardly be contained here ({why}); docs/security.md says what to do. To play \
                     programs that you trust, which can read and change all that you can, add --tier C"
                ));
            }
            Tier::C => warn(format!(
                "programs are hardly contained: tier C ({why}). They can read and change all that you can; play only \
                 programs that you trust"
            )),
        }
        Ok(Some(Containment { tier, allow_read }))
    }

    /// The most that the files of one bot may hold; if it was not said, from `config`.
    pub fn copy_limit(&self, config: &Config) -> Size {
        self.copy_limit.or(config.copy_limit).unwrap_or(USUAL_LIMIT)
    }
}

impl TermsOptions {
    /// The terms; what was not said is taken from `config`.
    pub fn terms(&self, config: &Config) -> Terms {
        let base = &config.terms;
        Terms {
            time: self.time.unwrap_or(base.time),
            move_time: self.move_time.or(base.move_time),
            startup: self.startup.unwrap_or(base.startup),
            startup_cpu: self.startup_cpu.unwrap_or(base.startup_cpu),
            output: if self.pipes { Output::Pipe } else { base.output },
            strict: self.strict || base.strict,
            retries: self.retries.unwrap_or(base.retries),
            debug_bots: self.debug_bots || base.debug_bots,
            limits: self.limits.limits(&base.limits),
            ..base.clone()
        }
    }
}

/// What duels and championships share.
#[derive(Args)]
pub struct ContestOptions {
    /// What it is called, on the report and on every screen
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    #[command(flatten)]
    pub game: GameOptions,
    #[command(flatten)]
    pub run: RunOptions,
    #[command(flatten)]
    pub terms: MatchTermsOptions,
    #[command(flatten)]
    pub sandbox: SandboxOptions,
}

/// How many games run at a time, and where.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub struct RunOptions {
    /// Games played at the same time [default: half the cores, at least 1; with --ponder as many as there are cores for]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=MOST_JOBS.into()))]
    pub(super) jobs: Option<u16>,
    /// Do not bind each game to one core
    #[arg(long)]
    pub(super) no_pin: bool,
    /// Seed of everything that is drawn by lot [default: a new one each time, kept with the results]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// Go on in a folder although bots or settings have changed since it was begun
    #[arg(long)]
    pub accept_changes: bool,
    /// Keep control characters in what programs write to stderr, instead of making them visible
    #[arg(long)]
    pub raw_logs: bool,
    /// Keep the files that programs write into their working directory, in scratch/ among the results
    #[arg(long, conflicts_with = "no_sandbox")]
    pub keep_scratch: bool,
    /// Show the games in the browser while they are played, at this address: PORT, HOST or HOST:PORT, and after commas
    /// other names of this machine [default: 127.0.0.1:8750, for browsers on this machine only]
    #[arg(long, value_name = "ADDR", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub live: Option<Listen>,
    /// Print the result as JSON, for programs
    #[arg(long)]
    pub json: bool,
    /// Print only the result, no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// How many games run at a time, and whether they are bound to cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// Games at a time.
    pub jobs: usize,
    /// Whether each is bound to cores of its own.
    pub pin: bool,
}

impl ContestOptions {
    /// The games at a time, for games on these terms with so many seats. Where bots may ponder and there are too few cores for
    /// that, it is refused.
    pub fn workers(&self, terms: &Terms, seats: u8) -> Result<Workers> {
        let (cores, pin) = (cores::count(), !self.run.no_pin);
        let jobs = self.run.jobs.map(usize::from);
        if !terms.ponder {
            return Ok(Workers { jobs: jobs.unwrap_or(cores / 2).max(1), pin });
        }
        let remedy = match self.terms.ponder {
            true => "leave --ponder out",
            false => "add --no-ponder, and --accept-changes to go on with what was begun with it",
        };
        if !pin {
            return Err(usage(anyhow!(
                "bots that ponder are bound to a core each, and --no-pin binds nobody; leave --no-pin out, or {remedy}"
            )));
        }
        let (seats, most) = (usize::from(seats), cores / usize::from(seats));
        let jobs = jobs.unwrap_or(most).max(1);
        if jobs > most {
            let (games, needed) = (counted(jobs, "game"), jobs * seats);
            let (there_are, fewer) = (
                if cores == 1 { "there is 1".to_owned() } else { format!("there are {cores}") },
                if most == 0 { String::new() } else { format!("give --jobs {most}, or ") },
            );
            return Err(usage(anyhow!(
                "bots that ponder need a core each: with {games} at a time and {seats} bots in each that is {needed} \
                 cores, and {there_are}; {fewer}{remedy}"
            )));
        }
        Ok(Workers { jobs, pin })
    }
}

//! The options of `arbitro-ref`.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::builder::{PossibleValue, Resettable, TypedValueParser};
use clap::{Parser, ValueEnum};

use super::evaluate;
use super::network_file::{parse_kernel, read_network};
#[cfg(target_arch = "x86_64")]
use super::train;
use crate::cli::numbers::whole;
use crate::cli::options::board_size;
use crate::engine::Level;
use crate::engine::hex::net::Kernel;
use crate::engine::hex::options::HexOptions;
use crate::engine::seating::EngineOptions;
use crate::record::time_control::{parse_seconds, parse_seconds_or_zero};

/// The reference player of arbitro. It is started like any student's program, prints its moves one on a line, and reads those of
/// the others, as docs/protocol.md describes for each game.
#[derive(Parser)]
#[command(
    name = "arbitro-ref",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Levels, each stronger than the one before:
  random    any legal move
  greedy    the best move at first sight: in hex where most ways lead through,
            in rhex for the most tokens at once among some cells, in okupacio
            for the most cells, in xinez for the highest sum of w (the
            hand-out's robot)
  easy      hex, rhex: plays some games out in thought; okupacio: considers
            the best reply; xinez: the best of its own moves
  medium    hex: many such games; rhex: some more; okupacio: looks one action
            further ahead; xinez: considers the reply
  hard      hex: the network's move, with little search; rhex: more games, and
            perfect towards the end, on boards up to 4 always; okupacio: three
            actions further ahead; xinez: one move further ahead
  max       as much as the clock allows; in hex a search that the network
            guides

Examples:
  arbitro-ref b                    play white, and begin
  arbitro-ref p d --level random   play black, at random, and show the board
  arbitro-ref b --game rhex --level hard
  arbitro-ref B 3 board.txt --game okupacio
  arbitro-ref 4 14 2 --game xinez  player 4 of 1 and 4, on the star of 2
  arbitro-ref --analyse 7 7 3 9    what it thinks of hex after these moves
  arbitro-ref --solve --size 6     who wins after each first move
  arbitro-ref --solve game.sgf --time 60 --winning-moves
  arbitro-ref --htp                an engine, for example for HexGui"
)]
pub struct Args {
    /// What to do instead of playing.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What programs of the game are started with. Hex and rhex: b (white, begins) or p (black); okupacio: the player's letter,
    /// the number of players and the file of the board; xinez: the player, the digits of all players and the board's N, as in
    /// 4 14 4. A further d prints the board to stderr after every move
    #[arg(required_unless_present_any = ["htp", "analyse", "solve"], value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
    /// Serve HexGui and other controllers of Hex engines: read commands of HTP and answer them, until told to quit
    #[arg(long, conflicts_with = "arguments")]
    pub htp: bool,
    /// How well it plays; see below for what each game has
    #[arg(long, default_value = "greedy", value_parser = LevelParser)]
    pub level: Level,
    /// The game [default: hex]
    #[arg(long, env = "ARBITRO_GAME", hide_env = true, default_value = "hex", hide_default_value = true)]
    pub game: String,
    /// Size of the board [default: the game's usual one, 14 for hex]
    #[arg(long, value_name = "N", env = "ARBITRO_SIZE", hide_env = true, value_parser = board_size)]
    pub size: Option<u32>,
    /// First moves to be played, by both sides in turn, such as '2 3, 7 7'
    #[arg(
        long,
        value_name = "MOVES",
        env = "ARBITRO_OPENING",
        hide_env = true,
        default_value = "",
        hide_default_value = true
    )]
    pub opening: String,
    /// Seconds it has for the whole game [default: no clock, and at most one second for a move]
    #[arg(long, value_name = "S", env = "ARBITRO_TIME", hide_env = true, value_parser = parse_seconds)]
    pub time: Option<Duration>,
    /// Seconds it gains with each move
    #[arg(
        long,
        value_name = "S",
        env = "ARBITRO_INC",
        hide_env = true,
        value_parser = parse_seconds_or_zero,
        default_value = "0",
        hide_default_value = true
    )]
    pub increment: Duration,
    /// Seed of its dice [default: a new one each time]
    #[arg(long, value_name = "N", env = "ARBITRO_SEED", hide_env = true, value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Hex: the most positions to look at for a move after the first. With --seed, on one thread and without a clock, every game on
    /// this machine is the same
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1_000_000_000_000))]
    pub nodes: Option<u64>,
    /// Hex: threads to think on
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole::<u8>(1..=64))]
    pub threads: u8,
    /// Hex: instead of playing, think about the position after the moves given, such as 2 3 7 7, or at the end of the game in an SGF
    /// file (of several, add its number), for --time seconds (or one), and show what is found
    #[arg(long)]
    pub analyse: bool,
    /// Hex: instead of playing, find out who wins such a position, for sure; of the empty board, after each first move. All first
    /// moves take a second on a board of 6 and half a minute on one of 7. --time is the most seconds to search
    #[arg(long, conflicts_with = "analyse")]
    pub solve: bool,
    /// Hex: with --solve, find all moves that win
    #[arg(long, requires = "solve")]
    pub winning_moves: bool,
    /// Hex: never take over the first stone, for matches with openings that are played from both sides
    #[arg(long)]
    pub no_swap: bool,
    /// Hex: another network than the one that is built in
    #[arg(long, value_name = "FILE", hide = true)]
    pub network: Option<PathBuf>,
    /// Hex: how to compute
    #[arg(long, value_name = "KERNEL", hide = true, value_parser = parse_kernel)]
    pub kernel: Option<Kernel>,
}

/// What the program does beside playing a game.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Has the network of Hex learn by playing itself, and go on where it stopped
    #[cfg(target_arch = "x86_64")]
    #[command(hide = true)]
    Train(train::Args),
    /// Tells what the network of Hex says about positions, number by number
    #[command(alias = "judge", hide = true)]
    Evaluate(evaluate::Args),
}

/// Reads the name of a level.
#[derive(Clone)]
struct LevelParser;

impl TypedValueParser for LevelParser {
    type Value = Level;

    /// As the roster reads it, with the same message.
    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Level, clap::Error> {
        str::parse::<Level>.parse_ref(command, arg, value)
    }

    /// The names, without a help text each: what a level does depends on the game, and is told below the options.
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = Level::value_variants().iter().filter_map(Level::to_possible_value);
        Some(Box::new(names.map(|name| name.help(Resettable::Reset))))
    }
}

impl Args {
    /// How the engine is to play. The seed is for where none was given.
    pub fn engine_options(&self, seed: impl FnOnce() -> u64) -> Result<EngineOptions> {
        Ok(EngineOptions {
            level: self.level,
            seed: self.seed.unwrap_or_else(seed),
            size: self.size,
            opening: self.opening.clone(),
            time: self.time,
            increment: self.increment,
            hex: HexOptions {
                nodes: self.nodes,
                threads: self.threads.into(),
                swaps: !self.no_swap,
                kernel: self.kernel,
                network: self.network.as_deref().map(read_network).transpose()?,
            },
        })
    }
}

//! `arbitro-ref`: the reference engine.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;

use super::{study, usage};
use crate::engine::console::play;
use crate::engine::hex::net::Kernel;
use crate::engine::hex::net::weights::Weights;
use crate::engine::htp::{self, Server};
use crate::engine::limit::OwnClock;
use crate::engine::{Level, Player, hex, okupacio, rhex, xinez};
use crate::game::hex::Hex;
use crate::game::okupacio::{MAX_PLAYERS, Okupacio, letter};
use crate::game::rhex::Rhex;
use crate::game::xinez::{Players, RULES as XINEZ, Xinez};
use crate::game::{Game, Seat, Setup, Wishes};
use crate::referee::clock::{parse_seconds, parse_seconds_or_zero};

/// The reference player of arbitro, started like any student's program: it prints its moves, one on a line, and reads the
/// others', as the page on the protocol has it for each game.
#[derive(Parser)]
#[command(
    name = "arbitro-ref",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Levels, each stronger than the one before:
  random    any legal move
  greedy    the best move at first sight: in hex where most ways lead through, in rhex for the most tokens at once, in okupacio for the
            most cells, in xinez for the highest sum of w (the hand-out's robot)
  easy      hex and rhex: some games played out in thought; okupacio: with the best reply in mind; xinez: two own moves ahead
  medium    hex: many such games; rhex: some more, and exact play on the last moves; okupacio: one action further ahead;
            xinez: three own moves
  hard      hex: the network's move, with little search; rhex: many games, and exact play towards the end; boards up to 4 it plays
            perfectly; okupacio: three actions further; xinez: four own moves
  max       as much as the clock allows; in hex a search that the network guides

Examples:
  arbitro-ref b                    play white, and begin
  arbitro-ref p d --level random   play black, at random, with the board on stderr
  arbitro-ref b --game rhex --level hard
  arbitro-ref B 3 board.txt --game okupacio
  arbitro-ref 4 14 2 --game xinez  player 4 of 1 and 4, on the star of 2
  arbitro-ref --analyse '7 7' '3 9' --time 5      what it thinks of a position of hex
  arbitro-ref --solve --size 5     who wins after each first move
  arbitro-ref --htp                as an engine: connect it as a local program in HexGui"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// What programs of the game are started with: b (white, begins) or p (black) for hex and rhex; the player's letter, the
    /// number of players and the file of the board for okupacio; the player, the digits of all who play and the board's N for
    /// xinez, as in 4 14 4. A further d prints the board to stderr after every move
    #[arg(required_unless_present_any = ["htp", "analyse", "solve"], value_name = "ARGUMENT")]
    pub(super) arguments: Vec<String>,
    /// Serve HexGui and other controllers of Hex engines: read commands of HTP and answer them, until told to quit
    #[arg(long, conflicts_with = "arguments")]
    htp: bool,
    /// How well it plays: random, greedy, easy, medium, hard or max; see below for what each game has
    #[arg(long, default_value = "greedy")]
    level: Level,
    /// The game [default: hex]
    #[arg(long, env = "ARBITRO_GAME", hide_env = true, default_value = "hex", hide_default_value = true)]
    pub(super) game: String,
    /// Size of the board [default: the game's usual one, 14 for hex]
    #[arg(long, value_name = "N", env = "ARBITRO_SIZE", hide_env = true)]
    pub(super) size: Option<u32>,
    /// First moves to be played, by both sides in turn, such as '2 3, 7 7'
    #[arg(
        long,
        value_name = "MOVES",
        env = "ARBITRO_OPENING",
        hide_env = true,
        default_value = "",
        hide_default_value = true
    )]
    opening: String,
    /// Seconds it has for the whole game [default: no clock, and at most one second for a move]
    #[arg(long, value_name = "S", env = "ARBITRO_TIME", hide_env = true, value_parser = parse_seconds)]
    time: Option<Duration>,
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
    increment: Duration,
    /// Seed of its dice [default: a new one each time]
    #[arg(long, value_name = "N", env = "ARBITRO_SEED", hide_env = true)]
    pub(super) seed: Option<u64>,
    /// Hex: the most positions to look at for a move after the first. With --seed, on one thread and without a clock, every game on
    /// this machine is the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Hex: threads to think on
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// Hex: instead of playing, think about the position after the moves given, such as '2 3' '7 7', for --time seconds or one, and
    /// show what is found
    #[arg(long)]
    pub(super) analyse: bool,
    /// Hex: instead of playing, find out who wins the position after the moves given, for sure; without any, for each first
    /// move. It takes a second on a board of 5, and ages on one of 8
    #[arg(long, conflicts_with = "analyse")]
    pub(super) solve: bool,
    /// Hex: never take over the first stone, for matches with openings that are played from both sides
    #[arg(long)]
    no_swap: bool,
    /// Hex: another network than the one that is built in
    #[arg(long, value_name = "FILE", hide = true)]
    network: Option<PathBuf>,
    /// Hex: how to compute
    #[arg(long, value_name = "KERNEL", hide = true)]
    pub(super) kernel: Option<Kernel>,
}

/// What the program does beside playing a game.
#[derive(clap::Subcommand)]
enum Command {
    /// Has the network of Hex learn by playing itself, and go on where it stopped
    #[cfg(target_arch = "x86_64")]
    #[command(hide = true)]
    Train(super::train::Args),
    /// Tells what the network of Hex says about positions, number by number
    #[command(hide = true)]
    Judge(super::judge::Args),
}

/// Plays one game.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        #[cfg(target_arch = "x86_64")]
        Some(Command::Train(args)) => return super::train::run(args),
        Some(Command::Judge(args)) => return super::judge::run(args),
        None => {}
    }
    let game = Setup::new(&args.game, Wishes::default()).map_err(usage)?.name();
    if args.analyse || args.solve {
        return study::run(&args);
    }
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..));
    let (arguments, debug) = match &args.arguments[..] {
        [arguments @ .., last] if last == "d" => (arguments, true),
        arguments => (arguments, false),
    };
    match game {
        "hex" if args.htp => {
            let size = args.size.unwrap_or(htp::USUAL_SIZE.into());
            let setup = Setup::new(game, Wishes { size: Some(size), ..Wishes::default() }).map_err(usage)?;
            let engine = hex_engine(&args, seed)?;
            Server::new(engine, setup.board().size, args.time, args.increment)
                .serve(io::stdin().lock(), io::stdout().lock())?;
        }
        other if args.htp => return Err(usage(anyhow!("HTP is for hex, not {other}"))),
        "hex" => {
            let (seat, size) = side_and_size(arguments, &args)?;
            let mut engine = hex_engine(&args, seed)?;
            converse(Hex::new(size), &mut engine, seat, debug)?;
        }
        "rhex" => {
            let (seat, size) = side_and_size(arguments, &args)?;
            let clock = OwnClock::new(args.time, args.increment);
            let engine = rhex::Engine::new(args.level, seed);
            let mut engine = engine.with_opening(&args.opening).with_clock(clock);
            converse(Rhex::new(size), &mut engine, seat, debug)?;
        }
        "okupacio" => {
            let (seat, game) = player_and_board(arguments)?;
            let clock = OwnClock::new(args.time, args.increment);
            let engine = okupacio::Engine::new(args.level, seed);
            let mut engine = engine.with_opening(&args.opening).with_clock(clock);
            converse(game, &mut engine, seat, debug)?;
        }
        "xinez" => {
            let (seat, game) = followed_game(arguments)?;
            let engine = xinez::Engine::new(args.level, seed);
            let mut engine =
                engine.with_opening(&args.opening).with_clock(OwnClock::new(args.time, args.increment));
            converse(game, &mut engine, seat, debug)?;
        }
        other => bail!("the reference engine does not play {other}"),
    }
    Ok(ExitCode::SUCCESS)
}

/// The player of Hex that was asked for.
pub(super) fn hex_engine(args: &Args, seed: u64) -> Result<hex::Engine> {
    let mut engine = hex::Engine::new(args.level, seed)
        .with_opening(&args.opening)
        .with_clock(OwnClock::new(args.time, args.increment))
        .with_nodes(args.nodes)
        .with_swap(!args.no_swap)
        .with_threads(usize::from(args.threads));
    if let Some(kernel) = args.kernel {
        engine = engine.with_kernel(kernel);
    }
    if let Some(file) = &args.network {
        engine = engine.with_network(read_network(file)?);
    }
    Ok(engine)
}

/// Reads a network's file.
pub(super) fn read_network(file: &Path) -> Result<Weights> {
    let bytes = std::fs::read(file).map_err(anyhow::Error::new);
    let weights = bytes.and_then(|bytes| Ok(Weights::read(&bytes)?));
    weights.with_context(|| format!("cannot use the network in '{}'", file.display())).map_err(usage)
}

fn converse<G: Game>(game: G, player: &mut impl Player<G>, seat: Seat, debug: bool) -> io::Result<()> {
    play(game, player, seat, debug, io::stdin().lock(), io::stdout().lock(), io::stderr().lock())
}

/// The arguments of Hex and RHEX.
fn side_and_size(arguments: &[String], args: &Args) -> Result<(Seat, u8)> {
    let setup = Setup::new(&args.game, Wishes { size: args.size, ..Wishes::default() }).map_err(usage)?;
    let seat = match arguments {
        [side] if side == "b" => Seat(0),
        [side] if side == "p" => Seat(1),
        _ => {
            let given = args.arguments.join(" ");
            return Err(usage(anyhow!(
                "the side to play is b (white, begins) or p (black), and d may follow; not '{given}'"
            )));
        }
    };
    Ok((seat, setup.board().size))
}

/// The arguments of Okupació.
fn player_and_board(arguments: &[String]) -> Result<(Seat, Okupacio)> {
    let [player, players, file] = arguments else {
        bail!(usage(anyhow!(
            "write the player's letter, the number of players and the file of the board: A 2 board.txt"
        )));
    };
    let seats = players.parse().ok().filter(|seats| (2..=MAX_PLAYERS).contains(seats));
    let seats =
        seats.ok_or_else(|| usage(anyhow!("there can be 2 to {MAX_PLAYERS} players, not '{players}'")))?;
    let seat = (0..seats).map(Seat).find(|&seat| *player == letter(seat).to_string());
    let last = letter(Seat(seats - 1));
    let seat = seat.ok_or_else(|| usage(anyhow!("the players are A to {last}, not '{player}'")))?;
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read the board in '{file}'"));
    let map = text.map_err(usage)?.parse().with_context(|| format!("the board in '{file}' cannot be used"));
    Ok((seat, Okupacio::new(map.map_err(usage)?, seats)))
}

/// The arguments of Xadrez Xinez.
fn followed_game(arguments: &[String]) -> Result<(Seat, Xinez)> {
    let refuse = || {
        let given = arguments.join(" ");
        usage(anyhow!(
            "write the player, the digits of all who play and N from 1 to 6, as in '4 14 4'; not '{given}'"
        ))
    };
    let [player, players, size] = arguments else { return Err(refuse()) };
    let players: Players = players.parse().map_err(|_| refuse())?;
    let size = size.parse().ok().filter(|size| XINEZ.sizes.contains(size)).ok_or_else(refuse)?;
    let player = players.iter().find(|other| other.to_string() == *player);
    let seat = player.and_then(|player| players.seat(player)).ok_or_else(refuse)?;
    Ok((seat, Xinez::new(size, players).followed_by(seat)))
}

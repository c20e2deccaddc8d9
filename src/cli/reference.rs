//! `arbitro-ref`: the reference engine.

use std::io;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::Parser;

use super::usage;
use crate::engine::console::play;
use crate::engine::{Level, Player, hex, rhex, xinez};
use crate::game::hex::Hex;
use crate::game::rhex::Rhex;
use crate::game::xinez::{Players, RULES as XINEZ, Xinez};
use crate::game::{Game, Seat, Setup, Wishes};

/// The reference player of arbitro, started like any student's program: it prints its moves, one on a line, and reads the
/// others', as the page on the protocol has it for each game.
#[derive(Parser)]
#[command(
    name = "arbitro-ref",
    version,
    after_help = "Examples:
  arbitro-ref b                    play white, and begin
  arbitro-ref p d --level random   play black, at random, with the board on stderr"
)]
pub struct Args {
    /// What programs of the game are started with: b (white, begins) or p (black) for hex and rhex; for xinez the
    /// player, the digits of all who play and the board's N, as in 4 14 4. A further d prints the board to stderr after every
    /// move
    #[arg(required = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
    /// How well it plays: random or greedy
    #[arg(long, default_value = "greedy")]
    level: Level,
    /// The game [default: hex]
    #[arg(long, env = "ARBITRO_GAME", hide_env = true, default_value = "hex", hide_default_value = true)]
    game: String,
    /// Size of the board [default: the game's usual one, 14 for hex]
    #[arg(long, value_name = "N", env = "ARBITRO_SIZE", hide_env = true)]
    size: Option<u32>,
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
    /// Seed of its dice [default: a new one each time]
    #[arg(long, value_name = "N", env = "ARBITRO_SEED", hide_env = true)]
    seed: Option<u64>,
}

/// Plays one game.
pub fn run(args: Args) -> Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..));
    let (arguments, debug) = match &args.arguments[..] {
        [arguments @ .., last] if last == "d" => (arguments, true),
        arguments => (arguments, false),
    };
    match args.game.as_str() {
        "hex" => {
            let (seat, size) = side_and_size(arguments, &args)?;
            let mut engine = hex::Engine::new(args.level, seed).with_opening(&args.opening);
            converse(Hex::new(size), &mut engine, seat, debug)?;
        }
        "rhex" => {
            let (seat, size) = side_and_size(arguments, &args)?;
            let mut engine = rhex::Engine::new(args.level, seed);
            converse(Rhex::new(size), &mut engine, seat, debug)?;
        }
        "xinez" => {
            let (seat, game) = followed_game(arguments)?;
            let mut engine = xinez::Engine::new(args.level, seed);
            converse(game, &mut engine, seat, debug)?;
        }
        other => {
            Setup::new(other, Wishes::default()).map_err(usage)?;
            bail!("the reference engine does not play {other}")
        }
    }
    Ok(ExitCode::SUCCESS)
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

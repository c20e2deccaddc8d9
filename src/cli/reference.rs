//! `arbitro-ref`: the reference engine.

use std::io;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Parser, ValueEnum};

use super::options::GameOptions;
use crate::engine::Level;
use crate::engine::console::play_hex;
use crate::engine::hex::Player;
use crate::game::hex::Side;

/// The reference player of arbitro, started like any student's program: it prints its moves as `row column`, one on a line,
/// and reads the opponent's in the same form. Repeating the first move on the second ply swaps.
#[derive(Parser)]
#[command(
    name = "arbitro-ref",
    version,
    after_help = "Examples:
  arbitro-ref b                    play white, and begin
  arbitro-ref p d --level random   play black, at random, with the board on stderr"
)]
pub struct Args {
    /// The side to play: b (white, begins) or p (black)
    side: Letter,
    /// d prints the board to stderr after every move
    debug: Option<Debug>,
    /// How well it plays: random or greedy
    #[arg(long, default_value = "greedy")]
    level: Level,
    #[command(flatten)]
    game: GameOptions,
    /// Seed of its dice [default: a new one each time]
    #[arg(long, value_name = "N", env = "ARBITRO_SEED", hide_env = true)]
    seed: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Letter {
    B,
    P,
}

#[derive(Clone, Copy, ValueEnum)]
enum Debug {
    D,
}

/// Plays one game.
pub fn run(args: Args) -> Result<ExitCode> {
    let setup = args.game.setup()?;
    let side = match args.side {
        Letter::B => Side::White,
        Letter::P => Side::Black,
    };
    if setup.name() != "hex" {
        bail!("the reference engine does not play {}", setup.name());
    }
    let mut player = Player::new(args.level, args.seed.unwrap_or_else(|| fastrand::u64(..)));
    let (stdin, stdout, stderr) = (io::stdin().lock(), io::stdout().lock(), io::stderr().lock());
    play_hex(&mut player, side, setup.size(), args.debug.is_some(), stdin, stdout, stderr)?;
    Ok(ExitCode::SUCCESS)
}

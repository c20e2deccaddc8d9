//! `arbitro-ref`: the reference engine.

mod analyse;
mod evaluate;
mod network_file;
mod options;
mod position;
mod solve;
#[cfg(target_arch = "x86_64")]
mod train;

use std::io;
use std::process::ExitCode;

use anyhow::{Result, anyhow};

use super::exit::usage;
use super::output::print_line;
use crate::championship::text_file::FileProblem;
use crate::engine::catalogue;
use crate::engine::hex::HexEngine;
use crate::engine::hex::htp_server::{self, Server};
use crate::engine::seating::{Arguments, SeatError};
use crate::game::{BoardOptions, Game, Setup};
use crate::view::terminal::board;

pub use options::Args;
use options::Command;

/// Plays one game, or does what else was asked for.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        #[cfg(target_arch = "x86_64")]
        Some(Command::Train(args)) => return train::run(args),
        Some(Command::Evaluate(args)) => return evaluate::run(args),
        None => {}
    }
    let game = Setup::new(&args.game, BoardOptions::default()).map_err(usage)?.name();
    if args.analyse || args.solve {
        return look_at_position(&args);
    }
    if args.htp {
        serve(game, &args)?;
    } else {
        play(game, &args)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Analyses or solves a position.
fn look_at_position(args: &Args) -> Result<ExitCode> {
    let game = position::read(args)?;
    print_line(board(&game.picture(), false).trim_end())?;
    if args.solve {
        return solve::run(&game, args);
    }
    analyse::run(&game, args)?;
    Ok(ExitCode::SUCCESS)
}

/// Plays one game on the wire.
fn play(game: &str, args: &Args) -> Result<()> {
    let engine = catalogue::find(game).ok_or_else(|| anyhow!("the reference engine does not play {game}"))?;
    let options = args.engine_options(|| fastrand::u64(..))?;
    let mut player = (engine.seat)(Arguments(&args.arguments), &options).map_err(|error| match error {
        SeatError::BoardFile { file, source } => {
            usage(anyhow!("cannot read the board in '{file}': {}", FileProblem::from(source)))
        }
        error => usage(error),
    })?;
    Ok(player.play(&mut io::stdin().lock(), &mut io::stdout().lock(), &mut io::stderr().lock())?)
}

/// Serves a controller of Hex engines.
fn serve(game: &str, args: &Args) -> Result<()> {
    if game != htp_server::GAME {
        return Err(usage(anyhow!("HTP is for hex, not {game}")));
    }
    let size = args.size.unwrap_or(htp_server::USUAL_SIZE.into());
    let setup =
        Setup::new(game, BoardOptions { size: Some(size), ..BoardOptions::default() }).map_err(usage)?;
    let engine = HexEngine::from_options(&args.engine_options(|| fastrand::u64(..))?);
    let server = Server::new(engine, setup.board().size, args.time, args.increment);
    Ok(server.serve(io::stdin().lock(), io::stdout().lock())?)
}

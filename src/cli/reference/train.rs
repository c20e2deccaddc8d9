//! `arbitro-ref train`: the network of Hex learns by playing itself.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::cli::numbers::whole;
use crate::engine::hex::learn::training::{Trainer, TrainingSettings};
use crate::engine::hex::net::amx;
use crate::record::time_control::parse_seconds;

/// Options of `arbitro-ref train`.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the state, the networks and the log
    folder: PathBuf,
    /// Residual blocks of the network; one that has fewer grows
    #[arg(long, default_value = "6", value_parser = whole::<usize>(1..=1000))]
    blocks: usize,
    /// Board sizes with their shares, such as 7:1,9:2
    #[arg(long, default_value = "7:1", value_delimiter = ',', value_parser = parse_share)]
    sizes: Vec<(u8, f32)>,
    /// Positions to look at for each move
    #[arg(long, default_value_t = 32, value_parser = whole::<u32>(1..=1_000_000))]
    visits: u32,
    /// The length of a step
    #[arg(long, default_value = "0.001", value_parser = parse_rate)]
    rate: f32,
    /// The length of a step at the end, if it is to fall with the time
    #[arg(long, value_name = "RATE", value_parser = parse_rate)]
    rate_end: Option<f32>,
    /// New positions to a round
    #[arg(long, default_value = "8192", value_parser = whole::<usize>(1..=1_000_000_000))]
    positions: usize,
    /// Positions to remember
    #[arg(long, default_value = "300000", value_parser = whole::<usize>(1..=1_000_000_000))]
    window: usize,
    /// Seconds to go on for
    #[arg(long, value_parser = parse_seconds, default_value = "3600")]
    time: Duration,
    /// Threads
    #[arg(long, default_value = "2", value_parser = whole::<usize>(1..=1024))]
    threads: usize,
    /// Seed of the dice
    #[arg(long, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
}

/// Learns until the time is up.
pub fn run(args: Args) -> Result<ExitCode> {
    if !amx::available() {
        bail!("learning needs a processor with AMX, which this one has not");
    }
    let settings = TrainingSettings {
        folder: args.folder,
        blocks: args.blocks,
        sizes: args.sizes,
        visits: args.visits,
        rate: args.rate,
        rate_end: args.rate_end.unwrap_or(args.rate),
        positions: args.positions,
        window: args.window,
        time: args.time,
        threads: args.threads,
        seed: args.seed.unwrap_or_else(|| fastrand::u64(..)),
    };
    let folder = settings.folder.display().to_string();
    let mut trainer = Trainer::open(settings).with_context(|| format!("cannot go on in '{folder}'"))?;
    trainer.run().with_context(|| format!("cannot write to '{folder}'"))?;
    Ok(ExitCode::SUCCESS)
}

fn parse_share(text: &str) -> Result<(u8, f32), String> {
    let (size, share) = text.split_once(':').unwrap_or((text, "1"));
    let size = size.parse().ok().filter(|size| (3..=26).contains(size));
    let share = share.parse().ok().filter(|share| *share > 0.0);
    size.zip(share)
        .ok_or_else(|| format!("'{text}' is not a board size from 3 to 26 with a share, such as 11:2"))
}

fn parse_rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|rate: &f32| rate.is_finite() && *rate > 0.0);
    rate.ok_or_else(|| format!("'{text}' is not a number above zero, such as 0.001"))
}

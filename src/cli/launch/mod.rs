//! `arbitro launch`: the shards of a championship as jobs of Slurm or GNU parallel.

mod job;
mod parallel;
mod slurm;
mod status;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;

use super::contest::{contest_error, new_folder};
use super::exit::usage;
use super::numbers::whole;
use super::output::{COMMAND, print, quoted, say};
use super::{championship, exit};
use crate::championship::config::Config;
use crate::championship::contest;
use crate::championship::settings::{self, Settings};
use crate::championship::shards::launched::{Engine, Launched};
use crate::championship::shards::part::BotSeconds;
use crate::championship::shards::shard::{FOLDER, MOST};
use crate::record::journal::JournalError;
use crate::record::replace_file::{Durability, replace_file};
use crate::record::text::{counted, duration};
use job::Job;

/// How long a shard takes unless somebody says otherwise, in minutes: much longer than to start a job, and short enough that little is lost
/// with one.
const USUAL_MINUTES: f64 = 45.0;

/// Play a championship on many machines: with Slurm, or with GNU parallel over ssh
#[derive(ClapArgs)]
#[command(after_help = "\
CONFIG is a file of settings, as for 'arbitro championship --config', or the folder of a championship that was prepared or begun. A new one \
is prepared first: its bots are copied and tested, and some sample games show how long the others take. The folder has to be one that all \
machines see under the same path; where there is none, 'launch parallel --copy' sends it to each, and fetches what they played.

The job script is printed, and kept in the folder; with --submit it is handed to the scheduler, or run. Launched again, only shards in which \
games are missing are played.

Examples:
  arbitro launch slurm hex.toml --out shared/hex --shards 8
  arbitro launch slurm shared/hex --submit
  arbitro launch slurm shared/hex --sbatch '--partition=lab' --sbatch '--account=ia' --submit
  arbitro launch parallel shared/hex --shards 8 --hosts lab1,lab2,lab3 --submit
  arbitro launch --status shared/hex
  arbitro merge shared/hex")]
pub struct Args {
    /// What runs the jobs
    #[arg(
        required_unless_present = "status",
        value_enum,
        hide_possible_values = true,
        value_name = "slurm|parallel"
    )]
    engine: Option<Engine>,
    /// The settings, or the folder of a championship
    #[arg(required_unless_present = "status", value_name = "CONFIG")]
    config: Option<PathBuf>,
    /// Say how far the shards of the championship in this folder are
    #[arg(long, value_name = "DIR", conflicts_with_all = ["engine", "config", "shards", "minutes", "out", "submit"])]
    status: Option<PathBuf>,
    /// How many shards [default: so many that each takes 45 minutes, or as many as before]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=MOST.into()))]
    shards: Option<u32>,
    /// How long a shard takes, in minutes, about
    #[arg(long, value_name = "M", value_parser = whole::<u32>(1..=100_000), conflicts_with = "shards")]
    minutes: Option<u32>,
    /// Games that a shard plays at the same time [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=512))]
    jobs: Option<u16>,
    /// The folder of a new championship [default: results/<date-time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// An option for sbatch, such as '--partition=lab'. Can be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// The machines for parallel, joined by commas, or a file with one on each line; : is this one [default: :]
    #[arg(long, value_name = "HOSTS")]
    hosts: Option<String>,
    /// The command that reaches other machines [default: ssh]
    #[arg(long, value_name = "COMMAND")]
    ssh: Option<String>,
    /// Send the machines copies of the folder and of arbitro, and fetch what they played: for machines that share no folder
    #[arg(long)]
    copy: bool,
    /// Hand the jobs to Slurm, or run them
    #[arg(long)]
    submit: bool,
    /// Print how far the shards are as JSON, for programs
    #[arg(long, requires = "status")]
    json: bool,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Launches shards, or tells how far they are.
pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(folder) = &args.status {
        return status::tell(folder, args.json);
    }
    let (Some(engine), Some(config)) = (args.engine, args.config.as_deref()) else {
        return Err(usage(anyhow!("say what is to be launched")));
    };
    check(&args, engine)?;
    let Some(folder) = prepared(&args, config)? else { return Ok(ExitCode::from(exit::INTERRUPTED)) };
    // Jobs run somewhere else.
    let folder =
        folder.canonicalize().with_context(|| format!("cannot use the folder '{}'", folder.display()))?;
    let settings = Settings::read(&folder.join(settings::FILE_NAME)).map_err(usage)?;
    let before = Launched::read(&folder).context("cannot read how the shards were launched before")?;
    let before = before.filter(|before| before.engine == Some(engine));
    let launched = launched(&args, engine, &folder, &settings, before)?;
    let job = Job::of(&folder, &settings, launched)?;
    if job.running > 0 {
        say(&match job.running {
            1 => "1 shard is running, and is not launched again".to_owned(),
            running => format!("{running} shards are running, and are not launched again"),
        });
    }
    if job.shards.is_empty() {
        if job.running == 0 {
            say(&format!(
                "all games are played; join them with:\n{COMMAND}arbitro merge {}",
                quoted(&folder)
            ));
        }
        return Ok(ExitCode::SUCCESS);
    }
    if !args.quiet {
        tell(&job, engine);
    }
    let (name, text) = match engine {
        Engine::Slurm => ("slurm.sh", slurm::script(&job)?),
        Engine::Parallel => ("parallel.sh", parallel::script(&job)?),
    };
    let script = folder.join(FOLDER).join(name);
    let keep = || {
        fs::create_dir_all(folder.join(FOLDER))?;
        replace_file(&script, Durability::Synced, |file| file.write_all(text.as_bytes()))?;
        job.launched.write(&folder)
    };
    keep().map_err(|error: io::Error| JournalError::from_io(&script, error))?;
    match (args.submit, engine) {
        (false, _) => {
            print(&text)?;
            say(&format!("this is {}", quoted(&script)));
            let how = if engine == Engine::Slurm { "sbatch" } else { "sh" };
            say(&format!(
                "run it, and join what was played when all jobs have ended, with:\n{COMMAND}{how} {}\n{COMMAND}arbitro merge {}",
                quoted(&script),
                quoted(&folder)
            ));
            Ok(ExitCode::SUCCESS)
        }
        (true, Engine::Slurm) => slurm::submit(&job, &script),
        (true, Engine::Parallel) => parallel::run(&job, &script),
    }
}

/// Refuses options of the other engine.
fn check(args: &Args, engine: Engine) -> Result<()> {
    let wrong = match engine {
        Engine::Slurm if args.hosts.is_some() => "--hosts",
        Engine::Slurm if args.ssh.is_some() => "--ssh",
        Engine::Slurm if args.copy => "--copy",
        Engine::Parallel if !args.sbatch.is_empty() => "--sbatch",
        _ => return Ok(()),
    };
    let other = if engine == Engine::Slurm { Engine::Parallel } else { Engine::Slurm };
    Err(usage(anyhow!("{wrong} is for 'arbitro launch {other}'; leave it out")))
}

/// The folder of a championship that is ready to be launched: the one that is named, or one that is made from a file of settings. Nothing
/// if somebody has interrupted that.
fn prepared(args: &Args, config: &Path) -> Result<Option<PathBuf>> {
    if config.is_dir() {
        if args.out.is_some() {
            return Err(usage(anyhow!(
                "--out is for a new championship, and '{}' is one that was begun",
                config.display()
            )));
        }
        if contest::stored(config).map_err(contest_error)?.is_none() {
            return Err(usage(anyhow!(
                "there is no championship in '{}'; name a file of settings, or the folder of a championship that was prepared",
                config.display()
            )));
        }
        let is_measured = BotSeconds::read(config).context("cannot read how long games take")?.is_some();
        if is_measured {
            return Ok(Some(config.to_owned()));
        }
        let code = championship::prepare(&["--resume".as_ref(), config.as_os_str()], args.quiet)?;
        return Ok((code == ExitCode::SUCCESS).then(|| config.to_owned()));
    }
    let out = Config::read(config).map_err(usage)?.out;
    let folder = args.out.clone().or(out).unwrap_or_else(|| new_folder(""));
    let words = ["--config".as_ref(), config.as_os_str(), "--out".as_ref(), folder.as_os_str()];
    let code = championship::prepare(&words, args.quiet)?;
    Ok((code == ExitCode::SUCCESS).then_some(folder))
}

/// How it is launched: as it is asked for, or else as before.
fn launched(
    args: &Args,
    engine: Engine,
    folder: &Path,
    settings: &Settings,
    before: Option<Launched>,
) -> Result<Launched> {
    let before_ref = before.as_ref();
    let jobs = args.jobs.or(before_ref.map(|before| before.jobs)).unwrap_or(1);
    let shards = match (args.shards, args.minutes, before_ref) {
        (Some(shards), ..) => shards,
        (None, None, Some(before)) => before.shards,
        (None, minutes, _) => {
            let (seconds, pairings) = job::work(folder, settings)?;
            let minutes = minutes.map_or(USUAL_MINUTES, f64::from) * f64::from(jobs);
            let shards = (seconds / 60.0 / minutes).ceil().clamp(1.0, f64::from(MOST)) as u32;
            shards.min(pairings.max(1))
        }
    };
    let hosts = match &args.hosts {
        Some(hosts) => parallel::hosts(hosts)?,
        None => before_ref.map(|before| before.hosts.clone()).unwrap_or_default(),
    };
    let options = match args.sbatch.is_empty() {
        true => before_ref.map(|before| before.options.clone()).unwrap_or_default(),
        false => slurm::options(&args.sbatch)?,
    };
    let ssh = args.ssh.clone().or(before_ref.and_then(|before| before.ssh.clone()));
    let copy = args.copy || before_ref.is_some_and(|before| before.copy);
    Ok(Launched { engine: Some(engine), shards, jobs, options, hosts, ssh, copy })
}

/// Says what is about to be launched.
fn tell(job: &Job, engine: Engine) {
    let all = job.launched.shards;
    let shards = match job.shards.len() {
        count if count == all as usize => counted(count, "shard"),
        count => format!("{count} of {}", counted(all as usize, "shard")),
    };
    let longest = duration(Duration::from_secs_f64(job.longest.max(1.0)));
    say(&format!("{} to play, in {shards}; the longest takes about {longest}", counted(job.games, "game")));
    if job.undrawn > 0 {
        say(&format!(
            "the {} format draws up each round when the one before it is complete: {} of later rounds follow; after each round merge, and launch \
             again with:\n{COMMAND}arbitro launch {} {} --submit",
            job.settings.format,
            counted(job.undrawn, "game"),
            engine,
            quoted(&job.folder)
        ));
    }
}

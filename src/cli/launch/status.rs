//! `arbitro launch --status`: how far the shards of a championship are.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde::Serialize;

use super::job::Standing;
use crate::championship::contest;
use crate::championship::shards::attempt::{Attempt, attempts};
use crate::championship::shards::launched::Launched;
use crate::championship::shards::survey::{Progress, State};
use crate::cli::contest::contest_error;
use crate::cli::exit::{self, usage};
use crate::cli::output::{COMMAND, print, quoted, warn};
use crate::cli::shard::not_played;
use crate::record::text::{counted, duration};

/// What is told, as `--json` prints it.
#[derive(Serialize)]
struct Told<'a> {
    shards: &'a [Progress],
    done: usize,
    running: usize,
    failed: usize,
    missing: usize,
    /// The games that are left, without those of later rounds.
    games_left: usize,
    /// Games of rounds that are drawn up later.
    undrawn: usize,
    /// Games that are played by nobody before somebody has looked at them.
    set_aside: usize,
    /// How long it takes until all shards are done that run, or would run now, in seconds.
    seconds_left: f64,
}

/// Tells how far the shards of the championship in this folder are.
pub fn tell(folder: &Path, json: bool) -> Result<ExitCode> {
    let stored = contest::stored(folder).map_err(contest_error)?;
    let none = || usage(anyhow!("there is no championship in '{}'", folder.display()));
    let settings = stored.ok_or_else(none)?;
    let launched = Launched::read(folder).context("cannot read how the shards were launched")?;
    let launched = launched.map_or_else(|| by_hand(folder), |launched| Ok(Some(launched)))?;
    let nobody =
        || usage(anyhow!("nobody has played shards of '{}'; see 'arbitro launch --help'", folder.display()));
    let launched = launched.ok_or_else(nobody)?;
    let Standing { survey, shards, undrawn } = Standing::read(folder, &settings, launched.shards)?;
    let of = |state: State| shards.iter().filter(|shard| shard.state == state).count();
    let set_aside = survey.set_aside(&settings);
    let longest = shards.iter().map(|shard| shard.seconds).fold(0.0, f64::max);
    let told = Told {
        done: of(State::Done),
        running: of(State::Running),
        failed: of(State::Failed),
        missing: of(State::Missing),
        games_left: shards.iter().map(|shard| shard.open).sum(),
        undrawn,
        set_aside: set_aside.len(),
        seconds_left: (longest / f64::from(launched.jobs)).round(),
        shards: &shards,
    };
    let text =
        if json { serde_json::to_string_pretty(&told)? + "\n" } else { text(&told, folder, &launched) };
    print(&text)?;
    set_aside.iter().for_each(|(game, hosts)| warn(not_played(game, hosts)));
    let is_done = told.games_left + told.undrawn + told.set_aside == 0;
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::from(exit::INCOMPLETE) })
}

/// What can be told of shards that were played without being launched: as many as the last attempt knew of.
fn by_hand(folder: &Path) -> Result<Option<Launched>> {
    let attempts = attempts(folder).context("cannot read the shards")?;
    let start = |attempt: &Attempt| attempt.start.as_ref().map(|start| start.at);
    let last = attempts.iter().max_by_key(|attempt| start(attempt)).and_then(Attempt::shard);
    Ok(last.map(|shard| Launched::by_hand(shard.of)))
}

fn text(told: &Told, folder: &Path, launched: &Launched) -> String {
    let mut text = String::from("shard      state    games  left      time left  machine\n");
    for shard in told.shards {
        let left = match shard.open {
            0 => String::new(),
            _ => duration(Duration::from_secs_f64(shard.seconds / f64::from(launched.jobs))),
        };
        text += &format!(
            "{:<10} {:<8} {:>5} {:>5}  {left:>13}  {}\n",
            shard.shard.to_string(),
            shard.state.to_string(),
            shard.games,
            shard.open,
            shard.host
        );
    }
    let parts = [
        (told.done, "done"),
        (told.running, "running"),
        (told.failed, "failed"),
        (told.missing, "not begun"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    text += &format!("{}: {}", counted(told.shards.len(), "shard"), parts.join(", "));
    if told.set_aside > 0 {
        text += &format!("; {} set aside", counted(told.set_aside, "game"));
    }
    if told.games_left > 0 {
        let time = duration(Duration::from_secs_f64(told.seconds_left.max(1.0)));
        text += &format!("; {} left, about {time} if all shards run", counted(told.games_left, "game"));
    }
    text.push('\n');
    let folder = quoted(folder);
    text += &match (told.running, told.games_left, launched.engine) {
        (0, 0, _) => format!("join what was played with:\n{COMMAND}arbitro merge {folder}\n"),
        (0, _, Some(engine)) => {
            format!("play what is missing with:\n{COMMAND}arbitro launch {engine} {folder} --submit\n")
        }
        _ => String::new(),
    };
    text
}

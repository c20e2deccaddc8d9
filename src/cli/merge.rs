//! `arbitro merge`: joining what several machines have played of one championship.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;

use super::contest::{contest_error, print_result};
use super::exit::{self, usage};
use super::output::{COMMAND, quoted, say, warn};
use super::recorded::in_folder;
use super::report_page::{PageOptions, write_page};
use super::shard::not_played;
use crate::championship::contest;
use crate::championship::formats::Pairing;
use crate::championship::settings::{self, Settings};
use crate::championship::shards::fairness::Fairness;
use crate::championship::shards::launched::Launched;
use crate::championship::shards::merge::{self, MergeError, Merged};
use crate::championship::shards::survey::Survey;
use crate::record::Summary;
use crate::record::journal::JournalError;
use crate::record::text::counted;

/// So many missing games, conflicts or pairs are named one by one.
const NAMED: usize = 10;

/// Join what several machines have played of a championship
#[derive(ClapArgs)]
#[command(after_help = "\
The journals of all shards are joined in games.jsonl, and the tables and the report are written. Nothing is removed, and it can be \
repeated at any time, also while shards are played. As long as games are missing it says which, and with which command to play \
them, and ends with code 3.

Where machines share the folder, name it alone. Where each has a copy of its own, fetch those, and name them all, with --out for the \
folder to join them in.

Examples:
  arbitro merge shared/hex
  arbitro merge from-lab1 from-lab2 --out results/hex")]
pub struct Args {
    /// Folders of the championship
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// The folder to join them in [default: the folder, where there is only one]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Refuse to join games that were played on processors of different models
    #[arg(long)]
    same_cpu: bool,
    /// Print the result as JSON, for programs
    #[arg(long)]
    json: bool,
}

/// Joins the journals.
pub fn run(args: Args) -> Result<ExitCode> {
    for folder in &args.folders {
        if !folder.is_dir() {
            return Err(usage(anyhow!(
                "there is no folder '{}'; name that of a championship",
                folder.display()
            )));
        }
        in_folder(folder, settings::FILE_NAME, "merge").map_err(usage)?;
    }
    let target = match (&args.out, &args.folders[..]) {
        (Some(out), _) => out,
        (None, [only]) => only,
        (None, _) => {
            return Err(usage(anyhow!(
                "of several folders, say with --out DIR in which one they are to be joined"
            )));
        }
    };
    // The settings of all are the same, or they are refused: which one is read first does not matter.
    let has_begun = target.join(settings::FILE_NAME).exists();
    let model = if has_begun { target } else { &args.folders[0] };
    let settings = Settings::read(&model.join(settings::FILE_NAME)).map_err(usage)?;
    let sources = merge::sources(target, model, &args.folders, &settings).map_err(merge_error)?;
    if args.same_cpu {
        check_processors(&sources)?;
    }
    merge::prepare_target(target, model, &settings).map_err(|error| JournalError::from_io(target, error))?;
    let merged = merge::merge(target, sources, warn).map_err(merge_error)?;
    tell(&merged);
    // Of very many games even this is large.
    drop(merged);
    let report = contest::report(target, warn).map_err(contest_error)?;
    write_page(target, &report, &PageOptions::default())?;
    print_result(target, &report, args.json)?;
    let missing = report.scheduled.saturating_sub(report.games.len());
    drop(report);
    what_is_missing(target, &settings, missing)
}

fn merge_error(error: MergeError) -> anyhow::Error {
    match error {
        MergeError::Journal(error) => contest_error(error.into()),
        error => usage(error),
    }
}

/// Refuses games of machines that are not alike.
fn check_processors(sources: &[merge::Source]) -> Result<()> {
    let machines =
        sources.iter().filter_map(|source| Some(&source.attempt.as_ref()?.start.as_ref()?.machine));
    let mut models: Vec<String> =
        machines.map(|machine| format!("{} (on {})", machine.cpu, machine.host)).collect();
    models.sort();
    models.dedup();
    let mut processors: Vec<&str> =
        models.iter().map(|model| model.split(" (on ").next().unwrap_or(model)).collect();
    processors.dedup();
    if processors.len() < 2 {
        return Ok(());
    }
    Err(usage(anyhow!(
        "games were played on different processors, which --same-cpu refuses:\n  {}\nleave --same-cpu out to join them",
        models.join("\n  ")
    )))
}

/// Says what came of joining.
fn tell(merged: &Merged) {
    let attempts = merged.sources.iter().filter(|source| source.attempt.is_some()).count();
    let mut parts = vec![format!("{} new", counted(merged.added, "game"))];
    let mut part = |count: usize, one: &str, many: &str| {
        if count > 0 {
            parts.push(format!("{count} {}", if count == 1 { one } else { many }));
        }
    };
    part(merged.copies, "line known before", "lines known before");
    part(
        merged.repeated,
        "game played once more, which does not count",
        "games played once more, which do not count",
    );
    part(merged.damaged, "damaged line left out", "damaged lines left out");
    say(&format!("joined {}: {}", counted(attempts, "attempt"), parts.join(", ")));
    for conflict in merged.conflicts.iter().take(NAMED) {
        let side = |game: &Summary| format!("{}: {}", game.verdict.reason, winner(game));
        warn(format!(
            "{} (round {}) was played twice and ended in different ways; the earlier game counts, {} in {}, and not {} in {}",
            names(&conflict.kept),
            conflict.kept.round,
            side(&conflict.kept),
            conflict.kept_in,
            side(&conflict.dropped),
            conflict.dropped_in
        ));
    }
    if let Some(more @ 1..) = merged.conflicts.len().checked_sub(NAMED) {
        warn(format!("and {more} more were played twice and ended in different ways"));
    }
    tell_of_machines(&merged.fairness);
    for source in &merged.sources {
        let Some(start) = source.attempt.as_ref().and_then(|attempt| attempt.start.as_ref()) else {
            continue;
        };
        if start.ahead_s.abs() > super::shard::CLOCKS_DIFFER {
            let (host, seconds) = (&start.machine.host, start.ahead_s.abs());
            warn(format!(
                "the clock of {host} was {seconds:.0} s off, so its moments are not those of other machines"
            ));
        }
    }
}

fn tell_of_machines(fairness: &Fairness) {
    let machines = fairness.machines();
    if machines.len() < 2 {
        return;
    }
    for (machine, games) in &machines {
        let time = machine.calibration_us as f64 / 1000.0;
        say(&format!(
            "  {}: {}, {}, {time:.1} ms for the measure of speed",
            machine.host,
            counted(*games, "game"),
            machine.cpu
        ));
    }
    for (machine, ratio) in fairness.standing_out() {
        let what = if ratio > 1.0 { "slower" } else { "quicker" };
        let times = if ratio > 1.0 { ratio } else { 1.0 / ratio };
        warn(format!("{} is {times:.2} times {what} than usual", machine.host));
    }
    for (pairs, what) in [
        (fairness.on_slow_machines(), "met on a machine that is slower than usual"),
        (fairness.split(), "played one game on one machine and one on another"),
    ] {
        if pairs > 0 {
            warn(format!("{} {what}", counted(pairs, "pair")));
        }
    }
}

fn names(game: &Summary) -> String {
    game.seats.iter().map(|seat| &*seat.bot).collect::<Vec<_>>().join(" – ")
}

fn winner(game: &Summary) -> String {
    game.verdict.winner.map_or("nobody won".to_owned(), |seat| format!("{} won", game.bot(seat)))
}

/// Says which games are missing, if any are, and how to play them.
fn what_is_missing(target: &Path, settings: &Settings, missing: usize) -> Result<ExitCode> {
    if missing == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let ledger = contest::ledger(target, settings, |_| ()).map_err(contest_error)?;
    let survey = Survey::read(target, |_| true, |_| ()).context("cannot read the shards")?;
    let set_aside = survey.set_aside(settings);
    say(&format!(
        "{} missing:",
        if missing == 1 { "1 game is".to_owned() } else { format!("{missing} games are") }
    ));
    ledger.open.iter().take(NAMED).for_each(|pairing| say(&format!("  {}", line_of(pairing))));
    if let Some(more @ 1..) = ledger.open.len().checked_sub(NAMED) {
        say(&format!("  and {} more", counted(more, "pair")));
    }
    let undrawn = missing.saturating_sub(ledger.open.iter().map(Vec::len).sum());
    if undrawn > 0 {
        say(&format!(
            "  {} of later rounds, which are drawn up when those before them are complete",
            counted(undrawn, "game")
        ));
    }
    for (game, hosts) in &set_aside {
        warn(not_played(game, hosts));
    }
    let folder = quoted(target);
    let running = survey.attempts.iter().filter(|(attempt, _)| attempt.is_alive).count();
    if running > 0 {
        let are = if running == 1 { "1 shard is".to_owned() } else { format!("{running} shards are") };
        say(&format!("{are} still running; how far:\n{COMMAND}arbitro launch --status {folder}"));
    }
    if ledger.open.iter().flatten().all(|fixture| set_aside.contains_key(&fixture.key)) {
        say(&format!(
            "somebody has to look at these: play them here, where you see what happens, or let a bot leave:\n\
             {COMMAND}arbitro championship --resume {folder}\n\
             {COMMAND}arbitro championship --resume {folder} --withdraw NAME"
        ));
        return Ok(ExitCode::from(exit::INCOMPLETE));
    }
    let launched = Launched::read(target).context("cannot read how the shards were launched")?;
    let engine = launched.and_then(|launched| launched.engine);
    let again = engine.map_or(String::new(), |engine| {
        format!("{COMMAND}arbitro launch {engine} {folder} --submit\nor on this machine alone with:\n")
    });
    say(&format!(
        "play what is missing, and nothing else, with:\n{again}{COMMAND}arbitro championship --resume {folder}"
    ));
    Ok(ExitCode::from(exit::INCOMPLETE))
}

/// The games of a pairing in a line.
fn line_of(pairing: &Pairing) -> String {
    let Some(first) = pairing.first() else { return String::new() };
    let games =
        if pairing.len() > 1 { format!(", {}", counted(pairing.len(), "game")) } else { String::new() };
    format!("round {}: {}{games}", first.key.round, first.key.bots.join(" – "))
}

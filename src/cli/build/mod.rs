//! `arbitro build`: from a folder of hand-ins to a championship that is ready to play.

mod championship_file;
mod choices;
mod progress;
mod table;
mod test;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args as ClapArgs;

use self::championship_file::ChampionshipFile;
use self::progress::Progress;
use self::table::BuildResult;
use super::exit::{self, usage};
use super::numbers::whole;
use super::options::{GameOptions, SandboxOptions};
use super::output::{print, say, warn};
use crate::championship::cores;
use crate::contain::spec::{Size, Tier};
use crate::contain::system_words::system_words;
use crate::game::okupacio::MAX_PLAYERS;
use crate::handins::build::{Orders, build};
use crate::handins::built::{Built, Workshop};
use crate::handins::choice::Choice;
use crate::handins::compile::Conditions;
use crate::handins::find::{Found, find};
use crate::handins::handin::HandIn;
use crate::handins::likeness::{self, Likeness};
use crate::handins::names::Names;
use crate::handins::toolbox::Toolbox;
use crate::handins::unpack::UnpackLimits;
use crate::record::time_control::parse_seconds;
use crate::referee::interrupt::Interrupt;

/// Build a folder of hand-ins into a championship that is ready to play
#[derive(ClapArgs)]
#[command(after_help = "\
Every subfolder, archive and single file of DIR is a hand-in: as Moodle, Classroom, Canvas and Gradescope give them, or one per \
student. Each is unpacked, built in containment without network, and tested as before a first game. Hand-ins that have not \
changed since the last time are not built again.

Everything lands in built/<name of DIR>: championship.toml for 'arbitro championship --config', hand-ins.csv, the bots, their \
sources, and all that compilers wrote in logs/.

Where it is not clear how a hand-in is built, a file says so, and is given with --choices:
  [[handins]]
  name = \"Ana Silva\"         the hand-in; below, what is not said is found out
  main = \"src/hex.c\"         the file with the program
  build = \"make hex\"         how it is built
  command = \"./hex\"          how it is started
  skip = true                leaves it out

Examples:
  arbitro build handins/
  arbitro build handins/ --out built/ep5 --game rhex --names students.csv
  arbitro build handins/ --template given/          what everybody was given is no copying
  arbitro build handins/ --check                    what is wrong with each bot, for grading
  arbitro championship --config built/handins/championship.toml")]
pub struct Args {
    /// The folder of hand-ins
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The folder to build into, or to build again in [default: built/<name of DIR>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Whose each hand-in is: a table of two columns, the file, folder or number of the hand-in and the name
    #[arg(long, value_name = "FILE.csv")]
    names: Option<PathBuf>,
    /// How single hand-ins are built: [[handins]] in a file
    #[arg(long, value_name = "FILE.toml")]
    choices: Option<PathBuf>,
    /// A folder with what everybody was given, which is left out when sources are compared
    #[arg(long, value_name = "DIR")]
    template: Option<PathBuf>,
    /// Examine each bot as 'arbitro check' does; what was found is in checks/NAME.txt
    #[arg(long)]
    check: bool,
    /// Build all hand-ins again, changed or not
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    game: GameOptions,
    /// Players in a game, for okupacio (up to 10) and xinez (up to 6) [default: 2]
    #[arg(long, value_name = "K", value_parser = whole::<u32>(2..=MAX_PLAYERS.into()))]
    seats: Option<u32>,
    #[command(flatten)]
    limits: BuildLimits,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Print the result as JSON, for programs
    #[arg(long)]
    json: bool,
    /// Print only the result, no progress
    #[arg(long, short)]
    quiet: bool,
}

/// What building may use.
#[derive(ClapArgs)]
#[command(next_help_heading = "Building")]
struct BuildLimits {
    /// Hand-ins built at the same time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=512))]
    jobs: Option<u16>,
    /// How long building one hand-in may take, in seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds, default_value = "120")]
    build_time: Duration,
    /// How much memory building one hand-in may use
    #[arg(long, value_name = "SIZE", default_value = "4G")]
    build_memory: Size,
    /// Let builds use the network, for hand-ins that download libraries; what they send or fetch is not controlled
    #[arg(long)]
    build_network: bool,
    /// The largest size of a hand-in, unpacked
    #[arg(long, value_name = "SIZE", default_value = "512M")]
    unpack_limit: Size,
}

/// Builds the hand-ins, tests the bots and writes what a championship needs.
pub fn run(args: Args) -> Result<ExitCode> {
    let interrupt = Interrupt::catch().context("cannot catch signals")?;
    let workshop = workshop(&args)?;
    if let Some(template) = &args.template {
        ensure!(template.is_dir(), usage(anyhow!("--template '{}' is not a folder", template.display())));
    }
    let choices = args.choices.as_deref().map_or(Ok(Vec::new()), choices::read)?;
    let names = args.names.as_deref().map_or_else(|| Ok(Names::default()), Names::read).map_err(usage)?;
    let mut file = ChampionshipFile::read(workshop.folder())?;
    let setup = args.game.setup(args.seats, file.config())?;
    file.check(&args.game, args.seats, &setup)?;
    let Found { handins, passed_over, unused_lines } = find(&args.folder, &names).map_err(usage)?;
    for (path, why) in &passed_over {
        warn(format!("passed over: '{}' {why}", path.display()));
    }
    if let (Some(table), false) = (&args.names, unused_lines.is_empty()) {
        warn(format!("in '{}' {}", table.display(), about_nobody(&unused_lines)));
    }
    choices::check(&choices, &handins)?;
    let gone = file.gone(&handins);
    let handins = without_skipped(handins, &choices);
    ensure!(
        !handins.is_empty(),
        usage(anyhow!(
            "there are no hand-ins in '{}'; give the folder that has one file or folder for each student",
            args.folder.display()
        ))
    );
    let same_name = table::of_same_name(&handins);
    let containment = args.sandbox.containment(file.config(), args.quiet)?;
    fs::create_dir_all(workshop.folder())
        .with_context(|| format!("cannot use the folder '{}'", workshop.folder().display()))?;
    let tier = containment.as_ref().map_or(Tier::C, |containment| containment.tier);
    let toolbox = Toolbox::of_this_machine();
    let orders = Orders {
        workshop: &workshop,
        choices: &choices,
        limits: UnpackLimits { bytes: args.limits.unpack_limit.0, ..UnpackLimits::default() },
        conditions: Conditions {
            tier,
            network: args.limits.build_network,
            time: args.limits.build_time,
            memory: args.limits.build_memory,
        },
        toolbox: &toolbox,
        jobs: args.limits.jobs.map_or_else(cores::count, usize::from),
        again: args.again,
    };
    let progress = Progress::new(handins.len(), args.quiet);
    let stop = || interrupt.requested();
    let built = build(&handins, &orders, &stop, &|step| progress.show(step));
    let fresh = progress.finish();
    let mut built = built.with_context(|| format!("cannot build in '{}'", workshop.folder().display()))?;
    if !interrupt.requested() {
        test::test(&workshop, &setup, file.config(), containment, &mut built, args.check, args.quiet)?;
    }
    if interrupt.requested() {
        let (done, all) = (built.len(), handins.len());
        say(&format!(
            "interrupted: {done} of {all} hand-ins are done; the same command goes on with the rest"
        ));
        return Ok(ExitCode::from(exit::INTERRUPTED));
    }
    let alike = alike(&workshop, &built, args.template.as_deref());
    file.write(&setup, &built)?;
    table::write_csv(&workshop, &built)?;
    let result = BuildResult {
        folder: workshop.folder(),
        handins: &built,
        passed_over: &passed_over,
        same_name: &same_name,
        gone: &gone,
        built_now: fresh,
        alike: &alike,
    };
    print(&if args.json {
        serde_json::to_string_pretty(&result)? + "\n"
    } else {
        table::text(&workshop, &result)
    })?;
    Ok(if built.iter().any(|built| built.outcome.is_built()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The folder that is built into: a new or empty one, or one in which hand-ins were built before.
fn workshop(args: &Args) -> Result<Workshop> {
    let folder = &args.folder;
    let real = folder.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => usage(anyhow!("there is no folder '{}'", folder.display())),
        _ => usage(anyhow!("cannot read the folder '{}': {}", folder.display(), system_words(&error))),
    })?;
    if !real.is_dir() {
        return Err(usage(anyhow!(
            "'{}' is a file; give the folder of all hand-ins, or unpack what the course's web site gave",
            folder.display()
        )));
    }
    let name = real.file_name().unwrap_or_default();
    let out = args.out.clone().unwrap_or_else(|| Path::new("built").join(name));
    let absolute = std::path::absolute(&out)?;
    let absolute = absolute.canonicalize().unwrap_or(absolute);
    if absolute.starts_with(&real) || real.starts_with(&absolute) {
        return Err(usage(anyhow!(
            "'{}' and the folder of hand-ins lie in one another; choose another place with --out",
            out.display()
        )));
    }
    if out.exists() && !out.is_dir() {
        return Err(usage(anyhow!("--out '{}' is a file; give a folder", out.display())));
    }
    let workshop = Workshop::in_folder(&out);
    let is_empty = || fs::read_dir(&out).map_or(true, |mut entries| entries.next().is_none());
    if !workshop.has_begun() && !is_empty() {
        return Err(usage(anyhow!(
            "'{}' holds something else than what was built before; choose an empty or a new folder with --out",
            out.display()
        )));
    }
    Ok(workshop)
}

/// What is said of lines of the table of names that fit no hand-in.
fn about_nobody(lines: &[(u64, String)]) -> String {
    const MOST: usize = 10;
    let shown: Vec<String> =
        lines.iter().take(MOST).map(|(line, key)| format!("line {line} ('{key}')")).collect();
    let more = match lines.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let fit = if lines.len() == 1 { "fits" } else { "fit" };
    format!("{}{more} {fit} no hand-in", shown.join(", "))
}

fn without_skipped(handins: Vec<HandIn>, choices: &[Choice]) -> Vec<HandIn> {
    let (skipped, kept): (Vec<_>, Vec<_>) = handins
        .into_iter()
        .partition(|handin| choices.iter().any(|choice| choice.skip && choice.is_about(handin)));
    skipped.iter().for_each(|handin| say(&format!("left out, as the file of choices says: {}", handin.name)));
    kept
}

/// The hand-ins whose sources are alike.
fn alike(workshop: &Workshop, built: &[Built], template: Option<&Path>) -> Vec<Likeness> {
    let sources: Vec<(String, PathBuf)> =
        built.iter().map(|built| (built.name.clone(), workshop.sources(&built.name))).collect();
    likeness::compare(&sources, template)
}

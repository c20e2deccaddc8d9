//! Builds a hand-in, contained, and takes what it has made.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

pub use super::contained_run::Conditions;
use super::contained_run::{End, Run, Work, run};
use super::first_error::{first_error, is_out_of_room, missing_command, wants_download, warnings};
use super::outcome::Outcome;
use super::recipe::{Recipe, Starts, Step, give_run_bits, made};
use super::toolbox::missing_here;
use crate::contain::spec::{Exit, Size};
use crate::contain::tree_copy::{TreeCopy, open_folder};
use crate::record::replace_file::{Durability, replace_file};
use crate::record::text::visible;

/// What came of building a hand-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// What became of it.
    pub outcome: Outcome,
    /// How it was built, in a few words.
    pub how: String,
    /// How the bot is started, in its folder, if there is one.
    pub command: Option<String>,
    /// What there is to say about it.
    pub remarks: Vec<String>,
    /// Whether it was not built for want of a tool.
    pub lacks_tool: bool,
}

/// The most files and folders, and levels of folders, that a hand-in may have.
const MOST_ENTRIES: usize = 200_000;
const DEEPEST: usize = 64;

/// Builds a hand-in until a deadline, in a new folder, which holds the bot if there is one. All that its compilers write is kept in the log.
///
/// # Errors
/// If something failed for which the hand-in cannot be blamed.
pub fn compile(
    recipe: &Recipe,
    sources: &Path,
    bot: &Path,
    log: &Path,
    conditions: &Conditions,
    deadline: Instant,
    stop: &dyn Fn() -> bool,
) -> io::Result<Compiled> {
    fs::create_dir_all(bot)?;
    let (script, keep) = match &recipe.step {
        Step::Nothing => {
            keep_log(log, b"nothing had to be built\n")?;
            return finish(recipe, sources, bot, 0, true);
        }
        Step::Check(script) => (script, None),
        Step::Build(script) => (script, Some(bot)),
    };
    let (disk, most_kept) = room(size_of(sources)?, conditions);
    let work = Work {
        script,
        files: sources,
        readable: recipe.toolbox.readable(),
        environment: environment(recipe, conditions),
        disk,
        most_kept,
        keep,
    };
    let run = run(&work, conditions, deadline, stop)?;
    let output = String::from_utf8_lossy(&run.output);
    let problem = problem(&run, &output, &work, conditions);
    let is_by_itself = matches!(run.end, End::Exited(_));
    let missing = missing_command(&output).filter(|_| problem.is_some() && is_by_itself);
    let missing = missing.and_then(|command| missing_here(&recipe.toolbox, command));
    let (lacks_tool, problem) = match missing {
        Some(missing) => (true, Some(missing.to_string())),
        None => (false, problem),
    };
    let end = problem.as_deref().unwrap_or("done");
    keep_log(log, &[b"$ ", script.as_bytes(), b"\n", &run.output, b"\n", end.as_bytes(), b"\n"].concat())?;
    match problem {
        Some(problem) => {
            fs::remove_dir_all(bot)?;
            let (outcome, how) = (Outcome::Failed(problem), recipe.how.clone());
            Ok(Compiled { outcome, how, command: None, remarks: recipe.remarks.clone(), lacks_tool })
        }
        None => finish(recipe, sources, bot, warnings(&output), keep.is_none()),
    }
}

/// Finds the bot in what was made, or in what was handed in.
fn finish(
    recipe: &Recipe,
    sources: &Path,
    bot: &Path,
    warnings: usize,
    is_as_handed_in: bool,
) -> io::Result<Compiled> {
    if is_as_handed_in {
        let mut copy = TreeCopy::within(u64::MAX, MOST_ENTRIES);
        copy.keeps_run_bits = true;
        copy.copy_folder(open_folder(sources)?, open_folder(bot)?, DEEPEST, &|_| false)?;
    }
    give_run_bits(bot)?;
    let found = match &recipe.starts {
        Starts::With(command) => Some((command.clone(), Vec::new())),
        Starts::WhatIsMade(names) => made(bot, sources, names, &recipe.toolbox),
    };
    let how = recipe.how.clone();
    let Some((command, more)) = found else {
        fs::remove_dir_all(bot)?;
        let outcome = Outcome::Failed(format!("'{how}' has made no program that can be run"));
        let remarks = recipe.remarks.clone();
        return Ok(Compiled { outcome, how, command: None, remarks, lacks_tool: false });
    };
    let outcome = if warnings == 0 { Outcome::Built } else { Outcome::Warnings(warnings) };
    let remarks = recipe.remarks.iter().cloned().chain(more).collect();
    Ok(Compiled { outcome, how, command: Some(command), remarks, lacks_tool: false })
}

/// Why a build has failed, if it has.
fn problem(run: &Run, output: &str, work: &Work, conditions: &Conditions) -> Option<String> {
    let Conditions { time, memory, network, .. } = conditions;
    match run.end {
        End::Stopped => return Some("was interrupted".to_owned()),
        End::TimedOut => {
            return Some(format!("did not finish in {} s (--build-time allows more)", time.as_secs_f64()));
        }
        End::Exited(_) => {}
    }
    let has_failed = run.end != End::Exited(Exit::Code(0));
    if run.usage.over_memory {
        return Some(format!(
            "used more than the {memory} of memory that it may (--build-memory allows more)"
        ));
    }
    let is_full = has_failed && is_out_of_room(output);
    if run.usage.over_disk && !has_failed {
        let kept = Size(work.most_kept.0 >> 20 << 20);
        return Some(format!(
            "filled the disk: {kept} are kept of it at most, and the build has left more, or too many files"
        ));
    }
    if run.usage.over_disk || is_full {
        let disk = Size(work.disk.0 >> 20 << 20);
        return Some(format!("filled the disk: it may write {disk} (--build-memory allows more)"));
    }
    if !has_failed {
        return None;
    }
    // What was killed had no last words.
    if let End::Exited(exit @ Exit::Signal(_)) = run.end {
        return Some(exit.to_string());
    }
    let error = first_error(output);
    if !network && wants_download(output) {
        return Some(format!(
            "needs a download, and builds have no network; --build-network allows it: {error}"
        ));
    }
    Some(error)
}

/// How much a build may write, with the copy of its files, and how much of that is kept. Where it has a file system of its own, that is
/// in memory; what is kept of all hand-ins is on one disk.
fn room(handed_in: u64, conditions: &Conditions) -> (Size, Size) {
    const MOST_MADE: u64 = 256 << 20;
    const SHARE_OF_MEMORY: u64 = 4;
    let disk = (conditions.memory.0 / SHARE_OF_MEMORY).max(MOST_MADE);
    (Size(handed_in + disk), Size(handed_in + MOST_MADE))
}

/// How much the files in a folder hold. Links are not followed.
fn size_of(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let data = entry.metadata()?;
            if data.is_dir() {
                open.push(entry.path());
            }
            // Every file takes whole pages.
            bytes += data.len() + 4096;
        }
    }
    Ok(bytes)
}

/// What compilers find in their environment: English, no colours, and no network to wait for.
fn environment(recipe: &Recipe, conditions: &Conditions) -> Vec<(String, String)> {
    let path = recipe.toolbox.path();
    let always = [
        ("PATH", path.as_str()),
        ("LC_ALL", "C.UTF-8"),
        ("TERM", "dumb"),
        ("NO_COLOR", "1"),
        ("CARGO_TERM_COLOR", "never"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
        ("GOTOOLCHAIN", "local"),
        ("CI", "1"),
    ];
    let offline = [("CARGO_NET_OFFLINE", "true"), ("GOPROXY", "off"), ("npm_config_offline", "true")];
    let offline = offline.into_iter().filter(|_| !conditions.network);
    always.into_iter().chain(offline).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Keeps what was done and what came of it. Nothing of it drives the terminal of whoever reads it.
fn keep_log(log: &Path, text: &[u8]) -> io::Result<()> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    replace_file(log, Durability::Rebuildable, |file| file.write_all(visible(text).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_drives_no_terminal() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("logs/Ana.txt");
        keep_log(&log, b"$ cc\n\ta\x1b[2J\xff\n").unwrap();
        let kept = fs::read_to_string(log).unwrap();
        assert!(kept.starts_with("$ cc\n\ta") && kept.ends_with('\n') && !kept.contains('\x1b'), "{kept:?}");
    }
}

//! Builds every hand-in that has changed: unpacked, built, and kept, several at a time.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use sha2::{Digest, Sha256};

use super::built::{Built, Keep, Workshop};
use super::choice::Choice;
use super::compile::{Compiled, Conditions, compile};
use super::handin::HandIn;
use super::outcome::Outcome;
use super::recipe::recipe;
use super::toolbox::Toolbox;
use super::unpack::{UnpackLimits, unpack};
use crate::championship::file_tree::FileTree;
use crate::record::Identity;
use crate::record::replace_file::UNFINISHED;
use crate::record::text::{one_line, printable};

/// How hand-ins are built.
pub struct Orders<'a> {
    /// Where.
    pub workshop: &'a Workshop,
    /// What the professor has said about single ones.
    pub choices: &'a [Choice],
    /// The most that a hand-in may hold.
    pub limits: UnpackLimits,
    /// How tools are run.
    pub conditions: Conditions,
    /// The tools of this machine.
    pub toolbox: &'a Toolbox,
    /// How many are built at a time.
    pub jobs: usize,
    /// Whether all are built, changed or not.
    pub again: bool,
}

/// What happens, for whoever watches.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A hand-in is begun with.
    Begun(&'a str),
    /// Nothing of it has changed since it was last built.
    Unchanged(&'a Built),
    /// It has not changed, but what was built from it: it is built again.
    BotAltered(&'a str),
    /// It was built, or could not be.
    Done(&'a Built),
}

/// Builds hand-ins, those of them that have changed since they were last built here, and returns what came of each, in order;
/// fewer if `stop` says that it should end.
pub fn build(
    handins: &[HandIn],
    orders: &Orders,
    stop: &(dyn Fn() -> bool + Sync),
    tell: &(dyn Fn(Step) + Sync),
) -> io::Result<Vec<Built>> {
    let workshop = orders.workshop;
    for folder in [workshop.all_sources(), workshop.all_bots()] {
        fs::create_dir_all(&folder)?;
        remove_unfinished(&folder);
    }
    let earlier = workshop.earlier()?;
    let (next, keep) = (AtomicUsize::new(0), Mutex::new(workshop.keep()?));
    let machine = Machine::default();
    let work = || {
        let mut done = Vec::new();
        while let Some((index, handin)) = next_of(handins, &next).filter(|_| !stop()) {
            match one(handin, orders, &earlier, &keep, &machine, stop, tell) {
                Ok(built) => done.extend(built.map(|built| (index, built))),
                Err(error) => {
                    // The others begin with no more either.
                    next.store(handins.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(done)
    };
    let mut done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..orders.jobs.min(handins.len())).map(|_| scope.spawn(work)).collect();
        let joined = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.collect::<io::Result<Vec<_>>>()
    })?
    .concat();
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(_, built)| built).collect())
}

fn next_of<'a>(handins: &'a [HandIn], next: &AtomicUsize) -> Option<(usize, &'a HandIn)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, handins.get(index)?))
}

/// Removes what a run left unfinished that was killed.
fn remove_unfinished(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            // One that cannot be removed is in nobody's way.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Builds one hand-in, unless nothing of it has changed. Nothing is returned of one that was interrupted.
fn one(
    handin: &HandIn,
    orders: &Orders,
    earlier: &HashMap<String, Built>,
    keep: &Mutex<Keep>,
    machine: &Machine,
    stop: &(dyn Fn() -> bool + Sync),
    tell: &(dyn Fn(Step) + Sync),
) -> io::Result<Option<Built>> {
    let choice = orders.choices.iter().find(|choice| choice.is_about(handin)).cloned().unwrap_or_default();
    let made_from = made_from(handin, &choice, orders.conditions.network);
    let has_same_tools =
        |built: &Built| built.lacked.as_ref().is_none_or(|had| *had == orders.toolbox.names());
    let same = |built: &&Built| {
        let is_of_same = made_from.is_some() && built.made_from == made_from;
        is_of_same && !built.is_passing && has_same_tools(built)
    };
    if let Some(built) = earlier.get(&handin.name).filter(same).filter(|_| !orders.again) {
        if orders.workshop.has_bot_of(built) {
            tell(Step::Unchanged(built));
            return Ok(Some(built.clone()));
        }
        tell(Step::BotAltered(&handin.name));
    }
    tell(Step::Begun(&handin.name));
    let attempt = attempt(handin, &choice, orders, stop);
    if stop() {
        return Ok(None);
    }
    let Attempt { compiled, retry } = machine.blamed(attempt, handin, orders.workshop)?;
    let Compiled { outcome, how, command, remarks, .. } = compiled;
    let is_passing = retry == Retry::NextTime;
    let lacked = (retry == Retry::WithOtherTools).then(|| orders.toolbox.names());
    let entries = handin.entries.iter().map(|path| shown_name(path)).collect();
    let bot = command.as_ref().and_then(|_| orders.workshop.bot_identity(&handin.name));
    let built = Built {
        name: handin.name.clone(),
        entries,
        made_from,
        outcome: outcome.on_one_line(),
        how: one_line(&how),
        command,
        bot,
        remarks: remarks.iter().map(|remark| one_line(remark)).collect(),
        is_passing,
        lacked,
        test: None,
    };
    keep.lock().unwrap_or_else(PoisonError::into_inner).add(&built)?;
    tell(Step::Done(&built));
    Ok(Some(built))
}

fn shown_name(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    printable(path.file_name().unwrap_or_default().as_bytes(), 200)
}

/// The hash of all that a bot is made from: what was handed in, what was chosen for it, and what its build was allowed.
fn made_from(handin: &HandIn, choice: &Choice, network: bool) -> Option<Identity> {
    let mut hasher = Sha256::new();
    for path in &handin.entries {
        let tree = FileTree::read(path.parent()?, std::slice::from_ref(path), &|_| false);
        hasher.update(tree.identity(None).ok()?.bytes());
    }
    hasher.update(serde_json::to_vec(&(choice, network)).ok()?);
    Some(Identity::from_hasher(hasher))
}

/// How the machine that all is built on does.
#[derive(Debug, Default)]
struct Machine {
    /// How many hand-ins could not be built because of it since one last could.
    failures: AtomicUsize,
}

impl Machine {
    /// The machine, such as a full disk, may be in the way of a single hand-in, which then is tried again another time. If it is in the
    /// way of the next one too, it is in everybody's.
    fn blamed(
        &self,
        attempt: io::Result<Attempt>,
        handin: &HandIn,
        workshop: &Workshop,
    ) -> io::Result<Attempt> {
        const MOST: usize = 2;
        let error = match attempt {
            Ok(attempt) => {
                self.failures.store(0, Ordering::Relaxed);
                return Ok(attempt);
            }
            Err(error) => error,
        };
        if self.failures.fetch_add(1, Ordering::Relaxed) + 1 >= MOST {
            let (folder, name) = (workshop.folder().display(), &handin.name);
            let words = format!(
                "{MOST} hand-ins in a row could not be built, the last one '{name}': {error}; see to it that '{folder}' \
                 can be written to and has room, and give the same command again"
            );
            return Err(io::Error::new(error.kind(), words));
        }
        let outcome = Outcome::Refused(format!("could not be built here: {error}"));
        Ok(Attempt::without_program(outcome, handin.remarks.clone(), Retry::NextTime))
    }
}

/// When a hand-in is built again though nothing of it has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Retry {
    /// Only if somebody asks for it.
    Never,
    /// Each time: the machine was in the way, and not the hand-in.
    NextTime,
    /// Once other tools are installed: one was missing.
    WithOtherTools,
}

/// What came of trying to build a hand-in.
struct Attempt {
    compiled: Compiled,
    retry: Retry,
}

impl Attempt {
    fn without_program(outcome: Outcome, remarks: Vec<String>, retry: Retry) -> Attempt {
        let compiled = Compiled { outcome, how: String::new(), command: None, remarks, lacks_tool: false };
        Attempt { compiled, retry }
    }
}

/// Unpacks and builds a hand-in in folders of their own, which take the place of earlier ones in the end.
fn attempt(
    handin: &HandIn,
    choice: &Choice,
    orders: &Orders,
    stop: &(dyn Fn() -> bool + Sync),
) -> io::Result<Attempt> {
    let workshop = orders.workshop;
    let (log, sources_place, bot_place) =
        (workshop.log(&handin.name), workshop.sources(&handin.name), workshop.bot(&handin.name));
    // What was said of an earlier hand-in says nothing of this one.
    not_missing(fs::remove_file(&log))?;
    let unfinished = |folder: PathBuf| tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(folder);
    let (sources, bot) = (unfinished(workshop.all_sources())?, unfinished(workshop.all_bots())?);
    let (sources_folder, bot_folder) = (sources.path().join("sources"), bot.path().join("bot"));
    // Many archives take no longer than one.
    let deadline = Instant::now() + orders.conditions.time;
    let tools = orders.conditions.tools(deadline, stop);
    let unpacked = match unpack(handin, &sources_folder, &orders.limits, &tools) {
        Ok(unpacked) => unpacked,
        Err(problem) => {
            let retry = match problem.is_passing() {
                _ if problem.lacks_tool() => Retry::WithOtherTools,
                true => Retry::NextTime,
                false => Retry::Never,
            };
            // Where the machine was in the way, what was there before stays.
            if retry == Retry::Never {
                not_missing(fs::remove_dir_all(&sources_place))?;
                not_missing(fs::remove_dir_all(&bot_place))?;
            }
            let outcome = Outcome::Refused(problem.to_string());
            return Ok(Attempt::without_program(outcome, handin.remarks.clone(), retry));
        }
    };
    let attempt = match recipe(&unpacked.folder, choice, orders.toolbox) {
        Err(nothing) => {
            let retry = if nothing.lacks_tool() { Retry::WithOtherTools } else { Retry::Never };
            Attempt::without_program(nothing.outcome(), unpacked.remarks, retry)
        }
        Ok(recipe) => {
            let conditions = &orders.conditions;
            let compiled = compile(&recipe, &unpacked.folder, &bot_folder, &log, conditions, deadline, stop)?;
            let remarks = unpacked.remarks.into_iter().chain(compiled.remarks).collect();
            let retry = if compiled.lacks_tool { Retry::WithOtherTools } else { Retry::Never };
            Attempt { compiled: Compiled { remarks, ..compiled }, retry }
        }
    };
    put_in_place(&sources_folder, &sources_place)?;
    put_in_place(&bot_folder, &bot_place)?;
    Ok(attempt)
}

/// Has a new folder take the place of an old one. If there is no new one, the old one goes.
fn put_in_place(new: &Path, place: &Path) -> io::Result<()> {
    not_missing(fs::remove_dir_all(place))?;
    if new.is_dir() { fs::rename(new, place) } else { Ok(()) }
}

/// That something is gone, whether or not it was there.
fn not_missing(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_may_fail_one_hand_in_and_ends_all_at_two_in_a_row() {
        let workshop = Workshop::in_folder(Path::new("out"));
        let (name, entries, remarks) = ("Ana".to_owned(), Vec::new(), Vec::new());
        let handin = HandIn { claims: name.clone(), name, entries, layout: None, remarks };
        let machine = Machine::default();
        let full = || machine.blamed(Err(io::ErrorKind::StorageFull.into()), &handin, &workshop);
        let row = full().unwrap();
        assert_eq!(row.retry, Retry::NextTime);
        let problem = row.compiled.outcome.problem().unwrap();
        assert!(problem.starts_with("could not be built here: "), "{problem}");
        let fine = Attempt::without_program(Outcome::Built, Vec::new(), Retry::Never);
        assert!(machine.blamed(Ok(fine), &handin, &workshop).is_ok());
        assert!(full().is_ok());
        let error = full().err().expect("the second in a row").to_string();
        assert!(error.contains("'out'") && error.contains("'Ana'"), "{error}");
    }
}

//! Runs games on several cores: one thread for each game that runs at a time.

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

use super::containment::{Containment, confine};
use super::roster::Entrant;
use super::schedule::{Fixture, Pairing};
use crate::contain::keeper::Keeper;
use crate::contain::visible_files::VisibleFiles;
use crate::game::{Seat, Setup};
use crate::record::{GameRecord, SeatRecord};
use crate::referee::interrupt::Interrupt;
use crate::referee::{self, Invitation, Terms};

/// What is needed to play any game of a schedule.
pub struct Runner<'a> {
    /// The programs.
    pub roster: &'a [Entrant],
    /// The game.
    pub setup: &'a Setup,
    /// Where the file of its board is, if it has one.
    pub board_file: &'a str,
    /// The conditions of play.
    pub terms: &'a Terms,
    /// How many games run at a time.
    pub jobs: usize,
    /// Whether each game is bound to a core of its own.
    pub pin: bool,
    /// First moves that programs are asked to play; each pairing has the next.
    pub openings: &'a [String],
    /// How programs are contained, if they are.
    pub containment: Option<&'a Containment>,
    /// Ends it all early.
    pub interrupt: &'a Interrupt,
}

/// A game that has just ended.
pub struct Finished {
    /// The game.
    pub record: GameRecord,
    /// The beginning of each program's stderr, by seat.
    pub stderr: Vec<Vec<u8>>,
}

/// What happens while games run.
pub enum Event {
    /// A game begins.
    Begun(Fixture),
    /// A game has ended.
    Finished(Box<Finished>),
    /// Some time has passed.
    Tick,
}

/// How often somebody who listens is told that time passes.
const TICK: Duration = Duration::from_millis(200);

impl Runner<'_> {
    /// Plays the pairings, in order as far as several at a time allow. Everything that happens is told to `listen`,
    /// in the calling thread; when that breaks off, games that run are played to their end and no others begun.
    ///
    /// # Errors
    /// The first trouble of the referee itself or of `listen`, once all games have ended.
    pub fn run<E: From<io::Error>>(
        &self,
        pairings: Vec<Pairing>,
        mut listen: impl FnMut(Event) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let visible_files =
            self.containment.map_or_else(Vec::new, |containment| containment.visible_files(self.roster));
        let workers = self.jobs.clamp(1, pairings.len().max(1));
        let queue = Mutex::new(VecDeque::from(pairings));
        let cores = if self.pin { cores()? } else { Vec::new() };
        allow_descriptors(workers as u64 * u64::from(self.setup.board().seats));
        let mut trouble = None;
        thread::scope(|scope| {
            let (sender, events) = channel();
            for worker in 0..workers {
                let (sender, queue, visible_files) = (sender.clone(), &queue, &visible_files);
                let core = cores.get(worker % cores.len().max(1)).copied();
                scope.spawn(move || self.work(core, queue, visible_files, &sender));
            }
            drop(sender);
            // Bookkeeping keeps off the cores that games are played on, as long as there are others.
            if let Some(others @ [_, ..]) = cores.get(workers..) {
                pin_to(others);
            }
            loop {
                let event = match events.recv_timeout(TICK) {
                    Ok(event) => event.map_err(E::from),
                    Err(RecvTimeoutError::Timeout) => Ok(Event::Tick),
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                // After trouble nothing counts any more: what cannot be recorded has not been played.
                let answer = event.and_then(|event| match trouble {
                    None => listen(event),
                    Some(_) => Ok(ControlFlow::Break(())),
                });
                match answer {
                    Ok(ControlFlow::Continue(())) => continue,
                    Ok(ControlFlow::Break(())) => {}
                    Err(error) => {
                        trouble.get_or_insert(error);
                    }
                }
                lock(&queue).clear();
            }
        });
        pin_to(&cores);
        trouble.map_or(Ok(()), Err)
    }

    fn work(
        &self,
        core: Option<usize>,
        queue: &Mutex<VecDeque<Pairing>>,
        visible_files: &[VisibleFiles],
        sender: &Sender<io::Result<Event>>,
    ) {
        if let Some(core) = core {
            // Programs inherit it.
            pin_to(&[core]);
        }
        let mut keepers = Vec::new();
        loop {
            let Some(pairing) = lock(queue).pop_front() else { return };
            for fixture in pairing {
                if self.interrupt.requested() || sender.send(Ok(Event::Begun(fixture.clone()))).is_err() {
                    return;
                }
                let finished = self.play(&fixture, visible_files, &mut keepers);
                if sender.send(finished.map(|game| Event::Finished(Box::new(game)))).is_err() {
                    return;
                }
            }
        }
    }

    fn play(
        &self,
        fixture: &Fixture,
        visible_files: &[VisibleFiles],
        keepers: &mut Vec<Keeper>,
    ) -> io::Result<Finished> {
        let started = jiff::Timestamp::now();
        let mut game = self.setup.start();
        let seats: Vec<&Entrant> = fixture.seats.iter().map(|&index| &self.roster[index]).collect();
        let invited = (0..).map(Seat).zip(&seats).zip(&fixture.seats).map(|((seat, entrant), &index)| {
            let (protocol, own) = (entrant.protocol, visible_files.get(index));
            let (confinement, board_file) =
                confine(self.containment, own, game.as_ref(), self.terms, self.board_file);
            let arguments = protocol.arguments(game.as_ref(), seat, &board_file, self.terms.debug_bots);
            let launch = entrant.launch(arguments, self.environment(fixture), confinement);
            let (setup, opening) = (entrant.setup.clone(), self.opening(fixture).to_owned());
            Invitation { launch, protocol, setup, opening }
        });
        let invited = invited.collect();
        let played = referee::play(game.as_mut(), invited, keepers, self.terms, self.interrupt)?;
        let seats =
            seats.iter().zip(&played.used).zip(&played.usage).map(|((entrant, used), usage)| SeatRecord {
                bot: entrant.name.clone(),
                command: entrant.command.clone(),
                used_ns: used.as_nanos() as u64,
                cpu_ns: usage.cpu_ns,
                peak: usage.peak,
            });
        let record = GameRecord {
            id: fixture.id,
            round: fixture.round,
            game: self.setup.name().to_owned(),
            size: self.setup.board().size,
            board: self.setup.board().text.clone(),
            seats: seats.collect(),
            terms: self.terms.clone(),
            seed: fixture.seed,
            started,
            ended: jiff::Timestamp::now(),
            swapped: game.swapped(),
            opening: self.opening(fixture).to_owned(),
            moves: played.moves,
            verdict: played.verdict,
            warnings: played.warnings,
        };
        Ok(Finished { record, stderr: played.stderr })
    }

    fn opening(&self, fixture: &Fixture) -> &str {
        if self.openings.is_empty() { "" } else { &self.openings[fixture.opening % self.openings.len()] }
    }

    /// What programs are told beyond their arguments.
    fn environment(&self, fixture: &Fixture) -> Vec<(String, String)> {
        let time = self.terms.time;
        let mut variables = vec![
            ("ARBITRO_GAME", self.setup.name().to_owned()),
            ("ARBITRO_SIZE", self.setup.board().size.to_string()),
            ("ARBITRO_TIME", time.base.as_secs_f64().to_string()),
            ("ARBITRO_INC", time.increment.as_secs_f64().to_string()),
            ("ARBITRO_SEED", fixture.seed.to_string()),
        ];
        if !self.openings.is_empty() {
            variables.push(("ARBITRO_OPENING", self.opening(fixture).to_owned()));
        }
        variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The queue, whatever happened to a thread that held it: it is whole between any two steps.
fn lock<T>(queue: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks for as many open files as so many seats need, if that is more than usual.
fn allow_descriptors(seats: u64) {
    const FOR_A_SEAT: u64 = 16;
    const FOR_THE_REST: u64 = 64;
    let limit = getrlimit(Resource::Nofile);
    let needed = FOR_THE_REST + seats * FOR_A_SEAT;
    if limit.current.is_some_and(|current| current < needed) {
        let current = Some(limit.maximum.map_or(needed, |maximum| maximum.min(needed)));
        // If this is refused, so is the file that is one too many, and that error is told.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum: limit.maximum });
    }
}

/// Binds the calling thread to these cores, if there are any. Where that is forbidden, games are as fair as the scheduler is.
fn pin_to(cores: &[usize]) {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    if !cores.is_empty() {
        let _ = sched_setaffinity(None, &set);
    }
}

/// The cores this process may use, beginning with the one it runs on, which the scheduler found idle: so two matches
/// started by hand do not both crowd the first core.
fn cores() -> io::Result<Vec<usize>> {
    let allowed = sched_getaffinity(None)?;
    let mut cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let here = cores.iter().position(|&core| core == sched_getcpu()).unwrap_or_default();
    cores.rotate_left(here);
    Ok(cores)
}

//! Runs games on several cores: one thread for each game that runs at a time.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::SIGTERM;
use tempfile::TempDir;

use super::bot_environment::Draw;
use super::bot_files;
use super::cores::{self, pin_to};
use super::entrant::Entrant;
use super::formats::{Fixture, Pairing};
use super::in_progress::{InProgress, RunningGame};
use super::seating::Seating;
use crate::contain::keeper::Keeper;
use crate::contain::spec::Exit;
use crate::contain::visible_files::VisibleFiles;
use crate::game::Seat;
use crate::record::cause::Obstacle;
use crate::record::fixture::seat_seed;
use crate::record::game_record::FORMAT;
use crate::record::{Cause, GameRecord, Identity, Loss, Ply, SeatRecord, Warning};
use crate::referee::interrupt::Interrupt;
use crate::referee::{self, Host, INTERRUPTED, Played, Sitter};

/// What is needed to play any game of a schedule.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    /// The bots, which fixtures name by index.
    pub roster: &'a [Entrant],
    /// What all games have in common.
    pub seating: Seating<'a>,
    /// How many games run at a time.
    pub jobs: usize,
    /// Whether each game is bound to a core of its own, or where bots may ponder, to as many as there are bots in it.
    pub pin: bool,
    /// First moves that bots are asked to play, which fixtures name by index.
    pub openings: &'a [String],
    /// The seed of the championship, from which that of each game derives.
    pub seed: u64,
    /// The folder in which the working directories of bots are kept, if they are.
    pub keep_scratch: Option<&'a Path>,
    /// Where those who watch find the games that run, if somebody watches.
    pub in_progress: Option<&'a InProgress>,
    /// Ends it all early.
    pub interrupt: &'a Interrupt,
}

/// A game that has just ended.
pub struct Finished {
    /// Which game of the schedule it was.
    pub fixture: Fixture,
    /// The number that seeded the bots' dice.
    pub seed: u64,
    /// The first moves that the bots were asked to play.
    pub opening: Option<String>,
    /// When it began.
    pub started: jiff::Timestamp,
    /// When it was over and nothing of the programs was left.
    pub ended: jiff::Timestamp,
    /// Whether the players exchanged colours.
    pub swapped: bool,
    /// All else that is known of it.
    pub played: Played,
    /// What bots have left in their working directories, by seat, if that is kept. It is removed unless somebody takes it.
    pub scratch: Vec<TempDir>,
}

/// Where a game has its place in a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u32,
    /// The generation of its fixture, from 1.
    pub generation: u32,
    /// Which attempt at it this was, from 1.
    pub attempt: u32,
}

/// A player as it is recorded.
pub struct Player {
    /// Its name.
    pub name: String,
    /// How it is started; nothing for a person.
    pub command: String,
    /// The identity of its program.
    pub identity: Option<Identity>,
}

impl Finished {
    /// The game as it is recorded; `players` are in order of their seats.
    pub fn record(&self, seating: &Seating, line: Line, players: Vec<Player>) -> GameRecord {
        let board = seating.setup.board();
        let seats = players.into_iter().zip(&self.played.seats).map(|(player, played)| SeatRecord {
            bot: player.name,
            command: player.command,
            identity: player.identity,
            used_ns: played.used.as_nanos() as u64,
            startup_ns: played.startup.map(|startup| startup.as_nanos() as u64),
            out_of_turn_ns: played.out_of_turn.as_nanos() as u64,
            credited_ns: played.credited.as_nanos() as u64,
            cpu_ns: played.usage.map(|usage| usage.cpu_ns),
            peak: played.usage.map(|usage| usage.peak),
            wrote: played.wrote.clone(),
            exit: played.exit,
        });
        let mut record = GameRecord {
            format: FORMAT,
            number: line.number,
            round: self.fixture.key.round,
            leg: Some(self.fixture.key.leg),
            generation: line.generation,
            attempt: line.attempt,
            game: seating.setup.name().to_owned(),
            size: board.size,
            board: Some(board.text.clone()).filter(|text| !text.is_empty()),
            diagram: None,
            comments: BTreeMap::new(),
            seats: seats.collect(),
            terms: seating.terms.clone(),
            seed: Some(self.seed),
            started: Some(self.started),
            ended: Some(self.ended),
            load: self.played.load,
            opening: self.opening.clone(),
            plies: self.played.plies.clone(),
            swapped: self.swapped,
            verdict: self.played.verdict.clone(),
            warnings: self.played.warnings.clone(),
        };
        // For people who read the journal itself; everybody else makes it anew from the facts.
        record.verdict.sentence = record.first_sentence();
        record
    }
}

/// What happens while games run.
pub enum Event {
    /// A game begins.
    Begun(Fixture),
    /// A game has ended.
    Finished(Box<Finished>),
    /// A game was broken off by trouble of the referee's own, which is nobody's fault: the machine is short of something.
    Broken {
        /// The game.
        fixture: Fixture,
        /// What went wrong.
        trouble: String,
    },
    /// A program has done something that is let pass; of each program of a game, the first time.
    Warned {
        /// The game.
        fixture: Fixture,
        /// What it did.
        warning: Warning,
    },
    /// Some time has passed.
    Tick,
}

/// What the names of working directories begin with that are kept of games which still run.
const PLAYING: &str = ".playing-";

/// Tells what programs do while their game goes on.
struct Reporter<'a> {
    fixture: Fixture,
    sender: &'a Sender<Event>,
    told: Vec<Seat>,
    watched: Option<Watched<'a>>,
}

/// A game that somebody watches, as long as it runs.
struct Watched<'a> {
    in_progress: &'a InProgress,
    game: Arc<RunningGame>,
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.in_progress.end(&self.game);
    }
}

impl Host for Reporter<'_> {
    fn played(&mut self, seat: Seat, ply: &Ply) -> io::Result<()> {
        if let Some(watched) = &self.watched {
            watched.game.played(seat, ply);
        }
        Ok(())
    }

    fn warned(&mut self, warning: &Warning) -> io::Result<()> {
        if !self.told.contains(&warning.seat) {
            self.told.push(warning.seat);
            let (fixture, warning) = (self.fixture.clone(), warning.clone());
            // If nobody listens any more, the end of the game finds that out.
            let _ = self.sender.send(Event::Warned { fixture, warning });
        }
        Ok(())
    }
}

/// How often somebody who listens is told that time passes.
const TICK: Duration = Duration::from_millis(200);

/// How long a worker waits after trouble of the referee's own: the first time, and at most.
const BACKING_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(3));

impl Runner<'_> {
    /// Plays the pairings, in order as far as several at a time allow. Everything that happens is told to `listen`,
    /// in the calling thread; when that breaks off, games that run are played to their end and no others begun.
    ///
    /// # Errors
    /// The first trouble of `listen`, once all games have ended. Trouble of the referee itself costs the game in which it
    /// happens, and is told.
    pub fn run<E>(
        &self,
        pairings: Vec<Pairing>,
        mut listen: impl FnMut(Event) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let containment = self.seating.containment;
        let visible_files =
            containment.map_or_else(Vec::new, |containment| containment.visible_files(self.roster));
        let workers = self.jobs.clamp(1, pairings.len().max(1));
        let queue = Mutex::new(VecDeque::from(pairings));
        let cores = if self.pin { cores::allowed() } else { Vec::new() };
        let seats = self.seating.setup.board().seats;
        let cores_each = if self.seating.terms.ponder { seats.into() } else { 1 };
        allow_descriptors(workers as u64 * u64::from(seats));
        self.keep_scratch.map(remove_unfinished);
        let mut trouble = None;
        thread::scope(|scope| {
            let (sender, events) = channel();
            for worker in 0..workers {
                let (sender, queue, visible_files) = (sender.clone(), &queue, &visible_files);
                let own = cores::share(&cores, worker, cores_each);
                scope.spawn(move || self.work(own, queue, visible_files, &sender));
            }
            drop(sender);
            // Bookkeeping keeps off the cores that games are played on, as long as there are others.
            if let Some(others @ [_, ..]) = cores.get(workers * cores_each..) {
                pin_to(others);
                self.in_progress.iter().for_each(|games| games.set_spare_cores(others));
            }
            loop {
                let event = match events.recv_timeout(TICK) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => Event::Tick,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                // After trouble nothing counts any more: what cannot be recorded has not been played.
                let answer = match trouble {
                    None => listen(event),
                    Some(_) => Ok(ControlFlow::Break(())),
                };
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
        // Ignore failure: something is kept in it.
        let _ = self.keep_scratch.map(std::fs::remove_dir);
        trouble.map_or(Ok(()), Err)
    }

    fn work(
        &self,
        cores: &[usize],
        queue: &Mutex<VecDeque<Pairing>>,
        visible_files: &[VisibleFiles],
        sender: &Sender<Event>,
    ) {
        // Programs inherit them.
        pin_to(cores);
        let mut keepers = Vec::new();
        let mut pause = BACKING_OFF.0;
        loop {
            let Some(pairing) = lock(queue).pop_front() else { return };
            for fixture in pairing {
                if self.interrupt.requested() || sender.send(Event::Begun(fixture.clone())).is_err() {
                    return;
                }
                let event = match self.play(fixture.clone(), cores, visible_files, &mut keepers, sender) {
                    Ok(game) => Event::Finished(Box::new(game)),
                    Err(error) => Event::Broken { fixture, trouble: error.to_string() },
                };
                let is_broken = matches!(event, Event::Broken { .. });
                if sender.send(event).is_err() {
                    return;
                }
                if is_broken {
                    self.rest(pause);
                }
                pause = if is_broken { (2 * pause).min(BACKING_OFF.1) } else { BACKING_OFF.0 };
            }
        }
    }

    /// Waits for what the machine is short of to be there again, or for the end.
    fn rest(&self, pause: Duration) {
        let end = Instant::now() + pause;
        while Instant::now() < end && !self.interrupt.requested() {
            thread::sleep(BACKING_OFF.0);
        }
    }

    fn play(
        &self,
        fixture: Fixture,
        cores: &[usize],
        visible_files: &[VisibleFiles],
        keepers: &mut Vec<Keeper>,
        sender: &Sender<Event>,
    ) -> io::Result<Finished> {
        let started = jiff::Timestamp::now();
        let mut game = self.seating.setup.start();
        let opening = fixture.opening.and_then(|opening| self.openings.get(opening));
        let seed = fixture.key.seed(self.seed);
        let terms = self.seating.terms;
        let sitters = (0..).map(Seat).zip(&fixture.seats).map(|(seat, &bot)| {
            let (entrant, visible_files) = (&self.roster[bot], visible_files.get(bot));
            // A bot that ponders has a core of its own; others take turns on that of their game.
            let core = cores.get(seat.index()).copied().filter(|_| terms.ponder);
            let draw = Draw { seed: seat_seed(seed, seat), opening: opening.map(String::as_str) };
            self.seating.seat(entrant, visible_files, game.as_ref(), seat, draw, core)
        });
        let mut sitters: Vec<Sitter> = sitters.collect();
        let scratch =
            self.keep_scratch.map_or(Ok(Vec::new()), |folder| places_to_keep(folder, &mut sitters))?;
        let watched =
            self.in_progress.map(|in_progress| Watched { in_progress, game: in_progress.begin(&fixture) });
        let mut reporter = Reporter { fixture: fixture.clone(), sender, told: Vec::new(), watched };
        let host: Option<&mut dyn Host> = Some(&mut reporter);
        let mut played = referee::play(game.as_mut(), sitters, host, keepers, terms, self.interrupt)?;
        // A scheduler that ends its job may send every process of it the same signal, and bots may be quicker than we are.
        if ended_from_outside(&played) && self.interrupt.comes_within(FROM_OUTSIDE) {
            return Err(io::Error::other(INTERRUPTED));
        }
        let losses = played.verdict.losses.iter_mut();
        losses.for_each(|loss| name_unseen_files(loss, &self.roster[fixture.seats[loss.seat.index()]]));
        let (opening, ended) = (opening.cloned(), jiff::Timestamp::now());
        Ok(Finished { fixture, seed, opening, started, ended, swapped: game.swapped(), played, scratch })
    }
}

/// How long after a bot we may be told to end that has ended by the same signal.
const FROM_OUTSIDE: Duration = Duration::from_secs(1);

/// Whether a game was lost by a bot that somebody else may have told to end, as a signal or what programs make of it shows.
fn ended_from_outside(played: &Played) -> bool {
    let is_told = |exit: &Exit| *exit == Exit::Signal(SIGTERM) || *exit == Exit::Code(128 + SIGTERM);
    played.verdict.has_forfeit() && played.seats.iter().filter_map(|seat| seat.exit.as_ref()).any(is_told)
}

/// Removes what was left of games that were cut short together with all of arbitro.
fn remove_unfinished(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PLAYING) {
            // Ignore failure: it is in nobody's way.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Gives each bot a place that what it leaves in its working directory is copied to.
fn places_to_keep(folder: &Path, sitters: &mut [Sitter]) -> io::Result<Vec<TempDir>> {
    std::fs::create_dir_all(folder)?;
    let mut place = |sitter: &mut Sitter| {
        let kept = tempfile::Builder::new().prefix(PLAYING).tempdir_in(folder)?;
        if let Sitter::Program(seat) = sitter
            && let Some(confinement) = &mut seat.launch.confinement
        {
            confinement.keep_scratch = Some(std::path::absolute(kept.path())?);
        }
        Ok(kept)
    };
    sitters.iter_mut().map(&mut place).collect()
}

/// Tells files that a bot missed apart: those that are there, outside, where it does not see them.
pub fn name_unseen_files(loss: &mut Loss, entrant: &Entrant) {
    for cause in &mut loss.causes {
        let file = match cause {
            Cause::Obstacle(Obstacle::MissingFile(Some(file))) => file.clone(),
            Cause::Obstacle(Obstacle::MissingModule(module)) => format!("{module}.py"),
            _ => continue,
        };
        if bot_files::exists_outside(entrant, &file).is_some() {
            *cause = Cause::Obstacle(Obstacle::UnseenFile(file));
        }
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

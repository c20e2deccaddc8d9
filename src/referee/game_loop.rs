//! The loop that plays one game: whose turn it is, who is told what, and how it ends.

use std::io;
use std::time::{Duration, Instant};

use super::conduct::Conduct;
use super::explain::words::{self, SHOWN};
use super::explain::{self, Testimony, TooEarly};
use super::interrupt::Interrupt;
use super::lifecycle::{Programs, Woken};
use super::protocol::Heard;
use super::seats::{Answer, Answers, Host, Script, Sitter};
use super::turn_clock::{Pace, TurnClock};
use crate::contain::executable;
use crate::contain::keeper::Keeper;
use crate::contain::machine::{self, OwnTime, OwnTimes};
use crate::contain::spec::Exit;
use crate::contain::usage::Usage;
use crate::game::{Game, Refusal, Seat};
use crate::record::text::printable;
use crate::record::{Fault, Loss, Ply, Reason, SeatHint, Terms, Verdict, Warning, WarningKind};

/// How often a wait for a person ends for nothing: people have no deadline.
const IDLE: Duration = Duration::from_secs(3600);

/// All that is known of a game once it is over.
pub struct Played {
    /// What was played, ply by ply.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub verdict: Verdict,
    /// What was let pass.
    pub warnings: Vec<Warning>,
    /// What is known of each seat.
    pub seats: Vec<SeatPlayed>,
    /// How loaded the machine was when it began and when it ended.
    pub load: Option<[f32; 2]>,
    /// What was seen of the program that had to move when the game was broken off.
    pub so_far: Option<Loss>,
}

/// What is known of a seat once the game is over.
#[derive(Default)]
pub struct SeatPlayed {
    /// Time that its moves took, on its clock if it has one.
    pub used: Duration,
    /// How long its program took to come up.
    pub startup: Option<Duration>,
    /// Processor time that it used while it was not its turn, and that its clock was charged.
    pub out_of_turn: Duration,
    /// By how much it was late, which was not held against it since others had the processor.
    pub credited: Duration,
    /// What its program has used of the machine.
    pub usage: Option<Usage>,
    /// How its program ended before the game did, if so.
    pub exit: Option<Exit>,
    /// Files that it left in its working folder, the first of them.
    pub wrote: Vec<String>,
    /// The beginning and the end of its program's stderr.
    pub stderr: Vec<u8>,
}

/// Plays one game from the position of `game` to its end and leaves nothing running. `sitters` are in order of their seats;
/// `keepers` serve the programs among them and are used again for the next game. A `host` is needed where people play.
///
/// # Errors
/// Only for the referee's own troubles, and the host's: whatever a program does is a verdict.
pub fn play<'a>(
    game: &'a mut dyn Game,
    sitters: Vec<Sitter>,
    host: Option<&'a mut dyn Host>,
    keepers: &mut Vec<Keeper>,
    terms: &'a Terms,
    interrupt: &'a Interrupt,
) -> io::Result<Played> {
    let count = sitters.iter().filter(|sitter| matches!(sitter, Sitter::Program(_))).count();
    // Keepers of a game that fails half-way are not used again: dropping them ends all that they keep.
    let kept = keepers.drain(..count.min(keepers.len())).collect();
    let (mut programs, mut scripts) = (Vec::new(), Vec::new());
    for sitter in sitters {
        let (program, script) = match sitter {
            Sitter::Program(program) => (Some(*program), None),
            Sitter::Person => (None, None),
            Sitter::Script(script) => (None, Some(script)),
        };
        programs.push(program);
        scripts.push(script);
    }
    let (spawned, own_times) = (Instant::now(), OwnTimes::of_this_thread());
    let load = machine::load();
    let game_loop = GameLoop {
        programs: Programs::start(programs, kept, terms, interrupt)?,
        used: vec![Duration::ZERO; scripts.len()],
        scripts,
        game,
        host,
        terms,
        interrupt,
        spawned,
        turn_began: spawned,
        turn_clock: TurnClock::start(spawned, Pace::Free),
        awaited: spawned,
        is_slow: false,
        waited_last: None,
        all_up: false,
        cores: machine::cores(),
        own_time_before: own_times.up_to_now(),
        own_times,
        plies: Vec::with_capacity(128),
        movers: Vec::with_capacity(128),
        warnings: Vec::new(),
        losses: Vec::new(),
        testimony: None,
        so_far: None,
        told: Vec::new(),
    };
    let played = game_loop.play(keepers)?;
    Ok(Played { load: load.zip(machine::load()).map(|(before, after)| [before, after]), ..played })
}

/// What people answer on.
fn answers<'a>(host: &'a mut Option<&mut dyn Host>) -> io::Result<&'a mut dyn Answers> {
    let no_host = || io::Error::other("a person plays, and nobody hosts the game");
    host.as_mut().and_then(|host| host.answers()).ok_or_else(no_host)
}

/// How a turn ended.
pub(super) enum Turn {
    Moved,
    Lost(Fault),
    /// A person has given up.
    Resigned,
    /// The mover is late by more than can be credited, and that is not its fault.
    Disturbed(String),
    /// The game cannot go on, and that is no program's fault.
    Aborted(String),
}

pub(super) struct GameLoop<'a> {
    pub(super) game: &'a mut dyn Game,
    pub(super) programs: Programs,
    pub(super) scripts: Vec<Option<Box<dyn Script>>>,
    pub(super) host: Option<&'a mut dyn Host>,
    pub(super) terms: &'a Terms,
    pub(super) interrupt: &'a Interrupt,
    pub(super) spawned: Instant,
    pub(super) turn_began: Instant,
    pub(super) turn_clock: TurnClock,
    /// When the last wait was to end.
    pub(super) awaited: Instant,
    /// Whether this turn takes longer than programs that sleep are let alone for.
    pub(super) is_slow: bool,
    /// The seat that moved last, and how long it waited for the processor in that turn, if the turn was slow.
    pub(super) waited_last: Option<(Seat, Duration)>,
    /// Whether all programs have come up.
    pub(super) all_up: bool,
    /// How many cores a program can use at a time.
    pub(super) cores: u32,
    pub(super) own_times: OwnTimes,
    /// What the referee had done when the last slow turn ended.
    pub(super) own_time_before: OwnTime,
    pub(super) plies: Vec<Ply>,
    /// Whose plies these are.
    pub(super) movers: Vec<Seat>,
    pub(super) warnings: Vec<Warning>,
    pub(super) losses: Vec<Loss>,
    /// What was seen of the program that lost a game of two.
    pub(super) testimony: Option<Testimony>,
    /// What was seen of the program that had to move when the game was broken off.
    pub(super) so_far: Option<Loss>,
    /// The seats of whose loss the host has been told.
    pub(super) told: Vec<Seat>,
    /// Time that people's and scripts' moves took.
    pub(super) used: Vec<Duration>,
}

impl GameLoop<'_> {
    /// Plays the game to its end and clears up.
    fn play(mut self, keepers: &mut Vec<Keeper>) -> io::Result<Played> {
        let mut verdict = self.run()?;
        self.programs.iter_mut().for_each(|(_, program)| program.exit_in_game = program.process.exit());
        // Where more than two play, the game went on after these.
        verdict.losses.append(&mut self.losses);
        let left = self.programs.farewell(self.interrupt);
        let swept = self.programs.sweep();
        // What is known of the game stands: otherwise a program that is about to lose could bring its keeper into trouble, and
        // never lose.
        if !verdict.counts() {
            left.and(swept)?;
        }
        self.note_left_running();
        if let Some(testimony) = self.testimony.take() {
            let loss = self.loss(&testimony);
            if let Some(host) = &mut self.host {
                host.lost(&loss)?;
                host.played(loss.seat, &Ply::Leave)?;
            }
            self.told.push(loss.seat);
            verdict.losses = vec![loss];
        }
        verdict.hints = self.hints(&verdict);
        // Only now is it known of all programs whether they were started.
        let verdict = match self.not_started(&verdict) {
            Some(verdict) => {
                let mut untold = verdict.losses.iter().filter(|loss| !self.told.contains(&loss.seat));
                self.host.as_mut().map_or(Ok(()), |host| untold.try_for_each(|loss| host.lost(loss)))?;
                verdict
            }
            None => verdict,
        };
        let mut seats = Vec::new();
        for (program, used) in self.programs.into_seats().into_iter().zip(self.used) {
            let Some(program) = program else {
                seats.push(SeatPlayed { used, ..SeatPlayed::default() });
                continue;
            };
            let (used, usage) = (program.clock.used(), Some(program.process.usage()));
            let exit = program.exit_in_game;
            let wrote = program.process.written().names.clone();
            let startup = program.up.map(|up| up.saturating_duration_since(self.spawned));
            let Conduct { mut out_of_turn, credited, .. } = program.conduct;
            if self.terms.ponder {
                out_of_turn = Duration::ZERO;
            }
            let (keeper, stderr) = program.process.dismiss()?;
            keepers.extend(keeper);
            seats.push(SeatPlayed { used, startup, out_of_turn, credited, usage, exit, wrote, stderr });
        }
        let (plies, warnings, so_far) = (self.plies, self.warnings, self.so_far);
        Ok(Played { plies, verdict, warnings, seats, load: None, so_far })
    }

    /// What the moves of the programs that lost show about how they misunderstood the rules.
    fn hints(&self, verdict: &Verdict) -> Vec<SeatHint> {
        if !verdict.counts() || verdict.winner.is_none() {
            return Vec::new();
        }
        let texts = self.plies.iter().map(|ply| ply.text().unwrap_or_default());
        let moves: Vec<(Seat, &str)> = self.movers.iter().copied().zip(texts).collect();
        let losers = self.programs.iter().map(|(seat, _)| seat).filter(|&seat| verdict.winner != Some(seat));
        losers.filter_map(|seat| Some(SeatHint { seat, hint: self.game.hint(seat, &moves)? })).collect()
    }

    /// Takes down which programs have left processes behind.
    fn note_left_running(&mut self) {
        let ply = self.plies.len();
        for (seat, program) in self.programs.iter() {
            if program.process.left_running() {
                self.warnings.push(Warning::new(seat, ply, WarningKind::LeftRunning, String::new()));
            }
        }
    }

    /// The verdict where some program was not started: one of two, or the only one that was left of more.
    fn not_started(&self, verdict: &Verdict) -> Option<Verdict> {
        let (mut problems, mut failed) = (Vec::new(), Vec::new());
        for (seat, program) in self.programs.iter() {
            if let Some(error) = program.process.start_error() {
                let problem = executable::explain(&program.executable, error);
                failed.push(Loss::new(seat, Some(1), Fault::NotStarted { problem: problem.clone() }));
                problems.push(problem);
            }
        }
        let count = self.scripts.len();
        let sentence = problems.join("; ");
        match (&failed[..], count) {
            ([], _) => None,
            ([_], 2) => Some(Verdict { sentence, ..Verdict::by_loss(failed.remove(0)) }),
            (_, 2) => Some(Verdict::without_winner(2, Reason::FailedToStart, sentence, failed)),
            _ => {
                let undeserved = failed.iter().any(|loss| verdict.winner == Some(loss.seat));
                let mut losses = verdict.losses.clone();
                losses.extend(failed.into_iter().filter(|loss| verdict.loss(loss.seat).is_none()));
                undeserved.then(|| Verdict::without_winner(count, Reason::FailedToStart, sentence, losses))
            }
        }
    }

    fn run(&mut self) -> io::Result<Verdict> {
        let count = self.scripts.len();
        let aborted = |sentence| Verdict::without_winner(count, Reason::Aborted, sentence, Vec::new());
        self.host.as_mut().map_or(Ok(()), |host| host.begin())?;
        self.wait_for_debuggers()?;
        loop {
            // A game of two with a program that was not started has no turn to lose; see `not_started`.
            if count == 2 && self.programs.iter().any(|(_, program)| program.process.start_error().is_some())
            {
                return Ok(aborted(String::new()));
            }
            if let Some(outcome) = self.game.outcome() {
                return Ok(Verdict::by_rules(outcome, Vec::new()));
            }
            if self.terms.trial.is_some_and(|trial| trial.plies == self.plies.len()) {
                return Ok(aborted(words::broken_off(self.plies.len())));
            }
            let seat = self.game.turn();
            match self.turn(seat)? {
                Turn::Moved => {}
                Turn::Lost(fault) => {
                    let testimony = self.witness(seat, fault)?;
                    let odd_lines = &self.program(seat).odd_lines;
                    let is_impatient = self.terms.trial.is_some_and(|trial| trial.is_impatient);
                    if is_impatient && explain::may_only_be_slow(&testimony, odd_lines) {
                        return Ok(aborted(words::STILL_AT_IT.to_owned()));
                    }
                    let loss = self.loss(&testimony);
                    if count == 2 {
                        // How it leaves may tell more, so that it is told of only then.
                        self.testimony = Some(testimony);
                        return Ok(Verdict::by_loss(loss));
                    }
                    self.go_on_without(loss)?;
                }
                Turn::Resigned => {
                    let loss = Loss::new(seat, Some(self.plies.len() + 1), Fault::Resigned);
                    if count == 2 {
                        self.host.as_mut().map_or(Ok(()), |host| host.lost(&loss))?;
                        return Ok(Verdict::by_loss(loss));
                    }
                    self.go_on_without(loss)?;
                }
                Turn::Disturbed(what) => {
                    let sentence = format!("{} {what}", self.game.side(seat));
                    return Ok(Verdict::without_winner(count, Reason::Disturbed, sentence, Vec::new()));
                }
                Turn::Aborted(sentence) => {
                    self.so_far = self.seen_so_far(seat)?;
                    return Ok(aborted(sentence));
                }
            }
        }
    }

    /// Programs that a debugger is to be attached to stand still until the host has seen to that.
    fn wait_for_debuggers(&mut self) -> io::Result<()> {
        for (seat, program) in self.programs.iter_mut() {
            if let Some(pid) = program.process.held()? {
                self.host.as_mut().map_or(Ok(()), |host| host.attach(seat, pid))?;
                program.process.go_on()?;
            }
        }
        Ok(())
    }

    /// The seat whose turn it is has lost, and leaves a game of more than two.
    fn go_on_without(&mut self, loss: Loss) -> io::Result<()> {
        let seat = loss.seat;
        self.host.as_mut().map_or(Ok(()), |host| host.lost(&loss))?;
        self.told.push(seat);
        self.losses.push(loss);
        self.game.withdraw();
        self.pass_on(seat, Ply::Leave)
    }

    /// Waits for the seat's move and passes it on.
    fn turn(&mut self, seat: Seat) -> io::Result<Turn> {
        if self.programs.get(seat).is_some() {
            return self.programs_turn(seat);
        }
        match &mut self.scripts[seat.index()] {
            Some(script) => match script.ask() {
                Some(Answer::Line(line)) => {
                    let refused = |refusal| io::Error::other(format!("a script plays '{line}': {refusal}"));
                    self.game.play(&line).map_err(refused)?;
                    self.move_made(seat, self.turn_began.elapsed())?;
                    Ok(Turn::Moved)
                }
                Some(Answer::Resign) => Ok(Turn::Resigned),
                None => Ok(Turn::Aborted(words::SCRIPT_ENDED.to_owned())),
            },
            None => self.persons_turn(seat),
        }
    }

    /// Waits for a person, while what programs write is taken in.
    fn persons_turn(&mut self, seat: Seat) -> io::Result<Turn> {
        let at_once = self.programs.wait_for_people(answers(&mut self.host)?.input())?;
        let turn = loop {
            match answers(&mut self.host)?.answer() {
                Some(Answer::Resign) => break Turn::Resigned,
                Some(Answer::Line(line)) => match self.game.play(&line) {
                    Ok(()) => break Turn::Moved,
                    Err(refusal) => {
                        self.host.as_mut().map_or(Ok(()), |host| host.refused(&line, &refusal))?;
                        continue;
                    }
                },
                None => {}
            }
            self.see_who_is_up(seat)?;
            let now = Instant::now();
            let deadline = self.stand_still(seat, now).unwrap_or(now + IDLE);
            let woken = match at_once {
                Woken::Person => Woken::Person,
                _ => self.programs.wait(None, deadline)?,
            };
            self.discard_all_out_of_turn(seat)?;
            match woken {
                Woken::Interrupted => break Turn::Aborted(words::INTERRUPTED.to_owned()),
                Woken::Person => answers(&mut self.host)?.read()?,
                Woken::Usual => {}
            }
        };
        let input = answers(&mut self.host)?.input();
        self.programs.forget_people(input)?;
        if let Turn::Moved = turn {
            self.move_made(seat, self.turn_began.elapsed())?;
        }
        Ok(turn)
    }

    /// Charges the move that was just played and sends it to everybody else.
    pub(super) fn move_made(&mut self, seat: Seat, taken: Duration) -> io::Result<()> {
        let mut text = String::with_capacity(8);
        self.game.write_move(&mut text);
        let work = match self.programs.get_mut(seat) {
            Some(program) => {
                program.clock.charge(taken);
                self.turn_over(seat, self.game.turn())?
            }
            None => {
                self.used[seat.index()] += taken;
                None
            }
        };
        self.pass_on(seat, Ply::Move { text, taken, work })?;
        // Of two moves at once the first counts. The rest waits for nobody: discarding it comes after the sending.
        self.discard_out_of_turn(seat)
    }

    /// Takes down what is let pass.
    pub(super) fn warn(&mut self, warning: Warning) -> io::Result<()> {
        self.host.as_mut().map_or(Ok(()), |host| host.warned(&warning))?;
        self.warnings.push(warning);
        Ok(())
    }

    /// Records what a seat has just done, and sends everybody what they do not know of it.
    fn pass_on(&mut self, mover: Seat, ply: Ply) -> io::Result<()> {
        if let Some(host) = &mut self.host {
            host.played(mover, &ply)?;
        }
        self.scripts.iter_mut().flatten().for_each(|script| script.tell(mover, &ply));
        self.plies.push(ply);
        self.movers.push(mover);
        let next = self.game.turn();
        // What others are told is on nobody's clock.
        for seat in self.programs.all().filter(|&seat| seat != next) {
            if !self.game.is_out(seat) {
                self.tell(seat, mover)?;
            } else if let Some(program) = self.programs.get_mut(seat) {
                // It would only take time from those who play on.
                program.process.begin_sweep();
            }
        }
        // The next clock runs from before its input is written: a program that wakes during the write is thinking
        // already.
        self.begin_turn(next)?;
        self.tell(next, mover)
    }

    /// Sends a program what it does not know of the last ply, which was the mover's.
    fn tell(&mut self, seat: Seat, mover: Seat) -> io::Result<()> {
        let game = &*self.game;
        self.programs.converse(seat, |dialogue, out| dialogue.tell(game, mover, seat, out))
    }

    pub(super) fn discard_all_out_of_turn(&mut self, mover: Seat) -> io::Result<()> {
        for seat in self.programs.all().filter(|&seat| seat != mover) {
            if self.programs.get(seat).is_some_and(|program| program.has_news) {
                self.discard_out_of_turn(seat)?;
            }
        }
        Ok(())
    }

    /// Sets aside whole lines of a program that is not to move: they cannot answer a move that it has not seen.
    fn discard_out_of_turn(&mut self, seat: Seat) -> io::Result<()> {
        if self.programs.get(seat).is_none() {
            return Ok(());
        }
        let ply = self.plies.len() + 1;
        let strict = self.terms.strict;
        let (program, out) = self.programs.with_out(seat);
        program.has_news = false;
        while let Some(line) = program.process.lines().next_line() {
            if program.pending.is_some() {
                continue;
            }
            let length = line.len();
            let line = String::from_utf8_lossy(line);
            let said = match program.dialogue.hear(&line, out) {
                Heard::Talk => continue,
                Heard::Filler => {
                    program.chatter.add_filler(length);
                    continue;
                }
                Heard::Fault(fault) => {
                    program.pending = Some(fault);
                    continue;
                }
                Heard::Move { said, .. } | Heard::Refused { said, .. } => said,
                Heard::Resigned => line.as_ref().into(),
            };
            let text = printable(said.as_bytes(), SHOWN);
            program.odd_lines.add_too_early(TooEarly {
                line: &said,
                is_move: !matches!(self.game.check(&said), Err(Refusal::NotAMove(_))),
                ply,
                own_last: self.plies.last().and_then(Ply::text).filter(|_| self.movers.last() == Some(&seat)),
            });
            program.chatter.add(length);
            program.pending =
                if strict { Some(Fault::OutOfTurn { said: text.clone() }) } else { program.too_noisy() };
            let warning = Warning::new(seat, ply, WarningKind::OutOfTurn, text);
            self.host.as_mut().map_or(Ok(()), |host| host.warned(&warning))?;
            self.warnings.push(warning);
        }
        if program.pending.is_none() {
            program.pending = program.too_noisy();
        }
        match program.pending {
            Some(_) => self.programs.stop_hearing(seat),
            None => self.programs.send(seat),
        }
    }
}

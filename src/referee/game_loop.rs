//! The loop that plays one game: whose turn it is, what is said, and what is judged of it.

use std::io;
use std::time::{Duration, Instant};

use super::explain::{self, SHOWN};
use super::interrupt::Interrupt;
use super::lifecycle::{Programs, Woken};
use super::program::{Fault, Program};
use super::protocol::Heard;
use super::seats::{Answers, Host, Script, Sitter};
use crate::contain::executable;
use crate::contain::exit::Usage;
use crate::contain::keeper::Keeper;
use crate::contain::process::Stream;
use crate::game::{Game, Refusal, Seat};
use crate::record::terms::ClockKind;
use crate::record::text::printable;
use crate::record::{Loss, Ply, Reason, Terms, Verdict, Warning, WarningKind};

/// How long the news of a program's end may take to follow the end of its output.
const EXIT_NEWS: Duration = Duration::from_millis(500);
/// How late a wait may end before it must be that the referee itself was stopped, and no program is to blame.
const OVERSLEPT: Duration = Duration::from_secs(1);
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
}

/// What is known of a seat once the game is over.
#[derive(Default)]
pub struct SeatPlayed {
    /// Time that its moves took, on its clock if it has one.
    pub used: Duration,
    /// What its program has used of the machine.
    pub usage: Option<Usage>,
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
    let spawned = Instant::now();
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
        plies: Vec::with_capacity(128),
        warnings: Vec::new(),
        losses: Vec::new(),
    };
    game_loop.play(keepers)
}

/// What people answer on.
fn answers<'a>(host: &'a mut Option<&mut dyn Host>) -> io::Result<&'a mut dyn Answers> {
    let no_host = || io::Error::other("a person plays, and nobody hosts the game");
    Ok(host.as_mut().ok_or_else(no_host)?.answers())
}

/// How a turn ended.
enum Turn {
    Moved,
    Lost(Fault),
    /// The game cannot go on, and that is no program's fault.
    Aborted(String),
}

struct GameLoop<'a> {
    game: &'a mut dyn Game,
    programs: Programs,
    scripts: Vec<Option<Box<dyn Script>>>,
    host: Option<&'a mut dyn Host>,
    terms: &'a Terms,
    interrupt: &'a Interrupt,
    spawned: Instant,
    turn_began: Instant,
    plies: Vec<Ply>,
    warnings: Vec<Warning>,
    losses: Vec<Loss>,
    /// Time that people's and scripts' moves took.
    used: Vec<Duration>,
}

impl GameLoop<'_> {
    /// Plays the game to its end and clears up.
    fn play(mut self, keepers: &mut Vec<Keeper>) -> io::Result<Played> {
        let mut verdict = self.run()?;
        // Where more than two play, the game went on after these.
        verdict.losses.append(&mut self.losses);
        self.programs.farewell(self.interrupt)?;
        self.programs.sweep();
        self.note_left_running();
        // Only now is it known of all programs whether they were started.
        let verdict = self.not_started(&verdict).unwrap_or(verdict);
        let mut seats = Vec::new();
        for (program, used) in self.programs.into_seats().into_iter().zip(self.used) {
            let Some(program) = program else {
                seats.push(SeatPlayed { used, ..SeatPlayed::default() });
                continue;
            };
            let (used, usage) = (program.clock.used(), Some(program.process.usage()));
            let (keeper, stderr) = program.process.dismiss()?;
            keepers.extend(keeper);
            seats.push(SeatPlayed { used, usage, stderr });
        }
        Ok(Played { plies: self.plies, verdict, warnings: self.warnings, seats })
    }

    /// Takes down which programs have left processes behind.
    fn note_left_running(&mut self) {
        let ply = self.plies.len();
        for (seat, program) in self.programs.iter() {
            if program.process.left_running() {
                let (kind, text) = (WarningKind::LeftRunning, String::new());
                self.warnings.push(Warning { seat, ply, kind, text });
            }
        }
    }

    /// The verdict where some program was not started: one of two, or the only one that was left of more.
    fn not_started(&self, verdict: &Verdict) -> Option<Verdict> {
        let (mut problems, mut failed) = (Vec::new(), Vec::new());
        for (seat, program) in self.programs.iter() {
            if let Some(error) = program.process.start_error() {
                let problem = executable::explain(&program.executable, error);
                let (reason, what) = (Reason::FailedToStart, explain::not_started(&problem));
                failed.push(Loss { seat, ply: Some(1), reason, what });
                problems.push(problem.to_string());
            }
        }
        let count = self.scripts.len();
        let sentence = problems.join("; ");
        match (&failed[..], count) {
            ([], _) => None,
            ([_], 2) => Some(Verdict { sentence, ..Verdict::by_loss(failed.remove(0), "") }),
            (_, 2) => Some(Verdict::without_winner(2, Reason::FailedToStart, sentence, failed)),
            _ => {
                let undeserved = failed.iter().any(|loss| verdict.winner == Some(loss.seat));
                let losses = verdict.losses.clone();
                undeserved.then(|| Verdict::without_winner(count, Reason::FailedToStart, sentence, losses))
            }
        }
    }

    fn run(&mut self) -> io::Result<Verdict> {
        let count = self.scripts.len();
        let aborted = |sentence| Verdict::without_winner(count, Reason::Aborted, sentence, Vec::new());
        self.host.as_mut().map_or(Ok(()), |host| host.begin())?;
        loop {
            // A game of two with a program that was not started has no turn to lose; see `not_started`.
            if count == 2 && self.programs.iter().any(|(_, program)| program.process.start_error().is_some())
            {
                return Ok(aborted(String::new()));
            }
            if let Some(outcome) = self.game.outcome() {
                return Ok(Verdict::by_rules(outcome, Vec::new()));
            }
            if self.terms.ply_limit == Some(self.plies.len()) {
                return Ok(aborted(explain::broken_off(self.plies.len())));
            }
            let seat = self.game.turn();
            match self.turn(seat)? {
                Turn::Moved => {}
                Turn::Lost(Fault { reason, what }) => {
                    let loss = Loss { seat, ply: Some(self.plies.len() + 1), reason, what };
                    self.host.as_mut().map_or(Ok(()), |host| host.lost(&loss))?;
                    if count == 2 {
                        self.host.as_mut().map_or(Ok(()), |host| host.played(seat, &Ply::Leave))?;
                        return Ok(Verdict::by_loss(loss, self.game.side(seat)));
                    }
                    self.losses.push(loss);
                    self.game.withdraw();
                    self.pass_on(seat, Ply::Leave)?;
                }
                Turn::Aborted(sentence) => return Ok(aborted(sentence)),
            }
        }
    }

    /// Waits for the seat's move and passes it on.
    fn turn(&mut self, seat: Seat) -> io::Result<Turn> {
        if self.programs.get(seat).is_some() {
            return self.programs_turn(seat);
        }
        match &mut self.scripts[seat.index()] {
            Some(script) => {
                let line = script.ask();
                let refused = |refusal| io::Error::other(format!("a script plays '{line}': {refusal}"));
                self.game.play(&line).map_err(refused)?;
                self.move_made(seat, self.turn_began.elapsed())?;
                Ok(Turn::Moved)
            }
            None => self.persons_turn(seat),
        }
    }

    /// Waits for a person, while what programs write is taken in.
    fn persons_turn(&mut self, seat: Seat) -> io::Result<Turn> {
        let at_once = self.programs.wait_for_people(answers(&mut self.host)?.input())?;
        let turn = loop {
            if let Some(line) = answers(&mut self.host)?.line() {
                match self.game.play(&line) {
                    Ok(()) => break Turn::Moved,
                    Err(refusal) => {
                        self.host.as_mut().map_or(Ok(()), |host| host.refused(&line, &refusal))?
                    }
                }
                continue;
            }
            let woken = match at_once {
                Woken::Person => Woken::Person,
                _ => self.programs.wait(None, Instant::now() + IDLE)?,
            };
            self.discard_all_out_of_turn(seat)?;
            match woken {
                Woken::Interrupted => break Turn::Aborted(explain::INTERRUPTED.to_owned()),
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

    /// Waits for a program's move.
    fn programs_turn(&mut self, seat: Seat) -> io::Result<Turn> {
        let program = self.programs.at(seat);
        if let Some(fault) = program.pending.take() {
            return Ok(Turn::Lost(fault));
        }
        if let Some(error) = program.process.start_error() {
            let what = explain::not_started(&executable::explain(&program.executable, error));
            return Ok(Turn::Lost(Fault { reason: Reason::FailedToStart, what }));
        }
        if self.make_prepared_move(seat)? {
            return Ok(Turn::Moved);
        }
        let left = self.programs.at(seat).clock.left();
        self.programs.converse(seat, |dialogue, out| dialogue.ask(seat, left, out))?;
        loop {
            if let Some(turn) = self.judge_lines(seat)? {
                return Ok(turn);
            }
            let process = &mut self.programs.at(seat).process;
            if process.has_ended() || process.stream() == Stream::Closed {
                // Whatever it wrote before that still counts.
                if process.read_last_words()? {
                    continue;
                }
                return self.crash(seat);
            }
            let (deadline, now) = (self.deadline(seat), Instant::now());
            if now >= deadline {
                return Ok(self.late(seat, deadline, now));
            }
            let deadline = match self.terms.clock {
                ClockKind::Wall => deadline,
                ClockKind::Cpu => match self.look_again(seat, now) {
                    Some(again) => deadline.min(again),
                    None => return Ok(Turn::Lost(self.timeout(seat))),
                },
            };
            let up = self.spawned + self.terms.startup;
            let coming_up = !self.terms.ponder && now < up;
            if let Some(aborted) = self.wait(seat, if coming_up { deadline.min(up) } else { deadline })? {
                return Ok(aborted);
            }
            if coming_up {
                self.freeze_all_but(seat);
            }
        }
    }

    /// Waits for anything to happen while the mover thinks. What others have written is out of turn.
    fn wait(&mut self, mover: Seat, deadline: Instant) -> io::Result<Option<Turn>> {
        let woken = self.programs.wait(Some(mover), deadline)?;
        self.discard_all_out_of_turn(mover)?;
        Ok((woken == Woken::Interrupted).then(|| Turn::Aborted(explain::INTERRUPTED.to_owned())))
    }

    /// Makes the move that is to be made on the program's behalf, if there is one and it is possible.
    fn make_prepared_move(&mut self, seat: Seat) -> io::Result<bool> {
        let prepared = self.programs.at(seat).dialogue.prepared(self.plies.len());
        let made = prepared.is_some_and(|text| self.game.play(text).is_ok());
        if made {
            self.move_made(seat, Duration::ZERO)?;
        }
        Ok(made)
    }

    fn program(&self, seat: Seat) -> &Program {
        self.programs.get(seat).expect("a program sits there")
    }

    /// When the seat's clock started to run in this turn. Before its first move a program has a while to come up: until
    /// its first byte of output, or until the allowance is used.
    fn clock_began(&self, seat: Seat) -> Instant {
        let program = self.program(seat);
        if program.moved {
            return self.turn_began;
        }
        let ready = program.came_up().unwrap_or(self.spawned + self.terms.startup);
        self.turn_began.max(ready.min(self.spawned + self.terms.startup))
    }

    /// When the seat's turn is lost, whatever it has done until then.
    fn deadline(&self, seat: Seat) -> Instant {
        let (clock, began) = (&self.program(seat).clock, self.clock_began(seat));
        match self.terms.clock {
            ClockKind::Wall => clock.deadline(began),
            // One that only sleeps uses no processor time, and must come to an end too.
            ClockKind::Cpu => began + 3 * clock.allowance() + Duration::from_secs(1),
        }
    }

    /// What the seat has used of its clock in this turn.
    fn spent(&self, seat: Seat, until: Instant) -> Duration {
        let program = self.program(seat);
        match self.terms.clock {
            ClockKind::Wall => until.saturating_duration_since(self.clock_began(seat)),
            ClockKind::Cpu => {
                // Coming up is not counted, as far as it is allowed.
                let free = if program.moved { program.cpu_began } else { self.terms.startup };
                program.process.cpu_time().saturating_sub(free)
            }
        }
    }

    /// When to look again whether the seat has used up its processor time: soon enough that several cores change little.
    fn look_again(&self, seat: Seat, now: Instant) -> Option<Instant> {
        let left = self.program(seat).clock.allowance().saturating_sub(self.spent(seat, now));
        (!left.is_zero()).then(|| now + (left / 2).max(Duration::from_millis(1)))
    }

    /// Judges the lines that the mover has written up to now; `None` if its move is still to come.
    fn judge_lines(&mut self, seat: Seat) -> io::Result<Option<Turn>> {
        let deadline = self.deadline(seat);
        let read_at = self.program(seat).process.read_at();
        let ply = self.plies.len() + 1;
        let (taken, allowance) = (self.spent(seat, read_at), self.program(seat).clock.allowance());
        loop {
            let (program, out) = self.programs.with_out(seat);
            let Some(line) = program.process.lines().next_line() else {
                return Ok(program.too_noisy().map(Turn::Lost));
            };
            // The deadline holds even for a move that was under way when it passed.
            if read_at > deadline {
                return Ok(Some(self.late(seat, deadline, read_at)));
            }
            if taken > allowance {
                return Ok(Some(Turn::Lost(self.timeout(seat))));
            }
            let length = line.len();
            let text = String::from_utf8_lossy(line);
            let (refusal, said) = match program.dialogue.hear(&text, out) {
                Heard::Move { text, said } => match self.game.play(&text) {
                    Ok(()) => {
                        self.move_made(seat, taken)?;
                        return Ok(Some(Turn::Moved));
                    }
                    Err(refusal) => (refusal, printable(said.as_bytes(), SHOWN)),
                },
                Heard::Refused { refusal, said } => (refusal, printable(said.as_bytes(), SHOWN)),
                Heard::Resigned => {
                    let what = explain::resigned(ply);
                    return Ok(Some(Turn::Lost(Fault { reason: Reason::Resigned, what })));
                }
                Heard::Fault(reason, what) => {
                    let what = explain::on_ply(&what, ply);
                    return Ok(Some(Turn::Lost(Fault { reason, what })));
                }
                Heard::Talk => {
                    self.programs.send(seat)?;
                    continue;
                }
                Heard::Filler => {
                    program.chatter.add_filler(length);
                    continue;
                }
            };
            if let Some(fault) = self.refuse(seat, refusal, said, length)? {
                return Ok(Some(Turn::Lost(fault)));
            }
        }
    }

    /// The mover has written something that cannot be played: a loss, or something that is let pass.
    fn refuse(
        &mut self,
        seat: Seat,
        refusal: Refusal,
        said: String,
        length: usize,
    ) -> io::Result<Option<Fault>> {
        let ply = self.plies.len() + 1;
        let (program, out) = self.programs.with_out(seat);
        let kind = match refusal {
            Refusal::NotAMove(_) if self.terms.strict => {
                let what = explain::malformed(&said, ply, &refusal);
                return Ok(Some(Fault { reason: Reason::Malformed, what }));
            }
            Refusal::Illegal(why) if program.retries == 0 => {
                let what = explain::illegal_move(&said, ply, &why);
                return Ok(Some(Fault { reason: Reason::IllegalMove, what }));
            }
            Refusal::Illegal(_) => {
                program.retries -= 1;
                program.dialogue.ask_again(seat, out);
                WarningKind::Illegal
            }
            Refusal::NotAMove(_) => {
                program.chatter.add(length);
                WarningKind::NotAMove
            }
        };
        self.warnings.push(Warning { seat, ply, kind, text: said });
        self.programs.send(seat)?;
        Ok(self.programs.at(seat).too_noisy())
    }

    /// Charges the move that was just played and sends it to everybody else.
    fn move_made(&mut self, seat: Seat, taken: Duration) -> io::Result<()> {
        let mut text = String::with_capacity(8);
        self.game.write_move(&mut text);
        match self.programs.get(seat) {
            Some(_) => {
                let program = self.programs.at(seat);
                program.clock.charge(taken);
                program.moved = true;
            }
            None => self.used[seat.index()] += taken,
        }
        self.pass_on(seat, Ply::Move { text, taken })?;
        // Of two moves at once the first counts. The rest waits for nobody: discarding it comes after the sending.
        self.discard_out_of_turn(seat)
    }

    /// Records what a seat has just done, and sends everybody what they do not know of it.
    fn pass_on(&mut self, mover: Seat, ply: Ply) -> io::Result<()> {
        if let Some(host) = &mut self.host {
            host.played(mover, &ply)?;
        }
        self.scripts.iter_mut().flatten().for_each(|script| script.tell(mover, &ply));
        self.plies.push(ply);
        let next = self.game.turn();
        if !self.terms.ponder {
            self.freeze_all_but(next);
        }
        if self.terms.clock == ClockKind::Cpu && self.programs.get(next).is_some() {
            let next = self.programs.at(next);
            next.cpu_began = next.process.cpu_time();
        }
        // The next clock runs from before its input is written: a program that wakes during the write is thinking
        // already.
        self.turn_began = Instant::now();
        for seat in self.programs.all() {
            if self.game.is_out(seat) {
                if self.programs.get(seat).is_some() {
                    // It would only take time from those who play on.
                    self.programs.at(seat).process.begin_sweep();
                }
                continue;
            }
            let game = &*self.game;
            self.programs.converse(seat, |dialogue, out| dialogue.tell(game, mover, seat, out))?;
        }
        Ok(())
    }

    /// Lets only the mover think. Those who have not moved yet may come up first.
    fn freeze_all_but(&mut self, mover: Seat) {
        let coming_up = Instant::now() < self.spawned + self.terms.startup;
        self.programs.freeze_all_but(mover, coming_up);
    }

    fn discard_all_out_of_turn(&mut self, mover: Seat) -> io::Result<()> {
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
                Heard::Fault(reason, what) => {
                    program.pending = Some(Fault { reason, what });
                    continue;
                }
                Heard::Move { said, .. } | Heard::Refused { said, .. } => said,
                Heard::Resigned => line.as_ref().into(),
            };
            let text = printable(said.as_bytes(), SHOWN);
            program.chatter.add(length);
            program.pending = if strict {
                Some(Fault { reason: Reason::Malformed, what: explain::out_of_turn(&text) })
            } else {
                program.too_noisy()
            };
            self.warnings.push(Warning { seat, ply, kind: WarningKind::OutOfTurn, text });
        }
        if program.pending.is_none() {
            program.pending = program.too_noisy();
        }
        match program.pending {
            Some(_) => self.programs.stop_hearing(seat),
            None => self.programs.send(seat),
        }
    }

    /// The mover has no voice any more. Usually its process has ended, and the news of how is here or on its way.
    fn crash(&mut self, seat: Seat) -> io::Result<Turn> {
        let deadline = Instant::now() + EXIT_NEWS;
        while !self.program(seat).process.has_ended() && Instant::now() < deadline {
            if let Some(aborted) = self.wait(seat, deadline)? {
                return Ok(aborted);
            }
        }
        let taken = self.spent(seat, self.program(seat).process.read_at());
        let ply = self.plies.len() + 1;
        let program = self.programs.at(seat);
        program.process.read_last_words()?;
        program.clock.run_down(taken);
        let (process, usage) = (&program.process, program.process.usage());
        if usage.over_memory {
            let what = explain::out_of_memory(ply, usage.peak, self.terms.limits.memory);
            return Ok(Turn::Lost(Fault { reason: Reason::MemoryLimit, what }));
        }
        let (exit, owes) = (process.exit(), program.dialogue.owes());
        let what = explain::crash(ply, exit, owes, process.stderr_end(), process.is_inside());
        Ok(Turn::Lost(Fault { reason: Reason::Crashed, what }))
    }

    /// The mover has let its time pass, or we have slept and cannot know.
    fn late(&mut self, seat: Seat, deadline: Instant, now: Instant) -> Turn {
        let overslept = now - deadline;
        if overslept > OVERSLEPT {
            return Turn::Aborted(explain::referee_was_stopped(overslept));
        }
        Turn::Lost(self.timeout(seat))
    }

    /// The mover has let its time pass.
    fn timeout(&mut self, seat: Seat) -> Fault {
        let ply = self.plies.len() + 1;
        // What it has written since its last move, in turn or not.
        let since = |warning: &&Warning| warning.seat == seat && warning.ply + 1 >= ply;
        let ignored = self.warnings.iter().rev().find(since);
        let program = self.programs.at(seat);
        let allowed = program.clock.allowance();
        program.clock.run_down(allowed);
        let what = explain::timeout(&explain::Timeout {
            ply,
            allowed,
            by_move: self.terms.move_time == Some(allowed),
            clock: self.terms.clock,
            output: self.terms.output,
            owes: program.dialogue.owes(),
            moved: program.moved,
            unfinished: program.process.lines().rest(),
            ignored,
        });
        Fault { reason: Reason::Timeout, what }
    }
}

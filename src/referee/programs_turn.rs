//! The turn of a program: waiting for its move, its clock, and what is judged of what it writes.

use std::io;
use std::time::{Duration, Instant};

use super::explain::{self, SHOWN};
use super::game_loop::{GameLoop, Turn};
use super::lifecycle::Woken;
use super::program::{Fault, Program};
use super::protocol::Heard;
use crate::contain::executable;
use crate::contain::process::Stream;
use crate::game::{Refusal, Seat};
use crate::record::terms::ClockKind;
use crate::record::text::printable;
use crate::record::{Reason, Warning, WarningKind};

/// How long the news of a program's end may take to follow the end of its output.
const EXIT_NEWS: Duration = Duration::from_millis(500);
/// How late a wait may end before it must be that the referee itself was stopped, and no program is to blame.
const OVERSLEPT: Duration = Duration::from_secs(1);

impl GameLoop<'_> {
    /// Waits for a program's move.
    pub(super) fn programs_turn(&mut self, seat: Seat) -> io::Result<Turn> {
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
        if let Some(error) = program.process.start_error() {
            let what = explain::not_started(&executable::explain(&program.executable, error));
            return Ok(Turn::Lost(Fault { reason: Reason::FailedToStart, what }));
        }
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

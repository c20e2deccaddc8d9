//! The turn of a program: waiting for its move, its clock, and what is judged of what it writes.

use std::io;
use std::time::{Duration, Instant};

use super::conduct::Conduct;
use super::explain;
use super::explain::words::{self, SHOWN};
use super::game_loop::{GameLoop, Turn};
use super::lifecycle::Woken;
use super::program::Program;
use super::protocol::Heard;
use super::turn_clock::Pace;
use crate::contain::executable;
use crate::contain::process::Stream;
use crate::contain::spec::Wait;
use crate::game::{Refusal, Seat};
use crate::record::fault::Limit;
use crate::record::text::printable;
use crate::record::{Fault, Warning, WarningKind};

/// How long the news of a program's end may take to follow the end of its output.
const EXIT_NEWS: Duration = Duration::from_millis(500);
/// How late a wait may end before it must be that the referee itself was stopped, and no program is to blame.
const OVERSLEPT: Duration = Duration::from_secs(1);

/// However little time there is, a program may be late by this much if others kept it from running.
const LEAST_CREDIT: Duration = Duration::from_secs(1);

/// For how long a program has to be seen waiting for input before it is believed that it will not answer. Its threads may take turns.
const IDLE: Duration = Duration::from_millis(400);
/// How often it is looked whether it does.
const LOOK: Duration = Duration::from_millis(100);

/// What is left of the mover's time.
enum TimeLeft {
    /// There is nothing to decide until then.
    Until(Instant),
    Over(Turn),
}

/// By how much a move came too late.
struct Overrun {
    over: Duration,
    limit: Limit,
    /// Whether its processor time was too much, for which nobody else can be blamed.
    by_cpu: bool,
}

impl GameLoop<'_> {
    /// Waits for a program's move.
    pub(super) fn programs_turn(&mut self, seat: Seat) -> io::Result<Turn> {
        let program = self.programs.at(seat);
        if let Some(fault) = program.pending.take() {
            return Ok(Turn::Lost(fault));
        }
        if let Some(error) = program.process.start_error() {
            let problem = executable::explain(&program.executable, error);
            return Ok(Turn::Lost(Fault::NotStarted { problem }));
        }
        if self.make_prepared_move(seat)? {
            return Ok(Turn::Moved);
        }
        let left = self.programs.at(seat).clock.left();
        self.programs.converse(seat, |dialogue, out| dialogue.ask(seat, left, out))?;
        let ends_idle = self.terms.trial.is_some_and(|trial| trial.ends_idle);
        let mut idle_since = None;
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
            self.see_who_is_up(seat)?;
            let now = Instant::now();
            let deadline = match self.time_left(seat, now)? {
                TimeLeft::Until(deadline) => deadline,
                TimeLeft::Over(turn) => return Ok(turn),
            };
            let mut deadline = self.stand_still(seat, now).map_or(deadline, |slow| deadline.min(slow));
            if ends_idle {
                idle_since = self.is_idle(seat).then(|| idle_since.unwrap_or(now));
                if idle_since.is_some_and(|since| now - since >= IDLE) {
                    return Ok(Turn::Lost(self.gave_up(seat)));
                }
                deadline = deadline.min(now + LOOK);
            }
            if let Some(aborted) = self.wait(seat, deadline)? {
                return Ok(aborted);
            }
        }
    }

    /// Waits for anything to happen while the mover thinks. What others have written is out of turn.
    fn wait(&mut self, mover: Seat, deadline: Instant) -> io::Result<Option<Turn>> {
        self.awaited = deadline;
        let woken = self.programs.wait(Some(mover), deadline)?;
        self.turn_clock.leave_out(self.programs.time_for_others());
        self.discard_all_out_of_turn(mover)?;
        Ok((woken == Woken::Interrupted).then(|| Turn::Aborted(words::INTERRUPTED.to_owned())))
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

    pub(super) fn program(&self, seat: Seat) -> &Program {
        self.programs.get(seat).expect("a program sits there")
    }

    /// What limits a move that may take so long.
    fn limit(&self, allowance: Duration) -> Limit {
        if self.terms.move_time == Some(allowance) { Limit::Move } else { Limit::Clock }
    }

    /// When the mover's time is over, as far as that is known now.
    fn time_left(&mut self, seat: Seat, now: Instant) -> io::Result<TimeLeft> {
        let allowance = self.program(seat).clock.allowance();
        let latest = self.spawned + self.terms.startup;
        if self.turn_clock.pace() == Pace::Free {
            return Ok(TimeLeft::Until(latest));
        }
        if let Some(deadline) = self.turn_clock.deadline(allowance) {
            return self.time_left_until(seat, deadline, self.limit(allowance), now);
        }
        let cpu = self.cpu_charged(seat)?;
        let left = allowance.saturating_sub(self.turn_clock.spent(now, cpu));
        if left.is_zero() {
            let limit = self.limit(allowance);
            return Ok(TimeLeft::Over(Turn::Lost(self.timeout(seat, limit))));
        }
        // Soon enough that several cores change little.
        let again = now + (left / (2 * self.cores)).max(Duration::from_millis(1));
        let again = if self.all_up { again } else { again.min(latest) };
        let Some(backstop) = &self.program(seat).backstop else { return Ok(TimeLeft::Until(again)) };
        let deadline = backstop.deadline(self.wall_began(seat));
        Ok(match self.time_left_until(seat, deadline, Limit::Backstop, now)? {
            TimeLeft::Until(deadline) => TimeLeft::Until(deadline.min(again)),
            over => over,
        })
    }

    /// Whether a deadline has passed. If the mover had to wait for the processor, it may go on for as long: only then is it known whether
    /// that is why it is late.
    fn time_left_until(
        &mut self,
        seat: Seat,
        deadline: Instant,
        limit: Limit,
        now: Instant,
    ) -> io::Result<TimeLeft> {
        if now < deadline {
            return Ok(TimeLeft::Until(deadline));
        }
        if let Some(aborted) = self.overslept(now) {
            return Ok(TimeLeft::Over(aborted));
        }
        let (late, excuse) = (now - deadline, self.excuse(seat, limit)?);
        if late >= excuse {
            return Ok(TimeLeft::Over(Turn::Lost(self.timeout(seat, limit))));
        }
        let longest = self.longest_credit(seat, limit);
        if late >= longest {
            return Ok(TimeLeft::Over(self.disturbed(late, excuse)));
        }
        // Not before now: to find out may have taken a while.
        Ok(TimeLeft::Until((deadline + excuse.min(longest)).max(Instant::now())))
    }

    /// How late the mover may be because others kept it from running: as long again as it has. On a machine that is busier than that, no
    /// game means anything.
    fn longest_credit(&self, seat: Seat, limit: Limit) -> Duration {
        match (limit, self.terms.move_time) {
            (Limit::Move, Some(time)) => time.max(LEAST_CREDIT),
            _ => {
                let credited = self.program(seat).conduct.credited;
                self.terms.time.base.max(LEAST_CREDIT).saturating_sub(credited)
            }
        }
    }

    /// For how long others kept the mover from running: in this turn, or on its whole clock.
    fn excuse(&mut self, seat: Seat, limit: Limit) -> io::Result<Duration> {
        let waiting = self.work_in_turn(seat)?.waiting();
        let waiting = self.costly(waiting);
        let Conduct { waited, credited, .. } = self.program(seat).conduct;
        Ok(if limit == Limit::Move { waiting } else { (waiting + waited).saturating_sub(credited) })
    }

    /// The mover has made its move, but later than it may. If others kept it from running for as long, it is not held against it.
    fn overdue(&mut self, seat: Seat, Overrun { over, limit, by_cpu }: Overrun) -> io::Result<Option<Turn>> {
        if by_cpu {
            return Ok(Some(Turn::Lost(self.timeout(seat, limit))));
        }
        if let Some(aborted) = self.overslept(self.program(seat).process.read_at()) {
            return Ok(Some(aborted));
        }
        let excuse = self.excuse(seat, limit)?;
        if excuse < over {
            return Ok(Some(Turn::Lost(self.timeout(seat, limit))));
        }
        if over >= self.longest_credit(seat, limit) {
            return Ok(Some(self.disturbed(over, excuse)));
        }
        Ok(None)
    }

    fn disturbed(&self, late: Duration, waited: Duration) -> Turn {
        Turn::Disturbed(words::disturbed(self.plies.len() + 1, late, waited))
    }

    /// Whether we have slept for so long that we cannot know what is whose fault.
    fn overslept(&self, now: Instant) -> Option<Turn> {
        let overslept = now.saturating_duration_since(self.awaited);
        (overslept > OVERSLEPT).then(|| Turn::Aborted(words::referee_was_stopped(overslept)))
    }

    /// What the mover has used of its clock until its stdout was last read, and by how much that is too much, if it is.
    fn taken(&mut self, seat: Seat) -> io::Result<(Duration, Option<Overrun>)> {
        let cpu = self.cpu_charged(seat)?;
        let program = self.program(seat);
        let (read_at, allowance) = (program.process.read_at(), program.clock.allowance());
        let taken = self.turn_clock.spent(read_at, cpu);
        let limit = self.limit(allowance);
        let wall = || read_at.saturating_duration_since(self.wall_began(seat));
        let backstop = program.backstop.as_ref().map(|backstop| wall().saturating_sub(backstop.allowance()));
        let by_cpu = matches!(self.turn_clock.pace(), Pace::Cpu(_));
        let overruns = [
            Overrun { over: taken.saturating_sub(allowance), limit, by_cpu },
            Overrun { over: backstop.unwrap_or_default(), limit: Limit::Backstop, by_cpu: false },
        ];
        Ok((taken, overruns.into_iter().find(|overrun| !overrun.over.is_zero())))
    }

    /// Judges the lines that the mover has written up to now; `None` if its move is still to come.
    fn judge_lines(&mut self, seat: Seat) -> io::Result<Option<Turn>> {
        if !self.programs.at(seat).process.lines().has_line() {
            return Ok(self.programs.at(seat).too_noisy().map(Turn::Lost));
        }
        // The deadline holds even for a move that was under way when it passed.
        let (taken, overrun) = self.taken(seat)?;
        // Of a single move, all that it took is on the clock.
        let credited = overrun.as_ref().filter(|overrun| overrun.limit != Limit::Move);
        let credited = credited.map_or(Duration::ZERO, |overrun| overrun.over);
        if let Some(overrun) = overrun
            && let Some(turn) = self.overdue(seat, overrun)?
        {
            return Ok(Some(turn));
        }
        loop {
            let (program, out) = self.programs.with_out(seat);
            let Some(line) = program.process.lines().next_line() else {
                return Ok(program.too_noisy().map(Turn::Lost));
            };
            let length = line.len();
            let text = String::from_utf8_lossy(line);
            let (refusal, said) = match program.dialogue.hear(&text, out) {
                Heard::Move { text, said } => match self.game.play(&text) {
                    Ok(()) => {
                        program.conduct.credited += credited;
                        self.move_made(seat, taken)?;
                        return Ok(Some(Turn::Moved));
                    }
                    Err(refusal) => (refusal, said.into_owned()),
                },
                Heard::Refused { refusal, said } => (refusal, said.into_owned()),
                Heard::Resigned => {
                    return Ok(Some(Turn::Lost(Fault::Resigned)));
                }
                Heard::Fault(fault) => return Ok(Some(Turn::Lost(fault))),
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
        line: String,
        length: usize,
    ) -> io::Result<Option<Fault>> {
        let ply = self.plies.len() + 1;
        let said = printable(line.as_bytes(), SHOWN);
        let (program, out) = self.programs.with_out(seat);
        let kind = match refusal {
            Refusal::NotAMove(_) if self.terms.strict => {
                program.odd_lines.add(&line);
                return Ok(Some(Fault::NotAMove { said, expected: refusal.to_string() }));
            }
            Refusal::Illegal(why) if program.retries == 0 => {
                return Ok(Some(Fault::IllegalMove { said, why }));
            }
            Refusal::Illegal(_) => {
                program.retries -= 1;
                program.odd_lines.take_back(&line);
                program.dialogue.ask_again(seat, out);
                WarningKind::Illegal
            }
            Refusal::NotAMove(_) => {
                program.odd_lines.add(&line);
                program.chatter.add(length);
                WarningKind::NotAMove
            }
        };
        let flaw = (kind == WarningKind::NotAMove).then(|| explain::flaw(&line, &*self.game));
        self.warn(Warning { flaw, ..Warning::new(seat, ply, kind, said) })?;
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
        let (taken, _) = self.taken(seat)?;
        let program = self.programs.at(seat);
        if let Some(error) = program.process.start_error() {
            let problem = executable::explain(&program.executable, error);
            return Ok(Turn::Lost(Fault::NotStarted { problem }));
        }
        program.process.read_last_words()?;
        program.clock.run_down(taken);
        let usage = program.process.usage();
        Ok(Turn::Lost(match usage.over_memory {
            true => Fault::TooMuchMemory { peak: usage.peak, limit: self.terms.limits.memory.0 },
            false => Fault::Crashed { exit: program.process.exit() },
        }))
    }

    /// Whether the mover has read all that it was sent, and waits for more.
    fn is_idle(&mut self, seat: Seat) -> bool {
        let process = &mut self.programs.at(seat).process;
        process.unread() == 0 && process.waits_for() == Wait::Input
    }

    /// The mover only waits.
    fn gave_up(&self, seat: Seat) -> Fault {
        let allowed_ns = self.wall_began(seat).elapsed().as_nanos() as u64;
        Fault::Timeout { allowed_ns, limit: Limit::Idle, clock: self.terms.clock }
    }

    /// The mover has let its time pass.
    fn timeout(&mut self, seat: Seat, limit: Limit) -> Fault {
        let program = self.programs.at(seat);
        let allowed = match (&program.backstop, limit) {
            (Some(backstop), Limit::Backstop) => backstop.allowance(),
            _ => {
                let allowed = program.clock.allowance();
                program.clock.run_down(allowed);
                allowed
            }
        };
        let is_impatient = self.terms.trial.is_some_and(|trial| trial.is_impatient);
        let limit = if is_impatient && limit == Limit::Move { Limit::Test } else { limit };
        Fault::Timeout { allowed_ns: allowed.as_nanos() as u64, limit, clock: self.terms.clock }
    }
}

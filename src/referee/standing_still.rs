//! Programs that are not to move stand still; what they compute nevertheless is charged to their own clocks.
//!
//! Usually a program sleeps while it waits for its turn, and is left alone: to stop and continue it would cost more than a ply. Only if the
//! mover thinks for longer are all others stopped. One that was seen computing out of turn is stopped at once from then on.

use std::io;
use std::time::{Duration, Instant};

use super::conduct::MOST_WHILE_STOPPED;
use super::game_loop::GameLoop;
use super::turn_clock::{Pace, TurnClock};
use crate::game::Seat;
use crate::record::terms::ClockKind;
use crate::record::{Fault, Work};

/// A turn that takes longer than this is slow: all others are stopped, and it is measured.
pub const SLOW: Duration = Duration::from_millis(2);

/// As long as it may take to wake up at an alarm, that is not on the mover's clock.
const LONGEST_WAKING: Duration = Duration::from_micros(50);

/// What a move of this length and more did is recorded.
const RECORDED: Duration = Duration::from_millis(5);

impl GameLoop<'_> {
    /// A turn begins: the mover goes on, and is about to hear of it. Its clock starts now.
    pub(super) fn begin_turn(&mut self, mover: Seat) -> io::Result<()> {
        if !self.terms.ponder {
            let others = self.programs.iter_mut().filter(|(seat, _)| *seat != mover);
            let restless = others.filter(|(_, program)| program.conduct.is_restless());
            for (_, program) in restless {
                program.stop();
            }
            self.go_on(mover)?;
        }
        self.waited_last = None;
        self.note_who_is_up();
        let pace = self.pace(mover)?;
        self.turn_began = Instant::now();
        self.turn_clock = TurnClock::start(self.turn_began, pace);
        self.awaited = self.turn_began;
        self.is_slow = false;
        Ok(())
    }

    /// Lets a program go on that stands still, and charges it what it did meanwhile.
    fn go_on(&mut self, seat: Seat) -> io::Result<()> {
        let cores = self.cores;
        let Some(program) = self.programs.get_mut(seat).filter(|program| program.process.is_stopped()) else {
            return Ok(());
        };
        let continued = program.process.go_on()?;
        let out_of_turn = program.conduct.continued(continued, cores);
        program.clock.run_down(out_of_turn);
        let while_stopped = program.conduct.while_stopped;
        if while_stopped > MOST_WHILE_STOPPED && program.pending.is_none() {
            let cpu_ns = while_stopped.as_nanos() as u64;
            program.pending = Some(Fault::RanWhileStopped { cpu_ns });
        }
        // They share a core: what the one used, the other had to wait for.
        if let Some((mover, waited)) = self.waited_last.take() {
            let taken = waited.min(out_of_turn);
            let program = self.programs.at(mover);
            program.clock.give_back(taken);
            program.conduct.waited = program.conduct.waited.saturating_sub(taken);
        }
        Ok(())
    }

    /// Stops all programs but the mover that have come up, if the turn is slow by now. Returns when to look again.
    pub(super) fn stand_still(&mut self, mover: Seat, now: Instant) -> Option<Instant> {
        if !self.is_slow {
            let slow = self.turn_began + SLOW;
            if now < slow {
                return Some(slow);
            }
            self.is_slow = true;
            // Where they share a core, the alarm took it from the mover.
            self.turn_clock.leave_out(now.saturating_duration_since(slow).min(LONGEST_WAKING));
            self.own_time_before = self.own_times.up_to_now();
        }
        if self.terms.ponder {
            return None;
        }
        let mut any = false;
        for (_, program) in self.programs.iter_mut().filter(|(seat, _)| *seat != mover) {
            any |= program.up.is_some() && program.stop();
        }
        if any {
            self.turn_clock.leave_out(now.elapsed());
        }
        None
    }

    /// Sees who has come up, as long as not all have, and charges the mover accordingly.
    pub(super) fn see_who_is_up(&mut self, mover: Seat) -> io::Result<()> {
        if self.all_up {
            return Ok(());
        }
        self.note_who_is_up();
        let is_up = self.programs.get(mover).is_none_or(|program| program.up.is_some());
        let changes = match self.turn_clock.pace() {
            Pace::Free => is_up,
            Pace::Cpu(_) => self.all_up && self.terms.clock == ClockKind::Wall,
            Pace::Wall => false,
        };
        if changes {
            let cpu = self.cpu_charged(mover)?;
            let pace = self.pace(mover)?;
            self.turn_clock.change(pace, Instant::now(), cpu);
        }
        Ok(())
    }

    fn note_who_is_up(&mut self) {
        if !self.all_up {
            let latest = self.spawned + self.terms.startup;
            let seen = self.programs.iter_mut().map(|(_, program)| program.see_whether_up(latest));
            // `fold` and not `all`: every program has to be looked at.
            self.all_up = seen.fold(true, |all, up| all & up);
        }
    }

    /// How time is charged to the mover now.
    fn pace(&mut self, mover: Seat) -> io::Result<Pace> {
        let Some(program) = self.programs.get_mut(mover) else { return Ok(Pace::Wall) };
        Ok(match (program.up, self.terms.clock, self.all_up) {
            (None, ..) => Pace::Free,
            (Some(_), ClockKind::Wall, true) => Pace::Wall,
            _ => Pace::Cpu(program.process.measure()?.work.cpu()),
        })
    }

    /// The processor time that the mover has used, if that is what it is charged.
    pub(super) fn cpu_charged(&mut self, mover: Seat) -> io::Result<Duration> {
        match self.turn_clock.pace() {
            Pace::Cpu(_) => Ok(self.programs.at(mover).process.measure()?.work.cpu()),
            Pace::Free | Pace::Wall => Ok(Duration::ZERO),
        }
    }

    /// When time began to pass for the mover: when its turn began, or when it had come up.
    pub(super) fn wall_began(&self, mover: Seat) -> Instant {
        self.program(mover).up.map_or_else(Instant::now, |up| up.max(self.turn_began))
    }

    /// What the mover has done in its turn up to now.
    pub(super) fn work_in_turn(&mut self, mover: Seat) -> io::Result<Work> {
        let referee = self.own_times.up_to_now().since(self.own_time_before);
        let (took, cores) = (self.wall_began(mover).elapsed(), self.cores);
        let program = self.programs.at(mover);
        let measured = program.process.measure()?;
        Ok(program.conduct.in_turn(measured.work, took, referee, cores))
    }

    /// The waiting that has cost the mover time on its clock.
    pub(super) fn costly(&self, waiting: Duration) -> Duration {
        self.turn_clock.wall_began().map_or(waiting, |began| waiting.min(began.elapsed()))
    }

    /// A program has made its move, and its turn is over; `next` is to move. Returns what it did, if that is to be recorded.
    pub(super) fn turn_over(&mut self, seat: Seat, next: Seat) -> io::Result<Option<Work>> {
        let took = self.program(seat).process.read_at().saturating_duration_since(self.wall_began(seat));
        let cores = self.cores;
        let mut in_turn = None;
        if took < SLOW {
            self.programs.at(seat).conduct.quick_turn(took);
        } else {
            let own_time = self.own_times.up_to_now();
            let referee = own_time.since(self.own_time_before);
            self.own_time_before = own_time;
            // Both keepers answer at the same time.
            self.programs.at(seat).process.prepare_to_measure();
            if let Some(next) = self.programs.get_mut(next).filter(|_| next != seat) {
                next.process.prepare_to_go_on();
            }
            let program = self.programs.at(seat);
            let measured = program.process.measure()?;
            let done = program.conduct.in_turn(measured.work, took, referee, cores);
            let out_of_turn = program.conduct.turn_over(measured, took, cores);
            let waited = self.costly(done.waiting());
            let program = self.programs.at(seat);
            program.conduct.waited += waited;
            self.waited_last = Some((seat, waited)).filter(|_| self.turn_clock.pace() == Pace::Wall);
            if !self.terms.ponder {
                program.clock.run_down(out_of_turn);
            }
            in_turn = (took >= RECORDED).then_some(done);
        }
        let program = self.programs.at(seat);
        if let Some(backstop) = &mut program.backstop {
            backstop.charge(took);
        }
        program.odd_lines.moved();
        Ok(in_turn)
    }
}

//! Taking down what is seen of a program that loses, and finding out why once all of it is known.

use std::io;
use std::time::Duration;

use super::explain::{self, Evidence, Testimony};
use super::game_loop::GameLoop;
use crate::contain::spec::Wait;
use crate::game::Seat;
use crate::record::{Fault, Loss};

/// A program that takes longer is told of when its game is broken off.
const WORTH_WONDERING: Duration = Duration::from_secs(1);

impl GameLoop<'_> {
    /// Takes down what there is to see of a program that has just lost.
    pub(super) fn witness(&mut self, seat: Seat, fault: Fault) -> io::Result<Testimony> {
        let is_there = !self.program(seat).process.has_ended();
        let work = if is_there { Some(self.work_in_turn(seat)?) } else { None };
        let took = self.wall_began(seat).elapsed();
        let is_late = matches!(fault, Fault::Timeout { .. } | Fault::Unfinished { .. });
        let program = self.programs.at(seat);
        // Only then is it asked what the program does: one that has lost otherwise did something.
        let wait = if is_there && is_late { program.process.waits_for() } else { Wait::Unknown };
        let lines = program.process.lines();
        let unfinished = lines.rest().to_vec();
        // What comes from now on came too late.
        lines.clear();
        let (unread, owes) = (program.process.unread(), program.dialogue.owes());
        let stderr = program.process.stderr();
        Ok(Testimony { seat, fault, took, work, unfinished, unread, wait, owes, stderr })
    }

    /// What is seen of a program whose turn is broken off, if it has taken long enough for anybody to wonder.
    pub(super) fn seen_so_far(&mut self, seat: Seat) -> io::Result<Option<Loss>> {
        if self.programs.get(seat).is_none() {
            return Ok(None);
        }
        let took = self.wall_began(seat).elapsed();
        if took < WORTH_WONDERING {
            return Ok(None);
        }
        let testimony = self.witness(seat, Fault::Unfinished { took_ns: took.as_nanos() as u64 })?;
        Ok(Some(self.loss(&testimony)))
    }

    /// The loss that a testimony is about, with its causes as far as they are known by now.
    pub(super) fn loss(&self, testimony: &Testimony) -> Loss {
        let program = self.program(testimony.seat);
        let evidence = Evidence {
            testimony,
            game: &*self.game,
            plies: &self.plies,
            movers: &self.movers,
            odd_lines: &program.odd_lines,
            late: &program.late,
            peak: program.process.usage().peak,
            memory: self.terms.limits.memory.0,
            output: self.terms.output,
            had_moved: false,
            out_of_turn: if self.terms.ponder { Default::default() } else { program.conduct.out_of_turn },
            is_inside: program.process.is_inside(),
            left_running: program.process.left_running(),
        };
        let causes = explain::diagnose(&evidence);
        let loss = Loss::new(testimony.seat, Some(self.plies.len() + 1), testimony.fault.clone());
        Loss { causes, work: testimony.work, ..loss }
    }
}

//! Whether games were played on machines that are alike.

use std::collections::{BTreeMap, HashMap};

use crate::championship::machine::Machine;
use crate::record::Summary;
use crate::record::fixture::stable_hash;

/// A machine stands out whose fixed piece of work takes so many times as long as usual, or as little.
const STANDS_OUT: f64 = 1.15;

/// Where the games of a championship were played.
#[derive(Clone, Debug, Default)]
pub struct Fairness {
    /// The machines, with how many games each played.
    machines: Vec<(Machine, usize)>,
    /// Of those who met in a round: the machine of their first game, and whether another has played one of theirs.
    meetings: HashMap<u64, Meeting>,
}

#[derive(Clone, Copy, Debug)]
struct Meeting {
    machine: usize,
    is_split: bool,
}

impl Fairness {
    /// Takes down that a machine has played a game.
    pub fn add(&mut self, game: &Summary, machine: &Machine) {
        let is_same = |(one, _): &(Machine, usize)| one.host == machine.host && one.cpu == machine.cpu;
        let place = match self.machines.iter().position(is_same) {
            Some(place) => place,
            None => {
                self.machines.push((machine.clone(), 0));
                self.machines.len() - 1
            }
        };
        let (known, games) = &mut self.machines[place];
        *games += 1;
        known.calibration_us = known.calibration_us.min(machine.calibration_us);
        let mut bots: Vec<&str> = game.seats.iter().map(|seat| &*seat.bot).collect();
        bots.sort_unstable();
        let key = stable_hash("meeting", 0, &[game.round], &bots);
        let meeting = self.meetings.entry(key).or_insert(Meeting { machine: place, is_split: false });
        meeting.is_split |= meeting.machine != place;
    }

    /// The machines by name, with how many games each played.
    pub fn machines(&self) -> Vec<&(Machine, usize)> {
        let mut machines: Vec<_> = self.machines.iter().collect();
        machines.sort_by(|(one, _), (other, _)| (&one.host, &one.cpu).cmp(&(&other.host, &other.cpu)));
        machines
    }

    /// The models of processors that games were played on.
    pub fn processors(&self) -> BTreeMap<&str, usize> {
        let mut models = BTreeMap::new();
        for (machine, games) in &self.machines {
            *models.entry(machine.cpu.as_str()).or_default() += games;
        }
        models
    }

    /// How many times as long as on the usual machine a piece of work takes on each, of those that stand out.
    pub fn standing_out(&self) -> Vec<(&Machine, f64)> {
        let usual = self.usual();
        let ratio = |machine: &Machine| machine.calibration_us as f64 / usual.max(1) as f64;
        let stands_out = |ratio: f64| !(1.0 / STANDS_OUT..=STANDS_OUT).contains(&ratio);
        let found = self.machines().into_iter().map(|(machine, _)| (machine, ratio(machine)));
        found.filter(|&(_, ratio)| stands_out(ratio)).collect()
    }

    /// What a piece of work takes for half of the games at least.
    fn usual(&self) -> u64 {
        let mut by_time: Vec<_> =
            self.machines.iter().map(|(machine, games)| (machine.calibration_us, games)).collect();
        by_time.sort_unstable();
        let all: usize = self.machines.iter().map(|(_, games)| games).sum();
        let mut so_far = 0;
        let half = by_time.iter().find(|&&(_, games)| {
            so_far += games;
            2 * so_far >= all
        });
        half.map_or(0, |&(time, _)| time)
    }

    /// How many pairs have met on a machine that is slower than usual.
    pub fn on_slow_machines(&self) -> usize {
        let usual = self.usual().max(1) as f64;
        let is_slow = |place: usize| self.machines[place].0.calibration_us as f64 / usual > STANDS_OUT;
        self.meetings.values().filter(|meeting| is_slow(meeting.machine)).count()
    }

    /// How many pairs have played one game on one machine and one on another.
    pub fn split(&self) -> usize {
        self.meetings.values().filter(|meeting| meeting.is_split).count()
    }
}

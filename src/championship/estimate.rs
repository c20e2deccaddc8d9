//! How long what is left of a championship will take: its games on so many workers, round after round.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::time::Duration;

use super::formats::{Fixture, Pairing};
use crate::record::terms::ClockKind;
use crate::record::{FixtureKey, Terms};
use crate::score::game_times::GameTimes;

/// What is left of a championship.
pub struct Rest<'a> {
    /// The pairings that are known, without the games that are over, in the order in which they are played.
    pub pairings: &'a [Pairing],
    /// How many games follow in rounds that nobody can draw up yet.
    pub undrawn: usize,
    /// The bots that play on.
    pub bots: &'a [Arc<str>],
    /// The games that run, and for how long they have.
    pub running: &'a [(FixtureKey, Duration)],
    /// How many games run at a time.
    pub jobs: usize,
}

impl Rest<'_> {
    /// How many games there are.
    pub fn games(&self) -> usize {
        self.pairings.iter().map(Vec::len).sum::<usize>() + self.undrawn
    }

    /// How long it will probably take; nothing as long as nothing is known.
    pub fn time(&self, times: &GameTimes) -> Option<Duration> {
        (!times.is_empty()).then(|| self.makespan(|bots| times.expected(bots)))
    }

    /// How long it takes at most, if all clocks are used up. Where each move adds to its clock, nobody can say.
    pub fn time_at_worst(&self, terms: &Terms) -> Option<Duration> {
        game_at_worst(terms, 0)?;
        Some(self.makespan(|bots| game_at_worst(terms, bots.len() as u32).unwrap_or_default()))
    }

    /// When the last worker is done, if each takes the next pairing as soon as it is free.
    fn makespan(&self, time: impl Fn(&[Arc<str>]) -> Duration) -> Duration {
        let elapsed = |fixture: &Fixture| {
            self.running.iter().find(|(key, _)| *key == fixture.key).map(|&(_, elapsed)| elapsed)
        };
        let cost = |pairing: &Pairing| {
            let games = pairing.iter().map(|fixture| {
                let whole = time(&fixture.key.bots);
                // What has taken longer than it should is not known to end at once.
                elapsed(fixture).map_or(whole, |elapsed| whole.saturating_sub(elapsed).max(whole / 10))
            });
            games.sum::<Duration>()
        };
        let (begun, waiting): (Vec<&Pairing>, Vec<&Pairing>) = self
            .pairings
            .iter()
            .partition(|pairing| pairing.iter().any(|fixture| elapsed(fixture).is_some()));
        let known = on_workers(self.jobs, begun.into_iter().chain(waiting).map(cost));
        // Every bot plays in every round, against bots of its strength, which tend to think for as long as it does.
        let mut bots = self.bots.to_vec();
        bots.sort_by_key(|bot| Reverse(time(&[bot.clone(), bot.clone()])));
        let a_round = on_workers(self.jobs, bots.chunks_exact(2).map(|pair| 2 * time(pair)));
        let rounds = self.undrawn.div_ceil((bots.len() / 2 * 2).max(1)) as u32;
        known + rounds * a_round
    }
}

/// How long a game between so many bots takes at most, if all clocks are used up. Where each move adds to its clock, nobody can say.
pub fn game_at_worst(terms: &Terms, seats: u32) -> Option<Duration> {
    /// For what comes before the first move and after the last, besides the bots' own start.
    const AROUND: Duration = Duration::from_secs(1);
    let budget = match terms.clock {
        ClockKind::Wall => terms.time.base,
        // As long as that it may take on a machine that is busy.
        ClockKind::Cpu => 3 * terms.time.base + Duration::from_secs(1),
    };
    terms.time.increment.is_zero().then(|| AROUND + (terms.startup + budget) * seats)
}

/// When the last of so many workers is done with pieces of work that take so long.
fn on_workers(jobs: usize, pieces: impl Iterator<Item = Duration>) -> Duration {
    let mut free: BinaryHeap<Reverse<Duration>> = vec![Reverse(Duration::ZERO); jobs.max(1)].into();
    let mut last = Duration::ZERO;
    for piece in pieces {
        let Reverse(begins) = free.pop().unwrap_or_default();
        last = last.max(begins + piece);
        free.push(Reverse(begins + piece));
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture(leg: u32, one: &str, other: &str) -> Fixture {
        let key = FixtureKey { round: 1, leg, bots: vec![one.into(), other.into()] };
        Fixture { key, seats: Vec::new(), opening: None }
    }

    fn pair(one: &str, other: &str) -> Pairing {
        vec![fixture(1, one, other), fixture(2, other, one)]
    }

    /// A game takes as many seconds as its bots have letters.
    fn times(bots: &[&str]) -> GameTimes {
        let mut times = GameTimes::default();
        for &bot in bots {
            let part = Duration::from_secs(bot.len() as u64);
            times.add_game(2 * part, &[(bot.into(), part), (bot.into(), part)]);
        }
        times
    }

    fn seconds(rest: &Rest) -> f64 {
        rest.time(&times(&["a", "bb", "ccc"])).unwrap().as_secs_f64()
    }

    #[test]
    fn workers_take_pairings_one_after_the_other() {
        let pairings = [pair("a", "bb"), pair("a", "ccc"), pair("bb", "ccc")];
        let rest = |jobs| Rest { pairings: &pairings, undrawn: 0, bots: &[], running: &[], jobs };
        assert_eq!([1, 2, 3, 9].map(|jobs| seconds(&rest(jobs))), [24.0, 16.0, 10.0, 10.0]);
        assert_eq!(rest(1).games(), 6);
        assert_eq!(rest(1).time(&GameTimes::default()), None);
    }

    #[test]
    fn what_runs_has_less_to_go() {
        let pairings = [pair("a", "bb"), pair("bb", "ccc")];
        let rest = |seconds| {
            let running = [(pairings[1][0].key.clone(), Duration::from_secs(seconds))];
            self::seconds(&Rest { pairings: &pairings, undrawn: 0, bots: &[], running: &running, jobs: 2 })
        };
        assert_eq!([0, 1, 4].map(rest), [10.0, 9.0, 6.0]);
        assert_eq!(rest(60), 6.0, "the other worker takes longer");
    }

    #[test]
    fn rounds_that_are_to_come_count_too() {
        let bots: Vec<Arc<str>> = ["a", "bb", "ccc"].map(Arc::from).to_vec();
        let rest = |undrawn| Rest { pairings: &[], undrawn, bots: &bots, running: &[], jobs: 4 };
        assert_eq!([0, 2, 4].map(|undrawn| seconds(&rest(undrawn))), [0.0, 10.0, 20.0]);
    }

    #[test]
    fn at_worst_every_clock_is_used_up() {
        let pairings = [pair("a", "bb"), pair("a", "ccc"), pair("bb", "ccc")];
        let rest = Rest { pairings: &pairings, undrawn: 0, bots: &[], running: &[], jobs: 2 };
        let mut terms = Terms::default();
        // Four games on the busier worker, each of two clocks of 60 s, two starts of 5 s and what is around them.
        assert_eq!(rest.time_at_worst(&terms), Some(Duration::from_secs(4 * (2 * 65 + 1))));
        terms.clock = ClockKind::Cpu;
        assert_eq!(rest.time_at_worst(&terms), Some(Duration::from_secs(4 * (2 * 186 + 1))));
        terms.time.increment = Duration::from_secs(1);
        assert_eq!(rest.time_at_worst(&terms), None);
    }
}

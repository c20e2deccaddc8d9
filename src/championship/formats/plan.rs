//! What a schedule is made from, and what it is made of.

use std::sync::Arc;

use super::format::Format;
use crate::record::fixture::{FixtureKey, stable_hash};

/// A bot in the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// Its name, which no other contender has.
    pub name: Arc<str>,
    /// The first round it plays in: 1 for those who were there from the beginning, and for latecomers what
    /// [`Plan::joins_in_round`] said when they came, or came back.
    pub from_round: u32,
    /// The round in which it left: what [`Plan::leaves_in_round`] said at the time. It plays no further game.
    pub left_in_round: Option<u32>,
}

impl Contender {
    /// One that is there from the beginning.
    pub fn new(name: impl Into<Arc<str>>) -> Contender {
        Contender { name: name.into(), from_round: 1, left_in_round: None }
    }

    /// Whether it has left.
    pub fn withdrawn(&self) -> bool {
        self.left_in_round.is_some()
    }
}

/// What a schedule depends on, apart from the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How opponents are found.
    pub format: Format,
    /// The bots, those included that have left.
    pub bots: Vec<Contender>,
    /// How many bots play in a game.
    pub seats: usize,
    /// How many rounds there are.
    pub rounds: u32,
    /// In a duel: how many games there are, if not whole rounds.
    pub games: Option<u32>,
    /// Decides what is drawn by lot.
    pub seed: u64,
    /// How many openings there are to choose from.
    pub openings: usize,
    /// Games whose results were set aside, since they are to be played again: rounds stay as they were drawn up for them.
    pub set_aside: Vec<SetAside>,
}

/// A game whose result was set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// Its round.
    pub round: u32,
    /// Its leg.
    pub leg: u32,
    /// The bots by seat, as indices into [`Plan::bots`].
    pub seats: Vec<usize>,
}

/// A game of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// What tells it apart from all others.
    pub key: FixtureKey,
    /// The bots by seat, as indices into [`Plan::bots`].
    pub seats: Vec<usize>,
    /// The opening that the bots are asked to play, counted from 0, if there are openings.
    pub opening: Option<usize>,
}

/// Games that belong together: one worker plays them, one after the other. Where two play, a pair with sides exchanged.
pub type Pairing = Vec<Fixture>;

/// A game that was played, as formats see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its round.
    pub round: u32,
    /// Its leg.
    pub leg: u32,
    /// The bots by seat, as indices into [`Plan::bots`].
    pub seats: Vec<usize>,
    /// The half points by seat.
    pub half_points: Vec<u32>,
}

/// Where a game has its place in the schedule: its round, its leg and its bots by seat.
pub type Place<'a> = (u32, u32, &'a [usize]);

impl Fixture {
    /// Its place.
    pub fn place(&self) -> Place<'_> {
        (self.key.round, self.key.leg, &self.seats)
    }
}

impl SetAside {
    /// Its place.
    pub fn place(&self) -> Place<'_> {
        (self.round, self.leg, &self.seats)
    }
}

impl PlayedGame {
    /// The place of the game that it was.
    pub fn place(&self) -> Place<'_> {
        (self.round, self.leg, &self.seats)
    }

    /// Whether this is that game of the schedule.
    pub fn is(&self, fixture: &Fixture) -> bool {
        self.place() == fixture.place()
    }
}

impl Plan {
    /// The bots that have not left.
    pub(super) fn present(&self) -> Vec<usize> {
        (0..self.bots.len()).filter(|&bot| !self.bots[bot].withdrawn()).collect()
    }

    /// The bots in an order drawn by lot. Each has its own lot, so those who come and go leave the order of the others.
    pub(super) fn by_lot(&self, mut bots: Vec<usize>) -> Vec<usize> {
        bots.sort_by_cached_key(|&bot| stable_hash("lot", self.seed, &[], &[&self.bots[bot].name]));
        bots
    }

    /// One game.
    pub(super) fn fixture(&self, round: u32, leg: u32, seats: Vec<usize>) -> Fixture {
        let bots = seats.iter().map(|&bot| self.bots[bot].name.clone()).collect();
        let key = FixtureKey { round, leg, bots };
        Fixture { opening: self.opening(round, &seats), key, seats }
    }

    /// The two games of a pair in a round, one with each side. They depend on nobody else in the championship.
    pub(super) fn pair(&self, round: u32, one: usize, other: usize) -> Pairing {
        let [mut first, mut second] =
            if self.bots[one].name < self.bots[other].name { [one, other] } else { [other, one] };
        let names = [&*self.bots[first].name, &*self.bots[second].name];
        // The lot decides who begins in the first round; from then on they take turns.
        if (stable_hash("first seat", self.seed, &[], &names) ^ u64::from(round)) & 1 == 1 {
            (first, second) = (second, first);
        }
        vec![self.fixture(round, 1, vec![first, second]), self.fixture(round, 2, vec![second, first])]
    }

    /// The opening for those who meet: the same in every seating of a round, and another in the next round.
    fn opening(&self, round: u32, seats: &[usize]) -> Option<usize> {
        if self.openings == 0 {
            return None;
        }
        let mut names: Vec<&str> = seats.iter().map(|&bot| &*self.bots[bot].name).collect();
        names.sort_unstable();
        let count = self.openings as u64;
        let first = stable_hash("opening", self.seed, &[], &names) % count;
        Some(((first + u64::from(round.saturating_sub(1))) % count) as usize)
    }

    /// The round after the last in which a game was played.
    pub(super) fn next_unbegun_round(&self, played: &[PlayedGame]) -> u32 {
        let begun = played.iter().map(|game| game.round).chain(self.set_aside.iter().map(|game| game.round));
        begun.max().unwrap_or(0).min(self.rounds).saturating_add(1)
    }

    /// The games of a round whose results were set aside and which can be played again, in an order that does not depend on when they
    /// were played. Games with bots that have left cannot.
    pub(super) fn to_repeat(&self, round: u32) -> Vec<&SetAside> {
        let present = |&bot: &usize| self.bots.get(bot).is_some_and(|bot| !bot.withdrawn());
        let can_be = |game: &&SetAside| {
            game.round == round && game.seats.len() == self.seats && game.seats.iter().all(present)
        };
        let mut games: Vec<&SetAside> = self.set_aside.iter().filter(can_be).collect();
        games.sort_by_key(|game| (game.leg, &game.seats));
        games.dedup();
        games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(openings: usize) -> Plan {
        let bots = ["ada", "bob", "eve"].map(Contender::new).to_vec();
        Plan {
            format: Format::RoundRobin,
            bots,
            seats: 2,
            rounds: 9,
            games: None,
            seed: 3,
            openings,
            set_aside: Vec::new(),
        }
    }

    #[test]
    fn a_pair_takes_turns_in_beginning_whatever_the_order_of_the_bots() {
        let plan = plan(0);
        for round in 1..9 {
            let pairing = plan.pair(round, 0, 1);
            assert_eq!(pairing, plan.pair(round, 1, 0));
            assert_eq!(pairing[0].seats, plan.pair(round + 1, 0, 1)[1].seats);
            assert_eq!((pairing[0].key.leg, pairing[1].key.leg), (1, 2));
            assert_ne!(pairing[0].key.seed(1), pairing[1].key.seed(1));
        }
    }

    #[test]
    fn the_lot_decides_who_begins() {
        let first = |seed| Plan { seed, ..plan(0) }.pair(1, 0, 1)[0].seats[0];
        let begins = (0..200).filter(|&seed| first(seed) == 0).count();
        assert!((60..140).contains(&begins), "{begins} of 200");
    }

    #[test]
    fn a_pair_has_one_opening_in_a_round_and_another_in_the_next() {
        let plan = plan(4);
        for round in 1..9 {
            let pairing = plan.pair(round, 2, 0);
            assert_eq!(pairing[0].opening, pairing[1].opening);
            let next = plan.pair(round + 1, 0, 2)[0].opening;
            assert_eq!(next, pairing[0].opening.map(|opening| (opening + 1) % 4));
        }
        assert_eq!(Plan { openings: 0, ..plan }.pair(1, 0, 1)[0].opening, None);
    }
}

//! Random histories of championships: bots join and leave, games are played in any order, and some are played again.
//! Whatever happens, the schedule has to keep its promises.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseResult, TestRng, TestRunner};

use super::{Contender, Fixture, Format, Plan, PlayedGame, SetAside};
use crate::record::fixture::FixtureKey;
use crate::test_seed::seed;

/// Something that happens to a championship. Numbers choose among what is possible at the time.
#[derive(Clone, Copy, Debug)]
enum Event {
    Play(usize, u32),
    Join,
    Leave(usize),
    /// A line of the journal is damaged.
    Lose(usize),
    /// The games of one bot, or of two.
    PlayAgain(usize, usize),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        20 => (any::<usize>(), 0..=2u32).prop_map(|(game, result)| Event::Play(game, result)),
        1 => Just(Event::Join),
        1 => any::<usize>().prop_map(Event::Leave),
        1 => any::<usize>().prop_map(Event::Lose),
        1 => any::<(usize, usize)>().prop_map(|(one, other)| Event::PlayAgain(one, other)),
    ]
}

struct History {
    plan: Plan,
    played: Vec<PlayedGame>,
    /// Whether anything has happened that no schedule can foresee.
    disturbed: bool,
}

impl History {
    fn new(format: Format, bots: usize, seats: usize, rounds: u32, seed: u64) -> History {
        let bots = (0..bots).map(|bot| Contender::new(format!("bot{bot}"))).collect();
        let plan =
            Plan { format, bots, seats, rounds, games: None, seed, openings: 4, set_aside: Vec::new() };
        History { plan, played: Vec::new(), disturbed: false }
    }

    fn schedule(&self) -> Vec<Fixture> {
        self.plan.pairings(&self.played).concat()
    }

    fn has_played(&self, fixture: &Fixture) -> bool {
        self.played.iter().any(|game| game.is(fixture))
    }

    fn open(&self) -> Vec<Fixture> {
        self.schedule().into_iter().filter(|fixture| !self.has_played(fixture)).collect()
    }

    fn present(&self) -> Vec<usize> {
        (0..self.plan.bots.len()).filter(|&bot| !self.plan.bots[bot].withdrawn()).collect()
    }

    fn play(&mut self, fixture: &Fixture, result: u32) {
        let mut half_points = vec![1; self.plan.seats];
        (half_points[0], half_points[1]) = (result, 2 - result);
        let (round, leg) = (fixture.key.round, fixture.key.leg);
        self.played.push(PlayedGame { round, leg, seats: fixture.seats.clone(), half_points });
    }

    fn happens(&mut self, event: Event) -> TestCaseResult {
        match event {
            Event::Play(choice, result) => {
                let before = self.schedule();
                let open = self.open();
                if !open.is_empty() {
                    self.play(&open[choice % open.len()], result);
                    let now = self.schedule();
                    prop_assert!(
                        before.iter().all(|game| now.contains(game)),
                        "a result changes what is known"
                    );
                }
            }
            Event::Join if self.plan.format != Format::Duel && self.plan.bots.len() < 14 => {
                let from_round = self.plan.joins_in_round(&self.played);
                let name = format!("late{}", self.plan.bots.len());
                self.plan.bots.push(Contender { from_round, ..Contender::new(name) });
                self.disturbed = true;
            }
            Event::Leave(choice) => {
                let (present, left) = (self.present(), self.plan.leaves_in_round(&self.played));
                if !present.is_empty() {
                    self.plan.bots[present[choice % present.len()]].left_in_round = Some(left);
                    self.disturbed = true;
                }
            }
            Event::Lose(choice) if !self.played.is_empty() => {
                self.played.remove(choice % self.played.len());
                self.disturbed = true;
            }
            Event::PlayAgain(one, other) => {
                let present = self.present();
                if !present.is_empty() {
                    self.play_again([one, other].map(|choice| present[choice % present.len()]))?;
                }
            }
            Event::Join | Event::Lose(_) => {}
        }
        self.check()
    }

    /// Sets the results of some bots aside. What was played is drawn as it was, unless a bot that has left would have to play.
    fn play_again(&mut self, bots: [usize; 2]) -> TestCaseResult {
        let is_theirs = |game: &PlayedGame| bots.iter().any(|bot| game.seats.contains(bot));
        let (again, stays): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.played).into_iter().partition(is_theirs);
        self.played = stays;
        self.disturbed |= !again.is_empty();
        let aside =
            |game: &PlayedGame| SetAside { round: game.round, leg: game.leg, seats: game.seats.clone() };
        self.plan.set_aside.extend(again.iter().map(aside));
        let schedule = self.schedule();
        for game in again {
            let all_there = game.seats.iter().all(|&bot| !self.plan.bots[bot].withdrawn());
            let is_drawn = schedule.iter().any(|fixture| game.is(fixture));
            prop_assert_eq!(is_drawn, all_there, "{:?} is to be played again", game);
        }
        Ok(())
    }

    /// What holds at any time.
    fn check(&self) -> TestCaseResult {
        let schedule = self.schedule();
        let backwards: Vec<PlayedGame> = self.played.iter().rev().cloned().collect();
        prop_assert_eq!(
            &schedule,
            &self.plan.pairings(&backwards).concat(),
            "the order of results does not matter"
        );
        let keys: HashSet<&FixtureKey> = schedule.iter().map(|fixture| &fixture.key).collect();
        prop_assert_eq!(keys.len(), schedule.len(), "keys are unique");
        for fixture in &schedule {
            let names: Vec<std::sync::Arc<str>> =
                fixture.seats.iter().map(|&bot| self.plan.bots[bot].name.clone()).collect();
            prop_assert_eq!(&fixture.key.bots, &names);
            for &bot in fixture.seats.iter().filter(|_| !self.has_played(fixture)) {
                let bot = &self.plan.bots[bot];
                prop_assert!(!bot.withdrawn(), "{} has left", bot.name);
                prop_assert!(bot.from_round <= fixture.key.round, "{} is not there yet", bot.name);
            }
        }
        for game in &self.played {
            let all_there = game.seats.iter().all(|&bot| !self.plan.bots[bot].withdrawn());
            let stays = all_there || self.plan.keeps_games_of_the_withdrawn();
            prop_assert_eq!(schedule.iter().any(|fixture| game.is(fixture)), stays, "{:?}", game);
        }
        match self.plan.format {
            Format::RoundRobin if self.plan.seats == 2 => self.check_pairs_alone(),
            Format::Gauntlet => self.check_pairs_alone(),
            Format::Swiss => self.check_swiss(),
            Format::RoundRobin | Format::Duel => Ok(()),
        }
    }

    /// The games of a pair are what they would be if nobody else took part.
    fn check_pairs_alone(&self) -> TestCaseResult {
        let what = |fixture: &Fixture| (fixture.key.clone(), fixture.opening);
        for pairing in self.plan.pairings(&self.played) {
            let bots = pairing[0]
                .seats
                .iter()
                .map(|&bot| Contender::new(self.plan.bots[bot].name.clone()))
                .collect();
            let alone: Vec<_> =
                Plan { bots, ..self.plan.clone() }.pairings(&[]).iter().flatten().map(what).collect();
            prop_assert!(pairing.iter().all(|fixture| alone.contains(&what(fixture))));
        }
        Ok(())
    }

    fn check_swiss(&self) -> TestCaseResult {
        let pairings = self.plan.pairings(&self.played);
        let pairs: Vec<(u32, [usize; 2])> = pairings
            .iter()
            .map(|pairing| (pairing[0].key.round, [pairing[0].seats[0], pairing[0].seats[1]]))
            .collect();
        let seats: Vec<(u32, usize)> =
            pairs.iter().flat_map(|&(round, pair)| pair.map(|bot| (round, bot))).collect();
        let seated: HashSet<(u32, usize)> = seats.iter().copied().collect();
        prop_assert_eq!(seated.len(), seats.len(), "everybody has one opponent in a round");
        let byes = self.plan.byes(&self.played);
        let rounds: HashSet<u32> = byes.iter().map(|&(round, _)| round).collect();
        prop_assert_eq!(rounds.len(), byes.len(), "there is one bye in a round");
        prop_assert!(byes.iter().all(|bye| !seated.contains(bye)), "a bot with a bye does not play");

        let mut met: HashMap<[usize; 2], u32> = HashMap::new();
        for (_, mut pair) in pairs.iter().copied() {
            pair.sort_unstable();
            *met.entry(pair).or_default() += 1;
        }
        let Some(current) = self.open().first().map(|fixture| fixture.key.round) else { return Ok(()) };
        // A pair that has played stays one, even if its games are to be played again.
        let is_kept = |fixture: &Fixture| {
            self.has_played(fixture) || self.plan.set_aside.iter().any(|game| game.place() == fixture.place())
        };
        let drawn = |pairing: &&Vec<Fixture>| pairing[0].key.round == current && !pairing.iter().any(is_kept);
        let drawn: Vec<[usize; 2]> = pairings
            .iter()
            .filter(drawn)
            .map(|pairing| {
                let mut pair = [pairing[0].seats[0], pairing[0].seats[1]];
                pair.sort_unstable();
                pair
            })
            .collect();
        if drawn.iter().all(|pair| met[pair] == 1) {
            return Ok(());
        }
        prop_assert!(self.disturbed, "nobody meets twice if nobody comes or goes");
        // Then there was no way for all to meet somebody new.
        drawn.iter().for_each(|pair| *met.get_mut(pair).expect("it was counted") -= 1);
        let begun: HashSet<usize> = seats
            .iter()
            .filter(|&&(round, bot)| round == current && !drawn.iter().flatten().any(|&other| other == bot))
            .map(|&(_, bot)| bot)
            .collect();
        let mut rest = self.present();
        rest.retain(|bot| !begun.contains(bot) && self.plan.bots[*bot].from_round <= current);
        let count =
            |bot: usize| byes.iter().filter(|&&(round, other)| round < current && other == bot).count();
        let fewest = rest.iter().map(|&bot| count(bot)).min().unwrap_or_default();
        let off: Vec<Option<usize>> = match rest.len() % 2 {
            0 => vec![None],
            _ => rest.iter().filter(|&&bot| count(bot) == fewest).map(|&bot| Some(bot)).collect(),
        };
        for off in off {
            let others: Vec<usize> = rest.iter().copied().filter(|&bot| Some(bot) != off).collect();
            prop_assert!(!can_all_be_new(&others, &met), "round {}: {:?}", current, drawn);
        }
        Ok(())
    }

    /// Plays until nothing is left to be played.
    fn play_on(&mut self, rng: &mut fastrand::Rng) -> TestCaseResult {
        let bound = self.plan.rounds as usize + 2;
        for _ in 0..bound {
            let open = self.open();
            open.iter().for_each(|fixture| self.play(fixture, rng.u32(0..=2)));
            self.check()?;
        }
        prop_assert_eq!(self.open(), vec![], "playing on ends");
        self.check_the_end()
    }

    /// What holds when everything has been played.
    fn check_the_end(&self) -> TestCaseResult {
        let plan = &self.plan;
        let (schedule, present) = (self.schedule(), self.present());
        prop_assert_eq!(schedule.len(), plan.games(&self.played));
        let games = |seats: &[usize]| schedule.iter().filter(|fixture| fixture.seats == seats).count();
        let byes = plan.byes(&self.played);
        for &one in &present {
            match plan.format {
                Format::RoundRobin if plan.seats > 2 => {
                    for seat in (0..plan.seats).filter(|_| !self.disturbed) {
                        let times = schedule.iter().filter(|fixture| fixture.seats[seat] == one).count();
                        prop_assert_eq!(times, plan.rounds as usize);
                    }
                }
                Format::Swiss => {
                    for round in plan.bots[one].from_round..=plan.rounds {
                        let mut of_round = schedule.iter().filter(|fixture| fixture.key.round == round);
                        let played = of_round.clone().filter(|fixture| fixture.seats.contains(&one)).count();
                        let left = of_round
                            .clone()
                            .filter(|fixture| fixture.seats.contains(&one))
                            .any(|fixture| fixture.seats.iter().any(|&bot| plan.bots[bot].withdrawn()));
                        let nobody_plays = of_round.next().is_none();
                        let bye = byes.contains(&(round, one));
                        prop_assert!(
                            played == 2 && !bye
                                || played == 1 && left
                                || played == 0 && (bye || nobody_plays),
                            "round {}: bot {} plays {} games",
                            round,
                            one,
                            played
                        );
                    }
                }
                Format::RoundRobin | Format::Gauntlet | Format::Duel => {
                    for &other in present.iter().filter(|&&other| other != one && plan.seats == 2) {
                        let meet = plan.format != Format::Gauntlet || one == 0 || other == 0;
                        let expected = if meet { plan.rounds as usize } else { 0 };
                        prop_assert_eq!(games(&[one, other]), expected);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether all can be paired up with somebody new, found by trying everything.
fn can_all_be_new(bots: &[usize], met: &HashMap<[usize; 2], u32>) -> bool {
    let Some((&first, others)) = bots.split_first() else { return true };
    (0..others.len()).any(|index| {
        let mut pair = [first, others[index]];
        pair.sort_unstable();
        let rest = [&others[..index], &others[index + 1..]].concat();
        met.get(&pair).is_none_or(|&times| times == 0) && can_all_be_new(&rest, met)
    })
}

/// Plays random histories of a format.
fn histories(format: Format, seats: usize, cases: u32) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed().to_le_bytes());
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let championship = (seats..=12usize, 1..=12u32, any::<u64>(), proptest::collection::vec(event(), 0..80));
    let result = TestRunner::new_with_rng(config, rng).run(&championship, |(bots, rounds, seed, events)| {
        let (bots, rounds) = match format {
            Format::Swiss => (bots, rounds),
            Format::Duel => (seats, rounds),
            Format::RoundRobin | Format::Gauntlet => (bots, rounds.div_ceil(4)),
        };
        let mut history = History::new(format, bots, seats, rounds, seed);
        while history.plan.check().is_err() {
            history.plan.rounds -= 1;
        }
        history.check()?;
        events.into_iter().try_for_each(|event| history.happens(event))?;
        history.play_on(&mut fastrand::Rng::with_seed(seed))
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// Once, a turn of the circle in which a bot had a second bye came to fit when the others had begun to play.
#[test]
fn a_swiss_round_stays_as_it_was_drawn_while_it_is_played() {
    let events = [
        Event::Leave(1649321380666517625),
        Event::Play(9918877374482120068, 0),
        Event::Play(15411188364127141207, 0),
        Event::Lose(957113575503096762),
        Event::Play(26022275827435792, 0),
        Event::Play(1972766752765961604, 2),
        Event::Play(0, 0),
        Event::Play(16047510924219469184, 0),
        Event::Play(6573050376610617841, 0),
        Event::Play(0, 0),
        Event::Play(0, 0),
        Event::Play(2570436908822877273, 1),
        Event::Join,
        Event::Play(7175517794311923004, 2),
        Event::Play(0, 0),
        Event::Play(0, 0),
        Event::Play(384211058025485002, 0),
    ];
    let mut history = History::new(Format::Swiss, 5, 2, 4, 2593321430435649426);
    events.into_iter().try_for_each(|event| history.happens(event)).unwrap();
}

#[test]
fn round_robins_keep_their_promises() {
    histories(Format::RoundRobin, 2, 100);
}

#[test]
fn round_robins_at_tables_keep_their_promises() {
    for seats in 3..=5 {
        histories(Format::RoundRobin, seats, 60);
    }
}

#[test]
fn gauntlets_keep_their_promises() {
    histories(Format::Gauntlet, 2, 100);
}

#[test]
fn swiss_tournaments_keep_their_promises() {
    histories(Format::Swiss, 2, 250);
}

#[test]
fn duels_keep_their_promises() {
    for seats in 2..=4 {
        histories(Format::Duel, seats, 50);
    }
}

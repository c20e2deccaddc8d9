//! Round robin for games of more than two: everybody sits at tables with everybody else, in each seat equally often.

use std::collections::{HashMap, HashSet};

use super::plan::{Fixture, Pairing, Plan, PlayedGame};
use super::rules::Rules;
use crate::record::fixture::stable_hash;

/// The rules of a round robin at tables.
pub(super) struct Tables;

impl Rules for Tables {
    fn pairings(&self, plan: &Plan, played: &[PlayedGame]) -> Vec<Pairing> {
        let mut pairings = Vec::new();
        let mut circle = Circle::new(plan, 1, Vec::new());
        for round in 1..=plan.rounds {
            let roster = roster(plan, round);
            if circle.bots != roster {
                circle = Circle::new(plan, round, roster);
            }
            let tables = circle.next_round();
            let games = round_games(plan, played, round, &circle.bots, tables);
            pairings.extend(games.into_iter().map(|game| vec![game]));
        }
        pairings
    }

    /// In how many rounds any two meet twice, on average.
    fn usual_rounds(&self, plan: &Plan) -> u32 {
        let opponents = plan.present().len().saturating_sub(1);
        (2 * opponents).div_ceil(plan.seats * (plan.seats - 1)).max(1) as u32
    }

    fn draws_up_rounds_in_turn(&self) -> bool {
        true
    }
}

/// The bots that a round was drawn up with: a bot that leaves is in the rounds that had begun by then.
fn roster(plan: &Plan, round: u32) -> Vec<usize> {
    let sits = |&bot: &usize| {
        let contender = &plan.bots[bot];
        contender.from_round <= round && contender.left_in_round.is_none_or(|left| round <= left)
    };
    plan.by_lot((0..plan.bots.len()).filter(sits).collect())
}

/// The games of a round: those of the tables that were drawn up, as far as they were played or all their bots are there,
/// and whatever else was played, since a game that was played counts even where the roster has changed since.
fn round_games(
    plan: &Plan,
    played: &[PlayedGame],
    round: u32,
    roster: &[usize],
    tables: Vec<Vec<usize>>,
) -> Vec<Fixture> {
    let mut legs: HashMap<Vec<usize>, u32> = HashMap::new();
    let fixture = |seats: Vec<usize>| {
        let mut group = seats.clone();
        group.sort_unstable();
        let leg = legs.entry(group).or_default();
        *leg += 1;
        plan.fixture(round, *leg, seats)
    };
    let mut games: Vec<Fixture> = tables.into_iter().map(fixture).collect();
    let mut played: Vec<&PlayedGame> = played.iter().filter(|game| game.round == round).collect();
    // The order in which games were finished must not matter.
    played.sort_by_key(|game| (game.leg, &game.seats));
    let mut others: Vec<Fixture> = played
        .iter()
        .filter(|game| !games.iter().any(|fixture| game.is(fixture)))
        .map(|game| plan.fixture(round, game.leg, game.seats.clone()))
        .collect();
    // So does one that is to be played again, unless its seats were taken since.
    let mut busy: HashSet<(usize, usize)> =
        played.iter().flat_map(|game| game.seats.iter().copied().enumerate()).collect();
    for game in plan.to_repeat(round) {
        let fixture = plan.fixture(round, game.leg, game.seats.clone());
        if !games.contains(&fixture) && !seats_of(&fixture).any(|seat| busy.contains(&seat)) {
            busy.extend(seats_of(&fixture));
            others.push(fixture);
        }
    }
    let mut taken: HashSet<(usize, usize)> = others.iter().flat_map(seats_of).collect();
    let present = |bot: &usize| !plan.bots[*bot].withdrawn();
    games.retain(|fixture| {
        let all_there = fixture.seats.iter().all(present);
        let seats_free = !seats_of(fixture).any(|seat| taken.contains(&seat));
        (all_there && seats_free) || played.iter().any(|game| game.is(fixture))
    });
    // A round that an older version drew up is filled with other tables: every bot has every seat once.
    if !others.is_empty() {
        games.extend(others);
        taken.extend(games.iter().flat_map(seats_of));
        let bots: Vec<usize> = roster.iter().copied().filter(present).collect();
        while let Some(seats) = free_table(&bots, plan.seats, &taken) {
            let fixture = plan.fixture(round, 1, seats);
            taken.extend(seats_of(&fixture));
            games.push(fixture);
        }
    }
    games
}

/// Who has which seat in a game, as (seat, bot).
fn seats_of(fixture: &Fixture) -> impl Iterator<Item = (usize, usize)> {
    fixture.seats.iter().copied().enumerate()
}

/// A table of bots none of which has had its seat yet, if there is one: a bipartite matching of seats and bots, found by
/// augmenting paths.
fn free_table(bots: &[usize], seats: usize, taken: &HashSet<(usize, usize)>) -> Option<Vec<usize>> {
    fn place(
        seat: usize,
        free: &dyn Fn(usize, usize) -> bool,
        at: &mut [Option<usize>],
        seen: &mut [bool],
    ) -> bool {
        for bot in 0..at.len() {
            if free(seat, bot) && !std::mem::replace(&mut seen[bot], true) {
                let can_move = at[bot].is_none_or(|other| place(other, free, at, seen));
                if can_move {
                    at[bot] = Some(seat);
                    return true;
                }
            }
        }
        false
    }
    let free = |seat: usize, bot: usize| !taken.contains(&(seat, bots[bot]));
    let mut at: Vec<Option<usize>> = vec![None; bots.len()];
    let complete = (0..seats).all(|seat| place(seat, &free, &mut at, &mut vec![false; bots.len()]));
    let bot_at = |seat: usize| at.iter().position(|&taken| taken == Some(seat)).map(|bot| bots[bot]);
    if complete { (0..seats).map(bot_at).collect() } else { None }
}

/// How many patterns are tried for the first round. Later ones matter less, and there may be many.
const MOST_TRIES: usize = 4000;
/// Fewer are tried where a try takes long: as many as take so many steps.
const MOST_STEPS: usize = 50_000_000;
/// But some are tried in any case.
const FEWEST_TRIES: usize = 100;

/// Bots around a circle. A round is one pattern of distances, turned by one place from game to game: so everybody plays as
/// many games as a table has seats, once in each. How often two meet depends on the distances of the patterns alone, and
/// these are chosen to make up for what the earlier rounds of the same circle have left uneven.
struct Circle {
    bots: Vec<usize>,
    seats: usize,
    meetings: Meetings,
    rounds: usize,
    rng: fastrand::Rng,
}

impl Circle {
    /// A circle of these bots, from this round on.
    fn new(plan: &Plan, round: u32, bots: Vec<usize>) -> Circle {
        let rng = fastrand::Rng::with_seed(stable_hash("tables", plan.seed, &[round], &[]));
        Circle { meetings: Meetings::new(bots.len()), bots, seats: plan.seats, rounds: 0, rng }
    }

    /// The tables of the next round, by seat. There are none where the bots do not fill one.
    fn next_round(&mut self) -> Vec<Vec<usize>> {
        let (bots, seats) = (self.bots.len(), self.seats);
        if bots < seats {
            return Vec::new();
        }
        self.rounds += 1;
        let steps_of_a_try = bots * seats * (seats * seats + bots);
        let tries = (MOST_STEPS / steps_of_a_try).clamp(FEWEST_TRIES, MOST_TRIES).div_ceil(self.rounds);
        let pattern = self.meetings.next_pattern(seats, tries, &mut self.rng);
        let table = |turn| pattern.iter().map(|&place| self.bots[(place + turn) % bots]).collect();
        (0..bots).map(table).collect()
    }
}

/// How often two have met at tables, by how far apart they are on the circle.
struct Meetings {
    bots: usize,
    counts: Vec<u32>,
}

impl Meetings {
    fn new(bots: usize) -> Meetings {
        Meetings { bots, counts: vec![0; bots / 2 + 1] }
    }

    /// Places on the circle that even out the meetings as well as any that were tried.
    fn next_pattern(&mut self, seats: usize, tries: usize, rng: &mut fastrand::Rng) -> Vec<usize> {
        let mut circle: Vec<usize> = (0..self.bots).collect();
        let mut best: Option<(u64, Vec<usize>)> = None;
        let ideal = self.least_unevenness(seats);
        for _ in 0..tries {
            rng.shuffle(&mut circle);
            self.improve(&mut circle, seats);
            let cost = self.unevenness(&circle[..seats]);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, circle[..seats].to_vec()));
            }
            if cost <= ideal {
                break;
            }
        }
        let (_, pattern) = best.expect("something was tried");
        self.counts = self.with(&pattern);
        pattern
    }

    /// Exchanges one place of the pattern, which is the beginning of the circle, for a better one as long as there is one.
    fn improve(&self, circle: &mut [usize], seats: usize) {
        let mut cost = self.unevenness(&circle[..seats]);
        for other in seats..circle.len() {
            for place in 0..seats {
                circle.swap(place, other);
                let changed = self.unevenness(&circle[..seats]);
                if changed < cost {
                    cost = changed;
                } else {
                    circle.swap(place, other);
                }
            }
        }
    }

    /// The counts with one more round of this pattern.
    fn with(&self, pattern: &[usize]) -> Vec<u32> {
        let mut counts = self.counts.clone();
        for (index, &one) in pattern.iter().enumerate() {
            for &other in &pattern[..index] {
                let far = one.abs_diff(other);
                let far = far.min(self.bots - far);
                // Two that sit opposite each other on the circle meet twice while it is turned once.
                counts[far] += if 2 * far == self.bots { 2 } else { 1 };
            }
        }
        counts
    }

    /// What [`Meetings::unevenness`] cannot fall below with one more round: the meetings of a bot spread over all others as
    /// evenly as whole numbers allow.
    fn least_unevenness(&self, seats: usize) -> u64 {
        let others = self.bots as u64 - 1;
        let before: u64 =
            (1..).zip(&self.counts[1..]).map(|(far, &count)| self.weight(far) * u64::from(count)).sum();
        let total = before + (seats * (seats - 1)) as u64;
        let (each, more) = (total / others, total % others);
        (others - more) * each.pow(2) + more * (each + 1).pow(2)
    }

    /// How many others there are at a distance: one on either side, but only one opposite.
    fn weight(&self, far: usize) -> u64 {
        if 2 * far == self.bots { 1 } else { 2 }
    }

    /// How uneven one more round of this pattern leaves the meetings of a bot: the sum of their squares.
    fn unevenness(&self, pattern: &[usize]) -> u64 {
        let counts = self.with(pattern).into_iter().enumerate().skip(1);
        counts.map(|(far, count)| self.weight(far) * u64::from(count).pow(2)).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::format::Format;
    use super::super::plan::Contender;
    use super::*;

    fn plan(bots: usize, seats: usize, rounds: u32, seed: u64) -> Plan {
        let bots = (0..bots).map(|bot| Contender::new(format!("bot{bot}"))).collect();
        Plan {
            format: Format::RoundRobin,
            bots,
            seats,
            rounds,
            games: None,
            seed,
            openings: 0,
            set_aside: Vec::new(),
        }
    }

    fn played(fixture: &Fixture) -> PlayedGame {
        PlayedGame {
            round: fixture.key.round,
            leg: fixture.key.leg,
            seats: fixture.seats.clone(),
            half_points: vec![0; fixture.seats.len()],
        }
    }

    fn of_round(plan: &Plan, played: &[PlayedGame], round: u32) -> Vec<Fixture> {
        plan.pairings(played).into_iter().flatten().filter(|game| game.key.round == round).collect()
    }

    /// Checks that everybody sits in each seat equally often, and says how often those meet who meet least and most.
    fn meetings(bots: usize, seats: usize, rounds: Option<u32>, seed: u64) -> (u32, u32) {
        let mut plan = plan(bots, seats, 1, seed);
        plan.rounds = rounds.unwrap_or(plan.usual_rounds());
        let games: Vec<Fixture> = plan.pairings(&[]).concat();
        assert_eq!(games.len(), bots * plan.rounds as usize);
        let keys: HashSet<_> = games.iter().map(|game| &game.key).collect();
        assert_eq!(keys.len(), games.len());
        let mut seated = vec![vec![0; seats]; bots];
        let mut met = vec![vec![0; bots]; bots];
        for game in &games {
            let sitting: HashSet<usize> = game.seats.iter().copied().collect();
            assert_eq!((game.seats.len(), sitting.len()), (seats, seats), "nobody sits twice");
            for (seat, &bot) in game.seats.iter().enumerate() {
                seated[bot][seat] += 1;
                game.seats.iter().filter(|&&other| other != bot).for_each(|&other| met[bot][other] += 1);
            }
        }
        assert!(seated.iter().flatten().all(|&times| times == plan.rounds), "{bots} at tables of {seats}");
        let pairs = (0..bots).flat_map(|one| (0..one).map(move |other| (one, other)));
        let times: Vec<u32> = pairs.map(|(one, other)| met[one][other]).collect();
        let (least, most) = (*times.iter().min().unwrap(), *times.iter().max().unwrap());
        println!("{bots} at tables of {seats}, {} rounds: any two meet {least} to {most} times", plan.rounds);
        (least, most)
    }

    #[test]
    fn tables_seat_everybody_equally_often_in_each_seat_and_with_each_other() {
        let seed = crate::test_seed::seed();
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut some = || {
            let bots = rng.usize(3..=24);
            (bots, rng.usize(3..=bots.min(10)))
        };
        let some: Vec<(usize, usize)> = (0..40).map(|_| some()).collect();
        let known = vec![(3, 3), (4, 3), (5, 4), (10, 10), (12, 5), (20, 6), (30, 4), (31, 10)];
        for (bots, seats) in [known, some].concat() {
            let (least, most) = meetings(bots, seats, None, seed);
            assert!(least >= 1 && most - least <= 2, "{bots} at tables of {seats}: {least} to {most}");
            let (least, most) = meetings(bots, seats, Some(1), seed);
            assert!(most - least <= 3, "{bots} at tables of {seats}, one round: {least} to {most}");
        }
        // Among very many it is one more for some.
        let (least, most) = meetings(200, 10, None, seed);
        assert!(least >= 1 && most - least <= 3, "200 at tables of 10: {least} to {most}");
        // Where everybody sits at every table, everybody meets everybody.
        assert_eq!(meetings(6, 6, Some(2), seed), (12, 12));
        // These can be perfect.
        for (bots, seats) in [(7, 3), (13, 4)] {
            let mut meetings = Meetings::new(bots);
            meetings.next_pattern(seats, 1000, &mut fastrand::Rng::with_seed(1));
            assert_eq!(meetings.counts[1..], vec![1; bots / 2]);
        }
    }

    #[test]
    fn a_bot_that_leaves_takes_only_its_own_tables_along() {
        let mut plan = plan(8, 3, 3, 5);
        let before = of_round(&plan, &[], 1);
        let with_it = before.iter().find(|game| game.seats.contains(&3)).unwrap();
        let results = [played(with_it)];
        plan.bots[3].left_in_round = Some(plan.leaves_in_round(&results));
        assert_eq!(plan.bots[3].left_in_round, Some(1));
        let expected: Vec<Fixture> =
            before.iter().filter(|game| *game == with_it || !game.seats.contains(&3)).cloned().collect();
        assert_eq!(of_round(&plan, &results, 1), expected);
        // The next rounds are drawn up without it, and seven bots fill seven tables.
        let next = of_round(&plan, &results, 2);
        assert_eq!(next.len(), 7);
        assert!(next.iter().all(|game| !game.seats.contains(&3)));
        assert!(plan.keeps_games_of_the_withdrawn());
    }

    #[test]
    fn a_latecomer_sits_from_the_next_round_on() {
        let mut plan = plan(5, 3, 3, 5);
        let before = of_round(&plan, &[], 1);
        let results = [played(&before[0])];
        assert_eq!(plan.joins_in_round(&results), 2);
        plan.bots.push(Contender { from_round: 2, ..Contender::new("late") });
        assert_eq!(of_round(&plan, &results, 1), before);
        assert_eq!(of_round(&plan, &results, 2).iter().filter(|game| game.seats.contains(&5)).count(), 3);
    }

    #[test]
    fn a_played_game_stays_even_if_no_table_of_the_round_is_like_it() {
        let plan = plan(5, 3, 1, 5);
        let drawn = of_round(&plan, &[], 1);
        let other = PlayedGame { round: 1, leg: 4, seats: vec![0, 1, 2], half_points: vec![4, 2, 0] };
        let games = of_round(&plan, std::slice::from_ref(&other), 1);
        assert!(games.iter().any(|game| other.is(game)));
        // No bot has a seat twice in a round, and most have every seat.
        let taken: Vec<(usize, usize)> = games.iter().flat_map(seats_of).collect();
        assert_eq!(taken.iter().collect::<HashSet<_>>().len(), taken.len());
        assert!(games.len() >= 4, "{games:?}");
        let played: Vec<PlayedGame> = drawn.iter().map(played).collect();
        assert_eq!(of_round(&plan, &played, 1), drawn);
    }

    #[test]
    fn too_few_bots_for_a_table_play_no_more() {
        let mut plan = plan(3, 3, 2, 5);
        plan.bots[0].left_in_round = Some(0);
        assert_eq!(plan.games(&[]), 0);
    }
}

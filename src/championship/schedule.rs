//! Who meets whom: a pure function of the programs, the settings, the seed and, for the Swiss system, the results so far.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How opponents are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets everybody else.
    Gauntlet,
    /// In each round everybody meets somebody of a similar score, and nobody twice.
    Swiss,
    /// The first two meet.
    Duel,
}

impl Format {
    const NAMES: [(Format, &str); 4] = [
        (Format::RoundRobin, "round-robin"),
        (Format::Gauntlet, "gauntlet"),
        (Format::Swiss, "swiss"),
        (Format::Duel, "duel"),
    ];
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) =
            Format::NAMES.iter().find(|(format, _)| format == self).expect("every format has a name");
        f.pad(name)
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(word: &str) -> Result<Format, String> {
        let found = Format::NAMES.iter().find(|(format, name)| *name == word && *format != Format::Duel);
        found
            .map(|&(format, _)| format)
            .ok_or_else(|| "the formats are: round-robin, gauntlet, swiss".to_owned())
    }
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 1.
    pub id: u32,
    /// Its round, from 1.
    pub round: u32,
    /// The entrants by seat, as indices into the roster.
    pub seats: Vec<usize>,
    /// The seed for the programs' dice.
    pub seed: u64,
    /// Which opening the programs are asked to play, counted from 0, if there are openings.
    pub opening: usize,
}

/// Games that belong together and are played by the same worker, one after the other: where two play, a pair with sides
/// exchanged.
pub type Pairing = Vec<Fixture>;

/// A game of two that was played, as the Swiss system sees it.
#[derive(Clone, Debug)]
pub struct Score {
    /// Its round.
    pub round: u32,
    /// The entrants by seat.
    pub seats: [usize; 2],
    /// Half points by seat.
    pub half_points: [u32; 2],
}

/// What a schedule depends on.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How opponents are found.
    pub format: Format,
    /// How many take part.
    pub bots: usize,
    /// How many play in a game.
    pub seats: usize,
    /// How many rounds there are.
    pub rounds: u32,
    /// In a duel: how many games there are.
    pub games: u32,
    /// Decides what is drawn by lot.
    pub seed: u64,
}

impl Plan {
    /// Every pairing that is known by now. In the Swiss system these are the rounds up to the first that is not complete.
    pub fn pairings(&self, scores: &[Score]) -> Vec<Pairing> {
        let mut pairings = Numbering { plan: self, pairings: Vec::new(), next_id: 1, first_of_round: (0, 0) };
        match self.format {
            Format::RoundRobin if self.seats > 2 => self.tables(&mut pairings),
            Format::RoundRobin => self.round_robin(&mut pairings),
            Format::Gauntlet => self.gauntlet(&mut pairings),
            Format::Swiss => self.swiss(&mut pairings, scores),
            Format::Duel => (1..=self.rounds).for_each(|round| pairings.push_turns(round, self.seats)),
        }
        let mut left = if self.format == Format::Duel { self.games as usize } else { usize::MAX };
        for pairing in &mut pairings.pairings {
            pairing.truncate(left);
            left -= pairing.len();
        }
        pairings.pairings
    }

    /// How many games there are in all.
    pub fn games(&self) -> usize {
        let bots = self.bots;
        let pairings = match self.format {
            Format::RoundRobin if self.seats > 2 => return bots * self.rounds as usize,
            Format::RoundRobin => bots * bots.saturating_sub(1) / 2,
            Format::Gauntlet => bots.saturating_sub(1),
            Format::Swiss => bots / 2,
            Format::Duel => return self.games as usize,
        };
        2 * pairings * self.rounds as usize
    }

    /// The entrants in an order drawn by lot.
    fn lots(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.bots).collect();
        fastrand::Rng::with_seed(self.seed).shuffle(&mut order);
        order
    }

    /// The circle method: in each of its turns everybody plays once, so that early standings mean something.
    fn round_robin(&self, pairings: &mut Numbering) {
        let mut circle: Vec<Option<usize>> = self.lots().into_iter().map(Some).collect();
        if circle.len() % 2 == 1 {
            circle.push(None);
        }
        let count = circle.len();
        for round in 1..=self.rounds {
            for turn in 0..count.saturating_sub(1) {
                for place in 0..count / 2 {
                    if let (Some(one), Some(other)) = (circle[place], circle[count - 1 - place]) {
                        let turned = (turn + place + round as usize).is_multiple_of(2);
                        let (first, second) = if turned { (other, one) } else { (one, other) };
                        pairings.push(round, first, second);
                    }
                }
                circle[1..].rotate_right(1);
            }
        }
    }

    /// Tables of more than two. A round is one pattern of distances around a circle, turned by one place from game to
    /// game: so everybody plays as many games as a table has seats, once in each. Which two meet how often depends on the
    /// distances of the patterns alone, and these are chosen to make up for what the earlier rounds have left uneven.
    fn tables(&self, pairings: &mut Numbering) {
        let (bots, lots) = (self.bots, self.lots());
        let mut rng = fastrand::Rng::with_seed(self.seed);
        let mut meetings = Meetings { bots, counts: vec![0; bots / 2 + 1] };
        let steps_of_a_try = bots * self.seats * (self.seats * self.seats + bots);
        let tries = (MOST_STEPS / steps_of_a_try).clamp(FEWEST_TRIES, MOST_TRIES);
        for round in 1..=self.rounds {
            let pattern = meetings.next_pattern(self.seats, tries.div_ceil(round as usize), &mut rng);
            for turn in 0..bots {
                let seats = pattern.iter().map(|&place| lots[(place + turn) % bots]).collect();
                pairings.push_games(round, vec![seats]);
            }
        }
    }

    fn gauntlet(&self, pairings: &mut Numbering) {
        for round in 1..=self.rounds {
            for opponent in 1..self.bots {
                pairings.push(round, 0, opponent);
            }
        }
    }

    fn swiss(&self, pairings: &mut Numbering, scores: &[Score]) {
        let mut history = History { met: vec![vec![false; self.bots]; self.bots], byes: vec![0; self.bots] };
        let mut half_points = vec![0; self.bots];
        let lots = self.lots();
        for round in 1..=self.rounds {
            let mut order = lots.clone();
            order.sort_by_key(|&bot| Reverse(half_points[bot]));
            let (pairs, bye) = history.pair(order);
            for &(first, second) in &pairs {
                pairings.push(round, first, second);
            }
            // Games of pairs that do not meet in this round come from other settings, and do not count.
            let meets =
                |[one, other]: [usize; 2]| pairs.contains(&(one, other)) || pairs.contains(&(other, one));
            let mut games = 0;
            for score in scores.iter().filter(|score| score.round == round && meets(score.seats)) {
                games += 1;
                for (&bot, half) in score.seats.iter().zip(score.half_points) {
                    half_points[bot] += half;
                }
            }
            if games < 2 * pairs.len() {
                return;
            }
            half_points[bye.unwrap_or_default()] += if bye.is_some() { BYE_HALF_POINTS } else { 0 };
        }
    }

    /// Entrants without an opponent, for each of the Swiss rounds that are known, with the round.
    pub fn byes(&self, scores: &[Score]) -> Vec<(u32, usize)> {
        if self.format != Format::Swiss {
            return Vec::new();
        }
        let pairings = self.pairings(scores);
        let mut byes = Vec::new();
        for round in 1..=self.rounds {
            let seated: Vec<usize> = pairings
                .iter()
                .flatten()
                .filter(|game| game.round == round)
                .flat_map(|game| game.seats.clone())
                .collect();
            let games = scores.iter().filter(|score| score.round == round).count();
            if games == seated.len() / 2 && games > 0 {
                byes.extend((0..self.bots).filter(|bot| !seated.contains(bot)).map(|bot| (round, bot)));
            }
        }
        byes
    }
}

/// In how many Swiss rounds nobody has to meet anybody twice, whatever the results: as long as everybody has met fewer than
/// half of the others, the rest can always be paired (a theorem of Dirac).
pub fn most_swiss_rounds(bots: usize) -> u32 {
    (bots as u32 / 2).max(1)
}

/// A Swiss round without an opponent counts as won: both games of it.
pub const BYE_HALF_POINTS: u32 = 4;

/// Numbers games in the order in which they are pushed.
struct Numbering<'a> {
    plan: &'a Plan,
    pairings: Vec<Pairing>,
    next_id: u32,
    /// The round that is being numbered, and its first pairing.
    first_of_round: (u32, usize),
}

impl Numbering<'_> {
    /// Two who meet, once with each side.
    fn push(&mut self, round: u32, first: usize, second: usize) {
        self.push_games(round, vec![vec![first, second], vec![second, first]]);
    }

    /// The first so many at one table, each in each seat once.
    fn push_turns(&mut self, round: u32, seats: usize) {
        let turn = |turn: usize| (0..seats).map(|seat| (seat + turn) % seats).collect();
        self.push_games(round, (0..seats).map(turn).collect());
    }

    /// Games that belong together, by the entrants in their seats.
    fn push_games(&mut self, round: u32, games: Vec<Vec<usize>>) {
        if self.first_of_round.0 != round {
            self.first_of_round = (round, self.pairings.len());
        }
        // Pairings of a round begin differently, and so do those who meet again, at the same place in another round.
        let opening = self.pairings.len() - self.first_of_round.1 + round as usize - 1;
        let mut pairing = Vec::with_capacity(games.len());
        for seats in games {
            let id = self.next_id;
            let seed = game_seed(self.plan.seed, id);
            pairing.push(Fixture { id, round, seats, seed, opening });
            self.next_id += 1;
        }
        self.pairings.push(pairing);
    }
}

/// In how many rounds of tables any two meet twice, on average.
pub fn usual_table_rounds(bots: usize, seats: usize) -> u32 {
    (2 * bots.saturating_sub(1)).div_ceil(seats * (seats - 1)).max(1) as u32
}

/// How many patterns are tried for the first round of tables. Later ones matter less, and there may be many.
const MOST_TRIES: usize = 4000;
/// Fewer are tried where a try takes long: as many as these steps are enough for.
const MOST_STEPS: usize = 50_000_000;
/// But some are tried in any case.
const FEWEST_TRIES: usize = 100;

/// How often two have met at tables, by how far apart they are on the circle.
struct Meetings {
    bots: usize,
    counts: Vec<u32>,
}

impl Meetings {
    /// Places on the circle that even out the meetings as well as any that were tried.
    fn next_pattern(&mut self, seats: usize, tries: usize, rng: &mut fastrand::Rng) -> Vec<usize> {
        let mut circle: Vec<usize> = (0..self.bots).collect();
        let mut best: Option<(u64, Vec<usize>)> = None;
        for _ in 0..tries {
            rng.shuffle(&mut circle);
            self.improve(&mut circle, seats);
            let cost = self.unevenness(&circle[..seats]);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, circle[..seats].to_vec()));
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
                // Those opposite each other on the circle meet twice while it is turned once.
                counts[far] += if 2 * far == self.bots { 2 } else { 1 };
            }
        }
        counts
    }

    fn unevenness(&self, pattern: &[usize]) -> u64 {
        // Each distance but half the circle is that of two neighbours, on either side.
        let weight = |far: usize| if 2 * far == self.bots { 1 } else { 2 };
        let counts = self.with(pattern).into_iter().enumerate().skip(1);
        counts.map(|(far, count)| weight(far) * u64::from(count).pow(2)).sum()
    }
}

/// Who has met whom in the Swiss rounds so far.
struct History {
    met: Vec<Vec<bool>>,
    byes: Vec<u32>,
}

impl History {
    /// Pairs neighbours in the order as far as nobody meets anybody again. With an odd number, the last who has had fewest
    /// rounds off has one.
    fn pair(&mut self, mut order: Vec<usize>) -> (Vec<(usize, usize)>, Option<usize>) {
        let mut bye = None;
        if order.len() % 2 == 1 {
            let fewest = order.iter().map(|&bot| self.byes[bot]).min().unwrap_or_default();
            let place = order.iter().rposition(|&bot| self.byes[bot] == fewest).unwrap_or_default();
            let bot = order.remove(place);
            self.byes[bot] += 1;
            bye = Some(bot);
        }
        let pairs = self.match_up(order);
        for &(one, other) in &pairs {
            self.met[one][other] = true;
            self.met[other][one] = true;
        }
        (pairs, bye)
    }

    /// From the top down, everybody meets the nearest whom it has not met. Those for whom nobody is left break up the last
    /// pair that lets them in; as long as everybody has met fewer than half of the others, there is one.
    fn match_up(&self, mut order: Vec<usize>) -> Vec<(usize, usize)> {
        let fresh = |one: usize, other: usize| !self.met[one][other];
        let (mut pairs, mut left) = (Vec::new(), Vec::new());
        while !order.is_empty() {
            let first = order.remove(0);
            match order.iter().position(|&second| fresh(first, second)) {
                Some(place) => pairs.push((first, order.remove(place))),
                None => left.push(first),
            }
        }
        for two in left.chunks_exact(2) {
            let (one, other) = (two[0], two[1]);
            let rescue = pairs.iter_mut().rev().find_map(|pair| {
                let (first, second) = *pair;
                if fresh(first, one) && fresh(second, other) {
                    Some((pair, (first, one), (second, other)))
                } else if fresh(first, other) && fresh(second, one) {
                    Some((pair, (first, other), (second, one)))
                } else {
                    None
                }
            });
            let new = match rescue {
                Some((pair, with_first, with_second)) => {
                    *pair = with_first;
                    with_second
                }
                None => (one, other),
            };
            pairs.push(new);
        }
        pairs
    }
}

/// A seed for each game, spread by the finaliser of SplitMix64 so that neighbours share nothing.
fn game_seed(seed: u64, id: u32) -> u64 {
    let mut mixed = seed.wrapping_add(u64::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    fn plan(format: Format, bots: usize, rounds: u32) -> Plan {
        Plan { format, bots, seats: 2, rounds, games: 2 * rounds, seed: 7 }
    }

    /// Checks that everybody sits in each seat equally often, and says how often those meet who meet least and most.
    fn meetings(bots: usize, seats: usize, rounds: u32, seed: u64) -> (u32, u32) {
        let plan = Plan { format: Format::RoundRobin, bots, seats, rounds, games: 0, seed };
        let games: Vec<Fixture> = plan.pairings(&[]).concat();
        assert_eq!(games.len(), plan.games());
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
        assert!(seated.iter().flatten().all(|&times| times == rounds), "{bots} at tables of {seats}");
        let pairs = (0..bots).flat_map(|one| (0..one).map(move |other| (one, other)));
        let times: Vec<u32> = pairs.map(|(one, other)| met[one][other]).collect();
        let (least, most) = (*times.iter().min().unwrap(), *times.iter().max().unwrap());
        println!("{bots} at tables of {seats}, {rounds} rounds: any two meet {least} to {most} times");
        (least, most)
    }

    #[test]
    fn tables_seat_everybody_equally_often_in_each_seat_and_with_each_other() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut some = || {
            let bots = rng.usize(3..=24);
            (bots, rng.usize(3..=bots.min(10)))
        };
        let some: Vec<(usize, usize)> = (0..40).map(|_| some()).collect();
        let known = vec![(3, 3), (4, 3), (5, 4), (10, 10), (12, 5), (20, 6), (30, 4), (31, 10)];
        for (bots, seats) in [known, some].concat() {
            let (least, most) = meetings(bots, seats, usual_table_rounds(bots, seats), seed);
            assert!(least >= 1 && most - least <= 2, "{bots} at tables of {seats}: {least} to {most}");
            let (least, most) = meetings(bots, seats, 1, seed);
            assert!(most - least <= 3, "{bots} at tables of {seats}, one round: {least} to {most}");
        }
        // Among very many it is one more for some.
        let (least, most) = meetings(200, 10, usual_table_rounds(200, 10), seed);
        assert!(least >= 1 && most - least <= 3, "200 at tables of 10: {least} to {most}");
        // Where everybody sits at every table, everybody meets everybody.
        assert_eq!(meetings(6, 6, 2, seed), (12, 12));
        // These can be perfect.
        for (bots, seats) in [(7, 3), (13, 4)] {
            let mut meetings = Meetings { bots, counts: vec![0; bots / 2 + 1] };
            meetings.next_pattern(seats, 1000, &mut fastrand::Rng::with_seed(1));
            assert_eq!(meetings.counts[1..], vec![1; bots / 2]);
        }
    }

    #[test]
    fn a_duel_of_three_gives_each_of_them_each_seat() {
        let plan = Plan { format: Format::Duel, bots: 3, seats: 3, rounds: 2, games: 5, seed: 1 };
        let seats: Vec<Vec<usize>> = plan.pairings(&[]).concat().into_iter().map(|game| game.seats).collect();
        assert_eq!(seats, [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2], [1, 2, 0]]);
    }

    #[test]
    fn a_duel_alternates_who_starts_and_is_the_same_every_time() {
        let duel = Plan { games: 5, ..plan(Format::Duel, 2, 3) };
        let pairings = duel.pairings(&[]);
        let seats: Vec<Vec<usize>> = pairings.iter().flatten().map(|fixture| fixture.seats.clone()).collect();
        assert_eq!(seats, [[0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]);
        assert_eq!(pairings.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
        assert_eq!(pairings, duel.pairings(&[]));
        assert_ne!(pairings, Plan { seed: 8, ..duel }.pairings(&[]));
    }

    #[test]
    fn in_a_round_robin_every_pair_meets_twice_a_round_with_sides_exchanged() {
        for bots in 2..=13 {
            let plan = plan(Format::RoundRobin, bots, 2);
            let pairings = plan.pairings(&[]);
            let mut met: HashMap<(usize, usize, u32), u32> = HashMap::new();
            for (index, fixture) in pairings.iter().flatten().enumerate() {
                assert_eq!(fixture.id as usize, index + 1);
                *met.entry((fixture.seats[0], fixture.seats[1], fixture.round)).or_default() += 1;
            }
            assert_eq!(met.len(), 2 * bots * (bots - 1));
            assert!(met.values().all(|&count| count == 1));
            assert_eq!(plan.games(), met.len());
            // Interleaved: in the first turn of the circle everybody who can plays once.
            let first: Vec<usize> =
                pairings[..bots / 2].iter().flat_map(|pairing| pairing[0].seats.clone()).collect();
            let mut distinct = first.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), first.len());
        }
    }

    #[test]
    fn a_gauntlet_is_the_first_against_everybody() {
        let pairings = plan(Format::Gauntlet, 4, 2).pairings(&[]);
        assert_eq!(pairings.len(), 6);
        assert!(pairings.iter().flatten().all(|fixture| fixture.seats.contains(&0)));
    }

    /// Plays a Swiss tournament in which each game goes to the stronger side with its expected score.
    fn swiss(bots: usize, rounds: u32, seed: u64) -> (Vec<Pairing>, Vec<Score>, Plan) {
        let plan = Plan { seed, ..plan(Format::Swiss, bots, rounds) };
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut scores: Vec<Score> = Vec::new();
        loop {
            let pairings = plan.pairings(&scores);
            let known = scores.len();
            for fixture in pairings.iter().flatten().skip(known) {
                let [white, black] = [fixture.seats[0], fixture.seats[1]];
                // A step is worth 40 Elo; bot 0 is the strongest, by 200 more.
                let elo = |bot: usize| if bot == 0 { 200.0 } else { -40.0 * bot as f64 };
                let chance = super::super::rating::expected_score(elo(white) - elo(black));
                let white_points = 2 * u32::from(rng.f64() < chance);
                scores.push(Score {
                    round: fixture.round,
                    seats: [white, black],
                    half_points: [white_points, 2 - white_points],
                });
            }
            if scores.len() == known {
                return (pairings, scores, plan);
            }
        }
    }

    #[test]
    fn a_swiss_tournament_of_64_has_no_pair_twice_and_equal_sides() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut top_four = 0;
        for seed in (0..20).map(|i| seed.wrapping_add(i)) {
            let (pairings, scores, plan) = swiss(64, 6, seed);
            assert_eq!(scores.len(), plan.games());
            let mut met = HashSet::new();
            let mut balance = [0i32; 64];
            for pairing in &pairings {
                let mut pair = pairing[0].seats.clone();
                pair.sort();
                assert!(met.insert(pair.clone()), "{pair:?} meet twice");
                for fixture in pairing {
                    balance[fixture.seats[0]] += 1;
                    balance[fixture.seats[1]] -= 1;
                }
            }
            assert!(balance.iter().all(|difference| difference.abs() <= 1));
            let mut points = [0u32; 64];
            for score in &scores {
                score.seats.iter().zip(score.half_points).for_each(|(&bot, half)| points[bot] += half);
            }
            let better = points.iter().filter(|&&other| other > points[0]).count();
            top_four += u32::from(better < 4);
        }
        println!("the strongest was among the first four in {top_four} of 20");
        assert!(top_four >= 16, "only in {top_four} of 20");
    }

    #[test]
    fn a_swiss_tournament_goes_as_far_as_it_can() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        for bots in (2..=20).chain([33, 64]) {
            let rounds = most_swiss_rounds(bots);
            let (pairings, scores, plan) = swiss(bots, rounds, seed);
            assert_eq!(scores.len(), plan.games(), "{bots} bots, {rounds} rounds");
            let mut met = HashSet::new();
            for pairing in &pairings {
                let mut pair = pairing[0].seats.clone();
                pair.sort();
                assert!(met.insert(pair), "{bots} bots, {rounds} rounds");
            }
            let byes = plan.byes(&scores);
            assert_eq!(byes.len(), if bots % 2 == 1 { rounds as usize } else { 0 });
            let mut off: Vec<usize> = byes.iter().map(|&(_, bot)| bot).collect();
            off.sort();
            off.dedup();
            assert_eq!(off.len(), byes.len(), "nobody has two rounds off");
        }
    }
}

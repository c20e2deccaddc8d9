//! Swiss system: in each round bots meet opponents with similar scores, once with each side, and nobody meets twice.
//! Neighbours in the standings are paired, which is known as the Monrad system.
//!
//! A pair with a game that was played in a round stays a pair of that round, whoever joins or leaves, and even if its games are to
//! be played again. Only the rest of the round is paired anew.

use std::collections::HashMap;

use super::plan::{Fixture, Pairing, Plan, PlayedGame};
use super::rules::{self, Impossible, Rules};
use super::swiss_draw::{Pair, Tally, sorted};

/// A round without an opponent counts as won: both games of it.
pub const BYE_HALF_POINTS: u32 = 4;

/// The rules of the Swiss system.
pub(super) struct Swiss;

impl Rules for Swiss {
    fn pairings(&self, plan: &Plan, played: &[PlayedGame]) -> Vec<Pairing> {
        rounds(plan, played).into_iter().flat_map(|round| round.pairings).collect()
    }

    fn games(&self, plan: &Plan, played: &[PlayedGame]) -> usize {
        let known = |round: &Round| round.pairings.iter().map(Vec::len).sum::<usize>();
        rounds(plan, played).iter().map(|round| known(round) + 2 * round.undrawn_pairs).sum()
    }

    /// One more than it takes to tell the best from all others if the stronger always won.
    fn usual_rounds(&self, plan: &Plan) -> u32 {
        let bots = plan.present().len();
        most_rounds(bots).min(bots.next_power_of_two().ilog2() + 1)
    }

    fn check(&self, plan: &Plan) -> Result<(), Impossible> {
        rules::pairs_only(plan)?;
        let (bots, rounds) = (plan.present().len(), plan.rounds);
        match most_rounds(bots) {
            most if rounds > most => Err(Impossible::TooManyRounds { bots, most, rounds }),
            _ => Ok(()),
        }
    }

    fn byes(&self, plan: &Plan, played: &[PlayedGame]) -> Vec<(u32, usize)> {
        rounds(plan, played).iter().filter_map(|round| Some((round.number, round.bye?))).collect()
    }

    fn draws_up_rounds_in_turn(&self) -> bool {
        true
    }
}

/// In how many rounds nobody has to meet anybody twice. With an odd number, everybody then has one round off.
fn most_rounds(bots: usize) -> u32 {
    bots.next_multiple_of(2).saturating_sub(1).max(1) as u32
}

/// A round, as far as it is known.
struct Round {
    number: u32,
    pairings: Vec<Pairing>,
    /// How many pairs are still to be drawn up, where an earlier round has to be complete first.
    undrawn_pairs: usize,
    /// The bot without an opponent, if the round is complete.
    bye: Option<usize>,
}

/// All rounds. They are drawn up one after the other, up to the first that is not complete; of those after it, only pairs
/// that have begun to play are known. There are such pairs when games of an earlier round are to be played again.
fn rounds(plan: &Plan, played: &[PlayedGame]) -> Vec<Round> {
    let mut state = State::new(plan, played);
    let mut all_complete = true;
    (1..=plan.rounds)
        .map(|number| {
            let rest = state.rest(number);
            if !all_complete {
                let pairings =
                    state.begun(number).into_iter().map(|pair| state.pairing(number, pair)).collect();
                return Round { number, pairings, undrawn_pairs: rest.len() / 2, bye: None };
            }
            let draw = state.tally.draw(number, state.begun(number), rest);
            let pairings: Vec<Pairing> = draw.pairs.iter().map(|&pair| state.pairing(number, pair)).collect();
            all_complete = pairings.iter().flatten().all(|fixture| state.result(fixture).is_some());
            let bye = draw.bye.filter(|_| all_complete);
            if all_complete {
                state.count(&pairings, bye);
            }
            Round { number, pairings, undrawn_pairs: 0, bye }
        })
        .collect()
}

/// What was played, and what it means for the next round.
struct State<'a> {
    plan: &'a Plan,
    tally: Tally<'a>,
    /// What was played, by round, leg and seats.
    results: HashMap<(u32, u32, &'a [usize]), &'a PlayedGame>,
    /// The pairs of each round that have begun to play.
    begun: HashMap<u32, Vec<Pair>>,
}

impl<'a> State<'a> {
    fn new(plan: &'a Plan, played: &'a [PlayedGame]) -> State<'a> {
        let mut state =
            State { plan, tally: Tally::new(plan), results: HashMap::new(), begun: HashMap::new() };
        for game in played {
            state.results.entry((game.round, game.leg, &game.seats)).or_insert(game);
        }
        // The order in which games were finished must not matter.
        let pair = |game: &PlayedGame| match game.seats[..] {
            [one, other] => Some((game.round, sorted((one, other)))),
            _ => None,
        };
        let mut games: Vec<(u32, Pair)> = played.iter().filter_map(pair).collect();
        games.sort_unstable();
        games.dedup();
        for (round, pair) in games {
            // A game that no schedule of this championship has does not count.
            let fixtures = plan.pair(round, pair.0, pair.1);
            if fixtures.iter().any(|fixture| state.result(fixture).is_some()) {
                state.begin(round, pair);
            }
        }
        for round in 1..=plan.rounds {
            for game in plan.to_repeat(round) {
                let pair = sorted((game.seats[0], game.seats[1]));
                if plan.pair(round, pair.0, pair.1).iter().any(|fixture| fixture.place() == game.place()) {
                    state.begin(round, pair);
                }
            }
        }
        state
    }

    /// Takes down that two are a pair of a round, unless one of them has another opponent in it.
    fn begin(&mut self, round: u32, pair: Pair) {
        let pairs = self.begun.entry(round).or_default();
        let is_busy = |bot: usize| pairs.iter().any(|&(one, other)| bot == one || bot == other);
        if !is_busy(pair.0) && !is_busy(pair.1) {
            pairs.push(pair);
            *self.tally.met.entry(pair).or_default() += 1;
        }
    }

    fn result(&self, fixture: &Fixture) -> Option<&'a PlayedGame> {
        self.results.get(&(fixture.key.round, fixture.key.leg, fixture.seats.as_slice())).copied()
    }

    fn begun(&self, round: u32) -> Vec<Pair> {
        self.begun.get(&round).cloned().unwrap_or_default()
    }

    /// The games of a pair. If one of the two has left, there are no others than those that were played.
    fn pairing(&self, round: u32, (one, other): Pair) -> Pairing {
        let mut pairing = self.plan.pair(round, one, other);
        if [one, other].iter().any(|&bot| self.plan.bots[bot].withdrawn()) {
            pairing.retain(|fixture| self.result(fixture).is_some());
        }
        pairing
    }

    /// The bots of a round that have not begun to play it.
    fn rest(&self, round: u32) -> Vec<usize> {
        let begun = self.begun(round);
        let busy = |bot: usize| begun.iter().any(|&(one, other)| bot == one || bot == other);
        let mut rest = self.plan.present();
        rest.retain(|&bot| self.plan.bots[bot].from_round <= round && !busy(bot));
        rest
    }

    /// Adds what a complete round is worth.
    fn count(&mut self, pairings: &[Pairing], bye: Option<usize>) {
        let games: Vec<&PlayedGame> =
            pairings.iter().flatten().filter_map(|fixture| self.result(fixture)).collect();
        for game in games {
            for (&bot, half) in game.seats.iter().zip(&game.half_points) {
                self.tally.half_points[bot] += half;
            }
        }
        if let Some(bot) = bye {
            self.tally.byes[bot] += 1;
            self.tally.half_points[bot] += BYE_HALF_POINTS;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::format::Format;
    use super::super::plan::Contender;
    use super::*;
    use crate::test_seed::seed;

    fn plan(bots: usize, rounds: u32, seed: u64) -> Plan {
        let bots = (0..bots).map(|bot| Contender::new(format!("bot{bot}"))).collect();
        Plan {
            format: Format::Swiss,
            bots,
            seats: 2,
            rounds,
            games: None,
            seed,
            openings: 0,
            set_aside: Vec::new(),
        }
    }

    /// Plays one game, which goes to each side with its expected score. A step is worth 40 Elo; bot 0 is the strongest, by
    /// 200 more.
    fn play(fixture: &Fixture, rng: &mut fastrand::Rng) -> PlayedGame {
        let elo = |bot: usize| if bot == 0 { 200.0 } else { -40.0 * bot as f64 };
        let difference: f64 = elo(fixture.seats[0]) - elo(fixture.seats[1]);
        let first = 2 * u32::from(rng.f64() < 1.0 / (1.0 + 10f64.powf(-difference / 400.0)));
        PlayedGame {
            round: fixture.key.round,
            leg: fixture.key.leg,
            seats: fixture.seats.clone(),
            half_points: vec![first, 2 - first],
        }
    }

    /// Plays what is known until nothing is left.
    fn play_on(plan: &Plan, played: &mut Vec<PlayedGame>, rng: &mut fastrand::Rng) {
        loop {
            let mut open: Vec<Fixture> = plan.pairings(played).into_iter().flatten().collect();
            open.retain(|fixture| !played.iter().any(|game| game.is(fixture)));
            if open.is_empty() {
                return;
            }
            played.extend(open.iter().map(|fixture| play(fixture, rng)));
        }
    }

    fn tournament(bots: usize, rounds: u32, seed: u64) -> (Plan, Vec<PlayedGame>) {
        let plan = plan(bots, rounds, seed);
        let mut played = Vec::new();
        play_on(&plan, &mut played, &mut fastrand::Rng::with_seed(seed));
        (plan, played)
    }

    fn assert_nobody_meets_twice(pairings: &[Pairing]) {
        let mut met = HashSet::new();
        for pairing in pairings {
            let pair = sorted((pairing[0].seats[0], pairing[0].seats[1]));
            assert!(met.insert(pair), "{pair:?} meet twice");
        }
    }

    #[test]
    fn a_tournament_of_64_has_no_pair_twice_and_equal_sides() {
        let seed = seed();
        let mut top_four = 0;
        for seed in (0..20).map(|i| seed.wrapping_add(i)) {
            let (plan, played) = tournament(64, 6, seed);
            let pairings = plan.pairings(&played);
            assert_eq!((played.len(), plan.games(&played), plan.games(&[])), (384, 384, 384));
            assert_nobody_meets_twice(&pairings);
            let mut balance = [0i32; 64];
            let mut points = [0u32; 64];
            for game in &played {
                balance[game.seats[0]] += 1;
                balance[game.seats[1]] -= 1;
                game.seats.iter().zip(&game.half_points).for_each(|(&bot, half)| points[bot] += half);
            }
            assert!(balance.iter().all(|&difference| difference == 0));
            let better = points.iter().filter(|&&other| other > points[0]).count();
            top_four += u32::from(better < 4);
        }
        println!("the strongest was among the first four in {top_four} of 20");
        assert!(top_four >= 16, "only in {top_four} of 20");
    }

    #[test]
    fn every_number_of_rounds_that_is_possible_can_be_played() {
        let seed = seed();
        for bots in 2..=16 {
            for rounds in 1..=most_rounds(bots) {
                let (plan, played) = tournament(bots, rounds, seed);
                assert_eq!(plan.check(), Ok(()));
                assert_eq!(played.len(), bots / 2 * 2 * rounds as usize, "{bots} bots, {rounds} rounds");
                assert_eq!(plan.games(&played), played.len());
                assert_nobody_meets_twice(&plan.pairings(&played));
                let byes = plan.byes(&played);
                assert_eq!(byes.len(), if bots % 2 == 1 { rounds as usize } else { 0 });
                let off: HashSet<usize> = byes.iter().map(|&(_, bot)| bot).collect();
                assert_eq!(off.len(), byes.len(), "nobody has two rounds off");
            }
            assert!(plan(bots, most_rounds(bots) + 1, seed).check().is_err());
        }
        for (bots, rounds) in [(33, 33), (64, 32), (64, 63), (200, 9)] {
            let (plan, played) = tournament(bots, rounds, seed);
            assert_nobody_meets_twice(&plan.pairings(&played));
        }
    }

    #[test]
    fn usual_rounds_tell_the_best_from_the_others() {
        let usual = |bots| plan(bots, 1, 1).usual_rounds();
        assert_eq!([2, 3, 4, 5, 6, 8, 9, 64, 65].map(usual), [1, 3, 3, 4, 4, 4, 5, 7, 8]);
    }

    #[test]
    fn many_rounds_pair_by_score_too() {
        // In the last rounds of a long tournament nobody has a choice, so look at the second and third only.
        let seed = seed();
        let (mut near, mut any) = (0, 0);
        for seed in (0..40).map(|i| seed.wrapping_add(i)) {
            let (plan, played) = tournament(10, 6, seed);
            let mut points = [0u32; 10];
            for round in 1..=3 {
                let games = || played.iter().filter(|game| game.round == round);
                for game in games().filter(|game| game.leg == 1 && round > 1) {
                    near += points[game.seats[0]].abs_diff(points[game.seats[1]]);
                    let everybody = points.iter().map(|other| other.abs_diff(points[game.seats[0]]));
                    any += everybody.sum::<u32>() / 9;
                }
                for game in games() {
                    game.seats.iter().zip(&game.half_points).for_each(|(&bot, half)| points[bot] += half);
                }
            }
            assert_eq!(plan.byes(&played), []);
        }
        println!("opponents differ by {near} half points, any two by {any}");
        assert!(near * 5 < any * 4, "{near} against {any}");
    }

    #[test]
    fn a_bye_counts_once_the_round_is_complete() {
        let plan = plan(5, 3, 4);
        let mut played = Vec::new();
        let mut rng = fastrand::Rng::with_seed(4);
        let first: Vec<Fixture> = plan.pairings(&[]).concat();
        assert_eq!(first.len(), 4);
        for fixture in &first {
            assert_eq!(plan.byes(&played), []);
            played.push(play(fixture, &mut rng));
        }
        let seated: HashSet<usize> = first.iter().flat_map(|fixture| fixture.seats.clone()).collect();
        let off = (0..5).find(|bot| !seated.contains(bot)).unwrap();
        assert_eq!(plan.byes(&played), [(1, off)]);
    }

    #[test]
    fn a_withdrawal_voids_no_game_and_closes_its_own_pair() {
        let mut plan = plan(6, 3, 11);
        let mut rng = fastrand::Rng::with_seed(11);
        let first = plan.pairings(&[]);
        // One pair has played both games, one has played one, one has not begun.
        let mut played: Vec<PlayedGame> =
            [&first[0][0], &first[0][1], &first[1][0]].map(|fixture| play(fixture, &mut rng)).to_vec();
        let leaves = first[1][0].seats[0];
        plan.bots[leaves].left_in_round = Some(plan.leaves_in_round(&played));
        let now = plan.pairings(&played);
        assert_eq!(now, [first[0].clone(), vec![first[1][0].clone()], first[2].clone()]);
        play_on(&plan, &mut played, &mut rng);
        assert!(plan.byes(&played).iter().all(|&(round, _)| round > 1));
        assert_eq!(plan.byes(&played).len(), 2, "five are left for two rounds");
        assert_eq!(played.len(), 5 + 2 * 4);
        assert_nobody_meets_twice(&plan.pairings(&played));
    }

    #[test]
    fn those_who_lose_their_opponent_are_paired_with_each_other() {
        let mut plan = plan(6, 3, 12);
        let mut rng = fastrand::Rng::with_seed(12);
        let first = plan.pairings(&[]);
        let played = [play(&first[0][0], &mut rng)];
        let (stay_1, stay_2) = (first[1][0].seats[1], first[2][0].seats[1]);
        for leaves in [first[1][0].seats[0], first[2][0].seats[0]] {
            plan.bots[leaves].left_in_round = Some(1);
        }
        assert_eq!(plan.pairings(&played)[1..], [plan.pair(1, stay_1, stay_2)]);
    }

    #[test]
    fn a_latecomer_joins_in_the_next_round_without_byes() {
        let mut plan = plan(5, 4, 13);
        let mut rng = fastrand::Rng::with_seed(13);
        let first = plan.pairings(&[]);
        assert_eq!(plan.joins_in_round(&[]), 1);
        let mut played = vec![play(&first[0][0], &mut rng)];
        assert_eq!(plan.joins_in_round(&played), 2);
        plan.bots.push(Contender { from_round: 2, ..Contender::new("late") });
        assert_eq!(plan.pairings(&played), first);
        play_on(&plan, &mut played, &mut rng);
        assert_eq!(plan.byes(&played).len(), 1, "six play from the second round on");
        assert_eq!(played.iter().filter(|game| game.seats.contains(&5)).count(), 6);
        assert_nobody_meets_twice(&plan.pairings(&played));
        assert_eq!(plan.joins_in_round(&played), 5, "too late");
    }

    #[test]
    fn a_game_to_be_played_again_leaves_later_rounds_as_they_are() {
        let (plan, mut played) = tournament(7, 3, 14);
        let games = |played: &[PlayedGame]| {
            let mut games = plan.pairings(played).concat();
            games.sort_by(|one, other| one.key.cmp(&other.key));
            games
        };
        let before = games(&played);
        let again = played.iter().position(|game| game.round == 1).unwrap();
        played.remove(again);
        assert_eq!(games(&played), before);
        assert_eq!(plan.byes(&played), []);
        assert_eq!(plan.games(&played), before.len());
    }
}

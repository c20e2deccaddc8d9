//! Round robin for pairs: every bot meets every other, in each round once with each side.

use super::circle;
use super::plan::{Pairing, Plan, PlayedGame};
use super::rules::Rules;

/// The rules of a round robin for pairs.
pub(super) struct RoundRobin;

impl Rules for RoundRobin {
    fn pairings(&self, plan: &Plan, _played: &[PlayedGame]) -> Vec<Pairing> {
        let bots = plan.by_lot(plan.present());
        // The circle decides the order of play only: all have played about equally often at any time, so early standings
        // mean something.
        let turns = circle::turns(bots.len());
        let pairing = |round, &(one, other): &(usize, usize)| plan.pair(round, bots[one], bots[other]);
        let round = |round| turns.iter().flatten().map(move |places| pairing(round, places));
        (1..=plan.rounds).flat_map(round).collect()
    }

    fn games(&self, plan: &Plan, _played: &[PlayedGame]) -> usize {
        let bots = plan.present().len();
        bots * bots.saturating_sub(1) * plan.rounds as usize
    }

    fn draws_up_rounds_in_turn(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::super::format::Format;
    use super::super::plan::Contender;
    use super::*;

    fn plan(bots: usize, rounds: u32) -> Plan {
        let bots = (0..bots).map(|bot| Contender::new(format!("bot{bot}"))).collect();
        Plan {
            format: Format::RoundRobin,
            bots,
            seats: 2,
            rounds,
            games: None,
            seed: 7,
            openings: 5,
            set_aside: Vec::new(),
        }
    }

    #[test]
    fn every_pair_meets_twice_a_round_with_sides_exchanged() {
        for bots in 2..=13 {
            let plan = plan(bots, 2);
            let pairings = plan.pairings(&[]);
            let mut met: HashMap<(usize, usize, u32), u32> = HashMap::new();
            for fixture in pairings.iter().flatten() {
                *met.entry((fixture.seats[0], fixture.seats[1], fixture.key.round)).or_default() += 1;
            }
            assert_eq!(met.len(), 2 * bots * (bots - 1));
            assert!(met.values().all(|&count| count == 1));
            assert_eq!(plan.games(&[]), met.len());
            // In the first turn of the circle everybody who can plays once.
            let first: HashSet<usize> =
                pairings[..bots / 2].iter().flat_map(|pairing| pairing[0].seats.clone()).collect();
            assert_eq!(first.len(), bots / 2 * 2);
            assert_eq!(plan.usual_rounds(), 1);
        }
    }

    #[test]
    fn latecomers_play_all_their_games_and_those_who_left_have_none() {
        let mut plan = plan(5, 2);
        let games = |plan: &Plan| -> HashSet<_> {
            plan.pairings(&[]).into_iter().flatten().map(|game| (game.key, game.opening)).collect()
        };
        let before = games(&plan);
        plan.bots.push(Contender { from_round: 2, ..Contender::new("late") });
        let with_late = games(&plan);
        assert!(before.is_subset(&with_late), "nobody else's games change");
        assert_eq!(with_late.len(), before.len() + 5 * 2 * 2);
        plan.bots[5].left_in_round = Some(1);
        assert_eq!(games(&plan), before);
        assert_eq!(plan.games(&[]), before.len());
        assert!(!plan.keeps_games_of_the_withdrawn());
        assert_eq!(plan.joins_in_round(&[]), 1);
    }
}

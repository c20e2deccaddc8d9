//! Gauntlet: the first bot of the list meets all others, in each round once with each side.

use super::plan::{Pairing, Plan, PlayedGame};
use super::rules::{self, Impossible, Rules};

/// The rules of a gauntlet.
pub(super) struct Gauntlet;

impl Rules for Gauntlet {
    fn pairings(&self, plan: &Plan, _played: &[PlayedGame]) -> Vec<Pairing> {
        let present = plan.present();
        // Without its first bot a gauntlet is over.
        let Some((&0, opponents)) = present.split_first() else { return Vec::new() };
        let round = |round| opponents.iter().map(move |&opponent| plan.pair(round, 0, opponent));
        (1..=plan.rounds).flat_map(round).collect()
    }

    fn check(&self, plan: &Plan) -> Result<(), Impossible> {
        rules::pairs_only(plan)
    }

    fn draws_up_rounds_in_turn(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Format;
    use super::super::plan::Contender;
    use super::*;

    fn plan(bots: usize, rounds: u32) -> Plan {
        let bots = (0..bots).map(|bot| Contender::new(format!("bot{bot}"))).collect();
        Plan {
            format: Format::Gauntlet,
            bots,
            seats: 2,
            rounds,
            games: None,
            seed: 7,
            openings: 0,
            set_aside: Vec::new(),
        }
    }

    #[test]
    fn the_first_meets_everybody_with_each_side() {
        let plan = plan(4, 2);
        let pairings = plan.pairings(&[]);
        assert_eq!(pairings.len(), 6);
        assert_eq!(plan.games(&[]), 12);
        for pairing in &pairings {
            let [first, second] = [&pairing[0].seats, &pairing[1].seats];
            assert!(first.contains(&0));
            assert_eq!([first[0], first[1]], [second[1], second[0]]);
        }
    }

    #[test]
    fn a_pair_plays_the_same_games_as_in_a_round_robin() {
        let gauntlet = plan(4, 2);
        let everybody = Plan { format: Format::RoundRobin, ..gauntlet.clone() }.pairings(&[]);
        assert!(gauntlet.pairings(&[]).iter().all(|pairing| everybody.contains(pairing)));
    }

    #[test]
    fn opponents_may_leave_but_without_the_first_it_is_over() {
        let mut plan = plan(4, 1);
        plan.bots[2].left_in_round = Some(1);
        assert_eq!(plan.games(&[]), 4);
        plan.bots[0].left_in_round = Some(1);
        assert_eq!(plan.pairings(&[]), Vec::<Pairing>::new());
    }
}

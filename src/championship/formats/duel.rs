//! Duel: a match between the bots of one game, in which each has each seat once per round.

use super::plan::{Fixture, Pairing, Plan, PlayedGame};
use super::rules::{Impossible, Rules};

/// The rules of a duel.
pub(super) struct Duel;

/// How many games a duel has.
fn games(plan: &Plan) -> usize {
    plan.games.map_or(plan.rounds as usize * plan.seats, |games| games as usize)
}

impl Rules for Duel {
    fn pairings(&self, plan: &Plan, played: &[PlayedGame]) -> Vec<Pairing> {
        let seats = plan.seats;
        if plan.bots.len() < seats || seats == 0 {
            return Vec::new();
        }
        let game = |game: usize| {
            let (round, turn) = (game / seats, game % seats);
            let bots = (0..seats).map(|seat| (seat + turn) % seats).collect();
            plan.fixture(round as u32 + 1, turn as u32 + 1, bots)
        };
        let over = plan.bots[..seats].iter().any(|bot| bot.withdrawn());
        let stays = |fixture: &Fixture| !over || played.iter().any(|game| game.is(fixture));
        let games: Vec<Fixture> = (0..games(plan)).map(game).collect();
        let rounds = games.chunk_by(|one, next| one.key.round == next.key.round);
        let rounds = rounds.map(|games| games.iter().filter(|game| stays(game)).cloned().collect());
        rounds.filter(|games: &Pairing| !games.is_empty()).collect()
    }

    fn check(&self, plan: &Plan) -> Result<(), Impossible> {
        let (bots, seats) = (plan.present().len(), plan.seats);
        if bots > seats { Err(Impossible::TooManyForADuel { bots, seats }) } else { Ok(()) }
    }

    fn leg_of(&self, _plan: &Plan, _round: u32, seats: &[usize]) -> u32 {
        // The first bot begins the first leg, the second the second.
        seats.first().map_or(1, |&bot| bot as u32 + 1)
    }

    fn draws_up_rounds_in_turn(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Format;
    use super::super::plan::Contender;
    use super::*;

    fn plan(bots: usize, games: Option<u32>) -> Plan {
        let bots: Vec<Contender> = (0..bots).map(|bot| Contender::new(format!("bot{bot}"))).collect();
        Plan {
            format: Format::Duel,
            seats: bots.len(),
            bots,
            rounds: 3,
            games,
            seed: 7,
            openings: 3,
            set_aside: Vec::new(),
        }
    }

    fn seats(pairings: &[Pairing]) -> Vec<Vec<usize>> {
        pairings.iter().flatten().map(|fixture| fixture.seats.clone()).collect()
    }

    #[test]
    fn three_bots_each_have_each_seat() {
        let pairings = plan(3, Some(5)).pairings(&[]);
        assert_eq!(seats(&pairings), [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2], [1, 2, 0]]);
        assert_eq!(pairings[1][1].key.leg, 2);
    }

    #[test]
    fn two_bots_alternate_in_starting_and_the_schedule_is_the_same_every_time() {
        let duel = plan(2, Some(5));
        let pairings = duel.pairings(&[]);
        assert_eq!(seats(&pairings), [[0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]);
        assert_eq!(pairings.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
        assert_eq!(pairings, duel.pairings(&[]));
        assert_ne!(pairings, Plan { seed: 8, ..duel.clone() }.pairings(&[]));
        assert_eq!((duel.games(&[]), plan(2, None).games(&[])), (5, 6));
        // Both sides of a pair play one opening; the next pair plays another.
        let openings: Vec<Option<usize>> = pairings.iter().flatten().map(|fixture| fixture.opening).collect();
        assert_eq!(openings[0], openings[1]);
        assert_ne!(openings[1], openings[2]);
    }

    #[test]
    fn a_duel_ends_when_a_bot_leaves() {
        let mut duel = plan(2, Some(5));
        let played = [PlayedGame { round: 2, leg: 1, seats: vec![0, 1], half_points: vec![2, 0] }];
        duel.bots[1].left_in_round = Some(2);
        assert_eq!(duel.games(&[]), 0);
        assert_eq!(seats(&duel.pairings(&played)), [[0, 1]]);
    }
}

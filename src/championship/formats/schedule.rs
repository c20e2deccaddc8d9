//! The table of formats, and what a plan says by asking its format.

use std::borrow::Cow;

use super::duel::Duel;
use super::format::Format;
use super::gauntlet::Gauntlet;
use super::plan::{Pairing, Plan, PlayedGame};
use super::round_robin::RoundRobin;
use super::round_robin_tables::Tables;
use super::rules::{Impossible, Rules};
use super::swiss::Swiss;

impl Plan {
    /// The table of formats.
    fn rules(&self) -> &'static dyn Rules {
        match self.format {
            Format::RoundRobin if self.seats > 2 => &Tables,
            Format::RoundRobin => &RoundRobin,
            Format::Gauntlet => &Gauntlet,
            Format::Swiss => &Swiss,
            Format::Duel => &Duel,
        }
    }

    /// Every pairing that is known by now, played or not, in the order in which it should be played. In the Swiss system
    /// these are the rounds up to the first incomplete one.
    pub fn pairings(&self, played: &[PlayedGame]) -> Vec<Pairing> {
        self.rules().pairings(self, &self.valid(played))
    }

    /// How many games there will be in all, as far as that can be known.
    pub fn games(&self, played: &[PlayedGame]) -> usize {
        self.rules().games(self, &self.valid(played))
    }

    /// How many rounds there are unless somebody asks for another number.
    pub fn usual_rounds(&self) -> u32 {
        self.rules().usual_rounds(self)
    }

    /// Whether a championship can begin like this. One that has begun goes on as well as it can, whoever leaves.
    pub fn check(&self) -> Result<(), Impossible> {
        let (bots, seats) = (self.present().len(), self.seats);
        if self.rounds == 0 {
            return Err(Impossible::NoRounds);
        }
        if seats < 2 {
            return Err(Impossible::TooFewSeats(seats));
        }
        if bots < seats {
            return Err(Impossible::TooFewBots { bots, seats });
        }
        self.rules().check(self)
    }

    /// The rounds in which a bot had no opponent, with the bot. Rounds that are not complete do not count, and a bot that
    /// has left keeps its games but not its byes.
    pub fn byes(&self, played: &[PlayedGame]) -> Vec<(u32, usize)> {
        self.rules().byes(self, &self.valid(played))
    }

    /// The leg of a game whose record does not say so: those of older versions. The seats are indices into [`Plan::bots`].
    pub fn leg_of(&self, round: u32, seats: &[usize]) -> u32 {
        self.rules().leg_of(self, round, seats)
    }

    /// Whether the games that a bot played before it left still count.
    pub fn keeps_games_of_the_withdrawn(&self) -> bool {
        self.rules().draws_up_rounds_in_turn()
    }

    /// The first round of a bot that joins now. Where it is greater than [`Plan::rounds`], the bot comes too late.
    pub fn joins_in_round(&self, played: &[PlayedGame]) -> u32 {
        match self.rules().draws_up_rounds_in_turn() {
            true => self.next_unbegun_round(&self.valid(played)),
            false => 1,
        }
    }

    /// The round in which a bot leaves that leaves now: the last that has begun, or 0 if none has.
    pub fn leaves_in_round(&self, played: &[PlayedGame]) -> u32 {
        self.next_unbegun_round(&self.valid(played)) - 1
    }

    /// The games that somebody in this championship can have played. A journal may have others, and no schedule has them.
    fn valid<'a>(&self, played: &'a [PlayedGame]) -> Cow<'a, [PlayedGame]> {
        let valid = |game: &PlayedGame| {
            let known =
                |(seat, bot): (usize, &usize)| *bot < self.bots.len() && !game.seats[..seat].contains(bot);
            game.seats.len() == self.seats
                && game.seats.iter().enumerate().all(known)
                && (1..=self.rounds).contains(&game.round)
        };
        // Nearly always all of them are, and there may be very many.
        if played.iter().all(valid) {
            return Cow::Borrowed(played);
        }
        played.iter().filter(|game| valid(game)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Contender;
    use super::*;

    fn plan(format: Format, bots: usize, seats: usize, rounds: u32) -> Plan {
        let bots = (0..bots).map(|bot| Contender::new(format!("bot{bot}"))).collect();
        Plan { format, bots, seats, rounds, games: None, seed: 1, openings: 0, set_aside: Vec::new() }
    }

    #[test]
    fn what_is_impossible_is_said_with_a_way_out() {
        let refused = |format, bots, seats, rounds| {
            plan(format, bots, seats, rounds).check().map_err(|error| error.to_string()).unwrap_err()
        };
        assert_eq!(
            refused(Format::RoundRobin, 1, 2, 1),
            "a game needs 2 bots, and there is only 1; name more bots"
        );
        assert_eq!(
            refused(Format::RoundRobin, 3, 4, 1),
            "a game needs 4 bots, and there are only 3; name more bots or choose fewer seats"
        );
        assert_eq!(
            refused(Format::Gauntlet, 5, 3, 1),
            "the format gauntlet is for games of 2 bots; with 3 seats, use round-robin"
        );
        assert_eq!(
            refused(Format::Swiss, 4, 2, 4),
            "4 bots can play at most 3 Swiss rounds without meeting twice, not 4; play fewer rounds, or use round-robin"
        );
        assert_eq!(
            refused(Format::Duel, 3, 2, 1),
            "a duel is a match between 2 bots, not 3; use a championship for more"
        );
        assert_eq!(refused(Format::RoundRobin, 3, 2, 0), "a championship needs at least one round");
        assert_eq!(refused(Format::RoundRobin, 3, 1, 1), "a game needs at least 2 seats, not 1");
        for (format, bots, seats, rounds) in [
            (Format::RoundRobin, 2, 2, 1),
            (Format::RoundRobin, 4, 4, 3),
            (Format::Gauntlet, 2, 2, 5),
            (Format::Swiss, 4, 2, 3),
            (Format::Swiss, 5, 2, 5),
            (Format::Duel, 3, 3, 7),
        ] {
            assert_eq!(plan(format, bots, seats, rounds).check(), Ok(()));
        }
    }

    #[test]
    fn bots_that_have_left_do_not_make_a_championship_possible() {
        let mut plan = plan(Format::RoundRobin, 2, 2, 1);
        plan.bots[1].left_in_round = Some(0);
        assert_eq!(plan.check(), Err(Impossible::TooFewBots { bots: 1, seats: 2 }));
    }

    #[test]
    fn games_of_another_championship_are_no_reason_to_panic() {
        let game = |round, seats: &[usize]| PlayedGame {
            round,
            leg: 1,
            seats: seats.to_vec(),
            half_points: vec![2, 0],
        };
        let played =
            [game(1, &[0, 9]), game(0, &[0, 1]), game(u32::MAX, &[0, 1]), game(1, &[1, 1]), game(1, &[])];
        for format in [Format::RoundRobin, Format::Gauntlet, Format::Swiss, Format::Duel] {
            for seats in [2, 3] {
                let plan = plan(format, 4, seats, 2);
                assert_eq!(plan.pairings(&played), plan.pairings(&[]));
                assert_eq!(plan.games(&played), plan.games(&[]));
                assert_eq!((plan.joins_in_round(&played), plan.leaves_in_round(&played)), (1, 0));
            }
        }
    }
}

//! What every format has to say.

use thiserror::Error;

use super::format::Format;
use super::plan::{Pairing, Plan, PlayedGame};
use crate::record::text::counted;

/// What a format decides. [`Plan`] has the same methods for everybody else.
pub(super) trait Rules {
    /// Every pairing that is known by now, played or not, in the order in which it should be played.
    fn pairings(&self, plan: &Plan, played: &[PlayedGame]) -> Vec<Pairing>;

    /// How many games there will be in all, as far as that can be known.
    fn games(&self, plan: &Plan, played: &[PlayedGame]) -> usize {
        self.pairings(plan, played).iter().map(Vec::len).sum()
    }

    /// How many rounds there are unless somebody asks for another number.
    fn usual_rounds(&self, _plan: &Plan) -> u32 {
        1
    }

    /// What is impossible about the plan, apart from what no format can do.
    fn check(&self, _plan: &Plan) -> Result<(), Impossible> {
        Ok(())
    }

    /// The rounds in which bots have no opponent, with the bot.
    fn byes(&self, _plan: &Plan, _played: &[PlayedGame]) -> Vec<(u32, usize)> {
        Vec::new()
    }

    /// The leg of a game whose record does not say so: those of older versions.
    fn leg_of(&self, plan: &Plan, round: u32, seats: &[usize]) -> u32 {
        let &[one, other] = seats else { return 1 };
        let pair = plan.pair(round, one, other);
        pair.iter().find(|fixture| fixture.seats == seats).map_or(1, |fixture| fixture.key.leg)
    }

    /// Whether rounds are drawn up one after the other. A latecomer then joins in the next one, and games of a bot that
    /// has left stay. Otherwise every pair plays in every round: a latecomer plays all its games, and all games of a
    /// bot that has left are set aside, which is fair to those who had not met it.
    fn draws_up_rounds_in_turn(&self) -> bool;
}

/// Refuses what a format cannot do that knows pairs only.
pub(super) fn pairs_only(plan: &Plan) -> Result<(), Impossible> {
    match plan.seats {
        2 => Ok(()),
        seats => Err(Impossible::PairsOnly { format: plan.format, seats }),
    }
}

/// Why there can be no such championship.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Impossible {
    /// There is nothing to play.
    #[error("a championship needs at least one round")]
    NoRounds,
    /// Nobody plays alone.
    #[error("a game needs at least 2 seats, not {0}")]
    TooFewSeats(usize),
    /// There are not enough bots for one game.
    #[error(
        "a game needs {seats} bots, and there {} only {bots}; name more bots{}",
        if *.bots == 1 { "is" } else { "are" }, if *.seats > 2 { " or choose fewer seats" } else { "" }
    )]
    TooFewBots {
        /// How many there are.
        bots: usize,
        /// How many a game needs.
        seats: usize,
    },
    /// The format knows pairs only.
    #[error("the format {format} is for games of 2 bots; with {seats} seats, use {}", Format::RoundRobin)]
    PairsOnly {
        /// The format.
        format: Format,
        /// How many play in a game.
        seats: usize,
    },
    /// A duel has no place for others.
    #[error("a duel is a match between {seats} bots, not {bots}; use a championship for more")]
    TooManyForADuel {
        /// How many there are.
        bots: usize,
        /// How many play in a game.
        seats: usize,
    },
    /// Some would have to meet twice.
    #[error(
        "{bots} bots can play at most {} without meeting twice, not {rounds}; play fewer rounds, or use {}",
        counted(*.most as usize, "Swiss round"), Format::RoundRobin
    )]
    TooManyRounds {
        /// How many bots there are.
        bots: usize,
        /// How many rounds are possible.
        most: u32,
        /// How many rounds were asked for.
        rounds: u32,
    },
}

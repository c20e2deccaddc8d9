//! The lines of a journal under the settings of a championship: which of them count, and what the schedule makes of them.

use std::collections::{HashMap, HashSet};

use super::formats::{Plan, PlayedGame};
use super::settings::Settings;
use crate::game::Seat;
use crate::record::{FixtureKey, Summary};
use crate::score::counting::counting;

/// How many games there will be in all, as far as that can be known after these.
pub fn scheduled(settings: &Settings, games: &[Summary]) -> usize {
    let plan = settings.plan();
    plan.games(&played(&plan, games))
}

/// Games as the schedule sees them: those of bots that it has.
pub fn played<'a>(plan: &Plan, games: impl IntoIterator<Item = &'a Summary>) -> Vec<PlayedGame> {
    let place: HashMap<&str, usize> =
        plan.bots.iter().enumerate().map(|(index, bot)| (bot.name.as_str(), index)).collect();
    let game = |game: &Summary| {
        let seats: Vec<usize> =
            game.seats.iter().map(|seat| place.get(seat.bot.as_str()).copied()).collect::<Option<_>>()?;
        let half_points = (0..seats.len() as u8).map(|seat| game.verdict.half_points(Seat(seat))).collect();
        let leg = game.leg.unwrap_or_else(|| plan.leg_of(game.round, &seats));
        Some(PlayedGame { round: game.round, leg, seats, half_points })
    };
    games.into_iter().filter_map(game).collect()
}

/// The lines of a journal, told apart by whether they count under some settings.
pub struct Ledger {
    /// Those that count.
    pub games: Vec<Summary>,
    others: Vec<Summary>,
}

impl Ledger {
    /// Tells the lines apart.
    pub fn read(settings: &Settings, mut lines: Vec<Summary>) -> Ledger {
        let plan = settings.plan();
        for line in lines.iter_mut().filter(|line| line.leg.is_none()) {
            line.leg = played(&plan, [&*line]).first().map(|game| game.leg);
        }
        let mut counts = vec![false; lines.len()];
        let counting = counting(&lines, &settings.accepted());
        let candidates = played(&plan, counting.iter().map(|&index| &lines[index]));
        let pairings = plan.pairings(&candidates);
        let schedule: HashSet<(u32, u32, &[usize])> = pairings
            .iter()
            .flatten()
            .map(|fixture| (fixture.key.round, fixture.key.leg, &fixture.seats[..]))
            .collect();
        // Other settings can have other schedules, and joining or editing journals can bring anything.
        for (index, game) in counting.into_iter().zip(&candidates) {
            counts[index] = schedule.contains(&(game.round, game.leg, &game.seats[..]));
        }
        let (mut games, mut others) = (Vec::with_capacity(lines.len()), Vec::new());
        for (line, counts) in lines.into_iter().zip(counts) {
            if counts { games.push(line) } else { others.push(line) }
        }
        Ledger { games, others }
    }

    /// All lines again.
    pub fn lines(self) -> Vec<Summary> {
        let mut lines = self.games;
        lines.extend(self.others);
        lines.sort_by_key(|line| line.number);
        lines
    }

    /// The last attempt at each fixture whose lines do not count.
    pub fn attempts(&self) -> HashMap<FixtureKey, u32> {
        let mut attempts = HashMap::new();
        for (key, line) in self.others.iter().filter_map(|line| Some((line.key()?, line))) {
            let last: &mut u32 = attempts.entry(key).or_default();
            *last = line.attempt.max(*last);
        }
        attempts
    }

    /// Says how many games do not count, if there are such.
    pub fn warn_of_others(&self, mut warn: impl FnMut(String)) {
        let aside = self.others.iter().filter(|line| line.verdict.counts()).count();
        if aside > 0 {
            warn(format!(
                "{aside} games of the journal do not count: the schedule does not have them, or has them once only"
            ));
        }
    }
}

//! How long games take, learnt from those that were played: by bot, since bots differ a lot, and by who met.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::record::Summary;
use crate::record::summary::Nanoseconds;

/// A mean forgets: beyond so many values, each new one counts as much as if there had been only so many before. So a machine that has become
/// slower is soon known to be.
const MEMORY: f64 = 20.0;

/// As much as the times of the single bots count against what those who meet took when they met before: as much as one game.
const PRIOR: f64 = 1.0;

/// How long games took.
#[derive(Clone, Debug, Default)]
pub struct GameTimes {
    /// The part of each bot.
    bots: HashMap<Arc<str>, Mean>,
    /// Whole games of those who have met, in whatever seats.
    tables: HashMap<Vec<Arc<str>>, Mean>,
    /// The part of any bot.
    part: Mean,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    count: f64,
    seconds: f64,
}

impl Mean {
    fn add(&mut self, seconds: f64) {
        self.count = (self.count + 1.0).min(MEMORY);
        self.seconds += (seconds - self.seconds) / self.count;
    }
}

impl GameTimes {
    /// What these games tell.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a Summary>) -> GameTimes {
        let mut times = GameTimes::default();
        games.into_iter().for_each(|game| times.add(game));
        times
    }

    /// Adds a game, if it is known how long it took.
    pub fn add(&mut self, game: &Summary) {
        let Some(took) = game.took else { return };
        let own = game.seats.iter().map(|seat| {
            let own =
                Duration::from_nanos(seat.used_ns.saturating_add(seat.startup.map_or(0, Nanoseconds::get)));
            (Arc::from(&seat.bot), own)
        });
        self.add_game(took, &own.collect::<Vec<_>>());
    }

    /// Adds a game that took so long, of which each bot itself used so much: to come up and to move.
    pub fn add_game(&mut self, took: Duration, seats: &[(Arc<str>, Duration)]) {
        // What nobody used is everybody's. Programs come up at the same time, so it can be less than nothing.
        let own: f64 = seats.iter().map(|(_, own)| own.as_secs_f64()).sum();
        let shared = (took.as_secs_f64() - own) / seats.len().max(1) as f64;
        for (bot, own) in seats {
            let part = (own.as_secs_f64() + shared).max(0.0);
            self.bots.entry(bot.clone()).or_default().add(part);
            self.part.add(part);
        }
        let table = table(seats.iter().map(|(bot, _)| bot));
        self.tables.entry(table).or_default().add(took.as_secs_f64());
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.bots.is_empty()
    }

    /// Whether this bot has been seen.
    pub fn knows(&self, bot: &str) -> bool {
        self.bots.contains_key(bot)
    }

    /// How long a game between these bots will probably take.
    pub fn expected(&self, bots: &[Arc<str>]) -> Duration {
        let by_bot: f64 = bots.iter().map(|bot| self.part_of(bot)).sum();
        let met = self.tables.get(&table(bots.iter())).copied().unwrap_or_default();
        let seconds = (met.count * met.seconds + PRIOR * by_bot) / (met.count + PRIOR);
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    /// The part of a bot in seconds; of one that was not seen, that of any.
    pub fn part_of(&self, bot: &str) -> f64 {
        self.bots.get(bot).unwrap_or(&self.part).seconds
    }
}

/// Those who meet, whatever their seats.
fn table<'a>(bots: impl Iterator<Item = &'a Arc<str>>) -> Vec<Arc<str>> {
    let mut bots: Vec<Arc<str>> = bots.cloned().collect();
    bots.sort_unstable();
    bots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(games: &[(f64, [(&str, f64); 2])]) -> GameTimes {
        let mut times = GameTimes::default();
        for (took, seats) in games {
            let seats = seats.map(|(bot, own)| (Arc::from(bot), Duration::from_secs_f64(own)));
            times.add_game(Duration::from_secs_f64(*took), &seats);
        }
        times
    }

    fn expected(times: &GameTimes, bots: [&str; 2]) -> f64 {
        times.expected(&bots.map(Arc::from)).as_secs_f64()
    }

    #[test]
    fn who_thinks_long_makes_all_its_games_long() {
        let times = times(&[
            (11.0, [("slow", 9.0), ("quick", 1.0)]),
            (3.0, [("other", 1.0), ("quick", 1.0)]),
            (11.0, [("quick", 1.0), ("slow", 9.0)]),
        ]);
        // They have not met: what each used, and half of what nobody did.
        assert_eq!(expected(&times, ["slow", "other"]), 11.0);
        assert_eq!(expected(&times, ["slow", "slow"]), 19.0);
        assert!((expected(&times, ["quick", "slow"]) - 11.0).abs() < 0.1);
        // Nobody has seen it: it is as anybody.
        let unknown = expected(&times, ["new", "quick"]);
        assert!((4.0..8.0).contains(&unknown), "{unknown}");
        assert!(times.knows("slow") && !times.knows("new"));
    }

    #[test]
    fn a_machine_that_has_become_slower_is_soon_known_to_be() {
        let game = |took: f64| (took, [("ana", 0.0), ("beto", 0.0)]);
        let before = times(&[game(1.0); 500]);
        let after = times(&[[game(1.0); 500].as_slice(), &[game(4.0); 40]].concat());
        assert!((expected(&before, ["ana", "beto"]) - 1.0).abs() < 1e-6);
        assert!(expected(&after, ["ana", "beto"]) > 3.5);
    }

    #[test]
    fn nothing_is_known_of_games_without_times() {
        assert!(GameTimes::of([]).is_empty());
        assert_eq!(expected(&GameTimes::default(), ["ana", "beto"]), 0.0);
    }
}

//! Games that are played before a championship, only to see how long they take.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::contest::seated;
use super::estimate::Rest;
use super::formats::{Fixture, Pairing};
use super::runner::{Event, Finished, Runner};
use crate::record::Reason;
use crate::score::game_times::GameTimes;

/// In so many games each bot is seen, where there is time for that.
const GAMES_A_BOT: usize = 8;

/// How long it may take: a twentieth of what the championship takes, within these bounds.
const SHORTEST: Duration = Duration::from_secs(20);
/// See [`SHORTEST`].
const LONGEST: Duration = Duration::from_secs(120);

/// How long a first game is waited for.
const FIRST_GAME: Duration = Duration::from_secs(60);

/// What is said before they are played. How long they take is not known by then.
pub fn announcement() -> String {
    format!("playing sample games: some seconds where games are short, {} s at most …", LONGEST.as_secs())
}

/// What sample games have shown.
#[derive(Default)]
pub struct Sample {
    /// How long games take.
    pub times: GameTimes,
    /// How many were played to their end.
    pub games: usize,
    /// How many took too long for that. How long they would have taken is told from their plies, if others have ended.
    pub broken_off: usize,
    /// How long all that took.
    pub took: Duration,
}

/// What is kept of a game: how long it took, how long each bot took to come up and to move, and its plies.
struct Seen {
    took: Duration,
    startup: Duration,
    bots: Vec<(Arc<str>, Duration, Duration)>,
    plies: usize,
}

/// Plays some of the games that are left, such that every bot is seen.
///
/// # Errors
/// Never by what a bot does.
pub fn play(runner: &Runner, rest: &Rest) -> io::Result<Sample> {
    let begun = Instant::now();
    let mut sample = Sample::default();
    let (mut plies, mut broken_off) = (0, Vec::new());
    let mut limit = SHORTEST;
    let runner = Runner { keep_scratch: None, in_progress: None, ..*runner };
    let pairings = seated(chosen(rest.pairings), &runner);
    runner.run(pairings, |event| {
        if let Event::Finished(game) = event {
            let seen = Seen::of(&game);
            if game.played.verdict.reason == Reason::Aborted {
                broken_off.push(seen);
            } else {
                plies += seen.plies;
                sample.games += 1;
                seen.add_to(&mut sample.times, 1.0);
                let all = rest.time(&sample.times).unwrap_or_default();
                limit = (all / 20).clamp(SHORTEST, LONGEST);
            }
        }
        let elapsed = begun.elapsed();
        if elapsed < limit || sample.games == 0 && elapsed < FIRST_GAME {
            return Ok::<_, io::Error>(ControlFlow::Continue(()));
        }
        runner.interrupt.break_off();
        Ok(ControlFlow::Break(()))
    })?;
    runner.interrupt.forget_breaks();
    for seen in broken_off.iter().filter(|seen| seen.plies > 0 || sample.games == 0) {
        let usual = plies as f64 / sample.games.max(1) as f64;
        let factor = (usual / seen.plies.max(1) as f64).max(1.0);
        seen.add_to(&mut sample.times, factor);
    }
    sample.broken_off = broken_off.len();
    sample.took = begun.elapsed();
    Ok(sample)
}

/// Some games, in an order in which every bot comes soon and meets various others.
fn chosen(pairings: &[Pairing]) -> Vec<Pairing> {
    let mut games: Vec<&Fixture> = pairings.iter().flatten().collect();
    let mut seen: HashMap<Arc<str>, usize> = HashMap::new();
    let mut met: HashMap<Vec<Arc<str>>, usize> = HashMap::new();
    let mut chosen = Vec::new();
    let table = |fixture: &Fixture| {
        let mut bots = fixture.key.bots.clone();
        bots.sort_unstable();
        bots
    };
    while let Some((index, _)) = games
        .iter()
        .enumerate()
        .map(|(index, game)| {
            let times = |bot| seen.get(bot).copied().unwrap_or_default();
            let often = game.key.bots.iter().map(times);
            (index, (often.clone().min(), often.sum::<usize>(), met.get(&table(game)).copied()))
        })
        .filter(|(_, (least, ..))| least.is_some_and(|least| least < GAMES_A_BOT))
        .min_by_key(|&(_, rank)| rank)
    {
        let game = games.remove(index);
        game.key.bots.iter().for_each(|bot| *seen.entry(bot.clone()).or_default() += 1);
        *met.entry(table(game)).or_default() += 1;
        chosen.push(vec![game.clone()]);
    }
    chosen
}

impl Seen {
    fn of(game: &Finished) -> Seen {
        let seats = game.fixture.key.bots.iter().zip(&game.played.seats);
        let bots: Vec<_> =
            seats.map(|(bot, seat)| (bot.clone(), seat.startup.unwrap_or_default(), seat.used)).collect();
        Seen {
            took: game.ended.duration_since(game.started).try_into().unwrap_or_default(),
            startup: bots.iter().map(|&(_, startup, _)| startup).sum(),
            bots,
            plies: game.played.plies.len(),
        }
    }

    /// Adds it to what is known, as if so many times as many plies had been played.
    fn add_to(&self, times: &mut GameTimes, factor: f64) {
        let own = self.bots.iter().map(|(bot, startup, used)| (bot.clone(), *startup + used.mul_f64(factor)));
        let playing = self.took.saturating_sub(self.startup).mul_f64(factor);
        let took = self.took.min(self.startup) + playing;
        times.add_game(took, &own.collect::<Vec<_>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::FixtureKey;

    #[test]
    fn every_bot_is_seen_soon_and_meets_others() {
        let names: Vec<Arc<str>> = (0..8).map(|bot| Arc::from(format!("bot{bot}"))).collect();
        let mut pairings = Vec::new();
        for (index, one) in names.iter().enumerate() {
            for other in &names[index + 1..] {
                let game = |leg, bots| Fixture {
                    key: FixtureKey { round: 1, leg, bots },
                    seats: Vec::new(),
                    opening: None,
                };
                let bots = [one.clone(), other.clone()];
                pairings.push(vec![game(1, bots.to_vec()), game(2, bots.into_iter().rev().collect())]);
            }
        }
        let games = chosen(&pairings).concat();
        assert_eq!(games.len(), 8 * GAMES_A_BOT / 2);
        let mut first: Vec<_> = games[..4].iter().flat_map(|game| game.key.bots.clone()).collect();
        first.sort_unstable();
        assert_eq!(first, names, "four games are enough to see all eight");
        let pairs: std::collections::HashSet<_> = games[..12]
            .iter()
            .map(|game| {
                let mut bots = game.key.bots.clone();
                bots.sort_unstable();
                bots
            })
            .collect();
        assert_eq!(pairs.len(), 12, "nobody meets anybody again so soon");
    }
}

//! Which games are in which shard: the same on every machine, as nothing but the schedule and the measured times decides.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::shard::{FOLDER, Shard};
use crate::championship::formats::Pairing;
use crate::record::FixtureKey;
use crate::record::replace_file::{Durability, replace_file};

/// How much of a game's time each bot takes, in seconds. It was measured once, before the first game, and every machine reads the same
/// figures: were they measured anew, no two machines would share the games out alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BotSeconds(BTreeMap<String, f64>);

impl BotSeconds {
    /// From figures for each bot.
    pub fn new(seconds: impl IntoIterator<Item = (String, f64)>) -> BotSeconds {
        BotSeconds(seconds.into_iter().filter(|(_, seconds)| seconds.is_finite()).collect())
    }

    /// Where they are kept in the folder of a championship.
    pub fn path(championship: &Path) -> PathBuf {
        championship.join(FOLDER).join("seconds.json")
    }

    /// Those of a championship; nothing where none were measured.
    pub fn read(championship: &Path) -> io::Result<Option<BotSeconds>> {
        match fs::read(BotSeconds::path(championship)) {
            Ok(text) => Ok(Some(BotSeconds::new(serde_json::from_slice::<BTreeMap<String, f64>>(&text)?))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps them.
    pub fn write(&self, championship: &Path) -> io::Result<()> {
        let path = BotSeconds::path(championship);
        fs::create_dir_all(championship.join(FOLDER))?;
        let text = serde_json::to_string_pretty(&self.0)? + "\n";
        replace_file(&path, Durability::Synced, |file| file.write_all(text.as_bytes()))
    }

    /// How long a game between these bots takes, in seconds. A bot of which nothing is known is like the mean of the others.
    pub fn of_game<'a>(&self, bots: impl IntoIterator<Item = &'a str>) -> f64 {
        let mean = match self.0.len() {
            0 => 1.0,
            bots => self.0.values().sum::<f64>() / bots as f64,
        };
        bots.into_iter().map(|bot| self.0.get(bot).copied().unwrap_or(mean)).sum()
    }

    /// How long these games take one after the other, in seconds.
    pub fn of_pairing(&self, pairing: &Pairing) -> f64 {
        pairing.iter().map(|fixture| self.of_game(fixture.key.bots.iter().map(|bot| &**bot))).sum()
    }
}

/// The shard of each pairing, so that all take about as long: the longest first, each into the shard that has least to do. Games of a
/// pairing stay together, and rounds follow one another, so that those of a Swiss tournament are shared out evenly each.
pub fn share_out(pairings: &[Pairing], seconds: &BotSeconds, of: u32) -> Vec<u32> {
    // Whole numbers, as sums of others depend on the order.
    let milliseconds = |pairing: &Pairing| (1000.0 * seconds.of_pairing(pairing)) as u64 + 1;
    let round = |index: usize| pairings[index].first().map_or(0, |fixture| fixture.key.round);
    let mut longest_first: Vec<(u64, usize)> =
        pairings.iter().enumerate().map(|(index, pairing)| (milliseconds(pairing), index)).collect();
    longest_first.sort_by_key(|&(time, index)| (round(index), Reverse(time), index));
    let mut shards: BinaryHeap<Reverse<(u64, u32)>> = (1..=of).map(|shard| Reverse((0, shard))).collect();
    let mut shard_of = vec![0; pairings.len()];
    for (time, index) in longest_first {
        let Some(Reverse((load, shard))) = shards.pop() else { break };
        shard_of[index] = shard;
        shards.push(Reverse((load + time, shard)));
    }
    shard_of
}

/// The games of one shard.
pub fn games_of(pairings: &[Pairing], seconds: &BotSeconds, shard: Shard) -> HashSet<FixtureKey> {
    let shares = share_out(pairings, seconds, shard.of);
    let own = pairings.iter().zip(shares).filter(|&(_, number)| number == shard.number);
    own.flat_map(|(pairing, _)| pairing).map(|fixture| fixture.key.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::championship::formats::{Contender, Format, Plan};

    fn pairings(bots: usize, rounds: u32) -> Vec<Pairing> {
        let bots = (0..bots).map(|bot| Contender::new(format!("bot{bot}"))).collect();
        let plan = Plan {
            format: Format::RoundRobin,
            bots,
            seats: 2,
            rounds,
            games: None,
            seed: 7,
            openings: 0,
            set_aside: Vec::new(),
        };
        plan.pairings(&[])
    }

    #[test]
    fn every_game_is_in_one_shard_and_all_take_about_as_long() {
        let pairings = pairings(12, 2);
        // One bot thinks as long as all others together.
        let seconds =
            BotSeconds::new((0..12).map(|bot| (format!("bot{bot}"), if bot == 0 { 11.0 } else { 1.0 })));
        for of in [1, 3, 8, 200] {
            let parts: Vec<HashSet<FixtureKey>> =
                (1..=of).map(|number| games_of(&pairings, &seconds, Shard { number, of })).collect();
            assert_eq!(parts.iter().map(HashSet::len).sum::<usize>(), 2 * 12 * 11);
            let all: HashSet<&FixtureKey> = parts.iter().flatten().collect();
            assert_eq!(all.len(), 2 * 12 * 11);
            for pairing in &pairings {
                let home = |key: &FixtureKey| parts.iter().position(|part| part.contains(key));
                assert!(pairing.iter().all(|fixture| home(&fixture.key) == home(&pairing[0].key)));
            }
            let time = |part: &HashSet<FixtureKey>| -> f64 {
                part.iter().map(|key| seconds.of_game(key.bots.iter().map(|bot| &**bot))).sum()
            };
            let times: Vec<f64> = parts.iter().map(time).collect();
            let (least, most) = times.iter().fold((f64::MAX, 0.0_f64), |(a, b), &t| (a.min(t), b.max(t)));
            assert!(of == 200 || most - least <= 24.0, "{times:?}");
        }
    }

    #[test]
    fn figures_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(BotSeconds::read(folder.path()).unwrap(), None);
        let seconds = BotSeconds::new([("ana".to_owned(), 1.5), ("beto".to_owned(), f64::NAN)]);
        seconds.write(folder.path()).unwrap();
        assert_eq!(BotSeconds::read(folder.path()).unwrap(), Some(seconds.clone()));
        assert_eq!(seconds.of_game(["ana", "beto"]), 3.0);
    }
}

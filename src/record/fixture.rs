//! What tells the games of a championship apart.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::game::Seat;

/// What tells the games of a championship apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FixtureKey {
    /// The round, from 1.
    pub round: u32,
    /// Which of the games that the same bots play against each other in this round, from 1.
    pub leg: u32,
    /// The names of the bots, by seat. A schedule has very many keys of few names.
    pub bots: Vec<Arc<str>>,
}

impl FixtureKey {
    /// The seed of the game's dice. It comes from the championship's seed and the key alone, so late or withdrawn bots
    /// change nobody else's games.
    pub fn seed(&self, championship_seed: u64) -> u64 {
        let names: Vec<&str> = self.bots.iter().map(|bot| &**bot).collect();
        stable_hash("dice", championship_seed, &[self.round, self.leg], &names)
    }
}

/// The seed of the dice at a seat of a game: bots that had the same would draw the same lots, one after the other.
pub fn seat_seed(game_seed: u64, seat: Seat) -> u64 {
    stable_hash("seat", game_seed, &[u32::from(seat.0)], &[])
}

/// A number drawn by lot that is the same on every machine and in every version of arbitro: the first eight bytes of a
/// SHA-256. The purpose keeps apart what is drawn for different ends.
pub fn stable_hash(purpose: &str, seed: u64, numbers: &[u32], names: &[&str]) -> u64 {
    let mut hash = Sha256::new();
    // Every text and list has its length before it, so no two inputs share an encoding.
    let mut text = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    text(purpose);
    names.iter().for_each(|name| text(name));
    hash.update((names.len() as u64).to_le_bytes());
    numbers.iter().for_each(|number| hash.update(number.to_le_bytes()));
    hash.update((numbers.len() as u64).to_le_bytes());
    hash.update(seed.to_le_bytes());
    let first = hash.finalize()[..8].try_into().expect("a SHA-256 has 32 bytes");
    u64::from_le_bytes(first)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn key(round: u32, leg: u32, bots: &[&str]) -> FixtureKey {
        FixtureKey { round, leg, bots: bots.iter().map(|&name| name.into()).collect() }
    }

    #[test]
    fn every_part_of_the_key_changes_the_seed() {
        let keys = [
            key(1, 1, &["ada", "bob"]),
            key(2, 1, &["ada", "bob"]),
            key(1, 2, &["ada", "bob"]),
            key(1, 1, &["bob", "ada"]),
            key(1, 1, &["adab", "ob"]),
            key(1, 1, &["adabob"]),
            key(1, 1, &["ada", "bob", ""]),
        ];
        let seeds: HashSet<u64> = keys.iter().flat_map(|key| [key.seed(1), key.seed(2)]).collect();
        assert_eq!(seeds.len(), 2 * keys.len());
    }

    /// Recorded games name their seed: a version that draws others could not play them again.
    #[test]
    fn seeds_stay_the_same_for_ever() {
        assert_eq!(key(1, 1, &["ada", "bob"]).seed(7), 0x3dad_a914_dd26_c2ce);
        assert_eq!(key(3, 2, &["bob", "ada", "eve"]).seed(u64::MAX), 0xd9df_a9dd_0cc7_e524);
        assert_eq!(
            [0, 1].map(|seat| seat_seed(7, Seat(seat))),
            [0x404f_f028_2d5d_1137, 0x67dc_4441_6539_a56d]
        );
    }
}

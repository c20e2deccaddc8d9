//! Which game of a championship a game is.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What tells the games of a championship apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FixtureKey {
    /// The round, from 1.
    pub round: u32,
    /// Which of the games it is that those who meet play in this round, from 1.
    pub leg: u32,
    /// The names of the bots, by seat.
    pub bots: Vec<String>,
}

impl FixtureKey {
    /// The seed for the bots' dice: from the championship's seed and the key alone, so that late or withdrawn bots change
    /// nobody else's games.
    pub fn seed(&self, championship_seed: u64) -> u64 {
        let mut hasher = Sha256::new();
        hasher.update(format!("{championship_seed} {} {}", self.round, self.leg));
        for bot in &self.bots {
            // Names have no zero bytes in them.
            hasher.update([0]);
            hasher.update(bot);
        }
        let digest = hasher.finalize();
        u64::from_be_bytes(digest[..8].try_into().expect("a SHA-256 has more than eight bytes"))
    }
}

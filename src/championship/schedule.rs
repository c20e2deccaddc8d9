//! Who meets whom: a pure function of the programs, the settings and the seed.

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 1.
    pub id: u32,
    /// Its round, from 1.
    pub round: u32,
    /// The entrants by seat, as indices into the roster.
    pub seats: Vec<usize>,
    /// The seed for the programs' dice.
    pub seed: u64,
}

/// Games that belong together and are played by the same worker, one after the other: a pair with sides exchanged.
pub type Pairing = Vec<Fixture>;

/// A match between the first two entrants, who take turns in starting.
pub fn duel(games: u32, seed: u64) -> Vec<Pairing> {
    let fixture = |id: u32| {
        let second_starts = id.is_multiple_of(2);
        let seats = if second_starts { vec![1, 0] } else { vec![0, 1] };
        Fixture { id, round: id.div_ceil(2), seats, seed: game_seed(seed, id) }
    };
    let ids: Vec<u32> = (1..=games).collect();
    ids.chunks(2).map(|pair| pair.iter().map(|&id| fixture(id)).collect()).collect()
}

/// A seed for each game, spread by the finaliser of SplitMix64 so that neighbours share nothing.
fn game_seed(seed: u64, id: u32) -> u64 {
    let mut mixed = seed.wrapping_add(u64::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duel_alternates_who_starts_and_is_the_same_every_time() {
        let pairings = duel(5, 7);
        let seats: Vec<Vec<usize>> = pairings.iter().flatten().map(|fixture| fixture.seats.clone()).collect();
        assert_eq!(seats, [[0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]);
        assert_eq!(pairings.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
        assert_eq!(pairings, duel(5, 7));
        assert_ne!(pairings, duel(5, 8));
    }
}

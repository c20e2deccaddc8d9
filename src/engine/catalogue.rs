//! The table of the reference engines. A game that has one needs its folder in this room and its line here.

use super::seating::EngineEntry;
use super::{hex, okupacio, rhex, xinez};

/// Every engine.
pub static ENGINES: &[EngineEntry] = &[hex::ENGINE, rhex::ENGINE, okupacio::ENGINE, xinez::ENGINE];

/// The engine of a game, if there is one.
pub fn find(game: &str) -> Option<&'static EngineEntry> {
    ENGINES.iter().find(|engine| engine.game == game)
}

/// What tells versions of the engines apart: that of the program, and the numbers of the network.
pub fn version() -> Vec<u8> {
    [env!("CARGO_PKG_VERSION").as_bytes(), hex::WEIGHTS].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GAMES;

    #[test]
    fn every_engine_plays_a_game_that_there_is() {
        for engine in ENGINES {
            assert!(GAMES.iter().any(|rules| rules.name == engine.game), "{}", engine.game);
            assert_eq!(find(engine.game).map(|found| found.game), Some(engine.game));
        }
        assert!(find("chess").is_none());
    }
}

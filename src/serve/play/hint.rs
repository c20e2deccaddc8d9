//! What the reference would play.

use crate::engine::Level;
use crate::engine::catalogue;
use crate::engine::seating::{Arguments, EngineOptions};
use crate::game::{Seat, Setup};

/// How well it thinks: as well as people have patience for.
const LEVEL: Level = Level::Medium;

/// Whether the game has a reference that can be asked.
pub fn has_engine(setup: &Setup) -> bool {
    catalogue::find(setup.name()).is_some()
}

/// The move that the reference would make after these plies. It is seated at a game of its own, told all that was played, and asked.
pub fn hint(setup: &Setup, board_file: &str, plies: &[(Seat, String)]) -> Option<String> {
    let engine = catalogue::find(setup.name())?;
    let mut game = setup.start();
    let seat = {
        let mut game = setup.start();
        plies.iter().try_for_each(|(_, text)| game.play(text)).ok()?;
        game.turn()
    };
    let mut news = String::new();
    for (mover, text) in plies {
        game.play(text).ok()?;
        game.write_news(*mover, seat, &mut news);
    }
    let opening = plies.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(",");
    let size = Some(setup.board().size.into());
    let options = EngineOptions { size, opening, ..EngineOptions::new(LEVEL, plies.len() as u64) };
    let arguments = setup.start().arguments(seat, board_file);
    let mut player = (engine.seat)(Arguments(&arguments), &options).ok()?;
    let mut said = Vec::new();
    player.play(&mut news.as_bytes(), &mut said, &mut std::io::sink()).ok()?;
    let said = String::from_utf8(said).ok()?;
    let own = plies.iter().filter(|(mover, _)| *mover == seat).count();
    // What it would play after its own moves so far.
    let text = said.lines().nth(own)?.to_owned();
    game.check(&text).is_ok().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{BoardOptions, GAMES};

    #[test]
    fn the_reference_knows_a_move_in_every_game() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        let folder = tempfile::tempdir().unwrap();
        for rules in GAMES {
            let size = Some(u32::from((*rules.sizes.start()).max(3)));
            let setup = Setup::new(rules.name, BoardOptions { size, ..BoardOptions::default() }).unwrap();
            let mut game = setup.start();
            let file = folder.path().join("board.txt");
            let text = game.board_file().unwrap_or_default();
            std::fs::write(&file, text).unwrap();
            let mut plies = Vec::new();
            for _ in 0..4 {
                let told = hint(&setup, file.to_str().unwrap(), &plies).unwrap();
                assert!(game.check(&told).is_ok(), "{}: {told}", rules.name);
                let choice = rng.choice(game.choices()).unwrap().text;
                plies.push((game.turn(), choice.clone()));
                game.play(&choice).unwrap();
            }
        }
    }
}

//! Bots that think while they wait: they stand still meanwhile, and nothing else happens to them.

use crate::programs::{honest, ponderers};
use crate::{alone, duel, play, say, tiers};

/// So many games of every ponderer at every tier: all end on the board, with all moves.
fn games(of_each: usize) {
    let _alone = alone();
    for tier in tiers() {
        for (language, ponderer) in ponderers() {
            let options = ["--games", &of_each.to_string(), "--size", "5", "--time", "20", "--strict"];
            let ended = play(duel(tier, &ponderer, &honest("5"), &options));
            assert_eq!(ended.code, Some(0), "{language} at tier {tier}: {}", ended.errors);
            assert_eq!(ended.games.len(), of_each, "{language} at tier {tier}");
            for game in &ended.games {
                assert!(game.ended_on_the_board(), "{language} at tier {tier}: {}", game.sentence());
                // Both take the first free cell, which joins the white side with the first cell of the last row.
                let moves = game.moves_of("ponder") + game.moves_of("honest");
                assert_eq!(moves, 21, "{language} at tier {tier}: {}", game.sentence());
            }
            let charged = ended.charged("honest") / of_each as u32;
            say(&format!("tier {tier}, {language}: {of_each} games, {charged:?} a game for 52.5 ms of work"));
        }
    }
}

#[test]
fn ponderers_of_all_languages_stand_still_and_play_on() {
    games(2);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_games_of_ponderers_end_on_the_board() {
    let given = std::env::var("ARBITRO_TEST_GAMES").ok().and_then(|text| text.parse().ok());
    let in_all: usize = given.unwrap_or(200);
    // Of every language at every tier as many, and an even number, so that both sides are played.
    games((in_all / 10).next_multiple_of(2));
}

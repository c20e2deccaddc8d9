//! Games that were played, each with the hint that the program that lost is to get: misunderstandings are named, and sound
//! play, however bad, is not called one.

use std::time::Instant;

use arbitro::game::{BoardOptions, Game, Hint, Seat, Setup};
use serde::Deserialize;

/// A line of `tests/data/hints/games.jsonl`.
#[derive(Deserialize)]
struct LostGame {
    /// How the program that lost plays.
    about: String,
    game: String,
    size: u32,
    seats: u32,
    /// Where it sat.
    seat: u8,
    /// All moves.
    moves: String,
    hint: Option<Hint>,
}

impl LostGame {
    /// The game at its end, and what was played by whom.
    fn played(&self) -> (Box<dyn Game>, Vec<(Seat, &str)>) {
        let options = BoardOptions { size: Some(self.size), seats: Some(self.seats), text: None };
        let mut game = Setup::new(&self.game, options).unwrap().start();
        let mut moves = Vec::new();
        for text in self.moves.split(", ") {
            moves.push((game.turn(), text));
            game.play(text).unwrap();
        }
        (game, moves)
    }
}

fn games() -> Vec<LostGame> {
    let text = include_str!("data/hints/games.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn misunderstandings_are_named_and_sound_play_is_not_called_one() {
    for lost in games() {
        let (game, moves) = lost.played();
        assert_eq!(game.hint(Seat(lost.seat), &moves), lost.hint, "{}", lost.about);
    }
}

/// `cargo test --release --test hints -- --nocapture` shows what a hint costs.
#[test]
fn what_a_hint_costs() {
    for lost in games() {
        let (game, moves) = lost.played();
        let times = (0..200).map(|_| {
            let begun = Instant::now();
            std::hint::black_box(game.hint(Seat(lost.seat), &moves));
            begun.elapsed()
        });
        let mut times: Vec<_> = times.collect();
        times.sort();
        println!("{:>5.1} µs, {} plies: {}", times[100].as_secs_f64() * 1e6, moves.len(), lost.about);
    }
}

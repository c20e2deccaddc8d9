//! Positions of whole games in which one move decides: whether the bot won where one move won, and whether it stopped the opponent
//! where one move did. A program that does not see who has won misses such moves, whatever it does otherwise.

use crate::game::{Game, Seat, Setup};
use crate::record::Ply;
use crate::record::text::counted;

/// Of each game, only so many of the bot's last moves are looked at: that is where games are decided.
const LAST_MOVES: usize = 12;

/// How often one move decided.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Chances {
    /// How often the bot could win with one move.
    wins: u32,
    /// How often it did.
    won: u32,
    /// How often the opponent would have won with its next move, had one move of the bot not stopped that.
    threats: u32,
    /// How often it was stopped.
    stopped: u32,
}

impl Chances {
    /// Takes in a game of two.
    pub fn add(&mut self, setup: &Setup, seat: Seat, plies: &[Ply]) {
        let own_moves = plies.len().div_ceil(2);
        let mut game = setup.start();
        for (index, ply) in plies.iter().enumerate() {
            let Some(text) = ply.text() else { return };
            let is_late = index / 2 + LAST_MOVES >= own_moves;
            let before = (is_late && game.turn() == seat).then(|| game.copy());
            if game.play(text).is_err() {
                return;
            }
            if let Some(before) = before {
                self.look(before.as_ref(), game.as_ref(), seat, text);
            }
        }
    }

    /// Looks at one move of the bot.
    fn look(&mut self, before: &dyn Game, after: &dyn Game, seat: Seat, text: &str) {
        let has_won = |game: &dyn Game| game.outcome().is_some_and(|outcome| outcome.winner == Some(seat));
        if has_won(after) || winning_move(before).is_some() {
            self.wins += 1;
            self.won += u32::from(has_won(after));
            return;
        }
        if after.outcome().is_some() {
            return;
        }
        if let Some(threat) = winning_move(after) {
            // Whatever the bot had done, another threat might have been left.
            let stops = after_move(before, &threat).is_some_and(|game| winning_move(game.as_ref()).is_none());
            self.threats += u32::from(stops);
            return;
        }
        // With the bot's stone elsewhere the opponent would have won.
        let choices = before.choices();
        let others: Vec<&str> =
            choices.iter().map(|choice| choice.text.as_str()).filter(|&other| other != text).collect();
        let is_threat = |other: &&str| {
            after_move(before, other).is_some_and(|game| winning_move(game.as_ref()).is_some())
        };
        if others.first().is_some_and(is_threat) || others.last().is_some_and(is_threat) {
            self.threats += 1;
            self.stopped += 1;
        }
    }

    /// What is to be said about it; nothing if no move decided.
    pub fn remark(&self) -> Option<String> {
        let Chances { wins, won, threats, stopped } = self;
        let part = |what: &str, made: &u32, times: &u32| {
            (*times > 0)
                .then(|| format!("{what}, it made it in {made} of {}", counted(*times as usize, "position")))
        };
        let parts = [
            part("where one move won", won, wins),
            part("where one move kept it from losing", stopped, threats),
        ];
        Some(parts.into_iter().flatten().collect::<Vec<_>>().join("; ")).filter(|text| !text.is_empty())
    }
}

/// The game after one more move, if that is possible.
fn after_move(game: &dyn Game, text: &str) -> Option<Box<dyn Game>> {
    let mut next = game.copy();
    next.play(text).ok()?;
    Some(next)
}

/// A move with which the seat whose turn it is wins at once.
fn winning_move(game: &dyn Game) -> Option<String> {
    let mover = game.turn();
    let wins = |text: &str| {
        after_move(game, text)?.outcome().filter(|outcome| outcome.winner == Some(mover)).map(|_| ())
    };
    game.choices().into_iter().find(|choice| wins(&choice.text).is_some()).map(|choice| choice.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BoardOptions;
    use std::time::Duration;

    /// What is found for a seat in a game of Hex on a board of 3×3.
    fn found(seat: u8, moves: &[&str]) -> [u32; 4] {
        let setup = Setup::new("hex", BoardOptions { size: Some(3), ..BoardOptions::default() }).unwrap();
        let ply = |text: &&str| Ply::Move { text: (*text).to_owned(), taken: Duration::ZERO, work: None };
        let plies: Vec<Ply> = moves.iter().map(ply).collect();
        let mut chances = Chances::default();
        chances.add(&setup, Seat(seat), &plies);
        [chances.wins, chances.won, chances.threats, chances.stopped]
    }

    #[test]
    fn moves_that_win_and_moves_that_keep_from_losing_are_counted() {
        // White has 0 1 and 1 1: it wins with 2 0 or 2 1.
        assert_eq!(found(0, &["0 1", "0 2", "1 1", "1 2", "2 1"]), [1, 1, 0, 0], "it won");
        assert_eq!(found(0, &["0 1", "0 2", "1 1", "1 2", "0 0", "2 0", "2 1"]), [2, 1, 0, 0], "at last");
        // Where the opponent has two ways to win, one move does not help.
        assert_eq!(found(1, &["0 1", "0 2", "1 1", "1 2", "2 1"]), [0, 0, 0, 0]);
        // With 2 0 taken, only 2 1 is left.
        assert_eq!(found(1, &["0 1", "2 0", "1 1", "0 2", "2 1"]), [0, 0, 1, 0], "it did not look");
        assert_eq!(found(1, &["0 1", "2 0", "1 1", "2 1"]), [0, 0, 1, 1], "it stopped that");
    }

    #[test]
    fn nothing_is_said_where_no_move_decided() {
        assert_eq!(Chances::default().remark(), None);
        let some = Chances { wins: 2, won: 1, threats: 3, stopped: 3 };
        assert_eq!(
            some.remark().unwrap(),
            "where one move won, it made it in 1 of 2 positions; where one move kept it from losing, it made it in 3 of 3 positions"
        );
    }
}

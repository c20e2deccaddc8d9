//! What whole games show of a bot's time and memory.

use std::time::Duration;

use serde::Serialize;

use crate::game::Seat;
use crate::record::text::seconds;
use crate::referee::Played;

/// What its games have shown of a bot.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figures {
    /// The games that count.
    pub games: usize,
    /// How many of them it has won.
    pub won: usize,
    /// How many moves it has made.
    pub moves: usize,
    /// The longest move, in seconds.
    pub longest: f64,
    /// The most time that it used in one game, in seconds.
    pub most_used: f64,
    /// What it had for a game, in seconds.
    pub budget: f64,
    /// The most memory that was seen, in bytes.
    pub peak: u64,
    /// The longest time of each move of its own, over all games, in seconds.
    pub by_move: Vec<f64>,
}

impl Figures {
    /// Adds a game in which the bot had this seat.
    pub fn add(&mut self, played: &Played, seat: Seat) {
        if !played.verdict.counts() {
            return;
        }
        self.games += 1;
        self.won += usize::from(played.verdict.winner == Some(seat));
        self.peak = self.peak.max(played.seats[seat.index()].usage.map_or(0, |usage| usage.peak));
        self.most_used = self.most_used.max(played.seats[seat.index()].used.as_secs_f64());
        let seats = played.seats.len();
        // Players that leave, or cannot move, shift the order: the time of a move is then somebody else's, so those games are not plotted.
        let in_order = played.verdict.losses.is_empty() && seats == 2;
        let own = played.plies.iter().skip(seat.index()).step_by(seats).filter(|_| in_order);
        for (number, ply) in own.enumerate() {
            let taken = ply.taken().as_secs_f64();
            self.moves += 1;
            self.longest = self.longest.max(taken);
            if self.by_move.len() <= number {
                self.by_move.push(0.0);
            }
            self.by_move[number] = self.by_move[number].max(taken);
        }
    }

    /// A small plot: the longest time of each move, by its number.
    pub fn plot(&self) -> String {
        const ROWS: usize = 6;
        const WIDTH: usize = 40;
        let longest = self.longest.max(1e-6);
        let each = self.by_move.len().div_ceil(ROWS).max(1);
        let bins = self.by_move.chunks(each).map(|times| times.iter().copied().fold(0.0, f64::max));
        let row = |(row, time): (usize, f64)| {
            let first = row * each;
            let bar = "█".repeat(((time / longest * WIDTH as f64).round() as usize).max(1));
            let last = (first + each).min(self.by_move.len());
            format!(
                "  moves {:>3} to {last:>3}  {bar} {}\n",
                first + 1,
                seconds(Duration::from_secs_f64(time))
            )
        };
        bins.enumerate().map(row).collect()
    }
}

//! Sets of players.

use std::fmt;
use std::str::FromStr;

use super::star::Player;
use crate::game::Seat;

/// Those who play, at least one. It is written as the digits of their numbers, such as `14`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Players(u8);

impl Players {
    /// The usual ones where so many play: sitting as evenly around the board as can be.
    pub fn usual(count: u8) -> Option<Players> {
        let digits = match count {
            1 => "1",
            2 => "14",
            3 => "135",
            4 => "1245",
            5 => "12345",
            6 => "123456",
            _ => return None,
        };
        digits.parse().ok()
    }

    /// These players, if there are any.
    pub fn of(players: impl IntoIterator<Item = Player>) -> Option<Players> {
        let bits = players.into_iter().fold(0, |bits, player| bits | 1 << player.index());
        (bits != 0).then_some(Players(bits))
    }

    /// How many they are.
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether a player is among them.
    pub fn contains(self, player: Player) -> bool {
        self.0 >> player.index() & 1 == 1
    }

    /// The players in order of play.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Player> {
        Player::ALL.into_iter().filter(move |&player| self.contains(player))
    }

    /// The player at a seat.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn at(self, seat: Seat) -> Player {
        self.iter().nth(seat.index()).expect("a seat of this game")
    }

    /// The seat of a player, if it is among them.
    pub fn seat(self, player: Player) -> Option<Seat> {
        (0..).map(Seat).zip(self.iter()).find(|&(_, other)| other == player).map(|(seat, _)| seat)
    }
}

impl fmt::Display for Players {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|player| write!(f, "{player}"))
    }
}

impl FromStr for Players {
    type Err = String;

    fn from_str(digits: &str) -> Result<Players, String> {
        let refuse =
            || format!("'{digits}' does not name players: write the digits of those who play, such as 14");
        let number = |digit: char| digit.to_digit(10).and_then(|number| Player::new(number as u8));
        let players: Option<Vec<Player>> = digits.chars().map(number).collect();
        let players = players.ok_or_else(refuse)?;
        let set = Players::of(players.iter().copied()).ok_or_else(refuse)?;
        if set.count() == players.len() { Ok(set) } else { Err(refuse()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_written_as_digits() {
        for count in 1..=6 {
            let players = Players::usual(count).unwrap();
            assert_eq!(players.count(), usize::from(count));
            assert_eq!(players.to_string().parse(), Ok(players));
        }
        assert_eq!("41".parse(), Ok(Players::usual(2).unwrap()));
        assert_eq!((Players::usual(0), Players::usual(7)), (None, None));
        for text in ["", "0", "17", "11", "x", "1 4", "-1", "１"] {
            assert!(text.parse::<Players>().is_err(), "{text}");
        }
    }

    #[test]
    fn seats_are_in_order_of_play() {
        let players = Players::usual(3).unwrap();
        assert_eq!(players.at(Seat(2)).number(), 5);
        assert_eq!(players.seat(Player::ALL[4]), Some(Seat(2)));
        assert_eq!(players.seat(Player::ALL[3]), None);
    }
}

//! Bots that lose by the same fault whatever they play: more games would say nothing more.

use std::collections::BTreeSet;

use crate::game::Seat;
use crate::record::{Reason, Summary};

/// A bot that has lost all of its games by the same fault, from more than one seat, and that fault.
pub fn always_fails(games: &[Summary]) -> Option<(&str, Reason)> {
    let bots: BTreeSet<&str> =
        games.iter().flat_map(|game| game.seats.iter().map(|seat| seat.bot.as_str())).collect();
    bots.into_iter().find_map(|bot| {
        let seats =
            games.iter().flat_map(|game| (0..).map(Seat).zip(&game.seats).map(move |seat| (game, seat)));
        let own = seats.filter(|(_, (_, played))| played.bot == bot);
        let own: Vec<(Seat, Option<Reason>)> =
            own.map(|(game, (seat, _))| (seat, game.verdict.forfeit(seat))).collect();
        let (first_seat, reason) = *own.first()?;
        let is_same = own.iter().all(|(_, other)| *other == reason);
        let is_elsewhere = own.iter().any(|(seat, _)| *seat != first_seat);
        reason.filter(|_| is_same && is_elsewhere).map(|reason| (bot, reason))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::summary::{KnownGame, Moment, MoveDigest, SeatSummary};
    use crate::record::{Fault, Loss, Terms, Verdict};

    fn game(bots: [&str; 2], loser: u8, fault: Option<Fault>) -> Summary {
        let seat = |bot: &str| SeatSummary { bot: bot.into(), ..SeatSummary::default() };
        let reason = fault.as_ref().map_or(Reason::Resigned, Fault::reason);
        let loss = Loss::new(Seat(loser), None, fault.unwrap_or(Fault::Told { what: String::new(), reason }));
        Summary {
            format: 4,
            game: KnownGame::named("hex"),
            number: 1,
            round: 1,
            leg: Some(1),
            generation: 1,
            attempt: 1,
            seats: bots.map(seat).into(),
            clock: Terms::default().game_clock().into(),
            swapped: false,
            verdict: Verdict::by_loss(loss).into(),
            moves: MoveDigest { plies: 0, hash: 0 },
            warnings: Box::default(),
            started: Moment::UNKNOWN,
            took: None,
            linked: None,
        }
    }

    #[test]
    fn one_fault_from_both_seats_is_enough_and_anything_else_is_not() {
        let crash = || Some(Fault::Crashed { exit: None });
        let illegal = || Some(Fault::IllegalMove { said: String::new(), why: String::new() });
        let (first, second) = (["ana", "beto"], ["beto", "ana"]);
        assert_eq!(always_fails(&[]), None);
        assert_eq!(always_fails(&[game(first, 0, crash())]), None, "one seat only");
        let both = [game(first, 0, crash()), game(second, 1, crash())];
        assert_eq!(always_fails(&both), Some(("ana", Reason::Crashed)));
        assert_eq!(always_fails(&[game(first, 0, crash()), game(second, 1, illegal())]), None);
        assert_eq!(always_fails(&[game(first, 0, crash()), game(second, 0, crash())]), None, "each once");
        assert_eq!(always_fails(&[game(first, 0, None), game(second, 1, None)]), None, "it resigns");
    }
}

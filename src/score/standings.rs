//! The table of a championship: a pure fold of its games.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::bradley_terry::bradley_terry;
use super::cross_table::CrossTable;
use super::kinds::Kinds;
use super::tie_breaks::merits;
use crate::game::Seat;
use crate::record::verdict::GameResult;
use crate::record::{Clock, Identity, Summary};

/// One bot's place in the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Standing {
    /// Its rank, from 1; bots that are equal in everything that ranks them share it.
    pub rank: usize,
    /// Its name.
    pub bot: String,
    /// 1 for each opponent of a game that it beat, ½ for each that it shared a place with, and what byes give.
    pub points: f64,
    /// Rounds without an opponent.
    pub byes: u32,
    /// Games that counted.
    pub played: u32,
    /// Games in which it came first, alone.
    pub wins: u32,
    /// Games in which it shared the first place.
    pub draws: u32,
    /// Games in which it came in behind others.
    pub losses: u32,
    /// How often it came first, second and so on, shared places included.
    pub places: Vec<u32>,
    /// Games that it lost by a fault, not on the board.
    pub forfeits: u32,
    /// Its rating, relative to the mean of all.
    pub elo: f64,
    /// Half the width of the rating's 95 % interval.
    pub elo_error: f64,
    /// Games lost by a fault, by reason.
    pub faults: BTreeMap<String, u32>,
    /// Clock time used, in nanoseconds.
    pub used_ns: u64,
    /// The games of each version of its program. Those of which that is not known are not among them.
    #[serde(skip_serializing_if = "Kinds::is_uniform")]
    pub versions: Kinds<Identity>,
    /// The games with each clock.
    #[serde(skip_serializing_if = "Kinds::is_uniform")]
    pub clocks: Kinds<Clock>,
}

/// What ranks bots first of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// Points.
    Points,
    /// Points in proportion to games.
    Share,
}

/// A round that a bot spent without an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bye {
    /// The bot's index.
    pub bot: usize,
    /// What it is worth.
    pub half_points: u32,
}

/// The whole table.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// In order of rank, bots of the same rank by name.
    pub rows: Vec<Standing>,
    /// For each row and each other row in order of rank: half points against it, where they have met.
    pub cross: Vec<Vec<Option<u32>>>,
    /// The games with each clock.
    pub clocks: Kinds<Clock>,
}

impl Standings {
    /// Adds up the games that count. Games with bots that are not listed are passed over.
    pub fn fold(bots: &[String], games: &[Summary], byes: &[Bye], ranking: Ranking) -> Standings {
        let count = bots.len();
        let index: HashMap<&str, usize> =
            bots.iter().enumerate().map(|(index, bot)| (bot.as_str(), index)).collect();
        let mut rows: Vec<Standing> =
            bots.iter().map(|bot| Standing { bot: bot.clone(), ..Standing::default() }).collect();
        let mut half_points = vec![0u32; count];
        let mut table = CrossTable::new(count);
        let mut clocks = Kinds::default();
        for game in games.iter().filter(|game| game.verdict.counts()) {
            let seats: Option<Vec<usize>> =
                game.seats.iter().map(|seat| index.get(seat.bot.as_str()).copied()).collect();
            let Some(seats) = seats else { continue };
            clocks.add(*game.clock);
            for (seat, &own) in (0..).map(Seat).zip(&seats) {
                for (other_seat, &other) in (0..).map(Seat).zip(&seats).filter(|&(other, _)| other != seat) {
                    let half = game.verdict.against(seat, other_seat);
                    half_points[own] += half;
                    table.add(own, other, half);
                }
                rows[own].add(game, seat);
            }
        }
        for bye in byes {
            half_points[bye.bot] += bye.half_points;
            rows[bye.bot].byes += 1;
        }
        for (row, rating) in rows.iter_mut().zip(bradley_terry(count, &table.encounters())) {
            (row.elo, row.elo_error) = (rating.elo, rating.error);
        }
        for (row, half) in rows.iter_mut().zip(&half_points) {
            row.points = f64::from(*half) / 2.0;
        }
        let score = |(row, &half): (&Standing, &u32)| match ranking {
            Ranking::Points => u64::from(half),
            Ranking::Share => u64::from(half) * 1_000_000_000 / u64::from(row.played.max(1)),
        };
        let score: Vec<u64> = rows.iter().zip(&half_points).map(score).collect();
        let merits = merits(&table, &score, &half_points);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&one, &other| merits[one].cmp(&merits[other]).then(bots[one].cmp(&bots[other])));
        let rank = |bot: usize| 1 + merits.iter().filter(|merit| **merit < merits[bot]).count();
        let row = |&one: &usize| order.iter().map(|&other| table.if_met(one, other)).collect();
        Standings {
            rows: order.iter().map(|&bot| Standing { rank: rank(bot), ..rows[bot].clone() }).collect(),
            cross: order.iter().map(row).collect(),
            clocks,
        }
    }
}

impl Standing {
    /// Counts a game that the bot played at this seat.
    fn add(&mut self, game: &Summary, seat: Seat) {
        let verdict = &game.verdict;
        self.played += 1;
        let own = &game.seats[seat.index()];
        self.used_ns += own.used_ns;
        own.identity.iter().for_each(|version| self.versions.add(**version));
        self.clocks.add(*game.clock);
        match verdict.result(seat) {
            GameResult::Won => self.wins += 1,
            GameResult::Drawn => self.draws += 1,
            GameResult::Lost => self.losses += 1,
        }
        self.places.resize(self.places.len().max(game.seats.len()), 0);
        if let Some(times) = verdict.place(seat).and_then(|place| self.places.get_mut(usize::from(place) - 1))
        {
            *times += 1;
        }
        if let Some(fault) = verdict.forfeit(seat) {
            self.forfeits += 1;
            *self.faults.entry(fault.to_string()).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::summary::{KnownGame, Moment, MoveDigest, SeatSummary};
    use crate::record::{Fault, Loss, Reason, Terms, Verdict};

    fn game(bots: &[&str], verdict: Verdict) -> Summary {
        let seat = |&bot: &&str| SeatSummary {
            bot: bot.into(),
            used_ns: bot.len() as u64,
            ..SeatSummary::default()
        };
        Summary {
            format: 2,
            game: KnownGame::named("hex"),
            number: 1,
            round: 1,
            leg: Some(1),
            generation: 1,
            attempt: 1,
            seats: bots.iter().map(seat).collect(),
            clock: Terms::default().game_clock().into(),
            swapped: false,
            verdict: verdict.into(),
            moves: MoveDigest { plies: 3, hash: 0 },
            warnings: Box::default(),
            started: Moment::UNKNOWN,
            took: None,
            linked: None,
        }
    }

    fn placed(places: &[u8], reason: &str, losses: Vec<Loss>) -> Verdict {
        let first: Vec<usize> = (0..places.len()).filter(|&seat| places[seat] == 1).collect();
        let winner = if let [only] = first[..] { Some(Seat(only as u8)) } else { None };
        let (places, reason) = (places.into(), Reason::named(reason).unwrap());
        Verdict { winner, places, reason, sentence: String::new(), losses, hints: Vec::new() }
    }

    fn won(white: &str, black: &str, winner: u8) -> Summary {
        let places = if winner == 0 { [1, 2] } else { [2, 1] };
        game(&[white, black], placed(&places, "connected", Vec::new()))
    }

    fn loss(seat: u8, reason: &str) -> Loss {
        let fault = Fault::Told { what: String::new(), reason: Reason::named(reason).unwrap() };
        Loss::new(Seat(seat), None, fault)
    }

    fn table(bots: &[&str], games: &[Summary]) -> Standings {
        let bots: Vec<String> = bots.iter().map(|&bot| bot.to_owned()).collect();
        Standings::fold(&bots, games, &[], Ranking::Points)
    }

    fn ranks(bots: &[&str], games: &[Summary]) -> Vec<(usize, String)> {
        table(bots, games).rows.into_iter().map(|row| (row.rank, row.bot)).collect()
    }

    fn expect(found: Vec<(usize, String)>, expected: &[(usize, &str)]) {
        let found: Vec<(usize, &str)> = found.iter().map(|(rank, bot)| (*rank, bot.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn ties_are_broken_head_to_head_then_by_the_opponents() {
        // c and b have two points each; c has beaten b.
        let games =
            [won("c", "b", 0), won("b", "a", 0), won("b", "a", 0), won("a", "c", 0), won("c", "a", 0)];
        expect(ranks(&["a", "b", "c"], &games), &[(1, "c"), (2, "b"), (3, "a")]);
        // a and b have not met; b's victim x has more points than a's victim y.
        let games = [won("b", "x", 0), won("a", "y", 0), won("x", "y", 0), won("x", "y", 0)];
        expect(ranks(&["a", "b", "x", "y"], &games), &[(1, "x"), (2, "b"), (3, "a"), (4, "y")]);
    }

    #[test]
    fn bots_that_are_equal_in_everything_share_a_rank_whatever_time_they_used() {
        let games = [won("best", "x", 0), won("best", "longer", 0), won("best", "y", 0)];
        expect(
            ranks(&["y", "longer", "best", "x"], &games),
            &[(1, "best"), (2, "longer"), (2, "x"), (2, "y")],
        );
        let games = [won("a", "b", 0), won("b", "a", 0), won("a", "z", 0), won("b", "z", 0)];
        expect(ranks(&["b", "a", "z"], &games), &[(1, "a"), (1, "b"), (3, "z")]);
        expect(ranks(&["b", "a"], &[]), &[(1, "a"), (1, "b")]);
    }

    #[test]
    fn what_does_not_count_is_not_counted() {
        let games = [
            game(&["a", "b"], placed(&[1, 1], "aborted", Vec::new())),
            game(
                &["a", "b"],
                placed(
                    &[1, 1],
                    "failed-to-start",
                    vec![loss(0, "failed-to-start"), loss(1, "failed-to-start")],
                ),
            ),
            game(&["a", "b"], placed(&[2, 1], "timeout", vec![loss(0, "timeout")])),
            won("a", "gone", 0),
        ];
        let standings = table(&["a", "b"], &games);
        let [b, a] = &standings.rows[..] else { panic!() };
        assert_eq!((b.bot.as_str(), b.points, b.wins, b.losses, b.forfeits), ("b", 1.0, 1, 1, 1));
        assert_eq!((a.points, a.played, a.losses, a.forfeits), (0.0, 2, 2, 2));
        assert_eq!(a.faults.get("timeout"), Some(&1));
        assert_eq!(standings.cross, [[None, Some(2)], [Some(0), None]]);
    }

    #[test]
    fn places_are_counted_and_reasons_of_the_rules_are_no_faults() {
        let games = [
            game(&["a", "b", "c"], placed(&[1, 2, 3], "occupied", Vec::new())),
            game(&["b", "c", "a"], placed(&[2, 3, 1], "occupied", vec![loss(1, "crashed")])),
        ];
        let rows = table(&["a", "b", "c"], &games).rows;
        let places: Vec<&[u32]> = rows.iter().map(|row| &row.places[..]).collect();
        assert_eq!(places, [[2, 0, 0], [0, 2, 0], [0, 0, 2]]);
        assert!(rows[1].faults.is_empty());
        assert_eq!(rows[2].faults, BTreeMap::from([("crashed".to_owned(), 1)]));
        assert_eq!((rows[0].points, rows[1].points, rows[2].points), (4.0, 2.0, 0.0));
    }

    #[test]
    fn byes_give_points_and_are_shown() {
        let bots = ["a".to_owned(), "b".to_owned()];
        let standings = Standings::fold(&bots, &[], &[Bye { bot: 1, half_points: 4 }], Ranking::Points);
        assert_eq!(
            (standings.rows[0].bot.as_str(), standings.rows[0].points, standings.rows[0].byes),
            ("b", 2.0, 1)
        );
    }
}

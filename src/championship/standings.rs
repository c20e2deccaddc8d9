//! The table of a championship: a pure fold of its games.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::rating::{self, Encounter};
use super::schedule::{BYE_HALF_POINTS, Score};
use crate::game::Seat;
use crate::record::summary::Summary;
use crate::referee::verdict::GameResult;

/// One program's place in the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Standing {
    /// Its place, from 1.
    pub rank: usize,
    /// Its name.
    pub bot: String,
    /// 1 for each opponent of a game who was beaten, ½ for each with whom a place was shared.
    pub points: f64,
    /// Games that counted.
    pub played: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games lost by a fault of the program, not on the board.
    pub forfeits: u32,
    /// Its rating, relative to the mean of all.
    pub elo: f64,
    /// Half the width of the rating's 95 % interval.
    pub elo_error: f64,
    /// Games lost, by reason.
    pub lost_by: BTreeMap<String, u32>,
    /// Clock time used, in nanoseconds.
    pub used_ns: u64,
}

/// What puts one before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Points.
    Points,
    /// Points in proportion to games.
    Share,
}

/// The whole table.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// In order of rank.
    pub rows: Vec<Standing>,
    /// For each row and each other row in order of rank: half points against it, where they have met.
    pub cross: Vec<Vec<Option<u32>>>,
}

/// The games of two programs that are in the roster and that count, with indices instead of names.
pub fn scores(bots: &[String], games: &[Summary]) -> Vec<Score> {
    let index: HashMap<&str, usize> =
        bots.iter().enumerate().map(|(index, bot)| (bot.as_str(), index)).collect();
    let score = |game: &Summary| {
        let seat = |seat| index.get(game.bot(seat)).copied();
        let half = |seat| game.verdict.half_points(seat);
        let (first, second) = (Seat(0), Seat(1));
        (game.verdict.counts() && game.seats.len() == 2).then_some(Score {
            round: game.round,
            seats: [seat(first)?, seat(second)?],
            half_points: [half(first), half(second)],
        })
    };
    games.iter().filter_map(score).collect()
}

impl Standings {
    /// Adds up the games. `byes` are rounds that somebody spent without an opponent, by index.
    pub fn fold(bots: &[String], games: &[Summary], byes: &[(u32, usize)], order: Order) -> Standings {
        let count = bots.len();
        let index: HashMap<&str, usize> =
            bots.iter().enumerate().map(|(index, bot)| (bot.as_str(), index)).collect();
        let mut rows: Vec<Standing> =
            bots.iter().map(|bot| Standing { bot: bot.clone(), ..Standing::default() }).collect();
        let mut half_points = vec![0u32; count];
        // Half points and games of each against each.
        let mut met = vec![(0u32, 0u32); count * count];
        for game in games.iter().filter(|game| game.verdict.counts()) {
            let seats: Vec<usize> =
                game.seats.iter().filter_map(|seat| index.get(seat.bot.as_str()).copied()).collect();
            if seats.len() < game.seats.len() {
                continue;
            }
            let verdict = &game.verdict;
            for (seat, &own) in (0..).map(Seat).zip(&seats) {
                for (other_seat, &other) in (0..).map(Seat).zip(&seats).filter(|&(other, _)| other != seat) {
                    let half = verdict.against(seat, other_seat);
                    half_points[own] += half;
                    let entry = &mut met[own * count + other];
                    *entry = (entry.0 + half, entry.1 + 1);
                }
                let row = &mut rows[own];
                row.played += 1;
                row.used_ns += game.seats[seat.index()].used_ns;
                match verdict.result(seat) {
                    GameResult::Won => row.wins += 1,
                    GameResult::Drawn => row.draws += 1,
                    GameResult::Lost => {
                        row.losses += 1;
                        let fault = verdict.forfeit(seat);
                        row.forfeits += u32::from(fault.is_some());
                        *row.lost_by.entry(fault.unwrap_or(verdict.reason).to_string()).or_default() += 1;
                    }
                }
            }
        }
        for &(_, bot) in byes {
            half_points[bot] += BYE_HALF_POINTS;
        }
        let encounters = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        let encounters: Vec<Encounter> = encounters
            .map(|(one, other)| Encounter {
                one,
                other,
                // A game that neither could begin has no points at all, and says nothing of strength.
                half_points: [met[one * count + other].0, met[other * count + one].0],
            })
            .filter(|encounter| encounter.half_points != [0, 0])
            .collect();
        for (row, rating) in rows.iter_mut().zip(rating::bradley_terry(count, &encounters)) {
            (row.elo, row.elo_error) = (rating.elo, rating.error);
        }
        for (row, half) in rows.iter_mut().zip(&half_points) {
            row.points = f64::from(*half) / 2.0;
        }

        let against = |one: usize, other: usize| met[one * count + other].0;
        let direct = |bot: usize| -> u32 {
            (0..count)
                .filter(|&other| half_points[other] == half_points[bot])
                .map(|other| against(bot, other))
                .sum()
        };
        let berger = |bot: usize| -> u64 {
            (0..count).map(|other| u64::from(against(bot, other)) * u64::from(half_points[other])).sum()
        };
        let first = |bot: usize| match order {
            Order::Points => u64::from(half_points[bot]),
            Order::Share => u64::from(half_points[bot]) * 1_000_000_000 / u64::from(rows[bot].played.max(1)),
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_cached_key(|&bot| {
            let (direct, berger) = (Reverse(direct(bot)), Reverse(berger(bot)));
            (Reverse(first(bot)), direct, berger, rows[bot].used_ns, rows[bot].bot.clone())
        });
        let cross = order
            .iter()
            .map(|&one| {
                let cell = |&other: &usize| {
                    Some(met[one * count + other]).filter(|entry| entry.1 > 0).map(|entry| entry.0)
                };
                order.iter().map(cell).collect()
            })
            .collect();
        let rows = order.iter().zip(1..).map(|(&bot, rank)| Standing { rank, ..rows[bot].clone() }).collect();
        Standings { rows, cross }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SeatRecord;
    use crate::record::summary::MoveDigest;
    use crate::referee::verdict::Verdict;

    fn game(white: &str, black: &str, winner: Option<u8>, reason: &str, used: [u64; 2]) -> Summary {
        let seat = |bot: &str, used_ns| SeatRecord {
            bot: bot.into(),
            command: String::new(),
            used_ns,
            cpu_ns: 0,
            peak: 0,
        };
        Summary {
            id: 1,
            round: 1,
            seats: vec![seat(white, used[0]), seat(black, used[1])],
            swapped: false,
            verdict: Verdict {
                winner: winner.map(Seat),
                ..Verdict::new(reason.parse().unwrap(), String::new())
            },
            moves: MoveDigest { plies: 3, hash: 0 },
            warnings: Vec::new(),
        }
    }

    fn won(white: &str, black: &str, winner: u8) -> Summary {
        game(white, black, Some(winner), "connected", [1, 1])
    }

    fn ranks(bots: &[&str], games: &[Summary]) -> Vec<String> {
        let bots: Vec<String> = bots.iter().map(|&bot| bot.to_owned()).collect();
        Standings::fold(&bots, games, &[], Order::Points).rows.into_iter().map(|row| row.bot).collect()
    }

    #[test]
    fn ties_are_broken_head_to_head_then_by_the_opponents_then_by_time_then_by_name() {
        // c and b have two points each; c has beaten b.
        let games =
            [won("c", "b", 0), won("b", "a", 0), won("b", "a", 0), won("a", "c", 0), won("c", "a", 0)];
        assert_eq!(ranks(&["a", "b", "c"], &games), ["c", "b", "a"]);
        // a and b have not met; b's victim x has more points than a's victim y.
        let games = [won("b", "x", 0), won("a", "y", 0), won("x", "y", 0), won("x", "y", 0)];
        assert_eq!(ranks(&["a", "b", "x", "y"], &games), ["x", "b", "a", "y"]);
        let games =
            [game("a", "x", Some(0), "connected", [9, 1]), game("b", "x", Some(0), "connected", [5, 1])];
        assert_eq!(ranks(&["a", "b", "x"], &games), ["b", "a", "x"]);
        assert_eq!(ranks(&["b", "a"], &[]), ["a", "b"]);
    }

    #[test]
    fn what_does_not_count_is_not_counted() {
        let games = [
            game("a", "b", None, "aborted", [1, 1]),
            game("a", "b", None, "failed-to-start", [0, 0]),
            game("a", "b", Some(1), "timeout", [1, 1]),
            game("a", "gone", Some(0), "connected", [1, 1]),
        ];
        let standings = Standings::fold(&["a".into(), "b".into()], &games, &[], Order::Points);
        let [b, a] = &standings.rows[..] else { panic!() };
        assert_eq!((b.bot.as_str(), b.points, b.wins, b.losses, b.forfeits), ("b", 1.0, 1, 1, 1));
        assert_eq!((a.points, a.played, a.losses, a.forfeits), (0.0, 2, 2, 2));
        assert_eq!(a.lost_by.get("timeout"), Some(&1));
        assert_eq!(standings.cross, [[None, Some(2)], [Some(0), None]]);
    }
}

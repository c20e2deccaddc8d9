//! The reference player of Okupació: random moves, the most cells at once, and a search in which all others are against it.

mod search;

use std::time::Instant;

use super::limit::{Limit, OwnClock};
use super::{Level, Player};
use crate::game::okupacio::map::Cell;
use crate::game::okupacio::{Action, Okupacio};
use crate::game::{Game, Seat};

use search::Search;

/// A player of Okupació.
pub struct Engine {
    level: Level,
    rng: fastrand::Rng,
    opening: Vec<String>,
    clock: OwnClock,
}

/// What a level may spend on a move, time apart.
struct Effort {
    /// How many actions it looks ahead, the last reply to them not counted.
    depth: u8,
    /// Of how many moves in a position it looks at the replies.
    width: usize,
    /// Positions that it looks at.
    positions: u64,
}

impl Effort {
    fn of(level: Level) -> Effort {
        let (depth, width, positions) = match level {
            Level::Random | Level::Greedy => (0, 0, 0),
            Level::Easy => (1, usize::MAX, u64::MAX),
            Level::Medium => (2, 16, u64::MAX),
            Level::Hard => (4, 12, 20_000),
            Level::Max => (u8::MAX, 16, u64::MAX),
        };
        Effort { depth, width, positions }
    }
}

impl Engine {
    /// A player of this level; the seed decides among equal moves.
    pub fn new(level: Level, seed: u64) -> Engine {
        let rng = fastrand::Rng::with_seed(seed);
        Engine { level, rng, opening: Vec::new(), clock: OwnClock::default() }
    }

    /// The same player, with a clock.
    pub fn with_clock(mut self, clock: OwnClock) -> Engine {
        self.clock = clock;
        self
    }

    /// The same player, who begins with the given moves, of all players in turn and with commas between them, as long as they
    /// are legal.
    pub fn with_opening(mut self, opening: &str) -> Engine {
        self.opening = opening.split(',').map(|mv| mv.trim().to_owned()).collect();
        self
    }

    /// What to do in a game that is not over: never to abandon it.
    fn choose(&mut self, game: &Okupacio) -> Action {
        let given = self.opening.get(usize::from(game.plies())).and_then(|text| game.read(text).ok());
        if let Some(given) = given {
            return given;
        }
        let mut cells: Vec<Cell> = game.free_cells().collect();
        match self.level {
            Level::Random => {}
            Level::Greedy => {
                let value = |&cell: &Cell| {
                    let haul = Haul::of(game, game.turn(), cell);
                    (haul.gained, haul.taken())
                };
                let best = cells.iter().map(value).max();
                cells.retain(|cell| Some(value(cell)) == best);
            }
            _ => cells = self.think(game),
        }
        Action::Occupy(self.rng.choice(cells).expect("a game that is not over has a free cell"))
    }

    /// The best moves that a search of this level finds.
    fn think(&mut self, game: &Okupacio) -> Vec<Cell> {
        let own_moves = u32::from(game.free()).div_ceil(game.playing().count() as u32);
        let effort = Effort::of(self.level);
        let limit = Limit::new(effort.positions, Instant::now() + self.clock.allowance(own_moves));
        Search::new(game.turn(), effort.width, limit).best(game, effort.depth)
    }
}

impl Player<Okupacio> for Engine {
    fn make_move(&mut self, game: &mut Okupacio) {
        let begun = Instant::now();
        let action = self.choose(game);
        game.act_and_exclude(action);
        self.clock.charge(begun.elapsed());
    }
}

/// What a move brings at once.
struct Haul {
    gained: i32,
    /// Those who lose a cell by it.
    losers: [Option<Seat>; 4],
}

impl Haul {
    fn of(game: &Okupacio, mover: Seat, cell: Cell) -> Haul {
        let mut haul = Haul { gained: 1, losers: [None; 4] };
        for (next, loser) in game.map().neighbours(cell).zip(&mut haul.losers) {
            if game.takes(mover, cell, next) {
                haul.gained += 1;
                *loser = game.owner(next);
            }
        }
        haul
    }

    fn taken(&self) -> i32 {
        self.losers.iter().flatten().count() as i32
    }

    fn taken_from(&self, seat: Seat) -> i32 {
        self.losers.iter().filter(|&&loser| loser == Some(seat)).count() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::okupacio::map::Map;

    /// Plays a game between players of these levels and returns who won.
    fn play(map: &Map, levels: &[Level], seed: u64) -> Seat {
        let mut game = Okupacio::new(map.clone(), levels.len() as u8);
        let mut engines: Vec<Engine> =
            (seed..).zip(levels).map(|(seed, &level)| Engine::new(level, seed)).collect();
        while !game.is_over() {
            engines[game.turn().index()].make_move(&mut game);
        }
        game.outcome().and_then(|outcome| outcome.winner).expect("somebody always wins")
    }

    /// A board with some walls.
    fn board(size: u8, rng: &mut fastrand::Rng) -> Map {
        let cells = usize::from(size) * usize::from(size);
        let walls: String = (0..cells).map(|_| if rng.u8(..8) == 0 { "0 1 " } else { "1 0 " }).collect();
        format!("{size} {size} {walls}").parse().unwrap()
    }

    /// How many of so many games one level wins against others, sitting at each place in turn.
    fn wins(level: Level, other: Level, seats: usize, games: usize) -> usize {
        let mut rng = fastrand::Rng::with_seed(1);
        let won = |number: usize| {
            let mut levels = vec![other; seats];
            levels[number % seats] = level;
            let seat = play(&board(8, &mut rng), &levels, 100 * number as u64);
            seat.index() == number % seats
        };
        (0..games).map(won).filter(|&won| won).count()
    }

    #[test]
    fn each_level_beats_the_one_before() {
        for (pair, games, least) in [
            ([Level::Greedy, Level::Random], 40, 36),
            ([Level::Easy, Level::Greedy], 200, 105),
            ([Level::Medium, Level::Easy], 30, 20),
            ([Level::Hard, Level::Medium], 20, 12),
        ] {
            let won = wins(pair[0], pair[1], 2, games);
            assert!(won >= least, "{} won {won} of {games} against {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn each_level_wins_more_than_its_share_among_four() {
        for (level, other) in [(Level::Greedy, Level::Random), (Level::Medium, Level::Greedy)] {
            let won = wins(level, other, 4, 80);
            assert!(won >= 25, "{level} won {won} of 80 against three of {other}");
        }
    }

    #[test]
    fn all_levels_play_in_every_corner_of_the_rules() {
        for board in ["1 1", "1 2", "1 25", "25 1", "2 2 1 1", "3 3 4 1", "4 4 2 1 1 1 3 2 5 1"] {
            let map: Map = board.parse().unwrap();
            for seats in [2, 3, 10] {
                for &level in &Level::ALL[..5] {
                    play(&map, &vec![level; seats], 7);
                }
            }
        }
    }

    #[test]
    fn a_clock_without_time_still_yields_a_move() {
        let clock = OwnClock::new(Some(std::time::Duration::from_millis(1)), std::time::Duration::ZERO);
        let mut game = Okupacio::new(Map::open(25), 3);
        let mut engine = Engine::new(Level::Max, 1).with_clock(clock);
        for _ in 0..30 {
            engine.make_move(&mut game);
        }
        assert_eq!(game.plies(), 30);
    }
}

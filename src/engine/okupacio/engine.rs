//! The reference player of Okupació: random moves, the most cells at once, and a search in which all others are against it.

use super::gain::Gain;
use super::search::Search;
use crate::engine::base::{Engine, EngineBase};
use crate::engine::level::Level;
use crate::engine::search_limit::SearchLimit;
use crate::engine::seating::{Arguments, EngineEntry, SeatError};
use crate::engine::wire::Seated;
use crate::game::okupacio::map::{Cell, MapError};
use crate::game::okupacio::{Action, MAX_PLAYERS, Okupacio, RULES, letter};
use crate::game::{Game, Seat};

/// Okupació in the table of engines.
pub const ENGINE: EngineEntry = EngineEntry {
    game: RULES.name,
    seat: |arguments, options| {
        let (seat, game) = player_and_board(arguments)?;
        let engine = options.apply(OkupacioEngine::new(options.level, options.seed));
        Ok(Box::new(Seated { game, engine, seat, debug: arguments.debug() }))
    },
};

/// Reads the arguments: the player's letter, the number of players and the file of the board.
fn player_and_board(arguments: Arguments<'_>) -> Result<(Seat, Okupacio), SeatError> {
    let [player, players, file] = arguments.words() else {
        return Err(SeatError::Arguments(
            "write the player's letter, the number of players and the file of the board: A 2 board.txt"
                .to_owned(),
        ));
    };
    let seats = players.parse().ok().filter(|seats| (2..=MAX_PLAYERS).contains(seats));
    let seats = seats.ok_or_else(|| {
        SeatError::Arguments(format!("there can be 2 to {MAX_PLAYERS} players, not '{players}'"))
    })?;
    let seat = (0..seats).map(Seat).find(|&seat| *player == letter(seat).to_string());
    let last = letter(Seat(seats - 1));
    let seat =
        seat.ok_or_else(|| SeatError::Arguments(format!("the players are A to {last}, not '{player}'")))?;
    let file = file.clone();
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(source) => return Err(SeatError::BoardFile { file, source }),
    };
    match text.parse() {
        Ok(map) => Ok((seat, Okupacio::new(map, seats))),
        Err(source) => Err(SeatError::Board { file, source: Box::<MapError>::new(source) }),
    }
}

/// A player of Okupació.
pub struct OkupacioEngine {
    base: EngineBase,
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

impl OkupacioEngine {
    /// A player of this level; the seed decides among equal moves.
    pub fn new(level: Level, seed: u64) -> OkupacioEngine {
        OkupacioEngine { base: EngineBase::new(level, seed) }
    }

    /// The best moves that a search of this level finds.
    fn think(&self, game: &Okupacio) -> Vec<Cell> {
        let own_moves = u32::from(game.free()).div_ceil(game.playing().count() as u32);
        let effort = Effort::of(self.base.level);
        let limit = SearchLimit::new(effort.positions, self.base.clock.deadline(own_moves));
        Search::new(game.turn(), effort.width, limit).best(game, effort.depth)
    }
}

impl Engine<Okupacio> for OkupacioEngine {
    fn base(&mut self) -> &mut EngineBase {
        &mut self.base
    }

    /// It never abandons the game.
    fn choose(&mut self, game: &Okupacio) -> Action {
        let mut cells: Vec<Cell> = game.free_cells().collect();
        match self.base.level {
            Level::Random => {}
            Level::Greedy => {
                let value = |&cell: &Cell| {
                    let gain = Gain::of(game, game.turn(), cell);
                    (gain.gained, gain.taken())
                };
                let best = cells.iter().map(value).max();
                cells.retain(|cell| Some(value(cell)) == best);
            }
            _ => cells = self.think(game),
        }
        Action::Occupy(self.base.rng.choice(cells).expect("a game that is not over has a free cell"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::clock::OwnClock;
    use crate::game::okupacio::map::Map;

    /// Plays a game between players of these levels and returns who won.
    fn play(map: &Map, levels: &[Level], seed: u64) -> Seat {
        let mut game = Okupacio::new(map.clone(), levels.len() as u8);
        let mut engines: Vec<OkupacioEngine> =
            (seed..).zip(levels).map(|(seed, &level)| OkupacioEngine::new(level, seed)).collect();
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
        let mut engine = OkupacioEngine::new(Level::Max, 1).with_clock(clock);
        for _ in 0..30 {
            engine.make_move(&mut game);
        }
        assert_eq!(game.plies(), 30);
    }
}

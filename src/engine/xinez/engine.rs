//! The reference player of Xadrez Xinez: random moves, the hand-out's robot, and one that looks ahead.

use super::robot::greedy;
use super::search::Search;
use crate::engine::base::{Engine, EngineBase};
use crate::engine::level::Level;
use crate::engine::search_limit::SearchLimit;
use crate::engine::seating::{Arguments, EngineEntry, SeatError};
use crate::engine::wire::Seated;
use crate::game::xinez::{Move, Players, RULES, Xinez};
use crate::game::{Game, Seat};

/// Xadrez Xinez in the table of engines.
pub const ENGINE: EngineEntry = EngineEntry {
    game: RULES.name,
    seat: |arguments, options| {
        let (seat, game) = followed_game(arguments)?;
        let engine = options.apply(XinezEngine::new(options.level, options.seed));
        Ok(Box::new(Seated { game, engine, seat, debug: arguments.debug() }))
    },
};

/// Reads the arguments: the player, the digits of all who play and the board's N.
fn followed_game(arguments: Arguments<'_>) -> Result<(Seat, Xinez), SeatError> {
    let refuse = || {
        let given = arguments.words().join(" ");
        SeatError::Arguments(format!(
            "write the player, the digits of all who play and N from 1 to 6, as in '4 14 4'; not '{given}'"
        ))
    };
    let [player, players, size] = arguments.words() else { return Err(refuse()) };
    let players: Players = players.parse().map_err(|_| refuse())?;
    let size = size.parse().ok().filter(|size| RULES.sizes.contains(size)).ok_or_else(refuse)?;
    let player = players.iter().find(|other| other.to_string() == *player);
    let seat = player.and_then(|player| players.seat(player)).ok_or_else(refuse)?;
    Ok((seat, Xinez::new(size, players).followed_by(seat)))
}

/// A player of Xadrez Xinez.
pub struct XinezEngine {
    base: EngineBase,
}

/// The most plies that any level looks ahead.
const DEEPEST: u32 = 24;
/// Rounds that a game lasts, for each N of the board: what the clock has to be enough for.
const ROUNDS_PER_SIZE: u32 = 12;
/// The fewest moves that are always expected to come.
const FEWEST_MOVES: u32 = 10;

impl XinezEngine {
    /// A player of this level; the seed is that of its dice.
    pub fn new(level: Level, seed: u64) -> XinezEngine {
        XinezEngine { base: EngineBase::new(level, seed) }
    }

    fn random(&mut self, game: &Xinez) -> Move {
        let moves: Vec<Move> = game.position().moves(game.player(game.turn())).collect();
        self.base.rng.choice(moves).expect(HAS_A_MOVE)
    }

    /// Looks so many plies ahead, if the clock allows it.
    fn think(&mut self, game: &Xinez, depth: u32) -> Move {
        let expected = ROUNDS_PER_SIZE * u32::from(game.position().star().size());
        let left = expected.saturating_sub(game.round().into()).max(FEWEST_MOVES);
        let limit = SearchLimit::new(u64::MAX, self.base.clock.deadline(left));
        Search::new(game, limit).best_move(depth, &mut self.base.rng).expect(HAS_A_MOVE)
    }
}

/// A player that cannot move has passed already.
const HAS_A_MOVE: &str = "the player whose turn it is has a move";

impl Engine<Xinez> for XinezEngine {
    fn base(&mut self) -> &mut EngineBase {
        &mut self.base
    }

    fn choose(&mut self, game: &Xinez) -> Move {
        match self.base.level {
            Level::Random => self.random(game),
            Level::Greedy => greedy(game),
            Level::Easy => self.think(game, 1),
            Level::Medium => self.think(game, 2),
            Level::Hard => self.think(game, 3),
            Level::Max => self.think(game, DEEPEST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::clock::OwnClock;
    use crate::game::xinez::{Player as Number, Players};
    use crate::game::{Ending, Outcome};

    /// Plays a game; the players have their levels in order of their seats.
    fn play(size: u8, levels: &[Level], seed: u64) -> (Outcome, u16) {
        let mut game = Xinez::new(size, Players::usual(levels.len() as u8).unwrap());
        let mut players: Vec<XinezEngine> =
            levels.iter().map(|&level| XinezEngine::new(level, seed)).collect();
        while game.outcome().is_none() {
            let mover = game.turn();
            players[mover.index()].make_move(&mut game);
        }
        (game.outcome().unwrap(), game.round())
    }

    #[test]
    fn whoever_looks_ahead_is_home_before_the_robot() {
        for size in 2..=4 {
            for levels in [[Level::Hard, Level::Greedy], [Level::Greedy, Level::Hard]] {
                let (outcome, round) = play(size, &levels, 1);
                let hard = levels.iter().position(|&level| level == Level::Hard);
                assert_eq!(outcome.ending, Ending::Home, "{levels:?} on {size}, round {round}");
                assert_eq!(
                    outcome.winner.map(|seat| seat.index()),
                    hard,
                    "{levels:?} on {size}, round {round}"
                );
            }
        }
    }

    /// How many of so many games one level wins against another, half of them at either seat; both games of a pair begin with the
    /// same two moves, which are drawn by lot.
    fn wins(level: Level, other: Level, size: u8, games: u64) -> usize {
        let hour = std::time::Duration::from_secs(3600);
        let won = |number: &u64| {
            let place = (number % 2) as usize;
            let player = |seat| {
                let level = if seat == place { level } else { other };
                XinezEngine::new(level, *number)
                    .with_clock(OwnClock::new(Some(hour), std::time::Duration::ZERO))
            };
            let mut players = [0, 1].map(player);
            let mut lots = XinezEngine::new(Level::Random, number / 2);
            let mut game = Xinez::new(size, Players::usual(2).unwrap());
            while game.outcome().is_none() {
                let player = if game.actions() < 2 { &mut lots } else { &mut players[game.turn().index()] };
                player.make_move(&mut game);
            }
            game.outcome().unwrap().winner.is_some_and(|winner| winner.index() == place)
        };
        (0..games).filter(won).count()
    }

    #[test]
    fn each_level_beats_the_one_before() {
        for (size, games, least) in [(2, 100, 58), (3, 60, 42)] {
            for pair in Level::ALL[..5].windows(2) {
                let won = wins(pair[1], pair[0], size, games);
                println!("{} won {won} of {games} against {} on {size}", pair[1], pair[0]);
                assert!(won >= least, "{} won {won} of {games} against {} on {size}", pair[1], pair[0]);
            }
        }
    }

    #[test]
    fn every_level_brings_its_pieces_home_alone() {
        for level in [Level::Easy, Level::Medium] {
            for size in 1..=4 {
                for number in [1, 2, 6] {
                    let mut game = Xinez::new(size, Players::of(Number::new(number)).unwrap());
                    let mut player = XinezEngine::new(level, 1);
                    while game.outcome().is_none() {
                        player.make_move(&mut game);
                    }
                    assert_eq!(game.outcome().unwrap().ending, Ending::Home, "{level} on {size}");
                }
            }
        }
    }

    #[test]
    fn every_level_plays_with_any_number_on_every_size() {
        for size in 1..=6 {
            for seats in 1..=6 {
                let mut game = Xinez::new(size, Players::usual(seats).unwrap());
                let mut players: Vec<XinezEngine> =
                    Level::ALL.iter().map(|&level| XinezEngine::new(level, 1)).collect();
                players[5] = XinezEngine::new(Level::Hard, 1);
                for ply in 0..12 {
                    if game.outcome().is_none() {
                        players[ply % 6].make_move(&mut game);
                    }
                }
            }
        }
    }

    #[test]
    fn a_given_opening_is_played() {
        let opening = ["3 8", "15 10", "4 2"];
        let mut player = XinezEngine::new(Level::Greedy, 1).with_opening("3 8, 15 10,4 2");
        let mut game = Xinez::new(2, Players::usual(2).unwrap());
        for expected in opening {
            player.make_move(&mut game);
            assert_eq!(game.last_move().unwrap().to_string(), expected);
        }
        let next = greedy(&game);
        player.make_move(&mut game);
        assert_eq!(game.last_move(), Some(next));
    }
}

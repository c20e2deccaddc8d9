//! The rules of Xadrez Xinez, and the game as the referee knows it.

use std::collections::{HashMap, VecDeque};

use super::cells::Cells;
use super::hints;
use super::players::Players;
use super::position::{Fault, Move, Position};
use super::star::{MAX_SIZE, Player};
use crate::game::grid::two_integers;
use crate::game::moves::Moves;
use crate::game::picture::{Choice, Layout, Mark};
use crate::game::{Board, Ending, Game, Hint, Outcome, Refusal, Rules, Seat};

/// Xadrez Xinez in the table of games.
pub const RULES: Rules = Rules {
    name: "xinez",
    title: "Xadrez Xinez",
    sizes: 1..=MAX_SIZE,
    default_size: 4,
    seats: 1..=6,
    default_seats: 2,
    start: |board| Ok(Box::new(Xinez::new(board.size, players_of(board)?))),
    board_texts: true,
    // The first move of one of fifteen pieces decides little.
    fair_openings: |board| {
        players_of(board).map_or_else(
            |_| Vec::new(),
            |players| {
                let position = Position::initial(board.size, players);
                position.moves(players.at(Seat(0))).map(|mv| mv.to_string()).collect()
            },
        )
    },
};

/// Those who play: the digits that are the board's own text, or else the usual ones.
fn players_of(board: &Board) -> Result<Players, String> {
    let text = board.text.trim();
    let players = match text {
        "" => Players::usual(board.seats),
        digits => Some(digits.parse()?),
    };
    let players: Option<Players> = players.filter(|players| players.count() == usize::from(board.seats));
    players.ok_or_else(|| format!("'{text}' does not name {} players", board.seats))
}

/// After so many rounds the game is over, whether anybody is home or not.
pub const ROUNDS: u16 = 500;
/// A position that comes up so often ends the game.
const REPETITIONS: u8 = 3;

/// What happened last.
#[derive(Clone, Copy)]
enum Action {
    Moved(Move),
    Withdrew,
}

/// All that makes a position the same as an earlier one.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Situation {
    pieces: [Cells; 6],
    turn: Seat,
    withdrawn: Vec<Seat>,
}

/// A game of Xadrez Xinez.
#[derive(Clone)]
pub struct Xinez {
    position: Position,
    players: Players,
    turn: Seat,
    /// From 1; everybody has one turn in a round.
    round: u16,
    /// In the order in which they left.
    withdrawn: Vec<Seat>,
    seen: HashMap<Situation, u8>,
    actions: usize,
    last: Option<Action>,
    /// Those who have passed since the last action, in order of play.
    passed: Vec<Seat>,
    follower: Option<Seat>,
    /// Passes that the follower has not been told yet.
    unheard: VecDeque<Seat>,
    ending: Option<Ending>,
}

/// What a line must look like to be a move.
const FORM: &str = "an origin and a destination: the numbers of two cells and a blank between them";
/// What a line must look like to be news.
const NEWS: &str = "a player and its move, such as 4 20 14, or a player that passes, such as 4 pass";

impl Xinez {
    /// A new game of these players on the board of parameter N.
    ///
    /// # Panics
    /// If there is no board of this size.
    pub fn new(size: u8, players: Players) -> Xinez {
        let mut game = Xinez {
            position: Position::initial(size, players),
            players,
            turn: Seat(0),
            round: 1,
            withdrawn: Vec::new(),
            seen: HashMap::new(),
            actions: 0,
            last: None,
            passed: Vec::new(),
            follower: None,
            unheard: VecDeque::new(),
            ending: None,
        };
        game.count_situation();
        game
    }

    /// The same game as the program at a seat follows it, by its own moves and by what it is told with [`Game::hear`]: the
    /// others' passes take place when it hears of them, so that it does not answer before.
    pub fn followed_by(mut self, seat: Seat) -> Xinez {
        self.follower = Some(seat);
        self
    }

    /// Where everybody's pieces are.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Those who play, whether they have withdrawn or not.
    pub fn players(&self) -> Players {
        self.players
    }

    /// The player at a seat.
    pub fn player(&self, seat: Seat) -> Player {
        self.players.at(seat)
    }

    /// Which round is being played, from 1.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// The last move, unless somebody has withdrawn since.
    pub fn last_move(&self) -> Option<Move> {
        match self.last {
            Some(Action::Moved(mv)) => Some(mv),
            _ => None,
        }
    }

    /// Those who have passed since the last move, in order of play.
    pub fn passed(&self) -> &[Seat] {
        &self.passed
    }

    /// How many moves and withdrawals there have been.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// How often the position that a legal move brings about has come up already.
    pub fn times_seen_after(&self, mv: Move) -> u8 {
        let mut next = self.position;
        next.make(self.player(self.turn), mv);
        let situation = Situation { pieces: next.all_pieces(), turn: self.next_seat(), ..self.situation() };
        self.seen.get(&situation).copied().unwrap_or_default()
    }

    /// Makes a legal move for the player whose turn it is.
    pub fn make(&mut self, mv: Move) {
        let player = self.player(self.turn);
        self.position.make(player, mv);
        self.act(Action::Moved(mv));
        if self.position.is_home(player) {
            self.ending = Some(Ending::Home);
        } else {
            self.advance();
        }
    }

    fn act(&mut self, action: Action) {
        self.actions += 1;
        self.last = Some(action);
        self.passed.clear();
    }

    /// Gives the turn to the next player who can move; all before it pass.
    fn advance(&mut self) {
        while self.ending.is_none() {
            self.turn = self.next_seat();
            if self.turn == Seat(0) && self.round == ROUNDS {
                self.ending = Some(Ending::RoundLimit);
                return;
            }
            self.round += u16::from(self.turn == Seat(0));
            // Were nobody able to move, everybody would pass until this ended it.
            if self.count_situation() == REPETITIONS {
                self.ending = Some(Ending::Repetition);
                return;
            }
            if !self.is_out(self.turn) && self.position.can_move(self.player(self.turn)) {
                return;
            }
            self.passed.push(self.turn);
            if self.follower.is_some_and(|follower| follower != self.turn) {
                self.unheard.push_back(self.turn);
            }
        }
    }

    fn next_seat(&self) -> Seat {
        Seat((self.turn.0 + 1) % self.players.count() as u8)
    }

    fn situation(&self) -> Situation {
        Situation { pieces: self.position.all_pieces(), turn: self.turn, withdrawn: self.withdrawn.clone() }
    }

    /// Takes note of the position, and says how often it has come up.
    fn count_situation(&mut self) -> u8 {
        let count = self.seen.entry(self.situation()).or_default();
        *count += 1;
        *count
    }

    /// The move that a line is, for the player whose turn it is, or why it is none.
    pub fn read(&self, line: &str) -> Result<Move, Refusal> {
        if self.ending.is_some() {
            return Err(Refusal::Illegal("the game is over".to_owned()));
        }
        let checked = self.judge(line).ok_or(Refusal::NotAMove(FORM))?;
        checked.map_err(|fault| Refusal::Illegal(fault.to_string()))
    }

    /// The move that a line with two numbers is, or what is wrong with it.
    pub fn judge(&self, line: &str) -> Option<Result<Move, Fault>> {
        let (from, to) = two_integers(line)?;
        // What is no index at all is one off the board.
        let index = |text: &str| text.parse::<usize>().unwrap_or(usize::MAX);
        Some(self.position.check(self.player(self.turn), index(from), index(to)))
    }

    fn hear_pass(&mut self, seat: Seat) -> Result<(), Refusal> {
        // These passes have taken place, even if one of them has ended the game.
        if self.unheard.front() == Some(&seat) {
            self.unheard.pop_front();
            return Ok(());
        }
        self.expect_turn(seat)?;
        // A player that can move but passes has withdrawn.
        self.withdraw();
        Ok(())
    }

    fn expect_turn(&self, seat: Seat) -> Result<(), Refusal> {
        if self.turn() == seat && self.ending.is_none() {
            return Ok(());
        }
        Err(Refusal::Illegal(format!("it is the turn of player {}", self.player(self.turn()))))
    }

    fn sum(&self, seat: Seat) -> i32 {
        self.position.sum_of_w(self.player(seat))
    }

    fn all_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.players.count() as u8).map(Seat)
    }

    /// The merit of a seat in a finished game: who is home, then those who stayed by their sums of w, then those who
    /// withdrew, the last of them first.
    fn merit(&self, seat: Seat) -> (bool, bool, i32) {
        match self.withdrawn.iter().position(|&other| other == seat) {
            Some(position) => (false, false, position as i32),
            None => (self.position.is_home(self.player(seat)), true, self.sum(seat)),
        }
    }

    fn places(&self) -> Vec<u8> {
        let better =
            |seat| self.all_seats().filter(|&other| self.merit(other) > self.merit(seat)).count() as u8;
        self.all_seats().map(|seat| 1 + better(seat)).collect()
    }

    fn sentence(&self, ending: Ending, winner: Option<Seat>) -> String {
        let why = match ending {
            Ending::RoundLimit => format!("nobody is home after {ROUNDS} rounds"),
            Ending::Repetition => {
                format!("the same position has come up {REPETITIONS} times by round {}", self.round)
            }
            _ => String::new(),
        };
        match winner.map(|winner| (self.player(winner), self.sum(winner))) {
            None if ending == Ending::LastPlayer => "the only player has left".to_owned(),
            None => format!("{why}, and the highest sums of w are equal"),
            Some((player, _)) if ending == Ending::Home => {
                format!("player {player} has all its pieces in its goal in round {}", self.round)
            }
            Some((player, _)) if ending == Ending::LastPlayer => {
                format!("player {player} is the last player in round {}", self.round)
            }
            Some((player, sum)) => format!("{why}; player {player} has the highest sum of w, {sum}"),
        }
    }
}

impl Game for Xinez {
    fn copy(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn seats(&self) -> usize {
        self.players.count()
    }

    fn turn(&self) -> Seat {
        self.unheard.front().copied().unwrap_or(self.turn)
    }

    fn play(&mut self, line: &str) -> Result<(), Refusal> {
        let mv = self.read(line)?;
        self.make(mv);
        Ok(())
    }

    fn check(&self, line: &str) -> Result<(), Refusal> {
        self.read(line).map(drop)
    }

    fn hear(&mut self, line: &str) -> Result<(), Refusal> {
        let (number, action) = line.trim().split_once(char::is_whitespace).ok_or(Refusal::NotAMove(NEWS))?;
        let player = number.parse().ok().and_then(Player::new).ok_or(Refusal::NotAMove(NEWS))?;
        let unknown = || Refusal::Illegal(format!("there is no player {player} in this game"));
        let seat = self.players.seat(player).ok_or_else(unknown)?;
        if action.trim() == "pass" {
            return self.hear_pass(seat);
        }
        self.expect_turn(seat)?;
        self.play(action)
    }

    fn withdraw(&mut self) {
        self.withdrawn.push(self.turn);
        self.act(Action::Withdrew);
        if self.withdrawn.len() + 1 >= self.players.count() {
            self.ending = Some(Ending::LastPlayer);
        } else {
            self.advance();
        }
    }

    fn is_out(&self, seat: Seat) -> bool {
        self.withdrawn.contains(&seat)
    }

    fn write_move(&self, out: &mut String) {
        match self.last {
            Some(Action::Moved(mv)) => out.push_str(&mv.to_string()),
            Some(Action::Withdrew) => out.push_str("pass"),
            None => {}
        }
    }

    fn write_news(&self, mover: Seat, to: Seat, out: &mut String) {
        if to != mover {
            out.push_str(&format!("{} ", self.player(mover)));
            self.write_move(out);
            out.push('\n');
        }
        for &seat in self.passed.iter().filter(|&&seat| seat != to) {
            out.push_str(&format!("{} pass\n", self.player(seat)));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let ending = self.ending?;
        let places = self.places();
        let mut first = self.all_seats().filter(|&seat| places[seat.index()] == 1 && !self.is_out(seat));
        let winner = first.next().filter(|_| first.next().is_none());
        let sentence = self.sentence(ending, winner);
        Some(Outcome { winner, places, ending, sentence })
    }

    fn hint(&self, seat: Seat, moves: &[(Seat, &str)]) -> Option<Hint> {
        let star = self.position.star();
        let own = moves.iter().filter(|&&(mover, _)| mover == seat);
        // Passes, which are no moves, lead nowhere.
        let moves = own.filter_map(|(_, text)| {
            let (from, to) = two_integers(text)?;
            let [from, to] = [from, to].map(|index| star.cell(index.parse().ok()?));
            Some(Move { from: from?, to: to? })
        });
        hints::wrong_way(star.view(self.player(seat)), moves)
    }

    fn side(&self, seat: Seat) -> &'static str {
        ["player 1", "player 2", "player 3", "player 4", "player 5", "player 6"][self.player(seat).index()]
    }

    fn arguments(&self, seat: Seat, _: &str) -> Vec<String> {
        let size = self.position.star().size();
        vec![self.player(seat).to_string(), self.players.to_string(), size.to_string()]
    }

    fn board_name(&self) -> String {
        format!("star of {}", self.position.star().size())
    }

    fn layout(&self) -> Layout {
        self.drawn_layout()
    }

    fn write_marks(&self, marks: &mut Vec<Mark>) {
        self.draw_marks(marks);
    }

    fn choices(&self) -> Vec<Choice> {
        if self.ending.is_some() { Vec::new() } else { self.drawn_choices(self.player(self.turn)) }
    }

    fn debug_board(&self) -> String {
        self.board()
    }
}

impl Moves for Xinez {
    type Move = Move;

    fn make_move(&mut self, mv: Move) {
        self.make(mv);
    }

    fn plies(&self) -> usize {
        self.actions
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

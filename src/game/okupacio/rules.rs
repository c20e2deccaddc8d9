//! The rules of Okupació: what an action does to the board, and who comes first.

use std::cmp::Ordering;
use std::sync::Arc;

use super::map::{Cell, MAX_CELLS, Map};
use crate::game::Seat;

/// The most that can play.
pub const MAX_PLAYERS: u8 = 10;

/// What a player does in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It occupies a free cell.
    Occupy(Cell),
    /// It leaves the game.
    Abandon,
}

/// What is known of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The cells it holds.
    pub cells: u16,
    /// The cells it has taken from others.
    pub taken: u16,
    /// The actions of others since its own last one.
    pub waiting: u16,
    turns: u16,
    /// Its cells after each of its turns, added up.
    sum: u32,
    pub(super) out: bool,
}

impl Player {
    /// The mean of its cells after each of its own turns.
    pub fn mean(&self) -> f64 {
        if self.turns == 0 { 0.0 } else { f64::from(self.sum) / f64::from(self.turns) }
    }
}

/// Who comes first where cells, taken cells and means are all equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The first in the alphabet, as the text of the hand-out has it.
    Letter,
    /// The one who has waited longest, as the example of the hand-out has it.
    Waiting,
}

/// A position of Okupació with all that is needed to go on.
#[derive(Clone)]
pub struct Okupacio {
    pub(super) map: Arc<Map>,
    owners: [Option<Seat>; MAX_CELLS],
    players: [Player; MAX_PLAYERS as usize],
    pub(super) seats: u8,
    free: u16,
    pub(super) turn: Seat,
    plies: u16,
    pub(super) last: Option<(Seat, Action)>,
    /// Those who have left, in order.
    pub(super) gone: Vec<Seat>,
    /// How many of them had left once the last action was done: those after them were excluded since.
    pub(super) gone_by_then: usize,
}

impl Okupacio {
    /// The beginning of a game.
    ///
    /// # Panics
    /// If not that many can play.
    pub fn new(map: Map, seats: u8) -> Okupacio {
        assert!((2..=MAX_PLAYERS).contains(&seats), "a game of {seats}");
        let mut players = [Player::default(); MAX_PLAYERS as usize];
        for (index, player) in (0..seats).zip(&mut players) {
            player.waiting = u16::from(seats - 1 - index);
        }
        Okupacio {
            free: map.free(),
            map: Arc::new(map),
            owners: [None; MAX_CELLS],
            players,
            seats,
            turn: Seat(0),
            plies: 0,
            last: None,
            gone: Vec::new(),
            gone_by_then: 0,
        }
    }

    /// The board.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Who holds a cell.
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        self.owners[cell.index()]
    }

    /// Whether a cell can be occupied.
    pub fn is_free(&self, cell: Cell) -> bool {
        self.owner(cell).is_none() && !self.map.is_wall(cell)
    }

    /// All cells that can be occupied.
    pub fn free_cells(&self) -> impl Iterator<Item = Cell> {
        self.map.all().filter(|&cell| self.is_free(cell))
    }

    /// How many cells can be occupied.
    pub fn free(&self) -> u16 {
        self.free
    }

    /// Actions up to now.
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// What is known of a player.
    pub fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    /// Those who have not left, by letter.
    pub fn playing(&self) -> impl Iterator<Item = Seat> {
        (0..self.seats).map(Seat).filter(|&seat| !self.player(seat).out)
    }

    /// Whether the game is over: no cell is free, or only one player is left.
    pub fn is_over(&self) -> bool {
        self.free == 0 || self.gone.len() + 1 == usize::from(self.seats)
    }

    /// Whether a player who occupies a cell takes its neighbour with it.
    pub fn takes(&self, mover: Seat, cell: Cell, neighbour: Cell) -> bool {
        let holder = self.owner(neighbour);
        if holder == Some(mover) {
            return false;
        }
        let (mut around, mut own, mut backed) = (0, 0, false);
        for beside in self.map.neighbours(neighbour) {
            around += 1;
            let owner = self.owner(beside);
            if beside == cell || owner == Some(mover) {
                own += 1;
            } else {
                backed |= owner == holder;
            }
        }
        match around - own {
            0 => true,
            1 if around == 3 => holder.is_none(),
            1 if around == 4 => holder.is_none() || !backed,
            _ => false,
        }
    }

    /// Does an action of the player whose turn it is, after which it is the next one's.
    ///
    /// Whether that one can still play is another question: see [`Okupacio::exclude`].
    pub fn act(&mut self, action: Action) {
        let mover = self.turn;
        match action {
            Action::Occupy(cell) => self.occupy(cell),
            Action::Abandon => self.leave(),
        }
        self.players.iter_mut().for_each(|player| player.waiting += 1);
        self.players[mover.index()].waiting = 0;
        self.plies += 1;
        self.last = Some((mover, action));
        self.gone_by_then = self.gone.len();
        self.pass_turn();
    }

    /// Excludes the player whose turn it is if all free cells would not be enough for it to catch up with the leader.
    /// Says who has left; then it is the next one's turn, and the same question.
    pub fn exclude(&mut self) -> Option<Seat> {
        let most = self.playing().map(|seat| self.player(seat).cells).max().unwrap_or_default();
        let seat = self.turn;
        if self.is_over() || most - self.player(seat).cells <= self.free {
            return None;
        }
        self.leave();
        self.pass_turn();
        Some(seat)
    }

    /// Does an action and excludes those who cannot play on after it.
    pub fn act_and_exclude(&mut self, action: Action) {
        self.act(action);
        while self.exclude().is_some() {}
    }

    fn occupy(&mut self, cell: Cell) {
        let mover = self.turn;
        // All is decided by how the board was: no cell beside this one is beside another of them.
        let taken = self.map.neighbours(cell).filter(|&next| self.takes(mover, cell, next));
        let mut cells = [cell; 5];
        let count = 1 + taken.zip(&mut cells[1..]).map(|(next, slot)| *slot = next).count();
        for &cell in &cells[..count] {
            match self.owners[cell.index()].replace(mover) {
                Some(loser) => {
                    self.players[loser.index()].cells -= 1;
                    self.players[mover.index()].taken += 1;
                }
                None => self.free -= 1,
            }
        }
        let player = &mut self.players[mover.index()];
        player.cells += count as u16;
        player.turns += 1;
        player.sum += u32::from(player.cells);
    }

    /// The player whose turn it is leaves, and its cells are free.
    fn leave(&mut self) {
        let seat = self.turn;
        let held = self.owners.iter_mut().filter(|owner| **owner == Some(seat));
        held.for_each(|owner| *owner = None);
        let player = &mut self.players[seat.index()];
        self.free += player.cells;
        player.cells = 0;
        player.out = true;
        self.gone.push(seat);
    }

    /// It is the turn of the next one who has not left.
    fn pass_turn(&mut self) {
        let after = (1..=self.seats).map(|step| Seat((self.turn.0 + step) % self.seats));
        let next = after.into_iter().find(|&seat| !self.player(seat).out);
        self.turn = next.unwrap_or(self.turn);
    }

    /// Those who have not left, the best first.
    pub fn ranking(&self, ties: Ties) -> Vec<Seat> {
        let mut seats: Vec<Seat> = self.playing().collect();
        // The sort is stable, so that the letters decide where nothing else does.
        seats.sort_by(|&a, &b| {
            let (a, b) = (self.player(a), self.player(b));
            let equal = match ties {
                Ties::Letter => Ordering::Equal,
                Ties::Waiting => b.waiting.cmp(&a.waiting),
            };
            b.cells.cmp(&a.cells).then(b.taken.cmp(&a.taken)).then(b.mean().total_cmp(&a.mean())).then(equal)
        });
        seats
    }

    /// The leftmost column, and in it the topmost row, that are both held by one player, who comes first; as (row, column).
    pub fn control(&self) -> Option<(Seat, u8, u8)> {
        let rows: Vec<Option<Seat>> =
            (0..self.map.rows()).map(|row| self.holder(self.map.row(row))).collect();
        (0..self.map.columns()).find_map(|column| {
            let seat = self.holder(self.map.column(column))?;
            let row = rows.iter().position(|&holder| holder == Some(seat))?;
            Some((seat, row as u8, column))
        })
    }

    /// Who holds all of these cells that are no walls, if there are any.
    fn holder(&self, line: impl Iterator<Item = Cell>) -> Option<Seat> {
        let mut owners = line.filter(|&cell| !self.map.is_wall(cell)).map(|cell| self.owner(cell));
        let first = owners.next()?;
        first.filter(|_| owners.all(|owner| owner == first))
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

//! Pieces on the board, and how they may move.

use std::fmt;

use thiserror::Error;

use super::cells::{Cell, Cells};
use super::players::Players;
use super::star::{Player, Star};

/// A move of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Cell,
    /// Where it goes.
    pub to: Cell,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.from, self.to)
    }
}

/// Why a move is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// There is no such cell.
    #[error("it is off the board: cells go from 0 to {last}")]
    OffBoard {
        /// The last cell.
        last: usize,
    },
    /// Nothing to be moved.
    #[error("there is no piece on cell {0}")]
    NoPiece(Cell),
    /// Somebody else's piece.
    #[error("the piece on cell {0} is player {1}'s")]
    NotYours(Cell, Player),
    /// A move has to lead somewhere.
    #[error("the piece would stay where it is")]
    NoMove,
    /// The cell is not empty.
    #[error("cell {0} is already taken")]
    Taken(Cell),
    /// A cell in the point of a player who neither sits there nor opposite.
    #[error(
        "player {1} may not stand on cell {0}: only in its home, in its goal and in the hexagon between them; the \
         board is turned for each player"
    )]
    Forbidden(Cell, Player),
    /// Neither a step nor a chain of jumps leads there.
    #[error("neither a step nor a chain of jumps leads from cell {0} to cell {1}")]
    Unreachable(Cell, Cell),
}

/// Where everybody's pieces are.
#[derive(Clone, Copy)]
pub struct Position {
    star: &'static Star,
    pieces: [Cells; 6],
    occupied: Cells,
}

impl Position {
    /// Pieces on the board of parameter N, by player; no two on one cell.
    ///
    /// # Panics
    /// If there is no board of this size.
    pub fn new(size: u8, pieces: [Cells; 6]) -> Position {
        Position { star: Star::new(size), pieces, occupied: pieces.into_iter().fold(Cells::EMPTY, Cells::or) }
    }

    /// Everybody at home.
    ///
    /// # Panics
    /// If there is no board of this size.
    pub fn initial(size: u8, players: Players) -> Position {
        let home = |player| Star::new(size).view(player).home;
        let pieces = |player| if players.contains(player) { home(player) } else { Cells::EMPTY };
        Position::new(size, Player::ALL.map(pieces))
    }

    /// The board.
    pub fn star(&self) -> &'static Star {
        self.star
    }

    /// A player's pieces.
    pub fn pieces(&self, player: Player) -> Cells {
        self.pieces[player.index()]
    }

    /// Everybody's pieces, by player.
    pub fn all_pieces(&self) -> [Cells; 6] {
        self.pieces
    }

    /// Whose piece is on a cell.
    pub fn owner(&self, cell: Cell) -> Option<Player> {
        Player::ALL.into_iter().find(|&player| self.pieces(player).contains(cell))
    }

    /// All cells that the piece on a cell can go to; none if there is no piece.
    pub fn moves_of(&self, cell: Cell) -> Cells {
        self.owner(cell).map_or(Cells::EMPTY, |player| self.reach(player, cell))
    }

    /// All cells that a player's piece on a cell can go to: one step, or any chain of jumps.
    pub fn reach(&self, player: Player, from: Cell) -> Cells {
        let mut occupied = self.occupied;
        // During a chain the origin is as good as empty: it can be landed on, and not be jumped over.
        occupied.remove(from);
        let free = self.star.view(player).allowed.without(occupied);
        let mut reached = Cells::EMPTY;
        reached.insert(from);
        let mut landings = [from; Self::MOST_LANDINGS];
        let (mut next, mut count) = (0, 1);
        while next < count {
            let around = self.star.around(landings[next]);
            next += 1;
            for (direction, &over) in around.iter().enumerate() {
                if !occupied.contains(over) {
                    continue;
                }
                let landing = self.star.around(over)[direction];
                if free.contains(landing) && !reached.contains(landing) {
                    reached.insert(landing);
                    landings[count] = landing;
                    count += 1;
                }
            }
        }
        for &cell in self.star.around(from) {
            if free.contains(cell) {
                reached.insert(cell);
            }
        }
        reached.remove(from);
        reached
    }

    /// Every cell is landed on at most once.
    const MOST_LANDINGS: usize = super::star::MAX_CELLS;

    /// All moves of a player, by origin and then by destination.
    pub fn moves(&self, player: Player) -> impl Iterator<Item = Move> + '_ {
        let pieces = self.pieces(player).iter();
        pieces.flat_map(move |from| self.reach(player, from).iter().map(move |to| Move { from, to }))
    }

    /// Whether a player has any move.
    pub fn can_move(&self, player: Player) -> bool {
        self.pieces(player).iter().any(|from| !self.reach(player, from).is_empty())
    }

    /// The move from one index to another, if the player may make it.
    pub fn check(&self, player: Player, from: usize, to: usize) -> Result<Move, Fault> {
        let cell = |index| self.star.cell(index).ok_or(Fault::OffBoard { last: self.star.count() - 1 });
        let (from, to) = (cell(from)?, cell(to)?);
        match self.owner(from) {
            None => Err(Fault::NoPiece(from)),
            Some(owner) if owner != player => Err(Fault::NotYours(from, owner)),
            Some(_) if from == to => Err(Fault::NoMove),
            Some(_) if self.occupied.contains(to) => Err(Fault::Taken(to)),
            Some(_) if !self.star.view(player).allowed.contains(to) => Err(Fault::Forbidden(to, player)),
            Some(_) if !self.reach(player, from).contains(to) => Err(Fault::Unreachable(from, to)),
            Some(_) => Ok(Move { from, to }),
        }
    }

    /// Moves a player's piece, whether the rules allow it or not; the same backwards takes it back.
    pub fn make(&mut self, player: Player, Move { from, to }: Move) {
        let pieces = &mut self.pieces[player.index()];
        pieces.remove(from);
        pieces.insert(to);
        self.occupied.remove(from);
        self.occupied.insert(to);
    }

    /// The sum of the coordinates w of a player's pieces as it sees them: how far it has come.
    pub fn sum_of_w(&self, player: Player) -> i32 {
        let w = &self.star.view(player).w;
        self.pieces(player).iter().map(|cell| i32::from(w[cell.index()])).sum()
    }

    /// Whether all pieces of a player are in its goal.
    pub fn is_home(&self, player: Player) -> bool {
        self.pieces(player).without(self.star.view(player).goal).is_empty()
    }
}

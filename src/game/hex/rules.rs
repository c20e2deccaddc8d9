//! The rules of Hex, and the game as the referee knows it.

use super::hints::LostGame;
use super::side::Side;
use crate::game::grid::{Cell, Grid, MAX_CELLS, MAX_SIZE, read_cell};
use crate::game::hint::{Edges, Hint};
use crate::game::moves::Moves;
use crate::game::picture::{Choice, Layout, Mark};
use crate::game::union_find::UnionFind;
use crate::game::vertex::{by_letter_and_number, is_swap_word};
use crate::game::{Ending, Game, OtherNotation, Outcome, Refusal, Rules, Seat, TAKEN};

/// Hex in the table of games.
pub const RULES: Rules = Rules {
    name: "hex",
    title: "Hex",
    sizes: 2..=MAX_SIZE,
    default_size: 14,
    seats: 2..=2,
    default_seats: 2,
    start: |board| Ok(Box::new(Hex::new(board.size))),
    board_texts: false,
    fair_openings: |board| {
        let grid = Grid::new(board.size);
        grid.all().filter(|&cell| is_fair_opening(grid, cell)).map(|cell| cell.to_string()).collect()
    },
};

/// A move of Hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A stone of one's own on an empty cell.
    Stone(Cell),
    /// Taking over the first stone, which stays where it is and as it is. Written as that stone's cell.
    Swap,
}

/// A position of Hex with all that is needed to go on.
#[derive(Clone)]
pub struct Hex {
    grid: Grid,
    stones: [Option<Side>; MAX_CELLS],
    // The cells, and behind them two nodes for each side's edges.
    groups: UnionFind<{ MAX_CELLS + 4 }>,
    plies: u16,
    // Of those, how many are stones that were set up, and turns that nobody used.
    set_up: u16,
    first: Option<Cell>,
    last: Option<Cell>,
    swapped: bool,
    winner: Option<Side>,
}

impl Hex {
    /// The empty board.
    ///
    /// # Panics
    /// If the size is not one of a board.
    pub fn new(size: u8) -> Hex {
        Hex {
            grid: Grid::new(size),
            stones: [None; MAX_CELLS],
            groups: UnionFind::new(),
            plies: 0,
            set_up: 0,
            first: None,
            last: None,
            swapped: false,
            winner: None,
        }
    }

    /// A position that need not have come about by moves in turn, as when somebody sets up a board. With `may_swap`, which
    /// makes sense after one white stone only, the side to move may take it over.
    pub fn set_up(
        size: u8,
        stones: impl IntoIterator<Item = (Side, Cell)>,
        to_move: Side,
        may_swap: bool,
    ) -> Hex {
        let mut game = Hex::new(size);
        for (side, cell) in stones {
            game.put(cell, side);
            game.first = game.first.or(Some(cell));
            game.plies += 1;
        }
        // Turns count that nobody has used.
        if game.side_to_move() != to_move {
            game.plies += 1;
        }
        if game.may_swap() && !may_swap {
            game.plies += 2;
        }
        game.set_up = game.plies;
        game
    }

    /// The board's geometry.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The stone on a cell.
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        self.stones[self.grid.index(cell)]
    }

    /// Moves made so far; a swap counts.
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// The first stone of the game.
    pub fn first(&self) -> Option<Cell> {
        self.first
    }

    /// The cell of the last move; of a swap, the first stone's.
    pub fn last(&self) -> Option<Cell> {
        self.last
    }

    /// The colour to move.
    pub fn side_to_move(&self) -> Side {
        self.side_of(self.turn())
    }

    /// The colour that a seat plays at this moment.
    pub fn side_of(&self, seat: Seat) -> Side {
        if (seat.0 == 0) == self.swapped { Side::Black } else { Side::White }
    }

    /// The side that has joined its edges.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Whether the side to move may take over the first stone now.
    pub fn may_swap(&self) -> bool {
        self.plies == 1
    }

    /// The move that a cell named by the side to move stands for, if it is legal.
    pub fn move_at(&self, cell: Cell) -> Option<Move> {
        if !self.grid.has(cell) || self.winner.is_some() {
            None
        } else if self.stone(cell).is_none() {
            Some(Move::Stone(cell))
        } else if self.may_swap() {
            Some(Move::Swap)
        } else {
            None
        }
    }

    /// Makes a legal move.
    pub fn make(&mut self, mv: Move) {
        match mv {
            Move::Stone(cell) => {
                let side = self.side_to_move();
                self.put(cell, side);
                self.first = self.first.or(Some(cell));
                self.last = Some(cell);
            }
            Move::Swap => {
                self.swapped = true;
                self.last = self.first;
            }
        }
        self.plies += 1;
    }

    fn put(&mut self, cell: Cell, side: Side) {
        let grid = self.grid;
        let node = grid.index(cell);
        self.stones[node] = Some(side);
        for next in grid.neighbours(cell) {
            let next = grid.index(next);
            if self.stones[next] == Some(side) {
                self.groups.union(node, next);
            }
        }
        let [near, far] = edges(side);
        let progress = side.progress(cell);
        if progress == 0 {
            self.groups.union(node, near);
        }
        if progress == grid.size() - 1 {
            self.groups.union(node, far);
        }
        if self.groups.joined(near, far) {
            self.winner = Some(side);
        }
    }

    /// A shortest chain of the winner's stones from edge to edge, or nothing while nobody has won.
    pub fn winning_chain(&self) -> Vec<Cell> {
        let Some(side) = self.winner else { return Vec::new() };
        // Breadth first from the near edge; `from` remembers the way back.
        let mut from: Vec<Option<Cell>> = vec![None; self.grid.cells()];
        let own = |cell: Cell| self.stone(cell) == Some(side);
        let mut queue: Vec<Cell> =
            self.grid.all().filter(|&cell| side.progress(cell) == 0 && own(cell)).collect();
        for &cell in &queue {
            from[self.grid.index(cell)] = Some(cell);
        }
        let mut reached = 0;
        while let Some(&cell) = queue.get(reached) {
            reached += 1;
            if side.progress(cell) == self.grid.size() - 1 {
                let mut chain = vec![cell];
                let mut here = cell;
                while let Some(back) = from[self.grid.index(here)].filter(|&back| back != here) {
                    chain.push(back);
                    here = back;
                }
                return chain;
            }
            for next in self.grid.neighbours(cell).filter(|&next| own(next)) {
                let seen = &mut from[self.grid.index(next)];
                if seen.is_none() {
                    *seen = Some(cell);
                    queue.push(next);
                }
            }
        }
        Vec::new()
    }

    /// The move that a line stands for, or why it is none.
    pub fn read(&self, line: &str) -> Result<Move, Refusal> {
        let cell = read_cell(line, self.grid)?;
        if self.winner.is_some() {
            return Err(Refusal::Illegal("the game is over".to_owned()));
        }
        self.move_at(cell).ok_or_else(|| {
            // Only the second seat could ever have meant to swap.
            let is_late_swap = self.first == Some(cell) && self.turn() == Seat(1) && !self.swapped;
            Refusal::Illegal(if is_late_swap {
                "the first move may be repeated, to swap, on ply 2 only".to_owned()
            } else if self.last == Some(cell) {
                format!("{TAKEN}; to swap, only the first move may be repeated, and only on ply 2")
            } else {
                TAKEN.to_owned()
            })
        })
    }
}

/// The distance from the nearest edge, and from where on an opening is strong. Far from all edges it is; so is the short
/// diagonal, whose cells are near to both sides of either player.
fn depth(grid: Grid, cell: Cell) -> (u8, u8) {
    let last = grid.size() - 1;
    let depth = cell.row.min(cell.column).min(last - cell.row).min(last - cell.column);
    (depth, (grid.size() / 6).max(1))
}

/// Whether an opening is so good that it is wise to swap.
pub fn is_strong_opening(grid: Grid, cell: Cell) -> bool {
    let (depth, strong) = depth(grid, cell);
    depth >= strong || cell.row + cell.column == grid.size() - 1
}

/// Whether an opening is on the rim of the strong ones: they would be swapped, and weaker ones are worse than need be.
pub fn is_fair_opening(grid: Grid, cell: Cell) -> bool {
    let (depth, strong) = depth(grid, cell);
    depth + 1 == strong && !is_strong_opening(grid, cell)
}

/// The nodes of a side's two edges in the union-find.
fn edges(side: Side) -> [usize; 2] {
    match side {
        Side::White => [MAX_CELLS, MAX_CELLS + 1],
        Side::Black => [MAX_CELLS + 2, MAX_CELLS + 3],
    }
}

impl Game for Hex {
    fn copy(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Seat {
        Seat((self.plies % 2) as u8)
    }

    fn play(&mut self, line: &str) -> Result<(), Refusal> {
        let mv = self.read(line)?;
        self.make(mv);
        Ok(())
    }

    fn check(&self, line: &str) -> Result<(), Refusal> {
        self.read(line).map(drop)
    }

    fn other_notation(&self, line: &str) -> Option<OtherNotation> {
        if is_swap_word(line) {
            let first = self.first.filter(|_| self.may_swap());
            let on_the_wire = first.map(|cell| cell.to_string());
            return Some(OtherNotation { what: "a word for the swap", on_the_wire });
        }
        by_letter_and_number(line, self.grid)
    }

    fn write_move(&self, out: &mut String) {
        if let Some(cell) = self.last {
            cell.push_to(out);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let side = self.winner?;
        let seat = if self.side_of(Seat(0)) == side { Seat(0) } else { Seat(1) };
        let edges = match side {
            Side::White => "top to bottom",
            Side::Black => "left to right",
        };
        let side = side.name();
        let sentence = match self.plies - self.set_up {
            0 => format!("{side} had connected {edges} before the first ply"),
            ply => format!("{side} connected {edges} on ply {ply}"),
        };
        Some(Outcome::of_two(Some(seat), Ending::Connected, sentence))
    }

    fn hint(&self, seat: Seat, moves: &[(Seat, &str)]) -> Option<Hint> {
        let cells =
            moves.iter().map(|(_, text)| read_cell(text, self.grid)).collect::<Result<_, _>>().ok()?;
        let game = LostGame {
            grid: self.grid,
            seat: seat.index(),
            own: match self.side_of(seat) {
                Side::White => Edges::TopAndBottom,
                Side::Black => Edges::LeftAndRight,
            },
            swapped: self.swapped,
            over: self.winner.is_some(),
            cells,
        };
        game.hint()
    }

    fn swapped(&self) -> bool {
        self.swapped
    }

    fn side(&self, seat: Seat) -> &'static str {
        self.side_of(seat).name()
    }

    fn goal(&self, seat: Seat) -> &'static str {
        match self.side_of(seat) {
            Side::White => "joins top and bottom",
            Side::Black => "joins left and right",
        }
    }

    fn arguments(&self, seat: Seat, _: &str) -> Vec<String> {
        vec![self.side_of(seat).letter().to_string()]
    }

    fn board_name(&self) -> String {
        self.grid.name()
    }

    fn side_number(&self, seat: Seat) -> u8 {
        self.side_of(seat) as u8
    }

    fn layout(&self) -> Layout {
        let legend = "b (white) joins top and bottom, p (black) joins left and right";
        self.grid.layout([Side::White, Side::Black].map(Side::letter), self.grid.edges(), legend)
    }

    fn write_marks(&self, marks: &mut Vec<Mark>) {
        marks.clear();
        let stones = self.stones[..self.grid.cells()].iter();
        marks.extend(stones.map(|stone| Mark { side: stone.map(|side| side as u8), ..Mark::default() }));
        if let Some(cell) = self.last {
            marks[self.grid.index(cell)].is_last = true;
        }
        self.winning_chain().into_iter().for_each(|cell| marks[self.grid.index(cell)].is_winning = true);
    }

    fn choices(&self) -> Vec<Choice> {
        let mut choices = self.grid.choices(self.grid.all().filter(|&cell| self.move_at(cell).is_some()));
        for choice in &mut choices {
            choice.word = self.stones[choice.spots[0]].map(|_| "swap");
        }
        choices
    }
}

impl Moves for Hex {
    type Move = Move;

    fn make_move(&mut self, mv: Move) {
        self.make(mv);
    }

    fn plies(&self) -> usize {
        self.plies.into()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

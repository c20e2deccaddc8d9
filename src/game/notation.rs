//! How the Hex world writes Hex: engines that speak HTP, SGF files, HexWorld.
//!
//! There *black* (or red) begins and joins top and bottom, *white* (or blue) joins left and right, and a cell is a letter for
//! its column and a number for its row from 1, `a1` being at the top left. So the white of the hand-out is their black.
//!
//! A swap leaves the stone and exchanges the programs' colours. The Hex world's `swap-pieces` is the same game seen in a
//! mirror: everybody keeps the colour, and the stone changes its own and is reflected in the long diagonal. So at a seat the
//! colour is the same for the whole game, and after a swap every cell is mirrored: that is an [`Outlook`].

use std::fmt;
use std::str::FromStr;

use super::grid::Cell;
use super::hex::{Hex, Move, Side};
pub use super::vertex::Vertex;
use super::{Game, Refusal, Seat};

/// A colour of the Hex world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Begins, and joins top and bottom.
    Black,
    /// Joins left and right.
    White,
}

impl Colour {
    /// The colour of the side that joins the same edges.
    pub fn of_side(side: Side) -> Colour {
        match side {
            Side::White => Colour::Black,
            Side::Black => Colour::White,
        }
    }

    /// The side that joins the same edges.
    pub fn side(self) -> Side {
        match self {
            Colour::Black => Side::White,
            Colour::White => Side::Black,
        }
    }

    /// The colour of a seat, for the whole game.
    pub fn of_seat(seat: Seat) -> Colour {
        if seat.0 == 0 { Colour::Black } else { Colour::White }
    }

    /// The seat that has this colour.
    pub fn seat(self) -> Seat {
        Seat(u8::from(self == Colour::White))
    }

    /// The other colour.
    pub fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// The letter by which files call it.
    pub fn letter(self) -> char {
        match self {
            Colour::Black => 'B',
            Colour::White => 'W',
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Black => "black",
            Colour::White => "white",
        })
    }
}

impl FromStr for Colour {
    type Err = ();

    fn from_str(word: &str) -> Result<Colour, ()> {
        match word.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Colour::Black),
            "w" | "white" => Ok(Colour::White),
            _ => Err(()),
        }
    }
}

/// How a position is seen by those for whom everybody keeps the colour: as it is, or after a swap in the mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    mirrored: bool,
}

impl Outlook {
    /// The outlook on a position.
    pub fn on(game: &Hex) -> Outlook {
        Outlook { mirrored: game.swapped() }
    }

    /// The cell as it is seen; and of a cell that is seen, the cell itself.
    pub fn cell(self, cell: Cell) -> Cell {
        if self.mirrored { mirror(cell) } else { cell }
    }
}

/// The cell on the other side of the long diagonal.
pub fn mirror(cell: Cell) -> Cell {
    Cell::new(cell.column, cell.row)
}

/// The moves of a game from this position on as the Hex world tells them: of both colours in turn, with `swap-pieces` for a swap.
pub fn retell<'a>(mut game: Hex, moves: impl IntoIterator<Item = &'a str>) -> Result<Vec<Vertex>, Refusal> {
    let mut told = Vec::new();
    for text in moves {
        let mv = game.read(text)?;
        told.push(match mv {
            Move::Stone(cell) => Vertex::Cell(Outlook::on(&game).cell(cell)),
            Move::Swap => Vertex::SwapPieces,
        });
        game.make(mv);
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_white_is_their_black() {
        assert_eq!(Colour::of_side(Side::White), Colour::Black);
        for colour in [Colour::Black, Colour::White] {
            assert_eq!(Colour::of_side(colour.side()), colour);
            assert_eq!(Colour::of_seat(colour.seat()), colour);
            assert_eq!(colour.to_string().parse(), Ok(colour));
            // Without a swap, the seat, the side and the colour go together.
            assert_eq!(Hex::new(5).side_of(colour.seat()), colour.side());
        }
        assert_eq!("W".parse(), Ok(Colour::White));
        assert_eq!("red".parse::<Colour>(), Err(()));
    }

    /// The winner joins the edges of its own colour on the board that is seen, whoever swapped.
    #[test]
    fn a_game_in_the_mirror_has_the_same_winner() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for _ in 0..500 {
            let mut game = Hex::new(2 + rng.u8(..10));
            let mut moves = Vec::new();
            while game.winner().is_none() {
                let legal: Vec<Cell> =
                    game.grid().all().filter(|&cell| game.move_at(cell).is_some()).collect();
                // The only stone on the board is the swap.
                let stone = game.grid().all().find(|&cell| game.may_swap() && game.stone(cell).is_some());
                let cell = stone.filter(|_| rng.bool()).unwrap_or(legal[rng.usize(..legal.len())]);
                moves.push(cell.to_string());
                game.play(&cell.to_string()).unwrap();
            }
            let told = retell(Hex::new(game.grid().size()), moves.iter().map(String::as_str)).unwrap();
            let mut stones = Vec::new();
            for (index, vertex) in told.into_iter().enumerate() {
                let colour = Colour::of_seat(Seat((index % 2) as u8));
                match vertex {
                    Vertex::Cell(cell) => stones.push((colour.side(), cell)),
                    Vertex::SwapPieces => {
                        stones = stones.iter().map(|&(side, cell)| (side.other(), mirror(cell))).collect()
                    }
                    other => panic!("{other}"),
                }
            }
            let seen = Hex::set_up(game.grid().size(), stones, Side::White, false);
            let winner = game.outcome().unwrap().winner.unwrap();
            assert_eq!(seen.winner(), Some(Colour::of_seat(winner).side()), "{moves:?}");
        }
    }
}

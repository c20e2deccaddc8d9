//! Links that open a game of Hex on [HexWorld](https://hexworld.org/board/).
//!
//! The part behind the `#` is the size of the board, a comma, and the moves without anything between them, of red and blue in
//! turn, red beginning and joining top and bottom; `:s` is a swap of pieces, `:rb` and `:rw` the resignation of red and of blue
//! (whom the letters still call black and white). A second comma marks the position that is shown, which otherwise is the last.

use std::fmt::Write as _;

use super::game_record::GameRecord;
use super::reason::Reason;
use super::sgf::{WriteError, vertices};
use super::verdict::Verdict;
use crate::game::grid::Cell;
use crate::game::hex::{self, Hex};
use crate::game::notation::{self, Colour, Vertex};

/// The link to a game of Hex.
pub fn link(record: &GameRecord) -> Result<String, WriteError> {
    if record.diagram.is_some() {
        return Err(WriteError::SetUp(record.number));
    }
    Ok(to_board(record.size, &vertices(record)?, &record.verdict))
}

/// What the link to a game of Hex shows, in few bytes: tables have very many of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// The size of the board; then for each vertex the number of its cell from 1, or 0 for a swap: a byte each on boards of at most
    /// [`ONE_BYTE`], and two, the higher one first, on larger ones.
    bytes: Box<[u8]>,
}

/// The largest board whose cells have numbers of one byte.
const ONE_BYTE: u8 = 15;

impl Linked {
    /// What the link to a recorded game shows.
    pub fn of(record: &GameRecord) -> Option<Linked> {
        let vertices = vertices(record).ok().filter(|_| record.diagram.is_none())?;
        Linked::to_board(record.size, &vertices)
    }

    /// That of a game of which only the moves are at hand; nothing if they cannot be played.
    pub fn to_moves<'a>(size: u8, moves: impl IntoIterator<Item = &'a str>) -> Option<Linked> {
        // There are no boards of other sizes, whatever a journal says.
        let start = Some(size).filter(|size| hex::RULES.sizes.contains(size)).map(Hex::new)?;
        Linked::to_board(size, &notation::retell(start, moves).ok()?)
    }

    fn to_board(size: u8, vertices: &[Vertex]) -> Option<Linked> {
        let mut bytes = Vec::with_capacity(1 + 2 * vertices.len());
        bytes.push(size);
        for vertex in vertices {
            let number = match *vertex {
                Vertex::Cell(cell) => 1 + u16::from(cell.row) * u16::from(size) + u16::from(cell.column),
                Vertex::SwapPieces => 0,
                // Recorded games are told without them.
                Vertex::SwapSides | Vertex::Resign => return None,
            };
            let [high, low] = number.to_be_bytes();
            bytes.extend((size > ONE_BYTE).then_some(high));
            bytes.push(low);
        }
        Some(Linked { bytes: bytes.into() })
    }

    /// The link to the game, which has ended like this.
    pub fn link(&self, verdict: &Verdict) -> String {
        let Some((&size, cells)) = self.bytes.split_first() else { return String::new() };
        let width = if size > ONE_BYTE { 2 } else { 1 };
        let vertex = |bytes: &[u8]| {
            let number = bytes.iter().fold(0, |number, &byte| 256 * number + usize::from(byte));
            let cell = |at: usize| Cell::new((at / usize::from(size)) as u8, (at % usize::from(size)) as u8);
            number.checked_sub(1).map_or(Vertex::SwapPieces, |at| Vertex::Cell(cell(at)))
        };
        to_board(size, &cells.chunks(width).map(vertex).collect::<Vec<_>>(), verdict)
    }
}

fn to_board(size: u8, vertices: &[Vertex], verdict: &Verdict) -> String {
    let mut link = format!("https://hexworld.org/board/#{size},");
    for vertex in vertices {
        match vertex {
            Vertex::SwapPieces => link.push_str(":s"),
            vertex => {
                let _ = write!(link, "{vertex}");
            }
        }
    }
    if let (Reason::Resigned, Some(winner)) = (verdict.reason, verdict.winner) {
        link.push_str(match Colour::of_seat(winner).other() {
            Colour::Black => ":rb",
            Colour::White => ":rw",
        });
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seat;
    use crate::record::{Fault, Loss};

    #[test]
    fn links_that_were_kept_short_are_those_of_the_moves() {
        let resigned = Verdict::by_loss(Loss::new(Seat(0), None, Fault::Resigned));
        for (size, moves) in [
            (2, vec![]),
            (5, vec!["0 0", "4 4", "2 3"]),
            (14, vec!["0 1", "0 1", "13 13"]),
            (15, vec!["14 14", "0 14", "14 0"]),
            (16, vec!["15 15", "0 15", "15 14"]),
            (26, vec!["25 25", "24 25", "0 0"]),
        ] {
            let vertices = notation::retell(Hex::new(size), moves.iter().copied()).unwrap();
            let linked = Linked::to_moves(size, moves.iter().copied()).unwrap();
            assert_eq!(linked.link(&resigned), to_board(size, &vertices, &resigned));
        }
        assert_eq!(Linked::to_moves(99, []), None);
        assert_eq!(Linked::to_moves(5, ["0 0", "1 1", "1 1"]), None);
    }
}

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
use crate::game::hex::{self, Hex};
use crate::game::notation::{self, Colour, Vertex};

/// The link to a game of Hex.
pub fn link(record: &GameRecord) -> Result<String, WriteError> {
    if record.diagram.is_some() {
        return Err(WriteError::SetUp(record.number));
    }
    Ok(to_board(record.size, &vertices(record)?, &record.verdict))
}

/// The link to a game of Hex of which only the moves are at hand; nothing if they cannot be played.
pub fn link_to_moves<'a>(
    size: u8,
    moves: impl IntoIterator<Item = &'a str>,
    verdict: &Verdict,
) -> Option<String> {
    // There are no boards of other sizes, whatever a journal says.
    let start = Some(Hex::new(size)).filter(|_| hex::RULES.sizes.contains(&size))?;
    Some(to_board(size, &notation::retell(start, moves).ok()?, verdict))
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

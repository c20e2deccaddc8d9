//! Links that open a game of Hex on [HexWorld](https://hexworld.org/board/).
//!
//! The part behind the `#` is the size of the board, a comma, and the moves without anything between them, of red and blue in
//! turn, red beginning and joining top and bottom; `:s` is a swap of pieces, `:rb` and `:rw` the resignation of red and of blue
//! (whom the letters still call black and white). A second comma marks the position that is shown, which otherwise is the last.

use std::fmt::Write as _;

use super::game_record::GameRecord;
use super::reason::Reason;
use super::sgf::{WriteError, vertices};
use crate::game::notation::{Colour, Vertex};

/// The link to a game of Hex.
pub fn link(record: &GameRecord) -> Result<String, WriteError> {
    if record.diagram.is_some() {
        return Err(WriteError::SetUp(record.number));
    }
    let mut link = format!("https://hexworld.org/board/#{},", record.size);
    for vertex in vertices(record)? {
        match vertex {
            Vertex::SwapPieces => link.push_str(":s"),
            vertex => {
                let _ = write!(link, "{vertex}");
            }
        }
    }
    if let (Reason::Resigned, Some(winner)) = (record.verdict.reason, record.verdict.winner) {
        link.push_str(match Colour::of_seat(winner).other() {
            Colour::Black => ":rb",
            Colour::White => ":rw",
        });
    }
    Ok(link)
}

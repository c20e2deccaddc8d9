//! What the page needs to write a game in the formats of other programs, for games that have such.
//!
//! The page puts texts together and knows no rules: see `exportGame` in `blocks.js`. What it makes equals [`crate::record::hexworld`] and
//! [`crate::record::sgf`], but for times, which the page has less exactly.

use serde_json::{Value, json};

use super::board_data::BoardData;
use super::pack::BoardKey;
use crate::game::hex;

/// The formats for games on a board; nothing where there are none.
pub fn of(key: &BoardKey, board: &BoardData) -> Value {
    if key.game != hex::RULES.name || key.is_set_up {
        return Value::Null;
    }
    let size = usize::from(key.size);
    let cell = |row: usize, column: usize| format!("{}{}", char::from(b'a' + column as u8), row + 1);
    let cells = || (0..board.names.len()).map(|index| (index / size, index % size));
    let names: Vec<String> = cells().map(|(row, column)| cell(row, column)).collect();
    // After a swap, the Hex world sees the board in a mirror.
    let swapped_names: Vec<String> = cells().map(|(row, column)| cell(column, row)).collect();
    let version = env!("CARGO_PKG_VERSION");
    json!([
        {
            "label": "HexWorld",
            "kind": "link",
            "head": format!("https://hexworld.org/board/#{size},"),
            "names": names,
            "swapped_names": swapped_names,
            "swap": ":s",
            "resigns": [":rb", ":rw"],
        },
        {
            "label": "SGF",
            "kind": "file",
            "file": "game-{number}.sgf",
            "head": format!("(;FF[4]GM[11]CA[UTF-8]AP[arbitro:{version}]SZ[{size}]GN[game {{number}}]RO[{{round}}]"),
            "letters": ["B", "W"],
            "names": names,
            "swapped_names": swapped_names,
            "swap": "swap-pieces",
            "resigns": ["resign", "resign"],
        },
    ])
}

//! What the Hex world writes in the place of a move: a letter for the column and a number for the row, or a word.

use std::fmt;
use std::str::FromStr;

use super::grid::{Cell, Grid};
use super::rules::OtherNotation;

/// What stands in the place of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// A stone on this cell.
    Cell(Cell),
    /// The first stone changes its colour and is reflected; the players keep theirs.
    SwapPieces,
    /// The players exchange colours; the stone stays as it is.
    SwapSides,
    /// Giving up.
    Resign,
}

impl Vertex {
    /// Whether it is a swap, of either kind.
    pub fn is_swap(self) -> bool {
        matches!(self, Vertex::SwapPieces | Vertex::SwapSides)
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Vertex::Cell(cell) => write!(f, "{}{}", char::from(b'a' + cell.column), cell.row + 1),
            Vertex::SwapPieces => f.write_str("swap-pieces"),
            Vertex::SwapSides => f.write_str("swap-sides"),
            Vertex::Resign => f.write_str("resign"),
        }
    }
}

impl FromStr for Vertex {
    type Err = ();

    /// Reads a word in any case. A cell may be off a board: boards differ.
    fn from_str(word: &str) -> Result<Vertex, ()> {
        let word = word.to_ascii_lowercase();
        match word.as_str() {
            "swap-pieces" => return Ok(Vertex::SwapPieces),
            // As HexGui reads the short word.
            "swap-sides" | "swap" => return Ok(Vertex::SwapSides),
            "resign" => return Ok(Vertex::Resign),
            _ => {}
        }
        let mut letters = word.chars();
        let column = letters.next().filter(char::is_ascii_lowercase).ok_or(())? as u8 - b'a';
        let digits = letters.as_str();
        let row = digits.parse::<u8>().ok().and_then(|row| row.checked_sub(1));
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        row.filter(|_| plain).map(|row| Vertex::Cell(Cell::new(row, column))).ok_or(())
    }
}

/// Whether a line is a word by which people say that they swap. Vertices know some of them; students write others.
pub fn is_swap_word(line: &str) -> bool {
    let word = line.trim();
    let is_vertex = word.parse().is_ok_and(Vertex::is_swap);
    is_vertex
        || ["troca", "trocar", "swap pieces", "swap sides"]
            .iter()
            .any(|other| word.eq_ignore_ascii_case(other))
}

/// The cell of a line such as `h8`, as the Hex world writes it, and as the wire does if it is on the board.
pub fn by_letter_and_number(line: &str, grid: Grid) -> Option<OtherNotation> {
    let Ok(Vertex::Cell(cell)) = line.trim().parse() else { return None };
    let on_the_wire = grid.has(cell).then(|| cell.to_string());
    Some(OtherNotation { what: "a cell by letter and number", on_the_wire })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_a_letter_for_the_column_and_a_number_for_the_row() {
        assert_eq!(Vertex::Cell(Cell::new(0, 0)).to_string(), "a1");
        assert_eq!(Vertex::Cell(Cell::new(9, 2)).to_string(), "c10");
        for cell in Grid::new(26).all() {
            assert_eq!(Vertex::Cell(cell).to_string().parse(), Ok(Vertex::Cell(cell)));
        }
        assert_eq!("C10".parse(), Ok(Vertex::Cell(Cell::new(9, 2))));
        assert_eq!("Swap-Pieces".parse(), Ok(Vertex::SwapPieces));
        for word in ["", "a", "a0", "1a", "a+1", "aa", "aa1", "a999", "pass", "á1"] {
            assert_eq!(word.parse::<Vertex>(), Err(()), "{word}");
        }
    }

    #[test]
    fn words_for_the_swap_are_known_in_any_case() {
        for word in ["swap", "SWAP", " swap-pieces ", "swap-sides", "Swap sides", "troca", "Trocar"] {
            assert!(is_swap_word(word), "{word}");
        }
        for word in ["", "7 7", "h8", "resign", "swapped"] {
            assert!(!is_swap_word(word), "{word}");
        }
    }

    #[test]
    fn a_cell_by_letter_and_number_is_told_as_the_wire_has_it() {
        let told = |line| by_letter_and_number(line, Grid::new(14));
        let cell = |on_the_wire: Option<&str>| {
            let on_the_wire = on_the_wire.map(str::to_owned);
            Some(OtherNotation { what: "a cell by letter and number", on_the_wire })
        };
        assert_eq!(told("h8"), cell(Some("7 7")));
        assert_eq!(told(" C10\r"), cell(Some("9 2")));
        assert_eq!(told("h15"), cell(None), "off the board");
        for line in ["7 7", "h", "h8 h8", "swap", ""] {
            assert_eq!(told(line), None, "{line}");
        }
    }
}

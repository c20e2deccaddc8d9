//! Of one line of play in a file: the stones that are set up, and the moves that follow in turn.

use std::collections::BTreeMap;

use super::tree::{Node, SgfError};
use crate::game::grid::{Cell, Grid};
use crate::game::hex::Diagram;
use crate::game::notation::{Colour, Vertex};

/// A move as the file has it.
pub struct FileMove<'a> {
    /// Which node of its line it stands in.
    pub at: usize,
    /// That node.
    pub node: &'a Node,
    /// The colour that makes it.
    pub colour: Colour,
    /// What it is.
    pub vertex: Vertex,
}

/// What a line of play consists of.
pub struct Play<'a> {
    /// What stands on the board before the first move, unless the board is empty then.
    pub diagram: Option<Diagram>,
    /// The moves from there on.
    pub moves: Vec<FileMove<'a>>,
}

/// An error at a node.
pub fn error(node: &Node, what: impl Into<String>) -> SgfError {
    SgfError { line: node.line, what: what.into() }
}

impl<'a> Play<'a> {
    /// Finds the moves that are made in turn. Whatever comes before stones are set up, or before a colour moves twice in a row,
    /// is part of the position from which they begin.
    pub fn of(nodes: &[&'a Node], grid: Grid) -> Result<Play<'a>, SgfError> {
        let mut board = Board { grid, stones: BTreeMap::new(), start: None, to_move: None };
        let mut moves: Vec<FileMove> = Vec::new();
        let mut swapped = false;
        for (at, &node) in nodes.iter().enumerate() {
            if board.set_up(node)? {
                if swapped {
                    return Err(error(node, "stones cannot be set up after a swap"));
                }
                moves.clear();
            }
            for mv in moves_of(node, at)? {
                if let Vertex::Cell(cell) = mv.vertex {
                    let last = moves.last().filter(|last| !last.vertex.is_swap());
                    if last.is_some_and(|last| last.colour == mv.colour) {
                        if swapped {
                            return Err(error(node, format!("{} moves twice in a row", mv.colour)));
                        }
                        board.start = Some(board.stones.clone());
                        moves.clear();
                    }
                    let told = |what: String| error(node, format!("{}: {what}", mv.vertex));
                    board.require(cell).map_err(told)?;
                    // After a swap of pieces the file sees the stones in the mirror: then only the rules know what is taken.
                    if board.stones.insert(cell, mv.colour).is_some() && !swapped {
                        return Err(told("the cell is already taken".to_owned()));
                    }
                }
                swapped |= mv.vertex.is_swap();
                moves.push(mv);
            }
        }
        Ok(Play { diagram: board.diagram(moves.first()), moves })
    }
}

/// What stands on the board, as the file sees it.
struct Board {
    grid: Grid,
    stones: BTreeMap<Cell, Colour>,
    /// The same when the moves began, if they did not begin with an empty board.
    start: Option<BTreeMap<Cell, Colour>>,
    /// The side to move, as the file says.
    to_move: Option<Colour>,
}

impl Board {
    /// Puts and takes away the stones of a node, and says whether there were any.
    fn set_up(&mut self, node: &Node) -> Result<bool, SgfError> {
        let mut any = false;
        for (name, stone) in [("AB", Some(Colour::Black)), ("AW", Some(Colour::White)), ("AE", None)] {
            for text in node.values(name) {
                any = true;
                let told = |what: String| error(node, format!("{name}[{}]: {what}", text.escape_debug()));
                for cell in cells(text).ok_or_else(|| told("this is not a cell".to_owned()))? {
                    self.require(cell).map_err(told)?;
                    match stone {
                        Some(colour) => self.stones.insert(cell, colour),
                        None => self.stones.remove(&cell),
                    };
                }
            }
        }
        if any {
            self.start = Some(self.stones.clone());
        }
        self.to_move = node.value("PL").and_then(|text| text.trim().parse().ok()).or(self.to_move);
        Ok(any)
    }

    fn require(&self, cell: Cell) -> Result<(), String> {
        let off = || format!("it is off the board, which is {}", self.grid.name());
        if self.grid.has(cell) { Ok(()) } else { Err(off()) }
    }

    /// The position before this move. It is the turn of whoever makes it; where there is none, of the colour that the file names,
    /// or of the one that has fewer stones.
    fn diagram(self, first: Option<&FileMove>) -> Option<Diagram> {
        let stones = self.start.filter(|stones| !stones.is_empty())?;
        let count = |colour| stones.values().filter(|&&own| own == colour).count();
        let fewer = match count(Colour::Black) > count(Colour::White) {
            true => Colour::White,
            false => Colour::Black,
        };
        let to_move = first.map(|first| first.colour).or(self.to_move).unwrap_or(fewer).side();
        let stones = stones.iter().map(|(&cell, colour)| (colour.side(), cell)).collect();
        Some(Diagram { stones, to_move })
    }
}

/// The moves of a node: one, or in odd files one of each colour.
fn moves_of(node: &Node, at: usize) -> Result<Vec<FileMove<'_>>, SgfError> {
    let mut moves = Vec::new();
    for (name, colour) in [("B", Colour::Black), ("W", Colour::White)] {
        if let Some(text) = node.value(name) {
            let none = || error(node, format!("'{}' is not a move of Hex", text.escape_debug()));
            let vertex = read_vertex(text).ok_or_else(none)?;
            moves.push(FileMove { at, node, colour, vertex });
        }
    }
    Ok(moves)
}

/// A move in either notation: `c2`, or as in Go `cb`.
fn read_vertex(text: &str) -> Option<Vertex> {
    let text = text.trim();
    if let Ok(vertex) = text.parse() {
        return Some(vertex);
    }
    match text.to_ascii_lowercase().as_bytes() {
        // Who leaves has given up, whatever the reason.
        b"forfeit" => Some(Vertex::Resign),
        &[column @ b'a'..=b'z', row @ b'a'..=b'z'] => {
            Some(Vertex::Cell(Cell::new(row - b'a', column - b'a')))
        }
        _ => None,
    }
}

/// The cells that a text names: one, or all of a rectangle such as `b2:d3`.
fn cells(text: &str) -> Option<Vec<Cell>> {
    let cell = |text: &str| match read_vertex(text)? {
        Vertex::Cell(cell) => Some(cell),
        _ => None,
    };
    let Some((one, other)) = text.split_once(':') else { return Some(vec![cell(text)?]) };
    let (one, other) = (cell(one)?, cell(other)?);
    let columns = one.column.min(other.column)..=one.column.max(other.column);
    let rows = one.row.min(other.row)..=one.row.max(other.row);
    Some(rows.flat_map(|row| columns.clone().map(move |column| Cell::new(row, column))).collect())
}

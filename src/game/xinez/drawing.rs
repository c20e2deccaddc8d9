//! The star for people to look at.

use super::cells::Cell;
use super::position::Move;
use super::rules::Xinez;
use super::star::{Player, Star};
use crate::game::picture::{CellShape, Choice, Layout, Mark, Spot};

impl Star {
    /// Where a cell is drawn, in half cells from the left and rows from the top: player 1 sits below.
    pub fn place(&self, cell: Cell) -> (i16, i16) {
        let (at, n) = (self.coordinates(cell), i16::from(self.size()));
        (3 * n + i16::from(at.u) + i16::from(at.v), 2 * n - i16::from(at.w()))
    }

    /// The cells row by row as they are drawn, with their places.
    fn rows(&self) -> Vec<(i16, i16, Cell)> {
        let mut places: Vec<(i16, i16, Cell)> =
            self.all().map(|cell| (cell, self.place(cell))).map(|(cell, (x, y))| (y, x, cell)).collect();
        places.sort();
        places
    }

    /// The board as text: what `text` says of each cell, at most so many characters, in the middle of its place.
    fn draw(&self, width: usize, text: impl Fn(Cell) -> String) -> String {
        let half = width.div_ceil(2);
        let (mut drawn, mut row, mut column) = (String::new(), 0, 0);
        for (y, x, cell) in self.rows() {
            if y > row {
                drawn.truncate(drawn.trim_end().len());
                drawn.push('\n');
                (row, column) = (y, 0);
            }
            let start = x as usize * half;
            drawn += &format!("{:gap$}{:^width$}", "", text(cell), gap = start - column);
            column = start + width;
        }
        drawn.truncate(drawn.trim_end().len());
        drawn + "\n"
    }
}

impl Xinez {
    /// What stands on a cell: a player's number, or a point.
    fn glyph(&self, cell: Cell) -> char {
        self.position().owner(cell).map_or('.', |player| char::from(b'0' + player.number()))
    }

    /// The board as text: the numbers of the players where their pieces are.
    pub fn board(&self) -> String {
        self.position().star().draw(1, |cell| self.glyph(cell).to_string())
    }

    /// The board with the index of every cell, and in front of it the player whose piece is there: `4:20`.
    pub fn numbered_board(&self) -> String {
        self.position().star().draw(5, |cell| match self.position().owner(cell) {
            Some(player) => format!("{player}:{cell}"),
            None => cell.to_string(),
        })
    }

    pub(super) fn drawn_layout(&self) -> Layout {
        let star = self.position().star();
        let spot = |cell: Cell| {
            let (x, y) = star.place(cell);
            let is_goal = |player: &Player| star.view(*player).goal.contains(cell);
            let home = self.players().iter().position(|player| is_goal(&player));
            Spot { x, y, name: cell.to_string(), is_wall: false, home: home.map(|seat| seat as u8) }
        };
        Layout {
            shape: CellShape::Hole,
            spots: star.all().map(spot).collect(),
            letters: self.players().iter().map(|player| char::from(b'0' + player.number())).collect(),
            empty: '.',
            labels: Vec::new(),
            axes: Vec::new(),
            edges: Vec::new(),
            legend: "1 to 6: the players' pieces; all of one's own in the point opposite to where they began win",
        }
    }

    pub(super) fn draw_marks(&self, marks: &mut Vec<Mark>) {
        let position = self.position();
        let mark = |cell: Cell| {
            let owner = position.owner(cell);
            Mark {
                side: owner.and_then(|player| self.players().seat(player)).map(|seat| seat.0),
                is_last: self.last_move().is_some_and(|mv| mv.from == cell || mv.to == cell),
                is_winning: owner.is_some_and(|player| position.is_home(player)),
            }
        };
        marks.clear();
        marks.extend(position.star().all().map(mark));
    }

    pub(super) fn drawn_choices(&self, player: Player) -> Vec<Choice> {
        let choice = |mv: Move| Choice {
            text: mv.to_string(),
            spots: vec![mv.from.index(), mv.to.index()],
            word: None,
        };
        self.position().moves(player).map(choice).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::game::Game;
    use crate::game::xinez::{Players, Xinez};

    fn game(size: u8, players: &str) -> Xinez {
        Xinez::new(size, players.parse::<Players>().unwrap())
    }

    #[test]
    fn the_board_is_a_star_with_player_1_below() {
        let expected = [
            "      4",
            "     4 4",
            "5 5 . . . 3 3",
            " 5 . . . . 3",
            "  . . . . .",
            " 6 . . . . 2",
            "6 6 . . . 2 2",
            "     1 1",
            "      1",
        ];
        assert_eq!(game(2, "123456").board().lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_cell_of_the_numbered_board_has_its_index() {
        let game = game(2, "14");
        let board = game.numbered_board();
        let first: Vec<&str> = board.lines().next().unwrap().split_whitespace().collect();
        assert_eq!(first, ["4:20"]);
        let mut indices: Vec<usize> =
            board.split_whitespace().map(|word| word.rsplit(':').next().unwrap().parse().unwrap()).collect();
        indices.sort();
        assert_eq!(indices, (0..37).collect::<Vec<_>>());
    }

    #[test]
    fn the_page_on_the_protocol_shows_the_indices_as_they_are() {
        let star = game(2, "14").position().star();
        let drawn = star.draw(5, |cell| cell.to_string());
        let block: String = drawn.lines().map(|line| format!("    {line}\n")).collect();
        assert!(include_str!("../../../docs/protocol.md").contains(&block), "{block}");
    }

    #[test]
    fn the_picture_has_the_true_geometry() {
        let picture = game(6, "135").picture();
        assert_eq!(picture.layout.spots.len(), 253);
        for spot in &picture.layout.spots {
            assert!((0..=36).contains(&spot.x) && (0..=24).contains(&spot.y));
            assert_eq!((spot.x + spot.y) % 2, 0, "the rows are shifted by one");
        }
    }
}

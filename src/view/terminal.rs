//! Boards as text.

use console::Style;

use crate::game::picture::{Mark, Picture, Spot};

/// A board as lines of text: the last move in brackets, the winning chain in capitals; with `colour` also in colours.
pub fn board(picture: &Picture, colour: bool) -> String {
    let canvas = Canvas::of(picture);
    let (columns, rows) = canvas.size();
    let window = Window { left: 0, top: 0, columns, rows };
    canvas.show(window, colour).iter().map(|line| format!("{line}\n")).collect()
}

/// A board as letters at places, of which a part can be shown.
pub struct Canvas {
    rows: Vec<Vec<(char, Style)>>,
    /// The half cell and the row that are at the top left.
    origin: (i16, i16),
    last: Option<(usize, usize)>,
}

/// A part of a canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its first column.
    pub left: usize,
    /// Its first row.
    pub top: usize,
    /// How many columns it has.
    pub columns: usize,
    /// How many rows it has.
    pub rows: usize,
}

impl Canvas {
    /// The board with its coordinates.
    pub fn of(picture: &Picture) -> Canvas {
        let (spots, labels) = (&picture.layout.spots, &picture.layout.labels);
        let lefts = spots.iter().map(|spot| spot.x - 1).chain(labels.iter().map(|label| label.x));
        let tops = spots.iter().map(|spot| spot.y).chain(labels.iter().map(|label| label.y));
        let (left, top) = (lefts.min().unwrap_or_default(), tops.min().unwrap_or_default());
        let mut canvas = Canvas { rows: Vec::new(), origin: (left, top), last: None };
        for label in labels {
            let (column, row) = canvas.at(label.x, label.y);
            (column..).zip(label.text.chars()).for_each(|(at, letter)| {
                canvas.put((at, row), letter, &Style::new().dim());
            });
        }
        for (spot, mark, glyph) in picture.cells() {
            let (style, (column, row)) = (style_of(mark), canvas.place(spot));
            let glyph = if mark.is_winning { glyph.to_ascii_uppercase() } else { glyph };
            canvas.put((column, row), glyph, &style);
            if mark.is_last {
                canvas.put((column.saturating_sub(1), row), '[', &style);
                canvas.put((column + 1, row), ']', &style);
                canvas.last = canvas.last.or(Some((column, row)));
            }
        }
        canvas
    }

    /// The column and row of a cell.
    pub fn place(&self, spot: &Spot) -> (usize, usize) {
        self.at(spot.x, spot.y)
    }

    fn at(&self, x: i16, y: i16) -> (usize, usize) {
        let (left, top) = self.origin;
        // Nothing is left of or above the least.
        ((x - left).max(0) as usize, (y - top).max(0) as usize)
    }

    /// Puts a cell between these two, for whoever points at it.
    pub fn enclose(&mut self, spot: &Spot, (left, right): (char, char)) {
        let (column, row) = self.place(spot);
        let style = Style::new().bold().reverse();
        self.put((column.saturating_sub(1), row), left, &style);
        self.put((column + 1, row), right, &style);
    }

    fn put(&mut self, (column, row): (usize, usize), letter: char, style: &Style) {
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        let line = &mut self.rows[row];
        if line.len() <= column {
            line.resize(column + 1, (' ', Style::new()));
        }
        line[column] = (letter, style.clone());
    }

    /// Its columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.rows.iter().map(Vec::len).max().unwrap_or(0), self.rows.len())
    }

    /// The column and row of the last move, or of a part of it.
    pub fn last(&self) -> Option<(usize, usize)> {
        self.last
    }

    /// The lines of a part of it, without blanks at their ends.
    pub fn show(&self, window: Window, colour: bool) -> Vec<String> {
        let rows = self.rows.iter().skip(window.top).take(window.rows);
        let show = |row: &Vec<(char, Style)>| {
            let seen = row.iter().skip(window.left).take(window.columns);
            let mut text = String::new();
            let mut blanks = 0;
            for (letter, style) in seen {
                if *letter == ' ' {
                    blanks += 1;
                    continue;
                }
                text.extend(std::iter::repeat_n(' ', std::mem::take(&mut blanks)));
                match colour {
                    true => text += &style.clone().force_styling(true).apply_to(letter).to_string(),
                    false => text.push(*letter),
                }
            }
            text
        };
        rows.map(show).collect()
    }
}

fn style_of(mark: Mark) -> Style {
    let style = mark.side.map_or(Style::new().dim(), style_of_side);
    match (mark.is_winning, mark.is_last) {
        (true, _) => style.bold().bright().reverse(),
        (false, true) => style.bold().bright(),
        (false, false) => style,
    }
}

/// A colour for each of up to ten sides. The first seven are of every terminal's own palette.
fn style_of_side(side: u8) -> Style {
    let style = Style::new();
    match side {
        0 => style.yellow(),
        1 => style.blue(),
        2 => style.red(),
        3 => style.green(),
        4 => style.magenta(),
        5 => style.cyan(),
        6 => style.white(),
        7 => style.color256(208), // orange
        8 => style.color256(218), // pink
        _ => style.color256(101), // olive
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::hex::Hex;

    fn drawn(size: u8, moves: &[&str]) -> String {
        let mut game = Hex::new(size);
        moves.iter().for_each(|mv| game.play(mv).unwrap());
        board(&game.picture(), false)
    }

    #[test]
    fn rows_are_skewed_and_marks_are_shown() {
        let expected = ["   0 1 2", " 0  - B p  0", "  1  - B p  1", "   2  -[B]-  2", "       0 1 2"];
        let text = drawn(3, &["0 1", "0 2", "1 1", "1 2", "2 1"]);
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn numbers_of_two_digits_stay_over_their_columns() {
        let text = drawn(12, &[]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].trim(), "1 1");
        assert_eq!(lines[1].trim(), "0 1 2 3 4 5 6 7 8 9 0 1");
        let column = |line: usize, digit| lines[line].rfind(digit).unwrap();
        assert_eq!(column(0, '1') + 1, column(1, '1'), "the digits follow the slant");
        assert!(lines.iter().all(|line| line.len() <= 80));
        assert!(drawn(26, &[]).lines().all(|line| line.len() <= 84));
    }
}

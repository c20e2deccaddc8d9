//! Boards as text.

use console::Style;

use crate::game::picture::{Mark, Picture};

/// A board as lines of text: the last move in brackets, the winning chain in capitals; with `colour` also in colours.
pub fn board(picture: &Picture, colour: bool) -> String {
    let (spots, labels) = (&picture.layout.spots, &picture.layout.labels);
    let left = spots.iter().map(|spot| spot.x - 1).chain(labels.iter().map(|label| label.x)).min();
    let left = left.unwrap_or_default();
    let mut pieces: Vec<(i16, i16, String, Style)> = Vec::new();
    for label in labels {
        pieces.push((label.y, label.x, label.text.clone(), Style::new().dim()));
    }
    for (spot, mark, glyph) in picture.cells() {
        let style = style_of(mark);
        let glyph = if mark.is_winning { glyph.to_ascii_uppercase() } else { glyph };
        pieces.push((spot.y, spot.x, glyph.to_string(), style.clone()));
        if mark.is_last {
            pieces.push((spot.y, spot.x - 1, "[".to_owned(), style.clone()));
            pieces.push((spot.y, spot.x + 1, "]".to_owned(), style));
        }
    }
    pieces.sort_by_key(|&(y, x, ..)| (y, x));
    let mut text = String::new();
    let (mut row, mut column) = (pieces.first().map_or(0, |piece| piece.0), left);
    for (y, x, piece, style) in pieces {
        while row < y {
            text.push('\n');
            (row, column) = (row + 1, left);
        }
        text.extend(std::iter::repeat_n(' ', (x - column).max(0) as usize));
        column = x + piece.chars().count() as i16;
        if colour {
            text.push_str(&style.force_styling(true).apply_to(piece).to_string());
        } else {
            text.push_str(&piece);
        }
    }
    text.push('\n');
    text
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

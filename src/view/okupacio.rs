//! Okupació on the screen as its hand-out has it, in Catalan and to the letter.

use std::fmt::Write as _;

use crate::game::Seat;
use crate::game::okupacio::{Okupacio, Ties, letter};

/// Which of the hand-out's two ways is followed where they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// What its text says.
    Text,
    /// What its example shows.
    Example,
}

impl Manner {
    /// Who comes first of those who are equal.
    pub fn ties(self) -> Ties {
        match self {
            Manner::Text => Ties::Letter,
            Manner::Example => Ties::Waiting,
        }
    }

    fn controls(self) -> &'static str {
        match self {
            Manner::Text => "CONTROLA",
            Manner::Example => "DOMINA",
        }
    }
}

/// The board with its letters and border.
pub fn board(game: &Okupacio) -> String {
    let map = game.map();
    let border = "#".repeat(usize::from(map.columns()) + 2);
    let columns: String = (0..map.columns()).map(small).collect();
    let mut text = format!("   {columns}\n  {border}\n");
    for row in 0..map.rows() {
        let glyph = |cell| match game.owner(cell) {
            Some(seat) => letter(seat),
            None if map.is_wall(cell) => '#',
            None => ' ',
        };
        let cells: String = map.row(row).map(glyph).collect();
        let _ = writeln!(text, "{} #{cells}#", small(row));
    }
    text + "  " + &border + "\n"
}

fn small(number: u8) -> char {
    char::from(b'a' + number)
}

/// The table of those who play, the best first.
pub fn table(game: &Okupacio, manner: Manner) -> String {
    let header = ["JUGADOR", "CASELLES", "ARRABASSADES", "OCUP.MITJA", "SENSE TIRAR"];
    let mut text = line(header.map(str::to_owned));
    for seat in game.ranking(manner.ties()) {
        let player = game.player(seat);
        text += &line([
            letter(seat).to_string(),
            player.cells.to_string(),
            player.taken.to_string(),
            format!("{:.3}", player.mean()),
            player.waiting.to_string(),
        ]);
    }
    text
}

fn line(columns: [String; 5]) -> String {
    columns.map(|column| format!("{column:>13}")).concat() + "\n"
}

/// What is said when the game is over.
pub fn ending(game: &Okupacio, manner: Manner) -> String {
    let winner = game.ranking(manner.ties())[0];
    let control = match game.control() {
        Some((seat, row, column)) => format!(
            "EL {} {} LA FILA {} I LA COLUMNA {}",
            player(seat),
            manner.controls(),
            small(row),
            small(column)
        ),
        None => "CAP JUGADOR CONTROLA UNA FILA I UNA COLUMNA".to_owned(),
    };
    format!("GAME OVER\n\nGUANYADOR: {}\n\n{control}\n", player(winner))
}

/// A player as the screen names it.
pub fn player(seat: Seat) -> String {
    format!("JUGADOR {}", letter(seat))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn played(board: &str, seats: u8, moves: &str) -> Okupacio {
        let mut game = Okupacio::new(board.parse().unwrap(), seats);
        moves.split_whitespace().for_each(|mv| game.play(mv).unwrap());
        game
    }

    #[test]
    fn the_largest_board_has_a_letter_for_every_row_and_column() {
        let text = board(&played("25 25", 10, "aa yy"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 28);
        assert_eq!(lines[0], "   abcdefghijklmnopqrstuvwxy");
        assert_eq!(lines[2], format!("a #A{}#", " ".repeat(24)));
        assert_eq!(lines[26], format!("y #{}B#", " ".repeat(24)));
        assert!(lines[1..].iter().all(|line| line.len() == 29));
    }

    #[test]
    fn nobody_may_be_in_control() {
        let game = played("2 2", 2, "aa bb ab ba");
        assert!(ending(&game, Manner::Text).ends_with("\nCAP JUGADOR CONTROLA UNA FILA I UNA COLUMNA\n"));
        let game = played("2 1", 2, "aa");
        let text = "GAME OVER\n\nGUANYADOR: JUGADOR A\n\nEL JUGADOR A CONTROLA LA FILA a I LA COLUMNA a\n";
        assert_eq!(ending(&game, Manner::Text), text);
        assert_eq!(ending(&game, Manner::Example), text.replace("CONTROLA", "DOMINA"));
    }
}

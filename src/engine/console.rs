//! The reference player on the wire, as the hand-out has it: moves on stdout, the opponent's on stdin, all else on
//! stderr.

use std::io::{self, BufRead, Write};

use super::hex::Player;
use crate::game::hex::{Hex, Side};
use crate::game::{Game, Seat};

/// Plays one game of Hex as the given side until it is over or the input ends. With `debug`, the board goes to `errors`
/// after every move.
pub fn play_hex(
    player: &mut Player,
    side: Side,
    size: u8,
    debug: bool,
    input: impl BufRead,
    mut output: impl Write,
    mut errors: impl Write,
) -> io::Result<()> {
    let seat = Seat(u8::from(side == Side::Black));
    let mut game = Hex::new(size);
    let mut lines = input.split(b'\n');
    let mut text = String::new();
    while game.winner().is_none() {
        if game.turn() == seat {
            game.make(player.choose(&game));
            text.clear();
            game.write_news(&mut text);
            output.write_all(text.as_bytes())?;
            output.flush()?;
        } else {
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            if let Err(refusal) = game.play(&line) {
                writeln!(
                    errors,
                    "invalid move '{}': {refusal}; another, please",
                    line.trim().escape_debug()
                )?;
                continue;
            }
        }
        if debug {
            write!(errors, "{}", game.debug_board())?;
            writeln!(errors)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Level;

    fn session(level: Level, side: Side, size: u8, debug: bool, input: &str) -> (Vec<String>, String) {
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let mut player = Player::new(level, 3);
        play_hex(&mut player, side, size, debug, input.as_bytes(), &mut output, &mut errors).unwrap();
        let lines = String::from_utf8(output).unwrap().lines().map(str::to_owned).collect();
        (lines, String::from_utf8(errors).unwrap())
    }

    #[test]
    fn invalid_moves_are_asked_for_again() {
        let (moves, errors) = session(Level::Greedy, Side::Black, 5, false, "9 9\nhello\n\u{7}\n0 0\n");
        assert_eq!(moves.len(), 1, "{moves:?}");
        assert_eq!(errors.lines().count(), 3);
        assert!(errors.contains("invalid move '9 9': it is off the board: rows and columns go from 0 to 4"));
        assert!(errors.contains("invalid move '\\u{7}'"));
    }

    #[test]
    fn a_strong_opening_is_swapped_and_the_opponent_moves_next() {
        let (moves, errors) = session(Level::Greedy, Side::Black, 3, true, "1 1\n");
        assert_eq!(moves, ["1 1"]);
        assert_eq!(errors, "- - -\n- b -\n- - -\n\n".repeat(2), "the stone stays white");
    }

    #[test]
    fn after_being_swapped_it_goes_on_as_the_other_side() {
        let (first, _) = session(Level::Greedy, Side::White, 3, false, "");
        let (moves, errors) = session(Level::Greedy, Side::White, 3, true, &format!("{}\n", first[0]));
        assert_eq!(moves.len(), 2);
        assert!(errors.ends_with("\n\n") && errors.contains('p'), "its second stone is black:\n{errors}");
    }
}

//! A reference engine on the wire, as the hand-outs have it: its moves on stdout, the others' on stdin, all else on stderr.

use std::io::{self, BufRead, Write};

use super::base::Engine;
use crate::game::Seat;
use crate::game::moves::Moves;

/// An engine at its seat, ready to play one game on the wire.
pub trait WirePlayer {
    /// Plays until the game is over or the input ends.
    fn play(
        &mut self,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
        errors: &mut dyn Write,
    ) -> io::Result<()>;
}

/// An engine of one game at its seat.
pub struct Seated<G, E> {
    /// The game.
    pub game: G,
    /// The engine.
    pub engine: E,
    /// Where it sits.
    pub seat: Seat,
    /// Whether the board goes to `errors` after every move.
    pub debug: bool,
}

impl<G: Moves, E: Engine<G>> WirePlayer for Seated<G, E> {
    fn play(
        &mut self,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
        errors: &mut dyn Write,
    ) -> io::Result<()> {
        let Seated { game, engine, seat, debug } = self;
        let mut lines = input.split(b'\n');
        let mut text = String::new();
        while game.outcome().is_none() && !game.is_out(*seat) {
            if game.turn() == *seat {
                engine.make_move(game);
                text.clear();
                game.write_move(&mut text);
                text.push('\n');
                output.write_all(text.as_bytes())?;
                output.flush()?;
            } else {
                let Some(line) = lines.next() else { return Ok(()) };
                let line = line?;
                let line = String::from_utf8_lossy(&line);
                if let Err(refusal) = game.hear(&line) {
                    writeln!(
                        errors,
                        "invalid move '{}': {refusal}; another, please",
                        line.trim().escape_debug()
                    )?;
                    continue;
                }
            }
            if *debug {
                writeln!(errors, "{}", game.debug_board())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Level;
    use crate::engine::hex::HexEngine;
    use crate::engine::rhex::RhexEngine;
    use crate::game::hex::Hex;
    use crate::game::rhex::Rhex;

    const WHITE: Seat = Seat(0);
    const BLACK: Seat = Seat(1);

    fn session(seat: Seat, size: u8, debug: bool, input: &str) -> (Vec<String>, String) {
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let engine = HexEngine::new(Level::Greedy, 3);
        let mut seated = Seated { game: Hex::new(size), engine, seat, debug };
        seated.play(&mut input.as_bytes(), &mut output, &mut errors).unwrap();
        let lines = String::from_utf8(output).unwrap().lines().map(str::to_owned).collect();
        (lines, String::from_utf8(errors).unwrap())
    }

    #[test]
    fn invalid_moves_are_asked_for_again() {
        let (moves, errors) = session(BLACK, 5, false, "9 9\nhello\n\u{7}\n0 0\n");
        assert_eq!(moves.len(), 1, "{moves:?}");
        assert_eq!(errors.lines().count(), 3);
        assert!(errors.contains("invalid move '9 9': it is off the board: rows and columns go from 0 to 4"));
        assert!(errors.contains("invalid move '\\u{7}'"));
    }

    #[test]
    fn a_strong_opening_is_swapped_and_the_opponent_moves_next() {
        let (moves, errors) = session(BLACK, 3, true, "1 1\n");
        assert_eq!(moves, ["1 1"]);
        assert_eq!(errors, "- - -\n- b -\n- - -\n\n".repeat(2), "the stone stays white");
    }

    #[test]
    fn after_being_swapped_it_goes_on_as_the_other_side() {
        let (first, _) = session(WHITE, 3, false, "");
        let (moves, errors) = session(WHITE, 3, true, &format!("{}\n", first[0]));
        assert_eq!(moves.len(), 2);
        assert!(errors.ends_with("\n\n") && errors.contains('p'), "its second stone is black:\n{errors}");
    }

    #[test]
    fn rhex_is_played_on_the_same_wire() {
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let engine = RhexEngine::new(Level::Greedy, 3);
        let mut seated = Seated { game: Rhex::new(4), engine, seat: BLACK, debug: true };
        seated.play(&mut "0 0\n0 0\n".as_bytes(), &mut output, &mut errors).unwrap();
        assert_eq!(String::from_utf8(output).unwrap().lines().count(), 1);
        let errors = String::from_utf8(errors).unwrap();
        assert!(
            errors.contains("invalid move '0 0': the cell is already taken"),
            "there is no swap:\n{errors}"
        );
    }
}

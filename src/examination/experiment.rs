//! One thing that is tried with a bot.

use super::book::{Book, Finding};
use super::catalogue;
use super::remedies;
use super::room::Room;
use super::stumble::{Exhibit, Step};
use super::table::Table;
use crate::game::Game;

/// Something that is tried with a bot, and which tests it tells about.
pub struct Experiment {
    /// What is tried, in words that follow "arbitro".
    pub tried: &'static str,
    /// The tests that it tells about, in groups.
    pub covers: &'static [&'static [&'static str]],
    /// Tests that must not have failed before, in groups.
    pub needs: &'static [&'static [&'static str]],
    /// The test that is about what happens here, and nowhere else.
    pub about: Option<&'static str>,
    /// Tries it.
    pub run: fn(&Room, &mut Book, &Experiment) -> Step,
    /// Whether engines that speak HTP are tried too.
    pub for_engines: bool,
}

impl Experiment {
    /// The tests that it tells about.
    pub fn covered(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.covers.iter().copied().flatten().copied()
    }

    /// Tests that must not have failed before.
    pub fn needed(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.needs.iter().copied().flatten().copied()
    }

    /// A finding of this experiment: what the bot did, in words that follow "it", and what there is to show of it.
    pub fn finding(&self, room: &Room, test: &str, happened: String, exhibit: Exhibit) -> Finding {
        let known = catalogue::test(test);
        let expected = match test {
            "format" => format!("a move is {}", catalogue::form_of(room.setup().start().as_ref())),
            _ => known.expected.to_owned(),
        };
        let Exhibit { command, transcript, stderr } = exhibit;
        Finding {
            tried: format!("arbitro {}", self.tried),
            command,
            happened,
            expected,
            why: known.why.to_owned(),
            fix: remedies::remedy(test, room.setup().name(), room.language),
            transcript,
            stderr,
        }
    }
}

/// The bot and the others move in turn until it has moved so often, or the game is over.
pub fn play(table: &mut Table, moves: usize, book: &mut Book) -> Step {
    for _ in 0..moves {
        table.others(|_| None)?;
        if table.is_over() {
            break;
        }
        let is_answer = !table.own_moves().is_empty();
        table.own_turn()?;
        // One move shows that it can write one, and the next that it can read.
        book.pass(&["starts", "begins", "on-stdout", "newline", "flushes", "format"]);
        if is_answer {
            book.pass(&["reads", "one-move"]);
        }
    }
    Ok(())
}

/// A first move in the centre of a board of rows that are as long as its columns, which many programs swap.
pub fn central_move(game: &dyn Game, size: u8) -> Option<String> {
    let middle = usize::from(size / 2);
    game.choices().get(middle * usize::from(size) + middle).map(|choice| choice.text.clone())
}

/// Some of the moves that are possible, from all over the board; no swap, and not to leave.
pub fn some_moves(game: &dyn Game) -> Vec<String> {
    const SOME: usize = 16;
    let choices = game.choices().into_iter().filter(|choice| choice.word.is_none());
    let texts: Vec<String> = choices.map(|choice| choice.text).collect();
    let step = texts.len() / SOME + 1;
    texts.into_iter().step_by(step).collect()
}

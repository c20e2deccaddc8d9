//! One thing that is tried with a bot.

use super::book::{Book, Finding};
use super::catalogue;
use super::remedies;
use super::room::Room;
use super::table::Step;

/// Something that is tried with a bot, and which tests it tells about.
pub struct Experiment {
    /// What is tried, in words that follow "arbitro".
    pub tried: &'static str,
    /// The tests that it tells about.
    pub covers: &'static [&'static str],
    /// Tests that must not have failed before.
    pub needs: &'static [&'static str],
    /// The test that is about what happens here, and nowhere else.
    pub about: Option<&'static str>,
    /// Tries it.
    pub run: fn(&Room, &mut Book, &Experiment) -> Step,
    /// Whether engines that speak HTP are tried too.
    pub for_engines: bool,
}

impl Experiment {
    /// A finding of this experiment, which the bot made with this command.
    pub fn finding(&self, room: &Room, test: &str, command: String, happened: String) -> Finding {
        let known = catalogue::test(test);
        let expected = match test {
            "format" => format!("a move is {}", catalogue::form_of(room.setup().start().as_ref())),
            _ => known.expected.to_owned(),
        };
        Finding {
            tried: format!("arbitro {}", self.tried),
            command,
            happened,
            expected,
            why: known.why.to_owned(),
            fix: remedies::remedy(test, room.setup().name(), room.language),
            transcript: Vec::new(),
            stderr: Vec::new(),
        }
    }
}

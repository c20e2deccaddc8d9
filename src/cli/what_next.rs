//! What to do next about a bot that has lost: looked at closely where it lost by a fault, and replayed where it lost on the board.

use std::path::Path;

use super::output::{COMMAND, quoted};
use super::report_page;
use crate::championship::entrant::Entrant;
use crate::game::{BoardOptions, Seat, Setup};
use crate::record::Summary;
use crate::record::verdict::GameResult;

/// A line for each bot that lost, ready to be printed after these games.
pub fn text(roster: &[Entrant], setup: &Setup, games: &[Summary], folder: &Path) -> String {
    let own = roster.iter().filter(|bot| bot.level.is_none());
    own.filter_map(|bot| line(bot, setup, games, folder)).map(|line| line + "\n").collect()
}

fn line(bot: &Entrant, setup: &Setup, games: &[Summary], folder: &Path) -> Option<String> {
    let lost = |game: &Summary| {
        let seat = Seat(game.seats.iter().position(|seat| seat.bot == bot.name)? as u8);
        match game.verdict.forfeit(seat) {
            Some(_) => Some(true),
            None => (game.verdict.result(seat) == GameResult::Lost && game.verdict.counts()).then_some(false),
        }
    };
    let losses: Vec<bool> = games.iter().filter_map(lost).collect();
    if losses.contains(&true) {
        return Some(to_check(bot, setup));
    }
    let page = folder.join(report_page::FILE_NAME);
    (!losses.is_empty()).then(|| {
        format!(
            "next: to see how {} lost, open {}, or\n{COMMAND}arbitro replay {} --bot {} --lost",
            bot.name,
            page.display(),
            quoted(folder),
            quoted(Path::new(&bot.name)),
        )
    })
}

/// How to have a bot examined that lost by a fault.
pub fn to_check(bot: &Entrant, setup: &Setup) -> String {
    format!(
        "next: to see what is wrong with {}:\n{COMMAND}arbitro check {}{}",
        bot.name,
        quoted(Path::new(&bot.command)),
        board(setup)
    )
}

/// The options for a board that is not the usual one.
fn board(setup: &Setup) -> String {
    let usual = Setup::new(setup.name(), BoardOptions::default()).map(|usual| usual.board().size);
    let (size, game) = (setup.board().size, setup.name());
    let game = if game == "hex" { String::new() } else { format!(" --game {game}") };
    // A board of its own is in a file that only the user knows.
    match usual == Ok(size) || !setup.board().text.is_empty() {
        true => game,
        false => format!("{game} --size {size}"),
    }
}

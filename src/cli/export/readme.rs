//! What stands in the README.txt of the folder that a student is given.

use crate::game::Seat;
use crate::record::GameRecord;
use crate::record::text::counted;
use crate::record::verdict::GameResult;
use crate::score::Standing;

/// What is said of the games of a bot that has no place in the table.
pub const NONE_COUNTS: &str = "None of these games counts";

/// What a student is given.
pub struct Student<'a> {
    /// The name that is shown.
    pub name: &'a str,
    /// What the championship is called.
    pub title: String,
    /// Her line of the standings, and how many have one.
    pub standing: Option<(&'a Standing, usize)>,
    /// Why her bot has no place in the table, if so.
    pub left_out: Option<&'a str>,
    /// Her games.
    pub games: &'a [GameRecord],
    /// Whether there is anything that her program wrote to stderr.
    pub has_logs: bool,
}

/// The text: how it went, what is in the folder, how to look at it, and every game with its verdict.
pub fn text(student: &Student) -> String {
    let Student { name, title, standing, left_out, games, has_logs } = student;
    let mut text = format!("{title}\n{name}\n\n");
    text += &match (standing, left_out) {
        (_, Some(reason)) if games.is_empty() => format!("{name} took no part: {reason}\n"),
        (_, Some(reason)) => format!("{name} has no place in the table: {reason}\n{NONE_COUNTS}.\n"),
        (Some((row, count)), None) => {
            let (rank, points, played) = (row.rank, row.points, counted(row.played as usize, "game"));
            format!("Rank {rank} of {count}, with {points} points from {played}.\n")
        }
        (None, None) => "No place in the table.\n".to_owned(),
    };
    text += "\nIn this folder\n";
    let mut add = |name: &str, what: &str| text += &format!("  {name:<16} {what}\n");
    if !games.is_empty() {
        add(
            "report.html",
            "all of these games, to be stepped through in any browser; nothing is to be installed",
        );
        add(
            "games/",
            "each game as text: the end, why, and the moves; of Hex also as SGF, for HexGui and HexWorld",
        );
        add(
            "games.jsonl",
            "the same for 'arbitro replay games.jsonl', which steps through them in a terminal",
        );
    }
    if *has_logs {
        add("logs/", "what the program wrote to stderr, by the number of the game");
    }
    add("standings.csv", "its line of the standings");
    add("crosstable.csv", "its line of the cross table: points against every other");
    add("games.csv", "its games as a table");
    if !games.is_empty() {
        text += "\nGames\n";
        let counts = if left_out.is_none() { "" } else { " (does not count)" };
        games.iter().for_each(|game| text += &line(game, name, counts));
    }
    text
}

/// A game and its verdict; `counts` says behind the result if it does not count whatever happened in it.
fn line(game: &GameRecord, name: &str, counts: &str) -> String {
    let seat = game.seats.iter().position(|seat| seat.bot == name).unwrap_or_default();
    let result = match game.verdict.result(Seat(seat as u8)) {
        _ if !game.verdict.counts() => "does not count".to_owned(),
        GameResult::Won => format!("won{counts}"),
        GameResult::Drawn => format!("drawn{counts}"),
        GameResult::Lost => format!("lost{counts}"),
    };
    let (number, round, players) = (game.number, game.round, game.players());
    format!("  {number:>4}  {result}, round {round}: {players}\n        {}\n", game.sentence())
}

//! How a bot behaves beside its moves: what else it writes, what it does with nonsense, the board that it shows, how it leaves.

use super::book::Book;
use super::experiment::{Experiment, play, some_moves};
use super::games;
use super::room::{Room, Start};
use super::stumble::{Exhibit, Step, Trouble};
use super::table::{LEAVING, MOST_LINES, Reaction, Table};
use super::transcript::shown;
use crate::contain::spec::Exit;
use crate::game::Game;
use crate::record::text::counted;

/// Lines that are no moves are let pass, as long as a game does not have too many of them.
pub fn judge_chatter(room: &Room, table: &mut Table, book: &mut Book, experiment: &Experiment) -> Step {
    let Some(first) = table.chatter().first() else { return Ok(()) };
    let (lines, moves) = (table.chatter().len(), table.own_moves().len().max(1));
    let in_a_game = lines * games::longest_game(room.setup()) / moves;
    let happened = format!(
        "wrote {} to stdout in {} that are no moves, the first of them '{}'",
        counted(lines, "line"),
        counted(moves, "move"),
        shown(first).replace('␠', " ")
    );
    if in_a_game <= MOST_LINES && !room.terms().strict {
        book.pass_with("only-moves", format!("it {happened}; so few are let pass, but not under --strict"));
        return Ok(());
    }
    let happened =
        format!("{happened}: up to {in_a_game} in a long game, of which {MOST_LINES} are let pass");
    book.find("only-moves", experiment.finding(room, "only-moves", happened, table.exhibit()?));
    Ok(())
}

/// How it leaves when its stdin ends, and what it leaves behind.
pub fn judge_leaving(room: &Room, mut table: Table, book: &mut Book, experiment: &Experiment) -> Step {
    let left = table.leaves_by_itself()?;
    let exit = table.exit();
    let exhibit = table.exhibit()?;
    let ended = table.stand_up()?;
    let mut find = |test: &'static str, happened: String| {
        book.find(test, experiment.finding(room, test, happened, exhibit.clone()));
    };
    if !left {
        let waited = LEAVING.as_secs();
        find("leaves", format!("was still running after {waited} seconds of its own time without a stdin"));
    } else if ended.left_running {
        find("left-running", "ended, and something that it had started went on".to_owned());
    }
    if !ended.wrote.is_empty() {
        let names = ended.wrote.join(", ");
        find(
            "written-files",
            format!("wrote into its working folder, which is gone after the game: {names}"),
        );
    }
    if let Some(exit) = exit.filter(|&exit| exit != Exit::Code(0)) {
        book.pass_with("leaves", format!("it {exit} when its stdin ends, which does no harm"));
    }
    book.pass(&["leaves", "left-running", "written-files"]);
    Ok(())
}

/// It is sent what the referee never sends.
pub fn asks_again(room: &Room, book: &mut Book, experiment: &Experiment) -> Step {
    let mut table = Table::sit_down(room, room.start(0))?;
    play(&mut table, 2, book)?;
    let own = table.own_moves().last().map(|&cell| cell.to_owned()).unwrap_or_default();
    let size = room.setup().board().size;
    let lines = [
        ("a cell off the board", format!("{size} {size}")),
        ("a cell that is taken", own),
        ("negative numbers", "-1 -1".to_owned()),
        ("words", "abacate banana".to_owned()),
        ("a line of 100000 characters", "7".repeat(100_000)),
    ];
    let mut found = None;
    for (what, line) in &lines {
        found = match table.sends_nonsense(line)? {
            Reaction::Asks => None,
            Reaction::Unknown => goes_on(&mut table, what, book)?,
            Reaction::Other(what_it_did) => {
                Some((format!("{what_it_did} when it was sent {what}"), table.exhibit()?))
            }
        };
        if found.is_some() {
            break;
        }
    }
    if found.is_none() {
        found = goes_on(&mut table, "all of these", book)?;
    }
    if let Some((happened, exhibit)) = found {
        book.find("asks-again", experiment.finding(room, "asks-again", happened, exhibit));
    }
    book.pass(&["asks-again"]);
    table.stand_up()?;
    Ok(())
}

/// A legal move follows nonsense. If the bot does not answer it, that is said in words that follow "it".
fn goes_on(table: &mut Table, nonsense: &str, book: &mut Book) -> Step<Option<(String, Exhibit)>> {
    match play(table, 1, book) {
        Ok(()) => Ok(None),
        Err(Trouble::Stumble(stumble)) => {
            let what = stumble.loss.what("arbitro");
            let happened = format!("did not answer the legal move that followed {nonsense}: it {what}");
            Ok(Some((happened, stumble.exhibit)))
        }
        Err(trouble) => Err(trouble),
    }
}

/// It is asked to show the board.
pub fn debug_board(room: &Room, book: &mut Book, experiment: &Experiment) -> Step {
    let mut table = Table::sit_down(room, Start { debug: true, ..room.start(0) })?;
    let mut find = |happened: String, exhibit| {
        book.find("debug-board", experiment.finding(room, "debug-board", happened, exhibit));
    };
    // Where a move changes more than its own cell, that takes some moves to happen.
    let moves = if room.setup().name() == "hex" { 2 } else { 6 };
    let (mut text, mut truth, mut before) = (String::new(), String::new(), String::new());
    for _ in 0..moves {
        table.others(turning_most)?;
        match play(&mut table, 1, &mut Book::default()) {
            Err(Trouble::Stumble(stumble)) => {
                let what = stumble.loss.what("arbitro");
                find(format!("plays without the argument d, but not with it: it {what}"), stumble.exhibit);
                break;
            }
            other => other?,
        }
        // It need not show how a game has ended.
        if table.is_over() {
            break;
        }
        text = String::from_utf8_lossy(&table.stderr()?).into_owned();
        (truth, before) = (table.game().debug_board(), table.before_last().to_owned());
    }
    match compare(&text, &truth) {
        None => book.pass_with("debug-board", "it prints no board that arbitro can read".to_owned()),
        // Some show the board before their own move only.
        Some(Some(_)) if compare(&text, &before) == Some(None) => {}
        Some(Some(difference)) => {
            find(format!("shows another board than that of the game: {difference}"), table.exhibit()?);
        }
        Some(None) => {}
    }
    book.pass(&["debug-board"]);
    table.stand_up()?;
    Ok(())
}

/// The move that changes most cells, so that a bot which misses such changes soon shows another board.
fn turning_most(game: &dyn Game) -> Option<String> {
    let now = game.debug_board();
    let changed = |text: &String| {
        let mut next = game.copy();
        next.play(text).ok()?;
        Some(next.debug_board().chars().zip(now.chars()).filter(|(next, now)| next != now).count())
    };
    some_moves(game).into_iter().max_by_key(changed)
}

/// How the last board in a text differs from the true one; `Some(None)` if it does not, and nothing where there is no board.
///
/// People draw boards in many ways, slanted or not, with coordinates or without: what counts are the letters of each row.
fn compare(text: &str, truth: &str) -> Option<Option<String>> {
    let letters = |line: &str| -> String {
        let words = line.split_whitespace().filter(|word| word.chars().count() == 1);
        words
            .map(|word| if matches!(word, "." | "_" | "·") { "-" } else { word })
            .filter(|word| !word.chars().all(char::is_numeric))
            .collect()
    };
    let truth: Vec<String> = truth.lines().map(letters).collect();
    let shown: Vec<String> = text.lines().map(letters).collect();
    let fits = |window: &&[String]| {
        window.iter().zip(&truth).all(|(row, real)| row.chars().count() == real.chars().count())
    };
    let last = shown.windows(truth.len().max(1)).rev().find(fits)?;
    let differs = last.iter().zip(&truth).enumerate().find(|(_, (row, real))| row != real);
    Some(differs.map(|(number, (row, real))| format!("row {number} is '{row}', and '{real}' in the game")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_compared_whatever_is_drawn_around_them() {
        let truth = "b - -\n- p -\n- - -\n";
        for text in [
            truth.to_owned(),
            "   0 1 2\n0  b . .\n 1  . p .\n  2  . . .\nscore 3\n".to_owned(),
            format!("- - -\n- - -\n- - -\n\n{truth}"),
        ] {
            assert_eq!(compare(&text, truth), Some(None), "{text}");
        }
        let other = compare("b - -\n- b -\n- - -\n", truth).unwrap().unwrap();
        assert_eq!(other, "row 1 is '-b-', and '-p-' in the game");
        assert_eq!(compare("nothing to see\n", truth), None);
    }
}

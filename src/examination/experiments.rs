//! What is tried with a bot, in order.

use std::io;

use super::book::Book;
use super::experiment::Experiment;
use super::games;
use super::remedies;
use super::room::{Room, Start};
use super::table::{MOST_LINES, Step, Table, Trouble, last_lines};
use super::transcript::shown;
use crate::contain::spec::{Exit, Output};
use crate::game::{BoardOptions, Game, Seat, Setup};
use crate::record::text::counted;

/// What every conversation shows.
const PLAYING: &[&str] = &[
    "starts",
    "files",
    "begins",
    "on-stdout",
    "newline",
    "flushes",
    "format",
    "legal-moves",
    "only-moves",
    "one-move",
    "waits",
    "reads",
    "runs-on",
    "in-time",
    "memory",
];

/// Moves that the bot makes in a conversation.
const MOVES: usize = 4;

/// All experiments.
pub static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        tried: "started it as the first to move, and answered its moves",
        covers: &[
            "starts",
            "begins",
            "on-stdout",
            "newline",
            "flushes",
            "format",
            "legal-moves",
            "only-moves",
            "one-move",
            "reads",
            "runs-on",
            "files",
            "leaves",
            "left-running",
            "written-files",
        ],
        needs: &[],
        about: None,
        run: first_seat,
        for_engines: false,
    },
    Experiment {
        tried: "started it as the last to move, waited, and then played against it",
        covers: &["waits"],
        needs: PLAYING,
        about: None,
        run: last_seat,
        for_engines: false,
    },
    Experiment {
        tried: "repeated its first move, which is the swap, and played on",
        covers: &["swapped"],
        needs: PLAYING,
        about: Some("swapped"),
        run: swapped,
        for_engines: false,
    },
    Experiment {
        tried: "opened in the centre, where many swap, and played on",
        covers: &["may-swap"],
        needs: PLAYING,
        about: Some("may-swap"),
        run: may_swap,
        for_engines: false,
    },
    Experiment {
        tried: "seated it at a table of three, at each seat once",
        covers: &["several-seats"],
        needs: PLAYING,
        about: Some("several-seats"),
        run: several_seats,
        for_engines: false,
    },
    Experiment {
        tried: "had another of three players leave",
        covers: &["others-leave"],
        needs: &["several-seats"],
        about: Some("others-leave"),
        run: others_leave,
        for_engines: false,
    },
    Experiment {
        tried: "played a whole game of four until somebody was excluded",
        covers: &["exclusion"],
        needs: &["several-seats", "others-leave"],
        about: Some("exclusion"),
        run: exclusion,
        for_engines: false,
    },
    Experiment {
        tried: "started it with a pipe as its stdout, where no line is sent before it is flushed",
        covers: &["pipe"],
        needs: PLAYING,
        about: None,
        run: pipe,
        for_engines: false,
    },
    Experiment {
        tried: "sent it lines that are no legal moves, and then one that is",
        covers: &["asks-again"],
        needs: PLAYING,
        about: None,
        run: asks_again,
        for_engines: false,
    },
    Experiment {
        tried: "started it with a last argument d, and compared the board that it shows with that of the game",
        covers: &["debug-board"],
        needs: PLAYING,
        about: None,
        run: debug_board,
        for_engines: false,
    },
    Experiment {
        tried: "played the same beginning twice with the same seed",
        covers: &["same-seed"],
        needs: PLAYING,
        about: None,
        run: same_seed,
        for_engines: false,
    },
    Experiment {
        tried: "had it play whole games",
        covers: &["games", "goal", "neighbours", "in-time", "memory"],
        needs: &[
            "starts",
            "files",
            "begins",
            "on-stdout",
            "newline",
            "flushes",
            "format",
            "legal-moves",
            "only-moves",
            "one-move",
            "waits",
            "reads",
            "runs-on",
            "in-time",
            "memory",
            "swapped",
            "may-swap",
            "several-seats",
            "others-leave",
            "exclusion",
        ],
        about: None,
        run: games::whole_games,
        for_engines: true,
    },
];

/// The bot and the others move in turn until it has moved so often, or the game is over.
fn play(table: &mut Table, moves: usize, book: &mut Book) -> Step {
    for _ in 0..moves {
        table.others(|_| None)?;
        if table.is_over() {
            break;
        }
        let told = table.own_moves().len() > 0;
        table.own_turn()?;
        // One move shows that it can write one, and the next that it can read.
        book.pass(&["starts", "begins", "on-stdout", "newline", "flushes", "format"]);
        if told {
            book.pass(&["reads", "one-move"]);
        }
    }
    Ok(())
}

fn first_seat(room: &Room, book: &mut Book, experiment: &Experiment) -> Step {
    let start = room.start(0);
    let mut table = Table::sit_down(room, start)?;
    play(&mut table, 1, book)?;
    (room.tell)(&games::forecast(room, table.times()));
    play(&mut table, MOVES - 1, book)?;
    judge_chatter(room, &table, book, experiment);
    book.pass(&["reads", "one-move", "legal-moves", "only-moves", "runs-on", "files"]);
    let command = room.command(start, table.game());
    judge_leaving(room, table, command, book, experiment)
}

/// Lines that are no moves are let pass, as long as a game does not have too many of them.
fn judge_chatter(room: &Room, table: &Table, book: &mut Book, experiment: &Experiment) {
    let Some(first) = table.chatter().first() else { return };
    let (lines, moves) = (table.chatter().len(), table.own_moves().len().max(1));
    let in_a_game = lines * games::longest_game(room.setup()) / moves;
    let first = shown(first).replace('␠', " ");
    let happened = format!(
        "wrote {} to stdout in {} that are no moves, the first of them '{first}'",
        counted(lines, "line"),
        counted(moves, "move")
    );
    if in_a_game <= MOST_LINES && !room.terms().strict {
        book.pass_with("only-moves", format!("it {happened}; so few are let pass, but not under --strict"));
        return;
    }
    let happened =
        format!("{happened}: up to {in_a_game} in a long game, of which {MOST_LINES} are let pass");
    let command = room.command(room.start(0), table.game());
    let mut finding = experiment.finding(room, "only-moves", command, happened);
    finding.transcript = table.transcript();
    book.find("only-moves", finding);
}

/// How it leaves when its stdin ends, and what it leaves behind.
fn judge_leaving(
    room: &Room,
    mut table: Table,
    command: String,
    book: &mut Book,
    experiment: &Experiment,
) -> Step {
    let left = table.leaves_by_itself()?;
    let exit = table.talk().exit();
    let (transcript, stderr) = (table.transcript(), last_lines(&table.talk().stderr()?));
    let ended = table.stand_up()?;
    let finding = |test: &str, happened: String| {
        let mut finding = experiment.finding(room, test, command.clone(), happened);
        (finding.transcript, finding.stderr) = (transcript.clone(), stderr.clone());
        finding
    };
    match exit {
        _ if !left => book.find(
            "leaves",
            finding("leaves", "was still running 0.7 seconds after its stdin had been closed".to_owned()),
        ),
        Some(Exit::Code(0)) | None => book.pass(&["leaves"]),
        Some(exit) => book.pass_with("leaves", format!("it {exit} when its stdin ends, which does no harm")),
    }
    match ended.left_running && left {
        true => book.find(
            "left-running",
            finding("left-running", "ended, and something that it had started went on".to_owned()),
        ),
        false => book.pass(&["left-running"]),
    }
    match ended.wrote.is_empty() {
        true => book.pass(&["written-files"]),
        false => book.find(
            "written-files",
            finding(
                "written-files",
                format!(
                    "wrote into its working folder, which is gone after the game: {}",
                    ended.wrote.join(", ")
                ),
            ),
        ),
    }
    Ok(())
}

fn last_seat(room: &Room, book: &mut Book, experiment: &Experiment) -> Step {
    let seats = room.setup().board().seats;
    let mut table = Table::sit_down(room, room.start(usize::from(seats) - 1))?;
    table.waits_for_the_first_move()?;
    play(&mut table, MOVES, book)?;
    judge_chatter(room, &table, book, experiment);
    book.pass(&["waits"]);
    table.stand_up()?;
    Ok(())
}

/// The swap, if there is one now.
fn swap(game: &dyn Game) -> Option<String> {
    game.choices().into_iter().find(|choice| choice.word.is_some()).map(|choice| choice.text)
}

fn swapped(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    let mut table = Table::sit_down(room, room.start(0))?;
    table.own_turn()?;
    table.happened();
    let mut first = true;
    table.others(|game| std::mem::take(&mut first).then(|| swap(game)).flatten())?;
    play(&mut table, MOVES, book)?;
    book.pass(&["swapped"]);
    table.stand_up()?;
    Ok(())
}

fn may_swap(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    let mut table = Table::sit_down(room, room.start(1))?;
    let mut first = true;
    table.others(|game| {
        let choices = game.choices();
        let central = choices.get(choices.len() / 2 + usize::from(room.setup().board().size) / 2);
        std::mem::take(&mut first).then(|| central.map(|choice| choice.text.clone())).flatten()
    })?;
    table.happened();
    play(&mut table, MOVES, book)?;
    let swapped = table.game().swapped();
    book.pass_with("may-swap", (if swapped { "it swapped" } else { "it did not swap" }).to_owned());
    table.stand_up()?;
    Ok(())
}

/// The same game with so many seats.
fn with_seats(setup: &Setup, seats: u8) -> io::Result<Setup> {
    let board = setup.board();
    let text = Some(board.text.clone()).filter(|text| !text.is_empty());
    let size = text.is_none().then_some(board.size.into());
    Setup::new(setup.name(), BoardOptions { size, seats: Some(seats.into()), text }).map_err(io::Error::other)
}

fn several_seats(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    const SEATS: u8 = 3;
    let setup = with_seats(room.setup(), SEATS)?;
    for seat in 0..SEATS {
        let mut table = Table::sit_down(room, Start { setup: &setup, ..room.start(seat.into()) })?;
        table.happened();
        play(&mut table, 2, book)?;
        table.stand_up()?;
    }
    book.pass(&["several-seats"]);
    Ok(())
}

fn others_leave(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    let setup = with_seats(room.setup(), 3)?;
    let mut table = Table::sit_down(room, Start { setup: &setup, ..room.start(0) })?;
    table.own_turn()?;
    table.leaves()?;
    play(&mut table, MOVES, book)?;
    book.pass(&["others-leave"]);
    table.stand_up()?;
    Ok(())
}

fn exclusion(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    const SEATS: u8 = 4;
    let setup = with_seats(room.setup(), SEATS)?;
    let mut table = Table::sit_down(room, Start { setup: &setup, ..room.start(0) })?;
    let mut out = 0;
    while !table.is_over() {
        table.others(|_| None)?;
        if table.is_over() {
            break;
        }
        let now = (0..SEATS).filter(|&seat| table.game().is_out(Seat(seat))).count();
        if now > out {
            table.happened();
            out = now;
        }
        table.own_turn()?;
    }
    match out {
        0 => book.pass_with("exclusion", "nobody was excluded in this game".to_owned()),
        _ => book.pass(&["exclusion"]),
    }
    table.stand_up()?;
    Ok(())
}

/// On a pipe nothing comes that is not flushed. Games do not use one unless they are told to, so that it is worth a remark only.
fn pipe(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    let mut table = Table::sit_down(room, Start { output: Output::Pipe, ..room.start(0) })?;
    let remark = || {
        let fix = remedies::remedy("pipe", room.setup().name(), room.language)
            .map_or(String::new(), |fix| format!(": {}", fix.code.join(" ")));
        format!("it does not flush; games work, since they use a pseudo-terminal, but not with --pipes{fix}")
    };
    match table.own_turn() {
        Ok(()) => book.pass(&["pipe"]),
        Err(Trouble::Stumble(_)) => book.pass_with("pipe", remark()),
        Err(trouble) => return Err(trouble),
    }
    table.stand_up()?;
    Ok(())
}

fn asks_again(room: &Room, book: &mut Book, experiment: &Experiment) -> Step {
    let mut table = Table::sit_down(room, room.start(0))?;
    play(&mut table, 2, book)?;
    let own = table.own_moves().last().map(|&cell| cell.to_owned()).unwrap_or_default();
    let endless = "7".repeat(100_000);
    let size = room.setup().board().size;
    let lines = [
        ("a cell off the board", format!("{size} {size}")),
        ("a cell that is taken", own),
        ("negative numbers", "-1 -1".to_owned()),
        ("words", "abacate banana".to_owned()),
        ("a line of 100000 characters", endless),
    ];
    for (what, line) in &lines {
        let happened = match table.sends_nonsense(line)? {
            None => continue,
            Some(happened) => happened,
        };
        let command = room.command(room.start(0), table.game());
        let mut finding =
            experiment.finding(room, "asks-again", command, format!("{happened} when it was sent {what}"));
        (finding.transcript, finding.stderr) = (table.transcript(), last_lines(&table.talk().stderr()?));
        book.find("asks-again", finding);
        table.stand_up()?;
        return Ok(());
    }
    match play(&mut table, 1, book) {
        Err(Trouble::Stumble(stumble)) => {
            let happened = format!(
                "did not go on with the legal move that followed: it {}",
                stumble.loss.what("arbitro")
            );
            let mut finding = experiment.finding(room, "asks-again", stumble.command, happened);
            (finding.transcript, finding.stderr) = (stumble.transcript, stumble.stderr);
            book.find("asks-again", finding);
        }
        other => other?,
    }
    book.pass(&["asks-again"]);
    table.stand_up()?;
    Ok(())
}

fn debug_board(room: &Room, book: &mut Book, experiment: &Experiment) -> Step {
    let start = Start { debug: true, ..room.start(0) };
    let mut table = Table::sit_down(room, start)?;
    let mut finding = |table: &mut Table, happened: String| -> Step {
        let mut finding =
            experiment.finding(room, "debug-board", room.command(start, table.game()), happened);
        (finding.transcript, finding.stderr) = (table.transcript(), last_lines(&table.talk().stderr()?));
        book.find("debug-board", finding);
        Ok(())
    };
    match play(&mut table, 2, &mut Book::default()) {
        Err(Trouble::Stumble(stumble)) => {
            finding(
                &mut table,
                format!("plays without the argument d, but not with it: it {}", stumble.loss.what("arbitro")),
            )?;
        }
        other => other?,
    }
    let text = String::from_utf8_lossy(&table.talk().stderr()?).into_owned();
    let now = table.game().debug_board();
    match (shown_board(&text, &now), shown_board(&text, table.before_last())) {
        (None, _) => {}
        (Some(None), _) | (_, Some(None)) => {}
        (Some(Some(difference)), _) => {
            finding(&mut table, format!("shows another board than that of the game: {difference}"))?;
        }
    }
    match shown_board(&text, &now) {
        None => book.pass_with("debug-board", "it prints no board that arbitro can read".to_owned()),
        Some(_) => book.pass(&["debug-board"]),
    }
    table.stand_up()?;
    Ok(())
}

/// How the last board in a text differs from the true one; `Some(None)` if it does not, and nothing where there is no board.
///
/// People draw boards in many ways, slanted or not, with coordinates or without: what counts are the letters of each row.
fn shown_board(text: &str, truth: &str) -> Option<Option<String>> {
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

fn same_seed(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    let mut games = Vec::new();
    for _ in 0..2 {
        let mut table = Table::sit_down(room, room.start(0))?;
        play(&mut table, MOVES, book)?;
        games.push(table.own_moves().join(", "));
        table.stand_up()?;
    }
    match games[0] == games[1] {
        true => book.pass(&["same-seed"]),
        false => book.pass_with(
            "same-seed",
            format!("it plays differently with the same ARBITRO_SEED ({}; then {}), so that no game can be repeated", games[0], games[1]),
        ),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examination::catalogue;

    #[test]
    fn experiments_name_tests_that_there_are_and_cover_all_of_them() {
        for experiment in EXPERIMENTS {
            let names = experiment.covers.iter().chain(experiment.needs).chain(&experiment.about);
            names.for_each(|name| drop(catalogue::test(name)));
        }
        for test in catalogue::TESTS {
            assert!(
                EXPERIMENTS.iter().any(|experiment| experiment.covers.contains(&test.name)),
                "{}",
                test.name
            );
        }
    }

    #[test]
    fn boards_are_compared_whatever_is_drawn_around_them() {
        let truth = "b - -\n- p -\n- - -\n";
        for text in [
            truth.to_owned(),
            "   0 1 2\n0  b . .\n 1  . p .\n  2  . . .\nscore 3\n".to_owned(),
            format!("- - -\n- - -\n- - -\n\n{truth}"),
        ] {
            assert_eq!(shown_board(&text, truth), Some(None), "{text}");
        }
        let other = shown_board("b - -\n- b -\n- - -\n", truth).unwrap().unwrap();
        assert_eq!(other, "row 1 is '-b-', and '-p-' in the game");
        assert_eq!(shown_board("nothing to see\n", truth), None);
    }
}

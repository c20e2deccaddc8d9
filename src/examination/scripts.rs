//! Games against a script: from each side of the board, with what is special in each game.

use std::io;

use super::book::Book;
use super::experiment::{Experiment, central_move, play, some_moves};
use super::games;
use super::manners::{judge_chatter, judge_leaving};
use super::remedies;
use super::room::{Room, Start};
use super::stumble::{Step, Trouble};
use super::table::Table;
use crate::contain::spec::Output;
use crate::game::{BoardOptions, Game, Seat, Setup};

/// Moves that the bot makes in a conversation.
const MOVES: usize = 4;

/// As the first to move: what every game is made of, and how the bot leaves.
pub fn first_seat(room: &Room, book: &mut Book, experiment: &Experiment) -> Step {
    let mut table = Table::sit_down(room, room.start(0))?;
    // The first move may be slow for other reasons than the second.
    play(&mut table, 2, book)?;
    room.came_up.set(table.times().first().copied().unwrap_or_default());
    (room.tell)(&games::forecast(room, table.times()));
    play(&mut table, MOVES - 2, book)?;
    judge_chatter(room, &mut table, book, experiment)?;
    book.pass(&["reads", "one-move", "legal-moves", "only-moves", "runs-on", "files"]);
    judge_leaving(room, table, book, experiment)
}

/// As the last to move: it has to wait first.
pub fn last_seat(room: &Room, book: &mut Book, experiment: &Experiment) -> Step {
    let seats = room.setup().board().seats;
    let mut table = Table::sit_down(room, room.start(usize::from(seats) - 1))?;
    table.waits_for_the_first_move()?;
    // For a swap it may not have thought.
    play(&mut table, 2, book)?;
    table.others_think()?;
    play(&mut table, MOVES - 2, book)?;
    judge_chatter(room, &mut table, book, experiment)?;
    book.pass(&["waits"]);
    table.stand_up()?;
    Ok(())
}

/// The swap, if there is one now.
fn swap(game: &dyn Game) -> Option<String> {
    game.choices().into_iter().find(|choice| choice.word.is_some()).map(|choice| choice.text)
}

/// It is swapped on ply 2.
pub fn swapped(room: &Room, book: &mut Book, _: &Experiment) -> Step {
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

/// It may swap on ply 2.
pub fn may_swap(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    let mut table = Table::sit_down(room, room.start(1))?;
    let mut first = true;
    let size = room.setup().board().size;
    table.others(|game| std::mem::take(&mut first).then(|| central_move(game, size)).flatten())?;
    table.happened();
    play(&mut table, MOVES, book)?;
    let swapped = table.game().swapped();
    book.pass_with("may-swap", (if swapped { "it swapped" } else { "it did not swap" }).to_owned());
    table.stand_up()?;
    Ok(())
}

/// A board with walls and more columns than rows, if the game has such boards. Its stretches go on from row to row, and leave the last
/// cells out.
pub fn walls(setup: &Setup) -> Option<Setup> {
    const BOARD: &str = "4 7\n2 3 4 3 2 1 4 2\n";
    let options = BoardOptions { text: Some(BOARD.to_owned()), ..BoardOptions::default() };
    Setup::new(setup.name(), options).ok()
}

/// On a board with walls, until it is full.
pub fn board_with_walls(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    let Some((setup, board_file)) = &room.walls else { return Ok(()) };
    let mut table = Table::sit_down(room, Start { setup, board_file, ..room.start(0) })?;
    while !table.is_over() {
        table.happened();
        play(&mut table, 1, book)?;
    }
    book.pass(&["board-file"]);
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

/// At each seat of a table of three.
pub fn several_seats(room: &Room, book: &mut Book, _: &Experiment) -> Step {
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

/// Another player leaves.
pub fn others_leave(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    let setup = with_seats(room.setup(), 3)?;
    let mut table = Table::sit_down(room, Start { setup: &setup, ..room.start(0) })?;
    table.own_turn()?;
    table.leaves()?;
    play(&mut table, MOVES, book)?;
    table.stand_up()?;
    if room.setup().name() == "okupacio" {
        leaves_late(room, &setup, book)?;
    }
    book.pass(&["others-leave"]);
    Ok(())
}

/// The cells of one who leaves when most are taken are free again. The other plays on those that were free before, so that a bot which has
/// missed it soon finds none.
fn leaves_late(room: &Room, setup: &Setup, book: &mut Book) -> Step {
    let mut table = Table::sit_down(room, Start { setup, ..room.start(0) })?;
    let free = |game: &dyn Game| -> Vec<String> {
        let choices = game.choices().into_iter().filter(|choice| choice.word.is_none());
        choices.map(|choice| choice.text).collect()
    };
    let few = free(table.game()).len() / 4;
    while !table.is_over() && free(table.game()).len() > few {
        play(&mut table, 1, book)?;
    }
    if !table.is_over() {
        let before = free(table.game());
        table.leaves()?;
        while !table.is_over() {
            table.happened();
            table.others(|game| free(game).into_iter().find(|cell| before.contains(cell)))?;
            play(&mut table, 1, book)?;
        }
    }
    table.stand_up()?;
    Ok(())
}

/// A whole game of four, until somebody is too far behind.
pub fn exclusion(room: &Room, book: &mut Book, _: &Experiment) -> Step {
    const SEATS: u8 = 4;
    let setup = with_seats(room.setup(), SEATS)?;
    let mut table = Table::sit_down(room, Start { setup: &setup, ..room.start(0) })?;
    let mut out = 0;
    while !table.is_over() {
        table.others(drifting_apart)?;
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

/// Moves of a strong second player and a weak last one, so that the one falls far behind the other.
fn drifting_apart(game: &dyn Game) -> Option<String> {
    let mover = game.turn();
    let is_strong = match mover {
        Seat(1) => true,
        Seat(3) => false,
        _ => return None,
    };
    let letter = *game.layout().letters.get(mover.index())?;
    let held = |text: &str| {
        let mut next = game.copy();
        next.play(text).ok()?;
        Some(next.debug_board().chars().filter(|&at| at == letter).count())
    };
    let some = some_moves(game).into_iter();
    match is_strong {
        true => some.max_by_key(|text| held(text)),
        false => some.min_by_key(|text| held(text)),
    }
}

/// On a pipe nothing comes that is not flushed. Games do not use one unless they are told to, so that it is worth a remark only.
pub fn pipe(room: &Room, book: &mut Book, _: &Experiment) -> Step {
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

/// The same beginning twice.
pub fn same_seed(room: &Room, book: &mut Book, _: &Experiment) -> Step {
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

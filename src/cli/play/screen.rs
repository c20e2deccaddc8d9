//! The screen of a game at the terminal: players and clocks, the board or the part of it around the cursor, what to do.

use std::time::Duration;

use crate::game::Seat;
use crate::serve::play::table::{Kind, Table};
use crate::view::fit::{cut, wrap};
use crate::view::terminal::{Canvas, Window};

/// How much room there is.
#[derive(Clone, Copy)]
pub struct Size {
    /// Columns.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

/// What the person at the keys has in hand.
#[derive(Default)]
pub struct Hand {
    /// The cell of the cursor.
    pub cursor: usize,
    /// The cells that have been pointed at of a move that has several.
    pub picked: Vec<usize>,
    /// What is being typed.
    pub typed: String,
    /// What was wrong with the last answer.
    pub notice: Option<String>,
    /// Whether the keys are listed instead of the board.
    pub is_help: bool,
}

const HELP: [&str; 11] = [
    "arrows       move the cursor > <",
    "Enter        play the cell under it; a move of two cells: one after the other",
    "12 3 Enter   play a move as it is written",
    "swap         take over the first stone, where that is allowed (or play it again)",
    "undo         take your last move back",
    "hint         what the reference would play",
    "resign       give up",
    "new          another game, with sides exchanged",
    "quit         end (Ctrl-C)",
    "Esc          forget what was typed or pointed at",
    "?            this, and back to the board",
];

const FOOTER: &str = "? help | arrows Enter play | undo hint resign new quit";

/// The lines of the screen, as many as it has.
pub fn lines(table: &Table, hand: &Hand, size: Size, colour: bool) -> Vec<String> {
    let columns = size.columns.max(1);
    let mut head = wrap(&players(table), columns);
    head.truncate(3);
    let mut tail = wrap(&status(table, hand), columns);
    tail.truncate(2);
    tail.resize(2, String::new());
    tail.push(cut(&format!("> {}_", hand.typed), columns));
    tail.push(cut(FOOTER, columns));
    let room = size.rows.saturating_sub(head.len() + tail.len());
    let mut board = match hand.is_help {
        true => HELP.iter().map(|line| cut(line, columns)).collect(),
        false => board(table, hand, columns, room, colour),
    };
    board.resize(room, String::new());
    head.append(&mut board);
    head.append(&mut tail);
    // On a very low terminal, what to do comes before who plays.
    head.split_off(head.len().saturating_sub(size.rows))
}

/// The board, or as much of it around the cursor as there is room for.
fn board(table: &Table, hand: &Hand, columns: usize, rows: usize, colour: bool) -> Vec<String> {
    let picture = table.game().picture();
    let mut canvas = Canvas::of(&picture);
    let hint = table.hint().map_or(&[][..], |hint| &hint.spots);
    for (index, brackets) in
        hint.iter().map(|&cell| (cell, ('(', ')'))).chain(hand.picked.iter().map(|&cell| (cell, ('{', '}'))))
    {
        picture.layout.spots.get(index).inspect(|spot| canvas.enclose(spot, brackets));
    }
    let cursor = picture.layout.spots.get(hand.cursor).inspect(|spot| canvas.enclose(spot, ('>', '<')));
    let (x, y) = cursor.map_or((0, 0), |spot| canvas.place(spot));
    let (width, height) = canvas.size();
    let begin =
        |at: usize, room: usize, all: usize| at.saturating_sub(room / 2).min(all.saturating_sub(room));
    let window = Window { left: begin(x, columns, width), top: begin(y, rows, height), columns, rows };
    canvas.show(window, colour)
}

/// The players with their clocks.
fn players(table: &Table) -> String {
    let player = |(index, player): (usize, &crate::serve::play::table::Player)| {
        let seat = Seat(index as u8);
        let is_on = table.over().is_none() && table.game().turn() == seat;
        let clock = match table.left(seat) {
            Some(left) => format!("{} left", clock(left)),
            None => clock(table.used(seat)),
        };
        let out = if table.game().is_out(seat) { ", out" } else { "" };
        format!(
            "{}{} ({}{out}) {clock}",
            if is_on { "▶ " } else { "  " },
            player.name,
            table.game().side(seat)
        )
    };
    table.players().iter().enumerate().map(player).collect::<Vec<_>>().join("  ")
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// What has happened, and who is to do something.
fn status(table: &Table, hand: &Hand) -> String {
    if let Some(notice) = &hand.notice {
        return notice.clone();
    }
    if let Some(over) = table.over() {
        let kept = table.message().unwrap_or("type new for another game, or quit");
        return format!("{}: {}; {kept}", over.result, over.sentence);
    }
    if let Some(message) = table.message() {
        return message.to_owned();
    }
    let last = table.plies().last().map_or(String::new(), |ply| match &ply.text {
        Some(_) if ply.swap => format!("{} swapped. ", table.name(ply.seat)),
        Some(text) => format!("{} played {text}. ", table.name(ply.seat)),
        None => format!("{} left the game. ", table.name(ply.seat)),
    });
    let turn = table.game().turn();
    let people = table.players().iter().filter(|player| player.kind == Kind::Person).count();
    let words: Vec<&str> = table.choices().iter().filter_map(|choice| choice.word).collect();
    let words = if words.is_empty() { String::new() } else { format!(" Or type {}.", words.join(" or ")) };
    match (table.is_persons_turn(), people) {
        (true, 1) => format!("{last}It is your turn.{words}"),
        (true, _) => format!("{last}{} to move.{words}", table.name(turn)),
        (false, _) => format!("{last}{} is thinking …", table.name(turn)),
    }
}

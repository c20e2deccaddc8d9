//! Playing at the terminal: keys, and the screen that is drawn anew in its place.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::screen::{Hand, Size, lines};
use crate::cli::full_screen::FullScreen;
use crate::game::picture::{Choice, Spot};
use crate::serve::play::Room;
use crate::serve::play::table::{Objection, Table};

/// How often it is looked whether something has happened.
const TICK: Duration = Duration::from_millis(50);
/// How often clocks are drawn, in ticks.
const CLOCKS: u32 = 4;

/// How long the thread that shows the room may take to end.
const FAREWELL: Duration = Duration::from_secs(5);

/// The terminal, taken by a thread that shows the room.
pub struct Terminal {
    thread: JoinHandle<io::Result<()>>,
    is_over: Arc<AtomicBool>,
}

impl Terminal {
    /// Takes the terminal.
    pub fn open(room: Arc<Room>) -> Terminal {
        let is_over: Arc<AtomicBool> = Arc::default();
        let told = is_over.clone();
        let thread = thread::spawn(move || {
            let shown = show(&room, &told);
            // Without the screen nobody can go on playing, also after an error.
            room.quit();
            shown
        });
        Terminal { thread, is_over }
    }

    /// Gives it back.
    pub fn close(self) -> io::Result<()> {
        self.is_over.store(true, Ordering::Relaxed);
        let begun = Instant::now();
        while !self.thread.is_finished() {
            // A terminal that goes while keys are looked for keeps that thread for ever, and has to be left alone.
            if begun.elapsed() > FAREWELL {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the terminal is gone"));
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the screen has failed")))
    }
}

/// What a key asks for beyond the hand.
#[derive(PartialEq)]
enum Then {
    Stay,
    Suspend,
    Quit,
}

fn show(room: &Arc<Room>, is_over: &AtomicBool) -> io::Result<()> {
    let screen = FullScreen::enter()?;
    let mut hand = Hand::default();
    let (mut version, mut ticks, mut is_stale) = (u64::MAX, 0, true);
    while !is_over.load(Ordering::Relaxed) {
        let now = room.see(|table| table.version());
        if now != version {
            // A position that has changed begins with an empty hand.
            hand.picked.clear();
        }
        if now != version || is_stale || ticks % CLOCKS == 0 {
            let (rows, columns) = console::Term::stdout().size();
            let size = Size { columns: columns.into(), rows: rows.into() };
            screen.draw(&room.see(|table| lines(table, &hand, size, console::colors_enabled())))?;
            version = now;
        }
        ticks += 1;
        let event = screen.next_event(TICK)?;
        is_stale = event.is_some();
        if let Some(Event::Key(key)) = event
            && key.kind != KeyEventKind::Release
        {
            match press(room, &mut hand, key) {
                Then::Stay => {}
                Then::Suspend => screen.suspend()?,
                Then::Quit => return Ok(()),
            }
        }
    }
    Ok(())
}

fn press(room: &Arc<Room>, hand: &mut Hand, key: KeyEvent) -> Then {
    hand.notice = None;
    let with_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c' | 'd') if with_control => return Then::Quit,
        KeyCode::Char('z') if with_control => return Then::Suspend,
        KeyCode::Left => steer(room, hand, (-1, 0)),
        KeyCode::Right => steer(room, hand, (1, 0)),
        KeyCode::Up => steer(room, hand, (0, -1)),
        KeyCode::Down => steer(room, hand, (0, 1)),
        KeyCode::Esc => {
            hand.typed.clear();
            hand.picked.clear();
            hand.is_help = false;
        }
        KeyCode::Backspace => drop(hand.typed.pop()),
        KeyCode::Char('?') if hand.typed.is_empty() => hand.is_help = !hand.is_help,
        KeyCode::Char(letter) if !letter.is_control() && hand.typed.len() < 40 => hand.typed.push(letter),
        KeyCode::Enter => {
            let typed = std::mem::take(&mut hand.typed);
            match typed.trim() {
                "" => point(room, hand),
                "quit" | "q" | "exit" => return Then::Quit,
                command => answer(hand, obey(room, command)),
            }
        }
        _ => {}
    }
    Then::Stay
}

/// Does what was typed: a command, a button's word, or a move.
fn obey(room: &Arc<Room>, command: &str) -> Result<(), Objection> {
    match command {
        "undo" => room.undo(),
        "hint" => room.hint(),
        "resign" => room.resign(),
        "new" => room.new_game(),
        other => {
            let called = |choice: &Choice| choice.word == Some(other);
            let choice = room.see(|table| table.choices().into_iter().find(called));
            room.play(choice.as_ref().map_or(other, |choice| &choice.text))
        }
    }
}

fn answer(hand: &mut Hand, answer: Result<(), Objection>) {
    hand.notice = answer.err().map(|objection| objection.to_string());
}

/// Moves the cursor to the next cell in a direction.
fn steer(room: &Room, hand: &mut Hand, direction: (i16, i16)) {
    let spots = room.see(|table| table.game().layout().spots);
    hand.cursor = next_cell(&spots, hand.cursor.min(spots.len().saturating_sub(1)), direction);
}

/// The next cell in a direction, or the cell itself. Up and down go to the row next to it: where that is shifted, along the columns of Hex,
/// which lean to the right.
fn next_cell(spots: &[Spot], from: usize, (right, down): (i16, i16)) -> usize {
    let Some(here) = spots.get(from) else { return from };
    let cost = |spot: &Spot| {
        let (x, y) = (spot.x - here.x, spot.y - here.y);
        let (along, across) = if right != 0 { (x * right, y.abs()) } else { (y * down, x.abs()) };
        (along > 0 && (down != 0 || across == 0)).then_some((along, across, -x * down))
    };
    let found = spots.iter().enumerate().filter_map(|(index, spot)| Some((cost(spot)?, index)));
    found.min().map_or(from, |(_, index)| index)
}

/// The cell under the cursor is pointed at.
fn point(room: &Arc<Room>, hand: &mut Hand) {
    let choices = room.see(|table: &mut Table| table.choices());
    if choices.is_empty() {
        hand.notice = Some("it is not your turn".to_owned());
        return;
    }
    let begins = |picked: &[usize]| -> Vec<&Choice> {
        choices.iter().filter(|choice| !choice.spots.is_empty() && choice.spots.starts_with(picked)).collect()
    };
    // A cell that ends one move and goes on in others is played when it is pointed at again.
    let again = begins(&hand.picked).into_iter().find(|choice| choice.spots == hand.picked);
    if let Some(choice) = again.filter(|_| hand.picked.last() == Some(&hand.cursor)) {
        return answer(hand, room.play(&choice.text));
    }
    let mut picked = hand.picked.clone();
    picked.push(hand.cursor);
    match begins(&picked)[..] {
        [only] if only.spots == picked => answer(hand, room.play(&only.text)),
        [] if hand.picked.is_empty() => hand.notice = Some("that cannot be played".to_owned()),
        [] => {
            hand.picked.clear();
            if !begins(&[hand.cursor]).is_empty() {
                point(room, hand);
            }
        }
        _ => hand.picked = picked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{BoardOptions, GAMES, Setup};

    #[test]
    fn every_cell_can_be_reached_by_cursor_keys() {
        for rules in GAMES {
            let setup = Setup::new(rules.name, BoardOptions::default()).unwrap();
            let spots = setup.start().layout().spots;
            let (mut reached, mut open) = (vec![false; spots.len()], vec![0]);
            while let Some(cell) = open.pop() {
                if !std::mem::replace(&mut reached[cell], true) {
                    open.extend([(1, 0), (-1, 0), (0, 1), (0, -1)].map(|way| next_cell(&spots, cell, way)));
                }
            }
            assert!(reached.iter().all(|&one| one), "{}", rules.name);
        }
    }
}

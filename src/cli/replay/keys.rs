//! What keys ask for.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::view::replay_screen::Panel;

/// The keys, as they are listed.
pub const KEYS: [&str; 9] = [
    "→ l j Enter  forward   ← h k  back",
    "Home End G   first, last  PgDn PgUp: ten",
    "12 Enter     go to ply 12 (or g 12)",
    "n ] p [      next, previous game",
    "v            next variation",
    "space + -    play or pause, speed",
    "w a s d f    scroll; f: to the last move",
    "m i          moves; comments and result",
    "q Esc        close this; quit",
];

/// The keys in a line.
pub const FOOTER: &str = "? keys  q quit  ←→ step  space play";

/// What a key, or the time, asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// So many plies on, or back.
    Step(isize),
    /// The position before the first ply.
    First,
    /// The last position.
    Last,
    /// The beginning of a number, or another digit of it.
    Digit(char),
    /// A number is to come.
    Number,
    /// What was typed is all.
    Enter,
    /// What was typed last was wrong.
    Erase,
    /// So many games on, or back.
    Game(isize),
    /// The next line of play of this game.
    Variation,
    /// Playing by itself, or no longer.
    Play,
    /// Twice as fast, or half.
    Speed(bool),
    /// So many columns and rows of what is shown.
    Scroll(isize, isize),
    /// To where the last move is seen.
    Follow,
    /// Something else is to be shown, or again the board.
    Show(Panel),
    /// Out of what is open, or of the program.
    Close,
    /// Out of the program.
    Quit,
    /// Stopping, as a shell does with Ctrl-Z.
    Suspend,
    /// Nothing.
    Stay,
}

/// What a key asks for.
pub fn command(key: KeyEvent) -> Command {
    if key.kind == KeyEventKind::Release {
        return Command::Stay;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'd') => Command::Quit,
            KeyCode::Char('z') => Command::Suspend,
            // A line feed, as some terminals send it for Enter.
            KeyCode::Char('j') => Command::Enter,
            _ => Command::Stay,
        };
    }
    match key.code {
        KeyCode::Right | KeyCode::Down | KeyCode::Char('l' | 'j') => Command::Step(1),
        KeyCode::Left | KeyCode::Up | KeyCode::Char('h' | 'k') => Command::Step(-1),
        KeyCode::PageDown => Command::Step(10),
        KeyCode::PageUp => Command::Step(-10),
        KeyCode::Home => Command::First,
        KeyCode::End | KeyCode::Char('G' | '$') => Command::Last,
        KeyCode::Char(digit) if digit.is_ascii_digit() => Command::Digit(digit),
        KeyCode::Char('g') => Command::Number,
        KeyCode::Enter => Command::Enter,
        KeyCode::Backspace => Command::Erase,
        KeyCode::Char('n' | ']') => Command::Game(1),
        KeyCode::Char('p' | '[') => Command::Game(-1),
        KeyCode::Char('v') => Command::Variation,
        KeyCode::Char(' ') => Command::Play,
        KeyCode::Char('+' | '=') => Command::Speed(true),
        KeyCode::Char('-') => Command::Speed(false),
        KeyCode::Char('w') => Command::Scroll(0, -2),
        KeyCode::Char('s') => Command::Scroll(0, 2),
        KeyCode::Char('a') => Command::Scroll(-4, 0),
        KeyCode::Char('d') => Command::Scroll(4, 0),
        KeyCode::Char('f') => Command::Follow,
        KeyCode::Char('m') => Command::Show(Panel::Moves),
        KeyCode::Char('i') => Command::Show(Panel::Words),
        KeyCode::Char('?') => Command::Show(Panel::Keys),
        KeyCode::Esc | KeyCode::Char('q' | 'Q') => Command::Close,
        _ => Command::Stay,
    }
}

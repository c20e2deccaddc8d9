//! Stepping through games at a terminal.

use std::time::{Duration, Instant};

use anyhow::Result;
use console::measure_text_width;
use crossterm::event::Event;

use super::by_ply::Replay;
use super::keys::{self, Command};
use crate::cli::full_screen::FullScreen;
use crate::cli::recorded::Games;
use crate::referee::interrupt::Interrupt;
use crate::view::fit::Size;
use crate::view::replay_screen::{Look, Panel, screen};

/// How long each ply is shown where nobody says so.
const USUAL_DELAY: Duration = Duration::from_millis(500);
/// The longest and the shortest that can be chosen by keys.
const SLOWEST: Duration = Duration::from_secs(16);
const FASTEST: Duration = Duration::from_millis(15);
/// How often it is looked whether somebody wants us to end.
const TICK: Duration = Duration::from_millis(250);

/// Games that are stepped through.
pub struct Viewer<'a> {
    games: &'a Games,
    /// Which of the games can be gone to, by their index.
    chosen: &'a [usize],
    /// Which of these it is.
    at: usize,
    /// Which line of play of it.
    line: usize,
    /// That game.
    pub replay: Replay,
    ply: usize,
    panel: Panel,
    /// Where the panel begins that is shown, and whether somebody has scrolled there.
    corner: (usize, usize),
    is_scrolled: bool,
    /// The number that is being typed.
    typed: Option<String>,
    /// What went wrong with the last key.
    notice: Option<String>,
    delay: Duration,
    /// When the next ply comes by itself.
    due: Option<Instant>,
    /// Whether to end with the game: it was asked to play by itself, and nobody has touched a key.
    ends: bool,
}

impl<'a> Viewer<'a> {
    /// Begins with one of the chosen games and one of its lines; with a delay, it plays by itself.
    pub fn new(
        games: &'a Games,
        chosen: &'a [usize],
        at: usize,
        line: usize,
        delay: Option<Duration>,
    ) -> Result<Viewer<'a>> {
        let replay = Replay::new(games.line(chosen[at], line)?)?;
        Ok(Viewer {
            games,
            chosen,
            at,
            line,
            replay,
            ply: 0,
            panel: Panel::Board,
            corner: (0, 0),
            is_scrolled: false,
            typed: None,
            notice: None,
            delay: delay.unwrap_or(USUAL_DELAY),
            due: delay.map(|delay| Instant::now() + delay),
            ends: delay.is_some(),
        })
    }

    /// Shows positions until somebody has seen enough.
    pub fn run(&mut self) -> Result<()> {
        let interrupt = Interrupt::catch()?;
        let terminal = FullScreen::enter()?;
        let mut is_current = false;
        while !interrupt.requested() {
            if !is_current {
                terminal.draw(&self.lines()?)?;
            }
            let command = self.next_command(&terminal)?;
            is_current = command.is_none();
            match command {
                None => {}
                Some(Command::Quit) => break,
                Some(Command::Close) if self.panel == Panel::Board && self.typed.is_none() => break,
                Some(Command::Suspend) => terminal.suspend()?,
                Some(command) => self.obey(command),
            }
            if self.ends && self.due.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// The next key, or that it is time for the next ply; nothing for a while without either.
    fn next_command(&mut self, terminal: &FullScreen) -> Result<Option<Command>> {
        let left = self.due.map(|due| due.saturating_duration_since(Instant::now()));
        if let Some(event) = terminal.next_event(left.map_or(TICK, |left| left.min(TICK)))? {
            let Event::Key(key) = event else { return Ok(Some(Command::Stay)) };
            self.ends = false;
            return Ok(Some(keys::command(key)));
        }
        if self.due.is_none_or(|due| Instant::now() < due) {
            return Ok(None);
        }
        self.due = (self.ply < self.replay.last()).then(|| Instant::now() + self.delay);
        Ok(Some(Command::Step(1)))
    }

    /// The screen as it is now.
    fn lines(&mut self) -> Result<Vec<String>> {
        let (rows, columns) = console::Term::stdout().size();
        let size = Size { columns: columns.into(), rows: rows.into() };
        let place = self.place();
        let mut scene = self.replay.scene(self.ply, size.columns, measure_text_width(&place))?;
        scene.header += &place;
        let corner = self.is_scrolled.then_some(self.corner);
        let look = Look { panel: self.panel, corner, size, colour: console::colors_enabled() };
        let shown = screen(&scene, look, &keys::KEYS, &self.footer());
        self.corner = shown.corner;
        Ok(shown.lines)
    }

    /// Which of several it is.
    fn place(&self) -> String {
        let lines = self.games.lines(self.chosen[self.at]);
        let mut place = String::new();
        if lines > 1 {
            place += &format!("; variation {}/{lines}", self.line + 1);
        }
        if self.chosen.len() > 1 {
            place += &format!("; {}/{}", self.at + 1, self.chosen.len());
        }
        place
    }

    fn footer(&self) -> String {
        match (&self.typed, &self.notice, self.due) {
            (Some(typed), ..) => format!("go to ply (0 to {}): {typed}_", self.replay.last()),
            (None, Some(notice), _) => notice.clone(),
            (None, None, Some(_)) => {
                format!("space pause  + - speed ({:.2} s a ply)  {}", self.delay.as_secs_f64(), keys::FOOTER)
            }
            (None, None, None) if self.chosen.len() > 1 => format!("{}  n p game", keys::FOOTER),
            (None, None, None) => keys::FOOTER.to_owned(),
        }
    }

    fn obey(&mut self, command: Command) {
        self.notice = None;
        match command {
            Command::Step(plies) => self.go_to(self.ply.saturating_add_signed(plies)),
            Command::First => self.go_to(0),
            Command::Last => self.go_to(self.replay.last()),
            Command::Digit(digit) => self.typed.get_or_insert_default().push(digit),
            Command::Number => self.typed = Some(String::new()),
            Command::Enter => match self.typed.take() {
                // Too large a number is the last ply, none the first.
                Some(typed) if typed.is_empty() => self.go_to(0),
                Some(typed) => self.go_to(typed.parse().unwrap_or(usize::MAX)),
                None => self.go_to(self.ply + 1),
            },
            Command::Erase => match &mut self.typed {
                Some(typed) => drop(typed.pop()),
                None => self.go_to(self.ply.saturating_sub(1)),
            },
            Command::Game(step) => self.go_to_game(step),
            Command::Variation => self.next_variation(),
            Command::Play => self.play_or_pause(),
            Command::Speed(faster) => {
                let delay = if faster { self.delay / 2 } else { self.delay * 2 };
                self.delay = delay.clamp(FASTEST, SLOWEST);
            }
            Command::Scroll(columns, rows) => {
                let (left, top) = self.corner;
                self.corner = (left.saturating_add_signed(columns), top.saturating_add_signed(rows));
                self.is_scrolled = true;
            }
            Command::Follow => self.is_scrolled = false,
            Command::Show(panel) => self.show(if self.panel == panel { Panel::Board } else { panel }),
            Command::Close if self.typed.take().is_some() => {}
            Command::Close => self.show(Panel::Board),
            Command::Quit | Command::Suspend | Command::Stay => {}
        }
    }

    fn go_to(&mut self, ply: usize) {
        let ply = ply.min(self.replay.last());
        if ply != self.ply {
            self.is_scrolled = false;
        }
        self.ply = ply;
    }

    fn show(&mut self, panel: Panel) {
        self.panel = panel;
        self.is_scrolled = false;
    }

    fn play_or_pause(&mut self) {
        if self.due.take().is_some() {
            return;
        }
        // From the end it begins again.
        self.go_to(if self.ply == self.replay.last() { 0 } else { self.ply + 1 });
        self.due = Some(Instant::now() + self.delay);
    }

    /// Goes to the next game that can be replayed, forward or back.
    fn go_to_game(&mut self, step: isize) {
        let mut at = self.at;
        loop {
            let next = at.checked_add_signed(step).filter(|&next| next < self.chosen.len());
            let Some(next) = next else {
                let end = if step > 0 { "last" } else { "first" };
                self.notice.get_or_insert_with(|| format!("this is the {end} game"));
                return;
            };
            at = next;
            match self.games.line(self.chosen[at], 0).and_then(Replay::new) {
                Ok(replay) => {
                    (self.at, self.line, self.ply, self.replay) = (at, 0, 0, replay);
                    self.due = None;
                    self.show(Panel::Board);
                    return;
                }
                Err(error) => self.notice = Some(format!("{error:#}")),
            }
        }
    }

    /// Goes to the next variation, at the ply where it leaves what was shown.
    fn next_variation(&mut self) {
        let game = self.chosen[self.at];
        let lines = self.games.lines(game);
        if lines < 2 {
            self.notice = Some("this game has no variations".to_owned());
            return;
        }
        self.line = (self.line + 1) % lines;
        match self.games.line(game, self.line).and_then(Replay::new) {
            Ok(replay) => {
                let same = replay.record.plies_shared_with(&self.replay.record);
                self.ply = (same + 1).min(replay.last());
                self.replay = replay;
                self.is_scrolled = false;
            }
            Err(error) => self.notice = Some(format!("variation {}: {error:#}", self.line + 1)),
        }
    }
}

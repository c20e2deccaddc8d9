//! `arbitro replay`: looking at a game that was played.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use console::Term;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use super::exit::usage;
use super::numbers::whole;
use super::output::print;
use super::recorded::{Games, LAST_NUMBER};
use crate::game::{Game, Seat};
use crate::record::text::counted;
use crate::record::time_control::parse_seconds;
use crate::record::{GameRecord, Ply, SeatRecord, hexworld};
use crate::view::terminal;

/// Step through a recorded game
#[derive(ClapArgs)]
#[command(after_help = "\
Keys: → or space forward, ← back, Home first, End last, q quit.

Examples:
  arbitro replay results/duel-…                the games in it
  arbitro replay results/duel-… 3              step through game 3
  arbitro replay games.jsonl 3 --at 10         the position after ply 10
  arbitro replay games.jsonl 3 --delay 0.5     let it play by itself
  arbitro replay game.sgf                      a game of Hex from elsewhere")]
pub struct Args {
    /// The journal, the folder that holds it, or an SGF file of Hex
    journal: PathBuf,
    /// The number of the game [default: the only one, or a list of all]
    #[arg(allow_negative_numbers = true, value_parser = whole::<u32>(1..=LAST_NUMBER))]
    game: Option<u32>,
    /// Print the position after so many plies: moves of one side (0: the empty board)
    #[arg(long, value_name = "PLY", value_parser = whole::<usize>(0..=LAST_NUMBER), conflicts_with_all = ["all", "delay"])]
    at: Option<usize>,
    /// Print every position
    #[arg(long, conflicts_with = "delay")]
    all: bool,
    /// Play the game by itself, with so many seconds for each ply
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    delay: Option<Duration>,
}

/// Shows the game.
pub fn run(args: Args) -> Result<ExitCode> {
    let games = Games::read(args.journal, "replay")?;
    let Some(record) = games.game(args.game)? else {
        print(&games.records.iter().map(summary).collect::<String>())?;
        return Ok(ExitCode::SUCCESS);
    };
    let replay = Replay::new(record)?;
    let term = Term::stdout();
    match (args.at, args.all, args.delay) {
        (Some(ply), ..) if ply > replay.last() => {
            let (number, plies) = (record.number, counted(replay.last(), "ply"));
            return Err(usage(anyhow::anyhow!("game {number} has {plies}: there is no ply {ply}")));
        }
        (Some(ply), ..) => print(&replay.frame(ply, console::colors_enabled())?)?,
        (None, true, _) => {
            for ply in 0..=replay.last() {
                print(&format!("{}\n", replay.frame(ply, console::colors_enabled())?))?;
            }
        }
        (None, false, _) if !term.is_term() || !io::stdin().is_terminal() => {
            print(&replay.frame(replay.last(), false)?)?
        }
        (None, false, delay) => step_through(&term, &replay, delay)?,
    }
    if let Ok(link) = hexworld::link(record) {
        print(&format!("HexWorld: {link}\n"))?;
    }
    if let Err(error) = record.verify() {
        bail!("game {} does not agree with itself: {error}", record.number);
    }
    Ok(ExitCode::SUCCESS)
}

/// A game in a line.
fn summary(record: &GameRecord) -> String {
    let (players, result, reason) = (record.players(), record.result(), record.verdict.reason);
    format!("{:>4}  {players}  {result}: {reason}, {}\n", record.number, counted(record.plies.len(), "ply"))
}

/// A game that can be looked at ply by ply.
struct Replay<'a> {
    record: &'a GameRecord,
}

impl Replay<'_> {
    fn new(record: &GameRecord) -> Result<Replay<'_>> {
        let replay = Replay { record };
        // A game that breaks off is refused before anything of it is shown.
        replay.position(replay.last())?;
        Ok(replay)
    }

    fn last(&self) -> usize {
        self.record.plies.len()
    }

    fn position(&self, ply: usize) -> Result<Box<dyn Game>> {
        let cannot = || format!("game {} cannot be replayed", self.record.number);
        self.record.position(ply).with_context(cannot)
    }

    /// The position after a ply, with what there is to say about it.
    fn frame(&self, ply: usize, colour: bool) -> Result<String> {
        let (record, game) = (self.record, self.position(ply)?);
        let picture = game.picture();
        let player = |(seat, bot): (Seat, &SeatRecord)| format!("{} ({})", bot.bot, game.side(seat));
        let players: Vec<String> = (0..).map(Seat).zip(&record.seats).map(player).collect();
        let (name, board) = (&record.game, game.board_name());
        let mut text = format!("game {}, {name} {board}: {}\n", record.number, players.join(" – "));
        let _ = writeln!(text, "{}", self.caption(ply, game.as_ref())?);
        let _ = writeln!(text, "{}\n\n{}", picture.layout.legend, terminal::board(&picture, colour));
        if ply == self.last() {
            for warning in &record.warnings {
                let (bot, ply) = (record.bot(warning.seat), warning.ply);
                let _ = writeln!(text, "warning, ply {ply}: {bot} {warning}");
            }
            // In a game of two, the sentence of the verdict says it.
            for loss in record.verdict.losses.iter().filter(|_| record.seats.len() > 2) {
                let (bot, reason) = (record.bot(loss.seat), loss.reason);
                let ply = loss.ply.map_or(String::new(), |ply| format!(" on ply {ply}"));
                let _ = writeln!(text, "{bot} left{ply} ({reason}): it {}", record.what(loss));
            }
            let (result, reason) = (record.result(), record.verdict.reason);
            let _ = writeln!(text, "{result} ({reason}): {}", record.sentence());
        }
        Ok(text)
    }

    /// The move that led here.
    fn caption(&self, ply: usize, now: &dyn Game) -> Result<String> {
        let Some(before) = ply.checked_sub(1) else {
            return Ok(format!("before the first of {}", counted(self.last(), "ply")));
        };
        let before = self.position(before)?;
        let seat = before.turn();
        let bot = self.record.bot(seat);
        let side = before.side(seat);
        let what = match &self.record.plies[ply - 1] {
            Ply::Leave => format!("{bot} ({side}) had to leave"),
            Ply::Move { text, taken, .. } => {
                let seconds = taken.as_secs_f64();
                if now.swapped() && !before.swapped() {
                    format!("{bot} swapped {text} and is {} now in {seconds:.3} s", now.side(seat))
                } else {
                    format!("{bot} ({side}) played {text} in {seconds:.3} s")
                }
            }
        };
        Ok(format!("ply {ply} of {}: {what}", self.last()))
    }
}

/// Shows positions one after the other, by key or by time.
fn step_through(term: &Term, replay: &Replay, delay: Option<Duration>) -> Result<()> {
    let raw = RawMode::enter()?;
    let shown =
        term.hide_cursor().map_err(Into::into).and_then(|()| show_until_quit(term, &raw, replay, delay));
    term.show_cursor()?;
    shown
}

fn show_until_quit(term: &Term, raw: &RawMode, replay: &Replay, delay: Option<Duration>) -> Result<()> {
    let mut ply = 0;
    loop {
        let mut frame = replay.frame(ply, console::colors_enabled())?;
        frame += "\n→ forward  ← back  Home first  End last  q quit\n";
        let (rows, columns) = term.size();
        let (high, wide) =
            (frame.lines().count() + 1, frame.lines().map(console::measure_text_width).max().unwrap_or(0));
        if high > rows.into() || wide > columns.into() {
            frame += &format!("this needs a terminal of {wide}×{high}; yours is {columns}×{rows}\n");
        }
        term.clear_screen()?;
        // In raw mode a line feed does not return to the first column.
        term.write_str(&frame.replace('\n', "\r\n"))?;
        match raw.next_step(delay)? {
            Step::On if delay.is_some() && ply == replay.last() => return Ok(()),
            Step::On => ply = (ply + 1).min(replay.last()),
            Step::Back => ply = ply.saturating_sub(1),
            Step::First => ply = 0,
            Step::Last => ply = replay.last(),
            Step::Quit => return Ok(()),
            Step::Stay => {}
        }
    }
}

/// What a key, or the time, asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    On,
    Back,
    First,
    Last,
    Quit,
    Stay,
}

/// The terminal in a mode that gives keys one by one; it is as it was before when this is dropped.
struct RawMode;

impl RawMode {
    fn enter() -> io::Result<RawMode> {
        enable_raw_mode()?;
        Ok(RawMode)
    }

    /// Waits for the next key, or for the delay to pass.
    fn next_step(&self, delay: Option<Duration>) -> io::Result<Step> {
        if let Some(delay) = delay
            && !event::poll(delay)?
        {
            return Ok(Step::On);
        }
        let Event::Key(key) = event::read()? else { return Ok(Step::Stay) };
        if key.modifiers == KeyModifiers::CONTROL && key.code == KeyCode::Char('z') {
            disable_raw_mode()?;
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TSTP)?;
            enable_raw_mode()?;
        }
        Ok(step_of(key))
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        // The terminal may be gone; then there is nothing to restore.
        let _ = disable_raw_mode();
    }
}

/// What a key asks for.
fn step_of(key: KeyEvent) -> Step {
    if key.kind == KeyEventKind::Release {
        return Step::Stay;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return if matches!(key.code, KeyCode::Char('c' | 'd')) { Step::Quit } else { Step::Stay };
    }
    match key.code {
        KeyCode::Right | KeyCode::Down | KeyCode::Enter | KeyCode::Char(' ' | 'n' | 'l' | 'j') => Step::On,
        KeyCode::Left | KeyCode::Up | KeyCode::Backspace | KeyCode::Char('p' | 'h' | 'k') => Step::Back,
        KeyCode::Home | KeyCode::Char('g' | '0') => Step::First,
        KeyCode::End | KeyCode::Char('G' | '$') => Step::Last,
        KeyCode::Esc | KeyCode::Char('q' | 'Q') => Step::Quit,
        _ => Step::Stay,
    }
}

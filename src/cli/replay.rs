//! `arbitro replay`: looking at a game that was played.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use console::Term;

use super::games::Games;
use super::output::print;
use super::usage;
use crate::game::{Game, Seat};
use crate::record::{GameRecord, SeatRecord, hexworld};
use crate::referee::clock::parse_seconds;
use crate::referee::{LEAVES, PlayedMove};
use crate::view::keyboard::{Key, Keyboard};
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
    game: Option<u32>,
    /// Print the position after this ply (0: the empty board)
    #[arg(long, value_name = "PLY", conflicts_with_all = ["all", "delay"])]
    at: Option<usize>,
    /// Print every position
    #[arg(long, conflicts_with = "delay")]
    all: bool,
    /// Play by itself, with this many seconds for each ply
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    delay: Option<Duration>,
}

/// Shows the game.
pub fn run(args: Args) -> Result<ExitCode> {
    let games = Games::read(args.journal)?;
    let Some(record) = games.game(args.game)? else {
        print(&games.records.iter().map(summary).collect::<String>())?;
        return Ok(ExitCode::SUCCESS);
    };
    let replay = Replay::new(record)?;
    let term = Term::stdout();
    match (args.at, args.all, args.delay) {
        (Some(ply), ..) if ply > replay.last() => {
            let last = replay.last();
            return Err(usage(anyhow::anyhow!("game {} has {last} plies: there is no ply {ply}", record.id)));
        }
        (Some(ply), ..) => print(&replay.frame(ply, console::colors_enabled()))?,
        (None, true, _) => {
            for ply in 0..=replay.last() {
                print(&format!("{}\n", replay.frame(ply, console::colors_enabled())))?;
            }
        }
        (None, false, _) if !term.is_term() || !io::stdin().is_terminal() => {
            print(&replay.frame(replay.last(), false))?
        }
        (None, false, delay) => step_through(&term, &replay, delay)?,
    }
    if let Ok(link) = hexworld::link(record) {
        print(&format!("HexWorld: {link}\n"))?;
    }
    if let Err(error) = record.verify() {
        bail!("game {} does not agree with itself: {error}", record.id);
    }
    Ok(ExitCode::SUCCESS)
}

/// A game in a line.
fn summary(record: &GameRecord) -> String {
    let (players, result, reason) = (record.players(), record.result(), record.verdict.reason);
    format!("{:>4}  {players}  {result}: {reason}, {} plies\n", record.id, record.moves.len())
}

/// A game with all its positions.
struct Replay<'a> {
    record: &'a GameRecord,
    positions: Vec<Box<dyn Game>>,
}

impl Replay<'_> {
    fn new(record: &GameRecord) -> Result<Replay<'_>> {
        let position =
            |ply| record.position(ply).with_context(|| format!("game {} cannot be replayed", record.id));
        Ok(Replay { record, positions: (0..=record.moves.len()).map(position).collect::<Result<_>>()? })
    }

    fn last(&self) -> usize {
        self.positions.len() - 1
    }

    /// The position after a ply, with what there is to say about it.
    fn frame(&self, ply: usize, colour: bool) -> String {
        let (record, game) = (self.record, &self.positions[ply]);
        let picture = game.picture();
        let player = |(seat, bot): (Seat, &SeatRecord)| format!("{} ({})", bot.bot, game.side(seat));
        let players: Vec<String> = (0..).map(Seat).zip(&record.seats).map(player).collect();
        let (name, board) = (&record.game, game.board_name());
        let mut text = format!("game {}, {name} {board}: {}\n", record.id, players.join(" – "));
        let _ = writeln!(text, "{}", self.caption(ply));
        let _ = writeln!(text, "{}\n\n{}", picture.legend, terminal::board(&picture, colour));
        if ply == self.last() {
            for warning in &record.warnings {
                let (bot, ply) = (record.bot(warning.seat), warning.ply);
                let _ = writeln!(text, "warning, ply {ply}: {bot} {warning}");
            }
            for fault in &record.verdict.faults {
                let (bot, ply, reason) = (record.bot(fault.seat), fault.ply, fault.reason);
                let _ = writeln!(text, "{bot} left on ply {ply} ({reason}): {}", fault.sentence);
            }
            let (result, reason) = (record.result(), record.verdict.reason);
            let _ = writeln!(text, "{result} ({reason}): {}", record.verdict.sentence);
        }
        text
    }

    /// The move that led here.
    fn caption(&self, ply: usize) -> String {
        let Some(before) = ply.checked_sub(1).map(|before| &self.positions[before]) else {
            return format!("before the first of {} plies", self.last());
        };
        let seat = before.turn();
        let bot = self.record.bot(seat);
        let PlayedMove(mv, nanoseconds) = &self.record.moves[ply - 1];
        let seconds = *nanoseconds as f64 / 1e9;
        let what = if self.positions[ply].swapped() && !before.swapped() {
            format!("{bot} swapped {mv} and is {} now", self.positions[ply].side(seat))
        } else if mv == LEAVES {
            return format!("ply {ply} of {}: {bot} ({}) had to leave", self.last(), before.side(seat));
        } else {
            format!("{bot} ({}) played {mv}", before.side(seat))
        };
        format!("ply {ply} of {}: {what} in {seconds:.3} s", self.last())
    }
}

/// Shows positions one after the other, by key or by time.
fn step_through(term: &Term, replay: &Replay, delay: Option<Duration>) -> Result<()> {
    let keyboard = Keyboard::open()?;
    let shown = term.hide_cursor().and_then(|()| show_until_quit(term, &keyboard, replay, delay));
    term.show_cursor()?;
    shown.map_err(Into::into)
}

fn show_until_quit(
    term: &Term,
    keyboard: &Keyboard,
    replay: &Replay,
    delay: Option<Duration>,
) -> io::Result<()> {
    let mut ply = 0;
    loop {
        let mut frame = replay.frame(ply, console::colors_enabled());
        frame += "\n→ forward  ← back  Home first  End last  q quit\n";
        let (rows, columns) = term.size();
        let (high, wide) =
            (frame.lines().count() + 1, frame.lines().map(console::measure_text_width).max().unwrap_or(0));
        if high > rows.into() || wide > columns.into() {
            frame += &format!("this needs a terminal of {wide}×{high}; yours is {columns}×{rows}\n");
        }
        term.clear_screen()?;
        term.write_str(&frame)?;
        match keyboard.key(delay)? {
            None if ply == replay.last() => return Ok(()),
            None | Some(Key::Forward) => ply = (ply + 1).min(replay.last()),
            Some(Key::Back) => ply = ply.saturating_sub(1),
            Some(Key::First) => ply = 0,
            Some(Key::Last) => ply = replay.last(),
            Some(Key::Quit) => return Ok(()),
            Some(Key::Other) => {}
        }
    }
}

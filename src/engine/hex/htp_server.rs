//! The reference player as an HTP server, for HexGui and other controllers of engines: the Go Text Protocol, version 2, with
//! Hex in the place of Go.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use crate::engine::base::Engine;
use crate::engine::clock::OwnClock;
use crate::game::grid::{Cell, Grid, MAX_SIZE};
use crate::game::hex::{Hex, Side};
use crate::game::notation::{Colour, Vertex, mirror};
use crate::game::{Game, hex};

/// The game that the protocol is for.
pub const GAME: &str = hex::RULES.name;
/// The size of the board until somebody gives another: that of HexGui.
pub const USUAL_SIZE: u8 = 11;

/// Every command, in order.
const COMMANDS: [&str; 18] = [
    "all_legal_moves",
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "hexgui-analyze_commands",
    "known_command",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// What HexGui offers in its dialogue of commands.
const ANALYZE_COMMANDS: &str = "plist/All Legal Moves/all_legal_moves\n\
    string/Show Board/showboard\n\
    string/Final Score/final_score\n\
    move/Suggest Move/reg_genmove %c";

/// What has happened on the board.
#[derive(Clone, Copy)]
enum Event {
    Stone(Colour, Cell),
    SwapPieces,
    SwapSides,
}

/// The text of an answer, or of an error.
type Answer = Result<String, String>;

/// An HTP server around an engine of Hex.
pub struct Server<E> {
    engine: E,
    grid: Grid,
    history: Vec<Event>,
    /// What each colour has for a game, if somebody has said so.
    time: Option<Duration>,
    /// What it gains with each move.
    increment: Duration,
    /// What is left on each colour's clock, of it.
    left: [Option<Duration>; 2],
}

impl<E: Engine<Hex>> Server<E> {
    /// A server of an engine, on an empty board, with this much time for each colour, and with each move, until it is told otherwise.
    pub fn new(engine: E, size: u8, time: Option<Duration>, increment: Duration) -> Server<E> {
        Server { engine, grid: Grid::new(size), history: Vec::new(), time, increment, left: [time; 2] }
    }

    /// Answers commands until it is told to quit or the input ends.
    pub fn serve(mut self, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        for line in input.split(b'\n') {
            let Some((id, words)) = read_command(&line?) else { continue };
            let (name, arguments) =
                words.split_first().map_or(("", &[][..]), |(name, rest)| (name.as_str(), rest));
            let (sign, text) = match self.answer(name, arguments) {
                Ok(text) => ('=', text),
                Err(text) => ('?', text),
            };
            let gap = if text.is_empty() { "" } else { " " };
            write!(output, "{sign}{id}{gap}{text}\n\n")?;
            output.flush()?;
            if name == "quit" {
                break;
            }
        }
        Ok(())
    }

    fn answer(&mut self, name: &str, arguments: &[String]) -> Answer {
        let argument = |index: usize| arguments.get(index).map(String::as_str).ok_or_else(syntax_error);
        match name {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("arbitro-ref".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => Ok(COMMANDS.contains(&argument(0)?).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "hexgui-analyze_commands" => Ok(ANALYZE_COMMANDS.to_owned()),
            "quit" => Ok(String::new()),
            "boardsize" => self.set_size(argument(0)?, arguments.get(1)),
            "clear_board" => self.clear(),
            "play" => self.play(colour(argument(0)?)?, argument(1)?),
            "undo" => self.history.pop().map(|_| String::new()).ok_or("cannot undo".to_owned()),
            "genmove" => self.move_for(colour(argument(0)?)?, true),
            "reg_genmove" => self.move_for(colour(argument(0)?)?, false),
            "showboard" => Ok(self.drawing()),
            "all_legal_moves" => Ok(self.legal_moves()),
            "final_score" => match self.position(Colour::Black).winner() {
                Some(side) => Ok(format!("{}+", Colour::of_side(side).letter())),
                None => Err("cannot score".to_owned()),
            },
            "time_settings" => {
                let numbers = [seconds(argument(0)?)?, seconds(argument(1)?)?];
                let stones: u32 = argument(2)?.parse().map_err(|_| syntax_error())?;
                self.set_time(numbers, stones)
            }
            "time_left" => {
                let (colour, time) = (colour(argument(0)?)?, seconds(argument(1)?)?);
                let stones: u32 =
                    arguments.get(2).map_or(Ok(0), |text| text.parse()).map_err(|_| syntax_error())?;
                // With stones to play in that time, each has its share.
                self.left[colour.seat().index()] = Some(time / stones.max(1));
                Ok(String::new())
            }
            _ => Err("unknown command".to_owned()),
        }
    }

    fn set_size(&mut self, width: &str, height: Option<&String>) -> Answer {
        let number = |text: &str| text.parse::<u32>().map_err(|_| syntax_error());
        let width = number(width)?;
        let height = height.map_or(Ok(width), |height| number(height))?;
        let size = u8::try_from(width).ok().filter(|size| hex::RULES.sizes.contains(size) && width == height);
        let size =
            size.ok_or_else(|| format!("unacceptable size: boards are square, from 2 to {MAX_SIZE}"))?;
        self.grid = Grid::new(size);
        self.clear()
    }

    fn clear(&mut self) -> Answer {
        self.history.clear();
        self.left = [self.time; 2];
        Ok(String::new())
    }

    /// Absolute time, and then each stone's share of the overtime; where overtime is given with no stones, no limit at all.
    fn set_time(&mut self, [main, overtime]: [Duration; 2], stones: u32) -> Answer {
        let limited = stones > 0 || overtime.is_zero();
        self.increment = overtime / stones.max(1);
        self.time = limited.then_some(main + self.increment);
        self.left = [self.time; 2];
        Ok(String::new())
    }

    fn play(&mut self, colour: Colour, vertex: &str) -> Answer {
        let event = match vertex.parse().map_err(|()| syntax_error())? {
            Vertex::Cell(cell) => Event::Stone(colour, cell),
            Vertex::SwapPieces => Event::SwapPieces,
            Vertex::SwapSides => Event::SwapSides,
            // Whoever plays the game knows that it is over; the board does not change.
            Vertex::Resign => return Ok(String::new()),
        };
        let position = self.position(colour);
        let legal = match event {
            Event::Stone(_, cell) => self.grid.has(cell) && position.stone(cell).is_none(),
            Event::SwapPieces | Event::SwapSides => position.may_swap(),
        };
        if !legal || position.winner().is_some() {
            return Err("illegal move".to_owned());
        }
        self.history.push(event);
        Ok(String::new())
    }

    /// Has the engine choose a move for a colour, and play it if that is wanted.
    fn move_for(&mut self, colour: Colour, play: bool) -> Answer {
        let mut position = self.position(colour);
        if position.winner().is_some() {
            return Ok(Vertex::Resign.to_string());
        }
        let left = self.left[colour.seat().index()];
        self.engine.set_clock(OwnClock::new(left, self.increment));
        let begun = Instant::now();
        self.engine.make_move(&mut position);
        let event = match position.last() {
            _ if position.swapped() => Event::SwapPieces,
            Some(cell) => Event::Stone(colour, cell),
            None => return Err("no move was found".to_owned()),
        };
        if play {
            self.history.push(event);
            self.left[colour.seat().index()] =
                left.map(|left| left.saturating_sub(begun.elapsed()) + self.increment);
        }
        Ok(match event {
            Event::Stone(_, cell) => Vertex::Cell(cell).to_string(),
            Event::SwapPieces | Event::SwapSides => Vertex::SwapPieces.to_string(),
        })
    }

    /// The position, with this colour to move.
    fn position(&self, to_move: Colour) -> Hex {
        let mut stones: Vec<(Side, Cell)> = Vec::with_capacity(self.history.len());
        for &event in &self.history {
            match event {
                Event::Stone(colour, cell) => stones.push((colour.side(), cell)),
                Event::SwapPieces => {
                    stones.iter_mut().for_each(|(side, cell)| (*side, *cell) = (side.other(), mirror(*cell)))
                }
                Event::SwapSides => {}
            }
        }
        let may_swap =
            matches!(self.history[..], [Event::Stone(Colour::Black, _)]) && to_move == Colour::White;
        Hex::set_up(self.grid.size(), stones, to_move.side(), may_swap)
    }

    fn legal_moves(&self) -> String {
        let position = self.position(Colour::White);
        let free = self.grid.all().filter(|&cell| position.stone(cell).is_none());
        let cells: Vec<String> = free.map(|cell| Vertex::Cell(cell).to_string()).collect();
        if position.winner().is_some() { String::new() } else { cells.join(" ") }
    }

    /// The board, beginning on a line of its own.
    fn drawing(&self) -> String {
        let (position, size) = (self.position(Colour::Black), self.grid.size());
        let columns: String = (0..size).map(|column| format!(" {}", char::from(b'a' + column))).collect();
        let mut text = format!("\n  {columns}");
        for row in 0..size {
            let _ = write!(text, "\n{:indent$}{:>2} ", "", row + 1, indent = usize::from(row));
            for column in 0..size {
                let stone = position.stone(Cell::new(row, column)).map(Colour::of_side);
                text.push(stone.map_or('.', Colour::letter));
                text.push(' ');
            }
            let _ = write!(text, "{}", row + 1);
        }
        text
    }
}

/// A line as the protocol has it: without control characters and comments; the number of the command, and its words. Nothing
/// for a line with nothing on it.
fn read_command(line: &[u8]) -> Option<(String, Vec<String>)> {
    let line = String::from_utf8_lossy(line);
    let line = line.split('#').next().unwrap_or_default();
    let visible = line.chars().map(|letter| if letter == '\t' { ' ' } else { letter });
    let clean: String = visible.filter(|letter| !letter.is_control()).collect();
    let mut words: Vec<String> = clean.split_whitespace().map(str::to_owned).collect();
    let first = words.first()?;
    let numbered = first.bytes().all(|byte| byte.is_ascii_digit());
    let id = if numbered { words.remove(0) } else { String::new() };
    Some((id, words))
}

fn syntax_error() -> String {
    "syntax error".to_owned()
}

fn colour(word: &str) -> Result<Colour, String> {
    word.parse().map_err(|()| syntax_error())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| syntax_error())?;
    // Nobody waits longer than that.
    Duration::try_from_secs_f64(seconds.min(1e6)).map_err(|_| syntax_error())
}

//! HTP, the Hex variant of the Go Text Protocol: the referee sends commands, one at a time, and the engine answers each with
//! `=` or `?` and an empty line after it.
//!
//! Engines disagree about what happens on the board when somebody swaps. So after a swap the position is set up anew, as
//! HexGui does it: in the mirror, where everybody keeps the colour (see [`crate::game::notation`]). Engines that know nothing
//! of swaps can play in that way too.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::dialogue::{Dialogue, Heard};
use crate::game::hex::Hex;
use crate::game::notation::{Colour, Outlook, Vertex};
use crate::game::{Game, Refusal, Seat};
use crate::record::{Fault, Terms};
use crate::referee::explain::words;

/// The longest answer, in bytes.
const LONGEST_ANSWER: usize = 64 * 1024;
/// What an answer must look like.
const FORM: &str = "the answer to a command, on a line that begins with '=' or '?'";
/// What the answer to `genmove` must look like.
const VERTEX: &str = "a cell such as c2, swap-pieces, swap-sides or resign";

/// What a command is for, and so what its answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// What does it know? The answer also shows whether it knows the numbers of commands.
    Listing,
    /// It must be obeyed before the game.
    Preparation,
    /// It must be obeyed in the game.
    Position,
    /// It helps the engine, and is not sent again if it is refused.
    Clock,
    /// It is to move.
    Move,
}

/// Something to send.
#[derive(Clone, Debug)]
struct Command {
    purpose: Purpose,
    text: String,
}

/// A command that was sent, and as much of its answer as has come.
struct Sent {
    command: Command,
    id: Option<u32>,
    answer: Option<Answer>,
}

struct Answer {
    success: bool,
    numbered: bool,
    text: String,
}

/// What is known of numbers before commands. Not all engines know them, and without them an answer that comes too late cannot
/// be told from the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    Untried,
    Known,
    Unknown,
}

/// How the engine wants to hear of its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimeLeft {
    Unknown,
    /// `time_left COLOUR SECONDS STONES`, as the protocol has it.
    WithStones,
    /// `time_left COLOUR SECONDS`, as MoHex and its relatives have it.
    Short,
}

/// The conversation with an engine.
pub struct Htp {
    /// The game as it is known here, for the positions that the engine is told.
    board: Hex,
    /// Commands of the engine's own, to begin with.
    commands: Vec<String>,
    opening: Vec<String>,
    to_send: VecDeque<Command>,
    sent: Option<Sent>,
    last_id: u32,
    numbers: Numbers,
    time_left: TimeLeft,
    time_settings: bool,
    /// When it had answered everything that comes before the game.
    prepared_at: Option<Instant>,
    /// Whether it has been asked for the move that is to come, and so knows it.
    asked: bool,
    /// Whether it knows that there was a swap.
    mirrored: bool,
}

impl Htp {
    /// A conversation that begins with these commands of the engine's own. `opening` has first moves, with commas between
    /// them, which are made on its behalf.
    pub fn new(size: u8, commands: Vec<String>, opening: &str) -> Htp {
        let moves = opening.split(',').map(|text| text.trim().to_owned());
        Htp {
            board: Hex::new(size),
            commands,
            opening: moves.filter(|text| !text.is_empty()).collect(),
            to_send: VecDeque::new(),
            sent: None,
            last_id: 0,
            numbers: Numbers::Untried,
            time_left: TimeLeft::Unknown,
            time_settings: false,
            prepared_at: None,
            asked: false,
            mirrored: false,
        }
    }

    fn add(&mut self, purpose: Purpose, text: impl Into<String>) {
        self.to_send.push_back(Command { purpose, text: text.into() });
    }

    /// Tells the engine the whole position.
    fn set_up(&mut self) {
        self.add(Purpose::Position, "clear_board");
        let (outlook, first) = (Outlook::on(&self.board), self.board.side_of(Seat(0)));
        for cell in self.board.grid().all() {
            if let Some(side) = self.board.stone(cell) {
                let colour = if side == first { Colour::Black } else { Colour::White };
                self.add(Purpose::Position, format!("play {colour} {}", Vertex::Cell(outlook.cell(cell))));
            }
        }
    }

    /// Sends the next command, unless an answer is still to come.
    fn send_next(&mut self, out: &mut String) {
        if self.sent.is_some() {
            return;
        }
        let next = loop {
            let next = self.to_send.pop_front();
            let next_is = |purpose| next.as_ref().is_some_and(|next| next.purpose == purpose);
            let preparing = next_is(Purpose::Listing) || next_is(Purpose::Preparation);
            if !preparing && self.prepared_at.is_none() {
                self.prepared_at = Some(Instant::now());
            }
            match next {
                // What it knows may have been unknown when this was put into the queue.
                Some(command) if command.purpose == Purpose::Clock && !self.takes(&command.text) => {}
                other => break other,
            }
        };
        let Some(command) = next else { return };
        let id = (self.numbers != Numbers::Unknown).then_some(self.last_id + 1);
        if let Some(id) = id {
            self.last_id = id;
            let _ = write!(out, "{id} ");
        }
        out.push_str(self.spelling(&command.text));
        out.push('\n');
        self.sent = Some(Sent { command, id, answer: None });
    }

    /// Whether the engine wants to hear of its clock in this way.
    fn takes(&self, command: &str) -> bool {
        if command.starts_with("time_settings") {
            self.time_settings
        } else {
            self.time_left != TimeLeft::Unknown
        }
    }

    /// The command as this engine understands it.
    fn spelling<'a>(&self, command: &'a str) -> &'a str {
        match self.time_left {
            TimeLeft::Short if command.starts_with("time_left") => {
                command.strip_suffix(" 0").unwrap_or(command)
            }
            _ => command,
        }
    }

    /// The engine's answer is complete.
    fn answered<'a>(&mut self, command: Command, answer: Answer) -> Heard<'a> {
        match command.purpose {
            Purpose::Listing => {
                self.know(&answer);
                Heard::Talk
            }
            Purpose::Clock => {
                if !answer.success {
                    self.clock_refused(command);
                }
                Heard::Talk
            }
            _ if !answer.success => {
                let what = words::answered_with_error(&command.text, &answer.text);
                Heard::Fault(Fault::Protocol { what })
            }
            Purpose::Preparation | Purpose::Position => Heard::Talk,
            Purpose::Move => read_move(&answer.text, &self.board),
        }
    }

    /// Learns what the engine knows.
    fn know(&mut self, answer: &Answer) {
        if self.numbers == Numbers::Untried {
            self.numbers = if answer.numbered { Numbers::Known } else { Numbers::Unknown };
            if !answer.success && !answer.numbered {
                // It may have taken the number for the command.
                self.to_send
                    .push_front(Command { purpose: Purpose::Listing, text: "list_commands".to_owned() });
                return;
            }
        }
        let knows = |name: &str| answer.success && answer.text.split_whitespace().any(|word| word == name);
        self.time_settings = knows("time_settings");
        self.time_left = if knows("time_left") { TimeLeft::WithStones } else { TimeLeft::Unknown };
    }

    fn clock_refused(&mut self, command: Command) {
        if command.text.starts_with("time_settings") {
            self.time_settings = false;
        } else if self.time_left == TimeLeft::WithStones {
            self.time_left = TimeLeft::Short;
            self.to_send.push_front(command);
        } else {
            self.time_left = TimeLeft::Unknown;
        }
    }
}

impl Dialogue for Htp {
    fn begin(&mut self, terms: &Terms, out: &mut String) {
        let size = self.board.grid().size();
        self.add(Purpose::Listing, "list_commands");
        for command in std::mem::take(&mut self.commands) {
            self.add(Purpose::Preparation, command);
        }
        self.add(Purpose::Preparation, format!("boardsize {size}"));
        self.add(Purpose::Preparation, "clear_board");
        self.add(Purpose::Clock, format!("time_settings {} 0 0", terms.time.base.as_secs().max(1)));
        self.send_next(out);
    }

    fn tell(&mut self, game: &dyn Game, mover: Seat, seat: Seat, _: &mut String) {
        let mut text = String::new();
        game.write_move(&mut text);
        self.board.play(&text).expect("the game has allowed the move");
        let knows = mover == seat && std::mem::take(&mut self.asked);
        if self.board.swapped() && !self.mirrored {
            self.mirrored = true;
            self.to_send.retain(|command| command.purpose != Purpose::Position);
            self.set_up();
        } else if let Some(cell) = self.board.last().filter(|_| !knows) {
            let (colour, cell) = (Colour::of_seat(mover), Vertex::Cell(Outlook::on(&self.board).cell(cell)));
            self.add(Purpose::Position, format!("play {colour} {cell}"));
        }
    }

    fn prepared(&self, ply: usize) -> Option<&str> {
        self.opening.get(ply).map(String::as_str)
    }

    fn ask(&mut self, seat: Seat, left: Duration, out: &mut String) {
        let colour = Colour::of_seat(seat);
        self.add(Purpose::Clock, format!("time_left {colour} {} 0", left.as_secs()));
        self.add(Purpose::Move, format!("genmove {colour}"));
        self.asked = true;
        self.send_next(out);
    }

    fn ask_again(&mut self, seat: Seat, out: &mut String) {
        // It has made the move on its own board.
        self.set_up();
        self.add(Purpose::Move, format!("genmove {}", Colour::of_seat(seat)));
        self.send_next(out);
    }

    fn hear<'a>(&mut self, line: &'a str, out: &mut String) -> Heard<'a> {
        let words = line.trim();
        let Some(sent) = &mut self.sent else { return unexpected(words) };
        match &mut sent.answer {
            Some(_) if words.is_empty() => {}
            Some(answer) => {
                answer.text.push('\n');
                answer.text.push_str(words);
                if answer.text.len() > LONGEST_ANSWER {
                    return Heard::Fault(Fault::EndlessAnswer { command: sent.command.text.clone() });
                }
                return Heard::Talk;
            }
            None => {
                let fits =
                    |id: Option<u32>| id == sent.id || (id.is_none() && self.numbers == Numbers::Untried);
                let Some((success, id, text)) = read_answer(words).filter(|&(_, id, _)| fits(id)) else {
                    return unexpected(words);
                };
                sent.answer = Some(Answer { success, numbered: id.is_some(), text: text.to_owned() });
                return Heard::Talk;
            }
        }
        let heard = match self.sent.take() {
            Some(Sent { command, answer: Some(answer), .. }) => self.answered(command, answer),
            _ => Heard::Talk,
        };
        // To one that has lost there is nothing more to say.
        if !matches!(heard, Heard::Fault(..)) {
            self.send_next(out);
        }
        heard
    }

    fn came_up(&self, _: Option<Instant>) -> Option<Instant> {
        self.prepared_at
    }

    fn owes(&self) -> Option<String> {
        let sent = self.sent.as_ref()?;
        let command = &sent.command.text;
        Some(match sent.answer {
            None => words::no_answer(command),
            Some(_) => words::unfinished_answer(command),
        })
    }

    fn end(&self, out: &mut String) {
        out.push_str("quit\n");
    }
}

/// What a line means that answers nothing: empty lines and comments are let pass.
fn unexpected(words: &str) -> Heard<'_> {
    match words {
        filler if filler.is_empty() || filler.starts_with('#') => Heard::Filler,
        said => Heard::Refused { refusal: Refusal::NotAMove(FORM), said: said.into() },
    }
}

/// The first line of an answer: whether it is a success, the number of its command, and its text.
fn read_answer(line: &str) -> Option<(bool, Option<u32>, &str)> {
    let success = line.starts_with('=');
    let rest = line.strip_prefix(['=', '?'])?;
    let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (id, text) = rest.split_at(digits);
    Some((success, id.parse().ok(), text.trim()))
}

/// The move in an answer to `genmove`.
fn read_move<'a>(text: &str, hex: &Hex) -> Heard<'a> {
    let said = text.split('#').next().unwrap_or_default().trim().to_owned();
    let illegal =
        |why: &str| Heard::Refused { refusal: Refusal::Illegal(why.to_owned()), said: said.clone().into() };
    let cell = match said.parse() {
        Ok(Vertex::Resign) => return Heard::Resigned,
        Ok(Vertex::Cell(cell)) if !hex.grid().has(cell) => {
            let size = hex.grid().size();
            let last = Vertex::Cell(hex.grid().cell(hex.grid().cells() - 1));
            return illegal(&format!("it is off the board of size {size}, whose last cell is {last}"));
        }
        // To name the stone is a swap in the hand-out's protocol, and none in this one.
        Ok(Vertex::Cell(cell)) if hex.stone(Outlook::on(hex).cell(cell)).is_some() => {
            return illegal("the cell is already taken");
        }
        Ok(Vertex::Cell(cell)) => Outlook::on(hex).cell(cell),
        Ok(Vertex::SwapPieces | Vertex::SwapSides) => match hex.first().filter(|_| hex.may_swap()) {
            Some(first) => first,
            None => return illegal("a swap is possible on ply 2 only"),
        },
        Err(()) if said.eq_ignore_ascii_case("pass") => return illegal("there is no passing in Hex"),
        Err(()) => {
            let command = format!("genmove {}", Colour::of_seat(hex.turn()));
            let what = words::useless_answer(&command, &said, VERTEX);
            return Heard::Fault(Fault::Protocol { what });
        }
    };
    Heard::Move { text: cell.to_string().into(), said: said.into() }
}

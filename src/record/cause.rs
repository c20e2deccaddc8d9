//! Why a program lost, as far as the evidence tells: data with its figures, and the words for it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::text::{counted, seconds};
use crate::contain::spec::{Size, Wait};

/// A cause of a loss. Texts that a program wrote are made printable and shortened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// It wrote a line that is not a move.
    Form {
        /// The line.
        line: String,
        /// What is wrong with it.
        flaw: FormFlaw,
        /// What a move looks like.
        expected: String,
    },
    /// It wrote text without a newline.
    NoNewline {
        /// The text.
        text: String,
        /// Whether it would have been a move.
        is_move: bool,
        /// Whether it wrote a newline before it instead.
        newline_first: bool,
    },
    /// Its move came only when the game was over: it had been in a buffer of the program.
    HeldBack {
        /// What came then.
        text: String,
        /// Whether a newline followed it.
        has_newline: bool,
    },
    /// Its move came only when its stdin had been closed.
    AtEndOfInput {
        /// What came then.
        text: String,
        /// Whether it may also be that the move was held back in a buffer.
        or_held_back: bool,
    },
    /// It wrote its move to stderr.
    OnStderr {
        /// The move.
        text: String,
    },
    /// It wrote two moves in one turn, of which only the first counts.
    TwoMoves {
        /// On which ply.
        ply: usize,
        /// The move that counted.
        first: String,
        /// The move that did not.
        second: String,
        /// How often it did so.
        times: usize,
    },
    /// It moved before the first move of its opponent.
    MovedFirst {
        /// The move.
        text: String,
        /// The argument that it was started with, which told it to wait.
        argument: String,
    },
    /// It wrote lines when it was not its turn.
    OutOfTurn {
        /// The ply that was being played.
        ply: usize,
        /// The first of the lines.
        text: String,
    },
    /// It moved again and again without waiting for an answer.
    NeverWaits {
        /// How many of its lines had the form of a move, and came out of turn.
        moves: usize,
    },
    /// It has not read what it was sent.
    Unread {
        /// The last line that it was sent.
        line: String,
        /// How many lines it has not read.
        lines: usize,
    },
    /// It was at the limit of its memory.
    AtMemoryLimit {
        /// The most that it was seen with, in bytes.
        peak: u64,
        /// What it may use, in bytes.
        limit: u64,
    },
    /// It was computing.
    Computing {
        /// The processor time of this move.
        cpu_ns: u64,
        /// How many moves it had made.
        moves: usize,
        /// The time that these took, on average.
        mean_ns: u64,
    },
    /// It computed for a part of the time only.
    PartlyComputing {
        /// The processor time of this move.
        cpu_ns: u64,
        /// The time that passed.
        took_ns: u64,
    },
    /// Nothing of it ran.
    Waiting {
        /// What for, as far as that was seen.
        wait: Wait,
        /// What it was last sent; nothing if it had to make the first move.
        sent: Option<String>,
        /// The argument that told it to begin, if it had to make the first move.
        begins: Option<String>,
        /// Whether it has made a move before.
        moved: bool,
    },
    /// Other work on the machine kept it from running.
    MachineBusy {
        /// For how long.
        waited_ns: u64,
    },
    /// Its clock was charged for computing while it was not its turn.
    OutOfTurnTime {
        /// By how much.
        cpu_ns: u64,
    },
    /// It took back a move that is not allowed, and played nothing else.
    TookBack {
        /// The move.
        text: String,
    },
    /// The cell that it played on was taken already.
    Taken {
        /// Whether it had taken the cell itself.
        by_itself: bool,
        /// On which ply that was.
        ply: usize,
        /// Whether that was the last move of the one who took it.
        was_last: bool,
        /// Whether it may be that row and column are exchanged.
        exchanged: bool,
    },
    /// It was ended by a signal.
    Signal {
        /// Its number.
        signal: i32,
    },
    /// What it wrote to stderr names an error.
    Error {
        /// The error in its own words.
        what: String,
        /// The file of the program that it is in, and the line, as far as they are known.
        file: Option<String>,
        /// See `file`.
        line: Option<u32>,
    },
    /// It needed something that it did not get.
    Obstacle(Obstacle),
    /// The last that it wrote to stderr.
    LastWords {
        /// The line.
        line: String,
    },
    /// It ended by itself without an error.
    LeftByItself {
        /// How many moves it had made.
        moves: usize,
    },
    /// A shell did not find a command.
    CommandNotFound,
    /// What it owes by its protocol, in words that follow "it".
    Owes {
        /// The words.
        what: String,
    },
}

/// What a program needed and did not get. Names are as the program wrote them, made printable; file names are missing where it
/// does not say them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Obstacle {
    /// A file that is not there, or that the program does not see.
    MissingFile(Option<String>),
    /// A file that is there, but that the program does not see.
    UnseenFile(String),
    /// A file that it may not open.
    ForbiddenFile(Option<String>),
    /// A file that it cannot write because it lies where all is read-only.
    ReadOnlyFile(Option<String>),
    /// A module or package that is not installed.
    MissingModule(String),
    /// A Java class that is not where Java looks for it.
    MissingClass(String),
    /// A shared library that is not installed, or is too old.
    MissingLibrary(String),
    /// A command that the shell does not find.
    MissingCommand(String),
    /// The network, which programs do not have.
    Network,
    /// The memory that a program compiled with `-fsanitize` reserves, far more than any limit allows.
    SanitizerMemory,
}

impl Obstacle {
    fn text(&self) -> String {
        let named =
            |file: &Option<String>| file.as_ref().map_or("a file".to_owned(), |file| format!("'{file}'"));
        match self {
            Obstacle::MissingFile(file) | Obstacle::ForbiddenFile(file) => format!(
                "it cannot see or open {}: a bot sees only its own files and the system's; put what it needs beside the program, in \
                 the bot's own folder, or name it in 'files' of the settings",
                named(file)
            ),
            Obstacle::UnseenFile(file) => format!(
                "it looked for '{file}', which is there, but which it cannot see: a bot sees only its own files; put it beside the \
                 program, in the bot's own folder, or name it in 'files' of the settings"
            ),
            Obstacle::ReadOnlyFile(file) => format!(
                "it cannot write {}: its own folder is read-only while it plays; write to stderr, which is kept in logs/, or to the \
                 current folder, which --keep-scratch keeps",
                named(file)
            ),
            Obstacle::MissingModule(name) => format!(
                "the module '{name}' is not there: put it beside the program, or install it on this machine"
            ),
            Obstacle::MissingClass(name) => format!(
                "the class '{name}' is not there: name the folder of the classes, as in 'java -cp FOLDER {name}'"
            ),
            Obstacle::MissingLibrary(name) => format!(
                "the library '{name}' is not on this machine: link it statically, put it beside the program, or install it"
            ),
            Obstacle::MissingCommand(name) => format!(
                "there is no command '{name}' where it runs: programs see only the system and their own folder \
                 (--allow-read PATH shows them more)"
            ),
            Obstacle::SanitizerMemory => {
                "it was compiled with -fsanitize, which reserves more memory than a contained program may have: compile it without, or \
                 try it with --no-sandbox --memory 1000000G"
                    .to_owned()
            }
            Obstacle::Network => "it has no network: what it needs must be beside the program".to_owned(),
        }
    }
}

/// What is wrong with a line that is not a move. `meant` is the move that it seems to stand for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormFlaw {
    /// Commas, brackets and the like.
    Punctuation {
        /// See [`FormFlaw`].
        meant: String,
    },
    /// Something stands before the move on the same line.
    Before {
        /// What stands there.
        text: String,
        /// See [`FormFlaw`].
        meant: String,
    },
    /// Something stands behind the move on the same line.
    Behind {
        /// What stands there.
        text: String,
        /// See [`FormFlaw`].
        meant: String,
    },
    /// Escapes that drive a terminal.
    Escapes {
        /// See [`FormFlaw`].
        meant: String,
    },
    /// Numbers with a decimal point.
    Decimals {
        /// See [`FormFlaw`].
        meant: String,
    },
    /// Another notation, such as `h8`.
    OtherNotation {
        /// Which one, in words.
        notation: String,
        /// See [`FormFlaw`].
        meant: Option<String>,
    },
    /// One number alone.
    OneNumber,
    /// Characters that only look like digits or blanks.
    NotAscii,
    /// Nothing at all.
    Empty,
    /// A value that was never computed, such as `None`.
    NoValue,
    /// Something else.
    Other,
}

impl Cause {
    /// What is to be said of it: a clause about the program, which is "it" here. `opponent` is who played before it.
    pub fn text(&self, opponent: &str) -> String {
        match self {
            Cause::Form { line, flaw, expected } => flaw.text(line, expected),
            Cause::NoNewline { text, is_move: true, newline_first } => {
                let instead = if *newline_first { ", and one before it" } else { "" };
                format!("it wrote '{text}' without a newline at the end{instead}: end every move with a newline")
            }
            Cause::NoNewline { text, is_move: false, .. } => format!(
                "it wrote '{text}' without a newline at the end, which looks like a prompt: write only moves to stdout, each on a \
                 line of its own, and prompts to stderr"
            ),
            Cause::HeldBack { text, has_newline: true } => format!(
                "its move '{text}' came only when the game was over: it was held back in the program's buffer; flush after every \
                 move (fflush(stdout), print(..., flush=True))"
            ),
            Cause::HeldBack { text, has_newline: false } => format!(
                "its move '{text}' came only when the game was over: it was held back in the program's buffer, since no newline \
                 followed it; end every move with a newline, and flush (fflush(stdout), print(..., flush=True))"
            ),
            Cause::AtEndOfInput { text, or_held_back } => {
                let or = match or_held_back {
                    true => "; or is it held back in a buffer (fflush(stdout), print(..., flush=True))?",
                    false => "",
                };
                format!(
                    "its move '{text}' came only when its stdin was closed: it waits for more than the opponent's move, or reads to \
                     the end of its input (read(), readlines(), scanf(\"%d %d\\n\")); read one line, then answer{or}"
                )
            }
            Cause::OnStderr { text } => format!(
                "it wrote '{text}' to stderr and nothing to stdout: moves go to stdout (printf, print, cout), only other text \
                 to stderr"
            ),
            Cause::TwoMoves { ply, first, second, times } => {
                let often = if *times > 1 { format!(" ({times} times in this game)") } else { String::new() };
                format!(
                    "on ply {ply} it wrote two moves in one turn{often}, '{first}' and '{second}'; only the first counts, so its \
                     board and the true one differ since then: write one move a turn, then read the answer"
                )
            }
            Cause::MovedFirst { text, argument } => format!(
                "it wrote the move '{text}' before its opponent had made the first one, which does not count: started with \
                 '{argument}', it has to read the opponent's first move before it answers"
            ),
            Cause::OutOfTurn { ply, text } => format!(
                "it wrote '{text}' on ply {ply}, before it was its turn, which does not count: write one move a turn, after the \
                 opponent's move has been read"
            ),
            Cause::NeverWaits { moves } => format!(
                "{moves} of these lines have the form of a move and came while it was not its turn: it does not wait for the \
                 opponent's move; read one line from stdin before each move of its own"
            ),
            Cause::Unread { line, lines: 1 } => {
                format!("it has not read '{line}', which it was sent: read the opponent's move from stdin before each move of its own")
            }
            Cause::Unread { line, lines } => format!(
                "it has not read the last {lines} lines that it was sent, '{line}' being the last: read the opponent's move from \
                 stdin before each move of its own"
            ),
            Cause::AtMemoryLimit { peak, limit } => format!(
                "it was at its memory limit, with {}M of {}: it may not have got what it asked for (--memory raises the limit)",
                peak >> 20,
                Size(*limit)
            ),
            Cause::Computing { cpu_ns, moves, mean_ns } => {
                let cpu = seconds(Duration::from_nanos(*cpu_ns));
                let earlier = match moves {
                    0 => "it had made no move before".to_owned(),
                    1 => format!("its move before took {}", seconds(Duration::from_nanos(*mean_ns))),
                    _ => {
                        let mean = seconds(Duration::from_nanos(*mean_ns));
                        format!("its {moves} earlier moves took {mean} each on average")
                    }
                };
                format!(
                    "it was computing: {cpu} of processor time on this move; {earlier}; it has to move within its time, or is in \
                     an endless loop"
                )
            }
            Cause::PartlyComputing { cpu_ns, took_ns } => format!(
                "it computed for {} of the {} that passed, and waited for the rest",
                seconds(Duration::from_nanos(*cpu_ns)),
                seconds(Duration::from_nanos(*took_ns))
            ),
            Cause::Waiting { wait, sent, begins, moved } => {
                waiting(*wait, sent.as_deref(), begins.as_deref(), *moved, opponent)
            }
            Cause::MachineBusy { waited_ns } => format!(
                "the machine was busy: other work kept it from running for {}, which was not held against it",
                seconds(Duration::from_nanos(*waited_ns))
            ),
            Cause::OutOfTurnTime { cpu_ns } => format!(
                "its clock was charged {} for computing while it was not its turn",
                seconds(Duration::from_nanos(*cpu_ns))
            ),
            Cause::TookBack { text } => {
                format!("it had to take back '{text}', which is not allowed, and played nothing else")
            }
            Cause::Taken { .. } => self.taken(opponent),
            Cause::Signal { signal } => signal_text(*signal).to_owned(),
            Cause::Error { what, file, line } => {
                let place = match (file, line) {
                    (Some(file), Some(line)) => format!(" ({file}, line {line})"),
                    (Some(file), None) => format!(" ({file})"),
                    _ => String::new(),
                };
                format!("its stderr says: {what}{place}")
            }
            Cause::Obstacle(obstacle) => obstacle.text(),
            Cause::LastWords { line } => format!("the last it wrote to stderr: {line}"),
            Cause::LeftByItself { moves: 0 } => {
                "it ended by itself, without an error, before its first move: a program has to play the whole game, and \
                 ends when its stdin is closed"
                    .to_owned()
            }
            Cause::LeftByItself { moves } => format!(
                "it ended by itself, without an error, after {}: one process plays the whole game; read and answer in a loop until \
                 stdin is closed, also if it believes that the game is over",
                counted(*moves, "move")
            ),
            Cause::CommandNotFound => {
                "that is what a shell says of a command that it cannot find; programs see only the system and their own folder: \
                 --allow-read PATH shows them more"
                    .to_owned()
            }
            Cause::Owes { what } => format!("it {what}"),
        }
    }

    /// A cell that was taken already.
    fn taken(&self, opponent: &str) -> String {
        let Cause::Taken { by_itself, ply, was_last, exchanged } = self else { return String::new() };
        let exchanged = match exchanged {
            true => " Or does it print the column before the row? The row comes first",
            false => "",
        };
        match (by_itself, was_last) {
            (true, true) => format!(
                "it played there itself on ply {ply}, in its last move: it repeats itself; does it mark its own moves, and read the \
                 answers?"
            ),
            (true, false) => {
                format!(
                    "it played there itself on ply {ply}: does it mark its own moves on its board?{exchanged}"
                )
            }
            (false, true) => format!(
                "{opponent} had just played there, on ply {ply}: does it read the opponent's move and mark it on its board?{exchanged}"
            ),
            (false, false) => format!(
                "{opponent} played there on ply {ply}: does it mark the opponent's moves on its board?{exchanged}"
            ),
        }
    }
}

/// What a signal usually means.
fn signal_text(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV | libc::SIGBUS => {
            "it used memory that is not its own: an array index out of range, a null pointer, or a recursion without end; compile it \
             with -g -fsanitize=address to see the line"
        }
        libc::SIGFPE => "it divided by zero, or computed a remainder by zero",
        libc::SIGABRT => {
            "it gave up by itself: an assertion, an exception that nobody caught, or damaged memory"
        }
        libc::SIGALRM => "an alarm or timer went off that it had set itself, and it has no handler for it",
        libc::SIGILL => {
            "it ran an instruction that this processor does not have, or data; compile it without -march=native"
        }
        libc::SIGPIPE => "it wrote to something that nobody reads any more",
        libc::SIGSYS => "it made a system call that programs may not make here",
        libc::SIGXFSZ => "it wrote a larger file than it may (--file-size)",
        libc::SIGKILL => "nobody can catch that signal: it was ended from outside, or ended itself",
        _ => "nothing in it was ready for that signal",
    }
}

/// A program of which nothing runs.
fn waiting(wait: Wait, sent: Option<&str>, begins: Option<&str>, moved: bool, opponent: &str) -> String {
    let nothing = "it used no processor time meanwhile";
    match (wait, sent, begins) {
        (Wait::Sleep, ..) => format!("it was asleep (sleep, usleep, time.sleep and the like): {nothing}"),
        (Wait::Lock, ..) => {
            format!(
                "it was waiting for a lock or another of its threads: {nothing}; do two threads wait for each other?"
            )
        }
        (Wait::Child, ..) => format!("it was waiting for a process of its own to end: {nothing}"),
        (Wait::Unknown, Some(line), None) => format!(
            "it was waiting for something that did not come: {nothing} after it was sent {opponent}'s move '{line}'"
        ),
        (Wait::Unknown, _, Some(_)) | (_, None, None) => {
            format!("it was waiting for something that did not come: {nothing}")
        }
        (Wait::Input, _, Some(argument)) => format!(
            "it was waiting for input: {nothing}; started with '{argument}', it has to move first and gets no line before that"
        ),
        (Wait::Input, Some(line), None) => {
            let after = if moved { "" } else { "; it has not moved at all" };
            format!(
                "it was waiting for input: {nothing} after it was sent {opponent}'s move '{line}'{after}; does it wait for more than \
                 this one line? It is sent only the moves of others, never its own"
            )
        }
    }
}

impl FormFlaw {
    /// What is to be said of a line, in a clause about the program. `expected` is what a move looks like, or empty where that has been
    /// said.
    pub fn text(&self, line: &str, expected: &str) -> String {
        let only = "write only moves to stdout, each on a line of its own";
        let form = if expected.is_empty() { String::new() } else { format!("; a move is {expected}") };
        match self {
            FormFlaw::Punctuation { meant } => format!(
                "it wrote '{line}', which is not a move: write '{meant}', with a blank and no comma, bracket or other sign{form}"
            ),
            FormFlaw::Before { text, meant } => format!(
                "it wrote '{line}', which is not a move: '{text}' stands before '{meant}' on the same line; {only}, and prompts and \
                 other words to stderr{form}"
            ),
            FormFlaw::Behind { text, meant } => format!(
                "it wrote '{line}', which is not a move: '{text}' stands behind '{meant}' on the same line; {only}{form}"
            ),
            FormFlaw::Escapes { meant } => format!(
                "it wrote '{line}', which is not a move: escape sequences, which clear or colour a terminal, stand around '{meant}'; \
                 {only}, and what is for the screen to stderr"
            ),
            FormFlaw::Decimals { meant } => format!(
                "it wrote '{line}', which is not a move: write whole numbers, '{meant}', without a decimal point"
            ),
            FormFlaw::OtherNotation { notation, meant: Some(meant) } => {
                let how = if notation.contains("swap") { "to swap, repeat the first move: " } else { "" };
                format!("it wrote '{line}', which is {notation}, and not a move here; {how}write '{meant}'")
            }
            FormFlaw::NotAscii => format!(
                "it wrote '{line}', which is not a move: some of it only looks like a digit or a blank; use the ordinary digits 0 to 9 \
                 and an ordinary blank (ASCII)"
            ),
            FormFlaw::OtherNotation { notation, meant: None } => {
                format!("it wrote '{line}', which is {notation}, and not a move here{form}")
            }
            FormFlaw::OneNumber => {
                format!(
                    "it wrote '{line}' alone on a line, which is not a move: both numbers belong on one line{form}"
                )
            }
            FormFlaw::Empty => {
                format!(
                    "it wrote an empty line, which is not a move: write each move on a line of its own and nothing else{form}"
                )
            }
            FormFlaw::NoValue => {
                format!(
                    "it wrote '{line}', which is not a move: its search found none, or did not return it{form}"
                )
            }
            FormFlaw::Other => {
                format!("it wrote '{line}', which is not a move{form}; {only}, and all else to stderr")
            }
        }
    }
}

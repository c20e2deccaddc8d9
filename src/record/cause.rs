//! Why a program lost, as far as the evidence tells: data with its figures. The words for it are in `wording.rs`.

use serde::{Deserialize, Serialize};

use crate::contain::spec::Wait;

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
    /// Before the first move of the game it asked something, and waited for an answer.
    Asks {
        /// The question.
        text: String,
        /// The argument that tells it that it is the first to move.
        argument: String,
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
    /// It wrote the two characters by which programs write a newline, instead of a newline.
    LiteralNewline {
        /// What it wrote.
        text: String,
    },
    /// It wrote that a legal move of its opponent is not valid, or so it seems.
    Rejects {
        /// What it wrote.
        line: String,
        /// The move.
        sent: String,
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
        /// The argument that told it to begin, if it had to make the first move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        begins: Option<String>,
    },
    /// Its stdout is a pipe, nothing has come from it, and it waits for input: it may not flush.
    NoFlush,
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
    /// It played on the first stone of the game, which had been swapped.
    SwappedStone {
        /// Whether its opponent had swapped, and not it itself.
        by_opponent: bool,
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
        /// Whether something that it had started went on.
        left_running: bool,
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
    /// A session of its own, which the sandbox lets no program begin.
    Session,
    /// The memory that a program compiled with `-fsanitize` reserves, far more than any limit allows.
    SanitizerMemory,
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
    /// A word where a number should be.
    NotANumber {
        /// The word.
        word: String,
    },
    /// Something short that was meant for a move, it seems.
    Attempt,
    /// A move with zero bytes before or behind it, as when a whole array of `char` is written.
    ZeroBytes {
        /// See [`FormFlaw`].
        meant: String,
    },
    /// Characters that only look like digits or blanks.
    NotAscii,
    /// Nothing at all.
    Empty,
    /// A value that was never computed, such as `None`.
    NoValue,
    /// Something else.
    Other,
}

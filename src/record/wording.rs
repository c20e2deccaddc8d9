//! The words for the causes of a loss.

use std::time::Duration;

use super::cause::{Cause, FormFlaw, Obstacle};
use super::text::{counted, seconds};
use crate::contain::spec::{Size, Wait};

impl Cause {
    /// What is to be said of it: a clause about the program, which is "it" here. `opponent` is who played before it.
    pub fn text(&self, opponent: &str) -> String {
        match self {
            Cause::Form { line, flaw, expected } => flaw.text(line, expected),
            Cause::Asks { text, argument } => format!(
                "it wrote '{text}' and waited for an answer, which never comes: its argument '{argument}' makes it the first to move, and \
                 the size of the board is in the environment (ARBITRO_SIZE); write only moves to stdout, and prompts to stderr"
            ),
            Cause::NoNewline { text, is_move: true, newline_first } => {
                let instead = if *newline_first { ", and one before it" } else { "" };
                format!("it wrote '{text}' without a newline at the end{instead}: end every move with a newline")
            }
            Cause::NoNewline { text, is_move: false, .. } => format!(
                "it wrote '{text}' without a newline at the end, which looks like a prompt: write only moves to stdout, each on a \
                 line of its own, and prompts to stderr"
            ),
            Cause::LiteralNewline { text } => format!(
                "it wrote '{text}', with a backslash and the letter n instead of a newline: use what writes a newline in its \
                 language (printf \"...\\n\", println, echo without \\n)"
            ),
            Cause::Rejects { line, sent } => format!(
                "it wrote '{line}' about {opponent}'s move '{sent}', which is legal: it has to accept that move, and to write nothing but \
                 moves to stdout"
            ),
            Cause::HeldBack { text, has_newline: true } => format!(
                "its move '{text}' came only when the game was over: it was held back in the program's buffer; flush after every \
                 move (fflush(stdout), print(..., flush=True))"
            ),
            Cause::HeldBack { text, has_newline: false } => format!(
                "its move '{text}' came only when the game was over: it was held back in the program's buffer, since no newline \
                 followed it; end every move with a newline, and flush (fflush(stdout), print(..., flush=True))"
            ),
            Cause::AtEndOfInput { text, or_held_back, begins } => {
                let reads = match begins {
                    Some(argument) => format!(
                        "it waits for a move of its opponent before it makes its own, although its argument '{argument}' makes it the \
                         first to move: move first, then read"
                    ),
                    None => "it waits for more than the opponent's move, or reads to the end of its input before it answers \
                             (read(), readlines(), scanf(\"%d %d\\n\")): read one line, then answer"
                        .to_owned(),
                };
                let flush = "it holds its output back in a buffer: flush after every move (fflush(stdout), print(..., flush=True))";
                match or_held_back {
                    true => {
                        format!("its move '{text}' came only when its stdin was closed. Either {reads}; or {flush}")
                    }
                    false => format!("its move '{text}' came only when its stdin was closed: {reads}"),
                }
            }
            Cause::NoFlush => {
                "nothing has come from its stdout, and it was waiting for input: over a pipe, output is held back until it is flushed; \
                 flush after every move (fflush(stdout), print(..., flush=True))"
                    .to_owned()
            }
            Cause::OnStderr { text } => format!(
                "it wrote '{text}' to stderr and nothing to stdout: moves go to stdout (printf, print, cout), only other text \
                 to stderr"
            ),
            Cause::TwoMoves { ply, first, second, times } => {
                let often = if *times > 1 { format!(" ({times} times in this game)") } else { String::new() };
                format!(
                    "on ply {ply} it wrote two moves in one turn{often}, '{first}' and '{second}'; only the first counts, so \
                     from then on its board is not the true one: write one move, then read the answer"
                )
            }
            Cause::MovedFirst { text, argument } => format!(
                "it wrote the move '{text}' before its opponent had made the first one, which does not count: its \
                 argument '{argument}' makes it the second to move, so it has to read the opponent's first move before it answers"
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
                "it has not read the last {lines} lines that it was sent (the newest is '{line}'): read the opponent's move from \
                 stdin before each move of its own"
            ),
            Cause::AtMemoryLimit { peak, limit } => format!(
                "it was at its memory limit, with {}M of {}: it may not have got what it asked for (--memory raises the limit)",
                peak >> 20,
                Size(*limit)
            ),
            Cause::Computing { cpu_ns, moves, mean_ns } => {
                let cpu = seconds(Duration::from_nanos(*cpu_ns));
                let mean = seconds(Duration::from_nanos(*mean_ns));
                let earlier = match moves {
                    0 => "it had made no move before".to_owned(),
                    1 => format!("its move before took {mean}"),
                    _ => format!("its {moves} earlier moves took {mean} each on average"),
                };
                // Far more than before is hardly the same search.
                let guess = match moves {
                    0 => "its search takes too long, or never ends",
                    _ if mean_ns.saturating_mul(20) < *cpu_ns => "this looks like an endless loop",
                    _ => "it has to divide its time over all of its moves",
                };
                format!("it was computing: {cpu} of processor time on this move; {earlier}; {guess}")
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
                "besides, other work on the machine kept it from running for {}, which was not held against it",
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
            Cause::SwappedStone { by_opponent: true } => format!(
                "that is its own first move, which {opponent} repeated on ply 2: a swap; the stone stays where it is, and is {opponent}'s \
                 from then on"
            ),
            Cause::SwappedStone { by_opponent: false } => format!(
                "that is {opponent}'s first move, which it repeated on ply 2: a swap; the stone stays where it is, and is its own from \
                 then on"
            ),
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
            Cause::LeftByItself { left_running: true, .. } => {
                "it ended by itself, without an error, while a process that it had started went on: the program itself has to play \
                 the whole game, not a child or a daemon"
                    .to_owned()
            }
            Cause::LeftByItself { moves: 0, .. } => {
                "it ended by itself, without an error, before its first move: a program has to play the whole game, and \
                 ends when its stdin is closed"
                    .to_owned()
            }
            Cause::LeftByItself { moves, .. } => format!(
                "it ended by itself, without an error, after {}: one process plays the whole game; read and answer in a loop until \
                 stdin is closed, even if it believes that the game is over",
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
            true => " Or are row and column exchanged when it writes its moves? The row comes first",
            false => "",
        };
        match (by_itself, was_last) {
            (true, true) => format!(
                "it played there itself on ply {ply}, in its last move: it repeats itself; are its own moves marked on its board, and the \
                 answers read?"
            ),
            (true, false) => {
                format!(
                    "it played there itself on ply {ply}: are its own moves marked on its board?{exchanged}"
                )
            }
            (false, true) => format!(
                "{opponent} had just played there, on ply {ply}: is the opponent's move read and marked on its board?{exchanged}"
            ),
            (false, false) => format!(
                "{opponent} played there on ply {ply}: are the opponent's moves marked on its board?{exchanged}"
            ),
        }
    }
}

/// What a signal usually means.
fn signal_text(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV | libc::SIGBUS => {
            "it used memory that is not its own: an array index out of range, a null pointer, or endless recursion; compile it \
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
    let since = match sent {
        Some(line) => format!("after {opponent}'s move '{line}' was sent to it, it used no processor time"),
        None => "it used no processor time".to_owned(),
    };
    match (wait, begins) {
        (Wait::Sleep, _) => format!("it was asleep (sleep, usleep, time.sleep and the like): {since}"),
        (Wait::Lock, _) => format!(
            "it was waiting for a lock or for another of its threads: {since}; do two threads wait for each other?"
        ),
        (Wait::Child, _) => format!("it was waiting for a process of its own to end: {since}"),
        (Wait::Unknown, _) => format!("it was waiting for something that did not come: {since}"),
        (Wait::Input, Some(argument)) => format!(
            "it was waiting for input: {since}; its argument '{argument}' makes it the first to move, so no line comes before its move"
        ),
        (Wait::Input, None) => {
            let first = if moved { "" } else { ", and it has not moved at all" };
            format!(
                "it was waiting for input: {since}{first}; does it wait for more than this one line? It is sent only the moves of \
                 others, never its own"
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
        let ask = if expected.is_empty() { String::new() } else { format!(" A move is {expected}") };
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
            FormFlaw::ZeroBytes { meant } => format!(
                "it wrote '{line}', which is not a move: there are zero bytes (\\0) beside '{meant}', as when a whole array is written: \
                 write the text only, such as with printf, or as many bytes as strlen counts"
            ),
            FormFlaw::NotAscii => format!(
                "it wrote '{line}', which is not a move: some of it only looks like a digit or a blank; use the ordinary digits 0 to 9 \
                 and an ordinary blank (ASCII)"
            ),
            FormFlaw::OtherNotation { notation, meant: None } => {
                format!("it wrote '{line}', which is {notation}, and not a move here{form}")
            }
            FormFlaw::OneNumber => format!(
                "it wrote '{line}', one number, where a move is two: is the blank between them missing, is the second on a line of its \
                 own instead of the same line, or is it a sum, or the number of a cell?{ask}"
            ),
            FormFlaw::NotANumber { word } => format!(
                "it wrote '{line}', which is not a move: '{word}' is not a whole number (a character, or hexadecimal?){form}"
            ),
            FormFlaw::Attempt => format!("it wrote '{line}', which is not a move in this game{form}"),
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

impl Obstacle {
    fn text(&self) -> String {
        let named =
            |file: &Option<String>| file.as_ref().map_or("a file".to_owned(), |file| format!("'{file}'"));
        match self {
            Obstacle::MissingFile(file) | Obstacle::ForbiddenFile(file) => format!(
                "it cannot see or open {}: a bot sees only its own files and the system's; put what it needs beside the program, in \
                 the bot's own folder, or name it in 'files' of the settings; what it writes can go to stderr, or to the current folder",
                named(file)
            ),
            Obstacle::UnseenFile(file) => format!(
                "it looked for '{file}', which is there, but which it cannot see: a bot sees only its own files; give the bot a folder \
                 of its own with everything in it, or name the file in 'files' of the settings"
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
                "the class '{name}' is not there: compile all classes, and name their folder with 'java -cp FOLDER'"
            ),
            Obstacle::MissingLibrary(name) => format!(
                "the library '{name}' is not on this machine: link it statically, put it beside the program, or install it"
            ),
            Obstacle::MissingCommand(name) => format!(
                "there is no command '{name}' where it runs: is it spelt right? Programs see only the system and their own folder \
                 (--allow-read PATH shows them more)"
            ),
            Obstacle::SanitizerMemory => {
                "it was compiled with -fsanitize, which reserves more memory than a contained program may have: compile it without, or \
                 try it with --no-sandbox --memory 1000000G"
                    .to_owned()
            }
            Obstacle::Session => {
                "the sandbox lets no program begin a session of its own (setsid, start_new_session=True): leave that out; what it starts stays \
                 with it, and ends with it"
                    .to_owned()
            }
            Obstacle::Network => "it has no network: what it needs must be beside the program".to_owned(),
        }
    }
}

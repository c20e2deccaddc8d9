//! Evidence in, sentence out: what people read about a program that lost other than on the board.
//!
//! Every sentence follows the name of the program, says what happened, and where it can what to look at.

use std::fmt::Display;
use std::time::Duration;

use crate::contain::exit::Exit;
use crate::contain::spec::{Output, Size};
use crate::record::terms::ClockKind;
use crate::record::text::printable;
use crate::record::{Warning, WarningKind};

/// Characters of a program's output that are shown to people.
pub const SHOWN: usize = 60;
/// Characters of an answer of an engine that are shown.
const SHOWN_ANSWER: usize = 100;

/// From here on it is told what a clock was charged for computing out of turn.
const WORTH_TELLING: Duration = Duration::from_millis(50);

/// What limits a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// What is left on the clock.
    Clock,
    /// The most that one move may take.
    Move,
    /// The time that may pass on a clock that measures processor time.
    Backstop,
}

/// What is known of a program that has let its time pass.
pub struct Timeout<'a> {
    /// The ply it was to make.
    pub ply: usize,
    /// The time it had for that.
    pub allowed: Duration,
    /// What that was.
    pub limit: Limit,
    /// What its clock measures.
    pub clock: ClockKind,
    /// What its stdout is.
    pub output: Output,
    /// What it has written of a line that has not ended.
    pub unfinished: &'a [u8],
    /// What it last wrote, since its last move, that did not count.
    pub ignored: Option<&'a Warning>,
    /// What it owes by its protocol, in words that follow "it".
    pub owes: Option<String>,
    /// Whether it has made a move before.
    pub moved: bool,
    /// What its clock was charged because it computed while it was not its turn.
    pub out_of_turn: Duration,
}

/// A program has let its time pass.
pub fn timeout(evidence: &Timeout) -> String {
    let Timeout { ply, allowed, .. } = *evidence;
    let budget = match (evidence.clock, evidence.limit) {
        (ClockKind::Wall, Limit::Move) => "allowed for a move",
        (ClockKind::Wall, _) => "left on its clock",
        (ClockKind::Cpu, Limit::Move) => "of processor time allowed for a move",
        (ClockKind::Cpu, Limit::Clock) => "of processor time left on its clock",
        (ClockKind::Cpu, Limit::Backstop) => {
            "that may pass: three times its processor time and a second in a game"
        }
    };
    let hint = if !evidence.unfinished.is_empty() {
        format!("it wrote '{}' without a newline at the end", printable(evidence.unfinished, SHOWN))
    } else if let Some(ignored) = evidence.ignored {
        not_counted(ignored)
    } else if let Some(owes) = &evidence.owes {
        format!("it {owes}")
    } else if evidence.moved {
        "it had moved before: does it wait for more than the opponent's move?".to_owned()
    } else if evidence.output == Output::Pipe {
        "nothing was written to stdout: does the program flush (fflush(stdout), print(..., flush=True))?"
            .to_owned()
    } else {
        "nothing was written to stdout: does the program wait for input that does not come?".to_owned()
    };
    let digits = if allowed < Duration::from_secs(1) { 3 } else { 1 };
    let seconds = allowed.as_secs_f64();
    let charged = match evidence.out_of_turn {
        little if little < WORTH_TELLING => String::new(),
        much => format!(
            "; its clock was charged {:.1} s for computing while it was not its turn",
            much.as_secs_f64()
        ),
    };
    format!("made no move on ply {ply} within the {seconds:.digits$} s {budget}; {hint}{charged}")
}

/// What a program wrote that did not count.
fn not_counted(Warning { kind, text, .. }: &Warning) -> String {
    match kind {
        // LeftRunning is only known after the game.
        WarningKind::NotAMove | WarningKind::LeftRunning => format!("it wrote '{text}', which is not a move"),
        WarningKind::OutOfTurn => format!("it wrote '{text}' before it was its turn, which does not count"),
        WarningKind::Illegal => {
            format!("it took back '{text}', which is not allowed, and played nothing else")
        }
    }
}

/// A program has used more memory than it may.
pub fn out_of_memory(ply: usize, peak: u64, limit: Size) -> String {
    let peak = peak >> 20;
    format!(
        "was ended on ply {ply} because it uses too much memory: it was seen with {peak}M, and {limit} is allowed (--memory)"
    )
}

/// A program has ended, or closed its output, when it had to move. `contained` is whether it sees its own files only.
pub fn crash(ply: usize, exit: Option<Exit>, owes: Option<String>, stderr: &[u8], contained: bool) -> String {
    let what = exit.map_or("closed its stdout, and so can make no move,".to_owned(), |exit| exit.to_string());
    let mut said = owes.map_or(String::new(), |owes| format!("; it {owes}"));
    let words = last_line(stderr);
    if !words.is_empty() {
        said += &format!("; the last it wrote to stderr: {words}");
    }
    // What a shell says of a command that it cannot find.
    if contained && matches!(exit, Some(Exit::Code(126 | 127))) {
        said += "; programs see only the system and their own folder: --allow-read PATH shows them more";
    }
    format!("{what} when it had to move on ply {ply}{said}")
}

/// The last line with anything on it, made printable.
fn last_line(text: &[u8]) -> String {
    let lines = text.split(|&byte| byte == b'\n').rev();
    lines.map(|line| printable(line, 2 * SHOWN)).find(|line| !line.is_empty()).unwrap_or_default()
}

/// A program could not be started.
pub fn not_started(problem: &impl Display) -> String {
    format!("was not started: {problem}")
}

/// A program has given up.
pub fn resigned(ply: usize) -> String {
    format!("resigned on ply {ply}")
}

/// A program has made a move that the rules forbid.
pub fn illegal_move(said: &str, ply: usize, why: &str) -> String {
    format!("played '{said}' on ply {ply}, but {why}")
}

/// Where only moves are allowed, a program has written something else.
pub fn malformed(said: &str, ply: usize, refusal: &impl Display) -> String {
    format!("wrote '{said}' on ply {ply}, which is {refusal}; --strict allows nothing else")
}

/// Where only moves are allowed, a program has written before it was its turn.
pub fn out_of_turn(said: &str) -> String {
    format!("wrote '{said}' when it was not its turn; --strict forbids that")
}

/// A program has written more than moves can explain.
pub fn too_much_output(lines: usize, bytes: usize, most_lines: usize, most_bytes: usize) -> String {
    format!(
        "wrote too much that is not a move: {lines} lines, {bytes} bytes; {most_lines} lines and {most_bytes} bytes are let \
         pass in a game: write moves only to stdout, and anything else to stderr"
    )
}

/// The same, on a ply.
pub fn on_ply(what: &str, ply: usize) -> String {
    format!("{what} (ply {ply})")
}

/// An engine refuses a command.
pub fn answered_with_error(command: &str, answer: &str) -> String {
    format!("answered '{command}' with an error: ?{}", printable(answer.as_bytes(), SHOWN_ANSWER))
}

/// An engine does not come to an end.
pub fn endless_answer(command: &str) -> String {
    format!("answered '{command}' without an end")
}

/// An engine answers with something that is not what the command asks for.
pub fn useless_answer(command: &str, answer: &str, expected: &str) -> String {
    let shown = printable(answer.as_bytes(), SHOWN_ANSWER);
    format!("answered '{command}' with '{shown}', which is not {expected}")
}

/// What an engine owes that has not answered at all, in words that follow "it".
pub fn no_answer(command: &str) -> String {
    format!("has not answered '{command}'")
}

/// What an engine owes that has begun its answer, in words that follow "it".
pub fn unfinished_answer(command: &str) -> String {
    format!("has not ended its answer to '{command}' with an empty line")
}

/// A program has computed although it was stopped.
pub fn ran_while_stopped(cpu: Duration) -> String {
    format!(
        "used {:.2} s of processor time although it had been stopped because it was not its turn: it must not undo that",
        cpu.as_secs_f64()
    )
}

/// A program was late, and it was the machine that kept it from moving in time.
pub fn disturbed(ply: usize, late: Duration, waited: Duration) -> String {
    format!(
        "was late by {:.3} s on ply {ply}, but had to wait {:.3} s for the processor, which other work on this machine had",
        late.as_secs_f64(),
        waited.as_secs_f64()
    )
}

/// The referee itself was stopped, and no program is to blame.
pub fn referee_was_stopped(overslept: Duration) -> String {
    format!("the referee itself was stopped for {:.1} s", overslept.as_secs_f64())
}

/// Somebody wants it all to end.
pub const INTERRUPTED: &str = "interrupted";

/// The game was to show only whether the programs play at all.
pub fn broken_off(plies: usize) -> String {
    format!("broken off after {plies} plies")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seat;

    fn silent(output: Output) -> Timeout<'static> {
        Timeout {
            ply: 3,
            allowed: Duration::from_secs(60),
            limit: Limit::Clock,
            clock: ClockKind::Wall,
            output,
            unfinished: b"",
            ignored: None,
            owes: None,
            moved: false,
            out_of_turn: Duration::ZERO,
        }
    }

    #[test]
    fn the_surest_hint_is_given() {
        let warning = |kind| Warning { seat: Seat(0), ply: 3, kind, text: "7,7".into() };
        let (wrong, early) = (warning(WarningKind::NotAMove), warning(WarningKind::OutOfTurn));
        let hint = |evidence: Timeout| timeout(&evidence).split_once("; ").unwrap().1.to_owned();
        assert!(hint(silent(Output::Pipe)).contains("flush"));
        assert!(hint(silent(Output::Terminal)).contains("wait for input"));
        assert!(hint(Timeout { moved: true, ..silent(Output::Pipe) }).contains("had moved before"));
        assert!(
            hint(Timeout { ignored: Some(&wrong), moved: true, ..silent(Output::Pipe) })
                .contains("'7,7', which is not a move")
        );
        assert!(
            hint(Timeout { ignored: Some(&early), ..silent(Output::Pipe) })
                .contains("before it was its turn")
        );
        let unfinished = Timeout { unfinished: b"1 4", ignored: Some(&wrong), ..silent(Output::Pipe) };
        assert!(hint(unfinished).contains("'1 4' without a newline"));
    }

    #[test]
    fn budgets_are_named() {
        let text = timeout(&Timeout {
            allowed: Duration::from_millis(250),
            limit: Limit::Move,
            ..silent(Output::Pipe)
        });
        assert!(text.starts_with("made no move on ply 3 within the 0.250 s allowed for a move; "), "{text}");
        let text = timeout(&Timeout { clock: ClockKind::Cpu, ..silent(Output::Pipe) });
        assert!(text.contains("60.0 s of processor time left on its clock"), "{text}");
    }

    #[test]
    fn a_crash_tells_the_last_words() {
        let text = crash(4, Some(Exit::Code(1)), None, b"Traceback\nNameError: x\n\n", false);
        assert_eq!(
            text,
            "exited with code 1 when it had to move on ply 4; the last it wrote to stderr: NameError: x"
        );
        assert!(crash(1, Some(Exit::Code(127)), None, b"", true).contains("--allow-read"));
        assert!(
            crash(1, None, None, b"", false).starts_with("closed its stdout, and so can make no move, when")
        );
    }
}

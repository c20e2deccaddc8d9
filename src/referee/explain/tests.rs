//! One test for each rule: evidence in, causes out.

use std::time::Duration;

use super::odd_lines::{OddLines, TooEarly, TwoMoves};
use super::{Evidence, Testimony, diagnose, flaw, may_only_be_slow};
use crate::contain::spec::{Exit, Output, Wait, Work};
use crate::game::hex::Hex;
use crate::game::{BoardOptions, Game, Seat, Setup, TAKEN};
use crate::record::cause::{FormFlaw, Obstacle};
use crate::record::fault::Limit;
use crate::record::terms::ClockKind;
use crate::record::{Cause, Fault, Ply};

/// A game of Hex in which somebody has just lost, with everything that could be known of it.
struct Case {
    moves: Vec<&'static str>,
    seat: u8,
    testimony: Testimony,
    odd_lines: OddLines,
    late: &'static str,
    peak: u64,
    output: Output,
    had_moved: bool,
    out_of_turn: Duration,
}

const SECOND: Duration = Duration::from_secs(1);
const LIMIT: u64 = 1 << 30;

fn timeout() -> Fault {
    Fault::Timeout { allowed_ns: 60_000_000_000, limit: Limit::Clock, clock: ClockKind::Wall }
}

fn work(cpu: Duration, waiting: Duration) -> Option<Work> {
    Some(Work { cpu_ns: cpu.as_nanos() as u64, waiting_ns: waiting.as_nanos() as u64 })
}

/// The first program has let ten seconds pass, in which nothing of it ran.
fn silent(moves: &[&'static str]) -> Case {
    Case {
        moves: moves.to_vec(),
        seat: (moves.len() % 2) as u8,
        testimony: Testimony {
            seat: Seat((moves.len() % 2) as u8),
            fault: timeout(),
            took: 10 * SECOND,
            work: work(Duration::ZERO, Duration::ZERO),
            unfinished: Vec::new(),
            unread: 0,
            wait: Wait::Input,
            owes: None,
            stderr: Vec::new(),
        },
        odd_lines: OddLines::default(),
        late: "",
        peak: 0,
        output: Output::Terminal,
        had_moved: false,
        out_of_turn: Duration::ZERO,
    }
}

fn lost(moves: &[&'static str], fault: Fault) -> Case {
    let case = silent(moves);
    Case { testimony: Testimony { fault, ..case.testimony.clone() }, ..case }
}

impl Case {
    fn causes(&self) -> Vec<Cause> {
        let mut game = Hex::new(7);
        let taken = 2 * SECOND;
        self.moves.iter().for_each(|text| game.play(text).unwrap());
        let plies: Vec<Ply> =
            self.moves.iter().map(|&text| Ply::Move { text: text.into(), taken, work: None }).collect();
        let movers: Vec<Seat> = (0..plies.len()).map(|index| Seat((index % 2) as u8)).collect();
        assert_eq!(self.seat, self.testimony.seat.0);
        diagnose(&Evidence {
            testimony: &self.testimony,
            game: &game,
            plies: &plies,
            movers: &movers,
            odd_lines: &self.odd_lines,
            late: self.late.as_bytes(),
            peak: self.peak,
            memory: LIMIT,
            output: self.output,
            had_moved: self.had_moved,
            out_of_turn: self.out_of_turn,
            is_inside: true,
            left_running: false,
        })
    }

    fn first(&self) -> Cause {
        self.causes().into_iter().next().expect("something is found")
    }

    fn odd(mut self, change: impl FnOnce(&mut OddLines)) -> Case {
        change(&mut self.odd_lines);
        self
    }

    fn seen(mut self, change: impl FnOnce(&mut Testimony)) -> Case {
        change(&mut self.testimony);
        self
    }
}

#[test]
fn one_that_begins_and_reads_is_told_to_move_first() {
    let expected = Cause::Waiting { wait: Wait::Input, sent: None, begins: Some("b".into()), moved: false };
    assert_eq!(silent(&[]).causes(), [expected]);
}

#[test]
fn one_that_waits_is_told_what_it_was_sent() {
    let cause = silent(&["3 3", "2 2"]).first();
    let expected = Cause::Waiting { wait: Wait::Input, sent: Some("2 2".into()), begins: None, moved: true };
    assert_eq!(cause, expected);
    assert!(cause.text("greedy").contains("after greedy's move '2 2' was sent to it"));
    let asleep = silent(&["3 3", "2 2"]).seen(|seen| seen.wait = Wait::Sleep).first();
    assert!(asleep.text("greedy").starts_with("it was asleep"));
    let locked = silent(&["3 3"]).seen(|seen| seen.wait = Wait::Lock).first();
    assert!(locked.text("greedy").contains("do two threads wait for each other?"));
}

#[test]
fn one_that_computes_is_told_so_and_how_long_its_other_moves_took() {
    let cause = silent(&["3 3", "2 2"]).seen(|seen| seen.work = work(9 * SECOND, Duration::ZERO)).first();
    assert_eq!(cause, Cause::Computing { cpu_ns: 9_000_000_000, moves: 1, mean_ns: 2_000_000_000 });
    assert!(
        cause.text("x").starts_with(
            "it was computing: 9.0 s of processor time on this move; its move before took 2.0 s"
        )
    );
    let partly = silent(&["3 3", "2 2"]).seen(|seen| seen.work = work(3 * SECOND, Duration::ZERO)).first();
    assert_eq!(partly, Cause::PartlyComputing { cpu_ns: 3_000_000_000, took_ns: 10_000_000_000 });
}

#[test]
fn a_busy_machine_and_time_out_of_turn_are_told_beside_the_cause() {
    let case = silent(&["3 3", "2 2"]).seen(|seen| seen.work = work(SECOND, 6 * SECOND));
    let causes = Case { out_of_turn: SECOND, ..case }.causes();
    assert_eq!(
        causes[1..],
        [Cause::MachineBusy { waited_ns: 6_000_000_000 }, Cause::OutOfTurnTime { cpu_ns: 1_000_000_000 }]
    );
}

#[test]
fn one_at_its_memory_limit_is_told_so_first() {
    let case = silent(&[]).seen(|seen| seen.work = work(9 * SECOND, Duration::ZERO));
    let peak = LIMIT / 100 * 98;
    assert_eq!(Case { peak, ..case }.first(), Cause::AtMemoryLimit { peak, limit: LIMIT });
}

#[test]
fn a_move_without_a_newline_is_told_from_a_prompt() {
    let wrote = |text: &str| silent(&[]).seen(|seen| seen.unfinished = text.into());
    let expected = Cause::NoNewline { text: "3 4".into(), is_move: true, newline_first: false };
    assert_eq!(wrote("3 4").first(), expected);
    let newline_first = wrote("3 4").odd(|odd| odd.add("")).first();
    assert_eq!(newline_first, Cause::NoNewline { text: "3 4".into(), is_move: true, newline_first: true });
    assert_eq!(wrote("3 4\\n").first(), Cause::LiteralNewline { text: "3 4\\n".into() });
    // Before the first move of the game it is a question.
    let prompt = silent(&["3 3", "2 2"]).seen(|seen| seen.unfinished = b"Jogada: ".to_vec()).first();
    assert_eq!(prompt, Cause::NoNewline { text: "Jogada:".into(), is_move: false, newline_first: false });
    assert!(prompt.text("x").contains("looks like a prompt"));
}

#[test]
fn the_move_behind_a_prompt_is_more_than_the_prompt_that_follows() {
    let case = silent(&["3 3", "2 2"]).odd(|odd| odd.add("Jogada do adversario: 4 4"));
    let cause = case.seen(|seen| seen.unfinished = b"Jogada do adversario: ".to_vec()).first();
    let Cause::Form { flaw, .. } = &cause else { panic!("{cause:?}") };
    assert_eq!(*flaw, FormFlaw::Before { text: "Jogada do adversario:".into(), meant: "4 4".into() });
}

#[test]
fn words_without_a_meaning_do_not_hide_that_it_computed() {
    let case = silent(&[]).odd(|odd| odd.add("thinking..."));
    assert!(matches!(case.first(), Cause::Form { flaw: FormFlaw::Other, .. }));
    let case = silent(&[]).odd(|odd| odd.add("thinking..."));
    let computing = case.seen(|seen| seen.work = work(10 * SECOND, Duration::ZERO)).first();
    assert!(matches!(computing, Cause::Computing { .. }));
}

#[test]
fn moves_on_stderr_and_in_buffers_are_found() {
    let wrote = |stderr: &str, case: Case| case.seen(|seen| seen.stderr = stderr.into());
    assert_eq!(wrote("hello\n3 4\n", silent(&[])).first(), Cause::OnStderr { text: "3 4".into() });
    assert!(
        matches!(wrote("3 4\n", silent(&["3 3", "2 2"])).first(), Cause::Waiting { .. }),
        "it has moved before, on stdout"
    );
    let late = Case { late: "3 4", ..silent(&[]) };
    assert_eq!(late.first(), Cause::HeldBack { text: "3 4".into(), has_newline: false });
    let at_end = Case { late: "3 4\n", ..silent(&["3 3", "2 2"]) };
    assert_eq!(at_end.first(), Cause::AtEndOfInput { text: "3 4".into(), or_held_back: false, begins: None });
    // Once, this one was told to flush.
    let reads_first = Case { late: "3 4\n", ..silent(&[]) };
    let reads_first_perhaps =
        Cause::AtEndOfInput { text: "3 4".into(), or_held_back: true, begins: Some("b".into()) };
    assert_eq!(reads_first.first(), reads_first_perhaps);
    let tried = Case { late: "3 4\n", had_moved: true, ..silent(&[]) };
    assert_eq!(tried.first(), Cause::HeldBack { text: "3 4".into(), has_newline: true });
    let too_late = Case { late: "3 4\n", ..silent(&["3 3", "2 2"]) };
    let too_late = too_late.seen(|seen| seen.work = work(10 * SECOND, Duration::ZERO));
    assert!(matches!(too_late.first(), Cause::Computing { .. }), "it was about to move");
    let farewell = Case { late: "bye", ..silent(&[]) };
    assert!(matches!(farewell.first(), Cause::Waiting { .. }));
}

#[test]
fn two_moves_in_one_turn_are_remembered_for_the_whole_game() {
    let two_moves = TwoMoves { ply: 1, first: "3 3".into(), second: "4 4".into() };
    let case = silent(&["3 3", "2 2", "5 5", "2 3"]).odd(|odd| {
        odd.two_moves = Some(two_moves);
        odd.unasked_moves = 1;
    });
    let expected = Cause::TwoMoves { ply: 1, first: "3 3".into(), second: "4 4".into(), times: 1 };
    assert_eq!(case.first(), expected);
    let illegal = Fault::IllegalMove { said: "2 2".into(), why: TAKEN.into() };
    assert_eq!(case.seen(|seen| seen.fault = illegal).first(), expected);
}

#[test]
fn moving_first_and_out_of_turn_are_named() {
    let early = |ply, own_last| TooEarly { line: "4 4", is_move: true, ply, own_last };
    let first = silent(&["3 3"]).odd(|odd| odd.add_too_early(early(1, None))).first();
    assert_eq!(first, Cause::MovedFirst { text: "4 4".into(), argument: "p".into() });
    let later = silent(&["3 3", "2 2", "5 5"]).odd(|odd| odd.add_too_early(early(3, None))).first();
    assert_eq!(later, Cause::OutOfTurn { ply: 3, text: "4 4".into() });
}

#[test]
fn one_that_never_waits_is_told_from_one_that_talks() {
    let fault = Fault::TooMuchOutput { lines: 101, bytes: 404, most_lines: 100, most_bytes: 65536 };
    let moves = lost(&["3 3"], fault.clone()).odd(|odd| odd.unasked_moves = 100);
    assert_eq!(moves.first(), Cause::NeverWaits { moves: 100 });
    let talk = lost(&["3 3"], fault).odd(|odd| odd.add("- - - b - - -"));
    assert!(matches!(talk.first(), Cause::Form { flaw: FormFlaw::Other, .. }));
}

#[test]
fn one_that_rejects_a_legal_move_is_told_so() {
    let case = silent(&["3 3", "2 2"]).odd(|odd| odd.add("Jogada invalida! 2 2"));
    assert_eq!(case.first(), Cause::Rejects { line: "Jogada invalida! 2 2".into(), sent: "2 2".into() });
}

#[test]
fn an_error_of_a_program_that_waits_comes_first() {
    let stderr =
        "Traceback (most recent call last):\n  File \"/bot/bot.py\", line 7, in <module>\nValueError: x\n";
    let case = silent(&["3 3", "2 2"]).seen(|seen| seen.stderr = stderr.into());
    assert!(matches!(case.causes()[..], [Cause::Error { line: Some(7), .. }]));
}

#[test]
fn over_a_pipe_silence_may_be_a_missing_flush() {
    assert_eq!(Case { output: Output::Pipe, ..silent(&[]) }.first(), Cause::NoFlush);
    assert!(matches!(
        Case { output: Output::Pipe, ..silent(&["3 3", "2 2"]) }.first(),
        Cause::Waiting { .. }
    ));
}

#[test]
fn what_a_program_says_of_an_error_while_it_waits_is_told() {
    let said = |stderr: &str| silent(&["3 3", "2 2"]).seen(|seen| seen.stderr = stderr.into()).causes();
    assert_eq!(
        said("ERROR: search failed\n")[1..],
        [Cause::LastWords { line: "ERROR: search failed".into() }]
    );
    assert_eq!(said("- - b p -\n").len(), 1, "a board is no error");
}

#[test]
fn only_a_program_that_waits_for_input_or_has_written_fails_its_test() {
    let slow = |change: &dyn Fn(&mut Testimony), odd: OddLines| {
        let case = silent(&[]).seen(change);
        may_only_be_slow(&case.testimony, &odd)
    };
    assert!(!slow(&|_| {}, OddLines::default()), "it reads");
    assert!(slow(&|seen| seen.wait = Wait::Sleep, OddLines::default()));
    assert!(slow(&|seen| seen.work = work(9 * SECOND, Duration::ZERO), OddLines::default()));
    let mut odd = OddLines::default();
    odd.add("7,7");
    assert!(!slow(&|seen| seen.wait = Wait::Sleep, odd));
}

#[test]
fn unread_moves_are_counted() {
    let unread = |bytes| silent(&["3 3", "2 2"]).seen(|seen| seen.unread = bytes).first();
    assert_eq!(unread(4), Cause::Unread { line: "2 2".into(), lines: 1 });
    assert_eq!(unread(12), Cause::Unread { line: "2 2".into(), lines: 3 });
}

#[test]
fn a_move_that_had_to_be_taken_back_is_named() {
    let case = silent(&["3 3", "2 2"]).odd(|odd| odd.take_back("3 3"));
    assert_eq!(case.first(), Cause::TookBack { text: "3 3".into() });
}

#[test]
fn a_taken_cell_is_told_with_who_took_it_and_when() {
    let played = |said: &str| {
        let fault = Fault::IllegalMove { said: said.into(), why: TAKEN.into() };
        lost(&["3 4", "2 5", "6 6", "1 1"], fault).first()
    };
    let taken = |by_itself, ply, was_last, exchanged| Cause::Taken { by_itself, ply, was_last, exchanged };
    assert_eq!(played("3 4"), taken(true, 1, false, true));
    assert_eq!(played("6 6"), taken(true, 3, true, false));
    assert_eq!(played("2 5"), taken(false, 2, false, true));
    assert_eq!(played("1 1"), taken(false, 4, true, false));
    assert!(played("2 5").text("greedy").contains("greedy played there on ply 2"));
}

#[test]
fn one_that_plays_on_the_swapped_stone_is_told_of_the_swap() {
    let played = |moves| lost(moves, Fault::IllegalMove { said: "3 4".into(), why: TAKEN.into() }).first();
    let swapped = played(&["3 4", "3 4"]);
    assert_eq!(swapped, Cause::SwappedStone { by_opponent: true });
    assert!(swapped.text("greedy").contains("which greedy repeated on ply 2: a swap"));
    assert_eq!(played(&["3 4", "3 4", "1 1"]), Cause::SwappedStone { by_opponent: false });
}

#[test]
fn one_that_begins_with_a_question_is_told_that_nobody_answers() {
    let asks = |text: &str| Cause::Asks { text: text.into(), argument: "b".into() };
    let unfinished = |text: &str| silent(&[]).seen(|seen| seen.unfinished = text.into()).first();
    assert_eq!(unfinished("Cor (b/p): "), asks("Cor (b/p):"));
    assert_eq!(silent(&[]).odd(|odd| odd.add("Tamanho?")).first(), asks("Tamanho?"));
    assert!(matches!(unfinished("thinking..."), Cause::NoNewline { .. }));
}

#[test]
fn a_crash_is_told_by_its_error_and_what_was_missing() {
    let ended = |stderr: &str, exit| {
        lost(&["3 3"], Fault::Crashed { exit: Some(exit) }).seen(|seen| seen.stderr = stderr.into())
    };
    let crashed = |stderr, code| ended(stderr, Exit::Code(code));
    let traceback = "Traceback (most recent call last):\n  File \"/bot/bot.py\", line 7, in <module>\n\
                     FileNotFoundError: [Errno 2] No such file or directory: '../book.txt'\n";
    let causes = crashed(traceback, 1).causes();
    assert!(matches!(&causes[0], Cause::Error { file: Some(file), line: Some(7), .. } if file == "bot.py"));
    assert_eq!(causes[1], Cause::Obstacle(Obstacle::MissingFile(Some("../book.txt".into()))));
    assert_eq!(crashed("such a pity\n\n", 3).causes(), [Cause::LastWords { line: "such a pity".into() }]);
    assert_eq!(crashed("", 0).causes(), [Cause::LeftByItself { moves: 0, left_running: false }]);
    assert_eq!(ended("", Exit::Signal(11)).causes(), [Cause::Signal { signal: 11 }]);
    assert_eq!(crashed("", 127).causes(), [Cause::CommandNotFound]);
}

#[test]
fn an_engine_owes_what_its_protocol_says() {
    let case = silent(&["3 3"]).seen(|seen| seen.owes = Some("has not answered 'genmove'".into()));
    assert_eq!(case.first().text("x"), "it has not answered 'genmove'");
}

#[test]
fn lines_that_seem_to_mean_a_move_are_understood() {
    let game = Hex::new(14);
    let of = |line: &str| flaw(line, &game);
    let punctuation = |meant: &str| FormFlaw::Punctuation { meant: meant.into() };
    for line in ["7,9", "(7, 9)", "[ 7, 9 ]", "7;9", "7-9", "{7 9}", "b'7 9'", "{\"row\":7,\"col\":9}"] {
        assert_eq!(of(line), punctuation("7 9"), "{line}");
    }
    let before = |text: &str, meant: &str| FormFlaw::Before { text: text.into(), meant: meant.into() };
    assert_eq!(of("Jogada: 3 4"), before("Jogada:", "3 4"));
    assert_eq!(of("Jogada do adversario:3 4"), before("Jogada do adversario:", "3 4"));
    assert_eq!(of("vitB = 05 7"), before("vitB =", "05 7"));
    assert_eq!(of("Jogada: (3, 4)"), before("Jogada", "3 4"));
    assert_eq!(of("3 4 ok"), FormFlaw::Behind { text: "ok".into(), meant: "3 4".into() });
    assert_eq!(of("\u{1b}[2J\u{1b}[H7 9"), FormFlaw::Escapes { meant: "7 9".into() });
    assert_eq!(of("\u{1b}[1;32m7 9\u{1b}[0m"), FormFlaw::Escapes { meant: "7 9".into() });
    assert_eq!(of("7.0 9.0"), FormFlaw::Decimals { meant: "7 9".into() });
    assert_eq!([of("7\u{a0}9"), of("７ ９")], [FormFlaw::NotAscii, FormFlaw::NotAscii]);
    let zeros = FormFlaw::ZeroBytes { meant: "7 9".into() };
    assert_eq!([of("7 9\0\0"), of("\0\0\x007 9")], [zeros.clone(), zeros]);
    assert_eq!(of("7\0 \x009\0"), FormFlaw::NotAscii, "UTF-16");
    assert_eq!(of("7"), FormFlaw::OneNumber);
    assert_eq!(of(""), FormFlaw::Empty);
    assert_eq!([of("None None"), of("6 undefined")], [FormFlaw::NoValue, FormFlaw::NoValue]);
    assert!(matches!(of("h8"), FormFlaw::OtherNotation { meant: Some(meant), .. } if meant == "7 7"));
    assert_eq!(of("d 7"), FormFlaw::NotANumber { word: "d".into() });
    assert_eq!([of("hello"), of("pass")], [FormFlaw::Attempt, FormFlaw::Attempt]);
    let long = "1a".repeat(30_000);
    for line in [
        long.as_str(),
        "good morning",
        "- - b p -",
        "thinking about 3 moves ahead",
        "99 99 99",
        "depth 3 best 0.5",
    ] {
        assert_eq!(of(line), FormFlaw::Other, "{line}");
    }
}

#[test]
fn words_for_the_swap_are_understood_when_there_is_one() {
    let mut game = Hex::new(7);
    game.play("3 2").unwrap();
    assert!(
        matches!(flaw("swap", &game), FormFlaw::OtherNotation { meant: Some(meant), .. } if meant == "3 2")
    );
}

#[test]
fn moves_of_other_games_are_understood_too() {
    let game = Setup::new("okupacio", BoardOptions::default()).unwrap().start();
    assert_eq!(flaw("Jugada: ab", &*game), FormFlaw::Before { text: "Jugada:".into(), meant: "ab".into() });
    let game =
        Setup::new("xinez", BoardOptions { size: Some(1), ..BoardOptions::default() }).unwrap().start();
    assert_eq!(flaw("2,1", &*game), FormFlaw::Punctuation { meant: "2 1".into() });
}

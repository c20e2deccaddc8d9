//! The rules by which causes are found: each is a function of the evidence, and they are tried in the order of how sure they are.

use std::time::Duration;

use super::evidence::{Evidence, Testimony};
use super::form;
use super::odd_lines::{OddLines, TwoMoves};
use super::words::SHOWN;
use crate::contain::spec::{Exit, Output, Wait};
use crate::game::TAKEN;
use crate::record::cause::{FormFlaw, Obstacle};
use crate::record::terms::ClockKind;
use crate::record::text::printable;
use crate::record::{Cause, Fault, Ply};
use crate::referee::stderr::{self, ErrorMessage};

/// From here on it is told what a clock was charged for computing out of turn.
const WORTH_TELLING: Duration = Duration::from_millis(50);

/// How many causes are told at the most: more would hide the first.
const MOST_CAUSES: usize = 3;

type Rule = fn(&Evidence) -> Option<Cause>;

/// Rules for programs that made no move in time.
const TIMEOUT: [Rule; 20] = [
    at_memory_limit,
    took_back,
    literal_newline,
    move_without_newline,
    rejects,
    asks,
    form_with_a_meaning,
    on_stderr,
    held_back,
    at_end_of_input,
    two_moves,
    moved_first,
    too_early,
    unread,
    owes,
    computing,
    any_form,
    error,
    no_flush,
    standing,
];
/// Rules for programs that made an illegal move.
const ILLEGAL_MOVE: [Rule; 5] = [unread, two_moves, moved_first, swapped_stone, taken];
/// Rules for programs that wrote too much.
const OUTPUT: [Rule; 5] = [never_waits, rejects, form_with_a_meaning, any_form, first_form];
/// Rules for programs that wrote something else where only moves are allowed.
const NOT_A_MOVE: [Rule; 1] = [form_with_a_meaning];
/// Rules for programs that ended.
const CRASH: [Rule; 5] = [owes, error, left_by_itself, last_words, signal];

/// Finds out why a program lost, as far as the evidence tells. The surest cause comes first.
pub fn diagnose(evidence: &Evidence) -> Vec<Cause> {
    let (rules, notes): (&[Rule], &[Rule]) = match &evidence.testimony.fault {
        Fault::Timeout { .. } | Fault::Unfinished { .. } => {
            (&TIMEOUT, &[error, obstacle, words_of_an_error, machine_busy, out_of_turn_time])
        }
        Fault::IllegalMove { .. } => (&ILLEGAL_MOVE, &[]),
        Fault::TooMuchOutput { .. } => (&OUTPUT, &[]),
        Fault::NotAMove { .. } => (&NOT_A_MOVE, &[]),
        Fault::Crashed { .. } => {
            (&CRASH, &[session, obstacle, command_not_found, words_of_leaving, wrote_before])
        }
        _ => (&[], &[]),
    };
    let cause = rules.iter().find_map(|rule| rule(evidence));
    let is_about_time = cause.as_ref().is_none_or(is_about_time);
    let notes = notes.iter().filter_map(|rule| rule(evidence)).filter(|note| Some(note) != cause.as_ref());
    let notes = notes.filter(|note| is_about_time || !matches!(note, Cause::MachineBusy { .. }));
    cause.clone().into_iter().chain(notes).take(MOST_CAUSES).collect()
}

/// Whether a cause says only what a program did with its time.
fn is_about_time(cause: &Cause) -> bool {
    matches!(cause, Cause::Computing { .. } | Cause::PartlyComputing { .. } | Cause::Waiting { .. })
}

fn shown(text: &str) -> String {
    printable(text.as_bytes(), SHOWN)
}

fn at_memory_limit(evidence: &Evidence) -> Option<Cause> {
    let (peak, limit) = (evidence.peak, evidence.memory);
    (peak > limit / 8 * 7).then_some(Cause::AtMemoryLimit { peak, limit })
}

fn took_back(evidence: &Evidence) -> Option<Cause> {
    evidence.odd_lines.taken_back.as_deref().map(|text| Cause::TookBack { text: shown(text) })
}

/// What it has begun to write, as text.
fn unfinished(evidence: &Evidence) -> Option<String> {
    let text = String::from_utf8_lossy(&evidence.testimony.unfinished).into_owned();
    (!text.trim().is_empty()).then_some(text)
}

fn move_without_newline(evidence: &Evidence) -> Option<Cause> {
    let text = unfinished(evidence)?;
    let newline_first = evidence.odd_lines.in_turn.last().is_some_and(|line| line.trim().is_empty());
    evidence.is_form(&text).then(|| Cause::NoNewline { text: shown(&text), is_move: true, newline_first })
}

/// In some languages, `\n` is a newline only in certain quotation marks.
fn literal_newline(evidence: &Evidence) -> Option<Cause> {
    let text = unfinished(evidence)?;
    let before = text.trim_end().strip_suffix("\\n")?;
    evidence.is_form(before).then(|| Cause::LiteralNewline { text: shown(&text) })
}

/// What it wrote in its turn has the opponent's move in it, among words.
fn rejects(evidence: &Evidence) -> Option<Cause> {
    let sent = evidence.last_sent()?;
    let is_about = |line: &&String| {
        line.contains(&sent) && line.chars().filter(|letter| letter.is_alphabetic()).count() > 3
    };
    // A move that could be made is rather what it means to play.
    if evidence.game.check(&sent).is_ok() {
        return None;
    }
    let line = evidence.odd_lines.in_turn.iter().find(is_about)?;
    Some(Cause::Rejects { line: shown(line), sent: shown(&sent) })
}

/// It has to begin, has written a question, and waits for the answer.
fn asks(evidence: &Evidence) -> Option<Cause> {
    let text = unfinished(evidence).or_else(|| evidence.odd_lines.in_turn.last().cloned())?;
    let is_question = text.trim_end().ends_with(['?', ':', '>']) && evidence.testimony.wait == Wait::Input;
    (evidence.plies.is_empty() && is_question)
        .then(|| Cause::Asks { text: shown(&text), argument: evidence.argument() })
}

/// The first line that is no move, but seems to stand for one.
fn form_with_a_meaning(evidence: &Evidence) -> Option<Cause> {
    let means_nothing = |cause: &Cause| {
        matches!(cause, Cause::Form { flaw: FormFlaw::Other | FormFlaw::Attempt | FormFlaw::Empty, .. })
    };
    forms(evidence).find(|cause| !means_nothing(cause))
}

/// Any line that is no move, or the beginning of one.
fn any_form(evidence: &Evidence) -> Option<Cause> {
    let unfinished = || {
        let text = shown(&unfinished(evidence)?);
        Some(Cause::NoNewline { text, is_move: false, newline_first: false })
    };
    forms(evidence).next().or_else(unfinished)
}

fn forms<'a>(evidence: &'a Evidence) -> impl Iterator<Item = Cause> + 'a {
    // Where only moves are allowed, what a move looks like has been said.
    let is_said = matches!(evidence.testimony.fault, Fault::NotAMove { .. });
    let cause = move |line: &String| {
        let expected = if is_said { String::new() } else { evidence.expected() };
        let flaw = form::flaw(line, evidence.game);
        Cause::Form { line: shown(line), flaw, expected }
    };
    evidence.odd_lines.in_turn.iter().map(cause)
}

/// The first line of the whole game that was no move.
fn first_form(evidence: &Evidence) -> Option<Cause> {
    let line = evidence.odd_lines.first.as_ref()?;
    let (flaw, expected) = (form::flaw(line, evidence.game), evidence.expected());
    Some(Cause::Form { line: shown(line), flaw, expected })
}

/// It has written nothing to stdout, and to stderr what would be a move.
fn on_stderr(evidence: &Evidence) -> Option<Cause> {
    let is_silent = evidence.own_moves().next().is_none() && evidence.odd_lines.in_turn.is_empty();
    let text = String::from_utf8_lossy(&evidence.testimony.stderr);
    let mut lines = text.lines().filter(|line| evidence.game.check(line).is_ok());
    let line = lines.next().filter(|_| is_silent)?;
    Some(Cause::OnStderr { text: shown(line) })
}

/// The move that came when its stdin had been closed, and whether a newline followed it.
fn late_move(evidence: &Evidence) -> Option<(String, bool)> {
    let text = String::from_utf8_lossy(evidence.late);
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    // A move that was under way when the time was over is only late.
    let waited =
        matches!(evidence.testimony.wait, Wait::Input | Wait::Unknown) && !is_computing(evidence.testimony);
    let is_silent = waited && evidence.odd_lines.in_turn.is_empty() && unfinished(evidence).is_none();
    let begins_with_a_move = || {
        let ends = line.char_indices().map(|(index, _)| index).chain([line.len()]);
        ends.skip(1).any(|end| evidence.game.check(&line[..end]).is_ok())
    };
    (is_silent && begins_with_a_move()).then(|| (shown(line), text.contains('\n')))
}

/// A program that ends writes out what is in its buffers. On a terminal, these hold only what no newline has followed, and a program
/// that has moved before flushes. One that had to begin may have waited for its opponent instead, unless that was tried.
fn held_back(evidence: &Evidence) -> Option<Cause> {
    let (text, has_newline) = late_move(evidence)?;
    let moved = evidence.own_moves().next().is_some();
    let held_back = match (has_newline, evidence.plies.is_empty()) {
        (false, _) => true,
        (true, true) => evidence.had_moved,
        (true, false) => evidence.output == Output::Pipe && !moved,
    };
    held_back.then_some(Cause::HeldBack { text, has_newline })
}

/// A program that reads on to the end of its input answers when that is there.
fn at_end_of_input(evidence: &Evidence) -> Option<Cause> {
    let (text, _) = late_move(evidence)?;
    let or_held_back = evidence.own_moves().next().is_none();
    Some(Cause::AtEndOfInput { text, or_held_back, begins: evidence.begins() })
}

fn two_moves(evidence: &Evidence) -> Option<Cause> {
    // One that computes knows that it is its turn.
    if is_computing(evidence.testimony) {
        return None;
    }
    let TwoMoves { ply, first, second } = evidence.odd_lines.two_moves.as_ref()?;
    let times = evidence.odd_lines.unasked_moves;
    Some(Cause::TwoMoves { ply: *ply, first: shown(first), second: shown(second), times })
}

fn moved_first(evidence: &Evidence) -> Option<Cause> {
    // Where more play, another may have been the first.
    let text = shown(evidence.odd_lines.moved_first.as_deref().filter(|_| evidence.game.seats() == 2)?);
    Some(Cause::MovedFirst { text, argument: evidence.argument() })
}

fn too_early(evidence: &Evidence) -> Option<Cause> {
    let (ply, text) = evidence.odd_lines.too_early.as_ref()?;
    Some(Cause::OutOfTurn { ply: *ply, text: shown(text) })
}

fn never_waits(evidence: &Evidence) -> Option<Cause> {
    let Fault::TooMuchOutput { lines, .. } = evidence.testimony.fault else { return None };
    let moves = evidence.odd_lines.unasked_moves;
    (2 * moves > lines).then_some(Cause::NeverWaits { moves })
}

fn unread(evidence: &Evidence) -> Option<Cause> {
    let line = evidence.last_sent()?;
    let unread = evidence.testimony.unread;
    // All lines are about as long as the last.
    let lines = unread.div_ceil(line.len() + 1);
    (unread > line.len()).then_some(Cause::Unread { line: shown(&line), lines })
}

fn owes(evidence: &Evidence) -> Option<Cause> {
    evidence.testimony.owes.clone().map(|what| Cause::Owes { what })
}

/// Whether a program that is late may still have moved: it neither waits for input nor has written anything.
pub fn may_only_be_slow(testimony: &Testimony, odd_lines: &OddLines) -> bool {
    let is_late = matches!(testimony.fault, Fault::Timeout { .. });
    let has_written = !odd_lines.in_turn.is_empty() || !testimony.unfinished.is_empty();
    is_late && (is_computing(testimony) || testimony.wait != Wait::Input && !has_written)
}

/// Whether a program that is late used the processor for most of the time, or would have if others had let it.
fn is_computing(testimony: &Testimony) -> bool {
    let is_late = matches!(testimony.fault, Fault::Timeout { .. } | Fault::Unfinished { .. });
    let busy = testimony.work.map_or(Duration::ZERO, |work| work.cpu() + work.waiting());
    is_late && busy * 5 >= testimony.took * 3 && !busy.is_zero()
}

/// It used the processor for most of the time.
fn computing(evidence: &Evidence) -> Option<Cause> {
    let cpu = evidence.testimony.work?.cpu();
    if !is_computing(evidence.testimony) {
        return None;
    }
    let times: Vec<Duration> = evidence.own_moves().map(|(_, ply)| ply.taken()).collect();
    let mean = times.iter().sum::<Duration>() / times.len().max(1) as u32;
    let (cpu_ns, mean_ns) = (cpu.as_nanos() as u64, mean.as_nanos() as u64);
    Some(Cause::Computing { cpu_ns, moves: times.len(), mean_ns })
}

/// Over a pipe, what is not flushed does not come.
fn no_flush(evidence: &Evidence) -> Option<Cause> {
    let is_pipe = evidence.output == Output::Pipe;
    let has_moved = evidence.own_moves().next().is_some();
    (is_pipe && !has_moved && evidence.testimony.wait == Wait::Input).then_some(Cause::NoFlush)
}

/// It did little, or nothing.
fn standing(evidence: &Evidence) -> Option<Cause> {
    let Testimony { work, took, wait, .. } = &evidence.testimony;
    let cpu = work.map_or(Duration::ZERO, |work| work.cpu());
    if cpu > *took / 10 && cpu > Duration::from_millis(20) {
        let (cpu_ns, took_ns) = (cpu.as_nanos() as u64, took.as_nanos() as u64);
        return Some(Cause::PartlyComputing { cpu_ns, took_ns });
    }
    let sent = evidence.last_sent().map(|line| shown(&line));
    let begins = evidence.begins();
    Some(Cause::Waiting { wait: *wait, sent, begins, moved: evidence.own_moves().next().is_some() })
}

/// Other work on the machine kept it from running for a good part of the time.
fn machine_busy(evidence: &Evidence) -> Option<Cause> {
    // On a clock of processor time, waiting costs nothing.
    if matches!(evidence.testimony.fault, Fault::Timeout { clock: ClockKind::Cpu, .. }) {
        return None;
    }
    let Testimony { work, took, .. } = &evidence.testimony;
    let waited = (*work)?.waiting();
    (waited * 2 > *took).then_some(Cause::MachineBusy { waited_ns: waited.as_nanos() as u64 })
}

fn out_of_turn_time(evidence: &Evidence) -> Option<Cause> {
    let charged = evidence.out_of_turn;
    (charged >= WORTH_TELLING).then_some(Cause::OutOfTurnTime { cpu_ns: charged.as_nanos() as u64 })
}

/// It has not understood what became of the first stone.
fn swapped_stone(evidence: &Evidence) -> Option<Cause> {
    let Fault::IllegalMove { said, .. } = &evidence.testimony.fault else { return None };
    let first = evidence.plies.first()?.text().and_then(two_numbers)?;
    let by_opponent = evidence.movers.first() == Some(&evidence.testimony.seat);
    (evidence.game.swapped() && two_numbers(said) == Some(first))
        .then_some(Cause::SwappedStone { by_opponent })
}

/// Who took the cell, and when.
fn taken(evidence: &Evidence) -> Option<Cause> {
    let Fault::IllegalMove { said, why } = &evidence.testimony.fault else { return None };
    let wanted = two_numbers(said).filter(|_| why.starts_with(TAKEN))?;
    let seat = evidence.testimony.seat;
    let at = |ply: &Ply, cell| ply.text().and_then(two_numbers) == Some(cell);
    let mut plies = evidence.movers.iter().zip(evidence.plies).zip(1..);
    let ((taker, _), ply) = plies.find(|((_, ply), _)| at(ply, wanted))?;
    let last = evidence.movers.iter().rposition(|mover| mover == taker).map(|index| index + 1);
    // With row and column exchanged it would have had to take the cell that it means for free.
    let meant = (wanted.1, wanted.0);
    let mut opponents = evidence.movers.iter().zip(evidence.plies).filter(|(mover, _)| **mover != seat);
    let exchanged = meant != wanted && !opponents.any(|(_, ply)| at(ply, meant));
    Some(Cause::Taken { by_itself: *taker == seat, ply, was_last: last == Some(ply), exchanged })
}

fn two_numbers(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split_whitespace().map(|word| word.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

fn message(evidence: &Evidence) -> Option<ErrorMessage> {
    stderr::read(&evidence.testimony.stderr)
}

fn error(evidence: &Evidence) -> Option<Cause> {
    let ErrorMessage { what, file, line, .. } = message(evidence)?;
    Some(Cause::Error { what, file, line })
}

fn obstacle(evidence: &Evidence) -> Option<Cause> {
    message(evidence)?.obstacle.map(Cause::Obstacle)
}

fn left_by_itself(evidence: &Evidence) -> Option<Cause> {
    let is_clean = evidence.testimony.fault == Fault::Crashed { exit: Some(Exit::Code(0)) };
    let (moves, left_running) = (evidence.own_moves().count(), evidence.left_running);
    is_clean.then_some(Cause::LeftByItself { moves, left_running })
}

fn last_words(evidence: &Evidence) -> Option<Cause> {
    let lines = evidence.testimony.stderr.split(|&byte| byte == b'\n').rev();
    let line = lines.map(|line| printable(line, 2 * SHOWN)).find(|line| !line.is_empty())?;
    Some(Cause::LastWords { line })
}

/// It wanted to begin a session, which the sandbox refuses. The last of these is where Python does it, whose traceback may show no more.
fn session(evidence: &Evidence) -> Option<Cause> {
    const BEGINNINGS: [&str; 3] = ["setsid", "start_new_session", "_execute_child"];
    let text = String::from_utf8_lossy(&evidence.testimony.stderr);
    let is_refused = evidence.is_inside && text.contains("Operation not permitted");
    (is_refused && BEGINNINGS.iter().any(|words| text.contains(words)))
        .then_some(Cause::Obstacle(Obstacle::Session))
}

/// What a program that goes on has said last, if that is about an error.
fn words_of_an_error(evidence: &Evidence) -> Option<Cause> {
    if message(evidence).is_some() {
        return None;
    }
    let cause = last_words(evidence)?;
    let Cause::LastWords { line } = &cause else { return None };
    let line = line.to_lowercase();
    ["error", "erro", "exception", "fail", "invalid"].iter().any(|word| line.contains(word)).then_some(cause)
}

/// What a program wrote in the place of a move before it ended, such as how it wants to be used.
fn wrote_before(evidence: &Evidence) -> Option<Cause> {
    forms(evidence).next()
}

/// What a program said last that did not speak of an error in any way that is known.
fn words_of_leaving(evidence: &Evidence) -> Option<Cause> {
    message(evidence).is_none().then(|| last_words(evidence)).flatten()
}

/// A signal ended it, and it has not said why.
fn signal(evidence: &Evidence) -> Option<Cause> {
    match evidence.testimony.fault {
        Fault::Crashed { exit: Some(Exit::Signal(signal)) } => Some(Cause::Signal { signal }),
        _ => None,
    }
}

/// What a shell says of a command that it cannot find.
fn command_not_found(evidence: &Evidence) -> Option<Cause> {
    if obstacle(evidence).is_some() {
        return None;
    }
    let is_shells = matches!(evidence.testimony.fault, Fault::Crashed { exit: Some(Exit::Code(126 | 127)) });
    (is_shells && evidence.is_inside).then_some(Cause::CommandNotFound)
}

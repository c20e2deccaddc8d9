//! Whole games, and what they show: faults, and misunderstandings of the rules.

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use super::blame;
use super::book::{Book, Finding, first_mend};
use super::catalogue;
use super::chances::Chances;
use super::experiment::{Experiment, central_move};
use super::figures::Figures;
use super::remedies;
use super::room::Room;
use super::stumble::{Before, Exhibit, Step, last_lines};
use super::transcript::{Line, Voice, shortened, shown};
use crate::championship::formats::{Fixture, Pairing};
use crate::championship::runner::{Event, Finished, Runner};
use crate::championship::seating::Seating;
use crate::game::{Refusal, Seat, Setup};
use crate::record::terms::Trial;
use crate::record::text::{counted, seconds};
use crate::record::{FixtureKey, Ply, Terms, Warning, WarningKind};
use crate::referee::protocol::Protocol;

/// Against whom, and how often.
const OPPONENTS: [(usize, u32); 2] = [(RANDOM, 10), (GREEDY, 3)];
/// How often `@greedy` opens in the centre besides, where that can be swapped: one that swaps and keeps its colour loses then, and its
/// moves show why.
const CENTRAL: u32 = 2;
/// Where the bot stands in the roster.
pub const BOT: usize = 0;
/// Where `@random` stands in the roster.
pub const RANDOM: usize = 1;
/// Where `@greedy` stands in the roster.
pub const GREEDY: usize = 2;

/// Tests that fail by a misunderstanding of the rules.
const MISUNDERSTANDINGS: [&str; 4] = ["swapped", "may-swap", "goal", "neighbours"];
/// Tests that fail, too, where a bot's own board is not the true one.
const ABOUT_THE_BOARD: [&str; 4] = ["goal", "legal-moves", "reads", "one-move"];
/// How often it is started, and how many moves it makes, before whole games.
const CONVERSATIONS: u32 = 10;
const MOVES_IN_CONVERSATIONS: u32 = 30;
/// So many games may end with a bot that stops, until one of them shows why.
const STOPS: usize = 3;
/// From here on it is told how long it will take.
const WORTH_TELLING: Duration = Duration::from_secs(30);

/// Own moves of the longest game that there is.
pub fn longest_game(setup: &Setup) -> usize {
    let cells = setup.start().layout().spots.iter().filter(|spot| !spot.is_wall).count();
    cells.div_ceil(setup.board().seats.into())
}

/// How long the rest will take, if that is worth a word: `times` are those of its first moves, of which the first has its start in it.
pub fn forecast(room: &Room, times: &[Duration]) -> String {
    let Some((first, others)) = times.split_first() else { return String::new() };
    let mean = others.iter().sum::<Duration>() / others.len().max(1) as u32;
    let start = first.saturating_sub(mean);
    let games = fixtures(room).len() as u32;
    // Games of two usually end when a third of the board is full.
    let own_moves = (longest_game(room.setup()) * 2 / 3).max(1) as u32;
    let games = match room.is_quick {
        true => Duration::ZERO,
        false => (start + mean * own_moves) * games / room.jobs.max(1) as u32,
    };
    let rest = games + start * CONVERSATIONS + mean * MOVES_IN_CONVERSATIONS;
    if rest < WORTH_TELLING {
        return String::new();
    }
    let minutes = counted(rest.as_secs().div_ceil(60) as usize, "minute");
    let quick = if room.is_quick { "" } else { "; --quick leaves the whole games out" };
    let (start, mean) = (seconds(start), seconds(mean));
    format!(
        "its start takes it {start}, and a move takes it {mean}: all of this will take up to {minutes}{quick}"
    )
}

/// Plays them all.
pub fn whole_games(room: &Room, book: &mut Book, experiment: &Experiment) -> Step {
    if room.is_quick {
        book.leave_out(experiment.covered(), "--quick leaves whole games out");
        return Ok(());
    }
    // Most that goes wrong late ends with a bot that waits for ever, which need not be waited for.
    let trial = Some(Trial { plies: usize::MAX, is_impatient: false, ends_idle: true });
    let terms = Terms { trial, ..room.terms().clone() };
    let openings: Vec<String> =
        central_move(room.setup().start().as_ref(), room.setup().board().size).into_iter().collect();
    let runner = Runner {
        roster: room.roster,
        seating: Seating { terms: &terms, ..room.seating },
        jobs: room.jobs,
        pin: false,
        openings: &openings,
        seed: room.seed,
        keep_scratch: None,
        in_progress: None,
        interrupt: room.interrupt,
    };
    let mut figures = Figures { budget: room.terms().time.base.as_secs_f64(), ..Figures::default() };
    let mut chances = Chances::default();
    let mut troubles: Vec<(&'static str, Finding)> = Vec::new();
    let mut broken = 0;
    runner.run(fixtures(room), |event| {
        match event {
            Event::Finished(game) => {
                figures.add(&game.played, own_seat(&game));
                if room.setup().board().seats == 2 {
                    chances.add(room.setup(), own_seat(&game), &game.played.plies);
                }
                (room.tell)(&format!("{} games", figures.games));
                if let Some(trouble) = judge(room, experiment, &game) {
                    let may_tell_more = ["runs-on", "reads"].contains(&trouble.0);
                    troubles.push(trouble);
                    // One such game is enough to mend it; but a bot that stops may believe that somebody has won, and another of its games
                    // may show by which rules.
                    if !may_tell_more || troubles.len() >= STOPS {
                        return Ok::<_, io::Error>(ControlFlow::Break(()));
                    }
                }
            }
            Event::Broken { .. } => broken += 1,
            Event::Begun(_) | Event::Warned { .. } | Event::Tick => {}
        }
        Ok::<_, io::Error>(ControlFlow::Continue(()))
    })?;
    if room.interrupt.requested() {
        return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted").into());
    }
    // Otherwise the first to end tells.
    let shows_why = |(name, _): &(&str, Finding)| MISUNDERSTANDINGS.contains(name);
    let told = troubles.iter().position(shows_why).unwrap_or_default();
    let failed = troubles.into_iter().nth(told).map(|(name, finding)| {
        book.find(name, finding);
        name
    });
    if let Some(failed) = failed {
        book.leave_out(experiment.covered(), &first_mend(failed));
        if ABOUT_THE_BOARD.contains(&failed) {
            // One whose board is not the true one shows another, and takes other cells for free: that is one flaw.
            ["debug-board", "asks-again"].iter().for_each(|name| book.set_aside(name, &first_mend(failed)));
        }
        book.figures = Some(figures);
        return Ok(());
    }
    if figures.games == 0 {
        return Err(io::Error::other(format!("no game could be played ({broken} were broken off)")).into());
    }
    book.pass_with("games", format!("{} games, {} won", figures.games, figures.won));
    if let Some(remark) = chances.remark() {
        book.pass_with("goal", remark);
    }
    book.pass(&["starts", "files", "goal", "neighbours"]);
    book.pass_with(
        "in-time",
        format!(
            "at most {} of its {} a game; the longest move took {}",
            seconds(Duration::from_secs_f64(figures.most_used)),
            seconds(Duration::from_secs_f64(figures.budget)),
            seconds(Duration::from_secs_f64(figures.longest)),
        ),
    );
    book.pass_with("memory", format!("at most {} MB of {}", figures.peak >> 20, room.terms().limits.memory));
    book.figures = Some(figures);
    Ok(())
}

/// All games, the seats of the bot in turn.
fn fixtures(room: &Room) -> Vec<Pairing> {
    let seats = usize::from(room.setup().board().seats);
    let fixture = |opponent: usize, leg: u32, own_seat: usize, opening| {
        let seats: Vec<usize> = (0..seats).map(|at| if at == own_seat { BOT } else { opponent }).collect();
        let bots = seats.iter().map(|&bot| room.roster[bot].name.as_str().into()).collect();
        let key = FixtureKey { round: opponent as u32, leg, bots };
        vec![Fixture { key, seats, opening }]
    };
    let in_turn = OPPONENTS.into_iter().flat_map(|(opponent, games)| {
        (0..games).map(move |game| fixture(opponent, game + 1, game as usize % seats, None))
    });
    let central = if catalogue::test("may-swap").is_for(room.setup().name()) { CENTRAL } else { 0 };
    let after = |game: u32| OPPONENTS[1].1 + game + 1;
    in_turn.chain((0..central).map(|game| fixture(GREEDY, after(game), 1, Some(0)))).collect()
}

fn own_seat(game: &Finished) -> Seat {
    Seat(game.fixture.seats.iter().position(|&bot| bot == BOT).unwrap_or_default() as u8)
}

/// What a game shows to be wrong.
fn judge(room: &Room, experiment: &Experiment, game: &Finished) -> Option<(&'static str, Finding)> {
    let seat = own_seat(game);
    let opponent = game
        .fixture
        .seats
        .iter()
        .find(|&&bot| bot != BOT)
        .map_or("", |&bot| room.roster[bot].command.as_str());
    let played = &game.played;
    let hint = played.verdict.hints.iter().find(|hint| hint.seat == seat).map(|hint| &hint.hint);
    let (test, happened) = if let Some(loss) =
        played.verdict.loss(seat).filter(|loss| loss.reason.is_forfeit())
    {
        let seats = usize::from(room.setup().board().seats);
        let after = |plies: usize| loss.ply.is_some_and(|ply| ply > plies);
        let has_swapped = game.swapped && seat.index() == 1 && !after(2 + 2 * seats);
        let before = Before { told: after(1), moved: after(seats), has_swapped, ..Before::default() };
        match hint.filter(|_| blame::has_stopped(loss)) {
            // It stopped because it believed that the game was over: why it did is what has to be mended.
            Some(hint) => {
                let why = about_it(&hint.sentence("it", opponent));
                (blame::of_hint(hint), format!("{why}. So it {}", loss.what(opponent)))
            }
            None => (blame::of(loss, before, None), loss.what(opponent)),
        }
    } else if let Some(hint) = hint {
        (blame::of_hint(hint), about_it(&hint.sentence("it", opponent)))
    } else {
        let has_form = |text: &str| !matches!(room.setup().start().check(text), Err(Refusal::NotAMove(_)));
        let is_move = |warning: &&Warning| {
            warning.seat == seat && warning.kind == WarningKind::OutOfTurn && has_form(&warning.text)
        };
        ("one-move", about_it(&played.warnings.iter().find(is_move)?.to_string()))
    };
    let is_engine = room.bot.protocol == Protocol::Htp;
    let test = if is_engine && !catalogue::test(test).for_engines { "games" } else { test };
    let exhibit = Exhibit {
        command: room.command(room.start(seat.index()), room.setup().start().as_ref()),
        transcript: transcript(room, game, seat),
        stderr: last_lines(&played.seats[seat.index()].stderr),
    };
    let mut finding = experiment.finding(room, test, happened, exhibit);
    finding.tried = format!("arbitro had it play a whole game against {opponent}");
    if let Some(loss) = played.verdict.loss(seat) {
        finding.fix = remedies::remedy_for(test, loss, room.setup().name(), room.language);
    }
    Some((test, finding))
}

/// A sentence that begins with "it", without that.
fn about_it(sentence: &str) -> String {
    sentence.strip_prefix("it ").unwrap_or(sentence).to_owned()
}

/// The moves of a game as they went over the wire.
fn transcript(room: &Room, game: &Finished, seat: Seat) -> Vec<Line> {
    let mut board = room.setup().start();
    let mut lines = Vec::new();
    lines.push(Line { ms: None, voice: Voice::Event, text: "a whole game:".to_owned() });
    let mut add = |voice, text: &str| lines.push(Line { ms: None, voice, text: shown(text.as_bytes()) });
    for ply in &game.played.plies {
        let mover = board.turn();
        match ply {
            Ply::Move { text, .. } if board.play(text).is_err() => break,
            Ply::Move { text, .. } if mover == seat => add(Voice::Bot, &format!("{text}\n")),
            Ply::Move { .. } => {}
            Ply::Leave => board.withdraw(),
        }
        let mut news = String::new();
        board.write_news(mover, seat, &mut news);
        news.split_inclusive('\n').for_each(|line| add(Voice::Arbitro, line));
    }
    shortened(lines)
}

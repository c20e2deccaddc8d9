//! How far a match or championship is, on stderr.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::contest::{left_files, where_to_look};
use super::options::RunOptions;
use super::output::{say, warn};
use crate::championship::contest::{Contest, News};
use crate::championship::formats::Fixture;
use crate::championship::in_progress::{self, InProgress};
use crate::championship::quiet::PATIENCE;
use crate::record::text::{counted, duration, printable};
use crate::record::{FixtureKey, GameRecord, Loss, Warning};
use crate::referee::INTERRUPTED;
use crate::score::Standing;
use crate::view::fit::{Size, cut};
use crate::view::live_table::{self, RunningGame};
use crate::view::{game_line, standings as view};

/// How often a line is printed where there is no terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);
/// How often the standings on the terminal are computed.
const STANDINGS_INTERVAL: Duration = Duration::from_secs(1);
/// How often what is on the terminal is made anew.
const LIVE_INTERVAL: Duration = Duration::from_millis(200);
/// How many of the first are named in a line.
const LEADERS_IN_LINE: usize = 3;

/// What is shown beside the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The first of the table and the games that run; where there is no terminal, a line now and then.
    Leaders,
    /// The last game; where there is no terminal, a line for each game.
    Games,
}

/// Progress on stderr: a bar on a terminal, lines otherwise.
pub struct Progress<'a> {
    bar: ProgressBar,
    in_progress: &'a InProgress,
    detail: Detail,
    lines: bool,
    quiet: bool,
    /// The reasons for broken games that have been told.
    told: Vec<String>,
    /// The bots of which it has been told what they did wrong.
    warned: Vec<Arc<str>>,
    /// The bots of which it has been told that they write files.
    wrote: Vec<String>,
    /// Whether what bots write is kept.
    keeps_scratch: bool,
    /// The last game that was counted, in a line.
    last_game: String,
    standings: Vec<Standing>,
    standings_due: Instant,
    live_due: Instant,
    line_due: Instant,
    /// How long the rest takes, as it was told last, and when that was.
    left: Option<(Instant, Duration)>,
}

impl<'a> Progress<'a> {
    /// The progress of a contest that is about to be played, or gone on with, and whose games can be watched.
    pub fn new(
        contest: &Contest,
        in_progress: &'a InProgress,
        detail: Detail,
        run: &RunOptions,
    ) -> Progress<'a> {
        let terminal = io::stderr().is_terminal();
        let target =
            if terminal && !run.quiet { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let (done, total) = (contest.games().len(), contest.scheduled());
        let bar = ProgressBar::with_draw_target(Some(total as u64), target);
        // All that is shown changes at once.
        let style = ProgressStyle::with_template("{msg}");
        bar.set_style(style.expect("the template is well formed"));
        if detail == Detail::Leaders && !run.quiet {
            let bots = counted(contest.settings().playing().count(), "bot");
            let (games, seed) = (counted(total, "game"), contest.settings().seed);
            say(&format!("{bots}, {games}, {done} of them played; seed {seed}"));
        }
        let now = Instant::now();
        Progress {
            bar,
            in_progress,
            detail,
            lines: !(terminal || run.quiet || run.json && detail == Detail::Games),
            quiet: run.quiet,
            told: Vec::new(),
            warned: Vec::new(),
            wrote: Vec::new(),
            keeps_scratch: run.keep_scratch,
            last_game: String::new(),
            standings: Vec::new(),
            standings_due: now,
            live_due: now,
            line_due: now + PLAIN_INTERVAL,
            left: None,
        }
    }

    /// Shows what has happened.
    pub fn show(&mut self, contest: &Contest, news: &News) {
        match news {
            News::Begun(_) | News::Tick => {}
            News::Aborted { fixture, why, so_far } => {
                self.tell_of_trouble(why);
                if let Some(loss) = so_far {
                    self.tell(|| say(&seen_so_far(&fixture.key, loss)));
                }
            }
            News::Warned(fixture, warning) => self.tell_of_warning(fixture, warning),
            News::Counted(record) => self.count(contest, record),
            News::Disturbed(record) => self.tell(|| warn(game_line(record))),
            News::Waiting(games) => {
                let (games, most) = (counted(*games, "game"), PATIENCE.as_secs());
                let line =
                    format!("waiting until the machine is quieter, at most {most} s, to play {games} again");
                self.tell(|| say(&line));
            }
        }
        let now = Instant::now();
        if !self.bar.is_hidden() && now >= self.live_due {
            self.live_due = now + LIVE_INTERVAL;
            self.show_live(contest, now);
        }
        if self.detail == Detail::Leaders && self.lines && now >= self.line_due {
            self.line_due = now + PLAIN_INTERVAL;
            self.print_line(contest);
        }
    }

    /// Says that a game is to be played again, once for each reason: there may be very many such games.
    fn tell_of_trouble(&mut self, why: &str) {
        if self.told.iter().any(|told| told == why) || why == INTERRUPTED {
            return;
        }
        self.told.push(why.to_owned());
        self.bar.suspend(|| warn(format!("a game was broken off and will be played again: {why}")));
    }

    /// Says what a program does wrong while its game still goes on, once for each program: people may have to wait for its end.
    fn tell_of_warning(&mut self, fixture: &Fixture, warning: &Warning) {
        let Some(bot) = fixture.key.bots.get(warning.seat.index()) else { return };
        if self.bar.is_hidden() || self.warned.contains(bot) {
            return;
        }
        self.warned.push(bot.clone());
        self.tell(|| say(&format!("{bot}, ply {}: {warning}", warning.ply)));
    }

    /// Says once for each bot that it writes files which nobody will see.
    fn tell_of_files(&mut self, record: &GameRecord) {
        for (bot, text) in left_files(record) {
            if !self.keeps_scratch && !self.wrote.iter().any(|told| told == bot) {
                self.wrote.push(bot.to_owned());
                self.tell(|| say(&text));
            }
        }
    }

    /// Says something above the bar, unless nobody wants to hear of progress.
    fn tell(&self, say: impl FnOnce()) {
        if !self.quiet {
            self.bar.suspend(say);
        }
    }

    fn count(&mut self, contest: &Contest, record: &GameRecord) {
        let is_shown = self.lines || record.verdict.has_forfeit() || !self.bar.is_hidden();
        if self.detail == Detail::Games && is_shown && !self.quiet {
            let line = game_line(record);
            let fault = record.verdict.losses.iter().find(|loss| loss.reason.is_forfeit());
            let look =
                fault.map(|loss| where_to_look(contest.folder(), record.number, record.bot(loss.seat)));
            // Above the bar stays what somebody has to mend.
            if self.lines || fault.is_some() {
                self.bar.suspend(|| {
                    say(&line);
                    look.iter().for_each(|look| say(look));
                });
            }
            self.tell_of_files(record);
            self.last_game = line;
        }
    }

    /// Shows the standings, or the last game, and the games that run, in the room that the terminal has.
    fn show_live(&mut self, contest: &Contest, now: Instant) {
        let (rows, columns) = console::Term::stderr().size();
        // One column is left free, since terminals differ in what they do after the last; so is a row for the cursor, and one is the
        // bar's own.
        let room = Size {
            columns: usize::from(columns).saturating_sub(1),
            rows: usize::from(rows).saturating_sub(2),
        };
        if self.detail == Detail::Leaders && now >= self.standings_due {
            self.standings_due = now + STANDINGS_INTERVAL;
            self.standings = contest.standings().rows;
        }
        if self.left.is_none_or(|(told, _)| now >= told + STANDINGS_INTERVAL) {
            self.left = contest.time_left(self.in_progress).map(|left| (now, left));
        }
        let (done, total) = (contest.games().len(), contest.scheduled());
        let summary = self.summary(contest, room.columns);
        let mut lines = vec![live_table::bar(&summary, done, total, room.columns)];
        if !self.last_game.is_empty() {
            lines.push(cut(&self.last_game, room.columns));
        }
        let games: Vec<RunningGame> = self.in_progress.games().iter().map(|game| running(game)).collect();
        lines.extend(live_table::lines(&self.standings, &games, room));
        lines.truncate(room.rows + 1);
        self.bar.set_message(lines.join("\n"));
    }

    /// How far it is, how fast, and how long it will take, as far as can be told, in so many columns.
    fn summary(&self, contest: &Contest, columns: usize) -> String {
        let (done, total) = (contest.games().len(), contest.scheduled());
        let left = self.left.map(|(_, left)| left);
        let whole = format!("{done}/{total} games{}", speed(contest, left, " a minute"));
        match console::measure_text_width(&whole) <= columns {
            true => whole,
            false => cut(&format!("{done}/{total}{}", speed(contest, left, "/min")), columns),
        }
    }

    fn print_line(&self, contest: &Contest) {
        let (done, total) = (contest.games().len(), contest.scheduled());
        let leaders = view::leaders(&contest.standings(), LEADERS_IN_LINE);
        let speed = speed(contest, contest.time_left(self.in_progress), " a minute");
        say(&format!("{done} of {total} games{speed}; first: {leaders}"));
    }

    /// Clears the bar away.
    pub fn done(&self) {
        self.bar.finish_and_clear();
    }
}

/// How many games a minute this run plays and how long the rest takes, as far as that is known: the end of a line.
fn speed(contest: &Contest, left: Option<Duration>, a_minute: &str) -> String {
    let rate = contest.a_minute().map_or(String::new(), |rate| {
        let digits = if rate < 10.0 { 1 } else { 0 };
        format!(", {rate:.digits$}{a_minute}")
    });
    rate + &left.map_or(String::new(), |left| format!(", {} left", duration(left)))
}

/// What there is to be seen of a game that runs.
fn running(game: &in_progress::RunningGame) -> RunningGame {
    let names = game.fixture.key.bots.iter().map(|bot| printable(bot.as_bytes(), LONGEST_NAME)).collect();
    game.look(|progress| {
        let mut used = progress.used.clone();
        // Of two, it is the turn of the one who did not move last; where more play, only the rules know.
        let last = progress.plies.last().map(|(seat, _)| seat.index());
        let to_move = last.filter(|_| used.len() == 2).map(|last| 1 - last.min(1));
        if let Some(used) = to_move.and_then(|seat| used.get_mut(seat)) {
            *used += progress.turn_began.elapsed();
        }
        RunningGame { names, used, to_move, plies: progress.plies.len() }
    })
}

/// More than any name has.
const LONGEST_NAME: usize = 200;

/// What was seen of a program that had to move when its game was broken off.
fn seen_so_far(key: &FixtureKey, loss: &Loss) -> String {
    let bot = key.bots.get(loss.seat.index()).map_or("a program", |bot| bot);
    let others = key.bots.iter().enumerate().filter(|(index, _)| *index != loss.seat.index());
    let opponent = others.map(|(_, bot)| &**bot).next().unwrap_or("its opponent");
    format!("in the game that was broken off, {bot} {}", loss.what(opponent))
}

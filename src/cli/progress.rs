//! How far a match or championship is, on stderr.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::contest::{left_files, where_to_look};
use super::options::RunOptions;
use super::output::{say, warn};
use crate::championship::contest::{Contest, News};
use crate::championship::formats::Fixture;
use crate::championship::quiet::PATIENCE;
use crate::record::text::counted;
use crate::record::{FixtureKey, GameRecord, Loss, Warning};
use crate::referee::INTERRUPTED;
use crate::view::{game_line, standings as view};

/// How often a line is printed where there is no terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);
/// How often the standings on the terminal are computed.
const STANDINGS_INTERVAL: Duration = Duration::from_secs(1);
/// How many of the first are shown on the terminal while games run.
const LEADERS: usize = 8;
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
pub struct Progress {
    bar: ProgressBar,
    detail: Detail,
    lines: bool,
    quiet: bool,
    running: BTreeMap<FixtureKey, String>,
    /// The reasons for broken games that have been told.
    told: Vec<String>,
    /// The bots of which it has been told what they did wrong.
    warned: Vec<Arc<str>>,
    /// The bots of which it has been told that they write files.
    wrote: Vec<String>,
    /// Whether what bots write is kept.
    keeps_scratch: bool,
    leaders: String,
    leaders_due: Instant,
    line_due: Instant,
    begun: Instant,
    at_first: usize,
}

impl Progress {
    /// The progress of a contest that is about to be played, or gone on with.
    pub fn new(contest: &Contest, detail: Detail, run: &RunOptions) -> Progress {
        let terminal = io::stderr().is_terminal();
        let target =
            if terminal && !run.quiet { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let (done, total) = (contest.games().len(), contest.scheduled());
        let bar = ProgressBar::with_draw_target(Some(total as u64), target).with_position(done as u64);
        let message = if detail == Detail::Games { "{wide_msg}" } else { "{msg}" };
        let template = format!("{{bar:30}} {{pos}}/{{len}} games{{prefix}}\n{message}");
        bar.set_style(ProgressStyle::with_template(&template).expect("the template is well formed"));
        if detail == Detail::Leaders && !run.quiet {
            let bots = counted(contest.settings().playing().count(), "bot");
            let (games, seed) = (counted(total, "game"), contest.settings().seed);
            say(&format!("{bots}, {games}, {done} of them played; seed {seed}"));
        }
        let now = Instant::now();
        Progress {
            bar,
            detail,
            lines: !(terminal || run.quiet || run.json && detail == Detail::Games),
            quiet: run.quiet,
            running: BTreeMap::new(),
            told: Vec::new(),
            warned: Vec::new(),
            wrote: Vec::new(),
            keeps_scratch: run.keep_scratch,
            leaders: String::new(),
            leaders_due: now,
            line_due: now + PLAIN_INTERVAL,
            begun: now,
            at_first: done,
        }
    }

    /// Shows what has happened.
    pub fn show(&mut self, contest: &Contest, news: &News) {
        match news {
            News::Begun(fixture) => {
                self.running.insert(fixture.key.clone(), fixture.key.bots.join(" – "));
            }
            News::Aborted { fixture, why, so_far } => {
                self.running.remove(&fixture.key);
                self.tell_of_trouble(why);
                if let Some(loss) = so_far {
                    self.tell(|| say(&seen_so_far(&fixture.key, loss)));
                }
            }
            News::Warned(fixture, warning) => self.tell_of_warning(fixture, warning),
            News::Counted(record) => self.count(contest, record),
            News::Disturbed(record) => {
                self.remove_running(record);
                self.tell(|| warn(game_line(record)));
            }
            News::Waiting(games) => {
                let (games, most) = (counted(*games, "game"), PATIENCE.as_secs());
                let line =
                    format!("waiting until the machine is quieter, at most {most} s, to play {games} again");
                self.tell(|| say(&line));
            }
            News::Tick => {}
        }
        if !self.bar.is_hidden() {
            self.bar.set_prefix(self.speed(contest));
        }
        if self.detail == Detail::Leaders {
            self.show_leaders(contest);
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

    /// Takes a game that has ended from those that run.
    fn remove_running(&mut self, record: &GameRecord) {
        let is = |key: &FixtureKey| {
            (key.round, Some(key.leg)) == (record.round, record.leg)
                && key.bots.iter().map(|bot| &**bot).eq(record.seats.iter().map(|seat| seat.bot.as_str()))
        };
        self.running.retain(|key, _| !is(key));
    }

    fn count(&mut self, contest: &Contest, record: &GameRecord) {
        self.remove_running(record);
        self.bar.set_position(contest.games().len() as u64);
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
            self.bar.set_message(line);
        }
    }

    fn show_leaders(&mut self, contest: &Contest) {
        let now = Instant::now();
        if !self.bar.is_hidden() {
            if now >= self.leaders_due {
                self.leaders = view::leaders(&contest.standings(), LEADERS);
                self.leaders_due = now + STANDINGS_INTERVAL;
            }
            let running: Vec<&str> = self.running.values().map(String::as_str).collect();
            self.bar.set_message(format!("{}\n{}", self.leaders, running.join("\n")));
        }
        if self.lines && now >= self.line_due {
            self.line_due = now + PLAIN_INTERVAL;
            self.print_line(contest);
        }
    }

    fn print_line(&self, contest: &Contest) {
        let (done, total) = (contest.games().len(), contest.scheduled());
        let leaders = view::leaders(&contest.standings(), LEADERS_IN_LINE);
        say(&format!("{done} of {total} games{}; first: {leaders}", self.speed(contest)));
    }

    /// How fast this run is and how long it will take, as far as can be told; games of earlier runs say nothing of it.
    fn speed(&self, contest: &Contest) -> String {
        let (done, total) = (contest.games().len(), contest.scheduled());
        let rate = done.saturating_sub(self.at_first) as f64 / self.begun.elapsed().as_secs_f64();
        if rate == 0.0 {
            return String::new();
        }
        let left = Duration::from_secs_f64(total.saturating_sub(done) as f64 / rate);
        format!(", {rate:.1} games/s, {} left", HumanDuration(left))
    }

    /// Clears the bar away.
    pub fn done(&self) {
        self.bar.finish_and_clear();
    }
}

/// What was seen of a program that had to move when its game was broken off.
fn seen_so_far(key: &FixtureKey, loss: &Loss) -> String {
    let bot = key.bots.get(loss.seat.index()).map_or("a program", |bot| bot);
    let others = key.bots.iter().enumerate().filter(|(index, _)| *index != loss.seat.index());
    let opponent = others.map(|(_, bot)| &**bot).next().unwrap_or("its opponent");
    format!("in the game that was broken off, {bot} {}", loss.what(opponent))
}

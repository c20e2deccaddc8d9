//! A championship on a screen while it is played: `/` is the page, `/events` tells what happens.
//!
//! Games know nothing of viewers. The server's thread comes and looks at them some times a second, plays on boards of its own what was
//! played, and tells everybody what has changed. Results and tables come from the thread that keeps the journal.

mod data;
mod screen;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::routing::get;
use tokio::time::MissedTickBehavior;

use self::data::{GameResult, Pace, Sources, Tables};
use self::screen::{Screen, Told};
use super::events::Channel;
use super::guard::guarded;
use super::listen::Listen;
use super::page;
use super::server::Server;
use crate::championship::contest::{Contest, News, Report};
use crate::championship::cores::pin_to;
use crate::championship::in_progress::InProgress;
use crate::record::{FixtureKey, GameRecord, Summary};

/// Where the report is, once it is written.
const REPORT: &str = "/report.html";
/// How often the server looks at the games.
const LOOK: Duration = Duration::from_millis(70);
/// How old tables may be, at the least.
const TABLES_INTERVAL: Duration = Duration::from_secs(1);

/// A live page that is served.
pub struct Live {
    /// Where people find it.
    pub link: String,
    inbox: Arc<Inbox>,
    channel: Arc<Channel<Screen>>,
    server: Server,
    report: Arc<OnceLock<Bytes>>,
    in_progress: Arc<InProgress>,
    a_minute: Option<f64>,
    /// Whether the tables have changed since they were told, and when they may be told again.
    is_stale: bool,
    tables_due: Instant,
}

/// What the thread that keeps the journal has to tell, until the server comes for it.
#[derive(Default)]
struct Inbox {
    told: Mutex<Vec<Told>>,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, Vec<Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    /// Serves the page of a contest from now on.
    ///
    /// # Errors
    /// If nothing can be served there.
    pub fn start(
        listen: &Listen,
        title: &str,
        contest: &Contest,
        in_progress: Arc<InProgress>,
    ) -> io::Result<Live> {
        let (listener, hosts) = listen.bind()?;
        let link = hosts.link(listener.local_addr()?);
        let screen = Screen::new(title, contest, tables(contest, Pace::default()));
        let page = page::live(title);
        let (channel, inbox) = (Arc::new(Channel::new(screen)), Arc::new(Inbox::default()));
        let report: Arc<OnceLock<Bytes>> = Arc::default();
        let (viewed, published) = (channel.clone(), report.clone());
        let routes = Router::new()
            .route("/", get(async move || page.clone()))
            .route("/events", get(async move || viewed.clone().stream()))
            .route(REPORT, get(async move || page::report(published.get())));
        let work = look(channel.clone(), inbox.clone(), in_progress.clone());
        let server = Server::start(listener, guarded(routes, hosts), work)?;
        let tables_due = Instant::now() + TABLES_INTERVAL;
        // How long the rest takes may be known before a game has ended.
        let (a_minute, is_stale) = (None, true);
        Ok(Live { link, inbox, channel, server, report, in_progress, a_minute, is_stale, tables_due })
    }

    /// Tells viewers what has happened.
    pub fn tell(&mut self, contest: &Contest, news: &News) {
        match news {
            News::Counted(record) | News::Disturbed(record) => {
                self.put(Told::Ended(key(record), Some(GameResult::new(&Summary::from(*record)))));
                self.is_stale = true;
                self.a_minute = contest.a_minute();
            }
            News::Aborted { fixture, .. } => self.put(Told::Ended(fixture.key.clone(), None)),
            _ => {}
        }
        let now = Instant::now();
        if self.is_stale && now >= self.tables_due {
            let left = contest.time_left(&self.in_progress);
            self.put(Told::Tables(tables(contest, Pace { a_minute: self.a_minute, left })));
            self.is_stale = false;
            // Tables of a long championship take longer; they never take more than a twentieth of the time.
            self.tables_due = Instant::now() + TABLES_INTERVAL.max(20 * now.elapsed());
        }
    }

    /// No more games are played: tells viewers the last tables. If `page` is given, the file of the report is served, too.
    pub fn finish(&mut self, report: &Report, page: Option<PathBuf>) {
        let Report { settings, games, standings, scheduled, .. } = report;
        let pace = Pace { a_minute: self.a_minute, left: None };
        let tables = Tables::new(&Sources { settings, games, standings, scheduled: *scheduled }, pace);
        // All who ask share one copy.
        let page = page.and_then(|page| std::fs::read(page).ok());
        let served = page.is_some().then_some(REPORT);
        // It is told once.
        let _ = page.map(|page| self.report.set(page.into()));
        self.channel.update(|screen, events| {
            screen.hear(std::mem::take(&mut *self.inbox.lock()), events);
            screen.finish(tables, served, events);
        });
    }

    /// Ends it. Viewers have a moment to get what was told last.
    pub fn stop(self) {
        self.channel.close();
        self.server.stop();
    }

    fn put(&self, told: Told) {
        self.inbox.lock().push(told);
    }
}

/// The tables after the games so far.
fn tables(contest: &Contest, pace: Pace) -> Tables {
    let (settings, games, standings) = (contest.settings(), contest.games(), contest.standings());
    Tables::new(&Sources { settings, games, standings: &standings, scheduled: contest.scheduled() }, pace)
}

/// What tells the fixture of a game apart.
fn key(record: &GameRecord) -> FixtureKey {
    let bots = record.seats.iter().map(|seat| seat.bot.as_str().into()).collect();
    FixtureKey { round: record.round, leg: record.leg.unwrap_or_default(), bots }
}

/// Looks at the games from time to time, for ever.
async fn look(channel: Arc<Channel<Screen>>, inbox: Arc<Inbox>, in_progress: Arc<InProgress>) {
    let mut ticks = tokio::time::interval(LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut cores = Vec::new();
    loop {
        ticks.tick().await;
        let spare = in_progress.spare_cores();
        if spare != cores {
            pin_to(&spare);
            cores = spare;
        }
        channel.update(|screen, events| {
            // A game whose result is here does not run any more.
            screen.hear(std::mem::take(&mut *inbox.lock()), events);
            screen.look(&in_progress.games(), events);
        });
    }
}

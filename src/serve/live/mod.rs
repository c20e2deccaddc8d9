//! A championship on a screen while it is played: `/` is the page, `/events` tells what happens.
//!
//! Games know nothing of viewers. The server's thread comes and looks at them some times a second, plays on boards of its own what was
//! played, and tells everybody what has changed. Results and tables come from the thread that keeps the journal.

mod data;
mod screen;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use tokio::time::MissedTickBehavior;

use self::data::{GameResult, Tables};
use self::screen::{Screen, Told};
use super::events::Channel;
use super::guard::guarded;
use super::listen::Listen;
use super::page;
use super::server::Server;
use crate::championship::contest::{Contest, News};
use crate::championship::cores::pin_to;
use crate::championship::in_progress::InProgress;
use crate::record::{FixtureKey, GameRecord};

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
    begun: Instant,
    /// How many games there were when it began.
    at_first: usize,
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
    pub fn start(listen: &Listen, contest: &Contest, in_progress: Arc<InProgress>) -> io::Result<Live> {
        let (listener, hosts) = listen.bind()?;
        let link = hosts.link(listener.local_addr()?);
        let (begun, at_first) = (Instant::now(), contest.games().len());
        let screen = Screen::new(contest, Tables::new(contest, begun, at_first));
        let page = page::live(screen.title());
        let (channel, inbox) = (Arc::new(Channel::new(screen)), Arc::new(Inbox::default()));
        let viewed = channel.clone();
        let routes = Router::new()
            .route("/", get(async move || page.clone()))
            .route("/events", get(async move || viewed.clone().stream()));
        let work = look(channel.clone(), inbox.clone(), in_progress);
        let server = Server::start(listener, guarded(routes, hosts), work)?;
        Ok(Live {
            link,
            inbox,
            channel,
            server,
            begun,
            at_first,
            is_stale: false,
            tables_due: begun + TABLES_INTERVAL,
        })
    }

    /// Tells viewers what has happened.
    pub fn tell(&mut self, contest: &Contest, news: &News) {
        match news {
            News::Counted(record) | News::Disturbed(record) => {
                self.put(Told::Ended(key(record), Some(GameResult::new(record))));
                self.is_stale = true;
            }
            News::Aborted { fixture, .. } => self.put(Told::Ended(fixture.key.clone(), None)),
            _ => {}
        }
        let now = Instant::now();
        if self.is_stale && now >= self.tables_due {
            self.put(Told::Tables(Tables::new(contest, self.begun, self.at_first)));
            self.is_stale = false;
            // Tables of a long championship take longer; they never take more than a twentieth of the time.
            self.tables_due = Instant::now() + TABLES_INTERVAL.max(20 * now.elapsed());
        }
    }

    /// No more games are played: tells viewers the last tables. It is served on until [`Live::stop`].
    pub fn finish(&mut self, contest: &Contest) {
        let tables = Tables::new(contest, self.begun, self.at_first);
        self.channel.update(|screen, events| {
            screen.hear(std::mem::take(&mut *self.inbox.lock()), events);
            screen.finish(tables, events);
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

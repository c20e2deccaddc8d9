//! `--live`: the page on which a match or championship is watched.

use std::io::{self, IsTerminal};

use anyhow::{Result, anyhow};

use super::contest::Stage;
use super::exit::usage;
use super::options::RunOptions;
use super::output::say;
use crate::championship::contest::{Contest, News};
use crate::serve::live::Live;

/// The page, if somebody has asked for it.
pub struct LivePage(Option<Live>);

impl LivePage {
    /// Serves it from now on, and says where.
    pub fn open(run: &RunOptions, contest: &Contest, stage: &Stage) -> Result<LivePage> {
        let Some(listen) = &run.live else { return Ok(LivePage(None)) };
        let live = Live::start(listen, contest, stage.in_progress().clone()).map_err(|error| {
            let advice = match error.kind() {
                io::ErrorKind::AddrInUse => "; another program listens there: give another port, as in --live=8760",
                io::ErrorKind::PermissionDenied => "; ports below 1024 are for the system: give another, as in --live=8760",
                io::ErrorKind::AddrNotAvailable => "; it is no address of this machine; --live=0.0.0.0 means all that it has",
                _ => "",
            };
            usage(anyhow!("the live page cannot be served at the address of --live: {error}{advice}"))
        })?;
        say(&format!("live page: {}", live.link));
        Ok(LivePage(Some(live)))
    }

    /// Tells viewers what has happened.
    pub fn tell(&mut self, contest: &Contest, news: &News) {
        self.0.iter_mut().for_each(|live| live.tell(contest, news));
    }

    /// Tells viewers that no more games are played.
    pub fn finish(&mut self, contest: &Contest) {
        self.0.iter_mut().for_each(|live| live.finish(contest));
    }

    /// Serves it for as long as somebody at the terminal wants, and ends it.
    pub fn close(self, stage: &Stage) {
        let Some(live) = self.0 else { return };
        if io::stdin().is_terminal() && io::stderr().is_terminal() && !stage.is_interrupted() {
            say(&format!("live page: {} stays until you press Enter", live.link));
            stage.wait_for_enter();
        }
        live.stop();
    }
}

//! `--live`: the page on which a match or championship is watched.

use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Result, anyhow};

use super::contest::Stage;
use super::exit::usage;
use super::options::RunOptions;
use super::output::say;
use super::page_facts::title;
use super::report_page;
use crate::championship::contest::{Contest, News, Report};
use crate::serve::live::Live;

/// The page, if somebody has asked for it.
pub struct LivePage(Option<Live>);

impl LivePage {
    /// Whether it can be served there, if somebody has asked for it: before anything is written that games would be missing in.
    pub fn try_address(run: &RunOptions) -> Result<()> {
        run.live.as_ref().map_or(Ok(()), |listen| listen.bind().map(drop).map_err(cannot_serve))
    }

    /// Serves it from now on, and says where.
    pub fn open(run: &RunOptions, contest: &Contest, stage: &Stage) -> Result<LivePage> {
        let Some(listen) = &run.live else { return Ok(LivePage(None)) };
        let names: Vec<String> = contest.settings().playing().map(|bot| bot.name.clone()).collect();
        let title = title(contest.settings(), &names);
        let live = Live::start(listen, &title, contest, stage.in_progress().clone()).map_err(cannot_serve)?;
        say(&format!("live page: {}", live.link));
        Ok(LivePage(Some(live)))
    }

    /// Tells viewers what has happened.
    pub fn tell(&mut self, contest: &Contest, news: &News) {
        self.0.iter_mut().for_each(|live| live.tell(contest, news));
    }

    /// Tells viewers that no more games are played, and serves what is in this folder for as long as somebody at the terminal wants.
    pub fn finish(self, report: &Report, folder: &Path, stage: &Stage) {
        let Some(mut live) = self.0 else { return };
        let stays = io::stdin().is_terminal() && io::stderr().is_terminal() && !stage.is_interrupted();
        live.finish(report, stays.then(|| folder.join(report_page::FILE_NAME)));
        if stays {
            say(&format!("live page: {} stays until you press Enter", live.link));
            stage.wait_for_enter();
        }
        live.stop();
    }
}

fn cannot_serve(error: io::Error) -> anyhow::Error {
    let advice = match error.kind() {
        io::ErrorKind::AddrInUse => "; another program listens there: give another port, as in --live=8760",
        io::ErrorKind::PermissionDenied => {
            "; ports below 1024 are for the system: give another, as in --live=8760"
        }
        io::ErrorKind::AddrNotAvailable => {
            "; it is no address of this machine; --live=0.0.0.0 means all that it has"
        }
        _ => "",
    };
    usage(anyhow!("the live page cannot be served at the address of --live: {error}{advice}"))
}

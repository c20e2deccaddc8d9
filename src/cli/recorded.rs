//! Games that were recorded, wherever they are: a journal, its folder, or an SGF file.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};

use super::exit::usage;
use super::output::warn;
use crate::record::journal;
use crate::record::text::counted;
use crate::record::{GameRecord, sgf};

/// Recorded games, and where they are from.
pub struct Games {
    path: PathBuf,
    /// The games, with all their words made harmless for a terminal.
    pub records: Vec<GameRecord>,
}

impl Games {
    /// Reads a journal, the journal of a folder, or an SGF file.
    pub fn read(path: PathBuf) -> Result<Games> {
        let path = if path.is_dir() { path.join(journal::FILE_NAME) } else { path };
        let cannot = || format!("cannot read '{}'", path.display());
        let mut damages = Vec::new();
        let records = if sgf::is_named_so(&path) {
            let text = std::fs::read(&path).with_context(cannot).map_err(usage)?;
            sgf::read(&String::from_utf8_lossy(&text)).with_context(cannot).map_err(usage)?
        } else {
            journal::read(&path, |damage| damages.push(damage)).with_context(cannot).map_err(usage)?
        };
        if records.is_empty() {
            // Every line of some other file is damaged as a journal's. One of them says it for all.
            damages.into_iter().take(1).for_each(warn);
            bail!("'{}' holds no game that can be replayed", path.display());
        }
        damages.into_iter().for_each(warn);
        Ok(Games { records: records.into_iter().map(GameRecord::printable).collect(), path })
    }

    /// The game with this number, or without one the only game, if there is just one.
    pub fn game(&self, number: Option<u32>) -> Result<Option<&GameRecord>> {
        let Some(number) = number else {
            return Ok(if let [only] = &self.records[..] { Some(only) } else { None });
        };
        let found = self.records.iter().find(|record| record.number == number);
        found.map(Some).ok_or_else(|| {
            let (path, most) = (self.path.display(), self.records.iter().map(|record| record.number).max());
            let (games, most) = (counted(self.records.len(), "game"), most.unwrap_or_default());
            anyhow!(
                "there is no game {number} in '{path}', which has {games}, the last of them number {most}"
            )
        })
    }
}

//! What has changed since a contest was begun: that it is accepted, or how to go on.

use std::path::Path;

use anyhow::{Error, Result, anyhow};

use super::exit::usage;
use super::output::{quoted, warn};
use crate::championship::amendments::{Amendments, PLAY_AGAIN};
use crate::championship::changes::{ChangedBot, Changes};
use crate::championship::contest;
use crate::championship::copies::{Copies, USUAL_LIMIT};
use crate::championship::entrant::Entrant;
use crate::championship::formats::Format;
use crate::championship::settings::Settings;
use crate::record::text::visible;

/// More files than these are not named in a command that removes them.
const MOST_REMOVED: usize = 10;

/// Warns of all that has changed since a contest was begun, if it is accepted.
///
/// # Errors
/// If it is not: that says what has changed, and with which commands to go on.
pub fn accept(
    folder: &Path,
    stored: &Settings,
    settings: &Settings,
    amendments: &Amendments,
    entrants: &[Entrant],
) -> Result<()> {
    let mut changes = Changes::between(stored, settings, amendments);
    if changes.is_empty() {
        return Ok(());
    }
    // What cannot be read is left unsaid here: it is told as soon as the contest is opened.
    let games = contest::games_that_count(folder, stored).unwrap_or_default();
    changes.look_closer(&Copies::of(folder, USUAL_LIMIT), &games);
    let refusal = Refusal { folder, settings, changes: &changes, amendments, entrants };
    let is_accepted = amendments.accept_changes || !changes.has_others();
    if !changes.board.is_empty() {
        return Err(refusal.of_another_board());
    }
    if !is_accepted || changes.undecided(amendments).next().is_some() {
        return Err(refusal.with_ways_on());
    }
    for line in changes.lines() {
        warn(format!("changed since the first games: {line}"));
    }
    Ok(())
}

/// All that is needed to say how to go on.
struct Refusal<'a> {
    folder: &'a Path,
    settings: &'a Settings,
    changes: &'a Changes,
    amendments: &'a Amendments,
    entrants: &'a [Entrant],
}

impl Refusal<'_> {
    fn what(&self) -> String {
        format!(
            "'{}' was begun with other settings:\n  {}",
            self.folder.display(),
            self.changes.lines().join("\n  ")
        )
    }

    fn of_another_board(&self) -> Error {
        usage(anyhow!(
            "{}\ngames on different boards make no table together: go on with the old board, or begin anew in another folder (--out)",
            self.what()
        ))
    }

    fn with_ways_on(&self) -> Error {
        let undecided: Vec<&ChangedBot> = self.changes.undecided(self.amendments).collect();
        let accept = self.command(&["--accept-changes".to_owned()]);
        if undecided.is_empty() {
            return usage(anyhow!(
                "{}\ngo on with the old settings, begin anew in another folder (--out), or accept the changes{}:\n    {accept}",
                self.what(),
                self.marks()
            ));
        }
        let names = and(undecided.iter().map(|bot| bot.name.as_str()));
        let mut ways = Vec::new();
        if self.settings.format == Format::Duel {
            ways.push("begin anew, in another folder with --out".to_owned());
        } else if undecided.iter().any(|bot| bot.games > 0 || bot.has_earlier_games) {
            let again = undecided.iter().flat_map(|bot| [PLAY_AGAIN.to_owned(), bot.name.clone()]);
            let others = self.changes.has_others().then(|| "--accept-changes".to_owned());
            let command = self.command(&again.chain(others).collect::<Vec<_>>());
            ways.push(format!(
                "play the games of {names} again; the old ones stay in the journal, and do not count:\n    {command}"
            ));
        }
        ways.push(format!("let the old games count on{}:\n    {accept}", self.marks()));
        ways.extend(self.restoring(&undecided, &names));
        usage(anyhow!("{}\nthere are these ways to go on:\n- {}", self.what(), ways.join("\n- ")))
    }

    /// How tables show what is accepted.
    fn marks(&self) -> &'static str {
        match self.changes.bots.is_empty() {
            true => "; where clocks differ, the tables say how many games were played with which",
            false => "; the tables say how many are of which version",
        }
    }

    /// The command as it was typed, with more options.
    fn command(&self, more: &[String]) -> String {
        let typed = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        let mut words = vec!["arbitro".to_owned()];
        words.extend(typed);
        words.extend_from_slice(more);
        visible(shell_words::join(words).as_bytes())
    }

    /// How the old files come back, where they are kept.
    fn restoring(&self, bots: &[&ChangedBot], names: &str) -> Option<String> {
        let commands: Option<Vec<String>> = bots.iter().map(|bot| self.restoring_one(bot)).collect();
        let mut commands = commands?;
        let next = match (self.changes.has_others(), self.settings.format) {
            // Only the same command goes on with a duel, without what is new in it.
            (true, Format::Duel) => ", and go on with the old settings",
            (true, _) => {
                commands.push(format!("arbitro championship --resume {}", quoted(self.folder)));
                ", and go on with the old settings"
            }
            (false, _) => {
                commands.push(self.command(&[]));
                ""
            }
        };
        Some(format!(
            "put back the old files of {names}, which are kept{next}:\n    {}",
            commands.join(" && ")
        ))
    }

    fn restoring_one(&self, bot: &ChangedBot) -> Option<String> {
        if bot.has_earlier_games {
            // The old files are those that failed.
            return None;
        }
        let base = self.entrants.iter().find(|entrant| entrant.name == bot.name)?.line.base.as_deref()?;
        let copy = Copies::of(self.folder, USUAL_LIMIT).place(bot.old?);
        let added = &bot.files.as_ref()?.added;
        let mut command = format!("cp -a {} {}", quoted(&copy.join(".")), quoted(base));
        if !added.is_empty() && added.len() <= MOST_REMOVED {
            let added: Vec<String> = added.iter().map(|place| quoted(&base.join(place))).collect();
            command += &format!(" && rm {}", added.join(" "));
        }
        Some(command)
    }
}

/// Names in a sentence.
fn and<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

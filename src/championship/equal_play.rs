//! Which bots of a championship play alike.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;

use super::settings::{BotSettings, Settings};
use crate::record::journal::{self, Entry};
use crate::record::{GameRecord, Summary};
use crate::score::equal_play::{Course, EqualPlay, Kinship, candidates, compare};

/// The pairs that play alike, the most equal games first: by the games that count, which are in the journal of this folder. Bots of the
/// same files are among them however few their games are.
pub fn find(folder: &Path, settings: &Settings, games: &[Summary]) -> io::Result<Vec<EqualPlay>> {
    let twins = twins(settings);
    let mut pairs = candidates(games);
    pairs.extend(twins.iter().map(|&(one, other)| (one.to_owned(), other.to_owned())));
    pairs.sort();
    pairs.dedup();
    if pairs.is_empty() {
        return Ok(Vec::new());
    }
    let courses = courses(folder, games, &pairs)?;
    let mut found = compare(&pairs, &courses);
    for one in &mut found {
        one.kinship = kinship(settings, &one.one, &one.other);
    }
    found.retain(|one| one.is_listed() || twins.contains(&(one.one.as_str(), one.other.as_str())));
    found.sort_by(|one, other| {
        let names = |pair: &EqualPlay| (pair.one.clone(), pair.other.clone());
        other.equal.cmp(&one.equal).then_with(|| names(one).cmp(&names(other)))
    });
    Ok(found)
}

/// The bots that were handed in and are the same program: pairs of names, in order.
fn twins(settings: &Settings) -> Vec<(&str, &str)> {
    let mut same: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for bot in settings.contenders().filter(|bot| !is_built_in(bot) && !bot.plays.is_empty()) {
        let Some(identity) = bot.identity else { continue };
        same.entry((identity.to_string(), &bot.plays)).or_default().push(&bot.name);
    }
    let mut pairs = Vec::new();
    for bots in same.values_mut() {
        bots.sort_unstable();
        for (index, &one) in bots.iter().enumerate() {
            pairs.extend(bots[index + 1..].iter().map(|&other| (one, other)));
        }
    }
    pairs
}

fn is_built_in(bot: &BotSettings) -> bool {
    bot.command.starts_with('@')
}

/// What is known of two bots besides their games.
fn kinship(settings: &Settings, one: &str, other: &str) -> Option<Kinship> {
    let (one, other) = (settings.bot(one)?, settings.bot(other)?);
    match (is_built_in(one), is_built_in(other)) {
        (true, true) => Some(Kinship::BothBuiltIn),
        (true, false) => Some(Kinship::BuiltIn(one.name.clone())),
        (false, true) => Some(Kinship::BuiltIn(other.name.clone())),
        (false, false) => {
            (one.identity.is_some() && one.identity == other.identity).then_some(Kinship::SameFiles)
        }
    }
}

/// The courses of the games of these bots, in the order of the journal.
fn courses(folder: &Path, games: &[Summary], pairs: &[(String, String)]) -> io::Result<Vec<Course>> {
    let bots: HashSet<&str> = pairs.iter().flat_map(|(one, other)| [one.as_str(), other.as_str()]).collect();
    let is_one = |game: &&Summary| game.seats.iter().any(|seat| bots.contains(seat.bot.as_str()));
    let wanted: HashSet<u32> = games.iter().filter(is_one).map(|game| game.number).collect();
    let mut courses = Vec::with_capacity(wanted.len());
    for entry in journal::entries::<GameRecord>(&folder.join(journal::FILE_NAME))? {
        let Entry { content, .. } = entry?;
        // Lines that cannot be understood have been told of.
        let record = content.ok().filter(|record| wanted.contains(&record.number));
        courses.extend(record.as_ref().and_then(Course::of));
    }
    Ok(courses)
}

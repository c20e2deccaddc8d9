//! What games of one table do not have in common, as text: versions of bots, and clocks.

use crate::record::text::counted;
use crate::record::{Clock, Identity};
use crate::score::{Kinds, Standing, Standings};

/// A line for each bot whose games are of more than one version, and one if clocks differ; or nothing.
pub fn text(standings: &Standings) -> String {
    let versions = standings.rows.iter().filter_map(|row| Some(format!("{}: {}\n", row.bot, versions(row)?)));
    let mut text: String = versions.collect();
    text.extend(clocks(&standings.clocks).map(|clocks| clocks + "\n"));
    text
}

/// How many games of a bot each version of it has played, if there is more than one.
pub fn versions(standing: &Standing) -> Option<String> {
    let versions = &standing.versions;
    let one = |(version, games): (&Identity, u32)| {
        format!("{} by version {}", counted(games as usize, "game"), version.short())
    };
    list(versions.iter().map(one).collect()).filter(|_| !versions.is_uniform())
}

/// How many games were played with each clock, if there is more than one.
pub fn clocks(clocks: &Kinds<Clock>) -> Option<String> {
    let one = |(clock, games): (&Clock, u32)| format!("{} with {clock}", counted(games as usize, "game"));
    let told = list(clocks.iter().map(one).collect()).filter(|_| !clocks.is_uniform());
    told.map(|told| format!("different clocks: {told}"))
}

fn list(parts: Vec<String>) -> Option<String> {
    let (last, others) = parts.split_last()?;
    Some(if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) })
}

//! Who takes part: which bots have to be tested first, and what changes for a championship that is gone on with.

use std::collections::BTreeMap;

use super::entrant::Entrant;
use super::formats::Format;
use super::settings::{BotSettings, Settings};

/// The bots that have to be tested: new ones, changed ones, and with `keep_failing` those that failed before.
pub fn untested(
    entrants: &[Entrant],
    settings: &Settings,
    stored: Option<&Settings>,
    keep_failing: bool,
) -> Vec<Entrant> {
    let before = |name: &str| stored.and_then(|stored| stored.bot(name));
    let is_untested = |entrant: &&Entrant| match (before(&entrant.name), settings.bot(&entrant.name)) {
        (Some(before), Some(now)) => now.is_other(before) || (before.left_out.is_some() && keep_failing),
        _ => true,
    };
    entrants.iter().filter(is_untested).cloned().collect()
}

/// Takes down the results of the test: who is left out, and why. `tested` are the bots that were tested.
pub fn leave_out(
    settings: &mut Settings,
    stored: Option<&Settings>,
    tested: &[Entrant],
    failures: &BTreeMap<String, String>,
) {
    for bot in settings.bots.iter_mut().filter(|bot| bot.has_program()) {
        bot.left_out = match tested.iter().any(|entrant| entrant.name == bot.name) {
            true => failures.get(&bot.name).cloned(),
            false => stored.and_then(|stored| stored.bot(&bot.name)?.left_out.clone()),
        };
    }
}

/// Carries over what a championship that is gone on with knows of its bots: in which round they came and left, and whose
/// games count. `rounds` says in which round a bot that comes now joins, and in which one that goes now leaves. Returns what
/// there is to say about it.
pub fn carry_over(
    settings: &mut Settings,
    stored: &Settings,
    rounds: impl FnOnce() -> (u32, u32),
) -> Vec<String> {
    let was_there = |name: &str| stored.bot(name).is_some_and(BotSettings::is_playing);
    let same =
        settings.bots.len() == stored.bots.len() && settings.bots.iter().all(|bot| was_there(&bot.name));
    let (joins, leaves) = if same { (1, 0) } else { rounds() };
    let mut remarks = Vec::new();
    for bot in &mut settings.bots {
        match stored.bot(&bot.name) {
            Some(old) => {
                bot.accepted.clone_from(&old.accepted);
                if bot.has_changed_since(old) && !old.has_never_played() {
                    // It may be what it was before.
                    bot.accepted.extend(old.identity.filter(|identity| !old.accepted.contains(identity)));
                }
                bot.generation = old.generation;
                bot.from_round = if old.is_playing() { old.from_round } else { joins };
            }
            None => bot.from_round = joins,
        }
        // In a duel a new bot takes the place of another, whatever was played.
        let takes_part = bot.left_out.is_none() && settings.format != Format::Duel;
        if takes_part && bot.from_round > settings.rounds {
            let name = &bot.name;
            remarks.push(format!("bot {name} comes too late: the last round has begun; give more --rounds"));
        }
    }
    for old in &stored.bots {
        if settings.bot(&old.name).is_none() {
            let mut gone = old.clone();
            gone.left_in_round.get_or_insert(leaves);
            settings.bots.push(gone);
        }
    }
    // Everybody keeps its place in the list: the first bot of a gauntlet stays the first when it leaves, and the bots of a
    // duel may be named in any order. Only in a duel does a new bot take the place of one that left.
    let place = |name: &str| stored.bots.iter().position(|old| old.name == name).unwrap_or(usize::MAX);
    let format = settings.format;
    settings.bots.sort_by_key(|bot| {
        let is_replaced = format == Format::Duel && bot.left_in_round.is_some();
        (is_replaced, place(&bot.name))
    });
    remarks
}

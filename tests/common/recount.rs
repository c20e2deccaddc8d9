//! An independent count of points: from the lines of a journal of any version, in the plainest way.

use serde_json::Value;

/// The bots of a game by seat.
pub fn bots(game: &Value) -> Vec<String> {
    let seats = game["seats"].as_array().unwrap();
    seats.iter().map(|seat| seat["bot"].as_str().unwrap().to_owned()).collect()
}

/// The round of a game.
pub fn round(game: &Value) -> u64 {
    game["round"].as_u64().unwrap()
}

/// The number of a game, which version 1 calls its id.
pub fn number(game: &Value) -> u64 {
    game["number"].as_u64().or(game["id"].as_u64()).unwrap()
}

/// What may be there once only: the round and the bots by seat.
pub fn place_in_schedule(game: &Value) -> (u64, Vec<String>) {
    (round(game), bots(game))
}

/// The place of each seat, from 1. In games of two, version 1 says only who won.
pub fn places(game: &Value) -> Vec<u64> {
    let verdict = &game["verdict"];
    if let Some(places) = verdict["places"].as_array() {
        return places.iter().map(|place| place.as_u64().unwrap()).collect();
    }
    let winner = verdict["winner"].as_u64();
    (0..2).map(|seat| if winner.is_none_or(|winner| winner == seat) { 1 } else { 2 }).collect()
}

/// Whether a seat lost other than on the board.
fn is_to_blame(game: &Value, seat: usize) -> bool {
    let verdict = &game["verdict"];
    let neither_started = verdict["reason"] == "failed-to-start" && verdict["winner"].is_null();
    let named = |list: &Value| {
        list.as_array().is_some_and(|list| list.iter().any(|loss| loss["seat"].as_u64() == Some(seat as u64)))
    };
    neither_started || named(&verdict["losses"]) || named(&verdict["faults"])
}

/// The half points of one seat against another: 2 for coming in before it, 1 for sharing its place, unless by a fault.
pub fn half_points_against(game: &Value, seat: usize, other: usize) -> u64 {
    let places = places(game);
    match places[seat].cmp(&places[other]) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal if !is_to_blame(game, seat) => 1,
        _ => 0,
    }
}

/// The half points of a seat in a game.
pub fn half_points(game: &Value, seat: usize) -> u64 {
    let others = (0..bots(game).len()).filter(|&other| other != seat);
    others.map(|other| half_points_against(game, seat, other)).sum()
}

/// How often the games of a fixture had been declared to be played again.
pub fn generation(game: &Value) -> u64 {
    game["generation"].as_u64().unwrap_or(1)
}

/// Of each fixture the game of the latest generation, in the order of the journal.
pub fn latest(games: &[Value]) -> Vec<&Value> {
    let is_later = |game: &Value, other: &Value| {
        let fixture = |game: &Value| (place_in_schedule(game), game["leg"].clone());
        fixture(game) == fixture(other) && generation(other) > generation(game)
    };
    games.iter().filter(|game| !games.iter().any(|other| is_later(game, other))).collect()
}

/// The versions of a bot in these games, in the order in which they came up, and how many games each has played.
pub fn versions(games: &[&Value], bot: &str) -> Vec<(String, u64)> {
    let mut versions: Vec<(String, u64)> = Vec::new();
    for game in games {
        let seats = game["seats"].as_array().unwrap();
        for seat in seats.iter().filter(|seat| seat["bot"] == bot) {
            let identity = seat["identity"].as_str().unwrap();
            match versions.iter_mut().find(|(known, _)| known == identity) {
                Some((_, games)) => *games += 1,
                None => versions.push((identity.to_owned(), 1)),
            }
        }
    }
    versions
}

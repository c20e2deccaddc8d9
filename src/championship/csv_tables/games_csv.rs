//! `games.csv`: every game in a row.

use std::collections::HashMap;

use crate::championship::settings::Settings;
use crate::game::{Seat, hex};
use crate::record::Summary;
use crate::record::csv::CsvTable;
use crate::record::summary::MoveDigest;
use crate::record::text::printable;

/// More than any sentence has.
const LONGEST_SENTENCE: usize = 4000;

/// The table of the games that count and of those that were `disturbed`, with columns for each seat, which are called after
/// the side that it begins with. Games that were set aside, since they are played again, are in the journal only: nobody should count
/// them by mistake.
pub fn table<'a>(
    settings: &'a Settings,
    games: &'a [Summary],
    disturbed: &'a [Summary],
) -> CsvTable<impl Iterator<Item = Vec<String>> + 'a> {
    let mut in_order: Vec<&Summary> = games.iter().collect();
    in_order.sort_by_key(|game| game.number);
    let duplicates = duplicates(&in_order);
    in_order.extend(disturbed);
    in_order.sort_by_key(|game| game.number);
    let seats = move || (0..settings.seats).map(Seat);
    let (many, is_hex) = (settings.seats > 2, settings.game == hex::RULES.name);
    let row = move |game: &Summary| {
        let used = |seat: Seat| game.seats.get(seat.index()).map_or(0, |seat| seat.used_ns);
        let version = |seat: Seat| {
            let version = game.seats.get(seat.index()).and_then(|seat| seat.identity.as_deref());
            version.map_or(String::new(), |version| version.short())
        };
        let place = |seat: Seat| {
            let place = game.verdict.place(seat).filter(|_| game.verdict.counts());
            place.map_or(String::new(), |place| place.to_string())
        };
        let mut row = vec![game.number.to_string(), game.round.to_string()];
        row.extend(seats().map(|seat| game.bot(seat).to_owned()));
        row.extend([
            game.verdict.winner.map_or(String::new(), |winner| game.bot(winner).to_owned()),
            game.verdict.reason.to_string(),
            game.moves.plies.to_string(),
            game.swapped.to_string(),
        ]);
        row.extend(seats().map(|seat| (used(seat) / 1_000_000).to_string()));
        if many {
            row.extend(seats().map(place));
            let losses = game.verdict.losses.iter();
            let faults = losses.map(|loss| format!("{} {}", game.bot(loss.seat), loss.reason));
            row.push(faults.collect::<Vec<_>>().join("; "));
        }
        row.push(duplicates.get(&game.number).map_or(String::new(), u32::to_string));
        row.extend(seats().map(|seat| {
            let cpu = game.seats.get(seat.index()).and_then(|seat| seat.cpu);
            cpu.map_or(String::new(), |time| (time.get() / 1_000_000).to_string())
        }));
        row.extend(seats().map(version));
        row.push(game.clock.to_string());
        row.push(printable(game.verdict.sentence.as_bytes(), LONGEST_SENTENCE));
        let link = || game.linked.as_ref().map_or(String::new(), |linked| linked.link(&game.verdict));
        row.extend(is_hex.then(link));
        row
    };
    let sides = sides(settings);
    let each = |end: &str| sides.iter().map(|side| format!("{side}{end}")).collect::<Vec<_>>();
    let columns = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let mut header = columns(&["game", "round"]);
    header.extend(each(""));
    header.extend(columns(&["winner", "reason", "plies", "swapped"]));
    header.extend(each("_ms"));
    if many {
        header.extend(each("_place"));
        header.push("faults".to_owned());
    }
    header.push("duplicate_of".to_owned());
    header.extend(each("_cpu_ms"));
    header.extend(each("_version"));
    header.push("clock".to_owned());
    header.push("sentence".to_owned());
    header.extend(is_hex.then(|| "hexworld".to_owned()));
    CsvTable { header, rows: in_order.into_iter().map(row) }
}

/// The side that each seat begins with, as part of a column's name.
fn sides(settings: &Settings) -> Vec<String> {
    let game = settings.setup().ok().map(|setup| setup.start());
    let side = |seat: u8| match &game {
        Some(game) => game.side(Seat(seat)).replace(' ', "_"),
        None => format!("seat_{}", seat + 1),
    };
    (0..settings.seats).map(side).collect()
}

/// For each game that repeats an earlier one move by move, between the same programs on the same sides: that one.
pub fn duplicates(games: &[&Summary]) -> HashMap<u32, u32> {
    let mut first: HashMap<(Vec<&str>, MoveDigest), u32> = HashMap::new();
    let mut found = HashMap::new();
    for game in games.iter().filter(|game| game.moves.plies > 0) {
        let seats = game.seats.iter().map(|seat| seat.bot.as_str()).collect();
        let original = *first.entry((seats, game.moves)).or_insert(game.number);
        if original != game.number {
            found.insert(game.number, original);
        }
    }
    found
}

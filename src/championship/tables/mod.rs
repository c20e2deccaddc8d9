//! The files that are computed from a journal.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use super::schedule::Format;
use super::settings::Settings;
use super::standings::{self, Order, Standings};
use crate::game::Seat;
use crate::record::summary::{MoveDigest, Summary};
use crate::record::table::Table;

/// Computes the standings from the games and writes every table.
pub fn write(folder: &Path, settings: &Settings, games: &[Summary]) -> io::Result<Standings> {
    let standings = standings(settings, games);
    let mut in_order: Vec<&Summary> = games.iter().collect();
    in_order.sort_by_key(|game| game.id);
    games_table(settings, &in_order).write(&folder.join("games.csv"))?;
    standings_table(&standings).write(&folder.join("standings.csv"))?;
    cross_table(&standings).write(&folder.join("crosstable.csv"))?;
    Ok(standings)
}

/// The standings after these games.
pub fn standings(settings: &Settings, games: &[Summary]) -> Standings {
    let names = settings.names();
    let byes = settings.plan().byes(&standings::scores(&names, games));
    // In a gauntlet the first plays more games than anybody else, and would be first by that alone.
    let order = if settings.format == Format::Gauntlet { Order::Share } else { Order::Points };
    Standings::fold(&names, games, &byes, order)
}

fn columns(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Every game in a row, with columns for each seat, which are called after the side that it begins with.
fn games_table<'a>(
    settings: &'a Settings,
    games: &'a [&Summary],
) -> Table<impl Iterator<Item = Vec<String>> + 'a> {
    let duplicates = duplicates(games);
    let seats = move || (0..settings.seats).map(Seat);
    let many = settings.seats > 2;
    let row = move |game: &&Summary| {
        let used = |seat: Seat| game.seats.get(seat.index()).map_or(0, |seat| seat.used_ns);
        let place = |seat: Seat| game.verdict.places.get(seat.index()).map_or(String::new(), u8::to_string);
        let mut row = vec![game.id.to_string(), game.round.to_string()];
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
            let faults = game.verdict.faults.iter();
            let faults = faults.map(|fault| format!("{} {}", game.bot(fault.seat), fault.reason));
            row.push(faults.collect::<Vec<_>>().join("; "));
        }
        row.push(duplicates.get(&game.id).map_or(String::new(), u32::to_string));
        row
    };
    let sides = sides(settings);
    let each = |end: &str| sides.iter().map(|side| format!("{side}{end}")).collect::<Vec<_>>();
    let mut header = columns(&["game", "round"]);
    header.extend(each(""));
    header.extend(columns(&["winner", "reason", "plies", "swapped"]));
    header.extend(each("_ms"));
    if many {
        header.extend(each("_place"));
        header.push("faults".to_owned());
    }
    header.push("duplicate_of".to_owned());
    Table { header, rows: games.iter().map(row) }
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
        let original = *first.entry((seats, game.moves)).or_insert(game.id);
        if original != game.id {
            found.insert(game.id, original);
        }
    }
    found
}

fn standings_table(standings: &Standings) -> Table<impl Iterator<Item = Vec<String>>> {
    let rows = standings.rows.iter().map(|row| {
        vec![
            row.rank.to_string(),
            row.bot.clone(),
            row.points.to_string(),
            row.played.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.forfeits.to_string(),
            // Adding zero makes nothing of the sign of a zero.
            format!("{:.1}", (10.0 * row.elo).round() / 10.0 + 0.0),
            format!("{:.1}", row.elo_error),
        ]
    });
    let header =
        ["rank", "bot", "points", "played", "wins", "draws", "losses", "forfeits", "elo", "elo_error"];
    Table { header: columns(&header), rows }
}

fn cross_table(standings: &Standings) -> Table<impl Iterator<Item = Vec<String>>> {
    // A bot of the same name as another column is marked, so that columns can be told apart.
    let column =
        |name: &str| if matches!(name, "bot" | "points") { format!("{name}*") } else { name.to_owned() };
    let names = standings.rows.iter().map(|row| column(&row.bot));
    let header = std::iter::once("bot".to_owned()).chain(names).chain(std::iter::once("points".to_owned()));
    let rows = standings.rows.iter().zip(&standings.cross).map(|(row, cells)| {
        let points =
            |half: &Option<u32>| half.map_or(String::new(), |half| (f64::from(half) / 2.0).to_string());
        let name = std::iter::once(row.bot.clone());
        name.chain(cells.iter().map(points)).chain(std::iter::once(row.points.to_string())).collect()
    });
    Table { rows, header: header.collect() }
}

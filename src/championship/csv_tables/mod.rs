//! The tables of a championship, all of them computed from its settings and its games.

mod crosstable_csv;
mod games_csv;
mod kinds_columns;
mod standings_csv;

use std::io;
use std::path::Path;

pub use games_csv::duplicates;

use super::formats::{BYE_HALF_POINTS, Format, Plan};
use super::ledger::played;
use super::settings::Settings;
use crate::record::Summary;
use crate::record::csv::CsvTable;
use crate::score::Standings;
use crate::score::standings::{Bye, Ranking};

/// Computes the standings from the games that count and writes every table. The list of games has the `disturbed` ones too.
pub fn write(
    folder: &Path,
    settings: &Settings,
    plan: &Plan,
    games: &[Summary],
    disturbed: &[Summary],
) -> io::Result<Standings> {
    let standings = standings(settings, plan, games);
    games_csv::table(settings, games, disturbed).write(&folder.join("games.csv"))?;
    standings_csv::table(settings, &standings).write(&folder.join("standings.csv"))?;
    crosstable_csv::table(&standings).write(&folder.join("crosstable.csv"))?;
    Ok(standings)
}

/// Writes what the tables have of one bot: its lines of the standings and of the cross table, and these games, which are its own.
pub fn write_of(
    bot: &str,
    folder: &Path,
    settings: &Settings,
    standings: &Standings,
    games: &[Summary],
    disturbed: &[Summary],
) -> io::Result<()> {
    games_csv::table(settings, games, disturbed).write(&folder.join("games.csv"))?;
    let CsvTable { header, rows } = standings_csv::table(settings, standings);
    let rows = rows.filter(|row| row.get(1).is_some_and(|name| name == bot));
    CsvTable { header, rows }.write(&folder.join("standings.csv"))?;
    let CsvTable { header, rows } = crosstable_csv::table(standings);
    let rows = rows.filter(|row| row.first().is_some_and(|name| name == bot));
    CsvTable { header, rows }.write(&folder.join("crosstable.csv"))
}

/// The standings after these games of the plan.
pub fn standings(settings: &Settings, plan: &Plan, games: &[Summary]) -> Standings {
    let ranked = settings.ranked();
    let place = |bot: usize| ranked.iter().position(|name| **name == *plan.bots[bot].name);
    let byes = match settings.format {
        Format::Swiss => plan.byes(&played(plan, games)),
        _ => Vec::new(),
    };
    let byes: Vec<Bye> = byes
        .into_iter()
        .filter_map(|(_, bot)| Some(Bye { bot: place(bot)?, half_points: BYE_HALF_POINTS }))
        .collect();
    // In a gauntlet the first plays more games than anybody else, and would be first by that alone.
    let ranking = if settings.format == Format::Gauntlet { Ranking::Share } else { Ranking::Points };
    Standings::fold(&ranked, games, &byes, ranking)
}

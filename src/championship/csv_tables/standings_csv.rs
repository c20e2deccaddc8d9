//! `standings.csv`: every bot in a row, in order of rank; at the end those that take no part, with the reason.

use super::kinds_columns::KindsColumns;
use crate::championship::formats::Format;
use crate::championship::settings::Settings;
use crate::record::csv::CsvTable;
use crate::record::text::one_line;
use crate::score::{Standing, Standings};

/// The table. Where two play it has wins, draws and losses; where more do, how often a bot came in at each place.
pub fn table<'a>(
    settings: &'a Settings,
    standings: &'a Standings,
) -> CsvTable<impl Iterator<Item = Vec<String>> + 'a> {
    let (seats, byes) = (usize::from(settings.seats), settings.format == Format::Swiss);
    let kinds = KindsColumns::of(standings);
    let row = move |row: &Standing| {
        let mut cells = vec![row.rank.to_string(), row.bot.clone(), row.points.to_string()];
        cells.extend(byes.then(|| row.byes.to_string()));
        cells.push(row.played.to_string());
        if seats > 2 {
            let times = |place: usize| row.places.get(place).copied().unwrap_or_default().to_string();
            cells.extend((0..seats).map(times));
        } else {
            cells.extend([row.wins, row.draws, row.losses].map(|count| count.to_string()));
        }
        cells.push(row.forfeits.to_string());
        // Adding zero turns -0.0 into 0.0.
        cells.push(format!("{:.1}", (10.0 * row.elo).round() / 10.0 + 0.0));
        cells.push(format!("{:.1}", row.elo_error));
        cells.push(String::new());
        cells.extend(kinds.cells(row));
        cells
    };
    let mut header = vec!["rank", "bot", "points"];
    header.extend(byes.then_some("byes"));
    header.push("played");
    let mut header: Vec<String> = header.into_iter().map(str::to_owned).collect();
    if seats > 2 {
        header.extend((1..=seats).map(|place| format!("place_{place}")));
    } else {
        header.extend(["wins", "draws", "losses"].map(str::to_owned));
    }
    header.extend(["forfeits", "elo", "elo_error", "left_out"].map(str::to_owned));
    let reasons = header.len() - 1;
    header.extend(kinds.header());
    let columns = header.len();
    let left_out = move |(bot, reason): (&str, &str)| {
        let mut cells = vec![String::new(); columns];
        cells[1] = bot.to_owned();
        // A row is a line, whatever a compiler has said.
        cells[reasons] = one_line(reason);
        cells
    };
    CsvTable {
        header,
        rows: standings.rows.iter().map(row).chain(settings.unranked().into_iter().map(left_out)),
    }
}

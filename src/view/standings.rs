//! The table of a championship as text.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use crate::score::{Standing, Standings};

/// Which columns a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// How many play in a game: where two do, wins, draws and losses are shown, otherwise places.
    pub seats: usize,
    /// Whether there can be rounds without an opponent.
    pub byes: bool,
}

/// The whole table, with the faults of each bot, not wider than `width` if that is given.
pub fn table(standings: &Standings, columns: &Columns, width: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    let header = header(columns);
    for (index, name) in header.iter().enumerate() {
        if !matches!(name.as_str(), "bot" | "faults")
            && let Some(column) = table.set_header(&header).column_mut(index)
        {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for standing in &standings.rows {
        table.add_row(row(standing, columns));
    }
    let text = table.to_string();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn header(columns: &Columns) -> Vec<String> {
    let mut header = vec!["#", "bot", "points"];
    header.extend(columns.byes.then_some("byes"));
    header.push("played");
    let mut header: Vec<String> = header.into_iter().map(str::to_owned).collect();
    if columns.seats > 2 {
        header.extend((1..=columns.seats).map(ordinal));
    } else {
        header.extend(["won", "drawn", "lost"].map(str::to_owned));
    }
    header.extend(["Elo", "±", "faults"].map(str::to_owned));
    header
}

fn row(standing: &Standing, columns: &Columns) -> Vec<String> {
    let mut row = vec![standing.rank.to_string(), standing.bot.clone(), standing.points.to_string()];
    row.extend(columns.byes.then(|| standing.byes.to_string()));
    row.push(standing.played.to_string());
    if columns.seats > 2 {
        let times = |place: usize| standing.places.get(place).copied().unwrap_or_default().to_string();
        row.extend((0..columns.seats).map(times));
    } else {
        row.extend([standing.wins, standing.draws, standing.losses].map(|count| count.to_string()));
    }
    // Adding zero turns -0.0 into 0.0.
    row.push(format!("{:+.0}", standing.elo.round() + 0.0));
    row.push(format!("{:.0}", standing.elo_error));
    let faults: Vec<String> =
        standing.faults.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    row.push(faults.join(", "));
    row
}

/// A place in English.
fn ordinal(place: usize) -> String {
    let ending = match place {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

/// The first few in a line.
pub fn leaders(standings: &Standings, count: usize) -> String {
    let one = |row: &Standing| format!("{} {}/{}", row.bot, row.points, row.played);
    standings.rows.iter().take(count).map(one).collect::<Vec<_>>().join(", ")
}

//! The table of a championship as text.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use crate::championship::standings::{Standing, Standings};

/// The whole table, with the losses of each bot by reason, not wider than `width` if that is given.
pub fn table(standings: &Standings, width: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table.set_header(["#", "bot", "points", "played", "won", "drawn", "lost", "Elo", "±", "lost by"]);
    for row in &standings.rows {
        let lost_by: Vec<String> =
            row.lost_by.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        table.add_row([
            row.rank.to_string(),
            row.bot.clone(),
            row.points.to_string(),
            row.played.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            // Adding zero makes nothing of the sign of a zero.
            format!("{:+.0}", row.elo.round() + 0.0),
            format!("{:.0}", row.elo_error),
            lost_by.join(", "),
        ]);
    }
    for index in [0, 2, 3, 4, 5, 6, 7, 8] {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let text = table.to_string();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The first few in a line.
pub fn leaders(standings: &Standings, count: usize) -> String {
    let one = |row: &Standing| format!("{} {}/{}", row.bot, row.points, row.played);
    standings.rows.iter().take(count).map(one).collect::<Vec<_>>().join(", ")
}

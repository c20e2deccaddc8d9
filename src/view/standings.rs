//! The table of a championship as text.

use comfy_table::{CellAlignment, Table, presets};

use super::fit::{Size, shorten, wrap};
use super::live_table;
use crate::score::{Standing, Standings};

/// Which columns a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// How many play in a game: where two do, wins, draws and losses are shown, otherwise places.
    pub seats: usize,
    /// Whether there can be rounds without an opponent.
    pub byes: bool,
}

/// The whole table, with the faults of each bot, and how many games each version of it has played if there are several. What is wider
/// than `width`, if that is given, is made to fit: the faults stand below it, versions are left to the lines that follow, long names are
/// shortened, and at last numbers are left out. No name is ever broken.
pub fn table(standings: &Standings, columns: &Columns, width: Option<u16>) -> String {
    let whole = rendered(&standings.rows, columns, true);
    let Some(room) = width.map(usize::from).filter(|&room| width_of(&whole) > room) else { return whole };
    let with_names = |width: usize| -> String {
        let short = |row: &Standing| Standing { bot: shorten(&row.bot, width), ..row.clone() };
        rendered(&standings.rows.iter().map(short).collect::<Vec<_>>(), columns, false)
    };
    let taken = width_of(&with_names(SHORTEST));
    let mut text = match room.checked_sub(taken) {
        Some(more) => with_names(SHORTEST + more),
        None => {
            let room = Size { columns: room, rows: standings.rows.len() + 1 };
            live_table::table(&standings.rows, room).iter().map(|line| format!("{line}\n")).collect()
        }
    };
    for row in standings.rows.iter().filter(|row| !row.faults.is_empty()) {
        text.extend(
            wrap(&format!("{}: {}", row.bot, faults(row)), room).iter().map(|line| format!("{line}\n")),
        );
    }
    text
}

/// The least that is left of a name.
const SHORTEST: usize = 8;

fn width_of(text: &str) -> usize {
    text.lines().map(console::measure_text_width).max().unwrap_or(0)
}

fn rendered(rows: &[Standing], columns: &Columns, with_faults: bool) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let versions = rows.iter().any(|row| !row.versions.is_uniform());
    let kept = |mut cells: Vec<String>, counts: String, faults: String| {
        if with_faults {
            cells.extend(versions.then_some(counts));
            cells.push(faults);
        }
        cells
    };
    let header = kept(header(columns), "versions".to_owned(), "faults".to_owned());
    table.set_header(&header);
    for (index, name) in header.iter().enumerate() {
        if !matches!(name.as_str(), "bot" | "faults")
            && let Some(column) = table.column_mut(index)
        {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for standing in rows {
        table.add_row(kept(row(standing, columns), standing.versions.counts(), faults(standing)));
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
    header.extend(["Elo", "±"].map(str::to_owned));
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
    row
}

fn faults(standing: &Standing) -> String {
    let faults = standing.faults.iter().map(|(reason, count)| format!("{reason} {count}"));
    faults.collect::<Vec<_>>().join(", ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_broken_and_nothing_is_wider_than_the_terminal() {
        let names = ["a-student-with-a-name-of-more-than-32-letters", "学生たちのボット_その一", "ana"];
        let one = |(rank, name): (usize, &&str)| Standing {
            rank,
            bot: name.to_string(),
            points: 100.5,
            played: 200,
            faults: [("timeout".to_owned(), 12), ("illegal-move".to_owned(), 3)].into(),
            ..Standing::default()
        };
        let standings = Standings { rows: (1..).zip(&names).map(one).collect(), ..Standings::default() };
        for seats in [2, 6] {
            let columns = Columns { seats, byes: true };
            let whole = table(&standings, &columns, None);
            assert!(names.iter().all(|name| whole.contains(name)) && whole.contains("timeout 12"), "{whole}");
            assert_eq!(table(&standings, &columns, Some(200)), whole);
            for width in [120, 80, 60, 40, 20] {
                let text = table(&standings, &columns, Some(width));
                assert!(width_of(&text) <= width.into(), "{width}:\n{text}");
                let ranked = text.lines().filter(|line| line.trim_start().starts_with(['1', '2', '3']));
                assert!(ranked.count() >= 3, "{width}:\n{text}");
            }
        }
    }
}

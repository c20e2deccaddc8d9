//! `crosstable.csv`: the points of every bot against every other.

use super::kinds_columns::KindsColumns;
use crate::record::csv::CsvTable;
use crate::score::Standings;

/// The table, rows and columns in order of rank.
pub fn table(standings: &Standings) -> CsvTable<impl Iterator<Item = Vec<String>>> {
    // A bot of the same name as another column is marked, so that columns can be told apart.
    let column = |name: &str| {
        if matches!(name, "bot" | "points" | "versions" | "clocks") {
            format!("{name}*")
        } else {
            name.to_owned()
        }
    };
    let names = standings.rows.iter().map(|row| column(&row.bot));
    let kinds = KindsColumns::of(standings);
    let header = std::iter::once("bot".to_owned()).chain(names).chain(std::iter::once("points".to_owned()));
    let rows = standings.rows.iter().zip(&standings.cross).map(move |(row, cells)| {
        let points =
            |half: &Option<u32>| half.map_or(String::new(), |half| (f64::from(half) / 2.0).to_string());
        let name = std::iter::once(row.bot.clone());
        let points = cells.iter().map(points).chain(std::iter::once(row.points.to_string()));
        name.chain(points).chain(kinds.cells(row)).collect()
    });
    CsvTable { rows, header: header.chain(kinds.header()).collect() }
}

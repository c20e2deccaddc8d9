//! Tables as CSV files, which are whole at any moment.

use std::io;
use std::path::Path;

use super::replace_file::{Durability, replace_file};
use super::text::is_formula;

/// A table: a header and rows of the same length.
pub struct CsvTable<R> {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows, which are made one by one as they are written: there may be very many.
    pub rows: R,
}

impl<R: Iterator<Item = Vec<String>>> CsvTable<R> {
    /// Writes the table to a file, replacing it only when all is written.
    pub fn write(self, path: &Path) -> io::Result<()> {
        replace_file(path, Durability::Rebuildable, |file| {
            let mut writer = csv::Writer::from_writer(file);
            writer.write_record(self.header.into_iter().map(safe))?;
            for row in self.rows {
                writer.write_record(row.into_iter().map(safe))?;
            }
            writer.flush()
        })
    }
}

/// A cell that no spreadsheet takes for a formula, whatever a bot is called and has written. Numbers stay numbers.
fn safe(cell: String) -> String {
    let is_like_one = cell.starts_with(|first: char| is_formula(first) || matches!(first, '\t' | '\r'));
    if is_like_one && cell.parse::<f64>().is_err() { format!("'{cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_and_numbers_stay_numbers() {
        for (cell, written) in [
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            ("@SUM(1)", "'@SUM(1)"),
            ("+1+2", "'+1+2"),
            ("-x", "'-x"),
            ("＝1", "'＝1"),
            ("\t=1", "'\t=1"),
            ("-12.5", "-12.5"),
            ("ana (white) won", "ana (white) won"),
            ("", ""),
        ] {
            assert_eq!(safe(cell.to_owned()), written);
        }
    }
}

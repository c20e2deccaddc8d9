//! Tables as CSV files, which are whole at any moment.

use std::io;
use std::path::Path;

use super::replace_file::{Durability, replace_file};

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
            writer.write_record(&self.header)?;
            for row in self.rows {
                writer.write_record(row)?;
            }
            writer.flush()
        })
    }
}

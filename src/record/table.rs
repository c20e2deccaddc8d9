//! Tables as CSV files, which are whole at any moment.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// A table: a header and rows of the same length.
pub struct Table<R> {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows, which are made one by one as they are written: there may be very many.
    pub rows: R,
}

impl<R: Iterator<Item = Vec<String>>> Table<R> {
    /// Writes the table to a file, replacing it only when all is written.
    pub fn write(self, path: &Path) -> io::Result<()> {
        let fresh = path.with_extension("csv.new");
        let written = self.write_to(&fresh).and_then(|()| fs::rename(&fresh, path));
        if written.is_err() {
            // It may not even exist, and whoever asked learns of the first error.
            let _ = fs::remove_file(&fresh);
        }
        written
    }

    fn write_to(self, path: &Path) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(io::BufWriter::new(File::create(path)?));
        writer.write_record(&self.header)?;
        for row in self.rows {
            writer.write_record(row)?;
        }
        writer.flush()
    }
}

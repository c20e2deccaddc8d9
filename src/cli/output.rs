//! Results go to stdout, everything else to stderr.

use std::io::{self, Write};

use anyhow::Result;

use crate::record::text::visible;

/// Whoever reads our output has seen enough, as in `arbitro replay … | head`.
#[derive(Debug, thiserror::Error)]
#[error("nobody reads the output any more")]
pub struct ReaderGone;

/// Prints to stdout.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(ReaderGone.into()),
        other => Ok(other?),
    }
}

/// Says something on stderr. If that is closed or full, there is nobody to tell and no reason to stop.
///
/// Names of files and commands can be in it, which may hold anything: nothing of it drives the terminal.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", visible(text.as_bytes()));
}

/// Warns on stderr.
pub fn warn(text: String) {
    say(&format!("warning: {text}"));
}

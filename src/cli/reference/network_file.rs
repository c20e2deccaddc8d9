//! What the command line says about the network of Hex.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};

use crate::championship::text_file::FileProblem;
use crate::cli::exit::usage;
use crate::engine::hex::net::Kernel;
use crate::engine::hex::net::weights::Weights;

/// Reads a network's file.
pub fn read_network(file: &Path) -> Result<Arc<Weights>> {
    let bytes = std::fs::read(file).map_err(|error| anyhow::Error::new(FileProblem::from(error)));
    let weights = bytes.and_then(|bytes| Ok(Arc::new(Weights::read(&bytes)?)));
    weights.with_context(|| format!("cannot use the network in '{}'", file.display())).map_err(usage)
}

/// Reads the name of a kernel. Those that this processor lacks are refused, which clap's own list of names would not do.
pub fn parse_kernel(word: &str) -> Result<Kernel, String> {
    word.parse()
}

//! The settings of a file and those of the command line, which counts more.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::exit::usage;
use super::options::{ContestOptions, RunOptions, SandboxOptions};
use super::output::{COMMAND, print, quoted, say};
use crate::championship::config::Config;
use crate::championship::write_config::commented;
use crate::record::replace_file::{Durability, replace_file};

impl ContestOptions {
    /// Takes from a file how games are run, as far as the command line does not say it.
    pub fn fill_from(&mut self, file: &Config) -> Result<()> {
        let RunOptions { jobs, no_pin, raw_logs, keep_scratch, live, json, quiet, .. } = &mut self.run;
        *jobs = jobs.or(file.jobs);
        for (typed, in_file) in [
            (no_pin, file.no_pin),
            (raw_logs, file.raw_logs),
            (keep_scratch, file.keep_scratch),
            (json, file.json),
            (quiet, file.quiet),
        ] {
            *typed |= in_file;
        }
        if let (None, Some(address)) = (&live, &file.live) {
            *live = Some(address.parse().map_err(|why| usage(anyhow!("the setting live: {why}")))?);
        }
        let SandboxOptions { no_sandbox, require_sandbox, tier, .. } = &mut self.sandbox;
        // One of them on the command line is an answer to all three.
        if !*no_sandbox && !*require_sandbox && tier.is_none() {
            (*no_sandbox, *require_sandbox, *tier) = (file.no_sandbox, file.require_sandbox, file.tier);
            if file.no_sandbox && (file.require_sandbox || file.tier.is_some()) {
                return Err(usage(anyhow!(
                    "no_sandbox, in the file of settings, asks for no containment at all, and require_sandbox or tier for some; \
                     leave one of them out"
                )));
            }
        }
        Ok(())
    }

    /// The settings that this and a file amount to, as far as all contests have them.
    pub fn settings(&self, file: &Config) -> Config {
        let (run, sandbox) = (&self.run, &self.sandbox);
        let mut all = file.clone();
        all.title = self.title.clone().or(all.title);
        all.seed = run.seed.or(all.seed);
        all.jobs = run.jobs;
        all.no_pin = run.no_pin;
        all.live = run.live.as_ref().map(|listen| listen.to_string());
        all.raw_logs = run.raw_logs;
        all.keep_scratch = run.keep_scratch;
        all.json = run.json;
        all.quiet = run.quiet;
        all.no_sandbox = sandbox.no_sandbox;
        all.require_sandbox = sandbox.require_sandbox;
        all.tier = sandbox.tier;
        if !sandbox.allow_read.is_empty() {
            all.allow_read.clone_from(&sandbox.allow_read);
        }
        all.copy_limit = Some(sandbox.copy_limit(file));
        all.terms = self.terms.terms(file);
        all
    }
}

/// Writes a file of settings for people to change, or prints it where its name is `-`.
pub fn write(config: &Config, path: &Path, overwrite: bool) -> Result<()> {
    let text = commented(config);
    if path == Path::new("-") {
        return print(&text);
    }
    // Also a link that leads nowhere is somebody's.
    if fs::symlink_metadata(path).is_ok() && !overwrite {
        return Err(usage(anyhow!(
            "'{}' is there already; give another name, or add --overwrite to replace it",
            path.display()
        )));
    }
    let written = replace_file(path, Durability::Synced, |file| file.write_all(text.as_bytes()));
    written.with_context(|| format!("cannot write '{}'", path.display())).map_err(usage)?;
    say(&format!(
        "the settings are in {}; to play with them:\n{COMMAND}arbitro championship --config {0}",
        quoted(path)
    ));
    Ok(())
}

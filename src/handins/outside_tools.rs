//! The tools that open archives, run contained.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use super::contained_run::{Conditions, End, Work, run};
use super::first_error::{is_out_of_room, last_words};
use super::toolbox::{Missing, Tool, Toolbox};
use super::unpack::outside_tools::{CONTENT, OutsideKind, OutsideTools, ToolProblem};
use crate::contain::spec::{Exit, Size};
use crate::contain::system_words::system_words;

/// What the folder is called that a tool fills.
const OUT: &str = "out";
/// What an archive is called for a tool.
const ARCHIVE: &str = "archive";
/// What a tool may write beside what it gets out.
const BESIDE: u64 = 1 << 20;

/// The tools of this machine, contained.
pub struct ContainedTools<'a> {
    pub(super) conditions: Conditions,
    pub(super) toolbox: Toolbox,
    pub(super) deadline: Instant,
    pub(super) stop: &'a dyn Fn() -> bool,
}

impl Conditions {
    /// The tools that open archives, contained, without network, and ended at a deadline or when all should stop.
    pub fn tools<'a>(&self, deadline: Instant, stop: &'a dyn Fn() -> bool) -> ContainedTools<'a> {
        let conditions = Conditions { network: false, ..*self };
        ContainedTools { conditions, toolbox: Toolbox::of_this_machine(), deadline, stop }
    }
}

impl OutsideTools for ContainedTools<'_> {
    fn open(&self, archive: &Path, kind: OutsideKind, into: &Path, limit: u64) -> Result<(), ToolProblem> {
        let script =
            self.script(kind).map_err(|missing| ToolProblem::Missing { package: missing.package })?;
        let machine = |error: io::Error| ToolProblem::Machine(system_words(&error));
        let size = fs::metadata(archive).map_err(machine)?.len();
        if size > limit {
            return Err(ToolProblem::TooLarge);
        }
        let folder = tempfile::tempdir().map_err(machine)?;
        let (files, made) = (folder.path().join("files"), folder.path().join("made"));
        fs::create_dir(&files).and_then(|()| fs::create_dir(&made)).map_err(machine)?;
        fs::copy(archive, files.join(ARCHIVE)).map_err(machine)?;
        let disk = Size(size.saturating_add(limit).saturating_add(BESIDE));
        let work = Work {
            script: &script,
            files: &files,
            readable: self.toolbox.readable(),
            environment: vec![("LC_ALL".to_owned(), "C.UTF-8".to_owned())],
            disk,
            most_kept: disk,
            keep: Some(&made),
        };
        let run = run(&work, &self.conditions, self.deadline, self.stop).map_err(machine)?;
        let words = String::from_utf8_lossy(&run.output);
        if run.usage.over_disk || is_out_of_room(&words) {
            return Err(ToolProblem::TooLarge);
        }
        match run.end {
            End::TimedOut => return Err(ToolProblem::TimedOut(self.conditions.time)),
            End::Stopped => return Err(ToolProblem::Machine("interrupted".to_owned())),
            End::Exited(Exit::Code(0)) => {}
            End::Exited(_) if words.to_lowercase().contains("password") => return Err(ToolProblem::Password),
            End::Exited(_) => return Err(ToolProblem::Damaged(complaint(&words))),
        }
        // The folder that it goes to is empty, and can be replaced.
        fs::rename(made.join(OUT), into).or_else(|_| move_into(&made.join(OUT), into)).map_err(machine)
    }
}

/// What a tool has to say against an archive. 7-Zip ends with numbers that say less.
fn complaint(words: &str) -> String {
    let mut lines = words.lines().skip_while(|line| !line.starts_with("ERROR: "));
    let error = lines.next().and_then(|line| line.strip_prefix("ERROR: "));
    // It names the archive first if it is about all of it.
    let error = if error == Some(ARCHIVE) { lines.next() } else { error };
    last_words(error.unwrap_or(words))
}

/// Moves all that is in a folder to one that may be on another disk.
fn move_into(from: &Path, into: &Path) -> io::Result<()> {
    use crate::contain::tree_copy::{TreeCopy, open_folder};
    const DEEPEST: usize = 64;
    let mut copy = TreeCopy::within(u64::MAX, usize::MAX);
    copy.keeps_run_bits = true;
    copy.copy_folder(open_folder(from)?, open_folder(into)?, DEEPEST, &|_| false)?;
    if copy.is_whole { Ok(()) } else { Err(io::ErrorKind::StorageFull.into()) }
}

impl ContainedTools<'_> {
    /// What the shell is to do.
    fn script(&self, kind: OutsideKind) -> Result<String, Missing> {
        let unpack = |tool: Tool, options: &str| {
            let command = self.toolbox.command(tool)?;
            Ok(format!("{command} -dc {options} < {ARCHIVE} > {OUT}/{CONTENT}"))
        };
        let open = match kind {
            // Otherwise it passes over zeros, so that ten gigabytes of them take no room, but half a minute.
            OutsideKind::Xz => unpack(Tool::Xz, "--no-sparse")?,
            OutsideKind::Bzip2 => unpack(Tool::Bzip2, "")?,
            OutsideKind::Zstd => unpack(Tool::Zstd, "")?,
            // Passwords are asked for by none of them, if an empty one is given. 7-Zip's 1 is a warning.
            OutsideKind::SevenZip => {
                let command = self.toolbox.command(Tool::SevenZip)?;
                format!("{command} x -y -p -o{OUT} {ARCHIVE} || [ $? -eq 1 ]")
            }
            OutsideKind::Rar => match self.toolbox.command(Tool::Unrar) {
                Ok("unrar") => format!("unrar x -y -p- {ARCHIVE} {OUT}/"),
                Ok(command) => format!("{command} -x {ARCHIVE} {OUT}/"),
                // 7-Zip may have it, too.
                Err(missing) => {
                    let command = self.toolbox.command(Tool::SevenZip).map_err(|_| missing)?;
                    format!("{command} x -y -p -o{OUT} {ARCHIVE}")
                }
            },
        };
        Ok(format!("mkdir {OUT} && {{ {open}; }} && rm {ARCHIVE}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_says_of_a_damaged_archive_is_told() {
        let numbers = "\nSub items Errors: 1\n\nArchives with Errors: 1\n";
        for (said, told) in [
            ("ERROR: Data Error : main.c\n", "Data Error : main.c"),
            ("ERROR: archive\nCannot open the file as archive\n", "Cannot open the file as archive"),
        ] {
            assert_eq!(complaint(&format!("Extracting archive: archive\n{said}{numbers}")), told);
        }
        assert_eq!(
            complaint("xz: (stdin): Unexpected end of input\n"),
            "xz: (stdin): Unexpected end of input"
        );
    }
}

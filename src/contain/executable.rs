//! The file that is executed: where it is, what runs it, and why it cannot be started, in words that say what to do about it.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// What is wrong with a program that cannot be started.
#[derive(Debug, Error)]
pub enum StartProblem {
    /// There is no such file.
    #[error("'{0}' does not exist; check the path (it is taken from the current folder)")]
    NoFile(String),
    /// There is no such command.
    #[error("there is no command '{0}' on the PATH; a program in the current folder is written './{0}'")]
    NoCommand(String),
    /// It is a directory.
    #[error("'{0}' is a directory, not a program; name the program in it")]
    Directory(String),
    /// It is something like a socket.
    #[error("'{0}' is not a regular file")]
    NotAFile(String),
    /// The run bit is missing.
    #[error("'{0}' may not be run; mend it with: chmod +x '{0}'{hint}", hint = interpreter_hint(.0))]
    NoRunBit(String),
    /// The first line of a script names an interpreter that does not exist.
    #[error(
        "'{script}' is a script for '{interpreter}', which does not exist; correct its first line",
        interpreter = .interpreter.to_string_lossy().escape_debug()
    )]
    BadInterpreter {
        /// The script.
        script: String,
        /// What stands behind its `#!`.
        interpreter: PathBuf,
    },
    /// The first line of a script names its interpreter by a path that depends on where it is started.
    #[error(
        "'{script}' is a script for '{interpreter}', which is no path from the root; correct its first line, for example: \
         #!/usr/bin/env python3",
        interpreter = .interpreter.to_string_lossy().escape_debug()
    )]
    RelativeInterpreter {
        /// The script.
        script: String,
        /// What stands behind its `#!`.
        interpreter: PathBuf,
    },
    /// The first line of a script ends in a carriage return, which is taken for a part of the interpreter's name.
    #[error(
        "'{0}' is a script with Windows line ends, which keep it from starting; save it with Unix line ends"
    )]
    WindowsLineEnds(String),
    /// The operating system's own words.
    #[error("'{0}' cannot be started: {1}")]
    Other(String, io::Error),
}

fn interpreter_hint(program: &str) -> &'static str {
    match Path::new(program).extension().and_then(|extension| extension.to_str()) {
        Some("py") => " (or start it as 'python3 FILE')",
        Some("jar") => " (or start it as 'java -jar FILE')",
        Some("js") => " (or start it as 'node FILE')",
        Some("c" | "cpp" | "rs" | "java") => " (though it looks like source code, to be compiled first)",
        _ => "",
    }
}

/// Finds the file behind a program's name as the operating system would, and looks for what would keep it from
/// starting.
pub fn examine(program: &str) -> Result<PathBuf, StartProblem> {
    let path = if program.contains('/') { PathBuf::from(program) } else { on_path(program.as_ref())? };
    let name = || shown(&path);
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(StartProblem::NoFile(name())),
        Err(error) => return Err(StartProblem::Other(name(), error)),
    };
    if metadata.is_dir() {
        return Err(StartProblem::Directory(name()));
    }
    if !metadata.is_file() {
        return Err(StartProblem::NotAFile(name()));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(StartProblem::NoRunBit(name()));
    }
    let line = first_line(&path);
    if line.starts_with(b"#!") && line.ends_with(b"\r") {
        return Err(StartProblem::WindowsLineEnds(name()));
    }
    match interpreter(&line).map(Path::to_owned) {
        // Where it is started is not here, so that it would be another file then.
        Some(interpreter) if interpreter.is_relative() && !interpreter.as_os_str().is_empty() => {
            Err(StartProblem::RelativeInterpreter { script: name(), interpreter })
        }
        Some(interpreter) if !interpreter.is_file() => {
            Err(StartProblem::BadInterpreter { script: name(), interpreter })
        }
        _ => Ok(path),
    }
}

/// A path that is safe to print: who handed it in may have called it anything.
fn shown(path: &Path) -> String {
    let safe = |letter: char| {
        if letter.is_control() { letter.escape_debug().to_string() } else { letter.to_string() }
    };
    path.to_string_lossy().chars().map(safe).collect()
}

/// What to say of a program that the operating system would not start.
pub fn explain(program: &Path, error: io::Error) -> StartProblem {
    match examine(&program.display().to_string()) {
        Err(problem) => problem,
        Ok(path) => StartProblem::Other(shown(&path), error),
    }
}

fn on_path(command: &OsStr) -> Result<PathBuf, StartProblem> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let runnable = |file: &PathBuf| {
        file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(&path)
        .map(|folder| folder.join(command))
        .find(runnable)
        .ok_or_else(|| StartProblem::NoCommand(command.to_string_lossy().into_owned()))
}

/// The first line of a file, or its beginning. Empty for a file that may be run but not read.
fn first_line(path: &Path) -> Vec<u8> {
    let mut start = [0; 256];
    let length = std::fs::File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or_default();
    start[..length].split(|&byte| byte == b'\n').next().unwrap_or_default().to_vec()
}

/// The program that runs a script, found as the operating system and `env` find it; nothing for other files.
pub fn interpreter_of(script: &Path) -> Option<PathBuf> {
    let line = first_line(script);
    let mut words = words(line.strip_prefix(b"#!")?);
    let interpreter = words.next()?;
    if !interpreter.ends_with(b"/env") {
        return Some(PathBuf::from(OsStr::from_bytes(interpreter)));
    }
    // With a slash it is no command, but a path.
    let command = words.find(|word| !word.starts_with(b"-")).filter(|word| !word.contains(&b'/'))?;
    on_path(OsStr::from_bytes(command)).ok()
}

/// The interpreter that the first line of a script names, or an empty path if it names none.
fn interpreter(line: &[u8]) -> Option<&Path> {
    let interpreter = words(line.strip_prefix(b"#!")?).next().unwrap_or_default();
    Some(Path::new(OsStr::from_bytes(interpreter)))
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_are_found_by_path_and_by_env() {
        let folder = tempfile::tempdir().unwrap();
        let of = |line: &[u8]| {
            let path = folder.path().join("script");
            std::fs::write(&path, line).unwrap();
            interpreter_of(&path)
        };
        assert_eq!(of(b"#! /opt/\xff/python -u\n"), Some(OsStr::from_bytes(b"/opt/\xff/python").into()));
        assert_eq!(of(b"#!/usr/bin/env -S sh -e\n"), on_path("sh".as_ref()).ok());
        assert_eq!(of(b"\x7fELF"), None);
    }

    #[test]
    fn every_obstacle_is_named_with_its_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str, mode| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            examine(path.to_str().unwrap()).unwrap_err().to_string()
        };
        assert!(
            file("a.py", "", 0o644).contains("chmod +x") && file("a.py", "", 0o644).contains("python3 FILE")
        );
        assert!(
            file("b", "#!/no/such/python\n", 0o755)
                .contains("'/no/such/python', which does not exist; correct")
        );
        assert!(file("c", "#!/bin/sh\r\n", 0o755).contains("Unix line ends"));
        assert!(file("e", "#!bin/../../x\n", 0o755).contains("no path from the root"));
        assert!(file("d", "#!/no/\x1b[2J -x\n", 0o755).contains(r"'/no/\u{1b}[2J', which"));
        let problem = |program: &str| examine(program).unwrap_err().to_string();
        assert!(problem(folder.path().to_str().unwrap()).contains("is a directory"));
        assert!(problem("./no-such-file").contains("does not exist"));
        assert!(problem("no-such-command").contains("./no-such-command"));
        assert!(examine("sh").is_ok());
    }
}

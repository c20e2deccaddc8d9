//! Why a program cannot be started, in words that say what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::close_name::close_file;
use super::elf::this_machine;
use super::language::{self, Compiled, Language, class_command, shown, word};
use super::system_words::system_words;

/// What is wrong with a program that cannot be started. Files are kept as they were named.
#[derive(Debug, Error)]
pub enum StartProblem {
    /// There is no such file.
    #[error("'{}' does not exist; {}", shown(.0), cure_of_path(.0))]
    NoFile(PathBuf),
    /// There is no such command.
    #[error("there is no command '{0}' on the PATH; a program in the current folder is written './{0}'")]
    NoCommand(String),
    /// It is a directory.
    #[error("'{}' is a directory, not a program; name the program in it", shown(.0))]
    Directory(PathBuf),
    /// It is something like a socket.
    #[error("'{}' is not a regular file", shown(.0))]
    NotAFile(PathBuf),
    /// The run bit is missing.
    #[error(
        "'{file}' is not executable; make it so with: chmod +x {word}{hint}",
        file = shown(.0), word = word(.0), hint = interpreter_hint(.0)
    )]
    NoRunBit(PathBuf),
    /// The first line of a script names an interpreter that does not exist.
    #[error(
        "'{}' is a script for '{}', which does not exist; correct its first line",
        shown(.script), .interpreter.to_string_lossy().escape_debug()
    )]
    BadInterpreter {
        /// The script.
        script: PathBuf,
        /// What stands behind its `#!`.
        interpreter: PathBuf,
    },
    /// The first line of a script names its interpreter by a path that depends on where it is started.
    #[error(
        "'{}' is a script for '{}', which is no path from the root; correct its first line, for example: \
         #!/usr/bin/env python3",
        shown(.script), .interpreter.to_string_lossy().escape_debug()
    )]
    RelativeInterpreter {
        /// The script.
        script: PathBuf,
        /// What stands behind its `#!`.
        interpreter: PathBuf,
    },
    /// The first line of a script has `env` look for a command whose name has a blank in it.
    #[error(
        "'{}' cannot start: its first line makes one word of '{words}'; write: #!/usr/bin/env -S {words}",
        shown(.script), words = .words.escape_debug()
    )]
    EnvArguments {
        /// The script.
        script: PathBuf,
        /// What stands behind `env`.
        words: String,
    },
    /// The first line of a script ends in a carriage return, which is taken for a part of the interpreter's name.
    #[error(
        "'{}' is a script with Windows line ends, which keep it from starting; save it with Unix line ends", shown(.0)
    )]
    WindowsLineEnds(PathBuf),
    /// A script begins with a mark that hides its `#!`.
    #[error(
        "'{}' begins with a byte order mark, which hides its first line; save it as UTF-8 without a byte order mark (BOM)",
        shown(.0)
    )]
    ByteOrderMark(PathBuf),
    /// It is text of which nothing says what runs it.
    #[error("'{}' is text, and has no first line that says what runs it; {}", shown(.0), cure_of_text(.0, *.1))]
    NoFirstLine(PathBuf, Option<Language>),
    /// What says what runs it is not in its first line.
    #[error("'{}' has its '#!' too late; that must be the very first thing in the file", shown(.0))]
    LateFirstLine(PathBuf),
    /// It has to be built first.
    #[error("'{}' is source code in {}, not a program; {}", shown(.0), .1.name(), .1.cure(.0))]
    SourceCode(PathBuf, Compiled),
    /// It was built for another operating system.
    #[error("'{file}' is a program for {system}, and this is Linux; build it here from its source code", file = shown(.0), system = .1)]
    OtherSystem(PathBuf, &'static str),
    /// It was built for another processor.
    #[error(
        "'{file}' is a program for {machine}, and this machine is {here}; build it here from its source code",
        file = shown(.0), machine = .1, here = this_machine()
    )]
    OtherMachine(PathBuf, String),
    /// It was compiled and not linked.
    #[error(
        "'{}' is an object file, which has to be linked first: gcc -o {} {}",
        shown(.0), word(&.0.with_extension("")), word(.0)
    )]
    ObjectFile(PathBuf),
    /// It is a library.
    #[error("'{}' is a library, not a program; build it without -shared", shown(.0))]
    Library(PathBuf),
    /// Its end is missing.
    #[error("'{}' is only a part of a program: it is cut short; build it or copy it again", shown(.0))]
    CutShort(PathBuf),
    /// What loads it is missing.
    #[error(
        "'{}' needs the loader '{}', which is not on this machine; build it here, or link it statically (gcc -static)",
        shown(.program), .loader.to_string_lossy().escape_debug()
    )]
    NoLoader {
        /// The program.
        program: PathBuf,
        /// What it names.
        loader: PathBuf,
    },
    /// It is run by Java.
    #[error("'{}' is a Java class; start it as '{}'", shown(.0), class_command(.0))]
    JavaClass(PathBuf),
    /// It is run by Java.
    #[error("'{}' is a Java archive; start it as 'java -jar {}'", shown(.0), word(.0))]
    JavaArchive(PathBuf),
    /// It is run by one version of Python.
    #[error(
        "'{}' is Python bytecode, which runs with one version of Python only; name the .py file that it was made from",
        shown(.0)
    )]
    PythonBytecode(PathBuf),
    /// It has to be unpacked.
    #[error("'{file}' is an archive; unpack it first ({unpack} {word}), and name the program in it",
        file = shown(.0), unpack = .1, word = word(.0))]
    Archive(PathBuf, &'static str),
    /// Nothing is in it.
    #[error("'{}' is empty; build it or copy it again", shown(.0))]
    Empty(PathBuf),
    /// It is none of the above.
    #[error("'{}' is neither a Linux program nor a script, so that nothing can run it", shown(.0))]
    NoProgram(PathBuf),
    /// It begins as a program does, and the system can make nothing of the rest.
    #[error("'{}' is a damaged program, which the system cannot load; build it or copy it again", shown(.0))]
    Damaged(PathBuf),
    /// The operating system's own words.
    #[error("'{file}' cannot be started: {error}", file = shown(.0), error = system_words(.1))]
    Other(PathBuf, io::Error),
}

fn cure_of_path(path: &Path) -> String {
    match language::beside(path) {
        Some((source, Language::Compiled(language))) => {
            return format!("its source code does: {}", language.cure(&source));
        }
        Some((script, Language::Interpreted(_))) => return format!("did you mean '{}'?", shown(&script)),
        None => {}
    }
    match path.to_str().and_then(|path| close_file(path, Path::new(""))) {
        Some(close) => format!("did you mean '{close}'?"),
        None => "check the path (it is taken from the current folder)".to_owned(),
    }
}

/// How a file without a run bit can be started as it is.
fn interpreter_hint(path: &Path) -> String {
    match language::of_ending(path) {
        Some(Language::Interpreted(command)) => format!(" (or start it as '{command} {}')", word(path)),
        _ => String::new(),
    }
}

fn cure_of_text(path: &Path, language: Option<Language>) -> String {
    match language {
        Some(Language::Interpreted(command)) => format!("start it as '{command} {}'", word(path)),
        _ => "add one such as '#!/usr/bin/env python3' or '#!/bin/sh', or name what runs it: 'python3 FILE'"
            .replace("FILE", &word(path)),
    }
}

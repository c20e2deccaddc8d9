//! The file that is executed: where it is, what runs it, and whether it can be started.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::binary_format;
use super::elf::Elf;
use super::file_kind::{self, BEGINNING, FileKind};
use super::language::{Language, shown};
pub use super::start_problem::StartProblem;

/// Finds the file behind a program's name as the operating system would, and looks for what would keep it from
/// starting.
pub fn examine(program: &str) -> Result<PathBuf, StartProblem> {
    let path = if program.contains('/') { PathBuf::from(program) } else { on_path(program.as_ref())? };
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(StartProblem::NoFile(path)),
        Err(error) => return Err(StartProblem::Other(path, error)),
    };
    if metadata.is_dir() {
        return Err(StartProblem::Directory(path));
    }
    if !metadata.is_file() {
        return Err(StartProblem::NotAFile(path));
    }
    // What may be run but not read is left to the kernel.
    if let Some(start) = beginning(&path) {
        // Before the run bit, which would not help a file that cannot run.
        let unsuitable = unsuitable(&path, &start, metadata.len());
        if let Some(problem) = unsuitable.filter(|_| !binary_format::is_registered(&path, &start)) {
            return Err(problem);
        }
        if let Some(problem) = unsound_first_line(&path, first_line(&start)) {
            return Err(problem);
        }
    }
    if metadata.permissions().mode() & 0o111 == 0 { Err(StartProblem::NoRunBit(path)) } else { Ok(path) }
}

/// What a file is, by its beginning and its name; nothing if it cannot be read.
pub(crate) fn kind_of(path: &Path) -> Option<FileKind> {
    let length = path.metadata().ok()?.len();
    beginning(path).map(|start| file_kind::kind(path, &start, length))
}

/// What keeps a file from being run that begins like this, whatever its permissions are.
fn unsuitable(path: &Path, start: &[u8], length: u64) -> Option<StartProblem> {
    let file = path.to_owned();
    Some(match file_kind::kind(path, start, length) {
        FileKind::Script => return None,
        FileKind::Elf(Elf::Program { loader }) => {
            let loader = loader.filter(|loader| loader.is_absolute() && !loader.exists())?;
            StartProblem::NoLoader { program: file, loader }
        }
        FileKind::Elf(Elf::OtherMachine(machine)) => StartProblem::OtherMachine(file, machine),
        FileKind::Elf(Elf::Object) => StartProblem::ObjectFile(file),
        FileKind::Elf(Elf::Library) => StartProblem::Library(file),
        FileKind::Elf(Elf::CutShort) => StartProblem::CutShort(file),
        FileKind::MarkedScript | FileKind::Utf16 => StartProblem::ByteOrderMark(file),
        FileKind::LateScript => StartProblem::LateFirstLine(file),
        FileKind::Text(Some(Language::Compiled(language))) => StartProblem::SourceCode(file, language),
        FileKind::Text(language) => StartProblem::NoFirstLine(file, language),
        FileKind::Windows => StartProblem::OtherSystem(file, "Windows"),
        FileKind::Mac => StartProblem::OtherSystem(file, "macOS"),
        FileKind::JavaClass => StartProblem::JavaClass(file),
        FileKind::JavaArchive => StartProblem::JavaArchive(file),
        FileKind::PythonBytecode => StartProblem::PythonBytecode(file),
        FileKind::Archive(unpack) => StartProblem::Archive(file, unpack),
        FileKind::Empty => StartProblem::Empty(file),
        FileKind::Elf(Elf::Other) | FileKind::Unknown => StartProblem::NoProgram(file),
    })
}

/// What is wrong with the first line of a script.
fn unsound_first_line(path: &Path, line: &[u8]) -> Option<StartProblem> {
    let script = path.to_owned();
    let interpreter = interpreter(line)?;
    if line.ends_with(b"\r") {
        return Some(StartProblem::WindowsLineEnds(script));
    }
    // Where it is started is not here, so that it would be another file then.
    if interpreter.is_relative() && !interpreter.as_os_str().is_empty() {
        return Some(StartProblem::RelativeInterpreter { script, interpreter: interpreter.to_owned() });
    }
    if !interpreter.is_file() {
        return Some(StartProblem::BadInterpreter { script, interpreter: interpreter.to_owned() });
    }
    if !interpreter.ends_with("env") {
        return None;
    }
    let arguments: Vec<&[u8]> = words(line).skip(1).collect();
    match &arguments[..] {
        // The kernel hands all of it to `env` in one piece.
        [command, _, ..] if !command.starts_with(b"-") => {
            let words =
                arguments.iter().map(|word| String::from_utf8_lossy(word)).collect::<Vec<_>>().join(" ");
            Some(StartProblem::EnvArguments { script, words })
        }
        [command] | [b"-S", command, ..] if !command.iter().any(|byte| b"-=/".contains(byte)) => {
            let interpreter = PathBuf::from(OsStr::from_bytes(command));
            on_path(interpreter.as_os_str())
                .is_err()
                .then_some(StartProblem::BadInterpreter { script, interpreter })
        }
        _ => None,
    }
}

/// What to say of a program that the operating system would not start. Its file is named without its folder: the opponent hears of it
/// too, and the folder is nobody else's business.
pub fn explain(program: &Path, error: io::Error) -> String {
    let problem = match (examine(&program.display().to_string()), error.raw_os_error()) {
        (Err(problem), _) => problem,
        (Ok(path), Some(libc::ENOEXEC | libc::ELIBBAD | libc::EIO)) => StartProblem::Damaged(path),
        (Ok(path), _) => StartProblem::Other(path, error),
    };
    match program.parent().map(shown).filter(|folder| !folder.is_empty()) {
        Some(folder) => problem.to_string().replace(&(folder + "/"), ""),
        None => problem.to_string(),
    }
}

/// Whether a word is a command on the `PATH`.
pub fn is_command(word: &str) -> bool {
    !word.contains('/') && on_path(word.as_ref()).is_ok()
}

/// Where a command is on the `PATH`.
pub fn command(word: &str) -> Option<PathBuf> {
    on_path(word.as_ref()).ok()
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

/// The beginning of a file; nothing if it cannot be read. A pipe that was put in its place keeps nobody waiting.
fn beginning(path: &Path) -> Option<Vec<u8>> {
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path).ok()?;
    let mut start = Vec::new();
    file.take(BEGINNING as u64).read_to_end(&mut start).ok()?;
    Some(start)
}

/// As much of the first line as the kernel looks at.
fn first_line(start: &[u8]) -> &[u8] {
    start[..start.len().min(256)].split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// The program that runs a script, found as the operating system and `env` find it; nothing for other files.
pub fn interpreter_of(script: &Path) -> Option<PathBuf> {
    let start = beginning(script)?;
    let mut words = words(first_line(&start).strip_prefix(b"#!")?);
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
    line.starts_with(b"#!").then(|| Path::new(OsStr::from_bytes(words(line).next().unwrap_or_default())))
}

/// The words of a line, without the `#!` of a script.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let line = line.strip_prefix(b"#!").unwrap_or(line);
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

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Folder {
            Folder(tempfile::tempdir().unwrap())
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        /// What is said of a file with this in it, without its path.
        fn said(&self, name: &str, text: &[u8], mode: u32) -> String {
            let path = self.path(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            let said = examine(path.to_str().unwrap())
                .map_or_else(|problem| problem.to_string(), |_| "it runs".into());
            said.replace(&format!("{}/", self.0.path().display()), "")
        }
    }

    #[test]
    fn every_obstacle_is_named_with_its_remedy() {
        let folder = Folder::new();
        for (name, text, mode, expected) in [
            (
                "a.py",
                &b"#!/bin/sh\n"[..],
                0o644,
                "'a.py' is not executable; make it so with: chmod +x a.py (or start it as 'python3 a.py')",
            ),
            ("bot", b"#!/bin/sh\n", 0o644, "'bot' is not executable; make it so with: chmod +x bot"),
            (
                "b",
                b"#!/no/such/python\n",
                0o755,
                "'b' is a script for '/no/such/python', which does not exist; correct its first line",
            ),
            (
                "c",
                b"#!/usr/bin/env pyhton3\n",
                0o755,
                "'c' is a script for 'pyhton3', which does not exist; correct its first line",
            ),
            (
                "c",
                b"#!/usr/bin/env -S pyhton3 -u\n",
                0o755,
                "'c' is a script for 'pyhton3', which does not exist; correct its first line",
            ),
            (
                "c",
                b"#!/usr/bin/env sh -e\n",
                0o755,
                "'c' cannot start: its first line makes one word of 'sh -e'; write: #!/usr/bin/env -S sh -e",
            ),
            ("c", b"#!/usr/bin/env -S A=1 sh\n", 0o755, "it runs"),
            (
                "c",
                b"#!/bin/sh\r\n",
                0o755,
                "'c' is a script with Windows line ends, which keep it from starting; save it with Unix line ends",
            ),
            (
                "d",
                b"#!/no/\x1b[2J -x\n",
                0o755,
                r"'d' is a script for '/no/\u{1b}[2J', which does not exist; correct its first line",
            ),
            (
                "e",
                b"\xef\xbb\xbf#!/bin/sh\n",
                0o755,
                "'e' begins with a byte order mark, which hides its first line; save it as UTF-8 without a byte order mark (BOM)",
            ),
            (
                "f",
                b"\n#!/bin/sh\n",
                0o755,
                "'f' has its '#!' too late; that must be the very first thing in the file",
            ),
            (
                "bot.py",
                b"import sys\n",
                0o755,
                "'bot.py' is text, and has no first line that says what runs it; start it as 'python3 bot.py'",
            ),
            (
                "bot.py",
                b"import sys\n",
                0o644,
                "'bot.py' is text, and has no first line that says what runs it; start it as 'python3 bot.py'",
            ),
            (
                "bot.sh",
                b"echo 1\n",
                0o755,
                "'bot.sh' is text, and has no first line that says what runs it; start it as 'sh bot.sh'",
            ),
            (
                "bot",
                b"echo 1\n",
                0o755,
                "'bot' is text, and has no first line that says what runs it; add one such as '#!/usr/bin/env python3' or '#!/bin/sh', or name what runs it: 'python3 bot'",
            ),
            (
                "bot.exe",
                b"MZ\0\0",
                0o644,
                "'bot.exe' is a program for Windows, and this is Linux; build it here from its source code",
            ),
            (
                "bot",
                b"\xcf\xfa\xed\xfe",
                0o755,
                "'bot' is a program for macOS, and this is Linux; build it here from its source code",
            ),
            ("bot.jar", b"PK\x03\x04", 0o755, "'bot.jar' is a Java archive; start it as 'java -jar bot.jar'"),
            (
                "bot.zip",
                b"PK\x03\x04",
                0o755,
                "'bot.zip' is an archive; unpack it first (unzip bot.zip), and name the program in it",
            ),
            (
                "bot.pyc",
                b"\xa7\r\r\n\0",
                0o755,
                "'bot.pyc' is Python bytecode, which runs with one version of Python only; name the .py file that it was made from",
            ),
            ("bot", b"", 0o755, "'bot' is empty; build it or copy it again"),
            (
                "bot",
                b"\x7fELF\x02",
                0o755,
                "'bot' is only a part of a program: it is cut short; build it or copy it again",
            ),
            (
                "bot",
                b"\0\x01",
                0o755,
                "'bot' is neither a Linux program nor a script, so that nothing can run it",
            ),
        ] {
            assert_eq!(folder.said(name, text, mode), expected);
        }
        let said = folder.said("bot.c", b"int main(void) {}", 0o644);
        assert!(
            said.starts_with("'bot.c' is source code in C, not a program; build it with 'gcc -O2 -o "),
            "{said}"
        );
        let said = folder.said("Bot.class", b"\xca\xfe\xba\xbe\0\0\0\x3d", 0o644);
        assert!(said.starts_with("'Bot.class' is a Java class; start it as 'java -cp "), "{said}");
        assert!(folder.said("g", b"#!bin/../../x\n", 0o755).contains("no path from the root"));
    }

    #[test]
    fn a_program_is_looked_for_where_its_name_says() {
        let folder = Folder::new();
        std::fs::write(folder.path("bot"), "").unwrap();
        let problem = |program: &str| examine(program).unwrap_err().to_string();
        assert!(problem(folder.0.path().to_str().unwrap()).contains("is a directory"));
        assert!(problem("./no-such-file").contains("does not exist; check the path"));
        let close = folder.path("bto");
        assert!(
            problem(close.to_str().unwrap())
                .contains(&format!("did you mean '{}'?", folder.path("bot").display()))
        );
        std::fs::write(folder.path("raw.c"), "").unwrap();
        std::fs::write(folder.path("play.py"), "").unwrap();
        let beside = |name: &str| problem(folder.path(name).to_str().unwrap());
        assert!(
            beside("raw").contains("raw' does not exist; its source code does: build it with 'gcc -O2 -o")
        );
        assert!(beside("play").ends_with("play.py'?"), "{}", beside("play"));
        assert!(problem("no-such-command").contains("./no-such-command"));
        assert!(problem("/dev/null").contains("is not a regular file"));
        assert!(examine("sh").is_ok());
    }

    /// Programs of this machine, changed in a few bytes.
    #[test]
    fn parts_of_programs_and_programs_of_other_machines_are_named() {
        let folder = Folder::new();
        let file = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let said = |name: &str, changes: &[(usize, u8)]| {
            let mut file = file[..BEGINNING].to_vec();
            changes.iter().for_each(|&(at, byte)| file[at] = byte);
            folder.said(name, &file, 0o755)
        };
        assert_eq!(said("bot", &[]), "it runs");
        assert!(
            said("bot", &[(18, 40), (19, 0)]).contains("is a program for ARM (32-bit), and this machine is ")
        );
        let linked = said("bot.o", &[(16, 1)]);
        assert!(
            linked.starts_with("'bot.o' is an object file, which has to be linked first: gcc -o bot bot.o"),
            "{linked}"
        );
        let loader = file.windows(4).position(|piece| piece == b"/lib").unwrap();
        assert!(said("bot", &[(loader + 1, b'x')]).contains("needs the loader '/xib"));
    }
}

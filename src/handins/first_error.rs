//! The first error in what compilers write, with its file and line.

use super::toolbox::package_of;
use crate::contain::visible_files::WORK;
use crate::record::text::printable;

/// The longest message that is told.
const LONGEST: usize = 200;

/// The first error in the output of a build, as in `hex.c line 3: expected ';' before 'return'`; if none is found, the last words.
pub fn first_error(output: &str) -> String {
    let lines: Vec<&str> = output.lines().map(str::trim_end).collect();
    let found = (0..lines.len()).find_map(|index| error_at(&lines[index..]));
    found.map_or_else(|| last_words(output), |error| error.to_text())
}

/// The command of a known tool that is not installed, if that is the first error in an output.
pub fn missing_command(output: &str) -> Option<&str> {
    let lines: Vec<&str> = output.lines().map(str::trim_end).collect();
    let first = (0..lines.len()).find(|&index| error_at(&lines[index..]).is_some())?;
    not_found(&lines[first..])?;
    lines[first].rsplit(": ").nth(1)
}

/// The last words of an output; those of `make` only if nobody else has said anything.
pub fn last_words(output: &str) -> String {
    let mut lines = output.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.clone().next();
    let found = lines.find(|line| !is_of_make(line)).or(last);
    found.map_or_else(|| "it says nothing".to_owned(), |line| printable(line.as_bytes(), LONGEST))
}

fn is_of_make(line: &str) -> bool {
    let program = line.split([':', '[']).next().unwrap_or_default();
    matches!(program, "make" | "gmake") && !line.contains("No rule to make")
}

/// How many warnings there are.
pub fn warnings(output: &str) -> usize {
    output.lines().filter(|line| is_warning(line)).count()
}

fn is_warning(line: &str) -> bool {
    // Rust sums up its own in the end, and Java counts them.
    let is_sum = line.contains(" generated ") || line.ends_with("emitted");
    let begins =
        line.starts_with("warning:") || line.starts_with("warning[") || line.starts_with("CMake Warning");
    let located =
        line.contains(": warning:") || line.contains(": warning CS") || line.contains(": warning: [");
    (begins || located) && !is_sum
}

/// Whether a tool says that it cannot write any more.
pub fn is_out_of_room(output: &str) -> bool {
    let words = ["No space left on device", "Disk quota exceeded", "File size limit exceeded"];
    words.iter().any(|words| output.contains(words))
}

/// What builds say that want the network.
const DOWNLOADS: [&str; 17] = [
    "offline mode",
    "--offline was specified",
    "disabled by goproxy=off",
    "could not resolve host",
    "couldn't resolve host",
    "unable to resolve host",
    "temporary failure in name resolution",
    "name or service not known",
    "network is unreachable",
    "enotcached",
    "enotfound",
    "eai_again",
    "unknown host",
    "dial tcp",
    "could not transfer artifact",
    "no matching distribution found",
    "failed to download",
];

/// Whether a build failed since it wanted the network.
pub fn wants_download(output: &str) -> bool {
    let output = output.to_lowercase();
    DOWNLOADS.iter().any(|words| output.contains(words))
}

/// An error, and where it is.
struct Located<'a> {
    file: &'a str,
    line: Option<&'a str>,
    message: &'a str,
}

impl Located<'_> {
    fn to_text(&self) -> String {
        let file = own_path(self.file);
        let line = self.line.map(|line| format!(" line {line}")).unwrap_or_default();
        let message = self.message.trim().trim_start_matches("error:").trim();
        let place = if file.is_empty() { String::new() } else { format!("{file}{line}: ") };
        printable(format!("{place}{message}").as_bytes(), LONGEST)
    }
}

/// A path in the folder of the build, counted from there.
fn own_path(path: &str) -> &str {
    let work = format!("/{WORK}/");
    let inside = path.starts_with('/').then(|| path.find(&work)).flatten();
    let path = inside.map_or(path, |at| &path[at + work.len()..]);
    path.strip_prefix("./").unwrap_or(path)
}

/// The error that the first of these lines begins.
fn error_at<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let kinds = [colons, parentheses, rust, python, node, npm, cmake, linker, make, not_found];
    kinds.iter().find_map(|kind| kind(lines))
}

/// `hex.c:3:7: error: …` (GCC, Clang, GHC), `Bot.java:3: error: …`, `./main.go:5:2: …`.
fn colons<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let (file, rest) = lines[0].split_once(':')?;
    let (line, rest) = rest.split_once(':')?;
    let line = is_number(line).then_some(line)?;
    let (column, after) = rest.split_once(':').unwrap_or(("", rest));
    let rest = if is_number(column) { after } else { rest }.trim_start();
    let is_go = file.ends_with(".go");
    let message = rest.strip_prefix("fatal error:").or_else(|| rest.strip_prefix("error:"));
    let message = message.or_else(|| Some(rest).filter(|_| is_go))?;
    // GHC writes its message below, behind the number of the error.
    let is_below = message.trim().is_empty() || message.trim().starts_with("[GHC-");
    let below = lines.get(1).map(|below| below.trim().trim_start_matches("• "));
    Some(Located { file, line: Some(line), message: below.filter(|_| is_below).unwrap_or(message) })
}

/// `Bot.cs(3,7): error CS1002: …`, `bot.ts(3,7): error TS1005: …`.
fn parentheses<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let (place, message) = lines[0].split_once("): error ")?;
    let (file, numbers) = place.rsplit_once('(')?;
    let line = numbers.split(',').next().filter(|line| is_number(line))?;
    Some(Located { file, line: Some(line), message })
}

/// `error[E0308]: mismatched types` and below it ` --> src/main.rs:4:5`.
fn rust<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let message = lines[0].strip_prefix("error")?;
    let (number, message) = message.split_once(':')?;
    if !number.is_empty() && !number.starts_with('[') {
        return None;
    }
    let place = lines.iter().skip(1).take(3).find_map(|line| line.trim_start().strip_prefix("--> "));
    let mut numbers = place.unwrap_or_default().splitn(3, ':');
    let (file, line) = (numbers.next().unwrap_or_default(), numbers.next());
    Some(Located { file, line, message })
}

/// `File "main.py", line 2`, some lines of the source, and `SyntaxError: invalid syntax`.
fn python<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let place = lines[0].trim_start().strip_prefix("File \"")?;
    let (file, rest) = place.split_once("\", line ")?;
    let line = rest.split(',').next()?;
    if file.starts_with('<') {
        return None;
    }
    let kinds = ["SyntaxError: ", "IndentationError: ", "TabError: ", "ValueError: "];
    let message = lines
        .iter()
        .skip(1)
        .take(5)
        .find_map(|line| kinds.iter().find_map(|kind| line.strip_prefix(kind)))?;
    Some(Located { file, line: Some(line), message })
}

/// `/work/main.js:3`, some lines of the source, and `SyntaxError: Unexpected token`; or a place in Node itself, and `Error [ERR_…]: …`.
fn node<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let (file, line) = lines[0].rsplit_once(':').filter(|(_, line)| is_number(line))?;
    let below = || lines.iter().skip(1).take(8);
    if let Some(message) = below().find(|line| line.starts_with("SyntaxError")) {
        return Some(Located { file: file.trim_start_matches("file://"), line: Some(line), message });
    }
    let (_, message) = below().find(|line| line.starts_with("Error [ERR_"))?.split_once("]: ")?;
    Some(Located { file: "", line: None, message })
}

/// `npm error request to … failed: …`, between a number of the error and the place of a log.
fn npm<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let message = lines[0].strip_prefix("npm error ").or_else(|| lines[0].strip_prefix("npm ERR! "))?;
    let is_number = message.starts_with("code ") || message.starts_with("errno ");
    (!is_number).then_some(Located { file: "", line: None, message })
}

/// `CMake Error at CMakeLists.txt:3 (message):`, and the message below.
fn cmake<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let rest = lines[0].strip_prefix("CMake Error")?;
    let below = || lines.iter().skip(1).map(|line| line.trim()).find(|line| !line.is_empty());
    let Some(place) = rest.strip_prefix(" at ") else {
        let message = rest.trim_start_matches(':').trim();
        return Some(Located {
            file: "",
            line: None,
            message: if message.is_empty() { below()? } else { message },
        });
    };
    let (file, rest) = place.split_once(':')?;
    let line = rest.split(' ').next()?;
    Some(Located { file, line: Some(line), message: below()? })
}

/// `hex.c:(.text+0x5): undefined reference to 'best'`.
fn linker<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let signs = ["undefined reference to ", "multiple definition of ", "cannot find -l"];
    let at = signs.iter().find_map(|sign| lines[0].find(sign))?;
    let (before, message) = lines[0].split_at(at);
    let file = before.split(":(").next().unwrap_or_default();
    let file = file.rsplit([' ', ':']).find(|word| word.contains('.')).unwrap_or_default();
    let is_source = crate::contain::language::of_ending(file.as_ref()).is_some();
    Some(Located { file: if is_source { file } else { "" }, line: None, message })
}

/// `Makefile:3: *** missing separator.  Stop.`, `make: *** No rule to make target 'x', needed by 'y'.  Stop.`
fn make<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let (place, message) = lines[0].split_once("*** ")?;
    let message = message.trim_end_matches("Stop.").trim_end().trim_end_matches('.');
    if message.starts_with("No rule to make") || message.starts_with("No targets") {
        return Some(Located { file: "", line: None, message });
    }
    let (file, line) = place.trim_end().trim_end_matches(':').rsplit_once(':')?;
    is_number(line).then_some(Located { file, line: Some(line), message })
}

/// `sh: 1: g++: not found`, `make: g++: No such file or directory`: a command that is not installed.
fn not_found<'a>(lines: &[&'a str]) -> Option<Located<'a>> {
    let words: Vec<&str> = lines[0].split(": ").collect();
    let [.., command, "not found" | "command not found" | "No such file or directory"] = words[..] else {
        return None;
    };
    let is_command = words[0] == "make" || words[0].ends_with("sh");
    (is_command && package_of(command).is_some()).then_some(Located {
        file: "",
        line: None,
        message: lines[0],
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_of_each_compiler_is_told_with_its_place() {
        let cases = [
            (
                "hex.c: In function 'main':\nhex.c:3:7: warning: unused\nhex.c:4:20: error: expected ';' before 'return'\n",
                "hex.c line 4: expected ';' before 'return'",
            ),
            (
                "main.c:1:10: fatal error: missing.h: No such file or directory\n",
                "main.c line 1: missing.h: No such file or directory",
            ),
            (
                "Bot.java:3: error: incompatible types: String cannot be converted to int\n        int x;\n",
                "Bot.java line 3: incompatible types: String cannot be converted to int",
            ),
            ("/tmp/work/src/br/Bot.java:3: error: ';' expected\n", "src/br/Bot.java line 3: ';' expected"),
            (
                "error[E0308]: mismatched types\n --> src/main.rs:4:5\n  |\n",
                "src/main.rs line 4: mismatched types",
            ),
            ("error: expected `;`, found `}`\n --> main.rs:2:9\n", "main.rs line 2: expected `;`, found `}`"),
            ("# hex\n./main.go:5:2: undefined: foo\n", "main.go line 5: undefined: foo"),
            (
                "Traceback (most recent call last):\n  File \"<string>\", line 2, in <module>\n  File \"main.py\", line 2\n    if x print(1)\n         ^^^\nSyntaxError: invalid syntax\n",
                "main.py line 2: invalid syntax",
            ),
            (
                "/tmp/arbitro-7-0123456789abcdef/work/lib/a.js:3\nlet = 5 5\n        ^\n\nSyntaxError: Unexpected number\n    at x\n",
                "lib/a.js line 3: SyntaxError: Unexpected number",
            ),
            (
                "node:internal/modules/package_json_reader:83\n        throw new X(\n              ^\n\nError [ERR_INVALID_PACKAGE_CONFIG]: Invalid package config package.json\n    at Object.read\n\nNode.js v20.20.2\n",
                "Invalid package config package.json",
            ),
            (
                "npm error code ENOTCACHED\nnpm error request to https://x.org/left-pad failed: no cached response\nnpm error A complete log of this run can be found in: /tmp/x.log\n",
                "request to https://x.org/left-pad failed: no cached response",
            ),
            ("Bot.cs(3,7): error CS1002: ; expected\n", "Bot.cs line 3: CS1002: ; expected"),
            (
                "bot.ts(1,5): error TS2322: Type 'string' is not assignable\n",
                "bot.ts line 1: TS2322: Type 'string' is not assignable",
            ),
            (
                "Main.hs:3:5: error: [GHC-83865]\n    • Couldn't match expected type\n",
                "Main.hs line 3: Couldn't match expected type",
            ),
            (
                "CMake Error at CMakeLists.txt:3 (message):\n  no such thing\n\n",
                "CMakeLists.txt line 3: no such thing",
            ),
            (
                "make: *** No rule to make target 'x.h', needed by 'hex'.  Stop.\n",
                "No rule to make target 'x.h', needed by 'hex'",
            ),
            ("Makefile:3: *** missing separator.  Stop.\n", "Makefile line 3: missing separator"),
            (
                "/usr/bin/ld: /tmp/x.o: in function `main':\nhex.c:(.text+0x5): undefined reference to `best'\ncollect2: error: ld returned 1 exit status\n",
                "hex.c: undefined reference to `best'",
            ),
            ("sh: 1: g++: not found\nmake: *** [Makefile:2: hex] Error 127\n", "sh: 1: g++: not found"),
            (
                "cat: /etc/shadow: Permission denied\nmake: *** [Makefile:2: all] Error 1\n",
                "cat: /etc/shadow: Permission denied",
            ),
            ("make: *** [Makefile:2: all] Error 1\n", "make: *** [Makefile:2: all] Error 1"),
            ("", "it says nothing"),
        ];
        for (output, expected) in cases {
            assert_eq!(first_error(output), expected, "{output}");
        }
    }

    #[test]
    fn a_command_that_is_not_installed_is_known_if_that_is_the_first_error() {
        for (output, command) in [
            ("sh: 1: g++: not found\nmake: *** [Makefile:2: hex] Error 127\n", Some("g++")),
            ("cmake .\nmake: cmake: No such file or directory\n", Some("cmake")),
            ("/bin/bash: line 1: go: command not found\n", Some("go")),
            ("hex.c:3:7: error: no\nsh: 1: g++: not found\n", None),
            ("sh: 1: hexc: not found\n", None),
            ("cat: g++: No such file or directory\n", None),
        ] {
            assert_eq!(missing_command(output), command, "{output}");
        }
    }

    #[test]
    fn what_drives_a_terminal_is_shown_as_text() {
        assert!(!first_error("x.c:1:1: error: \u{1b}[2Jgone\n").contains('\u{1b}'));
    }

    #[test]
    fn warnings_are_counted_once_each() {
        let rust = "warning: unused variable: `x`\n --> a.rs:1:1\nwarning: `hex` (bin \"hex\") generated 1 warning\nwarning: 1 warning emitted\n";
        assert_eq!(warnings(rust), 1);
        assert_eq!(warnings("a.c:1:2: warning: unused\nb.c:3:4: warning: also\n1 warning\n"), 2);
        assert_eq!(warnings("Bot.java:3: warning: [deprecation] x\n1 warning\n"), 1);
    }

    #[test]
    fn a_build_that_wants_the_network_is_told_from_others() {
        assert!(wants_download(
            "error: no matching package named `rand` found\nAs a reminder, you're using offline mode (--offline)"
        ));
        assert!(wants_download("module lookup disabled by GOPROXY=off"));
        assert!(!wants_download("hex.c:3:7: error: expected ';'"));
    }
}

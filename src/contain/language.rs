//! The languages that bots are written in: which one a text is in, how it is built, and what runs it.

use std::path::{Path, PathBuf};

/// A language whose source code has to be built before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiled {
    C,
    Cpp,
    Java,
    Rust,
    Go,
    Haskell,
    CSharp,
    TypeScript,
}

/// How a text becomes a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// It is built first.
    Compiled(Compiled),
    /// It is run as it is by this command.
    Interpreted(&'static str),
}

const BY_ENDING: [(&str, Language); 22] = [
    ("c", Language::Compiled(Compiled::C)),
    ("cc", Language::Compiled(Compiled::Cpp)),
    ("cpp", Language::Compiled(Compiled::Cpp)),
    ("cxx", Language::Compiled(Compiled::Cpp)),
    ("java", Language::Compiled(Compiled::Java)),
    ("rs", Language::Compiled(Compiled::Rust)),
    ("go", Language::Compiled(Compiled::Go)),
    ("hs", Language::Compiled(Compiled::Haskell)),
    ("cs", Language::Compiled(Compiled::CSharp)),
    ("ts", Language::Compiled(Compiled::TypeScript)),
    ("py", Language::Interpreted("python3")),
    ("pyz", Language::Interpreted("python3")),
    ("js", Language::Interpreted("node")),
    ("mjs", Language::Interpreted("node")),
    ("cjs", Language::Interpreted("node")),
    ("sh", Language::Interpreted("sh")),
    ("bash", Language::Interpreted("bash")),
    ("rb", Language::Interpreted("ruby")),
    ("pl", Language::Interpreted("perl")),
    ("php", Language::Interpreted("php")),
    ("lua", Language::Interpreted("lua")),
    ("r", Language::Interpreted("Rscript")),
];

/// What gives a language away at the beginning of a line, where the file's name does not say.
const BY_LOOKS: [(&str, Language); 13] = [
    ("#include <iostream>", Language::Compiled(Compiled::Cpp)),
    ("#include <bits/stdc++.h>", Language::Compiled(Compiled::Cpp)),
    ("#include <vector>", Language::Compiled(Compiled::Cpp)),
    ("#include ", Language::Compiled(Compiled::C)),
    ("import java", Language::Compiled(Compiled::Java)),
    ("public class ", Language::Compiled(Compiled::Java)),
    ("fn main()", Language::Compiled(Compiled::Rust)),
    ("package main", Language::Compiled(Compiled::Go)),
    ("const readline = require(", Language::Interpreted("node")),
    ("import ", Language::Interpreted("python3")),
    ("from ", Language::Interpreted("python3")),
    ("def ", Language::Interpreted("python3")),
    ("print(", Language::Interpreted("python3")),
];

/// The language that a file's ending stands for.
pub fn of_ending(path: &Path) -> Option<Language> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    BY_ENDING.iter().find(|(known, _)| *known == ending).map(|(_, language)| *language)
}

/// A file that is called like this one, but has the ending of a language.
pub fn beside(path: &Path) -> Option<(PathBuf, Language)> {
    let with = |(ending, language): &(&str, Language)| (path.with_extension(ending), *language);
    let is_bare = path.extension().is_none() && path.file_name().is_some();
    BY_ENDING.iter().filter(|_| is_bare).map(with).find(|(file, _)| file.is_file())
}

/// The language of a text: by the file's ending, or by what the text looks like.
pub fn of_text(path: &Path, text: &[u8]) -> Option<Language> {
    let text = String::from_utf8_lossy(text);
    let looks = || {
        let begins = |sign: &str| text.lines().any(|line| line.starts_with(sign));
        BY_LOOKS.iter().find(|(sign, _)| begins(sign)).map(|(_, language)| *language)
    };
    of_ending(path).or_else(looks)
}

impl Compiled {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Compiled::C => "C",
            Compiled::Cpp => "C++",
            Compiled::Java => "Java",
            Compiled::Rust => "Rust",
            Compiled::Go => "Go",
            Compiled::Haskell => "Haskell",
            Compiled::CSharp => "C#",
            Compiled::TypeScript => "TypeScript",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Compiled::C => "c",
            Compiled::Cpp => "cpp",
            Compiled::Java => "java",
            Compiled::Rust => "rs",
            Compiled::Go => "go",
            Compiled::Haskell => "hs",
            Compiled::CSharp => "cs",
            Compiled::TypeScript => "ts",
        }
    }

    /// How to build what is in this file, and how the result is started.
    pub fn cure(self, path: &Path) -> String {
        let is_named = of_ending(path) == Some(Language::Compiled(self));
        let source = if is_named { path.to_owned() } else { path.with_extension(self.ending()) };
        let program = source.with_extension("");
        let (file, out) = (word(&source), word(&program));
        let renamed = if is_named { String::new() } else { format!("call it '{file}', ") };
        let runs = if out.contains('/') { out.clone() } else { format!("./{out}") };
        let (build, start) = match self {
            Compiled::C => (format!("gcc -O2 -o {out} {file}"), runs),
            Compiled::Cpp => (format!("g++ -O2 -o {out} {file}"), runs),
            Compiled::Rust => (format!("rustc -O -o {out} {file}"), runs),
            Compiled::Go => (format!("go build -o {out} {file}"), runs),
            Compiled::Haskell => (format!("ghc -O2 -o {out} {file}"), runs),
            Compiled::Java => (format!("javac {file}"), class_command(&source)),
            Compiled::CSharp => (format!("mcs {file}"), format!("mono {out}.exe")),
            Compiled::TypeScript => (format!("tsc {file}"), format!("node {out}.js")),
        };
        format!("{renamed}build it with '{build}', and start it as '{start}'")
    }
}

/// The command that runs the class in a file of this name, be it source code or built.
pub fn class_command(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    format!("java -cp {} {}", word(folder), word(Path::new(path.file_stem().unwrap_or_default())))
}

/// A path as a word of a command that is safe to print: the author of a file may have called it anything.
pub fn word(path: &Path) -> String {
    // Somebody may paste it: nothing of a name is to be run.
    shell_words::quote(&shown(path)).into_owned()
}

/// A path that is safe to print.
pub fn shown(path: &Path) -> String {
    let safe = |letter: char| {
        if letter.is_control() { letter.escape_debug().to_string() } else { letter.to_string() }
    };
    path.to_string_lossy().chars().map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_its_commands() {
        let cure = |path: &str| match of_ending(Path::new(path)) {
            Some(Language::Compiled(language)) => language.cure(Path::new(path)),
            other => panic!("{path}: {other:?}"),
        };
        for (path, build, start) in [
            ("bot.c", "gcc -O2 -o bot bot.c", "./bot"),
            ("./bot.cpp", "g++ -O2 -o ./bot ./bot.cpp", "./bot"),
            ("ana/bot.cc", "g++ -O2 -o ana/bot ana/bot.cc", "ana/bot"),
            ("a b.cxx", "g++ -O2 -o 'a b' 'a b.cxx'", "./'a b'"),
            ("Bot.java", "javac Bot.java", "java -cp . Bot"),
            ("ana/Bot.java", "javac ana/Bot.java", "java -cp ana Bot"),
            ("bot.rs", "rustc -O -o bot bot.rs", "./bot"),
            ("bot.go", "go build -o bot bot.go", "./bot"),
            ("bot.hs", "ghc -O2 -o bot bot.hs", "./bot"),
            ("bot.cs", "mcs bot.cs", "mono bot.exe"),
            ("bot.ts", "tsc bot.ts", "node bot.js"),
        ] {
            assert_eq!(cure(path), format!("build it with '{build}', and start it as '{start}'"));
        }
    }

    #[test]
    fn a_text_without_an_ending_is_known_by_its_looks() {
        let of = |text: &str| of_text(Path::new("bot"), text.as_bytes());
        assert_eq!(of("// bot\n#include <stdio.h>\n"), Some(Language::Compiled(Compiled::C)));
        assert_eq!(of("#include <stdio.h>\n#include <vector>\n"), Some(Language::Compiled(Compiled::Cpp)));
        assert_eq!(of("import java.util.*;\n"), Some(Language::Compiled(Compiled::Java)));
        assert_eq!(of("\nimport sys\n"), Some(Language::Interpreted("python3")));
        assert_eq!(of("echo 1 2\n"), None);
        let cure = Compiled::C.cure(Path::new("bot"));
        assert!(cure.starts_with("call it 'bot.c', build it with 'gcc -O2 -o bot bot.c'"), "{cure}");
    }
}

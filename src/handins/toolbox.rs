//! The compilers, interpreters and other tools of this machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use thiserror::Error;

use crate::contain::executable;
use crate::contain::installation;

/// A tool that hand-ins, or the archives they come in, may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// The C compiler.
    C,
    /// The C++ compiler.
    Cpp,
    /// `make`.
    Make,
    /// `cmake`.
    CMake,
    /// Java's compiler.
    Javac,
    /// Java's virtual machine.
    Java,
    /// Maven.
    Maven,
    /// Python.
    Python,
    /// Node, for JavaScript.
    Node,
    /// Node's package manager.
    Npm,
    /// The TypeScript compiler.
    TypeScript,
    /// The Rust compiler.
    Rust,
    /// Rust's package manager.
    Cargo,
    /// Go.
    Go,
    /// Mono's C# compiler.
    CSharp,
    /// What runs C# programs.
    Mono,
    /// The Haskell compiler.
    Haskell,
    /// Ruby.
    Ruby,
    /// Perl.
    Perl,
    /// PHP.
    Php,
    /// Lua.
    Lua,
    /// R.
    R,
    /// 7-Zip.
    SevenZip,
    /// `unrar`.
    Unrar,
    /// `xz`.
    Xz,
    /// `bzip2`.
    Bzip2,
    /// `zstd`.
    Zstd,
}

/// Each tool, what it may be called, and the Debian package that has it.
const TOOLS: [(Tool, &[&str], &str); 27] = [
    (Tool::C, &["gcc", "cc", "clang"], "gcc"),
    (Tool::Cpp, &["g++", "c++", "clang++"], "g++"),
    (Tool::Make, &["make", "gmake"], "make"),
    (Tool::CMake, &["cmake"], "cmake"),
    (Tool::Javac, &["javac"], "default-jdk-headless"),
    (Tool::Java, &["java"], "default-jre-headless"),
    (Tool::Maven, &["mvn"], "maven"),
    (Tool::Python, &["python3"], "python3"),
    (Tool::Node, &["node", "nodejs"], "nodejs"),
    (Tool::Npm, &["npm"], "npm"),
    (Tool::TypeScript, &["tsc"], "node-typescript"),
    (Tool::Rust, &["rustc"], "rustc"),
    (Tool::Cargo, &["cargo"], "cargo"),
    (Tool::Go, &["go"], "golang-go"),
    (Tool::CSharp, &["mcs", "csc"], "mono-mcs"),
    (Tool::Mono, &["mono"], "mono-runtime"),
    (Tool::Haskell, &["ghc"], "ghc"),
    (Tool::Ruby, &["ruby"], "ruby"),
    (Tool::Perl, &["perl"], "perl"),
    (Tool::Php, &["php"], "php-cli"),
    (Tool::Lua, &["lua"], "lua5.4"),
    (Tool::R, &["Rscript"], "r-base-core"),
    (Tool::SevenZip, &["7z", "7zz", "7za"], "p7zip-full"),
    (Tool::Unrar, &["unrar", "unrar-free"], "unrar-free"),
    (Tool::Xz, &["xz"], "xz-utils"),
    (Tool::Bzip2, &["bzip2"], "bzip2"),
    (Tool::Zstd, &["zstd"], "zstd"),
];

/// A tool that this machine lacks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("needs {name}, which is not installed here: apt install {package}")]
pub struct Missing {
    /// What it is called.
    pub name: &'static str,
    /// The Debian package that has it.
    pub package: &'static str,
}

/// The tools that this machine has.
#[derive(Clone, Debug, Default)]
pub struct Toolbox {
    found: BTreeMap<Tool, Found>,
}

#[derive(Clone, Debug)]
struct Found {
    /// What it is called, as a command.
    name: &'static str,
    /// Where it is.
    path: PathBuf,
}

impl Toolbox {
    /// Those on the `PATH`. They are looked for once.
    pub fn of_this_machine() -> Toolbox {
        static FOUND: OnceLock<Toolbox> = OnceLock::new();
        FOUND.get_or_init(Toolbox::look).clone()
    }

    fn look() -> Toolbox {
        let find = |names: &[&'static str]| {
            names.iter().find_map(|name| Some(Found { name, path: executable::command(name)? }))
        };
        let found = TOOLS.iter().filter_map(|(tool, names, _)| Some((*tool, find(names)?)));
        let mut found: BTreeMap<Tool, Found> = found.collect();
        if let Some(programs) = found.get(&Tool::Rust).and_then(|rustc| behind_rustup(&rustc.path)) {
            for (tool, name) in [(Tool::Rust, "rustc"), (Tool::Cargo, "cargo")] {
                let path = programs.join(name);
                if path.is_file() {
                    found.insert(tool, Found { name, path });
                }
            }
        }
        Toolbox { found }
    }

    /// What a tool is called, as a command.
    pub fn command(&self, tool: Tool) -> Result<&'static str, Missing> {
        self.found.get(&tool).map(|found| found.name).ok_or_else(|| missing(tool))
    }

    /// What runs scripts by this command, which every machine has if it is none of the tools: a shell.
    pub fn interpreter(&self, command: &'static str) -> Result<&'static str, Missing> {
        let tool = TOOLS.iter().find(|(_, names, _)| names[0] == command);
        tool.map_or(Ok(command), |(tool, ..)| self.command(*tool))
    }

    /// The names of all of them. What failed for want of a tool is tried again once they are others.
    pub fn names(&self) -> Vec<String> {
        self.found.values().map(|found| found.name.to_owned()).collect()
    }

    /// What a tool needs beside the system to be seen by whoever runs it.
    pub fn readable(&self) -> Vec<PathBuf> {
        let all = self.found.values().flat_map(|found| installation::of_executable(&found.path));
        let mut readable: Vec<PathBuf> = all.collect();
        // What is inside of a folder comes behind it.
        readable.sort();
        readable.dedup_by(|path, before| path.starts_with(before));
        readable
    }

    /// The `PATH` by which all of them are found.
    pub fn path(&self) -> String {
        let folders = self.found.values().filter_map(|found| found.path.parent());
        let usual = std::env::var_os("PATH").unwrap_or_default();
        let usual = std::env::split_paths(&usual).collect::<Vec<_>>();
        let mut all: Vec<&Path> = Vec::new();
        // Those that are in no folder of the `PATH` come first: rustup's commands would look for a home that is not there.
        let own = folders.filter(|folder| !usual.iter().any(|known| known == folder));
        for folder in own.chain(usual.iter().map(PathBuf::as_path)) {
            if !all.contains(&folder) && folder.is_absolute() {
                all.push(folder);
            }
        }
        all.iter().filter_map(|folder| folder.to_str()).collect::<Vec<_>>().join(":")
    }
}

/// What is said where a tool is missing.
pub fn missing(tool: Tool) -> Missing {
    let (_, names, package) = TOOLS[tool as usize];
    Missing { name: names[0], package }
}

/// What is said where a build has asked for this command in vain, if it is a known one that is not here.
pub fn missing_here(toolbox: &Toolbox, command: &str) -> Option<Missing> {
    // The package has the tool by its first name; those by which another may stand in for it are in packages of their own.
    let first = match command {
        "cc" => "gcc",
        "c++" => "g++",
        command => command,
    };
    let (tool, names, package) = TOOLS.iter().find(|(_, names, _)| names[0] == first)?;
    let is_here = toolbox.found.get(tool).is_some_and(|found| found.name == names[0]);
    (!is_here).then_some(Missing { name: names[0], package })
}

/// The Debian package of a command that some build asked for, if it is known.
pub fn package_of(command: &str) -> Option<&'static str> {
    TOOLS.iter().find(|(_, names, _)| names.contains(&command)).map(|(_, _, package)| *package)
}

/// The folder of the real compiler, where `rustc` is rustup's: that one looks for the compiler in the user's home, which no build sees.
fn behind_rustup(rustc: &Path) -> Option<PathBuf> {
    let mut command = Command::new(rustc);
    command.args(["--print", "sysroot"]).current_dir("/").stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    let root = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    Some(root.join("bin")).filter(|programs| programs.join("rustc").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_its_row() {
        for (index, (tool, names, _)) in TOOLS.iter().enumerate() {
            assert_eq!(*tool as usize, index, "{names:?}");
        }
    }

    #[test]
    fn what_is_missing_is_named_with_its_package() {
        let words = Toolbox::default().command(Tool::Go).unwrap_err().to_string();
        assert_eq!(words, "needs go, which is not installed here: apt install golang-go");
        let words = Toolbox::default().interpreter("php").unwrap_err().to_string();
        assert_eq!(words, "needs php, which is not installed here: apt install php-cli");
        assert_eq!(Toolbox::default().interpreter("sh"), Ok("sh"));
        assert_eq!((package_of("g++"), package_of("hexc")), (Some("g++"), None));
        let named = |command| Some(missing_here(&Toolbox::default(), command)?.to_string());
        assert_eq!(named("c++").as_deref(), Some("needs g++, which is not installed here: apt install g++"));
        assert_eq!(
            (named("clang"), named("hexc")),
            (None, None),
            "nothing is said of what is in no package here"
        );
    }

    #[test]
    fn the_compiler_of_tests_is_found_behind_rustup() {
        let toolbox = Toolbox::of_this_machine();
        let Some(rustc) = toolbox.found.get(&Tool::Rust) else { return println!("skipped: no rustc") };
        assert!(!rustc.path.ends_with(".cargo/bin/rustc"), "{:?}", rustc.path);
        assert!(toolbox.path().contains(&rustc.path.parent().unwrap().display().to_string()));
    }
}

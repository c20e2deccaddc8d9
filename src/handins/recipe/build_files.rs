//! Files that say to a build tool how something is built: Makefile, CMakeLists.txt, Cargo.toml, go.mod, package.json, pom.xml.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::choose::{Source, program};
use super::listing::{Listing, depth, folder_of, name, stem};
use super::plain;
use super::plan::{Nothing, Recipe, Starts, Step, word};
use crate::contain::language::{Compiled, Language};
use crate::handins::toolbox::{Tool, Toolbox};

/// The files there are, the one that counts first.
const FILES: [&str; 8] = [
    "GNUmakefile",
    "Makefile",
    "makefile",
    "CMakeLists.txt",
    "Cargo.toml",
    "go.mod",
    "package.json",
    "pom.xml",
];
/// How deep one may lie.
const DEEPEST: usize = 2;

/// The file for a build tool that counts: none that lies deeper than a source, and none of a folder without any, which is for something
/// else, such as a report.
pub fn find(listing: &Listing, sources: &[Source]) -> Option<PathBuf> {
    let rank = |path: &&Path| FILES.iter().position(|known| *known == name(path));
    let is_below = |path: &&Path| {
        let has_higher = sources.iter().any(|source| depth(&source.path) < depth(path));
        !has_higher && sources.iter().any(|source| source.path.starts_with(folder_of(path)))
    };
    let counts = |path: &&Path| depth(path) == 0 || depth(path) <= DEEPEST && is_below(path);
    let found = listing.files().filter(|path| rank(path).is_some()).filter(counts);
    found.min_by_key(|path| (depth(path), rank(path))).map(Path::to_owned)
}

/// What such a file asks for.
pub fn recipe(
    file: &Path,
    listing: &Listing,
    sources: &[Source],
    toolbox: &Toolbox,
) -> Result<Recipe, Nothing> {
    let tool = Build { file, folder: folder_of(file), listing, sources, toolbox };
    match name(file) {
        "CMakeLists.txt" => tool.cmake(),
        "Cargo.toml" => tool.cargo(),
        "go.mod" => tool.go(),
        "package.json" => tool.package_json(),
        "pom.xml" => tool.maven(),
        _ => tool.make(),
    }
}

struct Build<'a> {
    file: &'a Path,
    folder: &'a Path,
    listing: &'a Listing,
    sources: &'a [Source],
    toolbox: &'a Toolbox,
}

/// Where CMake builds. What students hand in may have a folder `build` from their own machine, which CMake refuses.
const CMAKE: &str = "cmake-build";

impl Build<'_> {
    /// Some lines for the shell, in the folder of the file, and what the program may be called that they make.
    fn build(&self, how: &str, lines: &str, names: Vec<String>) -> Recipe {
        let change = match self.folder.as_os_str().is_empty() {
            true => String::new(),
            false => format!("cd {} || exit\n", word(self.folder)),
        };
        Recipe {
            how: how.to_owned(),
            step: Step::Build(format!("{change}{lines}")),
            starts: Starts::WhatIsMade(
                names.into_iter().take(MOST_NAMES).chain(self.usual_names()).collect(),
            ),
            remarks: Vec::new(),
            toolbox: self.toolbox.clone(),
        }
    }

    /// What programs are called where nothing says it: like the source with `main`.
    fn usual_names(&self) -> Vec<String> {
        let main = program(self.listing, self.sources).map(|(source, _)| plain::likely_name(source));
        main.into_iter().chain(["main", "bot"].map(str::to_owned)).collect()
    }

    fn text(&self) -> String {
        self.listing.text(self.file)
    }

    fn make(&self) -> Result<Recipe, Nothing> {
        let make = self.toolbox.command(Tool::Make)?;
        // All of it: what was built on another machine may not run on this one.
        Ok(self.build("make", &format!("{make} -B -f {}", name(self.file)), makes(&self.text())))
    }

    fn cmake(&self) -> Result<Recipe, Nothing> {
        let (cmake, _) = (self.toolbox.command(Tool::CMake)?, self.toolbox.command(Tool::Make)?);
        let lines = format!(
            "rm -rf {CMAKE} && {cmake} -S . -B {CMAKE} -DCMAKE_BUILD_TYPE=Release -DCMAKE_BUILD_RPATH_USE_ORIGIN=ON \
             && {cmake} --build {CMAKE} && find {CMAKE} -name CMakeFiles -type d -prune -exec rm -rf {{}} +"
        );
        let text = self.text();
        let programs = text.split("add_executable").skip(1).filter_map(|rest| {
            let name = rest.trim_start().strip_prefix('(')?.split_whitespace().next()?;
            Some(name.trim_matches(['"', ')']).to_owned())
        });
        Ok(self.build("cmake", &lines, programs.collect()))
    }

    fn cargo(&self) -> Result<Recipe, Nothing> {
        let cargo = self.toolbox.command(Tool::Cargo)?;
        let lines = format!(
            "{cargo} build --release --target-dir ~/target || exit\n\
             for program in ~/target/release/*; do\n\
             case $program in *.*) ;; *) [ -d \"$program\" ] || cp \"$program\" . ;; esac\ndone"
        );
        let text = self.text();
        let names =
            text.lines().filter_map(|line| line.trim().strip_prefix("name")?.trim().strip_prefix('='));
        Ok(self.build(
            "cargo build",
            &lines,
            names.map(|name| name.trim().trim_matches('"').to_owned()).collect(),
        ))
    }

    fn go(&self) -> Result<Recipe, Nothing> {
        let go = self.toolbox.command(Tool::Go)?;
        let is_main = |source: &&Source| {
            source.main.is_some()
                && source.language == Language::Compiled(Compiled::Go)
                && source.path.starts_with(self.folder)
        };
        let main = self.sources.iter().find(is_main);
        let package = main.and_then(|source| folder_of(&source.path).strip_prefix(self.folder).ok());
        let package = package.unwrap_or(Path::new(""));
        let module =
            self.text().lines().find_map(|line| Some(line.strip_prefix("module ")?.trim().to_owned()));
        let module = module.as_deref().and_then(|module| module.rsplit('/').next()).unwrap_or_default();
        // A folder of that name would have the program put inside of it.
        let is_free = |name: &&str| {
            !name.is_empty() && *name != "." && !self.listing.place(&self.folder.join(name)).exists()
        };
        let program = [module, stem(package), "bot"].into_iter().find(is_free).unwrap_or("bot.out");
        let package =
            if package.as_os_str().is_empty() { PathBuf::from(".") } else { Path::new(".").join(package) };
        let lines = format!("{go} build -o {} {}", word(Path::new(program)), word(&package));
        Ok(self.build("go build", &lines, vec![program.to_owned()]))
    }

    fn package_json(&self) -> Result<Recipe, Nothing> {
        let node = self.toolbox.command(Tool::Node)?;
        let package: serde_json::Value = serde_json::from_str(&self.text()).unwrap_or_default();
        let text = |path: &str| package.pointer(path).and_then(|value| value.as_str()).map(str::to_owned);
        let start =
            text("/scripts/start").and_then(|line| Some(line.strip_prefix("node ")?.trim().to_owned()));
        let main = [start, text("/main"), Some("index.js".to_owned()), Some("main.js".to_owned())];
        let has_any = |key: &str| {
            package.get(key).and_then(|value| value.as_object()).is_some_and(|all| !all.is_empty())
        };
        let has_build = text("/scripts/build").is_some();
        let wants = has_any("dependencies") || has_build && has_any("devDependencies");
        let is_installed = self.listing.place(&self.folder.join("node_modules")).is_dir();
        let place = |main: &String| self.folder.join(main.trim_start_matches("./"));
        if !wants && !has_build {
            let mut mains =
                main.iter().flatten().flat_map(|main| [place(main), place(main).with_extension("js")]);
            let source = mains.find_map(|path| self.sources.iter().find(|source| source.path == path));
            let source = source.or_else(|| program(self.listing, self.sources).map(|(source, _)| source));
            let source = source
                .ok_or_else(|| Nothing::NoProgram("package.json names no program that is there".into()))?;
            return plain::recipe(self.listing, self.sources, source, self.toolbox);
        }
        let npm = self.toolbox.command(Tool::Npm)?;
        let install = if wants && !is_installed {
            format!("{npm} install --no-audit --no-fund || exit\n")
        } else {
            String::new()
        };
        let build = if has_build { format!("{npm} run build") } else { String::new() };
        let recipe = self.build(npm, &format!("{install}{build}"), Vec::new());
        let main = main.iter().flatten().next().map_or_else(PathBuf::new, place);
        Ok(Recipe { starts: Starts::With(format!("{node} {}", word(&main))), ..recipe })
    }

    fn maven(&self) -> Result<Recipe, Nothing> {
        let text = self.text();
        let count = |words: &str| text.matches(words).count();
        // Without libraries, the compiler alone does it, and nothing has to be downloaded.
        if count("<dependency>") <= count("<scope>test</scope>")
            && let Some((source, _)) = program(self.listing, self.sources)
        {
            return plain::recipe(self.listing, self.sources, source, self.toolbox);
        }
        let maven = self.toolbox.command(Tool::Maven)?;
        Ok(self.build(
            "mvn package",
            &format!("{maven} -B -q -DskipTests package && cp target/*.jar ."),
            Vec::new(),
        ))
    }
}

/// The most letters of a Makefile that are read, and the most variables in it that count.
const LONGEST_MAKEFILE: usize = 64 << 10;
const MOST_VARIABLES: usize = 200;
/// The most names of programs that are looked for, and lines that are searched for them.
const MOST_NAMES: usize = 1000;

/// What a Makefile makes: its targets in order, and what those of them need that make nothing themselves.
fn makes(text: &str) -> Vec<String> {
    let text = text.chars().take(LONGEST_MAKEFILE).collect::<String>().replace("\\\n", " ");
    let mut variables: HashMap<&str, &str> = HashMap::new();
    let (mut names, mut lines): (Vec<String>, usize) = (Vec::new(), 0);
    for line in text.lines().filter(|line| !line.starts_with(['\t', '#', '.'])) {
        let line = line.split('#').next().unwrap_or_default();
        if let Some((name, value)) = line.split_once('=') {
            if variables.len() < MOST_VARIABLES {
                let name = name.trim_end_matches([':', '?', '+', ' ']).trim();
                variables.entry(name).or_insert(value.trim());
            }
        } else if let Some((targets, needs)) = line.split_once(':') {
            let words = expanded(targets, &variables) + " " + &expanded(needs, &variables);
            names.extend(words.split_whitespace().map(|name| name.trim_start_matches("./").to_owned()));
            lines += 1;
        }
        if lines.max(names.len()) >= MOST_NAMES {
            break;
        }
    }
    names
}

/// A text with the values of its variables, as far as anybody would write them.
fn expanded(text: &str, variables: &HashMap<&str, &str>) -> String {
    const MOST_STEPS: usize = 1000;
    let mut expansion = Expansion { variables, text: String::new(), steps: MOST_STEPS };
    expansion.add(text, 0);
    expansion.text
}

/// A text to which values of variables are added. Values may hold themselves, or others many times.
struct Expansion<'a> {
    variables: &'a HashMap<&'a str, &'a str>,
    text: String,
    /// How many more pieces may be looked at: those that add nothing cost time too.
    steps: usize,
}

impl Expansion<'_> {
    /// Adds a text that stands in so many values.
    fn add(&mut self, text: &str, depth: usize) {
        const DEEPEST: usize = 8;
        const LONGEST: usize = 4096;
        let variables = self.variables;
        let mut rest = text;
        while !rest.is_empty() && self.steps > 0 && self.text.len() < LONGEST {
            self.steps -= 1;
            let (before, after) = rest.split_at(rest.find('$').unwrap_or(rest.len()));
            self.text.extend(before.chars().take(LONGEST - self.text.len()));
            rest = match variable(after) {
                Some((name, behind)) => {
                    if let Some(value) = variables.get(name).filter(|_| depth < DEEPEST) {
                        self.add(value, depth + 1);
                    }
                    behind
                }
                // Anything else that begins so stays as it is.
                None => {
                    self.text.push_str(after.get(..1).unwrap_or_default());
                    after.get(1..).unwrap_or_default()
                }
            };
        }
    }
}

/// The name in `$(NAME)` or `${NAME}` at the beginning of a text, and what stands behind it.
fn variable(text: &str) -> Option<(&str, &str)> {
    const LONGEST: usize = 100;
    let end = if text.starts_with("$(") { b')' } else { b'}' };
    let name = text.strip_prefix("$(").or_else(|| text.strip_prefix("${"))?;
    let length = name.bytes().take(LONGEST).position(|byte| byte == end)?;
    Some((&name[..length], &name[length + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_makefile_makes_is_named_in_its_order() {
        assert_eq!(
            makes("CC = gcc\nhex: a.o b.o\n\tcc -o hex a.o\nclean:\n\trm hex\n"),
            ["hex", "a.o", "b.o", "clean"]
        );
        let names = makes("BIN := bin\nTARGET=$(BIN)/hex # so\n.PHONY: all\nall: $(TARGET) ${TARGET}2\n");
        assert_eq!(names, ["all", "bin/hex", "bin/hex2"]);
        assert!(makes("A = $(A)$(A)$(A)\nx: $(A)\n").len() < 10);
    }

    #[test]
    fn no_makefile_takes_long_or_much_memory() {
        let length = |text: &str| makes(text).iter().map(String::len).sum::<usize>();
        let long_value = format!("A={}\n{}: b\n", "x".repeat(50_000), "$(A)".repeat(3000));
        assert!(length(&long_value) < 10_000);
        assert!(length(&format!("A={}\n{}: b\n", "x".repeat(500_000), "$(A)".repeat(130_000))) < 10_000);
        let many: String = (0..5000).map(|index| format!("v{index}=\n$x:b\n")).collect();
        assert!(length(&many) < 10_000);
        // Each of these values holds the next one many times, and the last one nothing.
        let nested: String =
            (0..7).map(|index| format!("v{index}={}\n", format!("$(v{})", index + 1).repeat(500))).collect();
        assert_eq!(makes(&format!("{nested}v7=\nhex: $(v0)\n{}", "$(v0):\n".repeat(2000))), ["hex"]);
        assert_eq!(makes(&format!("a$$b: ${{{}\n", "x".repeat(200)))[0], "a$$b");
    }
}

//! Plain sources, without a file that says how they are built.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::choose::{Imports, Source};
use super::java;
use super::listing::{Listing, folder_of, is_test, name, stem};
use super::plan::{Nothing, Recipe, Starts, Step, run, word, words};
use crate::contain::language::{Compiled, Language};
use crate::handins::toolbox::{Missing, Tool, Toolbox};

/// The most files that are given to a compiler.
const MOST_FILES: usize = 500;

/// Builds the program of this source, together with what belongs to it.
pub fn recipe(
    listing: &Listing,
    sources: &[Source],
    main: &Source,
    toolbox: &Toolbox,
) -> Result<Recipe, Nothing> {
    let plain = Plain { listing, sources, main, toolbox };
    match main.language {
        Language::Compiled(Compiled::C | Compiled::Cpp) => Ok(plain.c()?),
        Language::Compiled(Compiled::Java) => java::recipe(listing, sources, main, toolbox),
        Language::Compiled(Compiled::Rust) => Ok(plain.one_file(Tool::Rust, "--edition 2021 -O -o")?),
        Language::Compiled(Compiled::Haskell) => Ok(plain.haskell()?),
        Language::Compiled(Compiled::Go) => Ok(plain.go()?),
        Language::Compiled(Compiled::CSharp) => Ok(plain.csharp()?),
        Language::Compiled(Compiled::TypeScript) => Ok(plain.typescript()?),
        Language::Interpreted("python3") => Ok(plain.python()?),
        Language::Interpreted("node") => Ok(plain.node()?),
        Language::Interpreted(command) => Ok(plain.script(command)?),
    }
}

struct Plain<'a> {
    listing: &'a Listing,
    sources: &'a [Source],
    main: &'a Source,
    toolbox: &'a Toolbox,
}

impl Plain<'_> {
    fn build(&self, how: String, script: String, command: String) -> Recipe {
        let (starts, toolbox) = (Starts::With(command), self.toolbox.clone());
        Recipe { how, step: Step::Build(script), starts, remarks: Vec::new(), toolbox }
    }

    fn check(&self, how: String, script: String, command: String) -> Recipe {
        Recipe { step: Step::Check(script), ..self.build(how, String::new(), command) }
    }

    /// What the program is to be called: like its source, unless something else is.
    fn program(&self) -> PathBuf {
        let program = self.main.path.with_extension("");
        let is_taken = self.listing.place(&program).exists();
        if is_taken { self.main.path.with_extension("bot") } else { program }
    }

    /// The sources in these languages that have no `main`, and so belong to the one that has.
    fn others(&self, languages: &[Compiled]) -> Vec<PathBuf> {
        let is_of =
            |source: &&Source| matches!(source.language, Language::Compiled(one) if languages.contains(&one));
        let (mains, others): (Vec<&Source>, Vec<&Source>) =
            self.sources.iter().filter(is_of).partition(|source| source.main.is_some());
        let folder = folder_of(&self.main.path);
        let mut near: Vec<&Path> = others.iter().map(|source| source.path.as_path()).collect();
        // Where there are several programs, each has its folder.
        if mains.iter().filter(|other| !is_test(&other.path)).count() > 1 {
            near.retain(|path| path.starts_with(folder));
        }
        let included = self.included();
        near.retain(|path| !is_test(path) && !included.contains(name(path)));
        // A copy of a file that is nearer is an old one.
        near.sort_by_key(|path| !path.starts_with(folder));
        let mut taken: Vec<PathBuf> = Vec::new();
        for path in near {
            let is_copy =
                taken.iter().any(|other| name(other) == name(path)) || name(&self.main.path) == name(path);
            if !is_copy && taken.len() < MOST_FILES {
                taken.push(path.to_owned());
            }
        }
        taken
    }

    /// The names of sources that others take in, as some do with a file of C. Each text is gone through once, as many as there may be.
    fn included(&self) -> HashSet<&str> {
        let names: HashSet<&str> = self.sources.iter().map(|source| name(&source.path)).collect();
        let mut included = HashSet::new();
        for source in self.sources {
            let text = self.listing.text(&source.path);
            for line in text.lines().filter(|line| line.trim_start().starts_with("#include")) {
                // What stands before a quotation mark, and behind another or a slash.
                let mut pieces: Vec<&str> = line.split('"').collect();
                pieces.pop();
                for (index, piece) in pieces.into_iter().enumerate() {
                    let last = piece.rsplit_once('/').map(|(_, last)| last);
                    let taken = last.or(Some(piece).filter(|_| index > 0));
                    included.extend(taken.and_then(|name| names.get(name)).copied());
                }
            }
        }
        included
    }

    fn c(&self) -> Result<Recipe, Missing> {
        let others = self.others(&[Compiled::C, Compiled::Cpp]);
        let files: Vec<PathBuf> = std::iter::once(self.main.path.clone()).chain(others).collect();
        let is_c = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "c");
        let (c, cpp): (Vec<PathBuf>, Vec<PathBuf>) = files.iter().cloned().partition(is_c);
        let headers: Vec<&Path> =
            self.listing.files().filter(|path| is_header(path)).map(folder_of).collect();
        let mut folders: Vec<&Path> = Vec::new();
        for folder in headers {
            if !folder.as_os_str().is_empty() && !folders.contains(&folder) && folders.len() < MOST_FILES {
                folders.push(folder);
            }
        }
        let folders: String = folders.iter().map(|folder| format!(" -I {}", word(folder))).collect();
        let program = self.program();
        let out = word(&program);
        let compiler = self.toolbox.command(if cpp.is_empty() { Tool::C } else { Tool::Cpp })?;
        let (before, linked) = match (c.is_empty(), cpp.is_empty()) {
            (false, false) => {
                let gcc = self.toolbox.command(Tool::C)?;
                let objects: Vec<PathBuf> =
                    (0..c.len()).map(|index| format!("../{index}.o").into()).collect();
                let each = c.iter().zip(&objects).map(|(source, object)| {
                    format!("{gcc} -O2{folders} -c -o {} {} || exit\n", word(object), word(source))
                });
                (each.collect::<String>(), [cpp, objects].concat())
            }
            _ => (String::new(), files.clone()),
        };
        let script = format!("{before}{compiler} -O2{folders} -o {out} {} -lm -lpthread", words(&linked));
        Ok(self.build(how(compiler, &files), script, run(&program)))
    }

    fn one_file(&self, tool: Tool, options: &str) -> Result<Recipe, Missing> {
        let (compiler, program) = (self.toolbox.command(tool)?, self.program());
        let script = format!("{compiler} {options} {} {}", word(&program), word(&self.main.path));
        Ok(self.build(how(compiler, std::slice::from_ref(&self.main.path)), script, run(&program)))
    }

    fn haskell(&self) -> Result<Recipe, Missing> {
        let folder = folder_of(&self.main.path);
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        self.one_file(Tool::Haskell, &format!("-O -outputdir ../objects -i{} -o", word(folder)))
    }

    fn go(&self) -> Result<Recipe, Missing> {
        let (go, program) = (self.toolbox.command(Tool::Go)?, self.program());
        let folder = folder_of(&self.main.path);
        let of_package = |source: &&Source| {
            source.language == self.main.language
                && folder_of(&source.path) == folder
                && !name(&source.path).ends_with("_test.go")
                && (source.main.is_none() || source.path == self.main.path)
                && self.listing.text(&source.path).lines().any(|line| line.trim_end() == "package main")
        };
        let files: Vec<PathBuf> = self
            .sources
            .iter()
            .filter(of_package)
            .map(|source| source.path.clone())
            .take(MOST_FILES)
            .collect();
        let script = format!("{go} build -o {} {}", word(&program), words(&files));
        Ok(self.build(how("go build", &files), script, run(&program)))
    }

    fn csharp(&self) -> Result<Recipe, Missing> {
        let (compiler, mono) = (self.toolbox.command(Tool::CSharp)?, self.toolbox.command(Tool::Mono)?);
        let others = self.others(&[Compiled::CSharp]);
        let files: Vec<PathBuf> = std::iter::once(self.main.path.clone()).chain(others).collect();
        let program = self.main.path.with_extension("exe");
        let script = format!("{compiler} -optimize+ -out:{} {}", word(&program), words(&files));
        Ok(self.build(how(compiler, &files), script, format!("{mono} {}", word(&program))))
    }

    fn typescript(&self) -> Result<Recipe, Missing> {
        let (compiler, node) = (self.toolbox.command(Tool::TypeScript)?, self.toolbox.command(Tool::Node)?);
        let program = self.main.path.with_extension("js");
        let script = format!(
            // It writes the program whatever it says of types, which are no matter of whether it runs.
            "{compiler} --target es2020 --module commonjs --skipLibCheck {} || [ -f {} ]",
            word(&self.main.path),
            word(&program)
        );
        let files = std::slice::from_ref(&self.main.path);
        Ok(self.build(how(compiler, files), script, format!("{node} {}", word(&program))))
    }

    fn python(&self) -> Result<Recipe, Missing> {
        let python = self.toolbox.command(Tool::Python)?;
        let parse =
            "import sys\nfor name in sys.argv[1:]: compile(open(name, \"rb\").read(), name, \"exec\")";
        let script = format!("{python} -I -c '{parse}' {} 2>&1", words(&self.with_imported()));
        let command = format!("{python} {}", word(&self.main.path));
        Ok(self.check(python.to_owned(), script, command))
    }

    fn node(&self) -> Result<Recipe, Missing> {
        let node = self.toolbox.command(Tool::Node)?;
        let each = self.with_imported();
        let each = each.iter().map(|path| format!("{node} --check {}", word(path)));
        let script = each.collect::<Vec<_>>().join(" && ");
        Ok(self.check(node.to_owned(), script, format!("{node} {}", word(&self.main.path))))
    }

    fn script(&self, interpreter: &'static str) -> Result<Recipe, Missing> {
        let interpreter = self.toolbox.interpreter(interpreter)?;
        let command = format!("{interpreter} {}", word(&self.main.path));
        let recipe = self.check(interpreter.to_owned(), String::new(), command);
        Ok(Recipe { step: Step::Nothing, ..recipe })
    }

    /// The program and all sources that it asks for, and those that these ask for.
    fn with_imported(&self) -> Vec<PathBuf> {
        let imports = Imports::of(self.listing, self.sources);
        let mut found: Vec<&Source> = vec![self.main];
        let mut known: HashSet<&Path> = HashSet::from([self.main.path.as_path()]);
        let mut next = 0;
        while let Some(source) = found.get(next).copied().filter(|_| found.len() < MOST_FILES) {
            next += 1;
            for other in self.sources {
                let is_wanted = other.language == source.language && imports.has(source, other);
                if is_wanted && known.insert(&other.path) {
                    found.push(other);
                }
            }
        }
        found.iter().map(|source| source.path.clone()).collect()
    }
}

fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ["h", "hh", "hpp", "hxx"].iter().any(|header| ending == *header))
}

/// How something is built, in a few words.
fn how(compiler: &str, files: &[PathBuf]) -> String {
    const NAMED: usize = 3;
    let names: Vec<&str> = files.iter().take(NAMED).map(|path| name(path)).collect();
    let more = if files.len() > NAMED { " …" } else { "" };
    format!("{compiler} {}{more}", names.join(" "))
}

/// What a program is likely to be called, by the name of its source.
pub fn likely_name(main: &Source) -> String {
    stem(&main.path).to_owned()
}

#[cfg(test)]
mod tests {
    use rustix::time::{ClockId, clock_gettime};

    use super::*;
    use crate::handins::recipe::choose::{program, sources};

    /// Once, each text was gone through for each other source, which took hours.
    #[test]
    fn many_sources_with_long_lists_of_what_they_take_in_cost_seconds() {
        let cases = [
            ("c", "int main(void) { return 0; }\n", "#include \"x.h\"\n", "int other;\n"),
            ("py", "if __name__ == '__main__':\n    import long0\n", "import long1, long2\n", "x = 1\n"),
            ("js", "require('./long0')\n", "require('./long1')/.'\n", "x = 1\n"),
        ];
        for (ending, main, line, other) in cases {
            let folder = tempfile::tempdir().unwrap();
            let write = |name: String, text: &str| {
                std::fs::write(folder.path().join(name + "." + ending), text).unwrap()
            };
            write("main".to_owned(), main);
            (0..7).for_each(|index| write(format!("long{index}"), &line.repeat(1_000_000 / line.len())));
            (0..900).for_each(|index| write(format!("other{index}"), other));
            let listing = Listing::read(folder.path());
            let sources = sources(&listing);
            let (main, _) = program(&listing, &sources).unwrap();
            recipe(&listing, &sources, main, &Toolbox::of_this_machine()).ok();
            // Time of the processor: other tests run at the same time.
            let used = clock_gettime(ClockId::ThreadCPUTime);
            assert!(used.tv_sec < 60, "{ending}: {} s", used.tv_sec);
        }
    }

    #[test]
    fn what_another_file_takes_in_is_not_compiled_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            (
                "main.c",
                "#include <stdio.h>\n  #include \"a.c\"\n#include \"lib/b.c\" // so\nint main(void) { return 0; }\n",
            ),
            ("a.c", "int a;\n"),
            ("b.c", "int b;\n"),
            ("c.c", "#include \"stdio.h\n"),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let (listing, toolbox) = (Listing::read(folder.path()), Toolbox::of_this_machine());
        let sources = sources(&listing);
        let (main, _) = program(&listing, &sources).unwrap();
        let plain = Plain { listing: &listing, sources: &sources, main, toolbox: &toolbox };
        assert_eq!(plain.others(&[Compiled::C]), [PathBuf::from("c.c")]);
    }
}

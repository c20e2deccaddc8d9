//! Where programs begin: whether a source has a `main`, language by language.

use super::words::{Style, words};
use crate::contain::language::{Compiled, Language};

/// Where a program begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Main {
    /// With the file.
    File,
    /// With a class of Java's: its name, with the package.
    Class(String),
}

/// Where the program of a source begins, if it is one.
pub fn main_of(language: Language, source: &str) -> Option<Main> {
    let is_main = match language {
        Language::Compiled(Compiled::C | Compiled::Cpp) => of_c(&words(source, Style::C)),
        Language::Compiled(Compiled::Java) => {
            return of_java(&words(source, Style::Slashes)).map(Main::Class);
        }
        Language::Compiled(Compiled::Rust) => at_top(&words(source, Style::Slashes), &["fn", "main", "("]),
        Language::Compiled(Compiled::Go) => {
            let words = words(source, Style::Slashes);
            words.starts_with(&["package", "main"]) && at_top(&words, &["func", "main", "("])
        }
        Language::Compiled(Compiled::CSharp) => of_csharp(&words(source, Style::C)),
        Language::Compiled(Compiled::Haskell) => source.lines().any(is_haskells),
        Language::Compiled(Compiled::TypeScript) => false,
        Language::Interpreted("python3") => {
            words(source, Style::Python).windows(4).any(|words| words == ["if", "__name__", "=", "="])
        }
        Language::Interpreted(_) => false,
    };
    is_main.then_some(Main::File)
}

/// `int main(…) {`, outside of other functions. A declaration is none, and neither is a call.
fn of_c(words: &[&str]) -> bool {
    let (mut depth, mut index) = (0_usize, 0);
    while let Some(word) = words.get(index) {
        match *word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "main" if depth == 0 && words.get(index + 1) == Some(&"(") => {
                // Behind a bracket that nothing closes there is nothing to be found. Nothing is looked at twice: that could take for ever.
                let Some(end) = closing(&words[index + 1..]) else { return false };
                index += 1 + end;
                if words.get(index + 1).is_some_and(|after| *after == "{" || *after == "try") {
                    return true;
                }
            }
            _ => {}
        }
        index += 1;
    }
    false
}

/// Where the bracket closes that the first word opens.
fn closing(words: &[&str]) -> Option<usize> {
    let mut depth = 0_usize;
    words.iter().position(|word| {
        match *word {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Whether these words are in a source, outside of all braces.
fn at_top(words: &[&str], wanted: &[&str]) -> bool {
    let mut depth = 0_usize;
    (0..words.len()).any(|index| {
        match words[index] {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && words[index..].starts_with(wanted)
    })
}

/// The class with `public static void main(…)`, with its package.
fn of_java(words: &[&str]) -> Option<String> {
    let mut open: Vec<Option<&str>> = Vec::new();
    let mut named = None;
    for (index, &word) in words.iter().enumerate() {
        let before = |back: usize| index.checked_sub(back).map(|at| words[at]);
        match word {
            "class" | "interface" | "enum" | "record" if before(1) != Some(".") => {
                named = words.get(index + 1).copied();
            }
            "{" => open.push(named.take()),
            "}" => drop(open.pop()),
            ";" => named = None,
            "main" if before(1) == Some("void") && words.get(index + 1) == Some(&"(") => {
                let is_static = (2..=5).any(|back| before(back) == Some("static"));
                if let ([Some(class)], true) = (&open[..], is_static) {
                    let package = package_of(words);
                    return Some(if package.is_empty() {
                        (*class).to_owned()
                    } else {
                        format!("{package}.{class}")
                    });
                }
            }
            _ => {}
        }
    }
    None
}

/// The package of a Java source, or an empty text.
pub fn java_package(source: &str) -> String {
    package_of(&words(source, Style::Slashes))
}

fn package_of(words: &[&str]) -> String {
    let Some(begin) = words.iter().take(64).position(|word| *word == "package") else { return String::new() };
    let name = words[begin + 1..].iter().take_while(|word| **word != ";").take(64);
    name.copied().collect()
}

/// `static void Main(…)`, with whatever it returns.
fn of_csharp(words: &[&str]) -> bool {
    words.windows(2).enumerate().any(|(index, pair)| {
        pair == ["Main", "("] && words[index.saturating_sub(6)..index].contains(&"static")
    })
}

/// `main :: IO ()` or `main = …`, at the beginning of a line.
fn is_haskells(line: &str) -> bool {
    let rest = line.strip_prefix("main").map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with("::") || rest.starts_with('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(language: Compiled, source: &str) -> Option<Main> {
        main_of(Language::Compiled(language), source)
    }

    #[test]
    fn mains_are_found_and_declarations_calls_and_comments_are_none() {
        for (language, source) in [
            (Compiled::C, "int\nmain(int argc, char *argv[])\n{ return 0; }"),
            (Compiled::C, "void f(void) { }\nint main() { }"),
            (Compiled::Cpp, "#include <x>\nauto main() -> int { }\nint main(int a, char **b) try { }"),
            (Compiled::Rust, "use std::io;\nfn main() {}"),
            (Compiled::Go, "// hex\npackage main\nfunc main() {}"),
            (Compiled::CSharp, "class A { public static async Task<int> Main(string[] a) {} }"),
            (Compiled::Haskell, "module Main where\nmain :: IO ()\nmain = return ()"),
        ] {
            assert_eq!(found(language, source), Some(Main::File), "{source}");
        }
        for (language, source) in [
            (Compiled::C, "int main(void);\n/* int main() {} */\nchar *s = \"int main() {}\";"),
            (Compiled::C, "void f(void) { main(); }"),
            (Compiled::C, "#if 0\nint main(void) { }\n#endif\nint domain(int x) { return x; }"),
            (Compiled::Rust, "mod x { fn main() {} }"),
            (Compiled::Go, "package board\nfunc main() {}"),
            (Compiled::Haskell, "mainLoop = 3\n-- main = x"),
        ] {
            assert_eq!(found(language, source), None, "{source}");
        }
    }

    #[test]
    fn brackets_without_end_take_no_time() {
        assert_eq!(found(Compiled::C, &"main(".repeat(200_000)), None);
        assert_eq!(
            found(Compiled::C, &format!("{}int main() {{", "main(x);".repeat(50_000))),
            Some(Main::File)
        );
    }

    #[test]
    fn the_class_that_begins_a_java_program_is_named_with_its_package() {
        let class = |source: &str| match found(Compiled::Java, source) {
            Some(Main::Class(class)) => class,
            other => panic!("{other:?}: {source}"),
        };
        assert_eq!(
            class("package br.usp;\npublic class Main { public static void main(String[] a) {} }"),
            "br.usp.Main"
        );
        assert_eq!(
            class(
                "class Cell { class X {} }\nfinal class Bot<T> { static public void main(String... a) {} }"
            ),
            "Bot"
        );
        assert_eq!(
            class(
                "import x.y; class A { Object o = B.class; } enum Go { ; public static void main(String[] a) {} }"
            ),
            "Go"
        );
        assert_eq!(
            found(Compiled::Java, "class A { void main(String[] a) {} /* static void main( */ }"),
            None
        );
    }

    #[test]
    fn a_python_program_says_so() {
        let python = |source| main_of(Language::Interpreted("python3"), source);
        assert_eq!(python("def f(): pass\nif __name__ == '__main__':\n    f()"), Some(Main::File));
        assert_eq!(python("'''\nif __name__ == '__main__':\n'''"), None);
    }
}

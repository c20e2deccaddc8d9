//! What has to be known of a programming language to tell its tokens apart.

use std::path::Path;

/// The lexical rules of a family of languages.
pub struct Syntax {
    /// Tells families apart: nothing of one is alike to anything of another.
    pub family: u64,
    /// What begins a comment that ends with its line.
    pub line_comments: &'static [&'static str],
    /// What begins and ends a comment.
    pub block_comment: Option<(&'static str, &'static str)>,
    /// Whether comments can stand in comments.
    pub is_nested: bool,
    /// What begins and ends a text.
    pub quotes: &'static [&'static str],
    /// Whether a single quotation mark can also stand alone, as in Rust's lifetimes and Haskell's names.
    pub has_lone_quotes: bool,
    /// Words that stay as they are. All others are names.
    pub keywords: &'static [&'static str],
    /// Words that say nothing of what a program does: they are left out.
    pub modifiers: &'static [&'static str],
    /// What lines begin with that ask for libraries: they are left out.
    pub imports: &'static [&'static str],
    /// Letters that are left out, since they are a matter of layout.
    pub layout: &'static str,
    /// Whether lines and their indentation have a meaning.
    pub is_indented: bool,
}

/// C, C++, Java, JavaScript, TypeScript, Rust, Go, C# and their like. A block of one statement may have braces or not, and in some a
/// statement may end without a semicolon, so neither is a token. Types of numbers are names like others.
static C_LIKE: Syntax = Syntax {
    family: 1,
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    is_nested: false,
    quotes: &["\"", "'", "`"],
    has_lone_quotes: true,
    keywords: &[
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "break",
        "continue",
        "return",
        "goto",
        "struct",
        "class",
        "enum",
        "union",
        "interface",
        "typedef",
        "new",
        "delete",
        "sizeof",
        "try",
        "catch",
        "finally",
        "throw",
        "this",
        "super",
        "fn",
        "func",
        "function",
        "impl",
        "trait",
        "match",
        "loop",
        "in",
        "of",
        "range",
        "defer",
        "select",
        "yield",
        "await",
        "async",
        "lambda",
        "foreach",
        "template",
        "operator",
        "where",
        "extends",
        "implements",
        "self",
        "instanceof",
        "typeof",
        "as",
        "is",
    ],
    modifiers: &[
        "const",
        "static",
        "final",
        "public",
        "private",
        "protected",
        "inline",
        "extern",
        "register",
        "volatile",
        "unsigned",
        "signed",
        "mut",
        "pub",
        "let",
        "var",
        "auto",
        "readonly",
        "internal",
        "export",
        "abstract",
        "override",
        "virtual",
        "constexpr",
        "noexcept",
        "synchronized",
        "sealed",
        "unsafe",
    ],
    imports: &["#include", "import ", "using ", "package ", "use ", "#pragma", "extern crate "],
    layout: "{};",
    is_indented: false,
};

/// Python, with the end of lines and their indentation.
static PYTHON: Syntax = Syntax {
    family: 2,
    line_comments: &["#"],
    block_comment: None,
    is_nested: false,
    quotes: &["\"\"\"", "'''", "\"", "'"],
    has_lone_quotes: false,
    keywords: &[
        "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
        "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "self", "match", "case",
    ],
    modifiers: &[],
    imports: &["import ", "from "],
    layout: ";",
    is_indented: true,
};

/// Haskell.
static HASKELL: Syntax = Syntax {
    family: 3,
    line_comments: &["--"],
    block_comment: Some(("{-", "-}")),
    is_nested: true,
    quotes: &["\"", "'"],
    has_lone_quotes: true,
    keywords: &[
        "case", "class", "data", "deriving", "do", "else", "if", "in", "infix", "infixl", "infixr",
        "instance", "let", "newtype", "of", "then", "type", "where", "forall", "foreign",
    ],
    modifiers: &[],
    imports: &["import ", "module "],
    layout: "{};",
    is_indented: false,
};

/// Languages with `#` for comments and `end` for blocks.
static SCRIPT: Syntax = Syntax {
    family: 4,
    line_comments: &["#"],
    block_comment: None,
    is_nested: false,
    quotes: &["\"", "'"],
    has_lone_quotes: false,
    keywords: COMMON,
    modifiers: &["my", "our", "local"],
    imports: &["require ", "use ", "source ", "using ", "import "],
    layout: "{};",
    is_indented: false,
};

/// Languages with `--` for comments.
static DASHED: Syntax = Syntax { family: 5, line_comments: &["--"], block_comment: None, ..COMMON_SYNTAX };

/// OCaml, F# and Pascal.
static ML: Syntax = Syntax { family: 6, block_comment: Some(("(*", "*)")), is_nested: true, ..COMMON_SYNTAX };

/// Lisps.
static LISP: Syntax = Syntax { family: 7, line_comments: &[";"], quotes: &["\""], ..COMMON_SYNTAX };

const COMMON_SYNTAX: Syntax = Syntax {
    family: 0,
    line_comments: &[],
    block_comment: None,
    is_nested: false,
    quotes: &["\"", "'"],
    has_lone_quotes: true,
    keywords: COMMON,
    modifiers: &["local", "rec", "var"],
    imports: &["open ", "require ", "uses "],
    layout: "{};",
    is_indented: false,
};

/// Words that nearly all languages have.
const COMMON: &[&str] = &[
    "and",
    "begin",
    "break",
    "case",
    "class",
    "def",
    "define",
    "do",
    "done",
    "elif",
    "else",
    "elsif",
    "elseif",
    "end",
    "fi",
    "for",
    "foreach",
    "fun",
    "function",
    "if",
    "in",
    "lambda",
    "let",
    "loop",
    "match",
    "module",
    "next",
    "not",
    "of",
    "or",
    "procedure",
    "repeat",
    "return",
    "sub",
    "then",
    "type",
    "unless",
    "until",
    "when",
    "while",
    "with",
    "yield",
];

impl Syntax {
    /// The syntax of a file, by the ending of its name; nothing for a file that is no source.
    pub fn of(path: &Path) -> Option<&'static Syntax> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        Some(match ending.as_str() {
            "c" | "h" | "cc" | "cpp" | "cxx" | "c++" | "hh" | "hpp" | "hxx" | "java" | "js" | "mjs"
            | "cjs" | "jsx" | "ts" | "mts" | "tsx" | "rs" | "go" | "cs" | "kt" | "kts" | "scala"
            | "swift" | "dart" | "d" | "php" | "zig" | "groovy" | "v" => &C_LIKE,
            "py" | "pyw" => &PYTHON,
            "hs" | "lhs" => &HASKELL,
            "rb" | "sh" | "bash" | "pl" | "pm" | "jl" | "r" | "ex" | "exs" | "nim" | "tcl" | "awk" => &SCRIPT,
            "lua" | "adb" | "ads" | "elm" | "sql" => &DASHED,
            "ml" | "mli" | "fs" | "fsx" | "pas" | "pp" => &ML,
            "lisp" | "lsp" | "scm" | "rkt" | "clj" | "el" => &LISP,
            _ => return None,
        })
    }
}

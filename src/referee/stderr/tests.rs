//! Errors as the programs of this world really write them.

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

use super::*;

/// What is read, as `file:line: what`, and the obstacle.
fn summary(stderr: &str) -> String {
    let Some(message) = read(stderr.as_bytes()) else { return "nothing".to_owned() };
    let place = match (&message.file, message.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: "),
        _ => String::new(),
    };
    let obstacle = message.obstacle.map_or(String::new(), |obstacle| format!(" | {obstacle:?}"));
    format!("{place}{}{obstacle}", message.what)
}

#[track_caller]
fn all_read(table: &[(&str, &str)]) {
    for (stderr, expected) in table {
        assert_eq!(summary(stderr), *expected, "in:\n{stderr}");
    }
}

#[test]
fn python_errors_have_the_last_place_in_the_students_own_source() {
    all_read(&[
        (
            "Traceback (most recent call last):\n  File \"/bot/e1.py\", line 6, in <module>\n    main()\n  File \"/bot/e1.py\", \
             line 3, in move\n    return b[99]\n           ~^^^^\nIndexError: list index out of range\n",
            "e1.py:3: IndexError: list index out of range",
        ),
        (
            "  File \"/tmp/x/e2.py\", line 1\n    def f(\n         ^\nSyntaxError: '(' was never closed\n",
            "e2.py:1: SyntaxError: '(' was never closed",
        ),
        (
            "  File \"/x/e10.py\", line 3\n    return x\nTabError: inconsistent use of tabs and spaces in indentation\n",
            "e10.py:3: TabError: inconsistent use of tabs and spaces in indentation",
        ),
        (
            "Traceback (most recent call last):\n  File \"<frozen runpy>\", line 198, in _run_module_as_main\n  File \
             \"/x/pk/__main__.py\", line 1, in <module>\n    import nope.sub\nModuleNotFoundError: No module named 'nope'\n",
            "__main__.py:1: ModuleNotFoundError: No module named 'nope' | MissingModule(\"nope\")",
        ),
        (
            "Exception in thread Thread-1 (work):\nTraceback (most recent call last):\n  File \
             \"/root/.pyenv/versions/3.11.7/lib/python3.11/threading.py\", line 982, in run\n    self._target()\n  File \
             \"/x/e9.py\", line 2, in work\n    raise ValueError(\"in thread\")\n    ^^^^\nValueError: in thread\n",
            "e9.py:2: ValueError: in thread",
        ),
        (
            "Traceback (most recent call last):\n  File \"/x/e7.py\", line 6, in f\n    json.loads(\"nope\")\n  File \
             \"/usr/lib/python3.11/json/decoder.py\", line 355, in raw_decode\n    raise JSONDecodeError(\"Expecting \
             value\", s, err.value) from None\njson.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n",
            "e7.py:6: json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
        ),
        ("usage: bot b|p\n", "nothing"),
        ("", "nothing"),
    ]);
}

#[test]
fn in_a_chain_of_python_errors_the_cause_counts_and_what_was_handled_does_not() {
    let chain = |link: &str| {
        format!(
            "Traceback (most recent call last):\n  File \"/x/e6.py\", line 4, in f\n    book[\"a\"]\nKeyError: 'a'\n\n{link}, another \
             exception occurred:\n\nTraceback (most recent call last):\n  File \"/x/e6.py\", line 6, in f\n    g()\n\
             RuntimeError: cannot read book\n"
        )
    };
    let handled = chain("During handling of the above exception");
    let cause = chain("The above exception was the direct cause of the following exception");
    all_read(&[
        (&handled, "e6.py:6: RuntimeError: cannot read book"),
        (&cause, "e6.py:4: KeyError: 'a'"),
        (
            "Exception ignored in: <_io.TextIOWrapper name='<stdout>'>\nBrokenPipeError: [Errno 32] Broken pipe\n",
            "nothing",
        ),
    ]);
}

#[test]
fn java_errors_have_the_first_place_outside_the_library_and_the_deepest_cause() {
    all_read(&[
        (
            "Exception in thread \"main\" java.lang.IndexOutOfBoundsException: Index 3 out of bounds for length 0\n\tat \
             java.base/java.util.ArrayList.get(ArrayList.java:427)\n\tat E1.f(E1.java:2)\n\tat E1.main(E1.java:3)\n",
            "E1.java:2: java.lang.IndexOutOfBoundsException: Index 3 out of bounds for length 0",
        ),
        (
            "Exception in thread \"main\" java.lang.RuntimeException: bad move\n\tat E2.main(E2.java:1)\nCaused by: \
             java.lang.NumberFormatException: For input string: \"3,4\"\n\tat \
             java.base/java.lang.Integer.parseInt(Integer.java:668)\n\t... 1 more\n",
            "E2.java:1: java.lang.NumberFormatException: For input string: \"3,4\"",
        ),
        (
            "Exception in thread \"main\" java.lang.ExceptionInInitializerError\nCaused by: \
             java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3\n\tat E5.<clinit>(E5.java:1)\n",
            "E5.java:1: java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3",
        ),
        (
            "Exception in thread \"main\" java.io.FileNotFoundException: log.txt (Read-only file system)\n\tat \
             java.base/java.io.FileInputStream.open0(Native Method)\n\tat E3.main(E3.java:2)\n",
            "E3.java:2: java.io.FileNotFoundException: log.txt (Read-only file system) | ReadOnlyFile(Some(\"log.txt\"))",
        ),
        (
            "Exception in thread \"main\" java.nio.file.NoSuchFileException: /proc/x/log.txt\n\tat \
             java.base/sun.nio.fs.UnixException.rethrow(UnixException.java:92)\n\tat E7.main(E7.java:2)\n",
            "E7.java:2: java.nio.file.NoSuchFileException: /proc/x/log.txt | MissingFile(Some(\"/proc/x/log.txt\"))",
        ),
        (
            "Exception in thread \"main\" java.lang.StackOverflowError\n\tat E4.f(E4.java:1)\n",
            "E4.java:1: java.lang.StackOverflowError",
        ),
        (
            "Error: Could not find or load main class Nada\nCaused by: java.lang.ClassNotFoundException: Nada\n",
            "Could not find or load main class Nada | MissingClass(\"Nada\")",
        ),
        (
            "Error: Unable to access jarfile nada.jar\n",
            "Unable to access jarfile nada.jar | MissingFile(Some(\"nada.jar\"))",
        ),
        (
            "Error: Main method not found in class E9, please define the main method as:\n   public static void main(\n",
            "Main method not found in class E9",
        ),
        (
            "X.java:1: error: illegal start of expression\nclass X { int y = ; }\n                  ^\n1 error\n",
            "X.java:1: illegal start of expression",
        ),
    ]);
}

#[test]
fn node_errors_have_the_first_call_outside_node() {
    all_read(&[
        (
            "/x/n1.js:1\nfunction f(b) { return b[99].x; }\n                             ^\n\nTypeError: Cannot read properties \
             of undefined (reading 'x')\n    at f (/x/n1.js:1:30)\n    at Object.<anonymous> (/x/n1.js:2:1)\n    at Module._compile \
             (node:internal/modules/cjs/loader:1521:14)\n\nNode.js v20.20.2\n",
            "n1.js:1: TypeError: Cannot read properties of undefined (reading 'x')",
        ),
        (
            "/x/n2.js:4\nlet x = ;\n        ^\n\nSyntaxError: Unexpected token ';'\n    at wrapSafe \
             (node:internal/modules/cjs/loader:1464:18)\n\nNode.js v20.20.2\n",
            "n2.js:4: SyntaxError: Unexpected token ';'",
        ),
        (
            "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module './nada'\nRequire stack:\n- \
             /x/n3.js\n    at require (node:internal/modules/helpers:182:18)\n    at Object.<anonymous> (/x/n3.js:7:1)\n",
            "n3.js:7: Error: Cannot find module './nada' | MissingModule(\"./nada\")",
        ),
        (
            "node:fs:573\n  return binding.open(\n                 ^\n\nError: ENOENT: no such file or directory, open 'book.txt'\n    \
             at Object.openSync (node:fs:573:18)\n    at Object.<anonymous> (/x/n4.js:1:15)\n    at \
             node:internal/main/run_main_module:28:49 {\n  errno: -2,\n",
            "n4.js:1: Error: ENOENT: no such file or directory, open 'book.txt' | MissingFile(Some(\"book.txt\"))",
        ),
        (
            "\n/x/n6.js:1\nthrow \"a string\";\n^\na string\n(Use `node --trace-uncaught ...` to show where)\n",
            "n6.js:1: a string",
        ),
        (
            "node:internal/modules/esm/resolve:873\n  throw new ERR_MODULE_NOT_FOUND();\n        ^\n\nError \
             [ERR_MODULE_NOT_FOUND]: Cannot find package 'nada' imported from /x/n8.mjs\n    at packageResolve \
             (node:internal/modules/esm/resolve:873:9)\n",
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nada' imported from /x/n8.mjs | MissingModule(\"nada\")",
        ),
        (
            "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module '/x/nada.js'\n    at \
             Module._load (node:internal/modules/cjs/loader:1038:27)\n",
            "Error: Cannot find module '/x/nada.js' | MissingFile(Some(\"/x/nada.js\"))",
        ),
    ]);
}

#[test]
fn c_and_cpp_errors_are_told_by_libraries_and_sanitizers() {
    all_read(&[
        ("c1: c1.c:3: main: Assertion `c == 7' failed.\n", "c1.c:3: Assertion `c == 7' failed"),
        ("Assertion failed: c == 7 (c1.c: main: 3)\n", "c1.c:3: Assertion failed: c == 7"),
        (
            "/usr/include/c++/12/bits/stl_vector.h:1123: reference std::vector<int>::operator[](size_type) [with _Tp = int]: \
             Assertion '__n < this->size()' failed.\n",
            "Assertion '__n < this->size()' failed",
        ),
        (
            "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check: __n (which is \
             7) >= this->size() (which is 0)\n",
            "std::out_of_range: vector::_M_range_check: __n (which is 7) >= this->size() (which is 0)",
        ),
        ("terminate called after throwing an instance of 'int'\n", "an exception that nobody caught: int"),
        (
            "=================================================================\n==872==ERROR: AddressSanitizer: \
             heap-buffer-overflow on address 0x602000000028 at pc 0x55c9a57711ee\nWRITE of size 4 at 0x602000000028 thread T0\n    #0 \
             0x55c9a57711ed in f /tmp/h/c2.c:2\n    #1 0x55c9a5771271 in main /tmp/h/c2.c:3\n",
            "c2.c:2: AddressSanitizer: heap-buffer-overflow",
        ),
        (
            "==1206==ERROR: AddressSanitizer: attempting double-free on 0x60b0000000f0 in thread T0:\n    #0 0x7f1005cb76a8 in \
             __interceptor_free ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:52\n    #1 0x5572c6371256 in main /x/c4.c:2\n",
            "c4.c:2: AddressSanitizer: attempting double-free",
        ),
        (
            "WARNING: ThreadSanitizer: data race (pid=1069)\n  Read of size 4 at 0x562f7a8cf054 by main thread:\n    #0 main \
             /x/c7.c:2 (c7+0x1242)\n",
            "c7.c:2: ThreadSanitizer: data race",
        ),
        (
            "c3.c:3:73: runtime error: index 7 out of bounds for type 'int [5][5]'\n",
            "c3.c:3: index 7 out of bounds for type 'int [5][5]'",
        ),
        (
            "==2==ERROR: AddressSanitizer failed to allocate 0xdfff0001000 (15392894357504) bytes at address 2008fff7000 (errno: \
             12)\n==2==ReserveShadowMemoryRange failed while trying to map 0xdfff0001000 bytes. Perhaps you're using ulimit -v\n",
            "AddressSanitizer failed to allocate | SanitizerMemory",
        ),
        ("free(): double free detected in tcache 2\n", "free(): double free detected in tcache 2"),
        ("*** stack smashing detected ***: terminated\n", "*** stack smashing detected ***: terminated"),
        ("malloc(): corrupted top size\n", "malloc(): corrupted top size"),
        ("fopen: No such file or directory\n", "fopen: No such file or directory | MissingFile(None)"),
        (
            "book.txt: No such file or directory\n",
            "book.txt: No such file or directory | MissingFile(Some(\"book.txt\"))",
        ),
        (
            "./x7: error while loading shared libraries: libfoo.so: cannot open shared object file: No such file or directory\n",
            "error while loading shared libraries: libfoo.so: cannot open shared object file: No such file or directory | \
             MissingLibrary(\"libfoo.so\")",
        ),
        (
            "./x: /lib/libc.so.6: version `GLIBC_2.38' not found (required by ./x)\n",
            "./x: /lib/libc.so.6: version `GLIBC_2.38' not found (required by ./x) | MissingLibrary(\"GLIBC_2.38\")",
        ),
    ]);
}

#[test]
fn rust_and_go_panics_have_their_place() {
    all_read(&[
        (
            "\nthread 'main' (32261) panicked at src/r1.rs:1:90:\nindex out of bounds: the len is 0 but the index is 6\nstack \
             backtrace:\n   0: __rustc::rust_begin_unwind\n             at /rustc/59807616/library/std/src/panicking.rs:689:5\n",
            "r1.rs:1: index out of bounds: the len is 0 but the index is 6",
        ),
        (
            "thread 'main' panicked at 'called `Option::unwrap()` on a `None` value', src/main.rs:5:10\n",
            "main.rs:5: called `Option::unwrap()` on a `None` value",
        ),
        (
            "panic: runtime error: index out of range [7] with length 2\n\ngoroutine 1 [running]:\nmain.f(...)\n\t/x/g1.go:2\n\
             main.main()\n\t/x/g1.go:3 +0x1d\n",
            "g1.go:2: panic: runtime error: index out of range [7] with length 2",
        ),
        (
            "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\nruntime stack:\n\
             runtime.throw({0x46581a?})\n\t/usr/lib/go-1.19/src/runtime/panic.go:1047 +0x5d\n\ngoroutine 1 [running]:\nmain.f(0x1?)\n\
             \t/x/g5.go:2 +0x33 fp=0xc0\n",
            "g5.go:2: fatal error: stack overflow",
        ),
        (
            "2026/11/18 11:54:25 open book.txt: no such file or directory\n",
            "open book.txt: no such file or directory | MissingFile(Some(\"book.txt\"))",
        ),
    ]);
}

#[test]
fn shells_name_the_line_and_the_command_they_did_not_find() {
    all_read(&[
        (
            "./s.sh: line 3: foo: command not found\n",
            "s.sh:3: foo: command not found | MissingCommand(\"foo\")",
        ),
        ("s.sh: 3: foo: not found\n", "s.sh:3: foo: not found | MissingCommand(\"foo\")"),
        ("bash: foo: command not found\n", "foo: command not found | MissingCommand(\"foo\")"),
        (
            "u.sh: 1: exec: ./nada: not found\n",
            "u.sh:1: exec: ./nada: not found | MissingCommand(\"./nada\")",
        ),
        (
            "s.sh: 6: cannot create /proc/x/y: Directory nonexistent\n",
            "s.sh:6: cannot create /proc/x/y: Directory nonexistent | MissingFile(Some(\"/proc/x/y\"))",
        ),
        (
            "t.sh: line 2: syntax error near unexpected token `newline'\nt.sh: line 2: `echo ('\n",
            "t.sh:2: syntax error near unexpected token `newline'",
        ),
        ("/x/bot: 3: Syntax error: \"(\" unexpected\n", "bot:3: Syntax error: \"(\" unexpected"),
        (
            "./b.sh: line 30: 09: value too great for base (error token is \"09\")\n",
            "b.sh:30: 09: value too great for base (error token is \"09\")",
        ),
        (
            "/bot/b.sh: line 35:     3 Segmentation fault      ./hex b\n",
            "b.sh:35: Segmentation fault      ./hex b",
        ),
        ("depth: 12: best 3 4\nscore: 7: fine\n", "nothing"),
    ]);
}

#[test]
fn other_languages_are_read_too() {
    all_read(&[
        ("bad move at p.pl line 2.\n", "p.pl:2: bad move"),
        (
            "Can't locate Nada/X.pm in @INC (you may need to install the Nada::X module) (@INC contains: /etc/perl) at r.pl line 1.\n",
            "r.pl:1: Can't locate Nada/X.pm in @INC | MissingModule(\"Nada::X\")",
        ),
        ("syntax error at s.pl line 1, near \"= ;\"\n", "s.pl:1: syntax error"),
        (
            "x.rb:3:in `f': undefined local variable or method `y' for main:Object (NameError)\n\tfrom x.rb:5:in `<main>'\n",
            "x.rb:3: undefined local variable or method `y' for main:Object (NameError)",
        ),
        (
            "<internal:/usr/lib/ruby/rubygems.rb>:85:in `require': cannot load such file -- nada (LoadError)\n\tfrom \
             <internal:/usr/lib/ruby/rubygems.rb>:85:in `require'\n\tfrom x.rb:1:in `<main>'\n",
            "x.rb:1: cannot load such file -- nada (LoadError) | MissingModule(\"nada\")",
        ),
        (
            "lua: x.lua:3: attempt to index a nil value (local 'b')\nstack traceback:\n",
            "x.lua:3: attempt to index a nil value (local 'b')",
        ),
        (
            "lua5.4: x.lua:1: module 'nada' not found:\n\tno field package.preload['nada']\n",
            "x.lua:1: module 'nada' not found | MissingModule(\"nada\")",
        ),
        ("bot: Prelude.read: no parse\n", "Prelude.read: no parse"),
        (
            "bot: no move\nCallStack (from HasCallStack):\n  error, called at src/Main.hs:12:5 in main:Main\n",
            "Main.hs:12: no move",
        ),
        (
            "Unhandled exception. System.IndexOutOfRangeException: Index was outside the bounds of the array.\n   at \
             Bot.Play(Int32 i) in /x/Program.cs:line 12\n   at Bot.Main()\n",
            "Program.cs:12: System.IndexOutOfRangeException: Index was outside the bounds of the array",
        ),
        (
            "Traceback (most recent call last):\n  File \"/x/net.py\", line 2, in <module>\nOSError: [Errno 101] Network is unreachable\n",
            "net.py:2: OSError: [Errno 101] Network is unreachable | Network",
        ),
    ]);
}

#[test]
fn what_a_program_said_before_its_error_does_not_matter() {
    let text = "loading book.txt: No such file or directory\nthinking...\nTraceback (most recent call last):\n  File \"/x/a.py\", \
                line 9, in <module>\nZeroDivisionError: division by zero\n";
    assert_eq!(summary(text), "a.py:9: ZeroDivisionError: division by zero");
    assert_eq!(
        summary("k\u{1b}[2J.c:1: f: Assertion `x' failed.\r\n"),
        "k\\u{1b}[2J.c:1: Assertion `x' failed"
    );
}

/// Pieces of real errors, in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    const WORDS: &[&str] = &[
        "Traceback (most recent call last):",
        "  File \"",
        "\", line ",
        "7",
        "\n",
        "\n",
        ": ",
        "'",
        "\"",
        " at ",
        "    at ",
        "\tat ",
        "Exception in thread \"",
        "Caused by: ",
        "panicked at ",
        "thread '",
        "panic: ",
        "goroutine ",
        "ERROR: ",
        "Sanitizer: ",
        "x.py",
        ".js:3",
        "(",
        ")",
        "terminate called ",
        "what():",
        "No such file",
        "line ",
        "not found",
        "Assertion failed: ",
        "nhandled exception",
        ", file ",
        "Error: ",
        "LinkageError occurred",
        "\u{e9}",
        "\u{1b}[2J",
        "^",
        " line 3.",
        "CallStack (from ",
        "\t",
        "module ",
        "Can't locate ",
        "@INC",
        "lua: ",
        ".rb:1:in `",
        "During handling of the above exception",
    ];
    let piece = prop_oneof![
        proptest::sample::select(WORDS).prop_map(|word| word.as_bytes().to_vec()),
        any::<[u8; 2]>().prop_map(Vec::from)
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

#[test]
fn anything_is_read_and_what_comes_out_is_short_and_printable() {
    let config = ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() };
    let seed = RngSeed::Fixed(crate::test_seed::seed());
    let mut runner = TestRunner::new(ProptestConfig { rng_seed: seed, ..config });
    let all_hold = runner.run(&pieces(), |stderr| {
        let Some(ErrorMessage { what, file, line, obstacle }) = read(&stderr) else { return Ok(()) };
        prop_assert!(!what.is_empty());
        prop_assert_eq!(file.is_some(), line.is_some());
        for text in [what, file.unwrap_or_default(), format!("{obstacle:?}")] {
            prop_assert!(text.chars().count() < 200, "{}", text);
            prop_assert!(!text.chars().any(char::is_control), "{}", text);
        }
        Ok(())
    });
    all_hold.unwrap();
}

/// A reader that looks at lines again and again would take minutes here.
#[test]
fn a_megabyte_of_anything_is_read() {
    let pieces = [
        "a:1:",
        "  File \"x\", line 1\n",
        "Unhandled exception\n",
        "x: 1: \n",
        "'",
        "thread 'a' panicked at \n",
        "\n",
    ];
    for piece in pieces {
        read(piece.repeat((1 << 20) / piece.len()).as_bytes());
    }
}

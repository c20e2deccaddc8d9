//! All readers together: which of them is believed.

use super::message::{ErrorMessage, Found};
use super::{compiled, interpreted, shells};

/// Bytes of a line that are looked at.
const LONGEST: usize = 4096;

/// Finds the error in the lines of a text.
type Reader = for<'a> fn(&[&'a str]) -> Option<Found<'a>>;

/// Those that know an error by its form. The earliest error is taken: later ones often follow from it.
const SURE: &[Reader] = &[
    interpreted::python,
    interpreted::python_without_program,
    interpreted::javascript,
    interpreted::ruby,
    interpreted::lua,
    compiled::java,
    compiled::java_launcher,
    compiled::csharp,
    compiled::rust,
    compiled::go,
    compiled::assertion,
    compiled::cpp_exception,
    compiled::sanitizer,
    compiled::undefined_behaviour,
    compiled::heap,
    compiled::loader,
    compiled::compiler,
    compiled::haskell,
];

/// Those that know it only by its words, which a program may also write when all is well: asked where no other has found anything.
const LIKELY: &[Reader] = &[shells::shell, interpreted::perl, shells::system];

/// The first real error in what a program wrote to stderr; none where it does not speak of one in any way that is known.
pub fn read(stderr: &[u8]) -> Option<ErrorMessage> {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text.split('\n').map(beginning).collect();
    let earliest =
        |readers: &[Reader]| readers.iter().filter_map(|reader| reader(&lines)).min_by_key(|found| found.at);
    earliest(SURE).or_else(|| earliest(LIKELY))?.message()
}

/// As much of a line as is looked at, without the line end of Windows.
fn beginning(line: &str) -> &str {
    let mut end = line.len().min(LONGEST);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line[..end].trim_end()
}

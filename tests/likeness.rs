//! Programs that are alike: copies are found however they are disguised, and honest programs for one task are not listed.

use std::fs;
use std::path::{Path, PathBuf};

use arbitro::handins::likeness::{Likeness, compare};
use rustix::time::{ClockId, clock_gettime};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Fourteen honest players of Hex in C, C++, Java, JavaScript and Python.
fn honest() -> Vec<(String, PathBuf)> {
    let folders = fs::read_dir(data("handins")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> =
        folders.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path)).collect();
    found.sort();
    assert_eq!(found.len(), 14);
    found
}

/// A hand-in of one file.
fn handin(folder: &Path, name: &str, file: &str, text: &str) -> (String, PathBuf) {
    let path = folder.join(name);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join(file), text).unwrap();
    (name.to_owned(), path)
}

fn pairs(found: &[Likeness]) -> Vec<(&str, &str)> {
    found.iter().map(|pair| (pair.one.as_str(), pair.other.as_str())).collect()
}

#[test]
fn honest_programs_for_one_task_are_not_listed() {
    let found = compare(&honest(), None);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_copy_with_other_names_another_layout_and_other_order_is_found() {
    let mut handins = honest();
    handins.push(("zeca".to_owned(), data("copies/zeca")));
    let found = compare(&handins, None);
    assert_eq!(pairs(&found), [("ana", "zeca")]);
    let sentence = found[0].to_string();
    assert!(sentence.starts_with("ana and zeca: "), "{sentence}");
    assert!(sentence.contains("% of the smaller program's code is alike, most of it 'hex.c' "), "{sentence}");
    assert!(found[0].share > 0.7, "{sentence}");
}

#[test]
fn a_copy_in_python_is_found_in_another_file_of_a_larger_program() {
    let folder = tempfile::tempdir().unwrap();
    let mut handins = honest();
    let own = fs::read_to_string(data("handins/fabio/hex.py")).unwrap();
    let copy = own
        .replace("    ", "\t")
        .replace("casa", "cell")
        .replace("custo", "price")
        .replace("fila", "heap")
        .replace("veio", "came_from")
        .replace("\ndef main", "\n\n# the game\ndef main");
    let copy = copy.lines().map(|line| format!("{line}  # so\n\n")).collect::<String>();
    let (name, path) = handin(folder.path(), "otto", "paths.py", &copy);
    fs::write(path.join("rest.py"), fs::read_to_string(data("handins/helena/helena.py")).unwrap()).unwrap();
    handins.push((name, path));
    let found = compare(&handins, None);
    assert_eq!(pairs(&found), [("fabio", "otto"), ("helena", "otto")]);
    assert_eq!(found[0].places[0].1.file, Path::new("paths.py"));
}

#[test]
fn what_everybody_was_given_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/hex/random.py");
    let text = fs::read_to_string(&template).unwrap();
    let given = handin(folder.path(), "given", "random.py", &text).1;
    let strategy = |name: &str| fs::read_to_string(data("handins").join(name)).unwrap();
    let ana = handin(folder.path(), "ana", "bot.py", &(text.clone() + &strategy("eva/bot.py")));
    let beto = handin(folder.path(), "beto", "bot.py", &(text.clone() + &strategy("gil/main.py")));
    let handins = [ana, beto];
    assert_eq!(pairs(&compare(&handins, None)), [("ana", "beto")]);
    assert_eq!(pairs(&compare(&handins, Some(&given))), []);
    // Nor what many have in common, even if nobody says that it was given.
    let mut class = handins.to_vec();
    for name in ["fabio/hex.py", "helena/helena.py", "gil/main.py"] {
        let own = if name.starts_with("gil") { String::new() } else { strategy(name) };
        let student = name.split('/').next().unwrap();
        class.push(handin(folder.path(), student, "bot.py", &(text.clone() + &own)));
    }
    assert_eq!(pairs(&compare(&class, None)), []);
}

#[test]
fn two_hundred_hand_ins_and_hostile_files_take_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let all: String =
        honest().iter().filter_map(|(_, path)| fs::read_to_string(path.join("hex.c")).ok()).collect();
    let mut dice = fastrand::Rng::with_seed(4);
    let mut class = Vec::new();
    for student in 0..200 {
        // A thousand lines each, in an order of their own.
        let mut lines: Vec<&str> = all.lines().cycle().take(1000).collect();
        dice.shuffle(&mut lines);
        class.push(handin(folder.path(), &format!("s{student}"), "a.c", &lines.join("\n")));
    }
    class.push(handin(folder.path(), "line", "a.c", &"x(".repeat(100_000_000)));
    class.push(handin(folder.path(), "binary", "a.c", &"\0\u{1}".repeat(1000)));
    class.push(handin(folder.path(), "deep", "a.hs", &"{-".repeat(400_000)));
    class.push(handin(folder.path(), "same", "a.py", &"f(1)\n".repeat(100_000)));
    class.push(("gone".to_owned(), folder.path().join("gone")));
    std::os::unix::fs::symlink("/", folder.path().join("s0/everything")).unwrap();
    // Time of the processor: other tests run at the same time.
    let used = || clock_gettime(ClockId::ThreadCPUTime).tv_sec;
    let before = used();
    let found = compare(&class, None);
    assert!(used() - before < 30, "{} s", used() - before);
    assert_eq!(pairs(&found), []);
}

//! `arbitro-ref --solve` and `--analyse` on positions that are given as moves or as SGF files.

mod common;

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Output;

use common::{ARBITRO_REF, interruptible};

fn run(arguments: &[&str], folder: &Path) -> Output {
    interruptible(ARBITRO_REF).args(arguments).current_dir(folder).output().unwrap()
}

fn stdout(arguments: &[&str], folder: &Path) -> String {
    let output = run(arguments, folder);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "progress is for terminals only");
    String::from_utf8(output.stdout).unwrap()
}

/// A file of set-up stones and one of several games; Black of the file is the side that joins top and bottom.
fn folder_of_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("set-up.sgf", "(;FF[4]GM[11]SZ[9]AB[e2][d4][c6][b8]AW[a1][b1][c1]PL[W])");
    write("two.sgf", "(;FF[4]GM[11]SZ[3];B[a1];W[c1])(;FF[4]GM[11]SZ[4];B[b2])");
    write("over.sgf", "(;FF[4]GM[11]SZ[2];B[a1];W[b1];B[a2])");
    folder
}

#[test]
fn all_first_moves_are_shown_on_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let told = stdout(&["--solve", "--size", "5"], folder.path());
    let map = include_str!("data/hex/openings-5.txt");
    assert!(told.contains("who wins if white begins there (b: white does, p: black does):"), "{told}");
    assert!(told.contains(map), "{told}");
    assert!(told.contains("solved in "), "{told}");
}

#[test]
fn positions_are_moves_or_files() {
    let folder = folder_of_files();
    let told = |arguments: &[&str]| stdout(arguments, folder.path());
    assert!(told(&["--solve", "1", "1", "--size", "3"]).contains("black to move: white wins"));
    assert!(told(&["--solve", "set-up.sgf"]).contains("black to move: white wins"));
    assert!(told(&["--solve", "two.sgf", "2"]).contains("black to move: "));
    let told = told(&["--analyse", "set-up.sgf", "--time", "0.1"]);
    assert!(told.contains("black to move") && told.contains("at sight"), "{told}");
}

#[test]
fn all_winning_moves_are_listed() {
    let folder = folder_of_files();
    let told = stdout(&["--solve", "1 1", "--size", "3", "--winning-moves"], folder.path());
    assert!(told.contains("black to move loses with every move"), "{told}");
    let told = stdout(&["--solve", "two.sgf", "1", "--winning-moves"], folder.path());
    assert!(told.contains("white to move wins with: 1 1"), "{told}");
}

#[test]
fn what_is_not_decided_in_time_is_said_to_be_so() {
    let folder = tempfile::tempdir().unwrap();
    let tries: [(&[&str], &str); 3] = [
        (&["0 5"], "black to move: nobody knows who wins"),
        (&["0 5", "--winning-moves"], "black to move: no winning move is known yet\nnot decided: "),
        (&[], "? ? ?"),
    ];
    for (arguments, what) in tries {
        let common = ["--solve", "--size", "12", "--time", "0.3"];
        let output = run(&[&common, arguments].concat(), folder.path());
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{told}");
        assert!(told.contains(what), "{told}");
        assert!(told.contains("not decided in ") && told.contains("a larger --time may help"), "{told}");
    }
}

#[test]
fn files_that_hold_no_such_position_are_refused_in_plain_words() {
    let folder = folder_of_files();
    std::fs::write(folder.path().join("go.sgf"), "(;FF[4]GM[1]SZ[9];B[aa])").unwrap();
    for (arguments, what) in [
        (&["--solve", "none.sgf"][..], "cannot read 'none.sgf': there is no such file"),
        (&["--solve", "go.sgf"], "cannot read 'go.sgf': line 1: this is not a game of Hex"),
        (&["--solve", "two.sgf"], "'two.sgf' holds 2 games; add the number of one, as in: two.sgf 1"),
        (&["--solve", "two.sgf", "3"], "there is no game 3 in 'two.sgf'"),
        (
            &["--solve", "two.sgf", "1", "2 2"],
            "after 'two.sgf' there can be the number of a game, and no '2 2'",
        ),
        (&["--solve", "over.sgf"], "the game is over: white has won"),
        (&["--solve", "set-up.sgf", "--size", "8"], "the board in 'set-up.sgf' is 9×9; leave out --size"),
        (&["--solve", "0 0", "--size", "20"], "only boards up to 16×16 can be solved, not 20×20"),
        (&["--solve", "--size", "14"], "nobody waits for all first moves on 14×14"),
        (&["--winning-moves", "0 0"], "--solve"),
    ] {
        let output = run(arguments, folder.path());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(what), "{arguments:?}: {told}");
    }
}

#[test]
fn ctrl_c_ends_it() {
    let mut child = interruptible(ARBITRO_REF)
        .args(["--solve", "0 5", "--size", "12"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The board is printed before it searches.
    let mut board = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut board, &mut String::new()).unwrap();
    // SAFETY: the child has not been waited for, so that its number is its own.
    assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
    let status = child.wait().unwrap();
    // A shell makes 130 of it.
    assert_eq!(status.signal(), Some(libc::SIGINT), "{status}");
}

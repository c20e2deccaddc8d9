//! The commands that the README shows work as they stand.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The lines of the README's shell blocks, without comments.
fn commands() -> Vec<String> {
    let text = readme();
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks
        .flat_map(str::lines)
        .map(|line| line.split(" # ").next().unwrap().trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

/// The words of a command, as a shell would split them.
fn words(command: &str) -> Vec<String> {
    shell_words::split(command).unwrap()
}

#[test]
fn the_first_screen_has_the_two_commands() {
    let first_screen: Vec<String> = readme().lines().take(24).map(str::to_owned).collect();
    let found = |command: &str| first_screen.iter().any(|line| line == command);
    assert!(found(&commands()[0]) && commands()[0].starts_with("cargo run --release -- "));
    assert!(found("scripts/test"));
    let ci = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/run")).unwrap();
    assert!(ci.lines().any(|line| line.starts_with("scripts/test")), "CI calls the README's test command");
}

#[test]
fn the_main_command_does_its_job() {
    let folder = tempfile::tempdir().unwrap();
    let command = commands()[0].clone();
    let arguments = words(command.strip_prefix("cargo run --release -- ").unwrap());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = common::arbitro(folder.path(), &arguments);
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{errors}");
    assert!(text.contains("56 of 56 games") && !text.contains("left out"), "{text}{errors}");
    let lines: Vec<&str> = text.lines().collect();
    let name = |place: usize| lines[place].split_whitespace().nth(1).unwrap();
    assert!((1..=4).all(|place| name(place).starts_with("path") || name(place) == "greedy"), "{text}");
    assert!((5..=8).all(|place| name(place).starts_with("random")), "{text}");
}

/// Once, the tour named a folder whose programs are not all for the same game. So it runs as it stands, in a copy of what a
/// clone has of it, with nothing of our own beside it.
#[test]
fn the_tour_runs_in_the_projects_own_tree() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&root.join("bots"), &folder.path().join("bots"));
    copy(&root.join("scripts"), &folder.path().join("scripts"));
    let programs = folder.path().join("installed");
    std::fs::create_dir(&programs).unwrap();
    for (name, program) in [("arbitro", common::program()), ("arbitro-ref", common::ARBITRO_REF.into())] {
        std::os::unix::fs::symlink(program, programs.join(name)).unwrap();
    }
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut shown = 0;
    for command in
        commands().iter().filter(|command| !command.starts_with("cargo ") && *command != "scripts/test")
    {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(folder.path()).env("PATH", &path).stdin(Stdio::null());
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{command}: {}", common::stderr(&output));
        shown += 1;
    }
    assert!(shown >= 15, "only {shown} commands were found");
}

/// Copies a folder, but for what is built in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true if entry.file_name() == "bin" => {}
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// The file of settings that the README shows can be used.
#[test]
fn the_settings_file_works() {
    let folder = tempfile::tempdir().unwrap();
    let text = readme();
    let settings = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    std::fs::write(folder.path().join("class.toml"), settings).unwrap();
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots");
    std::os::unix::fs::symlink(bots, folder.path().join("bots")).unwrap();
    let arguments = ["championship", "--config", "class.toml", "@random", "--out", "out", "--quiet"];
    let output = common::arbitro(folder.path(), &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(common::journal(&folder.path().join("out")).len(), 4);
}

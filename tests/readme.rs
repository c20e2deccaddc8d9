//! The commands that the README shows work as they stand.

mod common;

use std::path::Path;

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
    assert!(ci.lines().any(|line| line == "scripts/test"), "CI calls the README's test command");
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

/// Every `arbitro` command of the tour is run, in a folder with programs of the names that it uses.
#[test]
fn the_tour_works() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/hex");
    let reference = |name: &str| std::os::unix::fs::symlink(common::ARBITRO_REF, path.join(name)).unwrap();
    std::fs::create_dir(path.join("bots")).unwrap();
    ["mybot", "mybot-last-week", "beto", "engine"].into_iter().for_each(reference);
    (1..=10).for_each(|number| reference(&format!("bots/student{number}")));
    std::fs::copy(sources.join("random.py"), path.join("ana.py")).unwrap();
    let mut shown = 0;
    for command in commands().iter().filter(|command| command.starts_with("arbitro ")) {
        let arguments = words(command);
        let arguments: Vec<&str> = arguments[1..].iter().map(String::as_str).collect();
        let output = common::arbitro(path, &arguments);
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        shown += 1;
    }
    assert!(shown >= 10, "only {shown} commands were found");
}

/// The file of settings that the README shows can be used.
#[test]
fn the_settings_file_works() {
    let folder = tempfile::tempdir().unwrap();
    let text = readme();
    let settings = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    std::fs::write(folder.path().join("class.toml"), settings).unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/hex");
    std::fs::copy(sources.join("path.py"), folder.path().join("ana.py")).unwrap();
    let arguments = ["championship", "--config", "class.toml", "@random", "--out", "out", "--quiet"];
    let output = common::arbitro(folder.path(), &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(common::journal(&folder.path().join("out")).len(), 4);
}

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
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("greedy"));
}

/// Every `arbitro` command of the tour is run, with programs and results put where it says.
#[test]
fn the_tour_works() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/hex");
    let reference = |name: &str| {
        std::os::unix::fs::symlink(common::ARBITRO_REF, path.join(name)).unwrap();
    };
    ["mybot", "mybot-last-week", "beto"].into_iter().for_each(reference);
    std::fs::copy(bots.join("random.py"), path.join("ana.py")).unwrap();
    let mut shown = 0;
    for command in commands().iter().filter(|command| command.starts_with("arbitro ")) {
        let mut arguments = words(command)[1..].to_vec();
        if arguments[0] == "duel" {
            // A match lands in a folder named after the moment; the tour names one.
            arguments.extend(["--out".to_owned(), format!("results/{shown}")]);
            arguments.extend(["--size".to_owned(), "5".to_owned()]);
        }
        if let Some(folder) = arguments.iter().find(|argument| argument.starts_with("results/duel")).cloned()
            && !path.join(&folder).exists()
        {
            std::fs::rename(path.join("results/0"), path.join(&folder)).unwrap();
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = common::arbitro(path, &arguments);
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        shown += 1;
    }
    assert!(shown >= 6, "only {shown} commands were found");
}

//! Options that cannot be used together.

/// Pairs of options, and why not both.
const REASONS: [(&str, &str, &str); 12] = [
    ("--no-sandbox", "--require-sandbox", "one asks for no containment at all, the other for all of it"),
    ("--no-sandbox", "--tier", "one asks for no containment at all, the other says how much"),
    ("--board", "--size", "the file of the board has its size in it"),
    ("--no-ponder", "--ponder", "one forbids what the other allows"),
    ("--at", "--all", "one prints a single position, the other all of them"),
    ("--at", "--delay", "one prints a single position, the other plays the game by itself"),
    ("--all", "--delay", "one prints all positions at once, the other one after the other"),
    ("--solve", "--analyse", "they are two ways of looking at a position"),
    ("--htp", "ARGUMENT", "an engine is told by its controller which side it plays"),
    ("--resume", "--out", "a championship goes on in its own folder"),
    (
        "--resume",
        "BOT|DIR",
        "a championship goes on with the bots it has; to change them, repeat its command with --out and --accept-changes",
    ),
    (
        "--resume",
        "",
        "a championship goes on with the settings it has; to change them, repeat its command with --out and --accept-changes",
    ),
];

/// What to say of two options that cannot be used together, or of one that is given twice.
pub fn sentence(one: &str, other: &str) -> String {
    if one == other || other.is_empty() {
        return format!("{one} is given twice; give it once");
    }
    let is_it = |(first, second, _): &&(&str, &str, &str)| {
        let other_than =
            |name: &str| if *first == one { other == name } else { *first == other && one == name };
        other_than(second) || second.is_empty() && (*first == one || *first == other)
    };
    match REASONS.iter().find(is_it) {
        Some((_, _, why)) => format!("{} and {} cannot be used together: {why}", plain(one), plain(other)),
        None => format!("{} and {} cannot be used together; leave one of them out", plain(one), plain(other)),
    }
}

/// What people call the places that have no name on the command line.
fn plain(name: &str) -> &str {
    match name {
        "ARGUMENT" => "the side to play",
        "BOT|DIR" => "bots",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_does_not_depend_on_the_order() {
        for [one, other] in [["--board", "--size"], ["--size", "--board"]] {
            assert!(sentence(one, other).ends_with(": the file of the board has its size in it"));
        }
        assert!(sentence("--rounds", "--resume").contains("the settings it has"));
        assert!(sentence("--resume", "--out").contains("its own folder"));
        assert_eq!(sentence("--size", "--size"), "--size is given twice; give it once");
    }
}

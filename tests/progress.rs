//! What is seen of a championship while it is played.

mod common;

use common::person::Person;

/// Names as long as a class has them, some of letters that are two columns wide.
fn bots() -> Vec<String> {
    let name = |index: usize| match index % 3 {
        0 => format!("a-student-with-a-name-of-more-than-32-letters-{index}=@random"),
        1 => format!("学生たちのボット_その{index}=@random"),
        _ => format!("bot{index}=@random"),
    };
    (0..8).map(name).collect()
}

#[test]
fn the_table_and_the_games_that_run_fit_the_terminal() {
    for (columns, rows) in [(80, 24), (40, 9)] {
        let folder = tempfile::tempdir().unwrap();
        let bots = bots();
        let options = ["--size", "6", "--jobs", "2", "--seed", "1", "--out", "c"];
        let arguments: Vec<&str> =
            ["championship"].into_iter().chain(bots.iter().map(String::as_str)).chain(options).collect();
        let mut person = Person::at_terminal((columns, rows), folder.path(), &arguments);
        let all = person.sees_until("56 of 56 games");
        for text in ["/56", "points", "ply ", " left"] {
            assert!(all.contains(text), "'{text}' is missing:\n{all}");
        }
        assert!(all.contains(" a minute, ") || all.contains("/min, "), "there is no rate:\n{all}");
        // The cursor goes back to the first line of what is shown: no farther than the terminal is high.
        let heights = all.split("\x1b[").filter_map(|code| {
            let (number, _) = code.split_once('A')?;
            number.parse::<u16>().ok()
        });
        let highest = heights.max().unwrap();
        assert!(highest < rows, "{highest} on {columns}×{rows}");
        // Everybody is in the table at the end, in a line of its own that is not too wide.
        let end = all.rsplit("\x1b[").next().unwrap();
        let lines: Vec<&str> = end.split("\r\n").skip(1).collect();
        let is_ranked = |line: &&&str| {
            let rank = line.split_whitespace().next().and_then(|word| word.parse::<usize>().ok());
            rank.is_some_and(|rank| rank <= bots.len())
        };
        assert_eq!(lines.iter().filter(is_ranked).count(), bots.len(), "{end}");
        for line in lines {
            assert!(console::measure_text_width(line) <= columns.into(), "{columns}: '{line}'");
        }
        person.leaves();
    }
}

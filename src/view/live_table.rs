//! A championship that is being played, on a terminal of any size: the standings, and the games that run.

use std::time::Duration;

use super::fit::{Size, cut, left, right, shorten};
use crate::record::text::counted;
use crate::score::Standing;

/// A game that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningGame {
    /// Who plays, in order of seats.
    pub names: Vec<String>,
    /// The time that each has used.
    pub used: Vec<Duration>,
    /// Whose turn it is, where that is known.
    pub to_move: Option<usize>,
    /// How many plies were made.
    pub plies: usize,
}

/// The fewest columns for a bot: several stand side by side where there are more bots than rows.
const NARROWEST: usize = 36;
/// The fewest columns for a name beside all numbers.
const NAME: usize = 14;
/// The columns of numbers, from the one that is needed most, each with its width.
const NUMBERS: [(&str, usize); 7] =
    [("points", 6), ("played", 6), ("Elo", 5), ("±", 4), ("won", 5), ("lost", 5), ("faults", 6)];
/// The width of a rank.
const RANK: usize = 3;

/// How far it is in words, and behind them a bar, if there is room for one.
pub fn bar(summary: &str, done: usize, total: usize, columns: usize) -> String {
    let summary = cut(summary, columns);
    let room = columns.saturating_sub(console::measure_text_width(&summary) + 1);
    if room < SHORTEST_BAR || total == 0 {
        return summary;
    }
    let full = room * done.min(total) / total;
    format!("{summary} {}{}", "█".repeat(full), "░".repeat(room - full))
}

/// The fewest columns in which a bar says something.
const SHORTEST_BAR: usize = 8;

/// The lines of both, which fit into this room.
pub fn lines(standings: &[Standing], games: &[RunningGame], room: Size) -> Vec<String> {
    let games = running(games, Size { rows: (room.rows / 3).max(1), ..room });
    let rows = room.rows.saturating_sub(games.len());
    let mut lines = table(standings, Size { rows, ..room });
    lines.extend(games);
    lines.truncate(room.rows);
    lines
}

/// The standings in so many rows, with the numbers that there is room for. If the rows are more, they stand side by side.
pub fn table(standings: &[Standing], room: Size) -> Vec<String> {
    let rows = room.rows.saturating_sub(1);
    if rows == 0 || standings.is_empty() {
        return Vec::new();
    }
    let columns = standings.len().div_ceil(rows).clamp(1, (room.columns / NARROWEST).max(1));
    let width = (room.columns + GAP) / columns - GAP.min(room.columns);
    // One row says that there are more.
    let rows = if standings.len() > rows * columns { rows - 1 } else { standings.len().div_ceil(columns) };
    let shown: Vec<String> = standings.iter().take(rows * columns).map(|one| row(one, width)).collect();
    let beside = |cells: Vec<String>| cut(cells.join(&" ".repeat(GAP)).trim_end(), room.columns);
    let mut lines = vec![beside(vec![header(width); columns])];
    let line =
        |index: usize| beside((0..columns).filter_map(|at| shown.get(at * rows + index)).cloned().collect());
    lines.extend((0..rows).map(line));
    if let Some(more @ 1..) = standings.len().checked_sub(rows * columns) {
        lines.push(cut(&format!("… and {}", counted(more, "more bot")), room.columns));
    }
    lines
}

/// Blanks between what stands side by side.
const GAP: usize = 2;

/// The numbers that there is room for beside a name, and what is left for the name.
fn numbers(width: usize) -> (usize, usize) {
    let taken = |count: usize| NUMBERS[..count].iter().map(|(_, width)| width + 1).sum::<usize>() + RANK + 1;
    let count = (0..=NUMBERS.len()).rev().find(|&count| taken(count) + NAME <= width).unwrap_or(0);
    (count, width.saturating_sub(taken(count)))
}

fn header(width: usize) -> String {
    let (count, name) = numbers(width);
    let cells = NUMBERS[..count].iter().map(|(title, width)| format!(" {}", right(title, *width)));
    format!("{} {}{}", right("#", RANK), left("bot", name), cells.collect::<String>())
}

fn row(standing: &Standing, width: usize) -> String {
    let (count, name) = numbers(width);
    // Adding zero turns -0.0 into 0.0.
    let elo = format!("{:+.0}", standing.elo.round() + 0.0);
    let faults = if standing.forfeits == 0 { String::new() } else { standing.forfeits.to_string() };
    let values = [
        standing.points.to_string(),
        standing.played.to_string(),
        elo,
        format!("{:.0}", standing.elo_error),
        standing.wins.to_string(),
        standing.losses.to_string(),
        faults,
    ];
    let cells =
        values.iter().zip(NUMBERS).take(count).map(|(text, (_, width))| format!(" {}", right(text, width)));
    let bot = left(&shorten(&standing.bot, name), name);
    format!("{} {bot}{}", right(&standing.rank.to_string(), RANK), cells.collect::<String>())
}

/// The games that run, a line for each, in so many rows.
fn running(games: &[RunningGame], room: Size) -> Vec<String> {
    let rows = if games.len() > room.rows { room.rows - 1 } else { games.len() };
    let mut lines: Vec<String> = games.iter().take(rows).map(|game| game_line(game, room.columns)).collect();
    if let Some(more @ 1..) = games.len().checked_sub(rows) {
        lines.push(cut(&format!("… and {}", counted(more, "more game")), room.columns));
    }
    lines
}

/// A game with its plies and clocks; the one whose turn it is has a mark.
fn game_line(game: &RunningGame, columns: usize) -> String {
    let line = |names: usize| {
        let player = |(seat, (name, used)): (usize, (&String, &Duration))| {
            let mark = if game.to_move == Some(seat) { "*" } else { "" };
            format!("{}{mark} {:.1} s", shorten(name, names), used.as_secs_f64())
        };
        let players: Vec<String> = game.names.iter().zip(&game.used).enumerate().map(player).collect();
        format!("ply {:>3}  {}", game.plies, players.join(" – "))
    };
    let fits = |line: &String| console::measure_text_width(line) <= columns;
    let fitting = (4..=64).rev().map(line).find(fits);
    cut(&fitting.unwrap_or_else(|| line(4)), columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings(count: usize) -> Vec<Standing> {
        let name = |index: usize| match index % 3 {
            0 => format!("a-student-with-a-name-of-more-than-32-letters-{index}"),
            1 => format!("学生たちのボット・その{index}"),
            _ => format!("bot{index}"),
        };
        let one = |index| Standing {
            rank: index + 1,
            bot: name(index),
            points: 1234.5,
            played: 12345,
            elo: -1234.0,
            forfeits: 999,
            ..Standing::default()
        };
        (0..count).map(one).collect()
    }

    fn games(count: usize, seats: usize) -> Vec<RunningGame> {
        let game = |index: usize| RunningGame {
            names: standings(seats + index).into_iter().skip(index).map(|one| one.bot).collect(),
            used: vec![Duration::from_millis(123_456); seats],
            to_move: (seats == 2).then_some(1),
            plies: 17 * index,
        };
        (0..count).map(game).collect()
    }

    #[test]
    fn everything_fits_whatever_the_terminal() {
        for (columns, rows) in [(79, 22), (39, 10), (200, 60), (20, 4), (5, 2), (1, 1), (0, 0)] {
            for (bots, running, seats) in [(0, 0, 2), (2, 1, 2), (30, 2, 2), (60, 64, 2), (7, 3, 6)] {
                let room = Size { columns, rows };
                let lines = lines(&standings(bots), &games(running, seats), room);
                assert!(lines.len() <= rows, "{bots} bots in {room:?}: {lines:#?}");
                for line in lines {
                    assert!(console::measure_text_width(&line) <= columns, "'{line}' in {room:?}");
                }
            }
        }
    }

    #[test]
    fn the_bar_takes_the_rest_of_its_line() {
        assert_eq!(bar("5/10 games", 5, 10, 21), "5/10 games █████░░░░░");
        assert_eq!(bar("5/10 games", 5, 10, 15), "5/10 games");
        assert_eq!(bar("5/10 games", 5, 10, 4), "5/1…");
        assert_eq!(bar("0/0", 0, 0, 40), "0/0");
    }

    #[test]
    fn thirty_bots_are_all_seen_on_the_usual_terminal() {
        let lines = lines(&standings(30), &games(2, 2), Size { columns: 79, rows: 22 });
        let text = lines.join("\n");
        for rank in 1..=30 {
            assert!(
                lines.iter().any(|line| line.contains(&format!(" {rank} "))),
                "{rank} is missing:\n{text}"
            );
        }
        assert!(text.contains("a-stude…ters-0") && text.contains("* 123.5 s"), "{text}");
    }
}

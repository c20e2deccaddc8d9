//! The standings and the cross table as HTML: the same for reports and live pages.

use std::collections::HashMap;
use std::fmt::Write as _;

use askama::Template;

use super::facts::Absent;
use super::row::Row;
use crate::score::{Standing, Standings};
use crate::view::kinds;

/// A pair of bots that has played more games has its score in the cross table, and not each game.
const MOST_LINKS: usize = 12;
/// A cross table of more games has scores only.
pub const MOST_GAMES: usize = 2000;

/// What the tables are made of.
pub struct Tables<'a> {
    /// The standings.
    pub standings: &'a Standings,
    /// The names that are shown, in the order of the standings.
    pub names: &'a [String],
    /// The games; bots are counted as in `names`.
    pub games: &'a [Row],
    /// How many play in a game.
    pub seats: usize,
    /// Whether there can be rounds without an opponent.
    pub byes: bool,
    /// Whether games can be opened on the page.
    pub has_games: bool,
    /// Those who take no part.
    pub left_out: &'a [Absent],
}

/// The standings and, below them, who beat whom.
pub fn tables_html(tables: &Tables) -> String {
    standings_html(tables) + &cross_table_html(tables)
}

#[derive(Template)]
#[template(path = "standings.html")]
struct StandingsPage<'a> {
    byes: bool,
    versions: bool,
    clocks: Option<String>,
    results: Vec<String>,
    rows: Vec<StandingRow>,
    left_out: &'a [Absent],
}

struct StandingRow {
    rank: usize,
    name: String,
    link: String,
    points: String,
    byes: u32,
    played: u32,
    results: Vec<u32>,
    forfeits: u32,
    faults: String,
    versions: String,
    elo: String,
    error: String,
    bar: Bar,
}

/// A rating and its interval, on a scale from 0 to 100.
struct Bar {
    left: f64,
    width: f64,
    middle: f64,
}

/// The table of all bots.
fn standings_html(tables: &Tables) -> String {
    let rows = &tables.standings.rows;
    let ends = rows.iter().flat_map(|row| [row.elo - row.elo_error, row.elo + row.elo_error]);
    let (low, high) = ends
        .filter(|end| end.is_finite())
        .fold((0f64, 0f64), |(low, high), end| (low.min(end), high.max(end)));
    let scale =
        |elo: f64| if high > low { (100.0 * (elo - low) / (high - low)).clamp(0.0, 100.0) } else { 50.0 };
    let row = |(row, name): (&Standing, &String)| {
        let (left, right) = (scale(row.elo - row.elo_error), scale(row.elo + row.elo_error));
        let faults = row.faults.iter().map(|(reason, count)| format!("{reason} {count}"));
        StandingRow {
            rank: row.rank,
            link: bot_link(name),
            name: name.clone(),
            points: points((2.0 * row.points).round() as u32),
            byes: row.byes,
            played: row.played,
            results: match tables.seats {
                0..=2 => vec![row.wins, row.draws, row.losses],
                seats => (0..seats).map(|place| row.places.get(place).copied().unwrap_or_default()).collect(),
            },
            forfeits: row.forfeits,
            faults: faults.collect::<Vec<_>>().join(", "),
            versions: row.versions.counts(),
            // Adding zero turns -0.0 into 0.0.
            elo: format!("{:+.0}", row.elo.round() + 0.0),
            error: format!("{:.0}", row.elo_error),
            bar: Bar { left, width: right - left, middle: scale(row.elo) },
        }
    };
    let results: Vec<String> = match tables.seats {
        0..=2 => ["won", "drawn", "lost"].map(str::to_owned).into(),
        seats => (1..=seats).map(|place| format!("{place}.")).collect(),
    };
    let versions = rows.iter().any(|row| !row.versions.is_uniform());
    rendered(&StandingsPage {
        byes: tables.byes,
        versions,
        clocks: kinds::clocks(&tables.standings.clocks),
        left_out: tables.left_out,
        results,
        rows: rows.iter().zip(tables.names).map(row).collect(),
    })
}

#[derive(Template)]
#[template(path = "cross_table.html")]
struct CrossTablePage<'a> {
    names: &'a [String],
    rows: Vec<CrossRow>,
    places: bool,
}

struct CrossRow {
    name: String,
    link: String,
    cells: Vec<CrossCell>,
    points: String,
}

enum CrossCell {
    /// The bot itself.
    Itself,
    /// Each game.
    Games(Vec<CrossGame>),
    /// Too many games to show each.
    Score { link: String, points: String, games: usize },
}

struct CrossGame {
    number: u32,
    /// `w`, `l` or `d`.
    class: &'static str,
    text: String,
    label: String,
}

/// Who beat whom.
fn cross_table_html(tables: &Tables) -> String {
    let count = tables.names.len();
    // By bot and opponent: the games, with the seats of both.
    type Games<'a> = Vec<(&'a Row, usize, usize)>;
    let mut met: HashMap<(usize, usize), Games> = HashMap::new();
    let counts =
        tables.games.iter().filter(|game| !game.disturbed && game.bots.iter().all(|&bot| bot < count));
    for game in counts {
        for (seat, &bot) in game.bots.iter().enumerate() {
            for (other_seat, &other) in game.bots.iter().enumerate().filter(|&(other, _)| other != seat) {
                met.entry((bot, other)).or_default().push((game, seat, other_seat));
            }
        }
    }
    let most = if tables.games.len() > MOST_GAMES || !tables.has_games { 0 } else { MOST_LINKS };
    let cell = |bot: usize, other: usize| {
        let Some(games) = met.get(&(bot, other)) else {
            return if bot == other { CrossCell::Itself } else { CrossCell::Games(Vec::new()) };
        };
        if games.len() <= most {
            return CrossCell::Games(
                games.iter().map(|&(game, seat, against)| cross_game(tables, game, seat, against)).collect(),
            );
        }
        let half = tables.standings.cross.get(bot).and_then(|row| *row.get(other)?).unwrap_or_default();
        let (name, opponent) = (&tables.names[bot], &tables.names[other]);
        let points = points(half);
        let link = match tables.has_games {
            true => format!("#games&bot={}&opponent={}", encoded(name), encoded(opponent)),
            false => bot_link(name),
        };
        CrossCell::Score { link, points, games: games.len() }
    };
    let rows =
        tables.standings.rows.iter().zip(tables.names).enumerate().map(|(bot, (row, name))| CrossRow {
            name: name.clone(),
            link: bot_link(name),
            cells: (0..count).map(|other| cell(bot, other)).collect(),
            points: points((2.0 * row.points).round() as u32),
        });
    rendered(&CrossTablePage { names: tables.names, rows: rows.collect(), places: tables.seats > 2 })
}

/// A game as the bot at a seat sees it, against that at another.
fn cross_game(tables: &Tables, game: &Row, seat: usize, against: usize) -> CrossGame {
    let place = |seat: usize| game.places.get(seat).copied().unwrap_or_default();
    let (class, result) = match place(seat).cmp(&place(against)) {
        std::cmp::Ordering::Less => ("w", "1"),
        std::cmp::Ordering::Greater => ("l", "0"),
        // Two that lost by a fault together have earned nothing.
        std::cmp::Ordering::Equal if game.losses.iter().any(|(lost, _)| lost.index() == seat) => ("l", "0"),
        std::cmp::Ordering::Equal => ("d", "½"),
    };
    let outcome = match class {
        "w" => "won",
        "d" => "drawn",
        _ => "lost",
    };
    let text = if tables.seats > 2 { place(seat).to_string() } else { result.to_owned() };
    let mut label = format!("game {}: {outcome}, {}", game.number, super::reasons::words(game.reason));
    if tables.seats > 2 {
        label = format!("game {}: place {text}, {}", game.number, super::reasons::words(game.reason));
    }
    let _ = write!(label, ", {}", crate::record::text::counted(game.plies as usize, "ply"));
    CrossGame { number: game.number, class, text, label }
}

/// Half points in words: `7½`.
pub fn points(half: u32) -> String {
    match (half / 2, half % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// The address of a bot's part of the page.
pub fn bot_link(name: &str) -> String {
    format!("#bot={}", encoded(name))
}

/// A text in an address.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes().fold(String::new(), |mut out, byte| {
        match plain(byte) {
            true => out.push(char::from(byte)),
            false => drop(write!(out, "%{byte:02X}")),
        }
        out
    })
}

/// The text of a template.
pub(super) fn rendered(template: &impl Template) -> String {
    template.render().expect("a template writes to memory and calls nothing that fails")
}

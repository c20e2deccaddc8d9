//! The report of a championship: one page with its tables, and with its games to be replayed.

use askama::Template;
use serde_json::json;

use super::blocks::packed;
use super::board_data::BoardData;
use super::figures::Figures;
use super::pack::{BoardKey, Packed};
use super::row::{Row, index, reasons};
use super::tables::{MOST_GAMES, Tables, bot_link, points, rendered, tables_html};
use super::{assets, exports, reasons::words};
use crate::record::Reason;
use crate::record::text::counted;
use crate::score::Standings;

/// Above so many games, there are tables only, unless all games are asked for.
pub const MOST_REPLAYS: usize = 50_000;

/// What is to be said of a championship besides its games.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// What it is called.
    pub title: String,
    /// What it is, in parts: the game, the board, the clock, the format.
    pub parts: Vec<String>,
    /// When it was begun.
    pub started: String,
    /// The name of the game.
    pub game: String,
    /// How many play in a game.
    pub seats: usize,
    /// Whether there can be rounds without an opponent.
    pub byes: bool,
    /// How many games count.
    pub done: usize,
    /// How many games there will be in all.
    pub scheduled: usize,
    /// How to go on if games are missing.
    pub go_on: GoOn,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// The command of each bot, where it may be told; bots are in the order of the standings.
    pub commands: Vec<String>,
}

/// How to go on with what is not complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoOn {
    /// Words before the command.
    pub words: String,
    /// The command, if there is one.
    pub command: String,
}

/// All that a report is made of.
pub struct Report<'a> {
    facts: Facts,
    standings: &'a Standings,
    names: &'a [String],
    rows: Vec<Row>,
    boards: Vec<(BoardKey, BoardData)>,
    figures: Vec<Figures>,
    /// The games of each block, and how many they are.
    blocks: Vec<(usize, String)>,
    /// The game that is seen first, if it is not the tables.
    opens: Option<u32>,
}

impl<'a> Report<'a> {
    /// A report without games; `names` are those that are shown, in the order of the standings.
    pub fn new(facts: Facts, standings: &'a Standings, names: &'a [String]) -> Report<'a> {
        let figures = vec![Figures::default(); names.len()];
        Report {
            facts,
            standings,
            names,
            rows: Vec::new(),
            boards: Vec::new(),
            figures,
            blocks: Vec::new(),
            opens: None,
        }
    }

    /// The same, but without tables: the page opens this game.
    pub fn of_game(self, number: u32) -> Report<'a> {
        Report { opens: Some(number), ..self }
    }

    /// Adds games, in the order of the journal.
    pub fn add(&mut self, games: Packed) {
        let Packed { rows, boards, figures, block } = games;
        let place = |(key, data)| match self.boards.iter().position(|(known, _)| *known == key) {
            Some(at) => at,
            None => {
                self.boards.push((key, data));
                self.boards.len() - 1
            }
        };
        let places: Vec<usize> = boards.into_iter().map(place).collect();
        self.blocks.extend(block.map(|block| (rows.len(), block)));
        self.rows.extend(rows.into_iter().map(|row| Row { board: places[row.board], ..row }));
        for (all, figures) in self.figures.iter_mut().zip(figures) {
            all.merge(figures);
        }
    }

    /// The page.
    pub fn html(&self) -> String {
        let script = assets::report_script();
        let facts = &self.facts;
        let missing = facts.scheduled.saturating_sub(facts.done);
        let has_rows = self.rows.len() <= MOST_GAMES && !self.blocks.is_empty();
        let seats = self.boards.first().map_or(Vec::new(), |(_, board)| {
            board
                .seats
                .iter()
                .map(|&side| board.sides.get(usize::from(side)).copied().unwrap_or_default())
                .collect()
        });
        let tables = Tables {
            standings: self.standings,
            names: self.names,
            games: &self.rows,
            seats: facts.seats,
            byes: facts.byes,
            has_games: !self.blocks.is_empty(),
        };
        rendered(&ReportPage {
            policy: assets::policy(&script, false),
            style: assets::STYLE,
            script: &script,
            facts,
            games: counted(facts.done, "game"),
            bots_count: counted(self.names.len(), "bot"),
            missing,
            missing_games: counted(missing, "game"),
            tables: if self.opens.is_none() { tables_html(&tables) } else { String::new() },
            losses: self.losses(),
            times: self.times(),
            bots: self.bots(has_rows),
            sides: seats,
            rows: if has_rows {
                self.rows.iter().map(|row| self.game_line(row)).collect()
            } else {
                Vec::new()
            },
            count: self.rows.len(),
            has_games: !self.blocks.is_empty(),
            data: self.data(),
            index: packed(index(self.listed(), &reasons(self.listed())).to_string().as_bytes()),
            blocks: self.blocks.iter().map(|(_, block)| block.as_str()).collect(),
        })
    }

    /// The games that the script knows of.
    fn listed(&self) -> &[Row] {
        if self.blocks.is_empty() { &[] } else { &self.rows }
    }

    /// What the script is told, as JSON that can stand in HTML.
    fn data(&self) -> String {
        let mut first = 0;
        let blocks = self.blocks.iter().map(|&(count, _)| {
            first += count;
            json!({ "first": first - count, "count": count })
        });
        let reason = |reason: &Reason| json!({ "name": reason.to_string(), "words": words(*reason), "fault": reason.is_forfeit() });
        let data = json!({
            "kind": "report",
            "title": self.facts.title,
            "opens": self.opens,
            "complete": self.facts.done >= self.facts.scheduled,
            "game": self.facts.game,
            "seats": self.facts.seats,
            "bots": self.names,
            "boards": self.boards.iter().map(|(_, board)| board).collect::<Vec<_>>(),
            "reasons": reasons(self.listed()).iter().map(reason).collect::<Vec<_>>(),
            "exports": self.boards.iter().map(|(key, board)| exports::of(key, board)).collect::<Vec<_>>(),
            "blocks": blocks.collect::<Vec<_>>(),
        });
        data.to_string().replace('<', "\\u003c")
    }

    fn losses(&self) -> Losses {
        let mut reasons: Vec<&String> =
            self.standings.rows.iter().flat_map(|row| row.faults.keys()).collect();
        reasons.sort();
        reasons.dedup();
        let row = |(row, name): (&crate::score::Standing, &String)| {
            let on_the_board = row.losses.saturating_sub(row.forfeits);
            let faults = reasons.iter().map(|&reason| row.faults.get(reason).copied().unwrap_or_default());
            let counts = std::iter::once(on_the_board)
                .chain(faults)
                .map(|count| if count > 0 { count.to_string() } else { String::new() });
            (bot_link(name), name.clone(), counts.collect())
        };
        let rows = self.standings.rows.iter().zip(self.names).filter(|(row, _)| row.losses > 0);
        Losses {
            rows: rows.map(row).collect(),
            reasons: reasons.iter().map(|reason| reason_words(reason)).collect(),
        }
    }

    fn times(&self) -> Vec<TimeRow> {
        let row = |(figures, name): (&Figures, &String)| TimeRow {
            link: bot_link(name),
            name: name.clone(),
            moves: figures.moves,
            mean: time(figures.used_ms / figures.moves.max(1) as f64),
            longest: time(figures.longest_ms),
            longest_in: figures.longest_in,
            share: percent(figures.shares / f64::from(figures.games.max(1))),
            most: percent(figures.share),
            cpu: if figures.cpu_games == 0 {
                String::new()
            } else {
                time(figures.cpu_ms / f64::from(figures.cpu_games))
            },
        };
        self.figures.iter().zip(self.names).filter(|(figures, _)| figures.games > 0).map(row).collect()
    }

    fn bots(&self, has_rows: bool) -> Vec<BotPart> {
        let mut games = vec![Vec::new(); self.names.len()];
        for row in self.rows.iter().filter(|_| has_rows) {
            for (seat, &bot) in row.bots.iter().enumerate() {
                if let Some(games) = games.get_mut(bot) {
                    games.push(self.bot_game(row, seat));
                }
            }
        }
        let standing = self.standings.rows.iter().zip(self.names).zip(&self.figures).zip(games);
        let part = |(index, (((row, name), figures), games)): (
            usize,
            (((&crate::score::Standing, &String), &Figures), Vec<BotGame>),
        )| BotPart {
            index,
            name: name.clone(),
            rank: row.rank,
            points: points((2.0 * row.points).round() as u32),
            record: match self.facts.seats {
                0..=2 => format!("{} won, {} drawn, {} lost", row.wins, row.draws, row.losses),
                _ => format!("{} won of {}", row.wins, counted(row.played as usize, "game")),
            },
            command: self.facts.commands.get(index).cloned().unwrap_or_default(),
            faults: figures.faults.values().map(|faults| fault_part(name, faults)).collect(),
            games,
        };
        standing.enumerate().map(part).collect()
    }

    fn bot_game(&self, row: &Row, seat: usize) -> BotGame {
        let others = row.bots.iter().enumerate().filter(|&(other, _)| other != seat);
        let name = |bot: usize| self.names.get(bot).cloned().unwrap_or_default();
        BotGame {
            number: row.number,
            others: others.map(|(_, &bot)| name(bot)).collect(),
            result: match (row.disturbed, self.facts.seats) {
                (true, _) => "does not count".to_owned(),
                (_, 3..) => format!("place {}", row.places.get(seat).copied().unwrap_or_default()),
                _ if row.winner == seat as i8 => "won".to_owned(),
                _ if row.winner < 0 && row.losses.is_empty() => "drawn".to_owned(),
                _ => "lost".to_owned(),
            },
            reason: words(row.reason),
            plies: row.plies,
        }
    }

    fn game_line(&self, row: &Row) -> GameLine {
        let name = |bot: &usize| self.names.get(*bot).cloned().unwrap_or_default();
        GameLine {
            number: row.number,
            round: row.round,
            bots: row.bots.iter().map(name).collect(),
            winner: usize::try_from(row.winner)
                .ok()
                .and_then(|seat| row.bots.get(seat))
                .map(name)
                .unwrap_or_default(),
            reason: words(row.reason),
            plies: row.plies,
            notes: match (row.swapped, row.disturbed) {
                (true, true) => "swapped, disturbed",
                (true, false) => "swapped",
                (false, true) => "disturbed",
                (false, false) => "",
            },
        }
    }
}

fn fault_part(name: &str, faults: &super::figures::Faults) -> FaultPart {
    let rest = faults.count as usize - faults.examples.len().min(faults.count as usize);
    FaultPart {
        words: words(faults.reason),
        times: if faults.count == 1 { "once".to_owned() } else { format!("{} times", faults.count) },
        examples: faults.examples.iter().map(|one| (one.game, one.ply, one.text.clone())).collect(),
        rest: if rest > 0 { format!("and {rest} more") } else { String::new() },
        link: format!("{}&reason={}", bot_link(name).replacen("#bot", "#games&bot", 1), faults.reason),
    }
}

/// The words for a reason that is known by its name.
fn reason_words(name: &str) -> String {
    Reason::named(name).map_or(name.to_owned(), |reason| words(reason).to_owned())
}

/// A time for people who compare times.
fn time(ms: f64) -> String {
    match ms {
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.01 { "< 1 %".to_owned() } else { format!("{:.0} %", 100.0 * share) }
}

struct Losses {
    reasons: Vec<String>,
    rows: Vec<(String, String, Vec<String>)>,
}

struct TimeRow {
    link: String,
    name: String,
    moves: u64,
    mean: String,
    longest: String,
    longest_in: u32,
    share: String,
    most: String,
    cpu: String,
}

struct BotPart {
    index: usize,
    name: String,
    rank: usize,
    points: String,
    record: String,
    command: String,
    faults: Vec<FaultPart>,
    games: Vec<BotGame>,
}

struct FaultPart {
    words: &'static str,
    times: String,
    examples: Vec<(u32, usize, String)>,
    rest: String,
    link: String,
}

#[derive(Clone)]
struct BotGame {
    number: u32,
    others: Vec<String>,
    result: String,
    reason: &'static str,
    plies: u32,
}

struct GameLine {
    number: u32,
    round: u32,
    bots: Vec<String>,
    winner: String,
    reason: &'static str,
    plies: u32,
    notes: &'static str,
}

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage<'a> {
    policy: String,
    style: &'static str,
    script: &'a str,
    facts: &'a Facts,
    games: String,
    bots_count: String,
    missing: usize,
    missing_games: String,
    tables: String,
    losses: Losses,
    times: Vec<TimeRow>,
    bots: Vec<BotPart>,
    sides: Vec<&'static str>,
    rows: Vec<GameLine>,
    count: usize,
    has_games: bool,
    data: String,
    index: String,
    blocks: Vec<&'a str>,
}

//! The report of a championship: one page with its tables, and with its games to be replayed.

use askama::Template;
use serde_json::json;

use super::blocks::packed;
use super::board_data::BoardData;
use super::facts::Facts;
use super::figures::Figures;
use super::pack::{BoardKey, Packed};
use super::parts::{BotPart, GameLine, Losses, TimeRow};
use super::row::{Row, index, reasons};
use super::tables::{MOST_GAMES, Tables, rendered, tables_html};
use super::{assets, exports, parts, reasons::words};
use crate::record::Reason;
use crate::record::text::counted;
use crate::score::Standings;

/// Above so many games, there are tables only, unless all games are asked for.
pub const MOST_REPLAYS: usize = 50_000;

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
        // More would be too long for a page without a script.
        let rows = if self.rows.len() <= MOST_GAMES { self.listed() } else { &[] };
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
            left_out: &facts.left_out,
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
            losses: parts::losses(self.standings, self.names),
            times: parts::times(&self.figures, self.names),
            bots: parts::bots(self.standings, self.names, &self.figures, rows, facts),
            sides: seats,
            rows: rows.iter().map(|row| parts::game_line(row, self.names)).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Ending;
    use crate::score::Standing;

    /// A report of so many games between two bots.
    fn page(games: u32, block: Option<String>) -> String {
        let names = ["ana", "beto"].map(str::to_owned);
        let standing = |bot: &String| Standing { bot: bot.clone(), ..Standing::default() };
        let standings = Standings {
            rows: names.iter().map(standing).collect(),
            cross: vec![vec![None, Some(games)], vec![Some(games), None]],
            ..Standings::default()
        };
        let row = |number| Row {
            number,
            round: 1,
            bots: vec![0, 1],
            winner: 0,
            places: vec![1, 2],
            reason: Reason::Rules(Ending::Connected),
            plies: 3,
            swapped: false,
            disturbed: false,
            losses: Vec::new(),
            board: 0,
        };
        let facts = Facts { seats: 2, ..Facts::default() };
        let mut report = Report::new(facts, &standings, &names);
        let setup = crate::game::Setup::new("hex", crate::game::BoardOptions::default()).unwrap();
        let board = super::super::board_data::Stepper::new(setup.start()).board();
        let key = BoardKey { game: "hex".into(), size: 14, seats: 2, text: None, is_set_up: false };
        let rows = (1..=games).map(row).collect();
        report.add(Packed { rows, boards: vec![(key, board)], figures: vec![Figures::default(); 2], block });
        report.html()
    }

    #[test]
    fn the_more_games_the_less_is_in_the_tables() {
        let block = || Some(String::new());
        let few = page(3, block());
        assert_eq!(few.matches("<a class=\"w\" href=\"#game=").count(), 3);
        assert!(few.contains("<table class=\"games plain\">") && few.contains("all its games (3)"));
        // A pair with many games has its score in the cross table.
        let more = page(30, block());
        assert!(more.contains("<table class=\"games plain\">") && !more.contains("<a class=\"w\""));
        assert!(
            more.contains("href=\"#games&#38;bot=ana&#38;opponent=beto\">15<span class=\"of\">/30</span>")
        );
        let many = page(MOST_GAMES as u32 + 1, block());
        assert!(!many.contains("<table class=\"games plain\">") && !many.contains("all its games"));
        assert!(many.contains("There are 2001 games") && many.contains("id=\"block-0\""));
        let too_many = page(30, None);
        assert!(too_many.contains("--all-games") && !too_many.contains("id=\"block-0\""));
        assert!(!too_many.contains("href=\"#game"));
    }

    #[test]
    fn nothing_in_the_page_needs_more_than_its_policy_allows() {
        let page = page(3, Some(String::new()));
        let hash =
            |text: &str| assets::policy(text, false).split("script-src '").nth(1).unwrap()[..51].to_owned();
        let script =
            page.split("<script type=\"module\">").nth(1).unwrap().split("</script>").next().unwrap();
        assert!(page.contains(&hash(script)), "the hash is that of the script");
        let html = page.split("<script").next().unwrap().split("</style>").nth(1).unwrap();
        assert!(!html.contains(" style=") && !html.contains(" onclick="));
        assert!(!html.contains("http://") && !html.contains("https://"), "nothing is fetched");
    }
}

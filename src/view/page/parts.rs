//! The parts of a report below its tables, row by row: losses, use of time, bots and games.

use super::facts::Facts;
use super::figures::{Example, Figures};
use super::reasons::words;
use super::row::Row;
use super::tables::{bot_link, points};
use crate::record::Reason;
use crate::record::text::counted;
use crate::score::{Standing, Standings};
use crate::view::kinds;

/// Why bots lost.
pub(super) struct Losses {
    /// What the columns are: the board, and each fault that there was.
    pub reasons: Vec<String>,
    /// Each bot that lost: its link, its name, and how often for each of the reasons.
    pub rows: Vec<(String, String, Vec<String>)>,
}

/// Why bots lost, in the order of the standings.
pub(super) fn losses(standings: &Standings, names: &[String]) -> Losses {
    let mut faults: Vec<&String> = standings.rows.iter().flat_map(|row| row.faults.keys()).collect();
    faults.sort();
    faults.dedup();
    let row = |(row, name): (&Standing, &String)| {
        let on_the_board = row.losses.saturating_sub(row.forfeits);
        let by_fault = faults.iter().map(|&fault| row.faults.get(fault).copied().unwrap_or_default());
        let counts = std::iter::once(on_the_board).chain(by_fault);
        let shown = |count: u32| if count > 0 { count.to_string() } else { String::new() };
        (bot_link(name), name.clone(), counts.map(shown).collect())
    };
    let rows = standings.rows.iter().zip(names).filter(|(row, _)| row.losses > 0).map(row).collect();
    let in_words =
        |name: &&String| Reason::named(name).map_or((*name).clone(), |reason| words(reason).to_owned());
    let reasons = std::iter::once("on the board".to_owned()).chain(faults.iter().map(in_words));
    Losses { rows, reasons: reasons.collect() }
}

/// How a bot used its time.
pub(super) struct TimeRow {
    pub link: String,
    pub name: String,
    pub moves: u64,
    pub mean: String,
    pub longest: String,
    /// The game of the longest move.
    pub longest_in: u32,
    /// The part of its clock that it used, on average and at most.
    pub share: String,
    pub most: String,
    /// Processor time in a game.
    pub cpu: String,
}

/// How all bots that played used their time.
pub(super) fn times(figures: &[Figures], names: &[String]) -> Vec<TimeRow> {
    let row = |(figures, name): (&Figures, &String)| TimeRow {
        link: bot_link(name),
        name: name.clone(),
        moves: figures.moves,
        mean: time(figures.used_ms / figures.moves.max(1) as f64),
        longest: time(figures.longest_ms),
        longest_in: figures.longest_in,
        share: percent(figures.shares / f64::from(figures.games.max(1))),
        most: percent(figures.share),
        cpu: match figures.cpu_games {
            0 => String::new(),
            games => time(figures.cpu_ms / f64::from(games)),
        },
    };
    figures.iter().zip(names).filter(|(figures, _)| figures.games > 0).map(row).collect()
}

/// What there is to say of a bot.
pub(super) struct BotPart {
    pub index: usize,
    pub name: String,
    pub rank: usize,
    pub points: String,
    pub record: String,
    pub command: String,
    /// Which versions of it have played its games, if there are several.
    pub versions: Option<String>,
    pub faults: Vec<FaultPart>,
    pub games: Vec<BotGame>,
}

/// Faults of a bot that are alike, or hints.
pub(super) struct FaultPart {
    pub words: &'static str,
    pub times: String,
    pub examples: Vec<Example>,
    pub rest: String,
    pub link: String,
}

/// A game as a bot sees it.
#[derive(Clone)]
pub(super) struct BotGame {
    pub number: u32,
    pub others: Vec<String>,
    pub result: String,
    pub reason: &'static str,
    pub plies: u32,
}

/// All bots, in the order of the standings, with their games in `rows`.
pub(super) fn bots(
    standings: &Standings,
    names: &[String],
    figures: &[Figures],
    rows: &[Row],
    facts: &Facts,
) -> Vec<BotPart> {
    let mut games = vec![Vec::new(); names.len()];
    for row in rows {
        for (seat, &bot) in row.bots.iter().enumerate() {
            if let Some(games) = games.get_mut(bot) {
                games.push(bot_game(row, seat, names));
            }
        }
    }
    let none = Figures::default();
    let part = |(index, (row, games)): (usize, (&Standing, Vec<BotGame>))| BotPart {
        index,
        name: names[index].clone(),
        rank: row.rank,
        points: points((2.0 * row.points).round() as u32),
        record: match facts.seats {
            0..=2 => format!("{} won, {} drawn, {} lost", row.wins, row.draws, row.losses),
            _ => format!("{} won of {}", row.wins, counted(row.played as usize, "game")),
        },
        command: facts.commands.get(index).cloned().unwrap_or_default(),
        versions: kinds::versions(row),
        faults: fault_parts(&names[index], figures.get(index).unwrap_or(&none), facts.seats),
        games,
    };
    standings.rows.iter().zip(games).enumerate().map(part).collect()
}

/// The faults of a bot by reason, and last what its moves show about how it misunderstood the rules.
fn fault_parts(name: &str, figures: &Figures, seats: usize) -> Vec<FaultPart> {
    let all = bot_link(name).replacen("#bot", "#games&bot", 1);
    let part = |words, faults: &super::figures::Faults, link: String| {
        let rest = faults.untold();
        FaultPart {
            words,
            times: if faults.count == 1 { "once".to_owned() } else { format!("{} times", faults.count) },
            examples: faults.examples.clone(),
            rest: if rest > 0 { format!("and {rest} more") } else { String::new() },
            link,
        }
    };
    let by_reason = figures.faults.iter().map(|(&reason, faults)| {
        // Where more than two play, a game may have ended for another reason.
        let link = if seats > 2 { all.clone() } else { format!("{all}&reason={reason}") };
        part(words(reason), faults, link)
    });
    let hints = Some(&figures.hints).filter(|hints| hints.count > 0);
    by_reason.chain(hints.map(|hints| part("lost on the board, with a hint", hints, all.clone()))).collect()
}

fn bot_game(row: &Row, seat: usize, names: &[String]) -> BotGame {
    let others = row.bots.iter().enumerate().filter(|&(other, _)| other != seat);
    BotGame {
        number: row.number,
        others: others.map(|(_, &bot)| name(names, bot)).collect(),
        result: match (row.disturbed, row.bots.len()) {
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

/// A game in the list of all.
pub(super) struct GameLine {
    pub number: u32,
    pub round: u32,
    pub bots: Vec<String>,
    pub winner: String,
    pub reason: &'static str,
    pub plies: u32,
    pub notes: &'static str,
}

/// A game in the list of all.
pub(super) fn game_line(row: &Row, names: &[String]) -> GameLine {
    let winner = usize::try_from(row.winner).ok().and_then(|seat| row.bots.get(seat));
    GameLine {
        number: row.number,
        round: row.round,
        bots: row.bots.iter().map(|&bot| name(names, bot)).collect(),
        winner: winner.map_or(String::new(), |&bot| name(names, bot)),
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

fn name(names: &[String], bot: usize) -> String {
    names.get(bot).cloned().unwrap_or_default()
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

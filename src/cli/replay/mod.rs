//! `arbitro replay`: looking at games that were played.

pub(super) mod by_ply;
mod keys;
mod viewer;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args as ClapArgs;
use console::Term;

use super::exit::usage;
use super::numbers::whole;
use super::output::{COMMAND, check_replaceable, print, quoted, say, wrapped};
use super::recorded::{Games, LAST_NUMBER, newest_results};
use crate::record::text::counted;
use crate::record::time_control::parse_seconds;
use crate::record::{GameRecord, Ply, hexworld};
use crate::view::page::single_game::single_game;
use crate::view::svg::{self, Drawing};
use by_ply::Replay;
use viewer::Viewer;

/// Step through recorded games
#[derive(ClapArgs)]
#[command(after_help = "\
Keys: → forward, ← back, space plays and pauses, a number and Enter goes to that ply, n and p to other games, ? lists them all, \
q quits.

Examples:
  arbitro replay                               the games of the newest match or championship
  arbitro replay 3                             step through game 3 of it
  arbitro replay results/2026 --bot ana --lost the games that ana lost
  arbitro replay games.jsonl 3 --at 10         the position after ply 10
  arbitro replay games.jsonl 3 --delay 0.5     let it play by itself
  arbitro replay games.jsonl 3 --svg 10 > x.svg
  arbitro replay games.jsonl 3 --html 3.html   a page to send to somebody
  arbitro replay game.sgf --variation 2        a game of Hex from elsewhere")]
pub struct Args {
    /// The journal, the folder that holds it, or an SGF file of Hex [default: the newest folder in 'results']
    journal: Option<PathBuf>,
    /// The number of the game [default: the only one, or a list of all]
    #[arg(allow_negative_numbers = true, value_parser = whole::<u32>(1..=LAST_NUMBER))]
    game: Option<u32>,
    /// Only the games of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Only the games that this bot lost
    #[arg(long)]
    lost: bool,
    /// A variation of a game in an SGF file, as it is listed (1: the main line)
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=LAST_NUMBER), default_value = "1", hide_default_value = true)]
    variation: usize,
    /// Print the position after so many plies: moves of one side (0: the empty board)
    #[arg(long, value_name = "PLY", value_parser = whole::<usize>(0..=LAST_NUMBER), conflicts_with_all = ["all", "delay", "svg"])]
    at: Option<usize>,
    /// Print every position
    #[arg(long, conflicts_with_all = ["delay", "svg"])]
    all: bool,
    /// Play the game by itself, with so many seconds for each ply
    #[arg(long, value_name = "S", value_parser = parse_seconds, conflicts_with = "svg")]
    delay: Option<Duration>,
    /// Print the position after so many plies as a drawing, for a page or a paper
    #[arg(long, value_name = "PLY", value_parser = whole::<usize>(0..=LAST_NUMBER))]
    svg: Option<usize>,
    /// Write the game to this file as a page for browsers
    #[arg(long, value_name = "FILE", conflicts_with_all = ["at", "all", "delay", "svg"])]
    html: Option<PathBuf>,
    /// The file to write the drawing to [default: stdout]
    #[arg(long, short, value_name = "FILE", requires = "svg")]
    out: Option<PathBuf>,
}

/// Shows the games.
pub fn run(mut args: Args) -> Result<ExitCode> {
    if args.lost && args.bot.is_none() {
        return Err(usage(anyhow!("--lost shows the games that one bot lost: say which, with --bot NAME")));
    }
    let path = source(&mut args)?;
    let games = Games::read(path.clone(), "replay")?;
    let chosen = games.of_bot(args.bot.as_deref(), args.lost)?;
    let Some(at) = which(&args, &games, &chosen)? else {
        if args.svg.is_some() || args.html.is_some() {
            return Err(usage(anyhow!(
                "there are several games: say which one, as in arbitro replay FOLDER 3"
            )));
        }
        print(&list(&games, &chosen))?;
        let first = chosen.first().filter(|_| Term::stdout().is_term());
        if let Some(&first) = first {
            say(&stepping(&args, &path, games.records[first].number));
        }
        return Ok(ExitCode::SUCCESS);
    };
    let line = args.variation - 1;
    if line >= games.lines(chosen[at]) {
        let (number, lines) = (games.records[chosen[at]].number, counted(games.lines(chosen[at]), "line"));
        let variation = args.variation;
        return Err(usage(anyhow!("game {number} has {lines} of play: there is no variation {variation}")));
    }
    let term = Term::stdout();
    let mut viewer = Viewer::new(&games, &chosen, at, line, args.delay)?;
    if let Some(path) = &args.html {
        write(path, single_game(viewer.replay.record.clone()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_chosen = args.at.is_some() || args.all || args.svg.is_some();
    if !is_chosen && term.is_term() && io::stdin().is_terminal() {
        viewer.run()?;
        if args.delay.is_some() {
            print(&viewer.replay.frame(viewer.replay.last(), console::colors_enabled())?)?;
        }
    } else {
        show(&args, &viewer.replay)?;
        if !is_chosen {
            print(&variations(&games, chosen[at]))?;
        }
    }
    let record = &viewer.replay.record;
    if let (Ok(link), None) = (hexworld::link(record), args.svg) {
        print(&format!("HexWorld: {link}\n"))?;
    }
    if let Err(error) = record.verify() {
        bail!("game {} does not agree with itself: {error}", record.number);
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the games are. A number alone is a game of the newest results.
fn source(args: &mut Args) -> Result<PathBuf> {
    let number = |path: &Path| path.to_str().and_then(|text| text.parse().ok()).filter(|_| !path.exists());
    if let (Some(game), None) = (args.journal.as_deref().and_then(number), args.game) {
        (args.journal, args.game) = (None, Some(game));
    }
    if let Some(path) = args.journal.take() {
        return Ok(path);
    }
    let newest = newest_results("replay").map_err(usage)?;
    say(&format!("games of {}", newest.display()));
    Ok(newest)
}

/// How to step through the games that are listed, from the first on.
fn stepping(args: &Args, path: &Path, first: u32) -> String {
    let whose = args.bot.as_deref().map_or(String::new(), |bot| {
        format!(" --bot {}{}", quoted(Path::new(bot)), if args.lost { " --lost" } else { "" })
    });
    format!(
        "step through them, with n and p to the next and the previous:\n{COMMAND}arbitro replay {} {first}{whose}",
        quoted(path)
    )
}

/// Which of the chosen games is to be shown; nothing if they are to be listed.
fn which(args: &Args, games: &Games, chosen: &[usize]) -> Result<Option<usize>> {
    let whose = args.bot.as_deref().map_or(String::new(), |bot| match args.lost {
        true => format!("that {bot} lost"),
        false => format!("of {bot}"),
    });
    if chosen.is_empty() {
        say(&format!("there is no game {whose}"));
    }
    let Some(number) = args.game else { return Ok(if chosen.len() == 1 { Some(0) } else { None }) };
    games.game(Some(number))?;
    let found = chosen.iter().position(|&game| games.records[game].number == number);
    found.map(Some).ok_or_else(|| usage(anyhow!("game {number} is no game {whose}")))
}

/// Prints what was asked for of a game: by default, its end.
fn show(args: &Args, replay: &Replay) -> Result<()> {
    if let Some(ply) = args.at.or(args.svg).filter(|&ply| ply > replay.last()) {
        let (number, plies) = (replay.record.number, counted(replay.last(), "ply"));
        return Err(usage(anyhow!("game {number} has {plies}: there is no ply {ply}")));
    }
    if let Some(ply) = args.svg {
        return draw(replay, ply, args.out.as_deref());
    }
    if args.all {
        for ply in 0..=replay.last() {
            print(&format!("{}\n", replay.frame(ply, console::colors_enabled())?))?;
        }
        return Ok(());
    }
    let colour = args.at.is_some() && console::colors_enabled();
    print(&replay.frame(args.at.unwrap_or(replay.last()), colour)?)
}

/// Writes the position after a ply as a drawing.
fn draw(replay: &Replay, ply: usize, file: Option<&Path>) -> Result<()> {
    let record = &replay.record;
    let title = format!("game {}, after ply {ply}: {}", record.number, record.players());
    let text = svg::board(&replay.position(ply)?.picture(), &title, Drawing { coordinates: true });
    match file {
        Some(path) => write(path, text),
        None => print(&text),
    }
}

fn write(path: &Path, text: String) -> Result<()> {
    // Drawings and pages are told apart by how they begin.
    check_replaceable(path, text.get(..4).unwrap_or_default())?;
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = made.and_then(|()| std::fs::write(path, text));
    written.with_context(|| format!("cannot write '{}'", path.display())).map_err(usage)
}

/// The chosen games, each in a line, with their variations.
fn list(games: &Games, chosen: &[usize]) -> String {
    let term = Term::stdout();
    let width = term.is_term().then(|| usize::from(term.size().1));
    chosen.iter().map(|&game| summary(&games.records[game], width) + &variations(games, game)).collect()
}

/// A game in a line, or in as many as it needs on a terminal of this width.
fn summary(record: &GameRecord, width: Option<usize>) -> String {
    let (players, result, reason) = (record.players(), record.result(), record.verdict.reason);
    let text = format!("{players}  {result}: {reason}, {}", counted(record.plies.len(), "ply"));
    numbered(record.number, &text, width)
}

fn numbered(number: u32, text: &str, width: Option<usize>) -> String {
    let lines = wrapped(text, width.map(|width| width.saturating_sub(6)));
    format!("{number:>4}  {}\n", lines.replace('\n', "\n    "))
}

/// The variations of a game, each in a line with where it leaves the one before it.
fn variations(games: &Games, game: usize) -> String {
    /// More than anybody reads.
    const SHOWN: usize = 100;
    let lines = games.lines(game);
    let mut before = Some(games.records[game].clone());
    let mut text = String::new();
    for line in (1..lines).take(SHOWN) {
        let read = games.line(game, line);
        let told = match &read {
            Ok(record) => {
                let same = before.as_ref().map_or(0, |before| record.plies_shared_with(before));
                let mv = record.plies.get(same).and_then(Ply::text).unwrap_or("the end");
                format!("from ply {} on, {mv}; {}", same + 1, counted(record.plies.len(), "ply"))
            }
            Err(error) => format!("{error:#}"),
        };
        text += &format!("      --variation {}: {told}\n", line + 1);
        before = read.ok();
    }
    if lines > SHOWN + 1 {
        text += &format!("      and {} more\n", lines - SHOWN - 1);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Once, the terminal broke such lines in the middle of words.
    #[test]
    fn games_are_listed_in_lines_that_fit() {
        let name = "Maria-Antonieta-dos-Santos-Albuquerque-e-Castro-Figueiredo-1";
        let text = format!("{name} – other  {name} wins: connected, 47 plies");
        assert_eq!(numbered(12, &text, None), format!("  12  {text}\n"));
        let listed = numbered(12, &text, Some(80));
        assert!(listed.lines().all(|line| console::measure_text_width(line) <= 80), "{listed}");
        assert!(listed.split_whitespace().skip(1).eq(text.split_whitespace()), "{listed}");
    }
}

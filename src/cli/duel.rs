//! `arbitro duel`: a match between two programs.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::championship::print_result;
use super::options::{
    GameOptions, MatchTermsOptions, RunOptions, SandboxOptions, bot_settings, contest_error, new_folder,
    new_seed,
};
use super::output::{print, say, warn};
use super::{EXIT_INTERRUPTED, usage};
use crate::championship::contest::{self, Contest};
use crate::championship::rating::{EloEstimate, MatchScore, Sprt, SprtState};
use crate::championship::roster::{self, Entrant};
use crate::championship::runner::{Event, Runner};
use crate::championship::schedule::Format;
use crate::championship::settings::{self, Config, Settings};
use crate::game::Seat;
use crate::record::GameRecord;
use crate::record::journal;
use crate::record::summary::Summary;
use crate::referee::interrupt::Interrupt;

/// A match between two programs, who take turns in starting, or between more at one table
#[derive(ClapArgs)]
#[command(after_help = "\
A BOT is a command such as './mybot' or 'python3 bot.py', NAME=COMMAND, an engine that speaks HTP (htp:COMMAND), or a \
built-in: @random @greedy @easy @medium @hard @max. In games of more than two, okupacio and xinez, all who are named sit at one table.

The match lands in results/duel-<date-time>: games.jsonl is its journal, logs/ what the programs wrote to stderr. One that \
was interrupted goes on when the command is repeated with the same --out.

Examples:
  arbitro duel ./mybot @greedy
  arbitro duel new=./mybot old=./mybot-last-week --games 200 --sprt 0,30
  arbitro duel ./mybot @random --time 10+0.1 --pipes --strict
  arbitro duel htp:./mohex @greedy --size 11 --memory 4G
  arbitro duel ./mybot @greedy @easy --game xinez --size 2")]
pub struct Args {
    /// The programs; the first starts the first game
    #[arg(value_name = "BOT", num_args = 2.., required = true)]
    bots: Vec<String>,
    /// How many games are played [default: 10, or as many more as give everybody each seat equally often]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// Stop as soon as it is decided whether the first program is ELO0 or ELO1 stronger (about 5 % errors)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<SprtBounds>,
    /// The folder to write to [default: results/duel-<date-time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    terms: MatchTermsOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

#[derive(Clone, Copy)]
struct SprtBounds(Sprt);

impl FromStr for SprtBounds {
    type Err = String;

    fn from_str(text: &str) -> Result<SprtBounds, String> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
        match text.split_once(',').map(|(elo0, elo1)| (number(elo0), number(elo1))) {
            Some((Some(elo0), Some(elo1))) if elo0 < elo1 => Ok(SprtBounds(Sprt { elo0, elo1 })),
            _ => Err("write two differences in Elo, the smaller first, for example 0,30".to_owned()),
        }
    }
}

/// Plays the match.
pub fn run(args: Args) -> Result<ExitCode> {
    let config = Config::default();
    let seats = args.bots.len() as u32;
    let setup = args.game.setup(Some(seats), &config)?;
    let entrant = |text: &String| Entrant::parse(text).map_err(usage);
    let mut roster = args.bots.iter().map(entrant).collect::<Result<Vec<_>>>()?;
    roster::check_game(&roster, &setup).map_err(usage)?;
    roster::make_names_unique(&mut roster);
    if args.sprt.is_some() && seats > 2 {
        return Err(usage(anyhow!("--sprt compares two programs, not {seats}")));
    }
    let games = args.games.unwrap_or(USUAL_GAMES.next_multiple_of(seats));
    let interrupt = Interrupt::catch().context("cannot catch signals")?;
    let folder = args.out.clone().unwrap_or_else(|| new_folder("duel-"));
    let stored = contest::stored(&folder).map_err(contest_error)?;
    let seed = args.run.seed.or(stored.as_ref().map(|stored| stored.seed)).unwrap_or_else(new_seed);
    let mut settings = Settings {
        arbitro: env!("CARGO_PKG_VERSION").to_owned(),
        machine: settings::machine(),
        started: stored.map_or_else(jiff::Timestamp::now, |stored| stored.started),
        format: Format::Duel,
        rounds: games.div_ceil(seats),
        games: Some(games),
        game: setup.name().to_owned(),
        size: setup.board().size,
        seats: setup.board().seats,
        board: setup.board().text.clone(),
        seed,
        openings: Vec::new(),
        sandbox: None,
        terms: args.terms.terms(&config),
        bots: bot_settings(&roster)?,
    };
    let containment = args.sandbox.containment(&folder, args.run.quiet)?;
    settings.sandbox = containment.as_ref().map(|containment| containment.tier);
    let board_file = contest::write_board(&folder, &setup).map_err(contest_error)?;
    let terms = settings.terms.clone();
    let runner = Runner {
        roster: &roster,
        setup: &setup,
        board_file: &board_file,
        terms: &terms,
        jobs: args.run.jobs(),
        pin: !args.run.no_pin,
        openings: &[],
        containment: containment.as_ref(),
        interrupt: &interrupt,
    };
    let mut contest =
        Contest::open(&folder, settings, args.run.accept_changes, warn).map_err(contest_error)?;
    let mut tally = match &roster[..] {
        [first, second] => {
            let names = [first.name.clone(), second.name.clone()];
            Some(Tally::new(names, args.sprt.map(|SprtBounds(sprt)| sprt)))
        }
        _ => None,
    };
    tally.iter_mut().for_each(|tally| contest.games().iter().for_each(|game| tally.add(game)));
    let progress = Progress::new(games, contest.games().len(), args.run.quiet, args.run.json);
    let play = |contest: &Contest, event: &Event| {
        if let (Event::Finished(game), Some(summary)) = (event, contest.games().last())
            && game.record.verdict.counts()
        {
            tally.iter_mut().for_each(|tally| tally.add(summary));
            progress.show(&line(&game.record), game.record.verdict.has_forfeit());
        }
        let decided = tally.as_ref().is_some_and(Tally::decided);
        if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let standings = contest.play(&runner, play).map_err(contest_error)?;
    progress.done();
    match tally.map(|tally| tally.result(&folder, seed)) {
        None => print_result(&folder, contest.settings(), contest.games(), &standings, args.run.json)?,
        Some(result) if args.run.json => print(&(serde_json::to_string_pretty(&result)? + "\n"))?,
        Some(result) => print(&result.text())?,
    }
    let played = contest.games().len();
    if interrupt.requested() && played < games as usize {
        let journal = folder.join(journal::FILE_NAME);
        say(&format!("interrupted: the {played} finished games are in {}", journal.display()));
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Games where nobody says how many.
const USUAL_GAMES: u32 = 10;

/// A game in a line.
fn line(record: &GameRecord) -> String {
    let (players, result, verdict) = (record.players(), record.result(), &record.verdict);
    let faults: String = verdict.faults.iter().map(|fault| format!("; {}", fault.sentence)).collect();
    format!("game {}: {players}: {result}, {}: {}{faults}", record.id, verdict.reason, verdict.sentence)
}

/// What the games so far amount to.
struct Tally {
    names: [String; 2],
    sprt: Option<Sprt>,
    games: u32,
    score: MatchScore,
    half_points: [u32; 2],
    /// Half points of the first program in games whose pair is not complete, by round.
    open_pairs: BTreeMap<u32, u32>,
    /// How often each program won for each reason.
    won: [BTreeMap<String, u32>; 2],
    unwon: BTreeMap<String, u32>,
    warnings: [u32; 2],
    /// The state of the sequential test when it was decided. Games that ended later change nothing about it.
    decision: Option<SprtState>,
}

impl Tally {
    fn new(names: [String; 2], sprt: Option<Sprt>) -> Tally {
        Tally {
            names,
            sprt,
            games: 0,
            score: MatchScore::default(),
            half_points: [0; 2],
            open_pairs: BTreeMap::new(),
            won: Default::default(),
            unwon: BTreeMap::new(),
            warnings: [0; 2],
            decision: None,
        }
    }

    /// Counts a game.
    fn add(&mut self, record: &Summary) {
        let first_seat = Seat(u8::from(record.bot(Seat(0)) != self.names[0]));
        let half_points = record.verdict.half_points(first_seat);
        self.half_points[0] += half_points;
        self.half_points[1] += record.verdict.half_points(Seat(1 - first_seat.0));
        // A game that neither could begin says nothing of their strength.
        let strength = record.verdict.winner.is_some() || !record.verdict.reason.is_forfeit();
        match self.open_pairs.remove(&record.round) {
            _ if !strength => {}
            Some(other) => self.score.add(&[other, half_points]),
            None => drop(self.open_pairs.insert(record.round, half_points)),
        }
        self.games += 1;
        if self.decision.is_none() {
            let state = self.sprt.map(|sprt| sprt.state(&self.score));
            self.decision = state.filter(|state| state.accepted.is_some());
        }
        for warning in &record.warnings {
            self.warnings[usize::from(warning.seat != first_seat)] += 1;
        }
        let reason = record.verdict.reason.to_string();
        let wins = match record.verdict.winner {
            Some(winner) => &mut self.won[usize::from(winner != first_seat)],
            None => &mut self.unwon,
        };
        *wins.entry(reason).or_default() += 1;
    }

    /// The score with the games whose pair is not complete.
    fn whole_score(&self) -> MatchScore {
        let mut score = self.score.clone();
        self.open_pairs.values().for_each(|&half_points| score.add(&[half_points]));
        score
    }

    fn decided(&self) -> bool {
        self.decision.is_some()
    }

    fn result(&self, folder: &Path, seed: u64) -> MatchResult {
        let score = self.whole_score();
        let line = |index: usize| BotResult {
            name: self.names[index].clone(),
            points: f64::from(self.half_points[index]) / 2.0,
            won: self.won[index].clone(),
            warnings: self.warnings[index],
        };
        MatchResult {
            bots: [line(0), line(1)],
            games: self.games,
            without_winner: self.unwon.clone(),
            elo: score.elo(),
            sprt: self.decision.or(self.sprt.map(|sprt| sprt.state(&self.score))),
            seed,
            journal: folder.join(journal::FILE_NAME).display().to_string(),
        }
    }
}

/// The result of a match, as `--json` prints it.
#[derive(Serialize)]
struct MatchResult {
    bots: [BotResult; 2],
    games: u32,
    /// Games that nobody won, by reason.
    without_winner: BTreeMap<String, u32>,
    /// The first program's strength above the second's.
    elo: Option<EloEstimate>,
    sprt: Option<SprtState>,
    seed: u64,
    journal: String,
}

#[derive(Serialize)]
struct BotResult {
    name: String,
    points: f64,
    /// Games won, by reason.
    won: BTreeMap<String, u32>,
    /// Lines that were let pass.
    warnings: u32,
}

impl MatchResult {
    fn text(&self) -> String {
        let [first, second] = &self.bots;
        let games = if self.games == 1 { "1 game".to_owned() } else { format!("{} games", self.games) };
        let mut text =
            format!("{} {} – {} {}   ({games})\n", first.name, first.points, second.points, second.name);
        for bot in &self.bots {
            let won = bot.won.values().sum::<u32>();
            let reasons = bot
                .won
                .iter()
                .map(|(reason, count)| format!("{reason} {count}"))
                .collect::<Vec<_>>()
                .join(", ");
            let reasons = if won > 0 { format!(": {reasons}") } else { String::new() };
            text += &format!("  {} won {won}{reasons}\n", bot.name);
            if bot.warnings > 0 {
                text +=
                    &format!("  {}: {} faults that were let pass; see the journal\n", bot.name, bot.warnings);
            }
        }
        for (reason, count) in &self.without_winner {
            text += &format!("  nobody won {count}: {reason}\n");
        }
        if let Some(EloEstimate { elo, low, high }) = self.elo {
            text += &format!("Elo difference {elo:+.0}, 95 % interval {low:+.0} to {high:+.0}\n");
        }
        if let Some(SprtState { llr, bound, accepted }) = self.sprt {
            let decision = accepted.map_or("undecided".to_owned(), |elo| format!("accepted: {elo:+} Elo"));
            text += &format!("SPRT {decision} (LLR {llr:.2}, bounds ±{bound:.2})\n");
        }
        text + &format!("journal: {}\n", self.journal)
    }
}

/// Progress on stderr: a bar on a terminal, a line for each game otherwise.
struct Progress {
    bar: ProgressBar,
    lines: bool,
}

impl Progress {
    fn new(games: u32, done: usize, quiet: bool, json: bool) -> Progress {
        let terminal = io::stderr().is_terminal();
        let target =
            if terminal && !quiet { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(games.into()), target).with_position(done as u64);
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left\n{wide_msg}");
        bar.set_style(style.expect("the template is well formed"));
        Progress { bar, lines: !terminal && !quiet && !json }
    }

    fn show(&self, line: &str, forfeit: bool) {
        if self.lines {
            say(line);
        } else if forfeit {
            // It stays above the bar: somebody has something to mend.
            self.bar.println(line);
        }
        self.bar.set_message(line.to_owned());
        self.bar.inc(1);
    }

    fn done(&self) {
        self.bar.finish_and_clear();
    }
}

//! `arbitro play`: people play, against programs or each other, in the browser or at the terminal.

mod screen;
mod terminal;

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;
use tempfile::NamedTempFile;

use self::terminal::Terminal;
use super::console::{Chair, Company, ConsoleOptions, keep};
use super::exit::{self, usage};
use super::options::GameOptions;
use super::output::{say, warn};
use crate::championship::config::Config;
use crate::game;
use crate::record::GameRecord;
use crate::referee::protocol::Protocol;
use crate::serve::listen::Listen;
use crate::serve::play::table::{Kind, Player};
use crate::serve::play::{Room, RoomHost, Web, Wish};

/// Play yourself, against bots or other people: in the browser, or with --terminal at the terminal
#[derive(ClapArgs)]
#[command(after_help = "\
A SEAT is human, human:NAME, or a bot as everywhere: './mybot', 'python3 bot.py', htp:COMMAND or a built-in (@random @greedy @easy \
@medium @hard @max). The first one begins. In okupacio and xinez more than two can play.

Open the link that is printed: it is for you alone. Click a cell to play; there are buttons to swap, to take a move back (where only \
people and built-ins play), for a hint from the reference, to resign, and for a new game with sides exchanged. People have no clock.

Finished games are kept in results/play-<date-time>, for arbitro replay. Ctrl-C ends it.

Examples:
  arbitro play human @easy
  arbitro play ./mybot human:Ana --size 11        Ana plays second
  arbitro play human:Ana human:Beto               two people at one screen
  arbitro play human @greedy ./mybot --game xinez
  arbitro play human @medium --terminal")]
pub struct Args {
    /// The players in seat order: human, human:NAME or a bot
    #[arg(value_name = "SEAT", num_args = 2.., required = true)]
    seats: Vec<String>,
    /// Play at the terminal: cursor keys and Enter, or typed moves
    #[arg(long)]
    terminal: bool,
    /// Open the link in the browser, with xdg-open
    #[arg(long, conflicts_with = "terminal")]
    open: bool,
    /// Where the page is served: PORT, HOST or HOST:PORT, and after commas other names of this machine [default: 127.0.0.1:8750]
    #[arg(
        long,
        value_name = "ADDR",
        default_value = "",
        hide_default_value = true,
        conflicts_with = "terminal"
    )]
    address: Listen,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    console: ConsoleOptions,
}

/// Plays games until people have had enough.
pub fn run(args: Args) -> Result<ExitCode> {
    let setup = args.game.setup(Some(args.seats.len() as u32), &Config::default())?;
    let chair = |text: &String| Chair::read(text, setup.name()).map_err(usage);
    let chairs = args.seats.iter().map(chair).collect::<Result<Vec<_>>>()?;
    if !chairs.iter().any(Chair::is_person) {
        return Err(usage(anyhow!(
            "nobody plays: write human for a person, as in 'arbitro play human {}'; bots alone play a duel",
            args.seats[0]
        )));
    }
    if args.terminal && !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return Err(usage(anyhow!("--terminal needs a terminal; leave it out to play in the browser")));
    }
    let mut company = Company::gather(setup, chairs, None, &args.console, "play-")?;
    let room = Room::new(&company.setup, &company.terms, &company.board_file);
    let room = Arc::new(room.context("cannot catch signals")?);
    let played =
        if args.terminal { at_terminal(&mut company, &room) } else { in_browser(&args, &mut company, &room) };
    company.forget_copies();
    played?;
    Ok(if room.interrupt.requested() { ExitCode::from(exit::INTERRUPTED) } else { ExitCode::SUCCESS })
}

fn in_browser(args: &Args, company: &mut Company, room: &Arc<Room>) -> Result<()> {
    let title = format!("{} {}", game::title(company.setup.name()), company.setup.start().board_name());
    let web = Web::start(&args.address, room.clone(), &title).map_err(|error| {
        usage(anyhow!("the page cannot be served: {error}; give another address, as in --address 8760"))
    })?;
    say(&format!("play here: {}\nCtrl-C ends it", web.link));
    // The page that leads to the link stays for as long as there is something behind it.
    let lead = args.open.then(|| open_browser(&web.link));
    if let Some(Err(error)) = &lead {
        warn(format!("the browser cannot be opened with xdg-open: {error}"));
    }
    let played = play_games(company, room, say);
    web.stop();
    played
}

/// Opens the link through a file that only we can read: everybody on this machine sees the arguments of programs.
fn open_browser(link: &str) -> io::Result<NamedTempFile> {
    let mut lead = tempfile::Builder::new().prefix("arbitro-play-").suffix(".html").tempfile()?;
    write!(
        lead,
        "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url={link}\">"
    )?;
    lead.flush()?;
    Command::new("xdg-open")
        .arg(lead.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(lead)
}

fn at_terminal(company: &mut Company, room: &Arc<Room>) -> Result<()> {
    let terminal = Terminal::open(room.clone());
    let last = RefCell::new(None);
    let played = play_games(company, room, |kept| {
        room.tell(kept);
        last.replace(Some(kept.to_owned()));
    });
    terminal.close()?;
    // The screen on which it was said is gone.
    last.take().iter().for_each(|kept| say(kept));
    played
}

/// Plays one game after the other, until somebody wants no more.
fn play_games(company: &mut Company, room: &Room, tell: impl Fn(&str)) -> Result<()> {
    let mut order: Vec<usize> = (0..company.chairs.len()).collect();
    let mut beginning = Vec::new();
    loop {
        room.begin(players(company, &order), &beginning);
        let texts: Vec<&str> = beginning.iter().map(|(_, text): &(_, String)| text.as_str()).collect();
        let opening = (!texts.is_empty()).then(|| texts.join(","));
        let game = company.play(&order, opening.as_deref(), &mut RoomHost(room), &room.interrupt)?;
        if let Some(record) = &game.record {
            end(room, record, &company.folder, &tell);
        }
        match next(room, game.record.is_some()) {
            Wish::Quit => return Ok(()),
            Wish::Undo(plies) => beginning = plies,
            Wish::New => {
                beginning.clear();
                order.rotate_right(1);
            }
        }
    }
}

fn end(room: &Room, record: &GameRecord, folder: &Path, tell: impl Fn(&str)) {
    let kept = keep(folder, record.clone());
    room.end(record);
    tell(&kept);
}

/// What people want after a game, or instead of it.
fn next(room: &Room, is_over: bool) -> Wish {
    loop {
        let wish = room.take_wish();
        if room.interrupt.requested() {
            return Wish::Quit;
        }
        match wish {
            // It came a moment too late: the game is kept.
            Some(Wish::Undo(_)) | None if is_over => room.wait(),
            Some(wish) => return wish,
            None => return Wish::Quit,
        }
    }
}

/// Those who play, in order of their seats.
fn players(company: &Company, order: &[usize]) -> Vec<Player> {
    let player = |&who: &usize| {
        let kind = match &company.chairs[who] {
            Chair::Program(entrant) if entrant.is_built_in() && entrant.protocol != Protocol::Htp => {
                Kind::BuiltIn
            }
            Chair::Program(_) => Kind::Program,
            Chair::Person(_) | Chair::Script(..) => Kind::Person,
        };
        Player { name: company.names[who].clone(), kind }
    };
    order.iter().map(player).collect()
}

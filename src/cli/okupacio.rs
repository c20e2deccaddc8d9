//! `arbitro okupacio`: the hand-out's program, for people at one keyboard, and for programs among them.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;

use super::options::{SandboxOptions, TermsOptions, board_text};
use super::output::{print, say};
use super::people::{self, Lines, Player};
use super::usage;
use crate::championship::settings::Config;
use crate::game::okupacio::map::Map;
use crate::game::okupacio::{Action, MAX_PLAYERS, Okupacio};
use crate::game::{Game, Seat};
use crate::view::okupacio::{Manner, board, ending, player, table};

/// Play Okupació at the keyboard, as in its hand-out and in Catalan
#[derive(ClapArgs)]
#[command(after_help = "\
A move is the letters of a row and a column, such as 'ab'; '00' leaves the game.

Examples:
  arbitro okupacio                                           asks how many play, and on which board
  arbitro okupacio --seats human,@greedy --board tauler.txt  you against the reference
  arbitro okupacio --seats human,./mybot,'python3 ana.py'")]
pub struct Args {
    /// Who plays, in order: human, or programs such as ./mybot, 'python3 bot.py' or @greedy [default: asks how many people]
    #[arg(long, value_name = "SEAT,SEAT,…", value_delimiter = ',')]
    seats: Vec<String>,
    /// File of the board: rows, columns, then the lengths of free and of wall stretches in turn [default: asks for it]
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    /// Do as the example of the hand-out does where it departs from its text: who has waited longest comes first among equals,
    /// and a line is dominated, not controlled
    #[arg(long)]
    like_example: bool,
    #[command(flatten)]
    terms: TermsOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

/// Plays one game.
pub fn run(args: Args) -> Result<ExitCode> {
    let manner = if args.like_example { Manner::Example } else { Manner::Text };
    let terms = args.terms.terms(&Config::default());
    let mut entrants = people::read_seats(&args.seats, "okupacio")?;
    let most = usize::from(MAX_PLAYERS);
    if !(entrants.is_empty() || (2..=most).contains(&entrants.len())) {
        return Err(usage(anyhow!("--seats names {} players; 2 to {most} can play", entrants.len())));
    }
    let given = args.board.map(|path| {
        let map = read_board(&path).with_context(|| format!("cannot use the board in '{}'", path.display()));
        map.map(|map| (map, path.display().to_string())).map_err(usage)
    });
    let given = given.transpose()?;
    let mut lines = Lines::stdin();
    print("BENVINGUTS A OKUPACIO !\n")?;
    if entrants.is_empty() {
        entrants.resize(ask_players(&mut lines)?, None);
    }
    let (map, file) = match given {
        Some(given) => given,
        None => ask_board(&mut lines)?,
    };
    let game = Okupacio::new(map, entrants.len() as u8);
    let players = people::seat(&entrants, &game, "okupacio", &file, &terms, &args.sandbox)?;
    Session { game, players, lines, manner }.play()
}

fn ask_players(lines: &mut Lines<impl BufRead>) -> Result<usize> {
    loop {
        print("ENTRA NOMBRE DE JUGADORS (2..10):\n")?;
        let number = lines.line()?.parse().ok();
        if let Some(number) = number.filter(|number| (2..=MAX_PLAYERS).contains(number)) {
            return Ok(number.into());
        }
    }
}

/// The board, and the file that it is in.
fn ask_board(lines: &mut Lines<impl BufRead>) -> Result<(Map, String)> {
    loop {
        print("NOM DEL FITXER DEL TAULER:\n")?;
        let file = lines.line()?;
        match read_board(Path::new(&file)) {
            Ok(map) => return Ok((map, file)),
            Err(error) => {
                say(&format!("'{}': {error:#}", file.escape_debug()));
                print("NO ES POT OBRIR EL FITXER\n")?;
            }
        }
    }
}

fn read_board(path: &Path) -> Result<Map> {
    Ok(board_text(path)?.parse()?)
}

/// A game at the keyboard.
struct Session<R> {
    game: Okupacio,
    players: Vec<Player>,
    lines: Lines<R>,
    manner: Manner,
}

impl<R: BufRead> Session<R> {
    fn play(mut self) -> Result<ExitCode> {
        print(&format!("\n{}\n", board(&self.game)))?;
        while !self.game.is_over() {
            let mover = self.game.turn();
            let action = self.choose(mover)?;
            self.game.act(action);
            self.show()?;
            while let Some(seat) = self.game.exclude() {
                print(&format!("EL {} ES ELIMINAT DEL JOC\n", player(seat)))?;
                self.show()?;
            }
            self.tell(mover)?;
        }
        print(&ending(&self.game, self.manner))?;
        self.players.iter_mut().try_for_each(Player::dismiss)?;
        Ok(ExitCode::SUCCESS)
    }

    /// What the player whose turn it is does; a program that fails leaves.
    fn choose(&mut self, mover: Seat) -> Result<Action> {
        let game = &self.game;
        let seat = &mut self.players[mover.index()];
        let prompt = player(mover) + "\n";
        let line =
            seat.choose(game.side(mover), &prompt, &mut self.lines, |line| game.read(line).map(drop))?;
        let line = line.unwrap_or_else(|| "00".to_owned());
        if matches!(seat, Player::Program(_)) {
            print(&format!("{line}\n"))?;
        }
        Ok(game.read(&line).unwrap_or(Action::Abandon))
    }

    fn show(&self) -> Result<()> {
        print(&format!("\n{}\n{}\n", board(&self.game), table(&self.game, self.manner)))
    }

    /// Tells the programs that play on what has happened; the others have nothing to do here any more.
    fn tell(&mut self, mover: Seat) -> Result<()> {
        for (seat, player) in (0..).map(Seat).zip(&mut self.players) {
            if self.game.is_out(seat) {
                player.dismiss()?;
                continue;
            }
            let mut news = String::new();
            self.game.write_news(mover, seat, &mut news);
            player.tell(&news)?;
        }
        Ok(())
    }
}

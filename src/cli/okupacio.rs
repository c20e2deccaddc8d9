//! `arbitro okupacio`: the hand-out's program, for people at one keyboard, and for programs among them.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;

use super::console::{self, Chair, ConsoleOptions, Keyboard, show};
use super::exit::usage;
use super::options::board_text;
use super::output::{print, say};
use crate::game::okupacio::map::Map;
use crate::game::okupacio::{Action, MAX_PLAYERS, Okupacio, RULES};
use crate::game::{BoardOptions, Game, Refusal, Seat, Setup};
use crate::record::text::counted;
use crate::record::{Loss, Ply};
use crate::referee::{Answers, Host};
use crate::view::okupacio::{Manner, board, ending, player, table};

/// Play Okupació at the keyboard, as in its hand-out and in Catalan
#[derive(ClapArgs)]
#[command(after_help = "\
A move is the letters of a row and a column, such as 'ab'; '00' leaves the game.

Examples:
  arbitro okupacio                          asks how many play, and where
  arbitro okupacio --seats human,@greedy    you against a built-in
  arbitro okupacio --seats human,./mybot,'python3 ana.py' --board tauler.txt")]
pub struct Args {
    /// Who plays, in order: human or human:NAME, or programs such as ./mybot, 'python3 bot.py' or @greedy [default: asks how many people]
    #[arg(long, value_name = "SEAT,SEAT,…", value_delimiter = ',')]
    seats: Vec<String>,
    /// File of the board: rows, columns, then the lengths of free and of wall stretches in turn [default: asks for it]
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    /// Follow the example in the hand-out where it differs from its text: among equals, the player that has waited longest
    /// comes first, and a line is dominated, not controlled
    #[arg(long)]
    like_example: bool,
    #[command(flatten)]
    console: ConsoleOptions,
}

/// Plays one game.
pub fn run(args: Args) -> Result<ExitCode> {
    let manner = if args.like_example { Manner::Example } else { Manner::Text };
    let chair = |text: &String| Chair::read(text, RULES.name).map_err(usage);
    let mut chairs = args.seats.iter().map(chair).collect::<Result<Vec<_>>>()?;
    let most = usize::from(MAX_PLAYERS);
    if !(chairs.is_empty() || (2..=most).contains(&chairs.len())) {
        let players = counted(chairs.len(), "player");
        return Err(usage(anyhow!(
            "--seats names {players}; 2 to {most} can play, as in --seats human,@greedy"
        )));
    }
    let given = args.board.map(|path| {
        let text = read_board(&path).with_context(|| format!("cannot use the board in '{}'", path.display()));
        text.map(|text| (text, path.display().to_string())).map_err(usage)
    });
    let given = given.transpose()?;
    let mut keyboard = Keyboard::default();
    print("BENVINGUTS A OKUPACIO !\n")?;
    if chairs.is_empty() {
        chairs.extend((0..ask_players(&mut keyboard)?).map(|_| Chair::Person(None)));
    }
    let (text, file) = match given {
        Some(given) => given,
        None => ask_board(&mut keyboard)?,
    };
    let game = Okupacio::new(text.parse()?, chairs.len() as u8);
    let options = BoardOptions { seats: Some(chairs.len() as u32), text: Some(text), size: None };
    let setup = Setup::new(RULES.name, options).map_err(usage)?;
    let people = chairs.iter().map(Chair::is_person).collect();
    let mut screen = Screen { game, people, keyboard, manner };
    console::play(&setup, chairs, &file, &mut screen, &args.console)
}

fn ask_players(keyboard: &mut Keyboard) -> Result<u8> {
    loop {
        print("ENTRA NOMBRE DE JUGADORS (2..10):\n")?;
        let number = keyboard.wait_for_line()?.parse().ok();
        if let Some(number) = number.filter(|number| (2..=MAX_PLAYERS).contains(number)) {
            return Ok(number);
        }
    }
}

/// The text of the board, and the file that it is in.
fn ask_board(keyboard: &mut Keyboard) -> Result<(String, String)> {
    loop {
        print("NOM DEL FITXER DEL TAULER:\n")?;
        let file = keyboard.wait_for_line()?;
        match read_board(Path::new(&file)) {
            Ok(text) => return Ok((text, file)),
            Err(error) => {
                say(&format!("'{}': {error:#}", file.escape_debug()));
                print("NO ES POT OBRIR EL FITXER\n")?;
            }
        }
    }
}

/// The text of a board that can be played on.
fn read_board(path: &Path) -> Result<String> {
    let text = board_text(path)?;
    text.parse::<Map>()?;
    Ok(text)
}

/// The game on the screen, as the hand-out has it.
struct Screen {
    game: Okupacio,
    /// Whether a person sits at each seat.
    people: Vec<bool>,
    keyboard: Keyboard,
    manner: Manner,
}

impl Screen {
    fn show_board_and_table(&self) -> io::Result<()> {
        show(&format!("\n{}\n{}\n", board(&self.game), table(&self.game, self.manner)))
    }

    /// Names the player whose turn it is, or tells the end.
    fn prompt(&self) -> io::Result<()> {
        if self.game.is_over() {
            return show(&ending(&self.game, self.manner));
        }
        show(&(player(self.game.turn()) + "\n"))
    }
}

impl Host for Screen {
    fn begin(&mut self) -> io::Result<()> {
        show(&format!("\n{}\n", board(&self.game)))?;
        self.prompt()
    }

    fn played(&mut self, seat: Seat, ply: &Ply) -> io::Result<()> {
        // A program that fails leaves, as a person does with 00.
        let line = ply.text().unwrap_or("00");
        if !self.people[seat.index()] {
            show(&format!("{line}\n"))?;
        }
        self.game.act(self.game.read(line).unwrap_or(Action::Abandon));
        self.show_board_and_table()?;
        while let Some(seat) = self.game.exclude() {
            show(&format!("EL {} ES ELIMINAT DEL JOC\n", player(seat)))?;
            self.show_board_and_table()?;
        }
        self.prompt()
    }

    fn lost(&mut self, loss: &Loss) -> io::Result<()> {
        say(&format!("{} {}", self.game.side(loss.seat), loss.what("its opponent")));
        Ok(())
    }

    fn refused(&mut self, _line: &str, _refusal: &Refusal) -> io::Result<()> {
        self.prompt()
    }

    fn answers(&mut self) -> Option<&mut dyn Answers> {
        Some(&mut self.keyboard)
    }
}

//! `arbitro xinez`: the hand-out's program, a game in which each of the six seats is a person, a robot, a program or empty.

use std::io;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;

use super::console::{self, Chair, ConsoleOptions, Keyboard, show};
use super::exit::usage;
use super::numbers::whole;
use super::output::{print, say};
use crate::engine::xinez::greedy;
use crate::game::xinez::{Fault, Player, Players, RULES, Xinez};
use crate::game::{BoardOptions, Ending, Game, Outcome, Refusal, Seat, Setup};
use crate::record::text::printable;
use crate::record::{Loss, Ply};
use crate::referee::{Answer, Answers, Host, Script};
use crate::view::terminal;

/// Play Xadrez Xinez (Chinese checkers) at the keyboard, as in its hand-out and in Portuguese
#[derive(ClapArgs)]
#[command(after_help = "\
A move is two indices of cells, origin and destination, such as '3 2'; 'n' shows the board with all indices, 'j' your moves.

Examples:
  arbitro xinez                            asks for N, and who sits where
  arbitro xinez --seats human,-,-,robot    you against the hand-out's robot
  arbitro xinez --size 2 --seats human,-,./mybot,-,@random
  arbitro xinez --seats robot,robot,robot,robot,robot,robot")]
pub struct Args {
    /// The board's N, from 1 to 6 [default: 4, and asks for it if --seats is not given]
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1..=6))]
    size: Option<u8>,
    /// Who sits where, from player 1 on: human, robot (the hand-out's), a program such as ./mybot or @greedy, or - for nobody
    /// [default: asks]
    #[arg(long, value_name = "SEAT,SEAT,…", value_delimiter = ',', allow_hyphen_values = true)]
    seats: Vec<String>,
    #[command(flatten)]
    console: ConsoleOptions,
}

/// Plays one game.
pub fn run(args: Args) -> Result<ExitCode> {
    let given = given_chairs(&args.seats).map_err(usage)?;
    let mut keyboard = Keyboard::default();
    print("XADREZ XINEZ\n")?;
    let (size, mut chairs) = match given {
        Some(chairs) => (args.size.unwrap_or(RULES.default_size), chairs),
        None => {
            let size = args.size.map_or_else(|| ask_size(&mut keyboard), Ok)?;
            (size, ask_chairs(&mut keyboard)?)
        }
    };
    chairs.resize_with(Player::ALL.len(), || None);
    let taken: Vec<(Player, Wanted)> =
        Player::ALL.into_iter().zip(chairs).filter_map(|(player, chair)| Some((player, chair?))).collect();
    let players = Players::of(taken.iter().map(|(player, _)| *player)).context("nobody plays")?;
    let options = BoardOptions {
        size: Some(size.into()),
        seats: Some(players.count() as u32),
        text: Some(players.to_string()),
    };
    let setup = Setup::new(RULES.name, options).map_err(usage)?;
    let game = Xinez::new(size, players);
    let chair = |(_, wanted)| match wanted {
        Wanted::Robot => {
            let game = game.clone();
            Chair::Script("robot", Box::new(move || Box::new(Robot { game: game.clone() })))
        }
        Wanted::Chair(chair) => chair,
    };
    let chairs: Vec<Chair> = taken.into_iter().map(chair).collect();
    let people = chairs.iter().map(Chair::is_person).collect();
    let mut screen = Screen { game: game.clone(), people, keyboard, explained: false };
    console::play(&setup, chairs, "", &mut screen, &args.console)
}

/// The hand-out's robot.
struct Robot {
    game: Xinez,
}

impl Script for Robot {
    fn tell(&mut self, _seat: Seat, ply: &Ply) {
        follow(&mut self.game, ply);
    }

    fn ask(&mut self) -> Option<Answer> {
        Some(Answer::Line(greedy(&self.game).to_string()))
    }
}

/// Makes a ply of the game, which the referee has allowed, in a game of one's own.
fn follow(game: &mut Xinez, ply: &Ply) {
    match ply.text().map(|text| game.play(text)) {
        Some(played) => played.expect("the referee has allowed it"),
        None => game.withdraw(),
    }
}

/// Who is to sit at a seat.
enum Wanted {
    /// The hand-out's robot.
    Robot,
    /// As everywhere.
    Chair(Chair),
}

/// Who is to sit at one of the six seats, if anybody is.
fn read_chair(text: &str) -> Result<Option<Wanted>> {
    match text.trim().to_lowercase().as_str() {
        "" | "-" | "v" | "vazio" | "empty" => Ok(None),
        "h" | "humano" => Ok(Some(Wanted::Chair(Chair::Person(None)))),
        "r" | "robo" | "robô" | "robot" => Ok(Some(Wanted::Robot)),
        _ => Ok(Some(Wanted::Chair(Chair::read(text, RULES.name)?))),
    }
}

/// Who sits where, if the command line says so.
fn given_chairs(texts: &[String]) -> Result<Option<Vec<Option<Wanted>>>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let chairs: Vec<Option<Wanted>> = texts.iter().map(|text| read_chair(text)).collect::<Result<_>>()?;
    if chairs.len() > Player::ALL.len() {
        return Err(anyhow!("--seats names {} seats; there are six", chairs.len()));
    }
    if chairs.iter().all(Option::is_none) {
        return Err(anyhow!(
            "--seats leaves every seat empty; write human, robot or a program for at least one"
        ));
    }
    Ok(Some(chairs))
}

fn ask_size(keyboard: &mut Keyboard) -> Result<u8> {
    loop {
        print(&format!("N (de 1 a 6; só Enter = {}): ", RULES.default_size))?;
        let line = keyboard.wait_for_line()?;
        if line.is_empty() {
            return Ok(RULES.default_size);
        }
        match line.parse().ok().filter(|size| RULES.sizes.contains(size)) {
            Some(size) => return Ok(size),
            None => print("N é um número de 1 a 6.\n")?,
        }
    }
}

fn ask_chairs(keyboard: &mut Keyboard) -> Result<Vec<Option<Wanted>>> {
    print("Em cada lugar: h = humano, r = robô, v = vazio, ou um programa como ./bot ou @greedy.\n")?;
    loop {
        let chairs = Player::ALL
            .into_iter()
            .map(|player| ask_chair(player, keyboard))
            .collect::<Result<Vec<Option<Wanted>>>>()?;
        if chairs.iter().any(Option::is_some) {
            return Ok(chairs);
        }
        print("Assim ninguém joga: ocupe pelo menos um lugar.\n")?;
    }
}

/// Characters of what is wrong with a program that are shown.
const LONGEST_PROBLEM: usize = 300;

fn ask_chair(player: Player, keyboard: &mut Keyboard) -> Result<Option<Wanted>> {
    loop {
        print(&format!("Jogador {player} (h, r, v ou programa): "))?;
        let line = keyboard.wait_for_line()?;
        match read_chair(&line) {
            _ if line.is_empty() => print("Digite h, r, v ou um programa.\n")?,
            Ok(chair) => return Ok(chair),
            Err(problem) => {
                let problem = printable(problem.to_string().as_bytes(), LONGEST_PROBLEM);
                print(&format!("Não é h, r nem v, e como programa não serve: {problem}\n"))?;
            }
        }
    }
}

/// The game on the screen.
struct Screen {
    game: Xinez,
    /// Whether a person sits at each seat.
    people: Vec<bool>,
    keyboard: Keyboard,
    /// Whether people have been told how to move.
    explained: bool,
}

impl Screen {
    fn show_board(&self) -> io::Result<()> {
        show(&format!("\n{}\n", terminal::board(&self.game.picture(), console_colours())))
    }

    /// Asks a person whose turn it is, or tells the end.
    fn next_turn(&mut self) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            self.show_board()?;
            return show(&ending(&self.game, &outcome));
        }
        if !self.people[self.game.turn().index()] {
            return Ok(());
        }
        self.show_board()?;
        if !std::mem::replace(&mut self.explained, true) {
            show(&self.game.numbered_board())?;
            show(
                "Uma jogada são dois índices, origem e destino, como 3 2.\n\
                 n mostra o tabuleiro com os índices (4:20 = peça do jogador 4 na casa 20), j as suas jogadas.\n",
            )?;
        }
        self.prompt()
    }

    fn prompt(&self) -> io::Result<()> {
        show(&format!("Jogador {}, origem destino: ", self.game.player(self.game.turn())))
    }
}

/// Whether boards are shown in colours.
fn console_colours() -> bool {
    ::console::colors_enabled()
}

impl Host for Screen {
    fn begin(&mut self) -> io::Result<()> {
        if !self.people.contains(&true) {
            self.show_board()?;
        }
        self.next_turn()
    }

    fn played(&mut self, seat: Seat, ply: &Ply) -> io::Result<()> {
        let player = self.game.player(seat);
        follow(&mut self.game, ply);
        show(&match ply.text() {
            Some(line) => format!("Jogador {player}: {line}\n"),
            None => format!(
                "O programa do jogador {player} falhou e sai do jogo: as suas peças ficam, e ele passa sempre.\n"
            ),
        })?;
        for &seat in self.game.passed().iter().filter(|&&seat| !self.game.is_out(seat)) {
            show(&format!("O jogador {} não tem jogada e passa.\n", self.game.player(seat)))?;
        }
        self.next_turn()
    }

    fn lost(&mut self, loss: &Loss) -> io::Result<()> {
        say(&format!("{} {}", self.game.side(loss.seat), loss.what("its opponent")));
        Ok(())
    }

    fn refused(&mut self, line: &str, _refusal: &Refusal) -> io::Result<()> {
        show(&answer(&self.game, line))?;
        self.prompt()
    }

    fn answers(&mut self) -> Option<&mut dyn Answers> {
        Some(&mut self.keyboard)
    }
}

/// What a person is told who typed no legal move.
fn answer(game: &Xinez, line: &str) -> String {
    match line {
        "n" => game.numbered_board(),
        "j" => moves(game),
        _ => match game.judge(line) {
            Some(Err(fault)) => format!("Jogada inválida: {}.\n", in_portuguese(fault)),
            _ => "Não entendi: digite dois índices, como 3 2, ou n, ou j.\n".to_owned(),
        },
    }
}

/// All moves of the player whose turn it is, a line for each piece.
fn moves(game: &Xinez) -> String {
    let position = game.position();
    let mut text = String::new();
    for cell in position.pieces(game.player(game.turn())).iter() {
        let reached: Vec<String> = position.moves_of(cell).iter().map(|cell| cell.to_string()).collect();
        if !reached.is_empty() {
            text += &format!("{cell} → {}\n", reached.join(" "));
        }
    }
    text
}

fn in_portuguese(fault: Fault) -> String {
    match fault {
        Fault::OffBoard { last } => format!("as casas vão de 0 a {last}"),
        Fault::NoPiece(cell) => format!("não há peça na casa {cell}"),
        Fault::NotYours(cell, owner) => format!("a peça na casa {cell} é do jogador {owner}"),
        Fault::NoMove => "a peça ficaria onde está".to_owned(),
        Fault::Taken(cell) => format!("a casa {cell} está ocupada"),
        Fault::Forbidden(cell, player) => format!(
            "o jogador {player} não pode parar na casa {cell}, só na sua casa inicial, no seu destino e no hexágono central"
        ),
        Fault::Unreachable(from, to) => {
            format!("nem um passo nem uma sequência de saltos leva da casa {from} à casa {to}")
        }
    }
}

/// How the game ended.
fn ending(game: &Xinez, outcome: &Outcome) -> String {
    let sum = |seat: Seat| game.position().sum_of_w(game.player(seat));
    let who = outcome.winner.map_or_else(
        || "Empate: a maior soma de w é de mais de um jogador.".to_owned(),
        |seat| format!("Vence o jogador {}, com a maior soma de w: {}.", game.player(seat), sum(seat)),
    );
    let winner = outcome.winner.map_or_else(String::new, |seat| game.player(seat).to_string());
    let mut text = match outcome.ending {
        Ending::Home => {
            format!(
                "O jogador {winner} levou todas as suas peças ao destino na rodada {} e venceu!\n",
                game.round()
            )
        }
        Ending::LastPlayer if outcome.winner.is_none() => "Ninguém mais joga.\n".to_owned(),
        Ending::LastPlayer => format!("O jogador {winner} é o último que joga, e venceu.\n"),
        Ending::RoundLimit => format!("Ninguém chegou ao destino em {} rodadas. {who}\n", game.round()),
        _ => format!("A mesma posição apareceu pela terceira vez, na rodada {}. {who}\n", game.round()),
    };
    let mut placed: Vec<(u8, Seat)> = outcome.places.iter().copied().zip((0..).map(Seat)).collect();
    placed.sort();
    for (place, seat) in placed {
        let note = if game.is_out(seat) { ", saiu do jogo" } else { "" };
        text += &format!("{place}º: jogador {} (soma de w {}{note})\n", game.player(seat), sum(seat));
    }
    text
}

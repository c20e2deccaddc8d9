//! `arbitro xinez`: the hand-out's program, a game in which each of the six seats is a person, a robot, a program or empty.

use std::io::BufRead;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;

use super::options::{SandboxOptions, TermsOptions};
use super::output::print;
use super::people::{self, Lines, Player as Mate};
use super::usage;
use crate::championship::roster::Entrant;
use crate::championship::settings::Config;
use crate::engine::xinez::greedy;
use crate::game::xinez::{Fault, Player, Players, RULES, Xinez};
use crate::game::{Ending, Game, Outcome, Seat};
use crate::record::text::printable;
use crate::view::terminal;

/// Play Xadrez Xinez (Chinese checkers) at the keyboard, as in its hand-out and in Portuguese
#[derive(ClapArgs)]
#[command(after_help = "\
A move is two indices of cells, origin and destination, such as '3 2'; 'n' shows the board with all indices, 'j' your moves.

Examples:
  arbitro xinez                                  asks for N, and who sits where
  arbitro xinez --seats human,-,-,robot          you against the hand-out's robot, who sits opposite
  arbitro xinez --size 2 --seats human,-,./mybot,-,@random
  arbitro xinez --seats robot,robot,robot,robot,robot,robot")]
pub struct Args {
    /// The board's N, from 1 to 6 [default: 4, and asks for it if --seats is not given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    size: Option<u8>,
    /// Who sits where, from player 1 on: human, robot (the hand-out's), a program such as ./mybot or @greedy, or - for nobody
    /// [default: asks]
    #[arg(long, value_name = "SEAT,SEAT,…", value_delimiter = ',', allow_hyphen_values = true)]
    seats: Vec<String>,
    #[command(flatten)]
    terms: TermsOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

/// Plays one game.
pub fn run(args: Args) -> Result<ExitCode> {
    let terms = args.terms.terms(&Config::default());
    let given = given_chairs(&args.seats).map_err(usage)?;
    let mut lines = Lines::stdin();
    print("XADREZ XINEZ\n")?;
    let (size, chairs) = match given {
        Some(chairs) => (args.size.unwrap_or(RULES.default_size), chairs),
        None => {
            let size = args.size.map_or_else(|| ask_size(&mut lines), Ok)?;
            (size, ask_chairs(&mut lines)?)
        }
    };
    let taken = || Player::ALL.into_iter().zip(&chairs).filter(|(_, chair)| !matches!(chair, Chair::Empty));
    let players = Players::of(taken().map(|(player, _)| player)).context("nobody plays")?;
    let game = Xinez::new(size, players);
    let entrants: Vec<Option<Entrant>> = taken().map(|(_, chair)| chair.entrant()).collect();
    let mates = people::seat(&entrants, &game, RULES.name, "", &terms, &args.sandbox)?;
    let minds = taken().zip(mates).map(|((_, chair), mate)| match chair {
        Chair::Robot => Mind::Robot,
        _ => Mind::Mate(mate),
    });
    Session { minds: minds.collect(), game, lines, explained: false }.play()
}

/// Who is to sit at one of the six seats.
enum Chair {
    Empty,
    Human,
    Robot,
    Program(Entrant),
}

impl Chair {
    fn read(text: &str) -> Result<Chair> {
        match text.trim().to_lowercase().as_str() {
            "" | "-" | "v" | "vazio" | "empty" => Ok(Chair::Empty),
            "h" | "humano" | "human" => Ok(Chair::Human),
            "r" | "robo" | "robô" | "robot" => Ok(Chair::Robot),
            _ => {
                let entrant = Entrant::parse(text)?;
                entrant.check(RULES.name)?;
                Ok(Chair::Program(entrant))
            }
        }
    }

    fn entrant(&self) -> Option<Entrant> {
        match self {
            Chair::Program(entrant) => Some(entrant.clone()),
            _ => None,
        }
    }
}

/// Who sits where, if the command line says so.
fn given_chairs(texts: &[String]) -> Result<Option<Vec<Chair>>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let chairs: Vec<Chair> = texts.iter().map(|text| Chair::read(text)).collect::<Result<_>>()?;
    if chairs.len() > Player::ALL.len() {
        return Err(anyhow!("--seats names {} seats; there are six", chairs.len()));
    }
    if chairs.iter().all(|chair| matches!(chair, Chair::Empty)) {
        return Err(anyhow!(
            "--seats leaves every seat empty; write human, robot or a program for at least one"
        ));
    }
    Ok(Some(chairs))
}

fn ask_size(lines: &mut Lines<impl BufRead>) -> Result<u8> {
    loop {
        print(&format!("N (de 1 a 6; só Enter = {}): ", RULES.default_size))?;
        let line = lines.line()?;
        if line.is_empty() {
            return Ok(RULES.default_size);
        }
        match line.parse().ok().filter(|size| RULES.sizes.contains(size)) {
            Some(size) => return Ok(size),
            None => print("N é um número de 1 a 6.\n")?,
        }
    }
}

fn ask_chairs(lines: &mut Lines<impl BufRead>) -> Result<Vec<Chair>> {
    print("Em cada lugar: h = humano, r = robô, v = vazio, ou um programa como ./bot ou @greedy.\n")?;
    loop {
        let chairs =
            Player::ALL.into_iter().map(|player| ask_chair(player, lines)).collect::<Result<Vec<Chair>>>()?;
        if !chairs.iter().all(|chair| matches!(chair, Chair::Empty)) {
            return Ok(chairs);
        }
        print("Assim ninguém joga: ocupe pelo menos um lugar.\n")?;
    }
}

/// Characters of what is wrong with a program that are shown.
const LONGEST_PROBLEM: usize = 300;

fn ask_chair(player: Player, lines: &mut Lines<impl BufRead>) -> Result<Chair> {
    loop {
        print(&format!("Jogador {player} (h, r, v ou programa): "))?;
        let line = lines.line()?;
        match Chair::read(&line) {
            _ if line.is_empty() => print("Digite h, r, v ou um programa.\n")?,
            Ok(chair) => return Ok(chair),
            Err(problem) => {
                let problem = printable(problem.to_string().as_bytes(), LONGEST_PROBLEM);
                print(&format!("Não é h, r nem v, e como programa não serve: {problem}\n"))?;
            }
        }
    }
}

/// Who decides for a player.
enum Mind {
    Robot,
    Mate(Mate),
}

impl Mind {
    fn is_person(&self) -> bool {
        matches!(self, Mind::Mate(Mate::Person))
    }
}

/// A game at the keyboard.
struct Session<R> {
    game: Xinez,
    minds: Vec<Mind>,
    lines: Lines<R>,
    /// Whether people have been told how to move.
    explained: bool,
}

impl<R: BufRead> Session<R> {
    fn play(mut self) -> Result<ExitCode> {
        if !self.minds.iter().any(Mind::is_person) {
            self.show()?;
        }
        while self.game.outcome().is_none() {
            let mover = self.game.turn();
            self.turn(mover)?;
            self.tell(mover)?;
        }
        self.show()?;
        if let Some(outcome) = self.game.outcome() {
            print(&ending(&self.game, &outcome))?;
        }
        for mind in &mut self.minds {
            if let Mind::Mate(mate) = mind {
                mate.dismiss()?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn show(&self) -> Result<()> {
        print(&format!("\n{}\n", terminal::board(&self.game.picture(), console::colors_enabled())))
    }

    /// One turn: a move, or the end of a program's part in the game. Those who cannot move after it pass.
    fn turn(&mut self, mover: Seat) -> Result<()> {
        let player = self.game.player(mover);
        if self.minds[mover.index()].is_person() {
            self.show()?;
            self.explain()?;
        }
        let played = self.choose(mover)?;
        match played {
            Some(line) => {
                self.game
                    .play(&line)
                    .map_err(|refusal| anyhow!("a move that was legal is not: {refusal}"))?;
                print(&format!("Jogador {player}: {line}\n"))?;
            }
            None => {
                self.game.withdraw();
                print(&format!(
                    "O programa do jogador {player} falhou e sai do jogo: as suas peças ficam, e ele passa sempre.\n"
                ))?;
            }
        }
        for &seat in self.game.passed().iter().filter(|&&seat| !self.game.is_out(seat)) {
            print(&format!("O jogador {} não tem jogada e passa.\n", self.game.player(seat)))?;
        }
        Ok(())
    }

    /// The line that the player whose turn it is plays; none if its program fails.
    fn choose(&mut self, mover: Seat) -> Result<Option<String>> {
        let game = &self.game;
        let person = self.minds[mover.index()].is_person();
        let Mind::Mate(mate) = &mut self.minds[mover.index()] else {
            return Ok(Some(greedy(game).to_string()));
        };
        let prompt =
            if person { format!("Jogador {}, origem destino: ", game.player(mover)) } else { String::new() };
        let mut trouble = Ok(());
        let line = mate.choose(game.side(mover), &prompt, &mut self.lines, |line| {
            let read = game.read(line);
            if read.is_err() && person {
                trouble = print(&answer(game, line));
            }
            read.map(drop)
        })?;
        trouble.map(|()| line)
    }

    fn explain(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.explained, true) {
            return Ok(());
        }
        print(&self.game.numbered_board())?;
        print(
            "Uma jogada são dois índices, origem e destino, como 3 2.\n\
             n mostra o tabuleiro com os índices (4:20 = peça do jogador 4 na casa 20), j as suas jogadas.\n",
        )
    }

    /// Tells the programs that play on what has happened.
    fn tell(&mut self, mover: Seat) -> Result<()> {
        for (seat, mind) in (0..).map(Seat).zip(&mut self.minds) {
            let Mind::Mate(mate) = mind else { continue };
            if self.game.is_out(seat) {
                mate.dismiss()?;
                continue;
            }
            let mut news = String::new();
            self.game.write_news(mover, seat, &mut news);
            mate.tell(&news)?;
        }
        Ok(())
    }
}

/// What a person is told who typed no legal move.
fn answer(game: &Xinez, line: &str) -> String {
    match line {
        "n" => game.numbered_board(),
        "j" => moves(game),
        _ => match game.check(line) {
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

//! A game that the bot plays against a script: whatever the script does is legal, and whatever the bot does is judged as in any game.

use std::io;
use std::time::{Duration, Instant};

use super::conversation::{Conversation, Ended, Heard, LONGEST_LINE};
use super::room::{Room, Start};
use super::stumble::{Before, Exhibit, Step, Stumble, Trouble, last_lines};
use crate::championship::runner::name_unseen_files;
use crate::contain::executable;
use crate::contain::spec::{Exit, Wait};
use crate::game::{Game, Refusal, Seat};
use crate::record::text::printable;
use crate::record::{Cause, Fault, Loss, Ply, Reason};
use crate::referee::explain::words::SHOWN;
use crate::referee::explain::{self, Evidence, OddLines, Testimony, TooEarly};

/// Of its own time, what a bot has after a move to come to where it reads.
const SETTLING: Duration = Duration::from_millis(300);
/// The same when it is to leave, and for what it writes then.
pub const LEAVING: Duration = Duration::from_secs(2);
/// For how long the others think once: longer than the second for which many a bot waits at the most, or sets its alarm.
const THINKING: Duration = Duration::from_millis(1500);
/// Of its own time, what a bot has to ask again after nonsense. One that looks again and again whether there is something to read is
/// never seen waiting.
const ASKING: Duration = Duration::from_secs(1);
/// Lines that are no moves, of which more are too many, as in a game.
pub const MOST_LINES: usize = 100;
/// The least that a bot has for a move.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);
/// From so many moves out of turn on, it does not wait at all.
const DOES_NOT_WAIT: usize = 3;

/// What a bot does when it is sent a line that is no legal move.
pub enum Reaction {
    /// It waits for another.
    Asks,
    /// It has read it, and is not seen waiting.
    Unknown,
    /// It does something else, in words that follow "it".
    Other(String),
}

/// The errors by which the system says that it is short of something, which is no program's fault.
const MACHINE_TROUBLE: [i32; 7] =
    [libc::EAGAIN, libc::ENOMEM, libc::EMFILE, libc::ENFILE, libc::ENOSPC, libc::ENODEV, libc::EBUSY];

/// A game of the bot against a script.
pub struct Table<'a> {
    room: &'a Room<'a>,
    game: Box<dyn Game>,
    seat: Seat,
    start: Start<'a>,
    talk: Conversation<'a>,
    dice: fastrand::Rng,
    plies: Vec<Ply>,
    movers: Vec<Seat>,
    odd: OddLines,
    /// The ply before which something special happened.
    event: Option<usize>,
    /// The ply before which the bot had swapped.
    own_swap: Option<usize>,
    /// Whether it had written something without a newline when it was not its turn.
    has_prompted: bool,
    /// Lines of the bot that were no moves.
    chatter: Vec<Vec<u8>>,
    /// How long its moves took.
    times: Vec<Duration>,
    /// The drawing of the board before its last move.
    before_last: String,
}

impl<'a> Table<'a> {
    /// Starts the bot at a new game.
    pub fn sit_down(room: &'a Room<'a>, start: Start<'a>) -> io::Result<Table<'a>> {
        let game = start.setup.start();
        let talk = room.converse(start, game.as_ref())?;
        Ok(Table {
            room,
            game,
            seat: start.seat,
            start,
            talk,
            dice: fastrand::Rng::with_seed(room.seed),
            plies: Vec::new(),
            movers: Vec::new(),
            odd: OddLines::default(),
            event: None,
            own_swap: None,
            has_prompted: false,
            chatter: Vec::new(),
            times: Vec::new(),
            before_last: String::new(),
        })
    }

    /// The game as it stands.
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// How the bot ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        self.talk.exit()
    }

    /// What the bot has written to stderr.
    pub fn stderr(&mut self) -> io::Result<Vec<u8>> {
        self.talk.stderr()
    }

    /// Lines of the bot that were no moves.
    pub fn chatter(&self) -> &[Vec<u8>] {
        &self.chatter
    }

    /// How long its moves took.
    pub fn times(&self) -> &[Duration] {
        &self.times
    }

    /// The bot's moves.
    pub fn own_moves(&self) -> Vec<&str> {
        let own = self.movers.iter().zip(&self.plies).filter(|(mover, _)| **mover == self.seat);
        own.filter_map(|(_, ply)| ply.text()).collect()
    }

    /// The board before the bot's last move.
    pub fn before_last(&self) -> &str {
        &self.before_last
    }

    /// Whether the game is over, or goes on without the bot.
    pub fn is_over(&self) -> bool {
        self.game.outcome().is_some() || self.game.is_out(self.seat)
    }

    /// Makes sure that the bot, whose turn it is not, writes nothing before it has been sent anything.
    pub fn waits_for_the_first_move(&mut self) -> Step {
        // What it needed to come up and to make a move is more than enough to come up.
        let patience = self.room.came_up.get() + LEAST_PATIENCE;
        self.talk.settle(patience.min(self.room.terms().startup))?;
        self.judge_early_lines()?;
        if self.talk.is_over() {
            return Err(self.crash(Instant::now())?);
        }
        Ok(())
    }

    /// The others move until it is the bot's turn; `choose` picks their moves, or any legal move is made that is no swap.
    pub fn others(&mut self, mut choose: impl FnMut(&dyn Game) -> Option<String>) -> Step {
        while !self.is_over() && self.game.turn() != self.seat {
            let text = choose(self.game.as_ref()).or_else(|| self.any_move());
            let Some(text) = text else { return Ok(()) };
            let mover = self.game.turn();
            self.game
                .play(&text)
                .map_err(|refusal| io::Error::other(format!("a script plays '{text}': {refusal}")))?;
            self.made(mover, Duration::ZERO)?;
        }
        Ok(())
    }

    /// The others think, and nothing is sent. Where the bot may not be waiting for them any more, that shows now.
    pub fn others_think(&mut self) -> Step {
        if self.is_over() {
            return Ok(());
        }
        // What is noted meanwhile concerns the waiting, not a move.
        self.happened();
        let own_swap = self.own_swap.take();
        self.talk.watch(THINKING)?;
        self.judge_early_lines()?;
        if self.talk.is_over() {
            let mut trouble = self.crash(Instant::now())?;
            if let Trouble::Stumble(stumble) = &mut trouble
                && let Fault::Crashed { exit: Some(exit) } = &stumble.loss.fault
            {
                let what = format!("{exit} while it was to wait for the move of another");
                stumble.loss.fault = Fault::Told { what, reason: Reason::Crashed };
            }
            return Err(trouble);
        }
        (self.event, self.own_swap) = (None, own_swap);
        Ok(())
    }

    /// Any legal move that is no swap.
    fn any_move(&mut self) -> Option<String> {
        let choices: Vec<String> = self
            .game
            .choices()
            .into_iter()
            .filter(|choice| choice.word.is_none())
            .map(|choice| choice.text)
            .collect();
        self.dice.choice(&choices).cloned()
    }

    /// Sends the bot a line that is no legal move.
    pub fn sends_nonsense(&mut self, line: &str) -> io::Result<Reaction> {
        self.talk.send(format!("{line}\n").as_bytes())?;
        let waits = self.talk.settle(ASKING)?;
        if self.talk.is_over() {
            let exit = self.talk.exit().map_or("ended".to_owned(), |exit| exit.to_string());
            return Ok(Reaction::Other(exit));
        }
        Ok(match self.talk.line() {
            Some(line) => Reaction::Other(format!("wrote '{}' to stdout", printable(&line, SHOWN))),
            None if waits => Reaction::Asks,
            None => Reaction::Unknown,
        })
    }

    /// The player whose turn it is leaves.
    pub fn leaves(&mut self) -> Step {
        let mover = self.game.turn();
        self.game.withdraw();
        self.happened();
        self.plies.push(Ply::Leave);
        self.movers.push(mover);
        Ok(self.tell(mover)?)
    }

    /// Something special has just happened.
    pub fn happened(&mut self) {
        self.event = Some(self.plies.len());
    }

    fn made(&mut self, mover: Seat, taken: Duration) -> io::Result<()> {
        let mut text = String::new();
        self.game.write_move(&mut text);
        self.plies.push(Ply::Move { text, taken, work: None });
        self.movers.push(mover);
        self.tell(mover)
    }

    /// Sends the bot what it does not know of the last ply.
    fn tell(&mut self, mover: Seat) -> io::Result<()> {
        let mut news = String::new();
        self.game.write_news(mover, self.seat, &mut news);
        for line in news.split_inclusive('\n') {
            self.talk.send(line.as_bytes())?;
        }
        Ok(())
    }

    /// The bot makes its move, and is then given the time to come to where it reads.
    pub fn own_turn(&mut self) -> Step {
        let began = Instant::now();
        let mut patience = self.patience();
        if self.times.is_empty() {
            patience += self.room.terms().startup;
        }
        self.before_last = self.game.debug_board();
        let mut odd = 0;
        loop {
            match self.talk.listen(patience)? {
                Heard::Line(line) => {
                    let text = String::from_utf8_lossy(&line).into_owned();
                    match self.game.play(&text) {
                        Ok(()) => break,
                        Err(Refusal::Illegal(why)) => {
                            let said = printable(&line, SHOWN);
                            return Err(self.stumble(
                                Fault::IllegalMove { said, why },
                                Wait::Unknown,
                                began,
                            )?);
                        }
                        Err(Refusal::NotAMove(_)) => {
                            self.odd.add(&text);
                            self.chatter.push(line);
                            odd += 1;
                            // Writing something else gives it no more time.
                            patience = patience.saturating_sub(self.talk.spent()?);
                        }
                    }
                    if odd > MOST_LINES {
                        return Err(self.too_much(odd, began)?);
                    }
                }
                Heard::TooLong => return Err(self.too_much(odd, began)?),
                Heard::End => return Err(self.crash(began)?),
                Heard::Idle => return Err(self.no_move(Wait::Input, began)?),
                Heard::Late(wait) => return Err(self.no_move(wait, began)?),
            }
        }
        let taken = began.elapsed();
        self.times.push(taken);
        self.odd.moved();
        let had_to_leave = self.game.is_out(self.seat) && self.plies.len() < self.game.seats();
        let may_swap = self.plies.len() == 1;
        self.made(self.seat, taken)?;
        if may_swap && self.game.swapped() {
            self.own_swap = Some(self.plies.len());
        }
        if had_to_leave {
            let what = "left the game with its first move".to_owned();
            let fault = Fault::Told { what, reason: Reason::Resigned };
            return Err(self.stumble(fault, Wait::Unknown, began)?);
        }
        self.talk.settle(SETTLING)?;
        self.judge_early_lines()
    }

    /// How long it may think about a move: a quarter of its time for the game is too much for any.
    fn patience(&self) -> Duration {
        let terms = self.room.terms();
        let quarter = terms.time.base / 4 + terms.time.increment;
        terms.move_time.map_or(quarter, |most| most.min(quarter)).max(LEAST_PATIENCE)
    }

    /// What it has written when it was not its turn: a move is one too many, and anything else is chatter.
    fn judge_early_lines(&mut self) -> Step {
        if self.is_over() {
            return Ok(());
        }
        let (mut moves, ply) = (0, self.plies.len() + 1);
        let mut first_said = String::new();
        while let Some(line) = self.talk.line() {
            let text = String::from_utf8_lossy(&line).into_owned();
            let is_move = !matches!(self.game.check(&text), Err(Refusal::NotAMove(_)));
            let own_last =
                self.plies.last().and_then(Ply::text).filter(|_| self.movers.last() == Some(&self.seat));
            self.odd.add_too_early(TooEarly { line: &text, is_move, ply, own_last });
            if is_move {
                first_said = if moves == 0 { printable(&line, SHOWN) } else { first_said };
                moves += 1;
            } else {
                self.chatter.push(line);
            }
            if self.chatter.len() > MOST_LINES {
                let lines = self.chatter.len();
                return Err(self.too_much(lines, Instant::now())?);
            }
        }
        self.has_prompted |= !self.talk.unfinished().is_empty();
        if moves == 0 {
            return Ok(());
        }
        let what = format!("wrote '{first_said}' when it was not its turn");
        let fault = Fault::Told { what, reason: Reason::Malformed };
        let cause = if moves >= DOES_NOT_WAIT {
            Cause::NeverWaits { moves }
        } else if let Some(two) = &self.odd.two_moves {
            Cause::TwoMoves {
                ply: two.ply,
                first: two.first.clone(),
                second: two.second.clone(),
                times: moves,
            }
        } else {
            let argument = self.game.arguments(self.seat, "board.txt").into_iter().next().unwrap_or_default();
            Cause::MovedFirst { text: first_said, argument }
        };
        let exit = self.talk.exit();
        let mut stumble = self.stumbled(Loss::new(self.seat, Some(ply), fault), exit)?;
        stumble.loss.causes = vec![cause];
        Err(Trouble::Stumble(Box::new(stumble)))
    }

    /// Sends a bot that has to begin, and does not, a move all the same, and says whether it answers: then it waits for the others.
    fn answers_a_move_out_of_turn(&mut self) -> io::Result<bool> {
        let mut game = self.start.setup.start();
        let Some(text) = self.any_move().filter(|text| game.play(text).is_ok()) else { return Ok(false) };
        let mut news = String::new();
        let next = game.turn();
        game.write_news(self.seat, next, &mut news);
        self.talk.note(&format!("arbitro sends the move {text}, to see whether it waits for one"));
        self.talk.send(news.as_bytes())?;
        self.talk.settle(ASKING)?;
        let answer = self.talk.line();
        Ok(answer.is_some_and(|line| self.game.check(&String::from_utf8_lossy(&line)).is_ok()))
    }

    /// How many lines of a text have the form of a move.
    fn moves_in(&self, text: &[u8]) -> usize {
        let is_move = |line: &&str| !matches!(self.game.check(line), Err(Refusal::NotAMove(_)));
        String::from_utf8_lossy(text).lines().filter(is_move).count()
    }

    fn too_much(&mut self, lines: usize, began: Instant) -> io::Result<Trouble> {
        let lines_bytes: usize = self.chatter.iter().map(|line| line.len() + 1).sum();
        let bytes = lines_bytes + self.talk.unfinished().len();
        let fault = Fault::TooMuchOutput { lines, bytes, most_lines: MOST_LINES, most_bytes: LONGEST_LINE };
        self.stumble(fault, Wait::Unknown, began)
    }

    fn no_move(&mut self, wait: Wait, began: Instant) -> io::Result<Trouble> {
        let took_ns = began.elapsed().as_nanos() as u64;
        self.stumble(Fault::Unfinished { took_ns }, wait, began)
    }

    fn crash(&mut self, began: Instant) -> io::Result<Trouble> {
        if let Some(error) = self.talk.start_error() {
            if error.raw_os_error().is_some_and(|number| MACHINE_TROUBLE.contains(&number)) {
                return Err(error);
            }
            let problem = executable::explain(&self.room.bot.line.program(), error);
            return self.stumble(Fault::NotStarted { problem }, Wait::Unknown, began);
        }
        let usage = self.talk.usage();
        let fault = match usage.over_memory {
            true => Fault::TooMuchMemory { peak: usage.peak, limit: self.room.terms().limits.memory.0 },
            false => Fault::Crashed { exit: self.talk.exit() },
        };
        self.stumble(fault, Wait::Unknown, began)
    }

    /// Takes down what is to be seen of the bot, and finds out why it did what it did.
    fn stumble(&mut self, fault: Fault, wait: Wait, began: Instant) -> io::Result<Trouble> {
        let is_silent = matches!(fault, Fault::Unfinished { .. });
        // One that waits has done what it wanted to do; what it took to come up is no thinking.
        let has_stopped = self.talk.is_over() || wait == Wait::Input;
        let work = if has_stopped { None } else { Some(self.talk.work()?) };
        let testimony = Testimony {
            seat: self.seat,
            fault: fault.clone(),
            took: began.elapsed(),
            work,
            unfinished: self.talk.unfinished(),
            unread: self.talk.unread(),
            wait,
            owes: None,
            stderr: self.talk.stderr()?,
        };
        let has_to_begin = is_silent && wait == Wait::Input && self.plies.is_empty();
        let answers = has_to_begin && self.answers_a_move_out_of_turn()?;
        // One that waits in vain may say why when it is sent away.
        let late = if is_silent && !answers { self.talk.last_words(LEAVING)? } else { Vec::new() };
        let (is_inside, left_running) = (self.talk.is_inside(), self.talk.left_running());
        let exit = self.talk.exit();
        self.talk.sweep()?;
        let evidence = Evidence {
            testimony: &testimony,
            game: self.game.as_ref(),
            plies: &self.plies,
            movers: &self.movers,
            odd_lines: &self.odd,
            late: &late,
            peak: self.talk.usage().peak,
            memory: self.room.terms().limits.memory.0,
            output: self.start.output,
            // One that reads to the end of its input has made one move then, and one that held its first back has made two.
            had_moved: has_to_begin && !answers && self.moves_in(&late) > 1,
            out_of_turn: Duration::ZERO,
            is_inside,
            left_running,
        };
        let mut loss = Loss::new(self.seat, Some(self.plies.len() + 1), fault);
        loss.causes = explain::diagnose(&evidence);
        name_unseen_files(&mut loss, self.room.bot);
        Ok(Trouble::Stumble(Box::new(self.stumbled(loss, exit)?)))
    }

    /// `exit` is how it ended by itself, if it did.
    fn stumbled(&mut self, loss: Loss, exit: Option<Exit>) -> io::Result<Stumble> {
        if let Some(exit) = exit {
            self.talk.note(&format!("the program {exit}"));
        }
        let is_fresh = |ply: usize| self.plies.len() <= ply + 2 * self.game.seats();
        let before = Before {
            event: self.event.is_some_and(is_fresh),
            has_swapped: self.own_swap.is_some_and(is_fresh),
            told: self.movers.iter().any(|&mover| mover != self.seat),
            moved: self.movers.contains(&self.seat),
            prompted: self.has_prompted,
        };
        Ok(Stumble { loss, before, exhibit: self.exhibit()? })
    }

    /// What there is to show of the conversation.
    pub fn exhibit(&mut self) -> io::Result<Exhibit> {
        // As it was started: after a swap its colour is another.
        let command = self.room.command(self.start, self.start.setup.start().as_ref());
        Ok(Exhibit { command, transcript: self.talk.transcript(), stderr: last_lines(&self.talk.stderr()?) })
    }

    /// Ends the game, and says what is known of the program then.
    pub fn stand_up(self) -> io::Result<Ended> {
        self.room.dismiss(self.talk)
    }

    /// Closes the bot's stdin, and says whether it leaves by itself.
    pub fn leaves_by_itself(&mut self) -> io::Result<bool> {
        self.talk.close_stdin();
        self.talk.leaves(LEAVING)
    }
}

//! The table at which a game is played: programs, clocks, and the loop that judges what they write.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::game::{Game, Refusal, Seat};

use super::bot::{Bot, Launch, StartError, Stream};
use super::clock::Clock;
use super::interrupt::Interrupt;
use super::keeper::Keeper;
use super::startup;
use super::verdict::{Reason, Verdict};
use super::watch::{Rare, Watch};
use super::wire::printable;
use super::{Played, PlayedMove, Terms, Warning, WarningKind};

/// Lines that are no moves which a program may write in a game.
const NOISE_LINES: usize = 100;
/// Bytes that are no moves which a program may write in a game.
const NOISE_BYTES: usize = 64 * 1024;
/// How long a program may take to leave when the game is over.
const FAREWELL: Duration = Duration::from_millis(200);
/// How long the news of a program's end may take to follow the end of its output.
const EXIT_NEWS: Duration = Duration::from_millis(500);
/// How late a wait may end before it must be that the referee itself was stopped, and no program is to blame.
const OVERSLEPT: Duration = Duration::from_secs(1);
/// Characters of a program's output that are shown to people.
const SHOWN: usize = 60;

/// A program and what the game knows of it.
struct Player {
    bot: Bot,
    program: String,
    clock: Clock,
    moved: bool,
    noise_lines: usize,
    noise_bytes: usize,
    retries: u32,
    /// A fault committed out of turn, to be judged when its turn comes: only the seat to move can lose.
    pending: Option<Fault>,
}

/// Why a program loses.
struct Fault {
    reason: Reason,
    sentence: String,
}

fn fault(reason: Reason, sentence: String) -> Fault {
    Fault { reason, sentence }
}

/// How a turn ended.
enum Turn {
    Moved,
    Lost(Fault),
    /// The game cannot go on, and that is no program's fault.
    Aborted(String),
}

/// What a wait can be ended by.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    Stdout(Seat),
    Stdin(Seat),
    Rare,
}

pub(super) struct Table<'a> {
    game: &'a mut dyn Game,
    terms: &'a Terms,
    interrupt: &'a Interrupt,
    players: Vec<Player>,
    watch: Watch,
    spawned: Instant,
    turn_began: Instant,
    failures: Vec<(Seat, String)>,
    moves: Vec<PlayedMove>,
    warnings: Vec<Warning>,
    news: String,
}

impl<'a> Table<'a> {
    /// Starts all programs, side by side.
    pub fn seat(
        game: &'a mut dyn Game,
        launches: Vec<Launch>,
        keepers: Vec<Keeper>,
        terms: &'a Terms,
        interrupt: &'a Interrupt,
    ) -> io::Result<Table<'a>> {
        let spawned = Instant::now();
        let mut players = Vec::with_capacity(launches.len());
        for (launch, keeper) in launches.into_iter().zip(keepers) {
            players.push(Player {
                program: launch.program.clone(),
                bot: Bot::launch(keeper, launch, terms.output)?,
                clock: Clock::new(terms.time, terms.move_time),
                moved: false,
                noise_lines: 0,
                noise_bytes: 0,
                retries: terms.retries,
                pending: None,
            });
        }
        let mut failures = Vec::new();
        for (seat, player) in (0..).map(Seat).zip(&mut players) {
            match player.bot.started() {
                Ok(()) => {}
                Err(StartError::Refused(error)) => {
                    failures.push((seat, startup::explain(&player.program, error).to_string()));
                }
                Err(StartError::Referee(error)) => return Err(error),
            }
        }
        let watch = Watch::new(interrupt, players.iter().map(|player| &player.bot))?;
        let (moves, warnings, news) = (Vec::with_capacity(128), Vec::new(), String::with_capacity(32));
        Ok(Table {
            game,
            terms,
            interrupt,
            players,
            watch,
            spawned,
            turn_began: spawned,
            failures,
            moves,
            warnings,
            news,
        })
    }

    /// Plays the game to its end and clears the table.
    pub fn play(mut self) -> io::Result<(Played, Vec<Keeper>)> {
        let verdict = if self.failures.is_empty() { self.run()? } else { self.not_started() };
        self.farewell()?;
        let used = self.players.iter().map(|player| player.clock.used()).collect();
        self.players.iter_mut().for_each(|player| player.bot.begin_sweep());
        let mut keepers = Vec::new();
        let mut stderr = Vec::new();
        for player in self.players {
            let (keeper, kept) = player.bot.finish_sweep()?;
            keepers.extend(keeper);
            stderr.push(kept);
        }
        Ok((Played { moves: self.moves, verdict, warnings: self.warnings, used, stderr }, keepers))
    }

    /// The verdict where some program does not run.
    fn not_started(&self) -> Verdict {
        let sentences: Vec<&str> = self.failures.iter().map(|(_, sentence)| sentence.as_str()).collect();
        let failed = |seat: &Seat| self.failures.iter().any(|(other, _)| other == seat);
        let winner = (0..self.players.len() as u8).map(Seat).find(|seat| !failed(seat));
        Verdict { winner, reason: Reason::FailedToStart, sentence: sentences.join("; ") }
    }

    fn run(&mut self) -> io::Result<Verdict> {
        loop {
            if let Some(outcome) = self.game.outcome() {
                return Ok(Verdict::by_rules(outcome));
            }
            if self.terms.ply_limit == Some(self.moves.len()) {
                let sentence = format!("broken off after {} plies", self.moves.len());
                return Ok(Verdict { winner: None, reason: Reason::Aborted, sentence });
            }
            let seat = self.game.turn();
            match self.turn(seat)? {
                Turn::Moved => {}
                Turn::Lost(Fault { reason, sentence }) => {
                    let sentence = format!("{} {sentence}", self.game.side(seat));
                    return Ok(Verdict { winner: Some(Seat(1 - seat.0)), reason, sentence });
                }
                Turn::Aborted(sentence) => {
                    return Ok(Verdict { winner: None, reason: Reason::Aborted, sentence });
                }
            }
        }
    }

    /// Waits for the seat's move and passes it on.
    fn turn(&mut self, seat: Seat) -> io::Result<Turn> {
        if let Some(fault) = self.players[seat.index()].pending.take() {
            return Ok(Turn::Lost(fault));
        }
        loop {
            if let Some(turn) = self.judge_lines(seat)? {
                return Ok(turn);
            }
            let bot = &mut self.players[seat.index()].bot;
            if bot.exit().is_some() || bot.stream() == Stream::Closed {
                // Whatever it wrote before that still counts.
                if bot.read_last_words()? {
                    continue;
                }
                return self.crash(seat);
            }
            let deadline = self.deadline(seat);
            if Instant::now() >= deadline {
                return Ok(Turn::Lost(self.timeout(seat, deadline)));
            }
            if let Some(aborted) = self.wait(Some(seat), deadline)? {
                return Ok(aborted);
            }
        }
    }

    fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    /// When the seat's clock started to run in this turn. Before its first move a program has a while to come up: until
    /// its first byte of output, or until the allowance is used.
    fn clock_began(&self, seat: Seat) -> Instant {
        let player = self.player(seat);
        if player.moved {
            return self.turn_began;
        }
        let ready = player.bot.heard().unwrap_or(self.spawned + self.terms.startup);
        self.turn_began.max(ready.min(self.spawned + self.terms.startup))
    }

    fn deadline(&self, seat: Seat) -> Instant {
        self.player(seat).clock.deadline(self.clock_began(seat))
    }

    /// Judges the lines that the mover has written up to now; `None` if its move is still to come.
    fn judge_lines(&mut self, seat: Seat) -> io::Result<Option<Turn>> {
        let deadline = self.deadline(seat);
        let read_at = self.player(seat).bot.read_at();
        let ply = self.moves.len() + 1;
        let player = &mut self.players[seat.index()];
        while let Some(line) = player.bot.lines().next_line() {
            let line = line.to_vec();
            let refusal = match std::str::from_utf8(&line) {
                // The deadline holds even for a move that was under way when it passed.
                Ok(_) if read_at > deadline => return Ok(Some(Turn::Lost(self.timeout(seat, deadline)))),
                Ok(text) => self.game.play(text),
                Err(_) => Err(Refusal::NotAMove("plain text, which this is not")),
            };
            let Err(refusal) = refusal else {
                self.pass_on(seat, read_at)?;
                return Ok(Some(Turn::Moved));
            };
            let shown = printable(&line, SHOWN);
            let kind = match refusal {
                Refusal::NotAMove(_) if self.terms.strict => {
                    let sentence = format!(
                        "wrote '{shown}' on ply {ply}, which is {refusal}; --strict allows nothing else"
                    );
                    return Ok(Some(Turn::Lost(fault(Reason::Malformed, sentence))));
                }
                Refusal::NotAMove(_) => WarningKind::NotAMove,
                Refusal::Illegal(why) if player.retries == 0 => {
                    let sentence = format!("played '{shown}' on ply {ply}, but {why}");
                    return Ok(Some(Turn::Lost(fault(Reason::IllegalMove, sentence))));
                }
                Refusal::Illegal(_) => {
                    player.retries -= 1;
                    self.warnings.push(Warning { seat, ply, kind: WarningKind::Illegal, text: shown });
                    continue;
                }
            };
            self.warnings.push(Warning { seat, ply, kind, text: shown });
            player.noise_lines += 1;
            player.noise_bytes += line.len();
            if let Some(fault) = player.too_noisy() {
                return Ok(Some(Turn::Lost(fault)));
            }
        }
        Ok(player.too_noisy().map(Turn::Lost))
    }

    /// Charges the move that was just played and sends it to everybody else.
    fn pass_on(&mut self, seat: Seat, read_at: Instant) -> io::Result<()> {
        let taken = read_at.saturating_duration_since(self.clock_began(seat));
        let mut text = String::with_capacity(8);
        self.game.write_move(&mut text);
        self.moves.push(PlayedMove(text, taken.as_nanos() as u64));
        let player = &mut self.players[seat.index()];
        player.clock.charge(taken);
        player.moved = true;
        self.news.clear();
        self.game.write_news(&mut self.news);
        // The next clock runs from before its input is written: a program that wakes during the write is thinking
        // already.
        self.turn_began = Instant::now();
        for (index, player) in self.players.iter_mut().enumerate() {
            if index != seat.index() {
                player.bot.send(self.news.as_bytes())?;
            }
        }
        // Of two moves at once the first counts. The rest waits for nobody: discarding it comes after the sending.
        self.discard_out_of_turn(seat);
        Ok(())
    }

    /// Sets aside whole lines of a program that is not to move: they cannot answer a move that it has not seen.
    fn discard_out_of_turn(&mut self, seat: Seat) {
        let ply = self.moves.len() + 1;
        let strict = self.terms.strict;
        let player = &mut self.players[seat.index()];
        while let Some(line) = player.bot.lines().next_line() {
            let (text, length) = (printable(line, SHOWN), line.len());
            if player.pending.is_some() {
                continue;
            }
            player.noise_lines += 1;
            player.noise_bytes += length;
            player.pending = if strict {
                let sentence = format!("wrote '{text}' when it was not its turn; --strict forbids that");
                Some(fault(Reason::Malformed, sentence))
            } else {
                player.too_noisy()
            };
            self.warnings.push(Warning { seat, ply, kind: WarningKind::OutOfTurn, text });
        }
        if player.pending.is_none() {
            player.pending = player.too_noisy();
        }
    }

    /// Waits for anything to happen, at most until the deadline, and takes in what programs have written. With no mover,
    /// the game being over, output is thrown away. Returns how the turn ends if it cannot go on.
    fn wait(&mut self, mover: Option<Seat>, deadline: Instant) -> io::Result<Option<Turn>> {
        let mut sources = Vec::with_capacity(self.players.len() + 1);
        let mut fds = Vec::with_capacity(self.players.len() + 1);
        for (seat, player) in (0..).map(Seat).zip(&self.players) {
            // One that has written far too much already is not heard any more: it waits on its full pipe.
            if player.pending.is_none() || mover.is_none() {
                sources.extend(player.bot.stdout_fd().map(|_| Source::Stdout(seat)));
                fds.extend(player.bot.stdout_fd().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
            }
            sources.extend(player.bot.stdin_fd().map(|_| Source::Stdin(seat)));
            fds.extend(player.bot.stdin_fd().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::OUT)));
        }
        sources.push(Source::Rare);
        fds.push(PollFd::new(&self.watch, PollFlags::IN));
        let left = deadline.saturating_duration_since(Instant::now());
        match poll(&mut fds, Some(&Timespec::try_from(left).unwrap_or_default())) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        let overslept = deadline.elapsed();
        if overslept > OVERSLEPT {
            let seconds = overslept.as_secs_f64();
            return Ok(Some(Turn::Aborted(format!("the referee itself was stopped for {seconds:.1} s"))));
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        sources.retain(|_| ready.next() == Some(true));
        drop(fds);
        self.take_in(&sources, mover)
    }

    /// Reads from whatever is ready.
    fn take_in(&mut self, ready: &[Source], mover: Option<Seat>) -> io::Result<Option<Turn>> {
        // The mover comes first: its clock runs until its output has been read.
        if let Some(mover) = mover.filter(|&mover| ready.contains(&Source::Stdout(mover))) {
            self.players[mover.index()].bot.read_stdout()?;
        }
        let mut aborted = None;
        for &source in ready {
            match source {
                Source::Stdout(seat) if Some(seat) == mover => {}
                Source::Stdout(seat) => {
                    let bot = &mut self.players[seat.index()].bot;
                    bot.read_stdout()?;
                    if mover.is_some() {
                        self.discard_out_of_turn(seat);
                    } else {
                        bot.lines().clear();
                    }
                }
                Source::Stdin(seat) => self.players[seat.index()].bot.send_rest()?,
                Source::Rare => {
                    for event in self.watch.events()? {
                        match event {
                            Rare::Stderr(seat) => self.players[seat.index()].bot.read_stderr().map(drop)?,
                            Rare::Exit(seat) => self.players[seat.index()].bot.hear_of_exit(),
                            Rare::Interrupt => aborted = Some(Turn::Aborted("interrupted".to_owned())),
                        }
                    }
                }
            }
        }
        Ok(aborted)
    }

    /// The mover has no voice any more. Usually its process has ended, and the news of how is here or on its way.
    fn crash(&mut self, seat: Seat) -> io::Result<Turn> {
        let deadline = Instant::now() + EXIT_NEWS;
        while self.player(seat).bot.exit().is_none() && Instant::now() < deadline {
            if let Some(aborted) = self.wait(Some(seat), deadline)? {
                return Ok(aborted);
            }
        }
        let began = self.clock_began(seat);
        let player = &mut self.players[seat.index()];
        player.bot.read_last_words()?;
        player.clock.run_down(player.bot.read_at().saturating_duration_since(began));
        let ply = self.moves.len() + 1;
        let what = match player.bot.exit() {
            Some(exit) => exit.to_string(),
            None => "closed its stdout, and so can make no move,".to_owned(),
        };
        let words = last_line(player.bot.stderr_end());
        let said =
            if words.is_empty() { String::new() } else { format!("; the last it wrote to stderr: {words}") };
        Ok(Turn::Lost(fault(Reason::Crashed, format!("{what} when it had to move on ply {ply}{said}"))))
    }

    /// The mover has let its time pass.
    fn timeout(&mut self, seat: Seat, deadline: Instant) -> Fault {
        let began = self.clock_began(seat);
        let ply = self.moves.len() + 1;
        // What it has written since its last move, in turn or not.
        let last = self.warnings.iter().rev().find(|warning| warning.seat == seat && warning.ply + 1 >= ply);
        let ignored = last.map(|Warning { kind, text, .. }| match kind {
            WarningKind::NotAMove => format!("it wrote '{text}', which is not a move"),
            WarningKind::OutOfTurn => {
                format!("it wrote '{text}' before it was its turn, which does not count")
            }
            WarningKind::Illegal => {
                format!("it took back '{text}', which is not allowed, and played nothing else")
            }
        });
        let player = &mut self.players[seat.index()];
        let allowed = deadline - began;
        let budget =
            if self.terms.move_time == Some(allowed) { "allowed for a move" } else { "left on its clock" };
        player.clock.run_down(allowed);
        let rest = player.bot.lines().rest();
        let hint = if !rest.is_empty() {
            format!("it wrote '{}' without a newline at the end", printable(rest, SHOWN))
        } else if let Some(ignored) = ignored {
            ignored
        } else if player.moved {
            "it had moved before: does it wait for more than the opponent's move?".to_owned()
        } else if self.terms.output == super::bot::Output::Pipe {
            "nothing was written to stdout: does the program flush (fflush(stdout), print(..., flush=True))?"
                .to_owned()
        } else {
            "nothing was written to stdout: does the program wait for input that does not come?".to_owned()
        };
        let digits = if allowed < Duration::from_secs(1) { 3 } else { 1 };
        let seconds = allowed.as_secs_f64();
        fault(
            Reason::Timeout,
            format!("made no move on ply {ply} within the {seconds:.digits$} s {budget}; {hint}"),
        )
    }

    /// Lets programs leave by themselves, for a short while.
    fn farewell(&mut self) -> io::Result<()> {
        for player in &mut self.players {
            player.bot.close_stdin();
        }
        self.watch.ignore_interrupt(self.interrupt)?;
        let deadline = Instant::now() + FAREWELL;
        let failed: Vec<usize> = self.failures.iter().map(|(seat, _)| seat.index()).collect();
        let running = |table: &Table| {
            table
                .players
                .iter()
                .enumerate()
                .any(|(index, player)| player.bot.exit().is_none() && !failed.contains(&index))
        };
        while running(self) && Instant::now() < deadline {
            self.wait(None, deadline)?;
        }
        Ok(())
    }
}

impl Player {
    /// The fault of one that has written more than moves can explain.
    fn too_noisy(&mut self) -> Option<Fault> {
        let bytes = self.noise_bytes + self.bot.lines().rest().len();
        if self.noise_lines <= NOISE_LINES && bytes <= NOISE_BYTES {
            return None;
        }
        let sentence = format!(
            "wrote too much that is not a move: {} lines, {bytes} bytes; {NOISE_LINES} lines and {NOISE_BYTES} bytes \
             are let pass in a game: write moves only to stdout, and anything else to stderr",
            self.noise_lines
        );
        Some(fault(Reason::OutputLimit, sentence))
    }
}

/// The last line with anything on it, made printable.
fn last_line(text: &[u8]) -> String {
    let lines = text.split(|&byte| byte == b'\n').rev();
    lines.map(|line| printable(line, 2 * SHOWN)).find(|line| !line.is_empty()).unwrap_or_default()
}

//! The table at which a game is played: programs, clocks, and the loop that judges what they write.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use crate::game::{Game, Refusal, Seat};

use super::clock::ClockKind;
use super::interrupt::Interrupt;
use super::player::{Loss, Player, SHOWN, last_line, loss};
use super::protocol::Heard;
use super::verdict::{Fault, Reason, Verdict};
use super::watch::{Source, Watch};
use super::{Invitation, LEAVES, Played, PlayedMove, Terms, Warning, WarningKind};
use crate::contain::executable;
use crate::contain::exit::Exit;
use crate::contain::keeper::Keeper;
use crate::contain::process::Stream;
use crate::contain::spec::Output;
use crate::record::text::printable;

/// How long a program may take to leave when the game is over.
pub(super) const FAREWELL: Duration = Duration::from_millis(200);
/// How long the news of a program's end may take to follow the end of its output.
pub(super) const EXIT_NEWS: Duration = Duration::from_millis(500);
/// How late a wait may end before it must be that the referee itself was stopped, and no program is to blame.
const OVERSLEPT: Duration = Duration::from_secs(1);

/// How a turn ended.
enum Turn {
    Moved,
    Lost(Loss),
    /// The game cannot go on, and that is no program's fault.
    Aborted(String),
}

pub(super) struct Table<'a> {
    game: &'a mut dyn Game,
    terms: &'a Terms,
    interrupt: &'a Interrupt,
    players: Vec<Player>,
    watch: Watch,
    spawned: Instant,
    turn_began: Instant,
    moves: Vec<PlayedMove>,
    warnings: Vec<Warning>,
    faults: Vec<Fault>,
    /// What is about to be sent.
    out: String,
}

impl<'a> Table<'a> {
    /// Starts all programs, side by side.
    pub fn seat(
        game: &'a mut dyn Game,
        invited: Vec<Invitation>,
        keepers: Vec<Keeper>,
        terms: &'a Terms,
        interrupt: &'a Interrupt,
    ) -> io::Result<Table<'a>> {
        let spawned = Instant::now();
        let players = invited.into_iter().zip(keepers);
        let players = players.map(|(invited, keeper)| Player::seat(invited, keeper, terms));
        let players = players.collect::<io::Result<Vec<Player>>>()?;
        let watch = Watch::new(interrupt, players.iter().map(|player| &player.bot))?;
        let (moves, warnings, out) = (Vec::with_capacity(128), Vec::new(), String::with_capacity(32));
        Ok(Table {
            game,
            terms,
            interrupt,
            players,
            watch,
            spawned,
            turn_began: spawned,
            moves,
            warnings,
            faults: Vec::new(),
            out,
        })
    }

    /// Plays the game to its end and clears the table.
    pub fn play(mut self) -> io::Result<(Played, Vec<Keeper>)> {
        let mut verdict = self.run()?;
        self.farewell()?;
        let used = self.players.iter().map(|player| player.clock.used()).collect();
        self.players.iter_mut().for_each(|player| player.bot.begin_sweep());
        self.players.iter_mut().for_each(|player| player.bot.await_sweep());
        self.note_left_running();
        verdict.faults = std::mem::take(&mut self.faults);
        // Only now is it known of all programs whether they were started.
        let verdict = self.not_started(&verdict).unwrap_or(verdict);
        let usage = self.players.iter().map(|player| player.bot.usage()).collect();
        let mut keepers = Vec::new();
        let mut stderr = Vec::new();
        for player in self.players {
            let (keeper, kept) = player.bot.dismiss()?;
            keepers.extend(keeper);
            stderr.push(kept);
        }
        Ok((Played { moves: self.moves, verdict, warnings: self.warnings, used, usage, stderr }, keepers))
    }

    /// Takes down who has left processes behind.
    fn note_left_running(&mut self) {
        let ply = self.moves.len();
        for (seat, player) in (0..).map(Seat).zip(&self.players) {
            if player.bot.left_running() {
                let (kind, text) = (WarningKind::LeftRunning, String::new());
                self.warnings.push(Warning { seat, ply, kind, text });
            }
        }
    }

    /// The verdict where some program was not started: one of two, or the only one that was left of more.
    fn not_started(&self, verdict: &Verdict) -> Option<Verdict> {
        let mut sentences = Vec::new();
        let mut winner = None;
        for (seat, player) in (0..).map(Seat).zip(&self.players) {
            match player.bot.start_error() {
                Some(error) => sentences.push(executable::explain(&player.program, error).to_string()),
                None => winner = Some(seat),
            }
        }
        if sentences.is_empty() {
            return None;
        }
        let failed = Verdict::new(Reason::FailedToStart, sentences.join("; "));
        let count = self.players.len();
        if count == 2 {
            return Some(Verdict { winner, ..failed });
        }
        let winner = verdict.winner.map(|winner| self.player(winner));
        let undeserved = winner.is_some_and(|winner| winner.bot.start_error().is_some());
        undeserved.then(|| Verdict { places: vec![1; count], faults: verdict.faults.clone(), ..failed })
    }

    fn run(&mut self) -> io::Result<Verdict> {
        let two = self.players.len() == 2;
        for seat in self.seats() {
            self.players[seat.index()].dialogue.begin(self.game, self.terms, &mut self.out);
            self.send(seat)?;
        }
        loop {
            if two && self.players.iter().any(|player| player.bot.start_error().is_some()) {
                return Ok(Verdict::new(Reason::FailedToStart, "a program was not started".to_owned()));
            }
            if let Some(outcome) = self.game.outcome() {
                return Ok(Verdict::by_rules(outcome));
            }
            if self.terms.ply_limit == Some(self.moves.len()) {
                let sentence = format!("broken off after {} plies", self.moves.len());
                return Ok(Verdict::new(Reason::Aborted, sentence));
            }
            let seat = self.game.turn();
            match self.turn(seat)? {
                Turn::Moved => {}
                Turn::Lost(Loss { reason, sentence }) => {
                    let sentence = format!("{} {sentence}", self.game.side(seat));
                    if two {
                        let winner = Some(Seat(1 - seat.0));
                        return Ok(Verdict { winner, ..Verdict::new(reason, sentence) });
                    }
                    self.leave(seat, reason, sentence)?;
                }
                Turn::Aborted(sentence) => return Ok(Verdict::new(Reason::Aborted, sentence)),
            }
        }
    }

    /// Waits for the seat's move and passes it on.
    fn turn(&mut self, seat: Seat) -> io::Result<Turn> {
        let player = &mut self.players[seat.index()];
        if let Some(loss) = player.pending.take() {
            return Ok(Turn::Lost(loss));
        }
        if let Some(error) = player.bot.start_error() {
            let sentence = format!("was not started: {}", executable::explain(&player.program, error));
            return Ok(Turn::Lost(loss(Reason::FailedToStart, sentence)));
        }
        if self.make_prepared_move(seat)? {
            return Ok(Turn::Moved);
        }
        let player = &mut self.players[seat.index()];
        player.dialogue.ask(self.game, seat, player.clock.left(), &mut self.out);
        self.send(seat)?;
        loop {
            if let Some(turn) = self.judge_lines(seat)? {
                return Ok(turn);
            }
            let bot = &mut self.players[seat.index()].bot;
            if bot.has_ended() || bot.stream() == Stream::Closed {
                // Whatever it wrote before that still counts.
                if bot.read_last_words()? {
                    continue;
                }
                return self.crash(seat);
            }
            let (deadline, now) = (self.deadline(seat), Instant::now());
            if now >= deadline {
                return Ok(self.late(seat, deadline, now));
            }
            let deadline = match self.terms.clock {
                ClockKind::Wall => deadline,
                ClockKind::Cpu => match self.look_again(seat, now) {
                    Some(again) => deadline.min(again),
                    None => return Ok(Turn::Lost(self.timeout(seat))),
                },
            };
            let up = self.spawned + self.terms.startup;
            let coming_up = !self.terms.ponder && now < up;
            if let Some(aborted) =
                self.wait(Some(seat), if coming_up { deadline.min(up) } else { deadline })?
            {
                return Ok(aborted);
            }
            if coming_up {
                self.freeze_all_but(seat);
            }
        }
    }

    /// Makes the move that is to be made on the program's behalf, if there is one and it is possible.
    fn make_prepared_move(&mut self, seat: Seat) -> io::Result<bool> {
        let prepared = self.players[seat.index()].dialogue.prepared(self.moves.len());
        let made = prepared.is_some_and(|text| self.game.play(text).is_ok());
        if made {
            self.pass_on(seat, Duration::ZERO)?;
        }
        Ok(made)
    }

    /// All seats, in order.
    fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.players.len() as u8).map(Seat)
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
        let ready = player.came_up().unwrap_or(self.spawned + self.terms.startup);
        self.turn_began.max(ready.min(self.spawned + self.terms.startup))
    }

    /// When the seat's turn is lost, whatever it has done until then.
    fn deadline(&self, seat: Seat) -> Instant {
        let (clock, began) = (&self.player(seat).clock, self.clock_began(seat));
        match self.terms.clock {
            ClockKind::Wall => clock.deadline(began),
            // One that only sleeps uses no processor time, and must come to an end all the same.
            ClockKind::Cpu => began + 3 * clock.allowance() + Duration::from_secs(1),
        }
    }

    /// What the seat has used of its clock in this turn.
    fn spent(&self, seat: Seat, until: Instant) -> Duration {
        let player = self.player(seat);
        match self.terms.clock {
            ClockKind::Wall => until.saturating_duration_since(self.clock_began(seat)),
            ClockKind::Cpu => {
                // Coming up is not counted, as far as it is allowed.
                let free = if player.moved { player.cpu_began } else { self.terms.startup };
                player.bot.cpu_time().saturating_sub(free)
            }
        }
    }

    /// When to look again whether the seat has used up its processor time: soon enough that several cores change little.
    fn look_again(&self, seat: Seat, now: Instant) -> Option<Instant> {
        let left = self.player(seat).clock.allowance().saturating_sub(self.spent(seat, now));
        (!left.is_zero()).then(|| now + (left / 2).max(Duration::from_millis(1)))
    }

    /// Judges the lines that the mover has written up to now; `None` if its move is still to come.
    fn judge_lines(&mut self, seat: Seat) -> io::Result<Option<Turn>> {
        let deadline = self.deadline(seat);
        let read_at = self.player(seat).bot.read_at();
        let ply = self.moves.len() + 1;
        let (taken, allowance) = (self.spent(seat, read_at), self.player(seat).clock.allowance());
        loop {
            let player = &mut self.players[seat.index()];
            let Some(line) = player.bot.lines().next_line() else {
                return Ok(player.too_noisy().map(Turn::Lost));
            };
            // The deadline holds even for a move that was under way when it passed.
            if read_at > deadline {
                return Ok(Some(self.late(seat, deadline, read_at)));
            }
            if taken > allowance {
                return Ok(Some(Turn::Lost(self.timeout(seat))));
            }
            let length = line.len();
            let text = String::from_utf8_lossy(line);
            let (refusal, said) = match player.dialogue.hear(&text, self.game, &mut self.out) {
                Heard::Move { text, said } => match self.game.play(&text) {
                    Ok(()) => {
                        self.pass_on(seat, taken)?;
                        return Ok(Some(Turn::Moved));
                    }
                    Err(refusal) => (refusal, printable(said.as_bytes(), SHOWN)),
                },
                Heard::Refused { refusal, said } => (refusal, printable(said.as_bytes(), SHOWN)),
                Heard::Resigned => {
                    return Ok(Some(Turn::Lost(loss(Reason::Resigned, format!("resigned on ply {ply}")))));
                }
                Heard::Fault(reason, sentence) => {
                    return Ok(Some(Turn::Lost(loss(reason, format!("{sentence} (ply {ply})")))));
                }
                Heard::Talk => {
                    self.send(seat)?;
                    continue;
                }
                Heard::Filler => {
                    player.noise.add_filler(length);
                    continue;
                }
            };
            if let Some(loss) = self.refuse(seat, refusal, said, length)? {
                return Ok(Some(Turn::Lost(loss)));
            }
        }
    }

    /// The mover has written something that cannot be played: a loss, or something that is let pass.
    fn refuse(
        &mut self,
        seat: Seat,
        refusal: Refusal,
        said: String,
        length: usize,
    ) -> io::Result<Option<Loss>> {
        let ply = self.moves.len() + 1;
        let player = &mut self.players[seat.index()];
        let kind = match refusal {
            Refusal::NotAMove(_) if self.terms.strict => {
                let sentence =
                    format!("wrote '{said}' on ply {ply}, which is {refusal}; --strict allows nothing else");
                return Ok(Some(loss(Reason::Malformed, sentence)));
            }
            Refusal::Illegal(why) if player.retries == 0 => {
                let sentence = format!("played '{said}' on ply {ply}, but {why}");
                return Ok(Some(loss(Reason::IllegalMove, sentence)));
            }
            Refusal::Illegal(_) => {
                player.retries -= 1;
                player.dialogue.ask_again(self.game, seat, &mut self.out);
                WarningKind::Illegal
            }
            Refusal::NotAMove(_) => {
                player.noise.add(length);
                WarningKind::NotAMove
            }
        };
        self.warnings.push(Warning { seat, ply, kind, text: said });
        self.send(seat)?;
        Ok(self.players[seat.index()].too_noisy())
    }

    /// Charges the move that was just played and sends it to everybody else.
    fn pass_on(&mut self, seat: Seat, taken: Duration) -> io::Result<()> {
        let mut text = String::with_capacity(8);
        self.game.write_move(&mut text);
        self.moves.push(PlayedMove(text, taken.as_nanos() as u64));
        let player = &mut self.players[seat.index()];
        player.clock.charge(taken);
        player.moved = true;
        self.tell(seat)?;
        // Of two moves at once the first counts. The rest waits for nobody: discarding it comes after the sending.
        self.discard_out_of_turn(seat)
    }

    /// The mover has to leave a game that goes on without it.
    fn leave(&mut self, seat: Seat, reason: Reason, sentence: String) -> io::Result<()> {
        self.faults.push(Fault { seat, ply: self.moves.len() + 1, reason, sentence });
        self.moves.push(PlayedMove(LEAVES.to_owned(), 0));
        self.game.withdraw();
        self.tell(seat)
    }

    /// Lets only the mover think. Those who have not moved yet may come up first.
    fn freeze_all_but(&mut self, mover: Seat) {
        let coming_up = Instant::now() < self.spawned + self.terms.startup;
        for (seat, player) in (0..).map(Seat).zip(&mut self.players) {
            let frozen = seat != mover && (player.moved || !coming_up);
            if player.frozen != frozen {
                player.bot.freeze(frozen);
                player.frozen = frozen;
            }
        }
    }

    /// Sends everybody what they do not know of the last move.
    fn tell(&mut self, mover: Seat) -> io::Result<()> {
        // The next clock runs from before its input is written: a program that wakes during the write is thinking
        // already.
        if !self.terms.ponder {
            self.freeze_all_but(self.game.turn());
        }
        if self.terms.clock == ClockKind::Cpu {
            let next = &mut self.players[self.game.turn().index()];
            next.cpu_began = next.bot.cpu_time();
        }
        self.turn_began = Instant::now();
        for seat in self.seats() {
            let player = &mut self.players[seat.index()];
            if self.game.is_out(seat) {
                // It would only take time from those who play on.
                player.bot.begin_sweep();
                continue;
            }
            player.dialogue.tell(self.game, mover, seat, &mut self.out);
            self.send(seat)?;
        }
        Ok(())
    }

    /// Sends a program what there is to send.
    fn send(&mut self, seat: Seat) -> io::Result<()> {
        if self.out.is_empty() {
            return Ok(());
        }
        let bot = &mut self.players[seat.index()].bot;
        let waiting = bot.has_unsent();
        bot.send(self.out.as_bytes())?;
        self.out.clear();
        match bot.stdin_fd() {
            Some(stdin) if bot.has_unsent() && !waiting => self.watch.add(stdin, Source::Stdin(seat)),
            _ => Ok(()),
        }
    }

    /// Sets aside whole lines of a program that is not to move: they cannot answer a move that it has not seen.
    fn discard_out_of_turn(&mut self, seat: Seat) -> io::Result<()> {
        let ply = self.moves.len() + 1;
        let strict = self.terms.strict;
        let player = &mut self.players[seat.index()];
        while let Some(line) = player.bot.lines().next_line() {
            if player.pending.is_some() {
                continue;
            }
            let length = line.len();
            let line = String::from_utf8_lossy(line);
            let said = match player.dialogue.hear(&line, self.game, &mut self.out) {
                Heard::Talk => continue,
                Heard::Filler => {
                    player.noise.add_filler(length);
                    continue;
                }
                Heard::Fault(reason, sentence) => {
                    player.pending = Some(loss(reason, sentence));
                    continue;
                }
                Heard::Move { said, .. } | Heard::Refused { said, .. } => said,
                Heard::Resigned => line.as_ref().into(),
            };
            let text = printable(said.as_bytes(), SHOWN);
            player.noise.add(length);
            player.pending = if strict {
                let sentence = format!("wrote '{text}' when it was not its turn; --strict forbids that");
                Some(loss(Reason::Malformed, sentence))
            } else {
                player.too_noisy()
            };
            self.warnings.push(Warning { seat, ply, kind: WarningKind::OutOfTurn, text });
        }
        if player.pending.is_none() {
            player.pending = player.too_noisy();
        }
        // One that has written far too much already is not heard any more: it waits on its full pipe.
        if player.pending.is_some() {
            self.out.clear();
            return self.watch.remove(player.bot.stdout_fd());
        }
        self.send(seat)
    }

    /// Waits for anything to happen, at most until the deadline, and takes in what programs have written. With no mover,
    /// the game being over, output is thrown away. Returns how the turn ends if it cannot go on.
    fn wait(&mut self, mover: Option<Seat>, deadline: Instant) -> io::Result<Option<Turn>> {
        self.watch.wait(deadline)?;
        // The mover comes first: its clock runs until its output has been read.
        if let Some(mover) = mover
            && self.watch.has(Source::Stdout(mover))
        {
            self.read_stdout(mover)?;
        }
        let mut aborted = None;
        for index in 0..self.watch.count() {
            match self.watch.event(index) {
                Source::Stdout(seat) if Some(seat) == mover => {}
                Source::Stdout(seat) => {
                    self.read_stdout(seat)?;
                    match mover {
                        Some(_) => self.discard_out_of_turn(seat)?,
                        None => self.players[seat.index()].bot.lines().clear(),
                    }
                }
                Source::Stdin(seat) => self.send_rest(seat)?,
                Source::Stderr(seat) => drop(self.players[seat.index()].bot.read_stderr()?),
                Source::Keeper(seat) => {
                    let bot = &mut self.players[seat.index()].bot;
                    bot.hear_of_end()?;
                    self.watch.remove(bot.keeper_fd())?;
                }
                Source::Alarm => {}
                Source::Interrupt => aborted = Some(Turn::Aborted("interrupted".to_owned())),
            }
        }
        Ok(aborted)
    }

    fn read_stdout(&mut self, seat: Seat) -> io::Result<()> {
        let bot = &mut self.players[seat.index()].bot;
        bot.read_stdout()?;
        // An end that nobody takes note of would wake us for ever.
        if bot.stream() == Stream::Closed { self.watch.remove(bot.stdout_fd()) } else { Ok(()) }
    }

    fn send_rest(&mut self, seat: Seat) -> io::Result<()> {
        let bot = &mut self.players[seat.index()].bot;
        bot.send_rest()?;
        match bot.stdin_fd() {
            Some(stdin) if !bot.has_unsent() => self.watch.remove(stdin),
            _ => Ok(()),
        }
    }

    /// The mover has no voice any more. Usually its process has ended, and the news of how is here or on its way.
    fn crash(&mut self, seat: Seat) -> io::Result<Turn> {
        let deadline = Instant::now() + EXIT_NEWS;
        while !self.player(seat).bot.has_ended() && Instant::now() < deadline {
            if let Some(aborted) = self.wait(Some(seat), deadline)? {
                return Ok(aborted);
            }
        }
        let taken = self.spent(seat, self.player(seat).bot.read_at());
        let player = &mut self.players[seat.index()];
        player.bot.read_last_words()?;
        player.clock.run_down(taken);
        let ply = self.moves.len() + 1;
        if player.bot.usage().over_memory {
            let (peak, limit) = (player.bot.usage().peak >> 20, self.terms.limits.memory);
            let sentence = format!(
                "was ended on ply {ply} because it uses too much memory: it was seen with {peak}M, and {limit} is allowed \
                 (--memory)"
            );
            return Ok(Turn::Lost(loss(Reason::MemoryLimit, sentence)));
        }
        let what = match player.bot.exit() {
            Some(exit) => exit.to_string(),
            None => "closed its stdout, and so can make no move,".to_owned(),
        };
        let words = last_line(player.bot.stderr_end());
        let mut said = player.dialogue.owes().map_or(String::new(), |owes| format!("; it {owes}"));
        if !words.is_empty() {
            said += &format!("; the last it wrote to stderr: {words}");
        }
        // What a shell says of a command that it cannot find.
        if player.bot.is_inside() && matches!(player.bot.exit(), Some(Exit::Code(126 | 127))) {
            said += "; programs see only the system and their own folder: --allow-read PATH shows them more";
        }
        Ok(Turn::Lost(loss(Reason::Crashed, format!("{what} when it had to move on ply {ply}{said}"))))
    }

    /// The mover has let its time pass, or we have slept and cannot know.
    fn late(&mut self, seat: Seat, deadline: Instant, now: Instant) -> Turn {
        let overslept = now - deadline;
        if overslept > OVERSLEPT {
            let seconds = overslept.as_secs_f64();
            return Turn::Aborted(format!("the referee itself was stopped for {seconds:.1} s"));
        }
        Turn::Lost(self.timeout(seat))
    }

    /// The mover has let its time pass.
    fn timeout(&mut self, seat: Seat) -> Loss {
        let ply = self.moves.len() + 1;
        // What it has written since its last move, in turn or not.
        let last = self.warnings.iter().rev().find(|warning| warning.seat == seat && warning.ply + 1 >= ply);
        let ignored = last.map(|Warning { kind, text, .. }| match kind {
            // Of that one nothing is known before the end.
            WarningKind::NotAMove | WarningKind::LeftRunning => {
                format!("it wrote '{text}', which is not a move")
            }
            WarningKind::OutOfTurn => {
                format!("it wrote '{text}' before it was its turn, which does not count")
            }
            WarningKind::Illegal => {
                format!("it took back '{text}', which is not allowed, and played nothing else")
            }
        });
        let player = &mut self.players[seat.index()];
        let allowed = player.clock.allowance();
        let budget = match (self.terms.clock, self.terms.move_time == Some(allowed)) {
            (ClockKind::Wall, true) => "allowed for a move",
            (ClockKind::Wall, false) => "left on its clock",
            (ClockKind::Cpu, true) => "of processor time allowed for a move",
            (ClockKind::Cpu, false) => "of processor time left on its clock",
        };
        player.clock.run_down(allowed);
        let rest = player.bot.lines().rest();
        let hint = if !rest.is_empty() {
            format!("it wrote '{}' without a newline at the end", printable(rest, SHOWN))
        } else if let Some(ignored) = ignored {
            ignored
        } else if let Some(owes) = player.dialogue.owes() {
            format!("it {owes}")
        } else if player.moved {
            "it had moved before: does it wait for more than the opponent's move?".to_owned()
        } else if self.terms.output == Output::Pipe {
            "nothing was written to stdout: does the program flush (fflush(stdout), print(..., flush=True))?"
                .to_owned()
        } else {
            "nothing was written to stdout: does the program wait for input that does not come?".to_owned()
        };
        let digits = if allowed < Duration::from_secs(1) { 3 } else { 1 };
        let seconds = allowed.as_secs_f64();
        loss(
            Reason::Timeout,
            format!("made no move on ply {ply} within the {seconds:.digits$} s {budget}; {hint}"),
        )
    }

    /// Lets programs leave by themselves, for a short while.
    fn farewell(&mut self) -> io::Result<()> {
        for seat in self.seats() {
            self.players[seat.index()].dialogue.end(&mut self.out);
            self.send(seat)?;
            self.players[seat.index()].bot.close_stdin();
        }
        self.watch.remove(self.interrupt.as_fd())?;
        let deadline = Instant::now() + FAREWELL;
        let running = |table: &Table| table.players.iter().any(|player| !player.bot.has_ended());
        while running(self) && Instant::now() < deadline {
            self.wait(None, deadline)?;
        }
        Ok(())
    }
}

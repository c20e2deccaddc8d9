//! The sentence that people read about the end of a game, made from what is recorded: names of programs instead of colours, what
//! happened, why as far as it is known, and what to do.

use super::fault::Fault;
use super::game_record::GameRecord;
use super::ply::Ply;
use super::reason::Reason;
use super::text::printable;
use super::verdict::{Loss, SeatHint};
use crate::game::{Game, Seat};

/// Longer than any sentence of ours: what bots have written is in them shortened.
const LONGEST: usize = 4000;

/// On so many plies after a swap, a fault may well have to do with it.
const SOON: usize = 4;

/// An exchange of colours.
struct Swap {
    /// On which ply, from 1.
    ply: usize,
    by: Seat,
    /// The move that was repeated.
    first: String,
    /// The game right after it.
    game: Box<dyn Game>,
}

impl Loss {
    /// What happened and why, in words that follow the name of the program; `opponent` is who played before it.
    pub fn what(&self, opponent: &str) -> String {
        let mut text = self.fault.what(self.ply);
        for (index, cause) in self.causes.iter().enumerate() {
            let clause = cause.text(opponent);
            if index == 0 {
                text = format!("{text}; {clause}");
            } else {
                text = then(&text, &capitalised(&clause));
            }
        }
        text
    }
}

impl GameRecord {
    /// How the game ended, and why.
    pub fn sentence(&self) -> String {
        self.told(|| self.by_rules().unwrap_or_else(|| self.verdict.sentence.clone()))
    }

    /// The same of a game that has just ended, with the words in its verdict that it ended with.
    pub fn first_sentence(&self) -> String {
        self.told(|| self.with_names(&self.verdict.sentence))
    }

    /// What is known of a loss, or else what `otherwise` says, with hints.
    fn told(&self, otherwise: impl FnOnce() -> String) -> String {
        let mut sentence = match &self.verdict.losses[..] {
            [loss] if self.is_about(loss) => format!("{} {}", self.player(loss.seat), self.what(loss)),
            _ => otherwise(),
        };
        for hint in &self.verdict.hints {
            sentence = then(&sentence, &self.hint(hint));
        }
        printable(sentence.as_bytes(), LONGEST)
    }

    /// What the moves of a seat show about how it misunderstood the rules, in a sentence.
    pub fn hint(&self, SeatHint { seat, hint }: &SeatHint) -> String {
        hint.sentence(self.bot(*seat), self.player_before(*seat))
    }

    /// How the rules ended the game, if they did, with names.
    fn by_rules(&self) -> Option<String> {
        let outcome = self.position(self.plies.len()).ok()?.outcome()?;
        Some(self.with_names(&outcome.sentence)).filter(|_| matches!(self.verdict.reason, Reason::Rules(_)))
    }

    /// What a seat did that lost other than on the board, in words that follow its name.
    pub fn what(&self, loss: &Loss) -> String {
        let mut text = loss.what(self.player_before(loss.seat));
        let is_whole = matches!(loss.fault, Fault::Told { .. });
        if let Some(note) = self.swap_note(loss).filter(|_| !is_whole) {
            text = then(&text, &note);
        }
        printable(text.as_bytes(), LONGEST)
    }

    /// A sentence of the rules or the referee, which begins with a side, with the name of the program instead.
    fn with_names(&self, sentence: &str) -> String {
        let game = self.swap().map(|swap| swap.game).or_else(|| self.start().ok());
        let begins = |seat: &Seat| {
            let rest = sentence.strip_prefix(game.as_ref()?.side(*seat))?.strip_prefix(' ')?;
            Some(format!("{} {rest}", self.player(*seat)))
        };
        let seats: Vec<Seat> = (0..self.seats.len() as u8).map(Seat).collect();
        seats.iter().find_map(begins).unwrap_or_else(|| sentence.to_owned())
    }

    /// The program at a seat with the side that it played, and since when if there was a swap: `ana (black since beto swapped on
    /// ply 2)`.
    pub fn player(&self, seat: Seat) -> String {
        let bot = self.bot(seat);
        match (self.swap(), self.start()) {
            (Some(Swap { ply, by, game, .. }), _) => {
                let whom = if by == seat { "it" } else { self.bot(by) };
                format!("{bot} ({} since {whom} swapped on ply {ply})", game.side(seat))
            }
            (None, Ok(game)) => format!("{bot} ({})", game.side(seat)),
            (None, Err(_)) => bot.to_owned(),
        }
    }

    /// Whether a loss ended the game, and so is what its sentence is about.
    fn is_about(&self, loss: &Loss) -> bool {
        let is_known = !matches!(loss.fault, Fault::Told { .. } | Fault::NotStarted { .. });
        self.seats.len() == 2 && is_known && loss.reason == self.verdict.reason
    }

    /// Who sits before a seat: the opponent, where two play.
    fn player_before(&self, seat: Seat) -> &str {
        let count = self.seats.len().max(1);
        self.bot(Seat(((seat.index() + count - 1) % count) as u8))
    }

    /// The exchange of colours, if there was one.
    fn swap(&self) -> Option<Swap> {
        if !self.swapped {
            return None;
        }
        let mut game = self.start().ok()?;
        for (index, ply) in self.plies.iter().enumerate() {
            let by = game.turn();
            game.play(ply.text()?).ok()?;
            if game.swapped() {
                let first = self.plies.first().and_then(Ply::text).unwrap_or_default().to_owned();
                return Some(Swap { ply: index + 1, by, first, game });
            }
        }
        None
    }

    /// What a swap means for a program that failed soon after it.
    fn swap_note(&self, loss: &Loss) -> Option<String> {
        let swap = self.swap()?;
        let is_soon = loss.ply.is_some_and(|ply| ply > swap.ply && ply <= swap.ply + SOON);
        if !is_soon {
            return None;
        }
        let Swap { ply, by, first, game } = swap;
        let (bot, swapper) = (self.bot(loss.seat), self.bot(by));
        let (side, goal) = (game.side(loss.seat), game.goal(loss.seat));
        Some(if by == loss.seat {
            format!(
                "On ply {ply} it repeated the first move, '{first}': that is the swap. It is {side} from then on, {goal}, and the stone on \
                 '{first}' is its own"
            )
        } else {
            format!(
                "On ply {ply} {swapper} repeated {bot}'s first move, '{first}': that is the swap, a valid move. {bot} is {side} from \
                 then on, {goal}, and answers it with an ordinary move; the stone on '{first}' is {swapper}'s"
            )
        })
    }
}

/// Two sentences after each other. The first may end in a question mark.
fn then(first: &str, second: &str) -> String {
    let end = if first.ends_with(['?', '.']) { "" } else { "." };
    format!("{first}{end} {second}")
}

/// A clause as the beginning of a sentence.
fn capitalised(clause: &str) -> String {
    let mut letters = clause.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

//! What somebody asks for of a championship that is gone on with: that changes are accepted, that games of a bot are played again,
//! that a bot leaves.

use thiserror::Error;

use super::bot_name;
use super::settings::Settings;
use crate::game::nearest::nearest;
use crate::record::Summary;

/// The option of [`Amendments::play_again`].
pub const PLAY_AGAIN: &str = "--play-again";
/// The option of [`Amendments::withdraw`].
pub const WITHDRAW: &str = "--withdraw";

/// The changes that the command line asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amendments {
    /// Whether other settings, other programs and other bots than before are accepted, and the games so far count on.
    pub accept_changes: bool,
    /// The bots whose games are played again: those so far stay in the journal and do not count.
    pub play_again: Vec<String>,
    /// The bots that leave.
    pub withdraw: Vec<String>,
}

/// Why something cannot be done that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AmendmentError {
    /// There is nothing yet to amend.
    #[error("{option} is for a championship that has begun: name its folder with --resume DIR")]
    NotBegun {
        /// The option.
        option: &'static str,
    },
    /// Nobody is called so.
    #[error("{option}: there is no bot '{name}' in this championship; {advice}")]
    NoSuchBot {
        /// The option.
        option: &'static str,
        /// The name that was given.
        name: String,
        /// The bot that may have been meant, or all there are.
        advice: String,
    },
    /// One bot is to stay and to leave.
    #[error("'{0}' cannot leave ({WITHDRAW}) and play its games again ({PLAY_AGAIN}); give one of the two")]
    Both(String),
    /// A bot plays no more.
    #[error(
        "{PLAY_AGAIN}: '{0}' has left, and plays no more; to bring it back, repeat the command that names all bots, with --out and \
         --accept-changes"
    )]
    HasLeft(String),
    /// Nobody would be left to play with.
    #[error(
        "{WITHDRAW}: {left} would be left, and a game needs {seats} bots; to end the championship here, leave it as it is: its tables are \
         complete"
    )]
    TooFew {
        /// The bots that would be left.
        left: String,
        /// How many a game needs.
        seats: u8,
    },
}

impl Amendments {
    /// The same, with every bot named once and as it is called, if all of it can be done to this championship.
    pub fn checked(self, stored: Option<&Settings>) -> Result<Amendments, AmendmentError> {
        let Some(stored) = stored else {
            let given = [(PLAY_AGAIN, &self.play_again), (WITHDRAW, &self.withdraw)];
            return match given.iter().find(|(_, names)| !names.is_empty()) {
                Some(&(option, _)) => Err(AmendmentError::NotBegun { option }),
                None => Ok(self),
            };
        };
        let play_again = known(stored, PLAY_AGAIN, &self.play_again)?;
        let withdraw = known(stored, WITHDRAW, &self.withdraw)?;
        if let Some(name) = play_again.iter().find(|name| withdraw.contains(name)) {
            return Err(AmendmentError::Both(name.clone()));
        }
        let has_left = |name: &&String| stored.bot(name).is_some_and(|bot| bot.left_in_round.is_some());
        if let Some(name) = play_again.iter().find(has_left) {
            return Err(AmendmentError::HasLeft(name.clone()));
        }
        Ok(Amendments { play_again, withdraw, ..self })
    }

    /// Makes sure that enough bots play on; `playing` are those who would.
    pub fn check_the_rest(&self, playing: &[&str], seats: u8) -> Result<(), AmendmentError> {
        if self.withdraw.is_empty() || playing.len() >= seats.into() {
            return Ok(());
        }
        let left =
            if playing.is_empty() { "nobody".to_owned() } else { format!("only {}", playing.join(", ")) };
        Err(AmendmentError::TooFew { left, seats })
    }

    /// Sets the games aside that are to be played again: their bots are of a new generation from now on. One of whose games none
    /// counts has nothing to play again, so that a command which is repeated after a crash does nothing twice.
    pub fn set_aside(&self, settings: &mut Settings, lines: &[Summary], mut remark: impl FnMut(String)) {
        self.of_left_out(settings).into_iter().for_each(&mut remark);
        let is_left_out = |name: &str| settings.bot(name).is_some_and(|bot| bot.left_out.is_some());
        let (again, mut idle): (Vec<&String>, Vec<&String>) =
            self.play_again.iter().partition(|name| has_games(settings, name, lines));
        idle.retain(|name| !is_left_out(name));
        // Higher than any other, so that games between two of them that were played again already are so once more.
        let last = settings.bots.iter().map(|bot| bot.generation).max().unwrap_or(1);
        for bot in settings.bots.iter_mut().filter(|bot| again.contains(&&bot.name)) {
            bot.generation = last.saturating_add(1);
            bot.accepted.clear();
        }
        for name in idle {
            remark(format!(
                "bot {name}: none of its games counts yet, so that there is nothing to play again"
            ));
        }
    }

    /// What there is to say of bots that are left out: whatever is asked for of them, nothing is played.
    fn of_left_out(&self, settings: &Settings) -> Vec<String> {
        let why = |name: &str| settings.bot(name)?.left_out.as_deref();
        let again = self.play_again.iter().filter_map(|name| {
            let why = why(name)?;
            Some(format!("bot {name}: nothing of it is played again, since it is left out: {why}"))
        });
        let leaves = self.withdraw.iter().filter_map(|name| {
            let why = why(name)?;
            Some(format!(
                "bot {name}: it took no part before either, since it was left out: {why}; from now on it does not join when it is mended"
            ))
        });
        again.chain(leaves).collect()
    }
}

/// Whether there is a game of a bot that has not been set aside before.
fn has_games(settings: &Settings, name: &str, lines: &[Summary]) -> bool {
    let is_current = |line: &&Summary| {
        line.verdict.counts()
            && line.generation == settings.generation(line.seats.iter().map(|seat| seat.bot.as_str()))
    };
    lines.iter().filter(|line| line.seats.iter().any(|seat| seat.bot == name)).any(|line| is_current(&line))
}

/// These names, each once, as the bots of the championship are called.
fn known(stored: &Settings, option: &'static str, names: &[String]) -> Result<Vec<String>, AmendmentError> {
    let mut known = Vec::new();
    for given in names {
        let name = bot_name::read(given).unwrap_or_else(|_| given.clone());
        if stored.bot(&name).is_none() {
            let all = || stored.bots.iter().map(|bot| bot.name.as_str());
            let advice = match nearest(&name, all()) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("there are: {}", all().collect::<Vec<_>>().join(", ")),
            };
            return Err(AmendmentError::NoSuchBot { option, name, advice });
        }
        if !known.contains(&name) {
            known.push(name);
        }
    }
    Ok(known)
}

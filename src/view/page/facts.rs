//! What a report says of a championship besides its games.

/// What is to be said of a championship besides its games.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// What it is called.
    pub title: String,
    /// What it is, in parts: the game, the board, the clock, the format.
    pub parts: Vec<String>,
    /// When it was begun.
    pub started: String,
    /// The name of the game.
    pub game: String,
    /// How many play in a game.
    pub seats: usize,
    /// Whether there can be rounds without an opponent.
    pub byes: bool,
    /// How many games count.
    pub done: usize,
    /// How many games there will be in all.
    pub scheduled: usize,
    /// How to go on if games are missing.
    pub go_on: GoOn,
    /// Those who take no part, at the end of the standings.
    pub left_out: Vec<Absent>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// The command of each bot, where it may be told; bots are in the order of the standings.
    pub commands: Vec<String>,
}

/// Somebody who takes no part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Absent {
    /// The name.
    pub name: String,
    /// Why.
    pub reason: String,
    /// What the program wrote to stderr in its test, where that is to be shown.
    pub stderr: Option<String>,
}

/// How to go on with what is not complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoOn {
    /// Words before the command.
    pub words: String,
    /// The command, if there is one.
    pub command: String,
}

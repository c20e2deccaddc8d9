//! What bots are told beyond their arguments: the variables of their environment.

use crate::game::Setup;
use crate::record::Terms;

/// What is drawn for a bot in one game.
#[derive(Clone, Copy)]
pub struct Draw<'a> {
    /// The number that seeds its dice.
    pub seed: u64,
    /// First moves that it is asked to play.
    pub opening: Option<&'a str>,
}

/// The variables of a bot in one game, whoever else plays.
pub fn environment(setup: &Setup, terms: &Terms, draw: Draw) -> Vec<(String, String)> {
    let time = terms.time;
    let mut variables = vec![
        ("ARBITRO_GAME", setup.name().to_owned()),
        ("ARBITRO_SIZE", setup.board().size.to_string()),
        ("ARBITRO_TIME", time.base.as_secs_f64().to_string()),
        ("ARBITRO_INC", time.increment.as_secs_f64().to_string()),
        ("ARBITRO_SEED", draw.seed.to_string()),
    ];
    variables.extend(draw.opening.map(|opening| ("ARBITRO_OPENING", opening.to_owned())));
    variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

//! The result of a match as text.

use crate::score::elo::EloEstimate;
use crate::score::match_tally::{FaultExample, LetPass, MatchResult};
use crate::score::sprt::SprtState;

/// The score, who won how, the difference in Elo, and where a sequential test stands.
/// `where_to_look` says where more is to be seen of a game that a bot has lost by a fault.
pub fn text(result: &MatchResult, where_to_look: impl Fn(u32, &str) -> String) -> String {
    let [first, second] = &result.bots;
    let games = if result.games == 1 { "1 game".to_owned() } else { format!("{} games", result.games) };
    let mut text =
        format!("{} {} – {} {}   ({games})\n", first.name, first.points, second.points, second.name);
    for bot in &result.bots {
        let won = bot.won.values().sum::<u32>();
        let reasons: Vec<String> =
            bot.won.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let reasons = if won > 0 { format!(": {}", reasons.join(", ")) } else { String::new() };
        text += &format!("  {} won {won}{reasons}\n", bot.name);
        for FaultExample { game, reason, sentence, games } in &bot.faults {
            let more = match games - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let look = where_to_look(*game, &bot.name);
            text += &format!("  game {game}{more}, {reason}: {sentence}\n  {look}\n");
        }
        if let Some(LetPass { game, ply, what }) = &bot.let_pass {
            let what = what.as_ref().map_or(String::new(), |what| format!(": {what}"));
            let which = match bot.warnings {
                1 => "1 fault was let pass".to_owned(),
                many => format!("{many} faults were let pass; the first"),
            };
            text += &format!("  {}: {which}, in game {game} on ply {ply}{what}\n", bot.name);
        }
    }
    for (reason, count) in &result.without_winner {
        text += &format!("  nobody won {count}: {reason}\n");
    }
    if let Some(EloEstimate { elo, low, high }) = result.elo {
        text += &format!("Elo difference {elo:+.0}, 95 % interval {low:+.0} to {high:+.0}\n");
    }
    if let Some(SprtState { llr, bound, accepted }) = result.sprt {
        let decision = accepted.map_or("undecided".to_owned(), |elo| format!("accepted: {elo:+} Elo"));
        text += &format!("SPRT {decision} (LLR {llr:.2}, bounds ±{bound:.2})\n");
    }
    text
}

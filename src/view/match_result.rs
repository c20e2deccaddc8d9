//! The result of a match as text.

use crate::record::text::counted;
use crate::score::elo::EloEstimate;
use crate::score::match_tally::MatchResult;
use crate::score::sprt::SprtState;

/// The score, who won how, the difference in Elo, and where a sequential test stands.
pub fn text(result: &MatchResult) -> String {
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
        if bot.warnings > 0 {
            let (faults, were) =
                (counted(bot.warnings as usize, "fault"), if bot.warnings == 1 { "was" } else { "were" });
            text += &format!("  {}: {faults} that {were} let pass; see the journal\n", bot.name);
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

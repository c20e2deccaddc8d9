//! A game in a line.

use crate::record::GameRecord;

/// Who played, who won, and why; where more than two played, also why programs had to leave.
pub fn game_line(record: &GameRecord) -> String {
    let (players, result, verdict) = (record.players(), record.result(), &record.verdict);
    // What ended the game is in its own sentence.
    let losses = verdict.losses.iter().filter(|loss| loss.reason != verdict.reason);
    let losses: String =
        losses.map(|loss| format!("; {} {}", record.bot(loss.seat), record.what(loss))).collect();
    format!("game {}: {players}: {result}, {}: {}{losses}", record.number, verdict.reason, record.sentence())
}

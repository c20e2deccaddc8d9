//! Bots that play alike, as text.

use crate::score::equal_play::EqualPlay;

/// How many pairs are named before the reader is sent to the list of all.
const SHOWN: usize = 20;

/// A line for each pair, with its figures; nothing where nobody plays alike.
pub fn lines(pairs: &[EqualPlay]) -> Vec<String> {
    let mut lines: Vec<String> =
        pairs.iter().take(SHOWN).map(|pair| format!("alike in play: {pair}")).collect();
    let more = pairs.len().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!("and {more} more pairs that play alike: --json has them all"));
    }
    lines
}

//! The order of bots with equal points.

use std::cmp::Reverse;

use super::cross_table::CrossTable;

/// What decides between bots, the first criterion first; the larger value comes first. Bots that are equal in all of them
/// share a rank.
pub type Merit = Reverse<(u64, u32, u64)>;

/// The merit of each bot: its score, then head to head against the bots with the same score, then Sonneborn–Berger (the
/// points of the opponents it took points from). `score` is what ranks bots first of all, and `half_points` what opponents are
/// worth.
pub fn merits(table: &CrossTable, score: &[u64], half_points: &[u32]) -> Vec<Merit> {
    let bots = 0..table.bots();
    bots.map(|bot| Reverse((score[bot], head_to_head(table, score, bot), berger(table, half_points, bot))))
        .collect()
}

fn head_to_head(table: &CrossTable, score: &[u64], bot: usize) -> u32 {
    let equals = (0..table.bots()).filter(|&other| score[other] == score[bot]);
    equals.map(|other| table.half_points(bot, other)).sum()
}

fn berger(table: &CrossTable, half_points: &[u32], bot: usize) -> u64 {
    let opponents = 0..table.bots();
    opponents.map(|other| u64::from(table.half_points(bot, other)) * u64::from(half_points[other])).sum()
}

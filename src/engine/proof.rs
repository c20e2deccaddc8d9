//! What a search knows for certain about a move.

/// What is certain about a move, for the side that makes it: the values of MCTS-Solver (Winands, Björnsson and Saito, 2008).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// The other side wins whatever is done.
    Lost,
    /// Nothing yet.
    Open,
    /// It wins whatever the other side does.
    Won,
}

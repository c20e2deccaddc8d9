//! What can be seen of a position without trying moves: who wins it, or which moves are left to be tried.

use super::cell_set::CellSet;
use super::h_search::{Enough, Found, HSearch};
use super::move_order;
use super::position::Position;
use super::topology::Topology;

/// What is seen.
pub enum Expansion<const W: usize> {
    Decided {
        /// Whether the side to move wins.
        wins: bool,
        /// The empty cells that the winner needs.
        needs: CellSet<W>,
    },
    Open {
        /// If any move wins, one of these does. The best come first.
        moves: Box<[u8]>,
        /// The empty cells that the other side needs against all others.
        needs: CellSet<W>,
    },
}

impl<const W: usize> Expansion<W> {
    /// Looks at a position that is filled in.
    pub fn of(topology: &Topology<W>, h_search: &mut HSearch<W>, position: &Position<W>) -> Self {
        let empty = position.empty(topology);
        let mut search = |side, enough| {
            let own = position.stones[side as usize];
            h_search.search(topology, side, own, empty, enough)
        };
        // The side to move has to play where all semi connections of the other need a cell: the must-play region.
        let (must_play, needs) = match search(position.to_move.other(), Enough::Full) {
            Found::Full(needs) => return Expansion::Decided { wins: false, needs },
            Found::Semi { common, any } => (common, any),
        };
        match search(position.to_move, Enough::Semi) {
            Found::Semi { any, .. } if any.is_empty() => {
                without_inferior(topology, position, must_play, needs)
            }
            Found::Full(needs) | Found::Semi { any: needs, .. } => Expansion::Decided { wins: true, needs },
        }
    }
}

/// Leaves out moves that are no better than others.
fn without_inferior<const W: usize>(
    topology: &Topology<W>,
    position: &Position<W>,
    mut left: CellSet<W>,
    mut needs: CellSet<W>,
) -> Expansion<W> {
    let empty = position.empty(topology);
    let killer = |cell| Some((cell, position.killer(topology, cell, empty)?));
    let vulnerable: Vec<(usize, usize)> = empty.into_iter().filter_map(killer).collect();
    // If a vulnerable move wins, so does, once the other side has killed it, some other move, and that wins without its being
    // played as well. Were all those vulnerable too, the other side could kill them all, and any move would win after that; so one must
    // be left that does not belong to these.
    let involved = vulnerable.iter().flat_map(|&(cell, killer)| [cell, killer]).collect();
    if !empty.without(involved).is_empty() {
        for (cell, killer) in vulnerable {
            if left.contains(cell) {
                left.remove(cell);
                needs |= CellSet::of(cell) | CellSet::of(killer);
            }
        }
    }
    if left.is_empty() {
        return Expansion::Decided { wins: false, needs };
    }
    // What a move captures, or leaves dead, is no better a move.
    let mut moves = move_order::sort(topology, position, left);
    let mut next = 0;
    while let Some(&cell) = moves.get(next) {
        let (after, captured) = position.after(topology, cell.into());
        let filled = empty.without(after.empty(topology));
        let dominated = filled.without(captured[position.to_move.other() as usize]);
        moves.retain(|&other| other == cell || !dominated.contains(other.into()));
        next = 1 + moves.iter().position(|&other| other == cell).unwrap_or(next);
    }
    Expansion::Open { moves: moves.into(), needs }
}

//! The circle method (Berger tables): everybody meets everybody, in turns in which nobody plays twice.

/// The turns among so many places, each a list of pairs of places. With an odd number, one place sits out in each turn,
/// each once.
pub(super) fn turns(places: usize) -> Vec<Vec<(usize, usize)>> {
    let count = places.next_multiple_of(2);
    // One place stays where it is, all others move around it.
    let mut circle: Vec<usize> = (0..count).collect();
    let mut turns = Vec::new();
    for _ in 1..count {
        let opposite = (0..count / 2).map(|place| (circle[place], circle[count - 1 - place]));
        turns.push(opposite.filter(|&(one, other)| one.max(other) < places).collect());
        circle[1..].rotate_right(1);
    }
    turns
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn everybody_meets_everybody_once_and_plays_once_in_a_turn() {
        for places in 0..20 {
            let turns = turns(places);
            let mut met = HashSet::new();
            let mut sat_out = Vec::new();
            for turn in &turns {
                let seated: HashSet<usize> = turn.iter().flat_map(|&(one, other)| [one, other]).collect();
                assert_eq!(seated.len(), 2 * turn.len(), "nobody plays twice in a turn");
                assert_eq!(turn.len(), places / 2);
                met.extend(turn.iter().map(|&(one, other)| (one.min(other), one.max(other))));
                sat_out.extend((0..places).filter(|place| !seated.contains(place)));
            }
            assert_eq!(met.len(), places * places.saturating_sub(1) / 2);
            assert_eq!(met.len(), turns.iter().map(Vec::len).sum::<usize>());
            sat_out.sort_unstable();
            let everybody: Vec<usize> = (0..places).filter(|_| places % 2 == 1).collect();
            assert_eq!(sat_out, everybody);
        }
    }
}

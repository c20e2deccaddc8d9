//! Disjoint sets over a fixed number of nodes: the structure behind win detection.

/// Disjoint sets over the nodes `0..N`, without allocation.
#[derive(Clone)]
pub struct UnionFind<const N: usize> {
    // A root holds minus the size of its set, any other node its parent: one array stays in the cache and is quick to
    // copy.
    links: [i16; N],
}

impl<const N: usize> UnionFind<N> {
    /// Every node a set of its own.
    pub fn new() -> Self {
        const { assert!(N < i16::MAX as usize, "node numbers and sizes are kept in 16 bits") };
        UnionFind { links: [-1; N] }
    }

    /// The representative of the node's set. Halves the path on its way.
    pub fn find(&mut self, mut node: usize) -> usize {
        while self.links[node] >= 0 {
            let parent = self.links[node] as usize;
            if self.links[parent] < 0 {
                return parent;
            }
            self.links[node] = self.links[parent];
            node = self.links[node] as usize;
        }
        node
    }

    /// Joins the sets of two nodes.
    pub fn union(&mut self, a: usize, b: usize) {
        let (mut large, mut small) = (self.find(a), self.find(b));
        if large == small {
            return;
        }
        if self.links[large] > self.links[small] {
            std::mem::swap(&mut large, &mut small);
        }
        self.links[large] += self.links[small];
        self.links[small] = large as i16;
    }

    /// Whether two nodes are in one set.
    pub fn joined(&mut self, a: usize, b: usize) -> bool {
        self.find(a) == self.find(b)
    }
}

impl<const N: usize> Default for UnionFind<N> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_labels_that_are_painted_over() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for _ in 0..200 {
            let mut sets = UnionFind::<64>::new();
            let mut labels: [usize; 64] = std::array::from_fn(|i| i);
            for _ in 0..rng.usize(..80) {
                let (a, b) = (rng.usize(..64), rng.usize(..64));
                sets.union(a, b);
                let (old, new) = (labels[b], labels[a]);
                labels.iter_mut().filter(|label| **label == old).for_each(|label| *label = new);
            }
            for a in 0..64 {
                for b in 0..64 {
                    assert_eq!(sets.joined(a, b), labels[a] == labels[b]);
                }
            }
        }
    }
}

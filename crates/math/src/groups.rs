//! Groups of things that are joined, by a union-find structure.

/// Groups of numbered things: every thing points to one with a smaller number in its group, and the
/// smallest one is the root of the group.
#[derive(Clone, Debug)]
pub struct Groups {
    /// Thing that each one points to.
    parent: Vec<usize>,
}

impl Groups {
    /// This number of things, each in a separate group.
    pub fn new(count: usize) -> Self {
        Self {
            parent: (0..count).collect(),
        }
    }

    /// Puts `a` and `b` into one group.
    pub fn join(&mut self, a: usize, b: usize) {
        let [a, b] = [self.root(a), self.root(b)];
        self.parent[a.max(b)] = a.min(b);
    }

    /// Smallest number in the group of `i`. The paths that are followed become shorter.
    pub fn root(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_that_are_joined_share_the_smallest_number() {
        let mut groups = Groups::new(6);
        for [a, b] in [[4, 2], [5, 4], [1, 3]] {
            groups.join(a, b);
        }
        let roots: Vec<usize> = (0..6).map(|i| groups.root(i)).collect();
        assert_eq!(roots, [0, 1, 2, 1, 2, 2]);
    }
}

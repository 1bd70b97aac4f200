//! Bodies that do not collide with each other.

use serde::{Deserialize, Serialize};

/// Pairs of bodies that do not collide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// Group of each body, from 1 on. Bodies of one group do not collide. 0 stands for no group, as
    /// do missing entries.
    groups: Vec<u32>,
    /// Bodies that cannot touch themselves, ascending.
    rigid: Vec<usize>,
    /// Index of the first obstacle. Obstacles follow their scripts and do not collide with each
    /// other.
    #[serde(default)]
    obstacles: Option<usize>,
    /// Other pairs that do not collide, the smaller index first, ascending.
    pairs: Vec<[usize; 2]>,
}

impl Filter {
    /// A filter from the group of each body (0 for none), the bodies that cannot touch themselves,
    /// and single pairs.
    ///
    /// Bodies from index `obstacles` on do not collide with each other.
    pub fn new(
        groups: Vec<u32>,
        mut rigid: Vec<usize>,
        mut pairs: Vec<[usize; 2]>,
        obstacles: usize,
    ) -> Self {
        for [a, b] in &mut pairs {
            (*a, *b) = ((*a).min(*b), (*a).max(*b));
        }
        pairs.sort_unstable();
        rigid.sort_unstable();

        let has_group = groups.iter().any(|&group| group != 0);
        Self {
            groups: if has_group { groups } else { Vec::new() },
            rigid,
            obstacles: Some(obstacles),
            pairs,
        }
    }

    /// True if bodies `a` and `b` collide.
    #[inline]
    pub fn meet(&self, a: usize, b: usize) -> bool {
        if a == b {
            return self.rigid.is_empty() || self.rigid.binary_search(&a).is_err();
        }
        if self.obstacles.is_some_and(|first| a >= first && b >= first) {
            return false;
        }
        if !self.groups.is_empty() && self.group(a) != 0 && self.group(a) == self.group(b) {
            return false;
        }
        self.pairs.is_empty() || self.pairs.binary_search(&[a.min(b), a.max(b)]).is_err()
    }

    /// Group of a body; 0 for none.
    fn group(&self, body: usize) -> u32 {
        self.groups.get(body).copied().unwrap_or(0)
    }
}

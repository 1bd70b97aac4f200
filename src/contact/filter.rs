//! Which bodies pass through each other.

use serde::{Deserialize, Serialize};

/// Pairs of bodies that do not collide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// Group of each body, from 1; 0 and bodies that are not listed are in none. Bodies of one group do not collide.
    groups: Vec<u32>,
    /// Bodies that cannot touch themselves.
    rigid: Vec<usize>,
    /// The first obstacle: obstacles, which go where they are told, do not collide with each other.
    #[serde(default)]
    obstacles: Option<usize>,
    /// Further pairs, the smaller number first, ascending.
    pairs: Vec<[usize; 2]>,
}

impl Filter {
    /// A filter from the group of each body (0 for none), the bodies that cannot touch themselves, and pairs. Bodies from
    /// number `obstacles` on do not collide with each other.
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
        let groups = if groups.iter().all(|&group| group == 0) {
            Vec::new()
        } else {
            groups
        };
        Self {
            groups,
            rigid,
            obstacles: Some(obstacles),
            pairs,
        }
    }

    /// Whether `a` and `b` collide.
    #[inline]
    pub fn meet(&self, a: usize, b: usize) -> bool {
        if a == b {
            return self.rigid.is_empty() || self.rigid.binary_search(&a).is_err();
        }
        if self.obstacles.is_some_and(|first| a >= first && b >= first) {
            return false;
        }
        let group = |body: usize| self.groups.get(body).copied().unwrap_or(0);
        let together = !self.groups.is_empty() && group(a) != 0 && group(a) == group(b);
        !together
            && (self.pairs.is_empty() || self.pairs.binary_search(&[a.min(b), a.max(b)]).is_err())
    }
}

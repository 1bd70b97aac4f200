//! Bodies that do not collide with each other.
//!
//! Contact between all bodies is the rule. A scene exempts pairs of bodies or whole groups,
//! obstacles never collide with each other, and a stiff body cannot touch itself.

use serde::{Deserialize, Serialize};

/// Pairs of bodies that do not collide, by groups, by kind and one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// Group of each body, from 1 on. Bodies of one group do not collide. The number 0 and missing
    /// entries stand for no group.
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
    /// Bodies from index `obstacles` on do not collide with each other. A pair may name its bodies
    /// in either order.
    pub fn new(
        groups: Vec<u32>,
        mut rigid: Vec<usize>,
        mut pairs: Vec<[usize; 2]>,
        obstacles: usize,
    ) -> Self {
        for pair in &mut pairs {
            pair.sort_unstable();
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

    /// True if bodies `a` and `b` collide; for `a = b`, true if the body can touch itself.
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

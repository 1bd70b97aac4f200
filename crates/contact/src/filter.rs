//! Bodies that do not collide with each other.
//!
//! Contact between all bodies is the rule. A scene exempts pairs of bodies or whole groups,
//! obstacles never collide with each other, and a stiff body cannot touch itself.
//!
//! The search for candidates skips vertices of bodies that the filter keeps from all others.

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

    /// True for each of `count` bodies that nothing can touch, not even itself, `[bodies]`.
    ///
    /// A body is counted against its own kind, not against each other one, so that this takes
    /// `O(n log n)`.
    pub fn untouchable(&self, count: usize) -> Vec<bool> {
        let is_obstacle = |body: usize| self.obstacles.is_some_and(|first| body >= first);

        // Bodies, and obstacles among them, of each group; obstacles of all.
        let groups = self.groups.iter().max().map_or(0, |&last| last as usize);
        let mut members = vec![[0; 2]; groups + 1];
        for body in 0..count {
            let [all, obstacles] = &mut members[self.group(body) as usize];
            *all += 1;
            *obstacles += usize::from(is_obstacle(body));
        }
        let obstacles: usize = members.iter().map(|[_, obstacles]| obstacles).sum();

        // Bodies with which each one does not collide by its kind, itself among them.
        let mut apart: Vec<usize> = (0..count)
            .map(|body| {
                let group = self.group(body);
                let [own, own_obstacles] = members[group as usize];
                match (group != 0, is_obstacle(body)) {
                    (false, false) => 1,
                    (false, true) => obstacles,
                    (true, false) => own,
                    (true, true) => own + obstacles - own_obstacles,
                }
            })
            .collect();

        // Pairs that are exempt one by one, those above aside.
        let by_kind = |a: usize, b: usize| {
            let grouped = self.group(a) != 0 && self.group(a) == self.group(b);
            a == b || grouped || is_obstacle(a) && is_obstacle(b)
        };
        let mut last = None;
        for &[a, b] in &self.pairs {
            let is_new = last.replace([a, b]) != Some([a, b]);
            if is_new && b < count && !by_kind(a, b) {
                apart[a] += 1;
                apart[b] += 1;
            }
        }
        (0..count)
            .map(|body| apart[body] == count && !self.meet(body, body))
            .collect()
    }

    /// Group of a body; 0 for none.
    fn group(&self, body: usize) -> u32 {
        self.groups.get(body).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn untouchable_is_who_meets_nobody(
            groups in prop::collection::vec(0_u32..3, 0..8),
            rigid in prop::collection::vec(0_usize..8, 0..8),
            pairs in prop::collection::vec(prop::array::uniform2(0_usize..8), 0..40),
            obstacles in 0_usize..10,
        ) {
            let filter = Filter::new(groups, rigid, pairs, obstacles);
            let meets_nobody = |a: usize| !(0..8).any(|b| filter.meet(a, b));
            let expected: Vec<bool> = (0..8).map(meets_nobody).collect();
            prop_assert_eq!(filter.untouchable(8), expected);
        }
    }
}

//! Bodies that do not collide with each other.
//!
//! Contact between all bodies is the rule. A scene exempts pairs of bodies, whole groups, linkages, or
//! bodies of different layers; obstacles never collide with each other, and a stiff body cannot touch
//! itself.
//!
//! The search for candidates skips vertices of bodies that the filter keeps from all others.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Pairs of bodies that do not collide, by groups, by kind and one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// Group of each body, from 1 on. Bodies of one group do not collide. The number 0 and missing
    /// entries stand for no group.
    groups: Vec<u32>,
    /// Linkage of each body, likewise: bodies of one linkage do not collide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    linkages: Vec<u32>,
    /// Layer of each body, from 1 on. Bodies of different layers do not collide. The number 0 and
    /// missing entries stand for all layers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    layers: Vec<u32>,
    /// Bodies that cannot touch themselves, ascending.
    rigid: Vec<usize>,
    /// Index of the first obstacle. Obstacles follow their scripts and do not collide with each
    /// other.
    #[serde(default)]
    obstacles: Option<usize>,
    /// Other pairs that do not collide, the smaller index first, ascending.
    pairs: Vec<[usize; 2]>,
    /// Pairs whose bodies collide with images of each other only, in a scene that repeats, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    across: Vec<[usize; 2]>,
}

/// Groups to which a body belongs.
#[derive(Clone, Copy)]
struct Membership {
    /// Group, linkage, and 1 for an obstacle; 0 for none. Two bodies that share one do not collide.
    shared: [u32; 3],
    /// Layer; 0 for all.
    layer: u32,
}

impl Membership {
    /// True if a body of these groups collides with one of others.
    fn meets(&self, other: &Self) -> bool {
        let mut shared = self.shared.iter().zip(&other.shared);
        let is_in_reach = self.layer == 0 || other.layer == 0 || self.layer == other.layer;
        is_in_reach && !shared.any(|(a, b)| *a != 0 && a == b)
    }

    /// Each choice of its groups: the others are 0. The second number counts the chosen ones.
    fn choices(&self) -> impl Iterator<Item = ([u32; 3], u32)> {
        let shared = self.shared;
        let some = (0..8_u32).map(move |set| [0, 1, 2].map(|k| shared[k] * (set >> k & 1)));
        let all = some.zip(0..8_u32);
        // A body without a group cannot choose it.
        let own = all.filter(move |(_, set)| (0..3).all(|k| set >> k & 1 == 0 || shared[k] != 0));
        own.map(|(chosen, set)| (chosen, set.count_ones()))
    }
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

        Self {
            groups: unless_zero(groups),
            linkages: Vec::new(),
            layers: Vec::new(),
            rigid,
            obstacles: Some(obstacles),
            pairs,
            across: Vec::new(),
        }
    }

    /// The filter that also keeps bodies of one linkage from each other (0 for none), and bodies of
    /// different layers (0 for all).
    #[must_use]
    pub fn with(mut self, linkages: Vec<u32>, layers: Vec<u32>) -> Self {
        self.linkages = unless_zero(linkages);
        self.layers = unless_zero(layers);
        self
    }

    /// The filter that also keeps bodies of these pairs from each other, in any order, and not from images of
    /// each other.
    #[must_use]
    pub fn across(mut self, mut pairs: Vec<[usize; 2]>) -> Self {
        for pair in &mut pairs {
            pair.sort_unstable();
        }
        pairs.sort_unstable();
        self.across = pairs;
        self
    }

    /// True if body `a` collides with images of body `b`.
    ///
    /// A body collides with its own images.
    #[inline]
    pub fn meet_across(&self, a: usize, b: usize) -> bool {
        a == b || self.share_nothing(a, b)
    }

    /// True if bodies `a` and `b` collide, or if images of them do and `is_across` says that one of both places is
    /// of an image.
    #[inline]
    pub fn meet_or_across(&self, a: usize, b: usize, is_across: impl Fn() -> bool) -> bool {
        self.meet(a, b) || is_across() && self.meet_across(a, b)
    }

    /// True if bodies `a` and `b` collide; for `a = b`, true if the body can touch itself.
    #[inline]
    pub fn meet(&self, a: usize, b: usize) -> bool {
        if a == b {
            return self.rigid.is_empty() || self.rigid.binary_search(&a).is_err();
        }

        self.share_nothing(a, b)
            && (self.across.is_empty() || self.across.binary_search(&in_order(a, b)).is_err())
    }

    /// True if neither a group nor a pair keeps two different bodies from colliding.
    fn share_nothing(&self, a: usize, b: usize) -> bool {
        if self.obstacles.is_some_and(|first| a >= first && b >= first) {
            return false;
        }

        let is_grouped = !self.groups.is_empty() || !self.linkages.is_empty();
        if (is_grouped || !self.layers.is_empty()) && !self.membership(a).meets(&self.membership(b))
        {
            return false;
        }

        self.pairs.is_empty() || self.pairs.binary_search(&in_order(a, b)).is_err()
    }

    /// True for each of `count` bodies that nothing can touch, not even itself, `[bodies]`.
    ///
    /// A body is counted against groups, not against each other body, so that this takes
    /// `O(n log n)`: by inclusion and exclusion a body meets the sum of `(-1)^k N` over choices of `k` of
    /// its groups, where `N` bodies of its layer are in all of the chosen ones.
    pub fn untouchable(&self, count: usize) -> Vec<bool> {
        // Numbers of bodies by choices of groups, in one layer and in all.
        let members: Vec<Membership> = (0..count).map(|body| self.membership(body)).collect();
        let mut numbers: BTreeMap<([u32; 3], Option<u32>), usize> = BTreeMap::new();
        for own in &members {
            for (chosen, _) in own.choices() {
                *numbers.entry((chosen, Some(own.layer))).or_default() += 1;
                *numbers.entry((chosen, None)).or_default() += 1;
            }
        }
        let number = |key| numbers.get(&key).copied().unwrap_or(0);

        // Bodies that each one meets by its groups.
        let mut met: Vec<usize> = members
            .iter()
            .enumerate()
            .map(|(body, own)| {
                let [mut more, mut less] = [0, 0];
                for (chosen, size) in own.choices() {
                    let within = if own.layer == 0 {
                        number((chosen, None))
                    } else {
                        number((chosen, Some(own.layer))) + number((chosen, Some(0)))
                    };
                    *if size % 2 == 0 { &mut more } else { &mut less } += within;
                }
                // A body without groups counts itself.
                more - less - usize::from(members[body].meets(own))
            })
            .collect();

        // Pairs that are exempt one by one.
        let mut last = None;
        for &[a, b] in &self.pairs {
            let is_new = last.replace([a, b]) != Some([a, b]);
            if is_new && a != b && b < count && members[a].meets(&members[b]) {
                met[a] -= 1;
                met[b] -= 1;
            }
        }
        (0..count)
            .map(|body| met[body] == 0 && !self.meet(body, body))
            .collect()
    }

    /// Groups of a body.
    fn membership(&self, body: usize) -> Membership {
        let is_obstacle = self.obstacles.is_some_and(|first| body >= first);
        Membership {
            shared: [
                entry(&self.groups, body),
                entry(&self.linkages, body),
                u32::from(is_obstacle),
            ],
            layer: entry(&self.layers, body),
        }
    }
}

/// A pair with the smaller number first.
fn in_order(a: usize, b: usize) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Entry of a body in a list; 0 for none.
fn entry(list: &[u32], body: usize) -> u32 {
    list.get(body).copied().unwrap_or(0)
}

/// A list, or an empty one where all its numbers are 0.
fn unless_zero(list: Vec<u32>) -> Vec<u32> {
    if list.iter().all(|&number| number == 0) {
        return Vec::new();
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn untouchable_is_who_meets_nobody(
            groups in prop::collection::vec(0_u32..3, 0..8),
            linkages in prop::collection::vec(0_u32..3, 0..8),
            layers in prop::collection::vec(0_u32..3, 0..8),
            rigid in prop::collection::vec(0_usize..8, 0..8),
            pairs in prop::collection::vec(prop::array::uniform2(0_usize..8), 0..40),
            obstacles in 0_usize..10,
        ) {
            let filter = Filter::new(groups, rigid, pairs, obstacles).with(linkages, layers);
            let meets_nobody = |a: usize| !(0..8).any(|b| filter.meet(a, b));
            let expected: Vec<bool> = (0..8).map(meets_nobody).collect();
            prop_assert_eq!(filter.untouchable(8), expected);
        }
    }

    #[test]
    fn bodies_of_a_joint_meet_images_of_each_other_only() {
        let filter = Filter::new(Vec::new(), vec![0, 1, 2], vec![[0, 2]], 9).across(vec![[1, 0]]);
        assert!(!filter.meet(0, 1) && !filter.meet(1, 0));
        assert!(filter.meet_across(0, 1) && filter.meet_across(1, 0));
        assert!(!filter.meet(0, 2) && !filter.meet_across(0, 2));
        assert!(!filter.meet(1, 1) && filter.meet_across(1, 1));
        assert!(filter.meet(1, 2) && filter.meet_across(1, 2));
    }

    #[test]
    fn bodies_of_one_group_or_linkage_or_of_different_layers_do_not_meet() {
        let filter = Filter::new(vec![1, 1], Vec::new(), Vec::new(), 9)
            .with(vec![0, 0, 1, 1], vec![1, 2, 1, 0, 2]);
        let met = |a: usize| -> Vec<usize> {
            let others = (0..5).filter(|&b| b != a);
            others.filter(|&b| filter.meet(a, b)).collect()
        };
        assert_eq!(
            [0, 1, 2, 3, 4].map(met),
            [vec![2, 3], vec![3, 4], vec![0], vec![0, 1, 4], vec![1, 3]]
        );
    }
}

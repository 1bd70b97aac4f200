//! Passes over the tree of fronts, side by side where subtrees are large. What is done does not depend on the number of
//! threads.

use super::fronts::Fronts;
use crate::math::parallel;
use smallvec::SmallVec;

/// The part of each front, subtrees contiguous.
pub(super) type Parts<'a, 'b> = &'a mut [&'b mut [f64]];

/// What is done to fronts after their children.
pub(super) trait Upward: Sync {
    /// What a front leaves to its parent.
    type Left: Send;
    type Error: Send;

    /// Does it to a whole subtree, on this thread.
    fn subtree(&self, root: usize, parts: Parts) -> Result<Self::Left, Self::Error>;

    /// Does it to one large front.
    fn front(
        &self,
        s: usize,
        part: &mut [f64],
        children: &[Self::Left],
    ) -> Result<Self::Left, Self::Error>;
}

/// What is done to fronts before their children.
pub(super) trait Downward: Sync {
    /// What a front gets from its parent.
    type Given: Send;

    /// Does it to a whole subtree, on this thread.
    fn subtree(&self, root: usize, parts: Parts, given: Self::Given);

    /// Does it to one large front; returns what its children get.
    fn front(&self, s: usize, part: &mut [f64], given: Self::Given) -> Vec<Self::Given>;
}

/// A large front on the way down, and what its smaller children left.
struct Passed<'a, 'b, L> {
    s: usize,
    own: &'a mut [&'b mut [f64]],
    before: Vec<L>,
    after: Vec<L>,
}

impl Fronts {
    /// Passes all fronts, children first.
    pub(super) fn upward<U: Upward>(&self, action: &U, parts: Parts) -> Result<(), U::Error> {
        self.siblings_upward(action, &self.children(None), 0, parts)
            .map(|_| ())
    }

    /// Passes the subtrees of `roots`, the first of which begins with front `first`.
    fn siblings_upward<U: Upward>(
        &self,
        action: &U,
        roots: &[usize],
        first: usize,
        parts: Parts,
    ) -> Result<Vec<U::Left>, U::Error> {
        match roots {
            [] => Ok(Vec::new()),
            [root] => Ok(vec![self.subtree_upward(action, *root, parts)?]),
            _ => {
                let (left, right) = roots.split_at(roots.len() / 2);
                let middle = left[left.len() - 1] + 1;
                let (before, after) = parts.split_at_mut(middle - first);
                let (left, right) = parallel::join(
                    || self.siblings_upward(action, left, first, before),
                    || self.siblings_upward(action, right, middle, after),
                );
                let mut all = left?;
                all.extend(right?);
                Ok(all)
            }
        }
    }

    /// Follows the only large child as long as there is just one, so that long chains need no deep recursion.
    fn subtree_upward<U: Upward>(
        &self,
        action: &U,
        root: usize,
        parts: Parts,
    ) -> Result<U::Left, U::Error> {
        if !self.is_large(root) {
            return action.subtree(root, parts);
        }
        let (mut s, mut rest, mut passed) = (root, parts, Vec::new());
        let mut left = loop {
            let first = self.list[s].subtree;
            let (below, own) = rest.split_at_mut(s - first);
            let children = self.children(Some(s));
            let Some(large) = self.only_large(&children) else {
                let left = self.siblings_upward(action, &children, first, below)?;
                break action.front(s, own[0], &left)?;
            };
            let child = children[large];
            let (below, after) = below.split_at_mut(child + 1 - first);
            let (before, own_child) = below.split_at_mut(self.list[child].subtree - first);
            let before = self.siblings_upward(action, &children[..large], first, before)?;
            let after = self.siblings_upward(action, &children[large + 1..], child + 1, after)?;
            passed.push(Passed {
                s,
                own,
                before,
                after,
            });
            (s, rest) = (child, own_child);
        };
        for Passed {
            s,
            own,
            before: mut children,
            after,
        } in passed.into_iter().rev()
        {
            children.push(left);
            children.extend(after);
            left = action.front(s, own[0], &children)?;
        }
        Ok(left)
    }

    /// Passes all fronts, parents first; roots get what `given` makes.
    pub(super) fn downward<D: Downward>(
        &self,
        action: &D,
        parts: Parts,
        given: impl Fn() -> D::Given,
    ) {
        let roots = self.children(None);
        let given = roots.iter().map(|_| given()).collect();
        self.siblings_downward(action, &roots, 0, parts, given);
    }

    fn siblings_downward<D: Downward>(
        &self,
        action: &D,
        roots: &[usize],
        first: usize,
        parts: Parts,
        mut given: Vec<D::Given>,
    ) {
        if roots.len() <= 1 {
            if let (Some(&root), Some(given)) = (roots.first(), given.pop()) {
                self.subtree_downward(action, root, parts, given);
            }
            return;
        }
        let (left, right) = roots.split_at(roots.len() / 2);
        let middle = left[left.len() - 1] + 1;
        let (before, after) = parts.split_at_mut(middle - first);
        let to_right = given.split_off(left.len());
        parallel::join(
            || self.siblings_downward(action, left, first, before, given),
            || self.siblings_downward(action, right, middle, after, to_right),
        );
    }

    fn subtree_downward<D: Downward>(
        &self,
        action: &D,
        root: usize,
        parts: Parts,
        given: D::Given,
    ) {
        let (mut s, mut rest, mut given) = (root, parts, given);
        while self.is_large(s) {
            let first = self.list[s].subtree;
            let (below, own) = rest.split_at_mut(s - first);
            let children = self.children(Some(s));
            let mut to_children = action.front(s, own[0], given);
            let Some(large) = self.only_large(&children) else {
                return self.siblings_downward(action, &children, first, below, to_children);
            };
            let child = children[large];
            let (below, after) = below.split_at_mut(child + 1 - first);
            let (before, own_child) = below.split_at_mut(self.list[child].subtree - first);
            let to_after = to_children.split_off(large + 1);
            let to_child = to_children.split_off(large);
            self.siblings_downward(action, &children[..large], first, before, to_children);
            self.siblings_downward(action, &children[large + 1..], child + 1, after, to_after);
            let Some(to_child) = to_child.into_iter().next() else {
                return;
            };
            (s, rest, given) = (child, own_child, to_child);
        }
        action.subtree(s, rest, given);
    }

    /// Children of a front, or all roots.
    pub(super) fn children(&self, s: Option<usize>) -> SmallVec<[usize; 8]> {
        let (first, mut end) = s.map_or((0, self.list.len()), |s| (self.list[s].subtree, s));
        let mut children = SmallVec::new();
        while end > first {
            children.push(end - 1);
            end = self.list[end - 1].subtree;
        }
        children.reverse();
        children
    }

    /// Whether the subtree is worth being shared by threads.
    fn is_large(&self, s: usize) -> bool {
        self.list[s].work > self.grain
    }

    /// Which child is large, if just one is.
    fn only_large(&self, children: &[usize]) -> Option<usize> {
        let mut large = children
            .iter()
            .enumerate()
            .filter(|(_, child)| self.is_large(**child));
        large
            .next()
            .filter(|_| large.next().is_none())
            .map(|(k, _)| k)
    }
}

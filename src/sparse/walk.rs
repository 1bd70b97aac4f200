//! Passes over the tree of fronts, in parallel where subtrees are large.
//!
//! An action sees children before parents ([`Upward`]) or parents before children ([`Downward`]).
//! It has two forms: for a whole subtree, which one thread handles in postorder, and for a large
//! front, which threads may share. Siblings are halved until each task has one subtree. Which
//! fronts are large depends on the work only, so the result does not depend on the number of
//! threads.
//!
//! The values of the fronts lie in postorder in one vector. A subtree therefore owns a contiguous
//! part of it, and tasks write without locks.

use super::fronts::Fronts;
use crate::math::parallel;
use smallvec::SmallVec;

/// Parts of a vector, one for each front of a subtree or of several.
pub(super) type Parts<'a, 'b> = &'a mut [&'b mut [f64]];

/// Action on fronts after their children, such as a factorisation or forward substitution.
pub(super) trait Upward: Sync {
    /// Result of a front for its parent.
    type Left: Send;
    /// Reason to stop the pass.
    type Error: Send;

    /// Acts on a whole subtree, on this thread.
    ///
    /// # Errors
    /// The reason to stop the pass.
    fn subtree(&self, root: usize, parts: Parts) -> Result<Self::Left, Self::Error>;

    /// Acts on one large front, with the results of its children.
    ///
    /// # Errors
    /// The reason to stop the pass.
    fn front(
        &self,
        s: usize,
        part: &mut [f64],
        children: &[Self::Left],
    ) -> Result<Self::Left, Self::Error>;
}

/// Action on fronts before their children, such as back substitution.
pub(super) trait Downward: Sync {
    /// Input of a front from its parent, such as the solution in the rows that they share.
    type Given: Send;

    /// Acts on a whole subtree, on this thread. `given` is the input of its root.
    fn subtree(&self, root: usize, parts: Parts, given: Self::Given);

    /// Acts on one large front, and returns the inputs of its children.
    fn front(&self, s: usize, part: &mut [f64], given: Self::Given) -> Vec<Self::Given>;
}

/// Large front that is passed on the way down a chain, and the results of its smaller children.
struct Passed<'a, 'b, L> {
    /// Index of the front.
    s: usize,
    /// Part of the vector that belongs to the front.
    own: &'a mut [&'b mut [f64]],
    /// Results of the children before the large one.
    before: Vec<L>,
    /// Results of the children after the large one.
    after: Vec<L>,
}

impl Fronts {
    /// Acts on all fronts, children first.
    ///
    /// # Errors
    /// The reason of an action to stop. Other tasks may have been completed.
    pub(super) fn upward<U: Upward>(&self, action: &U, parts: Parts) -> Result<(), U::Error> {
        self.siblings_upward(action, &self.children(None), 0, parts)
            .map(|_| ())
    }

    /// Acts on the subtrees of `roots`, in two halves that may run at the same time. `first` is the
    /// first front of the first subtree. Returns the results of the roots, in order.
    ///
    /// # Errors
    /// The reason of the first root that stops.
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
            // Two halves of the roots.
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

    /// Acts on one subtree. Follows the large child while there is only one, so that long chains
    /// need no deep recursion.
    ///
    /// # Errors
    /// The reason of an action to stop.
    fn subtree_upward<U: Upward>(
        &self,
        action: &U,
        root: usize,
        parts: Parts,
    ) -> Result<U::Left, U::Error> {
        if !self.is_large(root) {
            return action.subtree(root, parts);
        }

        // Down to a front with several large children or none.
        let mut s = root;
        let mut rest = parts;
        let mut passed = Vec::new();
        let mut left = loop {
            let first = self.list[s].subtree;
            let (below, own) = rest.split_at_mut(s - first);
            let children = self.children(Some(s));
            let Some(large) = self.only_large(&children) else {
                let left = self.siblings_upward(action, &children, first, below)?;
                break action.front(s, own[0], &left)?;
            };

            // Siblings of the large child are done here, the child itself in the next round.
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

        // Back up the chain.
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

    /// Acts on all fronts, parents first. `given` makes the input of each root.
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

    /// Acts on the subtrees of `roots` with the inputs `given`, in two halves that may run at the
    /// same time. `first` is the first front of the first subtree.
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

    /// Acts on one subtree with the input `given`. Follows the large child while there is only one.
    fn subtree_downward<D: Downward>(
        &self,
        action: &D,
        root: usize,
        parts: Parts,
        given: D::Given,
    ) {
        let mut s = root;
        let mut rest = parts;
        let mut given = given;
        while self.is_large(s) {
            let first = self.list[s].subtree;
            let (below, own) = rest.split_at_mut(s - first);
            let children = self.children(Some(s));
            let mut to_children = action.front(s, own[0], given);
            let Some(large) = self.only_large(&children) else {
                return self.siblings_downward(action, &children, first, below, to_children);
            };

            // Inputs of the siblings before the large child, of the child, and of those after it.
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

    /// Children of front `s`, or all roots, ascending.
    pub(super) fn children(&self, s: Option<usize>) -> SmallVec<[usize; 8]> {
        let first = s.map_or(0, |s| self.list[s].subtree);
        let mut end = s.unwrap_or(self.list.len());
        let mut children = SmallVec::new();
        while end > first {
            children.push(end - 1);
            end = self.list[end - 1].subtree;
        }
        children.reverse();
        children
    }

    /// True if threads share the subtree of front `s`.
    fn is_large(&self, s: usize) -> bool {
        self.list[s].work > self.grain
    }

    /// Place among `children` of the large one; `None` if no child or more than one is large. A
    /// chain of such fronts is followed in a loop.
    fn only_large(&self, children: &[usize]) -> Option<usize> {
        let mut large = (0..children.len()).filter(|&k| self.is_large(children[k]));
        let first = large.next();
        first.filter(|_| large.next().is_none())
    }
}

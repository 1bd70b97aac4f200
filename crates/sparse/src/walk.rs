//! Passes over the tree of fronts, in parallel where subtrees are large.
//!
//! An action sees children before parents ([`Upward`]) or parents before children ([`Downward`]).
//! It has two forms: for a whole subtree, which one thread handles in postorder, and for a large
//! front, which threads may share. Siblings are halved until each task has one subtree. Which
//! fronts are large depends on the work only, so the result does not depend on the number of
//! threads.
//!
//! The values of the fronts lie in postorder in one vector, the factor. A subtree therefore owns a
//! contiguous part of it, and tasks write without locks.

use super::fronts::Fronts;
use ipcsim_math::parallel;
use smallvec::SmallVec;

/// Action on fronts after their children, such as a factorisation or forward substitution. `'v` is
/// the life of the factor.
pub(super) trait Upward<'v>: Sync {
    /// Result of a front for its parent.
    type Left: Send;
    /// Reason to stop the pass.
    type Error: Send;

    /// Acts on a whole subtree, on this thread. `values` is its part of the factor.
    ///
    /// # Errors
    /// The reason to stop the pass.
    fn subtree(&self, root: usize, values: &'v mut [f64]) -> Result<Self::Left, Self::Error>;

    /// Acts on one large front, with its part of the factor and the results of its children.
    ///
    /// # Errors
    /// The reason to stop the pass.
    fn front(
        &self,
        s: usize,
        own: &'v mut [f64],
        children: &[Self::Left],
    ) -> Result<Self::Left, Self::Error>;
}

/// Action on fronts before their children, such as back substitution. `'v` is the life of the
/// factor.
pub(super) trait Downward<'v>: Sync {
    /// Result of a front for all its children, such as the solution in its rows.
    type Given: Copy + Send + Sync;

    /// Acts on a whole subtree, on this thread. `values` is its part of the factor, `given` the
    /// result of the front above; roots have none.
    fn subtree(&self, root: usize, values: &'v mut [f64], given: Option<Self::Given>);

    /// Acts on one large front, with its part of the factor and the result of the front above.
    fn front(&self, s: usize, own: &'v mut [f64], given: Option<Self::Given>) -> Self::Given;
}

/// Results of a front's children, in order. Hardly a front has more children than there is room for
/// without an allocation.
type Lefts<L> = SmallVec<[L; 32]>;

/// Large front that is passed down a chain, with its part of the factor and the parts of its
/// smaller children.
struct Passed<'v> {
    /// Index of the front.
    s: usize,
    /// Place of the large child among all.
    large: usize,
    /// Part of the front itself.
    own: &'v mut [f64],
    /// Part of the children before the large one.
    before: &'v mut [f64],
    /// Part of the children after the large one.
    after: &'v mut [f64],
}

impl Fronts {
    /// Acts on all fronts, children first. `values` is the factor.
    ///
    /// # Errors
    /// The reason of an action to stop. Other tasks may have been completed.
    pub(super) fn upward<'v, U: Upward<'v>>(
        &self,
        action: &U,
        values: &'v mut [f64],
    ) -> Result<(), U::Error> {
        self.siblings_upward(action, &self.roots, values)
            .map(|_| ())
    }

    /// Acts on the subtrees of `roots`, in two halves that may run at the same time. `values` is
    /// their part of the factor. Returns the results of the roots, in order.
    ///
    /// # Errors
    /// The reason of the first root that stops.
    fn siblings_upward<'v, U: Upward<'v>>(
        &self,
        action: &U,
        roots: &[usize],
        values: &'v mut [f64],
    ) -> Result<Lefts<U::Left>, U::Error> {
        let mut all = Lefts::new();
        match roots {
            [] => {}
            [root] => all.push(self.subtree_upward(action, *root, values)?),
            // Two halves of the roots.
            _ => {
                let (left, right) = roots.split_at(roots.len() / 2);
                let (before, after) = values.split_at_mut(self.length(left));

                let (left, right) = parallel::join(
                    || self.siblings_upward(action, left, before),
                    || self.siblings_upward(action, right, after),
                );
                all.extend(left?);
                all.extend(right?);
            }
        }
        Ok(all)
    }

    /// Acts on one subtree. Follows the large child while there is only one, so that long chains
    /// need no deep recursion.
    ///
    /// # Errors
    /// The reason of an action to stop.
    fn subtree_upward<'v, U: Upward<'v>>(
        &self,
        action: &U,
        root: usize,
        values: &'v mut [f64],
    ) -> Result<U::Left, U::Error> {
        if !self.is_large(root) {
            return action.subtree(root, values);
        }

        // Down to a front with several large children or none.
        let mut s = root;
        let mut rest = values;
        let mut passed: SmallVec<[Passed; 32]> = SmallVec::new();
        let mut left = loop {
            let children = self.children(s);
            let (below, own) = rest.split_at_mut(self.length(children));
            let Some(large) = self.only_large(children) else {
                let left = self.siblings_upward(action, children, below)?;
                break action.front(s, own, &left)?;
            };

            let (before, below) = below.split_at_mut(self.length(&children[..large]));
            let (child, after) = below.split_at_mut(self.length(&children[large..=large]));
            passed.push(Passed {
                s,
                large,
                own,
                before,
                after,
            });
            (s, rest) = (children[large], child);
        };

        // Back up the chain, at each front after the siblings of the large child.
        while let Some(front) = passed.pop() {
            let siblings = self.children(front.s);
            let (smaller, larger) = (&siblings[..front.large], &siblings[front.large + 1..]);
            let mut children = self.siblings_upward(action, smaller, front.before)?;
            children.push(left);
            children.extend(self.siblings_upward(action, larger, front.after)?);
            left = action.front(front.s, front.own, &children)?;
        }
        Ok(left)
    }

    /// Acts on all fronts, parents first. `values` is the factor.
    pub(super) fn downward<'v, D: Downward<'v>>(&self, action: &D, values: &'v mut [f64]) {
        self.siblings_downward(action, &self.roots, values, None);
    }

    /// Acts on the subtrees of `roots` with the result `given` of the front above, in two halves that
    /// may run at the same time. `values` is their part of the factor.
    fn siblings_downward<'v, D: Downward<'v>>(
        &self,
        action: &D,
        roots: &[usize],
        values: &'v mut [f64],
        given: Option<D::Given>,
    ) {
        match roots {
            [] => {}
            [root] => self.subtree_downward(action, *root, values, given),
            _ => {
                let (left, right) = roots.split_at(roots.len() / 2);
                let (before, after) = values.split_at_mut(self.length(left));
                parallel::join(
                    || self.siblings_downward(action, left, before, given),
                    || self.siblings_downward(action, right, after, given),
                );
            }
        }
    }

    /// Acts on one subtree with the result `given` of the front above. Follows the large child while
    /// there is only one.
    fn subtree_downward<'v, D: Downward<'v>>(
        &self,
        action: &D,
        root: usize,
        values: &'v mut [f64],
        given: Option<D::Given>,
    ) {
        let mut s = root;
        let mut rest = values;
        let mut given = given;
        while self.is_large(s) {
            let children = self.children(s);
            let (below, own) = rest.split_at_mut(self.length(children));
            given = Some(action.front(s, own, given));
            let Some(large) = self.only_large(children) else {
                return self.siblings_downward(action, children, below, given);
            };

            // Siblings of the large child are done here, the child itself in the next round.
            let (smaller, larger) = (&children[..large], &children[large + 1..]);
            let (before, below) = below.split_at_mut(self.length(smaller));
            let (child, after) = below.split_at_mut(self.length(&children[large..=large]));
            self.siblings_downward(action, smaller, before, given);
            self.siblings_downward(action, larger, after, given);
            (s, rest) = (children[large], child);
        }
        action.subtree(s, rest, given);
    }

    /// Number of scalars in the factor of the subtrees of siblings, which lie one after the other.
    fn length(&self, siblings: &[usize]) -> usize {
        let (Some(&first), Some(&last)) = (siblings.first(), siblings.last()) else {
            return 0;
        };
        let start = self.list[self.list[first].subtree].start;
        self.list[last].start + self.list[last].len() - start
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

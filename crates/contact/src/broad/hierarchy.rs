//! Bounding volume hierarchy: boxes along a Morton curve, every eight of them in a larger box,
//! every eight larger boxes in another one, and so on.
//!
//! The tree is complete. It thus needs no pointers, is built from the leaves up, and is refitted in
//! one pass. Eight children are tested at once.
//!
//! Nodes are kept in single precision relative to a point among the boxes. Subtracting and rounding
//! are monotone, so overlaps are kept; the exact test follows.
//!
//! Source: Lauterbach et al. 2009, "Fast BVH Construction on GPUs", section 3; Wald et al. 2008,
//! "Getting Rid of Packets", section 3.

use super::{Keep, gather, order, sample};
use ipcsim_math::geometry::Aabb;
use ipcsim_math::{Vec2, parallel};

/// Number of children of a node, which are tested together.
const WIDTH: usize = 8;

/// Boxes of the children of one node: least and largest x, least and largest y.
#[derive(Clone, Copy)]
struct Node {
    /// Least x of each child.
    min_x: [f32; WIDTH],
    /// Largest x of each child.
    max_x: [f32; WIDTH],
    /// Least y of each child.
    min_y: [f32; WIDTH],
    /// Largest y of each child.
    max_y: [f32; WIDTH],
}

/// Box in single precision: least and largest x, least and largest y.
type Bounds = [f32; 4];

impl Node {
    /// A node whose children overlap nothing.
    const NONE: Self = Self {
        min_x: [f32::NAN; WIDTH],
        max_x: [f32::NAN; WIDTH],
        min_y: [f32::NAN; WIDTH],
        max_y: [f32::NAN; WIDTH],
    };

    /// Sets the box of child `k`.
    fn set(&mut self, k: usize, [min_x, max_x, min_y, max_y]: Bounds) {
        self.min_x[k] = min_x;
        self.max_x[k] = max_x;
        self.min_y[k] = min_y;
        self.max_y[k] = max_y;
    }

    /// Box around all children, without children that have a NaN and overlap nothing.
    fn bounds(&self) -> Bounds {
        [
            least(&self.min_x),
            largest(&self.max_x),
            least(&self.min_y),
            largest(&self.max_y),
        ]
    }

    /// Bits of the children that overlap a box, the first child lowest.
    #[inline]
    #[allow(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch")]
    fn overlapping(&self, [min_x, max_x, min_y, max_y]: Bounds) -> u32 {
        let mut bits = 0;
        for k in 0..WIDTH {
            let x = (self.min_x[k] <= max_x) & (min_x <= self.max_x[k]);
            let y = (self.min_y[k] <= max_y) & (min_y <= self.max_y[k]);
            bits |= u32::from(x & y) << k;
        }
        bits
    }
}

/// Least of eight values, without NaN.
fn least(values: &[f32; WIDTH]) -> f32 {
    values.iter().fold(f32::INFINITY, |a, &b| a.min(b))
}

/// Largest of eight values, without NaN.
fn largest(values: &[f32; WIDTH]) -> f32 {
    values.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b))
}

/// Nodes over boxes that are stored elsewhere.
struct Tree {
    /// Median of the lower left corners of the boxes (m).
    origin: Vec2,
    /// Indices of the boxes, along the curve.
    order: Vec<u32>,
    /// Nodes from the leaves up to the root.
    levels: Vec<Vec<Node>>,
}

impl Tree {
    /// Tree over `boxes`; a single node without boxes if there are none.
    fn build(boxes: &[Aabb]) -> Self {
        let origin = [0, 1].map(|a| sample::quantile(boxes, |b| b.min[a], 0.5));
        let mut tree = Self {
            origin: origin.into(),
            order: order::along_curve(boxes, WIDTH),
            levels: Vec::new(),
        };

        // Levels shrink by a factor of eight up to the root.
        let mut count = boxes.len();
        while count > 1 || tree.levels.is_empty() {
            count = count.div_ceil(WIDTH).max(1);
            tree.levels.push(vec![Node::NONE; count]);
        }

        tree.refit(boxes);
        tree
    }

    /// Fits the nodes to `boxes`, as many as before and in the same order, from the leaves up.
    fn refit(&mut self, boxes: &[Aabb]) {
        let Self {
            origin,
            order,
            levels,
        } = self;

        fit(&mut levels[0], order, |&j| {
            relative(&boxes[j as usize], *origin)
        });
        for above in 1..levels.len() {
            let (below, level) = levels.split_at_mut(above);
            fit(&mut level[0], &below[above - 1], Node::bounds);
        }
    }

    /// Appends all boxes that overlap `query` to `found`, perhaps with others. Returns the number
    /// of nodes visited.
    fn find(&self, query: &Aabb, found: &mut Vec<u32>) -> usize {
        self.visit(
            self.levels.len() - 1,
            0,
            relative(query, self.origin),
            found,
        )
    }

    /// [`Tree::find`] below one node: appends boxes and returns the number of nodes visited.
    fn visit(&self, level: usize, node: usize, query: Bounds, found: &mut Vec<u32>) -> usize {
        let mut bits = self.levels[level][node].overlapping(query);
        let mut visited = 1;

        // Each round takes the lowest bit that is set.
        while bits != 0 {
            let child = node * WIDTH + bits.trailing_zeros() as usize;
            if level == 0 {
                found.push(self.order[child]);
            } else {
                visited += self.visit(level - 1, child, query, found);
            }
            bits &= bits - 1;
        }
        visited
    }
}

/// Sets the children of every node to the bounds of eight of `below`, in parallel over nodes.
fn fit<T: Sync>(nodes: &mut [Node], below: &[T], bounds: impl Fn(&T) -> Bounds + Sync) {
    parallel::fill(nodes, 1, |i, node| {
        for (k, child) in below.iter().skip(i * WIDTH).take(WIDTH).enumerate() {
            node[0].set(k, bounds(child));
        }
    });
}

/// Box relative to the point `origin`, in single precision.
#[allow(
    clippy::cast_possible_truncation,
    reason = "monotone, hence no overlap is lost"
)]
fn relative(b: &Aabb, origin: Vec2) -> Bounds {
    let [low, high] = [b.min - origin, b.max - origin];
    [low.x as f32, high.x as f32, low.y as f32, high.y as f32]
}

/// Sorted pairs of overlapping boxes that `keep` keeps.
pub(super) fn pairs(points: &[Aabb], edges: &[Aabb], keep: &Keep) -> Vec<(u32, u32)> {
    let tree = Tree::build(edges);
    gather::pairs(
        points,
        edges,
        |query, found| _ = tree.find(query, found),
        keep,
    )
}

/// Bounding volume hierarchy of boxes that move.
///
/// Refitting costs a fraction of building and changes no result. Queries take longer once boxes
/// have changed places; then build anew.
pub struct Hierarchy {
    /// The boxes, for exact tests.
    boxes: Vec<Aabb>,
    /// The tree over them.
    tree: Tree,
}

impl Hierarchy {
    /// Builds the hierarchy of `boxes`.
    pub fn build(boxes: &[Aabb]) -> Self {
        Self {
            boxes: boxes.to_vec(),
            tree: Tree::build(boxes),
        }
    }

    /// Replaces the boxes. A different number of boxes is built anew.
    pub fn refit(&mut self, boxes: &[Aabb]) {
        if boxes.len() == self.boxes.len() {
            self.boxes.copy_from_slice(boxes);
            self.tree.refit(boxes);
        } else {
            *self = Self::build(boxes);
        }
    }

    /// Indices of the boxes that overlap `query`, ascending.
    pub fn query(&self, query: &Aabb) -> Vec<u32> {
        self.pairs(std::slice::from_ref(query))
            .into_iter()
            .map(|(_, j)| j)
            .collect()
    }

    /// Pairs `(i, j)` for which `points[i]` overlaps box `j`, sorted.
    pub fn pairs(&self, points: &[Aabb]) -> Vec<(u32, u32)> {
        self.pairs_where(points, |_, _| true)
    }

    /// Pairs `(i, j)`, `i < j`, of boxes that overlap, sorted.
    pub fn self_pairs(&self) -> Vec<(u32, u32)> {
        self.pairs_where(&self.boxes, |i, j| i < j)
    }

    /// Pairs `(i, j)` for which `points[i]` overlaps box `j` and `keep(i, j)` holds, sorted.
    pub fn pairs_where(
        &self,
        points: &[Aabb],
        keep: impl Fn(u32, u32) -> bool + Sync,
    ) -> Vec<(u32, u32)> {
        gather::pairs(
            points,
            &self.boxes,
            |query, found| _ = self.tree.find(query, found),
            &keep,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::tests::tame;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn tests_grow_little_faster_than_the_number_of_boxes() {
        for (name, [points, edges], most) in tame() {
            let built = Tree::build(&edges);
            let tests = AtomicUsize::new(0);
            gather::pairs(
                &points,
                &edges,
                |query, found| {
                    tests.fetch_add(built.find(query, found), Ordering::Relaxed);
                },
                &|_, _| true,
            );
            assert!(
                tests.load(Ordering::Relaxed) <= most,
                "{name}: {tests:?} of {most}"
            );
        }
    }
}

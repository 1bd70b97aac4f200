//! Queries of neighbours, answered together.
//!
//! Consecutive points are mostly neighbours on a surface. One search around a whole group finds all
//! boxes that its members may touch, and one sort of these sorts the pairs of all members. A group
//! whose members lie apart is halved until they do not. A grid or a hierarchy does the search
//! itself.

use std::ops::Range;

use super::{Keep, index, sample};
use crate::tuning::GATHER_GROUP;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::parallel;

/// Sorted pairs `(i, j)` of overlapping `points[i]` and `boxes[j]` that `keep` keeps.
///
/// `find` appends the indices of all boxes that overlap a box to a list, in any order. It may
/// append others as well, and some more than once.
pub(super) fn pairs(
    points: &[Aabb],
    boxes: &[Aabb],
    find: impl Fn(&Aabb, &mut Vec<u32>) + Sync,
    keep: &Keep,
) -> Vec<(u32, u32)> {
    let gather = Gather {
        points,
        boxes,
        find,
        keep,
        reach: sample::quantile(boxes, sample::half_perimeter, 0.5),
    };

    parallel::collect(points.len(), |range, list| {
        let mut near = Near::default();
        list.reserve(range.len());
        for start in range.clone().step_by(GATHER_GROUP) {
            gather.group(
                start..(start + GATHER_GROUP).min(range.end),
                &mut near,
                list,
            );
        }
    })
}

/// Boxes near a group. All groups share the memory of these lists.
#[derive(Default)]
struct Near {
    /// Indices of the boxes, ascending.
    indices: Vec<u32>,
    /// The boxes themselves, in that order.
    boxes: Vec<Aabb>,
    /// Room for the indices of boxes that overlap one point.
    hits: Vec<u32>,
}

/// Arguments of [`pairs`], and the size that decides if a group stays together.
struct Gather<'a, F> {
    /// Boxes of points.
    points: &'a [Aabb],
    /// Boxes that the points search.
    boxes: &'a [Aabb],
    /// Appends all boxes that overlap a box.
    find: F,
    /// True for pairs that are kept.
    keep: &'a Keep<'a>,
    /// Median half perimeter of `boxes` (m).
    reach: f64,
}

impl<F: Fn(&Aabb, &mut Vec<u32>)> Gather<'_, F> {
    /// Appends the pairs of the points in `range` to the list.
    fn group(&self, range: Range<usize>, near: &mut Near, list: &mut Vec<(u32, u32)>) {
        let members = &self.points[range.clone()];
        let all = members.iter().fold(Aabb::EMPTY, |all, b| all.union(b));
        let alone: f64 = members
            .iter()
            .map(|b| sample::half_perimeter(b) + self.reach)
            .sum();

        // One search for all, unless it covers more than their own searches.
        let together = sample::half_perimeter(&all) <= alone;
        if members.len() > 1 && !together {
            let middle = range.start + members.len() / 2;
            self.group(range.start..middle, near, list);
            self.group(middle..range.end, near, list);
            return;
        }

        // Boxes near the whole group, sorted.
        near.indices.clear();
        (self.find)(&all, &mut near.indices);
        near.indices.sort_unstable();
        near.indices.dedup();
        near.boxes.clear();
        near.boxes
            .extend(near.indices.iter().map(|&j| self.boxes[j as usize]));
        near.hits.resize(near.indices.len() + 1, 0);

        // Members test these in order, so pairs come sorted.
        for (i, point) in range.zip(members) {
            let i = index(i);
            let hits = near.overlapping(point).iter().map(|&j| (i, j));
            list.extend(hits.filter(|&(i, j)| (self.keep)(i, j)));
        }
    }
}

impl Near {
    /// Indices of the boxes that overlap `point`, ascending.
    ///
    /// Tests have no branch on their outcome, which a processor cannot predict: every index is
    /// written, and the count advances only after a hit.
    #[allow(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch")]
    fn overlapping(&mut self, point: &Aabb) -> &[u32] {
        let mut count = 0;
        for (b, &j) in self.boxes.iter().zip(&self.indices) {
            self.hits[count] = j;
            let x = (b.min.x <= point.max.x) & (point.min.x <= b.max.x);
            let y = (b.min.y <= point.max.y) & (point.min.y <= b.max.y);
            count += usize::from(x & y);
        }
        &self.hits[..count]
    }
}

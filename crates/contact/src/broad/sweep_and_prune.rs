//! Sweep and prune along x within a segment tree over y: `O(n log n + k)` time for `k` pairs and
//! `O(n)` memory besides them, whatever the boxes.
//!
//! Of two boxes that overlap along y, one holds the lower end of the other. So one list is taken as
//! intervals and the other as lower ends, then vice versa. Each round divides the ends:
//!
//! 1. Intervals that hold all ends need a sweep along x only, since whatever it finds overlaps
//!    along y.
//! 2. The other intervals go to the lower half of the ends, the upper half, or both, by the ends
//!    that they reach.
//! 3. Short lists are swept at once.
//!
//! Source: Zomorodian and Edelsbrunner 2000, "Fast Software for Box Intersections".

use super::{Keep, index};
use crate::tuning::{SWEEP_LONG, SWEEP_SHORT};
use ipcsim_math::geometry::Aabb;
use ipcsim_math::parallel;

/// A box and its index.
#[derive(Clone, Copy)]
struct Item {
    /// The box.
    bounds: Aabb,
    /// Number of the box in its list.
    index: u32,
}

/// Sorted pairs of overlapping boxes that `keep` keeps.
pub(super) fn pairs(points: &[Aabb], edges: &[Aabb], keep: &Keep) -> Vec<(u32, u32)> {
    sweep(points, edges, |p, e| {
        p.bounds.overlaps(&e.bounds) && keep(p.index, e.index)
    })
}

/// Sorted pairs of boxes that `accept` accepts, among all that may overlap.
///
/// Both rounds run side by side: edges as intervals with the lower ends of points, and points as
/// intervals with the lower ends of edges.
fn sweep(
    points: &[Aabb],
    edges: &[Aabb],
    accept: impl Fn(&Item, &Item) -> bool + Sync,
) -> Vec<(u32, u32)> {
    let (points, edges) = parallel::join(|| items(points), || items(edges));

    // A lower end on the other's lower end counts once: as the points' end.
    let (mut pairs, upper) = parallel::join(
        || {
            halve(edges.clone(), points.clone(), &|e, p| {
                (e.bounds.min.y <= p.bounds.min.y && accept(p, e)).then(|| key(p, e))
            })
        },
        || {
            halve(points.clone(), edges.clone(), &|p, e| {
                (p.bounds.min.y < e.bounds.min.y && accept(p, e)).then(|| key(p, e))
            })
        },
    );

    pairs.extend(upper);
    parallel::sort(&mut pairs);
    pairs.into_iter().map(indices).collect()
}

/// Pair of indices as one number, which sorts as the pair does: the point's index in the upper
/// half.
fn key(p: &Item, e: &Item) -> u64 {
    u64::from(p.index) << 32 | u64::from(e.index)
}

/// Both indices of a [`key`].
#[allow(clippy::cast_possible_truncation, reason = "the two halves are meant")]
fn indices(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

/// Boxes without a NaN, sorted by their lower ends along x. A box with a NaN overlaps nothing, and
/// would not sort.
fn items(boxes: &[Aabb]) -> Vec<Item> {
    let mut items = Vec::with_capacity(boxes.len());
    for (i, &bounds) in boxes.iter().enumerate() {
        let corners = [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y];
        if !corners.iter().any(|x| x.is_nan()) {
            items.push(Item {
                bounds,
                index: index(i),
            });
        }
    }

    items.sort_unstable_by(|a, b| {
        a.bounds
            .min
            .x
            .total_cmp(&b.bounds.min.x)
            .then(a.index.cmp(&b.index))
    });
    items
}

/// Results of `report` for all `intervals` and `ends` that overlap along x and where the interval
/// holds the end along y, and of some others.
///
/// Both lists are sorted along x, and their halves stay so. The ends are halved along y at their
/// median, so the depth is logarithmic.
fn halve(
    intervals: Vec<Item>,
    ends: Vec<Item>,
    report: &(impl Fn(&Item, &Item) -> Option<u64> + Sync),
) -> Vec<u64> {
    let mut found = Vec::new();
    if intervals.len().min(ends.len()) <= SWEEP_SHORT {
        scan(&intervals, &ends, &mut |a, b| found.extend(report(a, b)));
        return found;
    }

    // Intervals that hold all ends along y need no more than a sweep along x.
    let [low, high] = span(&ends);
    let (all, some): (Vec<Item>, Vec<Item>) = intervals
        .into_iter()
        .filter(|i| i.bounds.min.y <= high && low <= i.bounds.max.y)
        .partition(|i| i.bounds.min.y <= low && high <= i.bounds.max.y);
    scan(&all, &ends, &mut |a, b| found.extend(report(a, b)));
    drop(all);
    if some.is_empty() {
        return found;
    }

    // The others go to the lower and upper half of the ends that they reach.
    let middle = median(&ends, low);
    let (lower, upper): (Vec<Item>, Vec<Item>) =
        ends.into_iter().partition(|end| end.bounds.min.y < middle);
    let mut below = some.clone();
    below.retain(|i| i.bounds.min.y < middle);
    let mut above = some;
    above.retain(|i| i.bounds.max.y >= middle);

    let is_long = lower.len() > SWEEP_LONG;
    let lower_half = || halve(below, lower, report);
    let upper_half = || halve(above, upper, report);
    let (a, b) = if is_long {
        parallel::join(lower_half, upper_half)
    } else {
        (lower_half(), upper_half())
    };

    found.extend(a);
    found.extend(b);
    found
}

/// Least and largest of the lower ends along y (m).
fn span(ends: &[Item]) -> [f64; 2] {
    let mut low = f64::INFINITY;
    let mut high = f64::NEG_INFINITY;
    for end in ends {
        low = low.min(end.bounds.min.y);
        high = high.max(end.bounds.min.y);
    }
    [low, high]
}

/// A value above `low` below which about half of the lower ends lie; infinite if all ends are at
/// `low`.
fn median(ends: &[Item], low: f64) -> f64 {
    let mut values: Vec<f64> = ends.iter().map(|end| end.bounds.min.y).collect();
    let half = values.len() / 2;
    let (_, &mut middle, above) = values.select_nth_unstable_by(half, f64::total_cmp);

    if middle > low {
        middle
    } else {
        above
            .iter()
            .copied()
            .filter(|&y| y > low)
            .fold(f64::INFINITY, f64::min)
    }
}

/// Calls `report` for all pairs that overlap along x; both lists are sorted by their lower ends.
///
/// The box that begins first is compared with all boxes of the other list that begin before it
/// ends, and is then done.
fn scan(a: &[Item], b: &[Item], report: &mut impl FnMut(&Item, &Item)) {
    let mut i = 0;
    let mut j = 0;
    while i < a.len() && j < b.len() {
        let p = &a[i];
        let q = &b[j];

        if p.bounds.min.x <= q.bounds.min.x {
            b[j..]
                .iter()
                .take_while(|q| q.bounds.min.x <= p.bounds.max.x)
                .for_each(|q| report(p, q));
            i += 1;
        } else {
            a[i..]
                .iter()
                .take_while(|p| p.bounds.min.x <= q.bounds.max.x)
                .for_each(|p| report(p, q));
            j += 1;
        }
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
            let tests = AtomicUsize::new(0);
            sweep(&points, &edges, |_, _| {
                tests.fetch_add(1, Ordering::Relaxed);
                false
            });
            assert!(tests.into_inner() <= most, "{name}");
        }
    }
}

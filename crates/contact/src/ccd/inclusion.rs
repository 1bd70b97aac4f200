//! Interval root finding with a tolerance (Snyder 1992; Wang et al. 2021, "A large-scale benchmark
//! and an inclusion-based algorithm for continuous collision detection", "Tight Inclusion"), in
//! bounded time and memory.
//!
//! Seen from the point, the place `u` in `[0, 1]` of the edge at time `t` is
//!
//! `f(t, u) = (1 - u) a(t) + u b(t)`
//!
//! with the ends `a` and `b` of the edge. Over a cell of `t` and `u` the bilinear `f` takes its
//! extremes at the corners, so the box around four corners is tight. A cell whose box stays
//! away from the origin by more than the separation and the rounding errors holds no impact. Other
//! cells are halved along the parameter that moves `f` more, until their boxes are narrower than a
//! share of the initial gap.
//!
//! Two things differ from the publication:
//! - Coordinates are taken along and across the edge (its mean over the step), since an inclusion
//!   is as tight as the box fits. A slide along a slanted edge is then one cell.
//! - Cells are visited depth first, earlier times first, and a cell that starts after the earliest
//!   impact so far is dropped. The stack holds one cell for each halving so far, where a queue by
//!   levels holds all cells along a graze. After `INCLUSION_MAX_CELLS` cells the earliest time that
//!   is still open is the answer, which is safe.
//!
//! **Promise.** The time is never later than the first one at which the distance is the separation,
//! and a miss means that it stays above. Separation is measured in boxes: an impact may be reported
//! for a corner up to `sqrt 2` as far.

use super::Query;
use super::relative::Relative;
use crate::tuning::{INCLUSION_MAX_CELLS, INCLUSION_WIDTH};
use ipcsim_math::{Vec2, cross};

/// A time up to which the distance certainly stays above `min_separation` (m); `None` if it does
/// throughout the step, 0 if a position is not finite.
pub(super) fn time_of_impact(query: &Query, min_separation: f64) -> Option<f64> {
    let Some((path, separation)) = Relative::scaled(query, min_separation) else {
        return Some(0.0);
    };
    let gap = path.distance(0.0) - path.rounding(0.0) - separation;
    if gap <= 0.0 {
        return Some(0.0);
    }

    // The whole step and the whole edge are the first cell.
    let path = along_and_across(&path);
    let mut open = Vec::with_capacity(128);
    open.push(Cell {
        t: [0.0, 1.0],
        u: [0.0, 1.0],
    });
    let mut earliest: Option<f64> = None;

    for _ in 0..INCLUSION_MAX_CELLS {
        // The latest cell that was opened is the earliest in time.
        let Some(cell) = open.pop() else {
            return earliest;
        };
        if earliest.is_some_and(|toi| cell.t[0] >= toi) || cell.misses(&path, separation) {
            continue;
        }

        match cell.halves(&path, INCLUSION_WIDTH * gap) {
            Some([first, second]) => open.extend([second, first]),
            None => earliest = Some(cell.t[0]),
        }
    }

    // Too many cells: the earliest time that is still open is safe.
    open.iter()
        .map(|cell| cell.t[0])
        .chain(earliest)
        .reduce(f64::min)
}

/// The motion in coordinates along and across the mean direction of the edge.
fn along_and_across(path: &Relative) -> Relative {
    let [edge_0, edge_1] = [path.start, path.end].map(|[a, b]| b - a);
    let along = (edge_0 + edge_1).try_normalize(0.0).unwrap_or_else(Vec2::x);
    let turned = |x: [Vec2; 2]| x.map(|x| Vec2::new(along.dot(&x), cross(along, x)));
    Relative {
        start: turned(path.start),
        end: turned(path.end),
    }
}

/// Interval of times and interval of places on the edge.
#[derive(Clone, Copy)]
struct Cell {
    /// First and last time.
    t: [f64; 2],
    /// First and last place, 0 at the start of the edge and 1 at its end.
    u: [f64; 2],
}

impl Cell {
    /// Values of `f` at the corners, by time and place.
    fn corners(&self, path: &Relative) -> [[Vec2; 2]; 2] {
        self.t.map(|t| {
            let [a, b] = path.at(t);
            self.u.map(|u| a * (1.0 - u) + b * u)
        })
    }

    /// True if the box around the corners certainly stays out of the separation.
    ///
    /// The rotation and the place on the edge add a few units of rounding to the error of
    /// positions; twice that error covers them.
    fn misses(&self, path: &Relative, separation: f64) -> bool {
        let [[p, q], [r, s]] = self.corners(path);
        let reach = separation + 2.0 * path.rounding(self.t[0]).max(path.rounding(self.t[1]));
        let min = p.inf(&q).inf(&r.inf(&s));
        let max = p.sup(&q).sup(&r.sup(&s));
        min.x > reach || min.y > reach || max.x < -reach || max.y < -reach
    }

    /// Both halves, the earlier one first; `None` if the box is narrower than `tolerance` or its
    /// numbers are too close to halve.
    fn halves(&self, path: &Relative, tolerance: f64) -> Option<[Self; 2]> {
        let [[p, q], [r, s]] = self.corners(path);
        let in_time = (r - p).amax().max((s - q).amax());
        let on_edge = (q - p).amax().max((s - r).amax());

        if in_time.max(on_edge) <= tolerance {
            None
        } else if in_time >= on_edge {
            halve(self.t).map(|halves| halves.map(|t| Self { t, ..*self }))
        } else {
            halve(self.u).map(|halves| halves.map(|u| Self { u, ..*self }))
        }
    }
}

/// Both halves of an interval; `None` if no number lies between its ends.
fn halve([low, high]: [f64; 2]) -> Option<[[f64; 2]; 2]> {
    let middle = 0.5 * (low + high);
    (low < middle && middle < high).then_some([[low, middle], [middle, high]])
}

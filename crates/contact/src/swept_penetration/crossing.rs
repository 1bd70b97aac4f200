//! Times at which a vertex crosses an edge on the direct motion.

use super::chain::Place;
use crate::tuning::CROSSING_MARGIN;
use ipcsim_math::geometry::path::{Sweep, Trajectory};
use ipcsim_math::{Vec2, cross};

/// A vertex crosses an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Passing {
    /// Time in `[0, 1]`.
    pub(super) time: f64,
    /// True if the vertex gets to the left of the edge.
    pub(super) leftwards: bool,
    /// Share of the edge before the place (1), in `[0, 1]`.
    pub(super) share: f64,
}

/// A vertex crosses an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossing {
    /// Time in `[0, 1]`.
    pub(super) time: f64,
    /// Index of the edge.
    pub(super) edge: usize,
    /// True if the vertex gets to the left of the chain: into a body that encloses an area.
    pub(super) leftwards: bool,
    /// Place on the outline.
    pub(super) place: Place,
}

/// Passes to `take` each crossing of the vertex `p` over the edge from `a` to `b`, `[p, a, b]`, on
/// a motion that is replaced by a number of chords.
pub(super) fn crossings(
    motion: &Sweep,
    vertices: [usize; 3],
    chords: u32,
    mut take: impl FnMut(Passing),
) {
    let ways = vertices.map(|vertex| motion.path(vertex));
    let mut from = vertices.map(|vertex| motion.start[vertex]);
    for k in 1..=chords {
        // The last chord ends at the stored state.
        let t = f64::from(k) / f64::from(chords);
        let to = if k == chords {
            vertices.map(|vertex| motion.end[vertex])
        } else {
            [0, 1, 2].map(|i| ways[i].position(t))
        };

        for passing in on_chord(from, to).into_iter().flatten() {
            let time = (f64::from(k - 1) + passing.time) / f64::from(chords);
            take(Passing { time, ..passing });
        }
        from = to;
    }
}

/// Crossings while `[p, a, b]` move on straight lines: at roots of the quadratic `e(t) x r(t)`,
/// with the edge `e = b - a` and `r = p - a`.
fn on_chord(from: [Vec2; 3], to: [Vec2; 3]) -> [Option<Passing>; 2] {
    let edge = [from[2] - from[1], to[2] - to[1]];
    let arm = [from[0] - from[1], to[0] - to[1]];
    let turn = edge[1] - edge[0];
    let way = arm[1] - arm[0];

    // Coefficients of `f(t) = c0 + c1 t + c2 t^2`.
    let c0 = cross(edge[0], arm[0]);
    let c1 = cross(edge[0], way) + cross(turn, arm[0]);
    let c2 = cross(turn, way);
    roots(c0, c1, c2).map(|root| {
        let time = root.filter(|t| (0.0..=1.0).contains(t))?;
        let rate = c1 + 2.0 * c2 * time;
        let along = edge[0] + turn * time;
        let share = along.dot(&(arm[0] + way * time)) / along.norm_squared();

        let is_on_edge = (-CROSSING_MARGIN..=1.0 + CROSSING_MARGIN).contains(&share);
        (rate != 0.0 && is_on_edge).then(|| Passing {
            time,
            leftwards: rate > 0.0,
            share: share.clamp(0.0, 1.0),
        })
    })
}

/// Real roots of `c0 + c1 t + c2 t^2`, without cancellation; none of a constant.
fn roots(c0: f64, c1: f64, c2: f64) -> [Option<f64>; 2] {
    let discriminant = c1 * c1 - 4.0 * c0 * c2;
    if discriminant < 0.0 || (c1 == 0.0 && c2 == 0.0) {
        return [None; 2];
    }
    let q = -0.5 * (c1 + discriminant.sqrt().copysign(c1));
    [q / c2, c0 / q].map(|root| root.is_finite().then_some(root))
}

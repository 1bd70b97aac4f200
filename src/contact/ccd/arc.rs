//! Continuous collision detection along curved paths, by pieces that are linear (Ferguson et al. 2021,
//! "Intersection-free Rigid Body Dynamics", section on nonlinear CCD), made adaptive.
//!
//! On a piece `[t, t1]` the point is within `e_p` and the edge's ends within `e_0`, `e_1` of where they are on their
//! chords at the same time ([`Trajectory::chord_deviation`]). A point of the edge is a convex combination of its
//! ends and so within `max(e_0, e_1)`; the distance therefore differs from that of the linear motion by at most the
//! envelope
//!
//! `e = e_p + max(e_0, e_1)`,
//!
//! and whatever time a linear method finds for the chords with the separation `min_separation + e` is safe on the
//! curves. Between two points the envelopes add up, too: both may lean towards each other.
//!
//! A piece is halved until its envelope is at most a quarter of the gap at its start. Long pieces thus suffice while
//! the pair is far apart (conservative advancement), and the pieces shrink with the square root of the gap. A time
//! found by the linear method is not taken for an impact: the next piece starts there, with the true gap. Since the
//! envelope is below half of the gap, a pair that passes by is followed around its closest approach, however close.

use super::{NarrowPhase, Query};
use crate::contact::tuning::{
    ARC_CONTACT, ARC_ENVELOPE, ARC_MAX_PIECES, ARC_MAX_STALLS, ARC_STALLED,
};
use crate::geometry::distance::point_edge;
use crate::geometry::path::Trajectory;
use crate::math::Vec2;

/// Rounding of a position and of the chord between two of them, relative to the largest coordinate.
const CHORD_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The time of impact of a point (`paths[0]`) and an edge (between `paths[1]` and `paths[2]`) that move along `paths`
/// for `t` from 0 to 1, or `None` if the distance stays above `min_separation` (m, at least 0).
///
/// With the gap `g(t)` = distance - `min_separation`:
/// - the time returned is never later than the first time at which `g = 0`, up to the rounding of the positions;
/// - a time is returned only if `g(t) <= 1e-6 g(0)` there, or `g(t)` is no more than the rounding of the positions, or
///   `t` is as far as 65536 pieces came, or the linear method gave up on 32 of them in a row: a slide along an edge
///   takes additive CCD that far if it is about 15,000 times as long as the gap;
/// - 0 is returned if `g(0) <= 0` or `min_separation` is negative or NaN, and the last safe time if a position or a
///   deviation is not finite.
pub fn time_of_impact(
    narrow: NarrowPhase,
    paths: [&dyn Trajectory; 3],
    min_separation: f64,
) -> Option<f64> {
    let gap = |x: &[Vec2; 3]| point_edge(x[0], x[1], x[2]).distance - min_separation;
    let mut start = paths.map(|path| path.position(0.0));
    let initial = gap(&start);
    if min_separation.is_nan() || min_separation < 0.0 {
        return Some(0.0);
    }
    let contact = ARC_CONTACT * initial;
    let (mut t, mut now, mut length, mut stalls) = (0.0, initial, 1.0, 0);
    for _ in 0..ARC_MAX_PIECES {
        // A NaN ends here as well: what was reached before it is safe.
        if now.is_nan() || now <= contact || stalls > ARC_MAX_STALLS {
            return Some(t);
        }
        if t >= 1.0 {
            return None;
        }
        let Some((t1, envelope)) = piece(paths, t, length, ARC_ENVELOPE * now) else {
            return Some(t);
        };
        let query = Query {
            start,
            end: paths.map(|path| path.position(t1)),
        };
        let separation = min_separation + envelope + rounding(&query);
        if !separation.is_finite() {
            return Some(t);
        }
        let hit = narrow.time_of_impact(&query, separation);
        let next = hit.map_or(t1, |s| t + s * (t1 - t));
        if next <= t {
            (length, stalls) = (0.5 * (t1 - t), stalls + 1);
            continue;
        }
        start = if hit.is_some() {
            paths.map(|path| path.position(next))
        } else {
            query.end
        };
        let before = std::mem::replace(&mut now, gap(&start));
        stalls = if hit.is_some() && now > ARC_STALLED * before {
            stalls + 1
        } else {
            0
        };
        (t, length) = (next, 2.0 * (t1 - t));
    }
    Some(t)
}

/// [`time_of_impact`] of two points: the edge's ends are one.
pub fn point_point(
    narrow: NarrowPhase,
    paths: [&dyn Trajectory; 2],
    min_separation: f64,
) -> Option<f64> {
    time_of_impact(narrow, [paths[0], paths[1], paths[1]], min_separation)
}

/// The end of a piece that starts at `t`, is at most `longest` long and has an envelope of at most `allowed`, and that
/// envelope; `None` if there is no such time after `t`.
fn piece(paths: [&dyn Trajectory; 3], t: f64, longest: f64, allowed: f64) -> Option<(f64, f64)> {
    let mut t1 = (t + longest).min(1.0);
    while t1 > t {
        let deviation = paths.map(|path| path.chord_deviation(t, t1));
        let envelope = deviation[0] + larger(deviation[1], deviation[2]);
        if envelope <= allowed {
            return Some((t1, envelope));
        }
        t1 = t + 0.5 * (t1 - t);
    }
    None
}

/// The larger of two numbers, NaN if one is.
fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// How far rounding may move the chords of a piece (m); NaN if a position is.
fn rounding(query: &Query) -> f64 {
    let coordinates = query
        .start
        .iter()
        .chain(&query.end)
        .flat_map(|x| [x.x, x.y]);
    CHORD_ROUNDING * coordinates.fold(0.0, |largest, c| larger(largest, c.abs()))
}

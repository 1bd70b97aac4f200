//! Continuous collision detection along curved paths, by pieces that are linear (Ferguson et al.
//! 2021, "Intersection-free Rigid Body Dynamics", section on nonlinear CCD), made adaptive.
//!
//! On a piece the distance differs from the distance on the linear motion by at most the envelope
//!
//! `e = e_p + max(e_0, e_1)`,
//!
//! - `e_p`: largest distance of the point from its chord at equal times (m,
//!   [`Trajectory::chord_deviation`]);
//! - `e_0`, `e_1`: the same for the edge's ends; every point of the edge is their convex
//!   combination.
//!
//! A time that a linear method finds for the chords with the separation `min_separation + e` is
//! safe on the curves. Between two points the envelopes add up as well, since both may lean towards
//! each other.
//!
//! A piece is halved until its envelope is at most a quarter of the gap at its start. Pieces are
//! long while the pair is far apart, as in conservative advancement, and shrink with the square
//! root of the gap. A time found by the linear method is not an impact yet: the next piece starts
//! there, with the true gap. Since the envelope is below half of the gap, a pair that passes by is
//! followed around its closest approach, however close.
//!
//! A thrown ball on a floor:
//!
//! ```
//! use ipcsim_contact::ccd::{NarrowPhase, arc};
//! use ipcsim_math::geometry::path::{Straight, Trajectory};
//! use ipcsim_math::Vec2;
//!
//! /// A throw: `x(t) = start + velocity t + acceleration t^2 / 2`.
//! struct Throw {
//!     start: Vec2,
//!     velocity: Vec2,
//!     acceleration: Vec2,
//! }
//!
//! impl Trajectory for Throw {
//!     fn position(&self, t: f64) -> Vec2 {
//!         self.start + (self.velocity + self.acceleration * (0.5 * t)) * t
//!     }
//!
//!     fn chord_deviation(&self, t0: f64, t1: f64) -> f64 {
//!         self.acceleration.norm() * (t1 - t0) * (t1 - t0) / 8.0
//!     }
//! }
//!
//! let ball = Throw {
//!     start: Vec2::new(0.0, 1.0),
//!     velocity: Vec2::new(0.0, 3.0),
//!     acceleration: Vec2::new(0.0, -16.0),
//! };
//! let floor = [-1.0, 1.0].map(|x| Straight::still(Vec2::new(x, 0.0)));
//! let paths: [&dyn Trajectory; 3] = [&ball, &floor[0], &floor[1]];
//! let toi = arc::time_of_impact(NarrowPhase::Additive, paths, 0.0).unwrap();
//!
//! // 1 + 3 t - 8 t^2 = 0
//! let truth = (3.0 + 41.0_f64.sqrt()) / 16.0;
//! assert!(truth - 1e-6 < toi && toi <= truth);
//! ```

use super::{NarrowPhase, Query};
use crate::tuning::{ARC_CONTACT, ARC_ENVELOPE, ARC_MAX_PIECES, ARC_MAX_STALLS, ARC_STALLED};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::geometry::path::Trajectory;

/// Bound of the rounding errors of positions and chords (1), relative to the largest coordinate.
const CHORD_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Time of impact of a point (`paths[0]`) and an edge (from `paths[1]` to `paths[2]`) that move
/// along `paths` while `t` goes from 0 to 1; `None` if the distance stays above `min_separation`
/// (m, at least 0).
///
/// With the gap `g(t)`, distance less `min_separation`:
/// - the time is never later than the first one at which `g = 0`, up to the rounding of the
///   positions;
/// - at this time `g` is at most [`ARC_CONTACT`] of `g(0)` or the rounding of the positions, unless
///   [`ARC_MAX_PIECES`] ended there, or the linear method stalled on more than [`ARC_MAX_STALLS`]
///   pieces in a row: a slide along an edge takes additive CCD that far if it is about 15,000 times
///   as long as the gap;
/// - the time is 0 if `g(0) <= 0` or `min_separation` is negative or NaN, and the last safe time if
///   a position or a deviation is not finite.
pub fn time_of_impact(
    narrow: NarrowPhase,
    paths: [&dyn Trajectory; 3],
    min_separation: f64,
) -> Option<f64> {
    let gap = |x: &[Vec2; 3]| point_edge(x[0], x[1], x[2]).distance - min_separation;
    let mut start = paths.map(|path| path.position(0.0));
    let mut now = gap(&start);
    if min_separation.is_nan() || min_separation < 0.0 {
        return Some(0.0);
    }

    let contact = ARC_CONTACT * now;
    let mut t = 0.0;
    let mut length = 1.0;
    let mut stalls = 0;
    for _ in 0..ARC_MAX_PIECES {
        // A NaN ends here as well; the time before it is safe.
        if now.is_nan() || now <= contact || stalls > ARC_MAX_STALLS {
            return Some(t);
        }
        if t >= 1.0 {
            return None;
        }

        let allowed = ARC_ENVELOPE * now;
        let Some(piece) = Piece::after(t, length, paths, start, allowed, min_separation) else {
            return Some(t);
        };

        // Advance to its end, or to where the linear method stops. Without progress half of the
        // piece is tried.
        let hit = narrow.time_of_impact(&piece.query, piece.separation);
        let next = hit.map_or(piece.end, |s| t + s * (piece.end - t));
        if next <= t {
            length = 0.5 * (piece.end - t);
            stalls += 1;
            continue;
        }
        start = if hit.is_some() {
            paths.map(|path| path.position(next))
        } else {
            piece.query.end
        };

        // The next piece is twice as long, from the true gap.
        let before = std::mem::replace(&mut now, gap(&start));
        let is_stalled = hit.is_some() && now > ARC_STALLED * before;
        stalls = if is_stalled { stalls + 1 } else { 0 };
        length = 2.0 * (piece.end - t);
        t = next;
    }
    Some(t)
}

/// [`time_of_impact`] of two points: both ends of the edge are the same.
pub fn point_point(
    narrow: NarrowPhase,
    paths: [&dyn Trajectory; 2],
    min_separation: f64,
) -> Option<f64> {
    time_of_impact(narrow, [paths[0], paths[1], paths[1]], min_separation)
}

/// A piece of three paths as a linear motion.
struct Piece {
    /// Time at which the piece ends.
    end: f64,
    /// Chords of the piece.
    query: Query,
    /// Separation of the chords (m) that keeps the curves apart.
    separation: f64,
}

impl Piece {
    /// The longest piece from `t` and the positions `start` there that is at most `longest` long
    /// and has an envelope of at most `allowed` (m). Its length is `longest` halved a number of
    /// times.
    ///
    /// `None` if no time after `t` is the end of such a piece, or a position is not finite.
    fn after(
        t: f64,
        longest: f64,
        paths: [&dyn Trajectory; 3],
        start: [Vec2; 3],
        allowed: f64,
        min_separation: f64,
    ) -> Option<Self> {
        let mut end = (t + longest).min(1.0);
        while end > t {
            let deviation = paths.map(|path| path.chord_deviation(t, end));
            let envelope = deviation[0] + larger(deviation[1], deviation[2]);

            // The chords keep the envelope and their own rounding apart in addition.
            if envelope <= allowed {
                let query = Query {
                    start,
                    end: paths.map(|path| path.position(end)),
                };
                let separation = min_separation + envelope + rounding(&query);
                return separation.is_finite().then_some(Self {
                    end,
                    query,
                    separation,
                });
            }

            end = t + 0.5 * (end - t);
        }
        None
    }
}

/// The larger of two numbers; NaN if one of them is.
fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// Bound of the rounding errors of a piece's chords (m); NaN if a position is.
fn rounding(query: &Query) -> f64 {
    let coordinates = query
        .start
        .iter()
        .chain(&query.end)
        .flat_map(|x| [x.x, x.y]);

    CHORD_ROUNDING * coordinates.fold(0.0, |largest, c| larger(largest, c.abs()))
}

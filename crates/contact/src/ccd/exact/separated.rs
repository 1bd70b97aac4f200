//! First time at which the distance is at most a separation `d > 0`, by certified advances.
//!
//! Two bounds tell how long the distance stays above `d` from a time `t` on. Let
//! `f = (tau - t) / (1 - t)` in `[0, 1]`.
//!
//! - **A strip.** Along the unit vector `n` towards the nearest point of the edge, both ends are
//!   beyond `d` while `n . a(tau) > d` and `n . b(tau) > d`: linear in `f`. Near a vertex this is
//!   Newton's method on the distance, and for parallel motion it is exact at once.
//! - **The line.** `|cross(a, b)| > d |b - a|` keeps the edge's whole line away. The length of an
//!   edge that moves linearly is convex and so below its chord, which leaves a quadratic in `f`,
//!   whose first root is the bound. A long edge that turns needs this.
//!
//! The later of the two is the next `t`. The bounds of all rounding errors are of the same degree
//! in `f` and part of the gap that must stay open. The root found belongs to a quadratic whose
//! coefficients are off by a few `u`, since nothing cancels in it but the discriminant,
//! `b^2 (1 + 2u) - 4ac (1 + 2u)`; the bounds include this as well.
//!
//! **Promise.** The time is never later than the first one at which the distance is `d`, and a miss
//! means that it stays above `d`. An impact is confirmed when the distance a two-thousandth later
//! is `d` or less; without that (a graze, whose gap is near the rounding errors or keeps turning),
//! advancing ends after [`SEPARATED_MAX_ADVANCES`] and the time reached is returned.

use crate::ccd::Query;
use crate::ccd::relative::Relative;
use crate::tuning::{CONFIRMED_TIME, SEPARATED_MAX_ADVANCES};
use ipcsim_math::{Vec2, cross, roots::first_positive_root};

/// Smallest margin between line and separation, in a scaled query, at which the line is followed.
const LEAST_MARGIN: f64 = 1e-290;

/// A time up to which the distance certainly stays above `separation` (m); `None` if it does
/// throughout the step, 0 if a position is not finite. See the [module](self).
pub(super) fn time_of_impact(query: &Query, separation: f64) -> Option<f64> {
    let Some((path, d)) = Relative::scaled(query, separation) else {
        return Some(0.0);
    };

    let mut t = 0.0;
    for _ in 0..SEPARATED_MAX_ADVANCES {
        let strip = beyond_strip(&path, t, d);
        let fraction = if strip > 1.0 {
            strip
        } else {
            strip.max(beyond_line(&path, t, d))
        };

        if fraction > 1.0 {
            return None;
        }

        let next = (t + fraction * (1.0 - t) * (1.0 - 8.0 * f64::EPSILON)).next_down();
        if next <= t {
            break;
        }
        t = next;

        // The impact is certain a moment later.
        if path.distance((t * CONFIRMED_TIME).min(1.0)) <= d {
            break;
        }
    }
    Some(t)
}

/// Fraction of the rest of the step during which both ends are beyond the separation along the
/// direction of the nearest point; 2 if they are throughout.
fn beyond_strip(path: &Relative, t: f64, d: f64) -> f64 {
    let now = path.at(t);
    let nearest = nearest_to_origin(now);
    let Some(n) = nearest.try_normalize(0.0) else {
        return 0.0;
    };

    // Distances beyond the strip, now and at the end, less their rounding errors.
    let required = d + path.rounding(t);
    let required_at_end = d + path.rounding(1.0);
    let [a, b] = [0, 1].map(|i| {
        let gap = n.dot(&now[i]) - required;
        let gap_at_end = n.dot(&path.end[i]) - required_at_end;
        open_fraction(gap, gap_at_end)
    });
    a.min(b)
}

/// Fraction of a step during which a gap that shrinks linearly is open: 0 if it is closed now, 2 if
/// it is still open at the end.
fn open_fraction(gap: f64, gap_at_end: f64) -> f64 {
    if gap <= 0.0 {
        0.0
    } else if gap_at_end > 0.0 {
        2.0
    } else {
        gap / (gap - gap_at_end)
    }
}

/// Fraction of the rest of the step during which the edge's line is beyond the separation; 2 if it
/// is throughout.
fn beyond_line(path: &Relative, t: f64, d: f64) -> f64 {
    let rest = Relative {
        start: path.at(t),
        end: path.end,
    };
    let [a0, b0] = rest.start;
    let [a1, b1] = rest.end;
    let side = cross(a0, b0).signum();
    let c = [cross(a0, b0), cross(a0, b1) + cross(a1, b0), cross(a1, b1)].map(|c| side * c);

    // The length of the edge is below its chord.
    let lengths = [rest.start, rest.end].map(|[a, b]| (b - a).norm());
    let kept = [lengths[0], lengths[0] + lengths[1], lengths[1]].map(|length| d * length);

    // The error of a product of components is the error of each times the other; the rest is room.
    let sizes = rest.sizes();
    let errors = [path.rounding(t), path.rounding(1.0)];
    let cross_errors = [
        sizes[0] * errors[0],
        sizes[0] * errors[1] + sizes[1] * errors[0],
        sizes[1] * errors[1],
    ];
    let q: [f64; 3] = std::array::from_fn(|i| {
        c[i] - kept[i] * (1.0 + 16.0 * f64::EPSILON) - 2.0 * cross_errors[i]
    });

    if q[0] < LEAST_MARGIN {
        return 0.0;
    }
    match first_positive_root(q[2], q[1], q[0], f64::INFINITY) {
        Some(s) => 1.0 / (1.0 + 1.0 / s),
        None if q[2] > 0.0 => 2.0,
        None => 1.0,
    }
}

/// Point of the segment that is nearest to the origin.
fn nearest_to_origin([a, b]: [Vec2; 2]) -> Vec2 {
    let edge = b - a;
    let length_squared = edge.norm_squared();
    if length_squared > 0.0 {
        a - edge * (a.dot(&edge) / length_squared).clamp(-1.0, 0.0)
    } else {
        a
    }
}

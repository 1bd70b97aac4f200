//! Additive continuous collision detection (Li, Kaufman and Jiang 2021, "Codimensional Incremental
//! Potential Contact", section 4), bounded.
//!
//! The distance `g` between a point and an edge shrinks by at most the larger relative displacement
//! of the edge's ends. An advance by
//!
//! `dt = 0.9 g / max(|a'|, |b'|)`
//!
//! is therefore safe. Advances are repeated until a tenth of the initial gap is left.
//!
//! - `a(t)`, `b(t)`: ends of the edge as the point sees them (m), with `a'`, `b'` their
//!   displacements over the step;
//! - `g`: distance less the separation (m).
//!
//! The paper subtracts the mean displacement and bounds the speed by `|p'| + max(|e0'|, |e1'|)`. In
//! the point's frame the bound is never larger, and the common motion cancels too.
//!
//! **Rounding.** The error of a computed distance (`relative.rs`) and the separation are subtracted
//! from it; the speed is rounded up and the time down. The gap that is left is therefore open in
//! real numbers.
//!
//! **Promise.** The time is never later than the first one at which the distance is the separation,
//! and a miss means that it stays above. At `toi` a gap of a tenth of the initial one or a little
//! more is left, or the advances ran out.

use super::Query;
use super::relative::Relative;
use crate::tuning::{ADDITIVE_GAP_KEPT, ADDITIVE_MAX_ADVANCES};

/// A time up to which the distance certainly stays above `min_separation` (m); `None` if it does
/// throughout the step, 0 if a position is not finite.
pub(super) fn time_of_impact(query: &Query, min_separation: f64) -> Option<f64> {
    let Some((path, separation)) = Relative::scaled(query, min_separation) else {
        return Some(0.0);
    };
    // Errors of distances are subtracted, so that the gap is open in real numbers.
    let speed = speed_bound(&path);
    let gap = |t: f64| path.distance(t) - path.rounding(t) - separation;

    let mut t = 0.0;
    let mut now = gap(0.0);
    let kept = ADDITIVE_GAP_KEPT * now;

    for _ in 0..ADDITIVE_MAX_ADVANCES {
        if now <= kept {
            break;
        }

        let next = (t + (1.0 - ADDITIVE_GAP_KEPT) * now / speed).next_down();
        if next >= 1.0 {
            return None;
        }
        if next <= t {
            break;
        }
        t = next;
        now = gap(t);
    }
    Some(t)
}

/// Displacement of the faster end over the step, in the lengths of the scaled query, rounded up.
fn speed_bound(path: &Relative) -> f64 {
    let [a, b] = path.motion();
    let [at_start, at_end] = path.sizes();
    let rounding = 2.0 * f64::EPSILON * (at_start + at_end) + f64::MIN_POSITIVE;
    a.norm().max(b.norm()) * (1.0 + 4.0 * f64::EPSILON) + rounding
}

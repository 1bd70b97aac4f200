//! Additive continuous collision detection (Li, Kaufman and Jiang 2021, "Codimensional Incremental Potential Contact",
//! section 4), bounded.
//!
//! A distance `g` between a point and an edge cannot shrink by more than the larger relative displacement of the edge's
//! ends, so an advance of `dt = 0.9 g / max(|a'|, |b'|)` is safe; it is repeated until a tenth of the initial gap is
//! left. The paper subtracts the mean displacement and bounds the speed by `|p'| + max(|e0'|, |e1'|)`; in the point's
//! frame the bound is never larger and the common motion is gone, too.
//!
//! **Rounding.** What a computed distance may be off (`relative.rs`) and the separation are subtracted from
//! it, the speed is rounded up and the time down, so that the gap that is left is open in real numbers.
//!
//! **Promise.** Never later than the first time at which the distance is the separation; a miss only if it stays
//! above that. At `toi` a gap of a tenth of the initial one or a little more is left, or the advances ran out.

use super::Query;
use super::relative::Relative;
use crate::contact::tuning::{ADDITIVE_GAP_KEPT, ADDITIVE_MAX_ADVANCES};

/// A time up to which the distance surely stays above `min_separation`, or `None` if that is the whole step.
pub(super) fn time_of_impact(query: &Query, min_separation: f64) -> Option<f64> {
    let Some((path, separation)) = Relative::scaled(query, min_separation) else {
        return Some(0.0);
    };
    let speed = speed_bound(&path);
    let gap = |t: f64| path.distance(t) - path.rounding(t) - separation;
    let (mut t, mut now) = (0.0, gap(0.0));
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

/// The larger displacement of the two ends, rounded up.
fn speed_bound(path: &Relative) -> f64 {
    let [a, b] = path.motion();
    let [at_start, at_end] = path.sizes();
    let rounding = 2.0 * f64::EPSILON * (at_start + at_end) + f64::MIN_POSITIVE;
    a.norm().max(b.norm()) * (1.0 + 4.0 * f64::EPSILON) + rounding
}

//! Additive continuous collision detection (Li et al. 2021, "Codimensional Incremental Potential Contact", section 4;
//! the free physics-based simulation book, chapter on filtered line search), bounded.

use super::Query;
use crate::geometry::distance::point_edge;
use crate::math::Vec2;

/// Share of a gap that an advance leaves, and of the initial gap at which advancing ends.
const SLACK: f64 = 0.1;

/// Advances that one query may take. A slide of length `L` at gap `g` needs about `L / (0.9 g)` of them, so the bound
/// is what makes such a query end; the time reached by then is safe and is what the query returns.
const MAX_ADVANCES: usize = 512;

/// The time up to which the distance surely stays above `min_separation`, or `None` if that is the whole step. It is
/// the first time found at which no more than a tenth of the initial gap is left.
///
/// The three displacements are taken relative to their mean, which leaves the distance as it is; while `t` grows by
/// `dt`, the distance then shrinks by at most `dt (|p| + max(|e0|, |e1|))`. Positions are taken from the point's
/// start, so that the answer does not depend on where the pair is.
pub fn time_of_impact(query: &Query, min_separation: f64) -> Option<f64> {
    let origin = query.start[0];
    let start = query.start.map(|x| x - origin);
    let motion: [Vec2; 3] = std::array::from_fn(|i| query.end[i] - query.start[i]);
    let mean = motion[0] / 3.0 + motion[1] / 3.0 + motion[2] / 3.0;
    let motion = motion.map(|m| m - mean);
    let speed = length(motion[0]) + length(motion[1]).max(length(motion[2]));
    let gap = |t: f64| {
        let x: [Vec2; 3] = std::array::from_fn(|i| start[i] + motion[i] * t);
        point_edge(x[0], x[1], x[2]).distance - min_separation
    };
    let initial = gap(0.0);
    if initial <= 0.0 || !speed.is_finite() {
        return Some(0.0);
    }
    if initial > speed {
        return None;
    }
    let kept = SLACK * initial;
    let mut t = (1.0 - SLACK) * initial / speed;
    for _ in 0..MAX_ADVANCES {
        if t >= 1.0 {
            return None;
        }
        let now = gap(t);
        // A NaN ends here as well: what was reached before it is safe.
        if !(now > kept) {
            return Some(t);
        }
        let advance = (1.0 - SLACK) * now / speed;
        if t + advance <= t {
            return Some(t);
        }
        t += advance;
    }
    Some(t)
}

fn length(a: Vec2) -> f64 {
    a.x.hypot(a.y)
}

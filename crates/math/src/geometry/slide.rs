//! Interval in which a segment that slides along a direction touches another one.
//!
//! The search for a translation out of an overlap asks how far one body must slide until no edge of
//! it touches an edge of the other. Each pair of edges blocks one interval of lengths.

use crate::{Vec2, perp};

/// Shortest interval that contains every `t` (m) at which the segment `a`, moved by `t u`, is
/// within `radius` (m) of the segment `b`. `None` without such a `t`. `u` is a unit vector.
///
/// `a + t u` meets `b` if `t u` is among the differences `b - a`, which form a parallelogram. It is
/// convex, and so is the set of all points within `radius` of it. The line `t u` therefore enters
/// and leaves that set within `radius` of one of the sides.
pub fn touching(a: [Vec2; 2], b: [Vec2; 2], radius: f64, u: Vec2) -> Option<[f64; 2]> {
    // Parallelogram of the differences.
    let corners = [b[0] - a[0], b[1] - a[0], b[1] - a[1], b[0] - a[1]];
    let sides = (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]);
    sides
        .filter_map(|side| near_side(side, radius, u))
        .reduce(union)
}

/// Interval of the `t` (m) at which `t u` is within `radius` (m) of the side `p q`; `None` if there
/// is none.
fn near_side([p, q]: [Vec2; 2], radius: f64, u: Vec2) -> Option<[f64; 2]> {
    if radius <= 0.0 {
        return crossing(p, q, u);
    }

    // A side within a radius is a rectangle and a disk at each end.
    let across = (q - p)
        .try_normalize(0.0)
        .map_or(Vec2::zeros(), |along| perp(along) * radius);
    let ends = [disk(p, radius, u), disk(q, radius, u)];
    let borders = [
        crossing(p + across, q + across, u),
        crossing(p - across, q - across, u),
    ];
    let all = ends.into_iter().chain(borders).flatten();
    all.reduce(union)
}

/// Smallest interval around two intervals.
fn union(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [one[0].min(other[0]), one[1].max(other[1])]
}

/// Interval of the `t` (m) at which `t u` is in a disk; `None` if the line passes by.
fn disk(center: Vec2, radius: f64, u: Vec2) -> Option<[f64; 2]> {
    let along = u.dot(&center);
    let off = perp(u).dot(&center);
    let half = (radius * radius - off * off).sqrt();
    (off.abs() <= radius).then_some([along - half, along + half])
}

/// Interval of the `t` (m) at which `t u` is on the segment `p q`; `None` if there is none.
fn crossing(p: Vec2, q: Vec2, u: Vec2) -> Option<[f64; 2]> {
    // Heights of the ends above the line, and their places along it.
    let hp = perp(u).dot(&p);
    let hq = perp(u).dot(&q);
    let tp = u.dot(&p);
    let tq = u.dot(&q);

    if hp.max(hq) < 0.0 || hp.min(hq) > 0.0 {
        None
    } else if hp - hq == 0.0 {
        Some([tp.min(tq), tp.max(tq)])
    } else {
        let t = tp + (tq - tp) * (hp / (hp - hq));
        Some([t, t])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::predicates::segments_touch;
    use proptest::prelude::*;

    /// A point from its coordinates.
    fn v(x: f64, y: f64) -> Vec2 {
        Vec2::new(x, y)
    }

    #[test]
    fn simple_cases_are_exact() {
        let up = v(0.0, 1.0);
        let low = [v(0.0, 0.0), v(2.0, 0.0)];
        let high = [v(1.0, 3.0), v(5.0, 3.0)];
        assert_eq!(touching(low, high, 0.0, up), Some([3.0, 3.0]));
        assert_eq!(touching(high, low, 0.0, up), Some([-3.0, -3.0]));
        assert_eq!(touching(low, [v(3.0, 3.0), v(5.0, 3.0)], 0.0, up), None);

        // A circle of radius 1 that hits a wall, and one that passes another circle.
        let circle = [v(0.0, 0.0); 2];
        assert_eq!(touching(circle, high, 1.0, up), Some([3.0, 3.0]));
        assert_eq!(
            touching(circle, [v(-1.0, 3.0), v(1.0, 3.0)], 1.0, up),
            Some([2.0, 4.0])
        );
        assert_eq!(
            touching(circle, [v(0.0, 5.0); 2], 2.0, up),
            Some([3.0, 7.0])
        );
    }

    proptest! {
        #[test]
        fn segments_touch_within_the_interval_and_nowhere_else(
            c in prop::array::uniform8(-2.0..2.0_f64),
            angle in 0.0..6.3_f64,
            t in -6.0..6.0_f64,
        ) {
            let a = [v(c[0], c[1]), v(c[2], c[3])];
            let b = [v(c[4], c[5]), v(c[6], c[7])];
            let u = v(angle.cos(), angle.sin());
            let touch = segments_touch(a[0] + u * t, a[1] + u * t, b[0], b[1]);

            // Rounding matters near the ends of the interval only.
            let [from, to] = touching(a, b, 0.0, u).unwrap_or([f64::INFINITY, f64::NEG_INFINITY]);
            let is_near = from - 1e-9 <= t && t <= to + 1e-9;
            let is_well_within = from + 1e-9 <= t && t <= to - 1e-9;
            prop_assert!(!touch || is_near);
            prop_assert!(touch || !is_well_within);
        }
    }
}

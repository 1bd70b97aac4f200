//! When a segment that slides along a direction touches another one.

use crate::math::{Vec2, perp};

/// The shortest interval that holds every `t` at which the segment `a`, moved by `t u`, comes as near as `radius` to the
/// segment `b`; `None` if it never does. `u` is a unit vector.
///
/// `a + t u` meets `b` where `t u` is among the differences `b - a`, a parallelogram. It is convex, and so is everything within
/// `radius` of it: the line `t u` enters and leaves it within `radius` of one of its sides.
pub fn touching(a: [Vec2; 2], b: [Vec2; 2], radius: f64, u: Vec2) -> Option<[f64; 2]> {
    let corners = [b[0] - a[0], b[1] - a[0], b[1] - a[1], b[0] - a[1]];
    let sides = (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]);
    sides
        .filter_map(|side| near_side(side, radius, u))
        .reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])])
}

/// The same for the origin that moves to `t u`, and a side.
fn near_side([p, q]: [Vec2; 2], radius: f64, u: Vec2) -> Option<[f64; 2]> {
    if radius <= 0.0 {
        return crossing(p, q, u);
    }
    let across = (q - p)
        .try_normalize(0.0)
        .map_or(Vec2::zeros(), |along| perp(along) * radius);
    let ends = [disk(p, radius, u), disk(q, radius, u)];
    let borders = [
        crossing(p + across, q + across, u),
        crossing(p - across, q - across, u),
    ];
    let all = ends.into_iter().chain(borders).flatten();
    all.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])])
}

fn disk(center: Vec2, radius: f64, u: Vec2) -> Option<[f64; 2]> {
    let (along, off) = (u.dot(&center), perp(u).dot(&center));
    let half = (radius * radius - off * off).sqrt();
    (off.abs() <= radius).then_some([along - half, along + half])
}

fn crossing(p: Vec2, q: Vec2, u: Vec2) -> Option<[f64; 2]> {
    let (hp, hq) = (perp(u).dot(&p), perp(u).dot(&q));
    let (tp, tq) = (u.dot(&p), u.dot(&q));
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

    fn v(x: f64, y: f64) -> Vec2 {
        Vec2::new(x, y)
    }

    #[test]
    fn simple_cases_are_exact() {
        let up = v(0.0, 1.0);
        let (low, high) = ([v(0.0, 0.0), v(2.0, 0.0)], [v(1.0, 3.0), v(5.0, 3.0)]);
        assert_eq!(touching(low, high, 0.0, up), Some([3.0, 3.0]));
        assert_eq!(touching(high, low, 0.0, up), Some([-3.0, -3.0]));
        assert_eq!(touching(low, [v(3.0, 3.0), v(5.0, 3.0)], 0.0, up), None);
        // A circle of radius 1 beside a wall, and on its way past another one.
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
            c in prop::array::uniform8(-2.0..2.0_f64), angle in 0.0..6.3_f64, t in -6.0..6.0_f64
        ) {
            let (a, b) = ([v(c[0], c[1]), v(c[2], c[3])], [v(c[4], c[5]), v(c[6], c[7])]);
            let u = v(angle.cos(), angle.sin());
            let touch = segments_touch(a[0] + u * t, a[1] + u * t, b[0], b[1]);
            let within = |slack: f64| {
                touching(a, b, 0.0, u).is_some_and(|[from, to]| from - slack <= t && t <= to + slack)
            };
            prop_assert!(!touch || within(1e-9));
            prop_assert!(touch || !within(-1e-9));
        }
    }
}

//! Exact predicates, which rounding cannot change: side of a line, crossing segments, inside a
//! region.
//!
//! All of them reduce to the sign of a determinant, the orientation of three points. The crate
//! `robust` computes it in floating point and repeats it with more digits where rounding could
//! change the sign (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust
//! geometric predicates").

use crate::Vec2;
use robust::{Coord, orient2d};
use std::cmp::Ordering;

/// Side of the line from `a` to `b` on which `c` lies: `Greater` to the left, `Equal` on the line.
/// Exact; `Equal` if a coordinate is NaN.
#[inline]
pub fn orientation(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let [a, b, c] = [a, b, c].map(|v| Coord { x: v.x, y: v.y });
    orient2d(a, b, c)
        .partial_cmp(&0.0)
        .unwrap_or(Ordering::Equal)
}

/// Twice the signed area of a triangle (m^2), with the right sign, also where it is nearly flat.
#[inline]
pub fn twice_area(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let [a, b, c] = [a, b, c].map(|v| Coord { x: v.x, y: v.y });
    orient2d(a, b, c)
}

/// True if the closed segments `a b` and `c d` share a point. Exact; a segment of length zero is a
/// point.
pub fn segments_touch(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let c_side = orientation(a, b, c);
    let d_side = orientation(a, b, d);
    let a_side = orientation(c, d, a);
    let b_side = orientation(c, d, b);
    // Both segments have the ends of the other on different sides.
    if c_side != d_side && a_side != b_side && a != b && c != d {
        return true;
    }

    // An end of one segment on the other, or segments on one line.
    (c_side == Ordering::Equal && in_box(a, b, c))
        || (d_side == Ordering::Equal && in_box(a, b, d))
        || (a_side == Ordering::Equal && in_box(c, d, a))
        || (b_side == Ordering::Equal && in_box(c, d, b))
}

/// True if the segment from `joint` to `to` runs back along the segment from `from` to `joint`.
/// Exact.
///
/// Neighbouring sides of a curve share their joint in any case; only such ones share more than it.
pub fn folds_back(from: Vec2, joint: Vec2, to: Vec2) -> bool {
    orientation(from, joint, to) == Ordering::Equal && (from - joint).dot(&(to - joint)) > 0.0
}

/// True if `p` lies inside the region with the boundary `edges`, boundary excluded. Exact.
///
/// The ray from `p` towards greater x crosses an odd number of edges. Every vertex must have an
/// even degree. An edge holds its lower end and not its upper one, so a ray through a vertex
/// counts once.
pub fn inside(p: Vec2, edges: impl IntoIterator<Item = (Vec2, Vec2)>) -> bool {
    let mut odd = false;
    for (a, b) in edges {
        let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
        let spans = low.y <= p.y && p.y < high.y;
        odd ^= spans && orientation(low, high, p) == Ordering::Greater;
    }
    odd
}

/// How often the closed curves of directed `edges` go around `p`, counter-clockwise. Exact; `p`
/// must not be on an edge.
pub fn winding(p: Vec2, edges: impl IntoIterator<Item = (Vec2, Vec2)>) -> i64 {
    let mut turns = 0;
    for (a, b) in edges {
        // The ray towards greater x crosses edges that go up on their left side, and others on
        // their right one.
        if a.y <= p.y && p.y < b.y && orientation(a, b, p) == Ordering::Greater {
            turns += 1;
        } else if b.y <= p.y && p.y < a.y && orientation(a, b, p) == Ordering::Less {
            turns -= 1;
        }
    }
    turns
}

/// True if `p` is in the closed box with the corners `a` and `b`.
#[inline]
fn in_box(a: Vec2, b: Vec2, p: Vec2) -> bool {
    within(a.x, b.x, p.x) && within(a.y, b.y, p.y)
}

/// True if `p` is between `a` and `b`, in either order, or equal to one of them.
#[inline]
fn within(a: f64, b: f64, p: f64) -> bool {
    a.min(b) <= p && p <= a.max(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point from its coordinates.
    fn v(x: f64, y: f64) -> Vec2 {
        Vec2::new(x, y)
    }

    #[test]
    fn a_point_one_ulp_off_a_line_is_off_it() {
        let a = v(0.1, 0.1);
        let b = v(1e6 + 0.1, 1e6 + 0.1);
        let on = v(0.5, 0.5);

        assert_eq!(orientation(a, v(0.7, 0.7), on), Ordering::Equal);

        assert_eq!(
            orientation(a, b, v(0.5, 0.5 + f64::EPSILON)),
            Ordering::Greater
        );
        assert_eq!(
            orientation(a, b, v(0.5, 0.5 - f64::EPSILON)),
            Ordering::Less
        );
    }

    /// Boundary of a square with sides `2 r`.
    fn square(r: f64) -> impl Iterator<Item = (Vec2, Vec2)> {
        let c = [v(-r, -r), v(r, -r), v(r, r), v(-r, r)];
        (0..4).map(move |i| (c[i], c[(i + 1) % 4]))
    }

    #[test]
    fn a_curve_goes_around_what_is_inside_once_in_its_direction() {
        let backwards = || square(2.0).map(|(a, b)| (b, a));
        for (p, turns) in [(v(0.5, 0.0), 1), (v(0.0, -2.0), 0), (v(-2.0, 2.0), 0)] {
            assert_eq!(winding(p, square(1.0)), turns, "{p}");
        }
        assert_eq!(winding(v(0.0, 0.0), backwards()), -1);
        assert_eq!(winding(v(0.0, 0.0), square(1.0).chain(square(2.0))), 2);
        assert_eq!(winding(v(0.0, 0.0), square(1.0).chain(backwards())), 0);
    }

    #[test]
    fn a_triangle_that_is_nearly_flat_has_the_right_sign() {
        // Almost on a line: c is one unit in the last place above it.
        let [a, b] = [v(0.5, 0.5), v(12.0, 12.0)];
        let c = v(24.0, 24.0_f64.next_up());
        assert!(twice_area(a, b, c) > 0.0 && twice_area(b, a, c) < 0.0);
        assert_eq!(twice_area(v(0.0, 0.0), v(2.0, 0.0), v(0.0, 3.0)), 6.0);
    }

    #[test]
    fn segments_touch_by_crossing_ending_and_overlapping() {
        let cases = [
            (v(0., 0.), v(2., 2.), v(0., 2.), v(2., 0.), true),
            (v(0., 0.), v(2., 0.), v(1., 0.), v(1., 1.), true),
            (v(0., 0.), v(2., 0.), v(1., f64::EPSILON), v(1., 1.), false),
            (v(0., 0.), v(2., 0.), v(1., 0.), v(3., 0.), true),
            (v(0., 0.), v(2., 0.), v(2.5, 0.), v(3., 0.), false),
            (v(1., 0.), v(1., 0.), v(0., 0.), v(2., 0.), true),
            (v(1., 1.), v(1., 1.), v(0., 0.), v(2., 0.), false),
            (v(3., 0.), v(3., 0.), v(0., 0.), v(2., 0.), false),
            (v(1., 1.), v(1., 1.), v(1., 1.), v(1., 1.), true),
        ];
        for (a, b, c, d, expected) in cases {
            assert_eq!(segments_touch(a, b, c, d), expected, "{a} {b} {c} {d}");
            assert_eq!(segments_touch(d, c, b, a), expected, "{d} {c} {b} {a}");
        }
    }

    #[test]
    fn a_ring_has_an_inside_and_a_hole() {
        let in_ring = |x: f64, y: f64| inside(v(x, y), square(2.0).chain(square(1.0)));
        assert!(in_ring(1.5, 0.0) && in_ring(-1.5, 1.0));
        assert!(!in_ring(0.0, 0.0) && !in_ring(3.0, 1.0) && !in_ring(-3.0, 1.0));
    }
}

//! Gaps of convex shapes against brute force, and shapes that are refused.

use super::*;
use crate::geometry::predicates::{orientation, segments_touch};
use proptest::prelude::*;
use std::cmp::Ordering;

/// Points in a square with sides `2 size`.
fn vec2(size: f64) -> impl Strategy<Value = Vec2> {
    (-size..size, -size..size).prop_map(|(x, y)| Vec2::new(x, y))
}

/// A shape at a place and an angle.
fn placed(shape: &Convex, center: Vec2, angle: f64) -> Placed<'_> {
    Placed {
        shape,
        center,
        rotation: Rotation2::new(angle),
    }
}

/// All segments between two of the points, also of length zero.
fn segments(x: &[Vec2]) -> Vec<[Vec2; 2]> {
    x.iter()
        .flat_map(|p| x.iter().map(move |q| [*p, *q]))
        .collect()
}

/// True if `p` is inside a triangle of three of the points.
fn in_a_triangle(x: &[Vec2], p: Vec2) -> bool {
    let left_of = |a: Vec2, b: Vec2| orientation(a, b, p) == Ordering::Greater;
    for [i, j] in segments(x) {
        if left_of(i, j) && x.iter().any(|&k| left_of(j, k) && left_of(k, i)) {
            return true;
        }
    }
    false
}

/// Distance of two hulls by all segments between two vertices of each body. It is 0 if two segments
/// cross or a vertex of one body is inside a triangle of the other.
fn brute_distance(a: &[Vec2], b: &[Vec2]) -> f64 {
    let one_inside = b.iter().any(|p| in_a_triangle(a, *p));
    if one_inside || a.iter().any(|p| in_a_triangle(b, *p)) {
        return 0.0;
    }

    let mut nearest = f64::INFINITY;
    for [p, q] in segments(a) {
        for [r, s] in segments(b) {
            if segments_touch(p, q, r, s) {
                return 0.0;
            }
            nearest = nearest
                .min(point_edge(p, r, s).distance)
                .min(point_edge(r, p, q).distance);
        }
    }
    nearest
}

proptest! {
    #[test]
    fn the_gap_is_the_distance_of_the_hulls_or_not_positive(
        a in prop::collection::vec(vec2(1.0), 1..6),
        b in prop::collection::vec(vec2(1.0), 1..6),
        center in vec2(3.0),
        angle in -7.0..7.0,
    ) {
        let first = Convex::hull(a.clone(), 0.0).unwrap();
        let second = Convex::hull(b.clone(), 0.0).unwrap();
        let turned = placed(&second, center, angle);
        let found = separation(&placed(&first, Vec2::zeros(), 0.0), &turned).unwrap();

        let moved: Vec<Vec2> = b.iter().map(|x| center + Rotation2::new(angle) * x).collect();
        let truth = brute_distance(&a, &moved);
        prop_assert!((found.gap.max(0.0) - truth).abs() < 1e-14, "{} against {}", found.gap, truth);
        if truth > 0.0 {
            let [p, q] = found.points;
            prop_assert!((q - p - found.normal * truth).norm() < 1e-13);
        }
    }

    #[test]
    fn a_radius_takes_its_share_of_the_gap_and_moves_the_points(
        b in prop::collection::vec(vec2(0.5), 1..6),
        height in 2.0..4.0,
        radius in 0.0..1.0,
        angle in -7.0..7.0,
    ) {
        let sharp = Convex::hull(b.clone(), 0.0).unwrap();
        let round = Convex::hull(b.clone(), radius).unwrap();
        let floor = Convex::half_plane(Vec2::new(0.0, 3.0)).unwrap();
        let below = placed(&floor, Vec2::new(7.0, 0.5), 0.0);
        let center = Vec2::new(0.0, height);

        // The gap is the height of the lowest vertex, less the radius.
        let turned = b.iter().map(|x| (Rotation2::new(angle) * x).y);
        let lowest = turned.fold(f64::INFINITY, f64::min);
        for (shape, radius) in [(&sharp, 0.0), (&round, radius)] {
            let found = separation(&below, &placed(shape, center, angle)).unwrap();
            prop_assert!((found.gap - (height + lowest - radius - 0.5)).abs() < 1e-14);
            let [p, q] = found.points;
            prop_assert!((p.y - 0.5).abs() < 1e-15 && (found.normal - Vec2::y()).norm() < 1e-15);
            prop_assert!((q - p - Vec2::y() * found.gap).norm() < 1e-14);
            let turned = separation(&placed(shape, center, angle), &below).unwrap();
            prop_assert_eq!(turned.points, [q, p]);
            prop_assert_eq!(turned.normal, -found.normal);
        }
    }
}

#[test]
fn the_gap_between_parallel_edges_keeps_its_digits_however_small() {
    let square = Convex::hull(
        vec![
            Vec2::new(-1.0, -1.0),
            Vec2::new(1.0, -1.0),
            Vec2::new(1.0, 1.0),
            Vec2::new(-1.0, 1.0),
        ],
        0.0,
    )
    .unwrap();

    // One square above the other, shifted sideways.
    for k in 4..40 {
        let gap = 0.5_f64.powi(k);
        let found = separation(
            &placed(&square, Vec2::zeros(), 0.0),
            &placed(&square, Vec2::new(0.3, 2.0 + gap), 0.0),
        )
        .unwrap();
        assert!(
            (found.gap - gap).abs() < 1e-15 && (found.normal - Vec2::y()).norm() < 1e-15,
            "{gap} {found:?}"
        );
    }
}

#[test]
fn what_is_no_shape_is_refused_with_its_number() {
    assert_eq!(Convex::hull(vec![], 0.0), Err(ConvexError::Empty));
    assert_eq!(
        Convex::hull(vec![Vec2::zeros()], -1.0),
        Err(ConvexError::Radius(-1.0))
    );
    assert!(Convex::hull(vec![Vec2::zeros()], f64::NAN).is_err());

    let bad = Convex::hull(vec![Vec2::zeros(), Vec2::new(1.0, f64::INFINITY)], 0.0).unwrap_err();
    assert_eq!(
        bad.to_string(),
        "vertex 1 of a convex body is (1, inf); give it finite coordinates"
    );
    assert_eq!(
        Convex::half_plane(Vec2::zeros()),
        Err(ConvexError::Normal { x: 0.0, y: 0.0 })
    );
    assert!(Convex::half_plane(Vec2::new(f64::NAN, 1.0)).is_err());
}

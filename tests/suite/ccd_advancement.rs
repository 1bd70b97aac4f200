//! Impacts of moving convex bodies, compared with closed forms and with a search that uses no
//! support mapping.

use crate::support::near_point;
use ipcsim::contact::ccd::advancement::{AdvancementError, Impact, MovingBody, first_impact};
use ipcsim::geometry::convex::Convex;
use ipcsim::geometry::distance::point_edge;
use ipcsim::geometry::path::RigidMotion;
use ipcsim::geometry::predicates::segments_touch;
use ipcsim::math::Vec2;
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// A vector (m).
fn v(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

/// A body that moves and turns within the step.
fn moving(shape: &Convex, center: Vec2, translation: Vec2, angle: f64) -> MovingBody<'_> {
    MovingBody {
        shape,
        motion: RigidMotion {
            center,
            translation,
            angle,
        },
    }
}

/// A body at rest.
fn still(shape: &Convex, center: Vec2) -> MovingBody<'_> {
    moving(shape, center, Vec2::zeros(), 0.0)
}

/// Corners of a regular polygon.
fn polygon(sides: u32, radius: f64) -> Vec<Vec2> {
    (0..sides)
        .map(|k| 2.0 * PI * f64::from(k) / f64::from(sides))
        .map(|a| v(a.cos(), a.sin()) * radius)
        .collect()
}

/// A box with sides of 1 whose sides are parallel to the axes.
fn unit_box(scale: f64) -> Convex {
    Convex::hull(
        [v(-0.5, -0.5), v(0.5, -0.5), v(0.5, 0.5), v(-0.5, 0.5)]
            .map(|x| x * scale)
            .to_vec(),
        0.0,
    )
    .unwrap()
}

/// The half-plane below `y = 0`, as a floor.
fn floor() -> Convex {
    Convex::half_plane(v(0.0, 1.0)).unwrap()
}

/// First time at which `gap` vanishes, found by steps that are safe by the Lipschitz constant
/// `speed`.
fn first_root(gap: impl Fn(f64) -> f64, speed: f64) -> Option<f64> {
    let mut t = 0.0;
    while gap(t) > 1e-13 && t < 1.0 {
        t += gap(t) / speed;
    }
    (t < 1.0).then_some(t)
}

#[test]
fn a_box_that_lands_on_its_corner_lands_when_its_corner_is_lowest() {
    let shape = unit_box(1.0);
    let plane = floor();
    let landing = 0.7;
    let speed = 3.0;
    for quarters in -8..=8 {
        // Down to the floor at `landing`, when an odd number of eighths of a turn has been made.
        let angle = (FRAC_PI_4 + FRAC_PI_2 * f64::from(quarters)) / landing;
        let height = speed * landing + 0.5_f64.sqrt();
        let body = moving(&shape, v(2.0, height), v(1.0, -speed), angle);
        let impact = first_impact(&body, &still(&plane, v(-5.0, 0.0)))
            .unwrap()
            .unwrap();

        assert!(
            impact.toi <= landing * (1.0 + 1e-15) && impact.toi > landing * (1.0 - 1e-6),
            "{angle}: {}",
            impact.toi
        );
        near_point(impact.normal, v(0.0, -1.0), 1e-15);

        // The corner is where the floor is level with it, within the way made in the missing time.
        for point in impact.points {
            assert!(
                (point - v(2.0 + landing, 0.0)).norm() < 1e-6 * (1.0 + angle.abs()),
                "{angle}: {point}"
            );
        }
    }
}

#[test]
fn a_box_lands_on_a_turning_corner_when_a_scalar_search_says_so() {
    let plane = floor();
    let landed = std::cell::Cell::new(0);
    for k in 0..60 {
        let angle = -30.0 + f64::from(k);
        let height = 1.0 + 0.03 * f64::from(k);
        let lowest = |t: f64| 0.5 * ((angle * t).sin().abs() + (angle * t).cos().abs());
        let truth = first_root(|t| height - 2.0 * t - lowest(t), 2.0 + 0.75 * angle.abs());

        for (scale, offset) in [(1.0, 0.0), (1e-3, 0.0), (1e3, 0.0), (1.0, 1e6)] {
            let shape = unit_box(scale);
            let at = v(offset, -offset);
            let body = moving(
                &shape,
                at + v(0.0, height) * scale,
                v(0.5, -2.0) * scale,
                angle,
            );
            let found = first_impact(&still(&plane, at), &body)
                .unwrap()
                .map(|impact| impact.toi);

            // Rounding of the input's own heights, at half the speed or more.
            let blur = f64::EPSILON * offset / scale;
            match (found, truth) {
                (Some(toi), Some(truth)) => {
                    assert!(
                        toi <= truth + 1e-12 + blur && toi > truth * (1.0 - 1e-6),
                        "{angle}: {toi} {truth}"
                    );
                    landed.set(landed.get() + 1);
                }
                (found, truth) => assert!(
                    found.is_none() && truth.is_none(),
                    "{angle}: {found:?} {truth:?}"
                ),
            }
        }
    }

    assert!(landed.get() > 100);
}

#[test]
fn a_rod_swings_into_a_post_at_the_angle_of_the_tangent() {
    for (thickness, post) in [(0.0, 0.0), (0.0, 0.2), (0.1, 0.0), (0.1, 0.3)] {
        for angle in [1.0_f64, 2.0, 3.0, 40.0] {
            for sign in [1.0, -1.0] {
                let rod = Convex::hull(vec![v(0.0, 0.0), v(2.0, 0.0)], thickness).unwrap();
                let pillar = Convex::hull(vec![v(0.0, 0.0)], post).unwrap();
                let swing = moving(&rod, v(0.0, 0.0), v(0.0, 0.0), sign * angle);
                let at = v(1.5 * 0.8_f64.cos(), sign * 1.5 * 0.8_f64.sin());
                let impact = first_impact(&swing, &still(&pillar, at)).unwrap().unwrap();

                // The rod touches a circle around the post's middle, of both radii together.
                let tangent = 0.8 - ((thickness + post) / 1.5).asin();
                let toi = impact.toi;
                assert!(
                    toi * angle <= tangent * (1.0 + 1e-15) && toi * angle > tangent * (1.0 - 1e-6),
                    "{angle}: {toi}"
                );
                let normal = v(-tangent.sin(), sign * tangent.cos());
                assert!(
                    (impact.normal - normal).norm() < 1e-6,
                    "{} against {normal}",
                    impact.normal
                );
                near_point(impact.points[0], at - normal * post, 1e-6);
                near_point(impact.points[1], impact.points[0], 1e-8);
            }
        }
    }
}

#[test]
fn a_vertex_at_the_end_of_a_level_arm_comes_down_as_fast_as_the_bound_allows() {
    let vertex = Convex::hull(vec![v(1.0, 0.2_f64.tan())], 0.0).unwrap();
    let plane = floor();
    for angle in [-0.3, -1.0, -5.0, -50.0] {
        let impact = first_impact(
            &moving(&vertex, v(0.0, 0.0), v(0.0, 0.0), angle),
            &still(&plane, v(0.0, 0.0)),
        );
        let toi = impact.unwrap().unwrap().toi;
        let truth = -0.2 / angle;
        assert!(
            toi <= truth * (1.0 + 1e-15) && toi > truth * (1.0 - 1e-6),
            "{angle}: {toi}"
        );
    }
}

#[test]
fn a_rod_that_swings_past_a_post_out_of_its_reach_misses_it() {
    let rod = Convex::hull(vec![v(0.0, 0.0), v(2.0, 0.0)], 0.0).unwrap();
    let post = Convex::hull(polygon(16, 0.5), 0.0).unwrap();

    for angle in [3.0, -3.0, 100.0, -1000.0] {
        // The post's vertex at its left is the nearest one.
        let swing = moving(&rod, v(0.0, 0.0), v(0.0, 0.0), angle);
        assert_eq!(
            first_impact(&swing, &still(&post, v(2.5 + 1e-4, 1e-3)))
                .unwrap()
                .map(|i| i.toi),
            None,
            "{angle}"
        );
    }
}

#[test]
fn a_spin_too_fast_for_the_advances_ends_at_a_safe_time() {
    let shape = unit_box(1.0);
    let plane = floor();
    let body = moving(&shape, v(0.0, 2.0), v(0.0, -2.0), 1e9);
    let impact = first_impact(&body, &still(&plane, v(0.0, 0.0)))
        .unwrap()
        .unwrap();

    // Not before the turning disk reaches the floor can there be an impact.
    assert!(
        impact.toi > 0.0 && impact.toi <= 0.5 * (2.0 - 0.5_f64.sqrt()) + 1e-6,
        "{}",
        impact.toi
    );
}

#[test]
fn bodies_that_touch_or_overlap_have_their_impact_at_zero_and_those_that_part_have_none() {
    let shape = unit_box(1.0);
    let plane = floor();
    let toi = |height: f64, speed: f64| {
        let body = moving(&shape, v(0.0, height), v(0.0, speed), 0.0);
        first_impact(&body, &still(&plane, v(0.0, 0.0)))
            .unwrap()
            .map(|impact| impact.toi)
    };
    assert_eq!(toi(0.5, 1.0), Some(0.0));
    assert_eq!(toi(-3.0, 1.0), Some(0.0));
    assert_eq!(toi(0.6, 1.0), None);
    assert_eq!(toi(0.6, 0.0), None);
    assert_eq!(toi(0.6, -0.09), None);
}

#[test]
fn what_cannot_be_advanced_is_refused() {
    let shape = unit_box(1.0);
    let plane = floor();
    let body = still(&shape, v(0.0, 2.0));
    let turning = moving(&plane, v(0.0, 0.0), v(0.0, 0.0), 0.1);
    let refused = |a: &MovingBody, b: &MovingBody| first_impact(a, b).unwrap_err();

    assert_eq!(
        refused(&body, &turning),
        AdvancementError::TurningHalfPlane {
            body: 1,
            angle: 0.1
        }
    );
    assert_eq!(
        refused(&still(&plane, v(0.0, 0.0)), &still(&plane, v(0.0, 1.0))),
        AdvancementError::TwoHalfPlanes
    );

    for bad in [f64::NAN, f64::INFINITY] {
        for broken in [
            moving(&shape, v(bad, 0.0), v(0.0, 0.0), 0.0),
            moving(&shape, v(0.0, 0.0), v(0.0, bad), 0.0),
        ] {
            assert_eq!(
                refused(&broken, &body),
                AdvancementError::Motion { body: 0 }
            );
        }

        assert_eq!(
            refused(&body, &moving(&shape, v(0.0, 0.0), v(0.0, 0.0), bad)),
            AdvancementError::Motion { body: 1 }
        );
    }

    // Numbers at their limits stop at once.
    let vast = Convex::hull(vec![v(1e300, 0.0), v(-1e300, 1e300)], 0.0).unwrap();
    assert_eq!(
        first_impact(&moving(&vast, v(0.0, 0.0), v(1e300, 0.0), 1e300), &body)
            .unwrap()
            .map(|i| i.toi),
        Some(0.0)
    );
}

/// The boundaries' distance by all pairs of edges, 0 where two touch.
fn boundary_distance(a: &[Vec2], b: &[Vec2]) -> f64 {
    let edges = |x: &[Vec2]| {
        (0..x.len())
            .map(|i| (x[i], x[(i + 1) % x.len()]))
            .collect::<Vec<_>>()
    };
    let mut nearest = f64::INFINITY;

    for (p, q) in edges(a) {
        for (r, s) in edges(b) {
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

/// True if `distance`, which changes by at most `speed` per unit of time, stays positive on `[t0,
/// t1]`.
fn stays_positive(distance: &impl Fn(f64) -> f64, speed: f64, t0: f64, t1: f64) -> bool {
    let middle = 0.5 * (t0 + t1);
    let half = 0.5 * (t1 - t0);
    distance(middle) > speed * half
        || (half > 1e-13
            && stays_positive(distance, speed, t0, middle)
            && stays_positive(distance, speed, middle, t1))
}

proptest! {
    #[test]
    fn no_polygons_pass_the_true_impact_nor_stop_before_it(
        sides in (2_u32..8, 2_u32..8), sizes in (0.2..1.0, 0.2..1.0), direction in 0.0..6.3,
        travel in (-4.0..4.0, -4.0..4.0), angles in (-40.0..40.0, -5.0..5.0),
    ) {
        let corners = [polygon(sides.0, sizes.0), polygon(sides.1, sizes.1)];
        let shapes = corners.clone().map(|x| Convex::hull(x, 0.0).unwrap());
        let a = moving(&shapes[0], v(0.0, 0.0), v(0.0, 0.0), angles.0);
        let b = moving(&shapes[1], v(f64::cos(direction), f64::sin(direction)) * 2.5, v(travel.0, travel.1), angles.1);
        let place = |i: usize, motion: RigidMotion, t: f64| -> Vec<Vec2> {
            corners[i].iter().map(|x| motion.center + motion.translation * t + motion.rotation(t) * x).collect()
        };
        let distance = |t: f64| boundary_distance(&place(0, a.motion, t), &place(1, b.motion, t));
        let speed = b.motion.translation.norm() + sizes.0 * angles.0.abs() + sizes.1 * angles.1.abs();
        let found: Option<Impact> = first_impact(&a, &b).unwrap();
        let safe = found.map_or(1.0, |impact| impact.toi);

        prop_assert!(stays_positive(&distance, speed, 0.0, safe), "{:?}", found);
        if let Some(Impact { points: [p, q], normal, .. }) = found {
            prop_assert!(distance(safe) <= 2e-9 * distance(0.0) + 1e-13, "{:?} at {}", found, distance(safe));
            prop_assert!((q - p - normal * distance(safe)).norm() < 1e-13);
        }
    }
}

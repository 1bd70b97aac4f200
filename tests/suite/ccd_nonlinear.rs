//! Times of impact along curved paths, compared with closed forms and with a Lipschitz search that
//! uses no chords.

use ipcsim::contact::ccd::{NarrowPhase, arc};
use ipcsim::geometry::distance::point_edge;
use ipcsim::geometry::path::{RigidMotion, RigidPath, Straight, Trajectory};
use ipcsim::math::Vec2;
use proptest::prelude::*;
use proptest::sample::select;
use std::f64::consts::{FRAC_PI_6, PI};

/// The linear methods under the curves.
const METHODS: [NarrowPhase; 3] = NarrowPhase::ALL;

/// A vector (m).
fn v(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

/// A vertex at rest.
fn still(x: f64, y: f64) -> Straight {
    Straight::still(v(x, y))
}

/// A turn about `center` without translation.
fn turn(center: Vec2, angle: f64, arm: Vec2) -> RigidPath {
    RigidMotion {
        center,
        translation: Vec2::zeros(),
        angle,
    }
    .carry(arm)
}

/// The standard example, placed and scaled: a point half a unit above an edge of length 2 that
/// turns about its middle.
fn standard(method: NarrowPhase, angle: f64, offset: Vec2, scale: f64) -> Option<f64> {
    let point = Straight::still(offset + v(0.0, 0.5) * scale);
    let edge = [-1.0, 1.0].map(|x| turn(offset, angle, v(x, 0.0) * scale));
    arc::time_of_impact(method, [&point, &edge[0], &edge[1]], 0.0)
}

/// A vertex that turns about `(0, 0.5)` above a long edge at rest.
fn vertex_above_edge(method: NarrowPhase, angle: f64) -> Option<f64> {
    let point = turn(v(0.0, 0.5), angle, v(-1.0, 0.0));
    arc::time_of_impact(method, [&point, &still(-2.0, 0.0), &still(2.0, 0.0)], 0.0)
}

#[test]
fn an_edge_turning_any_number_of_times_meets_the_point_at_a_quarter_turn() {
    for method in METHODS {
        for (angle, truth) in [
            (PI, 0.5),
            (2.0 * PI, 0.25),
            (4.0 * PI, 0.125),
            (20.0 * PI, 0.025),
            (100.0 * PI, 0.005),
        ] {
            for angle in [angle, -angle] {
                let toi = standard(method, angle, Vec2::zeros(), 1.0).unwrap();
                assert!(
                    toi <= truth && toi >= (1.0 - 2e-6) * truth,
                    "{angle}: {toi} against {truth}"
                );
            }
        }
    }
}

#[test]
fn the_standard_example_is_the_same_far_away_and_at_other_sizes() {
    for method in METHODS {
        for angle in [PI, -4.0 * PI, 100.0 * PI] {
            let truth = 0.5 * PI / angle.abs();
            for (offset, scale) in [
                (0.0, 1e-3),
                (0.0, 1e3),
                (1e6, 1.0),
                (-1e6, 1e3),
                (1e6, 1e-3),
            ] {
                let toi = standard(method, angle, v(offset, 0.3 * offset), scale).unwrap();

                // Rounding of the positions as a share of the gap, which is not distinguishable
                // from contact.
                let blur = 1e-15 * offset.abs() / scale;
                assert!(
                    toi <= truth * (1.0 + blur),
                    "{angle} {offset} {scale}: {toi}"
                );
                assert!(
                    toi >= truth * (1.0 - 2e-6 - 10.0 * blur),
                    "{angle} {offset} {scale}: {toi}"
                );
            }
        }
    }
}

#[test]
fn a_turning_vertex_meets_the_edge_when_its_sine_says_so() {
    for method in METHODS {
        for k in 0..=40 {
            let angle = FRAC_PI_6 * 1.2_f64.powi(k);
            let toi = vertex_above_edge(method, angle).unwrap();
            assert!(
                toi * angle <= FRAC_PI_6 && toi * angle > FRAC_PI_6 * (1.0 - 2e-6),
                "{angle}: {toi}"
            );

            let angle = -7.0 * angle;
            let truth = 7.0 * FRAC_PI_6;
            let toi = vertex_above_edge(method, angle).unwrap();
            assert!(
                toi * -angle <= truth * (1.0 + 1e-15) && toi * -angle > truth * (1.0 - 2e-6),
                "{angle}: {toi}"
            );
        }
    }
}

#[test]
fn a_turning_vertex_that_does_not_reach_the_edge_misses_it() {
    for method in METHODS {
        for k in 1..400 {
            let between = -7.0 * FRAC_PI_6 + 8.0 * FRAC_PI_6 * f64::from(k) / 400.0;
            assert_eq!(vertex_above_edge(method, between), None, "{between}");
        }
        for angle in [FRAC_PI_6 - 1e-5, -7.0 * FRAC_PI_6 + 1e-5] {
            assert_eq!(vertex_above_edge(method, angle), None, "{angle}");
        }
    }
}

#[test]
fn a_near_miss_is_a_miss_on_every_turn() {
    for method in METHODS {
        for angle in [PI, -PI, 2.0 * PI, -4.0 * PI, 100.0 * PI, -1000.0 * PI] {
            for miss in [1e-2, 1e-4, 1e-5] {
                let edge = [-1.0, 1.0].map(|x| turn(Vec2::zeros(), angle, v(x, 0.0)));
                let tip_passes = still(0.0, 1.0 + miss);
                assert_eq!(
                    arc::time_of_impact(method, [&tip_passes, &edge[0], &edge[1]], 0.0),
                    None,
                    "{angle} {miss}"
                );

                let grazing = turn(v(0.0, 1.0 + miss), angle, v(1.0, 0.0));
                let floor = [still(-2.0, 0.0), still(2.0, 0.0)];
                assert_eq!(
                    arc::time_of_impact(method, [&grazing, &floor[0], &floor[1]], 0.0),
                    None,
                    "{angle} {miss}"
                );
            }
        }
    }
}

#[test]
fn a_hit_just_inside_a_circle_is_found_wherever_the_chords_are() {
    for (method, depth) in METHODS
        .into_iter()
        .flat_map(|method| [1e-2_f64, 1e-3, 1e-4, 1e-5].map(|depth| (method, depth)))
    {
        // The initial gap is at most 2, and the vertex comes to the wall at `sin(acos(1 - depth))`
        // or more per radian.
        let early = 2e-6 / (depth * (2.0 - depth)).sqrt();
        for k in 1..60 {
            let truth = 0.05 * f64::from(k);
            for angle in [PI, -PI, 4.0 * PI, -100.0 * PI] {
                let towards = |a: f64| v(a.cos(), a.sin() * angle.signum());
                let edge = [0.5, 1.0].map(|x| turn(Vec2::zeros(), angle, v(x, 0.0)));
                let inside = Straight::still(towards(truth) * (1.0 - depth));

                // The vertex's circle is cut by a wall at `acos(1 - depth)` before and after its
                // rightmost point.
                let vertex = turn(Vec2::zeros(), angle, towards(-truth - (1.0 - depth).acos()));
                let wall = [-3.0, 3.0].map(|y| still(1.0 - depth, y));
                let hits: [[&dyn Trajectory; 3]; 2] =
                    [[&inside, &edge[0], &edge[1]], [&vertex, &wall[0], &wall[1]]];

                for paths in hits {
                    let turned = arc::time_of_impact(method, paths, 0.0).unwrap() * angle.abs();
                    assert!(
                        turned <= truth * (1.0 + 1e-12 / depth) && turned > truth - early,
                        "{angle} {truth} {depth}: {turned}"
                    );
                }
            }
        }
    }
}

#[test]
fn two_points_on_circles_that_lean_towards_each_other_meet() {
    for method in METHODS {
        // Unit circles about (-1, 0) and (1, 0) touch at the origin, where both points are after
        // half a turn; with a smaller radius they pass each other.
        for turns in [0.5, 1.0, 2.0, 10.5, 40.0] {
            for angle in [2.0 * PI * turns, -2.0 * PI * turns] {
                let meet = |radius: f64| {
                    let left = turn(v(-1.0, 0.0), angle, v(-radius, 0.0));
                    let right = turn(v(1.0, 0.0), -angle, v(radius, 0.0));
                    arc::point_point(method, [&left, &right], 0.0)
                };
                let toi = meet(1.0).unwrap();
                let truth = 0.5 / turns;

                // A gap that opens as the square of the time is below 1e-6 of the initial one for
                // longer.
                assert!(toi <= truth && toi > truth * (1.0 - 2e-3), "{angle}: {toi}");
                assert_eq!(meet(1.0 - 1e-4), None);
            }
        }
    }
}

#[test]
fn a_separation_is_met_earlier_by_what_it_takes() {
    for method in METHODS {
        let falling = Straight {
            start: v(0.0, 1.0),
            end: v(0.0, -1.0),
        };
        let floor = [still(-1.0, 0.0), still(1.0, 0.0)];

        for separation in [0.0, 1e-3, 0.25, 0.999] {
            let toi =
                arc::time_of_impact(method, [&falling, &floor[0], &floor[1]], separation).unwrap();
            let truth = 0.5 * (1.0 - separation);
            assert!(
                toi <= truth && toi > truth * (1.0 - 2e-6),
                "{separation}: {toi}"
            );
        }
    }
}

#[test]
fn a_slide_along_an_edge_ends_at_a_safe_time_however_long_it_is_for_its_gap() {
    for method in METHODS {
        let edge = [still(-1.0, -1.0), still(3.0, 3.0)];
        for gap in [1e-2, 1e-4, 1e-8, 1e-12] {
            // One point keeps its gap, the other crosses the edge half way.
            let kept = Straight {
                start: v(0.0, gap),
                end: v(2.0, 2.0 + gap),
            };
            let crossing = Straight {
                start: v(0.0, gap),
                end: v(2.0, 2.0 - gap),
            };
            let toi =
                |point: &Straight| arc::time_of_impact(method, [point, &edge[0], &edge[1]], 0.0);

            assert!(toi(&kept).is_none_or(|toi| toi > 0.0 && toi < 1.0), "{gap}");
            assert!(
                toi(&crossing).is_some_and(|toi| toi > 0.0 && toi <= 0.5 + 1e-15 / gap),
                "{gap}"
            );
        }

        assert_eq!(
            arc::time_of_impact(
                method,
                [
                    &Straight {
                        start: v(0.0, 1e-2),
                        end: v(2.0, 2.01)
                    },
                    &edge[0],
                    &edge[1]
                ],
                0.0
            ),
            None
        );
    }
}

#[test]
fn what_is_no_usable_input_is_answered_by_zero_and_what_starts_in_contact_too() {
    for method in METHODS {
        let floor = [still(-1.0, 0.0), still(1.0, 0.0)];
        let toi = |point: &dyn Trajectory, separation| {
            arc::time_of_impact(method, [point, &floor[0], &floor[1]], separation)
        };
        // In contact at the start, and apart.
        assert_eq!(toi(&still(0.0, 0.0), 0.0), Some(0.0));
        assert_eq!(toi(&still(0.0, 0.1), 0.1), Some(0.0));
        assert_eq!(toi(&still(0.0, 0.1), 0.0), None);

        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(toi(&still(0.0, bad), 0.0), Some(0.0));
            assert_eq!(
                toi(
                    &Straight {
                        start: v(0.0, 1.0),
                        end: v(bad, 1.0)
                    },
                    0.0
                ),
                Some(0.0)
            );
            assert_eq!(toi(&turn(v(0.0, 2.0), bad, v(1.0, 0.0)), 0.0), Some(0.0));
            assert_eq!(toi(&turn(v(0.0, 2.0), 1.0, v(bad, 0.0)), 0.0), Some(0.0));
        }

        assert_eq!(toi(&still(0.0, 0.1), f64::NAN), Some(0.0));
        assert_eq!(toi(&still(0.0, 0.1), -1.0), Some(0.0));
    }
}

/// True if the distance of three moving points stays positive on `[t0, t1]`. It does if the
/// distance in the middle exceeds the way that they can travel until either end; otherwise both
/// halves are examined.
fn stays_apart(paths: [&RigidPath; 3], t0: f64, t1: f64) -> bool {
    let speed = |path: &RigidPath| {
        path.motion.translation.norm() + path.motion.angle.abs() * path.arm.norm()
    };
    let approach = speed(paths[0]) + speed(paths[1]).max(speed(paths[2]));
    let middle = 0.5 * (t0 + t1);
    let half = 0.5 * (t1 - t0);
    let [p, a, b] = paths.map(|path| path.position(middle));

    if point_edge(p, a, b).distance > approach * half {
        return true;
    }

    half > 1e-13 && stays_apart(paths, t0, middle) && stays_apart(paths, middle, t1)
}

/// Vectors with components up to `size`.
fn vec2(size: f64) -> impl Strategy<Value = Vec2> {
    (-size..size, -size..size).prop_map(|(x, y)| Vec2::new(x, y))
}

/// Motions with a translation and a turn.
fn motion() -> impl Strategy<Value = RigidMotion> {
    let angle = prop_oneof![-PI..PI, -20.0..20.0, -200.0..200.0];
    (vec2(3.0), vec2(4.0), angle).prop_map(|(center, translation, angle)| RigidMotion {
        center,
        translation,
        angle,
    })
}

fn check(paths: [&RigidPath; 3], toi: Option<f64>) -> Result<(), TestCaseError> {
    let gap = |t: f64| {
        let [p, a, b] = paths.map(|path| path.position(t));
        point_edge(p, a, b).distance
    };
    let safe = toi.unwrap_or(1.0);
    prop_assert!(
        gap(safe) > 0.0 && stays_apart(paths, 0.0, safe),
        "{:?} passes an impact",
        toi
    );
    prop_assert!(
        toi.is_none() || gap(safe) <= 1e-6 * gap(0.0),
        "{:?} stops at {}",
        toi,
        gap(safe)
    );
    Ok(())
}

proptest! {
    #[test]
    fn no_point_and_edge_pass_the_true_impact_nor_stop_before_it(
        bodies in (motion(), motion()), point in vec2(1.5), edge in (vec2(1.5), vec2(1.5)),
 method in select(METHODS.to_vec()), ) {
        let point = bodies.0.carry(point);
        let edge = (bodies.1.carry(edge.0), bodies.1.carry(edge.1));
        let toi = arc::time_of_impact(method, [&point, &edge.0, &edge.1], 0.0);
        check([&point, &edge.0, &edge.1], toi)?;
    }

    #[test]
    fn no_two_points_pass_the_true_impact_nor_stop_before_it(
        bodies in (motion(), motion()), arm in vec2(1.5), t in 0.01..1.0, miss in vec2(1e-3), meet in any::<bool>(),
 method in select(METHODS.to_vec()), ) {
        let point = bodies.0.carry(arm);
        let mut other = bodies.1.carry(Vec2::new(0.5, 0.5));
        // Two points seldom meet: move the second one's body so that they do at `t`, or nearly.
        other.motion.center += point.position(t) - other.position(t) + if meet { Vec2::zeros() } else { miss };
        let toi = arc::point_point(method, [&point, &other], 0.0);
        check([&point, &other, &other], toi)?;
        prop_assert!(!meet || toi.is_some_and(|toi| toi <= t));
    }
}

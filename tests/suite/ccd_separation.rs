//! A minimum separation: impacts whose time has a closed form, and safety against exact distances.

use crate::ccd_families::{self as families, Random};
use ipcsim::contact::ccd::{NarrowPhase, Query};
use ipcsim::geometry::distance::point_edge;
use ipcsim::math::Vec2;
use num_rational::BigRational;
use num_traits::{One, Signed};

/// A rational number.
type Exact = BigRational;

/// The number, exactly.
fn exact(x: f64) -> Exact {
    Exact::from_float(x).unwrap()
}

/// True if the distance at `t` is above `separation`, in rational arithmetic.
fn is_apart(query: &Query, t: &Exact, separation: &Exact) -> bool {
    let [p, a, b] = [0, 1, 2].map(|i| {
        [0, 1].map(|k| exact(query.start[i][k]) * (Exact::one() - t) + exact(query.end[i][k]) * t)
    });
    let minus = |x: &[Exact; 2], y: &[Exact; 2]| [&x[0] - &y[0], &x[1] - &y[1]];
    let dot = |x: &[Exact; 2], y: &[Exact; 2]| &x[0] * &y[0] + &x[1] * &y[1];
    let edge = minus(&b, &a);
    let from_a = minus(&p, &a);
    let from_b = minus(&p, &b);
    let along = dot(&from_a, &edge);
    let length = dot(&edge, &edge);
    let square = separation * separation;

    if !along.is_positive() {
        dot(&from_a, &from_a) > square
    } else if along >= length {
        dot(&from_b, &from_b) > square
    } else {
        let cross = &edge[0] * &from_a[1] - &edge[1] * &from_a[0];
        &cross * &cross > square * length
    }
}

/// At `toi` itself the distance may be the separation, and at 0 it may be below it; before, it is
/// above.
fn assert_apart(method: NarrowPhase, query: &Query, separation: f64, what: &str) {
    let toi = method.time_of_impact(query, separation);
    let last = exact(toi.unwrap_or(1.0));
    let d = exact(separation);

    for sixty_fourths in [0, 16, 32, 48, 63, 64] {
        let t = &last * Exact::new(sixty_fourths.into(), 64.into());
        let open = toi.is_none() || t < last;
        assert!(
            !open || is_apart(query, &t, &d),
            "{what}, {method:?}: {toi:?} {separation} {query:?}"
        );
    }
}

#[test]
fn no_method_lets_the_distance_fall_to_the_separation() {
    for method in NarrowPhase::ALL {
        for (name, generate) in families::ALL {
            let mut random = Random(11);
            for _ in 0..40 {
                let query = generate(&mut random);
                assert_apart(
                    method,
                    &query,
                    10.0_f64.powf(random.within(-12.0, 0.5)),
                    name,
                );
            }
        }
    }
}

#[test]
fn a_distance_that_is_the_separation_but_for_rounding_is_no_miss() {
    let mut random = Random(5);
    for _ in 0..300 {
        let slide = families::slide(&mut random);
        let [p, a, b] = slide.start;
        let separation = point_edge(p, a, b).distance;
        for method in NarrowPhase::ALL {
            assert_apart(method, &slide, separation, "a slide");
        }
    }
}

/// `toi` is at most `expected` and at least 0.999 of it.
fn assert_close(toi: Option<f64>, expected: f64, what: &str) {
    let toi = toi.unwrap_or_else(|| panic!("{what}: missed"));
    assert!(
        toi <= expected * (1.0 + 1e-9) && toi >= 0.999 * expected,
        "{what}: {toi} for {expected}"
    );
}

#[test]
fn a_fall_onto_an_edge_ends_at_the_separation() {
    for d in [1e-9, 1e-6, 1e-3, 0.1] {
        for height in [1.0, 10.0, 1e6] {
            for along in [-1.05, -0.3, 0.0, 1.0] {
                let edge = [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
                let from = Vec2::new(along, height);
                let to = Vec2::new(along, -1.0);
                let query = Query {
                    start: [from, edge[0], edge[1]],
                    end: [to, edge[0], edge[1]],
                };
                let past: f64 = (along.abs() - 1.0).max(0.0);
                let toi = NarrowPhase::Exact.time_of_impact(&query, d);

                if past < d {
                    let left = (d * d - past * past).sqrt();
                    assert_close(toi, (height - left) / (height + 1.0), "a fall");
                } else {
                    assert_eq!(toi, None);
                }
            }
        }
    }
}

#[test]
fn two_points_that_pass_meet_where_their_distance_is_the_separation() {
    for d in [1e-6, 1e-3, 0.5] {
        for miss in [0.0, 0.3, 0.9, 0.999, 1.001, 1.5] {
            let offset = Vec2::new(0.0, miss * d);
            let from = Vec2::new(-1.0, 0.0) + offset;
            let to = Vec2::new(2.0, 0.0) + offset;
            let query = Query::point_point([from, Vec2::zeros()], [to, Vec2::zeros()]);
            let toi = NarrowPhase::Exact.time_of_impact(&query, d);
            if miss < 1.0 {
                assert_close(toi, (1.0 - d * (1.0 - miss * miss).sqrt()) / 3.0, "a pass");
            } else {
                assert_eq!(toi, None, "{d} {miss}");
            }
        }
    }
}

#[test]
fn a_long_edge_that_turns_above_a_point_is_followed() {
    // The ends move by 1, the middle stays: the line's distance is (gap - 0.01 t) / sqrt(1 + t^2),
    // at x = 0.01.
    let gap = 1e-4;
    let point = Vec2::new(0.01, -gap);
    let query = Query {
        start: [point, Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)],
        end: [point, Vec2::new(-1.0, 1.0), Vec2::new(1.0, -1.0)],
    };

    for d in [1e-9, 1e-6, 5e-5] {
        let distance = |t: f64| (gap - 0.01 * t) / (1.0 + t * t).sqrt();
        let mut low = 0.0;
        let mut high = 0.01;

        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if distance(middle) > d {
                low = middle;
            } else {
                high = middle;
            }
        }

        assert_close(NarrowPhase::Exact.time_of_impact(&query, d), low, "a turn");
    }
}

#[test]
fn starting_within_the_separation_is_an_impact_at_once() {
    let query = Query::point_point(
        [Vec2::zeros(), Vec2::new(0.1, 0.1)],
        [Vec2::zeros(), Vec2::new(5.0, 1.0)],
    );
    for method in NarrowPhase::ALL {
        assert_eq!(method.time_of_impact(&query, 0.2), Some(0.0));
    }
}

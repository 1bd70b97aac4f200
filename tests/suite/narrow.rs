//! Linear time of impact for motions at which an algorithm could hang or overflow.

use ipcsim::contact::ccd::{NarrowPhase, Query};
use ipcsim::math::Vec2;

/// All narrow phases.
const METHODS: [NarrowPhase; 3] = NarrowPhase::ALL;

/// A vector (m).
fn v(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

/// A point that moves by `motion` from above an edge at rest.
fn over(edge: [Vec2; 2], from: Vec2, motion: Vec2) -> Query {
    Query {
        start: [from, edge[0], edge[1]],
        end: [from + motion, edge[0], edge[1]],
    }
}

#[test]
fn what_touches_at_the_start_has_no_safe_time() {
    for method in METHODS {
        for (from, motion) in [
            (v(0.25, 0.0), v(0.0, -1.0)),
            (v(1.0, 0.0), v(0.3, 0.1)),
            (v(0.0, 0.0), v(0.0, 1.0)),
        ] {
            let query = over([v(0.0, 0.0), v(1.0, 0.0)], from, motion);
            assert_eq!(method.time_of_impact(&query, 0.0), Some(0.0), "{from}");
        }
    }
}

#[test]
fn an_edge_of_no_length_is_hit_as_a_point() {
    for method in METHODS {
        let hit = over([v(0.0, 0.0); 2], v(0.0, 1.0), v(0.0, -4.0));
        let toi = method.time_of_impact(&hit, 0.0).unwrap();
        assert!(toi > 0.2 && toi < 0.25, "{toi}");
        let miss = over([v(0.0, 0.0); 2], v(0.1, 1.0), v(0.0, -4.0));
        assert_eq!(method.time_of_impact(&miss, 0.0), None);
    }
}

#[test]
fn a_motion_of_1e200_is_stopped_before_its_impact() {
    for method in METHODS {
        for length in [1e100, 1e200] {
            let query = over([v(-1.0, 0.0), v(1.0, 0.0)], v(0.0, 1.0), v(0.0, -length));
            let toi = method.time_of_impact(&query, 0.0).unwrap();

            // The methods but the exact one cannot tell a gap from 0 that is less than 1e-150 of
            // the motion.
            let told = method == NarrowPhase::Exact || length < 1e150;
            assert!(
                toi <= 1.0 / length && (!told || toi > 0.8 / length),
                "{method:?} {length:e}: {toi:e}"
            );

            let along = over([v(-1.0, 0.0), v(1.0, 0.0)], v(0.0, 1.0), v(length, 0.0));
            assert!(
                method
                    .time_of_impact(&along, 0.0)
                    .is_none_or(|toi| toi > 0.0 || !told),
                "{method:?} {length:e}"
            );
        }
    }
}

#[test]
fn a_slide_of_length_1_at_a_tiny_gap_ends_at_a_safe_time() {
    for method in METHODS {
        for gap in [1e-3, 1e-6, 1e-9, 1e-12] {
            let edge = [v(-1.0, 0.0), v(3.0, 0.0)];
            let parallel = over(edge, v(0.0, gap), v(1.0, 0.0));

            // One advance at the start's gap is safe for sure: the fraction must not be less.
            assert!(
                method
                    .time_of_impact(&parallel, 0.0)
                    .is_none_or(|toi| toi >= 0.5 * gap && toi < 1.0),
                "{gap}"
            );
            let crossing = over(edge, v(0.0, gap), v(1.0, -2.0 * gap));
            assert!(
                method
                    .time_of_impact(&crossing, 0.0)
                    .is_some_and(|toi| toi >= 0.4 * gap && toi < 0.5),
                "{gap}"
            );
        }
    }
}
